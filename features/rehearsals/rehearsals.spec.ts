import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { fakeReceiver, type Reply } from '#test/fakes/receiver.ts'
import { expectOk } from '#test/support/app.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  openAs,
  type Person,
  pageHeading,
  type Site,
} from '#test/support/journey.ts'
import { expect, test } from '#test/support/test.ts'

// An owner's rehearsal of a sale, from the dashboard and from the integrations.

let site: Site
let owner: Person & { id: string }
let shop: Server

test.beforeAll(async ({ site: shared }) => {
  site = shared
  shop = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
})

test.afterAll(() => void shop.close())

test.beforeEach(async () => {
  owner = await anOwner(site)
})

const api = async (method: string, path: string, body?: object) =>
  expectOk(await site.api(method, path, { token: owner.token, body })).body
const aLink = () =>
  api('POST', `/accounts/${owner.id}/link-blueprints`, {
    name: 'Pricing',
    destinationUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
  })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Play a sale through' })
const step = (page: Page, name: string) =>
  dialog(page)
    .getByRole('listitem')
    .filter({ has: page.locator('strong', { hasText: name }) })
const result = (page: Page) => dialog(page).getByRole('status').first()
const press = (page: Page) => page.getByRole('button', { name: 'Play a sale through' }).click()

test('the checklist plays a sale through, each step shows its result, and warnings link to their settings', async ({
  page,
  complaints,
}) => {
  await api('PATCH', `/accounts/${owner.id}`, { defaultCommissionSettings: { layerRates: [20] } })
  await aLink()
  let reply: Reply = 500
  const receiver = await fakeReceiver(() => reply)
  await api('POST', `/accounts/${owner.id}/outgoing-webhooks`, { name: 'CRM', url: receiver.url, events: ['*'] })
  await openAs(page, site, owner, '/dashboard')
  await press(page)
  await expect(result(page)).toHaveText('3 things to check: Lead, Sale, Webhook')
  await expect(step(page, 'Commission')).toContainText('a sample partner $20.00 (20%)')
  await expect(step(page, 'Webhook')).toContainText('“CRM” returned 500.')
  await expect(step(page, 'Clean-up')).toContainText('Everything was removed.')
  await expectAccessibleInBothThemes(page)

  reply = 200
  await dialog(page).getByRole('button', { name: 'Play again' }).click()
  await expect(result(page)).toHaveText('2 things to check: Lead, Sale')
  await step(page, 'Sale').getByRole('link', { name: 'Go to payment providers' }).click()
  await expect(pageHeading(page, 'Payment Providers')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await receiver.close()
  expect(complaints).toEqual([])
})

test('without a link it stops at the click; Escape closes it and returns the focus', async ({ page }) => {
  await openAs(page, site, owner, '/integrations/embed-code')
  await press(page)
  await expect(result(page)).toHaveText('It stopped at: Click')
  await expect(step(page, 'Lead')).toContainText('Skipped')
  await expect(step(page, 'Click').getByRole('link', { name: 'Go to links' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Play a sale through' })).toBeFocused()
})
