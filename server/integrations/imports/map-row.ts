import type { FileRead, MappedColumn } from '#contract/imports.ts'
import {
  dayAndMonth,
  fitsBothOrders,
  type MappedValues,
  readFields,
  transformText,
  Unreadable,
} from '../incoming-webhooks/transform.ts'
import { findMeaning } from './kinds/status-words.ts'

/** Longest cell in characters: longer ones fit no field and are not parsed. */
const LONGEST_CELL = 2000

/** Reads rows of a file with these columns. `currency` applies to amounts of rows that name none. */
export function rowReader(
  { mapping, columns, format }: { mapping: MappedColumn[]; columns: string[]; format: string | null },
  currency: string,
) {
  const places = new Map(columns.map((name, at) => [name, at]))
  const textOf = (cells: string[], { column, transform, default: fallback }: MappedColumn) => {
    const cell = transform === 'constant' || !column ? '' : (cells[places.get(column)!] ?? '').trim()
    return (format === 'affiliatewp' ? withoutSlashes(cell) : cell) || (fallback ?? '')
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
  if (SPREADSHEET_ERROR.test(text))
    throw new Unreadable(`The spreadsheet has an error here, ${text}. Correct it there.`)
  if (transform === 'first-name') return text.replace(/(?<=\S)\s+\S+$/, '')
  if (transform === 'last-name') return /\s(\S+)$/.exec(text)?.[1] ?? ''
  if (transform === 'paid-or-not') return paidOrNot(text)
  if (transform === 'in-brackets') return /\(#?([^()]*)\)[^()]*$/.exec(text)?.[1] ?? text
  return transformText(text, transform, currency)
}

const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/

/** Watches the columns of days, which may be written in one order or in the other. */
export function dayOrders(mapping: MappedColumn[], columns: string[]) {
  const days = mapping.flatMap(({ field, column, transform }) =>
    transform === 'date' && column
      ? [{ field, column, place: columns.indexOf(column), dayFirst: false, monthFirst: false, either: '' }]
      : [],
  )
  return {
    see(cells: string[]) {
      for (const day of days) {
        const text = cells[day.place]?.trim() ?? ''
        const [first, second] = dayAndMonth(text)
        if (first === undefined || second === undefined || first === second) continue
        if (first > 12) day.dayFirst = true
        else if (second > 12) day.monthFirst = true
        else day.either ||= text
      }
    },
    /** Returns the fields whose days fit only the order with the day first. */
    dayFirst: () => days.filter((one) => one.dayFirst && !one.monthFirst).map(({ field }) => field),
    /** Returns the columns whose days all fit both orders, with one of them. */
    unclear: () =>
      days
        .filter((one) => one.either && !one.dayFirst && !one.monthFirst)
        .map(({ column, either }) => ({ column, day: either })),
  }
}

/** Returns a day of each column of days, as written and as read: one that fits both orders, where there is one. */
export function daysRead(mapping: MappedColumn[], columns: string[], rows: string[][]): FileRead['days'] {
  return mapping.flatMap((mapped) => {
    const { column, transform } = mapped
    if (!column || (transform !== 'date' && transform !== 'day-first-date')) return []
    const place = columns.indexOf(column)
    const days = rows.flatMap((cells) => {
      const written = cells[place]?.trim() ?? ''
      const day = dayIn(written, mapped)
      return day === null ? [] : [{ column, written: written.slice(0, 100), day }]
    })
    const shown = days.find(({ written }) => fitsBothOrders(written)) ?? days[0]
    return shown ? [shown] : []
  })
}

function dayIn(text: string, mapped: MappedColumn): string | null {
  try {
    return text === '' ? null : String(read(text, mapped, 'usd'))
  } catch {
    return null
  }
}

/** Undoes the slashes before apostrophes and slashes that AffiliateWP adds, once or, in longer exports, twice. */
const withoutSlashes = (cell: string) => cell.replace(/\\{4}|\\{3}'|\\{2}|\\'/g, (found) => found.at(-1)!)

/** Returns a status with a meaning of its own as it is; else whether there is something, such as a payout's ID. */
function paidOrNot(text: string) {
  const word = text.trim().toLowerCase()
  if (word.length > 1 && findMeaning(word)) return word
  return NOTHING.includes(word) || /^[0.,]+$/.test(word) ? 'unpaid' : 'paid'
}

/** No, and how programs write that there is nothing. */
const NOTHING = [
  ...['no', 'n', 'false', 'f', 'u', 'not paid', '-', '–', '—'],
  ...['null', 'none', 'nil', 'nan', 'n/a', 'na', 'undefined'],
]
