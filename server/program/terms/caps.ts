import type { Terms } from '#contract/terms.ts'

/** Room for the referrer of a sale under the cap with the least; minor units of the account's currency. */
export type SaleCap = {
  kind: 'customer' | 'month'
  /** Earned by the other sales of the customer or month when it was booked. */
  used: number
  /** The most that the sale has planned for its referrer, and how much of that it may earn. */
  planned: number
  kept: number
}

/** Earned by the referrer from the other sales of the customer, and of the month. */
export type UsedByOthers = { customer: number; month: number }

export const haveCaps = ({ maxPerCustomer, maxPerMonth }: Pick<Terms, 'maxPerCustomer' | 'maxPerMonth'>) =>
  maxPerCustomer !== null || maxPerMonth !== null

/**
 * Returns the cap of a sale that plans this much for its referrer: at first, and whenever it plans more than before, it
 * gets what the others leave at that moment; it never loses what it had (terms.md, rule 15).
 */
export function computeCap(terms: Terms, known: SaleCap | undefined, planned: number, used: UsedByOthers): SaleCap {
  if (known && planned <= known.planned) return known
  const roomOf = (limit: number | null, earned: number) => (limit === null ? Infinity : Math.max(0, limit - earned))
  const ofCustomer = roomOf(terms.maxPerCustomer, used.customer)
  const ofMonth = roomOf(terms.maxPerMonth, used.month)
  const kind = ofCustomer <= ofMonth ? 'customer' : 'month'
  const kept = Math.min(planned, ofCustomer, ofMonth)
  return known && kept <= known.kept ? { ...known, planned } : { kind, used: used[kind], planned, kept }
}

/** A sale as caps count it. */
export type Capped = {
  accountId: string
  partnerId: string | null
  leadId: string | null
  saleDate: string
  /** Its commission as recorded by the previous program: not counted. */
  givenCommission?: number | null
}

const customerOf = ({ partnerId, leadId }: Capped) => `${partnerId} ${leadId}`
const monthOf = ({ partnerId, saleDate }: Capped) => `${partnerId} ${saleDate.slice(0, 7)}`

/**
 * Commissions of referrers by customer and by month, reversals included, updated during a booking. Given commissions
 * are left out.
 */
export class Used {
  readonly #sums = new Map<string, number>()

  /** Adds what the referrer of a sale earns or loses, unless it was given. */
  add(sale: Capped, amount: number): void {
    if (sale.givenCommission != null) return
    for (const key of [customerOf(sale), monthOf(sale)]) this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount)
  }

  /** `own`: the part that is the sale's. */
  byOthers(sale: Capped, own: number): UsedByOthers {
    const sum = (key: string) => (this.#sums.get(key) ?? 0) - own
    return { customer: sum(customerOf(sale)), month: sum(monthOf(sale)) }
  }

  /** Sets a sum as it is stored. */
  set(key: 'customer' | 'month', sale: Capped, amount: number): void {
    this.#sums.set(key === 'customer' ? customerOf(sale) : monthOf(sale), amount)
  }
}
