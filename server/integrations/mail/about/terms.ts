import { moneyInWords } from '#contract/money.ts'
import type { Reach, Terms, TermsState } from '#contract/terms.ts'
import { termsInWords } from '#contract/terms-in-words.ts'
import { termsSentence } from '#contract/terms-sentence.ts'
import { countryInWords, dayInWords, rateInWords } from '../../../platform/format-values.ts'
import { nameOr, type Part } from '../message.ts'
import { programMailPhrases } from '../program-text.ts'

/** Terms as their partner reads them; `differs`: other terms hold for some earlier customers. */
export type NewTerms = { terms: Terms; recurringMonths: number | null; reach: Reach; from: string; differs: boolean }

export const newTerms = ({ inForce, olderCustomersDiffer }: TermsState, reach: Reach, from: string): NewTerms => ({
  terms: inForce.terms,
  recurringMonths: inForce.recurringMonths,
  reach,
  from,
  differs: olderCustomersDiffer,
})

/** Describes from when, and to whom, terms apply. */
export function describeReach({ reach, from, differs }: NewTerms) {
  const day = dayInWords(from)
  const words = programMailPhrases.terms
  if (reach !== 'all-sales') return words.forNewCustomers({ day })
  return differs ? words.forMostSales({ day }) : words.forAllSales({ day })
}

/** Returns terms as a sentence, their rules as a list, and from when they apply. */
export function termsParts(changed: NewTerms, currency: string): Part[] {
  const rules = changed.terms.rules.map((rule) => ({
    ...rule,
    name: rule.name && nameOr(rule.name, programMailPhrases.terms.aRule),
  }))
  const terms = { ...changed.terms, rules }
  const wording = {
    reader: 'partner',
    recurringMonths: changed.recurringMonths,
    money: (amount: number) => moneyInWords(amount, currency),
    rate: rateInWords,
    country: countryInWords,
  } as const
  const facts = termsInWords(terms, wording).lines.map(({ what, pays }) => ({ label: what, value: pays }))
  return [termsSentence(terms, wording), ...(rules.length > 0 ? [{ facts }] : []), describeReach(changed)]
}
