import type { Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { anOwner, atRest, openAs, type Person, type Site } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Selecting all rows of a list while its pages are read, and a page that has lost its rows.

let site: Site
let owner: Person & { id: string }

test.beforeAll(async ({ site: shared }) => {
  site = shared
  owner = await anOwner(site, { name: 'Selby Looms' })
  for (let number = 1; number <= 52; number++) {
    const body = { email: `buyer-${number}@looms.example` }
    expectOk(await site.api('POST', `/accounts/${owner.id}/leads`, { token: owner.token, body }))
  }
})

const bar = (page: Page) => page.getByRole('group', { name: 'Selection' })

/** Ticks the page, and presses the button that reads the rest of the list; returns a function that lets it be read. */
async function beginSelectingAll(page: Page) {
  const held = Promise.withResolvers<void>()
  await page.route(/\/leads\?.*limit=100/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByLabel('Select all on page').check()
  await bar(page)
    .getByRole('button', { name: /^Select all/ })
    .click()
  await expect(page.getByRole('progressbar', { name: 'Selecting rows' })).toBeVisible()
  return async () => {
    const read = page.waitForResponse(/\/leads\?.*limit=100/)
    held.resolve()
    await read
    await page.unrouteAll({ behavior: 'wait' })
  }
}

test('a selection cleared while the rest is read stays cleared', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/leads')
  await atRest(page)
  const readOn = await beginSelectingAll(page)
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar(page)).toHaveCount(0)
  await readOn()
  await atRest(page)
  await expect(bar(page)).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a row unticked while the rest is read stays unticked', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/leads')
  await atRest(page)
  const readOn = await beginSelectingAll(page)
  await page.getByLabel('Select buyer-40', { exact: true }).uncheck()
  await readOn()
  await expect(bar(page).getByRole('status')).toHaveText('51 selected')
  await expect(page.getByLabel('Select buyer-40', { exact: true })).not.toBeChecked()
  expect(complaints).toEqual([])
})

test('a page whose rows are gone counts those of the list, and leads back to them', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/leads')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL(/[?&]cursor=/)
  for (const number of [1, 2]) {
    const { items } = expectOk(
      await site.api('GET', `/accounts/${owner.id}/leads?search=buyer-${number}@`, { token: owner.token }),
    ).body
    expectOk(await site.api('DELETE', `/leads/${items[0].id}`, { token: owner.token }))
  }
  await page.reload()
  const list = page.getByRole('region', { name: 'Leads', exact: true })
  await expect(list).toContainText('No data to show50 total')
  await list.getByRole('button', { name: 'Previous' }).click()
  await expect(list).toContainText('1–50 of 50')
  expect(complaints).toEqual([])
})
