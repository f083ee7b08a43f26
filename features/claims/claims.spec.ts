import { expectOk } from '#test/support/app.ts'
import { expectAccessible, filterUnexpected } from '#test/support/browser.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  openAs,
  pageHeading,
  type Site,
  signedInPage,
  startSite,
} from '#test/support/journey.ts'
import { countPresses } from '#test/support/presses.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

// A partner misses two sales: the owner accepts the one that the product finds, and refuses the other.

let site: Site
test.beforeAll(async () => {
  site = await startSite()
})
test.afterAll(() => site.end())

test('a partner claims missing sales, and the owner accepts one and refuses the other', async ({
  browser,
  page,
  complaints,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] } })
  const jane = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const post = async (path: string, body: unknown) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const lead = await post(`/accounts/${owner.id}/leads`, {
    firstName: 'Hannah',
    lastName: 'Cole',
    email: 'h@cole.example',
  })
  await post(`/leads/${lead.id}/sales`, { amount: 250_00, externalId: 'A-1001' })
  const toast = (text: string) => expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

  await openAs(page, site, jane, '/dashboard')
  const countedPresses = await countPresses(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('button', { name: 'Missing a sale?' }).click()
  await expect(page).toHaveURL(/claims=true/)
  const dialog = page.getByRole('dialog', { name: 'Missing a sale?' })
  await expect(dialog.getByText('Your claims and their answers appear here.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send claim' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Check the marked fields')
  await expect(dialog.getByText('Enter an order ID or an email').last()).toBeVisible()
  await dialog.getByLabel('Order ID').fill('#a-1001')
  await dialog.getByLabel('Note').fill('They told me so')
  await dialog.getByRole('button', { name: 'Send claim' }).click()
  await toast('Claim sent')
  // without the attempt that was refused
  expect(countedPresses() - 1).toBe(3)
  await dialog.getByLabel('Order ID').fill('B-7')
  await dialog.getByRole('button', { name: 'Send claim' }).click()
  const own = dialog.getByRole('list', { name: 'Claims' }).getByRole('listitem')
  await expect(own).toHaveCount(2)
  await expect(own.first()).toContainText('Order B-7')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await openAs(page, site, owner, '/dashboard')
  await page.getByRole('link', { name: /^2 claims of missing sales/ }).click()
  await expect(page.getByRole('tab', { name: 'Claims', exact: true })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveTitle('Claims · Leads · Tributary')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'Order #a-1001' }).click()
  await expect(pageHeading(page, 'Claim from Jane Whitfield')).toBeVisible()
  const candidates = page.getByRole('list', { name: 'Possible matches' })
  await expect(candidates).toContainText('It has this order ID')
  await expect(candidates).toContainText('Hannah Cole')
  await expect(candidates).toContainText('$250.00')
  await expectAccessibleInBothThemes(page)
  await candidates.getByRole('button', { name: 'Credit' }).click()
  const accept = page.getByRole('dialog', { name: 'Accept claim' })
  await expect(accept).toContainText('Jane Whitfield is credited with the sale of $250.00 to Hannah Cole')
  await accept.getByRole('button', { name: 'Accept claim' }).click()
  await toast('Claim accepted')
  await expect(page.getByRole('link', { name: 'Hannah Cole' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Decline' })).toBeHidden()

  await page.goto(`${site.url}/leads`)
  await page.getByRole('tab', { name: 'Claims', exact: true }).click()
  await page.getByRole('link', { name: 'Order B-7' }).click()
  await expect(page.getByText('No match yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Find the sale' }).click()
  const find = page.getByRole('dialog', { name: 'Find the sale' })
  await find.getByLabel('Email, name, order ID, amount or day').fill('Hannah')
  await expect(find.getByRole('list', { name: 'Sales and leads' })).toContainText('Hannah Cole')
  await expect(find.getByRole('button', { name: 'Accept claim' })).toBeDisabled()
  await find.getByLabel('Email, name, order ID, amount or day').fill('nobody-like-this')
  await find.getByRole('button', { name: 'Add the sale' }).click()
  const adding = page.getByRole('dialog', { name: 'Add the sale' })
  await expect(find).toBeHidden()
  await expect(adding.getByLabel('External ID')).toHaveValue('B-7')
  await adding.getByLabel('Amount').fill('100')
  await expect(adding).toContainText('Jane Whitfield would earn $20.00.')
  await expectAccessible(page)
  await captureShot(page, 'claim-add-sale')
  await adding.getByRole('button', { name: 'Accept claim' }).click()
  await expect(adding.getByRole('alert').first()).toBeVisible()
  await adding.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Ask the partner' }).click()
  const asking = page.getByRole('dialog', { name: 'Ask the partner' })
  await expect(asking.getByLabel('Question')).toHaveValue('Which email did the customer buy with?')
  await asking.getByRole('button', { name: 'Send question' }).click()
  await toast('Question sent')
  await expect(page.getByText('Waiting for partner')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask the partner' })).toBeHidden()
  await captureShot(page, 'claim-asked')

  const partners = await signedInPage(browser, site, jane, complaints)
  await partners.goto(`${site.url}/dashboard`)
  await expect(partners.getByText('Your claim: Order B-7')).toBeVisible()
  await captureShot(partners, 'claim-question')
  await partners.goto(`${site.url}/leads?claims=true`)
  const answering = partners.getByRole('form', { name: 'Which email did the customer buy with?' })
  await answering.getByLabel('Answer').fill('kim@shop.example')
  await expectAccessible(partners)
  await answering.getByRole('button', { name: 'Send answer' }).click()
  await expect(partners.getByText('Your answer: kim@shop.example')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Answer: kim@shop.example')).toBeVisible()

  await page.getByRole('button', { name: 'Decline' }).click()
  const refuse = page.getByRole('dialog', { name: 'Decline claim' })
  await refuse.getByLabel('Reason').fill('We have no such order')
  await refuse.getByRole('button', { name: 'Decline' }).click()
  await toast('Claim declined')
  await expect(page.getByText('No match yet.')).toBeHidden()

  const late = expectOk(
    await site.api('POST', `/partners/${jane.id}/claims`, { token: jane.token, body: { orderId: 'C-9' } }),
  ).body
  await page.goto(`${site.url}/claims/${late.id}`)
  await page.getByRole('button', { name: 'Decline' }).click()
  await post(`/claims/${late.id}/refuse`, { reason: 'Decided by another person' })
  await refuse.getByLabel('Reason').fill('Too late')
  await refuse.getByRole('button', { name: 'Decline' }).click()
  await expect(refuse.getByRole('alert')).toContainText('decided')
  await refuse.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('main')).toContainText('Decided by another person')
  await expect(page.getByRole('button', { name: 'Decline' })).toBeHidden()

  await openAs(page, site, jane, '/leads?claims=true')
  await expect(own.nth(1)).toContainText('Declined')
  await expect(own.nth(1)).toContainText('We have no such order')
  await expect(own.last()).toContainText('Accepted')
  expect(filterUnexpected(complaints, 409)).toEqual([])
})
