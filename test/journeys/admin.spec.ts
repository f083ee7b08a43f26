import { account, aName, owner, ownerPanel, prepareAdmin, site, statusMessage } from '../support/admin-screens.ts'
import { ADMINISTRATOR, anEmail } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The administrator's area: accounts and their owners, without the accounts' own data.

prepareAdmin()

test('an account is added with its owner, whose set-up link can be copied', async ({ page, context, complaints }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url })
  await openAs(page, site, ADMINISTRATOR, '/admin')
  await expect(pageHeading(page, 'Accounts')).toBeVisible()
  await expect(page.getByRole('row', { name: account })).toContainText(owner.email)
  await expect(page.getByRole('columnheader')).toHaveText([
    'Account',
    'Owner',
    'Status',
    'Partners',
    'Sales',
    'Created',
    'Actions',
  ])
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Add account' }).click()

  await expect(pageHeading(page, 'Add account')).toBeFocused()
  const labels = ['Account Name', 'Default Currency', 'Owner Email', 'Owner First Name', 'Owner Last Name']
  for (const label of labels) await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  await page.getByLabel('Owner First Name').fill('Sam')
  await page.getByRole('button', { name: 'Add account' }).click()
  await expect(page.getByLabel('Owner Email')).toHaveAccessibleDescription(/Owner Email is required/)
  await page.getByLabel('Owner Email').fill('sam@juniper')
  await page.getByRole('button', { name: 'Add account' }).click()
  await expect(page.getByLabel('Owner Email')).toHaveAccessibleDescription(/Enter a valid email address/)
  await expectAccessibleInBothThemes(page)
  const added = aName('Juniper')
  const email = anEmail('sam')
  await page.getByLabel('Owner Email').fill(email)
  await page.getByLabel('Account Name').fill(added)
  await page.getByLabel('Default Currency').selectOption('eur')
  await page.getByRole('button', { name: 'Add account' }).click()

  await expect(pageHeading(page, added)).toBeFocused()
  await expect(statusMessage(page, 'Account added')).toBeVisible()
  await expect(ownerPanel(page)).toContainText(`Sam`)
  await expect(ownerPanel(page)).toContainText(email)
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('EUR')
  await ownerPanel(page).getByRole('button', { name: 'Copy setup link' }).click()
  await expect(statusMessage(page, 'Copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/user-setup#token=./)
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])

  await ownerPanel(page).getByRole('button', { name: 'Resend setup email' }).click()
  await expect(page.getByRole('alert')).toContainText('Try again in')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('429')])
})
