import type { Page } from '@playwright/test'
import { aPartner, expectOk } from '../support/app.ts'
import { interceptCalls } from '../support/intercept-calls.ts'
import { anOwner, type Person, type Site, signedInPage } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Choosing among many things on the server by typing.

let site: Site
let owner: Person & { id: string }
const complaints: string[] = []

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site)
  for (let at = 1; at <= 20; at++)
    await aPartner(site, owner, { firstName: 'Alder', lastName: `Partner ${String(at).padStart(2, '0')}` })
  await aPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
})

test.beforeEach(() => complaints.splice(0))
test.afterEach(() => expect(complaints).toEqual([]))

const field = (page: Page) => page.getByRole('combobox', { name: 'Partner', exact: true })
const options = (page: Page) => page.getByRole('option')
const active = (page: Page) => page.locator('[role=option][data-active]')

async function newLead(browser: Parameters<typeof signedInPage>[0]) {
  const page = await signedInPage(browser, site, owner, complaints)
  const road = await interceptCalls(page)
  await page.goto(`${site.url}/leads/new`)
  const looked = page.waitForResponse(/\/leads\/similar\?/)
  await page.getByLabel('Email').fill('hannah@brightline.example')
  await looked
  await field(page).click()
  await expect(options(page)).toHaveCount(20)
  return { page, road }
}

test('Enter right after typing selects nothing from the previous list', async ({ browser }) => {
  const { page, road } = await newLead(browser)
  road.hold()
  await field(page).fill('whitfield')
  await page.keyboard.press('Enter')
  await expect.poll(road.waiting).toEqual([`GET /accounts/${owner.id}/partners`])
  // The search is under way, and the old list is still visible.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('whitfield')
  await expect(active(page)).toHaveCount(0)
  await road.open()

  await expect(options(page)).toHaveText([/^Jane Whitfield/])
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Jane Whitfield')
  await page.getByRole('main').getByRole('button', { name: 'Add lead' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add lead' })).toBeHidden()
  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/leads`, { token: owner.token })).body
  expect(items.map((lead: { partnerName: string }) => lead.partnerName)).toEqual(['Jane Whitfield'])
  await page.context().close()
})

/** All but a fraction of a pixel. */
const WHOLE = { ratio: 0.98 }

test('the option reached by the arrows is scrolled into view, and the arrows start at the selected one', async ({
  browser,
}) => {
  const { page } = await newLead(browser)
  await expect(active(page)).toHaveText(/^Alder Partner 01/)
  for (let at = 2; at <= 15; at++) await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText(/^Alder Partner 15/)
  await expect(active(page)).toBeInViewport(WHOLE)
  for (let at = 15; at > 1; at--) await page.keyboard.press('ArrowUp')
  await expect(active(page)).toBeInViewport(WHOLE)
  await page.keyboard.press('ArrowUp')
  await expect(active(page)).toHaveText(/^Alder Partner 20/)
  await expect(active(page)).toBeInViewport(WHOLE)
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Alder Partner 20')

  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText(/^Alder Partner 20/)
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('Alder Partner 20')
  await page.context().close()
})
