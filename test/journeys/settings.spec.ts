import type { Page } from '@playwright/test'
import { ok, PASSWORD } from '../support/app.ts'
import { aPartnerOf, enter, expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { account, owner, partner, prepareSettings, save, site } from '../support/settings-screens.ts'
import { expect, test } from '../support/test.ts'

// The settings of an owner and of a partner.

const year = new Date().getUTCFullYear()

prepareSettings()

test('general: the name, the currency until the first sale, the time zone from now on', async ({
  page,
  complaints,
}) => {
  await enter(page, site, owner, '/account/settings')
  await expect(heading(page, 'Settings')).toBeVisible()
  await expect(page).toHaveTitle('Settings · Tributary')
  for (const name of ['General', 'Commission', 'Attribution', 'Partners', 'Payouts'])
    await expect(page.getByRole('tab', { name })).toBeVisible()
  await expect(page.getByLabel('Time Zone')).toHaveAccessibleDescription('Applies from now on.')
  await expectAccessibleInBothThemes(page)

  const long = 'Harbor Analytics of the Whole Northern Coast and All of Its Islands '.padEnd(100, 'x')
  await page.getByLabel('Account Name').fill(`${long}y`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields: Account Name')
  await expect(page.getByLabel('Account Name')).toHaveAccessibleDescription(/Use at most 100 characters/)
  await page.getByLabel('Account Name').fill(long)
  await page.getByLabel('Default Currency').selectOption('eur')
  await page.getByLabel('Time Zone').selectOption('Europe/Berlin')
  await save(page)
  expect(await account()).toMatchObject({ name: long.trim(), defaultCurrency: 'eur', timeZone: 'Europe/Berlin' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)

  await page.getByLabel('Account Name').fill('Harbor Analytics')
  await page.getByLabel('Default Currency').selectOption('usd')
  await save(page)
  await page.getByLabel('Account Name').fill('Half typed')
  await page.getByRole('tab', { name: 'Commission' }).click()
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' })
  await guard.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Account Name')).toHaveValue('Half typed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Account Name')).toHaveValue('Harbor Analytics')

  const lead = ok(
    await site.api('POST', `/accounts/${owner.id}/leads`, {
      token: owner.token,
      body: { partnerId: partner.id, email: 'hannah@brightline.example' },
    }),
  ).body
  ok(await site.api('POST', `/leads/${lead.id}/sales`, { token: owner.token, body: { amount: 100_00 } }))
  await page.reload()
  await expect(page.getByLabel('Default Currency')).toBeDisabled()
  await expect(page.getByLabel('Default Currency')).toHaveAccessibleDescription(
    'Can’t be changed after your first sale.',
  )
  expect(complaints).toEqual([])
})

test('attribution: a code wins over another partner’s referral, and the sale names both', async ({
  page,
  complaints,
}) => {
  const call = async (method: 'POST' | 'PUT', path: string, body: object, { token } = owner) =>
    ok(await site.api(method, path, { token, body })).body
  const samuel = await aPartnerOf(site, owner, { firstName: 'Samuel', lastName: 'Reed' })
  await call('POST', `/partners/${samuel.id}/promotion-codes`, { code: 'SPRING25' })
  await enter(page, site, owner, '/account/settings?tab=attribution')
  await page.getByLabel('When a Click and a Code Disagree').selectOption('The code wins')
  await expectAccessibleInBothThemes(page)
  await save(page)
  expect(await account()).toMatchObject({ attributionOrder: 'code-first' })

  const { apiKey } = await call('PUT', `/accounts/${owner.id}/api-key`, {})
  const { referralCode } = ok(await site.api('GET', `/partners/${partner.id}`, { token: owner.token })).body
  const row = {
    externalId: 'order-1',
    email: 'rosa@buyer.example',
    referralCode,
    promotionCode: 'spring25',
    amount: 50_00,
  }
  const sale = await call('POST', '/push/sales', row, { ...owner, token: apiKey })
  await page.goto(`${site.url}/leads/${sale.leadId}`)
  const sales = page.getByRole('region', { name: 'Sales', exact: true })
  await expect(sales).toContainText('Code SPRING25')
  await sales.getByRole('button', { name: 'Matched by promotion code' }).click()
  const why = page.getByRole('dialog', { name: 'Why this partner' })
  await expect(why).toContainText('Other partners')
  await expect(why).toContainText(`${referralCode} of Jane Whitfield was used too; a promotion code goes first`)
  await expect(why.getByRole('link', { name: 'Jane Whitfield' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
})

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
  await enter(page, site, partner, '/partner/settings')
  await expect(heading(page, 'Settings')).toBeVisible()
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
  await expect(page.getByRole('main')).toContainText('Payout details changed; available')

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
