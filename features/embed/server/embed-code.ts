import { type Author, diffFields } from '#server/platform/author.ts'
import type { Config } from '#server/platform/config/config.ts'
import { lockKeys } from '#server/platform/database/lock-keys.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { notFound, wrongField } from '#server/platform/refusal.ts'
import { type EmbedCode, type EmbedCodeChange, MOST_PATHS } from '../contract.ts'
import {
  type EmbedCodeRow,
  type EmbedName,
  findEmbedCode,
  holderOfPath,
  lockEmbedCode,
  saveEmbedCodeRow,
} from './queries.ts'

/** Refuses: `not_found` while there is none. */
export async function getEmbedCode(db: Queryable, config: Config, accountId: string): Promise<EmbedCode> {
  const row = await findEmbedCode(db, accountId)
  if (!row) throw notFound()
  return present(config, row)
}

/** Creates or changes the embed code; omitted fields keep their values. Refuses: the first one without a `config`. */
export async function saveEmbedCode(
  tx: Transaction,
  config: Config,
  by: Author,
  accountId: string,
  change: EmbedCodeChange,
): Promise<EmbedCode> {
  await lockEmbedCode(tx, accountId)
  const before = await findEmbedCode(tx, accountId)
  const elements = change.config ?? before?.config
  if (!elements) throw wrongField('config', 'config_missing')
  const next = {
    config: elements,
    domains: [...new Set(change.domains ?? before?.domains ?? [])],
    checkoutDomains: [...new Set(change.checkoutDomains ?? before?.checkoutDomains ?? [])],
    onlyIfReferred: change.onlyIfReferred ?? before?.onlyIfReferred ?? true,
    consentMode: change.consentMode ?? before?.consentMode ?? 'off',
    forms: change.forms ?? before?.forms ?? (before ? null : ('sign-ups' as const)),
    path: change.path === undefined ? (before?.path ?? null) : change.path,
  }
  if (next.path !== null && next.path !== before?.path) await refuseTaken(tx, accountId, next.path)
  const changes = diffFields(before ?? {}, next)
  if (Object.keys(changes).length > 0) {
    await saveEmbedCodeRow(tx, accountId, { ...next, formerPaths: formerPathsOf(before, next.path) })
    await recordActivity(tx, by, accountId, 'embed-code.updated', { id: before?.id ?? null, changes })
  }
  return getEmbedCode(tx, config, accountId)
}

/** Returns the reserved paths. Refuses: more than an account may reserve. */
function formerPathsOf(before: EmbedCodeRow | undefined, path: string | null) {
  const had = new Set([...(before?.formerPaths ?? []), ...(before?.path ? [before.path] : [])])
  if (path !== null && !had.has(path) && had.size >= MOST_PATHS)
    throw wrongField('path', 'too_many_embed_paths', { max: MOST_PATHS })
  return [...had].filter((one) => one !== path)
}

/** Refuses another account's path; serializes all claims of a path. */
async function refuseTaken(tx: Transaction, accountId: string, path: string) {
  await lockKeys(tx, [{ accountId: null, name: `embed path ${path}` }])
  const holder = await holderOfPath(tx, path)
  if (holder && holder.accountId !== accountId) throw wrongField('path', 'embed_path_taken')
}

/** Returns the address of an account's script, without `.js`; also the prefix for the script's calls. */
export const scriptAddress = ({ appUrl }: Pick<Config, 'appUrl'>, name: EmbedName) =>
  'path' in name ? `${appUrl}/s/${name.path}` : `${appUrl}/embed/${name.publicId}`

/** Keeps the calls of the page's own code until the script has loaded. */
const STUB = 'window.tributary=window.tributary||function(){(tributary.q=tributary.q||[]).push(arguments)}'

const present = (config: Config, { publicId, ...row }: EmbedCodeRow): EmbedCode => {
  const { path, forms } = row
  return {
    ...row,
    forms: forms ?? 'sign-ups',
    formsChosen: forms !== null,
    snippet: `<script>${STUB}</script>\n<script async src="${scriptAddress(config, path ? { path } : { publicId })}.js"></script>`,
  }
}
