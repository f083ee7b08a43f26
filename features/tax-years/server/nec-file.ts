import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Invoicing } from '#contract/invoices.ts'
import { decimalAmount } from '#contract/money.ts'
import type { TaxForm, TaxFormSource } from '#contract/partners.ts'
import { usStates } from '#contract/payout-settings.ts'
import { corporations, isExpired, MOST_RETURNS } from '#contract/tax-rules.ts'
import type { Author } from '#server/platform/author.ts'
import { type Cell, csvLines } from '#server/platform/csv/csv.ts'
import { type Database, type Queryable, transaction } from '#server/platform/database/pool.ts'
import type { Secrets } from '#server/platform/database/secrets.ts'
import { sql } from '#server/platform/database/sql.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { HttpReply } from '#server/platform/http/reply.ts'
import { refusal, wrongField } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { getInvoicingSettings } from '#server/program/invoicing/settings.ts'
import { partnerNameSql } from '#server/program/partner-directory/partner-names.ts'
import { paidInYear } from '#server/program/payouts/paid-in-year.ts'
import type { NecPreview, NewTaxForm, W9 } from '../contract.ts'
import { openForm } from './forms.ts'
import { type IrisField, irisTemplates } from './iris-templates.ts'
import { namesOfErased } from './list-tax-year.ts'
import { termsOfYear } from './threshold.ts'

/** A partner over the threshold, with the form or record that counts, and the form itself if it was signed here. */
export type Candidate = {
  partnerId: string
  partnerName: string
  reportable: number
  counts: (TaxForm & { source: TaxFormSource }) | null
  form: NewTaxForm | null
}

/** One return of the file. */
export type Return = { partnerId: string; amount: number; form: W9 }

type Missing = NecPreview['missing'][number]

/** Sorts out who is in a year's file, by name and id, and who would be but lacks a number. */
export function sortOut(candidates: Candidate[], year: number): { returns: Return[]; missing: Missing[] } {
  const returns: Return[] = []
  const missing: Missing[] = []
  for (const { partnerId, partnerName, reportable: amount, counts, form } of candidates) {
    const lacks = (reason: Missing['reason']) => missing.push({ partnerId, partnerName, reason })
    if (!counts) lacks('no-form')
    else if (isExpired(counts, year)) lacks('expired')
    else if (counts.kind !== 'w-9') continue
    else if (counts.source === 'owner') lacks('recorded-by-owner')
    else if (form?.kind !== 'w-9') lacks('unreadable')
    else if (!corporations.includes(form.classification)) returns.push({ partnerId, amount, form })
  }
  const inOrder = <T>(list: T[], nameOf: (one: T) => string, idOf: (one: T) => string) => {
    const keyed = list.map((one) => ({ one, key: [nameOf(one).toLowerCase(), idOf(one)] as const }))
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
    return keyed.sort((a, b) => compare(a.key[0], b.key[0]) || compare(a.key[1], b.key[1])).map(({ one }) => one)
  }
  return {
    returns: inOrder(
      returns,
      ({ form }) => form.name,
      ({ partnerId }) => partnerId,
    ),
    missing: inOrder(
      missing,
      ({ partnerName }) => partnerName,
      ({ partnerId }) => partnerId,
    ),
  }
}

type Reading = { db: Queryable; secrets: Secrets }

type CandidateRow = Omit<Candidate, 'counts' | 'form'> & {
  isErased: boolean
  record: (TaxForm & { source?: TaxFormSource }) | null
  formId: string | null
  kind: 'w-9' | 'w-8ben' | null
  receivedOn: string | null
  sealed: Buffer | null
}

/** Returns everyone whom the account reports for the year. */
async function readReturns({ db, secrets }: Reading, account: AccountFacts, year: number) {
  const { threshold } = await termsOfYear(db, account, year)
  if (threshold === null) return sortOut([], year)
  const rows = await db.many<CandidateRow>`
    select t.id as partner_id, ${partnerNameSql(sql`t`)} as partner_name, p.reportable,
      t.erased_at is not null as is_erased, t.tax_form as record, f.id as form_id, f.kind, f.received_on,
      f.form_sealed as sealed
    from ${paidInYear(account, year)} p
      join partners t on t.account_id = ${account.id} and t.id = p.partner_id
      left join tax_forms f on f.account_id = ${account.id} and f.partner_id = t.id and f.replaced_at is null
    where p.reportable >= ${threshold}::bigint`
  const erased = rows.flatMap(({ isErased, partnerId }) => (isErased ? [partnerId] : []))
  const names = await namesOfErased(db, secrets, account.id, year, erased)
  return sortOut(
    rows.map(({ isErased, record, formId, kind, receivedOn, sealed, partnerName, ...row }): Candidate => {
      const signed = kind && receivedOn ? { kind, receivedOn, source: 'partner' as const } : null
      // the record of an erased partner is empty: the sealed form stays as long as what it reports
      const counts = isErased ? signed : record && { ...record, source: record.source ?? 'owner' }
      const form = counts?.source === 'partner' && formId ? openForm(secrets, account.id, formId, sealed) : null
      return { ...row, partnerName: names.get(row.partnerId) ?? partnerName, counts, form }
    }),
    year,
  )
}

const partsOf = (returns: Return[]) => Math.ceil(returns.length / MOST_RETURNS)

/** Returns what the files of the year hold, without a number. */
export async function previewNecFile(reading: Reading, account: AccountFacts, year: number): Promise<NecPreview> {
  const { returns, missing } = await readReturns(reading, account, year)
  return { rows: returns.length, parts: partsOf(returns), template: irisTemplates[year] !== undefined, missing }
}

type Payer = Pick<Invoicing, 'legalName' | 'ein' | 'phone' | 'country' | 'address'>

/** Labels of the payer's fields that the file requires. */
const needed = { legalName: 'Legal Name', ein: 'EIN', address: 'Address', phone: 'Phone' } as const

/**
 * Returns a file of the year's returns, in the columns of the IRS: the one place that shows whole tax numbers. The
 * activity records its rows and hash.
 * Refuses: `template_not_known`; `nec_not_in_usd`; `nec_payer_incomplete`; `nec_empty`; `nec_part_wrong`.
 */
export async function answerNecFile(
  { db, secrets }: { db: Database; secrets: Secrets },
  by: Author,
  account: AccountFacts,
  { year, part }: { year: number; part: number },
): Promise<HttpReply> {
  if (!irisTemplates[year]) throw refusal('template_not_known', { year })
  if (account.defaultCurrency !== 'usd') throw refusal('nec_not_in_usd')
  const bytes = await transaction(db, async (tx) => {
    const payer = await getInvoicingSettings(tx, account.id)
    const missing = (Object.keys(needed) as (keyof typeof needed)[]).filter((field) => payer[field] === null)
    if (missing.length > 0)
      throw refusal('nec_payer_incomplete', { missing: missing.map((field) => needed[field]).join(', ') })
    const { returns } = await readReturns({ db: tx, secrets }, account, year)
    const parts = partsOf(returns)
    if (parts === 0) throw refusal('nec_empty', { year })
    if (part > parts) throw wrongField('part', 'nec_part_wrong', { parts })
    const rows = returns.slice((part - 1) * MOST_RETURNS, part * MOST_RETURNS)
    const bytes = Buffer.from(necLines(year, payer, rows))
    const hash = createHash('sha256').update(bytes).digest('hex')
    const summary = { year, part, rows: rows.length, sha256: hash }
    await recordActivity(tx, by, account.id, 'tax-file.downloaded', {
      id: account.id,
      changes: Object.fromEntries(Object.entries(summary).map(([name, value]) => [name, { old: null, new: value }])),
    })
    return bytes
  })
  return new HttpReply(200, Readable.from([bytes], { objectMode: false }), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="1099-nec-${year}-${part}.csv"`,
  })
}

/** Returns the lines of a file, without a byte order mark, which its reader would take for part of a column's name. */
export function necLines(year: number, payer: Payer, returns: Return[]): string {
  const template = irisTemplates[year]!
  const ofPayer = payerCells(payer)
  return csvLines([
    template.map(([header]) => ({ plain: header })),
    ...returns.map((one) => {
      const cells: Cells = { ...ofPayer, ...cellsOf(one), form: plain('1099-NEC'), year: plain(year) }
      return template.map(([, field]) => (field && cells[field]) ?? plain(null))
    }),
  ])
}

type Cells = Partial<Record<IrisField, Cell>>

const plain = (value: string | number | null): Cell => ({ plain: value })
const typed = (text: string | null | undefined): Cell => ({ text: text ?? null })
const digitsOf = (text: string) => text.replace(/\D/g, '')

/** Returns the code of a state given by code or name. */
const stateCode = (state: string) =>
  (
    usStates.find(({ code, name }) => [code, name.toLowerCase()].includes(state.toLowerCase()))?.code ?? state
  ).toUpperCase()

const payerCells = ({ legalName, ein, phone, address, country }: Payer): Cells => ({
  payerTinType: plain('EIN'),
  payerTin: plain(digitsOf(ein ?? '')),
  payerNameType: plain('B'),
  payerName: typed(legalName),
  payerCountry: plain(country ?? 'US'),
  payerAddress: typed(address?.addressLine),
  payerCity: typed(address?.city),
  payerState: typed(address?.state && stateCode(address.state)),
  payerZip: typed(address?.zipCode),
  // domestic or international
  payerPhoneType: plain(/^(?:1?\d{10})$/.test(digitsOf(phone ?? '')) ? 'D' : 'I'),
  payerPhone: plain(digitsOf(phone ?? '').replace(/^1(?=\d{10}$)/, '')),
})

const cellsOf = ({ amount, form }: Return): Cells => ({
  tinType: plain(form.tinType.toUpperCase()),
  tin: plain(form.tin),
  ...nameCells(form),
  country: plain('US'),
  address: typed(form.address.addressLine),
  city: typed(form.address.city),
  state: plain(form.address.state.toUpperCase()),
  zip: plain(digitsOf(form.address.zipCode)),
  secondNotice: plain('N'),
  compensation: plain(decimalAmount(amount, 'usd')),
  directSales: plain('N'),
})

const SUFFIXES = /^(?:jr|sr|ii|iii|iv)\.?$/i

/** A person's name in its parts; a business, or a person with a business name, in two lines. */
function nameCells({ name, businessName, tinType, classification }: W9): Cells {
  if (tinType === 'ein' || businessName || classification !== 'individual')
    return { nameType: plain('B'), businessName: typed(name), businessName2: typed(businessName) }
  // as in 'Sam Tern, Jr.'
  const words = name.split(/,?\s+/)
  const suffix = words.length > 2 && SUFFIXES.test(words.at(-1)!) ? words.pop()! : null
  const lastName = words.pop()!
  const [firstName = null, ...middle] = words
  return {
    nameType: plain('I'),
    firstName: typed(firstName),
    middleName: typed(middle.join(' ')),
    lastName: typed(lastName),
    suffix: typed(suffix),
  }
}
