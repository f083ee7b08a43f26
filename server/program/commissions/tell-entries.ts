import type { PublicEvent } from '#contract/events.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappened, type Happening } from '../../platform/events/happened.ts'
import { entriesByIds } from './present-entries.ts'

type EntryEvent = Extract<PublicEvent, `commission.${string}`>

/** Entries whose events are written together: an import may make hundreds of thousands due at once. */
const AT_ONCE = 1000

/** Sends events for ledger entries, each with its current state. */
export async function tellEntries(tx: Transaction, happenings: Omit<Happening<EntryEvent>, 'object'>[]): Promise<void> {
  for (let at = 0; at < happenings.length; at += AT_ONCE) await tellSome(tx, happenings.slice(at, at + AT_ONCE))
}

async function tellSome(tx: Transaction, happenings: Omit<Happening<EntryEvent>, 'object'>[]): Promise<void> {
  const entries = await entriesByIds(
    tx,
    happenings.map(({ accountId }) => accountId),
    happenings.map(({ id }) => id),
  )
  const objects = new Map(entries.map((entry) => [entry.id, entry]))
  await allHappened(
    tx,
    happenings.map((happening) => ({ ...happening, object: objects.get(happening.id)! })),
  )
}
