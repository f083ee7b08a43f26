import type { ConfirmedReconciliation, PayoutReconciliation } from '#contract/payout-reconciliation.ts'
import { userAuthor } from '../../../platform/author.ts'
import { asUuid } from '../../../platform/database/ids.ts'
import { thisLife } from '../../../platform/database/incarnation.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { recordActivity } from '../../../platform/events/emit-event.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import { refusal, wrongField } from '../../../platform/refusal.ts'
import { yearIn } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import type { Actor } from '../../access/actor.ts'
import { isFresh } from '../../access/actor.ts'
import { gatherPayouts } from '../gather-payouts.ts'
import { skipNumbers } from '../given-names.ts'
import { hasEnded } from '../methods/method.ts'
import { apiMethodNames, apiMethods } from '../methods/registry.ts'
import { lockPayout } from '../payout-entries.ts'
import { lockPayoutAccount } from '../payout-terms.ts'
import { payOutQueue } from '../queue.ts'
import { transitionPayout } from '../transitions.ts'
import { type Compared, compareTransfers, findReading, presentReconciliation } from './compare.ts'
import { isListing } from './read-transfers.ts'
import { emitLaterStates, insertLostAttempt, type Recovered, recoverTransfer, revokeApproval } from './recover.ts'

/**
 * Decides on unknown transfers, and resumes payouts once none is left: those whose transfer is ahead catch up with it.
 * Refuses: `recent_sign_in_required` without a fresh password; `invalid_state` while payouts are not paused or past
 * payments are not completely read; `validation_failed` for a transfer that needs no decision, or lacks a partner.
 */
export async function confirmReconciliation(
  tx: Transaction,
  jobs: Jobs,
  actor: Actor,
  account: AccountFacts,
  { decisions = [] }: ConfirmedReconciliation,
): Promise<PayoutReconciliation> {
  await lockPayoutAccount(tx, account.id)
  await tx.run`select from payout_reconciliations where account_id = ${account.id} for update`
  const reading = await findReading(tx, account.id)
  if (!reading?.pausedAt) throw refusal('payouts_not_paused')
  if (!reading.readAt) throw refusal('transfers_not_read')
  if (!isFresh(actor, tx.now)) throw refusal('resuming_payouts')
  const readingId = reading.readingId!
  const by = userAuthor(actor)

  const compared = await compareTransfers(tx, account, readingId)
  const unknown = new Map(compared.filter(({ finding }) => finding === 'unknown').map((one) => [one.id, one]))
  for (const [at, { transferId, action, partnerId }] of decisions.entries()) {
    const transfer = unknown.get(transferId)
    if (!transfer) throw wrongField(`decisions.${at}.transferId`, 'transfer_decided')
    unknown.delete(transferId)
    if (action === 'record')
      await recoverTransfer(tx, by, account, await whole(tx, account, transfer, { at, partnerId }))
    await tx.run`
      update transfers_read set decision = ${action === 'record' ? 'recorded' : 'dismissed'}
      where account_id = ${account.id} and transfer_id = ${transferId}`
    if (action === 'dismiss')
      await recordActivity(tx, by, account.id, 'account.transfer-dismissed', {
        id: account.id,
        changes: { transferId: { old: null, new: transferId } },
      })
  }
  if (unknown.size === 0) await resume(tx, jobs, actor, account, { compared, readAt: reading.readAt })
  return presentReconciliation(tx, account)
}

async function whole(
  tx: Transaction,
  account: AccountFacts,
  transfer: Compared,
  { at, partnerId }: { at: number; partnerId: string | undefined },
): Promise<Recovered> {
  const { amount, paidFrom } = transfer
  if (amount === null || amount <= 0 || paidFrom === null)
    throw wrongField(`decisions.${at}.transferId`, 'transfer_without_amount')
  // its transaction id proves the partner
  const chosen = transfer.payout?.partnerId ?? partnerId ?? transfer.partnerId
  const partner = await tx.maybe<{ id: string }>`
    select id from partners where id = ${asUuid(chosen ?? '')} and account_id = ${account.id}`
  if (!partner) throw wrongField(`decisions.${at}.partnerId`, 'transfer_needs_partner')
  return { ...transfer, amount, paidFrom, partnerId: partner.id }
}

async function resume(
  tx: Transaction,
  jobs: Jobs,
  actor: Actor,
  account: AccountFacts,
  { compared, readAt }: { compared: Compared[]; readAt: string },
) {
  for (const one of compared) {
    if (one.finding === 'ahead') await emitLaterStates(tx, account, one.payout!.id, one.standing)
    if (one.finding === 'ahead' && one.attempt!.transferId === null) await attach(tx, account, one)
    // the payout's next attempt must not use the transaction id of one that failed
    else if (hasEnded(one.standing) && !one.attempt && one.payout && one.amount && one.paidFrom)
      await insertLostAttempt(
        tx,
        account,
        { payoutId: one.payout.id, number: one.number!, year: yearIn(account.timeZone, tx.now) },
        { ...one, amount: one.amount, paidFrom: one.paidFrom },
      )
  }
  await undoApprovals(tx, account, readAt)
  await skipNumbers(
    tx,
    sql`account_id in (
    select account_id from payout_reconciliations where account_id = ${account.id} and whole_install and not restored)`,
  )
  await tx.run`
    update payout_reconciliations set paused_at = null, agreed_in = ${thisLife}, problem = null, updated_at = ${tx.now}
    where account_id = ${account.id}`
  await recordActivity(tx, userAuthor(actor), account.id, 'account.payouts-resumed', { id: account.id })
  const further = compared.filter(({ finding }) => finding === 'ahead').map(({ payout }) => payout!.id)
  const open = await tx.many<{ payoutId: string }>`
    select id as payout_id from payouts
    where account_id = ${account.id} and method = any(${apiMethodNames}::text[]) and (id = any(${further}::uuid[])
      or status in ('approved', 'processing', 'awaiting-funding', 'sent', 'returned'))
    order by id`
  await jobs.addAll(tx, payOutQueue, open)
}

/** Seconds after the reading in which a pending call, of at most 20 s, may still have created its transfer. */
const QUIET_SECONDS = 60

/** Methods for which only a repeated request shows whether the first was accepted. */
const unlisted = apiMethods.filter((one) => !isListing(one)).map(({ name }) => name)

/**
 * Sets approved payouts that surely have no transfer back to due: they may have been cancelled since, or replaced by
 * another payout.
 */
async function undoApprovals(tx: Transaction, account: AccountFacts, readAt: string) {
  const payouts = await tx.many<{ id: string; partnerId: string }>`
    select id, partner_id from payouts o
    where account_id = ${account.id} and method = any(${apiMethodNames}::text[]) and status in ('approved', 'processing', 'failed')
      and not exists (
        select from payout_attempts a where a.account_id = ${account.id} and a.payout_id = o.id and a.stage = 'open' and (a.transfer_id is not null
          or (a.announced_at is not null and a.method = any(${unlisted}::text[]))
          or a.announced_at > ${readAt}::timestamptz - make_interval(secs => ${QUIET_SECONDS})))
    order by id for update`
  for (const { id } of payouts) await revokeApproval(tx, account, id)
  await gatherPayouts(tx, account, [...new Set(payouts.map(({ partnerId }) => partnerId))])
}

/** Attaches a transfer to its attempt, which continues with it. */
async function attach(tx: Transaction, account: AccountFacts, { id, attempt, payout, ...transfer }: Compared) {
  const stage = hasEnded(transfer.standing) ? 'over' : 'open'
  const { status } = await lockPayout(tx, account.id, payout!.id)
  if (status !== 'approved' && status !== 'processing') return
  if (status === 'approved' && stage === 'open') await transitionPayout(tx, account, payout!.id, 'start')
  await tx.run`
    update payout_attempts set transfer_id = ${id}, state = ${transfer.state}, stage = ${stage},
      recipient_id = coalesce(${transfer.recipientId}, recipient_id), quote_id = coalesce(${transfer.quoteId}, quote_id),
      announced_at = coalesce(announced_at, ${transfer.madeAt ?? tx.now}), updated_at = ${tx.now}
    where account_id = ${account.id} and id = ${attempt!.id}`
}
