import { readFile } from 'node:fs/promises'
import { readCsv } from '#test/support/csv.ts'
import { aSignedUpPartner, expectAccessibleInBothThemes, openAs, pageHeading } from '#test/support/journey.ts'
import { type Account, aProgram, taxFormPanel } from '#test/support/tax-forms-screens.ts'
import { expect, test } from '#test/support/test.ts'

test('a partner signs a W-9, which pays and is in the file of the year', async ({ page, site, complaints }) => {
  const { owner, partner, send } = await aProgram(site)
  const other: Account = await aSignedUpPartner(site, owner, { firstName: 'Sam', lastName: 'Ortiz' })
  for (const { id } of [partner, other]) {
    await send('PUT', `/partners/${id}`, { approvedPayoutYears: [2024] })
    await send('POST', `/partners/${id}/adjustments`, { amount: 750_00, reason: 'Agreed' })
  }
  await send('POST', `/accounts/${owner.id}/payouts/refresh`)

  await openAs(page, site, partner, '/partner/settings')
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await expect(taxFormPanel(page)).toContainText('Harbor Analytics can’t pay you without a tax form.')
  await expect(taxFormPanel(page)).toContainText('Missing')
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
  await expect(taxFormPanel(page)).toContainText(/You signed a W-9 on .+\. The number on it ends in 7391\./)

  const { items } = await send('GET', `/partners/${partner.id}/payouts`)
  await send('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'Wire 1', paidAt: '2024-06-03' })
  await send('PUT', `/accounts/${owner.id}/invoicing`, { taxForms: 'ask' })
  const { items: others } = await send('GET', `/partners/${other.id}/payouts`)
  await send('POST', `/payouts/${others[0].id}/mark-paid`, { reference: 'Wire 2', paidAt: '2024-06-03' })

  await openAs(page, site, owner, '/payouts?tab=year-report&year=2024')
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
  await openAs(page, site, owner, `/partners/${partner.id}`)
  await expect(page.getByText(/number ending in 7391/)).toBeVisible()
  // the signature that was refused
  expect(complaints.filter((said) => !said.includes('422'))).toEqual([])
})
