import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { tabOpenedBy } from '../support/browser.ts'
import {
  anOwner,
  aSignedUpPartner,
  atRest,
  openAs,
  type Person,
  pageHeading,
  reopenScreen,
  type Site,
} from '../support/journey.ts'
import { everyDefault } from '../support/populated-account.ts'
import { expect, test } from '../support/test.ts'

// Behaviour of every table, however long and wide it is.

let site: Site
let owner: Person & { id: string }

/** Forty letters. */
const longName = { firstName: 'Wolfeschlegelsteinha', lastName: 'Donaudampfschifffahrt' }

test.beforeEach(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
})

const post = async (path: string, body: object, token = owner.token) =>
  expectOk(await site.api('POST', path, { token, body })).body

/** Partners named 'Partner 01' and so on, preceded by one with a long name. */
async function partners(count: number) {
  await post(`/accounts/${owner.id}/partners`, { ...longName, email: 'wolfe@partners.example' })
  for (let at = 1; at < count; at++)
    await post(`/accounts/${owner.id}/partners`, {
      firstName: 'Partner',
      lastName: String(at).padStart(2, '0'),
      email: `partner-${at}@partners.example`,
    })
}

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true })
const box = async (page: Page, name: string) => (await page.getByText(name, { exact: true }).first().boundingBox())!
const placeOf = (page: Page, head: string) =>
  page
    .getByRole('columnheader', { name: head, exact: true })
    .evaluate((cell) => Math.round(cell.getBoundingClientRect().top))

test('heads stay below the header, whether the table fits or scrolls', async ({ page, complaints }) => {
  await partners(30)
  await openAs(page, site, owner, '/partners?sort=name')
  for (const [width, wide] of [
    [1440, false],
    [1024, true],
    [768, true],
  ] as const) {
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate(() => scrollTo(0, 0))
    const room = table(page, 'Partners').locator('..')
    if (wide) await expect(room).toHaveAttribute('data-wide', '')
    else await expect(room).not.toHaveAttribute('data-wide')
    expect(await placeOf(page, 'Name')).toBeGreaterThan(56)
    await page.evaluate(() => scrollTo(0, 600))
    for (const head of ['Name', 'Leads']) await expect.poll(() => placeOf(page, head)).toBe(56)
    // it scrolls out of view with the last row
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const last = await table(page, 'Partners').locator('tbody tr').last().boundingBox()
    expect(await placeOf(page, 'Name')).toBeLessThanOrEqual(last!.y)
  }
  expect(complaints).toEqual([])
})

test('in a table that scrolls sideways the name and the menu stay, and a shadow marks the hidden side', async ({
  page,
}) => {
  await partners(3)
  await page.setViewportSize({ width: 1024, height: 700 })
  await openAs(page, site, owner, '/partners')
  const room = table(page, 'Partners').locator('..')
  await expect(room).toHaveAttribute('data-after', '')
  await expect(room).not.toHaveAttribute('data-before')
  const place = await room.boundingBox()
  const seen = async () => {
    const name = await page.getByRole('link', { name: 'Partner 01' }).boundingBox()
    const menu = await page.getByRole('button', { name: 'Actions for Partner 01' }).boundingBox()
    const tick = await page.getByRole('checkbox', { name: 'Select Partner 01' }).boundingBox()
    expect(tick!.x + tick!.width).toBeLessThanOrEqual(name!.x)
    expect(menu!.x + menu!.width).toBeLessThanOrEqual(place!.x + place!.width)
    return [name!.x, menu!.x, tick!.x].map(Math.round)
  }
  const before = await seen()
  await room.evaluate((box) => box.scrollTo(box.scrollWidth, 0))
  await expect(room).toHaveAttribute('data-before', '')
  await expect(room).not.toHaveAttribute('data-after')
  expect(await seen()).toEqual(before)
  // rows below them do not shine through
  const shown = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x!, y!)?.closest('th')?.textContent,
    [before[0]! + 4, (await box(page, 'Partner 01')).y + 8],
  )
  expect(shown).toBe('Partner 01')
})

test('the row is a mouse link, except for its controls and selected text', async ({ page, browser }) => {
  await partners(2)
  const account = await aSignedUpPartner(site, owner, {
    firstName: 'Jane',
    lastName: 'Whitfield',
    referralCode: 'jane-w',
  })
  await page.setViewportSize({ width: 1440, height: 700 })
  await openAs(page, site, owner, '/partners')
  const row = page.getByRole('row', { name: 'Jane Whitfield' })
  const cell = row.getByRole('cell', { name: 'jane-w' })

  // another tab opens with Ctrl, and with the middle button
  for (const how of [{ modifiers: ['Control'] }, { button: 'middle' }] as const) {
    const address = await tabOpenedBy(browser, () => cell.click(how as Parameters<typeof cell.click>[0]))
    expect(new URL(address).pathname).toBe(`/partners/${account.id}`)
    await expect(pageHeading(page, 'Partners')).toBeVisible()
  }

  await row.getByRole('checkbox').check()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.keyboard.press('Escape')
  await cell.click({ button: 'right' })
  const code = (await cell.getByText('jane-w').boundingBox())!
  await page.mouse.move(code.x + 1, code.y + 8)
  await page.mouse.down()
  await page.mouse.move(code.x + 40, code.y + 8)
  await page.mouse.up()
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
  await atRest(page)
  await expect(pageHeading(page, 'Partners')).toBeVisible()

  await page.evaluate(() => getSelection()?.removeAllRanges())
  await cell.click()
  await expect(pageHeading(page, 'Jane Whitfield')).toBeVisible()
  await page.goBack()

  // on a phone, a card too
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('listitem').filter({ hasText: 'Jane Whitfield' }).getByText('jane-w').click()
  await expect(pageHeading(page, 'Jane Whitfield')).toBeVisible()
})

test('long names and figures keep their distance at every width', async ({ page }) => {
  await partners(2)
  await post(`/accounts/${owner.id}/leads`, { ...longName, email: 'lead@long.example' })
  await openAs(page, site, owner, '/partners')
  for (const path of ['/partners', '/leads', '/links', '/payouts']) {
    await reopenScreen(page, path)
    for (const width of [1280, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await atRest(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('main tbody th > span, main li strong > span')]
          .filter((name) => name.scrollHeight > name.clientHeight + 1)
          .map(({ textContent }) => textContent),
      )
      expect(cut, `${path} at ${width}`).toEqual([])
      const gaps = await page.evaluate(() =>
        [...document.querySelectorAll('main tbody td[class*=numeric] + td:not([class*=numeric], [data-menu])')].map(
          (cell) => {
            const right = (box: Element) => Number.parseFloat(getComputedStyle(box).paddingRight)
            return right(cell.previousElementSibling!) + Number.parseFloat(getComputedStyle(cell).paddingLeft)
          },
        ),
      )
      for (const gap of gaps) expect(gap, `${path} at ${width}`).toBeGreaterThanOrEqual(24)
    }
  }
})

test('at 1280 px ordinary names and figures fit, and the filters of a list take one line', async ({
  page,
  populated,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openAs(page, populated.site, populated.owner, '/partners')
  for (const path of ['/partners', '/leads', '/leads?tab=sales', '/links', '/payouts']) {
    await reopenScreen(page, path)
    await atRest(page)
    const list = page.getByRole('main').getByRole('table').last()
    await expect(list.locator('..'), path).not.toHaveAttribute('data-wide')
    const tools = page.getByRole('searchbox').locator('../..').locator('> *')
    const middles = await tools.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2)),
    )
    expect(Math.max(...middles) - Math.min(...middles), path).toBeLessThanOrEqual(1)
  }
})

test('at 1280 px partners fit with the widest badges and five-digit revenue', async ({ page }) => {
  owner = await anOwner(site, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const names = { firstName: 'Marcus', lastName: 'Oyelaran', referralCode: 'lena-fischer' }
  const { id } = await post(`/accounts/${owner.id}/partners`, { ...names, email: 'marcus@partners.example' })
  const jane = { firstName: 'Jane', lastName: 'Whitfield', email: 'jane@partners.example' }
  await post(`/accounts/${owner.id}/partners`, jane)
  const lead = await post(`/accounts/${owner.id}/leads`, { email: 'l@long.example', partnerId: id })
  await post(`/leads/${lead.id}/sales`, { amount: 27_070_40, description: 'Team plan' })
  expectOk(await site.api('PUT', `/partners/${id}`, { token: owner.token, body: { state: 'suspended' } }))
  await page.setViewportSize({ width: 1280, height: 800 })
  await openAs(page, site, owner, '/partners')
  await expect(page.getByRole('row', { name: names.lastName })).toContainText('Suspended')
  await expect(page.getByRole('row', { name: names.lastName })).toContainText('$27,070.40')
  await atRest(page)
  await expect(table(page, 'Partners').locator('..')).not.toHaveAttribute('data-wide')
  // a name that fits is not broken to save room
  expect((await page.getByRole('link', { name: 'Jane Whitfield' }).boundingBox())!.height).toBeLessThan(30)
})

test('on a phone the amounts of all dashboard panels are right-aligned', async ({ page, populated }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, populated.site, populated.owner, '/dashboard')
  await atRest(page)
  const ends = await page.locator('main tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const cell = row.querySelector('td:last-child')!
      return cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight)
    }),
  )
  expect(ends.length).toBeGreaterThan(3)
  expect([...new Set(ends)]).toHaveLength(1)
})

test('a page’s address wraps after a slash, not in the middle of a word', async ({ page }) => {
  await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane-w' })
  const email = 'webinar@long.example'
  const landing = 'harbor.example/webinar'
  await site.api('PUT', `/accounts/${owner.id}/embed-code`, {
    token: owner.token,
    body: { config: everyDefault, domains: ['harbor.example'] },
  })
  const { publicId } = expectOk(await site.api('GET', `/accounts/${owner.id}`, { token: owner.token })).body
  const form = await fetch(`${site.url}/embed/${publicId}/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://harbor.example' },
    body: JSON.stringify({ email, referralCode: 'jane-w', elapsedMs: 8000, pageUrl: `https://${landing}` }),
  })
  expect(form.ok).toBe(true)
  const leads = async () =>
    expectOk(await site.api('GET', `/accounts/${owner.id}/leads`, { token: owner.token })).body.items
  await expect.poll(leads).toHaveLength(1)
  const [{ id }] = await leads()
  await page.setViewportSize({ width: 1280, height: 800 })
  await openAs(page, site, owner, `/leads/${id}`)
  const lines = await page
    .getByRole('definition')
    .filter({ hasText: landing })
    .evaluate((value) => {
      const range = document.createRange()
      const letters = document.createTreeWalker(value, NodeFilter.SHOW_TEXT)
      const tops = new Map<number, string>()
      while (letters.nextNode())
        for (const [at, letter] of [...(letters.currentNode.textContent ?? '')].entries()) {
          range.setStart(letters.currentNode, at)
          range.setEnd(letters.currentNode, at + 1)
          const top = Math.round(range.getBoundingClientRect().top)
          tops.set(top, (tops.get(top) ?? '') + letter)
        }
      return [...tops.values()]
    })
  expect(lines.join('')).toBe(landing)
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/[/.-]$/)
})

const selected = (page: Page) => page.getByRole('group', { name: 'Selection' })
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })

test('Shift selects a range, by mouse and by keyboard, in a table and in cards', async ({ page }) => {
  await partners(8)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, site, owner, '/partners?sort=name')
  await tick(page, 'Partner 02').check()
  await tick(page, 'Partner 05').click({ modifiers: ['Shift'] })
  await expect(selected(page).getByRole('status')).toHaveText('4 selected')
  await expect(tick(page, 'Partner 04')).toBeChecked()
  await expect(tick(page, 'Partner 06')).not.toBeChecked()
  // backwards, and unselected again
  await tick(page, 'Partner 03').click({ modifiers: ['Shift'] })
  await expect(selected(page).getByRole('status')).toHaveText('1 selected')
  expect(await page.evaluate(() => String(getSelection()))).toBe('')

  await tick(page, 'Partner 03').press('Space')
  await tick(page, 'Partner 07').press('Shift+Space')
  await expect(selected(page).getByRole('status')).toHaveText('6 selected')
  await page.setViewportSize({ width: 390, height: 844 })
  await tick(page, 'Partner 01').click({ modifiers: ['Shift'] })
  await expect(selected(page).getByRole('status')).toHaveText('7 selected')
})

test('all matching rows are selected across pages; an interrupted selection changes nothing', async ({ page }) => {
  await partners(56)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, site, owner, '/partners?sort=name&search=partner')
  const all = page.getByRole('checkbox', { name: 'Select all on page' })
  await all.check()
  await expect(selected(page).getByRole('status')).toHaveText('50 selected')
  const matching = selected(page).getByRole('button', { name: 'Select all 56 matching' })

  // interrupted by another search, and by 'Cancel'
  let answer = () => {}
  let held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/partners\?limit=100/, async (route) => {
    await held
    await route.continue()
  })
  await matching.click()
  await expect(selected(page).getByRole('progressbar', { name: 'Selecting rows' })).toBeVisible()
  await selected(page).getByRole('button', { name: 'Cancel' }).click()
  answer()
  await expect(selected(page).getByRole('progressbar')).toBeHidden()
  await expect(selected(page).getByRole('status')).toHaveText('50 selected')
  held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await matching.click()
  await page.getByLabel('Search partners').fill('partner 0')
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1–9 of 9')
  answer()
  await expect(selected(page).getByRole('progressbar')).toBeHidden()
  await expect(selected(page).getByRole('status')).toHaveText('50 selected')
  await page.unrouteAll()

  await page.getByLabel('Search partners').fill('partner')
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1–50 of 56')
  await matching.click()
  await expect(selected(page).getByRole('status')).toHaveText('56 selected')
  await expect(matching).toBeHidden()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(tick(page, 'Wolfeschlegelsteinha Donaudampfschifffahrt')).toBeChecked()
  await selected(page).getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('dialog', { name: 'Suspend 56 partners' })).toBeVisible()
})

test('columns are remembered on every device, including those of old preferences', async ({ page, browser }) => {
  await partners(2)
  const kept = async () => expectOk(await site.api('GET', '/users/me', { token: owner.token })).body.preferences
  await site.api('PATCH', '/users/me', {
    token: owner.token,
    body: { preferences: { 'columns:partners': ['gone', 'state', 7], 'view:partners:x': 'no view', theme: 'light' } },
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, site, owner, '/partners')
  const head = (on: Page, name: string) => on.getByRole('columnheader', { name, exact: true })
  await expect(head(page, 'Name')).toBeVisible()
  await expect(head(page, 'Status')).toBeHidden()
  await page.getByRole('button', { name: 'Columns' }).click()
  // in quick succession, faster than the server answers
  for (const name of ['Status', 'Leads', 'Sales', 'Leads']) await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
  await expect(head(page, 'Sales')).toBeHidden()
  await expect(head(page, 'Leads')).toBeVisible()
  await expect.poll(kept).toMatchObject({ 'columns:partners': ['gone', 'numberOfSales'], theme: 'light' })
  await expect(page).not.toHaveURL(/hide=/)

  const other = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await openAs(other, site, owner, '/partners')
  await expect(head(other, 'Leads')).toBeVisible()
  await expect(head(other, 'Sales')).toBeHidden()
  // the columns in the address take precedence
  await other.goto(`${site.url}/partners?hide=referralCode`)
  await expect(head(other, 'Sales')).toBeVisible()
  await expect(head(other, 'Code')).toBeHidden()
  await other.close()
})

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const viewNamed = (page: Page, name: string) => page.getByRole('menuitemradio', { name, exact: true })

async function saveView(page: Page, name: string) {
  await page.getByRole('button', { name: 'Save view' }).click()
  await dialog(page, 'Save view').getByLabel('Name').fill(name)
  await dialog(page, 'Save view').getByRole('button', { name: 'Save', exact: true }).click()
}

test('views are saved, opened, renamed and deleted, and two tabs lose none', async ({ page, context }) => {
  await partners(3)
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, site, owner, '/partners')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible()
  for (const name of ['Save view', 'Views']) await expect(page.getByRole('button', { name })).toHaveCount(0)
  const other = await context.newPage()
  await other.setViewportSize({ width: 1440, height: 900 })
  await other.goto(`${site.url}/partners?search=wolfe`)
  await expect(pageHeading(other, 'Partners')).toBeVisible()

  await page.getByLabel('Status').selectOption('Invited')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await saveView(page, 'Still invited 😀')
  await expect(page.getByRole('status').filter({ hasText: 'View saved' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save view' })).toBeHidden()
  await saveView(other, 'Wolfe')
  await expect(other.getByRole('status').filter({ hasText: 'View saved' })).toBeVisible()

  // both tabs have both views
  for (const tab of [page, other]) {
    await tab.goto(`${site.url}/partners`)
    await tab.getByRole('button', { name: 'Views' }).click()
    await expect(tab.getByRole('menuitemradio')).toHaveText(['Still invited 😀', 'Wolfe'])
    await tab.keyboard.press('Escape')
  }
  await other.close()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Code' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Views' }).click()
  await viewNamed(page, 'Still invited 😀').click()
  await expect(page).toHaveURL(/state=invited/)
  await expect(page).toHaveURL(/sort=name/)
  // with its saved columns
  await expect(page.getByRole('columnheader', { name: 'Code' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('columnheader', { name: 'Code' })).toBeHidden()

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Edit views' }).click()
  await dialog(page, 'Edit views').getByRole('button', { name: 'Rename Wolfe' }).click()
  const rename = dialog(page, 'Rename view')
  await rename.getByLabel('Name').fill('Still invited 😀')
  await rename.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rename).toContainText('You already have a view with this name')
  await rename.getByLabel('Name').fill('Long names')
  await rename.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog(page, 'Edit views').getByRole('button', { name: 'Delete Still invited 😀' }).click()
  await dialog(page, 'Delete view').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog(page, 'Edit views').getByRole('listitem')).toHaveText([/^Long names/])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Views' }).click()
  await viewNamed(page, 'Long names').click()
  await expect(page.locator('tbody tr')).toHaveCount(1)
})

test('a view of a deleted partner and link says so, and is distinguished from all rows', async ({ page }) => {
  const partner = await post(`/accounts/${owner.id}/partners`, { email: 'gone@partners.example' })
  const link = await post(`/accounts/${owner.id}/link-blueprints`, {
    name: 'Gone soon',
    destinationUrl: 'https://shop.example.com/',
  })
  for (const path of [`/partners/${partner.id}`, `/link-blueprints/${link.id}`])
    expectOk(await site.api('DELETE', path, { token: owner.token }))
  await openAs(page, site, owner, `/leads?tab=sales&partnerId=${partner.id}&blueprintId=${link.id}`)
  await expect(page.getByText('No sales match this search or filter.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Partner', exact: true })).toHaveValue('Not found')
  await expect(page.getByRole('combobox', { name: 'Link', exact: true }).locator('option:checked')).toHaveText(
    'Not found',
  )
})

test('a view beyond the limit is refused with a message, and nothing is lost', async ({ page }) => {
  await partners(2)
  const full = 'x'.repeat(16_355)
  await site.api('PATCH', '/users/me', { token: owner.token, body: { preferences: { full } } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, site, owner, '/partners?state=invited')
  await saveView(page, 'One view too many, with a name of some length to it, too')
  await expect(dialog(page, 'Save view')).toContainText(
    'There’s no room for another view. Delete one you no longer use.',
  )
  await expect(dialog(page, 'Save view').getByLabel('Name')).toHaveValue(/^One view too many/)
  await page.keyboard.press('Escape')
  // columns cannot be saved either, so the saved ones are shown
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Code' }).click()
  await expect(page.getByText('Your columns weren’t saved. Delete a saved view to make room.')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Code' })).toBeVisible()
})

test('a card shows the field the list is sorted by, and no empty ones', async ({ page }) => {
  await post(`/accounts/${owner.id}/leads`, { firstName: 'Hannah', email: 'hannah@brightline.example' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/leads')
  const card = page.getByRole('listitem').filter({ hasText: 'Hannah' })
  await expect(card).toContainText(/Created [A-Z][a-z]{2} \d/)
  await page.getByLabel('Sort by').selectOption('Lead')
  await expect(page).toHaveURL(/sort=name/)
  await expect(card).not.toContainText('Created')

  // a partner without a next payout has no dash for it
  await partners(1)
  await post(
    `/partners/${(await expectOk(await site.api('GET', `/accounts/${owner.id}/partners`, { token: owner.token })).body).items[0].id}/adjustments`,
    {
      amount: 5_00,
      reason: 'Agreed',
    },
  )
  await reopenScreen(page, '/payouts')
  const balance = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem').first()
  await expect(balance).toContainText('$5.00')
  expect(await balance.evaluate((item) => [...item.querySelectorAll('dd')].map((dd) => dd.textContent))).not.toContain(
    '–',
  )
})

/** Runs in the page before the application: records the number of cards whenever it changes. */
function countCards() {
  const counts: number[] = []
  Object.assign(window, { counts })
  new MutationObserver(() => {
    const count = document.querySelectorAll('main ul[aria-label="Leads"] > li').length
    if (count > 0 && count !== counts.at(-1)) counts.push(count)
  }).observe(document, { childList: true, subtree: true })
}
const cardCounts = (page: Page) => page.evaluate(() => (window as unknown as { counts: number[] }).counts)

test('on a phone the cards that fit are drawn first; Back restores the position', async ({ page, complaints }) => {
  for (let at = 10; at < 62; at++)
    await post(`/accounts/${owner.id}/leads`, { firstName: 'Lead', email: `lead-${at}@long.example` })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(countCards)
  await openAs(page, site, owner, '/leads')
  const list = page.getByRole('list', { name: 'Leads' })
  const cards = list.locator('> li')
  await expect(cards).toHaveCount(50)
  await expect(list).not.toHaveAttribute('aria-busy')
  expect(await cardCounts(page)).toEqual([7, 50])
  expect((await cards.nth(6).boundingBox())!.y).toBeGreaterThan(844)

  await cards.nth(40).scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(2000)
  await cards.nth(40).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/leads\/[\w-]+$/)
  // the router keeps a position once the next screen is shown
  await expect(pageHeading(page, 'Lead')).toBeFocused()
  await atRest(page)
  await page.goBack()
  await expect(cards).toHaveCount(50)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
  expect(await cardCounts(page)).toEqual([7, 50])
  expect(complaints).toEqual([])
})

test('a list sorted by time says which end comes first', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await partners(2)
  await openAs(page, site, owner, '/partners?sort=createdAt')
  await expect(page.getByLabel('Sort by').locator('option:checked')).toHaveText('Oldest')
  await page.getByRole('button', { name: /Sort descending/ }).click()
  await expect(page.getByLabel('Sort by').locator('option:checked')).toHaveText('Newest')
})

test('tabs that do not fit are in the menu at their end', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/payouts')
  const more = page.getByRole('tabpanel').locator('..').getByRole('button', { name: 'More', exact: true }).first()
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await expect(tab('Books')).toBeHidden()
  await more.click()
  await page.getByRole('menuitem', { name: 'Books' }).click()
  await expect(tab('Books')).toHaveAttribute('aria-selected', 'true')
  await expect(tab('Upcoming')).toBeVisible()
  const line = page.getByRole('tablist')
  const [wide, room] = await line.evaluate((box) => [box.scrollWidth, box.clientWidth])
  expect(wide).toBe(room)
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect(tab('Commissions')).toBeVisible()
  await expect(more).toBeHidden()
})

test('a partner’s link is shown by its code, at any width', async ({ page }) => {
  const { id } = await post(`/accounts/${owner.id}/link-blueprints`, {
    name: 'Spring',
    destinationUrl: 'https://shop.example.com/spring',
  })
  await aSignedUpPartner(site, owner, { ...longName, referralCode: 'twenty-eight-letters-of-code' })
  await openAs(page, site, owner, `/links/${id}`)
  for (const width of [1440, 1280, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const code = page.locator('code b').filter({ hasText: 'twenty-eight-letters-of-code' }).first()
    await expect(code).toBeVisible()
    expect(await code.evaluate((box) => box.scrollWidth <= box.clientWidth), `${width}`).toBe(true)
    expect(await code.locator('..').innerText()).not.toContain('http')
  }
})

test('sales and payouts are readable without scrolling sideways on widths too narrow for all columns', async ({
  page,
}) => {
  owner = await anOwner(site, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aSignedUpPartner(site, owner, longName)
  const lead = await post(`/accounts/${owner.id}/leads`, {
    ...longName,
    email: 'l@long.example',
    partnerId: partner.id,
  })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 12_345_67, description: 'Team plan' })
  await post(`/sales/${sale.id}/refunds`, { amount: 1_234_56, reason: 'Fewer seats' })
  await post(`/accounts/${owner.id}/payouts/refresh`, {})
  await openAs(page, site, owner, '/leads?tab=sales')
  // a slash separates a column from the one below it
  const below = {
    '/leads?tab=sales': ['Date/Kind', 'Lead', 'Partner', 'Status', 'Amount', 'Commission/Profit', 'Actions'],
    '/payouts?tab=needs-action': [
      ...['Select all on page', 'Payout/Partner', 'Amount', 'Status/Method', 'Due date', 'Reason', 'Next step'],
      'Actions',
    ],
  }
  for (const [path, heads] of Object.entries(below)) {
    await reopenScreen(page, path)
    for (const width of [1199, 1024, 992, 768]) {
      await page.setViewportSize({ width, height: 800 })
      await atRest(page)
      const shown = page.getByRole('main').getByRole('columnheader')
      await expect(shown, `${path} at ${width}`).toHaveText(heads.map((head) => head.replace('/', '')))
      await expect(page.locator('[data-wide] > table'), `${path} at ${width}`).toHaveCount(0)
    }
  }
  // a second line under a hidden column gets its own column
  await reopenScreen(page, '/leads?tab=sales')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Commission', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Profit', exact: true })).toBeVisible()
})

test('on a phone a lead’s name is complete, as is the title of a page with a long one', async ({ page }) => {
  const lead = await post(`/accounts/${owner.id}/leads`, {
    ...longName,
    company: 'Brightline',
    email: 'l@long.example',
  })
  const isCut = (name: string) =>
    page
      .getByRole('main')
      .getByText(name, { exact: true })
      .first()
      .evaluate((box) => box.scrollWidth > box.clientWidth + 1)
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/leads')
  for (const name of [`${longName.firstName} ${longName.lastName}`, 'Brightline']) expect(await isCut(name)).toBe(false)
  await reopenScreen(page, `/leads/${lead.id}/update`)
  expect(await isCut('Edit lead')).toBe(false)
})

test('menus and panels open at their buttons, by margins that every engine reads alike', async ({ page }) => {
  await partners(2)
  await openAs(page, site, owner, '/partners')
  const openers = page.locator('button[popovertarget]:visible')
  await expect(openers.filter({ hasText: 'Columns' })).toBeVisible()
  const count = await openers.count()
  expect(count).toBeGreaterThan(3)
  for (let at = 0; at < count; at++) {
    const opener = openers.nth(at)
    await opener.click()
    const opened = page.locator(':popover-open')
    const [button, box] = [(await opener.boundingBox())!, (await opened.boundingBox())!]
    const ends = [box.x - button.x, box.x + box.width - button.x - button.width].map(Math.abs)
    expect(Math.min(...ends)).toBeLessThan(1)
    // WebKit centers by automatic margins, which other engines take for none
    const margins = await opened.evaluate((box) =>
      ['margin-left', 'margin-right'].map((side) => String(box.computedStyleMap().get(side))),
    )
    expect(margins).toEqual(['0px', '0px'])
    await page.keyboard.press('Escape')
  }
})
