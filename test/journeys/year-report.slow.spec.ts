import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { readCsv } from '../support/csv.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  fromMore,
  openAs,
  type Person,
  pageHeading,
} from '../support/journey.ts'
import type { SharedSite } from '../support/populated-account.ts'
import { expect, test } from '../support/test.ts'

// Payments to partners in a calendar year, and the partners to approve for the next one.

const year = new Date().getUTCFullYear()
const next = year + 1

type Owner = Person & { id: string }

/** A partner paid this amount by hand, this year. */
async function paidPartner(site: SharedSite, owner: Owner, [firstName, lastName]: [string, string], amount: number) {
  const send = async (method: string, path: string, body?: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const partner = await aSignedUpPartner(site, owner, { firstName, lastName })
  if (amount === 0) return partner
  await send('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [year] })
  await send('POST', `/partners/${partner.id}/adjustments`, { amount, reason: 'Agreed' })
  await send('POST', `/accounts/${owner.id}/payouts/refresh`)
  const { items } = await send('GET', `/partners/${partner.id}/payouts`)
  await send('POST', `/payouts/${items[0].id}/mark-paid`, { reference: 'Wire 4471' })
  return partner
}

const panel = (page: Page) => page.getByRole('region', { name: 'Year report' })
const row = (page: Page, name: string) => panel(page).getByRole('row').filter({ hasText: name })
const statusMessage = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words })

/** The figures of each row: name, paid, approved, over the threshold. */
async function shown(page: Page) {
  const lines = await panel(page).getByRole('table').locator('tbody').first().getByRole('row').all()
  return Promise.all(
    lines.map(async (line) => {
      const cells = await line.getByRole('cell').allInnerTexts()
      return [await line.getByRole('rowheader').innerText(), ...[1, 4, 6].map((at) => cells[at]!.trim())]
    }),
  )
}

test('the report on screen matches the file, and a form is recorded from it', async ({ page, site, complaints }) => {
  const owner = await anOwner(site, { minimumPayout: 0 })
  await paidPartner(site, owner, ['Tomás', 'Herrera'], 2500_00)
  await paidPartner(site, owner, ['Ida', 'Moreau'], 80_50)
  await paidPartner(site, owner, ['Noah', 'Bennett'], 0)
  await openAs(page, site, owner, '/payouts')
  await page.getByRole('tab', { name: 'Year report' }).click()
  await expect(page).toHaveURL(/[?&]tab=year-report/)
  await expect(pageHeading(page, 'Payouts')).toBeVisible()
  await expect(page.getByLabel('Year', { exact: true })).toHaveValue(String(year))
  await expect(row(page, 'Tomás Herrera')).toContainText('Missing')
  expect(await shown(page)).toEqual([
    ['Tomás Herrera', '$2,500.00', 'Yes', 'Yes'],
    ['Ida Moreau', '$80.50', 'Yes', 'No'],
    ['Noah Bennett', '$0.00', 'No', 'No'],
  ])
  await expect(row(page, 'Total')).toContainText('$2,580.50')
  await expect(page.getByRole('region', { name: 'What you owe' })).toContainText('$2,580.50')
  await expectAccessibleInBothThemes(page)

  const [file] = await Promise.all([page.waitForEvent('download'), fromMore(page, 'Download CSV')])
  expect(file.suggestedFilename()).toBe('year-report.csv')
  const { rows } = readCsv(await readFile(await file.path(), 'utf8'))
  const yes = (value: string | undefined) => (value === 'true' ? 'Yes' : 'No')
  expect(
    rows.map(({ partnerName, paid, approved, overThreshold }) => [
      partnerName,
      `$${Number(paid).toLocaleString('en-US', { minimumFractionDigits: 2 })}`,
      yes(approved),
      yes(overThreshold),
    ]),
  ).toEqual(await shown(page))

  await row(page, 'Tomás Herrera').getByRole('button', { name: 'Actions for Tomás Herrera' }).click()
  await page.getByRole('menuitem', { name: 'Record tax form' }).click()
  const form = page.getByRole('dialog', { name: 'Record tax form' })
  await form.getByLabel('Tax Form').selectOption('W-8BEN')
  await form.getByLabel('Received On').fill(`${year - 4}-05-01`)
  await form.getByRole('button', { name: 'Record tax form' }).click()
  await expect(statusMessage(page, 'Tax form recorded')).toBeVisible()
  await expect(row(page, 'Tomás Herrera')).toContainText('W-8BEN')
  await expect(row(page, 'Tomás Herrera')).toContainText('Expired')

  await page.getByLabel('Over threshold').selectOption('Yes')
  await expect(row(page, 'Ida Moreau')).toBeHidden()
  await page.getByRole('button', { name: 'Change threshold' }).click()
  const threshold = page.getByRole('dialog', { name: 'Change threshold' })
  await threshold.getByLabel('Threshold').fill('80.50')
  await expectAccessibleInBothThemes(page)
  await threshold.getByRole('button', { name: 'Save changes' }).click()
  await expect(statusMessage(page, 'Threshold saved')).toBeVisible()
  await expect(row(page, 'Ida Moreau')).toContainText('Missing')
  await expect(page.getByText('Set for this account')).toBeVisible()
  await page.getByRole('button', { name: 'Change threshold' }).click()
  await threshold.getByLabel('Threshold').fill('')
  await threshold.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('IRS threshold for 1099-NEC')).toBeVisible()
  await expect(row(page, 'Ida Moreau')).toBeHidden()

  await page.getByLabel('Year', { exact: true }).selectOption(String(year - 1))
  await expect(page).toHaveURL(new RegExp(`year=${year - 1}`))
  await expect(panel(page).getByText(/No partners match|No partners with/)).toBeVisible()
  await page.getByLabel('Year', { exact: true }).selectOption(String(year))
  await row(page, 'Tomás Herrera').getByRole('link', { name: 'Tomás Herrera' }).click()
  await expect(pageHeading(page, 'Tomás Herrera')).toBeVisible()
  expect(complaints).toEqual([])
})

test('in December partners are approved for the next year, some individually and the rest at once', async ({
  page,
  site,
  complaints,
}) => {
  const owner = await anOwner(site, { minimumPayout: 0 })
  const names = [
    ['Tomás', 'Herrera'],
    ['Ida', 'Moreau'],
    ['Zoe', 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafewarenwohl'],
  ] as const
  const partners: { id: string }[] = []
  for (const [first, last] of names) partners.push(await paidPartner(site, owner, [first, last], 10_00))
  await paidPartner(site, owner, ['Nobody', 'Yet'], 0)
  const approved = async () => {
    const read = partners.map(({ id }) => site.api('GET', `/partners/${id}`, { token: owner.token }))
    return (await Promise.all(read)).map(({ body }) => body.approvedPayoutYears.includes(next))
  }
  await page.clock.setFixedTime(`${year}-12-05T12:00:00Z`)
  await openAs(page, site, owner, '/payouts?tab=year-report')
  await expect(page.getByText(`3 partners aren’t approved for ${next} yet`)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'Review list' }).click()
  await expect(page.getByLabel('Year', { exact: true })).toHaveValue(String(next))
  await expect(page.getByRole('checkbox', { name: 'To approve' })).toBeChecked()
  await expect(row(page, 'Nobody Yet')).toBeHidden()

  await page.getByRole('checkbox', { name: 'Select Tomás Herrera' }).check()
  await page
    .getByRole('group', { name: 'Selection' })
    .getByRole('button', { name: `Approve for ${next}` })
    .click()
  await expect(statusMessage(page, `1 partner approved for ${next}`)).toBeVisible()
  await expect(row(page, 'Tomás Herrera')).toBeHidden()
  expect(await approved()).toEqual([true, false, false])
  await statusMessage(page, '1 partner approved').getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Tomás Herrera')).toBeVisible()
  expect(await approved()).toEqual([false, false, false])

  await page.getByRole('button', { name: `Approve 3 for ${next}` }).click()
  const dialog = page.getByRole('dialog', { name: `Approve 3 for ${next}` })
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: `Approve 3 for ${next}` }).click()
  await expect(statusMessage(page, `3 partners approved for ${next}`)).toBeVisible()
  expect(await approved()).toEqual([true, true, true])
  await expect(page.getByText('yet and can’t be paid')).toBeHidden()
  await expect(panel(page).getByText('No partners with To approve', { exact: false })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a report that fails to load says so in its panel, and the rest stays', async ({ page, site }) => {
  const owner = await anOwner(site)
  await page.route('**/tax-years/**', (route) => route.fulfill({ status: 400, body: '{}' }))
  await openAs(page, site, owner, '/payouts?tab=year-report&year=abc')
  await expect(panel(page).getByText('Failed to load')).toBeVisible()
  await expect(page.getByText('You owe')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/tax-years/**')
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page).getByText('No data to show')).toBeVisible()
  await expect(page.getByLabel('Year', { exact: true })).toHaveValue(String(year))
})
