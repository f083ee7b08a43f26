import { readContents } from '../support/archives.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, type Person, type Site } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Export of an account as one file, from its settings.

let site: Site
let owner: Person & { id: string }

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
})

test('an owner downloads everything, sees the progress on other screens, and finds it in the activity', async ({
  page,
}) => {
  await openAs(page, site, owner, '/account/settings?tab=data')
  await expect(page.getByRole('region', { name: 'Not included' })).toContainText('Partners’ payout details')
  await expectAccessibleInBothThemes(page)

  const held = Promise.withResolvers<void>()
  await page.route('**/export', async (route) => {
    await held.promise
    await route.continue()
  })
  const button = page.getByRole('button', { name: 'Export all data' })
  await button.click()
  const progress = page.getByRole('progressbar', { name: 'Export' })
  await expect(progress).toHaveAttribute('aria-valuenow', '0')
  await expect(page.getByText('Preparing export')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('tab', { name: 'General' }).click()
  await page.getByRole('tab', { name: 'Data' }).click()
  await expect(progress).toBeVisible()
  await page.getByRole('tab', { name: 'Commission' }).click()

  const download = page.waitForEvent('download')
  held.resolve()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^tributary-export-\d{4}-\d\d-\d\d\.zip$/)
  await expect(page.getByText(/^Export downloaded \(\d/)).toBeVisible()
  const files = await readContents(await file.path())
  expect(String(files.get('accounts.csv'))).toContain(owner.id)

  await page.getByRole('tab', { name: 'Data' }).click()
  await expect(button).toBeEnabled()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page.getByRole('table').getByText('All data exported')).toBeVisible()
})

test('an export can be canceled, and one that is refused or interrupted says why', async ({ page }) => {
  await openAs(page, site, owner, '/account/settings?tab=data')
  const button = page.getByRole('button', { name: 'Export all data' })
  await page.route('**/export', () => new Promise(() => {}))
  await button.press('Enter')
  // the keyboard focus stays in place, though the pressed button is gone
  await page.getByRole('progressbar', { name: 'Export' }).waitFor()
  await page.keyboard.press('Tab')
  const panel = page.getByRole('region', { name: 'Export all data' })
  await expect(panel.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Export canceled')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.unroute('**/export')

  const refused = 'An export is already running.'
  await page.route('**/export', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: refused } } }),
  )
  await button.click()
  await expect(page.getByRole('alert')).toContainText(refused)
  await page.unroute('**/export')

  await page.route('**/export', (route) => route.abort())
  await button.click()
  await expect(page.getByRole('alert')).not.toContainText(refused)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.unroute('**/export')
})
