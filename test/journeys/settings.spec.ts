import type { Page } from '@playwright/test'
import { PASSWORD } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { partner, prepareSettings, site } from '../support/settings-screens.ts'
import { expect, test } from '../support/test.ts'

// A partner's settings.

const year = new Date().getUTCFullYear()

prepareSettings()

/** Fills the bank details, each field by its label. */
async function fillDeposit(page: Page, accountNumber: string) {
  await page.getByLabel('Account Holder Name').fill('Jane Whitfield')
  await page.getByLabel('Routing Number').fill('021000021')
  await page.getByLabel('Account Number', { exact: true }).fill(accountNumber)
  await page.getByLabel('Confirm Account Number').fill(accountNumber)
  await page.getByRole('radiogroup', { name: 'Account Type' }).getByLabel('Savings').check()
  await page.getByLabel('Address').fill('214 Alder Street')
  await page.getByLabel('City').fill('Portland')
  await page.getByLabel('State').selectOption('Oregon')
  await page.getByLabel('Zip Code').fill('97205')
}

test('a partner enters their payout details, replaces and removes them with their password', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, partner, '/partner/settings')
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Payouts are not enabled yet' })).toContainText(
    'Add your payout details',
  )
  await expect(page.getByRole('region', { name: 'Your next payout' })).toContainText(`Approved for ${year}`)
  await expect(page.getByRole('region', { name: 'Your next payout' })).toContainText('Next dateNot yet')
  await expect(page.getByLabel('Country')).toBeDisabled()
  await expect(page.getByLabel('State').getByRole('option')).toHaveCount(56)
  await expect(page.getByRole('radiogroup', { name: 'Legal Type' }).getByLabel('Private')).toBeChecked()
  await expect(page.getByLabel('Current Password')).toBeHidden()

  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByLabel('State')).toHaveAccessibleDescription('Choose a state')
  await expectAccessibleInBothThemes(page)
  await fillDeposit(page, '12345678904821')
  await page.getByLabel('Routing Number').fill('021000022')
  await page.getByLabel('Confirm Account Number').fill('1234')
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByLabel('Routing Number')).toHaveAccessibleDescription(/Enter a valid 9-digit routing number/)
  await expect(page.getByLabel('Confirm Account Number')).toHaveAccessibleDescription('Account numbers do not match')
  await fillDeposit(page, '12345678904821')
  await page.getByRole('button', { name: 'Save payout details' }).click()

  const details = page.getByRole('region', { name: 'Payout details' })
  await expect(details).toContainText('•••••4821')
  await expect(details).toContainText('214 Alder Street, Portland, Oregon 97205, United States')
  const standing = page.getByRole('status').filter({ hasText: 'Payouts are enabled, but your next one is waiting' })
  await expect(standing).toContainText(`Not yet approved for ${year}`)
  await expect(standing).not.toContainText('Payouts are not set up yet')
  expect(await page.content()).not.toContain('12345678904821')
  await expectAccessibleInBothThemes(page)

  const pause = page.getByRole('main').getByText('72 hours')
  await expect(pause).toHaveCount(1)
  await details.getByRole('button', { name: 'Replace' }).click()
  await expect(pause).toHaveCount(1)
  await fillDeposit(page, '99990000')
  await page.getByLabel('Current Password').fill('not the password at all')
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByLabel('Current Password')).toHaveAccessibleDescription('The password is incorrect.')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
  await page.getByLabel('Current Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(details).toContainText('•••••0000')
  await expect(page.getByRole('main')).toContainText('Payout details changed; no automatic payout before')

  await details.getByRole('button', { name: 'Remove payout details' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove payout details' })
  await expect(remove.getByLabel('Current Password')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await remove.getByLabel('Current Password').fill(PASSWORD)
  await remove.getByRole('button', { name: 'Remove payout details' }).click()
  await expect(remove).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'Payouts are not enabled yet' })).toBeVisible()
  // Entering details once more replaces the stored ones.
  await expect(page.getByLabel('Current Password')).toBeVisible()
  expect(complaints).toEqual([])
})
