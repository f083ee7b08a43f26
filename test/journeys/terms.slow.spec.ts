import { ok } from '../support/app.ts'
import { anOwner, aPartnerOf, enter, expectAccessibleInBothThemes, showOptions } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A partner’s own terms: a change says whom it applies to, and each version can be read and used again.

test('an owner changes a partner’s rates for new customers, reads their history and uses the first again', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPartnerOf(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const form = `/partners/${partner.id}/update`
  const saved = () => expect(page.getByRole('status').filter({ hasText: 'Partner saved' })).toBeVisible()
  const own = async () =>
    ok(await site.api('GET', `/partners/${partner.id}`, { token: owner.token })).body.commissionSettings

  await enter(page, site, owner, form)
  await showOptions(page)
  await page.getByRole('radio', { name: 'Custom rates' }).check()
  await page.getByLabel('Layer 1 Rate').fill('15')
  await page.getByLabel('Note', { exact: true }).fill('Met in Lisbon')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await saved()
  expect(await own()).toEqual({ layerRates: [15] })

  const body = { partnerId: partner.id, email: 'buyer@terms.example' }
  ok(await site.api('POST', `/accounts/${owner.id}/leads`, { token: owner.token, body }))
  await enter(page, site, owner, form)
  await showOptions(page)
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('Met in Lisbon')
  await page.getByLabel('Layer 1 Rate').fill('25')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const question = page.getByRole('dialog', { name: 'Who does this change apply to?' })
  await question.getByLabel('Note').fill('Agreed for autumn')
  await question.getByRole('button', { name: 'Save terms' }).click()
  await saved()
  expect(await own()).toEqual({ layerRates: [25] })

  await enter(page, site, owner, form)
  await showOptions(page)
  await page.getByRole('button', { name: /^Version 2, saved .* by Elena Marsh$/ }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await expect(history.getByRole('row', { name: /^Version 2 .* New customers only Agreed for autumn$/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await history.getByRole('button', { name: 'Version 1' }).click()
  const version = page.getByRole('dialog', { name: 'Version 1' })
  await expect(version).toContainText(/Every sale\s*15%/)
  await version.getByRole('button', { name: 'Use again' }).click()
  await expect(page.getByLabel('Layer 1 Rate')).toHaveValue('15')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await question.getByRole('button', { name: 'Save terms' }).click()
  await saved()
  expect(await own()).toEqual({ layerRates: [15] })
})
