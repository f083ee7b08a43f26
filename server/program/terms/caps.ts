import type { Terms } from '#contract/terms.ts'

export const capKinds = ['customer', 'month', 'year'] as const
type CapKind = (typeof capKinds)[number]

/** Room for the referrer of a sale under the cap with the least; minor units of the account's currency. */
export type SaleCap = {
  kind: CapKind
  /** Earned by the others of the customer, month or year when it was booked. */
  used: number
  /** The most that the sale has planned for its referrer, and how much of that it may earn. */
  planned: number
  kept: number
}

/** Earned by the referrer from the other sales of the customer, of the month, and of the year. */
export type UsedByOthers = Record<CapKind, number>

/** Returns the limit of terms for each kind of cap; older terms name none for a year. */
export const getLimits = ({ maxPerCustomer, maxPerMonth, maxPerYear }: Caps): Record<CapKind, number | null> => ({
  customer: maxPerCustomer,
  month: maxPerMonth,
  year: maxPerYear ?? null,
})
type Caps = Pick<Terms, 'maxPerCustomer' | 'maxPerMonth' | 'maxPerYear'>

export const haveCaps = (terms: Caps) => Object.values(getLimits(terms)).some((limit) => limit !== null)

/** Returns the same without a cap for each customer, which pay for leads doesn't count. */
export const withoutCustomer = (terms: Terms): Terms => ({ ...terms, maxPerCustomer: null })

/** Rounds an amount down to whole units of this value. */
export const wholeUnits = (amount: number, unit: number) => amount - (amount % unit)

/**
 * Returns the cap of a sale that plans this much for its referrer: at first, and whenever it plans more than before, it
 * gets what the others leave at that moment, of units whole ones; it never loses what it had (terms.md, rule 15).
 */
export function computeCap(
  terms: Terms,
  { cap: known, unit = 1 }: { cap?: SaleCap | undefined; unit?: number | undefined },
  planned: number,
  used: UsedByOthers,
): SaleCap {
  if (known && planned <= known.planned) return known
  const limits = getLimits(terms)
  const roomOf = (kind: CapKind) =>
    limits[kind] === null ? Number.POSITIVE_INFINITY : Math.max(0, limits[kind] - used[kind])
  const kind = capKinds.reduce((least, one) => (roomOf(one) < roomOf(least) ? one : least))
  const kept = wholeUnits(Math.min(planned, roomOf(kind)), unit)
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
const yearOf = ({ partnerId, saleDate }: Capped) => `${partnerId} ${saleDate.slice(0, 4)}`
const keyOf = { customer: customerOf, month: monthOf, year: yearOf }

/**
 * Commissions of referrers by customer, by month and by year, reversals included, updated during a booking. Given commissions
 * are left out.
 */
export class Used {
  readonly #sums = new Map<string, number>()

  /** Adds what the referrer of a sale earns or loses, unless it was given. */
  add(sale: Capped, amount: number): void {
    if (sale.givenCommission != null) return
    for (const kind of capKinds) this.#add(kind, sale, amount)
  }

  /** Adds pay for a lead of a customer's, which no cap of its friend counts. */
  addLeadPay(pay: Capped, amount: number): void {
    for (const kind of ['month', 'year'] as const) this.#add(kind, pay, amount)
  }

  #add(kind: CapKind, sale: Capped, amount: number) {
    const key = keyOf[kind](sale)
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + amount)
  }

  /** `own`: the part that is the sale's. */
  byOthers(sale: Capped, own: number): UsedByOthers {
    const sum = (kind: CapKind) => (this.#sums.get(keyOf[kind](sale)) ?? 0) - own
    return { customer: sum('customer'), month: sum('month'), year: sum('year') }
  }

  /** Sets a sum as it is stored. */
  set(kind: CapKind, sale: Capped, amount: number): void {
    this.#sums.set(keyOf[kind](sale), amount)
  }
}
