import { PASSWORD, signIn } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { prepareOwner, site } from '../support/owner-fixture.ts'
import { aPartner, sessionRows, statusMessage } from '../support/profile-screens.ts'
import { expect, test } from '../support/test.ts'

// The user's own page: the password.

prepareOwner()

test('a new password needs the current one and ends every other session', async ({ page, complaints }) => {
  const partner = await aPartner()
  const before = await signIn(site, partner.email)
  await openAs(page, site, partner, '/user/profile')
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
  await expect(statusMessage(page, 'Password changed')).toBeVisible()
  await expect(page.getByLabel('Current Password')).toHaveValue('')
  await expect(sessionRows(page)).toHaveCount(1)
  expect((await site.api('GET', '/users/me', { token: before.token })).status).toBe(401)
  expect((await signIn(site, partner.email, password)).token).not.toBe('')
  await page.reload()
  await expect(pageHeading(page, 'Profile')).toBeVisible()
  expect(complaints).toEqual([])
})
