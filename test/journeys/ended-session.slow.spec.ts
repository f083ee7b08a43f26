import type { Page } from '@playwright/test'
import { signIn } from '../support/app.ts'
import {
  failureMessage,
  filterUnforeseen,
  interceptCalls,
  interceptFor,
  listScreens,
  loadingMarks,
  type Road,
} from '../support/intercept-calls.ts'
import { pageHeading, signInOnScreen, visitPath } from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import { fillPath, roles, screens } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every screen after the session has ended meanwhile: people sign in, and return to where they were.

let populated: Populated
const at = (path: string) => fillPath(path, populated.things)
const pageOf = interceptFor(() => populated.site)

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

const open = (page: Page, path: string) => page.goto(`${populated.site.url}${at(path)}`)

const ENDED = { accessToken: 'worn-out', refreshToken: 'ended' }
const storeSession = (page: Page, session: object) =>
  page.evaluate((kept) => localStorage.setItem('tributary.session', JSON.stringify(kept)), session)
const readSession = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('tributary.session') ?? 'null'))
const renewals = (road: Road) => road.asked().filter((call) => call === 'POST /auth/refresh').length

/** Runs in the page: a failure that is there only for a moment counts, too. */
function logFailures() {
  new MutationObserver(() => {
    // biome-ignore lint/suspicious/noConsole: this runs in the page; the console is how it reaches the test
    if (document.body?.textContent.includes('Failed to load')) console.error('it said: Failed to load')
  }).observe(document, { childList: true, subtree: true })
}

async function sessionOf({ email, password }: { email: string; password?: string }) {
  const { token, refreshToken } = await signIn(populated.site, email, password)
  return { accessToken: token, refreshToken }
}

async function expectToSignIn(page: Page, path: string) {
  await expect(pageHeading(page, 'Sign in')).toBeVisible()
  await expect(page).toHaveURL(`${populated.site.url}/auth/sign-in?${new URLSearchParams({ return: at(path) })}`)
  expect(await readSession(page)).toBeNull()
}

for (const role of roles)
  test.describe(`${role}, whose session has just ended`, () => {
    let good: object
    const page = pageOf(
      () => populated[role],
      async (page) => {
        good = await sessionOf(populated[role])
        await page.addInitScript(logFailures)
      },
    )
    const ofOthers = screens
      .filter((screen) => roles.indexOf(screen.role) < roles.indexOf(role))
      .map(({ path }) => path)
    const own = listScreens(role).filter(({ path, still }) => !still && !path.includes('?') && !ofOthers.includes(path))
    for (const { path, h1 } of own)
      test(path, async () => {
        const [screen, road] = [page.current(), page.road()]
        // a new document has nothing cached of the screen before
        await open(screen, '/no/such/page')
        await expect(pageHeading(screen, 'Page not found')).toBeVisible()
        await storeSession(screen, ENDED)
        road.asked()
        await visitPath(screen, at(path))
        await expectToSignIn(screen, path)
        expect(renewals(road)).toBe(1)
        await storeSession(screen, good)
        await screen.reload()
        await expect(pageHeading(screen, h1)).toBeVisible()
        await expect(loadingMarks(screen)).toHaveCount(0)
        expect(filterUnforeseen(page.complaints, 401)).toEqual([])
      })
  })

test.describe('a session that ends', () => {
  const page = pageOf(
    () => populated.owner,
    (page) => page.addInitScript(logFailures),
  )
  const press = (screen: Page, name: string) => screen.getByRole('button', { name, exact: true }).click()
  const writes: [path: string, h1: string, write: (screen: Page) => Promise<void>][] = [
    [
      '/partners/new',
      'Add partner',
      async (screen) => {
        await screen.getByLabel('Email').fill('nobody@weather.example')
        await press(screen, 'Add partner')
      },
    ],
    [
      '/account/settings?tab=attribution',
      'Settings',
      async (screen) => {
        await screen.getByLabel('Lead Protection (days)').fill('33')
        await press(screen, 'Save changes')
      },
    ],
    ['/links', 'Links', (screen) => screen.getByRole('switch', { name: 'Spring offer' }).click()],
    [
      '/partners/{partner}',
      'Jane Whitfield',
      async (screen) => {
        await press(screen, 'Add adjustment')
        const dialog = screen.getByRole('dialog')
        await dialog.getByLabel('Amount').fill('1')
        await dialog.getByLabel('Reason').fill('Thanks for the talk')
        await dialog.getByRole('button', { name: 'Add adjustment' }).click()
      },
    ],
    [
      '/user/profile',
      'Profile',
      async (screen) => {
        await screen.getByLabel('Current Password').fill('wherever-it-was-8')
        await screen.getByLabel('New Password').fill('something-longer-77')
        await screen.getByLabel('Confirm Password').fill('something-longer-77')
        await press(screen, 'Change password')
      },
    ],
  ]
  for (const [path, h1, write] of writes)
    test(`before a write at ${path}`, async () => {
      const [screen, road] = [page.current(), page.road()]
      const session = await sessionOf(populated.owner)
      await open(screen, '/no/such/page')
      await storeSession(screen, session)
      await open(screen, path)
      await expect(pageHeading(screen, h1)).toBeVisible()
      await expect(loadingMarks(screen)).toHaveCount(0)
      // The sidebar's calls come last.
      await road.quiet()
      // The session ends in another browser.
      await populated.site.api('POST', '/auth/sign-out', { body: { refreshToken: session.refreshToken } })
      road.asked()
      await write(screen)
      await expectToSignIn(screen, path)
      expect(renewals(road)).toBe(1)
      await signInOnScreen(screen, populated.owner)
      await expect(pageHeading(screen, h1)).toBeVisible()
      await expect(screen).toHaveURL(`${populated.site.url}${at(path)}`)
      expect(filterUnforeseen(page.complaints, 401)).toEqual([])
    })

  test('one renewal serves all pending calls, in both tabs', async () => {
    const [screen, road] = [page.current(), page.road()]
    const session = await sessionOf(populated.owner)
    await open(screen, '/no/such/page')
    await storeSession(screen, session)
    await open(screen, '/links')
    await expect(pageHeading(screen, 'Links')).toBeVisible()
    const other = await screen.context().newPage()
    const otherRoad = await interceptCalls(other)
    await open(other, '/links')
    await expect(pageHeading(other, 'Links')).toBeVisible()
    road.asked()
    otherRoad.asked()
    await storeSession(screen, { ...session, accessToken: 'worn-out' })
    await Promise.all([visitPath(screen, at('/partners/{partner}')), visitPath(other, '/payouts')])
    await expect(pageHeading(screen, 'Jane Whitfield')).toBeVisible()
    await expect(pageHeading(other, 'Payouts')).toBeVisible()
    for (const tab of [screen, other]) {
      await expect(loadingMarks(tab)).toHaveCount(0)
      await expect(failureMessage(tab)).toHaveCount(0)
    }
    expect(renewals(road) + renewals(otherRoad)).toBe(1)
    expect((await readSession(other)).refreshToken).not.toBe(session.refreshToken)

    // If there is nothing to renew, both are signed out.
    await storeSession(screen, ENDED)
    await Promise.all([visitPath(screen, '/leads'), visitPath(other, '/partners')])
    for (const tab of [screen, other]) await expect(pageHeading(tab, 'Sign in')).toBeVisible()
    expect(renewals(road) + renewals(otherRoad)).toBe(1)
    expect(filterUnforeseen(page.complaints, 401)).toEqual([])
    await other.close()
  })

  test('clearing the storage without an event requires signing in again', async () => {
    const screen = page.current()
    await open(screen, '/no/such/page')
    await storeSession(screen, await sessionOf(populated.owner))
    await open(screen, '/links')
    await expect(pageHeading(screen, 'Links')).toBeVisible()
    await screen.evaluate(() => localStorage.clear())
    await visitPath(screen, '/payouts')
    await expectToSignIn(screen, '/payouts')
    expect(filterUnforeseen(page.complaints, 401)).toEqual([])
  })
})
