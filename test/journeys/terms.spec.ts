import { ok } from '../support/app.ts'
import { anOwner, aPartnerOf, enter, expectAccessibleInBothThemes } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Terms pay by rules: an owner sets them for new customers only, and returns to an earlier version.

test('an owner pays by rules, for new customers only, and returns to an earlier version', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10, 2] } })
  const partner = await aPartnerOf(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const post = async (path: string, body: object) => ok(await site.api('POST', path, { token: owner.token, body })).body
  const refer = (email: string) => post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, email })
  const earnedOf = async (lead: { id: string }, amount: number) => {
    const { id } = await post(`/leads/${lead.id}/sales`, { amount })
    return ok(await site.api('GET', `/sales/${id}/commissions`, { token: owner.token })).body.items[0].amount
  }
  const earlier = await refer('earlier@terms.example')
  const lines = [{ productId: 'prod_pro', name: 'Pro', amount: 10_00 }]
  await post(`/leads/${earlier.id}/sales`, { amount: 10_00, lines })

  await enter(page, site, owner, '/account/settings?tab=commission')
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const addRule = page.getByRole('main').getByRole('button', { name: 'Add rule' })
  const rule = dialog('Add rule')
  const field = (name: string) => rule.getByLabel(name, { exact: true })
  async function condition(name: string) {
    await rule.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(field(name)).toBeFocused()
  }

  await addRule.click()
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await expect(rule.getByRole('alert')).toHaveText('Check the marked fields: Conditions, Layer 1 Rate')
  await expect(field('Conditions')).toHaveAccessibleDescription(/Add a condition, or change Otherwise\./)
  await condition('Product')
  await expect(page.locator('option[value=prod_pro]')).toHaveAttribute('label', 'Pro')
  await page.keyboard.type('prod_pro, Pro plan,')
  await expect(rule.getByRole('button', { name: 'Remove Pro · prod_pro' })).toBeVisible()
  await condition('First Months')
  await page.keyboard.type('12')
  await condition('Countries')
  await page.keyboard.type('germany,')
  await field('Layer 1 Rate').fill('30')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await expect(field('Rule Name')).toHaveAccessibleDescription(/Name this rule: partners read its name\./)
  await expectAccessibleInBothThemes(page)
  await field('Rule Name').fill('Pro, first year')
  await rule.getByRole('button', { name: 'Add rule' }).click()

  await addRule.click()
  await condition('Amount From')
  await page.keyboard.type('1000')
  await field('Paid As').selectOption('Amount')
  await field('Layer 1 Amount').fill('50')
  await rule.getByRole('button', { name: 'Add rule' }).click()

  await addRule.click()
  await field('Pay For').selectOption('A new customer')
  await field('Layer 1 Rate').fill('5')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await expect(rule.getByText('Leads pay amounts, not percent.')).toBeVisible()
  await field('Paid As').selectOption('Amount')
  await field('Layer 1 Amount').fill('100')
  await rule.getByRole('button', { name: 'Add rule' }).click()

  const rules = page.getByRole('table', { name: 'Rules' })
  const rows = () => rules.getByRole('row').allInnerTexts()
  const rowsAre = (expected: string[][]) =>
    expect(async () =>
      expect((await rows()).slice(1).map((row) => row.split(/[\t\n]+/).filter(Boolean))).toEqual(expected),
    ).toPass()
  const pro = 'Pro, first year · product prod_pro or Pro plan · first 12 months · customer in Germany'
  await rowsAre([
    ['1', pro, '30%'],
    ['2', 'Sale of $1,000.00 or more', '$50.00'],
    ['3', 'New customer', '$100.00'],
    ['–', 'Otherwise', '10% / 2%'],
  ])
  const act = async (row: string, action: string) => {
    await rules.getByRole('button', { name: `Actions for ${row}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  await act('rule 2', 'Move up')
  await act('rule 2', 'Edit')
  await dialog('Edit rule').getByLabel('Layer 1 Rate').fill('35')
  await dialog('Edit rule').getByRole('button', { name: 'Edit rule' }).click()
  await act('Otherwise', 'Edit')
  await dialog('Edit otherwise').getByRole('button', { name: 'Remove layer 2' }).click()
  await dialog('Edit otherwise').getByRole('button', { name: 'Edit otherwise' }).click()
  const now = [
    ['1', 'Sale of $1,000.00 or more', '$50.00'],
    ['2', pro, '35%'],
    ['3', 'New customer', '$100.00'],
    ['–', 'Otherwise', '10%'],
  ]
  await rowsAre(now)
  await expectAccessibleInBothThemes(page)

  const saved = page.getByRole('status').filter({ hasText: 'Settings saved' })
  async function save() {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('radio', { name: 'New customers only' })).toBeChecked()
    await page.getByRole('checkbox', { name: 'Tell partners by email' }).check()
    await dialog('Who does this change apply to?').getByRole('button', { name: 'Save terms' }).click()
    await expect(saved).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  await save()
  await rowsAre(now)
  const later = await refer('later@terms.example')
  expect([await earnedOf(earlier, 1000_00), await earnedOf(later, 1000_00)]).toEqual([100_00, 50_00])

  await page.getByRole('button', { name: /^Version 3, saved .* by Elena Marsh$/ }).click()
  await dialog('History').getByRole('button', { name: 'Version 3' }).click()
  await expect(dialog('Version 3').getByRole('row', { name: `${pro} 35%` })).toBeVisible()
  await dialog('Version 3').getByRole('button', { name: 'Close' }).last().click()
  await dialog('History').getByRole('button', { name: 'Version 2' }).click()
  await dialog('Version 2').getByRole('button', { name: 'Use again' }).click()
  await expect(rules).toBeHidden()
  await expect(page.getByLabel('Layer 2 Rate')).toHaveValue('2')
  await save()
  expect(await earnedOf(await refer('latest@terms.example'), 1000_00)).toBe(100_00)

  await enter(page, site, owner, `/leads/${later.id}`)
  const pay = page.getByRole('region', { name: 'Commission for the lead' })
  await expect(pay).toContainText('Paid for a new customer: Sofia Lindqvist')
  await pay.getByRole('link', { name: /\$100\.00/ }).click()
  await expect(dialog('Receipt for $100.00')).toContainText('Paid for a new customer.')
})

test('terms are tried before they are saved, and receipts and partners’ dashboards name them', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20, 5] } })
  const parent = await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const sam = { firstName: 'Sam', lastName: 'Ortiz', parentPartnerId: parent.id }
  const partner = await aPartnerOf(site, owner, sam)
  const send = async (method: string, path: string, body: object) =>
    ok(await site.api(method, path, { token: owner.token, body })).body
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
    await enter(page, site, owner, '/account/settings?tab=commission')
    await page.getByRole('button', { name: 'Try a sale' }).click()
    const dialog = page.getByRole('dialog', { name: 'Try a sale' })
    await expect(dialog).toContainText('Otherwise: 10% of $100.00')
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
    await enter(page, site, owner, `/commissions/${own}`)
    await expect(step).toContainText('The account’s terms, version 3; this customer came on ')
    const parts = step.getByRole('listitem')
    await expect(parts).toContainText([
      'Rule 1, Pro, first year: 30% of $499.00 · Pro',
      'Rule 2, Starter: $50.00, limited to $29.00 · Starter',
      'Otherwise: 10% of $15.00 · T-shirt',
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
    const { items } = ok(await site.api('GET', `/leads/${lead.id}/sales`, { token: owner.token })).body
    expect(items[0].lines).toMatchObject([{ productId: 'prod_starter', amount: 20_00 }])
  })

  await test.step('partners read the terms without ids', async () => {
    const main = page.getByRole('main')
    await enter(page, site, partner, '/dashboard')
    const panel = page.getByRole('region', { name: 'What you earn' })
    await expect(panel.getByRole('row')).toHaveText([
      'RulePays',
      'Pro, first year · first 12 months30%',
      'Starter$50.00',
      'Otherwise10%',
    ])
    await expect(panel).toContainText('Earlier customers keep their terms.')
    await expectAccessibleInBothThemes(page)
    await page.goto(`${site.url}/commissions/${own}`)
    await expect(step).toContainText('Rule 1, Pro, first year: 30% of $499.00')
    await expect(main).not.toContainText('prod_')
    await enter(page, site, parent, `/commissions/${above}`)
    await expect(step).toContainText('Rule 1, Pro, first year: 5% of $499.00')
    await expect(main).not.toContainText('prod_')
  })
})
