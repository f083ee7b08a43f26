import type { ListQuery } from '#contract/values.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { containing, page } from '../../platform/http/list.ts'

export const groupTable = table('groups', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  name: c.text(),
  publicName: c.text().null(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type GroupRow = RowOf<typeof groupTable> & { layerRatesPpm: number[] | null; rules: number; partners: number }

/** Groups `t` of an account with their number of rules and of partners; the default one has those without another. */
const columnsOf = (accountId: string) => {
  const partners = sql`(select count(*) from partners p where p.account_id = ${accountId} and`
  const all = sql`(select s.partners from total_stats s
    where s.account_id = ${accountId} and s.partner_id = ${NIL} and s.blueprint_id = ${NIL})`
  const number = sql`case when t.id = ${accountId} then coalesce(${all}, 0) - ${partners} p.group_id is not null)
    else ${partners} p.group_id = t.id) end`
  const rules = sql`coalesce((select jsonb_array_length(l.terms -> 'rules') from terms_log l
    where l.account_id = ${accountId} and l.subject_id = t.id and l.subject = 'group' order by l.number desc limit 1), 0)`
  return { columns: sql`${groupTable.from('t')}, t.layer_rates_ppm, ${rules} as rules, ${number} as partners`, number }
}

/** Undefined for one that was deleted. */
export const groupById = (db: Queryable, accountId: string, id: string) => db.maybe<GroupRow>`
  select ${columnsOf(accountId).columns} from groups t
  where t.account_id = ${accountId} and t.id = ${id} and t.deleted_at is null`

export function groupsPage(db: Queryable, accountId: string, query: ListQuery) {
  const { columns, number } = columnsOf(accountId)
  return page<GroupRow>(db, query, {
    columns,
    from: sql`groups t`,
    scope: sql`t.account_id = ${accountId} and t.deleted_at is null`,
    filters: [containing(sql`t.name`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' }, partners: { by: number, type: 'bigint' } },
  })
}

export const isNameTaken = (tx: Transaction, accountId: string, id: string, name: string) => tx.maybe`
  select from groups
  where account_id = ${accountId} and id <> ${id} and lower(name) = lower(${name}) and deleted_at is null`

export const numberOfGroups = (db: Queryable, accountId: string) => db.value<number>`
  select count(*) as count from groups where account_id = ${accountId} and deleted_at is null`

export const markDeleted = (tx: Transaction, accountId: string, id: string) => tx.run`
  update groups set deleted_at = ${tx.now}, updated_at = ${tx.now} where account_id = ${accountId} and id = ${id}`
