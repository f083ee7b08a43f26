import type { Database } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import type { Difference } from '../../stats/verify.ts'
import { type Asking, listConnectedAccounts, type Unread } from '../connections.ts'
import { hasEnded, ProviderError, type ProviderTransfer } from '../methods/method.ts'
import { type ApiMethod, connecting } from '../methods/registry.ts'
import { type Attempt, transactionIdSql } from '../payout-attempts.ts'
import { numberAsWritten } from '../payout-number.ts'
import { readTransfers } from './read-transfers.ts'
import { readSince } from './reconcile-transfers.ts'

/** The differences, the number of transfers compared, and the accounts that could not be read. */
type Verified = { differences: Difference[]; compared: number; unread: Unread[] }

/** One of our attempts whose transfer was requested from the provider. Amounts in minor units of its payout's currency. */
type Ours = {
  id: string
  payoutId: string
  statementNumber: number
  customerTransactionId: string
  recipientId: string | null
  transferId: string | null
  state: string
  stage: Attempt['stage']
  amount: number | null
  status: string
}

/**
 * Reads every transfer of the last ninety days back from the provider, for each connected account and each profile it
 * paid from, and compares them with the stored attempts. Returns the differences, the number of transfers, and the
 * accounts that the provider didn't give access to.
 */
export async function verifyTransfers(services: Asking, method: ApiMethod): Promise<Verified> {
  const { db } = services
  const { name, label } = method
  const differences: Difference[] = []
  const unread: Unread[] = []
  let compared = 0
  const accounts = await db.many<{ id: string; currency: string }>`
    select id, default_currency as currency from accounts where id = any(${await listConnectedAccounts(db, name)}::uuid[]) order by id`
  for (const { id: accountId, currency } of accounts) {
    try {
      const transfers = await transfersOf(services, { id: accountId, defaultCurrency: currency }, method)
      compared += transfers.length
      const numbers = await numbersOf(db, accountId, name)
      differences.push(...compare(label, await oursOf(db, accountId, name), numbers, transfers))
    } catch (error) {
      unread.push({
        accountId,
        reason: error instanceof ProviderError ? error.message : 'The stored credentials can’t be decrypted.',
      })
      if (!(error instanceof ProviderError))
        db.log.error({ accountId, err: error }, `transfers could not be read from ${label}`)
    }
  }
  return { differences, compared, unread }
}

/** Attempts without a method are from earlier releases, which paid by the connecting one only. */
const oursOf = (db: Database, accountId: string, method: string) => db.many<Ours>`
  select a.id, a.payout_id, o.statement_number, ${transactionIdSql(sql`a`)} as customer_transaction_id, a.recipient_id, a.transfer_id, a.state, a.stage,
    a.amount, o.status
  from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
  where o.account_id = ${accountId} and a.at >= ${readSince(db.now)} and coalesce(a.method, ${connecting.name}) = ${method}
  order by a.id`

/**
 * Returns, by statement number, whether the method was to pay the payout by API: another transfer with that number may be the
 * owner's own.
 */
async function numbersOf(db: Database, accountId: string, method: string) {
  const rows = await db.many<{ statementNumber: number; byUs: boolean }>`
    select statement_number, coalesce(method = ${method}, true) as by_us from payouts where account_id = ${accountId}`
  return new Map(rows.map((row) => [row.statementNumber, row.byUs]))
}

async function transfersOf(
  services: Asking,
  account: Pick<AccountFacts, 'id' | 'defaultCurrency'>,
  method: ApiMethod,
): Promise<ProviderTransfer[]> {
  const found: ProviderTransfer[] = []
  const since = readSince(services.db.now)
  for (let from: string | null | undefined = null; from !== undefined; ) {
    const page: Awaited<ReturnType<typeof readTransfers>> = await readTransfers(services, account, {
      since,
      from,
      among: [method],
    })
    found.push(...(page?.transfers ?? []))
    from = page?.next ?? undefined
  }
  return found
}

function compare(
  label: string,
  ours: Ours[],
  numbers: Map<number, boolean>,
  transfers: ProviderTransfer[],
): Difference[] {
  const byTransaction = new Map(transfers.map((transfer) => [transfer.transactionId, transfer]))
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]))
  const known = new Set<string>()
  const found: Difference[] = []
  // a forgotten transfer is entered as a separate attempt, beside the attempt that has its number
  const entered = new Set(ours.map(({ transferId }) => transferId))
  for (const attempt of ours) {
    const candidate = byTransaction.get(attempt.customerTransactionId)
    const isAnothers = candidate && attempt.transferId === null && entered.has(candidate.id)
    const transfer = (isAnothers ? undefined : candidate) ?? byId.get(attempt.transferId ?? '')
    if (transfer) known.add(transfer.id)
    found.push(...(transfer ? differencesOf(label, attempt, transfer) : missing(label, attempt)))
  }
  const others = transfers.filter(({ id }) => !known.has(id))
  return [...found, ...others.flatMap((transfer) => unknown(label, transfer, numbers))]
}

const missing = (label: string, { id, transferId }: Ours): Difference[] =>
  transferId ? [{ check: `every transfer is at ${label}`, subject: id, expected: transferId, actual: 'none' }] : []

function differencesOf(label: string, attempt: Ours, transfer: ProviderTransfer): Difference[] {
  const { id: subject, amount, recipientId, transferId, customerTransactionId } = attempt
  const found: Difference[] = []
  const differs = (check: string, expected: string | number | null, actual: string | number | null) => {
    if (expected !== null && actual !== null && expected !== actual)
      found.push({ check, subject, expected: String(expected), actual: String(actual) })
  }
  differs(`${label} pays the amount that was approved`, amount, transfer.amount)
  differs(`${label} pays the recipient that was approved`, recipientId, transfer.recipientId)
  differs(`${label} knows a transfer by our number`, customerTransactionId, transfer.transactionId)
  differs('a transfer keeps its id', transferId, transfer.id)
  const standing = standingOf(attempt, transfer)
  if (standing) found.push({ check: 'a payout is where its transfer is', subject, ...standing })
  return found
}

/**
 * Compares states. A transfer may be a step ahead, because we check every ten minutes; but not over here and
 * moving there, or the reverse.
 */
function standingOf({ state, status, stage }: Ours, transfer: ProviderTransfer) {
  const [isOverHere, isOverThere] = [stage === 'over', hasEnded(transfer.standing)]
  const wrong = isOverThere ? !isOverHere && ['sent', 'paid'].includes(status) : isOverHere
  return wrong ? { expected: `${state}, payout ${status}`, actual: transfer.state } : null
}

/** Reports a transfer with one of our numbers that we did not request. */
function unknown(
  label: string,
  { id, reference, state, standing }: ProviderTransfer,
  numbers: Map<number, boolean>,
): Difference[] {
  const number = numberAsWritten(reference)
  if (number === null || hasEnded(standing) || numbers.get(number) === false) return []
  return [
    { check: `every transfer at ${label} is ours`, subject: id, expected: 'none', actual: `${reference}, ${state}` },
  ]
}
