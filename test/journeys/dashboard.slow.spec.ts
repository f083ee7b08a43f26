import type { Page } from '@playwright/test'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  type Person,
  pageHeading,
  signedInPage,
} from '../support/journey.ts'
import type { Populated } from '../support/populated-account.ts'
import { expect, test } from '../support/test.ts'

// Contents of the dashboards besides their lists: the first steps, the figures, links to hand out.

let populated: Populated

test.beforeAll(({ populated: shared }) => {
  populated = shared
})

async function dashboardOf(browser: Parameters<typeof signedInPage>[0], person: Person) {
  const page = await signedInPage(browser, populated.site, person, [])
  await page.goto(`${populated.site.url}/dashboard`)
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  return page
}

const card = (page: Page, label: string) =>
  page.getByLabel('Figures').locator('div', { has: page.getByRole('term').filter({ hasText: label }) })

test('the partners of the date range, and the status of each first step', async ({ browser }) => {
  const { site } = populated
  const newcomer = await anOwner(site, { name: 'Pinegate Travel' })
  await aSignedUpPartner(site, newcomer, { firstName: 'Aisha', lastName: 'Bello' })
  const page = await dashboardOf(browser, newcomer)
  await expect(card(page, 'Partners')).toHaveText(/^Partners11 new$/)
  const steps = page.getByRole('region', { name: 'Get started' }).getByRole('listitem')
  await expect(steps.filter({ hasText: 'Add your first partner' })).toContainText('1 partner')
  await expect(steps.filter({ hasText: 'Create a link' })).toContainText('Partners share it')
  const money = page.getByRole('figure', { name: 'Revenue, share and profit' })
  await expect(money).toContainText('No data to show')
  await expect(money).toContainText(/Nothing recorded from \w{3} \d+, \d{4} to \w{3} \d+, \d{4}\./)
  await expect(money.getByRole('button')).toHaveCount(0)
  await page.goto(`${site.url}/dashboard?from=2020-01-01&to=2020-01-31`)
  await expect(card(page, 'Partners')).toHaveText(/^Partners0$/)
  await page.context().close()
})

test('an account without any data shows its first steps, and no zeros', async ({ browser }) => {
  const page = await dashboardOf(browser, populated.newOwner)
  await expect(page.getByRole('region', { name: 'Get started' }).getByRole('listitem')).toHaveCount(6)
  await expect(page.getByText('Your figures appear here once partners bring leads and sales.')).toBeVisible()
  await expect(page.getByRole('figure')).toHaveCount(0)
  await expect(page.getByLabel('Figures')).toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText('$0.00')
  await expectAccessibleInBothThemes(page)
  await page.context().close()
})

test('the partners card counts all partners, and links to exactly the new ones', async ({ browser }) => {
  const { site } = populated
  const owner = await anOwner(site, { name: 'Cedar Lane Fitness' })
  for (const lastName of ['Bello', 'Haddad']) await aSignedUpPartner(site, owner, { firstName: 'Aisha', lastName })
  const page = await dashboardOf(browser, owner)
  await expect(card(page, 'Partners')).toHaveText(/^Partners22 new$/)
  await card(page, 'Partners').getByRole('link', { name: '2 new' }).click()
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('from'), searchParams.get('to')]).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  ])
  await expect(page.getByRole('table', { name: 'Partners' }).locator('tbody tr')).toHaveCount(2)
  // the total of earlier days leads to as many: none
  await page.goto(`${site.url}/dashboard?from=2020-01-01&to=2020-01-31`)
  await card(page, 'Partners').getByRole('link', { name: 'Partners' }).click()
  await expect(pageHeading(page, 'Partners')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()
  await page.context().close()
})

test('figures are compared with named days; a period in progress is drawn differently', async ({ browser }) => {
  const page = await signedInPage(browser, populated.site, populated.owner, [])
  const money = page.getByRole('figure', { name: 'Revenue, share and profit' })
  const request = page.waitForRequest(/dashboard\/\d{4}-\d\d-01\.\..+compare=\d{4}-\d\d-01\.\./)
  await page.goto(`${populated.site.url}/dashboard?range=month-to-date`)
  await request
  await expect(page.getByText(/^vs \w{3} 1(–\d+)?(, \d{4})?$/)).toHaveCount(1)
  await expect(money.getByText(/^\w{3} \d+ so far$/)).toBeVisible()
  await money.getByRole('button', { name: 'Show as table' }).click()
  await expect(money.getByRole('row').last()).toContainText('so far')

  await page.goto(`${populated.site.url}/dashboard?range=last-year`)
  const year = new Date().getUTCFullYear()
  await expect(page.getByText(`vs Jan 1 – Dec 31, ${year - 2}`, { exact: true })).toHaveCount(1)
  await expect(money).toBeVisible()
  await expect(money.getByText('so far')).toHaveCount(0)
  await page.context().close()
})

test('revenue is compared with the previous days on demand', async ({ browser }) => {
  const { site, owner } = populated
  const page = await signedInPage(browser, site, owner, [])
  await page.goto(`${site.url}/dashboard?range=month-to-date`)
  const compare = page.getByRole('button', { name: 'Compare with previous' })
  const whole = page.getByRole('figure', { name: 'Revenue, share and profit' })
  await expect(compare).toHaveAttribute('aria-pressed', 'false')
  await compare.click()
  await expect(compare).toHaveAttribute('aria-pressed', 'true')
  const both = page.getByRole('figure', { name: 'Revenue', exact: true })
  await both.getByRole('button', { name: 'Show as table' }).click()
  await expect(both.getByRole('columnheader')).toHaveText([/./, 'Revenue', /^Revenue, \w{3} \d/])
  await expectAccessibleInBothThemes(page)
  await compare.click()
  await expect(whole.getByRole('columnheader')).toHaveText([/./, 'Revenue', 'Revenue share', 'Profit'])
  await expect(compare).toHaveAttribute('aria-pressed', 'false')
  await page.context().close()
})

test('the number of leads opens that many: of its days, its partner, and none twice', async ({ browser }) => {
  const { owner, partner, site, things } = populated
  for (const [person, path, label] of [
    [owner, '/dashboard', 'Figures'],
    [owner, `/partners/${things.partner}`, 'Figures for Jane Whitfield'],
    [partner, '/dashboard', 'Your figures'],
  ] as const) {
    const page = await signedInPage(browser, site, person, [])
    await page.goto(`${site.url}${path}?range=month-to-date`)
    const figure = page.getByLabel(label).locator('div', { has: page.getByRole('link', { name: 'Leads' }) })
    const count = await figure.getByRole('definition').first().innerText()
    await figure.getByRole('link').click()
    await expect(pageHeading(page, 'Leads')).toBeVisible()
    await expect(page.getByLabel('Status', { exact: true })).toHaveValue(/^new,qualified,.*expired$/)
    await expect(page.getByRole('button', { name: /^Created / })).toContainText(String(new Date().getUTCFullYear()))
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(`of ${count}`)
    await page.context().close()
  }
})

test('the tooltip of every chart shows each mark beside its label, not over it', async ({ browser }) => {
  const page = await dashboardOf(browser, populated.owner)
  const charts = page.getByRole('figure').filter({ has: page.getByRole('slider') })
  await expect(charts.first()).toBeVisible()
  for (const chart of await charts.all()) {
    await chart.getByRole('slider').hover()
    const rows = chart.locator('[aria-hidden="true"] > b ~ span')
    await expect(rows.first()).toBeVisible()
    const gaps = await rows.evaluateAll((shown) =>
      shown.map((row) => {
        const words = document.createRange()
        words.selectNodeContents([...row.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)!)
        return words.getBoundingClientRect().left - row.querySelector('svg')!.getBoundingClientRect().right
      }),
    )
    for (const gap of gaps) expect(gap).toBeGreaterThan(0)
  }
  await page.context().close()
})

test('a chart and its table have the same height; on a phone the download is beside the heading', async ({
  browser,
}) => {
  const page = await dashboardOf(browser, populated.owner)
  const figure = page.getByRole('figure', { name: 'Revenue, share and profit' })
  // a chart that waits is a figure too
  await expect(page.getByRole('figure').getByRole('slider')).toHaveCount(2)
  const before = await figure.boundingBox()
  // no chart leaves a part of its panel blank, whatever is next to it
  const blank = await page
    .getByRole('figure')
    .evaluateAll((figures) =>
      figures.map(
        (figure) =>
          figure.getBoundingClientRect().bottom -
          figure.querySelector('[role="slider"] > svg')!.getBoundingClientRect().bottom,
      ),
    )
  expect(blank).toHaveLength(2)
  for (const height of blank) expect(height).toBeLessThanOrEqual(10)
  await figure.getByRole('button', { name: 'Show as table' }).click()
  await expect(figure.getByRole('table')).toBeVisible()
  expect((await figure.boundingBox())?.height).toBe(before?.height)

  await page.setViewportSize({ width: 390, height: 844 })
  const download = page.getByRole('button', { name: 'Download CSV' })
  const range = page.getByRole('button', { name: /^Date range: Last 6 months · .+ \d{4}$/ })
  await expect(async () => {
    const [title, beside, below] = await Promise.all(
      [pageHeading(page, 'Dashboard'), download, range].map((one) => one.boundingBox()),
    )
    expect(beside!.y).toBeLessThan(title!.y + title!.height)
    expect(below!.y).toBeGreaterThan(beside!.y + beside!.height)
    expect(below!.width).toBe(358)
  }).toPass()
  await page.context().close()
})

test('Escape closes the date range wherever the focus is; the focus returns to its button', async ({ browser }) => {
  const page = await dashboardOf(browser, populated.owner)
  const button = page.getByRole('button', { name: /^Date range: Last 6 months/ })
  await button.click()
  const panel = page.getByRole('dialog', { name: 'Date range' })
  await panel.getByRole('button', { name: 'Custom range' }).click()
  await panel.getByText('days, by month').click()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()
  await page.context().close()
})

test('a partner’s own page belongs to the dashboard, other partners’ to Partners', async ({ browser }) => {
  const { partner, site, things } = populated
  const page = await signedInPage(browser, site, partner, [])
  const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]')
  for (const [path, place] of [
    [`/partners/${things.partner}`, 'Dashboard'],
    [`/partners/${things.partner}?tab=payouts`, 'Dashboard'],
    [`/partners/${things.subPartner}`, 'Partners'],
    ['/partners/new', 'Partners'],
    ['/partner/settings', 'Settings'],
  ] as const) {
    await page.goto(`${site.url}${path}`)
    await expect(current).toHaveText([place])
  }
  await page.context().close()
})

test('a row of the best opens its page with the same range and figures', async ({ browser }) => {
  const page = await signedInPage(browser, populated.site, populated.owner, [])
  for (const range of ['range=year-to-date', 'from=2024-01-01&to=2026-12-31']) {
    await page.goto(`${populated.site.url}/dashboard?${range}`)
    const row = page.getByRole('table', { name: 'Top partners' }).locator('tbody tr').first()
    // the change is on the next line
    const [revenue] = (await row.getByRole('cell').last().innerText()).split('\n')
    await row.getByRole('link').click()
    await expect(page).toHaveURL((at) => at.pathname.startsWith('/partners/') && at.search === `?${range}`)
    await expect(page.getByRole('main').getByRole('definition').filter({ hasText: revenue }).first()).toBeVisible()
  }
  await page.context().close()
})

test('a partner shows the QR code of a link', async ({ browser }) => {
  const page = await dashboardOf(browser, populated.partner)
  await page.getByRole('button', { name: 'Show QR code for Spring offer' }).click()
  const dialog = page.getByRole('dialog', { name: 'QR code for Spring offer' })
  await expect(dialog.getByRole('img', { name: /^QR code: http/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Show QR code for Spring offer' })).toBeFocused()
  await page.context().close()
})
