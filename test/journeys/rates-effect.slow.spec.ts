import { expectOk } from '../support/app.ts'
import { anOwner, aSignedUpPartner, expectAccessibleInBothThemes, openAs, showOptions } from '../support/journey.ts'
import { aBlueprint, clickInAddress, visitLink } from '../support/links.ts'
import { expect, test } from '../support/test.ts'

// Before saving, the rates editor previews the commissions on last month's real sales.

test('entering other rates shows their effect on last month’s sales', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const lead = await post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, email: 'rates@effect.example' })
  const last = new Date()
  last.setUTCDate(0)
  const saleDate = last.toISOString().slice(0, 10)
  for (const amount of [333_33, 999_99]) await post(`/leads/${lead.id}/sales`, { amount, saleDate })
  const month = last.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })

  await openAs(page, site, owner, '/account/settings?tab=commission')
  const rate = page.getByLabel('Layer 1 Rate')
  await rate.fill('20')
  // 10% of each is 33.33 and 100.00, 20% 66.67 and 200.00
  await expect(page.getByText(`With these rates, ${month}’s 2 sales would have earned $133.34 more.`)).toBeVisible()
  await rate.fill('5')
  await expect(page.getByText(`With these rates, ${month}’s 2 sales would have earned $66.66 less.`)).toBeVisible()
  await rate.fill('500')
  await expect(page.getByText('would have earned')).toBeHidden()
  await rate.fill('10')
  await expect(page.getByText('would have earned')).toBeHidden()
  await rate.fill('20')
  await expectAccessibleInBothThemes(page)

  await openAs(page, site, owner, `/partners/${partner.id}/update`)
  await showOptions(page)
  await page.getByRole('radio', { name: 'Custom rates' }).check()
  await expect(page.getByText(`With these rates, ${month}’s 2 sales would have earned the same.`)).toBeVisible()
  await rate.fill('0')
  await expect(page.getByText(`With these rates, ${month}’s 2 sales would have earned $133.33 less.`)).toBeVisible()
})

test('a change of the account’s rates asks whom it applies to; earlier customers keep theirs', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const refer = (email: string) => post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, email })
  const earnedOf = async (lead: { id: string }) => {
    const { id } = await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
    return expectOk(await site.api('GET', `/sales/${id}/commissions`, { token: owner.token })).body.items[0].amount
  }
  const earlier = await refer('earlier@terms.example')
  const last = new Date()
  last.setUTCDate(0)
  await post(`/leads/${earlier.id}/sales`, { amount: 500_00, saleDate: last.toISOString().slice(0, 10) })

  await openAs(page, site, owner, '/account/settings?tab=commission')
  await page.getByLabel('Layer 1 Rate').fill('20')
  await page.getByLabel('Recurring Limit (months)').fill('12')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who does this change apply to?' })
  const reach = (name: string) => dialog.getByRole('radio', { name })
  await expect(reach('New customers only')).toBeChecked()
  await expect(reach('New customers only')).toHaveAccessibleDescription(
    /keep what they have\. No sales in|would have earned/,
  )
  await expect(reach('All sales from today')).toHaveAccessibleDescription(/’s sale would have earned \$50\.00 more\./)
  await dialog.getByLabel('Note').fill('Agreed for autumn')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Save terms' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
  await expect(page.getByText(/^Version \d+, saved .* by /)).toBeVisible()
  const { defaultCommissionSettings, recurringMonths } = expectOk(
    await site.api('GET', `/accounts/${owner.id}`, { token: owner.token }),
  ).body
  expect([defaultCommissionSettings.layerRates, recurringMonths]).toEqual([[20], 12])
  expect([await earnedOf(earlier), await earnedOf(await refer('later@terms.example'))]).toEqual([10_00, 20_00])
})

test('a link’s own rates show what they would have earned for its sales', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const post = async (path: string, body: object, token = owner.token) =>
    expectOk(await site.api('POST', path, { token, body })).body
  const { apiKey } = expectOk(await site.api('PUT', `/accounts/${owner.id}/api-key`, { token: owner.token })).body
  const { referralCode } = expectOk(await site.api('GET', `/partners/${partner.id}`, { token: owner.token })).body
  const link = await aBlueprint(site, owner, { name: 'Spring offer' })
  const clickId = clickInAddress(await visitLink(site, link.key, referralCode))
  const came = await post('/push/leads', { email: 'by-link@effect.example', clickId }, apiKey)
  const other = await post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, email: 'by-hand@effect.example' })
  const last = new Date()
  last.setUTCDate(0)
  const saleDate = last.toISOString().slice(0, 10)
  for (const { id } of [came, other]) await post(`/leads/${id}/sales`, { amount: 333_33, saleDate })
  const month = last.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })

  await openAs(page, site, owner, `/links/${link.id}/update`)
  await showOptions(page)
  await page.getByRole('radio', { name: 'Custom rates' }).check()
  await expect(page.getByText(`With these rates, ${month}’s sale would have earned the same.`)).toBeVisible()
  await page.getByLabel('Layer 1 Rate').fill('20')
  await expect(page.getByText(`With these rates, ${month}’s sale would have earned $33.34 more.`)).toBeVisible()
  await page.getByRole('radio', { name: 'Use account default' }).check()
  await expect(page.getByText('would have earned')).toBeHidden()
})
