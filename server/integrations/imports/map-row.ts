import type { MappedColumn } from '#contract/imports.ts'
import { type MappedValues, readFields, transformed, Unreadable } from '../incoming-webhooks/transform.ts'

/** Longest cell in characters: longer ones fit no field and are not parsed. */
const LONGEST_CELL = 2000

/** Reads rows of a file with these columns. `currency` applies to amounts of rows that name none. */
export function rowReader(mapping: MappedColumn[], columns: string[], currency: string) {
  const places = new Map(columns.map((name, at) => [name, at]))
  const textOf = (cells: string[], { column, transform, default: fallback }: MappedColumn) => {
    const cell = transform === 'constant' || !column ? '' : (cells[places.get(column)!] ?? '').trim()
    return cell || (fallback ?? '')
  }
  return (cells: string[]): MappedValues => {
    if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== ''))
      return {
        values: {},
        problems: { '': `The row has ${cells.length} cells, but the header has ${columns.length}.` },
      }
    return readFields(mapping, currency, (column) => textOf(cells, column), read)
  }
}

function read(text: string, { transform }: MappedColumn, currency: string): string | number {
  if (text.length > LONGEST_CELL) throw new Unreadable(`Use at most ${LONGEST_CELL} characters.`)
  if (transform === 'first-name') return text.replace(/(?<=\S)\s+\S+$/, '')
  if (transform === 'last-name') return /\s(\S+)$/.exec(text)?.[1] ?? ''
  if (transform === 'paid-or-not') return isNo(text) ? 'unpaid' : 'paid'
  if (transform !== 'day-first-date') return transformed(text, transform, currency)
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})\b/.exec(text) ?? []
  if (!day || !month || !year) return transformed(text, 'date', currency)
  const full = year.length === 2 ? `20${year}` : year
  return transformed(`${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, 'date', currency)
}

const isNo = (text: string) =>
  ['0', 'no', 'n', 'false', 'f', 'u', 'unpaid', 'not paid', '-'].includes(text.trim().toLowerCase())
