import { stringify } from 'csv-stringify/sync'
import type { CsvColumn } from '#contract/csv.ts'
import { decimalAmount } from '#contract/money.ts'

/** One field of a line: text that people may have typed, or what can only be a number, a date or a word of ours. */
export type Cell = { text: string | null } | { plain: string | number | boolean | null }

/** The first character of a file, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Lines of comma-separated values (RFC 4180), each field quoted; what is absent is an empty field. */
export const csvLines = (rows: Cell[][]) =>
  stringify(
    rows.map((cells) => cells.map((cell) => ('text' in cell ? harmless(cell.text ?? '') : String(cell.plain ?? '')))),
    { quoted: true, quoted_empty: true, record_delimiter: 'windows' },
  )

/**
 * Text that a spreadsheet would run as a formula, made harmless by an apostrophe before it. Text that has one already gets
 * another, so that each text has a cell of its own.
 */
export const harmless = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n\0])/u

/** The text that a cell was written from. */
export const unguarded = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

type Row = Record<string, unknown>

/** The value of this column for an item of the list; its amounts are of the account's currency if it names none. */
export function cellOf(row: Row, { path, kind, currency }: CsvColumn, accountCurrency: string): Cell {
  const value = valueAt(row, path)
  if (value === null || value === undefined) return { plain: null }
  if (kind === 'money')
    return { plain: decimalAmount(value as number, (currency ? valueAt(row, currency) : accountCurrency) as string) }
  if (kind === 'codes') return { plain: (value as { code: string }[]).map(({ code }) => code).join(' ') }
  if (kind === 'json') return { text: JSON.stringify(value) }
  return kind === 'text' ? { text: value as string } : { plain: value as string }
}

const valueAt = (row: Row, path: readonly string[]) =>
  path.reduce<unknown>((value, part) => (value as Row | null | undefined)?.[part], row)
