import { fakeStripe } from '../fakes/stripe.ts'
import { deliverStripeEvent, stripeEvent, stripePayment } from '../fakes/stripe-events.ts'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  fromProvider,
  openAs,
  type Person,
  pageHeading,
  type Site,
  startSite,
} from '../support/journey.ts'
import { PLATFORM } from '../support/payment-providers.ts'
import { expect, test } from '../support/test.ts'

// A payment provider connected on its own page, and its events.

let site: Site
let stripe: Awaited<ReturnType<typeof fakeStripe>>
let owner: Person & { id: string }

test.beforeAll(async () => {
  stripe = await fakeStripe({ platform: PLATFORM })
  const started = await startSite({
    STRIPE_API_URL: stripe.url,
    STRIPE_CLIENT_ID: PLATFORM.clientId,
    STRIPE_SECRET_KEY: PLATFORM.secretKey,
    STRIPE_WEBHOOK_SECRET: PLATFORM.webhookSecret,
  })
  // the return address registered at Stripe, so that the session exists there
  site = { ...started, url: started.url.replace('127.0.0.1', 'localhost') }
})

test.beforeEach(async () => {
  owner = await anOwner(site)
  stripe.calm()
})

test.afterAll(async () => {
  await site.end()
  await stripe.close()
})

const deliverToPlatform = async (event: object) => {
  const delivered = { ...event, account: stripe.account.id }
  const { status, body } = await deliverStripeEvent(
    `${site.url}/hooks/providers/stripe/platform`,
    delivered,
    PLATFORM.webhookSecret,
  )
  expect(status, body).toBe(200)
}

test('an owner authorizes the connection at Stripe, revokes it and authorizes it again', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  const main = page.getByRole('main')
  const offer = main.getByRole('listitem', { name: 'Stripe' })
  await expect(offer.getByRole('button', { name: 'Use a key' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await offer.getByRole('button', { name: 'Use a key' }).click()
  await expect(page.getByRole('dialog', { name: 'Connect Stripe' }).getByLabel('Restricted Key')).toBeFocused()
  await page.keyboard.press('Escape')

  await offer.getByRole('button', { name: 'Connect Stripe' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Stripe connected' })).toBeVisible()
  await expect(page).toHaveURL(`${site.url}/integrations/payment-providers`)
  const card = main.getByRole('region', { name: 'Stripe' })
  await expect(card).toContainText('Connected')
  await expect(card).toContainText('Northwind Shop')
  await card.getByRole('button', { name: 'Actions for Stripe' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    ...['Check now', 'Recent events', 'Make promotion codes', 'Import past sales', 'Disconnect'],
  ])
  await page.getByRole('menuitem', { name: 'Check now' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The connection to Stripe works.' })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await deliverToPlatform(
    stripeEvent('account.application.deauthorized', { id: PLATFORM.clientId, object: 'application' }),
  )
  await expect(async () => {
    await page.reload()
    await expect(card).toContainText('The connection was ended at Stripe.', { timeout: 500 })
  }).toPass()
  await expectAccessibleInBothThemes(page)
  await card.getByRole('button', { name: 'Connect again' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Stripe connected' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Connect again' })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('every failure on the way is explained, with a way back', async ({ page, complaints }) => {
  const says = async (words: string | RegExp) => {
    await expect(pageHeading(page, 'Connecting Stripe')).toBeVisible()
    await expect(page.getByRole('main')).toContainText(words)
    await expect(page.getByRole('link', { name: 'Back to payment providers' })).toBeVisible()
  }
  const connect = () => page.getByRole('button', { name: 'Connect Stripe' }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  const back = page.getByRole('link', { name: 'Back to payment providers' })
  await openAs(page, site, owner, '/integrations/payment-providers')

  stripe.deny()
  await connect()
  await says('You didn’t allow the connection, so Stripe wasn’t connected.')
  await expectAccessibleInBothThemes(page)
  await back.click()

  stripe.fail('POST /oauth/token', { status: 503 })
  await connect()
  await says(/Stripe couldn’t be reached\. Please try again\./)
  await expectAccessibleInBothThemes(page)
  stripe.fail('POST /oauth/token', { status: 400, body: { error: 'invalid_grant', error_description: 'Too late.' } })
  await again.click()
  await says('Stripe refused the connection: Too late.')

  // the address of an answer that was used, altered, or belongs to another person
  const used = page.url()
  await page.goto(used)
  await says(/has already been completed/)
  await page.goto(used.replace(/state=./, 'state=_'))
  await says(/wasn’t started here by you/)
  await expect(again).toBeVisible()
  await page.goto(used.replace(owner.id, '01983b2e-4c10-7a51-9d0e-5f2b8c6a1e01'))
  await says('This connection was started by someone else, so Stripe wasn’t connected.')
  await page.goto(`${site.url}/oauth/stripe`)
  await says('Stripe wasn’t connected. Start again from Payment Providers.')
  await page.goto(`${site.url}/oauth/stripe?error=server_error&error_description=Call+555+0100&state=x`)
  await says('Stripe reported a problem, so nothing was connected.')
  await expect(page.getByRole('main')).not.toContainText('555')

  // connected in another tab meanwhile
  await page.goto(`${site.url}/integrations/payment-providers`)
  await expect(page.getByRole('button', { name: 'Connect Stripe' })).toBeVisible()
  const credentials = { restrictedKey: stripe.key, webhookSecret: 'whsec_meanwhile' }
  const path = `/accounts/${owner.id}/payment-providers/connect`
  expectOk(await site.api('POST', path, { token: owner.token, body: { provider: 'stripe', credentials } }))
  await connect()
  await says('This Stripe account is already connected.')
  await expect(again).toHaveCount(0)
  await back.click()
  await expect(page.getByRole('region', { name: 'Stripe' })).toContainText('Connected')
  expect(
    complaints.every((one) => /\b(502|422|409)\b/.test(one)),
    complaints.join(),
  ).toBe(true)
})

test('a lost response is requested again', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  let lost = 0
  await page.route('**/payment-providers/connect', (route) => (lost++ === 0 ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Stripe' })).toContainText('Connected')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
})

test('a user who cannot connect anything is told so', async ({ page }) => {
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane' })
  await openAs(page, site, partner, '/oauth/stripe?code=1&state=2')
  await expect(page.getByRole('main')).toContainText('Only the owner of an account can connect it.')
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
})

test('received events show their state, reason and sale, and a failed one is retried', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await fromProvider(page, 'Stripe', 'Recent events')
  await expect(pageHeading(page, 'Events from Stripe')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Events appear here as Stripe sends them.')
  await expectAccessibleInBothThemes(page)

  const paid = stripePayment({ store: stripe.store, amount: 100_00, email: 'cara@brightline.example' })
  await deliverToPlatform(paid.checkoutCompleted!)
  await deliverToPlatform(stripeEvent('payout.paid', { id: 'po_1', object: 'payout' }))
  stripe.forbid('checkout/sessions')
  await deliverToPlatform(stripePayment({ store: stripe.store, amount: 50_00 }).chargeSucceeded!)
  const row = (type: string) => page.getByRole('row').filter({ hasText: type })
  await expect(async () => {
    await page.reload()
    await expect(row('charge.succeeded')).toContainText('Waiting', { timeout: 500 })
    await expect(row('checkout.session.completed')).toContainText('Processed', { timeout: 500 })
  }).toPass()
  await expect(row('payout.paid')).toContainText('Events of this type don’t move money.')
  await expectAccessibleInBothThemes(page)

  await row('checkout.session.completed').getByRole('link').click()
  await expect(page.getByRole('link', { name: 'Sale', exact: true })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(paid.checkoutCompleted!.id)
  stripe.allow('checkout/sessions')
  await row('charge.succeeded').getByRole('link').click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The event is being processed again.' })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(row('charge.succeeded')).toContainText('Processed', { timeout: 500 })
  }).toPass()
  await page.getByLabel('Result').selectOption('ignored')
  await expect(row('charge.succeeded')).toHaveCount(0)
  await expect(row('payout.paid')).toBeVisible()
  expect(complaints).toEqual([])
  await page.goto(`${site.url}/integrations/payment-providers/nothing/events`)
  await expect(page.getByRole('main')).toContainText('This connection doesn’t exist.')
  await expect.poll(() => complaints).toEqual([expect.stringContaining('404')])
  complaints.splice(0)
})
