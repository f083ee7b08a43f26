import type { Transaction } from '../../platform/database/pool.ts'

// Checks of a payout under way: the clock's next one, and those that its provider refused.

/** Starts the interval until the clock's next check. */
export const markChecked = (tx: Transaction, accountId: string, payoutId: string) => tx.run`
  update payouts set checked_at = ${tx.now} where account_id = ${accountId} and id = ${payoutId}`

/** Records a successful check: the transfer is visible again. */
export const recordCheckSuccess = (tx: Transaction, accountId: string, payoutId: string) => tx.run`
  update payouts set checked_at = ${tx.now}, looks_refused = 0, look_after = null,
    failure_reason = case when looks_refused = 0 then failure_reason end
  where account_id = ${accountId} and id = ${payoutId}`

/** Hours to the next check, by the number of checks refused before. */
const HOURS = [1, 2, 4, 8, 16, 32, 64, 128, 168]

/** Records a refused check: the next comes after one hour, two, four and so on, a week at most. */
export const backOffNextCheck = (tx: Transaction, accountId: string, payoutId: string) => tx.run`
  update payouts set looks_refused = looks_refused + 1,
    look_after = (${HOURS.map((hours) => new Date(tx.now.getTime() + hours * 3_600_000))}::timestamptz[])[
      least(looks_refused, ${HOURS.length - 1}::integer) + 1]
  where account_id = ${accountId} and id = ${payoutId}`

/** Delays the next check by this many seconds, as the provider asked. */
export const delayNextCheck = (tx: Transaction, accountId: string, payoutId: string, seconds: number) => tx.run`
  update payouts set look_after = greatest(look_after, ${tx.now}::timestamptz + make_interval(secs => ${seconds}))
  where account_id = ${accountId} and id = ${payoutId}`

/** Restarts the intervals of a method's payouts: a new connection may see other transfers. */
export const resetCheckBackoff = (tx: Transaction, accountId: string, method: string) => tx.run`
  update payouts set looks_refused = least(looks_refused, 1), look_after = null
  where account_id = ${accountId} and method = ${method} and look_after is not null`
