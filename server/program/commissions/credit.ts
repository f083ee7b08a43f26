import type { Terms } from '#contract/terms.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type Hold, judgeSales } from '../fraud/judge.ts'
import { type Layer, layersAfter, type PlannedSale, type SaleTerms } from '../terms/plan.ts'
import { fixedCommissionTerms, readSaleTerms } from './earnings.ts'
import { type NewEntry, newEntry } from './entries.ts'

/** A sale to be credited: its row and its lead, as read under their locks. */
export type CreditableSale = {
  id: string
  accountId: string
  partnerId: string | null
  blueprintId: string | null
  leadId?: string | null
  /** When its lead got the partner; null without one. */
  referredAt: string | null
  leadEmail: string | null
  /** Its lead came from a network of its partner, as in `LeadFacts`. */
  ownVisit: boolean
  payerEmail: string | null
  cardHash: Buffer | null
  /** Net in the account's currency; null without an exchange rate. */
  accountAmount: number | null
  subscriptionId: string | null
  saleDate: string
  /** The provider's account or the webhook that reports it. */
  shopId: string | null
  customerId: string | null
  /** Net, in its own currency. */
  amount: number
  /** Its partner's commission as recorded by the previous program: then neither rates, limit nor fraud rules apply. */
  givenCommission: number | null
  /** The previous program paid its commission; its decisions are not repeated. */
  paidBefore?: boolean
  /** Set if it credits another partner than its customer's; then `clickId` is the click it came by. */
  latestClick: 'order' | 'renewal' | null
  clickId: string | null
  /** The fraud rules have judged it with this partner; `credited` is their result. */
  judged: boolean
  credited: boolean
}

/** The credit of a sale, stored on its row. */
export type Credit = {
  /** The finding of the first judgement; null if there is none. */
  hold: Hold | null
  credited: boolean
  /** Null without a partner, and for a sale of zero. One that waits for an exchange rate has the terms of its day. */
  terms: SaleTerms | null
  /** The terms themselves, unless the credit has them as percentages. */
  version: Terms | null
  recurringMonths: number | null
  /** Some terms of the account depend on the place of a sale among its customer's. */
  placesCount: boolean
}

/**
 * Computes the credit of sales once their partner is known: recording, a late attribution, the first partner of the lead.
 * A sale that waits for an exchange rate keeps it. The fraud rules judge a sale once, when its partner is known; terms,
 * the partners above, payout delay and recurring months are those of that time. `accounts` are locked. The recurring limit itself depends on the
 * subscription's other payments: call `findPlaces` before writing this, or `keepPlaces` after it. Returns one credit per
 * sale, by id; two statements at most, however many sales, a third for rules that ask about leads,
 * and one for fraud rules. `log` replaces the
 * table of terms.
 */
export async function computeCredits(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  sales: CreditableSale[],
  log?: Sql,
): Promise<Map<string, Credit>> {
  const referred = sales.flatMap(({ id, accountId, leadId = null, partnerId, blueprintId, referredAt, ...sale }) => {
    const { shopId, customerId } = sale
    const at = referredAt ?? tx.now.toISOString()
    return partnerId ? [{ id, accountId, leadId, partnerId, blueprintId, referredAt: at, shopId, customerId }] : []
  })
  const referrals = await readSaleTerms(tx, referred, log)
  const holds = await judgeSales(
    tx,
    accounts,
    sales.flatMap((sale) => {
      const referral = referrals.get(sale.id)
      if (!referral || sale.judged || isDecided(sale)) return []
      const { partnerId, leadId = null, referredAt } = sale
      const { referrerEmails, isByCustomer, ownLead } = referral
      const at = referredAt ?? tx.now.toISOString()
      return [{ ...sale, partnerId: partnerId!, leadId, referrerEmails, isByCustomer, ownLead, referredAt: at }]
    }),
  )
  return new Map(
    sales.map((sale) => {
      const account = accounts.get(sale.accountId)!
      const referral = referrals.get(sale.id)
      const isGiven = sale.givenCommission !== null
      const hold = holds.get(sale.id) ?? null
      const credited = sale.credited && hold?.policy !== 'refuse'
      const { payoutDelay, timeZone } = account
      const given = { commission: sale.givenCommission ?? 0, amount: sale.amount }
      const isNothing = sale.amount === 0 || sale.accountAmount === 0
      const booked =
        referral && !isNothing ? (isGiven ? fixedCommissionTerms(referral.terms, given) : referral.terms) : null
      const terms = booked && { ...booked, payoutDelay, timeZone }
      const recurringMonths = terms && isLimited(sale) ? account.recurringMonths : null
      const version = isGiven ? null : (referral?.version ?? null)
      return [sale.id, { hold, credited, terms, version, recurringMonths, placesCount: referral?.placesCount ?? false }]
    }),
  )
}

/** The recurring limit ends what a subscription's partner earns, never an order that names another one itself. */
const isLimited = (sale: CreditableSale) =>
  sale.subscriptionId !== null && !isDecided(sale) && sale.latestClick !== 'order'

/** Decided by the previous program, so that no rule judges it. */
const isDecided = ({ givenCommission, paidBefore }: CreditableSale) => givenCommission !== null || paidBefore === true

/** Returns the layers that a credited sale earns, before any loss. */
export function computeEarnings(
  sale: Omit<PlannedSale, 'accountAmount'> & {
    accountAmount: number | null
    terms: SaleTerms | null
    version: Terms | null
    credited: boolean
    pastLimit: boolean
  },
): Layer[] {
  const { terms, version, accountAmount } = sale
  if (!terms || !accountAmount || !sale.credited || sale.pastLimit) return []
  return layersAfter(sale, terms, version, { refunds: [], lost: 0 }).filter(({ earned }) => earned > 0)
}

/**
 * Returns the ledger rows of a sale's earnings; they become due at the start of the sale date plus the account's payout
 * delay.
 */
export const earnedEntries = (
  actor: string | null,
  account: Pick<AccountFacts, 'id' | 'defaultCurrency'>,
  sale: { id: string; saleDate: string; accountAmount: number | null },
  earnings: Layer[],
): NewEntry[] =>
  earnings.map(({ earned, kept: _, ...layer }) =>
    newEntry({
      ...layer,
      amount: earned,
      baseAmount: sale.accountAmount,
      accountId: account.id,
      saleId: sale.id,
      currency: account.defaultCurrency,
      kind: 'earned',
      day: sale.saleDate,
      actor,
    }),
  )
