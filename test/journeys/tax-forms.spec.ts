import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { ok } from '../support/app.ts'
import { readCsv } from '../support/csv.ts'
import { anOwner, aPartnerOf, enter, expectAccessibleInBothThemes, heading, type Person } from '../support/journey.ts'
import type { SharedSite } from '../support/populated.ts'
import { aW8Ben } from '../support/tax-forms.ts'
import { expect, test } from '../support/test.ts'

type Account = Person & { id: string }

const payer = {
  ...{ taxForms: 'required', legalName: 'Harbor Inc.', country: 'US', ein: '12-3456780', phone: '+1 212 555 0100' },
  address: { addressLine: '2 Main Street', zipCode: '04101', city: 'Portland', state: 'ME' },
}

/** An account that requires forms, with a partner. */
async function aProgram(site: SharedSite, settings: object = payer) {
  const owner: Account = await anOwner(site, { name: 'Harbor Analytics', minimumPayout: 0 })
  const partner: Account = await aPartnerOf(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const send = async (method: string, path: string, body?: object, by: Person = owner) =>
    ok(await site.api(method, path, { token: by.token, body })).body
  await send('PUT', `/accounts/${owner.id}/invoicing`, settings)
  return { owner, partner, send }
}

const panel = (page: Page) => page.getByRole('region', { name: 'Tax form' })

test('a partner signs a W-9, which pays and is in the file of the year', async ({ page, site, complaints }) => {
  const { owner, partner, send } = await aProgram(site)
  const other: Account = await aPartnerOf(site, owner, { firstName: 'Sam', lastName: 'Ortiz' })
  for (const { id } of [partner, other]) {
    await send('PUT', `/partners/${id}`, { approvedPayoutYears: [2024] })
    await send('POST', `/partners/${id}/adjustments`, { amount: 750_00, reason: 'Agreed' })
  }
  await send('POST', `/accounts/${owner.id}/payouts/refresh`)

  await enter(page, site, partner, '/partner/settings')
  await expect(heading(page, 'Settings')).toBeVisible()
  await expect(panel(page)).toContainText('Harbor Analytics can’t pay you without a tax form.')
  await expect(panel(page)).toContainText('Missing')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Add your tax form' }).click()
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await expect(page.getByRole('radio', { name: 'Yes' })).toBeChecked()
  await field('Legal Name').fill('Jane Whitfield')
  await field('Tax Classification').selectOption('Individual or sole proprietor')
  const form = page.getByRole('form', { name: 'Tax form' })
  await form.getByLabel('Address', { exact: true }).fill('12 Exchange Street')
  await form.getByLabel('City', { exact: true }).fill('Portland')
  await form.getByLabel('State', { exact: true }).selectOption('Maine')
  await form.getByLabel('Zip Code', { exact: true }).fill('04101')
  await field('Tax Number').fill('666-09-7391')
  await field('Signature').fill('Jane W.')
  await page.getByRole('button', { name: 'Sign form' }).click()
  await expect(page.getByText('Enter a valid tax number')).toBeVisible()
  await expect(page.getByText('Confirm what you certify')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await field('Tax Number').fill('219-09-7391')
  await field('I certify this').check()
  await page.getByRole('button', { name: 'Sign form' }).click()
  await expect(page.getByText('Type the name on this form, or that of your payout details')).toBeVisible()
  await field('Signature').fill('Jane Whitfield')
  await page.getByRole('button', { name: 'Sign form' }).click()
  await expect(page.getByText('Tax form signed')).toBeVisible()
  await expect(panel(page)).toContainText(/You signed a W-9 on .+\. The number on it ends in 7391\./)

  const { items } = await send('GET', `/partners/${partner.id}/payouts`)
  await send('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'Wire 1', paidAt: '2024-06-03' })
  await send('PUT', `/accounts/${owner.id}/invoicing`, { taxForms: 'ask' })
  const { items: others } = await send('GET', `/partners/${other.id}/payouts`)
  await send('POST', `/payouts/${others[0].id}/mark-paid`, { reference: 'Wire 2', paidAt: '2024-06-03' })

  await enter(page, site, owner, '/payouts?tab=year-report&year=2024')
  await expect(page.getByRole('columnheader', { name: 'Reportable' })).toBeVisible()
  await page.getByRole('button', { name: 'Download 1099-NEC' }).click()
  const dialog = page.getByRole('dialog', { name: '1099-NEC for 2024' })
  await expect(dialog).toContainText('1 partner over the threshold is not in the file')
  await expect(dialog.getByRole('listitem')).toHaveText([/Sam Ortiz.*No tax form/])
  await expect(dialog).toContainText('1 partner is reported.')
  await expectAccessibleInBothThemes(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download file' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('1099-nec-2024-1.csv')
  const [row] = readCsv(await readFile(await file.path(), 'utf8')).rows
  expect([row!['Recipient Taxpayer ID Number'], row!['Recipient Last Name (Surname)']]).toEqual([
    '219097391',
    'Whitfield',
  ])
  await enter(page, site, owner, `/partners/${partner.id}`)
  await expect(page.getByText(/number ending in 7391/)).toBeVisible()
  // the signature that was refused
  expect(complaints.filter((said) => !said.includes('422'))).toEqual([])
})

test('a person abroad signs a W-8BEN, and an organization reads what it does', async ({ page, site }) => {
  const { partner } = await aProgram(site, { taxForms: 'ask' })
  await enter(page, site, partner, '/partner/settings')
  await expect(panel(page)).toContainText('Harbor Analytics asks you for a tax form.')
  await page.getByRole('button', { name: 'Add your tax form' }).click()
  await page.getByRole('radio', { name: 'No', exact: true }).check()
  await page.getByRole('radio', { name: 'An organization' }).check()
  await expect(page.getByText(/fills in a W-8BEN-E\. Send it to Harbor Analytics/)).toBeVisible()
  await page.getByRole('radio', { name: 'A person' }).check()
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const { residence, tin, birthDate } = aW8Ben()
  await field('Legal Name').fill('Jane Whitfield')
  await field('Citizenship').selectOption('Germany')
  await field('Birth Date').fill(birthDate)
  const form = page.getByRole('form', { name: 'Tax form' })
  await form.getByLabel('Address', { exact: true }).fill(residence.addressLine)
  await form.getByLabel('City', { exact: true }).fill(residence.city)
  await form.getByLabel('Country', { exact: true }).selectOption('United States')
  await field('Tax Number').fill(tin!)
  await field('I certify this').check()
  await field('Signature').fill('Jane Whitfield')
  await page.getByRole('button', { name: 'Sign form' }).click()
  await expect(page.getByText('A person who lives in the United States signs a W-9')).toBeVisible()
  await form.getByLabel('Country', { exact: true }).selectOption('Germany')
  await page.getByRole('button', { name: 'Sign form' }).click()
  await expect(panel(page)).toContainText(/You signed a W-8BEN on .+ It counts until Dec 31, \d{4}\./)
})

test('an owner asks for tax forms, and says who pays', async ({ page, site, complaints }) => {
  const owner: Account = await anOwner(site, { name: 'Harbor Analytics' })
  await enter(page, site, owner, '/account/settings?tab=invoices')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await expect(field('EIN')).toHaveCount(0)
  await field('US Tax Forms').selectOption('Ask')
  await field('Legal Name').fill('Harbor Inc.')
  await field('Address').fill('2 Main Street')
  await field('City').fill('Portland')
  await field('State or Region').fill('Maine')
  await field('Country').selectOption('United States')
  await field('EIN').fill('1234')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Enter an EIN as 12-3456789')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await field('EIN').fill('123456780')
  await field('Phone').fill('+1 212 555 0100')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Invoice settings saved')).toBeVisible()
  await page.reload()
  await expect(field('EIN')).toHaveValue('12-3456780')
  await expect(field('US Tax Forms')).toHaveValue('ask')
  expect(complaints).toEqual([])
})
