import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { atRest } from './journey.ts'

type Row = Record<string, string>
export type Shown = { heads: string[]; rows: Row[] }

/** The columns of a list's file that make up a cell of its table, and how it is written there, letter by letter. */
export type Cell = {
  from: readonly string[]
  /** Returns the cell's text for a row of the file; `unlike`: the reason why it cannot be derived from the file. */
  says: ((row: Row) => string) | { unlike: string }
  /** Values that the screen masks, and the file therefore leaves out. */
  masked?: RegExp
}
export type Heads = Readonly<Record<string, Cell>>

/** Reads a table on all its pages, cell by cell under its heads. */
export async function shownOn(page: Page, table: string): Promise<Shown> {
  const shown: Shown = { heads: [], rows: [] }
  for (;;) {
    const here = await page.getByRole('table', { name: table, exact: true }).evaluate((element) => {
      const cellsOf = (line: Element) =>
        [...line.children]
          .filter((cell) => !cell.hasAttribute('data-tick') && !cell.hasAttribute('data-menu'))
          .map((cell) => (cell as HTMLElement).innerText.trim())
      const lines = [...element.querySelectorAll('tbody tr:not(:has([scope=rowgroup]))')].map(cellsOf)
      return { heads: cellsOf(element.querySelector('thead tr') as Element), lines }
    })
    shown.heads = here.heads
    shown.rows.push(
      ...here.lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [here.heads[at] as string, cell]))),
    )
    const next = page.getByRole('button', { name: 'Next', exact: true })
    if ((await next.count()) === 0 || (await next.isDisabled())) return shown
    await next.click()
    await atRest(page)
  }
}

/** Presses 'Download CSV', or chooses it from the page's menu. */
export async function pressDownload(page: Page) {
  const actions = page.getByRole('group', { name: 'Page actions' })
  const more = actions.getByRole('button', { name: 'More', exact: true })
  const inMenu = (await more.isVisible()) && !(await actions.getByRole('button', { name: 'Download CSV' }).isVisible())
  if (inMenu) await more.click()
  await page.getByRole(inMenu ? 'menuitem' : 'button', { name: 'Download CSV' }).click()
}

/** Reads the file that 'Download CSV' saves, as a spreadsheet does. */
export async function readDownload(page: Page): Promise<{ header: string[]; rows: Row[]; path: string }> {
  const download = page.waitForEvent('download')
  await pressDownload(page)
  const path = await (await download).path()
  const lines: string[][] = parse(await readFile(path, 'utf8'), { bom: true })
  const [header = [], ...rows] = lines
  return {
    path,
    header,
    rows: rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [header[at] as string, cell]))),
  }
}

/** Asserts that a file has the table's columns in the table's order, and row by row exactly the text of its cells. */
export function expectSame(shown: Shown, file: Awaited<ReturnType<typeof readDownload>>, heads: Heads) {
  assert.deepEqual(
    shown.heads.filter((head) => !heads[head]),
    [],
    'heads that nobody has said the columns of',
  )
  const fields = shown.heads.flatMap((head) => heads[head]!.from)
  assert.deepEqual(
    file.header.filter((name) => fields.includes(name)),
    [...new Set(fields)],
    'the order of the columns',
  )
  assert.equal(file.rows.length, shown.rows.length)
  for (const [at, row] of file.rows.entries())
    for (const head of shown.heads) {
      const { says, masked = /$^/ } = heads[head]!
      if ('unlike' in says) continue
      const cell = shown.rows[at]?.[head] ?? ''
      assert.equal(flat(cell.replace(masked, '')), flat(says(row)), `row ${at + 1}, ${head}`)
    }
}

/** Line breaks depend on the width, so all white space counts as one space. */
const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

const NONE = '–'
/** Removes the apostrophe that keeps spreadsheets from evaluating a formula. */
const unguarded = (value: string) => value.replace(/^'(?='*(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n\0]))/u, '')

const ofOne =
  (says: (value: string, row: Row) => string) =>
  (from: string, none = NONE): Cell => ({
    from: [from],
    says: (row) => (row[from] === '' ? none : says(held(row, from), row)),
  })

/** Returns the value of this column of the file, which must exist. */
function held(row: Row, name: string): string {
  const value = row[name]
  assert.notEqual(value, undefined, `the file has no ${name}`)
  return value as string
}

/** Returns text typed by people, without the guard against formulas. */
export const readUnguarded = (row: Row, name: string) => unguarded(held(row, name))
export const text = ofOne((value) => unguarded(value))

/** Words of a value: 'partially-refunded' is 'Partially refunded'. */
export const inWords = (value: string) => `${value.charAt(0).toUpperCase()}${value.slice(1).replaceAll('-', ' ')}`
export const state = ofOne(inWords)

function numberIn(value: string) {
  assert.match(value, /^-?\d+(\.\d+)?$/, 'a number to every reader')
  return value as Intl.StringNumericLiteral
}
export const count = ofOne((value) => new Intl.NumberFormat('en-US').format(numberIn(value)))
export const percent = ofOne(
  (value) => `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 }).format(numberIn(value))}%`,
)

/** An amount in the currency of its row, dollars by default; a currency other than the account's is named. */
export const money = ofOne(amountOf)

function amountOf(value: string, { currency = 'usd', accountCurrency = currency }: Row) {
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const formatted = new Intl.NumberFormat('en-US', options).format(numberIn(value))
  const code = currency.toUpperCase()
  return currency === accountCurrency || formatted.includes(code) ? formatted : `${formatted} ${code}`
}

const dayOf = (at: string) => {
  assert.match(at, /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?$/, 'a date to every reader')
  return new Date(at).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' })
}
/** The day of an instant or a date, in UTC. */
export const day = ofOne(dayOf)
export const findFirstDay = (row: Row, ...names: string[]) => dayOf(names.map((name) => held(row, name)).find(Boolean)!)

/** 'Jan 1, 3:00 pm', with the year if it is not this one. */
export const moment = ofOne((at) => {
  const time = new Date(at).toLocaleTimeString('en-US', { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' })
  return `${shortDayOf(at)}, ${time.toLowerCase()}`
})

const shortDayOf = (at: string) => dayOf(at).replace(`, ${new Date().getUTCFullYear()}`, '')

/** A payday and its amount, 'Jan 1 $20.00', with the year if it is not this one; an amount that has no payday is not compared. */
export const dayWithAmount = (date: string, amount: string): Cell => ({
  from: [date, amount],
  masked: /(?<=^–\s*)-?\$\S+$/,
  says: (row) => (row[date] === '' ? NONE : `${shortDayOf(held(row, date))} ${amountOf(held(row, amount), row)}`),
})

/** The words for the values of an enum. */
export const oneOf = (words: Record<string, string>) =>
  ofOne((value) => {
    assert.ok(value in words, value)
    return words[value] as string
  })

export const yesOrNo = oneOf({ true: 'Yes', false: 'No' })

/** Several columns in one cell. */
export const combineCells = (from: readonly string[], says: (row: Row) => string): Cell => ({ from, says })
export const differingCell = (why: string, ...from: string[]): Cell => ({ from, says: { unlike: why } })
