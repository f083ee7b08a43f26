import type { Page, Route } from '@playwright/test'
import { filterUnexpected } from '../support/browser.ts'
import { interceptCalls } from '../support/intercept-calls.ts'
import { pageHeading, signedInPage } from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import type { RoleName } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// The bytes and requests that a browser with an empty cache loads until the first screen is shown.

const KB = 1024

let populated: Populated

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

type Loaded = { kind: string; bytes: number; url: string }

/**
 * Opens an address with every file after the document delayed, and lets them through round by round: the files of a
 * round load together, and each round waits for the one before. The document is the first.
 */
async function roundsUntilShown(page: Page, path: string, isShown: () => Promise<boolean>, { calls = false } = {}) {
  const loaded: Loaded[] = []
  const sizes: Promise<unknown>[] = []
  let held: Route[] = []
  let requests = 0
  const isCall = (url: string) => /\/api\//.test(url)
  page.on('request', (request) => {
    if (isCall(request.url())) requests += 1
  })
  page.on('requestfailed', (request) => {
    if (isCall(request.url())) requests -= 1
  })
  page.on('requestfinished', (request) => {
    const url = request.url()
    if (isCall(url)) {
      requests -= 1
      return
    }
    const sized = request.sizes().then(({ responseBodySize: bytes }) => {
      loaded.push({ kind: request.resourceType(), bytes, url })
    })
    sizes.push(sized)
  })
  await page.route(
    (url) => calls || !url.pathname.startsWith('/api/'),
    (route) => (route.request().isNavigationRequest() ? route.continue() : void held.push(route)),
  )
  await page.goto(`${populated.site.url}${path}`, { waitUntil: 'commit' })
  let rounds = 1
  while (!(await isShown())) {
    await expect.poll(async () => held.length > 0 || (await isShown())).toBe(true)
    // A slow answer is no reason to load what the screen shows later.
    if (!calls) await expect.poll(() => requests).toBe(0)
    // Everything that can be requested with the files loaded so far.
    await page.waitForTimeout(300)
    if (held.length === 0 || (await isShown())) continue
    const round = held
    held = []
    rounds += 1
    await Promise.all(round.map((route) => route.continue()))
  }
  await Promise.all(sizes)
  return { rounds, loaded }
}

const bytesOf = (loaded: Loaded[], kind: string) =>
  loaded.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0)

async function expectWithinBudget(page: Page, path: string, h1: string, mostScript: number) {
  const waiting = page.locator('[aria-label="Loading..."], [aria-busy=true]')
  const isShown = async () => (await pageHeading(page, h1).isVisible()) && (await waiting.count()) === 0
  const { rounds, loaded } = await roundsUntilShown(page, path, isShown)
  const script = bytesOf(loaded, 'script')
  const css = bytesOf(loaded, 'stylesheet')
  const summary = `${script} bytes of script, ${css} of style sheets, ${loaded.length} requests, ${rounds} in a row`
  test.info().annotations.push({ type: 'first screen', description: `${path}: ${summary}` })
  const files = loaded.map(({ url }) => new URL(url).pathname).join(' ')
  expect(script, files).toBeGreaterThan(50 * KB)
  expect(script, files).toBeLessThanOrEqual(mostScript * KB)
  expect(css, files).toBeGreaterThan(1 * KB)
  expect(css, files).toBeLessThanOrEqual(16 * KB)
  expect(bytesOf(loaded, 'font'), files).toBeGreaterThan(20 * KB)
  expect(bytesOf(loaded, 'font'), files).toBeLessThanOrEqual(60 * KB)
  expect(loaded.length, files).toBeLessThanOrEqual(8)
  expect(rounds, files).toBeLessThanOrEqual(3)
}

const arrivals: [RoleName, string, string][] = [
  ['administrator', '/admin/accounts', 'Accounts'],
  ['owner', '/dashboard', 'Dashboard'],
  ['partner', '/dashboard', 'Dashboard'],
]

for (const [role, path, h1] of arrivals)
  test(`${role} at ${path}`, async ({ browser }) => {
    const complaints: string[] = []
    const page = await signedInPage(browser, populated.site, populated[role], complaints, { timezoneId: 'UTC' })
    await expectWithinBudget(page, path, h1, 190)
    expect(complaints).toEqual([])
    await page.context().close()
  })

test('a reopened dashboard requests code, user and figures at once: three in a row, calls included', async ({
  browser,
}) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, populated.site, populated.owner, complaints, { timezoneId: 'UTC' })
  const waiting = page.locator('[aria-label="Loading..."], [aria-busy=true]')
  const isShown = async () =>
    (await page.getByRole('region', { name: 'Top partners' }).isVisible()) && (await waiting.count()) === 0
  const first = await roundsUntilShown(page, '/dashboard', isShown, { calls: true })
  await page.unrouteAll()
  const requests: string[] = []
  page.on('request', (request) => void (/\/api\//.test(request.url()) && requests.push(request.url())))
  const second = await roundsUntilShown(page, '/dashboard', isShown, { calls: true })
  test.info().annotations.push({ type: 'rounds', description: `${first.rounds}, then ${second.rounds}` })
  expect(first.rounds).toBeGreaterThan(3)
  expect(second.rounds).toBe(3)
  expect(new Set(requests).size, requests.join(' ')).toBe(requests.length)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the code of a dialog loads after the screen, and is ready when needed', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, populated.site, populated.administrator, complaints)
  const road = await interceptCalls(page)
  const code = page.waitForResponse(/\/assets\/AccountDialog-/)
  await page.goto(`${populated.site.url}/admin/accounts`)
  await (await code).finished()
  await road.quiet()
  await page.context().setOffline(true)
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Assign owner' }).click()
  await expect(page.getByRole('dialog', { name: 'Assign owner' })).toBeVisible()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the code that validates forms loads on first use of a list, not before', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, populated.site, populated.owner, complaints)
  const road = await interceptCalls(page)
  const requests: string[] = []
  page.on(
    'request',
    (request) => void (/\/assets\/(schemas|forms)-/.test(request.url()) && requests.push(request.url())),
  )
  await page.goto(`${populated.site.url}/payouts?tab=needs-action`)
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
  await road.quiet()
  expect(requests).toEqual([])
  const code = page.waitForResponse(/\/assets\/MarkPaid-/)
  await page.mouse.move(2, 2)
  await (await code).finished()
  await road.quiet()
  expect(requests).toHaveLength(2)
  expect(complaints).toEqual([])
  await page.context().close()
})

for (const [path, h1] of [
  ['/auth/sign-in', 'Sign in'],
  ['/auth/reset-password', 'Reset password'],
  ['/user-setup', 'Set up your account'],
] as const)
  test(`signed out at ${path}`, async ({ page, complaints }) => {
    await expectWithinBudget(page, path, h1, 95)
    expect(filterUnexpected(complaints, 404)).toEqual([])
  })

test('Latin Extended loads for the name that needs it, and both faces are Inter', async ({ page, complaints }) => {
  const fonts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  await page.goto(`${populated.site.url}/auth/sign-in`)
  await expect(pageHeading(page, 'Sign in')).toBeVisible()
  expect((await fonts()).filter((url) => url.includes('latin-ext'))).toEqual([])
  const email = page.getByLabel('Email')
  await email.fill('łukasz@example.com')
  await expect.poll(async () => (await fonts()).filter((url) => url.includes('inter-latin-ext')).length).toBe(1)
  const loaded = await page.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)
  })
  // if the machine has its font, the fallback face is loaded as well
  expect(loaded.filter((family) => family !== 'Inter until it comes')).toEqual(['Inter', 'Inter'])
  expect(complaints).toEqual([])
})
