import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FileMethod, PaymentFile } from '#contract/payment-files.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { emitEvent, recordActivity } from '../../platform/events/emit-event.ts'
import { listPage } from '../../platform/http/list.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { personNameSql } from '../partner-directory/partner-names.ts'
import { nextFile } from '../payouts/given-names.ts'
import type { FileFormat, FileHead, FilePayer } from '../payouts/methods/method.ts'
import { type PaymentFileMethod, paymentFileMethods } from '../payouts/methods/registry.ts'
import { payoutName } from '../payouts/payout-number.ts'
import { lockPayoutAccount } from '../payouts/payout-terms.ts'
import { findPayoutsInFiles } from '../payouts/payouts-in-files.ts'
import { fileLines, toPayments, writeFileText, yearOfPayment } from './content.ts'

const files = (accountId: string) => sql`(
  select f.*, (select ${personNameSql(sql`u`)} from users u where u.id = f.created_by) as made_by,
    case when l.all_live then 'open' when l.any_live then 'spent' else 'done' end as state
  from payment_files f cross join lateral (
    select coalesce(bool_and(p.live), false) as all_live, coalesce(bool_or(p.live), false) as any_live
    from payment_file_payouts p where p.account_id = ${accountId} and p.file_id = f.id) l) t`

const columns = sql`t.id, t.account_id, t.number, t.method, t.message_id, t.execution_date, t.count, t.amount,
  t.currency, t.state, t.created_at, t.made_by as created_by`

export const listPaymentFiles = (db: Queryable, accountId: string, query: ListQuery) =>
  listPage<PaymentFile>(db, query, {
    columns,
    from: files(accountId),
    scope: sql`t.account_id = ${accountId}`,
    filters: [query.search ? sql`strpos(lower(t.message_id), lower(${query.search})) > 0` : undefined],
    total: () => db.value<number>`select count(*) as count from payment_files where account_id = ${accountId}`,
  })

export async function getPaymentFile(
  db: Queryable,
  { accountId, id }: { accountId: string; id: string },
): Promise<PaymentFile> {
  const file = await db.maybe<PaymentFile>`
    select ${columns} from ${files(accountId)} where t.account_id = ${accountId} and t.id = ${id}`
  if (!file) throw notFound()
  return file
}

type NewFile = {
  method: PaymentFileMethod
  /** Approved payouts, with the recipients that the provider knows. */
  payouts: { id: string; recipient: string | null }[]
  profileId: string | null
  payer: FilePayer | null
  executionDate: string | null
}

/**
 * Stores the file of these payouts, which the caller has locked and approved, under the account's next number, and fixes
 * its bytes by their hash. Returns it with its bytes.
 */
export async function saveFile(
  tx: Transaction,
  secrets: Secrets,
  by: Author,
  account: AccountFacts,
  { method, payouts, profileId, payer, executionDate }: NewFile,
): Promise<{ file: PaymentFile; text: string }> {
  const ids = payouts.map(({ id }) => id)
  const before = new Map((await findPayoutsInFiles(tx, account.id, ids)).map(({ payoutId, turn }) => [payoutId, turn]))
  const rows = await tx.many<{ id: string; statementNumber: number; amount: number; payAmount: number }>`
    select o.id, o.statement_number, o.amount, o.pay_amount from payouts o
    where o.account_id = ${account.id} and o.id = any(${ids}::uuid[]) order by o.id`
  const recipients = new Map(payouts.map(({ id, recipient }) => [id, recipient]))
  // numbers are given one at a time
  await lockPayoutAccount(tx, account.id)
  const id = newId()
  const { number, mark } = await nextFile(tx, account, { fileId: id, payer: payer?.iban ?? null })
  const publicId = await tx.value<string>`select public_id from accounts where id = ${account.id}`
  // banks accept few characters
  const own = publicId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 12)
  const messageId = ['TRB', own, number, ...(mark ? [mark] : [])].join('-')
  const members = rows.map((row) => {
    const turn = (before.get(row.id) ?? 0) + 1
    const name = payoutName(row)
    const reference = method.file.reference?.(name, turn, mark) ?? name
    return { ...row, turn, reference, recipient: recipients.get(row.id) ?? null }
  })
  const createdAt = tx.now.toISOString()
  const head: FileHead = { messageId, createdAt, executionDate, accountName: account.name ?? payer?.name ?? '', payer }
  await tx.run`
    insert into payment_files (account_id, id, number, method, message_id, execution_date, count, amount, currency,
      head_sealed, profile_id, created_by, created_at)
    values (${account.id}, ${id}, ${number}, ${method.name}, ${messageId}, ${executionDate}, ${members.length},
      ${members.reduce((sum, one) => sum + one.payAmount, 0)}, ${account.defaultCurrency},
      ${payer && secrets.seal(JSON.stringify(head), headPlace(id, account.id))}, ${profileId},
      ${by.type === 'user' ? by.id : null}, ${createdAt})`
  await tx.run`
    insert into payment_file_payouts (account_id, file_id, payout_id, turn, reference, recipient_id, amount, pay_amount,
      invoice_terms)
    select ${account.id}, ${id}, v.payout_id, v.turn, v.reference, v.recipient_id, o.amount, o.pay_amount, o.invoice_terms
    from unnest(${members.map((one) => one.id)}::uuid[], ${members.map((one) => one.turn)}::integer[],
      ${members.map((one) => one.reference)}::text[], ${members.map((one) => one.recipient)}::text[])
      as v (payout_id, turn, reference, recipient_id)
      join payouts o on o.account_id = ${account.id} and o.id = v.payout_id`
  // read by servers of the release before
  if (profileId !== null)
    await tx.run`
      insert into wise_batch_payouts (account_id, payout_id, profile_id, recipient_id, amount, tax_amount, invoice_terms,
        exported_at)
      select account_id, payout_id, ${profileId}, recipient_id, amount, pay_amount - amount, invoice_terms, ${createdAt} from payment_file_payouts
      where account_id = ${account.id} and file_id = ${id}`
  const lines = await fileLines(tx, account, ids, yearOfPayment(account, tx.now, executionDate))
  const payments = toPayments(secrets, account, lines)
  if (payments.length < ids.length) throw new Error(`payment file ${id} lacks a payout whose approval holds`)
  const text = writeFileText(method.file, head, payments)
  await tx.run`
    update payment_files set sha256 = ${hashOf(text)} where account_id = ${account.id} and id = ${id}`
  const file = await getPaymentFile(tx, { accountId: account.id, id })
  await emitEvent(tx, by, account.id, 'payment-file.created', { id, object: file })
  return { file, text }
}

const headPlace = (id: string, accountId: string) => `payment_files|head_sealed|${id}|${accountId}`

const hashOf = (text: string) => createHash('sha256').update(text).digest()

type Stored = {
  number: number
  method: FileMethod
  messageId: string
  executionDate: string | null
  createdAt: string
  headSealed: Buffer | null
  sha256: Buffer | null
}

const storedFile = (db: Queryable, accountId: string, id: string) => db.one<Stored>`
  select number, method, message_id, execution_date, created_at, head_sealed, sha256 from payment_files
  where account_id = ${accountId} and id = ${id}`

/** Decrypts a file's payer; null for a file without one, or if it cannot be decrypted. */
export function openHead(secrets: Secrets, accountId: string, id: string, sealed: Buffer | null): FileHead | null {
  try {
    return sealed && JSON.parse(secrets.open(sealed, headPlace(id, accountId)))
  } catch {
    return null
  }
}

/**
 * Returns the file's bytes, always the same.
 * Refuses: `payment_file_spent` once a payout of it was paid or changed, or its approval no longer holds.
 */
export async function downloadPaymentFile(
  { db, secrets }: Services,
  by: Author,
  account: AccountFacts,
  id: string,
): Promise<HttpReply> {
  return transaction(db, async (tx) => {
    const stored = await storedFile(tx, account.id, id)
    const members = await tx.many<{ payoutId: string; live: boolean }>`
      select payout_id, live from payment_file_payouts where account_id = ${account.id} and file_id = ${id}`
    const ids = members.map(({ payoutId }) => payoutId)
    const year = yearOfPayment(account, tx.now, stored.executionDate)
    const payments = toPayments(secrets, account, await fileLines(tx, account, ids, year))
    const { file: format } = paymentFileMethods.find(({ name }) => name === stored.method)!
    const head = openHead(secrets, account.id, id, stored.headSealed) ?? { ...stored, accountName: '', payer: null }
    const isWhole = members.every(({ live }) => live) && payments.length === members.length
    const text = isWhole && (head.payer || stored.headSealed === null) ? writeFileText(format, head, payments) : null
    if (text === null || (stored.sha256 && !hashOf(text).equals(stored.sha256))) throw refusal('payment_file_spent')
    await recordActivity(tx, by, account.id, 'payment-file.downloaded', { id })
    const headers = { 'content-type': 'application/octet-stream' }
    return fileAnswer(format, text, `${format.format}-${stored.number}`, headers)
  })
}

export const fileAnswer = (
  { extension }: FileFormat,
  text: string,
  name: string,
  headers: Record<string, string> = {},
) =>
  new HttpReply(200, Readable.from([text], { objectMode: false }), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.${extension}"`,
    ...headers,
  })
