import type { BlockerCode } from '#contract/payouts.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { isForPartner } from '../../../program/payouts/blockers.ts'
import { standingsOf } from '../../../program/payouts/standing.ts'
import { termsOf } from '../../../program/payouts/terms.ts'
import { type News, waitingPayouts } from './news-queries.ts'

const DAY = 86_400_000
/** A payout is reminded of so often, a week apart, while it is not too old. */
export const REMINDERS = 4
const APART = 7 * DAY
const LONGEST = 60 * DAY

/** A blocker that is worth a mail; the others pass by themselves. */
export const isTold = (code: BlockerCode) => isForPartner(code) || code === 'not-approved-this-year'

/** Told once of each payout, whoever finds it first: the event, or the day. */
export const BLOCKED = 'blocked'

/** Whom to tell that their money waits, and whom to remind of what they still have to do for it. */
export async function waitingNews(tx: Transaction, account: AccountFacts): Promise<Omit<News, 'id'>[]> {
  const payouts = await waitingPayouts(tx, account.id)
  if (payouts.length === 0) return []
  const ids = [...new Set(payouts.map(({ partnerId }) => partnerId))]
  const standings = new Map(
    (await standingsOf(tx, await termsOf(tx, account), ids)).map((standing) => [standing.partnerId, standing]),
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
