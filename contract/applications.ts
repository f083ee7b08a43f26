import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { PushResult } from './push.ts'
import { Slug } from './slugs.ts'
import { changedTranslations, savedTranslations } from './translations.ts'
import {
  anyId,
  anyOf,
  dateRange,
  Email,
  GivenReferralCode,
  Id,
  Instant,
  LanguageTag,
  listQuery,
  optionalName,
  optionalText,
  pageSchema,
  plainText,
  requiredText,
} from './values.ts'

/** `off`: no page; `closed`: the page without its form. */
export const programStates = ['off', 'open', 'closed'] as const
export const ProgramState = z.enum(programStates)
export type ProgramState = z.infer<typeof ProgramState>

/** Most addresses that a program has ever had. */
export const MOST_SLUGS = 20
export const MOST_QUESTIONS = 10
const MOST_CHOICES = 10
export const LONGEST_ANSWER = 1000

export const questionKinds = ['text', 'url', 'choice', 'yes-no'] as const

const Choices = z.array(requiredText(100)).max(MOST_CHOICES, `Use at most ${MOST_CHOICES} choices`).default([])
const AskedIn = z.strictObject({ label: requiredText(100), choices: Choices })

/**
 * A question of the application form; only one of kind `choice` has choices. A translation has as many, in their order:
 * answers have label and choice of the question itself.
 */
export const Question = z
  .strictObject({
    label: requiredText(100),
    kind: z.enum(questionKinds),
    required: z.boolean().default(false),
    choices: Choices,
    translations: savedTranslations(AskedIn).default({}),
  })
  .refine(({ kind, choices }) => (kind === 'choice' ? choices.length > 1 : choices.length === 0), {
    path: ['choices'],
    message: 'Enter two or more choices for a choice, and none for anything else',
  })
  .refine(({ choices }) => new Set(choices).size === choices.length, {
    path: ['choices'],
    message: 'Enter each choice once',
  })
  .superRefine(({ choices, translations }, { addIssue }) => {
    for (const [language, asked] of Object.entries(translations))
      if (asked && asked.choices.length !== choices.length)
        addIssue({
          code: 'custom',
          path: ['translations', language, 'choices'],
          message: 'Enter as many choices as the question has',
        })
  })
export type Question = z.infer<typeof Question>

/** Days after a rejection before the person may apply again; null is never. */
export const reapplyDays = [0, 30, 90] as const

const pageTexts = {
  headline: optionalText(120),
  text: plainText(5000),
  rules: plainText(5000),
}
const PageTexts = z.object({ headline: z.string().nullable(), text: z.string(), rules: z.string() })

/**
 * An account as strangers see it: a public page with an application form. `text` and `rules` are prose (prose.ts).
 * Pages in another language show the `translations`, and the texts themselves where there is none.
 * `url` is null while the state is `off`; `headline` null means the usual one. `autoApprove` approves an application
 * without a flag once its e-mail is confirmed.
 */
export const Program = z
  .object({
    state: ProgramState,
    slug: z.string().nullable(),
    url: z.string().nullable(),
    headline: z.string().nullable(),
    text: z.string(),
    rules: z.string(),
    translations: savedTranslations(PageTexts),
    questions: z.array(
      z.object({
        label: z.string(),
        kind: z.enum(questionKinds),
        required: z.boolean(),
        choices: z.array(z.string()),
        translations: savedTranslations(z.object({ label: z.string(), choices: z.array(z.string()) })),
      }),
    ),
    autoApprove: z.boolean(),
    reapplyAfterDays: z.int().nullable(),
    indexed: z.boolean(),
  })
  .meta({ id: 'Program' })
export type Program = z.infer<typeof Program>

export const ProgramChange = z.strictObject({
  state: ProgramState.optional(),
  slug: Slug.optional(),
  headline: pageTexts.headline.optional(),
  text: pageTexts.text.optional(),
  rules: pageTexts.rules.optional(),
  translations: changedTranslations(
    z.strictObject({
      headline: pageTexts.headline.default(null),
      text: pageTexts.text.default(''),
      rules: pageTexts.rules.default(''),
    }),
  ).optional(),
  questions: z.array(Question).max(MOST_QUESTIONS, `Use at most ${MOST_QUESTIONS} questions`).optional(),
  autoApprove: z.boolean().optional(),
  reapplyAfterDays: z.literal(reapplyDays, 'Use 0, 30 or 90 days, or null').nullish(),
  indexed: z.boolean().optional(),
})
export type ProgramChange = z.infer<typeof ProgramChange>

export const applicationStatuses = ['unconfirmed', 'waiting', 'approved', 'rejected'] as const
export const ApplicationStatus = z.enum(applicationStatuses)
export type ApplicationStatus = z.infer<typeof ApplicationStatus>

/**
 * Hints for the reader. `customer`: a lead with a sale has this e-mail; `same-network`: another application of
 * that day came from the network; `former-partner`: a suspended or archived partner has or had this e-mail;
 * `automatic`: a bot filled in the form, so it is mailed to no one and deleted after a week.
 */
export const applicationFlags = [
  'customer',
  'same-network',
  'former-partner',
  'email-not-confirmed',
  'automatic',
] as const
export type ApplicationFlag = (typeof applicationFlags)[number]

export const rejectionReasons = ['not-a-fit', 'incomplete', 'region', 'policy', 'spam', 'other'] as const
export type RejectionReason = (typeof rejectionReasons)[number]

/** Why the partner whose link recruited the applicant becomes, or became, no parent of theirs. */
export const parentProblems = ['suspended', 'archived', 'too-many-layers'] as const
export type ParentProblem = (typeof parentProblems)[number]

/** Why an application can't be approved into the group that it was sent to. */
export const groupProblems = ['deleted'] as const
export type GroupProblem = (typeof groupProblems)[number]

const Answer = z.object({ label: z.string(), value: z.string() })

/**
 * A wish to become a partner. Answers have the questions' labels of their day. The parent is the partner whose link
 * recruited the applicant; with a `parentProblem` the new partner has none. The group is that of the page, which the new
 * partner joins; null is the default one, and with a `groupProblem` approving needs another one. Names, e-mail and answers are empty once
 * they are deleted: of rejected ones after the account's time for raw data, and of an erased partner.
 */
export const Application = z
  .object({
    id: Id,
    accountId: Id,
    status: ApplicationStatus,
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: z.string().nullable(),
    answers: z.array(Answer),
    /** Of the page on which they applied. */
    language: z.string().nullable(),
    flags: z.array(z.enum(applicationFlags)),
    parentPartnerId: Id.nullable(),
    parentPartnerName: z.string().nullable(),
    parentProblem: z.enum(parentProblems).nullable(),
    groupId: Id.nullable(),
    groupName: z.string().nullable(),
    groupProblem: z.enum(groupProblems).nullable(),
    /** The version of the agreement that the applicant ticked on the form. */
    agreementVersion: z.int().nullable(),
    reason: z.enum(rejectionReasons).nullable(),
    message: z.string().nullable(),
    appliedAt: Instant,
    confirmedAt: Instant.nullable(),
    decidedAt: Instant.nullable(),
    /** A person's name; null for the program itself. */
    decidedBy: z.string().nullable(),
    partnerId: Id.nullable(),
  })
  .meta({ id: 'Application' })
export type Application = z.infer<typeof Application>

export const NewApplication = z.strictObject({
  firstName: optionalName(100).refine((name) => name !== null, 'Enter a value'),
  lastName: optionalName(100).refine((name) => name !== null, 'Enter a value'),
  email: Email,
  answers: z
    .array(z.strictObject({ label: requiredText(100), value: plainText(LONGEST_ANSWER) }))
    .max(MOST_QUESTIONS, `Use at most ${MOST_QUESTIONS} answers`)
    .optional(),
  by: GivenReferralCode.nullish(),
  groupId: Id.nullish(),
  language: LanguageTag.nullish(),
  emailConfirmed: z.boolean().default(false),
})
export type NewApplication = z.infer<typeof NewApplication>

/** Most applications that one call decides. */
export const MOST_DECIDED = 100

export const ApplicationDecisions = z
  .strictObject({
    ids: z
      .array(Id)
      .min(1, 'Choose at least one application')
      .max(MOST_DECIDED, `Choose at most ${MOST_DECIDED} applications`),
    decision: z.enum(['approve', 'reject']),
    /** The reason for a rejection. */
    reason: z.enum(rejectionReasons).optional(),
    /** Mailed with a rejection. */
    message: optionalText(1000).optional(),
    /** Rejects without a mail. */
    silent: z.boolean().default(false),
    /** Approves into this group, rather than the application's own. */
    groupId: Id.nullish(),
  })
  .refine(({ decision, reason }) => decision !== 'reject' || reason, {
    path: ['reason'],
    message: 'Reason is required',
  })
export type ApplicationDecisions = z.infer<typeof ApplicationDecisions>

/** `invitationUrl`: the new partner's link to pass on by hand, as in Invitation. */
export const DecidedApplication = PushResult.extend({
  partnerId: Id.nullable(),
  invitationUrl: z.string().nullable(),
}).meta({ id: 'DecidedApplication' })
export type DecidedApplication = z.infer<typeof DecidedApplication>

export const getProgram = endpoint('getProgram', 'GET /accounts/:id/program', {
  summary: 'Retrieve the account’s public page and its application form',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  reply: Program,
})

export const saveProgram = endpoint('saveProgram', 'PUT /accounts/:id/program', {
  summary: 'Update the account’s public page; former addresses lead to the present one',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: ProgramChange,
  reply: Program,
})

/** The texts of a page that is not saved yet, shown in one of its languages. */
export const ProgramTexts = ProgramChange.pick({
  state: true,
  headline: true,
  text: true,
  rules: true,
  translations: true,
}).extend({ language: LanguageTag.optional() })

export const previewProgram = endpoint('previewProgram', 'POST /accounts/:id/program/preview', {
  summary: 'Show the account’s public page with these texts, as HTML and its style sheet; nothing is saved',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: ProgramTexts,
  writesNothing: true,
  reply: z.object({ html: z.string(), style: z.string() }).meta({ id: 'ProgramPreview' }),
})

/**
 * An application as the bearer of its link sees it; the account's name may be empty. The decision is sent by mail only:
 * a rejected one is shown as `waiting`.
 */
export const ApplicationToConfirm = z
  .object({
    accountName: z.string(),
    accountPublicId: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    answers: z.array(Answer),
    /** First name of the partner whose link recruited the applicant. */
    invitedBy: z.string().nullable(),
    status: ApplicationStatus.exclude(['rejected']),
  })
  .meta({ id: 'ApplicationToConfirm' })
export type ApplicationToConfirm = z.infer<typeof ApplicationToConfirm>

export const getApplicationToConfirm = endpoint('getApplicationToConfirm', 'GET /applications/confirm', {
  summary: 'Retrieve the application that a link confirms',
  allow: ['link'],
  limit: apiLimit,
  reply: ApplicationToConfirm,
})

/** `setUpToken` is that of the invitation, once approved and until it is accepted. */
export const ConfirmedApplication = z
  .object({ status: ApplicationStatus.extract(['waiting', 'approved']), setUpToken: z.string().nullable() })
  .meta({ id: 'ConfirmedApplication' })
export type ConfirmedApplication = z.infer<typeof ConfirmedApplication>

export const confirmApplication = endpoint('confirmApplication', 'POST /applications/confirm', {
  summary: 'Confirm an application with its link; repeating answers the same',
  allow: ['link'],
  limit: apiLimit,
  reply: ConfirmedApplication,
})

export const listApplications = endpoint('listApplications', 'GET /accounts/:id/applications', {
  summary: 'List applications; unconfirmed ones only if asked for, from and to are dates of applying',
  allow: [...rights.read, 'partners'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery(
    {
      status: anyOf(applicationStatuses),
      flag: anyOf(applicationFlags),
      groupId: anyId,
      partnerId: anyId,
      ...dateRange,
    },
    ['appliedAt'],
  ),
  reply: pageSchema(Application),
})

export const downloadApplications = csvEndpoint(listApplications, {
  summary: 'Download all applications',
  file: 'applications',
  more: ['answers', 'flags'],
})

export const createApplication = endpoint('createApplication', 'POST /accounts/:id/applications', {
  summary: 'Add an application from your own form; the applicant confirms by mail unless their email is confirmed',
  allow: [...rights.earn, 'partners'],
  limit: apiLimit,
  subject: 'account',
  body: NewApplication,
  status: 202,
  reply: z.object({ id: Id, status: ApplicationStatus.exclude(['rejected']) }),
})

export const getApplication = endpoint('getApplication', 'GET /applications/:id', {
  summary: 'Retrieve an application',
  allow: [...rights.read, 'partners'],
  limit: apiLimit,
  subject: 'application',
  reply: Application,
})

export const decideApplications = endpoint('decideApplications', 'POST /accounts/:id/applications/decisions', {
  summary: 'Approve or reject 1 to 100 applications, each with its own result; approving makes the partner',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: ApplicationDecisions,
  transaction: 'own',
  reply: z.object({ results: z.array(DecidedApplication) }),
})
