import { stringify } from 'csv-stringify/sync'
import type { CsvColumn } from '#contract/csv.ts'
import { decimalAmount } from '#contract/money.ts'

/** One field of a line: free text, or a number, a date or a fixed word. */
export type Cell = { text: string | null } | { plain: string | number | boolean | null }

/** First character of a file, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Formats comma-separated values (RFC 4180), each field quoted; a missing one is empty. */
export const csvLines = (rows: Cell[][]) =>
  stringify(
    rows.map((cells) =>
      cells.map((cell) => ('text' in cell ? guardFormula(cell.text ?? '') : String(cell.plain ?? ''))),
    ),
    { quoted: true, quoted_empty: true, record_delimiter: 'windows' },
  )

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe. Text that already has one gets another,
 * so that the conversion is reversible.
 */
export const guardFormula = (text: string) => (FORMULA.test(text) || GUARDED_NUMBER.test(text) ? `'${text}` : text)
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n\0])/u
/** An apostrophe keeps the zeros before a number, or all its digits. */
const GUARDED_NUMBER = /^'+\d/

/** Returns the original text of a cell, without what keeps spreadsheets from changing it: `="00123"`, `'00123`. */
export function removeGuard(cell: string) {
  const [, quoted] = /^="((?:[^"]|"")*)"$/.exec(cell) ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return cell.startsWith("'") && (FORMULA.test(cell) || GUARDED_NUMBER.test(cell)) ? cell.slice(1) : cell
}

type Row = Record<string, unknown>

/**
 * Returns the value of this column for an item of the list; its amounts are in the account's currency by default, rounded
 * to its minor units.
 */
export function toCell(row: Row, { path, kind, currency }: CsvColumn, accountCurrency: string): Cell {
  const value = valueAt(row, path)
  if (value === null || value === undefined) return { plain: null }
  if (kind === 'money') {
    const its = (currency ? valueAt(row, currency) : accountCurrency) as string
    return { plain: decimalAmount(Math.round(value as number), its) }
  }
  if (kind === 'codes') return { plain: (value as { code: string }[]).map(({ code }) => code).join(' ') }
  if (kind === 'json') return { text: JSON.stringify(value) }
  return kind === 'text' ? { text: value as string } : { plain: value as string }
}

const valueAt = (row: Row, path: readonly string[]) =>
  path.reduce<unknown>((value, part) => (value as Row | null | undefined)?.[part], row)
