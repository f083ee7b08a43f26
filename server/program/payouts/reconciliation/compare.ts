import { bothNames } from '#contract/former-names.ts'
import {
  MOST_READ_TRANSFERS,
  type PayoutReconciliation,
  type ReconciliationTransfer,
  type TransferFinding,
  transferFindings,
} from '#contract/payout-reconciliation.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import { partnerNames } from '../../partner-directory/partner-names.ts'
import { hasEnded } from '../methods/method.ts'
import { connecting } from '../methods/registry.ts'
import { type Attempt, isOurs, transactionId } from '../payout-attempts.ts'
import { numberNamed, payoutName } from '../payout-number.ts'
import { presentPayouts } from '../payouts.ts'
import { type NumberedPayout, type PayoutIdentity, payoutsNamed } from './by-number.ts'
import type { TransferRead } from './read-transfers.ts'
import { isInstallPaused, readSince } from './reconcile-transfers.ts'

type Reading = { pausedAt: string | null; readingId: string | null; readAt: string | null; problem: string | null }

export const findReading = (db: Queryable, accountId: string) => db.maybe<Reading>`
  select paused_at, reading_id, read_at, problem from payout_reconciliations where account_id = ${accountId}`

/** A transfer as read, and the matching records here. */
export type Compared = Omit<TransferRead, 'paidFrom'> & {
  paidFrom: string | null
  finding: TransferFinding
  /** The attempt that requested it. */
  attempt: AttemptHere | null
  /** Its payout: that of the attempt, else the one that must have requested it before that was lost. */
  payout: PayoutIdentity | null
  /** The payout with its number, which proves nothing. */
  named: NumberedPayout | null
  /** Number of the lost attempt of `payout`, if it was one. */
  number: number | null
  /** The partner paid, as far as known. */
  partnerId: string | null
}

type AttemptHere = Pick<Attempt, 'id' | 'number' | 'state' | 'stage'> & { transferId: string | null }

const attemptHere = sql`jsonb_build_object(
  'id', a.id, 'number', a.number, 'state', a.state, 'stage', a.stage, 'transferId', a.transfer_id) as attempt`
const payoutHere = sql`jsonb_build_object(
  'id', o.id, 'partnerId', o.partner_id, 'statementNumber', o.statement_number, 'status', o.status) as payout`

/** An attempt that requested a transfer, of any account. */
type Here = { attempt: AttemptHere | null; payout: PayoutIdentity | null; ofAccount: string | null }

type Row = TransferRead &
  Here & {
    decision: 'recorded' | 'dismissed' | null
    recipientPartnerId: string | null
  }

/** Attempts per payout that are looked for. */
const ATTEMPTS = 20

/** Returns every transfer of the current reading that is the product's, with the matching records. */
export async function compareTransfers(db: Queryable, account: AccountFacts, readingId: string): Promise<Compared[]> {
  const rows = await rowsOf(db, account.id, readingId)
  const waiting = await payoutsByTransaction(db, account.id)
  const others = rows.filter((row) => !isOurs(row))
  const byNumber = await payoutsNamed(db, account.id, others)
  const compared = rows.flatMap(
    ({ decision, attempt, payout, ofAccount, recipientPartnerId, ...transfer }): Compared[] => {
      // paid for another account of this install
      if (ofAccount !== null && ofAccount !== account.id) return []
      const { id, state, standing } = transfer
      const isOverHere = attempt?.stage === 'over'
      // given up here without a transfer, while one is active there
      const isGivenUp = isOverHere && !hasEnded(standing) && attempt.transferId === null
      if (attempt && payout && !isGivenUp) {
        const isSame = attempt.transferId === id && attempt.state === state
        const finding = isSame || (isOverHere && hasEnded(standing)) ? 'same' : 'ahead'
        const { number } = attempt
        return [{ ...transfer, finding, attempt, payout, named: null, number, partnerId: payout.partnerId }]
      }
      const named = byNumber.get(id) ?? null
      const hasNumber =
        transfer.paymentNumber !== null || (numberNamed(transfer.reference) !== null && !named?.explains)
      const seemsOurs = isOurs(transfer) || hasNumber
      if (!seemsOurs) return []
      const request = waiting.get(transfer.transactionId ?? '') ?? { payout: null, number: null }
      const partnerId = request.payout?.partnerId ?? recipientPartnerId ?? named?.partnerId ?? null
      // no money has left: nothing to do
      const isOver = decision === 'dismissed' || (hasEnded(standing) && decision === null)
      return [{ ...transfer, ...request, attempt: null, named, partnerId, finding: isOver ? 'dismissed' : 'unknown' }]
    },
  )
  return [...compared, ...(await missing(db, account.id, readingId))]
}

async function rowsOf(db: Queryable, accountId: string, readingId: string): Promise<Row[]> {
  const rows = await db.many<Omit<Row, keyof Here>>`
    select r.transfer_id as id, r.paid_from, r.transaction_id, r.reference, r.recipient_id, r.quote_id, r.amount, r.state,
      r.standing, r.made_at, r.payment_number, coalesce(r.method, ${connecting.name}) as method, r.decision, (
        select min(o.partner_id::text) from payout_attempts b join payouts o on o.account_id = b.account_id and o.id = b.payout_id
        where b.recipient_id = r.recipient_id and o.account_id = ${accountId}
        having count(distinct o.partner_id) = 1) as recipient_partner_id
    from transfers_read r
    where r.account_id = ${accountId} and r.reading_id = ${readingId}
    order by r.made_at desc nulls last, r.transfer_id`
  const here = await db.many<Here & { attempt: AttemptHere; transactionId: string }>`
    select ${attemptHere}, ${payoutHere}, o.account_id as of_account, a.customer_transaction_id as transaction_id
    from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where a.transfer_id = any(${rows.map(({ id }) => id)}::text[])
      or a.customer_transaction_id::text = any(${rows.map((row) => row.transactionId)}::text[])
    order by a.id desc`
  const byTransfer = new Map(here.map((one) => [one.attempt.transferId, one]))
  const byTransaction = new Map(here.map((one) => [one.transactionId, one]))
  return rows.map((row) => {
    const one = byTransfer.get(row.id) ?? byTransaction.get(row.transactionId ?? '')
    return { ...row, attempt: one?.attempt ?? null, payout: one?.payout ?? null, ofAccount: one?.ofAccount ?? null }
  })
}

/** Returns payouts that have not left yet, by the transaction ids of their possible lost attempts. */
async function payoutsByTransaction(db: Queryable, accountId: string) {
  const payouts = await db.many<PayoutIdentity>`
    select id, partner_id, statement_number, status from payouts
    where account_id = ${accountId} and status in ('gathering', 'approved', 'processing', 'awaiting-funding', 'failed')`
  return new Map(
    payouts.flatMap((payout) =>
      Array.from(
        { length: ATTEMPTS },
        (_, at) => [transactionId(payout.id, at + 1), { payout, number: at + 1 }] as const,
      ),
    ),
  )
}

/** Returns transfers that are recorded here and were not read. */
async function missing(db: Queryable, accountId: string, readingId: string): Promise<Compared[]> {
  const rows = await db.many<{
    attempt: AttemptHere
    payout: PayoutIdentity
    amount: number
    at: string
    method: string
  }>`
    select ${attemptHere}, ${payoutHere}, a.amount, a.at, coalesce(a.method, ${connecting.name}) as method
    from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId} and a.transfer_id is not null and a.stage = 'open' and a.at >= ${readSince(db.now)}
      and not exists (
        select from transfers_read r
        where r.account_id = ${accountId} and r.reading_id = ${readingId} and r.transfer_id = a.transfer_id)
    order by a.at desc`
  return rows.map(({ attempt, payout, amount, at, method }) => ({
    id: attempt.transferId!,
    paidFrom: null,
    transactionId: null,
    reference: payoutName(payout),
    recipientId: null,
    quoteId: null,
    amount,
    state: attempt.state,
    standing: 'other',
    madeAt: at,
    method,
    finding: 'missing',
    attempt,
    payout,
    named: null,
    number: attempt.number,
    partnerId: payout.partnerId,
    paymentNumber: null,
  }))
}

/** Order of findings: those that need a person come first. */
const ORDER: TransferFinding[] = ['unknown', 'ahead', 'missing', 'dismissed', 'same']

export async function presentReconciliation(db: Queryable, account: AccountFacts): Promise<PayoutReconciliation> {
  const reading = await findReading(db, account.id)
  const isRead = Boolean(reading?.pausedAt && reading.readAt)
  const compared = isRead ? await compareTransfers(db, account, reading!.readingId!) : []
  const counts = Object.fromEntries(transferFindings.map((finding) => [finding, 0])) as PayoutReconciliation['counts']
  for (const { finding } of compared) counts[finding]++
  const differing = compared
    .filter(({ finding }) => finding !== 'same')
    .sort((a, b) => ORDER.indexOf(a.finding) - ORDER.indexOf(b.finding))
    .slice(0, MOST_READ_TRANSFERS)
  const partnerIds = differing.map(({ partnerId }) => partnerId)
  const names = await partnerNames(db, [account.id], partnerIds)
  const payouts = new Map(
    (await presentPayouts(db, account, [...new Set(differing.flatMap(({ payout }) => payout?.id ?? []))])).map(
      (payout) => [payout.id, payout],
    ),
  )
  const { paused } = await db.one<{ paused: boolean }>`select ${isInstallPaused()} as paused`
  return {
    pausedAt: reading?.pausedAt ?? null,
    webhooksPaused: paused,
    readAt: isRead ? reading!.readAt : null,
    problem: reading?.pausedAt ? reading.problem : null,
    currency: account.defaultCurrency,
    counts,
    transfers: differing.map(
      (one): ReconciliationTransfer => ({
        transferId: one.id,
        reference: one.reference,
        amount: one.amount,
        madeAt: one.madeAt,
        finding: one.finding,
        state: one.finding === 'missing' ? null : one.state,
        ...bothNames('recordedState', one.attempt?.state ?? null),
        payoutId: one.payout?.id ?? null,
        statementNumber: one.payout?.statementNumber ?? null,
        payoutStatus: payouts.get(one.payout?.id ?? '')?.status ?? null,
        partnerId: one.partnerId,
        partnerName: names.get(one.partnerId ?? '') ?? null,
      }),
    ),
  }
}
