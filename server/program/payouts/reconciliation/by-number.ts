import { MOST_IN_FILE } from '#contract/payment-files.ts'
import type { Queryable, Transaction } from '../../../platform/database/pool.ts'
import { hasEnded, type ProviderTransfer } from '../methods/method.ts'
import { personMethodNames } from '../methods/registry.ts'
import { isOurs } from '../payout-attempts.ts'
import type { StoredStatus } from '../payout-entries.ts'
import { numberNamed } from '../payout-number.ts'
import { lockPayoutAccount } from '../payout-terms.ts'
import { findPayoutsInFiles } from '../payouts-in-files.ts'

/** The fields of a payout needed here. */
export type PayoutIdentity = { id: string; partnerId: string; statementNumber: number; status: StoredStatus }

/** `explains`: it may well have such a transfer, since a person paid it or put it in a file. */
export type NumberedPayout = PayoutIdentity & { explains: boolean }

/**
 * Returns the payouts whose numbers these transfers contain, by transfer. One created after its transfer is not meant:
 * a restored copy assigns lost numbers again.
 */
export async function payoutsNamed(
  db: Queryable,
  accountId: string,
  transfers: Pick<ProviderTransfer, 'id' | 'reference' | 'madeAt'>[],
): Promise<Map<string, NumberedPayout>> {
  const numbers = transfers.map(({ reference }) => numberNamed(reference))
  const rows = await db.many<NumberedPayout & { transferId: string }>`
    select t.id as transfer_id, o.id, o.partner_id, o.statement_number, o.status,
      (o.status in ('sent', 'paid', 'returned', 'canceled') or coalesce(o.method = any(${personMethodNames}::text[]), false)) as explains
    from unnest(${transfers.map(({ id }) => id)}::text[], ${numbers}::integer[],
        ${transfers.map(({ madeAt }) => madeAt)}::timestamptz[]) as t (id, number, made_at)
      join payouts o on o.account_id = ${accountId} and o.statement_number = t.number
        and date_trunc('second', o.created_at) <= coalesce(t.made_at, 'infinity')`
  const given = await findPayoutsInFiles(db, accountId, [...new Set(rows.map(({ id }) => id))])
  const inFile = new Set(given.map(({ payoutId }) => payoutId))
  return new Map(
    rows.map(({ transferId, ...payout }) => [
      transferId,
      { ...payout, explains: payout.explains || inFile.has(payout.id) },
    ]),
  )
}

/**
 * Reserves the numbers of lost payouts: results and statements refer to them. A waiting payout that has one of them,
 * and is not meant, gets a new number. A transfer that is not certainly ours counts only near the numbers assigned
 * here, since owners number their own orders, too.
 */
export async function reserveNumbers(tx: Transaction, accountId: string, transfers: ProviderTransfer[]): Promise<void> {
  await lockPayoutAccount(tx, accountId)
  const { last } = await tx.one<{ last: number }>`
    select last_statement_number as last from payout_accounts where account_id = ${accountId}`
  const numbered = transfers
    .flatMap((transfer) => {
      const number = numberNamed(transfer.reference)
      return number === null ? [] : [{ number, transfer, isOurs: isOurs(transfer) }]
    })
    .sort((a, b) => a.number - b.number)
  const surely = numbered.filter(({ isOurs }) => isOurs).map(({ number }) => number)
  let highest = Math.max(last, ...surely)
  const filed = numbered.filter(({ isOurs, number }) => {
    const isNear = !isOurs && number <= highest + MOST_IN_FILE
    if (isNear) highest = Math.max(highest, number)
    return isNear
  })
  const others = filed.map(({ transfer }) => transfer)
  const named = await payoutsNamed(tx, accountId, others)
  const meant = others
    .filter(({ id, standing }) => !hasEnded(standing) && named.has(id))
    .map(({ id }) => named.get(id)!.id)
  const waiting = await tx.many<{ id: string }>`
    select id from payouts o
    where account_id = ${accountId} and statement_number = any(${filed.map(({ number }) => number)}::integer[])
      and status in ('gathering', 'approved') and id <> all(${meant}::uuid[])
      and not exists (select from payout_attempts a where a.account_id = ${accountId} and a.payout_id = o.id)
    order by statement_number for update`
  const ids = waiting.map(({ id }) => id)
  const inFile = new Set((await findPayoutsInFiles(tx, accountId, ids)).map(({ payoutId }) => payoutId))
  const again = ids.filter((id) => !inFile.has(id))
  await tx.run`
    update payouts o set statement_number = ${highest} + n.place::integer, updated_at = ${tx.now}
    from unnest(${again}::uuid[]) with ordinality as n (id, place)
    where o.account_id = ${accountId} and o.id = n.id`
  await tx.run`
    update payout_accounts set last_statement_number = ${highest + again.length} where account_id = ${accountId}`
}
