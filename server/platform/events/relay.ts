import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { inAccountsSql } from '../database/by-key.ts'
import { servesSpread } from '../database/cluster/spread.ts'
import { NIL } from '../database/ids.ts'
import { listenToChannels } from '../database/listen.ts'
import { bookingTransaction, isDatabaseAway, Overtaken, type Transaction, withSavepoint } from '../database/pool.ts'
import { empty, sql } from '../database/sql.ts'
import type { Services } from '../services.ts'
import { wakeableLoop } from '../wakeable-loop.ts'
import { runWithOrigins } from '../work-context.ts'
import { EVENTS } from './emit-event.ts'

/** An event as read by listeners. */
export type Event = {
  id: string
  accountId: string | null
  type: string
  kind: 'public' | 'internal'
  subjectId: string | null
  at: string
  /** Public: the object at that time, and its changes; internal: the ids of the signal. */
  data: Record<string, unknown>
}

/** Adds the jobs that follow from events, in the relay's transaction and for the whole batch at once. */
export type Listener = (tx: Transaction, events: Event[], services: Services) => Promise<void>

const BATCH = 200
const POLL_MS = 500
/** Pause on a cluster, whose machines are all asked by a batch, however small. */
const GATHER_MS = 250
/** Tries before an event is parked, about a day including the waits. */
const MOST_TRIES = 12
const LONGEST_WAIT_SECONDS = 4 * 3600
/**
 * Error for a missing event. A foreign key can't prevent it, since it would prevent dropping a month. Retried, because
 * on several machines a relay may become visible moments before its event.
 */
const LOST = 'The event is no longer in the database; nothing can follow it up.'

/**
 * Passes up to one batch of events to the listeners; returns how many. Several relays share the work. An event that a
 * listener refuses does not block others: the batch is repeated one by one, and that event is retried separately, at
 * growing intervals, and finally parked.
 */
export const relayOnce = (services: Services, listeners: Listener[]) => {
  const tell = (tx: Transaction, batch: Event[]) =>
    Promise.all(listeners.map((listener) => listener(tx, batch, services)))
  const together = () => relayBatch(services, (tx, events) => tell(tx, events).then(() => new Map()))
  const oneByOne = () =>
    relayBatch(services, async (tx, events) => {
      const failed = new Map<string, string>()
      for (const event of events)
        await withSavepoint(tx, () => tell(tx, [event])).catch((error: Error) => failed.set(event.id, error.message))
      return failed
    })
  return together().catch((error) => {
    if (isDatabaseAway(error)) throw error
    return oneByOne()
  })
}

/** `tell` returns the errors of events that failed, by id. */
const relayBatch = (
  { db, log, tracer }: Services,
  tell: (tx: Transaction, events: Event[]) => Promise<Map<string, string>>,
): Promise<number> =>
  bookingTransaction(db, async (tx) => {
    const due = await lockDueRelays(tx)
    if (due.length === 0) return 0
    const loaded = await eventsById(
      tx,
      due.map(({ id }) => id),
    )
    const events = due.flatMap(({ id }) => loaded.get(id) ?? [])
    const tries = new Map(due.map((one) => [one.id, one.tries + 1]))
    const failed = await (tracer ? runWithOrigins(requestsOf(events), () => tell(tx, events)) : tell(tx, events))
    const done = events.filter(({ id }) => !failed.has(id)).map(({ id }) => id)
    const accounts = due.map(({ accountId }) => accountId)
    const deleted = await tx.run`
      delete from event_relays
      where ${inAccountsSql(sql`account_id`, accounts)} and event_id = any(${done}::uuid[])`
    if (deleted < done.length) throw new Overtaken('a machine of the cluster had yet to commit the turn before')
    for (const { id, type } of events)
      if (failed.has(id)) await putOff(tx, log, { id, type, tries: tries.get(id)!, error: failed.get(id)! })
    for (const { id } of due)
      if (!loaded.has(id)) await putOff(tx, log, { id, type: null, tries: tries.get(id)!, error: LOST })
    return due.length
  })

type Due = { id: string; accountId: string; tries: number }

/** Locks the events whose turn it is. One relay at a time on a cluster, which doesn't lock rows of several machines. */
async function lockDueRelays(tx: Transaction): Promise<Due[]> {
  const isSpread = await servesSpread(tx)
  if (isSpread && !(await tx.value<boolean>`select pg_try_advisory_xact_lock(hashtextextended('relay', 0))`)) return []
  return tx.many<Due>`
    select event_id as id, account_id, tries from event_relays where parked_at is null and next_at <= ${tx.now}
    order by event_id limit ${BATCH} ${isSpread ? empty : sql`for update skip locked`}`
}

type LoadedEvent = Event & { requestId: string | null }

async function eventsById(tx: Transaction, ids: string[]): Promise<Map<string, LoadedEvent>> {
  const events = await tx.many<LoadedEvent>`
    select id, nullif(account_id, ${NIL}) as account_id, type, kind, subject_id, at, data, request_id
    from told_events where id = any(${ids}::uuid[])`
  return new Map(events.map((event) => [event.id, event]))
}

const requestsOf = (events: { requestId: string | null }[]) => [
  ...new Set(events.flatMap(({ requestId }) => requestId ?? [])),
]

async function putOff(
  tx: Transaction,
  log: Logger,
  { id, type, tries, error }: { id: string; type: string | null; tries: number; error: string },
) {
  const parked = tries >= MOST_TRIES
  const waitSeconds = Math.min(2 ** tries, LONGEST_WAIT_SECONDS)
  await tx.run`
    update event_relays set tries = ${tries}, error = ${error.slice(0, 1000)},
      next_at = ${new Date(tx.now.getTime() + waitSeconds * 1000)}, parked_at = ${parked ? tx.now : null}
    where event_id = ${id}`
  const words = parked ? 'an event could not be followed up and is parked' : 'an event could not be followed up yet'
  log[parked ? 'error' : 'warn']({ eventId: id, type, tries, error }, words)
}

/**
 * Relays until stopped. A notification wakes it; missed or postponed events are found by polling every half second. A
 * failure (database unavailable) is logged and retried.
 */
export function startRelay(services: Services, listeners: Listener[]) {
  const relay = async () => {
    const relayed = await relayOnce(services, listeners)
    if (relayed > 0 && relayed < BATCH && (await servesSpread(services.db))) await sleep(GATHER_MS)
    return relayed === BATCH
  }
  const { wake, stop } = wakeableLoop(relay, {
    everyMs: POLL_MS,
    onFailure: (error) => services.log.warn({ error }, 'events could not be relayed and are waiting'),
  })
  const subscription = listenToChannels(services.db, { [EVENTS]: wake }, wake)
  return {
    async stop() {
      await stop()
      await subscription.close()
    },
  }
}
