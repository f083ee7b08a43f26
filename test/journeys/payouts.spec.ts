import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { ok } from '../support/app.ts'
import { unexpected } from '../support/browser.ts'
import { readCsv } from '../support/csv.ts'
import { enter, expectAccessibleInBothThemes, fromMore } from '../support/journey.ts'
import { aPayee, owner, post, preparePayouts, row, site, tab } from '../support/payouts-screens.ts'
import { expect, test } from '../support/test.ts'

preparePayouts()

test('a batch file for Wise, and its results', async ({ page, complaints }) => {
  const name = 'Ben Okafor'
  await aPayee('Ben', 'Okafor', { sale: 400_00 })
  await enter(page, site, owner, '/payouts?tab=needs-action')
  await expect(row(page, name)).toContainText('Ready to approve')

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
    await expect(row(page, name)).toContainText('In a Wise batch file')
    return readCsv(await readFile(await saved.path(), 'utf8')).rows.at(-1)!
  })

  await test.step('another file has nothing new; the earlier one is downloaded again', async () => {
    await fromMore(page, 'Make payment file')
    const dialog = page.getByRole('dialog', { name: 'Make payment file' })
    await expect(dialog).toContainText('Nothing is ready for a new file')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await tab(page, 'Books').click()
    const again = page.waitForEvent('download')
    await page.getByRole('table', { name: 'Payment files' }).getByRole('button', { name: 'Download' }).first().click()
    expect(readCsv(await readFile(await (await again).path(), 'utf8')).rows.at(-1)).toEqual(file)
    await tab(page, 'Needs action').click()
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

test('all partners’ commissions add up to the server’s totals, and each filter narrows them', async ({
  page,
  complaints,
}) => {
  const jane = await aPayee('Jane', 'Whitfield', { sale: 500_00 })
  const tomas = await aPayee('Tomás', 'Herrera', { sale: 1000_00 })
  await post(`/partners/${tomas.id}/adjustments`, { amount: -25_00, reason: 'Paid twice in May' })
  await post(`/accounts/${owner.id}/payouts/refresh`, {})
  const { items } = await list('payouts')
  const ofJane = items.find(({ partnerId }: { partnerId: string }) => partnerId === jane.id)
  await post(`/payouts/${ofJane.id}/mark-paid`, { reference: 'Wire 4471' })
  await enter(page, site, owner, '/payouts')
  await tab(page, 'Commissions').click()
  const table = page.getByRole('table', { name: 'Commissions' })
  const heads = ['Date', 'Sale', 'Partner', 'Layer', 'Rate', 'Amount', 'Status', 'Due']
  await expect(table.getByRole('columnheader')).toHaveText(heads)

  /** Compares the rows and their total with the server's answer to the same question. */
  async function expectTotals(query: string, count: number, amount: string) {
    const { totals } = await list('commissions', query)
    expect([totals.count, dollars(totals.amount)], query).toEqual([count, amount])
    await expect(table.locator('tbody tr')).toHaveCount(count)
    await expect(table.locator('tfoot')).toContainText(count === 1 ? '1 entry' : `${count} entries`)
    await expect(table.locator('tfoot')).toContainText(amount)
    const cells = await table.locator('tbody tr > :nth-child(6)').allInnerTexts()
    const sum = cells.reduce((all, cell) => all + Math.round(Number(cell.replace(/[$,]/g, '')) * 100), 0)
    expect(sum, query).toBe(totals.amount)
  }
  await expectTotals('', 3, '$275.00')
  await expectAccessibleInBothThemes(page)
  const { rows } = readCsv(await readFile(await (await saved(page)).path(), 'utf8'))
  expect(rows.map(({ amount }) => amount).toSorted()).toEqual(['-25.00', '100.00', '200.00'])

  await page.getByLabel('Kind').selectOption('Adjustment')
  await expectTotals('kind=adjustment', 1, '-$25.00')
  await page.getByLabel('Kind').selectOption({ index: 0 })
  await page.getByLabel('Status', { exact: true }).selectOption('Paid')
  await expectTotals('status=paid', 1, '$100.00')
  await expect(row(page, 'Jane Whitfield')).toContainText('Team plan')
  await page.getByLabel('Status', { exact: true }).selectOption({ index: 0 })
  await page.getByRole('combobox', { name: 'Partner' }).fill('herrera')
  await page.getByRole('option', { name: /Tomás Herrera/ }).click()
  await expectTotals(`partner=${tomas.id}`, 2, '$175.00')
  const { pathname, search } = new URL(page.url())
  await page.goto(`${site.url}${pathname}${search}&dueFrom=2999-01-01`)
  await expect(page.getByRole('tabpanel').getByText('No data to show')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expectTotals('', 3, '$275.00')
  expect(complaints).toEqual([])
})

const list = async (what: string, query = '') =>
  ok(await site.api('GET', `/accounts/${owner.id}/${what}?${query}`, { token: owner.token })).body
const dollars = (amount: number) => `${amount < 0 ? '-' : ''}$${Math.abs(amount / 100).toFixed(2)}`

/** The file of the list on this page. */
async function saved(page: Page) {
  const [file] = await Promise.all([page.waitForEvent('download'), fromMore(page, 'Download CSV')])
  return file
}
