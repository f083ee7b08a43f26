import { z } from 'zod'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { Acceptance } from './partners.ts'
import { changedTranslations } from './translations.ts'
import { DateOnly, Id, Instant, LanguageTag, optionalText, requiredText } from './values.ts'

/** Days from publishing or requiring a version to the first day on which a payout may wait for it. */
export const REQUIRED_AFTER_DAYS = 14
export const LONGEST_AGREEMENT = 50_000

const Version = z.int().min(1).max(2_147_483_647)

/**
 * A version of the agreement between the account and its partners. `text` is prose (prose.ts), `textHash` its SHA-256.
 * Both are in `language`, one of the version's `languages`: the first is that of the original.
 * Payouts wait from `requiredFrom` for partners who have accepted neither it nor a newer one. `accepted` and `waiting`
 * count partners, for the account alone; `acceptance` is the reading partner's own.
 */
export const AgreementVersion = z
  .object({
    version: z.int(),
    language: z.string(),
    languages: z.array(z.string()),
    textHash: z.string(),
    changes: z.string().nullable(),
    requiredFrom: DateOnly.nullable(),
    publishedAt: Instant,
    publishedBy: z.string().nullable(),
    accepted: z.int().nullable(),
    waiting: z.int().nullable(),
    acceptance: Acceptance.nullable(),
  })
  .meta({ id: 'AgreementVersion' })
export type AgreementVersion = z.infer<typeof AgreementVersion>

export const Agreement = AgreementVersion.extend({ text: z.string() }).meta({ id: 'Agreement' })
export type Agreement = z.infer<typeof Agreement>

const Written = z.strictObject({
  text: requiredText(LONGEST_AGREEMENT),
  /** Changes since the version before, in words; required from version 2. */
  changes: optionalText(500).optional(),
})

export const NewAgreement = Written.extend({
  translations: changedTranslations(Written).optional(),
  requiredFrom: DateOnly.nullish(),
})
export type NewAgreement = z.infer<typeof NewAgreement>

/** The text of a published version in another language. */
export const NewTranslation = Written.extend({ language: LanguageTag })
export type NewTranslation = z.infer<typeof NewTranslation>

export const AgreementChange = z.strictObject({ requiredFrom: DateOnly.nullable() })
export type AgreementChange = z.infer<typeof AgreementChange>

/**
 * A person at several partners of the account names the one whose acceptance they read, else it is their oldest's. The
 * text is in `language` if there is one, by default in the partner's.
 */
const asPartner = z.strictObject({ partnerId: Id.optional(), language: LanguageTag.optional() })

export const getAgreement = endpoint('getAgreement', 'GET /accounts/:id/agreement', {
  summary: 'Retrieve the newest version of the partner agreement',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  subject: 'account',
  query: asPartner,
  reply: Agreement,
})

export const publishAgreement = endpoint('publishAgreement', 'POST /accounts/:id/agreement', {
  summary: 'Publish a version of the partner agreement; it can neither be edited nor deleted',
  allow: rights.own,
  limit: apiLimit,
  subject: 'account',
  body: NewAgreement,
  status: 201,
  reply: Agreement,
})

export const listAgreementVersions = endpoint('listAgreementVersions', 'GET /accounts/:id/agreement/versions', {
  summary: 'List all versions of the partner agreement without their texts, the newest first',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  subject: 'account',
  query: asPartner,
  reply: z.object({ items: z.array(AgreementVersion) }),
})

const ofVersion = z.strictObject({ id: Id, version: z.string().max(500) })

export const getAgreementVersion = endpoint('getAgreementVersion', 'GET /accounts/:id/agreement/versions/:version', {
  summary: 'Retrieve a version of the partner agreement with its text',
  allow: [...rights.read, ...rights.partner],
  inPortal: true,
  limit: apiLimit,
  subject: 'account',
  params: ofVersion,
  query: asPartner,
  reply: Agreement,
})

export const changeAgreementVersion = endpoint(
  'changeAgreementVersion',
  'PATCH /accounts/:id/agreement/versions/:version',
  {
    summary: 'Change from which day payouts wait for a version: later, not at all, or from a day 14 days from now',
    allow: rights.own,
    limit: apiLimit,
    subject: 'account',
    params: ofVersion,
    body: AgreementChange,
    reply: Agreement,
  },
)

export const publishAgreementTranslation = endpoint(
  'publishAgreementTranslation',
  'POST /accounts/:id/agreement/versions/:version/translations',
  {
    summary: 'Publish a version’s text in another language; partners who accepted it are not asked again',
    allow: rights.own,
    limit: apiLimit,
    subject: 'account',
    params: ofVersion,
    body: NewTranslation,
    status: 201,
    reply: Agreement,
  },
)

export const listAcceptances = endpoint('listAcceptances', 'GET /partners/:id/acceptances', {
  summary: 'List the versions of the partner agreement that a partner accepted, the newest first',
  allow: [...rights.read, ...rights.partner],
  limit: apiLimit,
  subject: 'partner',
  reply: z.object({ items: z.array(Acceptance) }),
})

/** By an owner of the partner alone, in person. */
export const acceptAgreement = endpoint('acceptAgreement', 'POST /partners/:id/acceptances', {
  summary: 'Accept the newest version of the partner agreement; one accepted before returns 200',
  allow: ['partner'],
  inPerson: true,
  whileInactive: true,
  limit: apiLimit,
  subject: 'partner',
  body: z.strictObject({ version: Version, language: LanguageTag.optional() }),
  status: 201,
  orStatus: 200,
  reply: Acceptance,
})
