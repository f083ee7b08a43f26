import type { z } from 'zod'
import type { AuditRow, listAudit as call } from '#contract/activity.ts'
import { readsBankDetails } from '#contract/field-readers.ts'
import { orderedMethods } from '#contract/payout-settings.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, dayFilter, idFilter, listPage } from '../../platform/http/list.ts'
import { buildOwnerView } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { FieldReader } from '../access/visible-fields.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { partnerNames, personNameSql } from '../partner-directory/partner-names.ts'

type Query = z.output<typeof call.query & object> & { uncounted?: true }

type Row = Pick<AuditRow, 'id' | 'at' | 'network' | 'action' | 'changes' | 'currency'> & {
  actorType: AuditRow['actor']['type']
  actorId: string | null
  actorName: string | null
  subjectType: string
  subjectId: string | null
  eventName: string | null
}

/** A value of the event of change `t` of this account. The view `audit` has it too, but does not name the account. */
const eventValueSql = (accountId: string, value: Sql) => sql`(
  select ${value} from told_events o where o.account_id = ${accountId} and o.id = t.id)`

const eventNameSql = (accountId: string) =>
  sql`coalesce(${eventValueSql(
    accountId,
    sql`coalesce(o.data -> 'object' ->> 'displayName', o.data -> 'object' ->> 'name', o.data -> 'object' ->> 'accountName')`,
  )}, t.changes -> 'name' ->> 'new')`

/** Field of changes that contains the last digits of a partner's bank account: for the activity of their readers alone. */
export const BANK_DETAILS = 'accountLast4'
const MASKED = '•••••'

/** Leaves out digits of bank accounts: of a partner's, and of the account's own, which are the values of its payout methods. */
function withoutBankDetails({ [BANK_DETAILS]: _, ...changes }: AuditRow['changes']): AuditRow['changes'] {
  const ways = orderedMethods.filter((name) => name in changes)
  const masked = (hint: unknown) => hint && MASKED
  return {
    ...changes,
    ...Object.fromEntries(
      ways.map((name) => [name, { old: masked(changes[name]!.old), new: masked(changes[name]!.new) }]),
    ),
  }
}

/** Lists the changes of an account with their authors; a user by name, else by e-mail, and an API key by its name. */
export async function listAudit(db: Queryable, { id, timeZone }: AccountFacts, { as }: FieldReader, query: Query) {
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.id, t.at, t.network, t.action, t.changes, t.actor_type, t.actor_id, t.subject_type, t.subject_id,
      ${eventNameSql(id)} as event_name, ${eventValueSql(id, sql`o.data -> 'object' ->> 'currency'`)} as currency,
      coalesce(${personNameSql(sql`u`)}, k.name) as actor_name`,
    from: sql`(select *, at as created_at from audit) t
      left join users u on t.actor_type = 'user' and u.id = t.actor_id
      left join api_keys k on t.actor_type in ('api-key', 'portal') and k.id = t.actor_id`,
    scope: sql`t.account_id = ${id}`,
    byMonth: true,
    filters: [
      containsFilter(
        sql`concat_ws(' ', t.action, u.email, u.first_name, u.last_name, k.name, ${eventNameSql(id)})`,
        query.search,
      ),
      idFilter(sql`t.subject_id`, query.subjectId),
      idFilter(sql`t.actor_id`, query.actorId),
      query.action && sql`(t.action = any(${query.action}) or split_part(t.action, '.', 1) = any(${query.action}))`,
      ...dayFilter(sql`t.at`, timeZone, query.from, query.to),
    ],
  })
  const names = await subjectNames(db, id, items)
  const changed = await changedNames(db, id, items)
  const owners = await ownerNames(db, items)
  const rows = items.map(
    (row): AuditRow => ({
      id: row.id,
      at: row.at,
      actor: { type: row.actorType, id: row.actorId, name: row.actorName },
      network: row.network,
      action: row.action,
      subject: { type: row.subjectType, id: row.subjectId, name: names.get(keyOf(row)) ?? row.eventName },
      changes: withOwners(readsBankDetails(as) ? row.changes : withoutBankDetails(row.changes), owners),
      names: namesIn(row, changed),
      currency: row.currency,
    }),
  )
  return { items: rows, ...rest }
}

/** Fields of changes that contain the id of a partner, a lead or a group. */
const NAMED = ['partnerId', 'parentPartnerId', 'leadId', 'groupId', 'moveToGroupId']

const idsIn = ({ changes }: Pick<Row, 'changes'>): string[] =>
  NAMED.flatMap((field) => [changes[field]?.old, changes[field]?.new].filter((id) => typeof id === 'string'))

/** Returns the current names of the partners, leads and groups among the changes, by id, if they are this account's. */
async function changedNames(db: Queryable, accountId: string, rows: Row[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(idsIn).map(asUuid))]
  if (ids.length === 0) return new Map()
  const own = await db.many<{ id: string; isLead: boolean }>`
    select id, false as is_lead from partners where account_id = ${accountId} and id = any(${ids}::uuid[])
    union all select id, true from leads where account_id = ${accountId} and id = any(${ids}::uuid[])`
  const of = (leads: boolean) => own.flatMap(({ id, isLead }) => (isLead === leads ? id : []))
  const groups = await db.many<{ id: string; name: string }>`
    select id, name from groups where account_id = ${accountId} and id = any(${ids}::uuid[])`
  return new Map([
    ...groups.map(({ id, name }): [string, string] => [id, name]),
    ...(await partnerNames(db, [accountId], of(false))),
    ...(await leadNames(db, buildOwnerView([accountId]), of(true))),
  ])
}

/** Returns the current names of the owners among the changes, by id. */
async function ownerNames(db: Queryable, rows: Row[]): Promise<Map<unknown, string>> {
  const ids = rows.flatMap(({ changes: { ownerId } }) => (ownerId ? [ownerId.old, ownerId.new] : []))
  if (ids.length === 0) return new Map()
  const users = await db.many<{ id: string; name: string }>`
    select u.id, ${personNameSql(sql`u`)} as name from users u where u.id = any(${ids}::uuid[])`
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** Names the owners by their ids alone: servers of release 0.2.0 also store e-mails, which erased people no longer have. */
const withOwners = (changes: AuditRow['changes'], names: Map<unknown, string>): AuditRow['changes'] => {
  const { ownerId } = changes
  const nameOf = (id: unknown) => names.get(id) ?? null
  return ownerId ? { ...changes, owner: { old: nameOf(ownerId.old), new: nameOf(ownerId.new) } } : changes
}

const namesIn = (row: Row, names: Map<string, string>): Record<string, string> =>
  Object.fromEntries(
    idsIn(row).flatMap((id): [string, string][] => {
      const name = names.get(id)
      return name === undefined ? [] : [[id, name]]
    }),
  )

/** The default group has its account's id. */
const keyOf = ({ subjectType, subjectId }: Pick<Row, 'subjectType' | 'subjectId'>) =>
  subjectType === 'group' ? `group ${subjectId}` : subjectId

/** Returns the current names of the subjects, by key; deleted ones are left out. */
async function subjectNames(db: Queryable, accountId: string, rows: Row[]): Promise<Map<string | null, string>> {
  const idsOf = (type: string) =>
    rows.flatMap(({ subjectType, subjectId }) => (subjectType === type ? subjectId : null))
  const ids = [...new Set(rows.flatMap(({ subjectId }) => subjectId ?? []))]
  const [partners, leads] = [
    await partnerNames(db, [accountId], idsOf('partner')),
    await leadNames(db, buildOwnerView([accountId]), idsOf('lead')),
  ]
  const others = await db.many<{ id: string; name: string }>`
    select id, name from (
      select 'group ' || id as id, name from groups where account_id = ${accountId} and id = any(${idsOf('group')}::uuid[])
      union all select id::text, coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email) as name from users
        where id = any(${ids}::uuid[])
      union all select id::text, 'PO-' || statement_number from payouts where account_id = ${accountId} and id = any(${ids}::uuid[])
      union all select id::text, prefix || number from invoices where account_id = ${accountId} and id = any(${ids}::uuid[])
      union all select id::text, name from link_blueprints where id = any(${ids}::uuid[])
      union all select id::text, name from outgoing_webhooks where id = any(${ids}::uuid[])
      union all select id::text, name from incoming_webhooks where id = any(${ids}::uuid[])
      union all select id::text, name from api_keys where id = any(${ids}::uuid[]) and id <> account_id
      union all select id::text, account_name from provider_connections where id = any(${ids}::uuid[])
    ) named where name is not null`
  return new Map([...partners, ...leads, ...others.map(({ id, name }) => [id, name] as const)])
}
