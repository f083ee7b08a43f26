import { readFile } from 'node:fs/promises'
import { filterUnexpected } from '../support/browser.ts'
import { readCsv } from '../support/csv.ts'
import { expectAccessibleInBothThemes, fromMore, openAs } from '../support/journey.ts'
import { aPayee, owner, preparePayouts, rowNamed, site, tabNamed } from '../support/payouts-screens.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

test('a batch file for Wise, and its results', async ({ page, complaints }) => {
  const name = 'Ben Okafor'
  await aPayee('Ben', 'Okafor', { sale: 400_00 })
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await expect(rowNamed(page, name)).toContainText('Ready to approve')

  const file = await test.step('due payouts are approved into the file', async () => {
    await fromMore(page, 'Make payment file')
    const dialog = page.getByRole('dialog', { name: 'Make payment file' })
    await expect(dialog).toContainText('put into a Wise batch file')
    await expectAccessibleInBothThemes(page)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Approve and download' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^wise-batch-\d+\.csv$/)
    await expect(dialog).toBeHidden()
    await expect(rowNamed(page, name)).toContainText('In a Wise batch file')
    await page.getByRole('link', { name: 'Payment files' }).click()
    return readCsv(await readFile(await saved.path(), 'utf8')).rows.at(-1)!
  })

  await test.step('another file has nothing new; the earlier one is downloaded again', async () => {
    await fromMore(page, 'Make payment file')
    const dialog = page.getByRole('dialog', { name: 'Make payment file' })
    await expect(dialog).toContainText('Nothing is ready for a new file')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await tabNamed(page, 'Payment files').click()
    const again = page.waitForEvent('download')
    await page.getByRole('table', { name: 'Payment files' }).getByRole('button', { name: 'Download' }).first().click()
    expect(readCsv(await readFile(await (await again).path(), 'utf8')).rows.at(-1)).toEqual(file)
    await tabNamed(page, 'Needs action').click()
  })

  await test.step('the results are previewed first, then applied', async () => {
    await fromMore(page, 'Upload results')
    const dialog = page.getByRole('dialog', { name: 'Upload results' })
    const results = (amount: string | undefined) =>
      `recipientId,amount,paymentReference,status,transferId\n${file.recipientId},${amount},${file.paymentReference},completed,4471\n`
    const give = (csv: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await give('name;phone\nBen;1\n')
    await expect(dialog.getByRole('alert')).toContainText('This is neither Wise’s results nor')
    await give(results('1.00'))
    await expect(dialog).toContainText('The amount isn’t $80.00.')
    await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
    await give(results(file.amount))
    await expect(dialog).toContainText('1 payout will change.')
    await expect(rowNamed(page, 'Ben Okafor').last()).toContainText('Paid')
    await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('status').filter({ hasText: '1 payout updated: 1 paid' })).toBeVisible()
    await tabNamed(page, 'Paid').click()
    await expect(rowNamed(page, name)).toContainText('reference 4471')
  })
  expect(filterUnexpected(complaints, 422)).toEqual([])
})
