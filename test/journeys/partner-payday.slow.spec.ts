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

const coming = (page: Page) => page.getByRole('region', { name: 'Next payouts' })
const money = (page: Page, label: string) =>
  page.getByLabel('Your money').locator('div', { has: page.getByRole('term').filter({ hasText: label }) })

/** Returns the sum of the last column of this screen's table. */
async function sumOf(page: Page, table: string) {
  await expect(page.getByRole('table', { name: table })).toBeVisible()
  await atRest(page)
  // the last amount of each row; a button may follow it
  const cells = await page
    .getByRole('table', { name: table })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map(
        (row) => [...row.querySelectorAll('td')].findLast(({ innerText }) => /^-?\$/.test(innerText))!.innerText,
      ),
    )
  const sum = cells.reduce((all, cell) => all + Number(cell.replace(/[$,]/g, '')), 0)
  return `$${sum.toFixed(2)}`
}

test('the dashboard opens with the partner’s balance, then the next payments, their dates, destination and sales', async ({
  browser,
}) => {
  const page = await open(browser, partner, '/dashboard')
  await expect(page.getByRole('main')).toContainText('Harbor Analytics partner program')
  await expect(coming(page).getByRole('listitem')).toHaveText([
    'Today · $25.00 · 1 commission',
    `${inWords(5)} · $58.00 · 2 commissions`,
    `${inWords(20)} · $12.00 · 1 commission`,
  ])
  await expect(coming(page)).toContainText('to ••6789')
  await expect(page.getByRole('region', { name: 'What you earn' }).getByRole('paragraph')).toHaveText([
    'You earn 10% of each sale.',
  ])
  await expect(money(page, 'Due')).toContainText('$25.00payable')
  // earned with own sales and with those of sub-partners, apart: their sum is the card's amount
  await expect(page.getByRole('figure', { name: 'Earnings' })).toContainText(
    'Own earnings $115.00, From sub-partners $10.00',
  )
  const [has, comes] = [page.getByLabel('Your money'), coming(page)]
  expect((await comes.boundingBox())!.y).toBeLessThan((await has.boundingBox())!.y)
  const counts = page.getByRole('figure', { name: 'Leads and sales' })
  await counts.getByRole('button', { name: 'Show as table' }).click()
  await expect(counts.getByRole('columnheader')).toHaveText([/./, 'Leads', 'Sales'])
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
  await page.goto(`${site.url}/partner/settings`)
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
  await expect(coming(page).getByRole('listitem')).toContainText([
    'Add your payout details',
    `Not yet approved for ${year}`,
  ])
  // amber, and a link, only where the partner can act
  await expect(coming(page).getByRole('listitem').getByRole('link')).toHaveText(['Add your payout details'])
  await sell(waiting, 500_00, dayBefore(31))
  await sell(waiting, 70_00, dayBefore(3))
  await page.reload()
  await expect(coming(page).getByRole('listitem').getByRole('link').last()).toHaveText(
    'Waiting · $57.00 · 2 commissions',
  )
  await expect(coming(page)).toContainText('Harbor Analytics approves partners once a year. No action needed.')
  await expect(money(page, 'Due')).toContainText('$50.00')
  await expect(money(page, 'Due')).not.toContainText('payable')
  await coming(page).getByRole('link', { name: 'Waiting · $57.00 · 2 commissions' }).click()
  await expect(page).toHaveURL(/payday=blocked/)
  await expect(page.getByRole('main')).toContainText('$57.00')
  await page.goBack()
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
  await page.goto(`${site.url}/dashboard`)
  await coming(page).getByRole('link', { name: 'Add your payout details' }).click()
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save payout details' })).toBeVisible()
  await expect(page.getByLabel('Country')).toBeDisabled()

  await enterDetails(waiting)
  await approve(waiting.id)
  await page.goto(`${site.url}/dashboard`)
  await expect(coming(page).getByRole('listitem').getByRole('link').first()).toHaveText('Today · $50.00 · 1 commission')
  await page.context().close()
})

test('a partner whose links no longer earn sees that where they are copied', async ({ browser }) => {
  await call(owner, 'POST', `/accounts/${owner.id}/link-blueprints`, {
    name: 'Main website',
    destinationUrl: 'https://harbor.example/',
  })
  const stopped = await aSignedUpPartner(site, owner, { firstName: 'Stella' })
  const page = await open(browser, stopped, '/dashboard', { viewport: { width: 390, height: 844 } })
  const links = page.getByRole('region', { name: 'Your link', exact: true })
  const says = links.getByText('you get no credit for their purchases')
  await expect(links.getByRole('button', { name: 'Copy link' })).toBeVisible()
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
  await expect(coming(page)).toContainText(
    'Payable in January: $57.00. Harbor Analytics approves partners once a year; you don’t need to do anything.',
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
  await atRest(page)
  const { days } = await call(owner, 'GET', `/accounts/${owner.id}/payouts/forecast`)
  const { totals } = await call(owner, 'GET', `/accounts/${owner.id}/balances?each=payday&empty=false`)
  const heads = page.locator('tbody th[scope=rowgroup]')
  const inPayouts = (count: number) => `${count} ${count === 1 ? 'payout' : 'payouts'}`
  await expect(heads).toHaveCount(days.length + 1)
  let sum = 0
  for (const [at, { date, count, amount }] of days.entries()) {
    sum += amount
    const day = new Date(date).toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
    await expect(heads.nth(at)).toContainText(day)
    await expect(heads.nth(at)).toContainText(` · ${inPayouts(count)} · $${(amount / 100).toFixed(2)}`)
  }
  // what no payday pays is all that remains of the amounts held and due
  const rest = ((totals.held + totals.due + totals.onHold - sum) / 100).toFixed(2)
  const { count } = totals.paydays.find((payday: { date: string | null }) => payday.date === null)
  const of = `${count} ${count === 1 ? 'partner' : 'partners'}`
  await expect(heads.last()).toHaveText(`No payday yet · ${of} · $${rest}`)
  await page.goto(`${site.url}/payouts?tab=upcoming&blocked=true`)
  await expect(page.getByRole('tab', { name: 'Upcoming' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('rowheader', { name: 'Sam Ortiz' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.context().close()
})
