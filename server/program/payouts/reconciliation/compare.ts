import {
  MOST_READ_TRANSFERS,
  type PayoutReconciliation,
  type ReadTransfer,
  type TransferFinding,
  transferFindings,
} from '#contract/payout-reconciliation.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import { partnerNames } from '../../partner-lookup/partner-names.ts'
import type { StoredStatus } from '../binding.ts'
import type { ToldTransfer } from '../methods/method.ts'
import { isOurs, transactionId } from '../payout-attempts.ts'
import { numberNamed, payoutName } from '../payout-number.ts'
import { presentPayouts } from '../payouts.ts'
import { isInstallPaused, readSince } from './agreement.ts'
import { type Beside, type Named, payoutsNamed } from './by-number.ts'

type Reading = { pausedAt: string | null; readingId: string | null; readAt: string | null; problem: string | null }

export const findReading = (db: Queryable, accountId: string) => db.maybe<Reading>`
  select paused_at, reading_id, read_at, problem from payout_reconciliations where account_id = ${accountId}`

/** A transfer as read, and the matching records here. */
export type Compared = Omit<ToldTransfer, 'paidFrom'> & {
  paidFrom: string | null
  finding: TransferFinding
  /** The attempt that requested it. */
  attempt: { id: string; number: number; state: string; transferId: string | null } | null
  /** Its payout: that of the attempt, else the one that must have requested it before that was lost. */
  payout: Beside | null
  /** The payout with its number, which proves nothing. */
  named: Named | null
  /** Number of the lost attempt of `payout`, if it was one. */
  number: number | null
  /** The partner paid, as far as known. */
  partnerId: string | null
}

type Row = ToldTransfer & {
  decision: 'recorded' | 'dismissed' | null
  attemptId: string | null
  attemptNumber: number | null
  attemptState: string | null
  attemptStage: string | null
  attemptTransferId: string | null
  ofAccount: string | null
  payoutId: string | null
  payoutPartnerId: string | null
  statementNumber: number | null
  status: StoredStatus | null
  recipientPartnerId: string | null
}

/** Attempts per payout that are looked for. */
const ATTEMPTS = 20

/** Returns every transfer of the current reading that is the product's, with the matching records. */
export async function compare(db: Queryable, account: AccountFacts, readingId: string): Promise<Compared[]> {
  const rows = await rowsOf(db, account.id, readingId)
  const waiting = await payoutsByTransaction(db, account.id)
  const others = rows.filter((row) => !isOurs(row))
  const byNumber = await payoutsNamed(db, account.id, others)
  const compared = rows.flatMap((row): Compared[] => {
    // paid for another account of this install
    if (row.ofAccount !== null && row.ofAccount !== account.id) return []
    const attempt = row.attemptId
      ? { id: row.attemptId, number: row.attemptNumber!, state: row.attemptState!, transferId: row.attemptTransferId }
      : null
    const isOverHere = row.attemptStage === 'over'
    // given up here without a transfer, while one is active there
    const isGivenUp = isOverHere && row.standing !== 'over' && row.attemptTransferId === null
    if (attempt && !isGivenUp) {
      const payout = {
        ...{ id: row.payoutId!, partnerId: row.payoutPartnerId!, statementNumber: row.statementNumber! },
        status: row.status!,
      }
      const isSame = attempt.transferId === row.id && attempt.state === row.state
      const finding = isSame || (isOverHere && row.standing === 'over') ? 'same' : 'ahead'
      return [
        { ...told(row), finding, attempt, payout, named: null, number: attempt.number, partnerId: payout.partnerId },
      ]
    }
    const named = byNumber.get(row.id) ?? null
    const seemsOurs = isOurs(row) || (numberNamed(row.reference) !== null && !named?.explains)
    if (!seemsOurs) return []
    const asked = waiting.get(row.transactionId ?? '')
    const common = { ...told(row), attempt: null, payout: asked?.payout ?? null, named, number: asked?.number ?? null }
    const partnerId = asked?.payout.partnerId ?? row.recipientPartnerId ?? named?.partnerId ?? null
    // no money has left: nothing to do
    if (row.decision === 'dismissed' || (row.standing === 'over' && row.decision === null))
      return [{ ...common, partnerId, finding: 'dismissed' }]
    return [{ ...common, partnerId, finding: 'unknown' }]
  })
  return [...compared, ...(await missing(db, account.id, readingId))]
}

const told = ({
  id,
  paidFrom,
  transactionId,
  reference,
  recipientId,
  quoteId,
  amount,
  state,
  standing,
  madeAt,
}: Row) => ({
  ...{ id, paidFrom, transactionId, reference, recipientId, quoteId, amount, state, standing, madeAt },
})

const rowsOf = (db: Queryable, accountId: string, readingId: string) => db.many<Row>`
  select r.transfer_id as id, r.paid_from, r.transaction_id, r.reference, r.recipient_id, r.quote_id, r.amount, r.state,
    r.standing, r.made_at, r.decision,
    a.id as attempt_id, a.number as attempt_number, a.state as attempt_state, a.stage as attempt_stage,
    a.transfer_id as attempt_transfer_id, a.account_id as of_account, a.payout_id, a.partner_id as payout_partner_id,
    a.statement_number, a.status, (
      select min(o.partner_id::text) from payout_attempts b join payouts o on o.account_id = b.account_id and o.id = b.payout_id
      where b.recipient_id = r.recipient_id and o.account_id = ${accountId}
      having count(distinct o.partner_id) = 1) as recipient_partner_id
  from transfers_read r left join lateral (
    select a.id, a.number, a.state, a.stage, a.transfer_id, o.account_id, a.payout_id, o.partner_id, o.statement_number,
      o.status
    from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where a.transfer_id = r.transfer_id or a.customer_transaction_id::text = r.transaction_id
    order by a.transfer_id is not distinct from r.transfer_id desc, a.id limit 1) a on true
  where r.account_id = ${accountId} and r.reading_id = ${readingId}
  order by r.made_at desc nulls last, r.transfer_id`

/** Returns payouts that have not left yet, by the transaction ids of their possible lost attempts. */
async function payoutsByTransaction(db: Queryable, accountId: string) {
  const payouts = await db.many<Beside>`
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

type Missing = { id: string; number: number; state: string; transferId: string; amount: number; at: string } & {
  payoutId: string
  partnerId: string
  statementNumber: number
  status: StoredStatus
}

/** Returns transfers that are recorded here and were not read. */
async function missing(db: Queryable, accountId: string, readingId: string): Promise<Compared[]> {
  const rows = await db.many<Missing>`
    select a.id, a.number, a.state, a.transfer_id, a.amount, a.at, o.id as payout_id, o.partner_id, o.statement_number,
      o.status
    from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId} and a.transfer_id is not null and a.stage = 'open' and a.at >= ${readSince(db.now)}
      and not exists (
        select from transfers_read r
        where r.account_id = ${accountId} and r.reading_id = ${readingId} and r.transfer_id = a.transfer_id)
    order by a.at desc`
  return rows.map(({ id, number, state, transferId, amount, at, payoutId, partnerId, statementNumber, status }) => ({
    ...{
      id: transferId,
      paidFrom: null,
      transactionId: null,
      reference: payoutName({ statementNumber }),
      recipientId: null,
    },
    ...{ quoteId: null, amount, state, standing: 'other', madeAt: at, finding: 'missing', number, partnerId },
    attempt: { id, number, state, transferId },
    payout: { id: payoutId, partnerId, statementNumber, status },
    named: null,
  }))
}

/** Order of findings: those that need a person come first. */
const ORDER: TransferFinding[] = ['unknown', 'ahead', 'missing', 'dismissed', 'same']

export async function presentReconciliation(db: Queryable, account: AccountFacts): Promise<PayoutReconciliation> {
  const reading = await findReading(db, account.id)
  const isRead = Boolean(reading?.pausedAt && reading.readAt)
  const compared = isRead ? await compare(db, account, reading!.readingId!) : []
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
      (one): ReadTransfer => ({
        transferId: one.id,
        ...{ reference: one.reference, amount: one.amount, madeAt: one.madeAt, finding: one.finding },
        state: one.finding === 'missing' ? null : one.state,
        stateHere: one.attempt?.state ?? null,
        payoutId: one.payout?.id ?? null,
        statementNumber: one.payout?.statementNumber ?? null,
        payoutStatus: payouts.get(one.payout?.id ?? '')?.status ?? null,
        partnerId: one.partnerId,
        partnerName: names.get(one.partnerId ?? '') ?? null,
      }),
    ),
  }
}
