import { standInChargebee } from '../fakes/chargebee.ts'
import { chargebeeBill, chargebeePayment, deliverChargebee } from '../fakes/chargebee-events.ts'
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

// A provider whose webhook the owner makes by hand, as the card says.

let site: Site
let chargebee: Awaited<ReturnType<typeof standInChargebee>>
let owner: Person & { id: string }

test.beforeAll(async () => {
  chargebee = await standInChargebee()
  site = await startSite({ CHARGEBEE_API_URL: chargebee.url, ALLOW_PRIVATE_WEBHOOK_TARGETS: '1' })
})
test.beforeEach(async () => {
  owner = await anOwner(site)
})
test.afterAll(async () => {
  await site.end()
  await chargebee.close()
})

const PASSWORD = 'a-password-for-the-webhook'
const paid = () =>
  chargebeePayment([{ bill: chargebeeBill({ total: 1000, store: chargebee.store }), amount: 1000 }]).succeeded

test('a Chargebee site is connected by a read-only key, and its card says what to enter there', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await page.getByRole('button', { name: 'Connect Chargebee' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Chargebee' })
  const connect = dialog.getByRole('button', { name: 'Connect Chargebee' })
  await expect(dialog.getByLabel('Webhook Password')).toHaveAccessibleDescription(/username tributary/)
  await dialog.getByLabel('Site').fill('acme.chargebee.com')
  await dialog.getByLabel('API Key').fill('test_OfSomebodyElse')
  await connect.click()
  await expect(dialog.getByLabel('Site')).toHaveAccessibleDescription(/such as acme for acme\.chargebee\.com/)
  await dialog.getByLabel('Site').fill(chargebee.site)
  await connect.click()
  await expect(dialog.getByLabel('API Key')).toHaveAccessibleDescription(/authentication failed/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422'), expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('API Key').fill(chargebee.credentials.apiKey)
  await dialog.getByLabel('Webhook Password').fill(PASSWORD)
  await connect.click()
  const card = page.getByRole('main').getByRole('region', { name: 'Chargebee' })
  await expect(card).toContainText('Connected')
  await expect(card).toContainText('Test')
  await expect(card).toContainText('enter the username tributary')
  await expectAccessibleInBothThemes(page)
  const url = await card.getByText(/\/hooks\/providers\/chargebee\//).innerText()
  expect((await deliverChargebee(url.trim(), paid(), 'another password')).status).toBe(400)
  expect((await deliverChargebee(url.trim(), paid(), PASSWORD)).status).toBe(200)
  await fromProvider(page, 'Chargebee', 'Check now')
  await expect(card.getByLabel('Chargebee connection')).toContainText(/Last event(now|1 minute ago)/)
  await expect(card).not.toContainText('enter the username tributary')
  expect(complaints).toEqual([])
})

test('without a password, the card asks for it below what to enter at Chargebee', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await page.getByRole('button', { name: 'Connect Chargebee' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Chargebee' })
  await dialog.getByLabel('Site').fill(chargebee.site)
  await dialog.getByLabel('API Key').fill(chargebee.credentials.apiKey)
  await dialog.getByRole('button', { name: 'Connect Chargebee' }).click()
  const card = page.getByRole('main').getByRole('region', { name: 'Chargebee' })
  await expect(card).toContainText('enter the username tributary')
  await card.getByLabel('Webhook Password').fill(PASSWORD)
  await expectAccessibleInBothThemes(page)
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Connected')
  expect(complaints).toEqual([])
})
