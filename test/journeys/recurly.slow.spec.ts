import { standInRecurly } from '../fakes/recurly.ts'
import { deliverRecurly, recurlyInvoice } from '../fakes/recurly-events.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  fromProvider,
  openAs,
  type Person,
  type Site,
  startSite,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A provider whose endpoint the owner makes once its URL is known, and which makes the secret.

let site: Site
let recurly: Awaited<ReturnType<typeof standInRecurly>>
let owner: Person & { id: string }

test.beforeAll(async () => {
  recurly = await standInRecurly()
  site = await startSite({ RECURLY_API_URL: recurly.url, ALLOW_PRIVATE_WEBHOOK_TARGETS: '1' })
})
test.beforeEach(async () => {
  owner = await anOwner(site)
})
test.afterAll(async () => {
  await site.end()
  await recurly.close()
})

test('a Recurly site is connected by its private key, and by the secret key of the endpoint made for its card', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await page.getByRole('button', { name: 'Connect Recurly' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Recurly' })
  const connect = dialog.getByRole('button', { name: 'Connect Recurly' })
  await dialog.getByLabel('Private API Key').fill('0'.repeat(32))
  await dialog.getByLabel('Region').fill('Asia')
  await connect.click()
  await expect(dialog.getByLabel('Region')).toHaveAccessibleDescription(/Enter US or EU/)
  await dialog.getByLabel('Region').fill('EU')
  await connect.click()
  await expect(dialog.getByLabel('Private API Key')).toHaveAccessibleDescription(/not valid for this site/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422'), expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Private API Key').fill(recurly.key)
  await connect.click()

  const card = page.getByRole('main').getByRole('region', { name: 'Recurly' })
  await expect(card).toContainText('northwind')
  await expect(card).toContainText('choose Configure, then New Endpoint')
  await expectAccessibleInBothThemes(page)
  const url = (await card.getByText(/\/hooks\/providers\/recurly\//).innerText()).trim()
  const { paid } = recurlyInvoice({ store: recurly.store, amount: 1000 })
  const secret = 'made-by-recurly-for-this-endpoint'
  expect((await deliverRecurly(url, paid, secret)).status).toBe(400)
  await card.getByLabel('Webhook Secret Key').fill(secret)
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Connected')
  expect((await deliverRecurly(url, paid, secret)).status).toBe(200)
  await fromProvider(page, 'Recurly', 'Check now')
  await expect(card.getByLabel('Recurly connection')).toContainText(/Last event(now|1 minute ago)/)
  await expect(card).not.toContainText('New Endpoint')
  expect(complaints).toEqual([])
})
