import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { listLeadsOfPerson } from './erase-lead.ts'
import { hasSales, isProtectedSql } from './payment-time.ts'
import { type LeadRow, leadColumns, lockIdentities } from './queries.ts'

/**
 * Leads `t` without a sale, and without a change, a submission or a note since then, whose protection for their partner
 * has ended. A void sale is a sale: its books stay.
 */
const idleSince = (accountId: string, { since, now }: { since: Date; now: Date }): Sql => sql`(
  (t.partner_id is null or t.status not in ('new', 'qualified', 'lost') or not ${isProtectedSql(now)})
  and t.created_at < ${since} and t.updated_at < ${since} and coalesce(t.last_seen_at, t.created_at) < ${since}
  and not ${hasSales(sql`${accountId}`)}
  and not exists (select from events e
    where e.account_id = ${accountId} and e.subject_type = 'lead' and e.subject_id = t.id and e.at >= ${since} offset 0))`

export type IdlePlace = { createdAt: string; id: string }

/** Returns the next leads that have been idle since then, the oldest first. */
export const idleLeads = (
  db: Queryable,
  accountId: string,
  { since, after, limit }: { since: Date; after: IdlePlace | undefined; limit: number },
) => db.many<IdlePlace>`
  select t.created_at, t.id from leads t
  where t.account_id = ${accountId} and t.erased_at is null and t.first_won_at is null and ${idleSince(accountId, { since, now: db.now })}
    and ${after ? sql`(t.created_at, t.id) > (${after.createdAt}, ${after.id})` : sql`true`}
  order by t.created_at, t.id limit ${limit}`

/**
 * Locks the people of these leads, and returns the leads of each who is idle in all of them: a person who bought or came
 * again as another lead is not.
 */
export async function lockIdlePeople(
  tx: Transaction,
  accountId: string,
  { since, ids }: { since: Date; ids: string[] },
): Promise<LeadRow[][]> {
  if (ids.length === 0) return []
  const read = () => Promise.all(ids.map((id) => listLeadsOfPerson(tx, accountId, id)))
  await lockIdentities(tx, accountId, (await read()).flat())
  // others added meanwhile are the same people too
  const people = (await read()).map((leads) => leads.map(({ id }) => id))
  const rows = await tx.many<LeadRow & { isIdle: boolean }>`
    select ${leadColumns}, ${idleSince(accountId, { since, now: tx.now })} as is_idle from leads t
    where t.account_id = ${accountId} and t.id = any(${people.flat()}::uuid[]) order by t.id for no key update`
  const byId = new Map(rows.map((row) => [row.id, row]))
  const taken = new Set<string>()
  return people.flatMap((leadIds, at) => {
    const leads = leadIds.flatMap((id) => byId.get(id) ?? []).filter((lead) => !lead.erasedAt && !taken.has(lead.id))
    if (!leads.some(({ id }) => id === ids[at]) || leads.some(({ isIdle }) => !isIdle)) return []
    for (const { id } of leads) taken.add(id)
    return [leads]
  })
}
