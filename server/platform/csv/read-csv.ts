import { CsvError, type Options, parse as parser } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { refusal, wrongField } from '../refusal.ts'
import { createSlices } from '../slices.ts'
import { unguarded } from './csv.ts'

/** A file's columns, its delimiter, and its first rows. */
export type Head = { delimiter: string; columns: string[]; rows: string[][] }

const DELIMITERS = [',', ';', '\t', '|']
/** Characters for a header with many columns and a few rows; rows shown; most columns. */
export const HEAD = 60_000
const SHOWN = 5
export const MOST_COLUMNS = 300
const LONGEST_ROW = 200_000

const options = (delimiter: string): Options => ({
  delimiter,
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_ROW,
})

/**
 * Parses the head of a file: its columns, by the delimiter that splits the first line into most.
 * Refuses: a file without a header, with too many columns, or that is no text.
 */
export function headOf(csv: string): Head {
  if (csv.includes('\u0000')) throw refusal('import_not_text')
  if (csv.includes('\ufffd')) throw refusal('import_not_unicode')
  const head = csv.slice(0, HEAD).replace(PREFACE, '')
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, rows: firstRows(head, delimiter) })).sort(
    (one, other) => (other.rows[0]?.length ?? 0) - (one.rows[0]?.length ?? 0),
  )
  const [header, ...rows] = best!.rows
  if (!header || header.every((name) => name.trim() === '')) throw refusal('import_without_header')
  if (header.length > MOST_COLUMNS) throw refusal('import_too_wide', { max: MOST_COLUMNS })
  return { delimiter: best!.delimiter, columns: namesOf(header), rows: rows.slice(0, SHOWN) }
}

function firstRows(head: string, delimiter: string): string[][] {
  try {
    return parse(head, { ...options(delimiter), to: SHOWN + 1 }) as string[][]
  } catch {
    // a later row is broken: reading the whole file reports which
    return parse(head.split(/\r?\n/, 1)[0]!, { ...options(delimiter), quote: null }) as string[][]
  }
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
const PREFACE = /^\ufeff?\s*"?\[\[[^\]\n]*\]\][^\n]*\n/

/** A record with the number of it and the empty lines up to it. */
type Placed = { record: string[]; info: { records: number; empty_lines: number } }

const placeOf = ({ info }: Placed) => info.records + info.empty_lines

/** Whether a row has nothing but delimiters, as spreadsheets write rows below a table. */
export const isBlank = (cells: string[]) => cells.every((cell) => cell.trim() === '')

/** Yields the rows after the header in pieces, to limit memory; the header is row 1, and empty lines count as rows. */
export async function* csvRows(
  content: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<{ row: number; cells: string[] }> {
  const parsing = parser({ ...options(delimiter), info: true })
  feed(refuseLongLines(content), parsing)
  let header: number | undefined
  for await (const placed of parsing as AsyncIterable<Placed>) {
    if (header === undefined && PREFACE.test(`${placed.record[0]}\n`)) continue
    header ??= placeOf(placed)
    const row = placeOf(placed) - header + 1
    if (row > 1) yield { row, cells: placed.record.map(unguarded) }
  }
}

/**
 * Parses a whole small file; others are served meanwhile. Refuses, for this field: one that is no text, is broken or has
 * more rows; for a broken one the row is named.
 */
export async function recordsOf(csv: string, { field, most }: { field: string; most: number }) {
  const { columns, delimiter } = headOf(csv)
  const rows: { row: number; cells: string[] }[] = []
  let read = 0
  try {
    for await (const one of csvRows(piecesOf(csv), delimiter)) {
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
  const pause = createSlices()
  const bytes = Buffer.from(csv)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await pause()
    yield bytes.subarray(at, at + PIECE_BYTES)
  }
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

async function feed(content: AsyncIterable<Buffer>, parsing: ReturnType<typeof parser>) {
  try {
    for await (const piece of content)
      if (!parsing.write(piece)) await new Promise((resolve) => parsing.once('drain', resolve))
    parsing.end()
  } catch (error) {
    parsing.destroy(error as Error)
  }
}
