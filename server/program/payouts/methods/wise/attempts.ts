import type { Queryable, Transaction } from '../../../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from '../../../access/access.ts'
import type { LockedPayout } from '../../binding.ts'

/** A payout under way, with its latest attempt. */
export type UnderWay = {
  id: string
  accountId: string
  partnerId: string
  status: LockedPayout['status']
  amount: number
  currency: string
  statementNumber: number
  detailsSealed: Buffer
  detailsVersion: string
  stopReason: 'canceled' | 'details-changed' | null
  fundAgain: boolean
  sentAt: string | null
  failureReason: string | null
  /** How often Wise would not show its transfer, since it last did. */
  looksRefused: number
}

export type Attempt = {
  id: string
  number: number
  customerTransactionId: string
  /** What it is to pay, set once; empty in attempts from before this was kept. */
  wiseProfileId: string
  method: string | null
  detailsVersion: string | null
  amount: number | null
  currency: string | null
  year: number | null
  recipientId: string | null
  quoteId: string | null
  quoteExpiresAt: string | null
  transferId: string | null
  state: string
  fundedAt: string | null
  fundingProblem: 'balance' | 'forbidden' | null
  at: string
  /** When Wise was first asked for its transfer. */
  announcedAt: string | null
}

/** States after which no transfer of the attempt moves any more, so that another attempt may be made. */
const overStates = ['rejected', 'abandoned', 'cancelled', 'funds_refunded', 'charged_back']

export const underWay = (db: Queryable, id: string) => db.maybe<UnderWay>`
  select id, account_id, partner_id, status, amount, currency, statement_number, details_sealed, details_version,
    stop_reason, fund_again, sent_at, failure_reason, looks_refused
  from payouts where id = ${id} and method = 'wise'`

export const latestAttempt = (db: Queryable, payoutId: string) => db.maybe<Attempt>`
  select id, number, customer_transaction_id, wise_profile_id, method, details_version, amount, currency, year,
    recipient_id, quote_id, quote_expires_at, transfer_id, state, funded_at, funding_problem, at, announced_at
  from payout_attempts where payout_id = ${payoutId} order by number desc limit 1`

/** Of these nothing can be at Wise: no transfer was asked for yet. */
export const isSilent = ({ state }: Attempt) => ['created', 'quoted', 'recipient-known'].includes(state)
export const isOver = ({ state }: Pick<Attempt, 'state'>) => overStates.includes(state)

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

/** Writes what is given; what is left out stays. */
export async function saveAttempt(tx: Transaction, id: string, change: AttemptChange): Promise<void> {
  const given = Object.entries(change).map(([field, value]) => [columns[field as keyof AttemptChange], value])
  await tx.run`
    update payout_attempts t
    set (recipient_id, quote_id, quote_expires_at, transfer_id, state, funded_at, funding_problem, announced_at, rate, fee,
        error, updated_at) =
      (select r.recipient_id, r.quote_id, r.quote_expires_at, r.transfer_id, r.state, r.funded_at, r.funding_problem,
        r.announced_at, r.rate, r.fee, r.error, ${tx.now}::timestamptz
      from jsonb_populate_record(t, ${JSON.stringify(Object.fromEntries(given))}::jsonb) r)
    where t.id = ${id}`
}

export const accountOf = (db: Queryable, id: string) => db.one<AccountFacts>`
  select ${accountFacts} from accounts a where a.id = ${id}`

/** Says on the payout why it stands where it does. */
export const sayWhy = (tx: Transaction, payoutId: string, words: string | null) => tx.run`
  update payouts set failure_reason = ${words}, updated_at = ${tx.now}
  where id = ${payoutId} and failure_reason is distinct from ${words}`
