import { type Transaction, transaction, withRollback } from '../../platform/database/pool.ts'
import { lockLeads } from '../../program/leads/lead-facts.ts'
import { bookFacts, NotAccepted, type PastPayment } from './book-payment.ts'
import { gatherFacts, missingAnswer } from './jobs.ts'
import { matchPayer } from './match-payer.ts'
import { askingFirst } from './paid-before.ts'
import { savePayment } from './past-queries.ts'
import { type Payer, type PaymentFacts, PaymentProviderError, type ReceivedEvent } from './provider.ts'
import { eventFault, type History, type ProcessEvent } from './read-past.ts'
import { importObjects, pickNewest, shopObjects } from './stored-objects.ts'

/**
 * Books events like a real run and rolls back. The facts of each payment are stored separately, so that one with events
 * on several pages gets the same result.
 */
export const createDryRun =
  (history: History, importId: string, tries: number): ProcessEvent =>
  (event) =>
    tryEvent(history, importId, event, tries).catch(eventFault)

async function tryEvent(
  history: History,
  importId: string,
  event: ReceivedEvent,
  tries: number,
): Promise<string | null> {
  const { services, connection } = history
  const { booking, run } = askingFirst(services, history.booking, connection)
  const dryHistory = { ...history, booking }
  const { db } = services
  const accountId = booking.account.id
  const stored = importObjects.reader(db, accountId, importId)
  const gathered = await gatherFacts(services, booking, connection, event, stored)
  const wait = await missingAnswer(db, booking, connection, gathered, tries)
  if (wait?.waitsFor === 'key') throw new PaymentProviderError('refused', wait.reason)
  if (wait) return wait.reason
  let lack: string | null = null
  for (const { group, objects } of gathered.shared) {
    await transaction(db, (tx) => importObjects.save(tx, accountId, importId, group, pickNewest(objects)))
    for (const key of await importObjects.paymentsOfGroup(db, accountId, importId, group))
      lack ??= await run(() => tryPayment(dryHistory, importId, { key, objects: [] }))
  }
  for (const facts of gathered.payments) lack ??= await run(() => tryPayment(dryHistory, importId, facts))
  const { prospect } = gathered
  if (prospect && !booking.isTest) await run(() => tryProspect(dryHistory, importId, prospect, event))
  return lack
}

/** Books a payment from all its facts, records the result, and rolls the booking back. */
function tryPayment({ services, booking }: History, importId: string, facts: PaymentFacts): Promise<string | null> {
  const accountId = booking.account.id
  const { key, aliases = [], objects } = facts
  return transaction(services.db, async (tx) => {
    const found: PastPayment[] = []
    const past = {
      ...booking.past,
      async booked(_: Transaction, payment: PastPayment) {
        found.push(payment)
      },
    }
    let lack: string | null
    try {
      lack = await withRollback(tx, async () => {
        // of the payment, of its other names, and of the groups it is now in
        const groups = objects.flatMap(({ group }) => group ?? [])
        const known = await importObjects.find(tx, accountId, importId, [key, ...aliases, ...groups])
        for (const [place, some] of Map.groupBy(known, (object) => object.key))
          await shopObjects.save(tx, accountId, booking.shopId, place, some)
        return (await bookFacts(tx, { ...booking, past }, facts)).lack
      })
    } catch (error) {
      if (error instanceof NotAccepted) return null
      throw error
    }
    const moved = await importObjects.take(tx, accountId, importId, aliases)
    await importObjects.save(tx, accountId, importId, key, pickNewest([...moved, ...objects]))
    for (const payment of found) await booking.past.booked(tx, payment)
    return lack
  })
}

/** Tries a person who would become a lead: their later payments are that lead's. */
function tryProspect({ services, booking }: History, importId: string, prospect: Payer, { id, at }: ReceivedEvent) {
  return transaction(services.db, async (tx) => {
    const credited = await withRollback(tx, async () => {
      const about = { shopId: booking.shopId, at, hasPaid: false, paidBefore: booking.paidBefore }
      const { match } = await matchPayer(tx, booking.account, prospect, about)
      return Boolean(match && (await lockLeads(tx, [booking.account.id], [match.leadId]))[0]?.partnerId)
    })
    const { customerId, email } = prospect
    if (credited)
      await savePayment(tx, {
        accountId: booking.account.id,
        importId,
        key: `newcomer ${id}`,
        outcome: 'newcomer',
        amount: 0,
        currency: '',
        credited,
        customerId,
        email,
      })
  })
}
