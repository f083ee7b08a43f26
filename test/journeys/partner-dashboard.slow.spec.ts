import type { Browser, Locator, Page } from '@playwright/test'
import { expectOk, signIn } from '../support/app.ts'
import { type DemoSite, startDemoSite } from '../support/demo-site.ts'
import { atRest, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The partner's dashboard of the demo: its height, what each line opens, and the presses that a partner's tasks take.

let demo: DemoSite
// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
let ask: (path: string) => Promise<any>
let partnerId: string

test.beforeAll(async () => {
  test.setTimeout(600_000)
  demo = await startDemoSite({ scale: 0.05 })
  const { token } = await signIn(demo.site, demo.partner.email, demo.partner.password)
  ask = async (path) => expectOk(await demo.site.api('GET', path, { token })).body
  partnerId = (await ask('/users/me')).roles[0].partnerId
})

test.afterAll(() => demo?.end())

/** Counts the presses of a task. */
function countPresses() {
  const made = { presses: 0 }
  const press = async (what: Locator) => {
    made.presses++
    await what.click()
  }
  return { made, press }
}

async function opened(browser: Browser, viewport = { width: 1280, height: 800 }) {
  const page = await signedInPage(browser, demo.site, demo.partner, [], {
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.goto(`${demo.site.url}/dashboard`)
  await expect(page.getByRole('region', { name: 'What you earn' })).toBeVisible()
  await atRest(page)
  return page
}

const buttonNamed = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const copiedText = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

for (const { width, height, most } of [
  { width: 1280, height: 800, most: 1500 },
  { width: 390, height: 844, most: 2200 },
])
  test(`at ${width} pixels the dashboard is at most ${most} high, with its first act in sight`, async ({ browser }) => {
    const page = await opened(browser, { width, height })
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(most)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await expect(buttonNamed(page, 'Copy link')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('heading', { name: 'Next payouts' })).toBeInViewport()
    const tops = await Promise.all(
      ['Your link', 'Next payouts', 'Your money', 'Your figures', 'Charts', 'What you earn'].map(
        async (name) => (await page.getByLabel(name, { exact: true }).first().boundingBox())!.y,
      ),
    )
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    await page.context().close()
  })

test('each coming payment opens its commissions in one press, as many and with the same sum', async ({ browser }) => {
  const page = await opened(browser)
  const { days, blocked } = await ask(`/partners/${partnerId}/payouts/forecast`)
  const lines = [...days.slice(0, 3), ...(blocked.amount > 0 ? [{ ...blocked, date: 'blocked' }] : [])]
  expect(lines.length).toBeGreaterThan(0)
  const links = page.getByRole('region', { name: 'Next payouts' }).getByRole('listitem').getByRole('link')
  await expect(links).toHaveCount(lines.length)
  for (const [at, { date, amount, count }] of lines.entries()) {
    await links.nth(at).click()
    await expect(page).toHaveURL(new RegExp(`payday=${date}`))
    const table = page.getByRole('table', { name: 'Commissions' })
    await expect(table.locator('tbody tr')).toHaveCount(count)
    const sum = (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
    await expect(table.locator('tfoot')).toContainText(`$${sum}`)
    await page.goBack()
    await expect(links).toHaveCount(lines.length)
  }
  await page.context().close()
})

test('a partner copies the link in one press, and one with a sub-ID in two', async ({ browser }) => {
  const page = await opened(browser)
  const copy = countPresses()
  await copy.press(buttonNamed(page, 'Copy link'))
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  const { items } = await ask(`/partners/${partnerId}/links?own=false&sort=-clicks`)
  expect(await copiedText(page)).toBe(items[0].shortUrl)
  expect(copy.made.presses).toBe(1)

  const withSubId = countPresses()
  await withSubId.press(buttonNamed(page, 'Add link'))
  const dialog = page.getByRole('dialog', { name: 'Add link' })
  await dialog.getByLabel('Page').fill(`https://${items[0].domains[0]}/pricing`)
  await dialog.getByLabel('Name').fill('Press counting')
  await dialog.getByLabel('Sub-ID').fill('autumn')
  await withSubId.press(dialog.getByRole('button', { name: 'Add link' }))
  await expect(page.getByRole('row', { name: /^Press counting/ })).toContainText('Sub-ID autumn')
  const own = (await ask(`/partners/${partnerId}/links?own=true&limit=100`)).items
  const added = own.find(({ name }: { name: string }) => name === 'Press counting')
  await expect.poll(() => copiedText(page)).toBe(added.shortUrl)
  expect(withSubId.made.presses).toBe(2)
  await page.context().close()
})

test('a statement takes two presses', async ({ browser }) => {
  const page = await opened(browser)
  const statement = countPresses()
  await statement.press(page.getByLabel('Your money').getByRole('link', { name: 'Paid' }))
  const file = page.waitForEvent('download')
  await statement.press(page.getByRole('button', { name: /^Download PDF of PO-\d+$/ }).first())
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/)
  expect(statement.made.presses).toBe(2)
  await page.context().close()
})
