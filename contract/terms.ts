import { z } from 'zod'
import { csvOf } from './csv.ts'
import { apiLimit, type Caller, endpoint, type Subject } from './endpoint.ts'
import { CommissionSettings, Id, Instant, listOf, listQuery, optionalText } from './values.ts'

/**
 * Commission of a sale: percentages by layer. Immutable: a change is the next version of its account, link or partner.
 * Rules and caps are empty.
 */
export const Terms = z
  .strictObject({
    rules: z.array(z.never()).max(0, 'Leave this empty').default([]),
    otherwise: CommissionSettings,
    maxPerCustomer: z.null().default(null),
    maxPerMonth: z.null().default(null),
  })
  .meta({ id: 'Terms' })
export type Terms = z.infer<typeof Terms>

/** The later sales that a change touches: those of customers referred from then on, or all. */
export const reaches = ['new-customers', 'all-sales'] as const
export type Reach = (typeof reaches)[number]

/** Whose terms apply, the nearest first. */
export const termsSources = ['partner', 'link', 'account'] as const
export type TermsSource = (typeof termsSources)[number]

/** A saved version, counted from 1; `terms` null takes a link's or partner's own terms away. */
const version = {
  version: z.int(),
  appliesTo: z.enum(reaches),
  savedAt: Instant,
  savedBy: z.string().nullable(),
  note: z.string().nullable(),
}

/**
 * The terms of an account, a link or a partner. `own` and its version are null or 0 if it never had terms of its own;
 * `inForce` is that of a customer referred now. `olderCustomersDiffer` if some earlier customers stay with older terms.
 */
export const TermsState = z
  .object({
    own: Terms.nullable(),
    version: version.version.nullable(),
    appliesTo: version.appliesTo.nullable(),
    savedAt: version.savedAt.nullable(),
    savedBy: version.savedBy,
    note: version.note,
    inForce: z.object({
      source: z.enum(termsSources),
      sourceId: Id,
      sourceName: z.string(),
      version: version.version,
      terms: Terms,
    }),
    olderCustomersDiffer: z.boolean(),
  })
  .meta({ id: 'TermsState' })
export type TermsState = z.infer<typeof TermsState>

export const TermsVersion = z.object({ ...version, terms: Terms.nullable() }).meta({ id: 'TermsVersion' })
export type TermsVersion = z.infer<typeof TermsVersion>

/**
 * The next version. `replaces` is the version that the caller knows: the call is refused if there is a later one. Equal
 * terms that reach no further are no version.
 */
export const TermsChange = z.strictObject({
  terms: Terms.nullable(),
  appliesTo: z.enum(reaches).default('all-sales'),
  note: optionalText(200).optional(),
  replaces: z.int().min(0).optional(),
})
export type TermsChange = z.infer<typeof TermsChange>

const termsOf = <S extends Subject, C extends Caller>(subject: S, allow: readonly C[], summary: string) =>
  ({ tag: `${subject}s`.replace('link-blueprints', 'links'), summary, allow, limit: apiLimit, subject }) as const

const reading = { fromReplica: true, query: listQuery({}), reply: listOf(TermsVersion) } as const
const file = {
  summary: 'Download the versions of the terms',
  file: 'terms',
  fields: ['version', 'appliesTo', 'savedAt', 'savedBy', 'note', 'termsOtherwiseLayerRates'],
}
const saving = { body: TermsChange, reply: TermsState } as const

export const getAccountTerms = endpoint('getAccountTerms', 'GET /accounts/:id/terms', {
  ...termsOf('account', ['owner'], 'Retrieve the account’s terms'),
  reply: TermsState,
})
export const changeAccountTerms = endpoint('changeAccountTerms', 'PUT /accounts/:id/terms', {
  ...termsOf('account', ['owner'], 'Save the next version of the account’s terms'),
  ...saving,
})
export const listAccountTerms = endpoint('listAccountTerms', 'GET /accounts/:id/terms/history', {
  ...termsOf('account', ['owner'], 'List the versions of the account’s terms'),
  ...reading,
})
export const downloadAccountTerms = csvOf(listAccountTerms, file)

export const getLinkTerms = endpoint('getLinkTerms', 'GET /link-blueprints/:id/terms', {
  ...termsOf('link-blueprint', ['owner'], 'Retrieve a link’s terms'),
  reply: TermsState,
})
export const changeLinkTerms = endpoint('changeLinkTerms', 'PUT /link-blueprints/:id/terms', {
  ...termsOf('link-blueprint', ['owner'], 'Save the next version of a link’s terms'),
  ...saving,
})
export const listLinkTerms = endpoint('listLinkTerms', 'GET /link-blueprints/:id/terms/history', {
  ...termsOf('link-blueprint', ['owner'], 'List the versions of a link’s terms'),
  ...reading,
})
export const downloadLinkTerms = csvOf(listLinkTerms, file)

export const getPartnerTerms = endpoint('getPartnerTerms', 'GET /partners/:id/terms', {
  ...termsOf('partner', ['owner', 'partner'], 'Retrieve a partner’s terms; partners see those in force'),
  reply: TermsState,
})
export const changePartnerTerms = endpoint('changePartnerTerms', 'PUT /partners/:id/terms', {
  ...termsOf('partner', ['owner'], 'Save the next version of a partner’s terms'),
  ...saving,
})
export const listPartnerTerms = endpoint('listPartnerTerms', 'GET /partners/:id/terms/history', {
  ...termsOf('partner', ['owner'], 'List the versions of a partner’s terms'),
  ...reading,
})
export const downloadPartnerTerms = csvOf(listPartnerTerms, file)
