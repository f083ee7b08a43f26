import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { emitLeadEvents } from './emit-lead-events.ts'
import { type LeadRow, leadColumns, lockIdentities } from './queries.ts'
import { leadPhrases } from './text.ts'

/**
 * Returns and locks a lead and all that are the same person: its duplicates either way, and leads with the same e-mail,
 * phone or external id. `[]` if there is no such lead.
 */
export async function lockPerson(tx: Transaction, accountId: string, id: string): Promise<LeadRow[]> {
  const found = await listLeadsOfPerson(tx, accountId, id)
  await lockIdentities(tx, accountId, found)
  // one added meanwhile is the same person too
  const ids = (await listLeadsOfPerson(tx, accountId, id)).map((lead) => lead.id)
  return tx.many<LeadRow>`
    select ${leadColumns} from leads t
    where t.account_id = ${accountId} and t.id = any(${ids}::uuid[]) order by t.id for no key update`
}

/** Like `lockPerson`, without locks. */
export const listLeadsOfPerson = (db: Queryable, accountId: string, id: string) => db.many<LeadRow>`
  with known as materialized (
    select o.* from leads l join leads o on o.account_id = ${accountId}
      and (o.id in (l.id, l.duplicate_of_id) or o.duplicate_of_id in (l.id, l.duplicate_of_id))
    where l.account_id = ${accountId} and l.id = ${id}
  )
  select ${leadColumns} from leads t
  where t.account_id = ${accountId} and t.id in (
    select id from known
    union select l.id from known k join leads l on l.account_id = ${accountId} and l.email = k.email
    union select l.id from known k join leads l on l.account_id = ${accountId} and l.phone_e164 = k.phone_e164
    union select l.id from known k join leads l on l.account_id = ${accountId} and l.external_id = k.external_id)
  order by t.id`

/** Empties these locked leads, and ends the open ones; a trigger keeps what was erased empty from then on. */
export async function emptyLeads(tx: Transaction, by: Author, account: AccountFacts, leads: LeadRow[]): Promise<void> {
  await tx.run`
    update leads set erased_at = ${tx.now}, updated_at = ${tx.now},
      status = case when status in ('new', 'qualified') then 'expired' else status end
    where account_id = ${account.id} and id = any(${leads.map(({ id }) => id)}::uuid[])`
  await emitLeadEvents(
    tx,
    leads.map(({ id, status }) => ({
      by,
      accountId: account.id,
      type: 'lead.erased' as const,
      id,
      ...(['new', 'qualified'].includes(status) && { changes: { status: { old: status, new: 'expired' } } }),
      lines: [{ type: 'status' as const, text: leadPhrases.lines.erased, shared: true }],
    })),
  )
}

/** Refuses: `erased` for a change of an erased lead by hand. Locks it, so that it is not erased meanwhile. */
export async function refuseErased(tx: Transaction, accountId: string, id: string): Promise<void> {
  const found = await tx.maybe<{ isErased: boolean }>`
    select erased_at is not null as is_erased from leads t
    where ${sql`t.account_id = ${accountId} and t.id = ${id}`} for no key update`
  if (found?.isErased) throw refusal('erased')
}

export type { LeadRow } from './queries.ts'
