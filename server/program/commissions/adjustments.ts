import { actorOf, type By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccount } from '../access/hold-accounts.ts'
import { entry, writeEntries } from './entries.ts'

type Adjustment = { amount: number; reason: string }

/** Adds to or takes from a partner's balance by hand: an entry without sale, due at once. Answers its id. */
export const addAdjustment = (
  tx: Transaction,
  by: By,
  account: Pick<AccountFacts, 'id'>,
  partnerId: string,
  adjustment: Adjustment,
): Promise<string> => adjust(tx, by, account, partnerId, adjustment)

/** The same, for whatever voids a balance. */
export async function adjust(
  tx: Transaction,
  by: By,
  { id: accountId }: Pick<AccountFacts, 'id'>,
  partnerId: string,
  { amount, reason }: Adjustment,
): Promise<string> {
  const account = await holdAccount(tx, accountId)
  const adjustment = entry({
    accountId,
    partnerId,
    amount,
    currency: account.defaultCurrency,
    kind: 'adjustment',
    day: dayIn(account.timeZone, tx.now),
    availableAt: tx.now.toISOString(),
    reason,
    actor: actorOf(by),
  })
  await writeEntries(tx, [adjustment])
  await recorded(tx, by, accountId, 'partner.adjusted', {
    id: partnerId,
    changes: {
      amount: { old: null, new: amount },
      reason: { old: null, new: reason },
    },
  })
  return adjustment.id
}
