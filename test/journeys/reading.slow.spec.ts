import type { Browser, Page } from '@playwright/test'
import { aPartner, expectOk } from '../support/app.ts'
import { interceptCalls, type Road } from '../support/intercept-calls.ts'
import { anOwner, type Person, pageHeading, type Site, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The times and contents of the screens' calls.

let site: Site
let owner: Person & { id: string }
let jane: { id: string }
const complaints: string[] = []

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
  for (let at = 1; at <= 50; at++)
    await aPartner(site, owner, { firstName: 'Alder', lastName: `Partner ${String(at).padStart(2, '0')}` })
  jane = await aPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
})

test.beforeEach(() => complaints.splice(0))
test.afterEach(() => expect(complaints).toEqual([]))

/** A page whose calls to the API the test controls; the calls for its first screen are already answered. */
async function at(browser: Browser, path: string, h1: string, who = owner): Promise<{ page: Page; road: Road }> {
  const page = await signedInPage(browser, site, who, complaints)
  const road = await interceptCalls(page)
  await page.goto(`${site.url}${path}`)
  await expect(pageHeading(page, h1)).toBeVisible()
  await road.quiet()
  road.asked()
  return { page, road }
}

test.describe('a pointer', () => {
  test('that passes over fifty rows requests nothing', async ({ browser }) => {
    const { page, road } = await at(browser, '/partners', 'Partners')
    const rows = page.getByRole('table', { name: 'Partners' }).getByRole('rowheader').getByRole('link')
    await expect(rows).toHaveCount(50)
    await page.setViewportSize({ width: 1280, height: 4000 })
    // The clock stops, however long the browser takes over a row.
    await page.clock.install()
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    for (const row of await rows.all()) {
      const { x, y } = (await row.boundingBox())!
      await page.mouse.move(x + 5, y + 5)
    }
    await page.mouse.move(5, 3900)
    await page.clock.resume()
    await page.clock.fastForward(1000)
    await road.quiet()
    expect(road.asked()).toEqual([])
    await page.context().close()
  })

  test('that rests on a row requests that partner, and the rest once the row is followed', async ({ browser }) => {
    const { page, road } = await at(browser, '/partners?search=whitfield', 'Partners')
    const row = page.getByRole('link', { name: 'Jane Whitfield' })
    await row.hover()
    await expect.poll(() => road.asked()).toEqual([`GET /partners/${jane.id}`])
    await road.quiet()
    expect(road.asked()).toEqual([])
    await row.click()
    await expect(pageHeading(page, 'Jane Whitfield')).toBeVisible()
    await road.quiet()
    const rest = road.asked()
    expect(rest).toContain(`GET /partners/${jane.id}/balance`)
    expect(rest).not.toContain(`GET /partners/${jane.id}`)
    await page.context().close()
  })
})

test.describe('a write', () => {
  test('appears on every screen read before it, and refetches only the visible ones', async ({ browser }) => {
    const maya = await anOwner(site, { name: 'Pinegate' })
    const post = async (path: string, body: object) =>
      expectOk(await site.api('POST', path, { token: maya.token, body })).body
    const kim = await aPartner(site, maya, {
      ...{ firstName: 'Kim', lastName: 'Sato' },
      commissionSettings: { layerRates: [10] },
    })
    const fields = { partnerId: kim.id, firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' }
    const lead = await post(`/accounts/${maya.id}/leads`, fields)
    await post(`/leads/${lead.id}/sales`, { amount: 500_00 })
    const { page, road } = await at(browser, '/leads', 'Leads', maya)
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const go = (name: string) => sidebar.getByRole('link', { name, exact: true }).click()
    const main = page.getByRole('main')
    // Every screen that names the partner is loaded, and fresh.
    await main.getByRole('link', { name: 'Hannah Cole' }).click()
    await expect(main.getByRole('link', { name: 'Kim Sato', exact: true }).first()).toBeVisible()
    await page.goBack()
    await go('Payouts')
    await expect(main.getByText('Kim Sato')).toBeVisible()
    await go('Dashboard')
    await expect(main.getByText('Kim Sato').first()).toBeVisible()
    await go('Partners')
    await expect(pageHeading(page, 'Partners')).toBeVisible()
    await main.getByRole('link', { name: 'Kim Sato', exact: true }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('First Name').fill('Robin')
    await road.quiet()
    const answered: string[] = []
    page.on('requestfinished', (request) => answered.push(request.url()))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(pageHeading(page, 'Robin Sato')).toBeVisible()
    await road.quiet()
    const calls = answered.filter((url) => url.includes('/api/'))
    expect(calls).toContainEqual(expect.stringMatching(`/partners/${kim.id}/balance$`))
    // Only their links, codes and people are visible lists; no duplicates except the partner, who is written and read.
    const lists = calls.filter((url) => url.includes('sort=') && !/\/(promotion-codes|links|members)\?/.test(url))
    expect(lists).toEqual([])
    expect(calls.length - new Set(calls).size).toBe(1)

    await go('Leads')
    await expect(main.getByRole('row').filter({ hasText: 'Hannah Cole' })).toContainText('Robin Sato')
    await main.getByRole('link', { name: 'Hannah Cole' }).click()
    await expect(main.getByRole('link', { name: 'Robin Sato', exact: true }).first()).toBeVisible()
    await go('Payouts')
    await expect(main.getByText('Robin Sato')).toBeVisible()
    await go('Dashboard')
    await expect(main.getByText('Robin Sato').first()).toBeVisible()
    await expect(main.getByText('Kim Sato')).toHaveCount(0)
    await page.context().close()
  })
})
