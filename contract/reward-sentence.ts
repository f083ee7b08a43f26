import { formatList, formatNumber, joinClauses } from './format.ts'
import type { GroupReward } from './groups.ts'
import { rewardPhrases as phrases } from './reward-words.ts'
import type { Pay, TermsRule } from './terms.ts'
import type { WholeTerms } from './terms-in-words.ts'
import { conditionClauses } from './terms-sentence.ts'
import { termsPhrases } from './terms-words.ts'

/** How a customer is given what they earn. */
export type GivenAs = { as: GroupReward['as']; unitName: string | null; unitValue: number | null }

/** Off the friend's price: a percentage, or an amount of a currency. */
export type Discount = { percentOff: number | null; amountOff: number | null; currency: string | null }

export type RewardPromise = {
  /** Null without an offer. */
  offer: Discount | null
  reward: GivenAs
  terms: WholeTerms
  /** Months for which a subscription earns; null without a limit. */
  recurringMonths: number | null
  currency: string
}

export type RewardWording = {
  money: (amount: number, currency: string) => string
  rate: (percent: number) => string
  /** Returns a country's name by its code. */
  country: (code: string) => string
}

/** Most promises in a sentence; more are counted. */
const MOST_NAMED = 2

/**
 * Returns what a customer's friend gets and what the customer gets for it: 'Your friend gets 10% off. You get $15.00
 * credit after their first payment, at most $150.00 a year.' Products and codes are not named.
 */
export function rewardSentence(promise: RewardPromise, wording: RewardWording): string {
  const discount = promise.offer && discountInWords(promise.offer, wording)
  const rewards = customersPart(promise, wording)
  if (!discount) return rewards === null ? phrases.nothing : phrases.alone({ rewards })
  return [phrases.friend({ discount }), rewards === null ? phrases.nothing : phrases.you({ rewards })].join(' ')
}

/** Returns '10%' or '$5.00', the discount for friends; null without one. */
export function discountInWords(
  { percentOff, amountOff, currency }: Discount,
  { rate, money }: Pick<RewardWording, 'rate' | 'money'>,
): string | null {
  if (percentOff) return rate(percentOff)
  return amountOff && currency ? money(amountOff, currency) : null
}

/** Returns what the customer gets; null if nothing is paid. */
function customersPart(promise: RewardPromise, wording: RewardWording): string | null {
  const { rules, otherwise } = promise.terms
  const all = [
    ...(paysFor(otherwise) > 0 ? [ofEach(promise, wording)] : []),
    ...rules.filter((rule) => paysFor(rule) > 0).map((rule) => ofRule(rule, promise, wording)),
  ]
  if (all.length === 0) return null
  const named = all.length > MOST_NAMED + 1 ? all.slice(0, MOST_NAMED) : all
  const rewards = formatList(named)
  const limits = limitsOf(promise, wording)
  const more = all.length > named.length ? termsPhrases.sentence.exceptions({ count: all.length - named.length }) : ''
  const limited = limits.length > 0 ? phrases.limited({ rewards, limits: formatList(limits) }) : rewards
  return joinClauses([limited, more].filter(Boolean))
}

const paysFor = ({ layerAmounts, layerRates }: Pay) => (layerAmounts ?? layerRates ?? [])[0] ?? 0

/** Returns the pay of a friend's every payment, which ends with the months of a subscription. */
function ofEach(promise: RewardPromise, wording: RewardWording) {
  const { otherwise } = promise.terms
  const months = promise.recurringMonths
  const ways = phrases[kindOf(otherwise)]
  const pay = amountOf(otherwise, promise, wording)
  return inForm(otherwise, promise, months === null ? ways.each({ pay }) : ways.months({ pay, count: months }))
}

function ofRule(rule: TermsRule, promise: RewardPromise, wording: RewardWording) {
  const pay = amountOf(rule, promise, wording)
  const { firstPayments, firstMonths } = rule.when
  const ways = phrases[kindOf(rule)]
  const clause =
    rule.on === 'qualified-lead'
      ? phrases.qualified({ pay })
      : rule.on === 'new-customer' || firstPayments === 1
        ? ways.first({ pay })
        : firstPayments
          ? ways.firsts({ pay, count: firstPayments })
          : firstMonths
            ? ways.months({ pay, count: firstMonths })
            : ways.each({ pay })
  const short = (amount: number) => wording.money(amount, promise.currency)
  return inForm(rule, promise, [clause, ...conditionClauses(rule.when, { ...wording, money: short })].join(' '))
}

const kindOf = ({ layerAmounts }: Pay) => (layerAmounts ? 'amount' : 'rate')

function amountOf(pay: Pay, promise: RewardPromise, wording: RewardWording) {
  const amount = paysFor(pay)
  if (!pay.layerAmounts) return wording.rate(amount)
  const shown = worthInWords(amount, promise, wording)
  return promise.reward.as === 'credit' ? phrases.credit({ amount: shown }) : shown
}

/** Returns '500 credits' or '$5.00'. */
export function worthInWords(
  amount: number,
  { reward, currency }: { reward: GivenAs | null; currency: string },
  { money }: Pick<RewardWording, 'money'>,
): string {
  return reward?.unitValue ? `${formatNumber(amount / reward.unitValue)} ${reward.unitName}` : money(amount, currency)
}

/** An amount names its form itself; a percentage does so after what it is of. */
const inForm = (pay: Pay, { reward }: RewardPromise, clause: string) =>
  reward.as === 'credit' && !pay.layerAmounts ? phrases.asCredit({ pay: clause }) : clause

function limitsOf(promise: RewardPromise, wording: RewardWording): string[] {
  const { maxPerCustomer, maxPerMonth, maxPerYear } = promise.terms
  const limits = [
    [phrases.perFriend, maxPerCustomer],
    [phrases.perMonth, maxPerMonth],
    [phrases.perYear, maxPerYear],
  ] as const
  return limits.flatMap(([say, limit]) =>
    limit == null ? [] : [say({ amount: worthInWords(limit, promise, wording) })],
  )
}
