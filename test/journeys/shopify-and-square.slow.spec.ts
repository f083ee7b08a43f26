import { standInShopify, type TestShopify } from '../fakes/shopify.ts'
import { standInSquare, type TestSquare } from '../fakes/square.ts'
import { squarePayment } from '../fakes/square-events.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  fromProvider,
  openAs,
  type Person,
  pageHeading,
  type Site,
  startSite,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Providers connected with several credentials, as an owner enters them.

let site: Site
let shopify: TestShopify
let square: TestSquare
let owner: Person & { id: string }

test.beforeAll(async () => {
  ;[shopify, square] = await Promise.all([standInShopify(), standInSquare()])
  site = await startSite({
    ...{ SHOPIFY_API_URL: shopify.url, SQUARE_API_URL: square.url },
    ALLOW_PRIVATE_WEBHOOK_TARGETS: '1',
  })
})
test.beforeEach(async () => {
  owner = await anOwner(site)
})
test.afterAll(async () => {
  await site.end()
  await Promise.all([shopify.close(), square.close()])
})

test('a Shopify shop is connected by its app, and disconnected', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await expect(pageHeading(page, 'Payment Providers')).toBeVisible()
  await page.getByRole('button', { name: 'Connect Shopify' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Shopify' })
  const connect = dialog.getByRole('button', { name: 'Connect Shopify' })
  await expect(dialog.getByLabel('Shop Domain')).toBeFocused()
  await connect.click()
  await expect(dialog.getByLabel('Client Secret')).toHaveAccessibleDescription(/Client Secret is required/)
  await dialog.getByLabel('Shop Domain').fill('northwind.example')
  await dialog.getByLabel('Client ID').fill(shopify.app.clientId)
  await dialog.getByLabel('Client Secret').fill(shopify.app.clientSecret)
  await connect.click()
  await expect(dialog.getByLabel('Shop Domain')).toHaveAccessibleDescription(/such as northwind\.myshopify\.com/)
  await expectAccessibleInBothThemes(page)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await dialog.getByLabel('Shop Domain').fill(shopify.domain)
  await connect.click()
  const card = page.getByRole('main').getByRole('region', { name: 'Shopify' })
  await expect(card).toContainText('Northwind Lamps')
  await expect(card.getByText('Attention')).toHaveCount(0)
  expect(shopify.webhooks.size).toBe(7)
  await expectAccessibleInBothThemes(page)

  await fromProvider(page, 'Shopify', 'Disconnect')
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('Past sales are kept.')).toBeVisible()
  expect(shopify.webhooks.size).toBe(0)
  expect(complaints).toEqual([])
})

test('a Square seller is connected by their application, and receives a payment', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await page.getByRole('button', { name: 'Connect Square' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Square' })
  const connect = dialog.getByRole('button', { name: 'Connect Square' })
  await expect(dialog.getByLabel('Access Token')).toBeFocused()
  await dialog.getByLabel('Access Token').fill(`EAAA${'x'.repeat(60)}`)
  await dialog.getByLabel('Application ID').fill(square.credentials.applicationId)
  await connect.click()
  await expect(dialog.getByLabel('Access Token')).toHaveAccessibleDescription(/could not be authorized/)
  await expectAccessibleInBothThemes(page)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await dialog.getByLabel('Access Token').fill(square.credentials.accessToken)
  await connect.click()
  const card = page.getByRole('main').getByRole('region', { name: 'Square' })
  await expect(card).toContainText('Northwind Lamps')
  await expect(card.getByText('Attention')).toHaveCount(0)
  const payment = squarePayment({ store: square.store, goods: 1000 })
  expect((await square.send(payment.completed())).map(({ status }) => status)).toEqual([200])
  await fromProvider(page, 'Square', 'Check now')
  await expect(card.getByLabel('Square connection')).toContainText(/Last event(now|1 minute ago)/)
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
})
