import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { fakeStripe } from '../fakes/stripe.ts'
import { stripePayment } from '../fakes/stripe-events.ts'
import { fakeWise } from '../fakes/wise.ts'
import { ADMINISTRATOR, expectOk, PASSWORD } from '../support/app.ts'
import { failOnPageErrors, filterUnexpected } from '../support/browser.ts'
import { pageHeading, type Site, startSite } from '../support/journey.ts'
import { BROWSER } from '../support/links.ts'
import { expect, test } from '../support/test.ts'

// The complete money flow by clicking: an administrator, an owner, a partner and a buyer. Everything is made and
// read on the screens; only Stripe, Wise and the owner's own site are stand-ins, on loopback.

/** Browsers resolve every name below `localhost` to their own machine. */
const SHOP = 'shop.localhost'

let site: Site
let stripe: Awaited<ReturnType<typeof fakeStripe>>
let wise: Awaited<ReturnType<typeof fakeWise>>
let shop: Server
/** The snippet that the owner has pasted into the pages of their site. */
let pasted = ''

test.beforeAll(async () => {
  stripe = await fakeStripe()
  wise = await fakeWise({ autoProgress: true })
  shop = createServer(async (request, response) => {
    const sent = request.method === 'POST' ? await fieldsOf(request) : null
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(sent ? page('Thank you', `<p>We write to ${sent.get('email')}.</p>`) : page('Free trial', TRIAL))
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  site = await startSite({
    STRIPE_API_URL: stripe.url,
    WISE_API_URL: wise.url,
    ALLOW_PRIVATE_WEBHOOK_TARGETS: '1',
  })
})

test.afterAll(async () => {
  await site?.end()
  shop?.closeAllConnections()
  shop?.close()
  await stripe?.close()
  await wise?.close()
})

const shopAddress = () => `http://${SHOP}:${(shop.address() as AddressInfo).port}/`

async function fieldsOf(request: IncomingMessage) {
  let text = ''
  for await (const part of request) text += part
  return new URLSearchParams(text)
}

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${pasted}</head><body><h1>${title}</h1>${body}</body></html>`

const TRIAL = `<form action="/thanks" method="post" id="trial">
  <label>Given name <input name="first_name"></label>
  <label>Family name <input name="last_name"></label>
  <label>Where do we write to? <input id="work-mail" name="email"></label>
  <button>Start</button>
</form>`

type Visitor = { page: Page; context: BrowserContext }

/** A person with their own browser, one that does not identify itself as automated, whose complaints are collected. */
async function someone(browser: Browser, complaints: string[]): Promise<Visitor> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ userAgent: BROWSER, permissions })
  const page = await context.newPage()
  await failOnPageErrors(page, complaints)
  return { page, context }
}

/** Presses the button and returns the text it copied. */
async function copied(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

const main = (page: Page) => page.getByRole('main')
const actions = (page: Page) => page.getByRole('group', { name: 'Page actions' })
const submit = (page: Page, form: string, button = form) =>
  page.getByRole('form', { name: form }).getByRole('button', { name: button, exact: true }).click()
const row = (page: Page, name: string) => main(page).getByRole('row').filter({ hasText: name })
const expectStatus = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

/** Opens a screen from the sidebar. */
async function openScreen(page: Page, link: string, title = link) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
  await expect(pageHeading(page, title)).toBeVisible()
}

/** A figure by its name. */
const figure = (page: Page, strip: string, name: string) =>
  main(page)
    .getByLabel(strip, { exact: true })
    .locator('div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
    .getByRole('definition')
    .first()

async function expectFigures(page: Page, strip: string, figures: Record<string, string>) {
  for (const [name, value] of Object.entries(figures))
    await expect(figure(page, strip, name), `${strip}: ${name}`).toHaveText(value)
}

async function finishSetup(page: Page, link: string, firstName: string, lastName: string) {
  await page.goto(link)
  await expect(pageHeading(page, 'Set up your account')).toBeVisible()
  await page.getByLabel('First Name').fill(firstName)
  await page.getByLabel('Last Name').fill(lastName)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
}

/** Reloads until the effect of other systems is visible. */
const untilShown = (page: Page, look: () => Promise<void>) =>
  expect(async () => {
    await page.reload()
    await look()
  }).toPass({ timeout: 60_000 })

test('the complete money flow, from the first sign-in to the transfer', async ({ browser }) => {
  test.setTimeout(300_000)
  const complaints: string[] = []
  const [{ page: admin }, { page: elena }, { page: sam }, { page: cara }] = await Promise.all([
    someone(browser, complaints),
    someone(browser, complaints),
    someone(browser, complaints),
    someone(browser, complaints),
  ])
  let shortLink = ''

  await test.step('the administrator creates an account and copies its owner’s link', async () => {
    await admin.goto(site.url)
    await admin.getByLabel('Email').fill(ADMINISTRATOR.email)
    await admin.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password)
    await admin.getByRole('button', { name: 'Sign in' }).click()
    await expect(pageHeading(admin, 'Accounts')).toBeVisible()
    await actions(admin).getByRole('button', { name: 'Add account' }).click()
    await admin.getByLabel('Account Name').fill('Harbor Analytics')
    await admin.getByLabel('Owner Email').fill('elena@harbor.example')
    await submit(admin, 'Add account')
    await expect(pageHeading(admin, 'Harbor Analytics')).toBeVisible()
    const link = await copied(admin, 'Copy setup link')
    expect(link).toContain('/user-setup#token=')

    await finishSetup(elena, link, 'Elena', 'Marsh')
    await expect(main(elena)).toContainText('0 of 6 done')
  })

  await test.step('the owner sets rates and payout delay', async () => {
    await openScreen(elena, 'Settings')
    await elena.getByRole('tab', { name: 'Commission' }).click()
    await elena.getByLabel('Layer 1 Rate').fill('20')
    await elena.getByRole('button', { name: 'Add layer' }).click()
    await elena.getByLabel('Layer 2 Rate').fill('5')
    await submit(elena, 'Settings', 'Save changes')
    await expectStatus(elena, 'Settings saved')
    await elena.getByRole('button', { name: 'Dismiss' }).click()
    await elena.getByRole('tab', { name: 'Payouts' }).click()
    await elena.getByLabel('Payout Delay').selectOption('0 days')
    await submit(elena, 'Settings', 'Save changes')
    await expectStatus(elena, 'Settings saved')
  })

  await test.step('a partner is added, and below her another who accepts the invitation', async () => {
    await openScreen(elena, 'Partners')
    await actions(elena).getByRole('button', { name: 'Add partner' }).click()
    await addPartner('Jane', 'Whitfield')
    await actions(elena).getByRole('button', { name: 'Add sub-partner' }).click()
    await expect(elena.getByLabel('Parent Partner')).toHaveValue('Jane Whitfield')
    await addPartner('Sam', 'Ortiz')
    await expect(main(elena).getByRole('table', { name: 'Commission' })).toContainText('Jane Whitfield')
    const link = await copied(elena, 'Copy invitation link')
    await finishSetup(sam, link, 'Sam', 'Ortiz')
    await untilShown(elena, () =>
      expect(main(elena).getByText('Active', { exact: true })).toBeVisible({ timeout: 5000 }),
    )
  })

  async function addPartner(firstName: string, lastName: string) {
    await elena.getByLabel('First Name').fill(firstName)
    await elena.getByLabel('Last Name').fill(lastName)
    await elena.getByLabel('Email').fill(`${firstName.toLowerCase()}@partners.example`)
    await submit(elena, 'Add partner')
    await expect(pageHeading(elena, `${firstName} ${lastName}`)).toBeVisible()
  }

  await test.step('a link is created, which the partner copies from their dashboard', async () => {
    await openScreen(elena, 'Links')
    await actions(elena).getByRole('button', { name: 'Add link' }).click()
    await elena.getByLabel('Name', { exact: true }).fill('Free trial')
    await elena.getByLabel('Destination URL').fill(shopAddress())
    await submit(elena, 'Add link')
    await expect(pageHeading(elena, 'Free trial')).toBeVisible()
    await expect(row(elena, 'Sam Ortiz')).toContainText('/sam-ortiz')
    await sam.reload()
    shortLink = await copied(sam, 'Copy link')
    expect(new URL(shortLink).pathname).toMatch(/^\/r\/[^/]+\/sam-ortiz$/)
    await expect(sam.getByRole('region', { name: 'Your link', exact: true }).getByRole('code')).toHaveText(
      shortLink.replace(/^https?:\/\//, ''),
    )
  })

  await test.step('the embed code is pasted into a page whose form a visitor submits', async () => {
    await openScreen(elena, 'Embed Code')
    await elena.getByLabel('Email Selector Type').selectOption('ID')
    await elena.getByLabel('Email Selector Value').fill('#work-mail')
    await elena.getByLabel('Allowed Domains').fill(SHOP)
    await submit(elena, 'Embed Code', 'Save changes')
    await expectStatus(elena, 'Embed code saved')
    pasted = await copied(elena, 'Copy code')
    expect(pasted).toContain('<script async src=')

    await cara.goto(shortLink)
    await expect(pageHeading(cara, 'Free trial')).toBeVisible()
    expect(new URL(cara.url()).host).toBe(new URL(shopAddress()).host)
    expect(new URL(cara.url()).searchParams.get('ref')).toBe('sam-ortiz')
    await cara.waitForFunction(() => 'tributary' in window)
    await cara.getByLabel('Given name').fill('Cara')
    await cara.getByLabel('Family name').fill('Lind')
    await cara.getByLabel('Where do we write to?').fill('cara@brightline.example')
    await cara.getByRole('button', { name: 'Start' }).click()
    await expect(pageHeading(cara, 'Thank you')).toBeVisible()

    await openScreen(elena, 'Leads')
    await untilShown(elena, () => expect(row(elena, 'Cara Lind')).toContainText('Sam Ortiz', { timeout: 5000 }))
    await row(elena, 'Cara Lind').getByRole('link', { name: 'Cara Lind' }).click()
    await expect(pageHeading(elena, 'Cara Lind')).toBeVisible()
    const why = main(elena).getByLabel('Why this partner').first()
    await expect(why).toContainText('Sam Ortiz')
    await expect(why).toContainText('Click')
    await expect(why).toContainText('Free trial')
  })

  await test.step('Stripe is connected and reports a payment and a refund of half of it', async () => {
    await elena.getByRole('region', { name: 'Notice' }).getByRole('link', { name: 'Go to payment providers' }).click()
    await expect(pageHeading(elena, 'Payment Providers')).toBeVisible()
    await elena.getByRole('button', { name: 'Connect Stripe' }).click()
    const dialog = elena.getByRole('dialog', { name: 'Connect Stripe' })
    await dialog.getByLabel('Restricted Key').fill(stripe.key)
    await dialog.getByRole('button', { name: 'Connect Stripe' }).click()
    await expect(dialog).toBeHidden()
    await expect(main(elena).getByRole('region', { name: 'Stripe' })).toContainText('Connected')
    expect(stripe.endpoints()).toHaveLength(1)

    const payment = stripePayment({ store: stripe.store, amount: 100_00, email: 'cara@brightline.example' })
    for (const event of [payment.checkoutCompleted, payment.chargeSucceeded, payment.checkoutCompleted])
      expect((await stripe.send(event)).map(({ status }) => status)).toEqual([200])

    await openScreen(elena, 'Leads')
    await row(elena, 'Cara Lind').getByRole('link', { name: 'Cara Lind' }).click()
    const sales = main(elena).getByRole('region', { name: 'Sales' })
    await untilShown(elena, async () => {
      await expect(sales).toContainText('Completed', { timeout: 5000 })
      await expect(sales).toContainText('1 · Sam Ortiz')
      await expect(sales).toContainText('$20.00')
      await expect(sales).toContainText('2 · Jane Whitfield')
      await expect(sales).toContainText('$5.00')
    })
    // An event may be booked between the page's two reads, here and below.
    await elena.reload()
    await expectFigures(elena, 'Figures', {
      Sales: '1',
      Revenue: '$100.00',
      'Revenue share': '$25.00',
      Profit: '$75.00',
    })

    const { chargeRefunded } = payment.refund(50_00)
    expect((await stripe.send(chargeRefunded)).map(({ status }) => status)).toEqual([200])
    await untilShown(elena, async () => {
      await expect(sales).toContainText('Partially refunded', { timeout: 5000 })
      await expect(sales).toContainText('-$50.00')
      await expect(sales).toContainText('$10.00')
      await expect(sales).toContainText('$2.50')
    })
    await elena.reload()
    await expectFigures(elena, 'Figures', {
      Sales: '1',
      Revenue: '$50.00',
      'Revenue share': '$12.50',
      Profit: '$37.50',
    })
  })

  await test.step('the partner enters payout details, the owner approves the year and connects Wise', async () => {
    await openScreen(sam, 'Settings')
    await sam.getByLabel('Account Holder Name').fill('Sam Ortiz')
    await sam.getByLabel('Routing Number').fill('021000021')
    await sam.getByLabel('Account Number', { exact: true }).fill('12345678904821')
    await sam.getByLabel('Confirm Account Number').fill('12345678904821')
    await sam.getByLabel('Address').fill('214 Alder Street')
    await sam.getByLabel('City').fill('Portland')
    await sam.getByLabel('State').selectOption('Oregon')
    await sam.getByLabel('Zip Code').fill('97205')
    await sam.getByRole('button', { name: 'Save payout details' }).click()
    await expect(main(sam).getByRole('region', { name: 'Payout details' })).toContainText('•••••4821')

    await openScreen(elena, 'Partners')
    await row(elena, 'Sam Ortiz').getByRole('link', { name: 'Sam Ortiz' }).click()
    // in December the next year has a switch too
    const year = new Date().getUTCFullYear()
    await main(elena)
      .getByRole('switch', { name: `Approved for payouts in ${year}` })
      .first()
      .click()
    await expectStatus(elena, 'Sam Ortiz approved for')

    await openScreen(elena, 'Settings')
    await elena.getByRole('tab', { name: 'Payouts' }).click()
    await elena.getByLabel('API Token').fill(wise.token)
    await elena.getByRole('button', { name: 'Load' }).click()
    await elena.getByRole('radiogroup', { name: 'Profile' }).getByRole('radio', { name: 'Northwind LLC' }).check()
    await submit(elena, 'Settings', 'Save changes')
    await expectStatus(elena, 'Settings saved')
  })

  await test.step('the owner collects, reviews and approves; Wise sends it once', async () => {
    await openScreen(elena, 'Payouts')
    await elena.getByRole('tab', { name: 'Needs action' }).click()
    await elena.getByRole('button', { name: '1 ready to approve' }).click()
    await expect(row(elena, 'Sam Ortiz').getByRole('checkbox')).toBeChecked()
    await elena.getByRole('button', { name: 'Approve 1 payout' }).click()
    const review = elena.getByRole('dialog', { name: 'Approve payout' })
    await expect(review).toContainText('$10.00')
    await review.getByRole('button', { name: 'Approve 1 payout' }).click()
    await expect(review).toBeHidden()
    await wise.waitForCalls('POST /v1/transfers', 1)
    const askWise = async () => {
      const token = await elena.evaluate(() => JSON.parse(localStorage.getItem('tributary.session')!).accessToken)
      const { roles } = expectOk(await site.api('GET', '/users/me', { token })).body
      expectOk(await site.api('POST', `/accounts/${roles[0].accountId}/payouts/refresh`, { token, body: {} }))
    }
    await elena.getByRole('tab', { name: 'Paid' }).click()
    await elena.getByLabel('Status', { exact: true }).selectOption('On its way')
    await expect(async () => {
      await askWise()
      await expect(row(elena, 'Sam Ortiz').getByText('Sent', { exact: true })).toBeVisible({ timeout: 5000 })
    }).toPass({ timeout: 60_000 })
    expect([wise.quotes.size, wise.recipients.size, wise.transfers.size]).toEqual([1, 1, 1])
  })

  await test.step('dashboards and lists agree to the unit', async () => {
    await openScreen(elena, 'Dashboard')
    await elena.reload()
    await expectFigures(elena, 'Figures', {
      Partners: '2',
      Leads: '1',
      Sales: '1',
      Revenue: '$50.00',
      'Revenue share': '$12.50',
      Profit: '$37.50',
    })
    await expect(main(elena).getByRole('table', { name: 'Latest sales' })).toContainText('Partially refunded')
    await openScreen(elena, 'Partners')
    for (const [name, share] of [
      ['Sam Ortiz', '$10.00'],
      ['Jane Whitfield', '$2.50'],
    ])
      await expect(row(elena, name!)).toContainText(share!)

    await openScreen(sam, 'Dashboard')
    await sam.reload()
    await expectFigures(sam, 'Your money', { Earned: '$10.00', Held: '$0.00' })
    await expectFigures(sam, 'Your figures', { Leads: '1', Sales: '1', Earnings: '$10.00' })
    await openScreen(sam, 'Leads')
    await expect(row(sam, 'Cara Lind')).toContainText('$10.00')

    await admin.reload()
    await expectFigures(admin, 'Figures for Harbor Analytics', {
      Partners: '2',
      Leads: '1',
      Sales: '1',
      Revenue: '$50.00',
    })
  })

  // There is no embed code and no invitation at first: the browser itself logs answers of 404.
  expect(filterUnexpected(complaints, 404)).toEqual([])
})
