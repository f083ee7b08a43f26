import type { Page } from '@playwright/test'
import { enter, expectAccessibleInBothThemes, heading, signedInPage } from '../support/journey.ts'
import type { Populated } from '../support/populated.ts'
import { expect, test } from '../support/test.ts'

// The explanations on a screen, and the help pages behind them.

let populated: Populated

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

const how = (page: Page) => page.getByRole('complementary', { name: 'How this works' })

test('an integration says how it works and leads to its page, which leads on', async ({ page, complaints }) => {
  await enter(page, populated.site, populated.owner, '/integrations/outgoing-webhooks')
  await expect(how(page)).toContainText('Each event is signed, sent to your URL')
  await how(page).getByRole('link', { name: 'How this works' }).click()
  await expect(heading(page, 'Outgoing webhooks')).toBeVisible()
  await expect(heading(page, 'Outgoing webhooks')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Checking the signature' })).toBeVisible()
  await expect(page.getByText('export function isGenuine')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Help' }).click()
  await expect(heading(page, 'Help')).toBeVisible()
  await expect(page.getByText('Six steps take you to your first payout.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'Getting started' }).click()
  const others = page.getByRole('region', { name: 'All help pages' })
  await expect(others.locator('[aria-current=page]')).toHaveText('Getting started')
  await page.getByRole('link', { name: 'Connect a payment provider' }).click()
  await expect(heading(page, 'Payment Providers')).toBeVisible()
  expect(complaints).toEqual([])
})

test('each tab of the settings says its own, and who reads help reads what is for them', async ({ page, browser }) => {
  await enter(page, populated.site, populated.owner, '/account/settings')
  for (const [name, says] of Object.entries({
    General: 'currency and time zone',
    Commission: 'the first rate',
    Attribution: 'cookie window',
    Partners: 'what partners see',
    Payouts: 'added to the partner’s next payout',
    Data: 'Import brings',
    Activity: 'Every change to rates',
  })) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(how(page)).toContainText(says)
  }

  const partner = await signedInPage(browser, populated.site, populated.partner, [])
  await partner.goto(`${populated.site.url}/help/backups`)
  await expect(heading(partner, 'Page not found')).toBeVisible()
  await partner.goto(`${populated.site.url}/user/profile`)
  await partner
    .getByRole('link', { name: 'Help' })
    .or(partner.getByRole('button', { name: 'Help' }))
    .click()
  await partner.getByRole('link', { name: 'Being paid' }).click()
  await expect(partner.getByRole('heading', { name: 'Why an amount changed' })).toBeVisible()
  await partner.context().close()
})
