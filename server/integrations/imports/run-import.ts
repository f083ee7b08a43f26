import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { formatNumber } from '#contract/format.ts'
import { type FileRead, type ImportKind, MOST_IMPORTED_ROWS, rightOfImport } from '#contract/imports.ts'
import { parseActor } from '../../platform/author.ts'
import { csvRows, HEAD, type Head, isBlank, type Layout, parseHead } from '../../platform/csv/read-csv.ts'
import { bookingTransaction, type Transaction, transaction, withRollback } from '../../platform/database/pool.ts'
import { countInWords } from '../../platform/format-values.ts'
import { handleTogether } from '../../platform/http/rows.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { isInTeam } from '../../program/access/actor.ts'
import { lockAccountShared } from '../../program/access/lock-accounts.ts'
import type { MappedValues } from '../incoming-webhooks/transform.ts'
import {
  buildImportContext,
  differsFrom,
  type FileKind,
  getFileSettings,
  type RowOutcome,
  refusedRow,
  rowsTaken,
  sameAs,
  type Turn,
} from './kinds/kind.ts'
import { kinds } from './kinds/registry.ts'
import { dayOrders, rowReader } from './map-row.ts'
import {
  findImportedFile,
  type ImportKey,
  type ImportRow,
  importById,
  insertRows,
  type RowResult,
  rowsDone,
  type StoredWarning,
  setState,
  setTotal,
  setWarnings,
} from './queries.ts'
import { type ImportJob, importQueue } from './queue.ts'
import {
  countStep,
  endImport,
  holdImport,
  type ImportStep,
  importJob,
  importOfJob,
  isUnderWay,
  sumByCurrency,
} from './track.ts'
import { undoSome } from './undo-import.ts'

/** Milliseconds that one job reads before it yields to others. */
const TURN_MS = 5000
/** Number of failed rows that indicates a wrong mapping. */
const MOST_FAILED = 10_000

/**
 * Continues an import where it stopped: a few rows per transaction, each row once, whenever the process dies. A turn
 * takes a few seconds; then another job follows.
 */
export async function processImport(services: Services, job: ImportJob): Promise<void> {
  const { db, jobs } = services
  const key = await importOfJob(db, job)
  const row = key && (await importById(db, key))
  if (!row || !isUnderWay(row)) return
  const ended = row.state === 'undoing' ? await undoSome(services, row, turn(0)) : await readOn(services, row)
  if (!ended) await transaction(db, (tx) => jobs.add(tx, importQueue, importJob(row)))
}

/** Returns a function that checks whether this turn is over; it lasts longer if finding the position took long. */
function turn(searchedMs: number) {
  const until = performance.now() + Math.max(TURN_MS, 2 * searchedMs)
  return () => performance.now() > until
}

/** A parsed row, or its outcome if it is not imported. */
type Given = { given: unknown }
/** An earlier row of the same object. */
type Earlier = { row: number; given: unknown }
type Checked = Given | RowOutcome
const isGiven = (checked: Checked): checked is Given => 'given' in checked
/** A sentence about a row that is imported; `isReason`: also about one that is refused. */
type Note = { text: string; isReason: boolean }
/** `key`: shared by rows about the same object, of which the first are `like`; `notes`: what else to say of the row. */
type Numbered = {
  row: number
  turn: Turn
  cells: string[]
  key: string | null
  like: Earlier[]
  notes: Note[]
  checked: Checked
}

/** Imports rows until the end of the file or the turn; returns whether the import has ended. */
async function readOn(services: Services, known: ImportRow): Promise<boolean> {
  const began = performance.now()
  const kind = kinds[known.kind as keyof typeof kinds]!
  const { defaultCurrency } = await transaction(services.db, (tx) => lockAccountShared(tx, known.accountId))
  const key = `${known.id} ${defaultCurrency}`
  const batches = cachedBatches(key) ?? (await openBatches(services, known, { kind, defaultCurrency }))
  if (!batches) return true
  let isOver: (() => boolean) | undefined
  for (;;) {
    const { value: some } = await batches.next()
    if (!some) return finish(services, known, kind)
    isOver ??= turn(performance.now() - began)
    if (await importBatch(services, known, kind, some)) return true
    if (isOver()) {
      cacheBatches(key, batches)
      return false
    }
  }
}

/** The rows that are taken together, in the order of importing. */
type Batches = AsyncGenerator<Numbered[], void>

/** Opens the file at the first row that is not done; ends the import of one that can't be read. */
async function openBatches(
  services: Services,
  known: ImportRow,
  { kind, defaultCurrency }: { kind: FileKind; defaultCurrency: string },
): Promise<Batches | undefined> {
  const { db } = services
  const fail = async (reason: string) => void (await end(services, known, 'failed', reason))
  const content = await findImportedFile(db, known)
  if (!content) return fail('The file no longer exists. Import it again.')
  const { mapping, read: understood } = getFileSettings(known)
  const head = parseHead(await beginningOf(content), understood && layoutOf(understood))
  try {
    if (known.total === null) {
      const orders = dayOrders(mapping, head.columns)
      const total = await countRows(content, head, orders.see)
      if (total > MOST_IMPORTED_ROWS) return fail(TOO_LONG)
      await begin(services, known, total, orders.unclear().map(unclearDays))
    }
  } catch (error) {
    return fail(unreadable(error as Error))
  }
  const read = rowReader({ mapping, columns: head.columns, format: known.format }, defaultCurrency)
  const rows = () => checkedRows(kind, csvRows(pieces(content), head), read, head)
  return batchesOf(kind, inOrder(kind, rows, known.dryRun), await rowsDone(db, known))
}

async function* batchesOf(kind: FileKind, rows: AsyncGenerator<Numbered>, isDone: (row: number) => boolean): Batches {
  let some: Numbered[] = []
  const keys = new Set<string>()
  for await (const one of rows) {
    if (isDone(one.row)) continue
    const isRepeated = one.key !== null && keys.has(one.key)
    if (some.length === kind.batch || (some.length > 0 && some[0]!.turn !== one.turn) || isRepeated) {
      yield some
      some = []
      keys.clear()
    }
    some.push(one)
    if (one.key !== null) keys.add(one.key)
  }
  if (some.length > 0) yield some
}

/** Milliseconds for which an open file waits for its import's next turn in this process. */
const CACHED_MS = 60_000

/** The file that this process read last. Reading a file again up to its next row takes as long as all rows before it. */
let cached: { key: string; batches: Batches; timer: NodeJS.Timeout } | undefined

function cacheBatches(key: string, batches: Batches) {
  closeCached()
  cached = { key, batches, timer: setTimeout(closeCached, CACHED_MS).unref() }
}

function cachedBatches(key: string): Batches | undefined {
  if (cached?.key !== key) return
  const { batches, timer } = cached
  clearTimeout(timer)
  cached = undefined
  return batches
}

function closeCached() {
  if (cached) clearTimeout(cached.timer)
  cached?.batches.return().catch(() => {})
  cached = undefined
}

/** Sheets are stored with commas between their cells. */
const layoutOf = ({ headerRow, sheet }: FileRead) => ({ headerRow, ...(sheet !== null && { delimiter: ',' }) })

type Rows = AsyncIterable<{ row: number; cells: string[] }>
type CheckedRow = Omit<Numbered, 'key' | 'like'>

async function* checkedRows(
  kind: FileKind,
  rows: Rows,
  readCells: (cells: string[]) => MappedValues,
  head: Head,
): AsyncGenerator<CheckedRow> {
  for await (const { row, cells } of rows) {
    if (isBlank(cells)) continue
    const { values, problems } = readCells(cells)
    const notes = [...rowsSwallowed(cells, head), ...withoutMangledIds(values)]
    const checked = checkedRow(kind, { values, problems })
    yield { row, turn: ('given' in checked && kind.turnOf?.(checked.given)) || 'first', cells, notes, checked }
  }
}

const ID_FIELDS = ['externalId', 'orderId', 'saleExternalId', 'leadExternalId', 'subscriptionId']
/** A long number as spreadsheets leave it: `5.12346E+12`; or its first digits, with zeros behind them. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d+$/i
/** A whole number of a column in which a program met empty cells. */
const DECIMAL = /^\d+\.0$/
const ROUNDED = /^\d{15}0$|^\d{16}0+$/

/** Removes IDs that a spreadsheet has shortened, which name nothing any more; returns what to say of them. */
function withoutMangledIds(values: MappedValues['values']): Note[] {
  return ID_FIELDS.flatMap((field) => {
    const id = String(values[field] ?? '')
    if (DECIMAL.test(id))
      return { text: `The ID ${id} ends in .0: a program may have made it a decimal number.`, isReason: false }
    if (ROUNDED.test(id))
      return { text: `The ID ${id} ends in zeros: a spreadsheet may have rounded it.`, isReason: false }
    if (!SHORTENED.test(id)) return []
    delete values[field]
    return { text: `A spreadsheet has shortened the ID ${id}, so it is left out.`, isReason: true }
  })
}

/** Returns a note about each cell with lines that look like rows. A quote in it may mean inches. */
function rowsSwallowed(cells: string[], { delimiter, columns }: Head): Note[] {
  return cells.flatMap((cell) => {
    if (!/[\r\n]/.test(cell)) return []
    const lines = cell.split(/\r\n|\n|\r/)
    const isRow = (line: string) => columns.length > 1 && line.split(delimiter).length >= columns.length
    const text = `A cell spans ${lines.length} lines that look like rows. Check the quotes in it.`
    return lines.some(isRow) ? { text, isReason: true } : []
  })
}

/** Returns a function that gets the rows in the order of importing, and sets each beside those before it. */
function createEarlierComparison(kind: FileKind, dryRun: boolean) {
  const place = kind.inFile?.(dryRun)
  const earlier = new Map<string, Earlier[]>()
  return ({ checked, ...one }: CheckedRow): Numbered => {
    if (!('given' in checked)) return { ...one, key: null, like: [], checked }
    const key = kind.keyOf(checked.given)
    const like = key === null ? [] : (earlier.get(key) ?? [])
    if (key !== null && like.length < MOST_ALIKE) earlier.set(key, [...like, { row: one.row, given: checked.given }])
    const placed = place ? place(checked.given, one.row) : checked.given
    return { ...one, key, like, checked: isOutcome(placed) ? placed : { given: placed } }
  }
}

/** Most rows of the same object that a row is compared with. */
const MOST_ALIKE = 50

const isOutcome = (one: unknown): one is RowOutcome => typeof one === 'object' && one !== null && 'outcome' in one

/** Yields rows in the file's order, unless the kind requires some before others. */
async function* inOrder(
  kind: FileKind,
  rows: () => AsyncIterable<CheckedRow>,
  dryRun: boolean,
): AsyncGenerator<Numbered> {
  const compareWithEarlier = createEarlierComparison(kind, dryRun)
  if (!kind.after) return yield* inTurns(rows, compareWithEarlier)
  const all = await Array.fromAsync(rows(), compareWithEarlier)
  const byKey = new Map(all.flatMap((one) => ('given' in one.checked ? [[one.key, one] as const] : [])))
  const taken = new Set<Numbered>()
  for (const one of all) {
    const line: Numbered[] = []
    // a circle ends where it began
    for (let next: Numbered | undefined = one; next && !taken.has(next); ) {
      taken.add(next)
      line.push(next)
      const before: string | null = 'given' in next.checked ? kind.after(next.checked.given) : null
      next = before === null ? undefined : byKey.get(before)
    }
    yield* line.reverse()
  }
}

async function* inTurns(
  rows: () => AsyncIterable<CheckedRow>,
  compareWithEarlier: (one: CheckedRow) => Numbered,
): AsyncGenerator<Numbered> {
  const last: CheckedRow[] = []
  let isReadAgain = false
  for await (const one of rows()) {
    if (one.turn === 'first') yield compareWithEarlier(one)
    if (one.turn === 'second') isReadAgain = true
    if (one.turn === 'last') last.push(one)
  }
  // not kept: it may be most of the file
  if (isReadAgain) for await (const one of rows()) if (one.turn === 'second') yield compareWithEarlier(one)
  yield* last.map(compareWithEarlier)
}

const pieces = (content: Buffer) => Readable.from([content]).pipe(createGunzip()) as AsyncIterable<Buffer>

async function beginningOf(content: Buffer): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces(content)) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > HEAD) break
  }
  return text
}

/** Counts the rows, at most one beyond those that a file can have, blank ones included. */
async function countRows(content: Buffer, layout: Layout, see: (cells: string[]) => void) {
  let [count, blank] = [0, 0]
  for await (const { cells } of csvRows(pieces(content), layout)) {
    if (++count > MOST_IMPORTED_ROWS) return count
    if (isBlank(cells)) blank++
    else see(cells)
  }
  return count - blank
}

const unclearDays = ({ column, day }: { column: string; day: string }): StoredWarning => ({
  row: null,
  message: `The days in “${column}” fit both orders and are read month first, such as ${day}. If the day is first, choose “Date, day first”.`,
})

const TOO_LONG = `The file has more than ${formatNumber(MOST_IMPORTED_ROWS)} rows. Import it in parts.`

const unreadable = ({ message }: Error) => `The file can’t be read to the end: ${message}`.slice(0, 1000)

function checkedRow(kind: FileKind, { values, problems }: MappedValues): Checked {
  const [problem] = Object.entries(problems)
  if (problem) return { outcome: 'failed', field: problem[0] || null, message: problem[1] }
  try {
    return { given: kind.check(values) }
  } catch (error) {
    return refusedRow(error)
  }
}

const begin = ({ db }: Services, key: ImportKey, total: number, warnings: StoredWarning[]) =>
  transaction(db, async (tx) => {
    if (!(await holdImport(tx, key))) return
    await setTotal(tx, key, total)
    await setWarnings(tx, key, warnings)
    await setState(tx, key, 'running')
  })

/** Finishes an import after its last row. */
async function finish({ db, config, secrets }: Services, key: ImportKey, kind: FileKind) {
  await transaction(db, async (tx) => {
    const row = await holdImport(tx, key)
    if (!row) return
    const account = await lockAccountShared(tx, row.accountId)
    const warnings = await kind.warnings?.(buildImportContext({ config, secrets }, tx, row, account))
    if (warnings && warnings.length > 0) await setWarnings(tx, row, [...row.warnings, ...warnings])
    await endImport(tx, row, 'done')
  })
  return true
}

async function end({ db }: Services, key: ImportKey, state: 'failed', reason: string) {
  await transaction(db, async (tx) => {
    const row = await holdImport(tx, key)
    if (row) await endImport(tx, row, state, reason)
  })
  return true
}

/** Imports a few rows, but those that another process has imported; returns whether the import has ended. */
async function importBatch(services: Services, known: ImportRow, kind: FileKind, some: Numbered[]): Promise<boolean> {
  return bookingTransaction(services.db, async (tx) => {
    const row = await holdImport(tx, known)
    if (!row) return true
    const isDone = await rowsDone(tx, row, some)
    const rows = some.filter((one) => !isDone(one.row))
    if (rows.length === 0) return false
    const account = await lockAccountShared(tx, row.accountId)
    if (account.disabledAt) {
      await endImport(tx, row, 'canceled', 'The account was disabled.')
      return true
    }
    if (!(await isStillAllowed(tx, row))) {
      await endImport(tx, row, 'canceled', 'The person who started it may no longer import this.')
      return true
    }
    const outcomes = await importRows(services, tx, row, { account, kind, rows })
    await insertRows(tx, row, outcomes)
    const step = stepOf(outcomes)
    await countStep(tx, row, step)
    const failed = row.failed + step.failed
    if (failed < MOST_FAILED) return false
    const wrong = countInWords(failed, 'wrong row')
    await endImport(tx, row, 'failed', `Stopped after ${wrong}. Check the column mapping.`)
    return true
  })
}

/** The import stops if the person has lost the right. */
function isStillAllowed(tx: Transaction, { accountId, kind, createdBy }: ImportRow) {
  const { type, id } = parseActor(createdBy)
  return type !== 'user' || isInTeam(tx, accountId, id!, rightOfImport[kind as ImportKind])
}

type ImportBatch = { account: AccountFacts; kind: FileKind; rows: Numbered[] }
type Result = RowResult & { sum?: ImportStep['totals']; settled?: ImportStep['totals']; assigned?: boolean }

async function importRows(
  { config, secrets }: Services,
  tx: Transaction,
  row: ImportRow,
  { account, kind, rows }: ImportBatch,
): Promise<Result[]> {
  const importing = buildImportContext({ config, secrets }, tx, row, account)
  const earlierRows = rows.flatMap(({ like }) => like.map(({ row }) => row))
  const taken = await rowsTaken(importing, earlierRows)
  const all = rows.map(({ checked, like }): Checked => {
    const first = 'given' in checked ? like.find((one) => taken.has(one.row)) : undefined
    if (!first) return checked
    const differs = kind.differenceOf?.(first.given, (checked as Given).given)
    return differs ? differsFrom(first.row, differs) : sameAs(first.row)
  })
  const outcomes = await handleTogether(all, isGiven, (open) => {
    const given = open.map((one) => one.given)
    return row.dryRun ? withRollback(tx, () => kind.apply(importing, given)) : kind.apply(importing, given)
  })
  return rows.map(({ row, cells, notes }, at) => {
    const outcome = withNotes(outcomes[at]!, notes)
    const { sum, settled, ...rest } = { sum: undefined, settled: undefined, ...outcome }
    return {
      row,
      ...rest,
      cells: outcome.outcome === 'failed' ? cells : null,
      ...(sum && { sum: [{ ...sum, count: 1 }] }),
      ...(settled && { settled: [{ ...settled, count: 1 }] }),
    } as Result
  })
}

/** Adds what else there is to say of a row that is imported or refused. */
function withNotes(outcome: RowOutcome, notes: Note[]): RowOutcome {
  if (outcome.outcome === 'skipped') return outcome
  const texts = notes.flatMap(({ text, isReason }) => (outcome.outcome === 'created' || isReason ? text : []))
  if (texts.length === 0) return outcome
  const before = outcome.message ? [/[.!?]$/.test(outcome.message) ? outcome.message : `${outcome.message}.`] : []
  return { ...outcome, message: [...before, ...texts].join(' ').slice(0, 1000) }
}

function stepOf(results: Result[]): ImportStep {
  const countOf = (outcome: RowOutcome['outcome']) => results.filter((one) => one.outcome === outcome).length
  return {
    created: countOf('created'),
    skipped: countOf('skipped'),
    failed: countOf('failed'),
    totals: sumByCurrency(results.flatMap(({ sum }) => sum ?? [])),
    settled: sumByCurrency(results.flatMap(({ settled }) => settled ?? [])),
    assigned: results.filter(({ assigned }) => assigned).length,
  }
}
