import type { Author } from '#server/platform/author.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import { Overtaken, type Transaction } from '#server/platform/database/pool.ts'
import { emitEvent } from '#server/platform/events/emit-event.ts'
import { notFound, Refusal, refusal, wrongField } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { lockAccountShared } from '#server/program/access/lock-accounts.ts'
import { createLead } from '#server/program/leads/create-lead.ts'
import { refuseErased } from '#server/program/leads/erase-lead.ts'
import { findLeadBy, lockLeads } from '#server/program/leads/lead-facts.ts'
import { openPayoutsOfSale } from '#server/program/payouts/gather-payouts.ts'
import { attributeSale, reassignLead } from '#server/program/sales/attribute-sale.ts'
import { recordByHand } from '#server/program/sales/record-by-hand.ts'
import { lockSales } from '#server/program/sales/sale-state.ts'
import type { AcceptedClaim, ClaimedSale, ClaimWithCandidates } from '../contract.ts'
import { claimForEvent, claimWithCandidates } from './present-claim.ts'
import { type ClaimRow, claimTable, lockClaim } from './queries.ts'

/** Written to the timeline of a lead that gets the partner, if the person who decides gives no reason. */
const REASON = 'Claimed by the partner'

/**
 * Accepts a claim: credits its partner with the sale, or gives them the lead, as by hand; one that is theirs already
 * stays as it is. A sale that was never recorded is recorded with it.
 * Refuses: `not_found`; `invalid_state` for a decided claim, and for a sale or lead that can't be credited; `conflict`
 * for one of another partner; an unknown sale or lead in the body.
 */
export async function acceptClaim(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { saleId, leadId, sale, reason }: AcceptedClaim,
): Promise<ClaimWithCandidates> {
  const claim = await lockOpenClaim(tx, account.id, id)
  const credit = { partnerId: claim.partnerId, reason: reason ?? REASON }
  const given = sale
    ? { saleId: await recordClaimedSale(tx, by, account, sale, credit) }
    : saleId
      ? { saleId: await creditSale(tx, by, account, asUuid(saleId), credit) }
      : { leadId: await assignLead(tx, by, account, asUuid(leadId!), credit) }
  await decide(tx, by, account, claim, { state: 'accepted', reason: reason ?? null, ...given })
  return claimWithCandidates(tx, account, id)
}

/** Refuses a claim. Refuses: `not_found`; `invalid_state` for a decided one. */
export async function refuseClaim(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { reason }: { reason: string },
): Promise<ClaimWithCandidates> {
  const claim = await lockOpenClaim(tx, account.id, id)
  await decide(tx, by, account, claim, { state: 'refused', reason })
  return claimWithCandidates(tx, account, id)
}

/** Locks a claim. Refuses: `not_found`; `invalid_state` for a decided one. */
export async function lockOpenClaim(tx: Transaction, accountId: string, id: string): Promise<ClaimRow> {
  const claim = await lockClaim(tx, accountId, id)
  if (!claim) throw notFound()
  if (claim.state !== 'open') throw refusal('claim_decided')
  return claim
}

type Credit = { partnerId: string; reason: string }

async function creditSale(tx: Transaction, by: Author, account: AccountFacts, saleId: string, credit: Credit) {
  const [state] = await lockSales(tx, account.id, [saleId])
  if (!state) throw wrongField('saleId', 'unknown_sale_in_account')
  const { sale } = state
  if (sale.partnerId && sale.partnerId !== credit.partnerId) throw refusal('claim_sale_of_other_partner')
  if (sale.status === 'void') throw refusal('sale_is_void')
  if (sale.partnerId) return saleId
  if (sale.leadId) await refuseErased(tx, account.id, sale.leadId)
  await orInactive(attributeSale(tx, by, account, saleId, credit))
  return saleId
}

async function assignLead(tx: Transaction, by: Author, account: AccountFacts, leadId: string, credit: Credit) {
  const [lead] = await lockLeads(tx, [account.id], [leadId])
  if (!lead) throw wrongField('leadId', 'unknown_lead_in_account')
  if (lead.status === 'duplicate') throw refusal('claim_lead_is_duplicate')
  if (lead.status === 'rejected') throw refusal('lead_is_rejected', { details: { leadId } })
  if (lead.partnerId && lead.partnerId !== credit.partnerId)
    throw refusal('claim_lead_of_other_partner', { details: { leadId } })
  if (lead.partnerId) return leadId
  await refuseErased(tx, account.id, leadId)
  await orInactive(reassignLead(tx, by, account, leadId, credit))
  return leadId
}

/** Records a sale by hand, of the lead with its e-mail or a new one, who becomes or stays the partner's. */
async function recordClaimedSale(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { email, ...sale }: ClaimedSale,
  credit: Credit,
) {
  await lockAccountShared(tx, account.id)
  const leadId = await leadOfEmail(tx, by, account, email, credit)
  await refuseErased(tx, account.id, leadId)
  const access = { as: 'owner', account, subjectId: leadId, partnerId: null } as const
  const recorded = await recordByHand(tx, by, access, sale)
  await openPayoutsOfSale(tx, account, recorded.id)
  return recorded.id
}

async function leadOfEmail(tx: Transaction, by: Author, account: AccountFacts, email: string, credit: Credit) {
  const known = await findLeadBy(tx, account.id, { externalId: null, email })
  if (known) return assignLead(tx, by, account, known.id, credit)
  const lead = await orInactive(createLead(tx, by, account, { email, partnerId: credit.partnerId }))
  if (lead.status === 'duplicate') throw new Overtaken('another partner has a lead with this e-mail by now')
  return lead.id
}

/** The partner is the claim's, and no field of the call. */
const orInactive = <T>(credited: Promise<T>) =>
  credited.catch((error) => {
    throw error instanceof Refusal && error.reason === 'partner_earns_nothing'
      ? refusal('claim_partner_inactive')
      : error
  })

type Decision = { state: 'accepted' | 'refused'; reason: string | null; saleId?: string; leadId?: string }

async function decide(tx: Transaction, by: Author, account: AccountFacts, { id }: ClaimRow, decision: Decision) {
  await claimTable.update(
    tx,
    { accountId: account.id, id },
    { ...decision, decidedAt: tx.now.toISOString(), decidedBy: by.type === 'user' ? by.id : null },
  )
  await emitEvent(tx, by, account.id, 'claim.decided', {
    id,
    object: await claimForEvent(tx, account, id),
    changes: { state: { old: 'open', new: decision.state } },
  })
}
