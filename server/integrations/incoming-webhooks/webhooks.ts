import type {
  IncomingAuth,
  IncomingWebhook,
  IncomingWebhookChange,
  NewIncomingWebhook,
} from '#contract/incoming-webhooks.ts'
import { headerInPath, mappedFields } from '#contract/incoming-webhooks.ts'
import { type Json, parsePath } from '#contract/payload-paths.ts'
import type { ListQuery } from '#contract/values.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { newToken, type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { normalizedIps } from './allowed-ips.ts'
import type { Proof } from './authenticate.ts'
import { inferMapping, type Suggestions } from './infer-mapping.ts'
import { hasField } from './map.ts'
import { clearSameId, readsSameIds } from './others-id.ts'
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
import {
  firstItem,
  isMapped,
  onlyRule,
  type Rule,
  type StoredRules,
  storedRules,
  toCondition,
  toRule,
  toRules,
} from './rules.ts'
import { findRecipe } from './senders/senders.ts'
import { shownAuth, shownField, shownRule } from './shown.ts'

/** Milliseconds that the former address still works. */
const OVERLAP_MS = 24 * 3_600_000

export async function listIncomingWebhooks(db: Queryable, install: Install, accountId: string, query: ListQuery) {
  const found = await listPage<ShownRow>(db, query, {
    columns: listedColumns(accountId),
    from: shownFrom(db.now, accountId),
    scope: sql`t.account_id = ${accountId}`,
    filters: [containsFilter(sql`t.name`, query.search)],
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
  by: Author,
  accountId: string,
  given: NewIncomingWebhook,
): Promise<IncomingWebhook> {
  const { secrets } = install
  const id = newId()
  const { sender = null, auth: asked, rules, target, mapping, partnerMatch, filters, ...others } = given
  const recipe = sender === null ? undefined : findRecipe(sender)
  if (sender !== null && !recipe) throw wrongField('sender', 'incoming_sender_unknown')
  const only = target && [onlyRule({ target, mapping, partnerMatch, filters })]
  const wanted = only ?? (rules ?? recipe!.rules).map(toRule)
  const dedupePath = given.dedupePath === undefined ? (recipe?.dedupePath ?? null) : given.dedupePath
  refusePaths(wanted, only === undefined, dedupePath)
  const rest = { ...others, sender, dedupePath }
  await lockIncomingWebhooks(tx, accountId)
  if ((await countIncomingWebhooks(tx, accountId)) >= MOST_INCOMING_WEBHOOKS)
    throw refusal('too_many_incoming_webhooks', { max: MOST_INCOMING_WEBHOOKS })
  const auth = sealedAuth(secrets, { id, accountId }, authAsked(recipe?.auth, asked), null)
  const row = { ...rest, ...storedRules(wanted), ...auth, id, accountId, allowedIps: normalizedIps(given.allowedIps) }
  const { hash, sealed } = freshAddress(secrets, row)
  await webhookTable.insert(tx, { ...row, tokenHash: hash, tokenSealed: sealed, createdBy: by.id, changedBy: by.id })
  await recordActivity(tx, by, accountId, 'incoming-webhook.created', { id, changes: diffFields({}, shown(row)) })
  return getIncomingWebhook(tx, install, { id, accountId })
}

/** Changes a webhook. Omitted fields keep their values, also the secret of an unchanged kind of auth. */
export async function changeIncomingWebhook(
  tx: Transaction,
  install: Install,
  by: Author,
  { id, accountId }: Place,
  change: IncomingWebhookChange,
): Promise<IncomingWebhook> {
  const before = await lockIncomingWebhook(tx, id)
  if (!before) throw notFound()
  const { auth: given, rules, mapping, partnerMatch, filters, ...others } = change
  const wanted = changedRules(before, { rules, mapping, partnerMatch, filters })
  refusePaths(wanted ?? [], rules !== undefined, change.dedupePath)
  const rest = { ...others, ...(wanted && storedRules(wanted)) }
  const auth = given && sealedAuth(install.secrets, before, given, before)
  const changed = { ...rest, ...auth, allowedIps: normalizedIps(change.allowedIps ?? before.allowedIps) }
  const row: SavedIncomingWebhook = { ...before, ...omitUndefined(changed) }
  const changes = diffFields(shown(before), shown(row))
  if (change.auth || Object.keys(changes).length > 0) {
    await webhookTable.update(tx, { accountId, id }, { ...changed, changedBy: by.id })
    if (!readsSameIds(before, row)) await clearSameId(tx, id)
    await recordActivity(tx, by, accountId, 'incoming-webhook.updated', { id, changes })
  }
  return getIncomingWebhook(tx, install, { id, accountId })
}

export async function deleteIncomingWebhook(tx: Transaction, by: Author, { id, accountId }: Place) {
  const before = await lockIncomingWebhook(tx, id)
  if (!before) throw notFound()
  await deleteWebhookRow(tx, id)
  await recordActivity(tx, by, accountId, 'incoming-webhook.deleted', { id, changes: diffFields({}, shown(before)) })
}

/** Creates a new address; the former one works for another day. */
export async function rotateUrl(tx: Transaction, install: Install, by: Author, { id, accountId }: Place) {
  if (!(await lockIncomingWebhook(tx, id))) throw notFound()
  const fresh = freshAddress(install.secrets, { id, accountId })
  await replaceToken(tx, id, { ...fresh, changedBy: by.id }, new Date(tx.now.getTime() + OVERLAP_MS))
  await recordActivity(tx, by, accountId, 'incoming-webhook.url-rotated', { id })
  return getIncomingWebhook(tx, install, { id, accountId })
}

/** Returns the sender's auth with its secret. */
export function openProof(secrets: Secrets, row: Place & Pick<IncomingWebhookRow, 'auth' | 'authSealed'>): Proof {
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

/** Returns how deliveries are proven: as asked, or as the sender does it with the secret alone. */
function authAsked(senders: IncomingAuth = { type: 'url-secret' }, asked: NewIncomingWebhook['auth']): IncomingAuth {
  if (asked && 'type' in asked) return asked
  const { secret } = asked ?? {}
  // the address itself is the secret
  if (!secret || senders.type === 'url-secret') return senders
  return senders.type === 'basic' ? { ...senders, password: secret } : { ...senders, secret }
}

type RuleChange = Pick<IncomingWebhookChange, 'rules' | 'mapping' | 'partnerMatch' | 'filters'>

/** Returns the rules after a change, of all or of the first one's parts; null if it concerns none. */
function changedRules(before: IncomingWebhookRow, { rules, filters, ...parts }: RuleChange): Rule[] | null {
  if (rules) return rules.map(toRule)
  const changed = omitUndefined({ ...parts, when: filters?.map(toCondition) })
  if (Object.keys(changed).length === 0) return null
  const [first = onlyRule(before), ...others] = toRules(before)
  return [{ ...first, ...changed }, ...others]
}

/** Returns a webhook as it would be with other rules, or parts of its only one; what it doesn't map yet, as guessed. */
export function triedWith(webhook: IncomingWebhookRow, change: RuleChange, payload: Json): IncomingWebhookRow {
  const changed = changedRules(webhook, change)
  const rules = changed ?? toRules(webhook)
  if (rules.some(isMapped)) return changed ? { ...webhook, ...storedRules(rules) } : webhook
  const guessed = rules.map((rule) => ({
    ...rule,
    mapping: suggestedFor(rule, payload).guesses,
  }))
  return { ...webhook, ...storedRules(guessed) }
}

/** Refuses unreadable paths, and fields that a target lacks, at their place: in `rules`, or as parts of the only one. */
function refusePaths(rules: Rule[], inRules: boolean, dedupePath: string | null | undefined) {
  const fields: Record<string, string> = {}
  const path = refusal('incoming_path_unreadable').message
  const twice = refusal('incoming_field_twice').message
  for (const [at, { target, each, when, mapping, partnerMatch }] of (inRules ? rules : rules.slice(0, 1)).entries()) {
    const before = inRules ? `rules.${at}.` : ''
    if (each && each !== '$' && !parsePath(each)) fields[`${before}each`] = path
    for (const [place, { field, path: from }] of mapping.entries()) {
      if (!hasField(target, field))
        fields[`${before}mapping.${place}.field`] = refusal('incoming_field_unknown', {
          fields: mappedFields[target].join(', '),
        }).message
      else if (mapping.findIndex((other) => other.field === field) < place)
        fields[`${before}mapping.${place}.field`] = twice
      if (from && !parsePath(from)) fields[`${before}mapping.${place}.path`] = path
    }
    for (const [place, condition] of when.entries())
      if (!parsePath(condition.path)) fields[`${before}${inRules ? 'when' : 'filters'}.${place}.path`] = path
    if (partnerMatch && !parsePath(partnerMatch.path)) fields[`${before}partnerMatch.path`] = path
  }
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
    sameId,
    processed,
    ignored,
    failed,
    ...rest
  } = row
  const sample = sampled === null ? null : JSON.parse(sampled)
  const rules = toRules(row)
  const suggested = rules.map((rule) => suggestedFor(rule, sample))
  return {
    ...rest,
    auth: shownAuth(rest.auth),
    rules: rules.map(shownRule),
    mapping: rest.mapping.map(shownField),
    url: `${config.appUrl}/hooks/in/${secrets.open(tokenSealed, tokenPlace(row))}`,
    state: !row.enabled ? 'disabled' : isCapturing(row) ? 'capturing' : 'active',
    attention: sameId && { reason: 'same-id', value: sameId.externalId, since: sameId.since },
    sample,
    guesses: suggested[0]?.guesses ?? [],
    guessesByRule: suggested.map(({ guesses }) => guesses),
    questionsByRule: suggested.map(({ questions }) => questions),
    counts: { processed, ignored, failed },
  }
}

/** Returns what is likely of a rule's fields, from the first item if it has a list; nothing without a sample. */
function suggestedFor(rule: Rule, sample: Json): Suggestions {
  const item = sample === null ? undefined : firstItem(rule, sample)
  return item === undefined ? { guesses: [], questions: [] } : inferMapping(rule.target, item)
}

export const isCapturing = (stored: StoredRules) => !toRules(stored).some(isMapped)

/** The fields that the activity may show. */
const SHOWN = ['name', 'enabled', 'auth', 'mapping', 'partnerMatch', 'filters', 'dedupePath', 'allowedIps'] as const

/** Further rules are shown beside the parts of the first. */
const shown = (row: Pick<SavedIncomingWebhook, (typeof SHOWN)[number] | 'rules'>) => ({
  ...Object.fromEntries(SHOWN.map((field) => [field, row[field]])),
  ...(row.rules && row.rules.length > 1 && { rules: row.rules }),
})
