import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { ok } from '../support/app.ts'
import { anOwner, aPartnerOf, atRest, enter, reopen } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A list's file holds what its pages show, read back as a spreadsheet reads it.

const ROWS = 53

/** By the address it is asked for with, the columns that hold what the first cell shows. */
const lists: [path: string, table: string, columns: string[], rows: number][] = [
  ['/partners?sort=name&search=row', 'Partners', ['firstName', 'lastName'], ROWS],
  ['/leads?sort=-createdAt&source=manual', 'Leads', ['company'], ROWS],
  ['/links?sort=-name', 'Links', ['name'], ROWS],
  ['/payouts', 'Payouts: Upcoming', ['partnerName'], 1],
]

test('the file of each list is what its pages show, in their order, with the columns that are shown', async ({
  page,
  site,
}) => {
  test.setTimeout(120_000)
  const owner = await anOwner(site)
  const post = async (path: string, body: object) => ok(await site.api('POST', path, { token: owner.token, body })).body
  for (let at = 1; at <= ROWS; at++) {
    // what a spreadsheet would reckon, and what breaks a line of a file
    const name = ['=1+1', 'Row "quoted", and', 'Row,', '@row 😀', 'Row'][at % 5]!
    const email = `row-${at}@rows.example`
    await post(`/accounts/${owner.id}/partners`, { firstName: name, lastName: `row ${at}`, email })
    await post(`/accounts/${owner.id}/leads`, { company: `${name} ${at}`, email })
    await post(`/accounts/${owner.id}/link-blueprints`, {
      name: `${name} ${at}`,
      destinationUrl: 'https://shop.example.com',
    })
  }
  const jane = await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  await post(`/partners/${jane.id}/adjustments`, { amount: 5_00, reason: 'Agreed' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, site, owner, '/dashboard')
  for (const [path, table, columns, count] of lists) {
    await reopen(page, path)
    const shown: string[] = []
    for (;;) {
      const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr')
      shown.push(...(await rows.getByRole('rowheader').getByRole('link').allInnerTexts()))
      const next = page.getByRole('button', { name: 'Next', exact: true })
      if (await next.isDisabled()) break
      await next.click()
      await expect(next).toBeDisabled()
      await atRest(page)
    }
    expect(shown, path).toHaveLength(count)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    expect(
      rows.map((row) => columns.map((column) => row[column]?.replace(/^'(?=[=@])/, '')).join(' ')),
      path,
    ).toEqual(shown)
    // nothing in it is a formula
    for (const row of rows) for (const value of Object.values(row)) expect(value).not.toMatch(/^[=@]/)
  }
})
