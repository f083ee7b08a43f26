import { newId } from '../../platform/database/ids.ts'
import { concernsAll, heldByLock, type Transaction, transaction } from '../../platform/database/pool.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { type Booking, type Met, meetAgain, type Past } from './book-payment.ts'
import { askOf, bookEvent, wordsOf } from './jobs.ts'
import { insertPastEvent, keptEvents } from './past-queries.ts'
import { type ProviderAdapter, ProviderError, type ProviderEvent, type ProviderPayment } from './provider.ts'
import { accountById, type ConnectionRow } from './queries.ts'
import { adapterOf } from './registry.ts'
import { isTestOnly, openCredentials, reachOf } from './secrets.ts'

/** Events of a page that are worked off at once. */
const LANES = 4

/** A provider that is gone through again. */
export type Walk = {
  services: Services
  connection: ConnectionRow
  booking: Booking & { past: Past }
  adapter: ProviderAdapter & Required<Pick<ProviderAdapter, 'history'>>
}

/** Null where the provider tells nothing of the past, or nothing any more. */
export async function openWalk(
  services: Services,
  connection: ConnectionRow,
  past: {
    accepts(payment: ProviderPayment, account: AccountFacts): boolean
    met(tx: Transaction, met: Met): Promise<unknown>
  },
): Promise<Walk | null> {
  const adapter = adapterOf(connection.provider)
  if (!adapter?.history || !connection.credentialsSealed) return null
  const account = await accountById(services.db, connection.accountId)
  const booking = {
    shopId: connection.shopId,
    connectionId: connection.id,
    account,
    adapter,
    isTest: isTestOnly(services.config, connection),
    past: {
      accepts: (payment: ProviderPayment) => past.accepts(payment, account),
      met: async (tx: Transaction, met: Met) => {
        if (past.accepts(met.payment, account)) await past.met(tx, met)
      },
    },
  }
  return { services, connection, booking, adapter: adapter as Walk['adapter'] }
}

/** The next page of what the provider remembers, of its own account and mode. Throws ProviderError. */
export async function nextPage({ services, connection, adapter }: Walk, since: Date, cursor: string | null) {
  const credentials = openCredentials(services.secrets, connection)!
  const page = await adapter.history(credentials, reachOf(services, connection.provider), since, cursor)
  const events = page.events.filter(
    ({ type, livemode, account }) =>
      adapter.eventTypes.includes(type) &&
      (livemode === null || livemode === connection.livemode) &&
      (account === null || connection.providerAccountId === null || account === connection.providerAccountId),
  )
  return { events: [...new Map(events.map((event) => [event.id, event])).values()], next: page.next }
}

/** Takes one event; returns the reason why it could not be taken, in words. */
export type Taking = (event: ProviderEvent) => Promise<string | null>

/**
 * Takes the events of a page, several at a time, until `isOver`; returns why those that could not be taken were not.
 * Throws what concerns more than one event: the page is then taken again from its beginning, which changes nothing twice.
 */
export async function takePage(
  events: ProviderEvent[],
  take: Taking,
  isOver: () => Promise<boolean>,
): Promise<string[]> {
  const failures: string[] = []
  const left = [...events]
  let stopped = false
  const lane = async () => {
    for (let event = left.shift(); event && !stopped; event = left.shift()) {
      if (await isOver()) return
      try {
        const failure = await take(event)
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

/**
 * Books events as delivered ones are booked, each once for its shop. One that has come before is only met again. What
 * waits for a key or a rate is kept and worked off as if it had been delivered.
 */
export async function bookingOf(walk: Walk, page: ProviderEvent[], tries: number): Promise<Taking> {
  const { services, booking, connection } = walk
  const { db } = services
  const kept = await keptEvents(db, connection.shopId, idsOf(page))
  return async (event) => {
    if (kept.has(event.id)) {
      await meetAll(walk, event)
      return null
    }
    const keep = (open: Parameters<typeof insertPastEvent>[1]['open'], saleId: string | null = null) =>
      transaction(db, (tx) => insertPastEvent(tx, { id: newId(), connection, event, saleId, open }))
    try {
      const { wait, saleId, accepted } = await bookEvent(services, booking, connection, event, tries)
      // nothing more can be asked: what is left unread is read another time
      if (wait?.waitsFor === 'key') throw new ProviderError('refused', wait.reason)
      if (!wait) {
        // one that is wanted later is then not known yet
        if (accepted) await keep(null, saleId)
        return null
      }
      await keep({ state: 'waiting', waitsFor: wait.waitsFor, reason: wordsOf(wait.reason) }, saleId)
      return wait.reason
    } catch (error) {
      const reason = ownFault(error)
      await keep({ state: 'failed', waitsFor: null, reason })
      return reason
    }
  }
}

export const idsOf = (events: ProviderEvent[]) => events.map(({ id }) => id)

/** Why one event alone could not be taken, in words. Throws what concerns all of them. */
export function ownFault(error: unknown): string {
  const concernsMore =
    error instanceof ProviderError ||
    concernsAll(error) ||
    heldByLock(error) ||
    (error instanceof Refusal && error.code === 'unavailable')
  if (concernsMore) throw error
  return wordsOf(error instanceof Error ? error.message : String(error))
}

/** Meets the payments that an event names and that are booked already. */
export async function meetAll({ services, booking }: Walk, event: ProviderEvent) {
  const { sightings } = await askOf(services, booking, undefined, event)
  for (const { key } of sightings) await transaction(services.db, (tx) => meetAgain(tx, booking, key))
}
