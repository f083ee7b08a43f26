import { openAs, pageHeading } from '../support/journey.ts'
import {
  buttonNamed,
  chooseIn,
  daysFrom,
  dialogNamed,
  figureNamed,
  fromMenu,
  owner,
  panelNamed,
  prepareLeads,
  saleOn,
  shownDay,
  site,
  statusMessage,
  withoutRefusals,
} from '../support/leads-screens.ts'
import { expect, test } from '../support/test.ts'

prepareLeads()

const today = new Date().toISOString().slice(0, 10)
test('a lead is entered, sold to with the split visible, refunded in part, voided and reassigned', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/leads')
  await buttonNamed(page, 'Add lead').first().click()
  await expect(pageHeading(page, 'Add lead')).toBeFocused()
  await page.getByLabel('First Name').fill('Omar')
  await page.getByLabel('Last Name').fill('Khan')
  await page.getByLabel('Email').fill('omar@pinegate.example')
  await page.getByLabel('Company').fill('Pinegate Travel')
  await chooseIn(page, 'Partner', 'Jane Whitfield')
  await buttonNamed(page, 'Add lead').click()

  await expect(pageHeading(page, 'Omar Khan')).toBeFocused()
  await expect(statusMessage(page, 'Lead added')).toBeVisible()
  await expect(page.getByText(`Protected until ${shownDay(daysFrom(90))}`)).toBeVisible()
  await expect(panelNamed(page, 'Why this partner')).toContainText('Jane Whitfield')
  await expect(panelNamed(page, 'Timeline')).toContainText('Added manually')
  await expect(panelNamed(page, 'Timeline')).toContainText('Elena Marsh')

  await buttonNamed(page, 'Add sale').click()
  await page.getByLabel('Amount', { exact: true }).fill('1,250')
  const split = page.getByRole('list', { name: 'How this sale splits' }).getByRole('listitem')
  await expect(split).toHaveText([
    /Jane Whitfield Layer 1.*10%.*\$125\.00/,
    /Sofia Lindqvist Layer 2.*5%.*\$62\.50/,
    /You keep.*85%.*\$1,062\.50/,
    /Sale.*\$1,250\.00/,
  ])
  await expect(page.getByText(`Payable on ${shownDay(daysFrom(30))}`)).toBeVisible()
  await page.getByLabel('Sale Date').fill(daysFrom(-10))
  await expect(page.getByText(`Payable on ${shownDay(daysFrom(20))}`)).toBeVisible()
  await page.getByLabel('Description').fill('Annual plan, 4 seats')
  await page.getByLabel('External ID').fill('INV-2026-1184')
  await buttonNamed(page, 'Add sale').click()

  await expect(pageHeading(page, 'Omar Khan')).toBeFocused()
  await expect(statusMessage(page, 'Sale added')).toBeVisible()
  await expect(page.getByText('Won', { exact: true })).toBeVisible()
  const sale = saleOn(page, 'Annual plan, 4 seats')
  await expect(sale).toContainText('$1,250.00')
  await expect(sale).toContainText('Completed')
  await expect(sale).toContainText('$125.00')
  await expect(sale).toContainText('$62.50')
  await expect(figureNamed(page, 'Revenue')).toContainText('$1,250.00')
  await expect(figureNamed(page, 'Revenue share')).toContainText('$187.50')
  await expect(figureNamed(page, 'Profit')).toContainText('$1,062.50')
  await expect(buttonNamed(page, 'Change status')).toBeDisabled()

  await fromMenu(page, /^Actions for \$1,250\.00 sale/, 'Refund')
  const refund = dialogNamed(page, 'Refund sale')
  await expect(refund.getByLabel('Refund Amount')).toHaveValue('1,250.00')
  await expect(refund).toContainText('It doesn’t send money to the customer.')
  await expect(refund).toContainText('Jane Whitfield loses $125.00.')
  await refund.getByLabel('Refund Amount').fill('2000')
  await refund.getByLabel('Reason').fill('Two seats less')
  await refund.getByRole('button', { name: 'Refund' }).click()
  await expect(refund.getByLabel('Refund Amount')).toHaveAccessibleDescription(/Only \$1,250\.00 is left to refund/)
  await refund.getByLabel('Refund Amount').fill('250')
  await expect(refund.getByRole('listitem')).toHaveText([
    'Jane Whitfield loses $25.00.',
    'Sofia Lindqvist loses $12.50.',
  ])
  await refund.getByRole('button', { name: 'Refund' }).click()
  await expect(refund).toBeHidden()
  await expect(statusMessage(page, 'Refund of $250.00 recorded')).toBeVisible()
  await expect(sale).toContainText('Partially refunded')
  await expect(sale).toContainText('-$250.00')
  await expect(sale).toContainText('$100.00')
  await expect(sale).toContainText('$50.00')
  await expect(figureNamed(page, 'Revenue')).toContainText('$1,000.00')
  await expect(figureNamed(page, 'Revenue')).toContainText('after $250.00 in refunds')
  await expect(figureNamed(page, 'Profit')).toContainText('$850.00')

  await fromMenu(page, /^Actions for \$1,250\.00 sale/, 'Void')
  const voiding = dialogNamed(page, 'Void sale')
  await expect(voiding).toContainText('$1,250.00 and $150.00 in commission are reversed')
  await voiding.getByRole('button', { name: 'Void' }).click()
  await expect(voiding.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await voiding.getByLabel('Reason').fill('Entered by mistake')
  await voiding.getByRole('button', { name: 'Void' }).click()
  await expect(statusMessage(page, 'Sale voided')).toBeVisible()
  await expect(figureNamed(page, 'Revenue')).toContainText('$0.00')
  await expect(sale).toContainText('Void')
  await expect(sale.getByRole('button', { name: /^Actions/ })).toHaveCount(1)

  await fromMenu(page, 'Actions for Omar Khan', 'Reassign')
  const reassign = dialogNamed(page, 'Reassign lead')
  await expect(reassign.getByLabel('Partner', { exact: true })).toHaveValue('Jane Whitfield')
  await chooseIn(page, 'Partner', 'Marcus Oyelaran')
  await reassign.getByLabel('Reason').fill('Marcus closed the deal')
  await reassign.getByRole('button', { name: 'Reassign' }).click()
  await expect(statusMessage(page, 'Lead reassigned')).toBeVisible()
  await expect(panelNamed(page, 'Why this partner')).toContainText('Marcus Oyelaran')
  await expect(panelNamed(page, 'Timeline')).toContainText(
    'From Jane Whitfield to Marcus Oyelaran: Marcus closed the deal',
  )

  await fromMenu(page, 'Actions for Omar Khan', 'Extend protection')
  const extend = dialogNamed(page, 'Extend protection')
  await extend.getByLabel('Protected Until').fill(today)
  await extend.getByRole('button', { name: 'Extend protection' }).click()
  await expect(extend.getByLabel('Protected Until')).toHaveAccessibleDescription(/Choose a future date/)
  await extend.getByLabel('Protected Until').fill(daysFrom(200))
  await extend.getByRole('button', { name: 'Extend protection' }).click()
  await expect(page.getByText(`Protected until ${shownDay(daysFrom(200))}`)).toBeVisible()

  await fromMenu(page, 'Actions for Omar Khan', 'Delete')
  const deletion = dialogNamed(page, 'Delete lead')
  await expect(deletion).toContainText('This will delete Omar Khan. This action is permanent and cannot be undone.')
  await deletion.getByRole('button', { name: 'Delete' }).click()
  await expect(deletion.getByRole('alert')).toContainText('This lead has 1 sale and can’t be deleted')
  await expect(deletion.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await deletion.getByRole('button', { name: 'Cancel' }).click()

  await buttonNamed(page, 'Edit').click()
  await page.getByLabel('Company').fill('')
  await page.getByLabel('Last Name').fill('Khan-Reyes')
  await buttonNamed(page, 'Save changes').click()
  await expect(pageHeading(page, 'Omar Khan-Reyes')).toBeFocused()
  await expect(statusMessage(page, 'Lead saved')).toBeVisible()
  await expect(page.getByText('Pinegate Travel')).toHaveCount(0)
  expect(withoutRefusals(complaints)).toEqual([])
})
