import type {
  IncomingAuth,
  IncomingWebhook,
  IncomingWebhookChange,
  MappedField,
  NewIncomingWebhook,
} from '#contract/incoming-webhooks.ts'
import { headerInPath, layoutOf, mappedFields, templateOf } from '#contract/incoming-webhooks.ts'
import { parsePath } from '#contract/payload-paths.ts'
import type { ListQuery } from '#contract/values.ts'
import { type By, changesOf } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { newToken, type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recorded } from '../../platform/events/happened.ts'
import { containing, page } from '../../platform/http/list.ts'
import { onlyGiven } from '../../platform/only-given.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { normalizedIps } from './allowed-ips.ts'
import type { Proof } from './authenticate.ts'
import { guesses } from './guess.ts'
import { hasField } from './map.ts'
import {
  countIncomingWebhooks,
  deleteWebhookRow,
  type IncomingWebhookRow,
  listedColumns,
  lockIncomingWebhook,
  lockIncomingWebhooks,
  type Place,
  replaceToken,
  type SavedIncomingWebhook,
  type ShownRow,
  shownById,
  shownFrom,
  webhookTable,
} from './queries.ts'

/** Milliseconds that the former address still works. */
const OVERLAP_MS = 24 * 3_600_000

export async function listIncomingWebhooks(db: Queryable, install: Install, accountId: string, query: ListQuery) {
  const found = await page<ShownRow>(db, query, {
    columns: listedColumns,
    from: shownFrom(db.now, accountId),
    scope: sql`t.account_id = ${accountId}`,
    filters: [containing(sql`t.name`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' } },
  })
  return { ...found, items: found.items.map((row) => present(install, row)) }
}

export const getIncomingWebhook = async (db: Queryable, install: Install, place: Place) =>
  present(install, await shownById(db, place))

/** Most webhooks per account. */
export const MOST_INCOMING_WEBHOOKS = 50

/**
 * Creates a webhook. Refuses: unreadable paths, fields that the target lacks, an auth without its secret, more than
 * fifty.
 */
export async function createIncomingWebhook(
  tx: Transaction,
  install: Install,
  by: By,
  accountId: string,
  given: NewIncomingWebhook,
): Promise<IncomingWebhook> {
  const { secrets } = install
  const id = newId()
  refusePaths(given.target, given)
  await lockIncomingWebhooks(tx, accountId)
  if ((await countIncomingWebhooks(tx, accountId)) >= MOST_INCOMING_WEBHOOKS)
    throw refusal('too_many_incoming_webhooks', { max: MOST_INCOMING_WEBHOOKS })
  const auth = sealedAuth(secrets, { id, accountId }, given.auth, null)
  const { auth: _, ...rest } = given
  const row = { ...rest, ...auth, id, accountId, allowedIps: normalizedIps(given.allowedIps) }
  const { hash, sealed } = freshAddress(secrets, row)
  await webhookTable.insert(tx, { ...row, tokenHash: hash, tokenSealed: sealed, createdBy: by.id, changedBy: by.id })
  await recorded(tx, by, accountId, 'incoming-webhook.created', { id, changes: changesOf({}, shown(row)) })
  return getIncomingWebhook(tx, install, { id, accountId })
}

/** Changes a webhook. Omitted fields keep their values, also the secret of an unchanged kind of auth. */
export async function changeIncomingWebhook(
  tx: Transaction,
  install: Install,
  by: By,
  { id, accountId }: Place,
  change: IncomingWebhookChange,
): Promise<IncomingWebhook> {
  const before = await lockIncomingWebhook(tx, id)
  if (!before) throw notFound()
  refusePaths(before.target, change)
  const { auth: given, ...rest } = change
  const auth = given && sealedAuth(install.secrets, before, given, before)
  const changed = { ...rest, ...auth, allowedIps: normalizedIps(change.allowedIps ?? before.allowedIps) }
  const row: SavedIncomingWebhook = { ...before, ...onlyGiven(changed) }
  const changes = changesOf(shown(before), shown(row))
  if (change.auth || Object.keys(changes).length > 0) {
    await webhookTable.update(tx, { accountId, id }, { ...changed, changedBy: by.id })
    await recorded(tx, by, accountId, 'incoming-webhook.updated', { id, changes })
  }
  return getIncomingWebhook(tx, install, { id, accountId })
}

export async function deleteIncomingWebhook(tx: Transaction, by: By, { id, accountId }: Place) {
  const before = await lockIncomingWebhook(tx, id)
  if (!before) throw notFound()
  await deleteWebhookRow(tx, id)
  await recorded(tx, by, accountId, 'incoming-webhook.deleted', { id, changes: changesOf({}, shown(before)) })
}

/** Creates a new address; the former one works for another day. */
export async function rotateUrl(tx: Transaction, install: Install, by: By, { id, accountId }: Place) {
  if (!(await lockIncomingWebhook(tx, id))) throw notFound()
  const fresh = freshAddress(install.secrets, { id, accountId })
  await replaceToken(tx, id, { ...fresh, changedBy: by.id }, new Date(tx.now.getTime() + OVERLAP_MS))
  await recorded(tx, by, accountId, 'incoming-webhook.url-rotated', { id })
  return getIncomingWebhook(tx, install, { id, accountId })
}

/** Returns the sender's auth with its secret. */
export function proofOf(secrets: Secrets, row: Place & Pick<IncomingWebhookRow, 'auth' | 'authSealed'>): Proof {
  const secret = row.authSealed ? secrets.open(row.authSealed, authPlace(row)) : undefined
  return row.auth.type === 'basic' ? { ...row.auth, password: secret } : ({ ...row.auth, secret } as Proof)
}

/** Creates a new token for its address, in stored form. */
export function freshAddress(secrets: Secrets, place: Place): { hash: Buffer; sealed: Buffer } {
  const token = newToken()
  return { hash: tokenHash(token), sealed: secrets.seal(token, tokenPlace(place)) }
}

const tokenPlace = ({ id, accountId }: Place) => `incoming_webhooks|token_sealed|${id}|${accountId}`
const authPlace = ({ id, accountId }: Place) => `incoming_webhooks|auth_sealed|${id}|${accountId}`

function sealedAuth(
  secrets: Secrets,
  place: Place,
  given: IncomingAuth,
  before: Pick<IncomingWebhookRow, 'auth' | 'authSealed'> | null,
): Pick<IncomingWebhookRow, 'auth' | 'authSealed'> {
  if (given.type === 'url-secret') return { auth: given, authSealed: null }
  const field = given.type === 'basic' ? 'password' : 'secret'
  const { [field]: secret, ...auth } = given as { secret?: string; password?: string } & IncomingAuth
  if (secret) return { auth: auth as IncomingAuth, authSealed: secrets.seal(secret, authPlace(place)) }
  if (before?.authSealed && before.auth.type === given.type)
    return { auth: auth as IncomingAuth, authSealed: before.authSealed }
  throw wrongField(`auth.${field}`, 'incoming_secret_missing')
}

function refusePaths(
  target: IncomingWebhook['target'],
  {
    mapping = [],
    partnerMatch,
    filters = [],
    dedupePath,
  }: Partial<Pick<SavedIncomingWebhook, 'mapping' | 'partnerMatch' | 'filters' | 'dedupePath'>>,
) {
  const fields: Record<string, string> = {}
  const path = refusal('incoming_path_unreadable').message
  const twice = refusal('incoming_field_twice').message
  for (const [place, { field, path: at }] of mapping.entries()) {
    if (!hasField(target, field))
      fields[`mapping.${place}.field`] = refusal('incoming_field_unknown', {
        fields: mappedFields[target].join(', '),
      }).message
    else if (mapping.findIndex((other) => other.field === field) < place) fields[`mapping.${place}.field`] = twice
    if (at && !parsePath(at)) fields[`mapping.${place}.path`] = path
  }
  for (const [place, filter] of filters.entries()) if (!parsePath(filter.path)) fields[`filters.${place}.path`] = path
  if (partnerMatch && !parsePath(partnerMatch.path)) fields['partnerMatch.path'] = path
  const isHeader = dedupePath?.startsWith('header:')
  if (dedupePath && !(isHeader ? headerInPath(dedupePath) : parsePath(dedupePath))) fields.dedupePath = path
  const [first] = Object.values(fields)
  if (first) throw refusal('invalid_fields', { mistake: first.replace(/\.$/, '') }, { fields })
}

function present({ config, secrets }: Install, row: ShownRow): IncomingWebhook {
  const {
    tokenSealed,
    authSealed,
    createdBy: _,
    changedBy: __,
    sample: sampled,
    processed,
    ignored,
    failed,
    ...rest
  } = row
  const sample = sampled === null ? null : JSON.parse(sampled)
  return {
    ...rest,
    auth: shownAuth(rest.auth),
    mapping: rest.mapping.map(({ path = null, default: fallback = null, ...one }) => ({
      ...one,
      path,
      default: fallback,
    })),
    url: `${config.appUrl}/hooks/in/${secrets.open(tokenSealed, tokenPlace(row))}`,
    state: !row.enabled ? 'disabled' : isCapturing(row) ? 'capturing' : 'active',
    sample,
    guesses: sample === null ? [] : guesses(row.target, sample),
    counts: { processed, ignored, failed },
  }
}

/** Shows the auth; what a webhook was saved without, in an earlier release, as it is understood. */
function shownAuth(auth: IncomingAuth): IncomingWebhook['auth'] {
  if (auth.type === 'shared-secret') return { ...auth, prefix: auth.prefix ?? null }
  if (auth.type !== 'header-hmac') return auth
  const { prefix = null, key = 'text', timestampHeader, idHeader } = auth
  const headers = { timestampHeader: timestampHeader || null, idHeader: idHeader || null }
  return { ...auth, ...headers, prefix, key, signed: templateOf(auth.signed), layout: layoutOf(auth) }
}

export const isCapturing = ({ mapping }: { mapping: MappedField[] }) => mapping.length === 0

/** The fields that the activity may show. */
const SHOWN = ['name', 'enabled', 'auth', 'mapping', 'partnerMatch', 'filters', 'dedupePath', 'allowedIps'] as const

const shown = (row: Pick<SavedIncomingWebhook, (typeof SHOWN)[number]>) =>
  Object.fromEntries(SHOWN.map((field) => [field, row[field]]))
