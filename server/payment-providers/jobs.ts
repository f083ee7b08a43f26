import { type Database, transaction } from '../database/pool.ts'
import type { JobData } from '../jobs/queue.ts'
import type { Services } from '../services.ts'
import { type Booking, bookAgain, bookSighting, keepShared } from './book-payment.ts'
import { matchPayer } from './match-payer.ts'
import type { Gathered, ProviderError, ProviderEvent } from './provider.ts'
import {
  accountById,
  type ConnectionRow,
  connectionById,
  type EventRow,
  eventToProcess,
  failEvent,
  finishEvent,
  forgetBodies,
  keyOfObject,
  objectsOf,
} from './queries.ts'
import { adapterOf } from './registry.ts'
import { openKey, reachOf } from './secrets.ts'
import { noteTrouble } from './trouble.ts'

/** So often an answer of the provider is waited for (about four minutes) before a payment is booked without it. */
const PATIENCE = 8

/**
 * Books what a stored event tells. The provider is asked first, then every payment is booked in a transaction of its own;
 * all of it may run twice. A failure is kept with the event and thrown on: the queue tries again.
 */
export async function processProviderEvent(services: Services, { eventId }: JobData['provider-event']): Promise<void> {
  const { db } = services
  const event = await eventToProcess(db, eventId)
  if (!event) return
  try {
    await process(services, event)
    await finishEvent(db, event.id)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    await failEvent(db, event.id, words.replaceAll('\u0000', '').slice(0, 1000))
    throw error
  }
}

/** Forgets what events said in full, thirty days after they came. */
export const forgetProviderEvents = ({ db }: Services) => forgetBodies(db)

async function process(services: Services, row: EventRow) {
  const { db } = services
  const connection = (await connectionById(db, row.accountId, row.connectionId))!
  const adapter = adapterOf(connection.provider)
  if (!adapter) throw new Error(`There is no adapter for ${connection.provider}`)
  const booking = { connectionId: connection.id, account: await accountById(db, row.accountId), adapter }
  const event = adapter.readEvent(row.body)
  const gathered = await ask(services, connection, booking, event)
  if (gathered.revoked) await noteTrouble(services, connection.id, gathered.revoked)
  await waitForAnswer(services, connection, gathered, row.tries)
  await bookAll(services, booking, gathered, event)
}

function ask(services: Services, connection: ConnectionRow, { adapter, connectionId }: Booking, event: ProviderEvent) {
  const { db } = services
  return adapter.gather(event, openKey(services, connection), reachOf(services, connection.provider), {
    of: (key) => objectsOf(db, connectionId, key),
    keyOf: async (kind, id) => (await keyOfObject(db, connectionId, kind, id))?.key ?? null,
  })
}

/** An answer that is needed is asked for again and again, unless what the event itself shows has to do. */
async function waitForAnswer(services: Services, connection: ConnectionRow, gathered: Gathered, tries: number) {
  const { lacking, sightings } = gathered
  if (!lacking) return
  const { error, needed } = lacking
  if (isUnwelcome(error)) await noteTrouble(services, connection.id, error.message)
  if (needed && (tries < PATIENCE || sightings.length === 0)) throw error
}

const isUnwelcome = ({ kind }: ProviderError) => kind === 'refused' || kind === 'forbidden'

async function bookAll(services: Services, booking: Booking, gathered: Gathered, { id, at }: ProviderEvent) {
  const db: Database = services.db
  for (const { group, objects } of gathered.shared) {
    const keys = await transaction(db, (tx) => keepShared(tx, booking, group, objects))
    for (const key of keys) await transaction(db, (tx) => bookAgain(tx, services, booking, key))
  }
  for (const sighting of gathered.sightings)
    await transaction(db, (tx) => bookSighting(tx, services, booking, sighting))
  const { newcomer } = gathered
  if (newcomer)
    await transaction(db, (tx) =>
      matchPayer(tx, services, booking.account, booking.adapter.provider, newcomer, { at, paymentId: id }),
    )
}
