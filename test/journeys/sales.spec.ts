import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  type Person,
  pageHeading,
  type Site,
  signedInPage,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The tab of sales: the figures' lines, one by one, and actions on a sale.

let site: Site
let owner: Person & { id: string }

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] }, selfReferralPolicy: 'hold' })
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const aLead = (fields: Record<string, unknown>) =>
    post(`/accounts/${owner.id}/leads`, { partnerId: jane.id, ...fields })
  const hannah = await aLead({ firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' })
  const herself = await aLead({ firstName: 'Jane', lastName: 'Herself', email: jane.email })
  await aLead({ firstName: 'Irene', lastName: 'Castell', email: 'irene@castell.example' })
  await post(`/leads/${hannah.id}/sales`, { amount: 500_00, saleDate: '2026-01-15', description: 'Team plan' })
  await post(`/leads/${hannah.id}/sales`, { amount: 80_00, saleDate: '2026-02-20' })
  await post(`/leads/${herself.id}/sales`, { amount: 100_00, saleDate: '2026-02-10' })
})

const post = async (path: string, body: object) =>
  expectOk(await site.api('POST', path, { token: owner.token, body })).body

const table = (page: Page) => page.getByRole('table', { name: 'Leads: Sales' })
const rows = (page: Page) => table(page).locator('tbody tr')
const foot = (page: Page) => table(page).locator('tfoot tr')
const statusMessage = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })

async function act(page: Page, row: string, what: string) {
  const actions = rows(page)
    .filter({ hasText: row })
    .getByRole('button', { name: /^Actions for / })
  // a list that comes in while the menu opens may close it
  await expect(async () => {
    await actions.click({ timeout: 5000 })
    await page.getByRole('menuitem', { name: what, exact: true }).click({ timeout: 5000 })
  }).toPass()
  return page.getByRole('dialog')
}

test('lines add up in the footer; a sale is described, refunded, released and voided from its line', async ({
  browser,
}) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, site, owner, complaints)
  await page.goto(`${site.url}/leads?tab=sales`)
  await expect(pageHeading(page, 'Leads')).toBeVisible()
  const heads = ['Date', 'Kind', 'Lead', 'Partner', 'Source', 'Status', 'Amount', 'Commission', 'Profit', 'Actions']
  await expect(table(page).getByRole('columnheader')).toHaveText(heads)
  await expect(rows(page)).toHaveText([/Feb 20, 2026Sale/, /Feb 10, 2026Sale.*On hold/, /Jan 15, 2026Sale/])
  await expect(foot(page)).toHaveText('3 lines in total$680.00$136.00$544.00')
  for (const label of ['Search sales', 'Kind', 'Status', 'Provider', 'Partner', 'On hold'])
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Date range / })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  let dialog = await act(page, 'Jan 15', 'Edit description')
  await expect(dialog.getByLabel('Description')).toHaveValue('Team plan')
  await dialog.getByLabel('Description').fill('Team plan, twelve seats')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(statusMessage(page, 'Sale saved')).toBeVisible()
  await page.getByLabel('Search sales').fill('twelve seats')
  await expect(rows(page)).toHaveCount(1)
  await expect(foot(page)).toHaveText('1 line in total$500.00$100.00$400.00')
  await page.getByRole('button', { name: 'Clear search' }).click()

  dialog = await act(page, 'Jan 15', 'Refund')
  await dialog.getByLabel('Refund Amount').fill('50')
  await dialog.getByLabel('Reason').fill('Fewer seats')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(statusMessage(page, 'Refund of $50.00 recorded')).toBeVisible()
  await expect(rows(page).first()).toHaveText(/Refund.*Partially refunded-\$50\.00-\$10\.00-\$40\.00/)
  await expect(foot(page)).toHaveText('4 lines, 3 of them sales$630.00$126.00$504.00')

  await page.getByLabel('On hold').check()
  await expect(rows(page)).toHaveText([/Jane Herself/])
  dialog = await act(page, 'Jane Herself', 'Release')
  await dialog.getByLabel('Reason').fill('It was for her company')
  await dialog.getByRole('button', { name: 'Release', exact: true }).click()
  await expect(statusMessage(page, 'Sale released')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  dialog = await act(page, 'Feb 20', 'Void')
  await dialog.getByLabel('Reason').fill('Entered twice')
  await dialog.getByRole('button', { name: 'Void', exact: true }).click()
  await expect(statusMessage(page, 'Sale voided')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'Feb 20' })).toHaveText(/Void.*\$0\.00\$0\.00\$0\.00/)
  await expect(foot(page)).toHaveText('4 lines, 2 of them sales$550.00$110.00$440.00')

  dialog = await act(page, 'Feb 20', 'Restore')
  await dialog.getByLabel('Reason').fill('Another order')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(statusMessage(page, 'Sale restored')).toBeVisible()
  await expect(foot(page)).toHaveText('4 lines, 3 of them sales$630.00$126.00$504.00')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('sales are found by amount, from either end, by keyboard', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, site, owner, complaints)
  await page.goto(`${site.url}/leads?tab=sales&kind=sale`)
  await page.getByRole('button', { name: 'Filters', exact: true }).press('Enter')
  const amount = page.getByRole('button', { name: /^Amount / })
  await expect(amount).toHaveText('Amount All')
  await amount.press('Enter')
  const range = page.getByRole('dialog', { name: 'Amount range' })
  await expect(range.getByLabel('At least')).toBeFocused()
  await page.keyboard.type('ninety')
  await page.keyboard.press('Enter')
  await expect(range).toContainText('Enter a number')
  await range.getByLabel('At least').fill('600')
  await range.getByLabel('At most').fill('90')
  await expectAccessibleInBothThemes(page)
  await range.getByLabel('At most').press('Enter')
  await expect(range).toBeHidden()
  await expect(amount).toBeFocused()
  await expect(amount).toHaveText('Amount $90.00 – $600.00')
  await expect(page).toHaveURL(/minAmount=9000&maxAmount=60000/)
  await expect(rows(page)).toHaveText([/Feb 10/, /Jan 15/])

  await amount.click()
  await range.getByRole('button', { name: 'Clear' }).click()
  await expect(amount).toHaveText('Amount All')
  await amount.click()
  await range.getByLabel('At most').fill('1')
  await range.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('No sales match this search or filter.')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(amount).toHaveText('Amount Up to $1.00')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(amount).toHaveText('Amount All')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('filters are in the address; a line opens its sale', async ({ browser }) => {
  const page = await signedInPage(browser, site, owner, [])
  await page.goto(`${site.url}/leads`)
  await page.getByLabel('Unanswered').check()
  await expect(page).toHaveURL(/[?&]unanswered=true/)
  // no lead has waited for two days yet
  await expect(page.getByText('No data to show')).toBeVisible()
  await page.getByLabel('Unanswered').uncheck()
  await expect(page.getByRole('table', { name: 'Leads' })).toContainText('Irene Castell')

  await page.getByRole('tab', { name: 'Sales', exact: true }).click()
  await page.getByLabel('Kind').selectOption('Sale')
  await expect(page).toHaveURL(/tab=sales.*kind=sale/)
  await page.goto(`${site.url}/leads?tab=sales&kind=sale&from=2026-01-01&to=2026-01-31`)
  await expect(rows(page)).toHaveText([/Jan 15, 2026Sale.*Hannah Cole/])
  await expect(page.getByRole('button', { name: /^Date range / })).toContainText('Jan 1–31, 2026')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('list', { name: 'Sales', exact: true }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('main')).toContainText('1 line in total')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'Jan 15, 2026' }).click()
  await expect(pageHeading(page, 'Hannah Cole')).toBeVisible()
  await expect(page).toHaveURL(/#sale-/)
  await page.context().close()
})
