import { moneyInWords } from '#contract/money.ts'
import type { Reach, Terms, TermsState } from '#contract/terms.ts'
import { termsInWords } from '#contract/terms-in-words.ts'
import { countryInWords, dayInWords } from '../../../platform/format-values.ts'
import { nameOr, type Part } from '../message.ts'

/** Terms as their partner reads them; `differs`: other terms hold for some earlier customers. */
export type NewTerms = { terms: Terms; reach: Reach; from: string; differs: boolean }

export const newTerms = ({ inForce, olderCustomersDiffer }: TermsState, reach: Reach, from: string): NewTerms => ({
  terms: inForce.terms,
  reach,
  from,
  differs: olderCustomersDiffer,
})

/** Describes from when, and to whom, terms apply. */
export function describeReach({ reach, from, differs }: NewTerms) {
  const day = dayInWords(from)
  if (reach !== 'all-sales')
    return `This applies to customers referred from ${day}. Earlier customers keep their terms.`
  return differs
    ? `This applies to sales from ${day}. Some customers referred earlier have other terms.`
    : `This applies to all sales from ${day}.`
}

/** Returns terms as a list, their caps, and from when they apply. */
export function termsParts(changed: NewTerms, currency: string, heading?: string): Part[] {
  const { terms } = changed
  const rules = terms.rules.map((rule) => ({ ...rule, name: rule.name && nameOr(rule.name, 'A rule') }))
  const { lines, caps } = termsInWords(
    { ...terms, rules },
    {
      reader: 'partner',
      money: (amount) => moneyInWords(amount, currency),
      rate: (percent) => `${percent}%`,
      country: countryInWords,
    },
  )
  const facts = lines.map(({ what, pays }) => ({ label: what, value: pays }))
  return [heading ? { heading, facts } : { facts }, ...caps.map((cap) => `${cap}.`), describeReach(changed)]
}
