import type { Transaction } from '../platform/database/pool.ts'
import { transaction } from '../platform/database/pool.ts'
import type { Services } from '../platform/services.ts'
import type { OutboxEvent } from './outbox.ts'

/** Turns an event into the jobs that follow from it, in the relay's transaction. */
export type Listener = (tx: Transaction, services: Services, event: OutboxEvent) => Promise<void>

const BATCH = 200
const POLL_MS = 500

/** Hands up to one batch of events to the listeners and removes them; answers how many. Several relays share the work. */
export const relayOnce = (services: Services, listeners: Listener[]) =>
  transaction(services.db, async (tx) => {
    const events = await tx.many<OutboxEvent>`
      select id, account_id, type, data, at from outbox order by id limit ${BATCH} for update skip locked`
    for (const event of events) for (const listener of listeners) await listener(tx, services, event)
    if (events.length > 0) await tx.run`delete from outbox where id = any(${events.map((event) => event.id)}::bigint[])`
    return events.length
  })

/** Relays until stopped; a failure (the database away) is logged and tried again. */
export function startRelay(services: Services, listeners: Listener[]) {
  let stopped = false
  let wake = () => {}
  const loop = async () => {
    while (!stopped) {
      try {
        if ((await relayOnce(services, listeners)) === BATCH) continue
      } catch (error) {
        services.log.warn({ error: (error as Error).message }, 'the outbox waits')
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = loop()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
