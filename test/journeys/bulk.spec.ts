import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { filterUnexpected } from '../support/browser.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import {
  aLead,
  apiGet,
  apiPost,
  dialogNamed,
  owner,
  prepareLeads,
  site,
  statusMessage,
} from '../support/leads-screens.ts'
import { expect, test } from '../support/test.ts'

prepareLeads()

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
const bar = (page: Page) => page.getByRole('group', { name: 'Selection' })

/** Presses Tab until this button has the focus, and presses it. */
async function pressButton(page: Page, name: string) {
  const button = page.getByRole('button', { name, exact: true })
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab')
    if (await button.evaluateAll((all) => all.includes(document.activeElement as HTMLElement)))
      return press(page, 'Enter')
  }
  throw new Error(`${name} is not reached`)
}

test('by keyboard alone, many leads get a status, a partner and a note; the file has the one refused', async ({
  page,
  complaints,
}) => {
  const [third, second, first] = [await aLead(), await aLead(), await aLead()]
  await apiPost(`/leads/${second.id}/status`, { status: 'lost', reason: 'spam' })
  await openAs(page, site, owner, '/leads')
  const link = (lead: { displayName: string }) => page.getByRole('link', { name: lead.displayName, exact: true })
  await expect(link(first)).toBeVisible()

  await press(page, 'j')
  await expect(link(first)).toBeFocused()
  await press(page, 'x', 'j', 'x', 'j', 'j', 'x')
  await expect(link(third)).toBeFocused()
  await expect(bar(page).getByRole('status')).toHaveText('3 selected')
  await press(page, 'k', 'k', 'k')
  await expect(link(first)).toBeFocused()

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Home')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await pressButton(page, 'Change status')
  const changing = dialogNamed(page, 'Change the status of 3 leads')
  await expectAccessibleInBothThemes(page)
  await changing.getByLabel('Status').focus()
  await page.keyboard.type('Lost')
  await changing.getByLabel('Reason').focus()
  await page.keyboard.type('Not a fit')
  await changing.getByLabel('Note', { exact: true }).focus()
  // letters that are typed select nothing
  await page.keyboard.type('xjk')
  await pressButton(page, 'Change status')
  await expect(statusMessage(page, 'Status of 2 leads changed')).toBeVisible()
  const refused = dialogNamed(page, '1 lead was not changed')
  await expect(refused.getByRole('listitem')).toContainText(second.displayName)
  await expectAccessibleInBothThemes(page)
  const downloading = page.waitForEvent('download')
  await pressButton(page, 'Download refusals')
  const rows = parse(await readFile(await (await downloading).path(), 'utf8'), { bom: true, columns: true })
  expect(rows).toEqual([
    { name: second.displayName, id: second.id, reason: 'A lead that is lost can’t be changed to lost manually.' },
  ])
  await press(page, 'Escape')
  await expect(bar(page)).toBeHidden()
  expect(await apiGet(`/leads/${third.id}`)).toMatchObject({ status: 'lost', statusReason: 'not-a-fit' })

  await apiPost(`/leads/${first.id}/reassign`, { partnerId: null, reason: 'Nobody’s' })
  for (const amount of [30_00, 50_00]) await apiPost(`/leads/${first.id}/sales`, { amount })
  await page.getByLabel('Select all on page').check()
  await bar(page).getByRole('button', { name: 'Reassign' }).click()
  const giving = dialogNamed(page, 'Reassign 3 leads')
  const partner = giving.getByRole('combobox', { name: 'Partner' })
  await partner.fill('Marcus')
  await page.getByRole('option', { name: 'Marcus Oyelaran' }).click()
  await giving.getByLabel('Also credit 2 earlier sales ($80.00)').check()
  await giving.getByRole('button', { name: 'Reassign' }).click()
  await expect(giving.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await giving.getByLabel('Reason').fill('His region')
  await giving.getByRole('button', { name: 'Reassign' }).click()
  await expect(statusMessage(page, '3 leads reassigned')).toBeVisible()
  await expect(page.getByRole('row', { name: /Marcus Oyelaran/ })).toHaveCount(3)
  expect((await apiGet(`/leads/${first.id}`)).stats.salesRevenue).toBe(80_00)

  await page.getByLabel('Select all on page').check()
  await bar(page).getByRole('button', { name: 'Add note' }).click()
  const noting = dialogNamed(page, 'Add a note to 3 leads')
  await noting.getByLabel('Note', { exact: true }).fill('Call in May')
  await noting.getByRole('button', { name: 'Add note' }).click()
  await expect(statusMessage(page, 'Note added to 3 leads')).toBeVisible()

  // Enter opens the row; the same keys go on to its neighbors
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await press(page, 'j')
  await expect(link(first)).toBeFocused()
  await press(page, 'Enter')
  await expect(pageHeading(page, first.displayName)).toBeFocused()
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Call in May')
  await press(page, 'j')
  await expect(pageHeading(page, second.displayName)).toBeFocused()
  await press(page, 'k')
  await expect(pageHeading(page, first.displayName)).toBeFocused()
  // a link that has the focus for a moment loads its screen: there's no embed code yet
  expect(filterUnexpected(complaints, 404)).toEqual([])
})

test('the end of an action that came just before a reload is told after it', async ({ page }) => {
  const [lost, fresh] = [await aLead(), await aLead()]
  await apiPost(`/leads/${lost.id}/status`, { status: 'lost', reason: 'spam' })
  await openAs(page, site, owner, '/leads')
  for (const { displayName } of [lost, fresh]) await page.getByLabel(`Select ${displayName}`, { exact: true }).check()
  // this document hears nothing of it, up to its last moment
  let isReloaded = false
  await page.route(/\/bulk-actions\/[^/]+$/, (route) => (isReloaded ? route.continue() : route.abort()))
  await bar(page).getByRole('button', { name: 'Change status' }).click()
  const changing = dialogNamed(page, 'Change the status of 2 leads')
  await changing.getByLabel('Status').selectOption('Lost')
  await changing.getByLabel('Reason').selectOption('Not a fit')
  await changing.getByRole('button', { name: 'Change status' }).click()
  await expect(changing).toBeHidden()
  await expect.poll(async () => (await apiGet(`/leads/${fresh.id}`)).status).toBe('lost')
  await expect.poll(async () => (await apiGet(`/accounts/${owner.id}/bulk-actions?state=running`)).items.length).toBe(0)
  page.once('framenavigated', () => {
    isReloaded = true
  })
  await page.reload()
  await expect(statusMessage(page, 'Status of 1 lead changed')).toBeVisible()
  await expect(dialogNamed(page, '1 lead was not changed').getByRole('listitem')).toContainText(lost.displayName)
  await press(page, 'Escape')
  // and once only
  await page.reload()
  await expect(pageHeading(page, 'Leads')).toBeVisible()
  await expect(statusMessage(page, 'Status of 1 lead changed')).toHaveCount(0)
})
