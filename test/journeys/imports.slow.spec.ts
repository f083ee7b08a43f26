import type { Page } from '@playwright/test'
import { buttonNamed, chooseFile, dubCommissions, kindField } from '../support/imports-screens.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { callAsOwner, owner, prepareOwner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'
import { filesOfWorkbook, zipFiles } from '../support/workbook.ts'

// An owner imports files of other programs: recognition, columns, a check, the import, and undoing it.

prepareOwner()

/** Checks the file, imports the valid rows, and waits for the end. */
async function importAll(page: Page, press: string) {
  await buttonNamed(page, 'Check file').click()
  await buttonNamed(page, press).click()
  await expect(buttonNamed(page, /^View (partners|leads|sales|payouts)$/)).toBeVisible()
}

const source = (page: Page) => page.getByLabel('Source')
const dubPartners = `ID,Name,Email,Country,Status,Group,Enrolled at,Payouts enabled at
pn_1,Ann Bell-Featherstonehaugh-Wolfeschlegelsteinhausen,ann@dub.example,US,approved,default,2025-01-02T03:04:05.000Z,
pn_2,Bo Dee,bo@dub.example,US,banned,default,2025-01-02T03:04:05.000Z,
pn_3,Cy Low,not an email,US,approved,default,2025-01-02T03:04:05.000Z,`
const dubCustomers = `id,name,email,externalId,stripeCustomerId,country,sales,saleAmount,createdAt,firstSaleAt,subscriptionCanceledAt,partnerEmail
cus_1,Dot Ray,dot@customers.example,u_1,cus_x,US,1,$10.00,2025-01-01,2025-01-02,,ann@dub.example`
const dubPayouts = `id,amount,currency,status,periodStart,periodEnd,initiatedAt,paidAt,partnerEmail
po_1,$200.00,usd,completed,2025-05-01,2025-05-31,2025-06-01,2025-06-03T00:00:00.000Z,ann@dub.example`
const affiliateWp = `Affiliate ID,Email,Name,Payment Email,Username,Amount,Currency,Description,Campaign,Reference,Context,Status,Type,Date
4,ann@dub.example,Ann,,ann,9.99,USD,Gold plan,,5501,woocommerce,unpaid,sale,2021-06-07 08:09:10`
const rewardful = `stripe_customer_id,first_name,last_name,email,token
cus_r1,Eve,Hill,eve@rewardful.example,eve-hill`

test('a program moves from Dub: partners, customers, commissions and payouts', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/partners')
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Import', exact: true }).click()
  await expect(pageHeading(page, 'Import data')).toBeVisible()
  await chooseFile(page, 'partners.csv', dubPartners)
  await expect(page.getByText('Looks like an export of partners from Dub.')).toBeVisible()
  await expect(source(page)).toHaveValue('dub')
  await expect(page.getByText('Ann Bell-Featherstonehaugh').filter({ visible: true }).first()).toBeVisible()
  await buttonNamed(page, 'Check file').click()
  await expect(page.getByText('2 to create, 1 failed')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Rows with errors' })).toContainText('Enter a valid email address')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 720 })
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Import 2 partners').click()
  await expect(page.getByText('2 created, 1 failed').first()).toBeVisible()

  await page.goto(`${site.url}/account/import?kind=leads`)
  await chooseFile(page, 'customers.csv', dubCustomers)
  await expect(page.getByText('Looks like an export of leads from Dub.')).toBeVisible()
  await importAll(page, 'Import 1 lead')

  await page.goto(`${site.url}/account/import`)
  await chooseFile(page, 'commissions.csv', dubCommissions)
  await expect(kindField(page)).toHaveValue('sales')
  await page.getByLabel('Deduct paid commissions from the balance').uncheck()
  await importAll(page, 'Import 2 sales')
  await expect(page.getByText('Total: $1,500.00')).toHaveCount(2)

  await page.goto(`${site.url}/account/import`)
  const more = 'po_2,$650.00,usd,completed,2025-06-01,2025-06-30,2025-07-01,2025-07-03T00:00:00.000Z,ann@dub.example'
  await chooseFile(page, 'too-many-payouts.csv', `${dubPayouts}\n${more}`)
  await buttonNamed(page, 'Check file').click()
  const warnings = page.getByRole('list', { name: 'Warnings' })
  await expect(warnings).toContainText('Wolfeschlegelsteinhausen would fall to -$550.00')
  await expectAccessibleInBothThemes(page)

  await page.goto(`${site.url}/account/import`)
  await chooseFile(page, 'payouts.csv', dubPayouts)
  await importAll(page, 'Import 1 payout')
  await expect(warnings).toBeHidden()
  const { items } = await callAsOwner('GET', `/accounts/${owner.id}/partners?search=ann@dub.example`)
  const { due, paid } = await callAsOwner('GET', `/partners/${items[0].id}/balance`)
  expect([due, paid]).toEqual([100_00, 200_00])
  expect(complaints).toEqual([])
})

test('files of AffiliateWP, Rewardful and another in a Windows encoding; errors are shown, and the import undone', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/account/import?kind=partners')
  await chooseFile(page, 'rewardful.csv', rewardful)
  await importAll(page, 'Import 1 partner')
  await page.goto(`${site.url}/account/import`)
  await chooseFile(page, 'referrals.csv', affiliateWp.replaceAll('ann@dub.example', 'eve@rewardful.example'))
  await expect(page.getByText('Looks like an export of sales from AffiliateWP.')).toBeVisible()
  await importAll(page, 'Import 1 sale')

  await page.goto(`${site.url}/account/import?kind=leads`)
  const windows = Buffer.from('Vorname;Wer\nJ\u00fcrgen;juergen@firma.example\n', 'latin1')
  await chooseFile(page, 'kunden.csv', windows)
  await expect(page.getByText('Check the columns before you import.')).toBeVisible()
  await buttonNamed(page, 'Check file').click()
  await expect(page.getByRole('alert')).toContainText('Choose a column for Email or Phone or External ID.')
  await page.getByLabel('Column for Email').selectOption('Wer')
  await page.getByLabel('Column for First name').selectOption('Vorname')
  await importAll(page, 'Import 1 lead')
  await buttonNamed(page, 'View leads').click()
  await expect(page.getByRole('link', { name: 'Jürgen' })).toBeVisible()
  await page.goto(`${site.url}/account/import`)
  const last = page.getByRole('region', { name: 'Earlier imports' }).getByRole('listitem').first()
  await expect(last).toContainText(/Done1 created.*Can be undone until \w{3} \d+/)
  await last.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('dialog')).toContainText('The lead this import created will be deleted.')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(last).toContainText('Undone1 undone')
  expect(
    (await callAsOwner('GET', `/accounts/${owner.id}/leads`)).items.map((one: { email: string }) => one.email),
  ).toEqual([null])
  expect(complaints).toEqual([])
})

test('a workbook’s sheet and header row are chosen, and the encoding of a file by a sample of its names', async ({
  page,
  complaints,
}) => {
  const row = (number: number, ...cells: string[]) =>
    `<row r="${number}">${cells.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`
  const sales = [
    row(1, 'Shop', 'Since 2019'),
    row(2, 'Email', 'Amount', 'Sale date', 'External ID'),
    row(3, 'ivy@w.example', '12.50', '3/9/26', '5123456789013'),
  ]
  const workbook = await zipFiles(filesOfWorkbook({ Notes: row(1, 'nothing'), Orders: sales.join('') }))
  await openAs(page, site, owner, '/account/import?kind=sales')
  await chooseFile(page, 'orders.xlsx', workbook)
  await page.getByLabel('Sheet').selectOption('Orders')
  const header = page.getByLabel('Header row')
  await header.selectOption({ label: '2: Email, Amount, Sale date, External ID' })
  await expect(page.getByLabel('Column for Amount')).toHaveValue('Amount')
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Check file').click()
  const read = page.getByLabel('How the file was read')
  await expect(read).toContainText('SheetOrders')
  await expect(read).toContainText('Header row2, which counts as row 1 below')
  await expect(read).toContainText('3/9/26 is Mar 9, 2026')
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Import 1 sale').click()
  await expect(buttonNamed(page, 'View sales')).toBeVisible()
  const { items } = await callAsOwner('GET', `/accounts/${owner.id}/sales?search=5123456789013`)
  expect(items.map((sale: { amount: number; saleDate: string }) => [sale.amount, sale.saleDate])).toEqual([
    [12_50, '2026-03-09'],
  ])

  await page.goto(`${site.url}/account/import?kind=leads`)
  await chooseFile(page, 'leads.csv', Buffer.from('Email,First name\npawel@w.example,Pawe\xb3\n', 'latin1'))
  const encoding = page.getByLabel('Encoding')
  await expect(encoding).toContainText('Western (Windows): Pawe³')
  await encoding.selectOption({ label: 'Central European (Windows): Paweł' })
  await expect(page.getByText('Paweł', { exact: true })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Check file').click()
  await expect(read).toContainText('EncodingCentral European (Windows)')
  await buttonNamed(page, 'Import 1 lead').click()
  await buttonNamed(page, 'View leads').click()
  await expect(page.getByRole('link', { name: 'Paweł' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('the sidebar shows a running import everywhere until it ends, and then stops polling', async ({
  page,
  complaints,
}) => {
  test.setTimeout(150_000)
  const rows = Array.from({ length: 800 }, (_, at) => `Lead,Number ${at},lead-${at}@running.example`)
  await openAs(page, site, owner, '/account/import?kind=leads')
  await chooseFile(page, 'leads.csv', `First name,Last name,Email\n${rows.join('\n')}`)
  const running = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: '1 running' })
  await expect(running).toBeHidden()
  await buttonNamed(page, 'Check file').click()
  await expect(running).toBeVisible()
  await expect(buttonNamed(page, 'Import 800 leads')).toBeVisible({ timeout: 60_000 })
  await expect(running).toBeHidden()
  await buttonNamed(page, 'Import 800 leads').click()
  await expect(running).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click()
  await expect(pageHeading(page, 'Links')).toBeVisible()
  await expect(running).toBeVisible()
  await running.click()
  await expect(pageHeading(page, 'Import data')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Links' }).click()
  await expect(running).toBeHidden({ timeout: 60_000 })

  const requests: string[] = []
  page.on('request', (request) => /\/imports\?/.test(request.url()) && requests.push(request.url()))
  await page.clock.install()
  await page.goto(`${site.url}/links`)
  await expect.poll(() => requests.length).toBe(1)
  await expect(running).toBeHidden()
  await page.clock.fastForward(60_000)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  expect(requests).toHaveLength(1)
  expect(complaints).toEqual([])
})
