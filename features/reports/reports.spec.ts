import { readFile } from 'node:fs/promises'
import { anEmail, expectOk } from '#test/support/app.ts'
import { readCsv } from '#test/support/csv.ts'
import { anOwner, aSignedUpPartner, expectAccessibleInBothThemes, openAs, pageHeading } from '#test/support/journey.ts'
import { captureShot } from '#test/support/shots.ts'
import { expect, test } from '#test/support/test.ts'

test('a report by source adds up to its lists and its file, is saved to be mailed, and opens again', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] } })
  const send = async (method: string, path: string, body?: object, token = owner.token) =>
    expectOk(await site.api(method, path, { token, body })).body
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const { referralCode } = await send('GET', `/partners/${partner.id}`)
  const { apiKey } = await send('PUT', `/accounts/${owner.id}/api-key`)
  const push = (path: string, body: object) => send('POST', path, body, apiKey)
  for (const [host, clicks, amount] of [
    ['blog.example', 5, 240_00],
    ['news.example', 3, 60_00],
  ] as const) {
    let clickId = ''
    for (let at = 0; at < clicks; at++)
      clickId = (
        await push('/push/clicks', { referralCode, referrer: `https://${host}/`, url: 'https://shop.example/' })
      ).id
    const email = anEmail(host)
    await push('/push/leads', { email, clickId })
    await push('/push/sales', { externalId: host, email, amount })
  }

  await openAs(page, site, owner, '/dashboard')
  await page.getByRole('tab', { name: 'Reports' }).click()
  await expect(page).toHaveTitle('Reports · Dashboard · Tributary')
  await page.getByRole('combobox', { name: 'By' }).selectOption({ label: 'Source' })
  const rows = page
    .getByRole('region', { name: /Report/ })
    .getByRole('table')
    .locator('tbody')
    .first()
    .getByRole('row')
  await expect(rows.first().getByRole('cell')).toHaveText([
    '5',
    '1',
    '1',
    '$240.00',
    '$48.00',
    '$192.00',
    '$0.00',
    '20%',
    '$9.60',
  ])
  await expect(page.getByText('Revenue by source')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'reports')

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const lines = readCsv(await readFile(await file.path(), 'utf8')).rows
  expect(lines.map(({ value, clicks, revenue }) => [value, clicks, revenue])).toEqual([
    ['blog.example', '5', '240.00'],
    ['news.example', '3', '60.00'],
  ])

  await rows.first().getByRole('link', { name: '$240.00' }).click()
  await expect(pageHeading(page, 'Leads')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Source', exact: true }).last()).toHaveValue('source:blog.example')
  await expect(page.getByText('$240.00').first()).toBeVisible()
  await expect(page.getByText('$60.00')).toHaveCount(0)
  await page.goBack()

  await page.getByRole('button', { name: 'Save report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Report Name').fill('Where they come from')
  await dialog.getByLabel('Email It to Me').selectOption({ label: 'Every Monday' })
  await dialog.getByRole('button', { name: 'Save report' }).click()
  await expect(page.getByText('Report saved')).toBeVisible()

  await page.getByRole('tab', { name: 'Cohorts' }).click()
  await expect(page.getByRole('table', { name: 'Revenue by the month' })).toContainText('$300')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'cohorts')
  await page.getByRole('tab', { name: 'Saved reports' }).click()
  const saved = page.getByRole('row').filter({ hasText: 'Where they come from' })
  await expect(saved).toContainText('Every Monday')
  await expectAccessibleInBothThemes(page)
  await captureShot(page, 'saved-reports')
  await saved.getByRole('link').click()
  await expect(rows.first()).toContainText('blog.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await captureShot(page, 'reports-390')
  expect(complaints).toEqual([])
})

test('another range of days begins on the first page', async ({ page, site }) => {
  const owner = await anOwner(site)
  const { body: key } = expectOk(await site.api('PUT', `/accounts/${owner.id}/api-key`, { token: owner.token }))
  const { id } = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const { referralCode } = expectOk(await site.api('GET', `/partners/${id}`, { token: owner.token })).body
  for (let at = 0; at < 51; at++) {
    const click = { referralCode, referrer: `https://s${at}.example/`, url: 'https://shop.example/' }
    expectOk(await site.api('POST', '/push/clicks', { token: key.apiKey, body: click }))
  }
  await openAs(page, site, owner, '/reports?by=source&sort=name')
  await expect(page.getByText('1–50 of 51')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('51–51 of 51')).toBeVisible()
  await page.getByRole('button', { name: /^Date range/ }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(page.getByText('1–50 of 51')).toBeVisible()
})
