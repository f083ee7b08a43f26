import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { expectAccessible } from '../support/browser.ts'
import { interceptCalls } from '../support/intercept-calls.ts'
import { aSignedUpPartner, atRest, expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { owner, partner, prepareSettings, readAccount, saveChanges, site } from '../support/settings-screens.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

prepareSettings()

async function openTab(page: Page, name: string) {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
}

test('input typed while a save is running stays, unsaved', async ({ page }) => {
  await openAs(page, site, owner, '/account/settings')
  const name = page.getByLabel('Account Name')
  const button = page.getByRole('button', { name: 'Save changes' })
  const road = await interceptCalls(page)
  await name.fill('Harbor Two')
  road.hold()
  await button.click()
  await expect.poll(road.waiting).toContain(`PATCH /accounts/${owner.id}`)
  await name.fill('Harbor Three')
  await road.open()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await expect(name).toHaveValue('Harbor Three')
  await expect(name).toBeFocused()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect((await readAccount()).name).toBe('Harbor Two')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaveDialog.getByRole('button', { name: 'Stay' }).click()

  await button.click()
  await expect.poll(async () => (await readAccount()).name).toBe('Harbor Three')
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  await openTab(page, 'Payouts')
  const minimum = page.getByLabel('Minimum Payout')
  await minimum.fill('60.00')
  road.hold()
  await button.click()
  await expect.poll(road.waiting).toContain(`PATCH /accounts/${owner.id}`)
  await minimum.fill('70.00')
  await road.open()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await expect(minimum).toHaveValue('70.00')
  expect((await readAccount()).minimumPayout).toBe(60_00)
})

test('commission: layers, their sum and the remainder of $100.00', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/account/settings?tab=commission')
  await page.getByLabel('Layer 1 Rate').fill('20')
  await page.getByRole('button', { name: 'Add layer' }).click()
  await page.getByLabel('Layer 2 Rate').fill('85')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('All layers together must not exceed 100%')
  await expectAccessibleInBothThemes(page)
  await page.getByLabel('Layer 2 Rate').fill('7.5')
  await expect(page.getByRole('tabpanel')).not.toContainText('must not exceed')
  await page.getByLabel('Layer 1 Rate').fill('95')
  await page.getByLabel('Layer 1 Rate').blur()
  await expect(page.getByRole('tabpanel')).toContainText('All layers together must not exceed 100%')
  await page.getByLabel('Layer 1 Rate').fill('20')
  await expect(page.getByRole('main').getByText('Changes apply to new sales only.')).toHaveCount(1)
  const effect = page.getByRole('region', { name: 'Preview' })
  await expect(effect).toContainText('$20.00')
  await expect(effect).toContainText('$72.50')
  await page.getByRole('button', { name: 'Add layer' }).click()
  await page.getByRole('button', { name: 'Remove layer 3' }).click()
  await page.getByLabel('Recurring Limit (months)').fill('12')
  await saveChanges(page)
  expect(await readAccount()).toMatchObject({
    defaultCommissionSettings: { layerRates: [20, 7.5] },
    recurringMonths: 12,
  })
  await page.getByLabel('Recurring Limit (months)').fill('')
  await saveChanges(page)
  expect((await readAccount()).recurringMonths).toBeNull()
  expect(complaints).toEqual([])
})

test('fraud rules: self-referrals and the rules are saved together', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/account/settings?tab=fraud-rules')
  await page.getByLabel('Self-referrals').selectOption('Refuse commission')
  await page.getByLabel('Lead speed').selectOption('Flag')
  await page.getByLabel('Leads an Hour').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Leads an Hour')).toHaveAccessibleDescription(/Enter 1 to 1000/)
  expect((await readAccount()).selfReferralPolicy).not.toBe('refuse')
  await page.getByLabel('Leads an Hour').fill('30')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Fraud rules saved' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  expect((await readAccount()).selfReferralPolicy).toBe('refuse')
  await page.reload()
  await expect(page.getByLabel('Leads an Hour')).toHaveValue('30')
  await expect(page.getByLabel('Self-referrals').locator('option:checked')).toHaveText('Refuse commission')
  expect(complaints).toEqual([])
})

test('sections are a column from 992 px on, and a choice below', async ({ page }) => {
  await openAs(page, site, owner, '/account/settings')
  const section = page.getByLabel('Section')
  await expect(section).toBeHidden()
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(page.getByRole('tab', { name: 'General' })).toBeHidden()
  await section.selectOption('Payout methods')
  await expect(page).toHaveURL(/tab=payout-methods/)
  await expect(page).toHaveTitle('Payout methods · Settings · Tributary')
  await expect(page.getByRole('table', { name: 'Payout methods' })).toBeVisible()
  await page.goBack()
  await expect(section.locator('option:checked')).toHaveText('General')
})

test('attribution and partners: starting now, and partners’ visibility', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/account/settings?tab=attribution')
  await page.getByLabel('Attribution Model').selectOption('First touch')
  await page.getByLabel('Lead Protection (days)').fill('400')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Lead Protection (days)')).toHaveAccessibleDescription(/Enter 0 to 365 days/)
  await page.getByLabel('Lead Protection (days)').fill('0')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('No limit')
  await expectAccessibleInBothThemes(page)
  await saveChanges(page)

  await openTab(page, 'Partners')
  const effect = page.getByRole('region', { name: 'A partner sees' })
  await expect(effect).toContainText('h•••@brightline.example')
  for (const name of ['Invitations from partners', 'Lead submission by partners', 'Show lead emails'])
    await page.getByRole('switch', { name }).click()
  await page.getByRole('switch', { name: 'Show lead names' }).click()
  await page.getByRole('switch', { name: 'Show sale amounts' }).click()
  await expect(effect).toContainText('hannah@brightline.example')
  await expect(effect).toContainText('Hidden')
  await expectAccessibleInBothThemes(page)
  await saveChanges(page)
  expect(await readAccount()).toMatchObject({
    attributionModel: 'first-touch',
    leadProtectionDays: 0,
    invitationsFromPartners: true,
    partnerLeadSubmission: true,
    partnerVisibility: { leadNames: false, leadEmails: true, saleAmounts: false },
  })
  expect(complaints).toEqual([])
})

test('payouts: schedule and minimum, and the Wise profile that pays', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/account/settings?tab=payouts')
  const delays = page.getByLabel('Payout Delay').getByRole('option')
  await expect(delays).toHaveText(['0 days', '7 days', '14 days', '30 days', '45 days', '60 days', '90 days'])
  const load = page.getByRole('button', { name: 'Load' })
  await expect(load).toBeDisabled()
  await expectAccessibleInBothThemes(page)

  await page.getByRole('switch', { name: 'Automatic payouts' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('API Token')).toHaveAccessibleDescription(/Choose a profile/)
  await page.getByLabel('API Token').fill('a token of nobody')
  await load.click()
  await expect(page.getByText('There was an error loading your Wise profiles.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  // The browser itself logs an answer of 401 on its console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])

  await page.getByLabel('API Token').fill(site.wise.token)
  await load.click()
  const profiles = page.getByRole('radiogroup', { name: 'Profile' })
  await expect(profiles.getByRole('radio').first()).toBeChecked()
  await profiles.getByRole('radio', { name: 'Northwind LLC' }).check()
  await page.getByLabel('Payout Delay').selectOption('14 days')
  await page.getByLabel('Minimum Payout').fill('25')
  await page.getByLabel('Paydays').selectOption('Every week')
  await page.getByLabel('Weekday').selectOption('Friday')
  await expect(page.getByText('Due payouts are sent by Wise every Friday at 6:00 am, except')).toBeVisible()
  await page.getByLabel('Paydays').selectOption('Every month')
  await page.getByLabel('Day of the Month', { exact: true }).selectOption('15th')
  await page.getByLabel('Second Day of the Month').selectOption('1st')
  await expect(page.getByText('by Wise on the 1st and the 15th of each month at 6:00 am, except')).toBeVisible()
  await page.getByLabel('Limit per Payout', { exact: true }).fill('2,500.00')
  await page.getByLabel('Limit per Run').fill('nonsense')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Limit per Run')
  await page.getByLabel('Limit per Run').fill('20000')
  await expectAccessibleInBothThemes(page)
  await saveChanges(page)

  const settings = expectOk(
    await site.api('GET', `/accounts/${owner.id}/auto-payout-settings`, { token: owner.token }),
  ).body
  expect(settings).toMatchObject({
    enabled: true,
    wiseProfile: { id: String(site.wise.businessId) },
    maxPerPayout: 2500_00,
    maxPerRun: 20_000_00,
  })
  expect(await readAccount()).toMatchObject({
    payoutDelay: 14,
    minimumPayout: 25_00,
    paydays: { every: 'month', days: [1, 15] },
    autoPayoutsEnabled: true,
  })
  await expect(page.getByLabel('API Token')).toHaveValue(`${'•'.repeat(20)}${site.wise.token.slice(-4)}`)

  await page.getByRole('button', { name: 'Change API Token' }).click()
  await page.getByLabel('API Token').fill(site.wise.token)
  await load.click()
  await expect(profiles.getByRole('radio', { name: 'Northwind LLC' })).toBeChecked()
  await page.getByRole('switch', { name: 'Automatic payouts' }).click()
  await saveChanges(page)
  expect((await readAccount()).autoPayoutsEnabled).toBe(false)
  expect(complaints).toEqual([])
})

test('a panel that cannot be loaded fails alone; on a phone the pages keep their width', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, partner, '/partner/settings')
  await expect(page.getByRole('region', { name: 'Your next payout' })).toBeVisible()
  await page.route('**/api/v1/partners/*/payout-settings', (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.reload()
  await expect(page.getByText('Failed to load')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your next payout' })).toContainText('Minimum')
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/api/v1/partners/*/payout-settings')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Account Holder Name')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
})

test('general: exchange rates, once a sale needs one; adding a rate books the waiting sales', async ({
  page,
  complaints,
}) => {
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const lead = await post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, email: 'hannah@brightline.example' })
  await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  await openAs(page, site, owner, '/account/settings')
  await expect(page.getByLabel('Default Currency')).toBeDisabled()
  const list = page.getByRole('region', { name: 'Exchange Rates' })
  await expect(list).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add rate' })).toHaveCount(0)

  const sale = await post(`/leads/${lead.id}/sales`, { amount: 1000, currency: 'jpy', saleDate: '2026-02-10' })
  expect(sale.accountAmount).toBeNull()
  await page.reload()
  await expect(list.getByRole('heading', { name: 'Exchange Rates' })).toBeVisible()
  await expect(list).toContainText('No exchange rates yet. Sales in JPY are waiting for one.')
  await expectAccessibleInBothThemes(page)

  const opening = list.getByRole('button', { name: 'Add rate' })
  await opening.focus()
  await page.keyboard.press('Enter')
  const adding = page.getByRole('dialog', { name: 'Add rate' })
  await expect(adding.getByLabel('Currency')).toHaveValue('jpy')
  await expect(adding.getByLabel('Currency').locator('option[value=usd]')).toHaveCount(0)
  const rate = adding.getByLabel('Rate', { exact: true })
  await expect(rate).toHaveAccessibleDescription(/What 1 JPY is worth in USD/)
  const submit = adding.getByRole('button', { name: 'Add rate' })
  await adding.getByLabel('Date').fill('')
  await rate.fill('-1')
  await submit.click()
  await expect(adding.getByRole('alert')).toContainText('Check the marked fields: Date, Rate')
  await expect(rate).toHaveAccessibleDescription(/Enter a rate greater than 0/)
  await expectAccessible(page)
  await adding.getByLabel('Date').fill('2026-02-09')
  await rate.fill('0.0067')
  await rate.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Exchange rate added' })).toBeVisible()
  await expect(adding).toHaveCount(0)
  await expect(opening).toBeFocused()

  // a single rate has nothing to arrange
  await expect(list.getByRole('button', { name: 'Download CSV' })).toHaveCount(0)
  const heads = list.getByRole('columnheader')
  await expect(heads).toHaveText(['Currency', /Date/, 'Rate', 'Source'])
  const row = list.getByRole('row').nth(1)
  await expect(row.locator('th, td')).toHaveText(['JPY', 'Feb 9, 2026', '0.0067', 'Entered manually'])
  await expectAccessibleInBothThemes(page)
  const booked = expectOk(await site.api('GET', `/sales/${sale.id}`, { token: owner.token })).body
  expect(booked).toMatchObject({ accountAmount: 6_70, fxRate: 0.0067, fxDate: '2026-02-09' })

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(list).toContainText('0.0067')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

test('settings belong to their role: others are redirected to their own first screen', async ({ page, complaints }) => {
  await openAs(page, site, partner, '/account/settings?tab=payouts')
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await page.goto(`${site.url}/partner`)
  await expect(page).toHaveURL(`${site.url}/partner/settings`)
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await atRest(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(pageHeading(page, 'Sign in')).toBeVisible()
  await openAs(page, site, owner, '/partner/settings')
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await page.goto(`${site.url}/account`)
  await expect(page).toHaveURL(`${site.url}/account/settings`)
  expect(complaints).toEqual([])
})

test('general: the name, the currency until the first sale, the time zone from now on', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/account/settings')
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await expect(page).toHaveTitle('General · Settings · Tributary')
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
  await saveChanges(page)
  expect(await readAccount()).toMatchObject({ name: long.trim(), defaultCurrency: 'eur', timeZone: 'Europe/Berlin' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)

  await page.getByLabel('Account Name').fill('Harbor Analytics')
  await page.getByLabel('Default Currency').selectOption('usd')
  await saveChanges(page)
  await page.getByLabel('Account Name').fill('Half typed')
  await page.getByRole('tab', { name: 'Commission' }).click()
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' })
  await guard.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Account Name')).toHaveValue('Half typed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Account Name')).toHaveValue('Harbor Analytics')

  const lead = expectOk(
    await site.api('POST', `/accounts/${owner.id}/leads`, {
      token: owner.token,
      body: { partnerId: partner.id, email: 'hannah@brightline.example' },
    }),
  ).body
  expectOk(await site.api('POST', `/leads/${lead.id}/sales`, { token: owner.token, body: { amount: 100_00 } }))
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
    expectOk(await site.api(method, path, { token, body })).body
  const samuel = await aSignedUpPartner(site, owner, { firstName: 'Samuel', lastName: 'Reed' })
  await call('POST', `/partners/${samuel.id}/promotion-codes`, { code: 'SPRING25' })
  await openAs(page, site, owner, '/account/settings?tab=attribution')
  await page.getByLabel('When a Click and a Code Disagree').selectOption('The code wins')
  await page.getByLabel('Returning Customers').selectOption('Each order goes to its last click')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'attribution')
  await saveChanges(page)
  expect(await readAccount()).toMatchObject({ attributionOrder: 'code-first', returningCustomers: 'latest-click' })
  await page.getByLabel('Returning Customers').selectOption('Stay with their partner')
  await saveChanges(page)

  const { apiKey } = await call('PUT', `/accounts/${owner.id}/api-key`, {})
  const { referralCode } = expectOk(await site.api('GET', `/partners/${partner.id}`, { token: owner.token })).body
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
