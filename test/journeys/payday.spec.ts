import type { Locator } from '@playwright/test'
import { enter, expectAccessibleInBothThemes } from '../support/journey.ts'
import {
  aPayday,
  chip,
  countOf,
  foot,
  now,
  owner,
  preparePayday,
  row,
  site,
  tab,
  year,
} from '../support/payday-screens.ts'
import { expect, test } from '../support/test.ts'

preparePayday()

test('an owner’s payday takes five clicks from the dashboard to the approval', async ({ page, complaints }) => {
  await aPayday()
  await enter(page, site, owner, '/dashboard')
  const presses: string[] = []
  const press = async (what: Locator) => {
    presses.push(await what.innerText())
    await what.click()
  }
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention).toContainText('$1,625.00 in total')
  await press(attention.getByRole('link', { name: '4 payouts to act on' }))

  await expect(tab(page, 'Needs action')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => countOf(tab(page, 'Needs action'))).toBe('4')
  await expect(foot(page)).toContainText('4 payouts')
  await expect(foot(page)).toContainText('$1,625.00')
  await expect(now(page).getByRole('listitem')).toHaveText([
    '2 ready to approve',
    /1 not approved for \d{4}|1 without payout details/,
    /1 not approved for \d{4}|1 without payout details/,
  ])
  await expectAccessibleInBothThemes(page)

  await press(chip(page, '2 ready to approve'))
  await expect(foot(page)).toContainText('2 payouts')
  await expect(foot(page)).toContainText('$320.00')
  await press(page.getByLabel('Select all on page'))
  await press(page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 2 payouts' }))
  const review = page.getByRole('dialog', { name: 'Approve payouts' })
  await expect(review).toContainText('$320.00')
  await press(review.getByRole('button', { name: 'Approve 2 payouts' }))
  await expect(page.getByRole('status').filter({ hasText: '2 payouts approved, $320.00' })).toBeVisible()
  expect(presses.length).toBeLessThanOrEqual(5)

  // an owner who pays by hand still has to: the same money, one step further
  await chip(page, '2 to pay manually').click()
  await expect(foot(page)).toContainText('$320.00')
  await chip(page, '2 to pay manually').click()
  await expect(foot(page)).toContainText('$1,625.00')
  expect(complaints).toEqual([])
})

test('payouts made another way are marked as paid together, each with its own reference', async ({
  page,
  complaints,
}) => {
  await aPayday()
  await enter(page, site, owner, '/payouts?tab=needs-action')
  await page.getByLabel('Select all on page').check()
  const bar = page.getByRole('group', { name: 'Selection' })
  // two of the four can be approved
  await expect(bar.getByRole('button', { name: 'Approve 2 payouts' })).toBeVisible()
  const number = await row(page, 'Ida Moreau').getByRole('link').innerText()
  await bar.getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
  await expect(dialog).toContainText('4 payouts, $1,625.00 in total')
  await dialog.getByLabel('Payment Reference').fill('Run 7')
  await dialog.getByLabel('References', { exact: true }).fill('PO-99999, Wire 1')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog.getByLabel('References', { exact: true })).toHaveAccessibleDescription(/PO-99999, Wire 1/)
  await dialog.getByLabel('References', { exact: true }).fill(`${number}, Wire 4471`)
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(page.getByText('3 payouts marked as paid')).toBeVisible()
  await expect(dialog).toContainText('1 payout was not marked as paid.')
  await expect(dialog).toContainText(`Jane Whitfield: Not yet approved for ${year}`)
  await page.keyboard.press('Escape')
  await tab(page, 'Paid').click()
  await expect(row(page, 'Ida Moreau')).toContainText('reference Wire 4471')
  await expect(row(page, 'Aisha Bello')).toContainText('reference Run 7')
  await expect(page.getByRole('columnheader', { name: 'Paid On' })).toBeVisible()

  // for a single payout, the dialog itself has the year's approval
  await tab(page, 'Needs action').click()
  await row(page, 'Jane Whitfield')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Mark as paid' }).click()
  await dialog.getByRole('switch', { name: `Approved for payouts in ${year}` }).click()
  await expect(dialog.getByRole('switch')).toBeChecked()
  await dialog.getByLabel('Payment Reference').fill('Wire 4472')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toBeHidden()
  expect(complaints).toEqual([])
})
