import { type Author, system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { batchMethodNames, rewardMethodNames } from './methods/registry.ts'
import { payoutName } from './payout-number.ts'
import { lockPayoutAccount } from './payout-terms.ts'
import { findPayoutsInFiles, type PayoutInFile } from './payouts-in-files.ts'
import { payOutQueue } from './queue.ts'
import { payoutReasons } from './reason-text.ts'
import { taxColumns } from './taxes.ts'
import { setReason, transitionPayout } from './transitions.ts'

/**
 * Requires a new approval of a partner's payouts after a change of their details: one that cannot have left becomes due
 * at once; for others their method is asked first. Rewards don't depend on details. One in a file may have been uploaded: a person is notified.
 */
export async function setBackUnpaid(tx: Transaction, jobs: Jobs, account: AccountFacts, partnerId: string) {
  const unpaid = await tx.many<{ id: string; status: string; method: string }>`
    select id, status, method from payouts
    where partner_id = ${partnerId} and account_id = ${account.id}
      and status in ('approved', 'processing', 'awaiting-funding', 'failed')
      and method <> all(${rewardMethodNames}::text[])
    order by id for update`
  const ids = unpaid.map(({ id }) => id)
  const filed = new Set(
    (await findPayoutsInFiles(tx, account.id, ids)).filter(({ live }) => live).map(({ payoutId }) => payoutId),
  )
  for (const { id, status, method } of unpaid)
    if (filed.has(id) || batchMethodNames.includes(method))
      await setReason(tx, account.id, id, payoutReasons.detailsChangedInFile)
    else if (status === 'approved' || status === 'failed') await setBack(tx, account, id, payoutReasons.detailsChanged)
    else await jobs.add(tx, payOutQueue, { payoutId: id })
}

/**
 * Undoes an approval: the entries are due again, in one unapproved payout. If another has appeared meanwhile, the older
 * of the two stays and the other is merged into it.
 */
export async function setBack(
  tx: Transaction,
  account: AccountFacts,
  payoutId: string,
  because: string,
  by: Author = system,
) {
  // a concurrent gathering would create a second unapproved payout
  await lockPayoutAccount(tx, account.id)
  const payout = await tx.one<{ partnerId: string; statementNumber: number }>`
    select partner_id, statement_number from payouts where account_id = ${account.id} and id = ${payoutId} for update`
  const other = await tx.maybe<{ id: string; statementNumber: number }>`
    select id, statement_number from payouts
    where account_id = ${account.id} and partner_id = ${payout.partnerId} and status = 'gathering' for update`
  if (!other) return transitionPayout(tx, account, payoutId, 'reopen', { by, because })
  const [stays, ends] =
    payout.statementNumber < other.statementNumber
      ? [payout.statementNumber, other.id]
      : [other.statementNumber, payoutId]
  const filed = ends === payoutId ? undefined : await newestFile(tx, account.id, ends)
  await transitionPayout(tx, account, ends, 'merge', {
    by,
    reason: payoutReasons.joined({ payout: payoutName({ statementNumber: stays }), why: because }),
    ...(filed && { set: asFiled(filed, filed.amount) }),
  })
  if (ends !== payoutId) await transitionPayout(tx, account, payoutId, 'reopen', { by, because })
}

/**
 * Ends a payout that has not left, with its approved amount, else that of its file if it was in one; its entries are due
 * again, in a payout created at once and referenced by this one.
 */
export async function endAsCanceled(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  payoutId: string,
  amount: number,
) {
  const { partnerId, approved } = await tx.one<{ partnerId: string; approved: number | null }>`
    select partner_id, amount as approved from payouts where account_id = ${account.id} and id = ${payoutId}`
  // a new approval no longer matches an earlier file
  const filed = approved === null ? await newestFile(tx, account.id, payoutId) : undefined
  await transitionPayout(tx, account, payoutId, 'cancel', {
    by,
    set: filed ? asFiled(filed, filed.amount ?? amount) : sql`amount = ${approved ?? amount}`,
  })
  await gatherPayouts(tx, account, [partnerId])
  const next = await tx.maybe<{ statementNumber: number }>`
    select statement_number from payouts
    where account_id = ${account.id} and partner_id = ${partnerId} and status = 'gathering'`
  if (next) await setReason(tx, account.id, payoutId, payoutReasons.nowIn({ payout: payoutName(next) }))
}

const newestFile = async (tx: Transaction, accountId: string, payoutId: string): Promise<PayoutInFile | undefined> =>
  (await findPayoutsInFiles(tx, accountId, [payoutId]))[0]

/** Columns of an unapproved payout that ends: what its file pays, which a person may find out was paid all the same. */
const asFiled = (filed: PayoutInFile, amount: number | null) =>
  sql`amount = ${amount}, method = coalesce(method, ${filed.method}), ${taxColumns(filed)}`
