import type { Page } from '@playwright/test'
import { aPartner, expectOk } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { hostileTexts } from '../support/form-fields.ts'
import { interceptCalls } from '../support/intercept-calls.ts'
import {
  anOwner,
  atRest,
  expectAccessibleInBothThemes,
  type Person,
  pageHeading,
  type Site,
  signedInPage,
} from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import { roles, screens } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// The palette and the keys of every page.

let populated: Populated
let site: Site
let owner: Person & { id: string }
const complaints: string[] = []

test.beforeAll(async ({ populated: shared, site: ours }) => {
  populated = shared
  site = ours
  owner = await anOwner(site, { name: 'Tidewater Goods' })
})

test.beforeEach(() => complaints.splice(0))
test.afterEach(() => expect(filterUnexpected(complaints, 404)).toEqual([]))

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' })
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or jump to' })
const group = (page: Page, name: string) => palette(page).getByRole('group', { name, exact: true })
const active = (page: Page) => palette(page).getByRole('option', { selected: true })
const keys = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

type Browser = Parameters<typeof signedInPage>[0]
type Options = Parameters<typeof signedInPage>[4]

async function opened(browser: Browser, who: Parameters<typeof signedInPage>[2], path: string, options: Options = {}) {
  const page = await signedInPage(browser, site, who, complaints, options)
  await page.goto(`${site.url}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await atRest(page)
  return page
}

/** Opens the palette and types. */
async function searchPalette(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(text)
}

/** Addresses linked only in a rare state of the account. */
const rare = ['/payouts/reconciliation', '/oauth/stripe']

for (const role of roles)
  test(`every page of the role ${role} is a few letters away`, async ({ browser }) => {
    test.setTimeout(60_000)
    const page = await opened(browser, populated[role], '/user/profile')
    const fixed = screens.filter(
      (screen) => screen.role === role && !/[{?]/.test(screen.path) && !rare.includes(screen.path),
    )
    // Screens for adding are offered to a partner if the account allows it.
    for (const { path, h1, title = h1 } of fixed) {
      const name = title.split(' · ')[0]!
      await searchPalette(page, name)
      await expect(active(page).first()).toContainText(name)
      await page.keyboard.press('Enter')
      await expect(palette(page)).toBeHidden()
      await expect(pageHeading(page, h1)).toBeFocused()
      await expect(page).toHaveURL((url) => url.pathname === path)
    }
    expect(fixed.length).toBeGreaterThan(2)
    await page.context().close()
  })

test('partners, leads and payouts are found by name and number, but nothing the role may not open', async ({
  browser,
}) => {
  const page = await opened(browser, populated.owner, '/dashboard')
  await searchPalette(page, 'whitf')
  await expect(group(page, 'Partners').getByRole('option')).toHaveText([/^Jane Whitfield/])
  await expect(group(page, 'Payouts').getByRole('option').first()).toHaveText(/^PO-\d+Jane Whitfield/)
  await field(page).fill('hannah')
  await expect(group(page, 'Leads').getByRole('option')).toHaveText([/^Hannah Cole/])
  await expect(group(page, 'Partners')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(pageHeading(page, 'Hannah Cole')).toBeFocused()
  await searchPalette(page, 'po-1')
  await expect(active(page)).toHaveText(/^PO-1/)
  await page.keyboard.press('Enter')
  await expect(pageHeading(page, 'Payout PO-1')).toBeFocused()
  for (const [words, found] of Object.entries({
    sales: 'Leads: Sales',
    refund: 'Leads: Sales',
    'api key': 'Push Data',
    'commission rate': 'Settings: Commission',
    'minimum payout': 'Settings: Payouts',
    approve: 'Payouts',
    dark: 'Profile',
    docs: 'Help',
  })) {
    await searchPalette(page, words)
    await expect(group(page, 'Pages').getByRole('option').first()).toContainText(found)
    await page.keyboard.press('Escape')
  }
  await page.context().close()

  const partner = await opened(browser, populated.partner, '/dashboard')
  await searchPalette(partner, '')
  await expect(group(partner, 'Pages').getByRole('option')).toHaveText([
    /^Dashboard/,
    /^Partners/,
    /^Leads/,
    /^Settings/,
    'Profile',
  ])
  await expect(group(partner, 'Actions').getByRole('option')).toHaveText([
    'Add partner',
    'Keyboard shortcuts',
    'Sign out',
  ])
  await field(partner).fill('sam')
  await expect(group(partner, 'Partners').getByRole('option')).toHaveText([/^Sam Ortiz/])
  await field(partner).fill('po-1')
  await expect(group(partner, 'Payouts').getByRole('option')).toHaveText([/^PO-1/])
  await partner.context().close()

  const administrator = await opened(browser, populated.administrator, '/admin/accounts')
  await searchPalette(administrator, 'harbor')
  await expect(group(administrator, 'Accounts').getByRole('option').first()).toHaveText(/^Harbor Analytics/)
  await administrator.keyboard.press('Enter')
  await expect(pageHeading(administrator, 'Harbor Analytics')).toBeFocused()
  await administrator.context().close()
})

test('the actions of the thing whose page is open are a few letters away, and none of another page', async ({
  browser,
}) => {
  const page = await opened(browser, populated.owner, `/leads/${populated.things.lead}`)
  const name = await page.getByRole('heading', { level: 1 }).innerText()
  await searchPalette(page, 'reassign')
  await expect(group(page, 'Actions').getByRole('option')).toHaveText([`Reassign${name}`])
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Reassign', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click()
  await expect(pageHeading(page, 'Links')).toBeFocused()
  await searchPalette(page, 'reassign')
  await expect(group(page, 'Actions')).toBeHidden()
  await page.context().close()
})

test('keys move the selection, Escape returns the focus, and a click outside closes it', async ({ browser }) => {
  const page = await opened(browser, populated.owner, '/links')
  const opener = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Search or jump to' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(active(page)).toHaveText(/^Dashboard/)
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText(/^Partners/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(active(page)).toHaveText('Sign out')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id')) ?? '')
  await expect(active(page)).toBeInViewport()
  // Its own key does not open a second one.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await field(page).fill('nothing of this name')
  await expect(palette(page).getByText('No results')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await page.mouse.click(4, 700)
  await expect(palette(page)).toBeHidden()
  await expect(pageHeading(page, 'Links')).toBeVisible()
  await page.context().close()
})

test('results of an earlier text are dimmed and cannot be selected; a failure is explained', async ({ browser }) => {
  for (const name of ['Alder One', 'Alder Two'])
    await aPartner(site, owner, { firstName: name.split(' ')[0], lastName: name.split(' ')[1] })
  const page = await opened(browser, owner, '/dashboard')
  const road = await interceptCalls(page)
  await searchPalette(page, 'alder')
  await expect(group(page, 'Partners').getByRole('option')).toHaveCount(2)
  await expect(active(page)).toHaveText(/^Alder/)
  road.hold()
  await field(page).fill('alder two')
  await expect(group(page, 'Partners')).toHaveAttribute('aria-busy', 'true')
  await expect(active(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeVisible()
  await road.open()
  await expect(group(page, 'Partners').getByRole('option')).toHaveText([/^Alder Two/])
  await expect(active(page)).toHaveCount(1)

  await page.route(/\/partners\?.*search=broken/, (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'You may not read this.' } } }),
  )
  await field(page).fill('broken')
  await expect(palette(page).getByRole('status').last()).toContainText('Partners: an error occurred. You may not read')
  complaints.splice(0)
  // Hostile text stays plain text.
  await field(page).fill('%_\\\'"<b>\u202e\u{1F600}')
  await expect(palette(page).getByText('No results')).toBeVisible()
  await page.context().close()
})

test('any input is plain text that finds nothing and never runs', async ({ browser }) => {
  const page = await opened(browser, owner, '/links')
  await page.keyboard.press('Control+k')
  for (const text of [...hostileTexts, 'x'.repeat(10_000)]) {
    await field(page).fill(`${text} of nobody`)
    await expect(palette(page).getByRole('option')).toHaveCount(0)
    await expect(palette(page).getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeVisible()
  }
  expect(await page.evaluate(() => (window as { __run?: unknown }).__run)).toBeUndefined()
  await page.context().close()
})

test('on a phone it is as wide as the window, and opens from the drawer', async ({ browser }) => {
  const page = await opened(browser, populated.owner, '/leads', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await expect(palette(page)).toBeVisible()
  expect(await palette(page).boundingBox()).toMatchObject({ x: 0, width: 390 })
  await expectAccessibleInBothThemes(page)
  await field(page).fill('jane')
  await palette(page)
    .getByRole('option', { name: /^Jane Whitfield/ })
    .first()
    .click()
  await expect(pageHeading(page, 'Jane Whitfield')).toBeVisible()
  await page.context().close()
})

test('single keys search, add and navigate, and do nothing in a field or below a dialog', async ({ browser }) => {
  const page = await opened(browser, populated.owner, '/dashboard')
  for (const [letter, h1] of [
    ['p', 'Partners'],
    ['l', 'Leads'],
    ['i', 'Links'],
    ['y', 'Payouts'],
    ['s', 'Settings'],
    ['d', 'Dashboard'],
    ['p', 'Partners'],
  ] as const) {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await expect(pageHeading(page, h1)).toBeFocused()
  }
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search partners' })).toBeFocused()
  await page.keyboard.type('n?gl/')
  await expect(page.getByRole('searchbox', { name: 'Search partners' })).toHaveValue('n?gl/')
  await page.getByRole('searchbox').fill('')
  await pageHeading(page, 'Partners').focus()
  for (const held of ['Control+n', 'Alt+n', 'Meta+/', 'Shift+N']) {
    await page.evaluate(() => addEventListener('keydown', (event) => event.preventDefault(), { once: true }))
    await page.keyboard.press(held)
  }
  await expect(pageHeading(page, 'Partners')).toBeFocused()

  await page.keyboard.press('?')
  await expect(keys(page)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('n')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(keys(page)).toBeHidden()
  await expect(pageHeading(page, 'Partners')).toBeFocused()

  await page.keyboard.press('n')
  await expect(pageHeading(page, 'Add partner')).toBeFocused()
  await page.goto(`${site.url}/leads/${populated.things.lead}`)
  await expect(pageHeading(page, 'Hannah Cole')).toBeVisible()
  await page.keyboard.press('n')
  await expect(pageHeading(page, 'Add sale')).toBeFocused()
  // There is nothing to add or search for here.
  await page.keyboard.press('n')
  await page.keyboard.press('/')
  await expect(pageHeading(page, 'Add sale')).toBeFocused()
  await page.context().close()
})

test('single keys are disabled in the profile for every device, and Ctrl K stays', async ({ browser }) => {
  const page = await opened(browser, owner, '/user/profile')
  const toggle = page.getByRole('switch', { name: 'Keyboard shortcuts' })
  await expect(toggle).toBeChecked()
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  await expect
    .poll(async () => expectOk(await site.api('GET', '/users/me', { token: owner.token })).body.preferences)
    .toMatchObject({ shortcuts: false })

  const elsewhere = await opened(browser, owner, '/partners')
  await pageHeading(elsewhere, 'Partners').focus()
  for (const key of ['n', '/', '?', 'g', 'd']) await elsewhere.keyboard.press(key)
  await expect(pageHeading(elsewhere, 'Partners')).toBeFocused()
  await searchPalette(elsewhere, 'keyboard')
  await elsewhere.keyboard.press('Enter')
  await expect(keys(elsewhere)).toContainText('Single keys are off.')
  await elsewhere.context().close()
  await toggle.click()
  await expect(toggle).toBeChecked()
  await page.context().close()
})
