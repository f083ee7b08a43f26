import type { Database } from '../../../../platform/database/pool.ts'
import { sql } from '../../../../platform/database/sql.ts'
import type { Difference } from '../../../stats/verify.ts'
import { numberAsWritten } from '../../payout-number.ts'
import type { Asking, Unread, Verified } from '../method.ts'
import { type Transfer, type Wise, WiseError } from './client.ts'
import { findConnection, wiseOf } from './connection.ts'
import { UNFUNDED } from './steps.ts'

const DAYS = 90

/** One of our attempts whose transfer was requested from Wise. Amounts in minor units of `currency`. */
type Ours = {
  id: string
  payoutId: string
  statementNumber: number
  customerTransactionId: string
  profileId: string
  recipientId: string | null
  transferId: string | null
  state: string
  stage: 'prepared' | 'open' | 'over'
  amount: number | null
  currency: string
  status: string
}

/**
 * Reads every transfer of the last ninety days back from Wise, for each account with a token and each profile it paid
 * from, and compares them with the stored attempts. Returns the differences, the number of transfers, and the accounts
 * that Wise did not let it read.
 */
export async function verifyTransfers(services: Asking): Promise<Verified> {
  const { db } = services
  const differences: Difference[] = []
  const unread: Unread[] = []
  let compared = 0
  for (const { accountId, profileIds } of await accountsToRead(db)) {
    try {
      const wise = wiseOf(services, accountId, await findConnection(db, accountId))!
      const transfers = await transfersOf(wise, profileIds, since(db))
      compared += transfers.length
      differences.push(...compare(await oursOf(db, accountId), await numbersOf(db, accountId), transfers))
    } catch (error) {
      unread.push({
        accountId,
        reason: error instanceof WiseError ? error.message : 'The stored API token can’t be decrypted.',
      })
      if (!(error instanceof WiseError))
        services.db.log.error({ accountId, err: error }, 'transfers could not be read from Wise')
    }
  }
  return { differences, compared, unread }
}

const since = (db: Database) => new Date(db.now.getTime() - DAYS * 86_400_000)

/** Attempts without a method are from earlier releases, which had only this one. */
const ours = (db: Database) => sql`a.at >= ${since(db)} and coalesce(a.method, 'wise') = 'wise'`

const accountsToRead = (db: Database) => db.many<{ accountId: string; profileIds: string[] }>`
  select w.account_id, array_remove(array_agg(distinct used.id), null) as profile_ids
  from wise_accounts w
    left join lateral (
      select w.profile ->> 'id' as id
      union
      select a.paid_from from payout_attempts a join payouts o on o.id = a.payout_id
      where o.account_id = w.account_id and ${ours(db)}) used on true
  where w.token_sealed is not null
  group by w.account_id order by w.account_id`

const oursOf = (db: Database, accountId: string) => db.many<Ours>`
  select a.id, a.payout_id, o.statement_number, a.customer_transaction_id, a.paid_from as profile_id, a.recipient_id,
    a.transfer_id, a.state, a.stage, a.amount, o.currency, o.status
  from payout_attempts a join payouts o on o.id = a.payout_id
  where o.account_id = ${accountId} and ${ours(db)} order by a.id`

/**
 * Returns, by statement number, whether Wise was to pay the payout by API: another transfer with that number may be the
 * owner's own.
 */
async function numbersOf(db: Database, accountId: string) {
  const rows = await db.many<{ statementNumber: number; byUs: boolean }>`
    select statement_number, coalesce(method = 'wise', true) as by_us from payouts where account_id = ${accountId}`
  return new Map(rows.map((row) => [row.statementNumber, row.byUs]))
}

async function transfersOf(wise: Wise, profileIds: string[], from: Date): Promise<Transfer[]> {
  const found: Transfer[] = []
  for (const profileId of profileIds)
    for await (const transfer of wise.transfersSince(profileId, from)) found.push(transfer)
  return found
}

const OVER = new Set(['cancelled', 'funds_refunded', 'charged_back'])

function compare(ours: Ours[], numbers: Map<number, boolean>, transfers: Transfer[]): Difference[] {
  const byTransaction = new Map(transfers.map((transfer) => [transfer.customerTransactionId, transfer]))
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]))
  const known = new Set<string>()
  const found: Difference[] = []
  for (const attempt of ours) {
    const transfer = byTransaction.get(attempt.customerTransactionId) ?? byId.get(attempt.transferId ?? '')
    if (transfer) known.add(transfer.id)
    found.push(...(transfer ? differencesOf(attempt, transfer) : missing(attempt)))
  }
  return [...found, ...transfers.filter(({ id }) => !known.has(id)).flatMap((transfer) => unknown(transfer, numbers))]
}

const missing = ({ id, transferId }: Ours): Difference[] =>
  transferId ? [{ check: 'every transfer is at Wise', subject: id, expected: transferId, actual: 'none' }] : []

function differencesOf(attempt: Ours, transfer: Transfer): Difference[] {
  const { id: subject, amount, currency, recipientId, transferId, customerTransactionId } = attempt
  const found: Difference[] = []
  const differs = (check: string, expected: string | number | null, actual: string | number | null) => {
    if (expected !== null && actual !== null && expected !== actual)
      found.push({ check, subject, expected: String(expected), actual: String(actual) })
  }
  differs(
    'Wise pays the amount that was approved',
    amount,
    currency === 'usd' ? transfer.targetValue : transfer.sourceValue,
  )
  differs('Wise pays the recipient that was approved', recipientId, transfer.recipientId)
  differs('Wise knows a transfer by our number', customerTransactionId, transfer.customerTransactionId)
  differs('a transfer keeps its id', transferId, transfer.id)
  const standing = standingOf(attempt, transfer)
  if (standing) found.push({ check: 'a payout is where its transfer is', subject, ...standing })
  return found
}

/**
 * Compares states. A transfer may be a step ahead, as we check every ten minutes; but not over here and moving there,
 * or the reverse.
 */
function standingOf(attempt: Ours, transfer: Transfer) {
  const { state, status, stage } = attempt
  const there = OVER.has(transfer.status) ? 'over' : transfer.status === UNFUNDED ? 'unfunded' : 'moving'
  const here = stage === 'over' ? 'over' : 'open'
  const wrong =
    (there === 'over' && here === 'open' && ['sent', 'paid'].includes(status)) || (there !== 'over' && here === 'over')
  return wrong ? { expected: `${state}, payout ${status}`, actual: transfer.status } : null
}

/** Reports a transfer with one of our numbers that we did not request. */
function unknown({ id, reference, status }: Transfer, numbers: Map<number, boolean>): Difference[] {
  const number = numberAsWritten(reference)
  if (number === null || OVER.has(status) || numbers.get(number) === false) return []
  return [{ check: 'every transfer at Wise is ours', subject: id, expected: 'none', actual: `${reference}, ${status}` }]
}
