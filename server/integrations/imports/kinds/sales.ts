import { z } from 'zod'
import { type PaymentProvider, paymentProviderNames, type SaleProvider } from '#contract/sales.ts'
import {
  AmountFromZero,
  Currency,
  DateOnly,
  Email,
  ExternalId,
  optionalText,
  orEmpty,
  plainText,
} from '#contract/values.ts'
import { withSavepoint } from '../../../platform/database/pool.ts'
import { parseValue } from '../../../platform/http/parse.ts'
import { handleTogether } from '../../../platform/http/rows.ts'
import { wrongField } from '../../../platform/refusal.ts'
import type { NamedPartner } from '../../../program/clicks/named-partner.ts'
import { revertLeadImport } from '../../../program/leads/take-back-lead.ts'
import { importRefund, undoImportedRefund } from '../../../program/sales/import-refund.ts'
import {
  type ImportedLead,
  type ImportedRecord,
  type ImportedSale,
  importSales,
} from '../../../program/sales/import-sales.ts'
import { importShare, undoImportedShare } from '../../../program/sales/import-share.ts'
import { netOfTotal } from '../../../program/sales/net-of-total.ts'
import { deleteLeadOfImportedSale, undoImportedSale } from '../../../program/sales/undo-imported-sale.ts'
import type { Made } from '../queries.ts'
import {
  countOccurrence,
  differsFrom,
  eachByItself,
  type FileKind,
  type ImportContext,
  partnerFields,
  type RowOutcome,
  refusedRow,
  rowsRolledBack,
  rowsTaken,
  sameAs,
  toFieldTypes,
} from './kind.ts'
import {
  goneAs,
  isReversalWord,
  isTakenBack,
  meaningOfStatus,
  type StatusMeaning as StandingWord,
} from './status-words.ts'

const AMOUNTS = ['amount', 'grossAmount', 'taxAmount', 'shippingAmount', 'commission'] as const

const whoAndWhen = {
  ...partnerFields,
  externalId: orEmpty(ExternalId).optional(),
  orderId: orEmpty(ExternalId).optional(),
  saleExternalId: orEmpty(ExternalId).optional(),
  email: orEmpty(Email).optional(),
  leadExternalId: orEmpty(ExternalId).optional(),
  currency: Currency.optional(),
  saleDate: DateOnly,
  subscriptionId: optionalText(255).optional(),
  description: optionalText(1000).optional(),
  commissionStatus: plainText(100).optional(),
  status: plainText(100).optional(),
  rowType: plainText(100).optional(),
}
const parts = {
  taxAmount: AmountFromZero.optional(),
  shippingAmount: AmountFromZero.optional(),
  commission: AmountFromZero.optional(),
}
/** A row with the customer's amount, without or with tax and shipping. */
const TotalRow = z.strictObject({
  ...whoAndWhen,
  ...parts,
  amount: AmountFromZero.optional(),
  grossAmount: AmountFromZero.optional(),
})
const NetRow: z.ZodType<z.output<typeof TotalRow>> = TotalRow.required({ amount: true })

type Amounts = { amount: number; taxAmount: number; grossAmount: number }
type Standing = { gone: string | null; paid: boolean }
type Read = Omit<
  z.output<typeof TotalRow>,
  keyof Amounts | 'shippingAmount' | 'commissionStatus' | 'status' | 'rowType'
>
/** `nth`: number among otherwise identical rows; `nthPlain`: among those that differ at most in their descriptions. */
type Named = Read & Amounts & Standing & { nth: number; nthPlain: number }
/**
 * `before`: the first earlier rows of the file with its ID, or its order; `earlier`: in a dry run, the first sales of its
 * customer in the file.
 */
type SaleRow = Named & { type: 'sale'; number: number; before: SaleRow[]; earlier: SaleRow[] }
type RefundRow = Named & {
  type: 'refund'
  isNegative: boolean
  isTotal: boolean
  inFile: Heads
  refunders: Refunders
}
type Row = SaleRow | RefundRow

/** The sales of a file so far, by their names. */
type Heads = Map<string, SaleRow[]>
/** Rows of one name that are compared: any more are compared with the sale that is there. */
const MOST_NAMESAKES = 50
/** The partners with refunds of one sale in the file, as it names them. `paid`: what it says of each refund. */
type Refunders = Map<string | null, NamedPartner & { paid: Map<string, boolean> }>
/** Partners of a sale whose refunds are compared. */
const MOST_REFUNDERS = 50

/** Past sales, with the commission recorded for them, or else calculated by the current rates. */
export const sales: FileKind<Row> = {
  batch: 400,
  check(values) {
    const given = toFieldTypes(values, AMOUNTS)
    const isNegative = isBelowZero(given.amount) || isBelowZero(given.grossAmount)
    const isRefund = isNegative || isTakenBack(String(given.rowType ?? ''))
    const isTotal = given.amount === undefined && given.grossAmount !== undefined
    const schema = isTotal ? TotalRow : NetRow
    const {
      commissionStatus,
      status,
      rowType: _,
      ...row
    } = parseValue(schema, isRefund ? withoutSigns(given) : given, 'body')
    const standing = meaningOfStatus('commissionStatus', commissionStatus, 'owed')
    const goneBy = (word: string | undefined, standing: StandingWord) =>
      standing === 'gone' && !(isRefund && isReversalWord(word!)) ? word! : null
    const gone = goneBy(status, meaningOfStatus('status', status, 'owed')) ?? goneBy(commissionStatus, standing)
    const total = [row.externalId, row.orderId].find((id) => id && TOTAL.test(id))
    if (total) throw wrongField('externalId', 'import_total', { id: total })
    // GoAffPro writes 0 for rows without an order
    const externalId = /^#?0$/.test(row.externalId ?? '') ? null : row.externalId
    const { shippingAmount: __, ...rest } = row
    const named = { ...rest, ...netOfTotal(row), externalId, gone, paid: standing === 'paid', nth: 0, nthPlain: 0 }
    const kindOfAmount = { isNegative: isNegative && !given.rowType, isTotal }
    return isRefund
      ? { ...named, type: 'refund', ...kindOfAmount, inFile: new Map(), refunders: new Map() }
      : { ...named, type: 'sale', number: 0, before: [], earlier: [] }
  },
  keyOf: () => null,
  inFile(dryRun) {
    const heads: Heads = new Map()
    const firsts = new Map<string, SaleRow>()
    const times = new Map<string, number>()
    const refunders = new Map<string, Refunders>()
    return (given, number) => {
      if (given.type === 'refund') {
        const nth = countOccurrence(times, JSON.stringify(factsOfRefund(given)))
        const name = given.orderId ?? namesOfItsSale(given)[0] ?? ''
        const named: Refunders = refunders.get(name) ?? new Map()
        refunders.set(name, named)
        const { partnerEmail, referralCode } = given
        const who = named.get(whoOf(given)) ?? { partnerEmail, referralCode, paid: new Map() }
        who.paid.set(keyOfRefund({ ...given, nth }), given.paid)
        if (given.gone === null && named.size < MOST_REFUNDERS) named.set(whoOf(given), who)
        return { ...given, nth, inFile: heads, refunders: named }
      }
      const sale = { ...given, number, ...numbersOf(times, given) }
      // one that is not imported is no other row's equal
      if (sale.gone !== null) return sale
      const own: SaleRow = { ...sale, before: beforeIt(heads, sale) }
      for (const name of namesOf(sale)) {
        const namesakes = heads.get(name) ?? []
        if (namesakes.length < MOST_NAMESAKES) namesakes.push(own)
        heads.set(name, namesakes)
      }
      if (!dryRun) return own
      const customer = customerOf(sale)
      const earlier = customer.flatMap((name) => firsts.get(name) ?? [])
      if (own.before.length === 0) for (const name of customer) if (!firsts.has(name)) firsts.set(name, own)
      return { ...own, earlier }
    }
  },
  /**
   * A sale without a partner earns if another row says whose its customer was by then; and programs that list the newest
   * first have a refund before its sale.
   */
  turnOf: (row) => (row.type === 'refund' ? 'last' : whoOf(row) === null ? 'second' : 'first'),
  async apply(importing, rows) {
    if (importing.dryRun) await repeatEarlier(importing, rows)
    const all = rows.map((row): Row | RowOutcome => (row.gone === null ? row : goneAs(row.gone)))
    const recorded = await handleTogether(all, isAlone, (sales) => together(importing, sales))
    const taken = await takenBefore(importing, all, recorded)
    return handleTogether(recorded, isOpen, (others) =>
      eachByItself(importing.tx, others, async (row) => {
        if (row.type === 'refund') return takenBack(importing, row)
        const outcome = await besideEarlier(importing, row, taken)
        if (outcome.outcome !== 'failed') taken.add(row.number)
        return outcome
      }),
    )
  },
  undoneLast: ['lead', 'lead-change'],
  async undo({ tx, by, account }, made) {
    const adjustmentIds = made.filter(({ type }) => type === 'adjustment').map(({ id }) => id)
    for (const one of made) {
      if (one.type === 'sale') await undoImportedSale(tx, by, account, one.id)
      if (one.type === 'share') await undoImportedShare(tx, by, account, { saleId: one.id, partnerId: one.partnerId })
      if (one.type === 'refund') await undoImportedRefund(tx, by, account, { refundId: one.id, adjustmentIds })
      if (one.type === 'lead') await deleteLeadOfImportedSale(tx, by, account, one.id)
      if (one.type === 'lead-change') await revertLeadImport(tx, by, account, one.id, one.changed)
    }
  },
}

/** Reports end with a sum below the table. */
const TOTAL = /^(?:grand |sub)?totals?:?$/i

const isOpen = (one: Row | RowOutcome): one is Row => !('outcome' in one)
const isAlone = (one: Row | RowOutcome): one is SaleRow => isOpen(one) && one.type === 'sale' && one.before.length === 0

/** Returns the numbers of the earlier rows that were taken: in other batches, or in this one so far. */
async function takenBefore(importing: ImportContext, all: (Row | RowOutcome)[], outcomes: (Row | RowOutcome)[]) {
  const earlierNumbers = all.flatMap((row) =>
    isOpen(row) && row.type === 'sale' ? row.before.map(({ number }) => number) : [],
  )
  const known = await rowsTaken(importing, earlierNumbers)
  for (const [at, row] of all.entries()) {
    const outcome = outcomes[at]!
    if (isOpen(row) && row.type === 'sale' && !isOpen(outcome) && outcome.outcome !== 'failed') known.add(row.number)
  }
  return known
}

/** Imports a row with the ID or the order of earlier ones, unless it is one of them, or must not be. */
async function besideEarlier(importing: ImportContext, row: SaleRow, taken: Set<number>): Promise<RowOutcome> {
  const earlier = row.before.filter(({ number }) => taken.has(number))
  const [head] = earlier
  if (!head) return (await together(importing, [row]))[0]!
  const differs = differenceOf(head, row, importing.account.defaultCurrency)
  const hasItsId = row.externalId != null && earlier.some(({ externalId }) => externalId === row.externalId)
  if (!differs && isShareOf(head, row)) return shared(importing, row, head)
  if (!hasItsId) return (await together(importing, [row]))[0]!
  const other = differs ?? (isOfAnother(head, row) ? 'partner' : null)
  return other ? differsFrom(head.number, other) : sameAs(head.number)
}

const isBelowZero = (value: string | number | undefined) => typeof value === 'number' && value < 0

const withoutSigns = (values: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, typeof value === 'number' ? Math.abs(value) : value]),
  )

const whoOf = ({ partnerEmail, referralCode }: Row) => partnerEmail ?? referralCode ?? null

/** Values that, with their descriptions, distinguish rows without an ID; rows with all of them equal are numbered. */
const factsOf = (row: SaleRow) => [
  ...[row.type, row.externalId ?? null, row.orderId ?? null, row.saleExternalId ?? null, whoOf(row), row.email ?? null],
  ...[row.leadExternalId ?? null, row.amount, row.currency ?? null, row.saleDate],
]

/** Numbers a row; the rows without a description are those that no description counted. */
function numbersOf(times: Map<string, number>, row: SaleRow) {
  const plain = JSON.stringify(factsOf(row))
  const nthPlain = countOccurrence(times, plain)
  const described = `${plain} described`
  if (row.description == null) return { nthPlain, nth: nthPlain - (times.get(described) ?? 0) }
  countOccurrence(times, described)
  return { nthPlain, nth: countOccurrence(times, `${plain} as ${row.description}`) }
}

/** Values that distinguish a partner’s refunds of a sale that have no ID. */
const factsOfRefund = (row: RefundRow) => [
  row.type,
  namesOfItsSale(row)[0] ?? null,
  whoOf(row),
  row.amount,
  row.saleDate,
]

/** Returns the names of the refunded sale, the most reliable first. */
const namesOfItsSale = ({ saleExternalId, orderId, externalId }: RefundRow) =>
  [saleExternalId, orderId, saleExternalId || orderId ? null : externalId].filter((name) => name != null)

const namesOf = ({ externalId, orderId }: Pick<SaleRow, 'externalId' | 'orderId'>) => [
  ...(externalId ? [`id ${externalId}`] : []),
  ...(orderId ? [`order ${orderId}`] : []),
]

const customerOf = ({ email, leadExternalId }: SaleRow) => [
  ...(email ? [`email ${email}`] : []),
  ...(leadExternalId ? [`id ${leadExternalId}`] : []),
]

/** Returns the earlier rows with its ID, else those of its order with its amount and day. */
function beforeIt(heads: Heads, sale: SaleRow): SaleRow[] {
  const same = sale.externalId ? heads.get(`id ${sale.externalId}`) : undefined
  if (same) return [...same]
  const ordered = sale.orderId ? heads.get(`order ${sale.orderId}`) : undefined
  return ordered?.filter(({ amount, saleDate }) => amount === sale.amount && saleDate === sale.saleDate) ?? []
}

const isOfAnother = (head: SaleRow, row: SaleRow) =>
  whoOf(row) !== null && whoOf(head) !== null && whoOf(row) !== whoOf(head)

/** Programs with several tiers list a sale once per earning partner. */
const isShareOf = (head: SaleRow, row: SaleRow) => (row.commission ?? 0) > 0 && isOfAnother(head, row)

/** Some programs export the commission alone, which is of each partner. */
const isCommissionAlone = ({ amount, commission }: SaleRow) => amount === commission

/** Returns the first fact in which two rows of one ID differ; null if they are the same sale. */
function differenceOf(head: SaleRow, row: SaleRow, accountCurrency: string) {
  const isEachOwn = isShareOf(head, row) && isCommissionAlone(head) && isCommissionAlone(row)
  if (head.amount !== row.amount && !isEachOwn) return 'amount'
  if ((head.currency ?? accountCurrency) !== (row.currency ?? accountCurrency)) return 'currency'
  if (head.saleDate !== row.saleDate) return 'day'
  return isOther(head.email, row.email) || isOther(head.leadExternalId, row.leadExternalId) ? 'customer' : null
}

const isOther = (one: string | null | undefined, other: string | null | undefined) =>
  one != null && other != null && one !== other

/** Imports all together; if refused, one by one, so that each reports its error. */
async function together(importing: ImportContext, rows: SaleRow[]): Promise<RowOutcome[]> {
  if (rows.length === 0) return []
  try {
    return await withSavepoint(importing.tx, () => recorded(importing, rows))
  } catch (error) {
    const refused = refusedRow(error)
    if (rows.length === 1) return [refused]
    const outcomes: RowOutcome[] = []
    for (const row of rows) outcomes.push(...(await together(importing, [row])))
    return outcomes
  }
}

async function recorded(importing: ImportContext, rows: SaleRow[]): Promise<RowOutcome[]> {
  const { tx, by, account, settlePaid } = importing
  const given = rows.map(
    ({ gone: _, type: __, before: ___, saleExternalId: ____, earlier: _____, ...row }): ImportedSale => ({
      ...row,
      settled: row.paid && settlePaid,
    }),
  )
  return (await importSales(tx, by, account, given)).map((result) => outcomeOf(importing, result))
}

const OWN_WAYS: Partial<Record<SaleProvider, string>> = {
  api: 'it was pushed',
  'incoming-webhook': 'it came by an incoming webhook',
  manual: 'it was entered by hand',
}

const STILL_OWED = 'Its commission is still owed here, although the file says that it was paid.'

function alreadyThere(cameBy: SaleProvider) {
  if (cameBy === 'import') return 'A sale with this external ID already exists.'
  const how = OWN_WAYS[cameBy] ?? `it came from ${paymentProviderNames[cameBy as PaymentProvider]}`
  return `This sale already exists: ${how}.`
}

function outcomeOf({ account }: ImportContext, result: ImportedRecord | Error): RowOutcome {
  if (result instanceof Error) return refusedRow(result)
  const { saleId, created, amount, currency, adjustments, leadChange, alike, cameBy, owed, ofAnother } = result
  const equal = 'A sale with the same partner, customer, amount and day already exists.'
  if (!created) {
    const known = (result.byId ? alreadyThere(cameBy) : equal) + (ofAnother ? ' It is another partner’s.' : '')
    return { outcome: 'skipped', message: owed ? `${known} ${STILL_OWED}` : known }
  }
  const made: Made[] = [
    { type: 'sale', id: saleId },
    ...adjustments.map(({ id }) => ({ type: 'adjustment' as const, id })),
    ...(leadChange ? [madeOf(leadChange)] : []),
  ]
  return {
    outcome: 'created',
    made,
    sum: { currency, amount },
    settled: settledOf(account.defaultCurrency, adjustments),
    assigned: Boolean(leadChange?.changed && 'partnerId' in leadChange.changed),
    message: alike,
  }
}

const madeOf = ({ id, changed }: ImportedLead): Made =>
  changed ? { type: 'lead-change', id, changed } : { type: 'lead', id }

const settledOf = (currency: string, adjustments: { amount: number }[]) =>
  adjustments.length > 0 ? { currency, amount: -adjustments.reduce((sum, { amount }) => sum + amount, 0) } : undefined

/** Imports a further partner's commission on a sale of an earlier row. */
async function shared(importing: ImportContext, row: SaleRow, head: SaleRow): Promise<RowOutcome> {
  const { tx, by, account, settlePaid } = importing
  const { commission, paid } = row
  const isAlone = isCommissionAlone(head) && isCommissionAlone(row)
  const share = { sale: head, partner: row, commission: commission!, isAlone, settled: paid && settlePaid }
  const result = await ofHead(importing, row.before, () => importShare(tx, by, account, share))
  if (!result) throw wrongField('externalId', 'import_refund_of_nothing')
  if (!result.created)
    return { outcome: 'skipped', message: 'This sale already exists with this partner’s commission.' }
  const made: Made[] = [
    { type: 'share', id: result.saleId, partnerId: result.partnerId },
    ...result.adjustments.map(({ id }) => ({ type: 'adjustment' as const, id })),
  ]
  return {
    outcome: 'created',
    made,
    settled: settledOf(account.defaultCurrency, result.adjustments),
    // of the sale, which grew by it
    ...(isAlone && { sum: { currency: row.currency ?? account.defaultCurrency, amount: commission! } }),
  }
}

/** Equal refunds of several partners are one, and each has a status of its own. */
const keyOfRefund = ({ amount, saleDate, nth }: Pick<RefundRow, 'amount' | 'saleDate' | 'nth'>) =>
  `${amount} ${saleDate} ${nth}`

function* refundersOf(row: RefundRow, settlePaid: boolean) {
  for (const { paid, ...named } of row.refunders.values())
    yield { ...named, settled: (paid.get(keyOfRefund(row)) ?? row.paid) && settlePaid }
}

/** Imports a row that refunds the sale it names. */
async function takenBack(importing: ImportContext, row: RefundRow): Promise<RowOutcome> {
  const { tx, by, account, settlePaid } = importing
  const names = namesOfItsSale(row)
  const field = row.isNegative ? 'amount' : 'saleExternalId'
  if (names.length === 0) throw wrongField(field, 'import_refund_unnamed')
  const currency = row.currency ?? account.defaultCurrency
  const refund = {
    names,
    ownId: row.saleExternalId || row.orderId ? (row.externalId ?? null) : null,
    partner: row,
    amount: row.amount,
    grossAmount: row.grossAmount,
    isTotal: row.isTotal,
    currency,
    day: row.saleDate,
    nth: row.nth,
    settled: row.paid && settlePaid,
    refunders: refundersOf(row, settlePaid),
  }
  const [namesakes = []] = names.flatMap((name) => {
    const found = row.inFile.get(`id ${name}`) ?? row.inFile.get(`order ${name}`)
    return found ? [found] : []
  })
  const result = await ofHead(importing, namesakes, () => importRefund(tx, by, account, refund))
  const sum = { currency, amount: -row.amount }
  if (!result) throw wrongField(field, 'import_refund_of_nothing')
  if (!result.created) return { outcome: 'skipped', message: 'This amount of the sale is already reversed.' }
  const made: Made[] = [
    { type: 'refund', id: result.refundId },
    ...result.adjustments.map(({ id }) => ({ type: 'adjustment' as const, id })),
  ]
  return { outcome: 'created', made, sum, settled: settledOf(account.defaultCurrency, result.adjustments) }
}

/** Imports the sale of earlier rows once more, with its shares, if it is missing because a dry run has rolled it back. */
async function ofHead<T>(importing: ImportContext, rows: SaleRow[], act: () => Promise<T | null>) {
  const result = await act()
  if (result || !importing.dryRun) return result
  const [head, ...others] = await rowsRolledBack(importing, rows)
  if (!head) return null
  await recorded(importing, [head])
  for (const one of others)
    if (isShareOf(head, one) && !differenceOf(head, one, importing.account.defaultCurrency))
      await shared(importing, one, head)
  return act()
}

/** Imports the first sales of these customers once more, which a dry run has rolled back, with their leads. */
async function repeatEarlier(importing: ImportContext, rows: Row[]) {
  const heads = rows.flatMap((row) => (row.type === 'sale' ? row.earlier : []))
  await together(importing, await rowsRolledBack(importing, heads))
}
