import { expectOk } from '../support/app.ts'
import { anOwner, aSignedUpPartner, expectAccessibleInBothThemes, openAs } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Terms pay by rules: an owner sets them for new customers only, and returns to an earlier version.

test('an owner pays by rules, for new customers only, and returns to an earlier version', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10, 2] } })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' })
  const post = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const refer = (email: string) => post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, email })
  const earnedOf = async (lead: { id: string }, amount: number) => {
    const { id } = await post(`/leads/${lead.id}/sales`, { amount })
    return expectOk(await site.api('GET', `/sales/${id}/commissions`, { token: owner.token })).body.items[0].amount
  }
  const earlier = await refer('earlier@terms.example')
  const lines = [{ productId: 'prod_pro', name: 'Pro', amount: 10_00 }]
  await post(`/leads/${earlier.id}/sales`, { amount: 10_00, lines })

  await openAs(page, site, owner, '/account/settings?tab=commission')
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
  await expect(field('Conditions')).toHaveAccessibleDescription(/Add a condition, or change All other sales\./)
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
  await field('Commission Type').selectOption('Amount')
  await field('Layer 1 Amount').fill('50')
  await rule.getByRole('button', { name: 'Add rule' }).click()

  await addRule.click()
  await field('Pay For').selectOption('A new customer')
  await expect(field('Commission Type')).toBeHidden()
  await field('Layer 1 Amount').fill('100')
  await rule.getByRole('button', { name: 'Add rule' }).click()

  const rules = page.getByRole('table', { name: 'Exceptions' })
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
    ['–', 'All other sales', '10% / 2%'],
  ])
  const act = async (row: string, action: string) => {
    await rules.getByRole('button', { name: `Actions for ${row}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
  await act('rule 2', 'Move up')
  await act('rule 2', 'Edit')
  await dialog('Edit rule').getByLabel('Layer 1 Rate').fill('35')
  await dialog('Edit rule').getByRole('button', { name: 'Edit rule' }).click()
  await expect(rules.getByRole('button', { name: 'Actions for All other sales' })).toBeHidden()
  await page.getByRole('button', { name: 'Remove layer 2' }).click()
  await expect(page.getByText(/^Partners earn 10% of each sale/)).toBeVisible()
  const now = [
    ['1', 'Sale of $1,000.00 or more', '$50.00'],
    ['2', pro, '35%'],
    ['3', 'New customer', '$100.00'],
    ['–', 'All other sales', '10%'],
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

  await openAs(page, site, owner, `/leads/${later.id}`)
  const pay = page.getByRole('region', { name: 'Commission for the lead' })
  await expect(pay).toContainText('Paid for a new customer: Sofia Lindqvist')
  await pay.getByRole('link', { name: /\$100\.00/ }).click()
  await expect(dialog('Receipt for $100.00')).toContainText('Paid for a new customer.')
})
