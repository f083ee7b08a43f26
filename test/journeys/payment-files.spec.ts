import { readFile } from 'node:fs/promises'
import { expectOk } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  fromMore,
  openAs,
  pageHeading,
  type Site,
} from '../support/journey.ts'
import { tabNamed } from '../support/payouts-screens.ts'
import { anotherDebtor, buildStatement, euroDetails, statusReport } from '../support/sepa.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

let debtor = anotherDebtor()

/** An account that pays by SEPA file, and owes two partners. */
async function aPayer(site: Site) {
  const owner = await anOwner(site, { defaultCurrency: 'eur', payoutDelay: 0, minimumPayout: 0 })
  const send = async (method: string, path: string, body?: object, token = owner.token) =>
    expectOk(await site.api(method, path, { token, body })).body
  debtor = anotherDebtor()
  await send('PUT', `/accounts/${owner.id}/payout-methods/sepa`, debtor)
  for (const [firstName, lastName, amount] of [
    ['Zoë', 'Müller', 125_50],
    ['Léa', 'Moreau', 80_00],
  ] as const) {
    const partner = await aSignedUpPartner(site, owner, { firstName, lastName })
    await send('POST', `/partners/${partner.id}/payout-settings`, euroDetails(), partner.token)
    await send('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
    await send('POST', `/partners/${partner.id}/adjustments`, { amount, reason: 'Agreed' })
  }
  await send('POST', `/accounts/${owner.id}/payouts/refresh`)
  return owner
}

/** Returns the Saturday after tomorrow, as its date. */
function nextSaturday() {
  const day = new Date(Date.now() + 48 * 3_600_000)
  while (day.getUTCDay() !== 6) day.setUTCDate(day.getUTCDate() + 1)
  return day.toISOString().slice(0, 10)
}

test('what falls due during the review isn’t approved unseen', async ({ page, site }) => {
  const owner = await aPayer(site)
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await fromMore(page, 'Make payment file')
  const dialog = page.getByRole('dialog', { name: 'Make payment file' })
  await expect(dialog).toContainText('€205.50')
  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/partners`, { token: owner.token })).body
  const body = { amount: 4_000_00, reason: 'Agreed' }
  expectOk(await site.api('POST', `/partners/${items[0].id}/adjustments`, { token: owner.token, body }))
  const make = dialog.getByRole('button', { name: 'Approve and download' })
  await make.click()
  await expect(dialog.getByRole('alert')).toContainText('The payouts have changed since you reviewed them')
  await expect(dialog).toContainText('€4,205.50')
  const [saved] = await Promise.all([page.waitForEvent('download'), make.click()])
  expect(await readFile(await saved.path(), 'utf8')).toContain('<CtrlSum>4205.50</CtrlSum>')
})

test('a SEPA file is made from a task, downloaded, and answered by a bank’s reports', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await aPayer(site)
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  const xml = await test.step('the task makes the file', async () => {
    await page.getByRole('button', { name: '2 for a payment file' }).click()
    await page.getByRole('button', { name: 'Make payment file' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Make payment file' })
    await expect(dialog.getByRole('list', { name: 'Payouts in the file' }).getByRole('listitem')).toHaveCount(2)
    await expect(dialog).toContainText('€205.50')
    await expect(dialog).toContainText(/The next payday if left empty: |The file asks for /)
    const wished = dialog.getByLabel('Execution Date')
    await wished.fill(nextSaturday())
    await expect(dialog).toContainText(/Banks don’t carry out transfers on .*\. The file asks for /)
    await captureShot(page, 'moved-day')
    await page.setViewportSize({ width: 390, height: 844 })
    await captureShot(page, 'moved-day-390')
    await page.setViewportSize({ width: 1280, height: 800 })
    await wished.fill('')
    await expectAccessibleInBothThemes(page)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Approve and download' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('sepa-1.xml')
    await expect(dialog).toBeHidden()
    return readFile(await saved.path(), 'utf8')
  })
  expect(xml).toContain('<CtrlSum>205.50</CtrlSum>')
  const [, messageId] = /<MsgId>(.*?)<\/MsgId>/.exec(xml)!

  await test.step('its page says what comes next, and has its payouts', async () => {
    await expect(pageHeading(page, 'Payment file 1')).toBeVisible()
    await expect(page.getByText('2 payouts, €205.50. Upload the file at your bank, then upload')).toBeVisible()
    const rows = page.getByRole('row').filter({ hasText: 'PO-' })
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('In file')
    for (const [width, height] of [
      [768, 1024],
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(page.getByRole('button', { name: 'Upload results' })).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Download again' })).toBeInViewport({ ratio: 1 })
    }
    await expectAccessibleInBothThemes(page)
  })

  await test.step('the tab of files lists it', async () => {
    await page.getByRole('link', { name: 'Payment files' }).click()
    const files = page.getByRole('table', { name: 'Payment files' })
    await expect(files).toContainText(messageId!)
    await expect(files).toContainText('Open')
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('link', { name: 'Payment file 1' })).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 900 })
    const again = page.waitForEvent('download')
    await files.getByRole('button', { name: 'Download' }).click()
    expect(await readFile(await (await again).path(), 'utf8')).toBe(xml)
    await page.getByRole('link', { name: 'Payment file 1' }).click()
  })

  await test.step('reports are previewed, then applied', async () => {
    const upload = async (name: string, content: string) => {
      await page.getByRole('button', { name: 'Upload results' }).click()
      const dialog = page.getByRole('dialog', { name: 'Upload results' })
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/xml', buffer: Buffer.from(content) })
      return dialog
    }
    const wrong = await upload('page.xml', '<!DOCTYPE html><html></html>')
    await expect(wrong.getByRole('alert')).toContainText('neither Wise’s results nor a bank’s')
    await wrong.getByRole('button', { name: 'Cancel' }).click()
    const rejected = await upload('pain.002.xml', statusReport(messageId!, { 'PO-1': 'RJCT' }, 'AM04'))
    await expect(rejected).toContainText('1 payout will change.')
    await expectAccessibleInBothThemes(page)
    await rejected.getByRole('button', { name: 'Apply' }).click()
    const day = new Date().toISOString().slice(0, 10)
    const paid = await upload(
      'camt.053.xml',
      buildStatement([{ reference: 'PO-2', amount: '80.00', day }], debtor.iban),
    )
    await paid.getByRole('button', { name: 'Apply' }).click()
    await expect(paid).toBeHidden()
    await expect(page.getByRole('row').filter({ hasText: 'Léa Moreau' })).toContainText('Paid')
    await expect(page.getByRole('row').filter({ hasText: 'Zoë Müller' })).toContainText('Rejected by the bank')
    await page.goto(`${site.url}/payouts?tab=payment-files`)
    await expect(page.getByRole('table', { name: 'Payment files' })).toContainText('Done')
    await tabNamed(page, 'Paid').click()
    await expect(page.getByRole('row').filter({ hasText: 'Léa Moreau' })).toContainText('reference PO-2')
    await tabNamed(page, 'Needs action').click()
    await expect(page.getByRole('row').filter({ hasText: 'Zoë Müller' })).toContainText('Due')
  })
  expect(filterUnexpected(complaints, 422)).toEqual([])
})

test('what is in a payment file waits for its results, and is marked as paid only with a word about the file', async ({
  page,
  site,
}) => {
  const owner = await aPayer(site)
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await page.getByRole('button', { name: '2 for a payment file' }).click()
  await page.getByRole('button', { name: 'Make payment file' }).first().click()
  const make = page.getByRole('dialog', { name: 'Make payment file' })
  await Promise.all([page.waitForEvent('download'), make.getByRole('button', { name: 'Approve and download' }).click()])
  await expect(pageHeading(page, 'Payment file 1')).toBeVisible()
  await page.goto(`${site.url}/payouts?tab=needs-action`)
  const chip = page.getByRole('button', { name: 'in payment file 1' })
  await chip.click()
  const rows = page.getByRole('row').filter({ hasText: 'PO-' })
  for (const look of ['at once', 'after a reload']) {
    await expect(chip, look).toHaveText('2 in payment file 1')
    await expect(chip, look).toHaveAttribute('aria-pressed', 'true')
    await expect(rows, look).toHaveCount(2)
    await expect(page.getByText('2 selected'), look).toBeVisible()
    await expect(page.getByRole('button', { name: 'Upload results' })).toBeVisible()
    await expect(rows.first().getByRole('link', { name: 'Upload results' })).toBeVisible()
    await expect(page.getByText('to pay manually')).toHaveCount(0)
    await captureShot(page, 'in-payment-file')
    await page.reload()
  }
  await page.getByRole('link', { name: 'PO-1', exact: true }).click()
  await expect(pageHeading(page, 'Payout PO-1')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
  await expect(dialog).toContainText(/PO-1 is in payment file 1\. If the bank also runs this file, .* is paid twice\./)
  const mark = dialog.getByRole('button', { name: 'Mark as paid' })
  await expect(mark).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('The bank paid it from file 1').check()
  await expect(dialog.getByLabel('Reference')).toHaveCount(0)
  await dialog.getByLabel('I paid it another way').check()
  await dialog.getByLabel('Reference').fill('Wire 9')
  await captureShot(page, 'mark-paid-in-file')
  await mark.click()
  await expect(dialog).toBeHidden()
  await page.goto(`${site.url}/payouts?tab=needs-action`)
  await expect(chip).toHaveText('1 in payment file 1')
})

test('an owner asks the bank for one sum per file, and the file does', async ({ page, site }) => {
  const owner = await aPayer(site)
  await openAs(page, site, owner, '/account/settings?tab=payout-methods')
  await page.getByRole('button', { name: 'Change SEPA file' }).click()
  const dialog = page.getByRole('dialog', { name: 'SEPA file' })
  await expect(dialog.getByLabel('Booking')).toHaveValue('single')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'sepa-booking')
  await dialog.getByLabel('Account Holder').fill(debtor.name)
  await dialog.getByLabel('IBAN').fill(debtor.iban)
  await dialog.getByLabel('Booking').selectOption('One sum per file')
  await dialog.getByLabel('Address').fill('Domstraße 1')
  await dialog.getByLabel('Zip code').fill('50668')
  await dialog.getByLabel('City').fill('Köln')
  await dialog.getByLabel('Country').selectOption('Germany')
  await dialog.getByRole('button', { name: 'Save SEPA file' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: 'Change SEPA file' }).click()
  await expect(dialog.getByLabel('Booking')).toHaveValue('batch')
})

test('what the bank says of a name is at the payout, at the partner and among the tasks', async ({ page, site }) => {
  const owner = await aPayer(site)
  const call = async (method: string, path: string, body?: object) =>
    expectOk(await site.api(method, `/accounts/${owner.id}${path}`, { token: owner.token, body })).body
  const { items } = await call('GET', '/payouts')
  const { id, partnerId, statementNumber } = items[0]
  const { messageId } = await call('POST', '/payment-files', { method: 'sepa', ids: [id] })
  const file = statusReport(messageId, { [`PO-${statementNumber}`]: 'RVNM' })
  await call('POST', '/payouts/results', { file, dryRun: false })
  const words = 'The bank says: the name doesn’t match'
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await page.getByRole('button', { name: '1 with a doubtful name' }).click()
  await expect(page.getByRole('row').filter({ hasText: `PO-${statementNumber}` })).toContainText(words)
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'names-task')
  await page.goto(`${site.url}/payouts/${id}`)
  await expect(page.getByText('Ask the partner whose account it is')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(words)
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'names-payout')
  await page.setViewportSize({ width: 390, height: 844 })
  await captureShot(page, 'names-payout-390')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${site.url}/partners/${partnerId}`)
  await expect(page.getByText(words)).toBeVisible()
  await captureShot(page, 'names-partner')
})
