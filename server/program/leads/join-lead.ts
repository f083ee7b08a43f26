import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { count } from '../stats/count.ts'
import { changeLead } from './change-lead.ts'
import { emitLeadEvent } from './emit-lead-events.ts'
import type { LeadFacts } from './lead-facts.ts'
import { otherHolder } from './lead-holder.ts'
import { hasPay, leadTable, lockDuplicates, lockLead, lockNames } from './queries.ts'
import { leadPhrases } from './text.ts'

/** Returns the id of a lead, or of the original of a duplicate, and waits for others who enter this email. */
export async function findOriginal(tx: Transaction, accountId: string, { id, email }: { id: string; email: string }) {
  await lockNames(tx, [{ accountId, email, phoneE164: null, externalId: null }])
  const found = await tx.maybe<{ id: string }>`
    select coalesce(duplicate_of_id, id) as id from leads where account_id = ${accountId} and id = ${id}`
  return found?.id
}

/**
 * Whether a locked lead may become one with another of the same person: it credits no partner, and is not of another
 * partner than that one.
 */
export const mayJoin = async (tx: Transaction, { accountId, id, partnerId, erasedAt }: LeadFacts, to: LeadFacts) =>
  !erasedAt &&
  (partnerId === null || partnerId === to.partnerId) &&
  !(await hasPay(tx, accountId, id)) &&
  !(await tx.value<boolean>`
    select exists (select from sales where account_id = ${accountId} and lead_id = ${id} and partner_id is not null)`)

/**
 * Makes a lead without sales the duplicate of another one of the same person, and drops its external ID, by which it would
 * be found again. A rejected one stays rejected.
 */
export async function joinLead(
  tx: Transaction,
  by: Author,
  { id: accountId }: AccountFacts,
  id: string,
  to: Pick<LeadFacts, 'id'>,
) {
  const lead = await lockLead(tx, accountId, id)
  if (!lead || lead.status === 'duplicate' || lead.status === 'rejected') return
  await leadTable.update(tx, { accountId, id }, { status: 'duplicate', duplicateOfId: to.id, externalId: null })
  for (const own of await lockDuplicates(tx, accountId, id))
    if (own.id !== to.id) await leadTable.update(tx, { accountId, id: own.id }, { duplicateOfId: to.id })
  const { createdOn: day, partnerId, blueprintId, linkId, status } = lead
  await count(tx, [{ accountId, day, partnerId, blueprintId, linkId, leads: -1 }])
  await emitLeadEvent(tx, by, accountId, 'lead.status-changed', {
    id,
    changes: { status: { old: status, new: 'duplicate' } },
    lines: [{ type: 'duplicate', text: leadPhrases.lines.samePerson, shared: true }],
  })
}

/** Gives a lead another email, unless that is another lead's. */
export async function setEmail(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { id, email }: LeadFacts,
  next: string,
) {
  if (email === next || (await otherHolder(tx, account.id, id, { email: next, phoneE164: null }))) return
  await changeLead(tx, by, account, id, { email: next })
}
