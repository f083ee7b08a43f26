import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { addedUp } from '../support/books-model.ts'
import { readCsv } from '../support/csv.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  fromMore,
  openAs,
  type Person,
  pageHeading,
} from '../support/journey.ts'
import type { SharedSite } from '../support/populated-account.ts'
import { expect, test } from '../support/test.ts'

type Owner = Person & { id: string }
type Name = [firstName: string, lastName: string]

/** A partner who was promised this much today, of which `paid` is paid. */
async function aCreditor(site: SharedSite, owner: Owner, [firstName, lastName]: Name, { owed = 0, paid = 0 }) {
  const send = async (method: string, path: string, body?: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const partner = await aSignedUpPartner(site, owner, { firstName, lastName })
  await send('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  const promise = (amount: number) => send('POST', `/partners/${partner.id}/adjustments`, { amount, reason: 'Agreed' })
  if (paid > 0) {
    await promise(paid)
    await send('POST', `/accounts/${owner.id}/payouts/refresh`)
    const { items } = await send('GET', `/partners/${partner.id}/payouts`)
    await send('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'Wire 4471' })
  }
  if (owed !== 0) await promise(owed)
}

const panel = (page: Page) => page.getByRole('region', { name: 'Books' })

test('what is owed on screen is what the files say, and a day before anything is empty', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await anOwner(site, { minimumPayout: 0 })
  await aCreditor(site, owner, ['Tomás', 'Herrera'], { owed: 250_00, paid: 100_00 })
  await aCreditor(site, owner, ['Ida', 'Moreau'], { owed: 80_50 })
  await aCreditor(site, owner, ['Ola', 'Nord'], { owed: -12_00 })
  await aCreditor(site, owner, ['Noah', 'Bennett'], { paid: 40_00 })
  await openAs(page, site, owner, '/payouts')
  await page.getByRole('tab', { name: 'Books' }).click()
  await expect(pageHeading(page, 'Payouts')).toBeVisible()
  await expect(page.getByText(/^Owed on/)).toBeVisible()
  await expect(page.getByText('$318.50').first()).toBeVisible()
  const names = panel(page).getByRole('table').locator('tbody').first().getByRole('rowheader')
  await expect(names).toHaveText(['Tomás Herrera', 'Ida Moreau', 'Ola Nord'])
  await expectAccessibleInBothThemes(page)

  const [list] = await Promise.all([page.waitForEvent('download'), fromMore(page, 'Download CSV')])
  const { rows } = readCsv(await readFile(await list.path(), 'utf8'))
  expect(rows.map(({ partnerName, owed }) => [partnerName, owed])).toEqual([
    ['Tomás Herrera', '250.00'],
    ['Ida Moreau', '80.50'],
    ['Ola Nord', '-12.00'],
  ])

  await page.getByRole('button', { name: 'Download journal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Download journal' })
  const until = await dialog.getByLabel('To', { exact: true }).inputValue()
  await dialog.getByLabel('From', { exact: true }).fill('2020-01-01')
  await expect(dialog).toContainText('Use a range of at most 366 days')
  await dialog.getByLabel('From', { exact: true }).fill(until)
  await dialog.getByLabel('Lines').selectOption('One per commission and payout')
  await expectAccessibleInBothThemes(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  const journal = addedUp(readCsv(await readFile(await file.path(), 'utf8')).rows as Parameters<typeof addedUp>[0])
  expect([journal.unbalanced, journal.owedBy(until)]).toEqual([[], 318_50])
  await expect(dialog).toBeHidden()

  await page.getByLabel('As Of').fill('2020-02-29')
  await expect(page).toHaveURL(/day=2020-02-29/)
  await expect(panel(page).getByText('Nothing was owed on Feb 29, 2020.')).toBeVisible()
  // typed part by part: February 31st and a day to come are on the way
  await page.getByLabel('As Of').fill('2020-01-31')
  await expect(page).toHaveURL(/day=2020-01-31/)
  await page.getByLabel('As Of').focus()
  await page.keyboard.type('02')
  await page.keyboard.type('28')
  await expect(page).toHaveURL(/day=2020-02-28/)
  expect(complaints).toEqual([])
})
