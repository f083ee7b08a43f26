import { expectAccessible } from '../support/browser.ts'
import { anOwner, expectAccessibleInBothThemes, fromProvider, openAs } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// A system of the owner's own as a payment provider.

test('a custom system is connected by a name and a secret', async ({ page, site, complaints }) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/integrations/payment-providers')
  const main = page.getByRole('main')
  // at its usual width, axe takes a gradient in the sidebar for the background of the text
  await page.setViewportSize({ width: 768, height: 800 })
  await expectAccessible(page, 'link-in-text-block')
  await page.setViewportSize({ width: 1280, height: 720 })
  await main.getByRole('button', { name: 'Set up custom integration' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up custom integration' })
  await dialog.getByLabel('Name').fill('Own checkout')
  await dialog.getByLabel('Signing Secret').fill('short')
  await dialog.getByRole('button', { name: 'Set up custom integration' }).click()
  await expect(dialog.getByLabel('Signing Secret')).toHaveAccessibleDescription(/Enter 16 characters/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Signing Secret').fill('a-secret-of-their-own')
  await dialog.getByRole('button', { name: 'Set up custom integration' }).click()
  const card = main.getByRole('region', { name: 'Custom integration' })
  await expect(card).toContainText('Own checkout')
  await fromProvider(page, 'Custom integration', 'Copy webhook URL')
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
})
