import type { PublicEvent } from '#contract/events.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type EventWithoutObject, emitEventsWithObjects } from '../../platform/events/emit-event.ts'
import { withExternalIds } from '../partner-directory/partner-names.ts'
import { entriesByIds } from './present-entries.ts'

type EntryEvent = Extract<PublicEvent, `commission.${string}`>

/** Sends events for ledger entries, each with its current state. */
export const emitEntryEvents = (tx: Transaction, happenings: EventWithoutObject<EntryEvent>[]): Promise<void> =>
  emitEventsWithObjects(tx, happenings, async (accountIds, ids) => {
    const entries = await withExternalIds(tx, accountIds, await entriesByIds(tx, accountIds, ids))
    return new Map(entries.map((entry) => [entry.id, entry]))
  })
