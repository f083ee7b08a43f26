import { acceptInvitation, expectOk, PASSWORD } from '../support/app.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  openAs,
  pageHeading,
  type Site,
  signedInPage,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The team of an account: an owner invites a colleague, who sees what the role allows and nothing else.

let site: Site

test.beforeAll(({ site: shared }) => {
  site = shared
})

test('an owner adds a manager, gives them another role and removes them', async ({ page, browser, complaints }) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/account/settings?tab=people')
  await page.getByRole('button', { name: 'Add person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add person' })
  const email = `sam-${Date.now()}@colleagues.example`
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('First Name').fill('Sam')
  await dialog.getByRole('radio', { name: 'Manager' }).check()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Add person' }).click()
  const made = page.getByRole('status').filter({ hasText: 'New invitation link created' })
  await made.getByRole('button', { name: 'Copy invitation link' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/user-setup#token=')
  const row = page.getByRole('row', { name: /Sam/ })
  await expect(row).toContainText('Invited')
  await expectAccessibleInBothThemes(page)

  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/members`, { token: owner.token })).body
  await acceptInvitation(site, items.find((one: { email: string }) => one.email === email).url)
  const manager = await signedInPage(browser, site, { email }, complaints)
  await manager.goto(`${site.url}/partners`)
  await expect(manager.getByRole('button', { name: 'Add partner' }).first()).toBeVisible()
  await manager.goto(`${site.url}/account/settings`)
  await expect(manager.getByText('Only owners can change this.')).toBeVisible()
  await expect(manager.getByLabel('Account Name')).toBeDisabled()
  await expect(manager.getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await manager.goto(`${site.url}/account/settings?tab=people`)
  await expect(manager.getByRole('row', { name: /Sam/ })).toContainText('Active')
  await expect(manager.getByRole('button', { name: 'Add person' })).toHaveCount(0)

  const { accessToken: token } = expectOk(
    await site.api('POST', '/auth/sign-in', { body: { email, password: PASSWORD } }),
  ).body
  const { userId } = items.find((one: { email: string }) => one.email === email)
  const at = `/accounts/${owner.id}/members/${userId}`
  expectOk(await site.api('PUT', at, { token: owner.token, body: { role: 'owner' } }))
  for (const name of ['Reports', 'Shop'])
    expectOk(await site.api('POST', `/accounts/${owner.id}/api-keys`, { token, body: { name, rights: ['read'] } }))
  expectOk(await site.api('PUT', at, { token: owner.token, body: { role: 'manager' } }))
  await page.reload()
  await page.getByRole('button', { name: 'Actions for Sam' }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  const change = page.getByRole('dialog', { name: 'Change the role of Sam' })
  await change.getByRole('radio', { name: 'Viewer' }).check()
  await change.getByRole('button', { name: 'Change role' }).click()
  await expect(row).toContainText('Viewer')
  await manager.goto(`${site.url}/partners`)
  await expect(pageHeading(manager, 'Partners')).toBeVisible()
  await expect(manager.getByRole('button', { name: 'Add partner' })).toHaveCount(0)
  // a screen whose only purpose is a missing right
  await manager.goto(`${site.url}/partners/new`)
  await expect(manager).toHaveURL(/\/dashboard$/)

  await page.getByRole('button', { name: 'Actions for Sam' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove Sam' })
  await expect(remove).toContainText('Sam made 2 API keys. Rotate them if Sam still has them.')
  await expect(remove.getByRole('link', { name: 'Show API keys' })).toHaveAttribute('href', '/integrations/push-data')
  await expectAccessibleInBothThemes(page)
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(row).toHaveCount(0)
  await manager.goto(`${site.url}/partners`)
  await expect(pageHeading(manager, 'Partners')).toHaveCount(0)
  expect(complaints).toEqual([])
})
