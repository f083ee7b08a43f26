import type { Locator } from '@playwright/test'
import { expectAccessibleInBothThemes, openAs } from '../support/journey.ts'
import {
  aPayday,
  chipNamed,
  openTasks,
  owner,
  preparePayday,
  readCount,
  site,
  tableFoot,
  tabNamed,
} from '../support/payday-screens.ts'
import { expect, test } from '../support/test.ts'

preparePayday()

test('an owner’s payday takes four clicks from the dashboard to the approval', async ({ page, complaints }) => {
  await aPayday()
  await openAs(page, site, owner, '/dashboard')
  const presses: string[] = []
  const press = async (what: Locator) => {
    presses.push(await what.innerText())
    await what.click()
  }
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention).toContainText('$1,625.00 in total')
  await press(attention.getByRole('link', { name: '4 payouts to act on' }))

  await expect(tabNamed(page, 'Needs action')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => readCount(tabNamed(page, 'Needs action'))).toBe('4')
  await expect(tableFoot(page)).toContainText('4 payouts')
  await expect(tableFoot(page)).toContainText('$1,625.00')
  await expect(openTasks(page).getByRole('listitem')).toHaveText([
    '2 ready to approve',
    /1 not approved for \d{4}|1 without payout details/,
    /1 not approved for \d{4}|1 without payout details/,
  ])
  await expectAccessibleInBothThemes(page)

  await press(chipNamed(page, '2 ready to approve'))
  await expect(tableFoot(page)).toContainText('2 payouts')
  await expect(tableFoot(page)).toContainText('$320.00')
  await press(page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 2 payouts' }))
  const review = page.getByRole('dialog', { name: 'Approve payouts' })
  await expect(review).toContainText('$320.00')
  await press(review.getByRole('button', { name: 'Approve 2 payouts' }))
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: '2 payouts approved, $320.00. Next: you pay manually, then mark as paid.' }),
  ).toBeVisible()
  // the chip is let go with its rows
  await expect(tableFoot(page)).toContainText('$1,625.00')
  expect(presses.length).toBeLessThanOrEqual(4)

  // an owner who pays by hand still has to: the same money, one step further
  await chipNamed(page, '2 to pay manually').click()
  await expect(tableFoot(page)).toContainText('$320.00')
  await chipNamed(page, '2 to pay manually').click()
  await expect(tableFoot(page)).toContainText('$1,625.00')
  expect(complaints).toEqual([])
})
