import { fromDecimal, minorDigits } from '#contract/money.ts'
import type { PayoutDetails } from '#contract/payout-settings.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Refusal } from '../../platform/refusal.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'
import { openDetails, payoutDetailsPlace } from '../payouts/deposit-details.ts'
import type { BankResult, Result } from '../payouts/methods/method.ts'
import type { PaymentFileMethod } from '../payouts/methods/registry.ts'
import type { LockedPayout } from '../payouts/payout-entries.ts'
import { numberFiled } from '../payouts/payout-number.ts'
import { getPayoutTerms } from '../payouts/payout-terms.ts'
import { findPayoutsInFiles } from '../payouts/payouts-in-files.ts'
import { lockPartnersAlone } from '../payouts/record-external-payment.ts'
import { refusedAfterAll } from '../payouts/second-approval.ts'
import type { Tax } from '../payouts/taxes.ts'
import { openHead } from './files.ts'

/** A payout that a results file may be about. */
export type Known = LockedPayout & {
  partnerName: string
  currency: string
  payeeCurrency: string
  approvedAt: string | null
  detailsVersion: string | null
  externalReference: string | null
  paidOn: string | null
  /** The amount that leaves for it. */
  payAmount: number | null
  /** Its newest file of the results' method, and whether a file of another method is newer. */
  filed: KnownFiling | null
  isFiledElsewhere: boolean
  /** Its newest file may still pay it. */
  isLive: boolean
  details: PayoutDetails | null
  /** Transfers that its method requested by API. */
  transfers: string[]
  /** Why it may not be recorded as paid, once it is due again. */
  refused: Refusal | null
  /** The earlier row of the upload that says that it was paid. */
  justPaidBy?: Result
}

/** A payout in one of its files, whose payer's account at a bank is `payer`. */
export type KnownFiling = Tax & {
  payoutId: string
  fileId: string | null
  turn: number
  reference: string | null
  recipient: string | null
  amount: number | null
  payAmount: number | null
  messageId: string | null
  payer: string | null
  executionDate: string | null
  /** The bank booked it by its own name, not in a sum. */
  byName: boolean
}

/** A file whose id a results file has. */
export type KnownFile = { id: string; messageId: string; amount: number; currency: string }

export type KnownPayouts = { payouts: Known[]; filings: KnownFiling[]; files: KnownFile[] }

type Asked = { method: PaymentFileMethod; results: Result[]; dryRun: boolean; by: Author }

/**
 * Returns the account's payouts and files that the results name, and payouts whose recipients may match; locked in one
 * order if they may change.
 */
export async function findKnownPayouts(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  { method, results, dryRun, by }: Asked,
): Promise<KnownPayouts> {
  const messageIds = results.flatMap(({ bank }) => (bank?.whole ? namesOfFile(bank) : []))
  const files = await tx.many<KnownFile>`
    select id, message_id, amount, currency from payment_files
    where account_id = ${account.id} and method = ${method.name} and upper(message_id) = any(${messageIds}::text[])`
  const numbers = results.flatMap(({ reference, bank }) =>
    [reference, ...(bank?.mentioned ?? [])].flatMap((one) => numberFiled(one) ?? []),
  )
  const unnamed = results.filter(({ reference, bank }) => reference === null && !bank)
  const amounts = unnamed.flatMap(({ target, source }) =>
    [target, source].flatMap((amount) => fromDecimal(amount, account.defaultCurrency) ?? []),
  )
  const ofAmounts = sql`union select id, partner_id from payouts
    where account_id = ${account.id} and method = ${method.name} and status <> 'canceled'
      and pay_amount = any(${amounts}::bigint[])`
  const which = await tx.many<{ id: string; partnerId: string }>`
    select id, partner_id from payouts
    where account_id = ${account.id} and statement_number = any(${numbers}::integer[])
    union select o.id, o.partner_id from payment_file_payouts p
      join payouts o on o.account_id = p.account_id and o.id = p.payout_id
    where p.account_id = ${account.id} and p.file_id = any(${files.map(({ id }) => id)}::uuid[])
    ${amounts.length > 0 ? ofAmounts : sql``}`
  if (!dryRun) {
    const partnerIds = [...new Set(which.map(({ partnerId }) => partnerId))]
    await lockPartnersAlone(tx, account.id, partnerIds)
  }
  const payouts = await tx.many<
    Omit<Known, 'filed' | 'isFiledElsewhere' | 'isLive' | 'details' | 'refused'> & { sealed: Buffer | null }
  >`
    select o.id, o.partner_id, o.status, o.amount, o.pay_amount, o.method, o.statement_number, o.currency,
      coalesce(o.payee_currency, 'usd') as payee_currency, o.approved_at, o.details_version, o.external_reference,
      o.paid_on,
      array(select a.transfer_id from payout_attempts a
        where a.account_id = ${account.id} and a.payout_id = o.id and a.transfer_id is not null) as transfers,
      case when o.method = ${method.name} then o.details_sealed end as sealed,
      ${partnerNameSql(sql`n`)} as partner_name
    from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where o.account_id = ${account.id} and o.id = any(${which.map(({ id }) => id)}::uuid[])
    order by o.id ${dryRun ? sql`` : sql`for update of o`}`
  const ids = payouts.map(({ id }) => id)
  const newest = new Map((await findPayoutsInFiles(tx, account.id, ids)).map((one) => [one.payoutId, one]))
  const filings = await filingsOf(tx, secrets, account, method, ids)
  const known = payouts.map(({ sealed, ...payout }): Known => {
    const last = newest.get(payout.id)
    const stored = filings.filter(({ payoutId }) => payoutId === payout.id).sort((a, b) => b.turn - a.turn)[0]
    // a server of the release before stored no file
    const filed =
      stored ??
      (last?.method === method.name
        ? { ...last, messageId: null, payer: null, executionDate: null, byName: false }
        : null)
    const details = sealed && openDetails(secrets, sealed, payoutDetailsPlace(payout.id, account.id))
    // one that is due again has its file's amounts
    const isDueAgain = payout.status === 'gathering'
    return {
      ...payout,
      ...(isDueAgain && { amount: filed?.amount ?? null, payAmount: filed?.payAmount ?? null }),
      filed,
      isFiledElsewhere: last !== undefined && last.method !== method.name,
      isLive: last?.live ?? false,
      details,
      refused: null,
    }
  })
  const dueAgain = known.flatMap(({ id, partnerId, status, amount, payAmount }) =>
    status === 'gathering' && amount !== null ? [{ id, partnerId, amount, payAmount: payAmount ?? amount }] : [],
  )
  const person = by.type === 'user' ? by.id : null
  const refused = await refusedAfterAll(tx, await getPayoutTerms(tx, account), person, dueAgain)
  return { payouts: known.map((one) => ({ ...one, refused: refused.get(one.id) ?? null })), filings, files }
}

/** Returns the names of a whole file in capitals: its id, or ids of our form in a text. */
export const namesOfFile = ({ messageId, mentioned }: BankResult) =>
  messageId === null ? mentioned : [messageId.toUpperCase()]

/** Returns every file of this method in which these payouts are or were. */
async function filingsOf(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  method: PaymentFileMethod,
  ids: string[],
): Promise<KnownFiling[]> {
  const rows = await tx.many<Omit<KnownFiling, 'payer'> & { fileId: string }>`
    select p.payout_id, p.file_id, p.turn, p.reference, p.recipient_id as recipient, p.amount, p.pay_amount, f.message_id,
      coalesce(p.pay_amount - p.amount, 0) as tax_amount, p.invoice_terms, f.execution_date, p.by_name
    from payment_file_payouts p join payment_files f on f.account_id = p.account_id and f.id = p.file_id
    where p.account_id = ${account.id} and p.payout_id = any(${ids}::uuid[]) and f.method = ${method.name}`
  const heads = await tx.many<{ id: string; sealed: Buffer }>`
    select id, head_sealed as sealed from payment_files
    where account_id = ${account.id} and id = any(${rows.map(({ fileId }) => fileId)}::uuid[]) and head_sealed is not null`
  const payers = new Map(
    heads.map(({ id, sealed }) => [id, openHead(secrets, account.id, id, sealed)?.payer?.iban ?? null]),
  )
  return rows.map((row) => ({ ...row, payer: payers.get(row.fileId) ?? null }))
}

/** Whether a decimal text is exactly this amount: further decimals may only be zeros. */
export const isExactly = (text: string | null, amount: number | null, currency: string) =>
  text !== null &&
  amount !== null &&
  fromDecimal(text, currency) === amount &&
  !/[1-9]/.test((text.split('.')[1] ?? '').slice(minorDigits(currency)))

/** Whether the transfer is certainly older than the approval, i.e. by two days: files give dates of any time zone. */
export const isOlder = ({ timeZone }: AccountFacts, { approvedAt }: Known, { paidOn }: Result) =>
  paidOn !== null && approvedAt !== null && paidOn < addDays(dayIn(timeZone, new Date(approvedAt)), -1)
