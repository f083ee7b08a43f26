import { fakeStripe } from '../fakes/stripe.ts'
import { deliverStripeEvent, stripePayment } from '../fakes/stripe-events.ts'
import { aPartner, expectOk, waitUntil } from '../support/app.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  fromProvider,
  openAs,
  type Site,
  startSite,
} from '../support/journey.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

// Payments in a provider's test mode are shown but do not count, until the connection is switched to live mode.

let site: Site
let stripe: Awaited<ReturnType<typeof fakeStripe>>

test.beforeAll(async () => {
  stripe = await fakeStripe()
  site = await startSite({ STRIPE_API_URL: stripe.url, TEST_PAYMENTS: 'show', ALLOW_PRIVATE_WEBHOOK_TARGETS: '1' })
})

test.afterAll(async () => {
  await site.end()
  await stripe.close()
})

test('a test payment appears among the sales, with a badge, and a live key switches to live', async ({
  page,
  complaints,
}) => {
  const owner = await anOwner(site)
  const { id, token } = owner
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await site.api(method, path, { token, body })).body
  const partner = await aPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const email = 'hannah@brightline.example'
  const lead = await call('POST', `/accounts/${id}/leads`, {
    ...{ partnerId: partner.id, email, firstName: 'Hannah', lastName: 'Cole' },
  })
  const credentials = { restrictedKey: stripe.key, webhookSecret: 'whsec_connected' }
  const connection = await call('POST', `/accounts/${id}/payment-providers/connect`, {
    ...{ provider: 'stripe', credentials },
  })
  await openAs(page, site, owner, '/leads')
  const main = page.getByRole('main')
  await expect(main.getByRole('tab', { name: 'Unattributed sales' })).toBeVisible()
  await expect(main.getByRole('tab', { name: 'Test sales' })).toBeHidden()

  const { checkoutCompleted, chargeSucceeded } = stripePayment({ email, amount: 100_00, store: stripe.store })
  for (const event of [checkoutCompleted, chargeSucceeded])
    expect((await deliverStripeEvent(connection.webhookUrl, event, 'whsec_connected')).status).toBe(200)
  await waitUntil(async () => (await call('GET', `/accounts/${id}/sales?test=true`)).items[0]?.matchedBy === 'email')

  await page.reload()
  await main.getByRole('tab', { name: 'Test sales' }).click()
  const row = main.getByRole('row').filter({ hasText: 'Hannah Cole' })
  await expect(row.getByText('Test', { exact: true })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Attribute' })).toBeHidden()
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'test-sales')
  await row.getByRole('button', { name: 'Why' }).click()
  const why = page.getByRole('dialog', { name: 'Why this sale wasn’t credited' })
  await expect(why).toContainText('Jane Whitfield. It was paid in test mode, so nobody earns')
  await captureShot(page, 'test-sale-why')
  await page.keyboard.press('Escape')
  await main.getByRole('tab', { name: 'Unattributed sales' }).click()
  await expect(main).toContainText('Every sale has a partner')

  await page.goto(`${site.url}/leads/${lead.id}`)
  await expect(main.getByText('Test', { exact: true })).toBeVisible()
  await expect(main).toContainText('No commission')
  await expect(main).toContainText('none yet', { ignoreCase: true })
  await captureShot(page, 'lead-with-test-sale')
  await page.goto(site.url)
  await expect(main.getByText('Test', { exact: true }).filter({ visible: true })).toBeVisible()
  await captureShot(page, 'dashboard-with-test-sale')

  await page.goto(`${site.url}/integrations/payment-providers`)
  const card = main.getByRole('region', { name: 'Stripe' })
  await expect(card.getByText('Test mode')).toBeVisible()
  await captureShot(page, 'connection-of-test-mode')
  await fromProvider(page, 'Stripe', 'Switch to live')
  const dialog = page.getByRole('dialog', { name: 'Switch Stripe to live mode' })
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'switch-to-live')
  await dialog.getByLabel('Restricted Key').fill(stripe.liveKey)
  await dialog.getByLabel('Webhook Signing Secret').fill('whsec_ofLiveMode')
  await dialog.getByRole('button', { name: 'Switch to live' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Stripe is now in live mode.' })).toBeVisible()
  await expect(card.getByText('Test mode')).toBeHidden()
  await card.getByRole('button', { name: 'Actions for Stripe' }).click()
  await expect(page.getByRole('menuitem', { name: 'Replace credentials' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Switch to live' })).toBeHidden()
  expect(complaints).toEqual([])
})
