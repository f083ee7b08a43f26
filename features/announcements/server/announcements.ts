import { type Language, withLanguage } from '#contract/language.ts'
import { pickText } from '#contract/pick-text.ts'
import { fillPlaceholders } from '#contract/placeholders.ts'
import { escapeHtml, parseProse, proseHtml } from '#contract/prose.ts'
import type { ListQuery } from '#contract/values.ts'
import { mailPhrases } from '#server/integrations/mail/text.ts'
import type { Author } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { recordActivity, sendSignal } from '#server/platform/events/emit-event.ts'
import { notFound, refusal } from '#server/platform/refusal.ts'
import { dayIn } from '#server/platform/time/days.ts'
import { changeTranslations } from '#server/platform/translations.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { activeOfList } from '#server/program/partners/list-partners.ts'
import { refuseUnknownPlaceholder } from '#server/program/pictures/placeholders.ts'
import {
  type Announcement,
  type AnnouncementFilter,
  type AnnouncementPreview,
  announcementPlaceholders,
  MOST_ANNOUNCEMENTS,
  type NewAnnouncement,
} from '../contract.ts'
import {
  announcementById,
  announcementsPage,
  announcementTable,
  closeNotes,
  countLanguages,
  countReaders,
  insertReaders,
  letterTo,
  lockAnnouncements,
  type MailOfReader,
  nextReaders,
  notesPage,
  sentOn,
  setMail,
  type Written,
  withdrawAnnouncement,
} from './queries.ts'
import { announcementSent } from './signals.ts'

export const listAnnouncements = announcementsPage

/** Returns the texts of a draft. Refuses: a word in braces that there is not; texts in the account's own language. */
function readDraft({ language }: AccountFacts, { subject, body, translations: given }: NewAnnouncement): Written {
  const translations = changeTranslations({}, given, language)
  for (const [path, text] of [['', { subject, body }], ...translated(translations)] as const)
    for (const field of ['subject', 'body'] as const)
      refuseUnknownPlaceholder(`${path}${field}`, text[field], announcementPlaceholders)
  return { subject, body, language, translations }
}

const translated = (translations: Written['translations']) =>
  Object.entries(translations).flatMap(([language, text]) =>
    text ? [[`translations.${language}.`, text] as const] : [],
  )

/** Picks the text for a reader, and fills in their name. */
export function readText(written: Written, firstName: string | null, wanted: Language | null) {
  const { value, language } = pickText(written, 'subject', written.language, wanted)
  const values = { firstName: firstName ?? withLanguage(language, () => mailPhrases.there) }
  const { body } = written.translations[language] ?? written
  return { language, subject: fillPlaceholders(value, values), body: fillPlaceholders(body, values) }
}

/**
 * Counts the partners an announcement would reach, and returns the note as shown to a reader without a first name.
 * Sends nothing.
 */
export async function previewAnnouncement(
  db: Queryable,
  account: AccountFacts,
  draft: NewAnnouncement,
): Promise<AnnouncementPreview> {
  const written = readDraft(account, draft)
  const { subject, body } = readText(written, null, null)
  const readers = activeOfList(account, db.now, draft.filter)
  const counts = await countReaders(db, account.id, readers)
  const languages: Record<Language, number> = {}
  for (const { language: wanted, count } of await countLanguages(db, account.id, readers)) {
    const { language } = readText(written, null, wanted)
    languages[language] = (languages[language] ?? 0) + count
  }
  return { ...counts, languages, page: `<h2>${escapeHtml(subject)}</h2>${proseHtml(parseProse(body))}` }
}

/**
 * Sends an announcement to the active partners of a list as it is now. Refuses: a word in braces that there is not, texts
 * in the account's own language as translations, more than ten on the account's day, and a list without an active partner.
 */
export async function sendAnnouncement(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  draft: NewAnnouncement,
): Promise<Announcement> {
  const written = readDraft(account, draft)
  const { id: accountId, timeZone } = account
  await lockAnnouncements(tx, accountId)
  const today = dayIn(timeZone, tx.now)
  if ((await sentOn(tx, accountId, today)) >= MOST_ANNOUNCEMENTS)
    throw refusal('announcements_today', { max: MOST_ANNOUNCEMENTS })
  const id = newId()
  const { subject } = written
  const { filter } = draft
  await announcementTable.insert(tx, {
    id,
    accountId,
    ...written,
    sentOn: today,
    sentBy: by.type === 'user' ? by.id : null,
  })
  const recipients = await insertReaders(tx, { accountId, id }, activeOfList(account, tx.now, filter))
  if (recipients === 0) throw refusal('no_recipients')
  await sendSignal(tx, accountId, announcementSent, { announcementId: id, after: null })
  await recordActivity(tx, by, accountId, 'account.announcement-sent', {
    id: accountId,
    changes: {
      name: { old: null, new: subject },
      partners: { old: null, new: recipients },
      ...(filter && { filters: { old: null, new: recordedFilter(filter) } }),
    },
  })
  return announcementById(tx, accountId, id)
}

/** A filter without what may name a person: the activity keeps it for good. */
const recordedFilter = ({ ids, search, externalId, ...filter }: AnnouncementFilter) => ({
  ...filter,
  ...(ids && { ids: ids.length }),
  ...(search && { search: true }),
  ...(externalId && { externalId: true }),
})

/** Withdraws an announcement: partners no longer see it, and waiting mails are not sent. */
export async function deleteAnnouncement(tx: Transaction, by: Author, key: { accountId: string; id: string }) {
  const subject = await withdrawAnnouncement(tx, key)
  if (subject === undefined) throw notFound()
  await recordActivity(tx, by, key.accountId, 'account.announcement-deleted', {
    id: key.accountId,
    changes: { name: { old: subject, new: null } },
  })
}

/** Mails that follow from one event. */
const BATCH = 500

/** Returns the next readers to mail, and has those after them mailed next. */
export async function readersToMail(
  tx: Transaction,
  accountId: string,
  { announcementId, after }: { announcementId: string; after: string | null },
): Promise<string[]> {
  const readers = await nextReaders(tx, { accountId, id: announcementId }, after, BATCH)
  const ids = readers.map(({ partnerId }) => partnerId)
  if (ids.length === BATCH) await sendSignal(tx, accountId, announcementSent, { announcementId, after: ids.at(-1)! })
  return ids
}

type Reader = { accountId: string; id: string; partnerId: string }

/** Returns the mail that waits for a reader; undefined once it was sent or withdrawn. */
export const announcementFor = (db: Queryable, { partnerId, ...key }: Reader) => letterTo(db, key, partnerId)

/** Records the outcome of a reader's mail. */
export const recordReaderMail = (db: Queryable, { partnerId, ...key }: Reader, mail: MailOfReader) =>
  setMail(db, key, partnerId, mail)

type NotesQuery = ListQuery & { read?: boolean | undefined }

/** Lists the notes of a partner in a language, their first name filled in. */
export async function listNotes(
  db: Queryable,
  { accountId, partnerId, wanted }: { accountId: string; partnerId: string; wanted: Language | null },
  query: NotesQuery,
) {
  const { items, ...rest } = await notesPage(db, accountId, partnerId, query)
  return { ...rest, items: items.map((note) => ({ ...note, ...readText(note, note.firstName, wanted) })) }
}

/** Closes a partner's notes up to an announcement; repeating changes nothing. Refuses: one that was not sent to them. */
export async function readNotes(tx: Transaction, accountId: string, partnerId: string, upTo: string) {
  if (!(await closeNotes(tx, accountId, partnerId, upTo))) throw notFound()
}
