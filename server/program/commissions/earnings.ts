import { proportion } from '#contract/money.ts'
import { accountOf, byKey } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type Referred, type TermsInForce, termsInForce } from '../terms/in-force.ts'
import { toPpm } from '../terms/rates.ts'

/** How a sale is split; stored with the sale, so that its entries can be computed again from it. */
export type SaleTerms = {
  /** Parts per million of the base, by layer. */
  ratesPpm: number[]
  /** Owner of the terms; null for a sale of an earlier release that did not store it. */
  source: TermsInForce['source'] | null
  /**
   * Place of the terms in the account's log, and the highest place it had; absent for a given commission, and for a sale
   * of an earlier release.
   */
  number?: number
  seen?: number
  /** The referrer and the partners above them, at most as many as the rates. */
  line: { partnerId: string | null; earns: boolean }[]
  /**
   * The commission that the previous program recorded for the referrer, from the net amount; replaces the first rate.
   */
  given?: {
    commission: number
    amount: number
    /** Commissions of further partners of the line, as given in the file. */
    others?: number[]
  }
  /**
   * The account's days from sale to due date, and the time zone in which they begin; absent for a sale of an earlier
   * release.
   */
  payoutDelay?: number
  timeZone?: string
}

/** One partner's earning in one layer. */
export type Earning = { partnerId: string; layer: number; ratePpm: number; baseAmount: number; amount: number }

const PPM = 1_000_000

/**
 * Splits a sale by rates: half up per layer, never more than the base in sum (the deeper layer gets the rest).
 * `line[n]` is the n-th ancestor of the referrer; one who may not earn gets nothing, and nothing moves up.
 */
export function split(
  baseAmount: number,
  { ratesPpm, line, given }: Pick<SaleTerms, 'ratesPpm' | 'line' | 'given'>,
): Earning[] {
  let left = baseAmount
  const earnings: Earning[] = []
  ratesPpm.forEach((ratePpm, layer) => {
    const partner = line[layer]
    if (!partner?.earns || !partner.partnerId) return
    const told = given && (layer === 0 ? given.commission : (given.others?.[layer - 1] ?? 0))
    const whole = given ? proportion(baseAmount, told!, given.amount) : proportion(baseAmount, ratePpm, PPM)
    const amount = Math.min(whole, left)
    if (amount === 0) return
    left -= amount
    earnings.push({ partnerId: partner.partnerId, layer, ratePpm, baseAmount, amount })
  })
  return earnings
}

/** Returns the terms of a sale with a given commission: only its referrer earns, exactly that amount. */
export const givenTerms = (
  { line }: Pick<SaleTerms, 'line'>,
  given: { commission: number; amount: number },
): Pick<SaleTerms, 'ratesPpm' | 'source' | 'line' | 'given'> => ({
  ratesPpm: [proportion(PPM, given.commission, given.amount)],
  source: null,
  line: line.slice(0, 1),
  given,
})

/** Deepest layer (from 0): there are at most ten rates. */
const DEEPEST = 9

/** A partner above a referrer; for the referrer also their e-mails, which reveal a self-referral. */
type LinePartner = {
  referrerId: string
  partnerId: string
  layer: number
  /** An ancestor earns while active. The referrer earns from their existing leads, unless their balance was voided. */
  earns: boolean
  emails: string[] | null
}

const linesAbove = (tx: Transaction, accountIds: string[], partnerIds: string[]) => tx.many<LinePartner>`
  with recursive line as (
    select account_id, id as referrer_id, id, parent_partner_id, void_reason is null as earns, 0 as layer,
      email, user_id
    from ${byKey(sql`partners`, accountIds, partnerIds)}
    union all
    select p.account_id, line.referrer_id, p.id, p.parent_partner_id, p.state = 'active', line.layer + 1, null, null
    from line join partners p on p.account_id = ${accountOf(accountIds, sql`line.account_id`)} and p.id = line.parent_partner_id
    where line.layer < ${DEEPEST}
  )
  select line.referrer_id, line.id as partner_id, line.layer, line.earns,
    case when line.layer = 0 then array_remove(array[line.email, (select email from users u where u.id = line.user_id)], null) end as emails
  from line order by line.referrer_id, line.layer`

const unique = (ids: string[]) => [...new Set(ids)]

export type Referral = { terms: SaleTerms; referrerEmails: string[] }

/**
 * Returns how these sales are split if booked now: by the terms in force, among the partners above their referrer.
 * `log` replaces the table of terms. Reads only, in two statements; keyed by sale.
 */
export async function saleTermsOf(tx: Transaction, sales: Referred[], log?: Sql): Promise<Map<string, Referral>> {
  if (sales.length === 0) return new Map()
  const [above, inForce] = await Promise.all([
    linesAbove(tx, unique(sales.map((sale) => sale.accountId)), unique(sales.map((sale) => sale.partnerId))),
    termsInForce(tx, sales, log),
  ])
  const lines = Map.groupBy(above, (row) => row.referrerId)
  return new Map(
    sales.map(({ id, partnerId }) => {
      const line = lines.get(partnerId) ?? []
      const { terms, source, number, seen } = inForce.get(id)!
      const ratesPpm = toPpm(terms.otherwise)
      const earners = line.map(({ partnerId, earns }) => ({ partnerId, earns }))
      const split = { ratesPpm, source, number, seen, line: earners.slice(0, ratesPpm.length) }
      return [id, { terms: split, referrerEmails: line[0]?.emails ?? [] }]
    }),
  )
}
