import { deliverStripeEvent, stripePayment } from '../fakes/stripe-events.ts'
import { anEmail, expectOk, waitUntil } from '../support/app.ts'
import {
  owner,
  prepareIntegrations,
  readAccount,
  SIGNING_SECRET,
  site,
  stripe,
} from '../support/integrations-screens.ts'
import { expectAccessibleInBothThemes, fromProvider, openAs, pageHeading } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// An owner sets up payment providers, the embed code and pushed data.

prepareIntegrations()

test('Stripe is connected by a key, checked, given its signing secret and disconnected', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await expect(pageHeading(page, 'Payment Providers')).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('listitem', { name: 'Stripe' }).getByRole('button')).toHaveText(['Connect Stripe'])
  await expect(page.getByRole('region', { name: 'Notice' })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  await main.getByRole('button', { name: 'Connect Stripe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe' })
  const connect = dialog.getByRole('button', { name: 'Connect Stripe' })
  await expect(dialog.getByLabel('Restricted Key')).toBeFocused()
  await connect.click()
  await expect(dialog.getByLabel('Restricted Key')).toHaveAccessibleDescription(/Restricted Key is required/)
  await dialog.getByLabel('Webhook Signing Secret').fill('not-a-secret')
  await dialog.getByLabel('Restricted Key').fill('rk_test_ofSomebodyElse')
  await connect.click()
  await expect(dialog.getByLabel('Webhook Signing Secret')).toHaveAccessibleDescription(/begins with whsec_/)
  await dialog.getByLabel('Webhook Signing Secret').fill('')
  await connect.click()
  await expect(dialog.getByLabel('Restricted Key')).toHaveAccessibleDescription(/Invalid API Key provided/)
  await expectAccessibleInBothThemes(page)
  // The browser itself logs answers of 422 on its console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422'), expect.stringContaining('422')])

  stripe.forbid('webhook_endpoints')
  await dialog.getByLabel('Restricted Key').fill(stripe.key)
  await connect.click()
  const card = main.getByRole('region', { name: 'Stripe' })
  await expect(card).toContainText('Attention')
  await expect(card).toContainText('Stripe didn’t let us create the endpoint')
  await expect(page.getByRole('status').filter({ hasText: 'Stripe connected' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await card.getByLabel('Webhook Signing Secret').fill('nothing of the kind')
  await card.getByRole('button', { name: 'Save secret' }).click()
  await expect(card.getByLabel('Webhook Signing Secret')).toHaveAccessibleDescription(/begins with whsec_/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await card.getByLabel('Webhook Signing Secret').fill(SIGNING_SECRET)
  await card.getByRole('button', { name: 'Save secret' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Signing secret saved' })).toBeVisible()
  await expect(card.getByText('Attention')).toHaveCount(0)
  const facts = card.getByLabel('Stripe connection')
  await expect(facts).toContainText('Northwind Shop')
  await expect(facts).toContainText('None yet')

  const { items } = expectOk(
    await site.api('GET', `/accounts/${owner.id}/payment-providers`, { token: owner.token }),
  ).body
  const payment = stripePayment({ store: stripe.store, amount: 100_00, email: 'cara@brightline.example' })
  const delivered = await deliverStripeEvent(items[0].webhookUrl, payment.chargeSucceeded, SIGNING_SECRET)
  expect(delivered.status, delivered.body).toBe(200)
  // its menu, and what its past sales are imported by
  await expect(card.getByRole('button')).toHaveCount(2)
  await expect(card.getByRole('button', { name: 'Import past sales' })).toBeVisible()
  await fromProvider(page, 'Stripe', 'Check now')
  await expect(page.getByRole('status').filter({ hasText: 'The connection to Stripe works.' })).toBeVisible()
  await expect(facts).toContainText(/Last event(now|1 minute ago)/)
  await expectAccessibleInBothThemes(page)

  stripe.forbid('charges')
  await fromProvider(page, 'Stripe', 'Check now')
  await expect(card).toContainText('Stripe no longer accepts the key')
  stripe.allow('charges')
  await card.getByRole('button', { name: 'Check now' }).click()
  await expect(card.getByText('Attention')).toHaveCount(0)

  // A key that was rolled at Stripe can be replaced in place, and the address can always be copied.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await fromProvider(page, 'Stripe', 'Copy webhook URL')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(items[0].webhookUrl)
  stripe.rollKey()
  await fromProvider(page, 'Stripe', 'Check now')
  await expect(card).toContainText('Stripe no longer accepts the key')
  await fromProvider(page, 'Stripe', 'Replace credentials')
  const replacing = page.getByRole('dialog', { name: 'Replace credentials' })
  await expect(replacing.getByLabel('Restricted Key')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  const replace = replacing.getByRole('button', { name: 'Replace credentials' })
  await replace.click()
  await expect(replacing.getByLabel('Restricted Key')).toHaveAccessibleDescription(/Enter a new key or a new/)
  await replacing.getByLabel('Restricted Key').fill(stripe.strangersKey('acct_1Elsewhere'))
  await replace.click()
  await expect(replacing.getByRole('alert')).toContainText('another Stripe account, acct_1Elsewhere')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409')])
  await replacing.getByLabel('Restricted Key').fill(stripe.key)
  await replace.click()
  await expect(page.getByRole('status').filter({ hasText: 'Credentials for Stripe replaced' })).toBeVisible()
  await expect(card.getByText('Attention')).toHaveCount(0)
  expect(complaints).toEqual([])

  await fromProvider(page, 'Stripe', 'Disconnect')
  const question = page.getByRole('dialog', { name: 'Disconnect Stripe?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await question.getByRole('button', { name: 'Disconnect' }).click()
  await expect(main.getByText('Past sales are kept.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Connect Stripe' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('push data: a key is created, shown, tried and renewed, and the log shows it', async ({
  page,
  context,
  complaints,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, site, owner, '/integrations/push-data')
  await expect(pageHeading(page, 'Push Data')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('No push key yet.')
  await expect(page.getByLabel('Base URL')).toHaveValue(`${site.url}/api/v1`)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Create push key' }).click()
  const key = page.getByLabel('API Key')
  await expect(key).toHaveAttribute('type', 'password')
  const { apiKey } = await readAccount(owner)
  await expect(key).toHaveValue(apiKey)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(key).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(apiKey)

  await page.getByRole('button', { name: 'Send test request' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The key works' })).toBeVisible()
  const push = (body: unknown) => site.api('POST', '/push/leads', { token: apiKey, body })
  await push({ email: anEmail('pushed') })
  await push({ firstName: 'Nobody' })
  const log = page.getByRole('table', { name: 'Last 100 requests' })
  await expect(log.getByRole('row')).toHaveCount(4)
  await expect(log.getByRole('row').nth(1)).toContainText('POST /push/leads')
  await expect(log.getByRole('row').nth(1)).toContainText('422')
  await expect(log.getByRole('row').nth(2)).toContainText('Accepted')
  await expect(log.getByRole('row').nth(3)).toContainText('0 of 1 rows accepted')
  await expect(page.getByRole('region', { name: 'Last 100 requests' })).toContainText('1 accepted, 2 refused')
  const { total } = expectOk(await site.api('GET', `/accounts/${owner.id}/sales`, { token: owner.token })).body
  await page.getByRole('heading', { name: 'Samples' }).click()
  for (const language of ['Node', 'Python', 'PHP', 'curl']) {
    await page.getByRole('tab', { name: language }).click()
    await expect(page.getByRole('tabpanel')).toContainText(`${site.url}/api/v1/push/leads`)
  }
  await expectAccessibleInBothThemes(page)

  await page.getByRole('button', { name: /^Actions for Push/ }).click()
  await page.getByRole('menuitem', { name: 'Replace push key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace push key?' })
  await expect(dialog).toContainText('The old key stops working at once.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Replace push key' }).click()
  await expect(dialog).toBeHidden()
  await expect(key).not.toHaveValue(apiKey)
  expect((await push({ email: anEmail('late') })).status).toBe(401)
  const renewed = (await readAccount(owner)).apiKey
  await expect(key).toHaveValue(renewed)
  expect(expectOk(await site.api('GET', `/accounts/${owner.id}/sales`, { token: owner.token })).body.total).toBe(total)
  expect(complaints).toEqual([])

  // Renewed in another window: the key on this page is no longer valid.
  expectOk(await site.api('PUT', `/accounts/${owner.id}/api-key`, { token: owner.token }))
  await page.getByRole('button', { name: 'Send test request' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The test request failed' })).toBeVisible()
  await waitUntil(() => complaints.length > 0)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
