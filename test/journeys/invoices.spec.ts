import { readFile } from 'node:fs/promises'
import { extractText, getDocumentProxy } from 'unpdf'
import { openZip } from '../../server/platform/zip.ts'
import { expectOk } from '../support/app.ts'
import { readCsv } from '../support/csv.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  fromMore,
  openAs,
  pageHeading,
  signedInPage,
} from '../support/journey.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

// An owner turns on self-billing invoices, a partner agrees, and both find the invoice of a payout.

test('an owner issues invoices, and a partner enters their details and downloads one', async ({
  browser,
  page,
  complaints,
  site,
}) => {
  const owner = await anOwner(site, { name: 'Acme', defaultCurrency: 'eur', minimumPayout: 0 })
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const send = async (method: string, path: string, body?: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body

  await openAs(page, site, owner, '/account/settings?tab=invoices')
  await expect(page.getByLabel('Legal Name')).toBeHidden()
  await page.getByLabel('Issue self-billing invoices').click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Legal Name is required')).toBeVisible()
  await page.getByLabel('Legal Name').fill('Acme GmbH')
  await page.getByLabel('Address', { exact: true }).fill('Torstraße 1')
  await page.getByLabel('Postal Code').fill('10119')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Country').selectOption('Germany')
  await page.getByLabel('VAT ID').fill('DE 136 695 976')
  await page.getByLabel('VAT Rate').fill('19')
  await page.getByLabel('Peppol ID').fill('9930')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Enter it as 0208:0123456749')).toBeVisible()
  await page.getByLabel('Peppol ID').fill('9930:DE136695976')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Invoice settings saved' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Change next number' }).click()
  const number = page.getByRole('dialog', { name: 'Change next number' })
  await number.getByLabel('Next Number').fill('118')
  await number.getByLabel('Reason').fill('From the former program')
  await number.getByRole('button', { name: 'Save number' }).click()
  await expect(page.getByRole('region', { name: 'Numbers' })).toContainText('INV-118')

  const hers = await signedInPage(browser, site, partner, [])
  await hers.goto(`${site.url}/partner/settings`)
  const panel = hers.getByRole('region', { name: 'Invoice details' })
  await expect(panel).toContainText('Acme GmbH issues the invoices for your commissions')
  await panel.getByRole('button', { name: 'Add invoice details' }).click()
  const form = hers.getByRole('dialog', { name: 'Invoice details' })
  await form.getByLabel('Legal Name').fill('Whitfield Media')
  await form.getByLabel('Address', { exact: true }).fill('Lange Straße 7')
  await form.getByLabel('City').fill('Hamburg')
  await form.getByLabel('Country').selectOption('Germany')
  await form.getByLabel('VAT ID').fill('DE987654321')
  await expectAccessibleInBothThemes(hers)
  await form.getByRole('button', { name: 'Save invoice details' }).click()
  await expect(form).toContainText('Agree to the invoices first')
  await form.getByLabel(/^I agree that Acme GmbH issues invoices/).check()
  await form.getByRole('button', { name: 'Save invoice details' }).click()
  await expect(panel).toContainText('VAT 19%: you and Acme GmbH are in Germany.')

  await send('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
  await send('POST', `/partners/${partner.id}/adjustments`, { amount: 100_00, reason: 'Agreed' })
  await send('POST', `/accounts/${owner.id}/payouts/refresh`)
  const [payout] = (await send('GET', `/partners/${partner.id}/payouts`)).items
  await page.goto(`${site.url}/payouts/${payout.id}`)
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Mark as paid' }).click()
  const paid = page.getByRole('dialog')
  await expect(paid).toContainText('€119.00')
  await paid.getByLabel('Payment Reference').fill('Wire 4471')
  await paid.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(page.getByRole('main')).toContainText('INV-118')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Actions for PO-1' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Invoice INV-118' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('INV-118.pdf')
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(await file.path())))
  const { text } = await extractText(pdf, { mergePages: true })
  expect(text.replace(/\s+/g, ' ')).toContain('Self-billing invoice INV-118')

  await page.goto(`${site.url}/payouts?tab=books`)
  const newest = page.getByRole('region', { name: 'Invoices' })
  await expect(newest.getByRole('row', { name: /INV-118/ })).toContainText('€119.00')
  await expectAccessibleInBothThemes(page)
  await newest.getByRole('link', { name: 'Show all' }).click()
  await expect(page.getByRole('row', { name: /INV-118/ })).toContainText('€119.00')
  await expect(page.getByRole('region', { name: 'Numbers without a document' })).toContainText('1 to 117')
  await expectAccessibleInBothThemes(page)
  await expect(page.getByRole('row', { name: /INV-118/ })).toContainText('XML, PDF')
  await page.getByRole('button', { name: 'Actions for INV-118' }).click()
  const [written] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download XML' }).click(),
  ])
  expect(written.suggestedFilename()).toBe('INV-118.xml')
  expect(await readFile(await written.path(), 'utf8')).toContain('<cbc:ID>INV-118</cbc:ID>')

  const [list] = await Promise.all([page.waitForEvent('download'), fromMore(page, 'Download CSV')])
  const { rows } = readCsv(await readFile(await list.path(), 'utf8'))
  expect(rows.map(({ number, partnerName, gross }) => [number, partnerName, gross])).toEqual([
    ['INV-118', 'Jane Whitfield', '119.00'],
  ])

  await hers.goto(`${site.url}/partners/${partner.id}`)
  await hers.getByRole('tab', { name: /^Invoices/ }).click()
  await expect(hers.getByRole('row', { name: /INV-118/ })).toContainText('€19.00')
  await expect(pageHeading(hers, 'Jane Whitfield')).toBeVisible()
  await expectAccessibleInBothThemes(hers)

  await hers.getByRole('button', { name: 'Actions for INV-118' }).click()
  await hers.getByRole('menuitem', { name: 'Object' }).click()
  const objection = hers.getByRole('dialog', { name: 'Object to invoice INV-118' })
  await expect(objection).toContainText('What was paid to you stays as it is.')
  await objection.getByLabel('Reason').fill('We moved in June: the street is wrong.')
  await expectAccessibleInBothThemes(hers)
  await captureShot(hers, 'object')
  await objection.getByRole('button', { name: 'Send objection' }).click()
  await expect(hers.getByRole('row', { name: /INV-118/ })).toContainText('Objected to')
  await captureShot(hers, 'partners-invoices')
  await hers.goto(`${site.url}/partner/settings`)
  await panel.getByRole('button', { name: 'Change' }).click()
  await form.getByLabel('Address', { exact: true }).fill('Neue Straße 9')
  await form.getByLabel(/^I agree that Acme GmbH issues invoices/).check()
  await captureShot(hers, 'partners-panel')
  await form.getByRole('button', { name: 'Save invoice details' }).click()
  await expect(hers.getByRole('status').filter({ hasText: 'Invoice details saved' }).first()).toBeVisible()

  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('link', { name: '1 objection to an invoice' }).click()
  await expect(page.getByRole('row', { name: /INV-118/ })).toContainText('Objected to')
  await page.getByRole('button', { name: 'Actions for INV-118' }).click()
  await page.getByRole('menuitem', { name: 'Close objection' }).click()
  const closing = page.getByRole('dialog', { name: 'Objection to invoice INV-118' })
  await expect(closing).toContainText('Jane Whitfield: We moved in June: the street is wrong.')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'close-objection')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for INV-118' }).click()
  await page.getByRole('menuitem', { name: 'Correct' }).click()
  const correction = page.getByRole('dialog', { name: 'Correct invoice INV-118' })
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'correct')
  await correction.getByLabel('Reason').fill('The street was wrong.')
  await correction.getByRole('button', { name: 'Correct' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Invoice INV-120 issued' }).first()).toBeVisible()
  await page.goto(`${site.url}/payouts?tab=invoices`)
  await expect(page.getByRole('row', { name: /INV-118/ })).toContainText('Corrected by INV-120')
  await expect(page.getByRole('row', { name: /INV-119/ })).toContainText('Credit note')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'invoices')
  await fromMore(page, 'Download all')
  const all = page.getByRole('dialog', { name: 'Download all' })
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'download-all')
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    all.getByRole('button', { name: 'Download zip' }).click(),
  ])
  const packed = await openZip(await readFile(await zip.path()))
  expect([...packed.entries.keys()]).toEqual(
    ['INV-118', 'INV-119', 'INV-120'].flatMap((name) => [`${name}.pdf`, `${name}.xml`]),
  )
  packed.close()
  await hers.context().close()
  expect(complaints).toEqual([])
})
