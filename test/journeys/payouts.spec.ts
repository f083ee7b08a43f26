import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { ok } from '../support/app.ts'
import { unexpected } from '../support/browser.ts'
import { readCsv } from '../support/csv.ts'
import { enter, expectAccessibleInBothThemes, fromMore, signedInPage } from '../support/journey.ts'
import { aPayee, owner, paypal, post, preparePayouts, row, site, tab } from '../support/payouts-screens.ts'
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

test('payouts by PayPal: one is paid, and one waits until it is claimed', async ({ browser, page, complaints }) => {
  await test.step('the owner connects PayPal', async () => {
    await enter(page, site, owner, '/account/settings?tab=payouts')
    const ways = page.getByRole('table', { name: 'Ways to pay' })
    await expect(ways.getByRole('row', { name: /^PayPal/ })).toContainText('Not connected')
    await ways.getByRole('button', { name: 'Set up PayPal' }).click()
    const dialog = page.getByRole('dialog', { name: 'PayPal' })
    await dialog.getByLabel('Client ID').fill(paypal.clientId)
    await dialog.getByLabel('Secret').fill('Mistyped')
    await dialog.getByRole('button', { name: 'Save PayPal' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await dialog.getByLabel('Secret').fill(paypal.clientSecret)
    await dialog.getByRole('button', { name: 'Save PayPal' }).click()
    await expect(ways.getByRole('row', { name: /^PayPal/ })).toContainText('Connected')
    await expect(ways.getByRole('row')).toHaveText([/Way/, /Wise/, /PayPal/, /SEPA file/, /By hand/])
    await ways.getByRole('button', { name: 'Move up PayPal' }).click()
    await expect(ways.getByRole('row')).toHaveText([/Way/, /PayPal/, /Wise/, /SEPA file/, /By hand/])
    await expectAccessibleInBothThemes(page)
  })

  const [ana, luz] = await test.step('the partners enter their addresses', async () => {
    const [ana, luz] = [
      await aPayee('Ana', 'Souza', { sale: 500_00, details: false }),
      await aPayee('Luz', 'Reyes', { sale: 300_00, details: false }),
    ]
    const hers = await signedInPage(browser, site, ana, complaints)
    await hers.goto(`${site.url}/partner/settings`)
    await hers.getByRole('radiogroup', { name: 'How should we pay you?' }).getByLabel('PayPal').check()
    await hers.getByLabel('PayPal Email').fill('ana@wallet.example')
    await expectAccessibleInBothThemes(hers)
    await hers.getByRole('button', { name: 'Save payout details' }).click()
    await expect(hers.getByRole('region', { name: 'Payout details' })).toContainText('a•••@wallet.example')
    await hers.context().close()
    const body = { kind: 'paypal', email: 'luz@wallet.example' }
    ok(await site.api('POST', `/partners/${luz.id}/payout-settings`, { token: luz.token, body }))
    return [ana, luz]
  })
  paypal.payouts.isNoMember('luz@wallet.example')

  await test.step('their payouts are approved', async () => {
    await post(`/accounts/${owner.id}/payouts/refresh`, {})
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await expect(row(page, 'Ana Souza')).toContainText('PayPal')
    await page.getByLabel('Select all on page').check()
    await page.getByRole('button', { name: 'Approve 2 payouts' }).click()
    const review = page.getByRole('dialog')
    await expect(review).toContainText('$160.00')
    await review.getByRole('button', { name: 'Approve 2 payouts' }).click()
    await expect(review).toBeHidden()
  })

  const payoutOf = async (partner: { id: string }) =>
    ok(await site.api('GET', `/partners/${partner.id}/payouts`, { token: owner.token })).body.items[0]
  await expect(async () => {
    await post(`/accounts/${owner.id}/payouts/refresh`, {})
    expect([(await payoutOf(ana)).status, (await payoutOf(luz)).status]).toEqual(['paid', 'sent'])
  }).toPass({ timeout: 60_000 })
  expect([paypal.payouts.paidTo('ana@wallet.example'), paypal.payouts.batches.size]).toEqual([100_00, 2])

  await test.step('both say where the money is', async () => {
    await page.goto(`${site.url}/payouts/${(await payoutOf(ana)).id}`)
    const facts = page.getByRole('region', { name: 'Details' })
    await expect(facts).toContainText('PayPal a•••@wallet.example')
    await expect(page.getByRole('main')).toContainText('Paid')
    await expectAccessibleInBothThemes(page)
    const { id } = await payoutOf(luz)
    await page.goto(`${site.url}/payouts/${id}`)
    await expect(page.getByRole('main')).toContainText(
      /Not claimed yet; PayPal returns it on .+\.We’ve told the partner\./,
    )
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Sent by PayPal')
    await expect(page.getByRole('main')).not.toContainText('Wise')
    await expectAccessibleInBothThemes(page)
    const hers = await signedInPage(browser, site, luz, complaints)
    await hers.goto(`${site.url}/partner/payouts/${id}`)
    await expect(hers.getByRole('main')).toContainText(/Not claimed yet\. Accept it in PayPal by .+\./)
    await hers.context().close()
  })

  await test.step('one above the balance asks for money, not for another payment', async () => {
    const kim = await aPayee('Kim', 'Berg', { sale: 600_000_00, details: false })
    const body = { kind: 'paypal', email: 'kim@wallet.example' }
    ok(await site.api('POST', `/partners/${kim.id}/payout-settings`, { token: kim.token, body }))
    await post(`/accounts/${owner.id}/payouts/refresh`, {})
    await post(`/payouts/${(await payoutOf(kim)).id}/approve`, {})
    await expect(async () => expect((await payoutOf(kim)).status).toBe('awaiting-funding')).toPass({ timeout: 60_000 })
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await expect(page.getByRole('button', { name: '1 awaiting funding' })).toBeVisible()
    await page.goto(`${site.url}/payouts/${(await payoutOf(kim)).id}`)
    await expect(page.getByRole('main')).toContainText('Add money to your balance, then retry.')
    await expect(page.getByRole('group', { name: 'Page actions' })).not.toContainText('Mark as paid')
  })
  expect(unexpected(complaints, 422)).toEqual([])
})
