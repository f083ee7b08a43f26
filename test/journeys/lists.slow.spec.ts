import { randomBytes } from 'node:crypto'
import type { Browser, Locator, Page } from '@playwright/test'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import { ADMINISTRATOR, expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  type Person,
  pageHeading,
  type Site,
  signedInPage,
  startSite,
  visitPath,
} from '../support/journey.ts'
import { fillCrowd, longNames } from '../support/large-account.ts'
import { aBlueprint } from '../support/links.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { expect, test } from '../support/test.ts'

// Every list with ten thousand rows, among them the longest names; with one row, and with none.

let site: Site
let database: Awaited<ReturnType<typeof createTestDatabase>>
/** The accounts with ten thousand of everything, with one, and with nothing. */
let many: Person & { id: string }
let one: Person & { id: string }
let none: Person & { id: string }
let jane: Person & { id: string }
/** Ids by their placeholder in addresses: `{lead}`. */
const things: Record<string, string> = {}

test.beforeAll(async () => {
  database = await createTestDatabase()
  const key = randomBytes(32)
  site = await startSite({ DATABASE_URL: database.url, SECRET_KEY: key.toString('base64') })
  const settings = { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20, 5] }, invitationsFromPartners: true }
  many = await anOwner(site, settings)
  jane = await aSignedUpPartner(site, many, { firstName: 'Jane', lastName: 'Whitfield' })
  const hannah = { firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' }
  const lead = await post(many, `/accounts/${many.id}/leads`, { ...hannah, partnerId: jane.id })
  const crowded = { id: many.id, ownerEmail: many.email, partnerId: jane.id, leadId: lead.id }
  await fillCrowd(database.url, crowded, createSecrets(key))
  const first = async (path: string) => (await get(many, path)).items[0].id
  Object.assign(things, {
    partner: jane.id,
    lead: lead.id,
    link: await first(`/accounts/${many.id}/link-blueprints?search=Link 00100`),
    payout: await first(`/partners/${jane.id}/payouts?status=open`),
  })

  one = await anOwner(site, settings)
  const partner = await aSignedUpPartner(site, one, { firstName: 'Ann', lastName: 'Lone' })
  const single = await post(one, `/accounts/${one.id}/leads`, hannah)
  await post(one, `/leads/${single.id}/sales`, { amount: 20_00, description: 'Credited to nobody' })
  const link = await aBlueprint(site, one, { name: 'Only link' })
  await post(one, `/partners/${partner.id}/adjustments`, { amount: 5_00, reason: 'Agreed' })
  await post(one, `/accounts/${one.id}/payouts/refresh`)
  const { items } = await get(one, `/accounts/${one.id}/payouts`)
  Object.assign(things, { onePartner: partner.id, oneLead: single.id, oneLink: link.id, onePayout: items[0].id })
  none = await anOwner(site, settings)
})

test.afterAll(async () => {
  await site?.end()
  await database?.drop()
})

const call = async ({ token }: Person, method: string, path: string, body?: object) =>
  expectOk(await site.api(method, path, { token, body })).body
const get = (who: Person, path: string) => call(who, 'GET', path)
const post = (who: Person, path: string, body?: object) => call(who, 'POST', path, body)
const at = (path: string) => path.replace(/\{(\w+)\}/g, (_, thing) => things[thing] ?? '')

type List = {
  path: string
  h1: string
  /** The table's accessible name. */
  name: string
  total: string
  /** A search that finds one row, with the text it shows. */
  search?: [label: string, text: string, shown: string]
  /** Sortable heads; a `-` marks those that sort in descending order first. */
  sorts: string[]
  filters?: [label: string, choice: string, total: string][]
  /** Number of key figures on a card. */
  figures: number
}

const partnerSearch: List['search'] = ['Search partners', 'partner 00042', 'Partner 00042']
const leadSearch: List['search'] = ['Search leads', 'lead 00042', 'Lead 00042']
const suspended: [string, string, string] = ['Status', 'Suspended', '1,000']

const ofOwner: List[] = [
  {
    path: '/partners',
    h1: 'Partners',
    name: 'Partners',
    total: '10,001',
    search: partnerSearch,
    sorts: ['Name', '-Revenue'],
    filters: [suspended, ['Status', 'Invited', '1,000+']],
    figures: 3,
  },
  {
    path: '/partners/{partner}?tab=sub-partners',
    h1: 'Jane Whitfield',
    name: 'Sub-partners',
    total: '10,000',
    search: partnerSearch,
    sorts: ['Name', '-Revenue'],
    filters: [suspended],
    figures: 3,
  },
  {
    path: '/partners/{partner}?tab=leads',
    h1: 'Jane Whitfield',
    name: 'Leads',
    total: '10,001',
    search: leadSearch,
    sorts: ['Lead', '-Revenue', 'Created'],
    filters: [['Status', 'Rejected', '1,000']],
    figures: 3,
  },
  {
    path: '/partners/{partner}?tab=payouts',
    h1: 'Jane Whitfield',
    name: 'Payouts',
    total: '10,001',
    search: ['Search payouts', 'po-4242', 'PO-4242'],
    sorts: ['-Amount'],
    filters: [['Status', 'Open', '1']],
    figures: 2,
  },
  {
    path: '/leads',
    h1: 'Leads',
    name: 'Leads',
    total: '10,001',
    search: leadSearch,
    sorts: ['Lead', '-Revenue', 'Created'],
    filters: [
      ['Status', 'Rejected', '1,000'],
      ['Source', 'Added manually', '1,000+'],
    ],
    figures: 3,
  },
  {
    path: '/leads?tab=sales',
    h1: 'Leads',
    name: 'Sales',
    total: '20,000',
    search: ['Search sales', 'lead 00042', 'Lead 00042'],
    sorts: ['Date'],
    filters: [
      ['Kind', 'Sale', '20,000'],
      ['Status', 'Completed', '20,000'],
    ],
    figures: 3,
  },
  {
    path: '/leads?tab=unattributed',
    h1: 'Leads',
    name: 'Unattributed sales',
    total: '1,000+',
    filters: [['Status', 'Completed', '1,000+']],
    sorts: ['Sale date', '-Amount'],
    figures: 2,
  },
  {
    path: '/links',
    h1: 'Links',
    name: 'Links',
    total: '10,000',
    search: ['Search links', 'link 00042', 'Link 00042'],
    sorts: ['Name', '-Clicks'],
    figures: 3,
  },
  {
    path: '/links/{link}',
    h1: 'Link 00100',
    name: 'Links by partner',
    total: '10,001',
    search: partnerSearch,
    sorts: ['Partner', '-Clicks'],
    figures: 3,
  },
  {
    path: '/payouts',
    h1: 'Payouts',
    name: 'Upcoming',
    total: '10,001',
    search: ['Search payouts', 'partner 00042', 'Partner 00042'],
    sorts: ['-Due', 'Next payout'],
    figures: 3,
  },
  {
    path: '/payouts?tab=needs-action',
    h1: 'Payouts',
    name: 'Needs action',
    total: '9,001',
    search: ['Search payouts', 'po-14242', 'PO-14242'],
    sorts: ['-Amount', 'Due date'],
    figures: 3,
  },
  {
    path: '/payouts?tab=paid',
    h1: 'Payouts',
    name: 'Paid',
    total: '10,000',
    search: ['Search payouts', 'po-4242', 'PO-4242'],
    sorts: ['-Amount', 'Due date'],
    figures: 4,
  },
  {
    path: '/payouts?tab=year-report',
    h1: 'Payouts',
    name: 'Year report',
    total: '10,001',
    search: ['Search partners', 'partner 00042', 'Partner 00042'],
    sorts: ['-Paid', 'Partner'],
    figures: 4,
  },
  {
    path: '/payouts?tab=books',
    h1: 'Payouts',
    name: 'Books',
    total: '10,001',
    search: ['Search partners', 'partner 00042', 'Partner 00042'],
    sorts: ['-Owed', 'Partner'],
    figures: 3,
  },
  {
    path: '/payouts/{payout}',
    h1: 'Payout PO-20001',
    name: 'Entries',
    total: '10,000',
    sorts: [],
    figures: 3,
  },
]

const ofPartner: List[] = [
  {
    path: '/partners',
    h1: 'Partners',
    name: 'Partners',
    total: '10,000',
    search: partnerSearch,
    sorts: ['Name'],
    filters: [suspended],
    figures: 3,
  },
  {
    path: '/leads',
    h1: 'Leads',
    name: 'Leads',
    total: '10,001',
    search: leadSearch,
    sorts: ['Lead', 'Created'],
    filters: [['Status', 'Rejected', '1,000']],
    figures: 3,
  },
]

const ofAdministrator: List[] = [
  {
    path: '/admin/accounts',
    h1: 'Accounts',
    name: 'Accounts',
    total: '10,003',
    search: ['Search accounts', 'account 00042', 'Account 00042'],
    sorts: ['Account', '-Created'],
    filters: [['Status', 'Disabled', '1,000']],
    figures: 3,
  },
]

/** A page in which the application runs for this person, shared by the tests of this group. */
function pageOf(who: () => { email: string; password?: string }) {
  const complaints: string[] = []
  let page: Page
  test.beforeAll(async ({ browser }: { browser: Browser }) => {
    page = await signedInPage(browser, site, who(), complaints)
    await page.goto(`${site.url}/no/such/page`)
    await expect(pageHeading(page, 'Page not found')).toBeVisible()
  })
  test.afterAll(() => page?.context().close())
  test.afterEach(() => expect(complaints.splice(0)).toEqual([]))
  return () => page
}

/** Reopens a screen in a window of this width, and waits until no request is under way. */
async function open(page: Page, path: string, h1: string, width = 1280) {
  await page.setViewportSize({ width, height: 900 })
  await visitPath(page, '/no/such/page')
  await expect(pageHeading(page, 'Page not found')).toBeVisible()
  await visitPath(page, at(path))
  await expect(pageHeading(page, h1)).toBeVisible()
  await settled(page)
}

const settled = (page: Page) => expect(page.locator('[aria-label="Loading..."], [aria-busy=true]')).toHaveCount(0)
/** Charts adapt to their window a moment later. */
const expectWidth = (page: Page, width: number) =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
/** A row and a card; heads of groups are none. */
const ROW = 'tbody tr:not(:has(th[scope=rowgroup]))'
const CARD = '> li:has(dl)'
const section = (page: Page, { name }: List) => page.getByRole('region', { name, exact: true })
const rowsOf = (page: Page, list: List) => section(page, list).getByRole('table', { name: list.name }).locator(ROW)
const cardsOf = (page: Page, list: List) => section(page, list).getByRole('list', { name: list.name }).locator(CARD)
const pagesOf = (page: Page, list: List) => section(page, list).getByRole('navigation', { name: 'Pages' })

/** The first row of the page. */
const firstOf = (page: Page, list: List) => rowsOf(page, list).first().getByRole('rowheader').innerText()

/** 'Next', 'Previous', the back button and a reload change pages according to the address. */
async function expectPages(page: Page, list: List, { reload }: { reload: boolean }) {
  const { total } = list
  const rows = rowsOf(page, list)
  const pages = pagesOf(page, list)
  const [firstPage, secondPage] = [`1–50 of ${total}`, `51–100 of ${total}`]
  await expect(pages).toContainText(firstPage)
  await expect(rows).toHaveCount(50)
  await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled()
  const first = await rows.first().innerText()
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(pages).toContainText(secondPage)
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page).toHaveURL(/[?&]cursor=/)
  await expect(rows).toHaveCount(50)
  const second = await rows.first().innerText()
  expect(second).not.toBe(first)
  await page.goBack()
  await expect(pages).toContainText(firstPage)
  await settled(page)
  expect(await rows.first().innerText()).toBe(first)
  await page.goForward()
  if (reload) await page.reload()
  await expect(pages).toContainText(secondPage)
  await settled(page)
  expect(await rows.first().innerText()).toBe(second)
  await pages.getByRole('button', { name: 'Previous' }).click()
  await expect(pages).toContainText(firstPage)
  await settled(page)
  expect(await rows.first().innerText()).toBe(first)
}

/**
 * Checks that a search finds one of ten thousand rows, that clearing it brings all back, and that an empty result
 * offers to clear it.
 */
async function expectSearch(page: Page, list: List) {
  const [label, text, shown] = list.search!
  const within = section(page, list)
  await within.getByLabel(label).fill(text)
  await expect(pagesOf(page, list)).toContainText('1–1 of 1')
  await expect(rowsOf(page, list)).toHaveCount(1)
  await expect(rowsOf(page, list)).toContainText(shown)
  await expect(page).toHaveURL(/[?&]search=/)
  await within.getByLabel(label).fill('nobody is called so')
  await expect(within.getByText('No data to show')).toBeVisible()
  await within.getByRole('button', { name: 'Clear filters' }).click()
  await expect(pagesOf(page, list)).toContainText(`of ${list.total}`)
  await expect(within).toBeFocused()
  await expect(within.getByLabel(label)).toHaveValue('')
}

/** Shows a column that the list hides at first, if it has one of this name. */
async function showColumn(page: Page, within: Locator, name: string) {
  const columns = within.getByRole('button', { name: 'Columns' })
  if ((await columns.count()) === 0) return
  await columns.click()
  const choice = page.getByRole('menuitemcheckbox', { name, exact: true, checked: false })
  if ((await choice.count()) > 0) await choice.click()
  await page.keyboard.press('Escape')
}

async function expectFilters(page: Page, list: List) {
  const within = section(page, list)
  for (const [label, choice, total] of list.filters ?? []) {
    await showColumn(page, within, label)
    await within.getByLabel(label, { exact: true }).selectOption(choice)
    await expect(pagesOf(page, list)).toContainText(`of ${total}`)
    await settled(page)
    if (label === 'Status') for (const text of await rowsOf(page, list).allInnerTexts()) expect(text).toContain(choice)
    await within.getByLabel(label, { exact: true }).selectOption('')
    await expect(pagesOf(page, list)).toContainText(`of ${list.total}`)
  }
}

/** The day of a payment in a cell, which an amount follows: one of a past month is next year's. */
function paydayIn(text: string) {
  const [, written] = /^([A-Z][a-z]{2} \d{1,2}(?:, \d{4})?) -?\$/.exec(text) ?? []
  if (!written) return Number.NaN
  const year = new Date().getUTCFullYear()
  const day = Date.parse(/\d{4}$/.test(written) ? written : `${written}, ${year}`)
  return day < Date.now() - 40 * 86_400_000 ? Date.parse(`${written}, ${year + 1}`) : day
}

/** A cell's text as it sorts: an amount, a day, or a name. */
function sortable(text: string): number | string {
  const amount = Number(text.replace(/[$,]/g, ''))
  if (!Number.isNaN(amount)) return amount
  const day = /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/.test(text) ? Date.parse(text) : paydayIn(text)
  return Number.isNaN(day) ? text.split('\n')[0]!.toLowerCase() : day
}
const { compare } = new Intl.Collator('en')
const inOrder = (a: number | string, b: number | string) =>
  typeof a === 'number' && typeof b === 'number' ? a <= b : compare(String(a), String(b)) <= 0

/**
 * Checks that each head sorts in its own direction first, the first of them then in the other, and that the rows are in
 * order.
 */
async function expectSorts(page: Page, list: List) {
  const table = section(page, list).getByRole('table', { name: list.name })
  for (const sort of list.sorts) {
    const head = table.getByRole('columnheader', { name: sort.replace(/^-/, ''), exact: true })
    const before = await head.getAttribute('aria-sort')
    const firstWay = sort.startsWith('-') ? 'descending' : 'ascending'
    const otherWay = firstWay === 'descending' ? 'ascending' : 'descending'
    const ways = before === firstWay ? [otherWay] : sort === list.sorts[0] ? [firstWay, otherWay] : [firstWay]
    for (const way of ways) {
      await head.getByRole('button').click()
      await expect(head).toHaveAttribute('aria-sort', way)
      await settled(page)
      const place = await head.evaluate((cell) => [...(cell.parentElement as HTMLElement).children].indexOf(cell))
      const texts = await rowsOf(page, list).evaluateAll(
        (rows, place) => rows.map((row) => (row.children[place] as HTMLElement).innerText),
        place,
      )
      expect(texts).toHaveLength(50)
      // Rows without a date come last in ascending order, first in descending order.
      const values = texts.filter((text) => text !== '–').map(sortable)
      if (way === 'descending') values.reverse()
      const wrong = values.findIndex((value, index) => index > 0 && !inOrder(values[index - 1]!, value))
      expect(wrong < 0 ? null : values.slice(wrong - 1, wrong + 1), `${sort} ${way}`).toBeNull()
      await expect(table.locator('[aria-sort=ascending], [aria-sort=descending]')).toHaveCount(1)
    }
  }
}

/**
 * Checks that the page is as wide as its window, a table wider than its panel scrolls there, every row has the height
 * of two lines at most, and no cell covers the next.
 */
async function expectTableFits(page: Page, list: List) {
  const table = section(page, list).getByRole('table', { name: list.name })
  await expectWidth(page, 1280)
  const found = await table.evaluate((table) => ({
    wide: table.scrollWidth > (table.parentElement as HTMLElement).clientWidth,
    scrolls: table.parentElement?.hasAttribute('data-wide'),
    high: [...table.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().height > 46).length,
    covering: [...table.querySelectorAll('tbody th, tbody td')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => (cell as HTMLElement).innerText),
  }))
  expect(found).toEqual({ wide: found.scrolls, scrolls: expect.any(Boolean), high: 0, covering: [] })
}

/**
 * Checks that on a phone each row is a card with its key figures and a way to sort, and nothing is wider than the
 * window.
 */
async function expectCards(page: Page, list: List) {
  await page.setViewportSize({ width: 390, height: 844 })
  const cards = cardsOf(page, list)
  await expect(cards).toHaveCount(50)
  await expect(cards.first().getByRole('term')).toHaveCount(list.figures)
  await expect(section(page, list).getByLabel('Sort by')).toBeVisible()
  await expectWidth(page, 390)
  const heights = await cards.evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThan(240)
  const covering = await cards.evaluateAll((cards) =>
    cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => (card as HTMLElement).innerText),
  )
  expect(covering).toEqual([])
}

const kinds: [role: string, who: () => { email: string; password?: string }, lists: List[]][] = [
  ['owner', () => many, ofOwner],
  ['partner', () => jane, ofPartner],
  ['administrator', () => ADMINISTRATOR, ofAdministrator],
]

for (const [role, who, lists] of kinds)
  test.describe(`${role}, ten thousand rows`, () => {
    const page = pageOf(who)
    for (const list of lists)
      test(`${list.name} at ${list.path}`, async () => {
        await open(page(), list.path, list.h1)
        await expectPages(page(), list, { reload: list === lists[0] })
        await expectTableFits(page(), list)
        if (list.search) await expectSearch(page(), list)
        await expectFilters(page(), list)
        await expectSorts(page(), list)
        await expectCards(page(), list)
      })
  })

test.describe('owner, other lists', () => {
  const page = pageOf(() => many)

  test('rows stay, dimmed, until the next ones arrive', async () => {
    const list = ofOwner[0]!
    await open(page(), list.path, list.h1)
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page().route(/\/partners\?.*cursor=/, async (route) => {
      await held
      await route.continue()
    })
    const first = await firstOf(page(), list)
    await pagesOf(page(), list).getByRole('button', { name: 'Next' }).click()
    const rows = section(page(), list).locator('[aria-busy=true]')
    await expect(rows).toHaveCSS('opacity', '0.55')
    await expect(rowsOf(page(), list)).toHaveCount(50)
    expect(await firstOf(page(), list)).toBe(first)
    await expect(pagesOf(page(), list).getByRole('button', { name: 'Next' })).toBeDisabled()
    answer()
    await settled(page())
    await expect(pagesOf(page(), list)).toContainText('51–100 of 10,001')
    await page().unrouteAll()
  })

  test('a partner and a lead are found among ten thousand in a drop-down', async () => {
    await open(page(), '/leads', 'Leads')
    await page().getByRole('combobox', { name: 'Partner' }).fill('partner 00042')
    await expect(page().getByRole('listbox').getByRole('option')).toHaveCount(1)
    await page().getByRole('listbox').getByRole('option', { name: 'Partner 00042' }).click()
    await expect(page().getByText('No data to show')).toBeVisible()
    await expect(page()).toHaveURL(/[?&]partnerId=/)
    await open(page(), '/leads?tab=unattributed', 'Leads')
    await page().getByRole('button', { name: 'Attribute' }).first().click()
    const lead = page().getByRole('dialog').getByRole('combobox', { name: 'Lead' })
    await lead.click()
    await expect(page().getByRole('listbox').getByRole('option')).toHaveCount(20)
    await expect(page().getByRole('dialog').getByText('Type to narrow the list.')).toBeVisible()
    await expectAccessibleInBothThemes(page())
    await lead.fill('lead 00042')
    await expect(page().getByRole('listbox').getByRole('option')).toHaveCount(1)
    await page().getByRole('listbox').getByRole('option', { name: 'Lead 00042' }).click()
    await expect(lead).toHaveValue('Lead 00042')
    await page().keyboard.press('Escape')
  })

  test('the counts on the payout tabs match the lists', async () => {
    await open(page(), '/payouts', 'Payouts')
    for (const [name, count] of [
      ['Upcoming', '10,001'],
      ['Needs action', '9,001'],
      ['Paid', '10,000'],
    ] as const)
      await expect(page().getByRole('tab', { name })).toContainText(count)
    await page().getByRole('tab', { name: 'Paid' }).click()
    await expect(page().getByText('10,000 payouts').first()).toBeVisible()
  })

  test('with all rows selected, a hundred are approved at once', async () => {
    const list = ofOwner.find(({ name }) => name === 'Needs action')!
    await open(page(), list.path, list.h1)
    const within = section(page(), list)
    for (const count of [50, 100, 150]) {
      await within.getByRole('checkbox', { name: 'Select all on page' }).check()
      await expect(within.getByRole('status')).toHaveText(`${count} selected`)
      if (count < 150) await pagesOf(page(), list).getByRole('button', { name: 'Next' }).click()
      await settled(page())
      if (count < 150) await expect(pagesOf(page(), list)).toContainText(`${count + 1}–${count + 50} of 9,001`)
    }
    // the button counts those that can be approved
    await within.getByRole('button', { name: /^Approve 1[0-5]\d payouts$/ }).click()
    const dialog = page().getByRole('dialog', { name: 'Approve payouts' })
    await expect(dialog).toContainText('You can approve up to 100 at once. The other 50 stay selected.')
    // Every tenth partner of the crowd is suspended: none of them is in this list.
    await expect(dialog.getByRole('list', { name: 'Payouts' }).getByRole('listitem')).toHaveCount(100)
    expect(await dialog.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
    // the total stays visible below a list that is longer than the window
    await expect(dialog.getByRole('button', { name: 'Approve 100 payouts' })).toBeInViewport({ ratio: 1 })
    await dialog.getByRole('button', { name: 'Approve 100 payouts' }).click()
    const approved = page().getByRole('status').filter({ hasText: '100 payouts approved' })
    await expect(approved).toBeVisible({ timeout: 40_000 })
    await expect(dialog).toBeHidden()
    await expect(within.getByRole('status')).toHaveText('50 selected')
    await within.getByRole('button', { name: 'Clear selection' }).click()
    await expect(within.getByRole('button', { name: /^Approve \d/ })).toHaveCount(0)
  })

  test('a lead with ten thousand sales and as many notes shows the latest, and more on request', async () => {
    await open(page(), '/leads/{lead}', 'Hannah Cole')
    const sales = page()
      .getByRole('table', { name: 'Sales' })
      .getByRole('button', { name: /^Actions for/ })
    await expect(sales).toHaveCount(50)
    await page().getByRole('button', { name: 'Show more sales' }).click()
    await expect(sales).toHaveCount(100)
    const events = page().getByRole('list', { name: 'Timeline' }).locator('> li')
    await expect(events).toHaveCount(50)
    await page().getByRole('button', { name: 'Show earlier' }).click()
    await expect(events).toHaveCount(100)
    const figures = page().getByLabel('Figures').locator('dd')
    expect(await figures.evaluateAll((all) => all.some((dd) => dd.scrollWidth > dd.clientWidth + 1))).toBe(false)
  })

  for (const [path, h1] of [
    ['/dashboard', 'Dashboard'],
    ['/integrations/push-data', 'Push Data'],
    ['/user/profile', 'Profile'],
    ['/leads/{lead}', 'Hannah Cole'],
    ['/payouts/{payout}', 'Payout PO-20001'],
  ] as const)
    test(`nothing at ${path} is wider than the window, however long names are`, async () => {
      await open(page(), path, h1)
      await expectWidth(page(), 1280)
      await page().setViewportSize({ width: 390, height: 844 })
      await expectWidth(page(), 390)
    })

  test('the newest hundred push requests, and every session', async () => {
    await open(page(), '/integrations/push-data', 'Push Data')
    await expect(page().getByRole('table', { name: 'Last 100 requests' }).locator('tbody tr')).toHaveCount(100)
    const answered = page().waitForResponse(/\/users\/me\/sessions/)
    await open(page(), '/user/profile', 'Profile')
    const { items } = await (await answered).json()
    // up to twenty, as often as this file has signed in
    expect(items.length).toBeGreaterThan(15)
    await expect(page().getByRole('table', { name: 'Sessions' }).locator('tbody tr')).toHaveCount(items.length)
  })

  test('the best partners and links, and the latest sales', async () => {
    await open(page(), '/dashboard', 'Dashboard')
    for (const name of ['Top partners', 'Top links', 'Latest sales'])
      await expect(page().getByRole('table', { name }).locator('tbody tr')).toHaveCount(5)
    await expect(page().getByRole('table', { name: 'Top partners' })).toContainText(longNames.first)
    await expect(page().getByRole('link', { name: /^9,\d{3} payouts to act on$/ })).toBeVisible()
  })
})

test('a partner shares ten thousand links, twenty at a time', async ({ browser }) => {
  const page = await signedInPage(browser, site, jane, [])
  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('button', { name: 'All links and codes' }).click()
  const links = page.getByRole('table', { name: 'Your links' }).locator('tbody tr')
  await expect(links).toHaveCount(20)
  await page.getByRole('button', { name: 'Show more links' }).click()
  await expect(links).toHaveCount(40)
  await expectWidth(page, 1280)
  await page.setViewportSize({ width: 390, height: 844 })
  const all = page.getByRole('region', { name: 'Your links', exact: true })
  for (const name of [/^Copy link for /, /^Show QR code for /])
    await expect(all.getByRole('button', { name })).toHaveCount(40)
  await expectWidth(page, 390)
  await page.context().close()
})

/** Lists of the account with one of everything, and the headings of their cards. */
const single: [path: string, h1: string, name: string, counted: string][] = [
  ['/partners', 'Partners', 'Partners', '1 partner'],
  ['/leads', 'Leads', 'Leads', '1 lead'],
  ['/leads?tab=unattributed', 'Leads', 'Unattributed sales', '1 sale'],
  ['/links', 'Links', 'Links', '1 link'],
  ['/links/{oneLink}', 'Only link', 'Links by partner', '1 partner'],
  ['/payouts', 'Payouts', 'Upcoming', '1 partner'],
  ['/payouts?tab=needs-action', 'Payouts', 'Needs action', '1 payout'],
  ['/payouts?tab=commissions', 'Payouts', 'Commissions', '1 entry'],
  ['/payouts?tab=year-report', 'Payouts', 'Year report', '1 partner'],
  ['/payouts?tab=books', 'Payouts', 'Books', '1 partner'],
  ['/payouts/{onePayout}', 'Payout PO-1', 'Entries', '1 entry'],
]

test.describe('one row', () => {
  const page = pageOf(() => one)
  for (const [path, h1, name, counted] of single)
    test(`${name} at ${path}`, async () => {
      await open(page(), path, h1, 390)
      const within = page().getByRole('region', { name, exact: true })
      await expect(within.getByText(counted, { exact: true }).first()).toBeVisible()
      await expect(within.getByRole('list', { name }).locator(CARD)).toHaveCount(1)
      await page().setViewportSize({ width: 1280, height: 900 })
      await expect(within.getByRole('table', { name }).locator(ROW)).toHaveCount(1)
      const pages = within.getByRole('navigation', { name: 'Pages' })
      // a part of a page with a single row has nothing to arrange
      if (['Links by partner', 'Entries'].includes(name)) {
        await expect(within.getByRole('button', { name: /^(Columns|Views|Download CSV)$/ })).toHaveCount(0)
        return expect(pages).toHaveCount(0)
      }
      await expect(pages).toContainText('1–1 of 1')
      // a single page has no buttons for other pages
      await expect(pages.getByRole('button')).toHaveCount(0)
    })

  test('a blocked payout can be selected, and only be marked as paid', async () => {
    await open(page(), '/payouts?tab=needs-action', 'Payouts')
    const within = page().getByRole('region', { name: 'Needs action' })
    await within.getByRole('checkbox', { name: 'Select PO-1' }).check()
    await expect(within.getByRole('status')).toHaveText('1 selected')
    await expect(within.getByRole('row').last()).toContainText('1 payout')
    await expect(within.getByRole('button', { name: /^Approve \d/ })).toHaveCount(0)
    await within.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(page().getByRole('dialog', { name: 'Mark as paid' })).toContainText('1 payout')
    await page().keyboard.press('Escape')
  })
})

/** Lists of the account with nothing: the text shown instead, and the button that changes it. */
const empty: [path: string, h1: string, name: string, action: string | null][] = [
  ['/partners', 'Partners', 'Partners', 'Add partner'],
  ['/leads', 'Leads', 'Leads', 'Add lead'],
  ['/leads?tab=sales', 'Leads', 'Sales', null],
  ['/leads?tab=unattributed', 'Leads', 'Unattributed sales', null],
  ['/links', 'Links', 'Links', 'Add link'],
  ['/payouts', 'Payouts', 'Upcoming', 'Add partner'],
  ['/payouts?tab=needs-action', 'Payouts', 'Needs action', null],
  ['/payouts?tab=paid', 'Payouts', 'Paid', null],
  ['/payouts?tab=year-report', 'Payouts', 'Year report', null],
  ['/payouts?tab=books', 'Payouts', 'Books', null],
  ['/payouts?tab=invoices', 'Payouts', 'Invoices', null],
]

test.describe('no rows', () => {
  const page = pageOf(() => none)
  for (const [path, h1, name, action] of empty)
    test(`${name} at ${path}`, async () => {
      await open(page(), path, h1)
      const within = page().getByRole('region', { name, exact: true })
      await expect(within.getByText('No data to show')).toBeVisible()
      await expect(within.getByRole('button', { name: 'Clear filters' })).toHaveCount(0)
      await expect(within.getByRole('searchbox')).toHaveCount(1)
      if (action) await expect(within.getByRole('button', { name: action })).toBeVisible()
      await page().setViewportSize({ width: 390, height: 844 })
      await expect(within.getByText('No data to show')).toBeVisible()
      await expectWidth(page(), 390)
    })
})
