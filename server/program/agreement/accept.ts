import type { Language } from '#contract/language.ts'
import type { Acceptance } from '#contract/partners.ts'
import { type Author, system, toOrigin } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import { fullNameSql } from '../partner-directory/partner-names.ts'
import {
  findAcceptance,
  findNewest,
  findVersion,
  insertAcceptance,
  listAcceptanceRows,
  versionLanguages,
} from './queries.ts'

export const listAcceptances = (db: Queryable, accountId: string, partnerId: string): Promise<Acceptance[]> =>
  listAcceptanceRows(db, accountId, partnerId)

type Place = { accountId: string; partnerId: string }

/**
 * Accepts the newest version for a partner, by one of their owners in person; one accepted before is answered as it was.
 * Refuses: `not_found` without an agreement; `invalid_state` for a version that was replaced; a language in which it has
 * no text.
 */
export async function acceptAgreement(
  tx: Transaction,
  by: Author,
  { accountId, partnerId }: Place,
  { userId, version, language }: { userId: string; version: number; language?: Language | undefined },
): Promise<{ created: boolean; acceptance: Acceptance }> {
  const known = await findAcceptance(tx, accountId, partnerId, version)
  if (known) return { created: false, acceptance: known }
  const newest = await findNewest(tx, accountId)
  if (!newest) throw notFound()
  if (version !== newest.version) throw refusal('agreement_changed', { version: newest.version })
  const shown = language ?? newest.language
  if (!versionLanguages(newest).includes(shown)) throw wrongField('language', 'language_unknown')
  const { name, email } = await tx.one<{ name: string | null; email: string }>`
    select nullif(${fullNameSql(sql`u`)}, '') as name, u.email from users u where u.id = ${userId}`
  const network = by.from?.network ?? null
  const at = tx.now.toISOString()
  return accept(tx, by, accountId, {
    partnerId,
    version,
    language: shown,
    at,
    through: 'sign-in',
    userId,
    name,
    email,
    network,
  })
}

type Ticked = Place & {
  version: number
  language: Language | null
  at: string
  name: string
  email: string
  network: string | null
}

/** Records what an applicant ticked on the form, once they are a partner. The caller knows that the e-mail is theirs. */
export async function acceptAsApplicant(tx: Transaction, { accountId, ...ticked }: Ticked) {
  // one that was ticked before there were translations has no language
  const language = ticked.language ?? (await findVersion(tx, accountId, ticked.version))!.language
  return accept(tx, system, accountId, { ...ticked, language, through: 'application', userId: null })
}

async function accept(tx: Transaction, by: Author, accountId: string, given: Omit<Acceptance, 'textHash'>) {
  const created = await insertAcceptance(tx, accountId, given)
  const acceptance = (await findAcceptance(tx, accountId, given.partnerId, given.version))!
  if (created)
    await emitEvent(tx, by, accountId, 'partner.agreement-accepted', { id: given.partnerId, object: acceptance })
  return { created, acceptance }
}

/** Returns the network of an address as an acceptance names it. */
export const networkOfAddress = (address: string) => toOrigin({ address }).network
