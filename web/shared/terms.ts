import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Account } from '#contract/accounts.ts'
import type { GroupReward } from '#contract/groups.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import {
  changeAccountTerms,
  changeGroupTerms,
  changeLinkTerms,
  changePartnerTerms,
  getAccountTerms,
  getGroupTerms,
  getLinkTerms,
  getPartnerTerms,
  listAccountTerms,
  listGroupTerms,
  listLinkTerms,
  listPartnerTerms,
  type Terms,
  type TermsRule,
  type TermsSource,
} from '#contract/terms.ts'
import type { TermsWording } from '#contract/terms-in-words.ts'
import type { SentenceWording } from '#contract/terms-sentence.ts'
import type { CommissionSettings } from '#contract/values.ts'
import { apiPagesQuery, apiQuery } from '../calls.ts'
import { formatCountry, formatMoney, formatRate } from '../format.ts'

/** Whose terms they are. */
export type TermsSubject = { of: TermsSource; id: string }

const calls = {
  account: { get: getAccountTerms, change: changeAccountTerms, list: listAccountTerms },
  group: { get: getGroupTerms, change: changeGroupTerms, list: listGroupTerms },
  link: { get: getLinkTerms, change: changeLinkTerms, list: listLinkTerms },
  partner: { get: getPartnerTerms, change: changePartnerTerms, list: listPartnerTerms },
}

export const termsStateQuery = ({ of, id }: TermsSubject) => apiQuery(calls[of].get, { params: { id } })
export const termsVersionsQuery = ({ of, id }: TermsSubject) =>
  apiPagesQuery(calls[of].list, { params: { id }, query: {} })
export const getTermsChange = ({ of }: TermsSubject) => calls[of].change

/** The fields of a preview that name the subject. */
export const toPreviewSubject = ({ of, id }: TermsSubject) =>
  ({ account: {}, group: { groupId: id }, link: { blueprintId: id }, partner: { partnerId: id } })[of]

/** The wording of terms, for owners by default. */
export const wordingIn = (currency: string, reader: TermsWording['reader'] = 'owner'): TermsWording => ({
  reader,
  money: (amount) => formatMoney(amount, currency),
  rate: formatRate,
  country: formatCountry,
})

/** The wording of an account's terms in one sentence, for owners. */
export const sentenceWordingFor = ({
  defaultCurrency,
  recurringMonths,
}: Pick<Account, 'defaultCurrency' | 'recurringMonths'>): SentenceWording => ({
  ...wordingIn(defaultCurrency),
  recurringMonths,
})

/** A form's rates or amounts by layer: numbers, or text while the input is not a number. */
export type TypedRates = readonly (number | string)[]

export const payKinds = ['layerRates', 'layerAmounts'] as const
export type PayKind = (typeof payKinds)[number]
/** A form's pay: one of the two. */
export type TypedPay = { [kind in PayKind]?: TypedRates | undefined }

export const getPayKind = ({ layerAmounts }: TypedPay): PayKind => (layerAmounts ? 'layerAmounts' : 'layerRates')

/**
 * The account of terms, whose amounts are in its currency. `reward`: how the customers whom the terms pay are given it;
 * they are paid on one layer.
 */
export type TermsAccount = Pick<Account, 'id' | 'defaultCurrency' | 'recurringMonths'> & { reward?: GroupReward | null }

/** Whether the terms pay whole units: amounts, no percentages. */
export const paysUnits = ({ reward }: TermsAccount) => reward?.as === 'units'

/** Terms to send. */
export type GivenTerms = z.input<typeof Terms>

/** A form's terms. */
export type TermsValue = {
  rules: readonly TermsRule[]
  otherwise: TypedPay
  maxPerCustomer: number | string | null
  maxPerMonth: number | string | null
  maxPerYear?: number | string | null | undefined
}

/** Returns the products that terms name. */
export const productsIn = (all: readonly Pick<TermsValue, 'rules'>[]) => [
  ...new Set(all.flatMap(({ rules }) => rules.flatMap(({ when }) => when.products ?? []))),
]

/** Returns the rates of terms without rules, as a partner or a link is created with them. */
export const toRates = (terms: GivenTerms | null): CommissionSettings | null =>
  terms && { layerRates: terms.otherwise.layerRates ?? [] }

/** Returns the query of terms, and the terms themselves: until they are loaded, these rates. */
export function useTerms<Rates extends CommissionSettings | null>(subject: TermsSubject, rates: Rates) {
  const answer = useQuery(termsStateQuery(subject))
  const own = answer.data ? answer.data.own : rates && simpleTerms(rates)
  return { answer, own: own as Terms | Extract<Rates, null> }
}

/** Returns the account's own terms. */
export const useAccountTerms = ({ id, defaultCommissionSettings }: Account) =>
  useTerms({ of: 'account', id }, defaultCommissionSettings).own
