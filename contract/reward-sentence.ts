import { formatNumber, joinClauses } from './format.ts'
import type { GroupReward } from './groups.ts'
import { rewardPhrases as phrases } from './reward-words.ts'
import type { Pay, TermsRule } from './terms.ts'
import type { WholeTerms } from './terms-in-words.ts'
import { conditionClauses, joinParts } from './terms-sentence.ts'
import { termsPhrases } from './terms-words.ts'

/** How a customer is given what they earn. */
export type GivenAs = { as: GroupReward['as']; unitName: string | null; unitValue: number | null }

export type RewardPromise = {
  /** Off the friend's price: a percentage, or an amount of a currency; null without an offer. */
  offer: { percentOff: number | null; amountOff: number | null; currency: string | null } | null
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
  const discount = discountOf(promise, wording)
  const rewards = customersPart(promise, wording)
  if (!discount) return rewards === null ? phrases.nothing : phrases.alone({ rewards })
  return [phrases.friend({ discount }), rewards === null ? phrases.nothing : phrases.you({ rewards })].join(' ')
}

function discountOf({ offer }: RewardPromise, { rate, money }: RewardWording) {
  if (offer?.percentOff) return rate(offer.percentOff)
  return offer?.amountOff && offer.currency ? money(offer.amountOff, offer.currency) : null
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
  const rewards = joinParts(named)
  const limits = limitsOf(promise, wording)
  const more = all.length > named.length ? termsPhrases.sentence.exceptions({ count: all.length - named.length }) : ''
  const limited = limits.length > 0 ? phrases.limited({ rewards, limits: joinParts(limits) }) : rewards
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
  const shown = worthOf(amount, promise, wording)
  return promise.reward.as === 'credit' ? phrases.credit({ amount: shown }) : shown
}

/** Returns '500 credits' or '$5.00'. */
function worthOf(amount: number, { reward, currency }: RewardPromise, { money }: RewardWording) {
  const { as, unitName, unitValue } = reward
  return as === 'units' && unitValue ? `${formatNumber(amount / unitValue)} ${unitName}` : money(amount, currency)
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
  return limits.flatMap(([say, limit]) => (limit == null ? [] : [say({ amount: worthOf(limit, promise, wording) })]))
}
