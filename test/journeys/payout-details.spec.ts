import { ok } from '../support/app.ts'
import { aPartnerOf, enter, expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { inBrazil } from '../support/payouts.ts'
import { owner, preparePayouts, put, site, wise } from '../support/payouts-screens.ts'
import { field } from '../support/stand-ins/wise-rules.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

const shot = async (page: import('@playwright/test').Page, name: string) => {
  if (!process.env.SHOTS) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${colorScheme}.png`, fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a partner in Brazil enters their account by the fields that Wise asks for', async ({ page, complaints }) => {
  const partner = await aPartnerOf(site, owner, { firstName: 'Ana', lastName: 'Souza' })
  await enter(page, site, partner, '/partner/settings')
  await expect(heading(page, 'Settings')).toBeVisible()
  const country = page.getByLabel('Bank Country')
  const currency = page.getByLabel('Currency')
  await expect(country.locator('option:checked')).toHaveText('United States')
  await expect(currency.locator('option:checked')).toHaveText('USD · US Dollar')
  await expect(page.getByLabel('Routing Number')).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'How should we pay you?' })).toHaveCount(0)
  await shot(page, 'details-us')

  await country.selectOption('Germany')
  await expect(page.getByLabel('IBAN')).toBeVisible()
  await expect(page.getByLabel('BIC')).toBeVisible()
  await expect(page.getByLabel('Routing Number')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await shot(page, 'details-iban')
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
  await shot(page, 'details-brazil')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot(page, 'details-brazil-390')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.getByLabel('Tax number (CPF)').fill('12345678909')
  await page.getByRole('button', { name: 'Save payout details' }).click()
  const details = page.getByRole('region', { name: 'Payout details' })
  await expect(details).toContainText('Brazil')
  await expect(details).toContainText('•••••65-1')
  expect(await page.content()).not.toContain('8877665')
  await shot(page, 'details-saved')
  expect(complaints).toEqual([])

  // Wise asks for another field by now
  await details.getByRole('button', { name: 'Replace' }).click()
  await expect(country.locator('option:checked')).toHaveText('Brazil')
  await expect(page.getByLabel('Branch')).toBeVisible()
})

test('what Wise cannot tell now is asked again', async ({ page, complaints }) => {
  const partner = await aPartnerOf(site, owner, { firstName: 'Luz', lastName: 'Reyes' })
  await enter(page, site, partner, '/partner/settings')
  wise.fail('GET *account-requirements', { status: 503 }, 10)
  await page.getByLabel('Bank Country').selectOption('Mexico')
  await expect(page.getByRole('main')).toContainText('We can’t check these details now. Try again in a few minutes.')
  wise.calm()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Clabe').fill('032180000118359719')
  await page.getByLabel('Full name of the account holder').fill('Luz Reyes')
  await page.getByLabel('Recipient type').selectOption('Person')
  const sets = [
    { type: 'mexican', title: 'Local', fields: [field('clabe', 'Clabe'), field('rfc', 'Tax number (RFC)')] },
  ]
  wise.tellForms(() => sets)
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  wise.tellForms(null)
  await page.getByRole('button', { name: 'Save payout details' }).click()
  await expect(page.getByRole('region', { name: 'Payout details' })).toContainText('•••••9719')
  complaints.splice(0)
})

test('a payout in another currency says where it goes and what arrives', async ({ page, complaints }) => {
  const partner = await aPartnerOf(site, owner, { firstName: 'Bia', lastName: 'Lima' })
  ok(await site.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: inBrazil() }))
  await put(`/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  const adjust = { amount: 100_00, reason: 'Agreed' }
  ok(await site.api('POST', `/partners/${partner.id}/adjustments`, { token: owner.token, body: adjust }))
  ok(await site.api('POST', `/accounts/${owner.id}/payouts/refresh`, { token: owner.token }))
  const [due] = ok(await site.api('GET', `/partners/${partner.id}/payouts`, { token: owner.token })).body.items
  ok(await site.api('POST', `/payouts/${due.id}/approve`, { token: owner.token }))
  await expect(async () => {
    ok(await site.api('POST', `/accounts/${owner.id}/payouts/refresh`, { token: owner.token }))
    const { status } = ok(await site.api('GET', `/payouts/${due.id}`, { token: owner.token })).body
    expect(status).toBe('sent')
  }).toPass({ timeout: 60_000 })
  await enter(page, site, partner, `/partner/payouts/${due.id}`)
  const facts = page.getByRole('region', { name: 'Details' })
  await expect(facts).toContainText('Sent to')
  await expect(facts).toContainText('Bank account in Brazil •••••65-1')
  await expect(facts).toContainText(/ReceivedR\$99\.\d\d at 1, fee \$0\.\d\d/)
  await shot(page, 'payout-brazil')
  expect(complaints).toEqual([])
})
