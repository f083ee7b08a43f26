import type { Page } from '@playwright/test'
import { ADMINISTRATOR, expectOk, signIn } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { expectAccessibleInBothThemes, mailTo, openAs, pageHeading, signInOnScreen } from '../support/journey.ts'
import { owner, prepareOwner, site } from '../support/owner-fixture.ts'
import { aPartner, sessionRows, statusMessage } from '../support/profile-screens.ts'
import { expect, test } from '../support/test.ts'

// The user's own page: names, theme, password, sessions and access tokens.

prepareOwner()

/** Returns the visible theme, judged by the page's background. */
const theme = (page: Page) =>
  page.evaluate(() => (getComputedStyle(document.body).backgroundColor === 'rgb(15, 20, 27)' ? 'dark' : 'light'))

test('everyone has a profile, opened by the email in the navigation', async ({ browser }) => {
  for (const person of [ADMINISTRATOR, owner, await aPartner()]) {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await openAs(page, site, person, '/')
    await page.getByRole('link', { name: person.email }).click()
    await expect(pageHeading(page, 'Profile')).toBeFocused()
    await expect(page).toHaveURL(`${site.url}/user/profile`)
    await expect(page).toHaveTitle('Profile · Tributary')
    const labels = ['First Name', 'Last Name', 'Theme', 'Current Password', 'New Password', 'Confirm Password']
    for (const label of labels) await expect(page.getByLabel(label, { exact: true })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await expect(page.getByLabel('Email')).toHaveAttribute('readonly')
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await context.close()
  }
})

test('the theme changes at once, survives a reload and follows the user to another browser', async ({
  page,
  browser,
  complaints,
}) => {
  await openAs(page, site, owner, '/user/profile')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await theme(page)).toBe('light')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByLabel('Theme').selectOption('Dark')
  await expect.poll(() => theme(page)).toBe('dark')
  expect((await saved).status()).toBe(200)
  await page.reload()
  expect(await theme(page)).toBe('dark')
  const otherTab = await page.context().newPage()
  await otherTab.goto(`${site.url}/no/such/page`)
  expect(await theme(otherTab)).toBe('dark')

  const elsewhere = await browser.newPage({ colorScheme: 'light' })
  await openAs(elsewhere, site, owner, '/user/profile')
  await expect.poll(() => theme(elsewhere)).toBe('dark')
  await elsewhere.close()

  await page.route('**/api/v1/users/me', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await page.getByLabel('Theme').selectOption('Light')
  await expect(page.getByRole('alert')).toContainText('We couldn’t reach the server.')
  await expect(page.getByLabel('Theme')).toHaveValue('dark')
  await expect.poll(() => theme(page)).toBe('dark')
  await page.unroute('**/api/v1/users/me')
  await page.getByLabel('Theme').selectOption('System')
  await expect.poll(() => theme(page)).toBe('light')
  await expect.poll(() => theme(otherTab)).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await theme(page)).toBe('dark')
  expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
})

test('sessions are listed by device; one is ended, then all others', async ({ page, complaints }) => {
  const others = [await signIn(site, owner.email), await signIn(site, owner.email)]
  await page.goto(`${site.url}/user/profile`)
  // A session of the browser itself, with its kind as the name.
  await signInOnScreen(page, owner)
  const own = sessionRows(page).filter({ hasText: 'This session' })
  await expect(own).toContainText('Chrome on Linux')
  await expect(own.getByRole('button')).toHaveCount(0)
  const count = await sessionRows(page).count()
  expect(count).toBeGreaterThanOrEqual(3)
  await expectAccessibleInBothThemes(page)

  await sessionRows(page)
    .nth(1)
    .getByRole('button', { name: /^End session on/ })
    .click()
  await expect(statusMessage(page, 'Session ended')).toBeVisible()
  await expect(sessionRows(page)).toHaveCount(count - 1)

  await page.getByRole('button', { name: 'End all other sessions' }).click()
  const confirm = page.getByRole('dialog', { name: 'End all other sessions' })
  await expectAccessibleInBothThemes(page)
  await confirm.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(sessionRows(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'End all other sessions' })).toBeHidden()
  for (const { token } of others) expect((await site.api('GET', '/users/me', { token })).status).toBe(401)
  const { token } = await signIn(site, owner.email)
  expect(expectOk(await site.api('GET', '/users/me/sessions', { token })).body.total).toBe(2)

  await page.route('**/users/me/sessions*', (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.reload()
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('alert')).toContainText('Failed to load')
  await expect(page.getByLabel('First Name')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  expect(filterUnexpected(complaints, 400)).toEqual([])
})

test('on a phone the page fits', async ({ page, complaints }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/user/profile')
  await expect(sessionRows(page).first()).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
})

test('a user who cannot sign in requests a link, which signs in once, with a button', async ({ page, complaints }) => {
  await page.goto(`${site.url}/auth/sign-in`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText('a reset link is on its way')).toBeVisible()
  const mail = await mailTo(site, owner.email, ({ name }) => name.startsWith('password-reset-'))
  const link = `${site.url}/auth/sign-in${/\/auth\/sign-in(#token=\S+)/.exec(mail.text)![1]}`

  await page.goto(link)
  await expect(page.getByText('This link signs you in once.')).toBeVisible()
  await expect(page).toHaveURL(`${site.url}/auth/sign-in`)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('This link has expired.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  expect(filterUnexpected(complaints.splice(0), 401)).toEqual([])
})

test('names are saved, and checked', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/user')
  await expect(pageHeading(page, 'Profile')).toBeVisible()
  await page.getByLabel('First Name').fill('x'.repeat(101))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('First Name')).toHaveAccessibleDescription(/Use at most 100 characters/)
  await page.getByLabel('First Name').fill('Éléna 🌊')
  await page.getByLabel('Last Name').fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(statusMessage(page, 'Profile saved')).toBeVisible()
  await expect(pageHeading(page, 'Profile')).toBeFocused()
  await page.reload()
  await expect(page.getByLabel('First Name')).toHaveValue('Éléna 🌊')
  await expect(page.getByLabel('Last Name')).toHaveValue('')

  await page.getByLabel('Last Name').fill('Half typed')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Last Name')).toHaveValue('Half typed')
  expect(complaints).toEqual([])
})

test('access tokens: created, shown once, used by an assistant, deleted', async ({ page, context, complaints }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, site, owner, '/user/profile')
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
  await expect(statusMessage(page, 'Access token deleted')).toBeVisible()
  await expect(rows).toHaveCount(0)
  expect(await status()).toBe(401)
  expect(complaints).toEqual([])
})
