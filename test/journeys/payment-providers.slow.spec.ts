import { standInPaypal } from '../fakes/paypal.ts'
import { deliverPaypalEvent, paypalPayment } from '../fakes/paypal-events.ts'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  fromProvider,
  openAs,
  type Site,
  startSite,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A provider whose events are verified by other means than a secret from the provider.

let site: Site
let paypal: Awaited<ReturnType<typeof standInPaypal>>

test.beforeAll(async () => {
  paypal = await standInPaypal()
  site = await startSite({ PAYPAL_API_URL: paypal.url, ALLOW_PRIVATE_WEBHOOK_TARGETS: '1' })
})

test.afterAll(async () => {
  await site.end()
  await paypal.close()
})

test('PayPal is connected by its own form, and given the ID of a webhook that it did not let us create', async ({
  page,
  complaints,
}) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/integrations/payment-providers')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Connect PayPal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect PayPal' })
  await expect(dialog.getByLabel('Client ID')).toHaveAccessibleDescription(/Apps & Credentials/)
  await dialog.getByLabel('Client ID').fill(paypal.clientId)
  await dialog.getByLabel('Secret Key').fill('EOfSomebodyElse')
  await dialog.getByRole('button', { name: 'Connect PayPal' }).click()
  await expect(dialog.getByLabel('Client ID')).toHaveAccessibleDescription(/Client Authentication failed/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  paypal.forbid('webhooks')
  await dialog.getByLabel('Secret Key').fill(paypal.clientSecret)
  await dialog.getByRole('button', { name: 'Connect PayPal' }).click()
  const card = main.getByRole('region', { name: 'PayPal' })
  await expect(card).toContainText('enter its webhook ID')
  await expectAccessibleInBothThemes(page)
  await card.getByLabel('Webhook ID').fill('5GP028458E2496506')
  await card.getByRole('button', { name: 'Save ID' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Webhook ID saved' })).toBeVisible()
  await expect(card).toContainText('Connected')

  const { items } = expectOk(
    await site.api('GET', `/accounts/${owner.id}/payment-providers`, { token: owner.token }),
  ).body
  const { completed } = paypalPayment({ amount: 100_00, email: 'cara@brightline.example', store: paypal.store })
  const delivered = await deliverPaypalEvent(items[0].webhookUrl, completed, paypal.signer('5GP028458E2496506'))
  expect(delivered.status, delivered.body).toBe(200)
  await fromProvider(page, 'PayPal', 'Check now')
  await expect(card.getByLabel('PayPal connection')).toContainText(/Last event(now|1 minute ago)/)
  expect(complaints).toEqual([])
})
