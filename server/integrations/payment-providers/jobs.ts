import { paymentProviderNames } from '#contract/sales.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import { type Booked, type Booking, bookAgain, bookSighting, keepShared } from './book-payment.ts'
import { matchPayer } from './match-payer.ts'
import type { Gathered, ProviderError, StoredEvent } from './provider.ts'
import {
  accountById,
  type ConnectionRow,
  connectionToAsk,
  type EventRow,
  eventToProcess,
  failEvent,
  finishEvent,
  forgetBodies,
  keyOfObject,
  letEventWait,
  lockShop,
  objectsOf,
  type WaitsFor,
} from './queries.ts'
import type { ProviderEventJob } from './queue.ts'
import { adapterOf } from './registry.ts'
import { openCredentials, reachOf } from './secrets.ts'
import { noteRevoked, noteTrouble } from './trouble.ts'

/** So often an answer is asked for by the queue, about a day; then the event waits for the hourly look. */
const TRIES = 90

/** An event cannot be booked before something else has happened. */
type Wait = { waitsFor: WaitsFor; reason: string }
/** `asked`: the connection whose key was used. `saleId`: the first sale that the event is about. */
type Outcome = { wait: Wait | null; saleId: string | null; asked: ConnectionRow | undefined }

/**
 * Books what a stored event tells. The provider is asked first, then every payment is booked in a transaction of its own;
 * all of it may run twice. What needs an answer that nobody can give now is kept waiting, never booked without it. Any
 * other failure is kept with the event and thrown on: the queue tries again.
 */
export async function processProviderEvent(services: Services, { eventId }: ProviderEventJob): Promise<void> {
  const { db } = services
  const event = await eventToProcess(db, eventId)
  if (!event) return
  try {
    while (!(await keepOutcome(services.db, event, await process(services, event))));
  } catch (error) {
    await failEvent(db, event.id, wordsOf(error instanceof Error ? error.message : String(error)))
    throw error
  }
}

/** Ends the event or lets it wait; false where it would wait for a key and another came meanwhile. */
const keepOutcome = (db: Database, { id, shopId }: EventRow, { wait, saleId, asked }: Outcome) =>
  transaction(db, async (tx) => {
    if (!wait) return (await finishEvent(tx, id, saleId)) > 0
    await lockShop(tx, shopId)
    const connection = await connectionToAsk(tx, shopId)
    if (wait.waitsFor === 'key' && connection && !asked?.credentialsSealed?.equals(connection.credentialsSealed!))
      return false
    return (await letEventWait(tx, id, { ...wait, reason: wordsOf(wait.reason), saleId })) > 0
  })

const wordsOf = (text: string) => text.replaceAll('\u0000', '').slice(0, 1000)

/** Forgets what events said in full, thirty days after they came. */
export const forgetProviderEvents = ({ db }: Services) => forgetBodies(db)

async function process(services: Services, row: EventRow): Promise<Outcome> {
  const { db } = services
  const adapter = adapterOf(row.provider)
  if (!adapter) throw new Error(`There is no adapter for ${paymentProviderNames[row.provider]}`)
  const connection = await connectionToAsk(db, row.shopId)
  const connectionId = connection?.id ?? row.connectionId
  const booking = { shopId: row.shopId, connectionId, account: await accountById(db, row.accountId), adapter }
  const { externalId: id, type, at, providerAccountId: account, body } = row
  const event = { id, type, at: new Date(at), account, body }
  const gathered = await ask(services, connection, booking, event)
  if (gathered.revoked) await noteRevoked(db, connectionId, gathered.revoked, event.at)
  const wait = await lackOf(db, connection, gathered, row.tries)
  if (wait) return { wait, saleId: null, asked: connection }
  const { lack, saleId } = await bookAll(db, booking, gathered, event)
  return { wait: lack === null ? null : { waitsFor: 'rate', reason: lack }, saleId, asked: connection }
}

function ask(
  services: Services,
  connection: ConnectionRow | undefined,
  { adapter, shopId }: Booking,
  event: StoredEvent,
) {
  const { db } = services
  const credentials = connection ? openCredentials(services.secrets, connection) : null
  return adapter.gather(event, credentials, reachOf(services, adapter.provider), {
    of: (paymentKey) => objectsOf(db, shopId, paymentKey),
    keyOf: async (kind, id) => (await keyOfObject(db, shopId, kind, id))?.key ?? null,
  })
}

/** What an event must wait for. Throws where the provider may well answer soon. */
async function lackOf(
  db: Database,
  connection: ConnectionRow | undefined,
  { lacking }: Gathered,
  tries: number,
): Promise<Wait | null> {
  if (!lacking) return null
  const { error, needed } = lacking
  if (connection && isUnwelcome(error)) await noteTrouble(db, connection.id, error.message)
  if (!needed) return null
  if (error.kind === 'keyless' || isUnwelcome(error)) return { waitsFor: 'key', reason: error.message }
  if (tries + 1 < TRIES) throw error
  return { waitsFor: 'answer', reason: error.message }
}

const isUnwelcome = ({ kind }: ProviderError) => kind === 'refused' || kind === 'forbidden'

async function bookAll(db: Database, booking: Booking, gathered: Gathered, { id, at }: StoredEvent): Promise<Booked> {
  const all: Booked[] = []
  for (const { group, objects } of gathered.shared) {
    const keys = await transaction(db, (tx) => keepShared(tx, booking, group, objects))
    for (const key of keys) all.push(await transaction(db, (tx) => bookAgain(tx, booking, key)))
  }
  for (const sighting of gathered.sightings)
    all.push(await transaction(db, (tx) => bookSighting(tx, booking, sighting)))
  const { newcomer } = gathered
  if (newcomer)
    await transaction(db, (tx) =>
      matchPayer(tx, booking.account, newcomer, { provider: booking.adapter.provider, at, paymentId: id }),
    )
  const first = <F extends keyof Booked>(field: F) => all.find((one) => one[field] !== null)?.[field] ?? null
  return { saleId: first('saleId'), lack: first('lack') }
}
