import { aSignedUpPartner, expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { owner, preparePayouts, site } from '../support/payouts-screens.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

test('a partner in Brazil enters their account by the fields that Wise asks for', async ({ page, complaints }) => {
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Ana', lastName: 'Souza' })
  await openAs(page, site, partner, '/partner/settings')
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  const country = page.getByLabel('Bank Country')
  const currency = page.getByLabel('Currency')
  await expect(country.locator('option:checked')).toHaveText('United States')
  await expect(currency.locator('option:checked')).toHaveText('USD · US Dollar')
  await expect(page.getByLabel('Routing Number')).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'How should we pay you?' })).toHaveCount(0)
  await captureShot(page, 'details-us')

  await country.selectOption('Germany')
  await expect(page.getByLabel('IBAN')).toBeVisible()
  await expect(page.getByLabel('BIC')).toBeVisible()
  await expect(page.getByLabel('Routing Number')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'details-iban')
  await currency.selectOption('GBP · British Pound')
  await expect(page.getByLabel('Account Type').getByRole('option')).toHaveText([
    'UK bank account',
    'Bank account with an IBAN',
  ])
  await currency.selectOption('KZT · Kazakhstani Tenge')
  await expect(page.getByRole('main')).toContainText('Wise doesn’t pay in KZT.')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])

  await country.selectOption('Brazil')
  await expect(currency.locator('option:checked')).toHaveText('BRL · Brazilian Real')
  // the country of the bank is the partner's, and brings the state
  await expect(page.getByLabel('Country', { exact: true }).locator('option:checked')).toHaveText('Brazil')
  await expect(page.getByLabel('State')).toBeVisible()
  await page.getByLabel('Full name of the account holder').fill('Ana Souza')
  await page.getByLabel('Recipient type').selectOption('Business')
  await expect(page.getByLabel('Tax number (CNPJ)')).toBeVisible()
  await page.getByLabel('Recipient type').selectOption('Person')
  await expect(page.getByLabel('Full name of the account holder')).toHaveValue('Ana Souza')
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByLabel('Branch')).toHaveAccessibleDescription(/Branch/)
  await page.getByLabel('Tax number (CPF)').fill('1234567890x')
  await page.getByLabel('Bank', { exact: true }).selectOption('Nubank')
  await page.getByLabel('Branch').fill('0001')
  await page.getByLabel('Account number').fill('8877665-1')
  await page.getByLabel('Account type').selectOption('Checking')
  await page.getByLabel('State').selectOption('São Paulo')
  await page.getByLabel('City').fill('São Paulo')
  await page.getByLabel('Recipient address').fill('Rua Augusta 1')
  await page.getByLabel('Post code').fill('01305-000')
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByLabel('Tax number (CPF)')).toHaveAccessibleDescription(
    'Wise doesn’t accept this as Tax number (CPF)',
  )
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'details-brazil')
  await page.setViewportSize({ width: 390, height: 844 })
  await captureShot(page, 'details-brazil-390')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByLabel('Tax number (CPF)').fill('12345678909')
  await page.getByRole('button', { name: 'Save payout details' }).click()
  const details = page.getByRole('region', { name: 'Payout details' })
  await expect(details).toContainText('Brazil')
  await expect(details).toContainText('•••••65-1')
  expect(await page.content()).not.toContain('8877665')
  await captureShot(page, 'details-saved')
  expect(complaints).toEqual([])

  // Wise requires another field by now
  await details.getByRole('button', { name: 'Replace' }).click()
  await expect(country.locator('option:checked')).toHaveText('Brazil')
  await expect(page.getByLabel('Branch')).toBeVisible()
})
