import {
  type Agreement,
  type AgreementChange,
  type AgreementVersion,
  type NewAgreement,
  type NewTranslation,
  REQUIRED_AFTER_DAYS,
} from '#contract/agreement.ts'
import type { Language } from '#contract/language.ts'
import { pickText } from '#contract/pick-text.ts'
import type { Author } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { changeTranslations } from '../../platform/translations.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import {
  countAcceptances,
  findNewest,
  findVersion,
  insertTranslation,
  insertVersion,
  listAcceptanceRows,
  listVersions,
  setRequiredFrom,
  type VersionRow,
  versionLanguages,
} from './queries.ts'

export type { AgreementRow, VersionRow } from './queries.ts'

/** `wanted`: the language of the texts if there is one; else they are as they were written. */
type Reading = Pick<Access, 'account' | 'partnerId'> & { wanted?: Language | null }

/** Returns versions with their counts for the account, or with the reading partner's acceptance. */
async function presented<Row extends VersionRow>(
  db: Queryable,
  { account, partnerId, wanted = null }: Reading,
  rows: Row[],
): Promise<(Row & AgreementVersion)[]> {
  const counts = new Map(partnerId ? [] : (await countAcceptances(db, account.id)).map((one) => [one.version, one]))
  const acceptances = partnerId ? await listAcceptanceRows(db, account.id, partnerId) : []
  return rows.map((row) => {
    const { accepted = null, waiting = null } = counts.get(row.version) ?? {}
    return {
      ...inLanguage(row, wanted),
      languages: versionLanguages(row),
      accepted,
      waiting,
      acceptance: acceptances.find(({ version }) => version === row.version) ?? null,
    }
  })
}

/** Returns a version with its texts in a language, else as they were written. */
function inLanguage<Row extends VersionRow>(row: Row, wanted: Language | null): Row {
  const { language } = pickText(row, 'textHash', row.language, wanted)
  const changes = pickText(row, 'changes', row.language, wanted).value
  return { ...row, ...row.translations[language], language, changes }
}

/** Refuses: `not_found` without an agreement. */
export async function getAgreement(db: Queryable, reading: Reading): Promise<Agreement> {
  const newest = await findNewest(db, reading.account.id)
  if (!newest) throw notFound()
  return (await presented(db, reading, [newest]))[0]!
}

/** Refuses: `not_found` for a version that there is not. */
export async function getAgreementVersion(db: Queryable, reading: Reading, given: string): Promise<Agreement> {
  const version = await versionNamed(db, reading.account.id, given)
  return (await presented(db, reading, [version]))[0]!
}

async function versionNamed(db: Queryable, accountId: string, given: string) {
  const version = versionIn(given)
  const found = version === undefined ? undefined : await findVersion(db, accountId, version)
  if (!found) throw notFound()
  return found
}

export const listAgreementVersions = async (db: Queryable, reading: Reading): Promise<AgreementVersion[]> =>
  presented(db, reading, await listVersions(db, reading.account.id))

/**
 * Publishes the next version: partners are asked to accept it. Refuses: `validation_failed` without what changed, for a
 * day too soon, or a translation into the account's own language; `invalid_state` for the text of the newest version.
 */
export async function publishAgreement(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { text, changes = null, requiredFrom = null, translations: given }: NewAgreement,
): Promise<Agreement> {
  await blockBookings(tx, account.id)
  const newest = await findNewest(tx, account.id)
  if (newest?.text === text) throw refusal('agreement_unchanged', { version: newest.version })
  if (newest && changes === null) throw wrongField('changes', 'changes_required')
  refuseTooSoon(account, tx.now, requiredFrom)
  const { language } = account
  const translations = Object.entries(changeTranslations({}, given, language))
  const version = (newest?.version ?? 0) + 1
  const publishedBy = by.type === 'user' ? by.id : null
  await insertVersion(tx, account.id, { version, language, text, changes, requiredFrom, publishedBy })
  for (const [language, { text, changes = null }] of translations)
    await insertTranslation(tx, account.id, { version, language, text, changes, publishedBy })
  await linksChanged(tx, account.id)
  await recordActivity(tx, by, account.id, 'agreement.published', {
    id: account.id,
    changes: {
      version: { old: newest?.version ?? null, new: version },
      ...(requiredFrom && { requiredFrom: { old: null, new: requiredFrom } }),
    },
  })
  return getAgreement(tx, { account, partnerId: null })
}

/**
 * Publishes a version's text in another language, once. Refuses: `not_found`; `validation_failed` for the language of the
 * original; `invalid_state` for one that it is in.
 */
export async function publishAgreementTranslation(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  given: string,
  { language, text, changes = null }: NewTranslation,
): Promise<Agreement> {
  await blockBookings(tx, account.id)
  const { version, language: original } = await versionNamed(tx, account.id, given)
  if (language === original) throw wrongField('language', 'language_of_texts')
  const publishedBy = by.type === 'user' ? by.id : null
  if (!(await insertTranslation(tx, account.id, { version, language, text, changes, publishedBy })))
    throw refusal('translation_published')
  await linksChanged(tx, account.id)
  await recordActivity(tx, by, account.id, 'agreement.translated', {
    id: account.id,
    changes: { version: { old: version, new: version }, language: { old: null, new: language } },
  })
  return getAgreementVersion(tx, { account, partnerId: null, wanted: language }, given)
}

/**
 * Changes the day from which payouts wait for a version. Refuses: `not_found`; `validation_failed` for a day too soon,
 * unless the present one is before it.
 */
export async function changeAgreementVersion(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  given: string,
  { requiredFrom }: AgreementChange,
): Promise<Agreement> {
  await blockBookings(tx, account.id)
  const before = await versionNamed(tx, account.id, given)
  if (requiredFrom !== before.requiredFrom) {
    const isLater = requiredFrom !== null && before.requiredFrom !== null && requiredFrom > before.requiredFrom
    if (!isLater) refuseTooSoon(account, tx.now, requiredFrom)
    await setRequiredFrom(tx, account.id, before.version, requiredFrom)
    await recordActivity(tx, by, account.id, 'agreement.required-from-changed', {
      id: account.id,
      changes: {
        version: { old: before.version, new: before.version },
        requiredFrom: { old: before.requiredFrom, new: requiredFrom },
      },
    })
  }
  return (await presented(tx, { account, partnerId: null }, [{ ...before, requiredFrom }]))[0]!
}

/** Returns the public form of a version; undefined for an unknown one. */
export const wholeVersion = findVersion

/** Parses the number of a version; undefined for a text that is none. */
export const versionIn = (given: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined

function refuseTooSoon({ timeZone }: AccountFacts, now: Date, day: string | null) {
  if (day !== null && day < addDays(dayIn(timeZone, now), REQUIRED_AFTER_DAYS))
    throw wrongField('requiredFrom', 'required_too_soon')
}
