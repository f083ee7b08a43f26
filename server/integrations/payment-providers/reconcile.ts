import { type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { bookAgain } from './book-payment.ts'
import { markConnectionFailing } from './connection-problems.ts'
import {
  connectionsToReconcile,
  formerEnd,
  paymentsToReadAgain,
  setReadAgain,
  setReconciled,
  setRefundedToReadAgain,
} from './past-queries.ts'
import { PaymentProviderError, type ReceivedEvent } from './provider.ts'
import { liveConnection } from './queries.ts'
import { reconcileQueue } from './queue.ts'
import { createBookingRun, type History, nextPage, openHistory, processPage } from './read-past.ts'
import { getProviderAccess, openCredentials } from './secrets.ts'

const DAY = 86_400_000
/** Days that every night covers; and the overlap with the previous night, in milliseconds. */
const DAYS_BACK = 3
const OVERLAP = DAY
/** Longest time between two connections of a shop that the first check covers, in milliseconds. */
const MOST_BETWEEN = 30 * DAY
/** Longest time after a refund, in milliseconds, in which its removal at the provider is noticed. */
const REMOVABLE = 60 * DAY
/** Hours of the night over which connections are spread, in their accounts' time zones. */
const NIGHT = { first: 1, hours: 5 }

/** Queues each connection once a night; a failed one every hour until it succeeds. */
export const reconcileByNight = ({ db, jobs }: Services) =>
  transaction(db, async (tx) => {
    for (const { id } of await connectionsToReconcile(tx, NIGHT))
      await jobs.add(tx, reconcileQueue, { connectionId: id }, { singletonKey: id })
  })

/**
 * Reads a provider's history of the last days and books events that were missed; payments already booked stay
 * unchanged. Payments from before the connection are left to the import of past sales.
 */
export async function reconcileConnection(
  services: Services,
  { connectionId }: { connectionId: string },
): Promise<void> {
  const { db } = services
  const connection = await liveConnection(db, connectionId)
  if (!connection) return
  const begun = db.now
  const connectedAt = new Date(connection.createdAt)
  const uncredited = new Set<string>()
  const history = await openHistory(services, connection, {
    accepts: ({ at }) => at >= connectedAt,
    async booked(_, { key, created, credited }) {
      if (credited) uncredited.delete(key)
      else if (created) uncredited.add(key)
    },
  })
  if (!history || history.booking.account.disabledAt) return
  let since = startOfHistory(connection, await formerEnd(db, connection), begun)
  const isOver = async () => (await liveConnection(db, connectionId)) === undefined
  try {
    let page = await nextPage(history, since, null).catch((error) => {
      if (!(error instanceof PaymentProviderError && error.listedFrom)) throw error
      since = error.listedFrom
      return nextPage(history, since, null)
    })
    for (;;) {
      if (await isOver()) return
      await processPage(history, page.events, createBookingRun(history, 0), isOver)
      if (page.next === null) break
      page = await nextPage(history, since, page.next)
    }
    if (history.adapter.removesRefunds)
      await setRefundedToReadAgain(db, connection, new Date(begun.getTime() - REMOVABLE))
    await readAgain(history, isOver)
  } catch (error) {
    if (error instanceof PaymentProviderError && error.kind === 'refused')
      return markConnectionFailing(db, connectionId, error.message)
    // a key may be sufficient for events but not for the history
    if (error instanceof PaymentProviderError && error.kind === 'forbidden') {
      services.log.info({ connectionId, reason: error.message }, 'what a provider remembers may not be read')
      return
    }
    throw error
  } finally {
    await creditFound(services, history, uncredited)
  }
  await transaction(db, (tx: Transaction) => setReconciled(tx, connectionId, begun))
}

/**
 * Credits sales that were read before the one that names their customer's partner: histories begin with the newest.
 * Repeats until nothing more is found; `uncredited` loses those credited.
 */
async function creditFound({ db }: Services, { booking }: History, uncredited: Set<string>) {
  for (let before = Infinity; uncredited.size < before; ) {
    before = uncredited.size
    for (const key of [...uncredited]) await transaction(db, (tx) => bookAgain(tx, booking, key))
  }
}

/** Number of payments read again at once. */
const AGAIN = 100

/** Reads the payments again that are marked for it, and books what differs. */
async function readAgain(history: History, isOver: () => Promise<boolean>): Promise<void> {
  const { services, connection, adapter } = history
  if (!adapter.readAgain) return
  const credentials = openCredentials(services.secrets, connection)!
  const reach = getProviderAccess(services, connection.provider)
  for (;;) {
    const payments = await paymentsToReadAgain(services.db, connection, AGAIN)
    if (payments.length === 0 || (await isOver())) return
    const events: ReceivedEvent[] = []
    for (const { objects } of payments)
      events.push(...(await adapter.readAgain(credentials, reach, objects).catch(noneIfMissing)))
    await processPage(history, events, createBookingRun(history, 0), isOver)
    // the page may have ended early: the next connection reads them
    if (await isOver()) return
    const keys = payments.map(({ key }) => key)
    await setReadAgain(services.db, connection, keys)
  }
}

function noneIfMissing(error: unknown): ReceivedEvent[] {
  if (error instanceof PaymentProviderError && error.kind === 'missing') return []
  throw error
}

type Connected = { reconciledAt: string | null; createdAt: string }

/**
 * Returns the start: three days ago, or the last success if that is longer ago; never before the connection, or the end
 * of the shop's former one, as known payments may have been refunded since. The history may not reach so far.
 */
function startOfHistory({ reconciledAt, createdAt }: Connected, formerEnd: string | null, now: Date): Date {
  const connected = Date.parse(createdAt)
  const begins = Math.max(Math.min(connected, Date.parse(formerEnd ?? createdAt)), connected - MOST_BETWEEN)
  const days = now.getTime() - DAYS_BACK * DAY
  const last = reconciledAt === null ? begins : Date.parse(reconciledAt) - OVERLAP
  return new Date(Math.max(Math.min(days, last), begins - OVERLAP))
}
