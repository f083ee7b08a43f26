import { readFile } from 'node:fs/promises'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  openAs,
  type Person,
  type Site,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The change log: the account's in its settings, a partner's on their page.

let site: Site
let owner: Person & { id: string }
let partner: Awaited<ReturnType<typeof aSignedUpPartner>>

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
  partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const { token } = owner
  expectOk(await site.api('PATCH', `/accounts/${owner.id}`, { token, body: { minimumPayout: 50_00, payoutDelay: 7 } }))
  expectOk(await site.api('PUT', `/partners/${partner.id}`, { token, body: { lastName: 'Field' } }))
})

test('an account’s activity shows changes, can be filtered from a row, and downloads as shown', async ({ page }) => {
  await openAs(page, site, owner, '/account/settings?tab=activity')
  const table = page.getByRole('table', { name: 'Settings: Activity' })
  const rows = table.locator('tbody').getByRole('row')
  // the accepted invitation is noted in the background, so its row may come later
  await expect(rows.filter({ hasText: 'Partner changed' }).first()).toContainText(
    'Last name Whitfield →changed to Field',
  )
  await expect(rows.filter({ hasText: 'Settings changed' }).first()).toContainText(
    'Minimum payout $0.00 →changed to $50.00',
  )
  await expect(rows.filter({ hasText: 'Settings changed' }).first()).toContainText(
    'Payout delay (days) 30 →changed to 7',
  )
  await expect(rows.filter({ hasText: 'Settings changed' }).first()).toContainText('127.0.0.0/24')
  await expectAccessibleInBothThemes(page)

  await page.getByLabel('Subject', { exact: true }).selectOption('Partners')
  await expect(rows.filter({ hasText: 'Settings changed' })).toHaveCount(0)
  await rows.getByRole('button', { name: 'Actions for Partner changed Jane Field' }).click()
  await page.getByRole('menuitem', { name: 'Only Jane Field' }).click()
  await expect(page.getByLabel('About', { exact: true })).toBeVisible()
  const shown = await rows.count()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('activity.csv')
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toContain('"id","action","subjectName",')
  expect(lines).toHaveLength(shown + 2)

  await rows.nth(0).getByRole('link', { name: 'Jane Field' }).click()
  await expect(page).toHaveURL(`${site.url}/partners/${partner.id}`)
})

test('a partner’s page shows only their activity', async ({ page }) => {
  await openAs(page, site, owner, `/partners/${partner.id}`)
  await page.getByRole('tab', { name: 'Activity' }).click()
  const rows = page.getByRole('table', { name: 'Jane Field: Activity' }).locator('tbody').getByRole('row')
  await expect(rows.filter({ hasText: 'Partner changed' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'Settings changed' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Invitation accepted' })).toHaveCount(1)
})

test('a refused download shows the reason', async ({ page }) => {
  await openAs(page, site, owner, '/account/settings?tab=activity')
  await page.route('**/audit/csv*', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '30' },
      json: { error: { code: 'rate_limited', message: 'Too many downloads. Try again in 30 seconds.' } },
    }),
  )
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByText('Try again in 30 seconds')).toBeVisible()
})
