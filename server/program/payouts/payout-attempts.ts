import { v5 } from 'uuid'
import type { PayoutMethod } from '#contract/payouts.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { snakeCase } from '../../platform/database/table.ts'
import type { AttemptState, PayeeKind, ProviderTransfer } from './methods/method.ts'
import { connecting } from './methods/registry.ts'
import type { StoredStatus } from './payout-entries.ts'
import { numberNamed } from './payout-number.ts'

/** The current state of a payout that was approved for a method. */
export type ActivePayout = {
  id: string
  accountId: string
  partnerId: string
  status: StoredStatus
  amount: number
  /** With its tax: what its transfer moves. */
  payAmount: number
  currency: string
  statementNumber: number
  detailsVersion: string
  payeeKind: PayeeKind['kind']
  payeeCountry: string | null
  payeeCurrency: string
  stopReason: 'canceled' | 'details-changed' | null
  /** The owner requested another try for a payout that waits for money. */
  fundAgain: boolean
  sentAt: string | null
  /** Consecutive checks in which its transfer was not visible. */
  looksRefused: number
  /** The account's public id. */
  accountName: string
}

/** One try to pay a payout by one transfer. */
export type Attempt = {
  id: string
  accountId: string
  number: number
  customerTransactionId: string
  /**
   * The profile it is paid from. This and the next six are set once; empty in attempts from releases that did not
   * store them.
   */
  profileId: string
  /** The account's number for it, if its method has numbers. */
  paymentNumber: number | null
  method: string | null
  detailsVersion: string | null
  amount: number | null
  currency: string | null
  year: number | null
  /** Values that its method gets again, `transferId` once there is one. */
  memo: AttemptState
  /** The provider's word for its transfer, or ours before there is one: `unsure` if a person has to find out. */
  state: string
  /**
   * `prepared`: nothing requested yet; `open`: money may move; `over`: it can no longer move money, so another may be
   * made.
   */
  stage: 'prepared' | 'open' | 'over'
  fundedAt: string | null
  fundingProblem: 'balance' | 'forbidden' | null
  error: string | null
  at: string
  /** Time of the first request for its transfer. */
  announcedAt: string | null
}

/** A payout and its current attempt. */
export type ActiveAttempt = { payout: ActivePayout; attempt: Attempt }

type OfMethod = { account: { id: string }; payoutId: string; method: { name: string } }

/** Returns the payout; undefined once it is no longer this method's. */
export const readUnderWay = (db: Queryable, { account, payoutId, method }: OfMethod) => db.maybe<ActivePayout>`
  select id, account_id, partner_id, status, amount, pay_amount, currency, statement_number, details_version, stop_reason, fund_again, sent_at,
    looks_refused, (select public_id from accounts where id = ${account.id}) as account_name,
    coalesce(payee_kind, 'us-bank') as payee_kind,
    case when payee_kind is null then 'US' else payee_country end as payee_country,
    coalesce(payee_currency, 'usd') as payee_currency
  from payouts where account_id = ${account.id} and id = ${payoutId} and method = ${method.name}`

/** Parts of a memo that are columns: what earlier releases stored, and what is looked for. */
const columns = ['recipientId', 'quoteId', 'quoteExpiresAt', 'transferId'] as const

/** The id under which its provider knows an attempt: one entered after a restore may have another's. */
export const transactionIdSql = (attempt: Sql) =>
  sql`coalesce(${attempt}.memo ->> 'enteredAs', ${attempt}.customer_transaction_id::text)`

export const latestAttempt = (
  db: Queryable,
  { account, payoutId }: Pick<OfMethod, 'account' | 'payoutId'>,
) => db.maybe<Attempt>`
  select id, account_id, number, ${transactionIdSql(sql`payout_attempts`)} as customer_transaction_id, paid_from as profile_id, method, details_version, amount, currency, year,
    payment_number, coalesce(memo, '{}') || jsonb_build_object('recipientId', recipient_id, 'quoteId', quote_id,
      'quoteExpiresAt', quote_expires_at, 'transferId', transfer_id) as memo,
    state, stage, funded_at, funding_problem, error, at, announced_at
  from payout_attempts where account_id = ${account.id} and payout_id = ${payoutId} order by number desc limit 1`

export async function readActiveAttempt(db: Queryable, one: OfMethod): Promise<ActiveAttempt | undefined> {
  const payout = await readUnderWay(db, one)
  const attempt = await latestAttempt(db, one)
  return payout && attempt ? { payout, attempt } : undefined
}

/** Whether nothing can exist at the provider: no transfer was requested yet. */
export const isUnrequested = ({ stage }: Pick<Attempt, 'stage'>) => stage === 'prepared'
export const isFinished = ({ stage }: Pick<Attempt, 'stage'>) => stage === 'over'

/**
 * Ends an unsure attempt once a person has found out its outcome. Returns whether there was one. The caller has locked
 * the payout.
 */
export const decideUnsure = async (tx: Transaction, accountId: string, payoutId: string): Promise<boolean> =>
  (await tx.run`
    update payout_attempts set state = 'decided', stage = 'over', updated_at = ${tx.now}
    where account_id = ${accountId} and payout_id = ${payoutId} and stage = 'open' and state = 'unsure'`) > 0

type AttemptChange = Partial<Pick<Attempt, 'state' | 'stage' | 'fundingProblem' | 'error'>> & {
  memo?: Partial<AttemptState>
  announcedAt?: Date
  fundedAt?: Date | null
  rate?: string | null
  fee?: number | null
  payeeAmount?: number | null
  payeeCurrency?: string | null
  /** Given once. */
  paymentNumber?: number
}

/** Writes the given fields; omitted ones stay. */
export async function saveAttempt(
  tx: Transaction,
  { id, accountId }: Pick<Attempt, 'id' | 'accountId'>,
  { memo = {}, ...change }: AttemptChange,
): Promise<void> {
  const parts = Object.entries(memo)
  const isColumn = (field: string) => columns.some((column) => column === field)
  const given = [...Object.entries(change), ...parts.filter(([field]) => isColumn(field))]
  const more = Object.fromEntries(parts.filter(([field]) => !isColumn(field)))
  await tx.run`
    update payout_attempts t
    set (recipient_id, quote_id, quote_expires_at, transfer_id, state, stage, funded_at, funding_problem, announced_at, rate,
        fee, error, payee_amount, payee_currency, payment_number, updated_at) =
      (select r.recipient_id, r.quote_id, r.quote_expires_at, r.transfer_id, r.state, r.stage, r.funded_at, r.funding_problem,
        r.announced_at, r.rate, r.fee, r.error, r.payee_amount, r.payee_currency, r.payment_number, ${tx.now}::timestamptz
      from jsonb_populate_record(t, ${JSON.stringify(Object.fromEntries(given.map(([field, value]) => [snakeCase(field), value])))}::jsonb) r),
      memo = case when ${JSON.stringify(more)}::jsonb = '{}' then t.memo
        else coalesce(t.memo, '{}') || ${JSON.stringify(more)}::jsonb end
    where t.account_id = ${accountId} and t.id = ${id}`
}

/** Fixed for a payout's nth attempt: a provider creates one transfer for it. */
export const transactionId = (payoutId: string, number: number) => v5(String(number), payoutId)

/** A version 5 UUID like our transaction ids: providers and people use others. */
const DERIVED = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether only this product, or a copy of it, can have requested the transfer. */
export const isOurs = ({ transactionId: id, reference }: Pick<ProviderTransfer, 'transactionId' | 'reference'>) =>
  DERIVED.test(id ?? '') && numberNamed(reference) !== null

/** Starts an attempt: everything it is to pay is written here, once. */
export const insertAttempt = (
  tx: Transaction,
  { payout, method }: { payout: ActivePayout; method: { name: string } },
  attempt: {
    id: string
    number: number
    transactionId: string
    profileId: string
    year: number
  },
) => tx.run`
  insert into payout_attempts (id, account_id, payout_id, number, customer_transaction_id, paid_from, method,
    details_version, amount, currency, year, state, stage, at, updated_at)
  values (${attempt.id}, ${payout.accountId}, ${payout.id}, ${attempt.number}, ${attempt.transactionId}, ${attempt.profileId},
    ${method.name}, ${payout.detailsVersion}, ${payout.payAmount}, ${payout.currency}, ${attempt.year},
    'created', 'prepared', ${tx.now}, ${tx.now})`

/** The account's next number of a method. Attempts stay for ever, so none is given twice; the caller has the lock. */
export async function nextPaymentNumber(tx: Transaction, accountId: string, method: string): Promise<number> {
  const { last } = await tx.one<{ last: number | null }>`
    select max(payment_number) as last from payout_attempts where account_id = ${accountId} and method = ${method}`
  return (last ?? 0) + 1
}

/** Whether another attempt used the recipient before. */
export async function wasUsedBefore(tx: Transaction, { id, accountId, memo }: Attempt): Promise<boolean> {
  const { used } = await tx.one<{ used: boolean }>`
    select exists (
      select from payout_attempts
      where account_id = ${accountId} and recipient_id = ${memo.recipientId ?? null} and id <> ${id}) as used`
  return used
}

/**
 * Estimates the fees of so many payouts by each of these methods, in minor units of the account's currency: the average
 * fee of a method's last payouts for each. Null if none is known.
 */
export async function estimateFees(
  db: Queryable,
  accountId: string,
  counts: Partial<Record<PayoutMethod, number>>,
): Promise<number | null> {
  const { fees } = await db.one<{ fees: number | null }>`
    select sum(round(late.fee * c.value::numeric))::bigint as fees
    from jsonb_each_text(${counts}::jsonb) c
      cross join lateral (
        select avg(fee) as fee from (
          select a.fee from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
          where o.account_id = ${accountId} and coalesce(a.method, ${connecting.name}) = c.key and a.fee is not null
          order by a.at desc limit 20) f) late`
  return fees
}
