import type { Page } from '@playwright/test'
import { Stripe } from 'stripe'
import { standInPaddle } from '../fakes/paddle.ts'
import { paddleTransaction } from '../fakes/paddle-events.ts'
import { PADDLE } from '../fakes/page-libraries.ts'
import { standInPolar } from '../fakes/polar.ts'
import { polarOrder } from '../fakes/polar-events.ts'
import { startServer } from '../fakes/server.ts'
import { standInShopify } from '../fakes/shopify.ts'
import { type OrderFacts, shopifyOrder } from '../fakes/shopify-events.ts'
import { fakeStripe } from '../fakes/stripe.ts'
import { deliverStripeEvent, type PaymentFacts, stripePayment } from '../fakes/stripe-events.ts'
import { standInWooCommerce } from '../fakes/woocommerce.ts'
import { type WooFacts, wooOrder } from '../fakes/woocommerce-events.ts'
import { anEmail } from '../support/app.ts'
import { type Site, startSite } from '../support/journey.ts'
import { BROWSER, requestPath } from '../support/links.ts'
import { followRecipe } from '../support/recipes.ts'
import { standInShop } from '../support/shop-site.ts'
import { expect, test } from '../support/test.ts'

// Follows every recipe of the docs, with the code of its own page, from a partner's link to the commission in the ledger.
// Stand-ins take the place of sites, libraries and providers.

// a short link counts no click of a browser that says it is automated
test.use({ userAgent: BROWSER })

let site: Site
let shop: Awaited<ReturnType<typeof standInShop>>
let stripe: Awaited<ReturnType<typeof fakeStripe>>
let paddle: Awaited<ReturnType<typeof standInPaddle>>
let polar: Awaited<ReturnType<typeof standInPolar>>
let shopify: Awaited<ReturnType<typeof standInShopify>>

test.beforeAll(async () => {
  shop = await standInShop()
  ;[stripe, paddle, polar, shopify] = await Promise.all([
    fakeStripe(),
    standInPaddle(),
    standInPolar(),
    standInShopify(),
  ])
  site = await startSite({
    ...{
      STRIPE_API_URL: stripe.url,
      PADDLE_API_URL: paddle.url,
      POLAR_API_URL: polar.url,
      SHOPIFY_API_URL: shopify.url,
    },
    ALLOW_PRIVATE_WEBHOOK_TARGETS: '1',
  })
})
test.afterAll(async () => {
  await site.end()
  shop.close()
  await Promise.all([stripe, paddle, polar, shopify].map((provider) => provider.close()))
})
// in every recipe, nothing may break the site
test.afterEach(({ complaints }) => expect(complaints).toEqual([]))

const SIGNING_SECRET = 'whsec_recipes'
const connectStripe = (recipe: Awaited<ReturnType<typeof followRecipe>>) =>
  recipe.connect('stripe', { restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET })

/** A buyer pays at Stripe, which reports it. */
async function payAtStripe({ webhookUrl }: { webhookUrl: string }, facts: PaymentFacts) {
  const { checkoutCompleted, chargeSucceeded } = stripePayment({ store: stripe.store, ...facts })
  for (const event of [checkoutCompleted, chargeSucceeded])
    expect((await deliverStripeEvent(webhookUrl, event!, SIGNING_SECRET)).status).toBe(200)
}

/** Returns the cookies that a browser sends with a request to the site. */
const cookiesOf = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')

/** Returns what the script added to the page's payment link. */
const referralOfLink = async (page: Page) =>
  new URL((await page.getByRole('link', { name: 'Buy' }).getAttribute('href'))!).searchParams.get('client_reference_id')

test('Stripe Checkout', async ({ page }) => {
  const recipe = await followRecipe(site, 'stripe-checkout', `${shop.url}/`)
  const connection = await connectStripe(recipe)
  shop.pages['/'] = recipe.embedCode() + recipe.code('html', 1)

  const { port } = new URL(stripe.url)
  const sdk = new Stripe(stripe.key, { protocol: 'http', host: '127.0.0.1', port })
  const { startCheckout } = await recipe.load()
  const reference = async (cookie: string) => {
    await startCheckout(sdk, { headers: { cookie } })
    return stripe.callsTo('POST /v1/checkout/sessions').at(-1)!.body.client_reference_id as string | undefined
  }
  await recipe.arrive(page)
  const referral = await reference(await cookiesOf(page))
  await payAtStripe(connection, { amount: 59_50, tax: 9_50, email: 'ida@moss.example', reference: referral! })
  await recipe.expectCommissions(50_00)
  expect(await recipe.lead()).toMatchObject({ email: 'ida@moss.example', partnerId: recipe.partner.id })

  await payAtStripe(connection, { amount: 30_00, email: 'ola@berg.example', reference: await referralOfLink(page) })
  await recipe.expectCommissions(50_00, 30_00)

  expect(await reference('')).toBeUndefined()
})

/** The site's forms send themselves by script and then show a thank-you, as form plugins and site builders do. */
const SENT_BY_SCRIPT = `<script>addEventListener('submit', (event) => {
  event.preventDefault()
  event.target.outerHTML = '<p>Thank you</p>'
})</script>`
const fieldOf = (type: string, name: string) => `<input type="${type}" name="${name}" aria-label="${name}">`

/** A person fills in the site's form by the names of its fields, and sends it. */
async function sendForm(page: Page, fields: Record<string, string>, button: string) {
  for (const [name, value] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(value)
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByText('Thank you')).toBeVisible()
}

test('WooCommerce', async ({ page }) => {
  const store = await standInWooCommerce()
  const recipe = await followRecipe(site, 'woocommerce', `${shop.url}/`)
  await recipe.connect('woocommerce', store.credentials)
  const order = async (facts: Omit<WooFacts, 'store'>) => {
    for (const status of await store.send(wooOrder({ store: store.store, ...facts }).paid())) expect(status).toBe(200)
  }
  // an order of the same visit needs no code on the site
  const entry = (address: string) => ({ _wc_order_attribution_session_entry: address })
  const { location } = await requestPath(site, new URL(recipe.link).pathname)
  await order({ goods: 10_00, tax: 2_00, email: 'ida@moss.example', meta: entry(location!) })
  await recipe.expectCommissions(10_00)
  await order({ goods: 15_00, email: 'bo@berg.example', meta: entry(recipe.directLink) })
  await recipe.expectCommissions(10_00, 15_00)

  // a later visit, at the classic checkout and at the one of blocks, whose button submits no form
  const classic = ['first_name', 'last_name', 'email', 'phone'].map((name) => fieldOf('text', `billing_${name}`))
  shop.pages['/checkout'] =
    `${recipe.embedCode()}${SENT_BY_SCRIPT}<form name="checkout" class="checkout woocommerce-checkout" action="/checkout/">
    ${classic.join('')}<button type="submit" name="woocommerce_checkout_place_order">Place order</button></form>`
  const blocks = ['first_name', 'last_name', 'phone'].map((name) => fieldOf('text', `shipping-${name}`))
  shop.pages['/blocks'] = `${recipe.embedCode()}<form class="wc-block-components-form wc-block-checkout__form">
    ${fieldOf('email', 'email')}${blocks.join('')}
    <button type="button" class="wc-block-components-checkout-place-order-button">Place Order</button></form>
    <script>document.querySelector('button').onclick = () => document.querySelector('form').outerHTML = 'Thank you'</script>`
  shop.pages['/'] = recipe.embedCode()
  await recipe.arrive(page)
  await page.goto(`${shop.url}/checkout`)
  await sendForm(page, { billing_email: 'ola@berg.example', billing_first_name: 'Ola' }, 'Place order')
  await recipe.lead('ola@berg.example')
  await order({ goods: 20_00, email: 'ola@berg.example' })
  await page.goto(`${shop.url}/blocks`)
  await sendForm(page, { email: 'una@lind.example', 'shipping-first_name': 'Una' }, 'Place Order')
  await recipe.lead('una@lind.example')
  await order({ goods: 25_00, email: 'una@lind.example' })
  await recipe.expectCommissions(10_00, 15_00, 20_00, 25_00)
  await store.close()
})

test('Shopify', async ({ page }) => {
  const recipe = await followRecipe(site, 'shopify', `${shop.url}/`)
  await recipe.connect('shopify', shopify.credentials)
  let cart: Record<string, string> = {}
  await page.route('**/cart/update.js', (route) => {
    cart = { ...cart, ...route.request().postDataJSON().attributes }
    return route.fulfill({ json: { attributes: cart } })
  })
  const order = async (facts: Omit<OrderFacts, 'store'>) => {
    for (const { status } of await shopify.send(shopifyOrder({ store: shopify.store, ...facts }).paid()))
      expect(status).toBe(200)
  }
  shop.pages['/'] = recipe.embedCode() + recipe.code('html', 1)
  await recipe.arrive(page)
  await expect.poll(() => cart.click_id).toMatch(/^[\da-f-]{36}$/)
  await order({ goods: 10_00, tax: 2_00, email: 'ida@moss.example', notes: cart })
  await recipe.expectCommissions(10_00)

  // an order of the same visit needs no code on the site
  const { location } = await requestPath(site, new URL(recipe.link).pathname)
  for (const address of [location!, recipe.directLink]) {
    const { pathname, search } = new URL(address)
    await order({ goods: 15_00, email: anEmail(), landingSite: pathname + search })
  }
  await order({ goods: 99_00, email: anEmail(), landingSite: '/?ref=producthunt' })
  await recipe.expectCommissions(10_00, 15_00, 15_00)
})

test('Webflow', async ({ page }) => {
  const recipe = await followRecipe(site, 'webflow', `${shop.url}/`)
  const connection = await connectStripe(recipe)
  shop.pages['/'] =
    `${recipe.embedCode()}${SENT_BY_SCRIPT}<div class="w-form"><form id="email-form" name="email-form" data-name="Email Form" method="get">
    ${fieldOf('text', 'Name')}${fieldOf('email', 'Email')}<input type="submit" class="w-button" value="Submit"></form></div>
    <a class="w-button" href="https://buy.stripe.com/abc123">Buy</a>`
  await recipe.arrive(page)
  await sendForm(page, { Name: 'Ida Moss', Email: 'ida@moss.example' }, 'Submit')
  expect(await recipe.lead()).toMatchObject({ firstName: 'Ida', partnerId: recipe.partner.id })
  await payAtStripe(connection, { amount: 50_00, email: 'someone@else.example', reference: await referralOfLink(page) })
  await recipe.expectCommissions(50_00)
})

test('Framer', async ({ page }) => {
  const recipe = await followRecipe(site, 'framer', `${shop.url}/`)
  const connection = await connectStripe(recipe)
  // the form and the button come with a change of page that loads nothing
  shop.pages['/'] = `${recipe.embedCode()}${SENT_BY_SCRIPT}<main><button>Next page</button></main>
    <template><form>${fieldOf('text', 'Name')}${fieldOf('email', 'Email')}<button type="submit">Submit</button></form>
      <a href="https://buy.stripe.com/abc123">Buy</a></template>
    <script>document.querySelector('main').onclick = () => {
      history.pushState({}, '', '/join')
      document.querySelector('main').replaceWith(document.querySelector('template').content)
    }</script>`
  await recipe.arrive(page)
  await page.getByRole('button', { name: 'Next page' }).click()
  await sendForm(page, { Name: 'Ida Moss', Email: 'ida@moss.example' }, 'Submit')
  expect(await recipe.lead()).toMatchObject({ firstName: 'Ida', partnerId: recipe.partner.id })
  await payAtStripe(connection, { amount: 50_00, email: 'someone@else.example', reference: await referralOfLink(page) })
  await recipe.expectCommissions(50_00)
})

test('WordPress', async ({ page }) => {
  const recipe = await followRecipe(site, 'wordpress', `${shop.url}/`)
  const connection = await connectStripe(recipe)
  shop.pages['/'] =
    `${recipe.embedCode()}${SENT_BY_SCRIPT}<form class="wpforms-validate wpforms-form wpforms-ajax-form" data-formid="3" action="/">
    ${fieldOf('text', 'wpforms[fields][0][first]')}${fieldOf('email', 'wpforms[fields][1]')}
    <div class="wpforms-field-hidden tributary_ref"><input type="hidden" name="wpforms[fields][2]"></div>
    <button type="submit">Submit</button></form>`
  await recipe.arrive(page)
  await expect(page.locator('[type=hidden]')).toHaveValue(/^[\da-f-]{36}$/)
  await sendForm(page, { 'wpforms[fields][0][first]': 'Ida', 'wpforms[fields][1]': 'ida@moss.example' }, 'Submit')
  expect(await recipe.lead()).toMatchObject({ email: 'ida@moss.example', partnerId: recipe.partner.id })
  await payAtStripe(connection, { amount: 50_00, email: 'ida@moss.example' })
  await recipe.expectCommissions(50_00)
})

test('Next.js', async ({ page }) => {
  const recipe = await followRecipe(site, 'next', `${shop.url}/`)
  await recipe.setPushKey()
  shop.pages['/'] = recipe.snippet
  await recipe.arrive(page)
  const cookies = new Map((await page.context().cookies()).map((cookie) => [cookie.name, cookie]))
  const { POST } = await recipe.load(0)
  const signUp = async (email: string, sent: Map<string, unknown>) => {
    const request = new Request(shop.url, { method: 'POST', body: JSON.stringify({ email }) })
    return (await (await POST(Object.assign(request, { cookies: sent }))).json()) as { id: string }
  }
  const { id } = await signUp('ida@moss.example', cookies)
  expect(await recipe.lead()).toMatchObject({ externalId: id, partnerId: recipe.partner.id })
  const { reportSale } = await recipe.load(1)
  const order = { id: 'order-1', userId: id, net: 50_00, currency: 'usd' }
  await reportSale(order)
  await reportSale(order)
  await recipe.expectCommissions(50_00)
  await expect(reportSale({ ...order, id: 'order-2', net: -1 })).rejects.toThrow()

  const other = await signUp('ola@berg.example', new Map())
  await reportSale({ ...order, id: 'order-3', userId: other.id })
  await recipe.expectCommissions(50_00)
})

test('Paddle', async ({ page }) => {
  const recipe = await followRecipe(site, 'paddle', `${shop.url}/`)
  await recipe.connect('paddle', { apiKey: paddle.key })
  await page.route('https://cdn.paddle.com/paddle/v2/paddle.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: PADDLE }),
  )
  shop.pages['/'] = recipe.embedCode() + recipe.code('html', 1)
  const buy = async () => {
    await page.getByRole('button', { name: 'Buy' }).click()
    return page.evaluate(() => (window as unknown as { opened: { customData?: object }[] }).opened.at(-1)!)
  }
  await page.goto(shop.url)
  expect(await buy()).toEqual({ items: [{ priceId: 'pri_123', quantity: 1 }] })
  await recipe.arrive(page)
  const facts = { amount: 60_00, tax: 10_00, email: 'ida@moss.example', store: paddle.store, subscription: 'sub_1' }
  const first = paddleTransaction({ ...facts, customData: { ...(await buy()).customData } })
  for (const { completed } of [first, first.renew()])
    for (const { status } of await paddle.send(completed)) expect(status).toBe(200)
  await recipe.expectCommissions(50_00, 50_00)
})

test('Polar', async ({ page }) => {
  const recipe = await followRecipe(site, 'polar', `${shop.url}/`)
  await recipe.connect('polar', { accessToken: polar.key })
  const order = async (metadata: object) => {
    const facts = { net: 50_00, tax: 9_50, email: anEmail(), store: polar.store }
    for (const { status } of await polar.send(polarOrder({ ...facts, metadata: { ...metadata } }).paid))
      expect(status).toBe(200)
  }
  const checkouts = await startServer(() => ({ status: 201, body: { url: 'https://polar.sh/checkout/1' } }))
  const { startCheckout } = await recipe.load(0, { 'https://api.polar.sh': checkouts.url })
  shop.pages['/'] = recipe.embedCode() + recipe.code('html', 1)
  await recipe.arrive(page)
  expect(await startCheckout({ headers: { cookie: await cookiesOf(page) } })).toBe('https://polar.sh/checkout/1')
  await order(checkouts.calls[0]!.body.metadata as object)
  await recipe.expectCommissions(50_00)

  const link = page.getByRole('link', { name: 'Buy' })
  await expect(link).toHaveAttribute('href', /reference_id=[\da-f-]{36}$/)
  await order(Object.fromEntries(new URL((await link.getAttribute('href'))!).searchParams))
  await recipe.expectCommissions(50_00, 50_00)

  await startCheckout({ headers: {} })
  expect(checkouts.calls[1]!.body).not.toHaveProperty('metadata')
  await checkouts.close()
})

test('A mobile app', async () => {
  const recipe = await followRecipe(site, 'mobile-app', 'https://shop.example.com/invite')
  await recipe.setPushKey()
  const { playStoreLink } = await recipe.load(0)
  const store = new URL(playStoreLink(recipe.directLink, 'com.example.app'))
  expect(store.searchParams.get('id')).toBe('com.example.app')
  const { signedUp, purchased, refunded } = await recipe.load(1)
  // opened by the link, installed from the store, and a code that was typed
  const referrals = [recipe.directLink, store.searchParams.get('referrer'), recipe.partner.referralCode]
  for (const [at, referral] of referrals.entries())
    await signedUp({ id: `user-${at}`, email: `${at}@moss.example` }, referral)
  // the referrer came late
  await signedUp({ id: 'user-3', email: '3@moss.example' })
  await signedUp({ id: 'user-3', email: '3@moss.example' }, recipe.directLink)
  const purchase = { transactionId: 'gpa.1', userId: 'user-0', subscriptionId: 'sub-1', net: 10_00, currency: 'usd' }
  await purchased(purchase)
  await purchased({ ...purchase, transactionId: 'gpa.1..0' })
  for (const at of [1, 2, 3]) await purchased({ ...purchase, transactionId: `apple-${at}`, userId: `user-${at}` })
  await recipe.expectCommissions(10_00, 10_00, 10_00, 10_00, 10_00)
  await refunded({ id: 'refund-1', transactionId: 'gpa.1' })
  await recipe.expectCommissions(10_00, 10_00, 10_00, 10_00, 10_00, -10_00)
})
