import type { BlockerCode } from '#contract/payouts.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import { readBalances } from '../../../program/payouts/partner-balances.ts'
import { termsOf } from '../../../program/payouts/payout-terms.ts'
import { type News, waitingPayouts } from './news-queries.ts'

const DAY = 86_400_000
/** Reminders per payout, the time between them, and the age after which they end. */
export const REMINDERS = 4
const APART = 7 * DAY
const LONGEST = 60 * DAY

/** Whether a blocker is mailed; the others resolve by themselves. */
export const isTold = (code: BlockerCode) => isForPartner(code) || code === 'not-approved-this-year'

/** Occasion that is mailed once per payout, found by the event or by the daily check. */
export const BLOCKED = 'blocked'

/** Returns news to partners whose money waits, and reminders of steps they need to take. */
export async function waitingNews(tx: Transaction, account: AccountFacts): Promise<Omit<News, 'id'>[]> {
  const payouts = await waitingPayouts(tx, account.id)
  if (payouts.length === 0) return []
  const ids = [...new Set(payouts.map(({ partnerId }) => partnerId))]
  const standings = new Map(
    (await readBalances(tx, await termsOf(tx, account), ids)).map((standing) => [standing.partnerId, standing]),
  )
  const since = (at: string) => tx.now.getTime() - Date.parse(at)
  return payouts.flatMap(({ id, partnerId, status, createdAt, blockedTold, reminders, lastAt }): Omit<News, 'id'>[] => {
    const { due, blockers } = standings.get(partnerId)!
    if (status === 'gathering' && due <= 0) return []
    const news = { accountId: account.id, partnerId, subjectId: id }
    if (status === 'gathering' && !blockedTold && blockers.some(isTold))
      return [{ ...news, kind: 'payout-blocked', occasion: BLOCKED }]
    const isTime = since(lastAt ?? createdAt) >= APART && since(createdAt) < LONGEST && reminders < REMINDERS
    return isTime && blockers.some(isForPartner)
      ? [{ ...news, kind: 'payout-reminder', occasion: `${reminders + 1}` }]
      : []
  })
}
