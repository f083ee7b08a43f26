import { PASSWORD, signIn } from '../support/app.ts'
import { enter, expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { owner, prepareOwner, site } from '../support/one-owner.ts'
import { aPartner, said, sessionRows } from '../support/profile-screens.ts'
import { expect, test } from '../support/test.ts'

// The user's own page: names, theme, password and sessions.

prepareOwner()

test('names are saved, and checked', async ({ page, complaints }) => {
  await enter(page, site, owner, '/user')
  await expect(heading(page, 'Profile')).toBeVisible()
  await page.getByLabel('First Name').fill('x'.repeat(101))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('First Name')).toHaveAccessibleDescription(/Use at most 100 characters/)
  await page.getByLabel('First Name').fill('Éléna 🌊')
  await page.getByLabel('Last Name').fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(said(page, 'Profile saved')).toBeVisible()
  await expect(heading(page, 'Profile')).toBeFocused()
  await page.reload()
  await expect(page.getByLabel('First Name')).toHaveValue('Éléna 🌊')
  await expect(page.getByLabel('Last Name')).toHaveValue('')

  await page.getByLabel('Last Name').fill('Half typed')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Last Name')).toHaveValue('Half typed')
  expect(complaints).toEqual([])
})

test('a new password needs the current one and ends every other session', async ({ page, complaints }) => {
  const partner = await aPartner()
  const before = await signIn(site, partner.email)
  await enter(page, site, partner, '/user/profile')
  const change = page.getByRole('button', { name: 'Change password' })
  await page.getByLabel('Current Password').fill('not the right one')
  await page.getByLabel('New Password').fill('short')
  await page.getByLabel('Confirm Password').fill('different')
  await change.click()
  await expect(page.getByLabel('New Password')).toHaveAccessibleDescription(/Use at least 12 characters/)
  await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription(/Passwords do not match/)
  await expectAccessibleInBothThemes(page)

  const password = 'walnut-harvest-28-moon'
  await page.getByLabel('New Password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await change.click()
  await expect(page.getByRole('alert')).toContainText('The password is incorrect.')
  await expect(page.getByLabel('Current Password')).toBeFocused()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])

  await page.getByLabel('Current Password').fill(PASSWORD)
  await page.getByLabel('New Password').fill('password1234')
  await page.getByLabel('Confirm Password').fill('password1234')
  await change.click()
  await expect(page.getByLabel('New Password')).toHaveAccessibleDescription(/This password is too common/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])

  await page.getByLabel('New Password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await change.click()
  await expect(said(page, 'Password changed')).toBeVisible()
  await expect(page.getByLabel('Current Password')).toHaveValue('')
  await expect(sessionRows(page)).toHaveCount(1)
  expect((await site.api('GET', '/users/me', { token: before.token })).status).toBe(401)
  expect((await signIn(site, partner.email, password)).token).not.toBe('')
  await page.reload()
  await expect(heading(page, 'Profile')).toBeVisible()
  expect(complaints).toEqual([])
})

test('access tokens: created, shown once, used by an assistant, deleted', async ({ page, context, complaints }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter(page, site, owner, '/user/profile')
  const panel = page.getByRole('region', { name: 'Access tokens' })
  await expect(panel).toContainText('It can’t change anything.')
  await panel.getByRole('button', { name: 'Copy settings' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  expect(JSON.parse(await copied()).mcpServers.tributary.url).toBe(`${site.url}/mcp`)

  await panel.getByRole('button', { name: 'Add access token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add access token' })
  await dialog.getByRole('button', { name: 'Add access token' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Check the marked fields')
  await dialog.getByLabel('Name').fill('Desk')
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Add access token' }).click()
  const shown = page.getByRole('dialog', { name: 'Desk' })
  await expect(shown).toContainText('It won’t be shown again.')
  await shown.getByRole('button', { name: 'Copy' }).click()
  const token = await copied()
  await shown.getByRole('button', { name: 'Done' }).click()
  const rows = panel.getByRole('table').locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(`•••• ${token.slice(-4)}`)
  await expect(rows).toContainText('Never')

  const status = async () =>
    (
      await page.request.post(`${site.url}/mcp`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
        data: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      })
    ).status()
  expect(await status()).toBe(200)
  await page.reload()
  await expect(rows).not.toContainText('Never')
  await expectAccessibleInBothThemes(page)

  await rows.getByRole('button', { name: /^Delete Desk/ }).click()
  const remove = page.getByRole('dialog', { name: 'Delete access token' })
  await expect(remove).toContainText('This will delete Desk.')
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(said(page, 'Access token deleted')).toBeVisible()
  await expect(rows).toHaveCount(0)
  expect(await status()).toBe(401)
  expect(complaints).toEqual([])
})
