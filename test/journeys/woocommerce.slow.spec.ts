import { standInWooCommerce } from '../fakes/woocommerce.ts'
import { wooOrder } from '../fakes/woocommerce-events.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  fromProvider,
  openAs,
  pageHeading,
  startSite,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A store's owner connects it with a key, sells, and turns a webhook on again.

let site: Awaited<ReturnType<typeof startSite>>
let shop: Awaited<ReturnType<typeof standInWooCommerce>>

test.beforeAll(async () => {
  shop = await standInWooCommerce()
  site = await startSite({ ALLOW_PRIVATE_WEBHOOK_TARGETS: '1' })
})
test.afterAll(async () => {
  await site.end()
  await shop.close()
})

test('a WooCommerce store is connected by a key, receives an order, and has its webhook turned on again', async ({
  page,
  complaints,
}) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/integrations/payment-providers')
  await expect(pageHeading(page, 'Payment Providers')).toBeVisible()
  await page.getByRole('button', { name: 'Connect WooCommerce' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect WooCommerce' })
  const connect = dialog.getByRole('button', { name: 'Connect WooCommerce' })
  const address = dialog.getByLabel('Store Address')
  await expect(address).toBeFocused()
  await address.fill('shop.example')
  await dialog.getByLabel('Consumer Key').fill(shop.keys.consumerKey)
  await dialog.getByLabel('Consumer Secret').fill(shop.keys.consumerSecret)
  await connect.click()
  await expect(address).toHaveAccessibleDescription(/Enter an address that begins with https:\/\/\./)
  await expectAccessibleInBothThemes(page)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await address.fill(shop.address)
  await connect.click()
  const card = page.getByRole('main').getByRole('region', { name: 'WooCommerce' })
  await expect(card).toContainText(new URL(shop.address).host)
  await expect(card.getByText('Attention')).toHaveCount(0)
  expect([...shop.webhooks.values()].map(({ pinged }) => pinged)).toEqual([200, 200])

  expect(await shop.send(wooOrder({ store: shop.store, goods: 4900 }).paid())).toEqual([200])
  for (const webhook of shop.webhooks.values()) webhook.status = 'disabled'
  await fromProvider(page, 'WooCommerce', 'Check now')
  await expect(card.getByLabel('WooCommerce connection')).toContainText(/Last event(now|1 minute ago)/)
  await expect.poll(() => [...shop.webhooks.values()].map(({ status }) => status)).toEqual(['active', 'active'])
  await expect(card.getByText('Attention')).toHaveCount(0)
  expect(complaints).toEqual([])
})
