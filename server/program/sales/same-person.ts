import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { findOriginal, joinLead, mayJoin, setEmail } from '../leads/join-lead.ts'
import { type LeadFacts, lockLeads } from '../leads/lead-facts.ts'
import { paidOn } from '../leads/payment-time.ts'
import { assignSalesToLead } from './attribute-sale.ts'

type Bought = { id: string; leadId: string | null; partnerId: string | null; saleDate: string; createdAt: string }

/** Someone known by an email: of a lead, or of a sale's payer. */
export type KnownByEmail = { email: string; made: { type: 'lead' | 'sale' | 'refund'; id: string } }

/** `isApart`: the one known by the email stays a lead. `isEarlier`: the sale came before the referral, so it earns nothing. */
export type Joined = { isApart: boolean; isEarlier: boolean }

/**
 * Makes one of a lead and someone known by an email who is the same person: the lead gets the sale, whose partner it
 * credits unless the referral came later, and the email. The lead with the email becomes its duplicate, and its other
 * sales go along without credit, unless it credits a partner already: what is credited stays where it is. Undefined if
 * the lead is deleted or erased.
 */
export async function mergeLeadsOfPerson(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  leadId: string,
  { email, made }: KnownByEmail,
): Promise<Joined | undefined> {
  const accountId = account.id
  const toId = await findOriginal(tx, accountId, { id: leadId, email })
  const sale =
    made.type === 'sale'
      ? await tx.maybe<Bought>`
        select id, lead_id, partner_id, sale_date, created_at from sales
        where account_id = ${accountId} and id = ${made.id} and lower(payer_email) = ${email}`
      : undefined
  const formerId = made.type === 'lead' ? made.id : sale?.leadId
  const leads = await lockLeads(
    tx,
    [accountId],
    [toId, formerId].filter((id) => id != null),
  )
  const to = leads.find(({ id }) => id === toId)
  if (!to || to.erasedAt) return undefined
  const former = leads.find(({ id }) => id === formerId && id !== toId)
  const joins = former !== undefined && (await mayJoin(tx, former, to))
  const isEarlier = sale !== undefined && sale.partnerId === null && isReferredAfter(to, account, sale)
  const uncredited = { ...to, partnerId: null, blueprintId: null, linkId: null }
  if (sale)
    await assignSalesToLead(tx, by, accountId, isEarlier ? uncredited : to, [{ id: sale.id, matchedBy: 'external-id' }])
  if (joins) {
    const others = await tx.many<{ id: string; matchedBy: null }>`
      select id, null as matched_by from sales where account_id = ${accountId} and lead_id = ${former.id} order by id`
    await assignSalesToLead(tx, by, accountId, uncredited, others)
    await joinLead(tx, by, account, former.id, to)
  }
  const isApart = former !== undefined && !joins
  if (!isApart) await setEmail(tx, by, account, to, email)
  return { isApart, isEarlier }
}

function isReferredAfter({ partnerId, attributedAt }: LeadFacts, { timeZone }: AccountFacts, sale: Bought) {
  const { referredBy } = paidOn(sale.saleDate, timeZone, new Date(sale.createdAt))
  return partnerId !== null && new Date(attributedAt) > referredBy
}
