import { newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { newToken, tokenHash } from '#server/platform/database/secrets.ts'
import { notFound, wrongField } from '#server/platform/refusal.ts'
import type { EmbedCheck, NewEmbedCheck, ReportedEmbedCheck, StartedEmbedCheck } from '../contract.ts'
import { isAllowedOrigin } from './origin.ts'
import { checkById, findEmbedCode, insertCheck, reportCheck } from './queries.ts'

const VALID_MS = 15 * 60_000

/**
 * Starts a check in which the owner sees on their page which elements the script finds, or picks them there: returns the
 * address to open, valid for 15 minutes.
 * Refuses: `not_found` while there is no embed code; a page that is on no allowed domain.
 */
export async function startEmbedCheck(
  tx: Transaction,
  accountId: string,
  { url: page, pick }: NewEmbedCheck,
): Promise<StartedEmbedCheck> {
  const code = await findEmbedCode(tx, accountId)
  if (!code) throw notFound()
  const url = new URL(page)
  if (!isAllowedOrigin(code.domains, url.origin)) throw wrongField('url', 'page_on_other_domain')
  const token = newToken()
  const check = {
    id: newId(),
    accountId,
    tokenHash: tokenHash(token),
    expiresAt: new Date(tx.now.getTime() + VALID_MS),
  }
  await insertCheck(tx, check)
  url.hash = `tributary-check=${token}${pick ? '&pick' : ''}`
  return { id: check.id, url: url.href, expiresAt: check.expiresAt.toISOString() }
}

/** Refuses: `not_found`. */
export async function getEmbedCheck(db: Queryable, accountId: string, id: string): Promise<EmbedCheck> {
  const check = await checkById(db, accountId, id)
  if (!check) throw notFound()
  return check
}

/** Stores the script's findings. The first report counts; a sender without a valid token learns nothing. */
export const receiveCheck = (db: Queryable, accountId: string, { token, ...found }: ReportedEmbedCheck) =>
  reportCheck(db, accountId, tokenHash(token), found)
