import type { Browser, Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  atRest,
  expectAccessibleInBothThemes,
  type Person,
  pageHeading,
  signedInPage,
} from '../support/journey.ts'
import { bankDetails } from '../support/payouts.ts'
import type { SharedSite } from '../support/populated-account.ts'
import { expect, test } from '../support/test.ts'

// A partner's view of their next payday: amount, date, destination and missing steps; each amount is shown above the
// list that adds up to it. The owner sees the same days.

const DAY = 86_400_000
const year = new Date().getUTCFullYear()
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
/** 'November 24', with the year if it is the next one. */
const inWords = (days: number) => {
  const date = new Date(Date.now() + days * DAY)
  const words = date.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
  return date.getUTCFullYear() === year ? words : `${words}, ${date.getUTCFullYear()}`
}

type Account = Person & { id: string }
let site: SharedSite
let owner: Account
let partner: Account

const call = async (who: Person, method: string, path: string, body?: object) =>
  expectOk(await site.api(method, path, { token: who.token, body })).body

async function sell(to: { id: string }, amount: number, saleDate: string) {
  const email = `${amount}-${saleDate}-${to.id.slice(-6)}@buyer.example`
  const lead = await call(owner, 'POST', `/accounts/${owner.id}/leads`, { partnerId: to.id, email })
  await call(owner, 'POST', `/leads/${lead.id}/sales`, { amount, saleDate })
}

const enterDetails = (who: Account) => call(who, 'POST', `/partners/${who.id}/payout-settings`, bankDetails())
const approve = (id: string) =>
  call(owner, 'PUT', `/partners/${id}`, {
    approvedPayoutYears: [year, year + 1],
    taxForm: { kind: 'w-9', receivedOn: dayBefore(300) },
  })

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, {
    name: 'Harbor Analytics',
    payoutDelay: 30,
    minimumPayout: 10_00,
    defaultCommissionSettings: { layerRates: [10, 5] },
    invitationsFromPartners: true,
  })
  partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const below = {
    firstName: 'Sam',
    lastName: 'Ortiz',
    email: `sam-${Date.now()}@partners.example`,
    parentPartnerId: partner.id,
  }
  const subPartner = await call(owner, 'POST', `/accounts/${owner.id}/partners`, below)
  await enterDetails(partner)
  await approve(partner.id)
  // paid already, due now, in five days from two sales, and in twenty days
  await sell(partner, 300_00, dayBefore(60))
  await call(owner, 'POST', `/accounts/${owner.id}/payouts/refresh`)
  const { items } = await call(owner, 'GET', `/accounts/${owner.id}/payouts`)
  await call(owner, 'POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'Wire 4471' })
  await sell(partner, 250_00, dayBefore(40))
  await sell(partner, 480_00, dayBefore(25))
  await sell(subPartner, 200_00, dayBefore(25))
  await sell(partner, 120_00, dayBefore(10))
})

async function open(browser: Browser, who: Person, path: string, options = {}) {
  const page = await signedInPage(browser, site, who, [], options)
  await page.goto(`${site.url}${path}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}

const coming = (page: Page) => page.getByRole('region', { name: 'Payouts' })
const money = (page: Page, label: string) =>
  page.getByLabel('Your money').locator('div', { has: page.getByRole('term').filter({ hasText: label }) })

/** Returns the sum of the last column of this screen's table. */
async function sumOf(page: Page, table: string) {
  await expect(page.getByRole('table', { name: table })).toBeVisible()
  await atRest(page)
  const cells = await page.getByRole('table', { name: table }).locator('tbody tr td:last-child').allInnerTexts()
  const sum = cells.reduce((all, cell) => all + Number(cell.replace(/[$,]/g, '')), 0)
  return `$${sum.toFixed(2)}`
}

test('the dashboard opens with the partner’s balance, then the next payments, their dates, destination and sales', async ({
  browser,
}) => {
  const page = await open(browser, partner, '/dashboard')
  await expect(page.getByRole('main')).toContainText('Harbor Analytics partner program')
  await expect(coming(page).getByRole('listitem')).toHaveText([
    'Today: $25.00 to ••6789, from 1 sale',
    `${inWords(5)}: $58.00 to ••6789, from 2 sales`,
    `${inWords(20)}: $12.00 to ••6789, from 1 sale`,
  ])
  await expect(page.getByRole('region', { name: 'What you earn' }).getByRole('paragraph')).toHaveText([
    'You earn 10% of each sale, unless a link has its own rate.',
    'For sub-partners’ sales, your rate depends on their commission settings. The default is 5%.',
  ])
  await expect(money(page, 'Due')).toContainText('$25.00payable')
  await expect(money(page, 'Next payout')).toContainText('$25.00')
  // earned with own sales and with those of sub-partners, apart: their sum is the card's amount
  await expect(page.getByRole('figure', { name: 'Revenue and earnings' })).toContainText(
    'Own earnings $115.00, From sub-partners $10.00',
  )
  const [has, comes] = [page.getByLabel('Your money'), coming(page)]
  expect((await has.boundingBox())!.y).toBeLessThan((await comes.boundingBox())!.y)
  const counts = page.getByRole('figure', { name: 'Clicks, leads and sales' })
  await counts.getByRole('button', { name: 'Show as table' }).click()
  await expect(counts.getByRole('columnheader')).toHaveText([/./, 'Clicks', 'Leads', 'Sales'])
  const figures = page.getByLabel('Your figures')
  for (const part of [/^Clicks0/, /^Sales4/, /^Earnings\$125\.00/])
    await expect(figures.locator('div').filter({ hasText: part }).last()).toBeVisible()
  await expectAccessibleInBothThemes(page)

  // by keyboard to the commissions of the first payday
  const first = coming(page).getByRole('listitem').getByRole('link').first()
  await first.focus()
  await page.keyboard.press('Enter')
  await expect(pageHeading(page, 'Jane Whitfield')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Commissions' })).toHaveAttribute('aria-selected', 'true')
  expect(await sumOf(page, 'Commissions')).toBe('$25.00')
  await page.context().close()
})

test('each part of the balance appears above the list that adds up to it', async ({ browser }) => {
  const page = await open(browser, partner, '/dashboard')
  const parts = [
    ['Earned', '$125.00', 'Commissions'],
    ['Held', '$70.00', 'Commissions'],
    ['Due', '$25.00', 'Commissions'],
    ['Paid', '$30.00', 'Payouts'],
  ] as const
  for (const [part, amount, list] of parts) {
    await expect(money(page, part)).toContainText(amount)
    await money(page, part).getByRole('link').click()
    expect(await sumOf(page, list), part).toBe(amount)
    await expect(page.getByRole('table', { name: list }).locator('tfoot')).toContainText(amount)
    await page.goBack()
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  }
  await money(page, 'Next payout').getByRole('link').click()
  const next = page.getByRole('region', { name: 'Your next payout' })
  await expect(next).toContainText('Next amount$25.00')
  await expect(next).toContainText(`Approved for ${year}Yes`)
  await expect(next).toContainText('Tax form on fileYes')
  await page.context().close()
})

test('a partner’s own page has its own address and omits the owner’s fields', async ({ browser }) => {
  const page = await open(browser, partner, `/partners/${partner.id}`)
  await expect(page.getByRole('tab')).toHaveText([/^Overview/, /^Sub-partners1/, /^Leads/, /^Commissions/, /^Payouts/])
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('Earned$125.00')
  await expectAccessibleInBothThemes(page)
  for (const tab of ['Sub-partners', 'Leads', 'Commissions', 'Payouts']) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('table', { name: tab })).toBeVisible()
  }
  const paid = page.getByRole('row', { name: /^PO-\d+ Paid/ })
  await expect(paid).toContainText('$30.00')
  await paid.getByRole('link', { name: /^PO-/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Payout PO-\d+$/ })).toBeVisible()
  await page.getByRole('link', { name: /^Receipt for \$30\.00/ }).click()
  const step = page.getByRole('dialog').getByRole('listitem', { name: 'Payout', exact: true })
  await expect(step.getByRole('link', { name: /^PO-\d+$/ })).toHaveAttribute('href', new URL(page.url()).pathname)
  await page.context().close()
})

test('each obstacle to a payout is named, with a link to remove it', async ({ browser }) => {
  const waiting = await aSignedUpPartner(site, owner, {
    firstName: 'Aleksandra-Wilhelmina',
    lastName: 'Wojciechowska-Featherstonehaugh',
  })
  const page = await open(browser, waiting, '/dashboard', { viewport: { width: 390, height: 844 } })
  await expect(coming(page).getByRole('listitem').getByRole('link')).toHaveText([
    'Add your payout details',
    `Not yet approved for ${year}`,
  ])
  await sell(waiting, 500_00, dayBefore(31))
  await sell(waiting, 70_00, dayBefore(3))
  await page.reload()
  await expect(coming(page).getByRole('listitem').getByRole('link').last()).toHaveText('$57.00 can’t be paid yet')
  await expect(coming(page)).toContainText('From 2 sales.')
  await expect(coming(page)).toContainText('Harbor Analytics approves partners once a year. No action needed.')
  await expect(money(page, 'Due')).toContainText('$50.00')
  await expect(money(page, 'Due')).not.toContainText('payable')
  await coming(page).getByRole('link', { name: '$57.00 can’t be paid yet' }).click()
  await expect(page).toHaveURL(/payday=blocked/)
  await expect(page.getByRole('main')).toContainText('$57.00')
  await page.goBack()
  // no day is promised while something blocks the payout, neither here nor on Settings
  await expect(money(page, 'Next payout')).toContainText('Not yetAdd your payout details')
  await expect(money(page, 'Held')).toContainText('$7.00not payable yet')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessibleInBothThemes(page)
  // the waiting payout shows the same
  await call(owner, 'POST', `/accounts/${owner.id}/payouts/refresh`)
  const { items } = await call(waiting, 'GET', `/partners/${waiting.id}/payouts`)
  await page.goto(`${site.url}/partner/payouts/${items[0].id}`)
  const blocking = page.getByRole('region', { name: 'What’s blocking this payout' })
  await expect(blocking).toContainText('Harbor Analytics approves partners once a year. No action needed.')
  await expect(blocking.getByRole('link', { name: 'Open your payout settings' })).toHaveAttribute(
    'href',
    '/partner/settings',
  )
  await page.goBack()
  await money(page, 'Next payout').getByRole('link').click()
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save payout details' })).toBeVisible()
  await expect(page.getByLabel('Country')).toBeDisabled()

  await enterDetails(waiting)
  await approve(waiting.id)
  await page.goto(`${site.url}/dashboard`)
  await expect(coming(page).getByRole('listitem').getByRole('link').first()).toHaveText(
    'Today: $50.00 to ••6789, from 1 sale',
  )
  await page.context().close()
})

test('a partner whose links no longer earn sees that where they are copied', async ({ browser }) => {
  await call(owner, 'POST', `/accounts/${owner.id}/link-blueprints`, {
    name: 'Main website',
    destinationUrl: 'https://harbor.example/',
  })
  const stopped = await aSignedUpPartner(site, owner, { firstName: 'Stella' })
  const page = await open(browser, stopped, '/dashboard', { viewport: { width: 390, height: 844 } })
  const links = page.getByRole('region', { name: 'Your links' })
  const says = links.getByText('you get no credit for their purchases')
  await expect(links.getByText('Main website')).toBeVisible()
  await expect(says).toBeHidden()
  await call(owner, 'PUT', `/partners/${stopped.id}`, { state: 'suspended', reason: 'Under review' })
  await page.reload()
  await expect(says).toContainText('Your account is suspended.')
  await expectAccessibleInBothThemes(page)
  await call(owner, 'POST', `/partners/${stopped.id}/archive`, { subPartners: 'move-up', balance: 'pay-out' })
  await page.reload()
  await expect(says).toContainText('You’re no longer in this program.')
  await page.context().close()
})

test('money that lacks only next year’s approval blames nothing else', async ({ browser }) => {
  const page = await signedInPage(browser, site, partner, [])
  const forecast = await call(partner, 'GET', `/partners/${partner.id}/payouts/forecast`)
  // as in December, whatever the day of the test
  await page.route(
    (url) => url.pathname.endsWith('/payouts/forecast'),
    (route) => route.fulfill({ json: { ...forecast, blocked: { amount: 57_00, count: 2 } } }),
  )
  await page.goto(`${site.url}/dashboard`)
  await expect(coming(page)).toContainText('Payable in January: $57.00')
  await expect(coming(page)).toContainText(
    'Harbor Analytics approves partners once a year; you don’t need to do anything.',
  )
  await page.context().close()
})

test('a failing forecast fails alone, and loads when retried', async ({ browser }) => {
  const page = await signedInPage(browser, site, partner, [])
  const forecasts = (url: URL) => url.pathname.endsWith('/payouts/forecast')
  await page.route(forecasts, (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto(`${site.url}/dashboard`)
  await expect(coming(page)).toContainText('Failed to load')
  await expect(money(page, 'Due')).toContainText('$25.00')
  await page.unroute(forecasts)
  await coming(page).getByRole('button', { name: 'Try again' }).click()
  await expect(coming(page).getByRole('listitem')).toHaveCount(3)
  await page.context().close()
})

test('the owner sees the paydays with the funds each needs, and the blocked payouts', async ({ browser }) => {
  const page = await open(browser, owner, '/payouts')
  const paydays = page.getByRole('list', { name: 'Paydays' })
  await atRest(page)
  // the screen refreshes the due amounts
  const { days, blocked } = await call(owner, 'GET', `/accounts/${owner.id}/payouts/forecast`)
  await expect(paydays.getByRole('listitem')).toHaveCount(days.length)
  let sum = 0
  for (const [at, { amount }] of days.entries()) {
    sum += amount
    const line = paydays.getByRole('listitem').nth(at)
    await expect(line).toContainText(`$${(amount / 100).toFixed(2)}`)
    await expect(line).toContainText(`$${(sum / 100).toFixed(2)} by then`)
  }
  const rest = page.getByRole('link', { name: `$${(blocked.amount / 100).toFixed(2)} blocked` })
  await rest.click()
  await expect(page.getByRole('tab', { name: 'Upcoming' })).toHaveAttribute('aria-selected', 'true')
  await expectAccessibleInBothThemes(page)
  await page.context().close()
})
