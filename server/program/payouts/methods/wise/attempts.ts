import { v5 } from 'uuid'
import type { Queryable, Transaction } from '../../../../platform/database/pool.ts'
import type { Carried, UnderWay } from '../method.ts'

/** One try to pay a payout by one transfer. */
export type Attempt = {
  id: string
  number: number
  customerTransactionId: string
  /**
   * The profile it is paid from. This and the next five are set once; empty in attempts from releases that did not
   * store them.
   */
  profileId: string
  method: string | null
  detailsVersion: string | null
  amount: number | null
  currency: string | null
  year: number | null
  recipientId: string | null
  quoteId: string | null
  quoteExpiresAt: string | null
  transferId: string | null
  /** Wise's word for its transfer, or ours before there is one. */
  state: string
  /**
   * `prepared`: nothing requested yet; `open`: money may move; `over`: surely nothing of it moves any more, so that
   * another may be made.
   */
  stage: 'prepared' | 'open' | 'over'
  fundedAt: string | null
  fundingProblem: 'balance' | 'forbidden' | null
  error: string | null
  at: string
  /** Time of the first request for its transfer. */
  announcedAt: string | null
}

const silentStates = ['created', 'quoted', 'recipient-known']
const overStates = ['rejected', 'abandoned', 'cancelled', 'funds_refunded', 'charged_back']

export const latestAttempt = (db: Queryable, payoutId: string) => db.maybe<Attempt>`
  select id, number, customer_transaction_id, paid_from as profile_id, method, details_version, amount, currency, year,
    recipient_id, quote_id, quote_expires_at, transfer_id, state, stage, funded_at, funding_problem, error, at, announced_at
  from payout_attempts where payout_id = ${payoutId} order by number desc limit 1`

/** Whether nothing can exist at Wise: no transfer was requested yet. */
export const isSilent = ({ stage }: Pick<Attempt, 'stage'>) => stage === 'prepared'
export const isOver = ({ stage }: Pick<Attempt, 'stage'>) => stage === 'over'
const stageOf = (state: string) =>
  silentStates.includes(state) ? 'prepared' : overStates.includes(state) ? 'over' : 'open'

type AttemptChange = Partial<Pick<Attempt, 'recipientId' | 'quoteId' | 'transferId' | 'state' | 'fundingProblem'>> & {
  announcedAt?: Date
  fundedAt?: Date | null
  quoteExpiresAt?: string | null
  rate?: string | null
  fee?: number | null
  error?: string | null
}

const columns: Record<keyof AttemptChange, string> = {
  recipientId: 'recipient_id',
  quoteId: 'quote_id',
  quoteExpiresAt: 'quote_expires_at',
  transferId: 'transfer_id',
  state: 'state',
  fundedAt: 'funded_at',
  fundingProblem: 'funding_problem',
  announcedAt: 'announced_at',
  rate: 'rate',
  fee: 'fee',
  error: 'error',
}

/** Writes the given fields; omitted ones stay. */
export async function saveAttempt(tx: Transaction, id: string, change: AttemptChange): Promise<void> {
  const given = Object.entries(change).map(([field, value]) => [columns[field as keyof AttemptChange], value])
  if (change.state !== undefined) given.push(['stage', stageOf(change.state)])
  await tx.run`
    update payout_attempts t
    set (recipient_id, quote_id, quote_expires_at, transfer_id, state, stage, funded_at, funding_problem, announced_at, rate,
        fee, error, updated_at) =
      (select r.recipient_id, r.quote_id, r.quote_expires_at, r.transfer_id, r.state, r.stage, r.funded_at, r.funding_problem,
        r.announced_at, r.rate, r.fee, r.error, ${tx.now}::timestamptz
      from jsonb_populate_record(t, ${JSON.stringify(Object.fromEntries(given))}::jsonb) r)
    where t.id = ${id}`
}

/** Fixed for a payout's nth attempt: Wise creates one transfer for it. */
export const transactionId = (payoutId: string, number: number) => v5(String(number), payoutId)

/** Starts an attempt: everything it is to pay is written here, once. */
export const insertAttempt = (
  tx: Transaction,
  payout: UnderWay,
  attempt: { id: string; number: number; transactionId: string; profileId: string; year: number },
) => tx.run`
  insert into payout_attempts (id, account_id, payout_id, number, customer_transaction_id, paid_from, method,
    details_version, amount, currency, year, state, stage, at, updated_at)
  values (${attempt.id}, ${payout.accountId}, ${payout.id}, ${attempt.number}, ${attempt.transactionId}, ${attempt.profileId}, 'wise',
    ${payout.detailsVersion}, ${payout.amount}, ${payout.currency}, ${attempt.year}, 'created', 'prepared', ${tx.now},
    ${tx.now})`

/** A payout and its current attempt. */
export type At = { payout: UnderWay; attempt: Attempt }

export async function readAt(tx: Transaction, carried: Pick<Carried, 'payoutId' | 'read'>): Promise<At | undefined> {
  const payout = await carried.read(tx)
  const attempt = await latestAttempt(tx, carried.payoutId)
  return payout && attempt ? { payout, attempt } : undefined
}
