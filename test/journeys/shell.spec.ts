import { expectAccessible } from '../support/browser.ts'
import { address, newcomer, owner, prepareShell, setupLink } from '../support/shell-screens.ts'
import { expect, test } from '../support/test.ts'

prepareShell()

test('the owner sets up by the link, sees the dashboard and signs out', async ({ page, complaints }) => {
  await page.goto(`${address}${setupLink}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Set up your account' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/user-setup`)
  await expect(page.getByText('Pinegate Travel')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/Use at least 12 characters/)
  await expectAccessible(page)

  await page.getByLabel('First Name').fill('Omar')
  await page.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await page.getByLabel('Confirm Password').fill(newcomer.password)
  await page.getByRole('button', { name: 'Finish setup' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Get started' })).toContainText('0 of 6 done')
  await expect(page.getByRole('main').getByRole('term')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Notice' })).toContainText(
    'Set up your payment integration to start tracking sales',
  )
  await expectAccessible(page)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeFocused()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('tributary.session'))).toBeNull()
  expect(complaints).toEqual([])
})

test('a wrong password is explained, the right one continues to the requested page', async ({ page, complaints }) => {
  await page.goto(`${address}/leads?status=won`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill('not-the-password-at-all')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Email or password is incorrect.')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  // The browser logs every 401 response to its console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])

  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await expect(page).toHaveURL(`${address}/leads?status=won`)

  await page.goto(`${address}/admin/accounts`)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

  await page.goto(`${address}/no/such/page`)
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(page).toHaveURL(`${address}/dashboard`)
  expect(complaints).toEqual([])
})
