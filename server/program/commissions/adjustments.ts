import { actorOf, type By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { allRecorded } from '../../platform/events/happened.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccount } from '../access/hold-accounts.ts'
import { erasedAmong } from '../partner-lookup/erased-partner.ts'
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
  by: By,
  account: Pick<AccountFacts, 'id'>,
  partnerId: string,
  adjustment: Adjustment,
): Promise<string> => adjust(tx, by, account, partnerId, adjustment)

/** Like `addAdjustment`, for entries that void a balance. */
export const adjust = async (
  tx: Transaction,
  by: By,
  account: Pick<AccountFacts, 'id'>,
  partnerId: string,
  adjustment: Adjustment,
): Promise<string> => (await adjustAll(tx, by, account, [{ ...adjustment, partnerId }]))[0]!

/** Adjusts the balances of many partners, with one statement per step. Returns the ids of the entries, in order. */
export async function adjustAll(
  tx: Transaction,
  by: By,
  { id: accountId }: Pick<AccountFacts, 'id'>,
  adjustments: (Adjustment & { partnerId: string })[],
): Promise<string[]> {
  if (adjustments.length === 0) return []
  const account = await holdAccount(tx, accountId)
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
      actor: actorOf(by),
    }),
  )
  await writeEntries(tx, entries)
  const erased = await erasedAmong(
    tx,
    accountId,
    adjustments.map(({ partnerId }) => partnerId),
  )
  await allRecorded(
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
