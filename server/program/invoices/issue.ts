import type { Invoice } from '#contract/invoices.ts'
import { isEnglish, type Language } from '#contract/language.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { emitEvents, sendSignal } from '../../platform/events/emit-event.ts'
import { getParties, type InvoiceTerms, type Seller } from '../invoicing/details.ts'
import { identifyParty } from '../invoicing/party-ids.ts'
import { lockSeries, type Series } from '../invoicing/series.ts'
import { documentsIssued } from '../invoicing/signals.ts'
import { treatmentWords } from '../invoicing/treatment.ts'
import type { CashEntry } from '../payouts/cash-ledger.ts'
import { payoutName } from '../payouts/payout-number.ts'
import { presentInvoices } from './present.ts'
import { NEWEST_FORM, type Snapshot } from './snapshot.ts'
import { recordWording } from './wording.ts'

/** Payouts with new cash lines, by account, until the end of their transaction. */
const moved = new WeakMap<Transaction, Map<string, Set<string>>>()

/**
 * Issues the documents of these cash lines at the end of their transaction, so that the series is its last lock: other
 * transactions lock payouts and entries, and then the series, too.
 */
export function onCash(tx: Transaction, lines: CashEntry[]) {
  const byAccount = moved.get(tx) ?? new Map<string, Set<string>>()
  moved.set(tx, byAccount)
  for (const { accountId, payoutId } of lines) {
    const ids = byAccount.get(accountId) ?? new Set()
    byAccount.set(accountId, ids.add(payoutId))
    tx.atEnd(`invoices of ${accountId}`, () => issueAll(tx, accountId, [...ids]))
  }
}

/** A cash line without its document. */
type Line = {
  payoutId: string
  turn: number
  kind: 'out' | 'back'
  partnerId: string
  day: string
  net: number
  tax: number
  currency: string
  statementNumber: number
  periodStart: string
  periodEnd: string
  terms: InvoiceTerms
}

/** A document to be inserted. `revision` is that of a correction. */
export type NewDocument = {
  line: Pick<Line, 'payoutId' | 'turn' | 'partnerId' | 'day' | 'net' | 'tax' | 'currency'>
  revision?: number
  treatment: string
  rate: number
  snapshot: Snapshot
  credits: string | null
}

/**
 * Issues the missing documents of these payouts. One that was approved without an invoice gets none, and so does one
 * whose money came back without an invoice.
 */
async function issueAll(tx: Transaction, accountId: string, payoutIds: string[]) {
  const out = await linesWithout(tx, accountId, payoutIds, 'out')
  const back = await linesWithout(tx, accountId, payoutIds, 'back')
  if (out.length === 0 && back.length === 0) return
  const series = await lockSeries(tx, accountId)
  const sums = await sumsOf(tx, accountId, out)
  const parties = out.map(({ partnerId, terms: { version } }) => ({ partnerId, version }))
  const partyOf = await getParties(tx, accountId, parties)
  const invoices: NewDocument[] = []
  for (const line of out) {
    const { terms } = line
    const snapshot = snapshotOf(line, partyOf(line.partnerId, terms.version), sums.get(line.payoutId) ?? [])
    invoices.push({ line, treatment: terms.treatment, rate: terms.rate, snapshot, credits: null })
  }
  const issued = await insertDocuments(tx, accountId, series, invoices)
  const credited = await insertDocuments(tx, accountId, series, await notesOf(tx, accountId, back))
  if (series.unsure) return
  await saveNextNumber(tx, accountId, series)
  // an invoice is named in the mail about its payout
  await announceIssued(tx, accountId, [...issued, ...credited], ({ kind }) => kind === 'credit-note')
}

export const saveNextNumber = (tx: Transaction, accountId: string, { nextNumber }: Series) => tx.run`
  update invoice_series set next_number = ${nextNumber}, updated_at = ${tx.now} where account_id = ${accountId}`

/** Returns the cash lines of a kind whose document is missing, in the order of their payouts’ numbers. */
const linesWithout = (tx: Transaction, accountId: string, payoutIds: string[], kind: Line['kind']) => tx.many<Line>`
  select c.payout_id, c.turn, c.kind, c.partner_id, (c.at at time zone a.time_zone)::date as day, c.amount as net,
    c.tax_amount as tax, o.currency, o.statement_number, o.period_start, o.period_end, c.invoice_terms as terms
  from payout_cash c join payouts o on o.account_id = c.account_id and o.id = c.payout_id
    join accounts a on a.id = c.account_id
  where c.account_id = ${accountId} and c.payout_id = any(${payoutIds}::uuid[]) and c.kind = ${kind}
    and c.invoice_terms is not null and not exists (
      select from invoices i where i.account_id = c.account_id and i.payout_id = c.payout_id and i.turn = c.turn)
  order by o.statement_number, c.turn`

/** Returns the lines of each invoice: the entries of its payout by kind. */
async function sumsOf(tx: Transaction, accountId: string, lines: Line[]) {
  const rows = await tx.many<Snapshot['lines'][number] & { payoutId: string }>`
    select b.payout_id, e.kind, count(*) as count, sum(e.amount)::bigint as amount
    from payouts o
      join payout_entries b on b.account_id = o.account_id and b.payout_id = o.id and b.approved_at = o.approved_at
      join commission_entries e on e.account_id = b.account_id and e.id = b.entry_id
    where o.account_id = ${accountId} and o.id = any(${lines.map(({ payoutId }) => payoutId)}::uuid[])
    group by b.payout_id, e.kind
    order by array_position(array['earned', 'restoration', 'bonus', 'adjustment', 'reversal'], e.kind)`
  const byPayout = Map.groupBy(rows, ({ payoutId }) => payoutId)
  return new Map([...byPayout].map(([id, some]) => [id, some.map(({ payoutId: _, ...line }) => line)]))
}

/**
 * Returns the credit notes of money that is back: each takes back the invoice of the line before, if there is one, by its
 * newest correction.
 */
async function notesOf(tx: Transaction, accountId: string, back: Line[]): Promise<NewDocument[]> {
  const payoutIds = back.map(({ payoutId }) => payoutId)
  const invoices = await tx.many<
    Pick<Line, 'payoutId' | 'turn'> & Pick<NewDocument, 'treatment' | 'rate' | 'snapshot'> & { credits: string }
  >`
    select id as credits, payout_id, turn, treatment, tax_rate as rate, snapshot from invoices
    where account_id = ${accountId} and payout_id = any(${payoutIds}::uuid[]) and kind = 'invoice'
    order by revision`
  const byLine = new Map(invoices.map(({ payoutId, turn, ...invoice }) => [`${payoutId} ${turn}`, invoice]))
  return back.flatMap((line) => {
    const invoice = byLine.get(`${line.payoutId} ${line.turn - 1}`)
    return invoice ? [{ line, ...invoice }] : []
  })
}

const snapshotOf = (line: Line, partner: Seller, lines: Snapshot['lines']): Snapshot => ({
  form: NEWEST_FORM,
  account: identifyParty(line.terms.account),
  partner,
  lines,
  payoutNumber: payoutName(line),
  periodStart: line.periodStart,
  periodEnd: line.periodEnd,
  words: treatmentWords(line.terms.treatment, line.terms.account),
})

/** A document is written in the language that its account has when it is issued, and in the newest form. */
const asIssuedNow = ({ language: _, wording: __, ...snapshot }: Snapshot, language: Language): Snapshot => ({
  ...snapshot,
  ...(snapshot.form && { form: NEWEST_FORM }),
  ...(!isEnglish(language) && { language, ...recordWording(language) }),
})

/** Inserts documents with the next numbers of the series, or without; returns their ids. */
export async function insertDocuments(
  tx: Transaction,
  accountId: string,
  series: Series,
  documents: NewDocument[],
): Promise<string[]> {
  const { language } = await tx.one<{ language: Language }>`select language from accounts where id = ${accountId}`
  const rows = documents.map(({ line, revision = 0, treatment, rate, snapshot, credits }) => ({
    id: newId(),
    kind: credits === null ? 'invoice' : 'credit-note',
    payout_id: line.payoutId,
    turn: line.turn,
    revision,
    partner_id: line.partnerId,
    issued_on: line.day,
    net: line.net,
    tax_rate: rate,
    tax: line.tax,
    gross: line.net + line.tax,
    currency: line.currency,
    treatment,
    snapshot: asIssuedNow(snapshot, language),
    credits,
    number: series.unsure ? null : series.nextNumber++,
    prefix: series.unsure ? null : series.prefix,
  }))
  if (rows.length > 0)
    await tx.run`
      insert into invoices (id, account_id, kind, payout_id, turn, revision, partner_id, number, prefix, issued_on, net, tax_rate, tax,
        gross, currency, treatment, snapshot, credits, created_at)
      select r.id, ${accountId}, r.kind, r.payout_id, r.turn, r.revision, r.partner_id, r.number, r.prefix, r.issued_on, r.net, r.tax_rate,
        r.tax, r.gross, r.currency, r.treatment, r.snapshot, r.credits, ${tx.now}
      from jsonb_populate_recordset(null::invoices, ${JSON.stringify(rows)}::jsonb) r`
  return rows.map(({ id }) => id)
}

/** Numbers the documents that waited while the series was unsure, by the time at which their money moved. */
export async function numberWaiting(tx: Transaction, accountId: string, { prefix, nextNumber }: Series) {
  const numbered = await tx.many<{ id: string; number: number }>`
    update invoices i set number = w.number, prefix = ${prefix}, numbered_on = w.today
    from (
      select i.id, (${tx.now}::timestamptz at time zone a.time_zone)::date as today,
        ${nextNumber - 1}::integer + (row_number() over (order by c.at, i.created_at, o.statement_number, i.turn))::integer
        as number
      from invoices i join payout_cash c on c.account_id = i.account_id and c.payout_id = i.payout_id and c.turn = i.turn
        join payouts o on o.account_id = i.account_id and o.id = i.payout_id join accounts a on a.id = i.account_id
      where i.account_id = ${accountId} and i.number is null) w
    where i.account_id = ${accountId} and i.id = w.id
    returning i.id, i.number`
  if (numbered.length === 0) return
  await tx.run`
    update invoice_series set next_number = ${nextNumber + numbered.length} where account_id = ${accountId}`
  const ids = numbered.toSorted((a, b) => a.number - b.number).map(({ id }) => id)
  await announceIssued(tx, accountId, ids, () => true)
}

/** Announces these documents, and mails the chosen ones to their partners, in this order. */
export async function announceIssued(
  tx: Transaction,
  accountId: string,
  ids: string[],
  isMailed: (one: Invoice) => boolean,
) {
  const found = new Map((await presentInvoices(tx, accountId, ids)).map((one) => [one.id, one]))
  const documents = ids.map((id) => found.get(id)!)
  for (const [kind, type] of [
    ['invoice', 'invoice.issued'],
    ['credit-note', 'invoice.credited'],
  ] as const) {
    const ofKind = documents.filter((object) => object.kind === kind)
    await emitEvents(
      tx,
      ofKind.map((object) => ({ by: system, accountId, type, id: object.id, object })),
    )
  }
  for (const [partnerId, theirs] of Map.groupBy(documents.filter(isMailed), (one) => one.partnerId))
    await sendSignal(tx, accountId, documentsIssued, { partnerId, invoiceIds: theirs.map(({ id }) => id) })
}
