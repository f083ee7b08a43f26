import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'

/** The last cash line of payout `o`: its money is out while that is an `out`. */
const lastLine = sql`lateral (
  select c.turn, c.kind, c.amount from payout_cash c
  where c.account_id = o.account_id and c.payout_id = o.id order by c.turn desc limit 1) c`

/**
 * Records that the money of these payouts has left, unless it is out already: one that is sent, taken up again and sent
 * once more left once. Code writes it, where the moment and the move are known: a trigger could write no other table in
 * a cluster.
 */
export const moneyLeft = (tx: Transaction, accountId: string, payoutIds: string[]) => tx.run`
  insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, at)
  select o.account_id, o.id, o.partner_id, coalesce(c.turn + 1, 0), 'out', o.amount, ${tx.now}
  from payouts o left join ${lastLine} on true
  where o.account_id = ${accountId} and o.id = any(${payoutIds}::uuid[]) and c.kind is distinct from 'out'`

/** Records that the money of a payout is back for good, if it was out: its entries are about to be freed. */
export const moneyIsBack = (tx: Transaction, accountId: string, payoutId: string) => tx.run`
  insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, at)
  select o.account_id, o.id, o.partner_id, c.turn + 1, 'back', c.amount, ${tx.now}
  from payouts o cross join ${lastLine}
  where o.account_id = ${accountId} and o.id = ${payoutId} and c.kind = 'out'`
