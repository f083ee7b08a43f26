import type { Page, Route } from '@playwright/test'
import { hearComplaints, unexpected } from '../support/browser.ts'
import { expectAccessibleInBothThemes, heading, signedInPage, visit } from '../support/journey.ts'
import type { Populated } from '../support/populated.ts'
import { emptyScreens, entries, pathOf, roles, screens } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// axe finds nothing on any screen, in the light theme and in the dark one: empty, and after a failure.
// routes.slow.spec.ts checks loaded screens.

let populated: Populated
const at = (path: string) => pathOf(path, populated.things)

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

/** A page in which the application runs for this person, shared by the tests of this group. */
function pageOf(who: () => { email: string; password?: string }, prepare?: (page: Page) => Promise<void>) {
  const complaints: string[] = []
  let page: Page
  test.beforeAll(async ({ browser }) => {
    page = await signedInPage(browser, populated.site, who(), complaints)
    await prepare?.(page)
    await page.goto(`${populated.site.url}/no/such/page`)
    await expect(heading(page, 'Page not found')).toBeVisible()
  })
  test.afterAll(() => page?.context().close())
  return { current: () => page, complaints }
}

/** Opens a screen anew and waits until no request is under way. */
async function open(page: Page, path: string, h1: string) {
  await visit(page, '/no/such/page')
  await expect(heading(page, 'Page not found')).toBeVisible()
  await visit(page, at(path))
  await expect(heading(page, h1)).toBeVisible()
  await expect(page.locator('[aria-label="Loading..."], [aria-busy=true]')).toHaveCount(0)
}

for (const role of roles) {
  const own = screens.filter((screen) => screen.role === role)

  test.describe(`${role}, failed`, () => {
    const page = pageOf(
      () => populated[role],
      async (page) => {
        // The calls that the shell needs; an administrator sees an account on a screen of its own.
        const spared = role === 'administrator' ? /\/users\/me$/ : /\/(users\/me|accounts\/[^/]+)$/
        // The client does not repeat a call that was refused with 400.
        const refuse = (route: Route) => route.fulfill({ status: 400, body: '{}' })
        await page.route((url) => url.pathname.startsWith('/api/v1/') && !spared.test(url.pathname), refuse)
      },
    )
    for (const { path, h1, unloaded = h1 } of own.filter(({ still }) => !still))
      test(path, async () => {
        await open(page.current(), path, unloaded)
        await expect(page.current().getByText('Failed to load').first()).toBeVisible()
        await expectAccessibleInBothThemes(page.current())
        expect(unexpected(page.complaints.splice(0), 400)).toEqual([])
      })
  })
}

for (const { who, paths } of emptyScreens)
  test.describe(`${who}, with nothing to show`, () => {
    const page = pageOf(() => populated[who])
    for (const [path, h1] of paths)
      test(path, async () => {
        await open(page.current(), path, h1)
        await expectAccessibleInBothThemes(page.current())
        // There is no embed code in a new account: the browser itself logs the answer of 404.
        expect(unexpected(page.complaints.splice(0), 404)).toEqual([])
      })
  })

test('an account that cannot be loaded, and one that is disabled', async ({ browser }) => {
  const page = await signedInPage(browser, populated.site, populated.newOwner, [])
  let disabled = false
  await page.route(`**/api/v1/accounts/${populated.newOwner.id}`, async (route) => {
    if (!disabled) return route.fulfill({ status: 400, body: '{}' })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), disabledAt: new Date().toISOString() } })
  })
  await page.goto(`${populated.site.url}/dashboard`)
  await expect(page.getByText('Failed to load')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  disabled = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(heading(page, 'This account is disabled.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.context().close()
})

test.describe('signed out', () => {
  let page: Page
  const complaints: string[] = []

  test.beforeAll(async ({ browser }) => {
    const context = await browser.newContext()
    page = await context.newPage()
    await hearComplaints(page, complaints)
  })
  test.afterAll(() => page?.context().close())

  for (const { path, h1 } of entries)
    test(path, async () => {
      await page.goto(`${populated.site.url}${at(path)}`)
      await expect(heading(page, h1)).toBeVisible()
      await expect(page.locator('[aria-label="Loading..."]')).toHaveCount(0)
      await expectAccessibleInBothThemes(page)
      // the link of a mail has an invented token
      expect(unexpected(complaints.splice(0), 404)).toEqual([])
    })

  test('failed', async () => {
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(`${populated.site.url}/auth/sign-in`)
    await page.getByLabel('Email').fill('elena@harbor.example')
    await page.getByLabel('Password', { exact: true }).fill('copper-meadow-71-sail')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toContainText('Something went wrong on the server')
    await expectAccessibleInBothThemes(page)
    await page.goto(`${populated.site.url}${at('/user-setup{setUpToken}')}`)
    await expect(page.getByText('Failed to load')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    expect(unexpected(complaints.splice(0), 500)).toEqual([])
  })
})
