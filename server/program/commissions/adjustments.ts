import { type Author, toActor } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recordActivities } from '../../platform/events/emit-event.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockAccountShared } from '../access/lock-accounts.ts'
import { erasedAmong } from '../partner-directory/erased-partner.ts'
import { newEntry, writeEntries } from './entries.ts'

type Adjustment = {
  amount: number
  reason: string
  /** Date it counts, if not today. */
  day?: string
  /** The sale whose commission was paid before its import, and when that commission becomes due. */
  settlesSaleId?: string
  availableAt?: string
}

/** Changes a partner's balance by hand: an entry without sale, due at once. Returns its id. */
export const addAdjustment = (
  tx: Transaction,
  by: Author,
  account: Pick<AccountFacts, 'id'>,
  partnerId: string,
  adjustment: Adjustment,
): Promise<string> => adjustBalance(tx, by, account, partnerId, adjustment)

/** Like `addAdjustment`, for entries that void a balance. */
export const adjustBalance = async (
  tx: Transaction,
  by: Author,
  account: Pick<AccountFacts, 'id'>,
  partnerId: string,
  adjustment: Adjustment,
): Promise<string> => (await adjustAll(tx, by, account, [{ ...adjustment, partnerId }]))[0]!

/** Adjusts the balances of many partners, with one statement per step. Returns the ids of the entries, in order. */
export async function adjustAll(
  tx: Transaction,
  by: Author,
  { id: accountId }: Pick<AccountFacts, 'id'>,
  adjustments: (Adjustment & { partnerId: string })[],
): Promise<string[]> {
  if (adjustments.length === 0) return []
  const account = await lockAccountShared(tx, accountId)
  const today = dayIn(account.timeZone, tx.now)
  const entries = adjustments.map(({ partnerId, amount, reason, day = today, settlesSaleId = null, availableAt }) =>
    newEntry({
      accountId,
      partnerId,
      amount,
      currency: account.defaultCurrency,
      kind: 'adjustment',
      day,
      availableAt: availableAt ?? tx.now.toISOString(),
      reason,
      settlesSaleId,
      actor: toActor(by),
    }),
  )
  await writeEntries(tx, entries)
  const erased = await erasedAmong(
    tx,
    accountId,
    adjustments.map(({ partnerId }) => partnerId),
  )
  await recordActivities(
    tx,
    by,
    accountId,
    adjustments.map(({ partnerId, amount, reason, day }) => ({
      type: 'partner.adjusted',
      id: partnerId,
      changes: {
        amount: { old: null, new: amount },
        ...(!erased.has(partnerId) && { reason: { old: null, new: reason } }),
        ...(day && { day: { old: null, new: day } }),
      },
    })),
  )
  return entries.map(({ id }) => id)
}
