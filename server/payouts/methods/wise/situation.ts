import type { Queryable, Transaction } from '../../../database/pool.ts'
import { type AccountFacts, accountFacts } from '../../../http/access.ts'
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
}

export type Attempt = {
  id: string
  number: number
  customerTransactionId: string
  wiseProfileId: string
  recipientId: string | null
  quoteId: string | null
  quoteExpiresAt: string | null
  transferId: string | null
  state: string
  fundedAt: string | null
  fundingProblem: 'balance' | 'forbidden' | null
  at: string
}

/** States after which no transfer of the attempt moves any more, so that another attempt may be made. */
export const overStates = ['rejected', 'abandoned', 'cancelled', 'funds_refunded', 'charged_back']

export const underWay = (db: Queryable, id: string) => db.maybe<UnderWay>`
  select id, account_id, partner_id, status, amount, currency, statement_number, details_sealed, details_version,
    stop_reason, fund_again, sent_at, failure_reason
  from payouts where id = ${id} and method = 'wise'`

export const latestAttempt = (db: Queryable, payoutId: string) => db.maybe<Attempt>`
  select id, number, customer_transaction_id, wise_profile_id, recipient_id, quote_id, quote_expires_at, transfer_id,
    state, funded_at, funding_problem, at
  from payout_attempts where payout_id = ${payoutId} order by number desc limit 1`

type AttemptChange = Partial<
  Omit<Attempt, 'id' | 'number' | 'customerTransactionId' | 'wiseProfileId' | 'at' | 'fundedAt' | 'quoteExpiresAt'>
> & {
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
  rate: 'rate',
  fee: 'fee',
  error: 'error',
}

/** Writes what is given; what is left out stays. */
export async function saveAttempt(tx: Transaction, id: string, change: AttemptChange): Promise<void> {
  const given = Object.entries(change).map(([field, value]) => [columns[field as keyof AttemptChange], value])
  await tx.run`
    update payout_attempts t
    set (recipient_id, quote_id, quote_expires_at, transfer_id, state, funded_at, funding_problem, rate, fee, error,
        updated_at) =
      (select r.recipient_id, r.quote_id, r.quote_expires_at, r.transfer_id, r.state, r.funded_at, r.funding_problem,
        r.rate, r.fee, r.error, ${tx.now}::timestamptz
      from jsonb_populate_record(t, ${JSON.stringify(Object.fromEntries(given))}::jsonb) r)
    where t.id = ${id}`
}

export const accountOf = (db: Queryable, id: string) => db.one<AccountFacts>`
  select ${accountFacts} from accounts a where a.id = ${id}`
