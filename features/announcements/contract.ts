import { z } from 'zod'
import { csvEndpoint } from '#contract/csv.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { agreementStates, groupKinds, PartnerExternalId, partnerStates } from '#contract/partners.ts'
import { changedTranslations, savedTranslations } from '#contract/translations.ts'
import { dateFilter, flag, Id, Instant, listQuery, pageSchema, plainText, requiredText } from '#contract/values.ts'

/** Most announcements of an account on one of its days. */
export const MOST_ANNOUNCEMENTS = 10
/** Most partners that an announcement names one by one. */
export const MOST_NAMED = 1000
const LONGEST_ANNOUNCEMENT = 5000

/** Words in braces that a subject and a body may have. */
export const announcementPlaceholders = ['firstName'] as const

const anyIds = z.array(Id).min(1).max(100).optional()

/** Partners as the list of partners filters them. `ids` names them one by one. Only active ones are written to. */
export const AnnouncementFilter = z
  .strictObject({
    ids: z.array(Id).min(1).max(MOST_NAMED, `Choose at most ${MOST_NAMED}`).optional(),
    state: z.array(z.enum(partnerStates)).min(1).max(partnerStates.length).optional(),
    groupId: anyIds,
    groupKind: z.enum(groupKinds).optional(),
    parentPartnerId: anyIds,
    agreement: z.array(z.enum(agreementStates)).min(1).max(agreementStates.length).optional(),
    approved: z.boolean().optional(),
    externalId: PartnerExternalId.optional(),
    from: dateFilter,
    to: dateFilter,
    search: plainText(200).optional(),
  })
  .meta({ id: 'AnnouncementFilter' })
export type AnnouncementFilter = z.infer<typeof AnnouncementFilter>

const Written = z.strictObject({ subject: requiredText(100), body: requiredText(LONGEST_ANNOUNCEMENT) })
const Text = z.object({ subject: z.string(), body: z.string() })

/** `body` is prose (prose.ts). `preview` only counts, and sends nothing. */
export const NewAnnouncement = Written.extend({
  translations: changedTranslations(Written).optional(),
  filter: AnnouncementFilter.optional(),
  preview: z.boolean().optional(),
})
export type NewAnnouncement = z.infer<typeof NewAnnouncement>

/**
 * A message to many partners, once. Of its `recipients`, `mailed` were sent the email, `turnedOff` don't want it, and
 * `failed` couldn't be reached; the others wait, or had no login or were no longer active in time. Who reads none of the
 * languages of its `translations` reads it in `language`.
 */
export const Announcement = z
  .object({
    id: Id,
    accountId: Id,
    subject: z.string(),
    body: z.string(),
    language: z.string(),
    translations: savedTranslations(Text),
    sentBy: z.string().nullable(),
    recipients: z.int(),
    mailed: z.int(),
    turnedOff: z.int(),
    failed: z.int(),
    createdAt: Instant,
  })
  .meta({ id: 'Announcement' })
export type Announcement = z.infer<typeof Announcement>

/**
 * The effect of sending: `count` partners get it, `mails` of them by email, so many in each of the `languages`. `page` is
 * the note in HTML.
 */
export const AnnouncementPreview = z
  .object({ count: z.int(), mails: z.int(), languages: z.record(z.string(), z.int()), page: z.string() })
  .meta({ id: 'AnnouncementPreview' })
export type AnnouncementPreview = z.infer<typeof AnnouncementPreview>

/** An announcement as its partner reads it. `readAt` is null until they close the note. */
export const PartnerAnnouncement = z
  .object({
    id: Id,
    subject: z.string(),
    body: z.string(),
    language: z.string(),
    readAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'PartnerAnnouncement' })
export type PartnerAnnouncement = z.infer<typeof PartnerAnnouncement>

export const listAnnouncements = endpoint('listAnnouncements', 'GET /accounts/:id/announcements', {
  summary: 'List announcements with what became of their emails',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}),
  reply: pageSchema(Announcement),
})

export const downloadAnnouncements = csvEndpoint(listAnnouncements, {
  summary: 'Download all announcements',
  file: 'announcements',
})

export const sendAnnouncement = endpoint('sendAnnouncement', 'POST /accounts/:id/announcements', {
  summary: 'Send an announcement to the active partners of a list, or count them first',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: NewAnnouncement,
  maxValues: MOST_NAMED + 500,
  status: 201,
  orStatus: 200,
  reply: z.union([Announcement, AnnouncementPreview]),
})

export const deleteAnnouncement = endpoint('deleteAnnouncement', 'DELETE /announcements/:id', {
  summary: 'Take an announcement back: partners no longer read it, and emails that wait are not sent',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'announcement',
  status: 204,
})

export const listPartnerAnnouncements = endpoint('listPartnerAnnouncements', 'GET /partners/:id/announcements', {
  summary: 'List the announcements that a partner was sent',
  tag: 'partners',
  allow: rights.partner,
  inPortal: true,
  limit: apiLimit,
  fromReplica: true,
  subject: 'partner',
  query: listQuery({ read: flag }),
  reply: pageSchema(PartnerAnnouncement),
})

export const readAnnouncements = endpoint('readAnnouncements', 'POST /partners/:id/announcements/read', {
  summary: 'Close the notes of a partner up to an announcement',
  tag: 'partners',
  allow: rights.partner,
  inPortal: true,
  whileInactive: true,
  limit: apiLimit,
  subject: 'partner',
  body: z.strictObject({ upTo: Id }),
  status: 204,
})

export const refusals = {
  announcements_today: [
    'invalid_state',
    'An account can send at most {{max}} announcements a day. Send the next one tomorrow.',
  ],
} as const satisfies Refusals

/** Its actions in the activity, each with its kind of object. */
export const recordedEvents = {
  'account.announcement-sent': 'account',
  'account.announcement-deleted': 'account',
} as const

export const mailKinds = ['announcement'] as const

/** In the reference its calls follow those of this group. */
export const listedAfter = 'material'

declare module '#contract/endpoint.ts' {
  interface Subjects {
    announcement: 'announcements'
  }
}
