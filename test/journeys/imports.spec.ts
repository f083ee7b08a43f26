import { buttonNamed, chooseFile, dubCommissions } from '../support/imports-screens.ts'
import { openAs } from '../support/journey.ts'
import { callAsOwner, owner, prepareOwner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'

// An owner imports files of other programs: recognition, columns, a check, the import, and undoing it.

prepareOwner()

test('a check shows which sales are settled as paid and which leads get a partner, and an undo removes them', async ({
  page,
  complaints,
}) => {
  const partner = { firstName: 'Ann', lastName: 'Bell', email: 'ann@dub.example' }
  await callAsOwner('POST', `/accounts/${owner.id}/partners`, partner)
  await callAsOwner('POST', `/accounts/${owner.id}/leads`, { email: 'dot@customers.example' })
  await openAs(page, site, owner, '/account/import?kind=leads')
  await chooseFile(page, 'customers.csv', 'Email,Partner email\ndot@customers.example,ann@dub.example')
  await buttonNamed(page, 'Check file').click()
  await expect(page.getByText('1 lead to assign to a partner')).toBeVisible()
  await buttonNamed(page, 'Assign 1 lead to its partner').click()
  await expect(page.getByText('1 lead assigned to a partner').first()).toBeVisible()
  await buttonNamed(page, 'Undo import').first().click()
  await expect(page.getByRole('dialog')).toContainText('The lead it assigned to a partner will be unassigned.')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('Undone').first()).toBeVisible()

  await page.goto(`${site.url}/account/import`)
  await chooseFile(page, 'commissions.csv', dubCommissions)
  await buttonNamed(page, 'Check file').click()
  await expect(page.getByText('Settled as paid: $200.00, 1 lead to assign to a partner')).toBeVisible()
  expect(complaints).toEqual([])
})
