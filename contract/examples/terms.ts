import type * as room from '../terms.ts'
import type { TermsSource } from '../terms.ts'
import type { ExamplesOf } from './example.ts'
import { account, blueprint, group, ids, onlyPage, partner } from './objects.ts'

const simple = (...layerRates: number[]) => ({
  rules: [],
  otherwise: { layerRates },
  maxPerCustomer: null,
  maxPerMonth: null,
})

const saved = {
  version: 2,
  appliesTo: 'new-customers',
  savedAt: '2026-07-27T09:12:05.731Z',
  savedBy: 'Elena Marsh',
  note: 'Agreed for autumn',
} as const

const first = { version: 1, appliesTo: 'all-sales', savedAt: account.createdAt, savedBy: null, note: null } as const

const state = (source: TermsSource, sourceId: string, sourceName: string, own: number[]) => ({
  own: simple(...own),
  ...saved,
  inForce: { source, sourceId, sourceName, version: saved.version, terms: simple(...own), recurringMonths: 12 },
  olderCustomersDiffer: true,
})

const ofAccount = state('account', ids.account, 'Acme', [25, 5])
const ofGroup = state('group', ids.group, group.name, [25, 5])
const ofLink = state('link', ids.blueprint, blueprint.name, [30])
const ofPartner = state('partner', ids.partner, partner.displayName, [30, 5])
const change = (...layerRates: number[]) => ({
  terms: simple(...layerRates),
  appliesTo: 'new-customers' as const,
  note: saved.note,
})
const history = (was: number[] | null, is: number[]) =>
  onlyPage({ ...saved, terms: simple(...is) }, { ...first, terms: was && simple(...was) })

/** Mistakes in terms that concern several fields. */
export const mistakesInTerms = [
  'one_kind_of_pay',
  'rule_without_condition',
  'rule_without_name',
  'amount_range_reversed',
  'lead_rule_pays_amounts',
  'lead_rule_condition',
  'terms_too_large',
] as const

/** Terms that don't suit the reward of a group of customers. */
export const unsuitedTerms = ['not_whole_units', 'one_layer_only', 'units_are_amounts'] as const

export const terms: ExamplesOf<typeof room> = {
  getAccountTerms: { reply: ofAccount },
  changeAccountTerms: {
    refused: ['account_needs_terms', 'terms_changed_meanwhile', ...mistakesInTerms],
    body: { ...change(25, 5), replaces: 1, notifyPartners: true },
    reply: ofAccount,
  },
  listAccountTerms: { reply: history([20, 5], [25, 5]) },
  getGroupTerms: { reply: ofGroup },
  changeGroupTerms: {
    refused: ['default_group_fixed', 'terms_changed_meanwhile', ...mistakesInTerms, ...unsuitedTerms],
    body: change(25, 5),
    reply: ofGroup,
  },
  listGroupTerms: { reply: history(null, [25, 5]) },
  getLinkTerms: { reply: ofLink },
  changeLinkTerms: { refused: ['terms_changed_meanwhile', ...mistakesInTerms], body: change(30), reply: ofLink },
  listLinkTerms: { reply: history([20], [30]) },
  getPartnerTerms: { reply: ofPartner },
  changePartnerTerms: {
    refused: ['erased', 'terms_changed_meanwhile', ...mistakesInTerms, ...unsuitedTerms],
    body: change(30, 5),
    reply: ofPartner,
  },
  listPartnerTerms: { reply: history(null, [30, 5]) },
}
