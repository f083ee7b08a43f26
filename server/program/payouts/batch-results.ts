import { fromDecimal, moneyInWords } from '#contract/money.ts'
import type { PayoutResults, PayoutResultsFile } from '#contract/payouts.ts'
import type { PayoutStatus } from '#contract/values.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Refusal, refusal, rowError } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { partnerNameSql } from '../names/partner-names.ts'
import type { LockedPayout } from './binding.ts'
import { giveBack } from './carry.ts'
import { openDetails, payoutDetailsPlace } from './deposit-details.ts'
import type { Given, Method, Result } from './methods/method.ts'
import { methods } from './methods/registry.ts'
import { move } from './move.ts'
import { payoutName } from './payout-number.ts'
import { setBack } from './set-back.ts'

type Known = LockedPayout & {
  partnerName: string
  currency: string
  approvedAt: string | null
  recipient: string | null
  payee: string | null
}
type Shown = PayoutResults['rows'][number]
/** What a row does to its payout; without, it is there already or has not come to an end. */
type Act = (tx: Transaction) => Promise<void>
type Judged = { shown: Shown; act?: Act }

/**
 * Takes in what became of the payouts of a batch file: paid ones are paid, those that ended before are due again, and one
 * whose money came back after it was paid is returned. Each row must name our reference, amount and recipient, else it
 * changes nothing, and the others do. All rows are one transaction: a file that is given again, or after a crash, finds
 * done what is done. `dryRun` only tells.
 */
export async function applyResults(
  tx: Transaction,
  secrets: Secrets,
  by: By,
  account: AccountFacts,
  { csv, dryRun }: PayoutResultsFile,
): Promise<PayoutResults> {
  const method = methods.find(({ batch }) => batch)!
  const results = method.batch!.read(csv)
  const known = await knownOf(tx, secrets, account, { method, results, dryRun })
  const found = results.map((result) => find(known, method, result))
  const judged = results.map((result, at): Judged => {
    const payout = found[at]
    const twice = payout && found.filter((other) => other?.id === payout.id).length > 1
    return judge({ by, account, method }, result, payout, twice)
  })
  if (!dryRun) for (const { act } of judged) await act?.(tx)
  return { rows: judged.map(({ shown }) => shown), applied: dryRun ? 0 : judged.filter(({ act }) => act).length }
}

type Asked = { method: Method; results: Result[]; dryRun: boolean }

/** The account's payouts that the rows name, or were given these recipients; locked in one order where they may move. */
async function knownOf(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  { method, results, dryRun }: Asked,
): Promise<Known[]> {
  const numbers = results.flatMap(({ statementNumber }) => statementNumber ?? [])
  const unnamed = results.filter(({ reference }) => reference === null)
  const amounts = unnamed.flatMap((result) => amountIn(result, account.defaultCurrency) ?? [])
  const payouts = await tx.many<Omit<Known, 'recipient' | 'payee'> & { sealed: Buffer | null }>`
    select o.id, o.partner_id, o.status, o.amount, o.method, o.statement_number, o.currency, o.approved_at,
      case when o.method = ${method.name} then o.details_sealed end as sealed,
      ${partnerNameSql(sql`n`)} as partner_name
    from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where o.account_id = ${account.id}
      and (o.statement_number = any(${numbers}::integer[]) or (o.amount = any(${amounts}::bigint[]) and o.method = ${method.name} and o.status <> 'canceled'))
    order by o.id ${dryRun ? sql`` : sql`for update of o`}`
  const given: Given[] = await method.batch!.given(
    tx,
    payouts.map(({ id }) => id),
  )
  const recipients = new Map(given.map(({ payoutId, recipient }) => [payoutId, recipient]))
  return payouts.map(({ sealed, ...payout }) => {
    const details = sealed && openDetails(secrets, sealed, payoutDetailsPlace(payout.id, account.id))
    return { ...payout, recipient: recipients.get(payout.id) ?? null, payee: details?.name ?? null }
  })
}

/** By our reference; a row without one by recipient and amount, where that is one payout alone. */
function find(known: Known[], method: Method, result: Result): Known | undefined {
  if (result.reference !== null) return known.find(({ statementNumber }) => statementNumber === result.statementNumber)
  if (result.recipient === null) return undefined
  const same = known.filter(
    (payout) => payout.method === method.name && payout.recipient === result.recipient && isAmountOf(payout, result),
  )
  return same.length === 1 ? same[0] : undefined
}

const amountIn = ({ target, source }: Result, currency: string) =>
  fromDecimal(currency === 'usd' ? target : source, currency)

const isAmountOf = ({ amount, currency }: Known, result: Result) =>
  amount !== null && amountIn(result, currency) === amount

type Judging = { by: By; account: AccountFacts; method: Method }

function judge({ by, account, method }: Judging, result: Result, payout: Known | undefined, twice = false): Judged {
  const { row, reference, outcome, said } = result
  if (!payout) {
    const nothing = { payoutId: null, partnerName: null, amount: null, was: null, becomes: null }
    return { shown: { row, reference, ...nothing, error: rowError(refusal('result_unknown')) } }
  }
  const { id, partnerName, amount, status, currency } = payout
  const was = status === 'gathering' ? null : status
  const shown = { row, reference, payoutId: id, partnerName, amount, was, becomes: was, error: null }
  const refused = (error: Refusal): Judged => ({ shown: { ...shown, error: rowError(error) } })
  const becomes = (to: PayoutStatus, act: Act): Judged => ({ shown: { ...shown, becomes: to }, act })

  if (twice) return refused(refusal('result_twice'))
  if (payout.method !== method.name || payout.recipient === null) return refused(refusal('result_of_other_method'))
  if (!isRecipientOf(payout, result)) return refused(refusal('result_recipient_differs'))
  if (!isAmountOf(payout, result))
    return refused(refusal('result_amount_differs', { amount: moneyInWords(amount!, currency) }))
  if (outcome === 'paid') {
    if (status === 'approved') return becomes('paid', (tx) => markPaid(tx, by, account, payout, result))
    return status === 'paid' ? { shown } : refused(refusal('result_too_late', { status }))
  }
  if (outcome === 'over') {
    const because = `The batch file came back: ${said}.`
    if (status === 'approved') return becomes('due', (tx) => setBack(tx, account, id, because, by))
    if (status === 'paid')
      return becomes('returned', (tx) =>
        giveBack(tx, account, id, { by, reason: because, change: { old: 'paid', new: said } }),
      )
  }
  return { shown }
}

/** By the id we gave; a file without ids names who is paid. */
const isRecipientOf = (payout: Known, { recipient, name }: Result) =>
  recipient !== null ? recipient === payout.recipient : name !== null && alike(name) === alike(payout.payee ?? '')

const alike = (name: string) => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** The money has left, whatever stands against the partner by now. */
async function markPaid(tx: Transaction, by: By, account: AccountFacts, payout: Known, result: Result) {
  const paidAt = await paidAtOf(tx, account, payout, result.paidOn)
  const reference = result.transfer ?? payoutName(payout)
  await move(tx, account, payout.id, 'mark-paid', {
    by,
    set: sql`external_reference = ${reference}, paid_at = ${paidAt}`,
    changes: { externalReference: { old: null, new: reference } },
  })
}

/** The day that the file tells, as far as it can be: not before the approval and not ahead. */
async function paidAtOf(tx: Transaction, { timeZone }: AccountFacts, { approvedAt }: Known, day: string | null) {
  const now = tx.now.toISOString()
  if (!day || Number.isNaN(Date.parse(day)) || !Date.parse(day)) return now
  const { at } = await tx.one<{ at: string }>`
    select least(greatest(${day}::date::timestamp at time zone ${timeZone}, ${approvedAt}::timestamptz), ${now}::timestamptz) as at`
  return at
}
