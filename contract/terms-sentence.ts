import { formatList, joinClauses } from './format.ts'
import type { LeadEvent, Pay, RuleConditions, TermsRule } from './terms.ts'
import type { TermsWording, WholeTerms } from './terms-in-words.ts'
import { termsPhrases } from './terms-words.ts'

export type SentenceWording = TermsWording & {
  /** Months for which a subscription earns; null without a limit. */
  recurringMonths: number | null
}

const phrases = termsPhrases.sentence
/** Exceptions that the sentence names; more are counted. */
const MOST_NAMED = 2
const MOST_COUNTRIES = 3

/**
 * Returns terms as one sentence: 'Partners earn 20% of each sale for 12 months, their parent partner 5%, and $10 for a
 * qualified lead.' A partner reads their own pay alone: 'You earn …'. Rules with a name are called by it, so that the
 * sentence reveals no products, codes or metadata.
 */
export function termsSentence(terms: WholeTerms, wording: SentenceWording): string {
  const { reader } = wording
  const pays = (pay: Pay) => amountsOf(pay, wording).some((amount) => amount > 0)
  const exceptions = terms.rules.filter(({ on }) => on === 'sale')
  const paying = exceptions.filter(pays)
  const main = pays(terms.otherwise) ? terms.otherwise : paying.length === 1 ? paying[0] : undefined
  const isBase = main === terms.otherwise
  const parts = [
    ...(main ? layersOf(main, isBase ? undefined : paying[0], wording) : severalOf(paying, wording)),
    ...leadsOf(terms.rules, 'qualified-lead', wording),
    ...leadsOf(terms.rules, 'new-customer', wording),
  ]
  if (parts.length === 0) return phrases.nothing[reader]
  const clauses = [
    formatList(parts),
    ...(isBase ? exceptionsOf(exceptions, wording) : []),
    ...(isBase ? [] : subscriptionLimit(paying, wording)),
    ...limitsOf(terms, wording),
  ]
  return phrases[reader]({ pay: joinClauses(clauses) })
}

const amountsOf = ({ layerRates, layerAmounts }: Pay, { reader }: SentenceWording) =>
  (layerAmounts ?? layerRates ?? []).slice(0, reader === 'partner' ? 1 : undefined)

/** Formats an amount without zero decimals: '$10', '$10.50'. */
const short = ({ money }: Pick<SentenceWording, 'money'>, amount: number) =>
  money(amount).replace(/\.0+$|[.,]00(?=\D*$)/, '')

const formatPay = ({ layerAmounts }: Pay, amount: number, wording: SentenceWording) =>
  amount === 0 ? phrases.none : layerAmounts ? short(wording, amount) : wording.rate(amount)

/** Returns '20% of each sale for 12 months', 'their parent partner 5%' and so on. */
function layersOf(pay: Pay, rule: TermsRule | undefined, wording: SentenceWording): string[] {
  const { recurringMonths } = wording
  const [own = 0, ...above] = amountsOf(pay, wording)
  const first = rule ? ruleOf(rule, wording) : payFor(pay, own, phrases.eachSale, wording)
  return [
    rule || recurringMonths === null ? first : `${first} ${phrases.months({ count: recurringMonths })}`,
    ...above.flatMap((amount, at) => (amount > 0 ? [`${phrases.layers[at]} ${formatPay(pay, amount, wording)}`] : [])),
  ]
}

/** Returns '20% of each sale', '$50 for each sale' or 'nothing for each sale'. */
function payFor(pay: Pay, amount: number, what: string, wording: SentenceWording) {
  const words = { pay: formatPay(pay, amount, wording), what }
  return pay.layerAmounts || amount === 0 ? phrases.forWhat(words) : phrases.ofWhat(words)
}

/** Returns '30% for “Pro”' or '30% of a customer’s first payment', of the first layer. */
function ruleOf(rule: TermsRule, wording: SentenceWording) {
  const [own = 0] = amountsOf(rule, wording)
  if (rule.name === null) return payFor(rule, own, salesOf(rule.when, wording), wording)
  return phrases.forWhat({ pay: formatPay(rule, own, wording), what: phrases.named({ name: rule.name }) })
}

/** Returns 'a customer’s first payment of $100 or more in France'. */
function salesOf(when: RuleConditions, wording: SentenceWording) {
  const { firstPayments, firstMonths } = when
  return [
    firstPayments === undefined
      ? phrases.sales
      : firstPayments === 1
        ? phrases.firstPayment
        : phrases.firstPayments({ count: firstPayments }),
    ...conditionClauses(when, wording),
    firstMonths && (firstMonths === 1 ? phrases.firstMonth : phrases.firstMonths({ count: firstMonths })),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns 'of $100 or more' and 'in France', as far as a rule has such conditions. */
export function conditionClauses(
  { amountFrom, amountTo, countries }: RuleConditions,
  wording: Pick<SentenceWording, 'money' | 'country'>,
): string[] {
  const [from, to] = [amountFrom, amountTo].map((amount) => amount && short(wording, amount))
  return [
    from && to
      ? phrases.amountBetween({ from, to })
      : from
        ? phrases.amountFrom({ from })
        : to && phrases.amountTo({ to }),
    countries &&
      (countries.length > MOST_COUNTRIES
        ? phrases.someCountries({ count: countries.length })
        : phrases.countries({ names: formatList(countries.map(wording.country)) })),
  ].filter((part) => typeof part === 'string' && part !== '') as string[]
}

/** Returns two rules by themselves, more as 'up to 30% of a sale' and 'up to $50 for a sale'. */
function severalOf(paying: readonly TermsRule[], wording: SentenceWording): string[] {
  if (paying.length <= MOST_NAMED) return paying.map((rule) => ruleOf(rule, wording))
  const kinds = [paying.filter((rule) => !rule.layerAmounts), paying.filter((rule) => rule.layerAmounts)]
  return kinds.flatMap(([first, ...others]) =>
    first ? [phrases.upTo({ pay: payFor(first, highest([first, ...others], wording), phrases.aSale, wording) })] : [],
  )
}

const highest = (rules: readonly Pay[], wording: SentenceWording) =>
  Math.max(...rules.map((rule) => amountsOf(rule, wording)[0] ?? 0))

/** Returns '$10 for a qualified lead'; 'up to $10 …' if not each one earns as much. */
function leadsOf(rules: readonly TermsRule[], event: LeadEvent, wording: SentenceWording): string[] {
  const of = rules.filter(({ on }) => on === event)
  const last = of.findIndex(({ when }) => Object.keys(when).length === 0)
  const reached = last === -1 ? of : of.slice(0, last + 1)
  const most = reached.length > 0 ? highest(reached, wording) : 0
  if (most === 0) return []
  const pay = payFor(reached[0]!, most, phrases.leads[event], wording)
  const isAlike = last !== -1 && reached.every((rule) => amountsOf(rule, wording)[0] === most)
  return [isAlike ? pay : phrases.upTo({ pay })]
}

function exceptionsOf(exceptions: readonly TermsRule[], wording: SentenceWording): string[] {
  if (exceptions.length === 0) return []
  if (exceptions.length > MOST_NAMED) return [phrases.exceptions({ count: exceptions.length })]
  return [formatList(exceptions.map((rule) => ruleOf(rule, wording)))]
}

/** Returns the limit of subscriptions unless the rules themselves end before it. */
function subscriptionLimit(paying: readonly TermsRule[], { recurringMonths }: SentenceWording): string[] {
  const outlives = ({ when: { firstPayments, firstMonths = Number.POSITIVE_INFINITY } }: TermsRule) =>
    recurringMonths !== null && firstPayments !== 1 && firstMonths > recurringMonths
  return paying.some(outlives) ? [phrases.subscriptionMonths({ count: recurringMonths! })] : []
}

function limitsOf({ maxPerCustomer, maxPerMonth, maxPerYear = null }: WholeTerms, wording: SentenceWording): string[] {
  const limits = [
    ...(maxPerCustomer === null ? [] : [phrases.perCustomer({ amount: short(wording, maxPerCustomer) })]),
    ...(maxPerMonth === null ? [] : [phrases.perMonth({ amount: short(wording, maxPerMonth) })]),
    ...(maxPerYear === null ? [] : [phrases.perYear({ amount: short(wording, maxPerYear) })]),
  ]
  return limits.length === 0 ? [] : [phrases.atMost({ limits: formatList(limits) })]
}
