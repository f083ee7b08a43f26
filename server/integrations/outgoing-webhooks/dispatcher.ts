import { newId } from '../../platform/database/ids.ts'
import { listenToChannels } from '../../platform/database/listen.ts'
import { OutboundError, type OutboundLine } from '../../platform/http/outbound.ts'
import type { Services } from '../../platform/services.ts'
import { singleFlight } from '../../platform/single-flight.ts'
import { originOfRequest } from '../../platform/span.ts'
import { wakeableLoop } from '../../platform/wakeable-loop.ts'
import { runWithCause } from '../../platform/work-context.ts'
import { buildBody } from './body.ts'
import { acquireLeases, dueDeliveries, releaseLease, renewLeases } from './leases.ts'
import type { Sending, WebhookRow } from './queries.ts'
import { createSettling, type DeliveryAttempt } from './record-attempts.ts'
import { type DeliveryOutcome, isSuccess, isTooMany, parseRetryAfter } from './schedule.ts'
import { openWebhookSecrets } from './sealed.ts'
import { sendSigned } from './send-signed.ts'
import { DELIVERIES, WEBHOOKS } from './wake.ts'

type Needs = Pick<Services, 'config' | 'db' | 'log' | 'outbound' | 'secrets' | 'tracer'>
type Options = {
  random?: () => number
  /** Time-out of a receiver in milliseconds. */
  timeoutMs?: number
  /** Milliseconds for pending sends to end when stopped. */
  stopMs?: number
  /** Delivers nothing before this has settled, or `AFTER_MS` have passed. */
  after?: Promise<unknown>
}

const AFTER_MS = 30_000

/** Concurrent deliveries per webhook; and per failing one. */
const SLOTS = 4
const SLOTS_WHILE_FAILING = 1
/** Most webhooks served concurrently by one process: each occupies some sockets and bodies. */
const MOST_LANES = 500
/** Deliveries read ahead per webhook: more as it proves to be fast. */
const FIRST_READ = 8
const MOST_READ = 250
/** Most deliveries sent, but not stored yet. */
const MOST_UNSETTLED = 1000
const POLL_MS = 500
const KEEP_MS = 3_000

const ANSWER_CHARACTERS = 1000

/** Longest wait for a receiver that gets too many requests; then one delivery tries it again. */
const MOST_REST_MS = 5 * 60_000

/**
 * Delivers until stopped. Several processes share the work by webhook: only the process with a webhook's turn delivers
 * to it, so that no receiver gets more than a few requests at once, and a slow one delays no other's deliveries. A
 * delivery whose result was not stored, because the process died or the database was unavailable, is sent again.
 */
export function startDispatcher(
  services: Needs,
  { random = Math.random, timeoutMs = 15_000, stopMs = 3_000, after }: Options = {},
) {
  const { db, log } = services
  const me = newId()
  const settle = createSettling(db, random)
  const lanes = new Map<string, EndpointSender>()
  let refreshAt = 0

  const open = (receiver: WebhookRow) => {
    const lane = createEndpointSender({ ...services, timeoutMs, settle }, receiver, async () => {
      // if the database is unavailable the turn stays ours, and is taken again
      await releaseLease(db, me, receiver.id).catch(() => {})
      lanes.delete(receiver.id)
    })
    lanes.set(receiver.id, lane)
  }

  /** Extends our turns, and rereads their webhooks. */
  const refresh = async () => {
    refreshAt = performance.now() + KEEP_MS
    const ids = [...lanes.keys()]
    if (ids.length === 0) return
    const receivers = new Map((await renewLeases(db, me, ids)).map((receiver) => [receiver.id, receiver]))
    for (const id of ids) lanes.get(id)?.refresh(receivers.get(id))
  }

  let isOpen = after === undefined
  const opened = () => {
    clearTimeout(openedAnyhow)
    isOpen = true
    wake()
  }
  const openedAnyhow = after && setTimeout(opened, AFTER_MS)
  after?.then(opened)

  const turn = async () => {
    if (!isOpen) return false
    if (performance.now() >= refreshAt) await refresh()
    for (const lane of lanes.values()) lane.fill()
    const room = MOST_LANES - lanes.size
    if (room > 0) for (const receiver of await acquireLeases(db, me, [...lanes.keys()], room)) open(receiver)
    return false
  }
  const { wake, stop } = wakeableLoop(turn, {
    everyMs: POLL_MS,
    onFailure: (error) => log.warn({ error }, 'webhook deliveries could not be read and are waiting'),
  })
  const refreshSoon = () => {
    refreshAt = 0
    wake()
  }
  const subscription = listenToChannels(db, { [DELIVERIES]: wake, [WEBHOOKS]: refreshSoon }, refreshSoon)
  return {
    async stop() {
      clearTimeout(openedAnyhow)
      await stop()
      await subscription.close()
      await Promise.all([...lanes.values()].map((lane) => lane.stop(stopMs)))
    },
  }
}

type EndpointSender = ReturnType<typeof createEndpointSender>
type LaneNeeds = Needs & { timeoutMs: number; settle(one: DeliveryAttempt): Promise<void> }

/** Sends the deliveries to one webhook while any are due; `onEnd` when there are none, or the turn is lost. */
function createEndpointSender(needs: LaneNeeds, first: WebhookRow, onEnd: () => Promise<void>) {
  const { config, db, log, outbound, secrets, settle, timeoutMs, tracer } = needs
  let receiver = first
  let opened: ReturnType<typeof openWebhookSecrets> | undefined
  let line: (OutboundLine & { isCut: boolean }) | undefined
  let isFailing = receiver.failures > 0
  let isOver = false
  let readNext = FIRST_READ
  let isMoreDue = false
  /** Read, but not sent yet. */
  const ahead: Sending[] = []
  /** Read, but the result is not stored yet. */
  const underWay = new Set<string>()
  const settling = new Set<Promise<void>>()
  let workers = 0
  let isEnding = false
  /** The time before which the receiver wants nothing, in milliseconds: another delivery would get the same answer. */
  let restUntil = 0
  const rests = () => db.now.getTime() < restUntil

  /** Returns the number read; concurrent callers share the result. */
  const read = singleFlight(async () => {
    const rows = await dueDeliveries(db, receiver, [...underWay], readNext)
    isMoreDue = rows.length === readNext
    readNext = Math.min(readNext * 2, MOST_READ)
    for (const { id } of rows) underWay.add(id)
    ahead.push(...rows)
    return rows.length
  })
  /** Returns undefined if nothing more is due. */
  const next = async () => {
    while (!isOver && ahead.length === 0) if ((await read()) === 0) return undefined
    // an error recurs in the next read, which is awaited
    if (isMoreDue && ahead.length < readNext / 4) read().catch(() => {})
    return isOver ? undefined : ahead.shift()
  }

  /** Returns undefined if the connection was cut on our side, which is no failure. */
  const attempt = async (delivery: Sending): Promise<DeliveryOutcome | undefined> => {
    const startedAt = performance.now()
    const unanswered = (answer: string) => ({
      code: null,
      durationMs: Math.round(performance.now() - startedAt),
      answer,
    })
    const content = { ...delivery, accountId: receiver.accountId, webhookId: receiver.id }
    const body = buildBody(content, { format: receiver.format, origin: config.appUrl })
    if (body === null) return unanswered('The event is older than 90 days and no longer stored.')
    line ??= { ...outbound.lineTo(receiver.url, SLOTS), isCut: false }
    const used = line
    try {
      opened ??= openWebhookSecrets(secrets, receiver)
      const sent = { id: delivery.eventId, body, now: db.now, timeoutMs }
      const { status, text, headers: answered } = await sendSigned(used, opened, sent)
      return {
        ...unanswered(storable(text)),
        code: status,
        retryAfterMs: parseRetryAfter(answered['retry-after'], db.now),
      }
    } catch (error) {
      if (used.isCut) return undefined
      if (error instanceof OutboundError) return unanswered(storable(error.message))
      log.error({ webhookId: receiver.id, err: error }, 'a webhook delivery could not be prepared')
      return unanswered('The delivery couldn’t be prepared. Ask the administrator of this server.')
    }
  }

  const traced = async (delivery: Sending, work: () => Promise<DeliveryOutcome | undefined>) => {
    if (!tracer) return work()
    const span = tracer.job(
      delivery.id,
      'webhook delivery',
      {
        'tributary.account_id': receiver.accountId,
        'tributary.webhook_id': receiver.id,
        'tributary.try': delivery.tries + 1,
      },
      delivery.requestId ? [originOfRequest(delivery.requestId)] : [],
    )
    const outcome = await runWithCause({ deliveryId: delivery.id }, work, span)
    span.end(outcome && !isSuccess(outcome) ? 'failed' : undefined)
    return outcome
  }

  const deliver = async (delivery: Sending) => {
    const outcome = await traced(delivery, () => attempt(delivery))
    if (!outcome) return void underWay.delete(delivery.id)
    isFailing = !isSuccess(outcome)
    if (isTooMany(outcome)) restUntil = db.now.getTime() + Math.min(outcome.retryAfterMs ?? 0, MOST_REST_MS)
    const settled = settle({
      id: delivery.id,
      tries: delivery.tries,
      accountId: receiver.accountId,
      webhookId: receiver.id,
      outcome,
    })
      .catch((error) =>
        log.warn({ deliveryId: delivery.id, error }, 'the outcome of a delivery was lost; it is sent again'),
      )
      .finally(() => {
        underWay.delete(delivery.id)
        settling.delete(settled)
      })
    settling.add(settled)
    if (settling.size >= MOST_UNSETTLED) await settled
  }

  const slots = () => (isFailing ? SLOTS_WHILE_FAILING : SLOTS)
  const fill = () => {
    while (!isOver && !rests() && workers < slots()) work()
  }
  /** Ends the lane once its workers have; one that rests has none. */
  const stopWork = () => {
    isOver = true
    if (workers === 0) end()
  }
  const work = async () => {
    workers++
    try {
      for (let delivery = await next(); delivery; delivery = await next()) {
        await deliver(delivery)
        if (rests() || workers > slots()) break
        if (ahead.length > 0) fill()
      }
    } catch (error) {
      log.warn({ webhookId: receiver.id, error }, 'deliveries to a webhook are waiting')
      isOver = true
    }
    workers--
    if (workers === 0 && (isOver || !rests())) end()
  }

  /** Cuts the connection, so that pending deliveries are sent on a new one. */
  const cut = () => {
    if (!line) return
    line.isCut = true
    line.cut()
    line = undefined
  }

  const over = Promise.withResolvers<void>()
  const end = async () => {
    if (isEnding) return
    isEnding = true
    isOver = true
    await Promise.all(settling)
    line?.close()
    await onEnd()
    over.resolve()
  }
  fill()

  return {
    fill,
    /** Updates the receiver; undefined if it is off, or the turn is lost. */
    refresh(now: WebhookRow | undefined) {
      if (!now) return stopWork()
      const isElsewhere = now.url !== receiver.url
      receiver = now
      opened = undefined
      if (isElsewhere) cut()
    },
    /** Waits for pending sends, or cuts them off. */
    async stop(patienceMs: number) {
      stopWork()
      const late = setTimeout(cut, patienceMs)
      await over.promise
      clearTimeout(late)
    },
  }
}

/** Cuts the text and makes it valid for PostgreSQL. */
const storable = (text: string) => text.slice(0, ANSWER_CHARACTERS).toWellFormed().replaceAll('\0', '\ufffd')
