import type { SaleLine } from '#contract/sales.ts'
import type { PayableEvent, RuleConditions, Terms, TermsRule } from '#contract/terms.ts'
import { addMonths } from '../../platform/time/days.ts'

/** Facts of a sale that rules need. */
export type RuleFacts = {
  saleDate: string
  /** Net, in the account's currency. */
  accountAmount: number
  /** The payment's country, else that of the click that referred the lead; null if unknown. */
  country: string | null
  /** It was paid with a code that was some partner's. */
  partnerCode: boolean
  /** The sale's own, before those that its lead had when it was credited. */
  metadata: Record<string, string>
  /** Its place among its customer's credited sales, from 1, and the day of the first; null if not determined. */
  place: number | null
  since: string | null
}

export type Condition =
  | 'promotionCode'
  | 'firstPayments'
  | 'firstMonths'
  | 'amount'
  | 'countries'
  | 'metadata'
  | 'products'

const plain = (value: string) => value.trim().toLowerCase()

/** Returns the first condition of a rule that does not hold; undefined if the rule matches. Unknown facts never match. */
export function failedCondition(when: RuleConditions, facts: RuleFacts, line: SaleLine | null): Condition | undefined {
  const { promotionCode, firstPayments, firstMonths, amountFrom = 0, amountTo = Infinity } = when
  if (promotionCode && (promotionCode === 'used') !== facts.partnerCode) return 'promotionCode'
  if (firstPayments && !(facts.place !== null && facts.place <= firstPayments)) return 'firstPayments'
  if (firstMonths && !(facts.since !== null && facts.saleDate < addMonths(facts.since, firstMonths)))
    return 'firstMonths'
  if (facts.accountAmount < amountFrom || facts.accountAmount > amountTo) return 'amount'
  if (when.countries && !(facts.country !== null && when.countries.includes(facts.country))) return 'countries'
  const holds = ({ key, values }: { key: string; values: string[] }) => {
    const value = Object.hasOwn(facts.metadata, key) ? plain(facts.metadata[key]!) : undefined
    return values.some((one) => plain(one) === value)
  }
  if (when.metadata && !when.metadata.every(holds)) return 'metadata'
  const ids = line ? [line.productId, line.priceId, line.sku] : []
  if (when.products && !when.products.some((product) => ids.includes(product))) return 'products'
  return undefined
}

/** Returns the place of the first rule for this kind of event that matches: a lead, or a line of a sale. */
export function matchingRule(
  rules: TermsRule[],
  event: PayableEvent,
  facts: RuleFacts,
  line: SaleLine | null = null,
): number | undefined {
  const at = rules.findIndex(({ on, when }) => on === event && failedCondition(when, facts, line) === undefined)
  return at < 0 ? undefined : at
}

/** Whether any rule depends on the place of a sale among its customer's. */
export const dependsOnPlace = ({ rules }: Terms) =>
  rules.some(({ when }) => when.firstPayments !== undefined || when.firstMonths !== undefined)

/** Returns the metadata keys that rules need, and whether they need the country. */
export const askedOfLead = ({ rules }: Terms) => ({
  keys: [...new Set(rules.flatMap(({ when }) => (when.metadata ?? []).map(({ key }) => key)))],
  country: rules.some(({ when }) => when.countries !== undefined),
})
