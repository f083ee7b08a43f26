import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { eventDescriptions } from '#contract/events.ts'
import {
  MASKED,
  type NewOutgoingWebhook,
  type OutgoingWebhook,
  type OutgoingWebhookChange,
  type OutgoingWebhookWithSecret,
  webhookEvents,
} from '#contract/outgoing-webhooks.ts'
import type { ListQuery } from '#contract/values.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { countInWords } from '../../platform/format-values.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { checkUserHeader, type Outbound } from '../../platform/http/outbound.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Watched } from '../../program/dashboard/dashboard.ts'
import {
  accountsTelling,
  countAll,
  countOutgoingWebhooks,
  type FailingWebhook,
  failingRows,
  findTwin,
  lockOutgoingWebhook,
  lockOutgoingWebhooks,
  markWebhookDeleted,
  outgoingWebhookById,
  outgoingWebhookTable,
  type WebhookRow,
  webhookColumns,
} from './queries.ts'
import { openHeaders, sealHeaders, sealSecret } from './sealed.ts'
import { WEBHOOKS } from './wake.ts'

type WithSecret = z.input<typeof OutgoingWebhookWithSecret>
/** Services needed to save a webhook. */
type Doors = { secrets: Secrets; outbound: Pick<Outbound, 'checkUserUrl'> }

/** Most webhooks per account: every event is sent to each. */
export const MOST_OUTGOING_WEBHOOKS = 50
/** Milliseconds that the former secret also signs. */
const OVERLAP_MS = 24 * 3_600_000

export const listWebhookEvents = () => ({
  items: webhookEvents.map((type) => ({ type, description: eventDescriptions[type] })),
})

export async function listOutgoingWebhooks(db: Queryable, accountId: string, query: ListQuery) {
  const found = await listPage<WebhookRow>(db, query, {
    columns: webhookColumns,
    from: sql`outgoing_webhooks t`,
    scope: sql`t.account_id = ${accountId} and t.deleted_at is null`,
    filters: [containsFilter(sql`t.name || ' ' || t.url`, query.search)],
    sorts: { name: { by: sql`lower(t.name)`, type: 'text' } },
  })
  return { ...found, items: found.items.map(present) }
}

/** Returns the number of the install's webhooks, and those that fail. */
export async function webhooksInNeed(db: Queryable): Promise<{ count: number; inNeed: FailingWebhook[] }> {
  const [count, inNeed] = await Promise.all([countAll(db), failingRows(db)])
  return { count, inNeed }
}

export const getOutgoingWebhook = async (db: Queryable, id: string) => present(await outgoingWebhookById(db, id))

/**
 * Creates a webhook. Refuses: an address or a header that may not be used, more than fifty, the same address and events
 * twice.
 */
export async function createOutgoingWebhook(
  tx: Transaction,
  { secrets, outbound }: Doors,
  by: Author,
  accountId: string,
  given: NewOutgoingWebhook,
): Promise<WithSecret> {
  const url = checkedUrl(outbound, given.url)
  refuseHeaders(given.headers)
  const masked = Object.entries(given.headers).find(([, value]) => value === MASKED)
  if (masked) throw wrongField(`headers.${masked[0]}`, 'header_value_missing')
  await lockOutgoingWebhooks(tx, accountId)
  if ((await countOutgoingWebhooks(tx, accountId)) >= MOST_OUTGOING_WEBHOOKS)
    throw refusal('too_many_outgoing_webhooks', { max: MOST_OUTGOING_WEBHOOKS })
  const { headers, ...rest } = given
  const id = newId()
  const row = { ...rest, url, id, accountId, ...sealedHeaders(secrets, { id, accountId }, headers) }
  await refuseTwin(tx, row)
  const { secret, sealed } = freshSecret(secrets, { id, accountId })
  await outgoingWebhookTable.insert(tx, { ...row, secretSealed: sealed, failures: 0 })
  await recordActivity(tx, by, accountId, 'outgoing-webhook.created', { id, changes: diffFields({}, shown(row)) })
  return { ...present(await outgoingWebhookById(tx, id)), secret }
}

/**
 * Changes a webhook. Omitted fields keep their values, and so does a header sent back masked, unless the address is on
 * another server, which would then receive a secret value.
 */
export async function changeOutgoingWebhook(
  tx: Transaction,
  { secrets, outbound }: Doors,
  by: Author,
  { id, accountId }: { id: string; accountId: string },
  change: OutgoingWebhookChange,
): Promise<OutgoingWebhook> {
  await lockOutgoingWebhooks(tx, accountId)
  const before = await lockOutgoingWebhook(tx, id)
  if (!before) throw notFound()
  const url = change.url === undefined || change.url === before.url ? before.url : checkedUrl(outbound, change.url)
  const known = sameOrigin(url, before.url) ? openHeaders(secrets, before) : {}
  const headers = unmasked(change.headers ?? maskedHeaders(before), known)
  if (change.headers) refuseHeaders(headers)
  const { headers: _, ...rest } = change
  const changed = { ...omitUndefined(rest), url, ...(change.headers && sealedHeaders(secrets, before, headers)) }
  const row = { ...before, ...changed }
  await refuseTwin(tx, row)
  const changes = diffFields(shown(before), shown(row))
  if (change.headers || Object.keys(changes).length > 0) {
    const turnedOn = row.enabled && !before.enabled && { failures: 0, disabledReason: null }
    await outgoingWebhookTable.update(tx, { accountId, id }, { ...changed, ...turnedOn })
    await recordActivity(tx, by, accountId, 'outgoing-webhook.updated', { id, changes })
    tx.afterCommit(() => tx.database.notify(WEBHOOKS))
  }
  return present(await outgoingWebhookById(tx, id))
}

export async function deleteOutgoingWebhook(
  tx: Transaction,
  by: Author,
  { id, accountId }: { id: string; accountId: string },
) {
  const before = await lockOutgoingWebhook(tx, id)
  if (!before) throw notFound()
  await markWebhookDeleted(tx, id)
  await recordActivity(tx, by, accountId, 'outgoing-webhook.deleted', { id, changes: diffFields({}, shown(before)) })
  tx.afterCommit(() => tx.database.notify(WEBHOOKS))
}

export async function rotateSecret(
  tx: Transaction,
  secrets: Secrets,
  by: Author,
  { id, accountId }: { id: string; accountId: string },
): Promise<WithSecret> {
  const before = await lockOutgoingWebhook(tx, id)
  if (!before) throw notFound()
  const { secret, sealed } = freshSecret(secrets, { id, accountId })
  const formerSecretUntil = new Date(tx.now.getTime() + OVERLAP_MS).toISOString()
  const secrecy = { formerSecretSealed: before.secretSealed, formerSecretUntil, secretSealed: sealed }
  await outgoingWebhookTable.update(tx, { accountId, id }, secrecy)
  await recordActivity(tx, by, accountId, 'outgoing-webhook.secret-rotated', { id })
  tx.afterCommit(() => tx.database.notify(WEBHOOKS))
  return { ...present(await outgoingWebhookById(tx, id)), secret }
}

/** Webhooks that fail now, or were turned off because of it. */
export const failingWebhooks: Watched = {
  kind: 'failing-webhook',
  link: '/integrations/outgoing-webhooks',
  inWords: (count) => countInWords(count, 'failing webhook'),
  count: (db, accountId) => db.value<number>`
    select count(*) from outgoing_webhooks
    where account_id = ${accountId} and deleted_at is null
      and (disabled_reason is not null or (enabled and failures > 0))`,
}

/** Creates a signing secret, with its stored form. */
export function freshSecret(secrets: Secrets, place: { id: string; accountId: string }) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: sealSecret(secrets, place, secret) }
}

function present(stored: WebhookRow): OutgoingWebhook {
  const { id, accountId, name, format, events, enabled, disabledReason, lastDeliveryAt, createdAt, updatedAt } = stored
  return {
    id,
    accountId,
    name,
    format,
    events,
    enabled,
    disabledReason,
    lastDeliveryAt,
    createdAt,
    updatedAt,
    url: understood(stored.url),
    headers: maskedHeaders(stored),
    consecutiveFailures: stored.failures,
  }
}

const maskedHeaders = ({ headerNames }: Pick<WebhookRow, 'headerNames'>) =>
  Object.fromEntries(headerNames.map((name) => [name, MASKED]))

/** The fields that the activity may show: of headers only the names. */
const shown = ({ name, url, format, events, headerNames, enabled }: Shown) => ({
  name,
  url,
  format,
  events,
  headerNames,
  enabled,
})
type Shown = Pick<WebhookRow, 'name' | 'url' | 'format' | 'events' | 'headerNames' | 'enabled'>

const sealedHeaders = (
  secrets: Secrets,
  place: { id: string; accountId: string },
  headers: Record<string, string>,
) => ({
  headerNames: Object.keys(headers),
  headersSealed: Object.keys(headers).length > 0 ? sealHeaders(secrets, place, headers) : null,
})

function unmasked(given: Record<string, string>, before: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== MASKED) return [name, value]
      const known = before[name]
      if (known === undefined) throw wrongField(`headers.${name}`, 'header_value_missing')
      return [name, known]
    }),
  )
}

/** Normalizes the address as it is called, without characters that reverse the text or imitate another host. */
const understood = (url: string) => URL.parse(url)?.href ?? url

const sameOrigin = (one: string, other: string) => URL.parse(one)?.origin === URL.parse(other)?.origin

/** Returns the address to store. Refuses one that may not be called. */
function checkedUrl(outbound: Doors['outbound'], given: string) {
  const url = understood(given)
  const wrong = outbound.checkUserUrl(given) ?? outbound.checkUserUrl(url)
  if (wrong) throw wrongField('url', 'value_refused', { problem: wrong })
  return url
}

function refuseHeaders(headers: Record<string, string>) {
  for (const [name, value] of Object.entries(headers)) {
    const wrong = checkUserHeader(name, value)
    if (wrong) throw wrongField(`headers.${name}`, 'value_refused', { problem: wrong })
  }
}

async function refuseTwin(tx: Transaction, row: Pick<WebhookRow, 'id' | 'accountId' | 'url' | 'events'>) {
  const twin = await findTwin(tx, row)
  if (!twin) return
  const { message } = refusal('outgoing_webhook_twice')
  throw refusal('outgoing_webhook_twice', { fields: { url: message }, details: { id: twin.id, name: twin.name } })
}

/** Returns the accounts that send events to other systems. */
export const tellingAccounts = async (db: Queryable): Promise<string[]> =>
  (await accountsTelling(db)).map(({ accountId }) => accountId)
