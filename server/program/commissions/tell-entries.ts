import type { PublicEvent } from '#contract/events.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappenedNow, type Untold } from '../../platform/events/happened.ts'
import { entriesByIds } from './present-entries.ts'

type EntryEvent = Extract<PublicEvent, `commission.${string}`>

/** Sends events for ledger entries, each with its current state. */
export const tellEntries = (tx: Transaction, happenings: Untold<EntryEvent>[]): Promise<void> =>
  allHappenedNow(
    tx,
    happenings,
    async (accountIds, ids) => new Map((await entriesByIds(tx, accountIds, ids)).map((entry) => [entry.id, entry])),
  )
