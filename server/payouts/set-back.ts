import { audit, type By, system } from '../audit.ts'
import type { Transaction } from '../database/pool.ts'
import type { AccountFacts } from '../http/access.ts'
import { announce } from '../jobs/outbox.ts'
import type { Services } from '../services.ts'
import { release } from './binding.ts'
import { gather } from './gather.ts'
import { presentPayout } from './payouts.ts'

type Unpaid = { id: string; status: string; statementNumber: number; method: string }

/**
 * What is approved for a partner whose details have changed needs approval again: what cannot have left becomes due at
 * once; a transfer that stands at Wise is cancelled there first, by the pay-out job.
 */
export async function setBackUnpaid(tx: Transaction, services: Services, account: AccountFacts, partnerId: string) {
  const unpaid = await tx.many<Unpaid>`
    select id, status, statement_number, method from payouts
    where partner_id = ${partnerId} and account_id = ${account.id}
      and status in ('approved', 'processing', 'awaiting-funding', 'failed')
    order by id for update`
  for (const payout of unpaid) {
    if (payout.status === 'approved' || payout.status === 'failed') {
      await setBack(tx, account, payout.id)
      continue
    }
    await tx.run`
      update payouts set stop_reason = coalesce(stop_reason, 'details-changed'), updated_at = ${tx.now}
      where id = ${payout.id}`
    await services.jobs.add(tx, 'pay-out', { payoutId: payout.id })
  }
}

/**
 * Undoes an approval: the entries are due again, in one unapproved payout. Where another has appeared meanwhile, the
 * older of the two stays and the other ends, joined with it.
 */
export async function setBack(tx: Transaction, account: AccountFacts, payoutId: string) {
  const payout = await tx.one<{ partnerId: string; statementNumber: number; status: string }>`
    select partner_id, statement_number, status from payouts where id = ${payoutId} for update`
  const other = await tx.maybe<{ id: string; statementNumber: number }>`
    select id, statement_number from payouts
    where partner_id = ${payout.partnerId} and status = 'gathering' for update`
  const stays = !other || payout.statementNumber < other.statementNumber
  const words = `Joined with PO-${stays ? payout.statementNumber : other.statementNumber} when the payout details changed.`
  if (other && stays)
    await tx.run`
      update payouts set status = 'canceled', failure_reason = ${words}, updated_at = ${tx.now}
      where id = ${other.id}`
  if (stays)
    await tx.run`
      update payouts set status = 'gathering', amount = null, method = null, period_start = null, period_end = null,
        details_sealed = null, details_version = null, approved_by = null, approved_at = null, failure_reason = null,
        stop_reason = null, fund_again = false, updated_at = ${tx.now}
      where id = ${payoutId}`
  else
    await tx.run`
      update payouts set status = 'canceled', failure_reason = ${words}, stop_reason = null, fund_again = false,
        updated_at = ${tx.now}
      where id = ${payoutId}`
  await release(tx, payoutId)
  await audit(
    tx,
    system,
    account.id,
    'payout.set-back',
    { type: 'payout', id: payoutId },
    {
      status: { old: payout.status, new: stays ? 'due' : 'canceled' },
    },
  )
}

/** Ends a payout that has not left; its entries are due again, in a payout that appears at once. */
export async function endAsCanceled(tx: Transaction, account: AccountFacts, by: By, payoutId: string, amount: number) {
  const { partnerId, status } = await tx.one<{ partnerId: string; status: string }>`
    select partner_id, status from payouts where id = ${payoutId} for update`
  await tx.run`
    update payouts set status = 'canceled', amount = ${amount}, stop_reason = null, fund_again = false,
      updated_at = ${tx.now}
    where id = ${payoutId}`
  await release(tx, payoutId)
  await gather(tx, account, [partnerId])
  await audit(
    tx,
    by,
    account.id,
    'payout.canceled',
    { type: 'payout', id: payoutId },
    {
      status: { old: status, new: 'canceled' },
    },
  )
  await announce(tx, account.id, 'payout.canceled', { object: await presentPayout(tx, account, payoutId) })
}
