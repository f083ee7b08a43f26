import { paymentProviderNames } from '#contract/sales.ts'
import { findAccountId } from '../../platform/database/by-key.ts'
import { bookingTransaction, type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { asRefusal } from '../../platform/http/errors.ts'
import { RowNotThere } from '../../platform/jobs/worker.ts'
import type { Services } from '../../platform/services.ts'
import { deferCounts } from '../../program/stats/count.ts'
import { type Booked, type Booking, bookAgain, bookFacts, NotAccepted, saveShared } from './book-payment.ts'
import { markConnectionFailing, markConsentRevoked } from './connection-problems.ts'
import { matchPayer } from './match-payer.ts'
import { type Asking, askingFirst } from './paid-before.ts'
import { type GatheredFacts, PaymentProviderError, type StoredEvent, type StoredObjects } from './provider.ts'
import {
  accountFactsById,
  type ConnectionRow,
  connectionToAsk,
  type EventRow,
  eventToProcess,
  failEvent,
  finishEvent,
  lockShop,
  postponeEvent,
  saleOfAny,
  type WaitsFor,
} from './queries.ts'
import type { ProviderEventJob } from './queue.ts'
import { findAdapter } from './registry.ts'
import { getProviderAccess, isTestOnly, openCredentials } from './secrets.ts'
import { shopObjects } from './stored-objects.ts'

/** Queue attempts (about a day); after that the hourly sweep retries. */
const TRIES = 90

/** Tries for the complete context of a past payment. */
const PAST_TRIES = 10

/** The event that an event must wait for. */
type Wait = { waitsFor: WaitsFor; reason: string }
/**
 * `asked`: the connection whose key was used. `saleId`: the event's first sale. `accepted`: false if a past payment was
 * skipped. `isKept`: the event was ended together with its last payment.
 */
type Outcome = {
  wait: Wait | null
  saleId: string | null
  asked: ConnectionRow | undefined
  accepted: boolean
  isKept: boolean
}

/**
 * Books a stored event. Asks the provider first, then books every payment in its own transaction; all of it may run
 * twice. An event that needs an unavailable answer waits, and is never booked without it. Any other failure is stored
 * with the event and rethrown: the queue retries.
 */
export async function processProviderEvent(services: Services, job: ProviderEventJob): Promise<void> {
  const { db } = services
  const accountId = job.accountId ?? (await findAccountId(db, sql`provider_events`, job.eventId))
  const event = accountId && (await eventToProcess(db, accountId, job.eventId))
  if (!event) {
    if (!(await findAccountId(db, sql`provider_events`, job.eventId))) throw new RowNotThere()
    return
  }
  let findSale: FindSale = async () => null
  const onGathered = (find: FindSale) => {
    findSale = find
  }
  try {
    while (!(await saveOutcome(services.db, event, await process(services, event, onGathered))));
  } catch (error) {
    await failEvent(db, event, toStorable(wordsOf(error)), await findSale())
    throw error
  }
}

/** Owners read why an event failed: an unexpected error, which may quote SQL, is only in the log. */
const wordsOf = (error: unknown) =>
  error instanceof PaymentProviderError
    ? error.message
    : (asRefusal(error)?.message ?? 'This failed unexpectedly. Ask the administrator of this server to check its log.')

/** Ends the event or makes it wait; false if it would wait for a key and another has arrived meanwhile. */
const saveOutcome = (db: Database, event: EventRow, { wait, saleId, asked, isKept }: Outcome) =>
  isKept ||
  transaction(db, async (tx) => {
    if (!wait) {
      await finishEvent(tx, event, saleId)
      return true
    }
    await lockShop(tx, event.shopId)
    const connection = await connectionToAsk(tx, event.shopId)
    if (wait.waitsFor === 'key' && connection && !asked?.credentialsSealed?.equals(connection.credentialsSealed!))
      return false
    return (await postponeEvent(tx, event, { ...wait, reason: toStorable(wait.reason), saleId })) > 0
  })

export const toStorable = (text: string) => text.replaceAll('\u0000', '').slice(0, 1000)

async function process(services: Services, row: EventRow, onGathered: (find: FindSale) => void): Promise<Outcome> {
  const { db } = services
  const adapter = findAdapter(row.provider)
  if (!adapter) throw new Error(`There is no adapter for ${paymentProviderNames[row.provider]}`)
  const connection = await connectionToAsk(db, row.shopId)
  const connectionId = connection?.id ?? row.connectionId
  const { externalId: id, type, at, providerAccountId: account, body } = row
  // the provider doesn't identify the key's account: the key may belong to another than the one that sent the event
  const mayBeAnother = account === null && (connectionId !== row.connectionId || row.waitsFor === 'key')
  const booking = {
    shopId: row.shopId,
    connectionId,
    account: await accountFactsById(db, row.accountId),
    adapter,
    secrets: services.secrets,
    isTest: isTestOnly(services.config, row),
    mayBeAnother,
  }
  const event = { id, type, at: new Date(at), account, body }
  const finish: Finish = (tx, saleId) => finishEvent(tx, row, saleId)
  return bookEvent(services, booking, connection, event, row.tries, { finish, onGathered })
}

/**
 * Asks the provider about an event and books it; calls `finish` in the transaction of its last payment unless the event
 * waits. After the provider's answer, `onGathered` gets a function that finds the event's sale, to call if the event
 * fails. Throws ProviderError if the provider is likely to answer soon.
 */
export async function bookEvent(
  services: Services,
  booking: Booking,
  connection: ConnectionRow | undefined,
  event: StoredEvent,
  tries: number,
  { finish, onGathered }: { finish?: Finish; onGathered?: (find: FindSale) => void } = {},
): Promise<Outcome> {
  const { db } = services
  const gathered = await gatherFacts(services, booking, connection, event)
  // a past revocation has been followed by this connection
  if (gathered.revoked && !booking.past) await markConsentRevoked(db, booking.connectionId, gathered.revoked, event.at)
  const findSale = () => saleOf(db, booking, gathered)
  onGathered?.(findSale)
  const wait = await missingAnswer(db, booking, connection, gathered, tries)
  if (wait) {
    const saleId = onGathered ? await findSale() : null
    return { wait, saleId, asked: connection, accepted: true, isKept: false }
  }
  try {
    const { lack, ...booked } = await bookAll(db, askingFirst(services, booking, connection), gathered, event, finish)
    return { ...booked, wait: lack === null ? null : { waitsFor: 'rate', reason: lack }, asked: connection }
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    // what is booked already is found again
    const unanswered = { ...gathered, lacking: { error, needed: true } }
    const wait = await missingAnswer(db, booking, connection, unanswered, tries)
    return { wait, saleId: await findSale(), asked: connection, accepted: true, isKept: false }
  }
}

type Finish = (tx: Transaction, saleId: string | null) => Promise<unknown>
/** Finds the sale of an event, null while there is none. */
type FindSale = () => Promise<string | null>

const saleOf = (db: Database, { account, shopId }: Booking, { shared, payments }: GatheredFacts) =>
  saleOfAny(
    db,
    account.id,
    shopId,
    payments.flatMap(({ key, aliases = [] }) => [key, ...aliases]),
    shared.map(({ group }) => group),
  )

/**
 * Gathers an event's facts; without a connection, only those in the event itself. `more`: objects in addition to the
 * shop's.
 */
export function gatherFacts(
  services: Services,
  { adapter, account, shopId, mayBeAnother = false }: Pick<Booking, 'adapter' | 'account' | 'shopId' | 'mayBeAnother'>,
  connection: ConnectionRow | undefined,
  event: StoredEvent,
  more?: StoredObjects,
) {
  const credentials = connection ? openCredentials(services.secrets, connection) : null
  const reach = { ...getProviderAccess(services, adapter.provider), mayBeAnother }
  const shops = shopObjects.reader(services.db, account.id, shopId)
  return adapter.readFacts(event, credentials, reach, {
    listByPayment: async (key) => [...(await shops.listByPayment(key)), ...((await more?.listByPayment(key)) ?? [])],
    findPaymentKey: async (kind, id) =>
      (await shops.findPaymentKey(kind, id)) ?? (await more?.findPaymentKey(kind, id)) ?? null,
  })
}

/** Returns the answer an event must wait for. Throws if the provider may well answer soon. */
export async function missingAnswer(
  db: Database,
  { past }: Pick<Booking, 'past'>,
  connection: ConnectionRow | undefined,
  { lacking }: GatheredFacts,
  tries: number,
): Promise<Wait | null> {
  if (!lacking) return null
  const { error, needed } = lacking
  if (connection && isUnwelcome(error)) await markConnectionFailing(db, connection.id, error.message)
  // no later event would trigger it again
  if (past && error.kind === 'unavailable' && tries < PAST_TRIES) throw error
  if (!needed) return null
  if (error.kind === 'keyless' || isUnwelcome(error)) return { waitsFor: 'key', reason: error.message }
  if (tries + 1 < TRIES) throw error
  return { waitsFor: 'answer', reason: error.message }
}

const isUnwelcome = ({ kind }: PaymentProviderError) => kind === 'refused' || kind === 'forbidden'

type AllBooked = Booked & Pick<Outcome, 'accepted' | 'isKept'>

/** Books the payments one by one, each in its own transaction. */
async function bookAll(
  db: Database,
  { booking, run }: Asking<Booking>,
  { shared, payments, prospect }: GatheredFacts,
  { at }: StoredEvent,
  finish: Finish | undefined,
): Promise<AllBooked> {
  const works: ((tx: Transaction) => Promise<Booked>)[] = []
  for (const { group, objects } of shared)
    for (const key of await transaction(db, (tx) => saveShared(tx, booking, group, objects)))
      works.push((tx) => bookAgain(tx, booking, key))
  for (const facts of payments) works.push((tx) => bookFacts(tx, booking, facts))
  if (prospect && !booking.isTest)
    works.push(async (tx) => {
      const { account, shopId, paidBefore } = booking
      await matchPayer(tx, account, prospect, { shopId, at, hasPaid: false, paidBefore })
      return { saleId: null, lack: null }
    })
  let all: AllBooked = { saleId: null, lack: null, accepted: true, isKept: false }
  for (const work of works) {
    const before = all
    try {
      const once = (tx: Transaction) =>
        deferCounts(
          tx,
          () => work(tx),
          async (one) => {
            const { saleId, lack } = { saleId: before.saleId ?? one.saleId, lack: before.lack ?? one.lack }
            const isKept = finish !== undefined && work === works.at(-1) && lack === null
            if (isKept) await finish(tx, saleId)
            return { ...before, saleId, lack, isKept }
          },
        )
      all = await run(() => bookingTransaction(db, once))
    } catch (error) {
      if (!(error instanceof NotAccepted)) throw error
      all = { ...before, accepted: false }
    }
  }
  return all
}
