import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { atRest } from './journey.ts'

/** What of a list's file says what stands under a head of its table; nothing, where that is a sentence made of several. */
export type Heads = Readonly<Record<string, readonly string[]>>
type Row = Record<string, string>
export type Shown = { heads: string[]; rows: Row[] }

/** What a table shows on all its pages, cell by cell under its heads. */
export async function shownOn(page: Page, table: string): Promise<Shown> {
  const shown: Shown = { heads: [], rows: [] }
  for (;;) {
    const here = await page.getByRole('table', { name: table, exact: true }).evaluate((element) => {
      const cellsOf = (line: Element) =>
        [...line.children]
          .filter((cell) => !cell.hasAttribute('data-tick') && !cell.hasAttribute('data-menu'))
          .map((cell) => (cell as HTMLElement).innerText.trim())
      const lines = [...element.querySelectorAll('tbody tr')].map(cellsOf)
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

/** What 'Download CSV' saves, read as a spreadsheet reads it. */
export async function downloaded(page: Page): Promise<{ header: string[]; rows: Row[] }> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  const lines: string[][] = parse(text, { bom: true })
  const [header = [], ...rows] = lines
  return {
    header,
    rows: rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [header[at] as string, cell]))),
  }
}

/** That a file has the table's columns in the table's order, and row by row what its cells show. */
export function expectSame(shown: Shown, file: Awaited<ReturnType<typeof downloaded>>, heads: Heads, timeZone: string) {
  assert.deepEqual(
    shown.heads.filter((head) => !heads[head]),
    [],
    'heads that nobody has said the columns of',
  )
  const known = shown.heads.filter((head) => heads[head]?.length)
  const fields = known.flatMap((head) => heads[head] ?? [])
  assert.deepEqual(
    file.header.filter((name) => fields.includes(name)),
    [...new Set(fields)],
    'the order of the columns',
  )
  assert.equal(file.rows.length, shown.rows.length)
  for (const [at, row] of file.rows.entries())
    for (const head of known) {
      const cell = shown.rows[at]?.[head] ?? ''
      const values = (heads[head] ?? []).map((name) => row[name] ?? '')
      assert.ok(
        saysSame(cell, values, timeZone),
        `row ${at + 1}, ${head}: ${JSON.stringify(cell)} is not ${JSON.stringify(values)}`,
      )
    }
}

/** Where nothing stands in the file, the cell says so in its own words. */
const nothing = /^(|–|No|None|Unattributed|No lead|No owner|No form|Enabled)$/

function saysSame(cell: string, values: string[], timeZone: string) {
  const said = values.filter((value) => value !== '')
  return said.length === 0 ? nothing.test(cell) : said.some((value) => isShownAs(cell, value, timeZone))
}

/** The apostrophe that keeps a spreadsheet from reckoning is no part of what was written. */
const unguarded = (value: string) => value.replace(/^'(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n\0])/u, '')
const flat = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s-]+/g, ' ')
    .trim()

function isShownAs(cell: string, value: string, timeZone: string): boolean {
  const day = (at: Date, zone: string) =>
    at.toLocaleDateString('en-US', { timeZone: zone, month: 'short', day: 'numeric', year: 'numeric' })
  if (value === 'true') return /(^|\n)(Yes|Enabled)$|hold|expired/i.test(cell)
  if (value === 'false') return /^(No|Disabled|)$/.test(cell)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return cell.includes(day(new Date(`${value}T00:00:00Z`), 'UTC'))
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) {
    const at = new Date(value)
    const time = at.toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
    return cell.includes(day(at, timeZone)) || flat(cell).includes(flat(time))
  }
  if (/^-?\d+(\.\d+)?$/.test(value) && Number(cell.replace(/[^\d.-]/g, '')) === Number(value)) return true
  // an address is shown without its protocol, in two parts
  const address = /^https?:\/\/(.*)/.exec(value)?.[1]
  if (address) return cell.replace(/\s/g, '').includes(address)
  return flat(cell).includes(flat(unguarded(value)))
}
