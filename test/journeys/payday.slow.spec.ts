import { expectOk, PASSWORD } from '../support/app.ts'
import { expectAccessible } from '../support/browser.ts'
import { expectAccessibleInBothThemes, openAs } from '../support/journey.ts'
import {
  aPayday,
  aPayee,
  apiSend,
  chipNamed,
  names,
  owner,
  preparePayday,
  readCount,
  rowNamed,
  site,
  tableFoot,
  tabNamed,
  wise,
  year,
} from '../support/payday-screens.ts'
import { bankDetails } from '../support/payouts.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

preparePayday()

test('each chip filters the rows by its task, and offers its remedy', async ({ page, complaints }) => {
  await aPayday()
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  const panel = page.getByRole('tabpanel')
  await expect(tableFoot(page)).toContainText('4 payouts')
  await chipNamed(page, '2 ready to approve').click()
  await expect(tableFoot(page)).toContainText('$320.00')
  await expect(rowNamed(page, 'Jane Whitfield')).toBeHidden()
  await chipNamed(page, `1 not approved for ${year}`).click()
  await expect(page).toHaveURL(/attention=approve-year/)
  await expect(chipNamed(page, '2 ready to approve')).toHaveAttribute('aria-pressed', 'false')
  await expect(tableFoot(page)).toContainText('$405.00')
  await expect(rowNamed(page, 'Ida Moreau')).toBeHidden()
  await panel
    .getByRole('button', { name: `Approve for ${year}` })
    .first()
    .click()
  await expect(page.getByText(`1 partner approved for ${year}`)).toBeVisible()
  await expect(chipNamed(page, '3 ready to approve')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(chipNamed(page, '2 ready to approve')).toBeVisible()

  const lacking = chipNamed(page, '1 without payout details')
  await lacking.click()
  await expect(tableFoot(page)).toContainText('$900.00')
  await expect(page.getByText('1 selected')).toBeVisible()
  // beside the chips, and in the row
  const remind = panel.getByRole('button', { name: 'Send reminder' }).first()
  await remind.click()
  await expect(page.getByText('Email isn’t set up on this server, so the reminder wasn’t sent.')).toBeVisible()
  await remind.click()
  const refused = page.getByRole('dialog', { name: '1 couldn’t be completed' })
  await expect(refused).toContainText('Aisha Bello')
  await expect(refused).toContainText('This partner was reminded less than a week ago.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await lacking.click()
  await expect(page.getByText('1 selected')).toBeHidden()
  await expect(tableFoot(page)).toContainText('4 payouts')
  expect(complaints).toEqual([])
})

test('due payouts are approved from the forecast; one can be excluded', async ({ page, complaints }) => {
  await aPayday()
  await openAs(page, site, owner, '/payouts')
  await expect(rowNamed(page, 'Ida Moreau')).toBeVisible()
  await expect.poll(() => readCount(tabNamed(page, 'Upcoming'))).toBe('5')
  await expect(tableFoot(page)).toContainText('5 partners')
  await expect(tableFoot(page)).toContainText('$1,628.00')
  await expect(rowNamed(page, 'Zoë')).toBeHidden()
  await page.getByLabel('Show empty balances').check()
  await expect(rowNamed(page, 'Zoë')).toBeVisible()
  await expect(tableFoot(page)).toContainText('6 partners')
  await page.getByLabel('Show empty balances').uncheck()

  // rows that cannot be approved have no checkbox
  for (const name of names.slice(2, 5)) await expect(rowNamed(page, name).getByRole('checkbox')).toHaveCount(0)
  await page.getByLabel('Select all on page').check()
  const bar = page.getByRole('group', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  await expect(bar).toContainText('$320.00')
  await expectAccessibleInBothThemes(page)
  await bar.getByRole('button', { name: 'Approve 2 payouts' }).click()

  const review = page.getByRole('dialog', { name: 'Approve payouts' })
  await expect(review.getByText('$320.00')).toBeVisible()
  const lines = review.getByRole('list', { name: 'Payouts' }).getByRole('listitem')
  await lines.filter({ hasText: 'Ida Moreau' }).getByRole('checkbox').uncheck()
  await expect(review.getByRole('button', { name: 'Approve 1 payout' })).toBeEnabled()
  await expect(review.getByText('$320.00')).toHaveCount(0)
  await lines.filter({ hasText: 'Tomás Herrera' }).getByRole('checkbox').uncheck()
  await expect(review.getByRole('button', { name: 'Approve 0 payouts' })).toBeDisabled()
  await lines.filter({ hasText: 'Tomás Herrera' }).getByRole('checkbox').check()
  await expectAccessible(page)
  await review.getByRole('button', { name: 'Approve 1 payout' }).click()
  await expect(page.getByText('1 payout approved, $200.00')).toBeVisible()
  await expect(bar).toContainText('1 selected')

  // an amount due after the last collection is approved too
  const late = await aPayee('Late Comer', 50_00)
  await page.goto(`${site.url}/payouts?search=${late.email}`)
  await rowNamed(page, 'Late Comer').getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Approve 1 payout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 1 payout' }).click()
  await expect(page.getByText('1 payout approved, $50.00')).toBeVisible()
  expect(complaints).toEqual([])
})

test('recently changed details are not ready until the owner ticks them', async ({ page, complaints }) => {
  const partner = await aPayee('Ida Moreau', 120_00)
  await aPayee('Tomás Herrera', 200_00)
  await apiSend('POST', '/auth/confirm', { password: PASSWORD }, partner.token)
  await apiSend(
    'POST',
    `/partners/${partner.id}/payout-settings`,
    bankDetails({ accountNumber: '9988776655' }),
    partner.token,
  )
  // nothing is collected yet: the page does so as it opens
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await chipNamed(page, '1 ready to approve').click()
  await expect(tableFoot(page)).toContainText('$200.00')
  // every due amount is in the list behind the figure, and counted in the tab
  await page.getByRole('link', { name: /^Ready \$/ }).click()
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await expect(tableFoot(page)).toContainText('$320.00')
  await expect.poll(() => readCount(tabNamed(page, 'Needs action'))).toBe('2')
  await page.getByLabel('Select all on page').check()
  await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 2 payouts' }).click()
  const review = page.getByRole('dialog', { name: 'Approve payouts' })
  const lines = review.getByRole('list', { name: 'Payouts' }).getByRole('listitem')
  const changed = lines.filter({ hasText: 'Ida Moreau' })
  await expect(changed.getByRole('checkbox')).not.toBeChecked()
  await expect(changed).toContainText('Approve only if you’re sure the change is genuine.')
  await expect(review.getByRole('button', { name: 'Approve 1 payout' })).toBeEnabled()
  await expectAccessibleInBothThemes(page)
  await changed.getByRole('checkbox').check()
  await review.getByRole('button', { name: 'Approve 2 payouts' }).click()
  await expect(page.getByText('2 payouts approved, $320.00')).toBeVisible()
  expect(complaints).toEqual([])
})

test('all that is ready is reviewed from the first line, and approved', async ({ page, complaints }) => {
  await aPayday()
  await openAs(page, site, owner, '/payouts')
  await page.getByRole('button', { name: 'Review payouts' }).click()
  const review = page.getByRole('dialog', { name: 'Approve payouts' })
  for (const name of names.slice(0, 2)) await expect(review).toContainText(name)
  await expect(review).not.toContainText(names[2]!)
  await review.getByRole('button', { name: 'Approve 2 payouts' }).click()
  await expect(page.getByText('2 payouts approved, $320.00')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Review payouts' })).toBeHidden()
  expect(complaints).toEqual([])
})

test('the line above the rows of a payday counts and adds them, and promises no date where none comes', async ({
  page,
  complaints,
}) => {
  await aPayday()
  await openAs(page, site, owner, '/payouts')
  const heads = page.locator('tbody th[scope=rowgroup]')
  await expect(heads).toHaveText([/· 2 payouts · \$320\.00$/, 'No payday yet · 3 partners · $1,308.00'])
  await expect(page.getByText(/ · 2 payouts · \$320\.00$/).first()).toBeVisible()
  for (const name of names.slice(2, 4))
    await expect(rowNamed(page, name).getByRole('cell', { name: '–' }).first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('cards, tabs and lists show the same numbers', async ({ page, complaints }) => {
  await aPayday()
  const { items } = expectOk(
    await site.api('GET', `/accounts/${owner.id}/payouts?status=due`, { token: owner.token }),
  ).body
  await apiSend('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'Check 2207' })
  await apiSend('POST', `/payouts/${items[1].id}/mark-paid`, {
    reference: 'Check 2208',
    paidAt: `${year - 1}-12-31`,
  }).catch(() => undefined)
  await openAs(page, site, owner, '/payouts')
  const owed = page.getByRole('region', { name: 'What you owe' }).getByRole('link')
  await expect(owed.first()).toBeVisible()
  for (const label of await owed.allInnerTexts()) {
    await owed.filter({ hasText: label }).first().click()
    await expect(tableFoot(page)).toContainText(/\$[\d,.]+$/.exec(label)![0])
  }
  await tabNamed(page, 'Paid').click()
  await expect(page.locator('tbody tr')).toHaveCount(Number(await readCount(tabNamed(page, 'Paid'))))
  expect(complaints).toEqual([])
})

test('a payout that waits for Wise shows the amount', async ({ page, complaints }) => {
  await apiSend('PUT', `/accounts/${owner.id}/auto-payout-settings`, {
    enabled: false,
    wiseToken: wise.token,
    wiseProfileId: String(wise.businessId),
  })
  await aPayee('Ida Moreau', 720_00)
  await apiSend('POST', `/accounts/${owner.id}/payouts/refresh`, {})
  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/payouts`, { token: owner.token })).body
  await apiSend('POST', `/payouts/${items[0].id}/approve`, {})
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await expect(async () => {
    await page.reload()
    await expect(chipNamed(page, '1 awaiting funding')).toBeVisible({ timeout: 1500 })
  }).toPass({ timeout: 20_000 })
  await chipNamed(page, '1 awaiting funding').click()
  await expect(page.getByRole('tabpanel').getByRole('link', { name: 'Add money in Wise' }).first()).toBeVisible()
  await expect(page).toHaveURL(/attention=fund/)
  await expect(tableFoot(page)).toContainText('$720.00')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Retry', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Retry payout' })
  await expect(again).toContainText('$720.00 will be paid if your balance is enough now.')
  await again.getByRole('button', { name: 'Retry 1 payout' }).click()
  await expect(again).toBeHidden()
  expect(complaints).toEqual([])
})

test('on a phone the selection bar has the action', async ({ page, complaints }) => {
  await aPayday()
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/payouts')
  await expect(page.getByRole('list', { name: 'Upcoming' })).toBeVisible()
  await page.getByLabel('Select all on page').check()
  await expect(
    page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 2 payouts' }),
  ).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('payouts made another way are marked as paid together, each with its own reference', async ({
  page,
  complaints,
}) => {
  await aPayday()
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await page.getByLabel('Select all on page').check()
  const bar = page.getByRole('group', { name: 'Selection' })
  // two of the four can be approved
  await expect(bar.getByRole('button', { name: 'Approve 2 payouts' })).toBeVisible()
  const number = await rowNamed(page, 'Ida Moreau').getByRole('link').innerText()
  await bar.getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
  await expect(dialog).toContainText('4 payouts, $1,625.00 in total')
  await dialog.getByLabel('Payment Reference').fill('Run 7')
  await dialog.getByRole('button', { name: 'More options' }).click()
  await dialog.getByLabel('References', { exact: true }).fill('PO-99999, Wire 1')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog.getByLabel('References', { exact: true })).toHaveAccessibleDescription(/PO-99999, Wire 1/)
  await dialog.getByLabel('References', { exact: true }).fill(`${number}, Wire 1\n${number}, Wire 2`)
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog.getByLabel('References', { exact: true })).toHaveAccessibleDescription(/earlier line.*Wire 2/)
  const csv = `"Payout","Reference"\r\n"${number}","Wire 4471"\r\n`
  await dialog
    .getByLabel(/Choose file/)
    .setInputFiles({ name: 'wires.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(dialog.getByLabel('References', { exact: true })).toHaveValue(/Wire 4471/)
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(page.getByText('3 payouts marked as paid')).toBeVisible()
  const refused = page.getByRole('dialog', { name: '1 payout was not changed' })
  await expect(refused.getByRole('listitem')).toContainText('Jane Whitfield')
  await expect(refused.getByRole('listitem')).toContainText(`Not yet approved for ${year}`)
  await page.keyboard.press('Escape')
  await tabNamed(page, 'Paid').click()
  await expect(rowNamed(page, 'Ida Moreau')).toContainText('reference Wire 4471')
  await expect(rowNamed(page, 'Aisha Bello')).toContainText('reference Run 7')
  await expect(page.getByRole('columnheader', { name: 'Paid On' })).toBeVisible()

  // for a single payout, the dialog approves the partner for the year of payment with it
  await tabNamed(page, 'Needs action').click()
  await rowNamed(page, 'Jane Whitfield')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Mark as paid' }).click()
  await expect(dialog.getByLabel('Payment Reference')).toBeFocused()
  await dialog.getByLabel('Payment Reference').fill('Wire 4472')
  await expect(dialog).toContainText(`Not yet approved for ${year}`)
  const approve = dialog.getByRole('checkbox', { name: `Also approve Jane Whitfield for payouts in ${year}` })
  await approve.check()
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'mark-paid-approve')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toBeHidden()
  expect(complaints).toEqual([])
})
