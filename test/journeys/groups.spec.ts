import { expectOk } from '../support/app.ts'
import { anOwner, aSignedUpPartner, expectAccessibleInBothThemes, openAs } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Groups of partners with the same terms.

test('an owner adds a group with terms of its own, moves partners there, and pays by them', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  const { token } = owner
  const [sofia, noah] = [
    await aSignedUpPartner(site, owner, { firstName: 'Sofia', lastName: 'Lindqvist' }),
    await aSignedUpPartner(site, owner, { firstName: 'Noah', lastName: 'Bennett' }),
  ]
  const post = async (path: string, body: object) => expectOk(await site.api('POST', path, { token, body })).body
  const refer = (partnerId: string, email: string) => post(`/accounts/${owner.id}/leads`, { partnerId, email })
  const earnedOf = async (lead: { id: string }) =>
    (await post(`/leads/${lead.id}/sales`, { amount: 100_00 })).commissions[0].amount
  const earlier = await refer(sofia.id, 'earlier@groups.example')
  const toast = (text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

  await openAs(page, site, owner, '/partners')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await expect(page.getByText('Everyone has the account’s terms.')).toBeVisible()
  await page.getByRole('button', { name: 'Add group' }).click()
  const adding = page.getByRole('dialog', { name: 'Add group' })
  await adding.getByLabel('Group Name').fill('default')
  await adding.getByRole('button', { name: 'Add group' }).click()
  await expect(adding.getByLabel('Group Name')).toHaveAccessibleDescription(/Another group already has this name/)
  await adding.getByLabel('Group Name').fill('Gold')
  await adding.getByLabel('Public Name').fill('Gold partners')
  await adding.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('heading', { name: 'Gold', level: 1 })).toBeVisible()
  await page.getByLabel('Custom terms').check()
  await page.getByLabel('Layer 1 Rate').fill('25')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast('Group saved')
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Add partners' }).click()
  const moving = page.getByRole('dialog', { name: 'Add partners' })
  await moving.getByRole('button', { name: 'Add partners' }).click()
  await expect(moving.getByRole('alert')).toContainText('Partner')
  await moving.getByLabel('Partner', { exact: true }).fill('Sofia')
  await page.getByRole('option', { name: /Sofia Lindqvist/ }).click()
  await expect(moving.getByRole('listitem')).toHaveText(['Sofia Lindqvist'])
  await expect(moving.getByLabel('New customers only')).toBeChecked()
  await expectAccessibleInBothThemes(page)
  await moving.getByRole('button', { name: 'Add partners' }).click()
  await toast('1 partner moved')
  await page.goto(`${site.url}/partners`)
  await expect(page.getByRole('row', { name: /Sofia Lindqvist/ })).toContainText('Gold')
  await expect(page.getByRole('row', { name: /Noah Bennett/ })).toContainText('Default')
  expect(await earnedOf(earlier)).toBe(10_00)
  expect(await earnedOf(await refer(sofia.id, 'later@groups.example'))).toBe(25_00)

  await page.getByRole('link', { name: 'Sofia Lindqvist' }).click()
  await expect(page.getByText('From Gold · Version 1')).toBeVisible()
  await page.goto(`${site.url}/partners/${sofia.id}/update`)
  await page.getByRole('button', { name: 'More options' }).click()
  await expect(page.getByLabel('Use group terms')).toBeChecked()
  await page.getByLabel('Group', { exact: true }).selectOption('Default')
  await page.getByLabel('All sales from today').check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast('Partner saved')
  expect(await earnedOf(await refer(sofia.id, 'last@groups.example'))).toBe(10_00)

  await page.goto(`${site.url}/partners/${noah.id}`)
  await page.goto(`${site.url}/partners?tab=groups`)
  const gold = page.getByRole('row', { name: /Gold/ })
  await expect(gold).toContainText('Partners earn 25% of each sale.')
  await gold.getByRole('link', { name: 'Gold' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await toast('Group deleted')
  await expect(page.getByText('Everyone has the account’s terms.')).toBeVisible()
})
