import type { NewLead } from '#contract/leads.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { captureLead, findKnown, toIdentity } from './capture-lead.ts'
import { creditablePartner } from './move-lead.ts'
import { presentLead } from './present-lead.ts'
import { lockIdentities } from './queries.ts'

/**
 * Creates a lead by hand. If it is another partner's lead, this one is stored as its duplicate.
 * Refuses: `duplicate` with `leadId` when it is the same partner's or one side has none; an unknown partner in
 * `partnerId`.
 */
export async function createLead(tx: Transaction, by: Author, account: AccountFacts, body: NewLead) {
  const partnerId = body.partnerId ? await creditablePartner(tx, account.id, body.partnerId) : null
  const submission = { ...body, partnerId, source: 'manual' as const, by }
  const identity = toIdentity(submission)
  await lockIdentities(tx, account.id, [identity])
  const known = await findKnown(tx, account.id, identity, { partnerId })
  if (known?.same) throw alreadyRegistered(known.lead.id, fieldOf[known.lead.by])
  const { leadId, created } = await captureLead(tx, account, submission)
  if (!created) throw alreadyRegistered(leadId, 'email')
  return presentLead(tx, { account, partnerId: null }, leadId)
}

const fieldOf = { 'external-id': 'externalId', email: 'email', phone: 'phone' } as const

export const alreadyRegistered = (leadId: string, field: string) =>
  refusal('lead_exists', {
    fields: { [field]: 'A lead with this value already exists' },
    details: { leadId },
  })
