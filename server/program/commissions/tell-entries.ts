import type { Entry } from '#contract/sales.ts'
import { type By, byOf } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allHappened } from '../../platform/events/happened.ts'
import { entriesByIds } from './present-entries.ts'

type EntryEvent = 'commission.created' | 'commission.reversed' | 'commission.due' | 'commission.paid'

/** Tells of entries of the ledger, each as it is now: by whom each was written, unless somebody else moved them. */
export async function tellEntries(
  tx: Transaction,
  accountId: string | ((id: string) => string),
  ids: string[],
  type: EntryEvent | ((entry: Entry) => EntryEvent),
  by: By | ((id: string) => string | null),
): Promise<void> {
  const entries = await entriesByIds(tx, ids)
  await allHappened(
    tx,
    entries.map((object) => ({
      by: typeof by === 'function' ? byOf(by(object.id)) : by,
      accountId: typeof accountId === 'function' ? accountId(object.id) : accountId,
      type: typeof type === 'function' ? type(object) : type,
      id: object.id,
      object,
    })),
  )
}
