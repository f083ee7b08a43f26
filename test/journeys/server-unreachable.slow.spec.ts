import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { failOnPageErrors } from '../support/browser.ts'
import {
  failureMessage,
  filterUnforeseen,
  interceptCalls,
  interceptFor,
  listScreens,
  loadingMarks,
  type Road,
} from '../support/intercept-calls.ts'
import { anOwner, expectAccessibleInBothThemes, pageHeading, signedInPage, visitPath } from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import { fillPath, type RoleName, roles } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every screen with an unreachable server, without a finding of axe, and calls that are slow or lost.
// routes.slow.spec.ts covers screens on their way, ended-session.slow.spec.ts sessions that ended meanwhile.

let populated: Populated
const at = (path: string) => fillPath(path, populated.things)
const pageOf = interceptFor(() => populated.site)

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

const again = (page: Page) => page.getByRole('button', { name: 'Try again' })

const open = (page: Page, path: string) => page.goto(`${populated.site.url}${at(path)}`)

/** Placeholders of loading parts, once the wait is noticeable. */
const shapes = (page: Page) => page.locator('[aria-label="Loading..."] :is(span, i):empty').filter({ visible: true })

test.describe('a quick response shows no skeleton', () => {
  const page = pageOf(
    () => populated.owner,
    (page) => page.clock.install(),
  )
  const kinds = { 'a table': '/partners', 'a thing': '/partners/{partner}', panels: '/payouts/{payout}' }
  for (const [kind, path] of Object.entries(kinds))
    test(kind, async () => {
      const [screen, road] = [page.current(), page.road()]
      await road.open()
      await screen.clock.resume()
      await open(screen, '/no/such/page')
      await expect(pageHeading(screen, 'Page not found')).toBeVisible()
      // The account and the code are loaded already.
      await visitPath(screen, '/links')
      await expect(pageHeading(screen, 'Links')).toBeVisible()
      await expect(loadingMarks(screen)).toHaveCount(0)
      road.hold()
      await screen.clock.pauseAt((await screen.evaluate(() => Date.now())) + 60_000)
      await visitPath(screen, at(path))
      await expect(async () => {
        await screen.clock.runFor(5)
        await expect(loadingMarks(screen)).not.toHaveCount(0, { timeout: 50 })
      }).toPass()
      await screen.clock.runFor(100)
      await expect(shapes(screen)).toHaveCount(0)
      await screen.clock.runFor(60)
      await expect(shapes(screen)).not.toHaveCount(0)
    })
})

/**
 * Starts the application on no screen, with a clock that the test turns: every screen moves it on by minutes, so it
 * begins behind the server's, for which tomorrow's books don't exist.
 */
async function beginNowhere(page: Page) {
  await page.clock.install({ time: Date.now() - 12 * 3_600_000 })
  await open(page, '/no/such/page')
  await expect(pageHeading(page, 'Page not found')).toBeVisible()
}

/** Leaves the screen until the application's cache has expired. */
async function expireCache(page: Page) {
  await visitPath(page, '/no/such/page')
  await expect(pageHeading(page, 'Page not found')).toBeVisible()
  await page.clock.fastForward(300_000)
}

/** Presses 'Try again' wherever it appears. */
const mend = (page: Page) =>
  expect(async () => {
    const button = again(page).first()
    const before = await failureMessage(page).count()
    if (await button.isVisible()) await button.click({ timeout: 1000 })
    // a second press could meet what was loaded meanwhile, and take the focus from it
    if (before > 0) await expect.poll(() => failureMessage(page).count(), { timeout: 2000 }).toBeLessThan(before)
    await expect(failureMessage(page)).toHaveCount(0, { timeout: 200 })
  }).toPass()

for (const role of roles)
  test.describe(`${role}, without a server`, () => {
    const page = pageOf(() => populated[role], beginNowhere)
    const spared = role === 'administrator' ? /\/users\/me$/ : /^GET (\/users\/me|\/accounts\/[^/]+)$/

    for (const { path, h1, unloaded = h1 } of listScreens(role).filter(({ still }) => !still))
      test(path, async () => {
        const [screen, road] = [page.current(), page.road()]
        await expireCache(screen)
        await road.cut(spared)
        await visitPath(screen, at(path))
        await expect(pageHeading(screen, unloaded)).toBeVisible()
        await expect(async () => {
          // The pause before the second attempt.
          await screen.clock.fastForward(500)
          await expect(loadingMarks(screen)).toHaveCount(0, { timeout: 100 })
        }).toPass()
        const panels = await failureMessage(screen).count()
        expect(panels).toBeGreaterThan(0)
        await expect(again(screen)).toHaveCount(panels)
        await test.step('accessible', () => expectAccessibleInBothThemes(screen))

        await road.open()
        await mend(screen)
        await expect(pageHeading(screen, h1)).toBeVisible()
        await expect(loadingMarks(screen)).toHaveCount(0)
        await expect(failureMessage(screen)).toHaveCount(0)
        expect(filterUnforeseen(page.complaints)).toEqual([])
      })
  })

/** One of a screen's calls can't reach the server: its panel shows the failure, under its name if it has one. */
const oneCallLost: [role: RoleName, path: string, h1: string, call: RegExp, panel?: string][] = [
  ['owner', '/partners/{partner}', 'Jane Whitfield', /\/balance$/, 'Balance'],
  ['owner', '/partners/{subPartner}', 'Sam Ortiz', /\/invitation$/, 'Invitation'],
  ['owner', '/partners/{partner}', 'Jane Whitfield', /\/payout-settings$/, 'Setup'],
  ['owner', '/leads/{lead}', 'Hannah Cole', /\/events$/, 'Timeline'],
  ['owner', '/leads/{lead}', 'Hannah Cole', /\/sales$/],
  ['owner', '/links/{link}', 'Spring offer', /\/historical-stats\//],
  ['owner', '/payouts', 'Payouts', /\/totals$/],
  ['owner', '/payouts/{payout}', 'Payout PO-1', /\/entries$/],
  ['owner', '/integrations/outgoing-webhooks/{webhook}', 'CRM sync', /\/deliveries/],
  ['owner', '/integrations/incoming-webhooks/{incoming}', 'Demo form', /\/deliveries/],
  ['owner', '/integrations/push-data', 'Push Data', /\/push-requests/],
  ['partner', '/dashboard', 'Dashboard', /\/links$/, 'Your link'],
  ['partner', '/partner/settings', 'Settings', /\/balance$/, 'Your next payout'],
  ['administrator', '/admin/accounts/{account}', 'Harbor Analytics', /\/stats$/],
  ['administrator', '/user/profile', 'Profile', /\/sessions$/, 'Sessions'],
]

for (const role of roles)
  test.describe(`${role}, one call lost`, () => {
    const page = pageOf(() => populated[role], beginNowhere)
    for (const [, path, h1, call, panel] of oneCallLost.filter(([who]) => who === role))
      test(`${call.source} at ${path}`, async () => {
        const [screen, road] = [page.current(), page.road()]
        await expireCache(screen)
        await road.cut(new RegExp(`^(?!.*(?:${call.source}))`))
        await visitPath(screen, at(path))
        await expect(pageHeading(screen, h1)).toBeVisible()
        await expect(async () => {
          await screen.clock.fastForward(500)
          await expect(failureMessage(screen)).toHaveCount(1, { timeout: 100 })
          await expect(loadingMarks(screen)).toHaveCount(0, { timeout: 100 })
        }).toPass()
        if (panel) await expect(failureMessage(screen.getByRole('region', { name: panel, exact: true }))).toHaveCount(1)
        await road.open()
        await mend(screen)
        if (panel) await expect(screen.getByRole('region', { name: panel, exact: true })).toBeFocused()
        expect(filterUnforeseen(page.complaints)).toEqual([])
      })
  })

test.describe('an owner, without a server', () => {
  const page = pageOf(() => populated.owner)
  const here = (screen: Page) => screen.evaluate(() => Object.assign(window, { here: true }))
  const expectNoNewDocument = async (screen: Page) =>
    expect(await screen.evaluate(() => (window as { here?: boolean }).here)).toBe(true)

  test('from the first call on', async () => {
    const [screen, road] = [page.current(), page.road()]
    await road.cut()
    await open(screen, '/links')
    await expect(pageHeading(screen, 'Failed to load')).toBeVisible()
    await here(screen)
    // The server is still unreachable.
    await again(screen).click()
    await expect(again(screen)).toBeEnabled()
    await road.cut(/\/users\/me$/)
    await again(screen).click()
    // The shell is shown; the account's gate does not open.
    await expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(pageHeading(screen, 'Failed to load')).toBeVisible()
    await road.open()
    await again(screen).click()
    await expect(pageHeading(screen, 'Links')).toBeVisible()
    await expectNoNewDocument(screen)
    expect(filterUnforeseen(page.complaints)).toEqual([])
  })

  test('without a network', async () => {
    const [screen, road] = [page.current(), page.road()]
    const banner = screen.getByText('You are offline. Changes are not saved.')
    await road.open()
    await open(screen, '/partners')
    await expect(screen.getByRole('table', { name: 'Partners' })).toBeVisible()
    await open(screen, '/links')
    await expect(screen.getByRole('table', { name: 'Links' })).toBeVisible()
    await here(screen)
    await screen.context().setOffline(true)
    await expect(banner).toBeVisible()
    await screen.getByLabel('Search links').fill('spring')
    await expect(failureMessage(screen)).toBeVisible()
    await screen.context().setOffline(false)
    await expect(banner).toBeHidden()
    await expect(screen.getByRole('link', { name: 'Spring offer' })).toBeVisible()
    await expectNoNewDocument(screen)
    expect(filterUnforeseen(page.complaints)).toEqual([])
  })

  test('for a drop-down: opening it again retries', async () => {
    const [screen, road] = [page.current(), page.road()]
    await road.open()
    await open(screen, '/leads/new')
    const partner = screen.getByRole('combobox', { name: 'Partner' })
    await expect(partner).toBeVisible()
    await road.cut()
    await partner.click()
    await expect(screen.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
    await expect(screen.getByRole('status').filter({ hasText: 'An error occurred' })).toBeVisible()
    await screen.keyboard.press('Escape')
    await road.open()
    await partner.click()
    await expect(screen.getByRole('option', { name: /^Jane Whitfield/ })).toBeVisible()
    await screen.keyboard.press('Escape')
    expect(filterUnforeseen(page.complaints)).toEqual([])
  })

  test('for a write: no input is lost, and it takes effect once', async ({ browser }) => {
    const { site } = populated
    const owner = await anOwner(site)
    const complaints: string[] = []
    const screen = await signedInPage(browser, site, owner, complaints)
    const road = await interceptCalls(screen)
    await open(screen, '/leads/new')
    const email = 'lost.answer@weather.example'
    await screen.getByLabel('First Name').fill('Lou')
    await screen.getByLabel('Email').fill(email)
    const add = screen.getByRole('button', { name: 'Add lead' })
    const keys: (string | undefined)[] = []
    const sent = (request: { method(): string; headers(): Record<string, string> }) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key'])
    }
    screen.on('request', sent)
    const refused = screen.getByRole('alert').filter({ hasText: 'We couldn’t reach the server.' })

    await road.cut()
    await add.click()
    await expect(refused).toBeFocused()
    await road.open()
    // The server does the work; only its answer is lost.
    const lose = /\/accounts\/[^/]+\/leads$/
    await screen.route(
      (url) => lose.test(url.pathname),
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await add.click()
    await expect.poll(() => keys.length).toBe(2)
    await expect(refused).toBeFocused()
    await expect(screen.getByLabel('First Name')).toHaveValue('Lou')
    await expect(screen.getByLabel('Email')).toHaveValue(email)
    await add.click()
    await expect(pageHeading(screen, 'Lou')).toBeVisible()
    screen.off('request', sent)
    expect(keys).toEqual([keys[0], keys[0], keys[0]])
    const { token, id } = owner
    const found = expectOk(await site.api('GET', `/accounts/${id}/leads?search=${email}`, { token }))
    expect(found.body.total).toBe(1)
    expect(filterUnforeseen(complaints)).toEqual([])
    await screen.context().close()
  })

  const inDialog = (screen: Page) => screen.getByRole('dialog')
  const triedAgain: [path: string, call: string, button: string, fill: (screen: Page) => Promise<unknown>][] = [
    [
      '/user/profile',
      '**/auth/change-password',
      'Change password',
      async (screen) => {
        await screen.getByLabel('Current Password').fill('not-what-it-is-55')
        await screen.getByLabel('New Password').fill('something-longer-77')
        await screen.getByLabel('Confirm Password').fill('something-longer-77')
      },
    ],
    [
      '/user/profile',
      '**/users/me/tokens',
      'Add access token',
      async (screen) => {
        await screen.getByRole('button', { name: 'Add access token' }).click()
        await inDialog(screen).getByLabel('Name').fill('Desk')
        await inDialog(screen).getByLabel('Expires').selectOption('In 30 days')
      },
    ],
    [
      '/integrations/push-data',
      '**/api-keys',
      'Add API key',
      async (screen) => {
        await screen.getByRole('button', { name: 'Add API key' }).click()
        await inDialog(screen).getByLabel('Name').fill('Desk')
        await inDialog(screen).getByLabel('Read data').check()
        await inDialog(screen).getByLabel('Expires').selectOption('In 30 days')
      },
    ],
    [
      '/integrations/outgoing-webhooks/{webhook}',
      '**/outgoing-webhooks/*/retries',
      'Resend failed',
      async (screen) => {
        await screen
          .getByRole('group', { name: 'Page actions' })
          .getByRole('button', { name: /^Actions for / })
          .click()
        await screen.getByRole('menuitem', { name: 'Resend failed' }).click()
      },
    ],
  ]
  for (const [path, call, button, fill] of triedAgain)
    test(`resubmitting after an error repeats the same attempt of '${button}'`, async () => {
      const [screen, road] = [page.current(), page.road()]
      await road.open()
      await open(screen, path)
      await fill(screen)
      const tried: (string | null | undefined)[][] = []
      const send = screen.getByRole('button', { name: button, exact: true }).last()
      for (let times = 0; times < 2; times++) {
        await screen.route(call, (route) => {
          const request = route.request()
          if (request.method() === 'GET') return route.fallback()
          tried.push([request.headers()['idempotency-key'], request.postData()])
          return route.fulfill({ status: 504, body: '' })
        })
        await send.click()
        await expect.poll(() => tried.length).toBe(times + 1)
        // while the form is sent, the locator finds the button below the dialog, the last of this name
        await expect(screen.getByRole('button', { name: 'Please wait...' })).toHaveCount(0)
        await expect(send).toBeEnabled()
        await screen.unroute(call)
      }
      expect(tried[1]).toEqual(tried[0])
      expect(filterUnforeseen(page.complaints, 504)).toEqual([])
    })

  test('with a screen that crashes, the shell stays', async () => {
    const [screen, road] = [page.current(), page.road()]
    await road.open()
    await screen.route('**/dashboard/*', (route) => route.fulfill({ json: {} }), { times: 1 })
    await open(screen, '/dashboard')
    await expect(pageHeading(screen, 'Failed to load')).toBeVisible()
    await expect(screen.getByText(/^Error \w+$/)).toBeVisible()
    await expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
    page.complaints.splice(0)
    await again(screen).click()
    await expect(pageHeading(screen, 'Dashboard')).toBeVisible()
    expect(filterUnforeseen(page.complaints)).toEqual([])
  })

  test('with a screen whose code does not load', async () => {
    const [screen, road] = [page.current(), page.road()]
    const code = /\/assets\/PushData-[\w-]+\.js$/
    await road.open()
    await screen.clock.install()
    await open(screen, '/links')
    await expect(pageHeading(screen, 'Links')).toBeVisible()
    await screen.route(code, () => undefined)
    await screen.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Push Data' }).click()
    await expect(screen.getByRole('status', { name: 'Loading...' })).toBeVisible()
    await screen.clock.fastForward(119_000)
    await expect(failureMessage(screen)).toHaveCount(0)
    await screen.clock.fastForward(1_100)
    await expect(pageHeading(screen, 'Failed to load')).toBeVisible()
    await expect(screen.getByText(/^Error \w+$/)).toBeVisible()
    await expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await screen.unroute(code)
    page.complaints.splice(0)
    await again(screen).click()
    await expect(pageHeading(screen, 'Push Data')).toBeVisible()
    expect(filterUnforeseen(page.complaints)).toEqual([])
  })
})

test.describe('signed out', () => {
  let page: Page
  let road: Road
  const complaints: string[] = []
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext()).newPage()
    await failOnPageErrors(page, complaints)
    road = await interceptCalls(page)
  })
  test.afterAll(() => page?.context().close())

  const forms: [path: string, button: string, fill: Record<string, string>][] = [
    ['/auth/sign-in', 'Sign in', { Email: 'elena@harbor.example', Password: 'copper-meadow-71-sail' }],
    ['/auth/reset-password', 'Send reset link', { Email: 'elena@harbor.example' }],
    ['/user-setup', 'Send a new link', { Email: 'elena@harbor.example' }],
  ]
  for (const [path, button, fill] of forms)
    test(`${button}, slowly, then without a server`, async () => {
      await road.open()
      await open(page, path)
      for (const [label, value] of Object.entries(fill)) await page.getByLabel(label, { exact: true }).fill(value)
      road.hold()
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect(page.getByRole('button', { name: 'Please wait...' })).toBeDisabled()
      await road.cut()
      await expect(page.getByRole('alert')).toContainText('We couldn’t reach the server.')
      await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled()
      for (const [label, value] of Object.entries(fill))
        await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
      expect(filterUnforeseen(complaints)).toEqual([])
    })

  test('the network counts as idle despite requests from before a step within the document', async () => {
    await road.open()
    await open(page, '/auth/sign-in')
    await road.quiet()
    road.hold()
    await page.evaluate(() => void fetch('/api/v1/before-the-step').catch(() => undefined))
    await expect.poll(road.waiting).toEqual(['GET /before-the-step'])
    await page.evaluate(() => history.replaceState({}, '', '?a=step'))
    await road.quiet()
    await road.cut()
    complaints.splice(0)
  })

  test('a set-up link on a slow network, then without a server', async () => {
    road.hold()
    await open(page, '/user-setup{setUpToken}')
    await expect(pageHeading(page, 'Set up your account')).toBeVisible()
    await expect(shapes(page)).not.toHaveCount(0)
    await road.cut()
    await expect(failureMessage(page)).toBeVisible()
    await road.open()
    await again(page).click()
    await expect(page.getByRole('button', { name: 'Finish setup' })).toBeVisible()
    expect(filterUnforeseen(complaints)).toEqual([])
  })
})
