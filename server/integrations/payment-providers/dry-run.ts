import { type Transaction, transaction, undone } from '../../platform/database/pool.ts'
import { lockLeads } from '../../program/leads/lead-facts.ts'
import { bookSighting, type Met, NotAccepted, newestOf } from './book-payment.ts'
import { askOf, lackOf } from './jobs.ts'
import { matchPayer } from './match-payer.ts'
import { keepMet, keptEvents, keyOfLearned, learn, learnedOf, learnedOfGroup, unlearn } from './past-queries.ts'
import { type Payer, PaymentProviderError, type ReceivedEvent, type Sighting } from './provider.ts'
import { upsertObjects } from './queries.ts'
import { idsOf, meetAll, ownFault, type Taking, type Walk } from './read-past.ts'

/**
 * Books events like a real run and rolls back. The facts of each payment are stored separately, so that one with events
 * on several pages gets the same result.
 */
export async function dryRunOf(walk: Walk, importId: string, page: ReceivedEvent[], tries: number): Promise<Taking> {
  const { services, connection } = walk
  const kept = await keptEvents(services.db, connection.shopId, idsOf(page))
  return async (event) => {
    if (kept.has(event.id)) {
      await meetAll(walk, event)
      return null
    }
    try {
      return await tryEvent(walk, importId, event, tries)
    } catch (error) {
      return ownFault(error)
    }
  }
}

async function tryEvent(walk: Walk, importId: string, event: ReceivedEvent, tries: number): Promise<string | null> {
  const { services, booking, connection } = walk
  const { db } = services
  const accountId = booking.account.id
  const gathered = await askOf(services, booking, connection, event, {
    of: (key) => learnedOf(db, accountId, importId, [key]),
    keyOf: async (kind, id) => (await keyOfLearned(db, accountId, importId, kind, id))?.key ?? null,
  })
  const wait = await lackOf(db, booking, connection, gathered, tries)
  if (wait?.waitsFor === 'key') throw new PaymentProviderError('refused', wait.reason)
  if (wait) return wait.reason
  let lack: string | null = null
  for (const { group, objects } of gathered.shared) {
    await transaction(db, (tx) => learn(tx, accountId, importId, group, newestOf(objects)))
    for (const { key } of await learnedOfGroup(db, accountId, importId, group))
      lack ??= await tryPayment(walk, importId, { key, aliases: [], objects: [] })
  }
  for (const sighting of gathered.sightings) lack ??= await tryPayment(walk, importId, sighting)
  if (gathered.newcomer && !booking.isTest) await tryNewcomer(walk, importId, gathered.newcomer, event)
  return lack
}

/** Books a payment from all its facts, records the result, and rolls the booking back. */
function tryPayment({ services, booking }: Walk, importId: string, sighting: Sighting): Promise<string | null> {
  const accountId = booking.account.id
  return transaction(services.db, async (tx) => {
    const found: Met[] = []
    const past = {
      ...booking.past,
      async met(_: Transaction, met: Met) {
        found.push(met)
      },
    }
    let lack: string | null
    try {
      lack = await undone(tx, async () => {
        const learned = await learnedAround(tx, accountId, importId, sighting)
        for (const [place, things] of Map.groupBy(learned, (thing) => thing.key))
          await upsertObjects(tx, accountId, booking.shopId, place, things)
        return (await bookSighting(tx, { ...booking, past }, sighting)).lack
      })
    } catch (error) {
      if (error instanceof NotAccepted) return null
      throw error
    }
    await learnAll(tx, accountId, importId, sighting)
    for (const met of found) await booking.past.met(tx, met)
    return lack
  })
}

/** Returns the facts known of the payment, of its other names, and of the groups it is now in. */
async function learnedAround(db: Transaction, accountId: string, importId: string, sighting: Sighting) {
  const { key, aliases, objects } = sighting
  const groups = objects.flatMap(({ group }) => group ?? [])
  return learnedOf(db, accountId, importId, [key, ...aliases, ...groups])
}

async function learnAll(tx: Transaction, accountId: string, importId: string, { key, aliases, objects }: Sighting) {
  const adopted = aliases.length > 0 ? await unlearn(tx, accountId, importId, aliases) : []
  await learn(tx, accountId, importId, key, newestOf([...adopted, ...objects]))
}

/** Tries a person who would become a lead: their later payments are that lead's. */
function tryNewcomer({ services, booking }: Walk, importId: string, newcomer: Payer, { id, at }: ReceivedEvent) {
  return transaction(services.db, async (tx) => {
    const credited = await undone(tx, async () => {
      const about = { shopId: booking.shopId, at, hasPaid: false }
      const { match } = await matchPayer(tx, booking.account, newcomer, about)
      return Boolean(match && (await lockLeads(tx, [booking.account.id], [match.leadId]))[0]?.partnerId)
    })
    const { customerId, email } = newcomer
    if (credited)
      await keepMet(tx, {
        ...{
          accountId: booking.account.id,
          importId,
          key: `newcomer ${id}`,
          outcome: 'newcomer',
          amount: 0,
          currency: '',
        },
        ...{ credited, customerId, email },
      })
  })
}
