import { acceptInvitation, expectOk } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading, signedInPage } from '../support/journey.ts'
import { aPayee, apiPost, owner, preparePayouts, rowNamed, site } from '../support/payouts-screens.ts'
import { expect, test } from '../support/test.ts'

// Above the ceiling two people approve: finance first, the owner second.

preparePayouts()

test('finance approves, and the owner approves second', async ({ page, browser, complaints }) => {
  const email = `maya-${Date.now()}@colleagues.example`
  const body = { email, role: 'finance', firstName: 'Maya', lastName: 'Chen' }
  const { url } = expectOk(await site.api('POST', `/accounts/${owner.id}/members`, { token: owner.token, body })).body
  await acceptInvitation(site, url)

  await openAs(page, site, owner, '/account/settings?tab=payouts')
  const two = page.getByRole('switch', { name: 'Require two approvals above the limit per payout' })
  await two.click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Enter Limit per Payout first')).toBeVisible()
  await page.getByLabel('Limit per Payout', { exact: true }).fill('50')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Settings saved').first()).toBeVisible()
  await page.getByLabel('Limit per Payout', { exact: true }).fill('80')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText(/From .*: Limit per Payout \$80\.00\./)).toBeVisible()
  await expect(page.getByLabel('Limit per Payout', { exact: true })).toHaveValue('50.00')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText(/From .*: Limit per Payout/)).toHaveCount(0)

  await aPayee('Ida', 'Moreau', { sale: 600_00 })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
  const maya = await signedInPage(browser, site, { email }, complaints)
  await maya.goto(`${site.url}/payouts?tab=needs-action`)
  await expect(rowNamed(maya, 'Ida Moreau')).toContainText('Needs a second approval')
  await rowNamed(maya, 'Ida Moreau').getByRole('checkbox').check()
  await maya.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 1 payout' }).click()
  const review = maya.getByRole('dialog', { name: 'Approve payout' })
  await expect(review).toContainText('First approvals')
  await expectAccessibleInBothThemes(maya)
  await review.getByRole('button', { name: 'Approve 1 payout' }).click()
  await expect(
    maya.getByText('1 payout approved first. Another owner or person in finance needs to approve it too.'),
  ).toBeVisible()

  await page.goto(`${site.url}/payouts?tab=needs-action`)
  await expect(rowNamed(page, 'Ida Moreau')).toContainText('Approved by Maya Chen, needs one more')
  await rowNamed(page, 'Ida Moreau').getByRole('checkbox').check()
  await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 1 payout' }).click()
  await page.getByRole('dialog', { name: 'Approve payout' }).getByRole('button', { name: 'Approve 1 payout' }).click()
  await expect(page.getByText('1 payout approved, $120.00')).toBeVisible()
  await expect(pageHeading(page, 'Payouts')).toBeVisible()
  // The browser itself logs the answer of 422 on its console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
})
