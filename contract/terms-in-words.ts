import type { Pay, RuleConditions, TermsRule } from './terms.ts'
import { termsPhrases } from './terms-words.ts'

/** Terms, also with what is not accepted yet. */
export type WholeTerms = {
  rules: readonly TermsRule[]
  otherwise: Pay
  maxPerCustomer: number | null
  maxPerMonth: number | null
  maxPerYear?: number | null | undefined
}

export type TermsWording = {
  /** Only owners see products, promotion codes and metadata; for anyone else the rule's name replaces them, and only their own pay is named. */
  reader: 'owner' | 'partner'
  money: (amount: number) => string
  rate: (percent: number) => string
  /** Returns a country's name by its code. */
  country: (code: string) => string
}

/** One line of terms: 'Pro, first year · product prod_pro · first 12 months' pays '30% / 5%'. */
export type TermsLine = { what: string; pays: string }

/** Returns terms as a line per rule in their order, then one for all other sales, and their caps as sentences. */
export function termsInWords(terms: WholeTerms, wording: TermsWording): { lines: TermsLine[]; caps: string[] } {
  const { rules, otherwise, maxPerCustomer, maxPerMonth, maxPerYear = null } = terms
  const rest = rules.some(({ on }) => on === 'sale') ? termsPhrases.otherwise : termsPhrases.everySale
  return {
    lines: [
      ...rules.map((rule) => ({ what: ruleInWords(rule, wording), pays: payInWords(rule, wording) })),
      { what: rest, pays: payInWords(otherwise, wording) },
    ],
    caps: [
      ...(maxPerCustomer === null ? [] : [termsPhrases.maxPerCustomer({ amount: wording.money(maxPerCustomer) })]),
      ...(maxPerMonth === null ? [] : [termsPhrases.maxPerMonth({ amount: wording.money(maxPerMonth) })]),
      ...(maxPerYear === null ? [] : [termsPhrases.maxPerYear({ amount: wording.money(maxPerYear) })]),
    ],
  }
}

/** Returns a rule's name and conditions: 'New customer · customer in France'. */
export function ruleInWords({ name, on, when }: Omit<TermsRule, keyof Pay>, wording: TermsWording): string {
  const lead = on === 'sale' ? [] : [termsPhrases.leads[on]]
  const parts = [...lead, ...conditionsInWords(when, wording)]
  const [first = '', ...others] = name ? [name, ...parts] : parts
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' · ')
}

/** Returns '30% / 5%' or '$50.00' by layer; only the first, for a partner's own sales, if a partner reads it. */
export function payInWords({ layerRates, layerAmounts }: Pay, { reader, rate, money }: Omit<TermsWording, 'country'>) {
  const paid = (layerAmounts ?? layerRates ?? []).slice(0, reader === 'partner' ? 1 : undefined)
  if (paid.every((one) => one === 0)) return termsPhrases.nothing
  return paid.map(layerAmounts ? money : rate).join(' / ')
}

function conditionsInWords(when: RuleConditions, { reader, money, country }: TermsWording): string[] {
  const { firstPayments, firstMonths, amountFrom, amountTo, countries } = when
  const { products, promotionCode, metadata = [] } = reader === 'owner' ? when : {}
  return [
    products && termsPhrases.products({ ids: anyOf(products) }),
    promotionCode && termsPhrases.promotionCode[promotionCode],
    firstPayments &&
      (firstPayments === 1 ? termsPhrases.firstPayment : termsPhrases.firstPayments({ count: firstPayments })),
    firstMonths && (firstMonths === 1 ? termsPhrases.firstMonth : termsPhrases.firstMonths({ count: firstMonths })),
    amountInWords(amountFrom, amountTo, money),
    countries && termsPhrases.countries({ names: anyOf(countries.map(country)) }),
    ...metadata.map(({ key, values }) => termsPhrases.metadata({ key, values: anyOf(values) })),
  ].filter((part) => typeof part === 'string')
}

function amountInWords(from: number | undefined, to: number | undefined, money: TermsWording['money']) {
  if (from !== undefined && to !== undefined) return termsPhrases.amountBetween({ from: money(from), to: money(to) })
  if (from !== undefined) return termsPhrases.amountFrom({ from: money(from) })
  return to === undefined ? undefined : termsPhrases.amountTo({ to: money(to) })
}

/** Returns 'a, b or c'. */
function anyOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : termsPhrases.or({ most: texts.slice(0, -1).join(', '), last })
}
