import { expectOk } from '../support/app.ts'
import { anOwner, aSignedUpPartner, expectAccessibleInBothThemes, openAs, showOptions } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A partner’s own terms: a change says whom it applies to, and each version can be read and used again. Terms by rules
// are tried before they are saved, and read afterwards.

test('an owner changes a partner’s rates for new customers, reads their history and uses the first again', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const form = `/partners/${partner.id}/update`
  const saved = () => expect(page.getByRole('status').filter({ hasText: 'Partner saved' })).toBeVisible()
  const own = async () =>
    expectOk(await site.api('GET', `/partners/${partner.id}`, { token: owner.token })).body.commissionSettings

  await openAs(page, site, owner, form)
  await showOptions(page)
  await page.getByRole('radio', { name: 'Custom rates' }).check()
  await page.getByLabel('Layer 1 Rate').fill('15')
  await page.getByLabel('Note', { exact: true }).fill('Met in Lisbon')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await saved()
  expect(await own()).toEqual({ layerRates: [15] })

  const body = { partnerId: partner.id, email: 'buyer@terms.example' }
  expectOk(await site.api('POST', `/accounts/${owner.id}/leads`, { token: owner.token, body }))
  await openAs(page, site, owner, form)
  await showOptions(page)
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('Met in Lisbon')
  await page.getByLabel('Layer 1 Rate').fill('25')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const question = page.getByRole('dialog', { name: 'Who does this change apply to?' })
  await question.getByLabel('Note').fill('Agreed for autumn')
  await question.getByRole('button', { name: 'Save terms' }).click()
  await saved()
  expect(await own()).toEqual({ layerRates: [25] })

  await openAs(page, site, owner, form)
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

test('terms are tried before they are saved, and receipts and partners’ dashboards name them', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const parent = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const sam = { firstName: 'Sam', lastName: 'Ortiz', parentPartnerId: parent.id }
  const partner = await aSignedUpPartner(site, owner, sam)
  const send = async (method: string, path: string, body: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  await send('POST', `/accounts/${owner.id}/leads`, { partnerId: partner.id, email: 'ada@pro.example' })
  const pro = { name: 'Pro, first year', when: { products: ['prod_pro'], firstMonths: 12 }, layerRates: [30, 5] }
  const starter = { name: 'Starter', when: { products: ['prod_starter'] }, layerAmounts: [50_00] }
  const terms = { rules: [pro, starter], otherwise: { layerRates: [10] } }
  await send('PUT', `/accounts/${owner.id}/terms`, { terms, appliesTo: 'new-customers' })
  const lead = await send('POST', `/accounts/${owner.id}/leads`, { partnerId: partner.id, email: 'ines@pro.example' })
  const line = (productId: string, name: string, amount: number) => ({ productId, name, amount })
  const lines = [line('prod_pro', 'Pro', 499_00), line('prod_starter', 'Starter', 29_00), line('t', 'T-shirt', 15_00)]
  const { commissions } = await send('POST', `/leads/${lead.id}/sales`, { amount: 543_00, lines })
  const [own, above] = [0, 1].map((at) => commissions.find(({ layer }: { layer: number }) => layer === at).id)

  await test.step('the owner tries a sale with terms that are not saved', async () => {
    await openAs(page, site, owner, '/account/settings?tab=commission')
    await page.getByRole('button', { name: 'Test a sale' }).click()
    const dialog = page.getByRole('dialog', { name: 'Test a sale' })
    await expect(dialog).toContainText('All other sales: 10% of $100.00')
    await dialog.getByLabel('Product').fill('prod_pro')
    await dialog.getByLabel('Payment').fill('14')
    await dialog.getByText('Why rules above didn’t match').click()
    await expect(dialog).toContainText('After the customer’s first 12 months')
    await dialog.getByLabel('Partner').click()
    await page.getByRole('option', { name: 'Sam Ortiz' }).click()
    await dialog.getByLabel('Payment').fill('12')
    await expect(dialog).toContainText('Sam Ortiz, layer 1$30.00')
    await expect(dialog).toContainText('Jane Whitfield, layer 2$5.00')
    await expectAccessibleInBothThemes(page)
  })

  const step = page.getByRole('listitem', { name: 'Terms' })
  await test.step('a receipt names the version and each part', async () => {
    await openAs(page, site, owner, `/commissions/${own}`)
    await expect(step).toContainText('The account’s terms, version 3; this customer came on ')
    const parts = step.getByRole('listitem')
    await expect(parts).toContainText([
      'Rule 1, Pro, first year: 30% of $499.00 · Pro',
      'Rule 2, Starter: $50.00, limited to $29.00 · Starter',
      'All other sales: 10% of $15.00 · T-shirt',
    ])
    await parts.last().getByText('Why rules above didn’t match').click()
    await expect(parts.last()).toContainText('Rule 2, StarterAnother product')
    await expectAccessibleInBothThemes(page)
  })

  await test.step('a sale by hand names its product', async () => {
    await page.goto(`${site.url}/leads/${lead.id}/new-sale`)
    await page.getByLabel('Amount', { exact: true }).fill('20')
    await page.getByLabel('Product').fill('prod_starter')
    await expect(page.getByRole('list', { name: 'How this sale splits' })).toContainText('$20.00')
    await page.getByRole('button', { name: 'Add sale' }).click()
    await expect(page.getByRole('heading', { level: 1, name: lead.displayName })).toBeVisible()
    const { items } = expectOk(await site.api('GET', `/leads/${lead.id}/sales`, { token: owner.token })).body
    expect(items[0].lines).toMatchObject([{ productId: 'prod_starter', amount: 20_00 }])
  })

  await test.step('partners read the terms without ids', async () => {
    const main = page.getByRole('main')
    await openAs(page, site, partner, '/dashboard')
    await page.getByRole('link', { name: 'See all terms' }).click()
    const panel = page.getByRole('region', { name: 'Terms' })
    await expect(panel.getByRole('row')).toHaveText([
      'RulePays',
      'Pro, first year · first 12 months30%',
      'Starter$50.00',
      'All other sales10%',
    ])
    await expect(panel).toContainText('Earlier customers keep their terms.')
    await expectAccessibleInBothThemes(page)
    await page.goto(`${site.url}/commissions/${own}`)
    await expect(step).toContainText('Rule 1, Pro, first year: 30% of $499.00')
    await expect(main).not.toContainText('prod_')
    await openAs(page, site, parent, `/commissions/${above}`)
    await expect(step).toContainText('Rule 1, Pro, first year: 5% of $499.00')
    await expect(main).not.toContainText('prod_')
  })
})

test('terms that can’t be loaded can’t be edited: saving would remove their rules', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const call = async (method: string, path: string, body: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const group = await call('POST', `/accounts/${owner.id}/groups`, { name: 'Gold' })
  const link = await call('POST', `/accounts/${owner.id}/link-blueprints`, {
    name: 'Pricing',
    destinationUrl: 'https://shop.example/pricing',
    parameterName: 'ref',
  })
  const rule = { name: 'Annual plan', on: 'sale', when: { products: ['annual'] }, layerRates: [30] }
  const terms = { rules: [rule], otherwise: { layerRates: [25] }, maxPerCustomer: null, maxPerMonth: null }
  const forms = [
    { terms: `/groups/${group.id}/terms`, form: `/partners/groups/${group.id}` },
    { terms: `/partners/${partner.id}/terms`, form: `/partners/${partner.id}/update` },
    { terms: `/link-blueprints/${link.id}/terms`, form: `/links/${link.id}/update` },
  ]
  for (const { terms: path } of forms) await call('PUT', path, { terms, appliesTo: 'all-sales' })

  let fails = true
  await page.route(/\/(groups|partners|link-blueprints)\/[^/]+\/terms$/, (route) =>
    fails ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  for (const { form } of forms) {
    fails = true
    await openAs(page, site, owner, form)
    const options = page.getByRole('button', { name: 'More options' })
    if (!form.includes('groups')) await options.click()
    const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
    await expect(again, form).toBeVisible()
    await expect(page.getByLabel('Layer 1 Rate')).toHaveCount(0)
    fails = false
    await again.click()
    await expect(page.getByRole('main').getByRole('row', { name: /Annual plan/ })).toContainText('30%')
  }
})

test('a partner whose rates can’t be loaded reads so, and tries again', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  let fails = true
  await page.route(/\/partners\/[^/]+\/terms$/, (route) =>
    fails ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await openAs(page, site, partner, '/dashboard')
  const rates = page.getByRole('region', { name: 'What you earn' })
  await expect(rates.getByText('Failed to load')).toBeVisible()
  fails = false
  await rates.getByRole('button', { name: 'Try again' }).click()
  await expect(rates).toContainText('10%')
})
