import { z } from 'zod'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { Domain, Id, Instant, MOST_OF_REFERRAL, orEmpty, plainText, trimmedText, WebAddress } from '#contract/values.ts'

/** Its calls follow those of this group in the reference. */
export const listedAfter = 'push'

/** Most names of its script that an account may have and reserve, the current one included. */
export const MOST_PATHS = 20

export const embedElements = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton'] as const
export type EmbedElement = (typeof embedElements)[number]

export const selectorTypes = ['id', 'class', 'name', 'default', 'query-selector'] as const
export type SelectorType = (typeof selectorTypes)[number]

export const consentModes = ['off', 'required', 'cookieless'] as const

export const formsModes = ['sign-ups', 'all', 'marked', 'none'] as const
export type FormsMode = (typeof formsModes)[number]

/** Returns the mistake in a selector, or undefined if it is valid. */
export function wrongSelector(type: SelectorType, value: string): string | undefined {
  if (type === 'default') return value === '' ? undefined : 'Leave empty for Default'
  if (type === 'id')
    return /^#[A-Za-z][\w:.-]*$/.test(value) ? undefined : 'Enter # and a letter, then letters, digits, - _ : or .'
  if (type === 'class') return /\.-?[A-Za-z_][\w-]*/.test(value) ? undefined : 'Enter a class that starts with a dot'
  return value.trim() === '' ? 'Enter a value' : undefined
}

const typed = { selectorType: z.enum(selectorTypes), selectorValue: plainText(500) }

const refuseWrong = (
  { selectorType, selectorValue }: { selectorType: SelectorType; selectorValue: string },
  context: z.RefinementCtx,
) => {
  const message = wrongSelector(selectorType, selectorValue)
  if (message) context.addIssue({ code: 'custom', path: ['selectorValue'], message })
}

const selector = <K extends EmbedElement>(key: K) =>
  z.strictObject({ key: z.literal(key), ...typed }).superRefine(refuseWrong)

/** Selectors for the six parts of a lead form on a page; valid only if each of them is. */
export const EmbedConfig = z
  .strictObject({
    firstName: selector('firstName'),
    lastName: selector('lastName'),
    email: selector('email'),
    phone: selector('phone'),
    fieldsContainer: selector('fieldsContainer'),
    submitButton: selector('submitButton'),
  })
  .meta({ id: 'EmbedConfig' })
export type EmbedConfig = z.infer<typeof EmbedConfig>

const NO_EMBED_PATH = 'Use 3 to 40 letters, digits or hyphens'

/** The account's own name for its script: `{APP_URL}/s/{path}.js`. */
export const EmbedPath = trimmedText(40, NO_EMBED_PATH)
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/, NO_EMBED_PATH)

/**
 * `domains` and `checkoutDomains` cover subdomains too. No `domains` means any site; several hand the referral over to
 * each other. `snippet` is the script tag to paste.
 */
export const EmbedCode = z
  .object({
    id: Id,
    createdAt: Instant,
    updatedAt: Instant,
    config: EmbedConfig,
    domains: z.array(z.string()),
    /** Your own domains of Stripe payment links; those of Stripe need no entry. */
    checkoutDomains: z.array(z.string()),
    onlyIfReferred: z.boolean(),
    consentMode: z.enum(consentModes),
    /** Forms that send leads; `marked`: those with `data-tributary`. */
    forms: z.enum(formsModes),
    /** False until the code is saved with its `forms`: until 1.1 every form with an email or a phone sent a lead. */
    formsChosen: z.boolean(),
    /** An alternative to the address with the account's public ID, which always works; null until one is chosen. */
    path: z.string().nullable(),
    snippet: z.string(),
    lastLeadAt: Instant.nullable(),
    /** Leads from sites that are not allowed; counted, not stored. */
    refusedLeads: z.int(),
    lastRefusedOrigin: z.string().nullable(),
  })
  .meta({ id: 'EmbedCode' })
export type EmbedCode = z.infer<typeof EmbedCode>

const MOST_CHECKOUT_DOMAINS = 10

/** `config` is required the first time. */
export const EmbedCodeChange = z.strictObject({
  config: EmbedConfig.optional(),
  domains: z.array(Domain).max(100, 'Use at most 100 domains').optional(),
  checkoutDomains: z
    .array(Domain)
    .max(MOST_CHECKOUT_DOMAINS, `Use at most ${MOST_CHECKOUT_DOMAINS} domains`)
    .optional(),
  onlyIfReferred: z.boolean().optional(),
  consentMode: z.enum(consentModes).optional(),
  forms: z.enum(formsModes).optional(),
  path: orEmpty(EmbedPath).optional(),
})
export type EmbedCodeChange = z.infer<typeof EmbedCodeChange>

export const getEmbedCode = endpoint('getEmbedCode', 'GET /accounts/:id/embed-code', {
  summary: 'Retrieve the embed code settings; 404 if there are none yet',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  reply: EmbedCode,
})

export const saveEmbedCode = endpoint('saveEmbedCode', 'PUT /accounts/:id/embed-code', {
  summary: 'Create or update the embed code settings',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: EmbedCodeChange,
  reply: EmbedCode,
})

/**
 * A page on an allowed domain; any page if all are allowed. With `pick`, the owner chooses the elements there, and the
 * page reports once they have.
 */
export const NewEmbedCheck = z.strictObject({ url: WebAddress, pick: z.boolean().optional() })
export type NewEmbedCheck = z.infer<typeof NewEmbedCheck>

/** `url` opens the page so that the script there outlines the elements it finds and reports them once. */
export const StartedEmbedCheck = z
  .object({ id: Id, url: z.string(), expiresAt: Instant })
  .meta({ id: 'StartedEmbedCheck' })
export type StartedEmbedCheck = z.infer<typeof StartedEmbedCheck>

const foundOnPage = z.boolean()
export const MatchedElements = z.object({
  firstName: foundOnPage,
  lastName: foundOnPage,
  email: foundOnPage,
  phone: foundOnPage,
  fieldsContainer: foundOnPage,
  submitButton: foundOnPage,
})
export type MatchedElements = z.infer<typeof MatchedElements>

/** Why the script takes a form for a sign-up, or doesn't. */
export const formReasons = [
  'marked',
  'chosen',
  'all',
  'word',
  'no-clue',
  'off',
  'unmarked',
  'current-password',
  'one-password',
  'log-in',
  'password',
  'account',
  'unsubscribe',
  'invite',
  'support',
  'comment',
  'search',
] as const

/** A form on the checked page: its button's text or its name, whether it sends leads, and why. */
export const FormFound = z.object({
  name: plainText(60),
  verdict: z.enum(['sign-up', 'other']),
  why: z.enum(formReasons),
})
export type FormFound = z.infer<typeof FormFound>

/** An element that the owner chose on their page. */
const PickedElement = z.object(typed).superRefine(refuseWrong)

/** The elements that the owner chose on their page; the embed code takes them only when it is saved with them. */
export const PickedElements = z.object({
  firstName: PickedElement.optional(),
  lastName: PickedElement.optional(),
  email: PickedElement.optional(),
  phone: PickedElement.optional(),
  fieldsContainer: PickedElement.optional(),
  submitButton: PickedElement.optional(),
})
export type PickedElements = z.infer<typeof PickedElements>

/** All are null until the script has reported; `forms` also if the page had an earlier script. */
export const EmbedCheck = z
  .object({
    matched: MatchedElements.nullable(),
    forms: z.array(FormFound).nullable(),
    picked: PickedElements.nullable(),
  })
  .meta({ id: 'EmbedCheck' })
export type EmbedCheck = z.infer<typeof EmbedCheck>

export const startEmbedCheck = endpoint('startEmbedCheck', 'POST /accounts/:id/embed-code/checks', {
  summary: 'Start a check of the elements that the script finds on a page, or let the owner pick them there',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewEmbedCheck,
  status: 201,
  reply: StartedEmbedCheck,
})

export const getEmbedCheck = endpoint('getEmbedCheck', 'GET /accounts/:id/embed-code/checks/:checkId', {
  summary: 'Retrieve the elements that the script found, or the owner picked',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  params: z.strictObject({ id: Id, checkId: Id }),
  reply: EmbedCheck,
})

/** Returns the valid elements; others are dropped. */
const validIn = (picked: Record<string, unknown>): PickedElements =>
  Object.fromEntries(
    embedElements.flatMap((key) => {
      const { data } = PickedElement.safeParse(picked[key])
      return data ? [[key, data]] : []
    }),
  )

/** A check as the script reports it: POST {APP_URL}/embed/{publicId}/checks. */
export const ReportedEmbedCheck = z.object({
  token: plainText(100),
  matched: MatchedElements,
  picked: z
    .record(z.string().max(40), z.unknown())
    .nullable()
    .catch(null)
    .default(null)
    .transform((picked) => picked && validIn(picked)),
  forms: z
    .array(z.unknown())
    .nullable()
    .catch(null)
    .default(null)
    .transform((forms) => forms?.slice(0, 20).flatMap((form) => FormFound.safeParse(form).data ?? []) ?? null),
})
export type ReportedEmbedCheck = z.infer<typeof ReportedEmbedCheck>

/** Every lead gets the same answer, so an invalid field counts as absent. */
const optionalText = (max: number) => plainText(max).nullish().catch(null)

/** An ID that the script has drawn. */
const drawnId = z.uuid().max(36).toLowerCase().nullish().catch(null)

/**
 * A form's values as the script sends them: POST {APP_URL}/embed/{publicId}/leads. One with a known `submissionId`
 * changes nothing. `joins`: the same visitor's earlier form; `corrects`: its email was wrong.
 */
export const EmbeddedLead = z.object({
  firstName: optionalText(100),
  lastName: optionalText(100),
  email: optionalText(254),
  phone: optionalText(40),
  referralCode: optionalText(MOST_OF_REFERRAL),
  clickId: optionalText(MOST_OF_REFERRAL),
  pageUrl: optionalText(2048),
  referrer: optionalText(2048),
  elapsedMs: z.number().min(0).nullish().catch(null),
  submissionId: drawnId,
  joins: drawnId,
  corrects: z.literal(true).nullish().catch(null),
})
export type EmbeddedLead = z.infer<typeof EmbeddedLead>

/**
 * An arrival with a code as the script sends it: POST {APP_URL}/embed/{publicId}/clicks. The codes in `pageUrl` count
 * first, then `referralCode`. `clickId`: the visitor's click until then.
 */
export const EmbeddedClick = z
  .object({
    referralCode: optionalText(MOST_OF_REFERRAL),
    clickId: optionalText(64),
    pageUrl: optionalText(2048),
    referrer: optionalText(2048),
  })
  .refine(({ referralCode, pageUrl }) => referralCode || pageUrl, {
    path: ['pageUrl'],
    message: 'Send the address of the page, or a referral code',
  })
export type EmbeddedClick = z.infer<typeof EmbeddedClick>

/**
 * `referralCode`: the code that was credited. Null if none credits a partner; then `clickId` is the given one, or one
 * that is no click.
 */
export const EmbeddedClickReply = z.object({ clickId: Id, referralCode: z.string().nullable() })

/** Most programs whose references a browser keeps. */
const MOST_KEPT = 4
/** One program's reference; one of before there were several has no program. */
const KEPT = /^(?:[\w-]{12}:)?[\w!'()*~%.-]{0,1300}\.[\w-]{0,64}\.\d{1,12}$/

/**
 * A reference the script wants stored in a cookie of the site, if the site serves the script from its own domain: POST
 * {APP_URL}/embed/{publicId}/keep.
 */
export const KeptReference = z.object({
  reference: z
    .string()
    .max(5300)
    .refine((text) => text.split('|').length <= MOST_KEPT && text.split('|').every((entry) => KEPT.test(entry))),
  domain: optionalText(253),
})
export type KeptReference = z.infer<typeof KeptReference>

export const refusals = {
  embed_path_taken: ['duplicate', 'This name is taken. Choose another one.'],
  too_many_embed_paths: ['invalid_state', 'This account has already used {{max}} names. Choose one of those.'],
  config_missing: ['validation_failed', 'Config is required'],
  page_on_other_domain: [
    'validation_failed',
    'Use a page on one of the allowed domains, or add its domain to Domains and save first',
  ],
} as const satisfies Refusals

/** Its actions in the activity, each with its kind of object. */
export const recordedEvents = { 'embed-code.updated': 'embed-code' } as const
