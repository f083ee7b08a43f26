import type { Page } from '@playwright/test'
import { anOwner, openAs, pageHeading, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Screens introduce themselves until they are used; afterwards a link at their head opens the docs.

const introduction = (page: Page) => page.getByRole('complementary', { name: 'How this works' })
const atHead = (page: Page) =>
  page.getByRole('group', { name: 'Page actions' }).getByRole('link', { name: 'How this works' })

test('an unused feature is introduced, a used one only links to its docs', async ({
  page,
  site,
  browser,
  complaints,
}) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/integrations/push-data')
  await expect(introduction(page)).toContainText('Your own systems send leads, sales and refunds')
  await page.getByRole('button', { name: 'Create push key' }).click()
  await expect(introduction(page)).toBeHidden()
  await atHead(page).click()
  await expect(pageHeading(page, 'Push API')).toBeVisible()
  await page.goBack()
  await expect(pageHeading(page, 'Push Data')).toBeVisible()

  const settings = await signedInPage(browser, site, owner, complaints)
  await settings.goto(`${site.url}/account/settings`)
  for (const [name, says] of Object.entries({
    General: 'currency and time zone',
    Commission: 'the first rate',
    Attribution: 'cookie window',
    Partners: 'what partners see',
    Payouts: 'added to the partner’s next payout',
    Data: 'Import brings',
    Activity: 'Every change to rates',
  })) {
    await settings.getByRole('tab', { name, exact: true }).click()
    await expect(introduction(settings)).toContainText(says)
  }
  await settings.context().close()
  expect(complaints).toEqual([])
})

test('the settings of an account with partners, and a list, have only the link', async ({ page, populated }) => {
  await openAs(page, populated.site, populated.owner, '/account/settings')
  for (const name of ['General', 'Payouts', 'Activity', 'Data']) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(atHead(page)).toBeVisible()
    await expect(introduction(page)).toBeHidden()
  }
  await page.goto(`${populated.site.url}/integrations/outgoing-webhooks`)
  await atHead(page).click()
  await expect(pageHeading(page, 'Outgoing webhooks')).toBeVisible()
  await expect(page.getByText('export function isGenuine')).toBeVisible()
})
