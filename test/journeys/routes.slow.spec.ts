import type { Locator, Page } from '@playwright/test'
import { expectAccessible, failOnPageErrors, filterUnexpected } from '../support/browser.ts'
import { failureMessage, interceptFor, listScreens, loadingMarks, type Road } from '../support/intercept-calls.ts'
import {
  atRest,
  expectAccessibleInBothThemes,
  pageHeading,
  reopenScreen,
  signedInPage,
  visitPath,
} from '../support/journey.ts'
import { clearLayoutShifts, readLayoutShifts, watchJumps } from '../support/layout-shifts.ts'
import type { Populated } from '../support/populated-account.ts'
import {
  depositForm,
  emptyScreens,
  entries,
  fillPath,
  paths,
  type RoleName,
  roles,
  type Screen,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every address for every role: the screen on its way with a slow server, then with its agreed heading, buttons and
// labels, and without a finding of axe, or the redirect. weather.slow.spec.ts has the screens after a failure.

let populated: Populated
const at = (path: string) => fillPath(path, populated.things)
const pageOf = interceptFor(() => populated.site)
const open = (page: Page, path: string) => page.goto(`${populated.site.url}${at(path)}`)

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

const firstScreen: Record<RoleName, { path: string; h1: string }> = {
  owner: { path: '/dashboard', h1: 'Dashboard' },
  partner: { path: '/dashboard', h1: 'Dashboard' },
  administrator: { path: '/admin/accounts', h1: 'Accounts' },
}

/** Addresses that only redirect. */
const shortened: Record<RoleName, [from: string, to: string, h1: string][]> = {
  owner: [
    ['/', '/dashboard', 'Dashboard'],
    ['/account', '/account/settings', 'Settings'],
    ['/user', '/user/profile', 'Profile'],
  ],
  partner: [
    ['/', '/dashboard', 'Dashboard'],
    ['/partner', '/partner/settings', 'Settings'],
  ],
  administrator: [
    ['/', '/admin/accounts', 'Accounts'],
    ['/admin', '/admin/accounts', 'Accounts'],
  ],
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** A name that ends in a colon is followed by the chosen value. */
const named = (name: string) => (name.endsWith(':') ? new RegExp(`^${escaped(name)}`) : name)

const buttonOf = (within: Page | Locator, name: string) => {
  const options = { name: named(name), exact: true }
  return within.getByRole('button', options).or(within.getByRole('link', options)).first()
}

const isRare = (name: string) => name.startsWith('*')
const rareMenu = (page: Page) =>
  page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: /^(Actions for |More$)/ })

async function expectContract(page: Page, screen: Screen, program = 'Harbor Analytics') {
  const {
    h1,
    title = h1,
    buttons = [],
    labels = [],
    tabs = [],
    dialogs = {},
    chosen = {},
    rows = {},
    lacks = [],
  } = screen
  const main = page.getByRole('main')
  await expect(pageHeading(page, h1)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  // A partner sees the program's name on each of their screens.
  const ofProgram = screen.role === 'partner' && !/^\/(user|oauth)(\/|$)/.test(screen.path)
  await expect(page).toHaveTitle(ofProgram ? `${h1} · ${program} · Tributary` : `${title} · Tributary`)
  for (const name of buttons.filter((name) => !isRare(name))) await expect(buttonOf(main, name), name).toBeVisible()
  for (const name of tabs) await expect(main.getByRole('tab', { name, exact: true })).toBeVisible()
  for (const name of labels)
    await expect(main.getByLabel(name, { exact: true }), `controls named ${name}`).toHaveCount(1)
  for (const name of lacks) {
    await expect(buttonOf(main, name)).toHaveCount(0)
    await expect(main.getByLabel(name, { exact: true })).toHaveCount(0)
  }

  for (const [begins, items] of Object.entries(rows)) {
    const menu = main.getByRole('button', { name: new RegExp(`^Actions for ${escaped(begins)}`) }).first()
    await menu.click()
    for (const name of items) await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
  }

  const rare = buttons.filter(isRare)
  if (rare.length) await rareMenu(page).click()
  for (const name of rare) await expect(page.getByRole('menuitem', { name: name.slice(1), exact: true })).toBeVisible()
  if (rare.length) {
    await page.keyboard.press('Escape')
    await expect(rareMenu(page)).toBeFocused()
  }

  for (const [name, labels] of Object.entries(dialogs)) {
    if (isRare(name)) {
      await rareMenu(page).click()
      await page.getByRole('menuitem', { name: name.slice(1), exact: true }).click()
    } else await buttonOf(main, name).click()
    const dialog = page.getByRole('dialog')
    for (const label of labels)
      await expect(dialog.getByLabel(label, { exact: true }), `controls named ${label}`).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  if (buttons.includes('More options')) await buttonOf(main, 'More options').click()
  for (const [choice, more] of Object.entries(chosen)) {
    await main.getByLabel(choice, { exact: true }).check()
    for (const label of more) await expect(main.getByLabel(label, { exact: true }), label).toHaveCount(1)
  }
}

/** Removes the query, which only selects a part of the page. */
const addressOf = (path: string) => path.split('?')[0]

/** Replaces ids of known things in calls by their names. */
function callsByName(calls: readonly string[]) {
  const things = Object.entries(populated.things)
  return calls.map((call) =>
    call
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => `{${things.find(([, known]) => known === id)?.[0] ?? 'id'}}`)
      .replace(/\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d/, '{range}'),
  )
}

/**
 * Calls that a screen makes only after an answer, because the answer names their object; all others are sent at once.
 */
const afterwards: Record<string, string[]> = {
  // for the number of duplicates
  'owner /leads': ['GET /accounts/{account}/leads'],
  'partner /leads': ['GET /partners/{partner}/leads'],
  'partner /leads?tab=sales': ['GET /partners/{partner}/leads'],
  'partner /leads?tab=unattributed': ['GET /partners/{partner}/leads'],
  'owner /partners/{partner}': ['GET /partners/{partner}/invitation'],
  'owner /partners/{partner}?tab=payouts': ['GET /partners/{partner}/invitation'],
  'owner /partners/{partner}?tab=commissions': [
    'GET /partners/{partner}/invitation',
    'GET /partners/{partner}/payouts/forecast',
  ],
  // for the paydays to choose from
  'partner /partners/{partner}?tab=commissions': ['GET /partners/{partner}/payouts/forecast'],
  'owner /partners/{subPartner}': ['GET /partners/{partner}', 'GET /partners/{subPartner}/invitation'],
  'owner /partners/{subPartner}/update': ['GET /partners/{partner}'],
  'owner /leads/{newLead}': ['GET /accounts/{account}/leads/similar'],
  'owner /leads/{lead}/update': ['GET /partners/{partner}'],
  'owner /leads/{lead}/new-sale': ['GET /partners/{partner}/terms'],
  // for 'Test a sale', once the terms are there
  'owner /account/settings?tab=commission': ['GET /accounts/{account}/partners'],
  // of the saved texts, which it shows
  'owner /account/settings?tab=program': ['POST /accounts/{account}/program/preview'],
  'owner /payouts/{payout}': ['GET /partners/{partner}/payout-settings', 'POST /accounts/{account}/payouts/approve'],
  'partner /partner/payouts/{payout}': ['GET /partners/{partner}/payout-settings'],
  'owner /commissions/{commission}': ['GET /partners/{partner}/balance'],
  'partner /commissions/{commission}': ['GET /partners/{partner}/balance'],
  'owner /integrations/incoming-webhooks/{incoming}/update': ['POST /incoming-webhooks/{incoming}/test'],
  // its panel is below the form
  'partner /partner/settings': ['GET /partners/{partner}/tax-form'],
  'partner /partners/{subPartner}': ['GET /partners/{subPartner}/invitation'],
}

/** Calls after an owner's screen has loaded, on whose answers nothing waits. */
const besides = [
  // its table is code of its own, which comes with the tab or just after it
  'GET /accounts/{account}/erasures',
  'GET /accounts/{account}/imports',
  'GET /accounts/{account}/bulk-actions',
  'POST /accounts/{account}/payouts/refresh',
  // a field starts with the shipped ones
  'GET /languages',
]
const ofScreen = (calls: readonly string[]) => callsByName(calls).filter((call) => !besides.includes(call))

/** Lets the answers of a first load through, round by round. */
async function inRounds(page: Page, road: Road, path: string) {
  road.hold()
  await open(page, path)
  await road.someWait()
  await road.quiet()
  expect(road.waiting()).toEqual(['GET /users/me'])
  await road.release()
  await road.quiet()
  return road.waiting()
}

/** Checks a first load with held answers: every panel has its place meanwhile, and nothing jumps. */
async function expectOnItsWay(page: Page, road: Road, { role, path, h1, unloaded = h1, still }: Screen) {
  /** The call that the shell needs; an administrator sees an account on its own screen. */
  const ofGate = role === 'administrator' ? /^(?!)/ : /^GET \/accounts\/[^/]+$/
  const requests = await inRounds(page, road, path)
  await road.release(ofGate)
  await expect(pageHeading(page, unloaded)).toBeVisible()
  await road.quiet()
  // No call had to wait for the gate; every panel has its place, without contents.
  expect(ofScreen(road.waiting())).toEqual(ofScreen(requests.filter((call) => !ofGate.test(call))))
  if (!still) await expect(loadingMarks(page)).not.toHaveCount(0)
  await expect(page.getByText(/No data to show|Failed to load|\$0\.00/)).toHaveCount(0)
  const before = await pageHeading(page, unloaded).boundingBox()
  await clearLayoutShifts(page)

  await road.release()
  await expect(pageHeading(page, h1)).toBeVisible()
  await road.quiet()
  await expect.poll(() => ofScreen(road.waiting())).toEqual(afterwards[`${role} ${path}`] ?? [])
  await road.open()
  await expect(loadingMarks(page)).toHaveCount(0)
  expect(await pageHeading(page, h1).boundingBox()).toMatchObject({ x: before?.x, y: before?.y })
  const { by, what } = await readLayoutShifts(page)
  expect(by, what).toBeLessThan(0.1)
}

for (const role of roles)
  test.describe(role, () => {
    const of = pageOf(
      () => populated[role],
      async (page) => {
        await watchJumps(page)
        await page.goto(`${populated.site.url}/`)
        await expect(pageHeading(page, firstScreen[role].h1)).toBeVisible()
      },
    )

    test.beforeEach(() => of.road().open())

    test.afterEach(() => expect(filterUnexpected(of.complaints.splice(0), 404)).toEqual([]))

    for (const screen of listScreens(role))
      test(`finds ${screen.h1} at ${screen.path}`, async () => {
        const page = of.current()
        if (screen.still && !screen.labels) await open(page, screen.path)
        else await test.step('loading', () => expectOnItsWay(page, of.road(), screen))
        await test.step('loaded', async () => {
          await expect(pageHeading(page, screen.h1)).toBeVisible()
          await atRest(page)
          await expect(failureMessage(page)).toHaveCount(0)
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
        })
        await test.step('accessible', () => expectAccessibleInBothThemes(page))
        await test.step('as specified', () => expectContract(page, screen))
        if (screen.buttons?.includes('More options'))
          await test.step('accessible, with all options', () => expectAccessible(page))
        expect(of.complaints.splice(0)).toEqual([])
      })

    const own = listScreens(role).map(({ path }) => addressOf(path))
    for (const path of paths.filter((path) => !own.includes(addressOf(path))))
      test(`is redirected home from ${path}`, async () => {
        const page = of.current()
        await visitPath(page, at(path))
        await expect(page).toHaveURL(`${populated.site.url}${firstScreen[role].path}`)
        await expect(pageHeading(page, firstScreen[role].h1)).toBeVisible()
      })

    for (const [from, to, h1] of shortened[role])
      test(`is redirected from ${from}`, async () => {
        const page = of.current()
        await open(page, from)
        await expect(page).toHaveURL(`${populated.site.url}${to}`)
        await expect(pageHeading(page, h1)).toBeVisible()
      })

    test('finds nothing at an unknown address', async () => {
      const page = of.current()
      await open(page, '/no/such/page')
      await expect(pageHeading(page, 'Page not found')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Go to home' })).toBeVisible()
      await expect(page.getByRole('navigation')).toBeHidden()
    })
  })

test.describe('the dashboards are complete after two round trips', () => {
  const gate = (account: string) => [`GET /accounts/${account}`]
  const ofOwner = ['/dashboard/{range}', '/payment-providers', '/stats']
  // its table of all links and its promotion codes are read once they are unfolded
  const ofPartner = [
    ...[
      '',
      '/announcements',
      '/assets',
      '/balance',
      '/goals',
      '/historical-stats/{range}',
      '/historical-stats/{range}',
    ],
    ...['/links', '/payouts/forecast', '/questions', '/terms'],
  ]
  const second: Record<'owner' | 'partner', () => string[]> = {
    owner: () => [...gate('{account}'), ...ofOwner.map((path) => `GET /accounts/{account}${path}`)],
    partner: () => [
      ...gate('{account}'),
      'GET /accounts/{account}/agreement/versions',
      ...ofPartner.map((path) => `GET /partners/{partner}${path}`),
    ],
  }
  for (const who of ['owner', 'partner'] as const) {
    const page = pageOf(() => populated[who])
    test(who, async () => {
      const [screen, road] = [page.current(), page.road()]
      road.hold()
      const code = screen.waitForResponse(/\/assets\/dashboard-[\w-]+\.js$/)
      await open(screen, '/dashboard')
      // The screen's code does not wait for the first answer.
      await code
      await expect.poll(road.waiting).toEqual(['GET /users/me'])
      await road.release()
      await expect.poll(() => callsByName(road.waiting()).sort()).toEqual(second[who]().sort())
      await road.release()
      await expect(screen.getByRole('figure').first()).toBeVisible()
      await expect(loadingMarks(screen)).toHaveCount(0)
      await road.quiet()
      expect(ofScreen(road.waiting())).toEqual([])
    })
  }
})

for (const { who, paths } of emptyScreens)
  test.describe(`${who}, with nothing to show`, () => {
    const of = pageOf(
      () => populated[who],
      (page) => open(page, '/no/such/page'),
    )
    for (const [path, h1] of paths)
      test(path, async () => {
        const page = of.current()
        await reopenScreen(page, at(path))
        await expect(pageHeading(page, h1)).toBeVisible()
        await expectAccessibleInBothThemes(page)
        // There is no embed code in a new account: the browser itself logs the answer of 404.
        expect(filterUnexpected(of.complaints.splice(0), 404)).toEqual([])
      })
  })

test.describe('signed out', () => {
  let page: Page
  const complaints: string[] = []

  test.beforeAll(async ({ browser }) => {
    const context = await browser.newContext()
    page = await context.newPage()
    await failOnPageErrors(page, complaints)
  })

  test.afterAll(async () => {
    await page?.context().close()
  })

  test.afterEach(() => expect(complaints.splice(0)).toEqual([]))

  for (const path of paths)
    test(`is asked to sign in at ${path}, and comes back`, async () => {
      await open(page, path)
      await expect(pageHeading(page, 'Sign in')).toBeVisible()
      await expect(page).toHaveURL(`${populated.site.url}/auth/sign-in?${new URLSearchParams({ return: at(path) })}`)
    })

  for (const { path, buttons = [], labels = [], ...entry } of entries)
    test(`finds ${entry.h1} at ${path}`, async () => {
      await open(page, path)
      await expect(pageHeading(page, entry.h1)).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page).toHaveTitle(`${entry.h1} · Tributary`)
      for (const name of buttons) await expect(buttonOf(page, name), name).toBeVisible()
      for (const name of labels)
        await expect(page.getByLabel(name, { exact: true }), `controls named ${name}`).toHaveCount(1)
      await expect(loadingMarks(page)).toHaveCount(0)
      await expectAccessibleInBothThemes(page)
      if (entry.isGone) expect(filterUnexpected(complaints.splice(0), 401, 404)).toEqual([])
    })

  test('is shown a failure', async () => {
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await open(page, '/auth/sign-in')
    await page.getByLabel('Email').fill('elena@harbor.example')
    await page.getByLabel('Password', { exact: true }).fill('copper-meadow-71-sail')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toContainText('Something went wrong on the server')
    await expectAccessibleInBothThemes(page)
    await open(page, '/user-setup{setUpToken}')
    await expect(failureMessage(page)).toBeVisible()
    await expectAccessibleInBothThemes(page)
    expect(filterUnexpected(complaints.splice(0), 500)).toEqual([])
  })
})

test('an account that cannot be loaded, and a disabled one', async ({ browser }) => {
  const page = await signedInPage(browser, populated.site, populated.newOwner, [])
  let disabled = false
  await page.route(`**/api/v1/accounts/${populated.newOwner.id}`, async (route) => {
    if (!disabled) return route.fulfill({ status: 400, body: '{}' })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), disabledAt: new Date().toISOString() } })
  })
  await open(page, '/dashboard')
  await expect(failureMessage(page)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  disabled = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(pageHeading(page, 'This account is disabled.')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.context().close()
})

test('a partner without payout details is asked for them', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, populated.site, populated.newPartner, complaints)
  await page.goto(`${populated.site.url}/partner/settings`)
  await expectContract(page, depositForm, 'Cobalt Fitness')
  await page.goto(`${populated.site.url}/partners`)
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add partner' })).toHaveCount(0)
  expect(filterUnexpected(complaints, 404)).toEqual([])
  await page.context().close()
})

test('a new owner is asked for a provider’s key, a code to embed and a Wise token', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, populated.site, populated.newOwner, complaints)
  const found = async (path: string, screen: Pick<Screen, 'h1' | 'title' | 'buttons' | 'labels' | 'dialogs'>) => {
    await page.goto(`${populated.site.url}${path}`)
    await expectContract(page, { path, role: 'owner', ...screen })
  }
  const secrets = ['Restricted Key', 'Webhook Signing Secret']
  await found('/integrations/payment-providers', { h1: 'Payment Providers', dialogs: { 'Connect Stripe': secrets } })
  await found('/account/settings?tab=payouts', {
    h1: 'Settings',
    title: 'Payouts · Settings',
    buttons: ['Load'],
    labels: ['API Token'],
  })
  await found('/integrations/push-data', {
    h1: 'Push Data',
    buttons: ['Create push key'],
    labels: ['Base URL'],
  })
  await found('/integrations/embed-code', { h1: 'Embed Code', buttons: ['Save changes'], labels: ['Allowed Domains'] })
  // There is no embed code yet.
  expect(filterUnexpected(complaints, 404)).toEqual([])
  await page.context().close()
})

test('another account’s object looks like a missing one', async ({ browser }) => {
  const page = await signedInPage(browser, populated.site, populated.newOwner, [])
  await open(page, '/no/such/page')
  const shownAt = async (path: string) => {
    await reopenScreen(page, at(path))
    await expect(page.getByText('Failed to load')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notice' })).toBeVisible()
    return page.getByRole('main').innerText()
  }
  for (const thing of ['partner', 'lead', 'link', 'payout', 'commission'])
    expect(await shownAt(`/${thing}s/{${thing}}`)).toBe(await shownAt(`/${thing}s/{nothing}`))
  for (const [list, thing] of [
    ['outgoing-webhooks', 'webhook'],
    ['incoming-webhooks', 'incoming'],
  ])
    expect(await shownAt(`/integrations/${list}/{${thing}}`)).toBe(await shownAt(`/integrations/${list}/{nothing}`))
  await page.context().close()
})

test('Back returns through the tabs opened, as filtered, and then to the page before', async ({ browser }) => {
  const complaints: string[] = []
  const page = await signedInPage(browser, populated.site, populated.owner, complaints)
  await page.goto(`${populated.site.url}/partners`)
  await page.getByRole('main').getByRole('link', { name: 'Jane Whitfield' }).click()
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const isOpen = (name: string) => expect(tab(name)).toHaveAttribute('aria-selected', 'true')
  await isOpen('Overview')
  const places = () => page.getByRole('tab').evaluateAll((tabs) => tabs.map((one) => one.getBoundingClientRect().width))
  // counts appear after the tabs
  for (const counted of ['Leads', 'Payouts']) await expect(tab(counted).getByText(/^\d/)).toBeVisible()
  const before = await places()
  await tab('Leads').click()
  await isOpen('Leads')
  expect(await places(), 'choosing a tab moves no other').toEqual(before)
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Won' })
  await expect(page).toHaveURL(/tab=leads&status=won/)
  await tab('Payouts').click()
  await isOpen('Payouts')
  await expect(page).not.toHaveURL(/status=/)
  // Pressing the tab again adds no history entry.
  await tab('Payouts').click()

  await page.goBack()
  await isOpen('Leads')
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('won')
  await page.goBack()
  await isOpen('Overview')
  await page.goForward()
  await isOpen('Leads')
  await page.goBack()
  await page.goBack()
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  expect(complaints).toEqual([])
  await page.context().close()
})
