import { type DemoSite, startDemoSite } from '#test/support/demo-site.ts'
import { attentionLink, expectToast, openDashboard } from '#test/support/presses.ts'
import { expect, test } from '#test/support/test.ts'

// The presses that an owner's decisions about claims take from the dashboard, without typing, in the demo.

let demo: DemoSite

test.beforeAll(async () => {
  test.setTimeout(600_000)
  demo = await startDemoSite({ scale: 0.02 })
})

test.afterAll(() => demo?.end())

test('a partner is asked about a claim by four presses', async ({ browser }) => {
  const { page, presses } = await openDashboard(browser, demo.site, demo.owner)
  await attentionLink(page, /claims? of missing sales/).click()
  await page.getByRole('link', { name: 'Order HA-20561' }).click()
  await page.getByRole('button', { name: 'Ask the partner' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send question' }).click()
  await expectToast(page, 'Question sent')
  expect(presses()).toBe(4)
})

test('a claim with a match is accepted by three presses, and one for another sale by five', async ({ browser }) => {
  const { page, presses } = await openDashboard(browser, demo.site, demo.owner)
  await attentionLink(page, /claims? of missing sales/).click()
  await page
    .getByRole('row', { name: /okaforsons/ })
    .getByRole('button', { name: 'Find the sale' })
    .click()
  const found = page.getByRole('dialog', { name: 'Find the sale' })
  const match = found.getByRole('list', { name: 'Possible matches' }).getByRole('button').first()
  await expect(match).toHaveAttribute('aria-pressed', 'true')
  await expect(found).toContainText(/Jane Whitfield is credited with the sale of/)
  await found.getByRole('button', { name: 'Accept claim' }).click()
  await expectToast(page, 'Claim accepted')
  expect(presses()).toBe(3)

  await page.goto(`${demo.site.url}/dashboard`)
  await attentionLink(page, /claims? of missing sales/).click()
  await page.getByRole('link', { name: 'Order HA-20561' }).click()
  await page.getByRole('button', { name: 'Find the sale' }).click()
  await expect(found.getByText('Nothing found.')).toBeVisible()
  await expect(found.getByRole('button', { name: 'Accept claim' })).toBeDisabled()
  await found.getByLabel('Email, name, order ID, amount or day').fill('.example')
  await found.getByRole('list', { name: 'Sales and leads' }).getByRole('button', { disabled: false }).first().click()
  await found.getByRole('button', { name: 'Accept claim' }).click()
  await expectToast(page, 'Claim accepted')
  expect(presses()).toBe(3 + 5)
})
