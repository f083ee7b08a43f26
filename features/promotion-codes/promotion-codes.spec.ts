import { openAs } from '#test/support/journey.ts'
import { dialogNamed, owner, preparePartners, site, statusMessage } from '#test/support/partners-screens.ts'
import { expect, test } from '#test/support/test.ts'

preparePartners()

test('an owner finds all promotion codes from the partners, adds one and removes it', async ({ page }) => {
  await openAs(page, site, owner, '/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click()
  await page.getByRole('tab', { name: 'Promotion codes' }).click()
  await expect(page).toHaveTitle('Promotion codes · Partners · Tributary')
  await page.getByRole('button', { name: 'Add code' }).first().click()
  const adding = dialogNamed(page, 'Add code')
  await adding.getByLabel('Partner').fill('Jane')
  await page.getByRole('option', { name: /Jane Whitfield/ }).click()
  await adding.getByLabel('Code').fill('JANE20')
  await adding.getByRole('button', { name: 'Add code' }).click()
  await expect(statusMessage(page, 'Promotion code added')).toBeVisible()
  const row = page.getByRole('row', { name: /JANE20/ })
  await expect(row).toContainText('Jane Whitfield')
  await row.getByRole('button', { name: 'Actions for JANE20' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialogNamed(page, 'Remove JANE20').getByRole('button', { name: 'Remove' }).click()
  await expect(statusMessage(page, 'Promotion code removed')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()
})
