import { readFile } from 'node:fs/promises'
import { unexpected } from '../support/browser.ts'
import { readCsv } from '../support/csv.ts'
import { enter, expectAccessibleInBothThemes } from '../support/journey.ts'
import { aPayee, owner, preparePayouts, row, site, tab } from '../support/payouts-screens.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

test('a batch file for Wise, and its results', async ({ page, complaints }) => {
  const name = 'Ben Okafor'
  await aPayee('Ben', 'Okafor', { sale: 400_00 })
  await enter(page, site, owner, '/payouts?tab=needs-action')
  await page.getByRole('button', { name: 'Update payouts' }).click()
  await expect(row(page, name)).toContainText('Ready to approve')

  const file = await test.step('what is due is approved into the file', async () => {
    await page.getByRole('button', { name: 'Download Wise batch' }).click()
    const dialog = page.getByRole('dialog', { name: 'Download Wise batch' })
    await expect(dialog).toContainText('Wise has changed its template')
    await expectAccessibleInBothThemes(page)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Approve and download' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^wise-batch-\d{4}-\d\d-\d\d\.csv$/)
    await expect(dialog).toBeHidden()
    await expect(row(page, name)).toContainText('In a Wise batch file')
    return readCsv(await readFile(await saved.path(), 'utf8')).rows.at(-1)!
  })

  await test.step('another file has nothing new; the earlier payouts come again', async () => {
    await page.getByRole('button', { name: 'Download Wise batch' }).click()
    const again = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download earlier payouts again' }).click()
    expect(readCsv(await readFile(await (await again).path(), 'utf8')).rows.at(-1)).toEqual(file)
  })

  await test.step('the results are told first, then applied', async () => {
    await page.getByRole('button', { name: 'Actions for Payouts' }).click()
    await page.getByRole('menuitem', { name: 'Upload results' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload results' })
    const results = (amount: string | undefined) =>
      `recipientId,amount,paymentReference,status,transferId\n${file.recipientId},${amount},${file.paymentReference},completed,4471\n`
    const give = (csv: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await give('name;phone\nBen;1\n')
    await expect(dialog.getByRole('alert')).toContainText('no column named status')
    await give(results('1.00'))
    await expect(dialog).toContainText('The amount isn’t $80.00.')
    await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
    await give(results(file.amount))
    await expect(dialog).toContainText('1 payout will change.')
    await expect(row(page, 'Ben Okafor').last()).toContainText('Paid')
    await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByRole('status').filter({ hasText: '1 payout updated' })).toBeVisible()
    await tab(page, 'Paid').click()
    await expect(row(page, name)).toContainText('reference 4471')
  })
  expect(unexpected(complaints, 422)).toEqual([])
})
