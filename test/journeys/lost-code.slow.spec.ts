import type { Page } from '@playwright/test'
import { ADMINISTRATOR } from '../support/app.ts'
import { failOnPageErrors } from '../support/browser.ts'
import { expectAccessibleInBothThemes, pageHeading, type Site, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// If the application's code fails to load, the bare page shows a message.

let site: Site

test.beforeAll(async ({ site: shared }) => {
  site = shared
})

const MAIN = /\/assets\/main-[\w-]+\.js$/
const APP = /\/assets\/app-[\w-]+\.js$/
const BEFORE_SIGN_IN = /\/assets\/before-sign-in-[\w-]+\.js$/
const STYLES = /\/assets\/main-[\w-]+\.css$/

const again = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** The browser preloads files before it reads the page: the page's own script has run once there is a body. */
const isReading = (page: Page) => page.locator('#root').waitFor({ state: 'attached' })

/** Checks that the failure is shown, read out and can be retried at once, without a violation of the policy. */
async function expectLost(page: Page, complaints: string[]) {
  await expect(page.getByRole('alert')).toContainText('Failed to load')
  await expect(pageHeading(page, 'Failed to load')).toBeVisible()
  await expect(page).toHaveTitle('Failed to load · Tributary')
  await expect(again(page)).toBeFocused()
  expect(complaints.filter((complaint) => complaint.startsWith('policy '))).toEqual([])
}

async function expectBack(page: Page, h1 = 'Sign in') {
  await page.keyboard.press('Enter')
  await expect(pageHeading(page, h1)).toBeVisible()
  await expect(pageHeading(page, 'Failed to load')).toHaveCount(0)
}

for (const [what, code, answer] of [
  ['is missing', MAIN, { status: 404 }],
  ['is unreachable', MAIN, null],
  ['arrives without the screens before signing in', BEFORE_SIGN_IN, null],
] as const)
  test(`the first code ${what}`, async ({ page, complaints }) => {
    await page.route(code, (route) => (answer ? route.fulfill(answer) : route.abort()), { times: 1 })
    await page.goto(`${site.url}/auth/sign-in`)
    await expectLost(page, complaints)
    await expectAccessibleInBothThemes(page)
    await expectBack(page)
  })

test('the code of the application is unreachable', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, site, ADMINISTRATOR, complaints)
  await page.route(APP, (route) => route.abort())
  await page.goto(`${site.url}/admin/accounts`)
  await expectLost(page, complaints)
  await page.unroute(APP)
  await expectBack(page, 'Accounts')
  await page.context().close()
})

test('the code of a first screen is unreachable: the shell around it stays', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, site, ADMINISTRATOR, complaints)
  const code = /\/assets\/accounts-[\w-]+\.js$/
  await page.route(code, (route) => route.abort())
  await page.goto(`${site.url}/admin/accounts`)
  await expect(pageHeading(page, 'Failed to load')).toBeVisible()
  await expect(page.getByText(/^Error \w+$/)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.unroute(code)
  await again(page).click()
  await expect(pageHeading(page, 'Accounts')).toBeVisible()
  await page.context().close()
})

for (const [what, held] of [
  ['code', MAIN],
  ['code behind the first', BEFORE_SIGN_IN],
  ['style sheet', STYLES],
] as const)
  test(`the first ${what} hangs for two minutes`, async ({ page, complaints }) => {
    await page.clock.install()
    await page.route(held, () => undefined)
    const request = page.waitForRequest(held)
    await page.goto(`${site.url}/auth/sign-in`, { waitUntil: 'commit' })
    await request
    await isReading(page)
    await page.clock.fastForward(119_000)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.clock.fastForward(1_100)
    await expectLost(page, complaints)
    await page.unroute(held)
    await expectBack(page)
  })

test('code that arrives after a timeout changes nothing until it is retried', async ({ browser }) => {
  const page = await browser.newPage({ colorScheme: 'dark' })
  const complaints = await failOnPageErrors(page)
  await page.clock.install()
  let release = () => {}
  await page.route(MAIN, (route) => {
    release = () => void route.continue()
  })
  const request = page.waitForRequest(MAIN)
  await page.goto(`${site.url}/auth/sign-in`, { waitUntil: 'commit' })
  await request
  await isReading(page)
  await page.clock.fastForward(120_100)
  await expectLost(page, complaints)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe('rgb(15, 20, 27)')
  const come = page.waitForResponse(BEFORE_SIGN_IN)
  release()
  await (await come).finished()
  await expectLost(page, complaints)
  await page.unroute(MAIN)
  await expectBack(page)
  await page.close()
})
