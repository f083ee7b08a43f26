import { setImmediate } from 'node:timers/promises'
import { CsvError, type Options, parse as parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { refusal, wrongField } from '../refusal.ts'
import { removeGuard } from './csv.ts'

/** How a file's rows are read: by its delimiter, below the row that names the columns; blank lines count as rows. */
export type Layout = { delimiter: string; headerRow: number }
type NumberedRow = { row: number; cells: string[] }
/** A file's columns, its first rows, of which the first few are shown, and its top, as far as a header may be. */
export type Head = Layout & { columns: string[]; rows: string[][]; shown: string[][]; top: NumberedRow[] }

const DELIMITERS = [',', ';', '\t', '|']
/** Characters for a header with many columns and a few rows; rows shown; most columns. */
export const HEAD = 60_000
const SHOWN = 5
export const MOST_COLUMNS = 300
const LONGEST_ROW = 200_000
/** Lines above a header, at most: titles and the like; and rows read with it. */
const MOST_ABOVE = 20
const HEAD_ROWS = 500
const MOST_LINES = 1000

const options = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: ['\r\r\n', '\r\n', '\n', '\r'],
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_ROW,
})

/**
 * Parses the head of a file: its columns, by the delimiter that splits its header into most, unless either is given.
 * Refuses: a file without a header, with too many columns, or that is no text.
 */
export function parseHead(csv: string, given: Partial<Layout> = {}): Head {
  if (csv.includes('\u0000')) throw refusal('import_not_text')
  if (csv.includes('\ufffd')) throw refusal('import_not_unicode')
  const head = csv.slice(0, HEAD)
  if (BANK_REPORT.test(head) || (/[\r\n]:25:/.test(head) && /[\r\n]:60[FM]:/.test(head)))
    throw refusal('import_bank_report')
  if (WEB_PAGE.test(head)) throw refusal('import_web_page')
  const givenDelimiter = given.delimiter ?? SEPARATOR.exec(head)?.[1]
  const [best] = (givenDelimiter ? [givenDelimiter] : DELIMITERS)
    .map((delimiter) => {
      const top = firstRecords(head, delimiter)
      const records = top.filter(({ cells }) => !isPreface(cells))
      const row = given.headerRow ?? records[headerAt(records.map(({ cells }) => cells))]?.row ?? 1
      const header = top.find((one) => one.row === row)?.cells ?? []
      const isFirst = records[0]?.row === row && header.length > 1
      return { delimiter, row, header, top, isFirst }
    })
    .sort((one, other) => Number(other.isFirst) - Number(one.isFirst) || other.header.length - one.header.length)
  const { delimiter, row: headerRow, header, top } = best!
  if (header.every((name) => name.trim() === ''))
    throw given.headerRow ? refusal('import_header_row', { row: given.headerRow }) : refusal('import_without_header')
  if (header.length > MOST_COLUMNS) throw refusal('import_too_wide', { max: MOST_COLUMNS })
  const read = top.map(({ row, cells }) => ({ row, cells: cells.map(readCell) }))
  const rows = read.filter(({ row }) => row > headerRow).map(({ cells }) => cells)
  return {
    delimiter,
    headerRow,
    columns: namesOf(header.map(readCell)),
    rows,
    shown: rows.slice(0, SHOWN),
    top: read.slice(0, MOST_ABOVE),
  }
}

/** Programs say the delimiter to spreadsheets on a first line: `sep=;`. */
const SEPARATOR = /^\ufeff?\s*"?sep=([,;|\t])"?[^\S\t]*(?:[\r\n]|$)/i
/** A bank's report in XML: on an account, or on orders. */
const BANK_REPORT = /<(?:\w{1,20}:)?(?:BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)|CstmrPmtStsRpt)/
const WEB_PAGE = /^\ufeff?\s*<(?:!doctype|html|table|head|meta|\?xml|!--)/i

const isSeparator = ([first = '']: string[]) => /^"?sep=[,;|\t]?"?$/i.test(first.trim())

function firstRecords(head: string, delimiter: string): NumberedRow[] {
  try {
    const placed = parse(head, { ...options(delimiter), to: HEAD_ROWS, info: true }) as unknown as Placed[]
    return placed.map((one) => ({ row: placeOf(one), cells: one.record }))
  } catch {
    // a later row is broken: reading the whole file reports which
    return head
      .split(/\r\n|\n|\r/)
      .slice(0, MOST_LINES)
      .map((line, at) => ({ row: at + 1, line }))
      .filter(({ line }) => line.trim() !== '')
      .slice(0, MOST_ABOVE)
      .map(({ row, line }) => {
        const [cells = []] = parse(line, { ...options(delimiter), quote: null }) as string[][]
        return { row, cells: cells.map(bare) }
      })
  }
}

const bare = (cell: string) => cell.replace(/^"(.*)"$/, '$1')

const filled = (record: string[]) => record.filter((cell) => cell.trim() !== '').length

/**
 * Returns the number of records above the header. It is the first one, unless that is a title, a line about the account,
 * or empty, which fills at most half of the columns: then it is the first record of only names that fills more.
 */
function headerAt(records: string[][]): number {
  const first = records.slice(0, MOST_ABOVE + 1)
  const most = Math.max(0, ...first.map(filled))
  const isWide = (record: string[]) => filled(record) * 2 > most
  if (first.length === 0 || isWide(first[0]!)) return 0
  const found = first.findIndex((record) => isWide(record) && record.every((cell) => !/@|^\W*\d/.test(cell)))
  return Math.max(found, 0)
}

/** Numbers equal names. */
function namesOf(header: string[]): string[] {
  const seen = new Map<string, number>()
  return header.map((given, at) => {
    const name = given.trim() || `Column ${at + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** Post Affiliate Pro writes the kind of file on a line before the header: `[[COMMISSIONS]]`. */
const PREFACE = /^\ufeff?\s*"?\[\[[^\]\n]*\]\]/
const isPreface = (record: string[]) => isSeparator(record) || PREFACE.test(record[0] ?? '')

/** Removes guards, and the outer quotes of a cell whose inner ones were not doubled: `"Bob "The Builder" Smith"`. */
function readCell(cell: string) {
  const text = removeGuard(cell)
  return /^"[^"]*[\s(]"[^"]+".*"$/s.test(text) ? text.slice(1, -1) : text
}

/** A record with the number of it and the empty lines up to it. */
type Placed = { record: string[]; info: { records: number; empty_lines: number } }

const placeOf = ({ info }: Placed) => info.records + info.empty_lines

/** Whether a row has nothing but delimiters, as spreadsheets write rows below a table. */
export const isBlank = (cells: string[]) => cells.every((cell) => cell.trim() === '')

/** Yields the rows after the header in pieces, to limit memory; the header is row 1, and empty lines count as rows. */
export async function* csvRows(
  content: AsyncIterable<Buffer>,
  { delimiter, headerRow }: Layout,
): AsyncGenerator<NumberedRow> {
  const parsing = parser({ ...options(delimiter), info: true })
  feed(refuseLongLines(content), parsing)
  for await (const placed of parsing as AsyncIterable<Placed>) {
    const row = placeOf(placed) - headerRow + 1
    if (row > 1) yield { row, cells: placed.record.map(readCell) }
  }
}

/**
 * Parses a whole small file; others are served meanwhile. Refuses, for this field: one that is no text, is broken or has
 * more rows; for a broken one the row is named.
 */
export async function parseRecords(csv: string, { field, most }: { field: string; most: number }) {
  const { columns, ...layout } = parseHead(csv)
  const rows: { row: number; cells: string[] }[] = []
  let read = 0
  try {
    for await (const one of csvRows(piecesOf(csv), layout)) {
      if (++read > most) throw wrongField(field, 'results_too_many', { max: most })
      if (!isBlank(one.cells)) rows.push(one)
    }
  } catch (error) {
    if (error instanceof BrokenCsv || error instanceof CsvError)
      throw wrongField(field, 'results_unreadable', { row: Number((error as { lines?: number }).lines ?? 1) })
    throw error
  }
  if (rows.length === 0) throw wrongField(field, 'results_empty')
  return { columns, rows }
}

const PIECE_BYTES = 16_384

async function* piecesOf(csv: string) {
  const bytes = Buffer.from(csv)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Longest line in bytes: the parser limits the text of a record, but not its number of empty fields. */
const LONGEST_LINE = LONGEST_ROW + 50_000

/** Thrown for a file that is broken at this line. */
class BrokenCsv extends Error {
  readonly lines: number
  constructor(message: string, lines: number) {
    super(message)
    this.lines = lines
  }
}

const isBreak = (byte: number) => byte === 10 || byte === 13

async function* refuseLongLines(content: AsyncIterable<Buffer>) {
  let [lines, length] = [1, 0]
  for await (const piece of content) {
    const first = piece.findIndex(isBreak)
    length += first < 0 ? piece.length : first
    if (length > LONGEST_LINE) throw new BrokenCsv(`line ${lines} has more than ${LONGEST_LINE} bytes`, lines)
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
    if (first >= 0) length = piece.length - 1 - piece.findLastIndex(isBreak)
    yield piece
  }
}

/** Bytes parsed in one turn of the event loop: a thousand short lines, each of which may cost the parser an error that it ignores. */
const BITE_BYTES = 2048

async function feed(content: AsyncIterable<Buffer>, parsing: ReturnType<typeof parser>) {
  try {
    for await (const piece of content)
      for (let at = 0; at < piece.length; at += BITE_BYTES) {
        await setImmediate()
        if (!parsing.write(piece.subarray(at, at + BITE_BYTES)))
          await new Promise((resolve) => parsing.once('drain', resolve))
      }
    parsing.end()
  } catch (error) {
    parsing.destroy(error as Error)
  }
}
