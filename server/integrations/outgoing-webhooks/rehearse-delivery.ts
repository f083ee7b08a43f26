import { ALL_EVENTS } from '#contract/outgoing-webhooks.ts'
import { newId } from '../../platform/database/ids.ts'
import { OutboundError } from '../../platform/http/outbound.ts'
import type { Services } from '../../platform/services.ts'
import { isInstallPaused } from '../../program/payouts/reconciliation/reconcile-transfers.ts'
import { rehearsedBody } from './body.ts'
import { findSubscribedWebhooks, type WebhookRow } from './queries.ts'
import { isSuccess } from './schedule.ts'
import { openWebhookSecrets } from './sealed.ts'
import { sendSigned } from './send-signed.ts'
import { MOST_OUTGOING_WEBHOOKS } from './webhooks.ts'

/** An event in a rehearsal, its object as JSON. */
export type Rehearsed = { event: string; object: string }
/** `problem`: why this webhook gets nothing, in words; null if its receiver accepted it. */
export type RehearsedDelivery = { name: string; problem: string | null }

const TIMEOUT_MS = 10_000

/**
 * Sends each webhook of the account a test of the first of these events that it subscribes to, signed and sent like
 * deliveries, without storing anything: no delivery, no failure. Skips webhooks that subscribe to none of them, and all
 * while the install's webhooks are paused.
 */
export async function rehearseTelling(
  services: Pick<Services, 'config' | 'db' | 'outbound' | 'secrets' | 'log'>,
  accountId: string,
  happened: Rehearsed[],
): Promise<RehearsedDelivery[] | 'paused'> {
  if (await services.db.value<boolean>`select ${isInstallPaused()}`) return 'paused'
  const webhooks = await findSubscribedWebhooks(services.db, accountId, MOST_OUTGOING_WEBHOOKS)
  const wanted = webhooks.flatMap((webhook) => {
    const first = happened.find(({ event }) => webhook.events.some((one) => one === ALL_EVENTS || one === event))
    return first ? [{ webhook, first }] : []
  })
  return Promise.all(wanted.map(({ webhook, first }) => deliverRehearsal(services, webhook, first)))
}

async function deliverRehearsal(
  { config, db, outbound, secrets, log }: Pick<Services, 'config' | 'db' | 'outbound' | 'secrets' | 'log'>,
  webhook: WebhookRow,
  happened: Rehearsed,
): Promise<RehearsedDelivery> {
  const { id: webhookId, accountId, name, url } = webhook
  if (!webhook.enabled) return { name, problem: 'is turned off, because its deliveries failed' }
  const { now } = db
  const id = newId()
  const body = rehearsedBody(
    { ...happened, id, at: now.toISOString(), accountId, webhookId },
    { format: webhook.format, origin: config.appUrl },
  )
  const line = outbound.lineTo(url, 1)
  try {
    const { status } = await sendSigned(line, openWebhookSecrets(secrets, webhook), {
      id,
      body,
      now,
      timeoutMs: TIMEOUT_MS,
    })
    return { name, problem: isSuccess({ code: status }) ? null : `returned ${status}` }
  } catch (error) {
    if (error instanceof OutboundError)
      return { name, problem: `couldn’t be reached: ${error.message.replace(/\.$/, '')}` }
    log.error({ webhookId, err: error }, 'a webhook of a rehearsal could not be prepared')
    return { name, problem: 'could not be prepared. Ask the administrator of this server' }
  } finally {
    line.cut()
  }
}
