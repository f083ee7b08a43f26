import type { Author } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { concernsAll, heldByLock, type Transaction, transaction } from '../../platform/database/pool.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { type Booking, type Past, type PastPayment, reportBooked } from './book-payment.ts'
import { bookEvent, gatherFacts, toStorable } from './jobs.ts'
import { insertPastEvent, storedEvents } from './past-queries.ts'
import { PaymentProviderError, type ProviderAdapter, type ProviderPayment, type ReceivedEvent } from './provider.ts'
import { accountFactsById, type ConnectionRow } from './queries.ts'
import { findAdapter } from './registry.ts'
import { getProviderAccess, isTestOnly, openCredentials } from './secrets.ts'

/** Events of a page processed concurrently. */
const LANES = 4

/** The context for reading a provider's history. */
export type History = {
  services: Services
  connection: ConnectionRow
  booking: Booking & { past: Past }
  adapter: ProviderAdapter & Required<Pick<ProviderAdapter, 'readHistory'>>
}

/** Returns null if the provider has no history, or access has ended. */
export async function openHistory(
  services: Services,
  connection: ConnectionRow,
  past: {
    accepts(payment: ProviderPayment, account: AccountFacts): boolean
    booked(tx: Transaction, payment: PastPayment): Promise<unknown>
    by?: Author
  },
): Promise<History | null> {
  const adapter = findAdapter(connection.provider)
  if (!adapter?.readHistory || !connection.credentialsSealed) return null
  const account = await accountFactsById(services.db, connection.accountId)
  const booking = {
    shopId: connection.shopId,
    connectionId: connection.id,
    account,
    adapter,
    secrets: services.secrets,
    isTest: isTestOnly(services.config, connection),
    ...(past.by && { by: past.by }),
    past: {
      accepts: (payment: ProviderPayment) => past.accepts(payment, account),
      booked: async (tx: Transaction, one: PastPayment) => {
        if (past.accepts(one.payment, account)) await past.booked(tx, one)
      },
    },
  }
  return { services, connection, booking, adapter: adapter as History['adapter'] }
}

/** Returns the next page of the provider's history, only of its own account and mode. Throws ProviderError. */
export async function nextPage({ services, connection, adapter }: History, since: Date, cursor: string | null) {
  const credentials = openCredentials(services.secrets, connection)!
  const page = await adapter.readHistory(credentials, getProviderAccess(services, connection.provider), since, cursor)
  const events = page.events.filter(
    ({ type, livemode, account }) =>
      adapter.eventTypes.includes(type) &&
      (livemode === null || livemode === connection.livemode) &&
      (account === null || connection.providerAccountId === null || account === connection.providerAccountId),
  )
  return { events: [...new Map(events.map((event) => [event.id, event])).values()], next: page.next }
}

/** Processes an event that the shop has not sent before; returns the reason for a failure, in words. */
export type ProcessEvent = (event: ReceivedEvent) => Promise<string | null>

/**
 * Processes the events of a page, several at a time, until `isOver`; returns the reasons for failures. Payments of
 * events received earlier are only reported. Throws an error that concerns more than one event: the page is then
 * repeated from its beginning, which changes nothing twice.
 */
export async function processPage(
  history: History,
  events: ReceivedEvent[],
  process: ProcessEvent,
  isOver: () => Promise<boolean>,
): Promise<string[]> {
  const { services, connection } = history
  const ids = events.map(({ id }) => id)
  const known = await storedEvents(services.db, connection, ids)
  const failures: string[] = []
  const left = [...events]
  let stopped = false
  const lane = async () => {
    for (let event = left.shift(); event && !stopped; event = left.shift()) {
      if (await isOver()) return
      try {
        const failure = known.has(event.id) ? await reportPayments(history, event) : await process(event)
        if (failure) failures.push(`${event.type} ${event.id}: ${failure}`.slice(0, 1000))
      } catch (error) {
        stopped = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  const failed = lanes.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return failures
}

/** Reports the payments of an event that are already booked. */
async function reportPayments({ services, booking }: History, event: ReceivedEvent): Promise<null> {
  const { payments } = await gatherFacts(services, booking, undefined, event)
  for (const { key } of payments) await transaction(services.db, (tx) => reportBooked(tx, booking, key))
  return null
}

/**
 * Books events like delivered ones, each once for its shop. Events that wait for a key or a rate are stored and
 * processed as if delivered.
 */
export const createBookingRun =
  ({ services, booking, connection }: History, tries: number): ProcessEvent =>
  async (event) => {
    const { db } = services
    const save = (open: Parameters<typeof insertPastEvent>[1]['open'], saleId: string | null = null) =>
      transaction(db, (tx) => insertPastEvent(tx, { id: newId(), connection, event, saleId, open }))
    try {
      const { wait, saleId, accepted } = await bookEvent(services, booking, connection, event, tries)
      // no further calls are possible: the rest is read later
      if (wait?.waitsFor === 'key') throw new PaymentProviderError('refused', wait.reason)
      if (!wait) {
        // skipped ones are not stored, so that a later import can accept them
        if (accepted) await save(null, saleId)
        return null
      }
      await save({ state: 'waiting', waitsFor: wait.waitsFor, reason: toStorable(wait.reason) }, saleId)
      return wait.reason
    } catch (error) {
      const reason = eventFault(error)
      // not stored, so that it is read again by the next check or import
      if (!(error instanceof PaymentProviderError)) await save({ state: 'failed', waitsFor: null, reason })
      return reason
    }
  }

/**
 * Returns why a single event failed, in words, such as a refused question about it. Throws an error that concerns all
 * of them.
 */
export function eventFault(error: unknown): string {
  const concernsMore =
    (error instanceof PaymentProviderError && error.kind !== 'invalid') ||
    concernsAll(error) ||
    heldByLock(error) ||
    (error instanceof Refusal && error.code === 'unavailable')
  if (concernsMore) throw error
  return toStorable(error instanceof Error ? error.message : String(error))
}
