import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { readDocs, toDocsAddress } from '../../web/build/docs-markdown.ts'
import { ADMINISTRATOR } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import {
  anOwner,
  aSignedUpPartner,
  expectAccessibleInBothThemes,
  pageHeading,
  signedInPage,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The docs of the running version, which are public.

const docs = readDocs(fileURLToPath(new URL('../../docs', import.meta.url)))

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('every page is readable without signing in, on a phone and a wide screen', async ({ page, site, complaints }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const { name, title } of docs.pages.values()) {
    await page.goto(`${site.url}${toDocsAddress(name)}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    expect(await isTooWide(page), name).toBe(false)
  }
  expect(complaints).toEqual([])
})

test('Escape clears the search and then leaves it; no results have a message', async ({ page, site, complaints }) => {
  await page.goto(`${site.url}/docs/database`)
  const field = page.getByRole('searchbox', { name: 'Search the docs' })
  await field.fill('zzzzzzzz')
  await expect(page.getByRole('status')).toHaveText('Nothing found for “zzzzzzzz”.')
  await field.fill('pgbouncer')
  await page
    .getByRole('search')
    .getByRole('link', { name: /Behind a connection pooler/ })
    .click()
  await expect(page.getByRole('search').getByRole('list')).toBeHidden()
  await field.focus()
  await expect(page.getByRole('search').getByRole('list')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await expect(page.getByRole('search').getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(field).not.toBeFocused()
  expect(complaints).toEqual([])
})

test('search results have an address, and recover after a brief outage of the docs', async ({
  page,
  site,
  complaints,
}) => {
  await page.goto(`${site.url}/docs/concepts/layers`)
  const field = page.getByRole('searchbox', { name: 'Search the docs' })
  const index = '**/assets/docs-index-*.json'
  await page.route(index, (route) => route.abort())
  await field.fill('refund')
  await expect(page.getByRole('status')).toHaveText(/could not be loaded/)
  await page.unroute(index)
  await field.fill('refunds')
  await expect(page.getByRole('status')).toHaveText(/^8 of \d+ results\. Press Enter for more\.$/)

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}/docs/search?q=refunds`)
  await expect(pageHeading(page, 'Search the docs')).toBeVisible()
  await expect(field).toHaveValue('refunds')
  expect(await page.getByRole('article').getByRole('listitem').count()).toBeGreaterThan(8)
  await expectAccessibleInBothThemes(page)
  await field.fill('webhook signature')
  await expect(page).toHaveURL(`${site.url}/docs/search?q=webhook+signature`)
  await page
    .getByRole('article')
    .getByRole('link', { name: /Check the signature/ })
    .click()
  await expect(page).toHaveURL(`${site.url}/docs/integrations/outgoing-webhooks#3-check-the-signature`)
  await page.goBack()
  await expect(page.getByRole('article').getByRole('link', { name: /Check the signature/ })).toBeVisible()
  expect(complaints.filter((complaint) => !complaint.includes('net::ERR_FAILED'))).toEqual([])
})

test('without scripts the docs are the same, except for their search', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.url}/docs/concepts/layers`)
  await expect(pageHeading(page, 'Layers')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Ledger' }).first().click()
  await expect(pageHeading(page, 'Ledger')).toBeVisible()
  await context.close()
})

test('help and palette open the docs, at the page for the role', async ({ browser, site }) => {
  const account = await anOwner(site)
  for (const [who, h1] of [
    [account, 'Tributary docs'],
    [ADMINISTRATOR, 'Hosting Tributary yourself'],
    [await aSignedUpPartner(site, account, {}), 'For partners'],
  ] as const) {
    const page = await signedInPage(browser, site, who, [])
    await page.goto(`${site.url}/user/profile`)
    await page.getByRole('banner').getByRole('button', { name: 'Help' }).click()
    const inMenu = page.getByRole('menuitem', { name: 'Documentation' })
    const opened = page.context().waitForEvent('page')
    await inMenu.click()
    await expect(pageHeading(await opened, h1)).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('documentation')
    await page.getByRole('option', { name: 'Help' }).click()
    await expect(pageHeading(page, h1)).toBeVisible()
    await page.context().close()
  }
})

test('the contents lead to a page, a page to the next, and an unknown address back', async ({
  page,
  site,
  complaints,
}) => {
  await page.goto(`${site.url}/docs`)
  await expectAccessibleInBothThemes(page)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await contents.getByRole('link', { name: 'Push API' }).click()
  await expect(pageHeading(page, 'Push API')).toBeVisible()
  await expect(contents.locator('[aria-current=page]')).toHaveText('Push API')
  await expect(page.getByRole('img', { name: /^Push Data/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link', { name: /^Next/ }).click()
  await expect(pageHeading(page, 'Embedded portal')).toBeVisible()
  expect(complaints).toEqual([])

  const answer = await page.goto(`${site.url}/docs/no/such/page`)
  expect(answer!.status()).toBe(404)
  await expect(pageHeading(page, 'Page not found')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('article').getByRole('link', { name: 'contents' }).click()
  await expect(pageHeading(page, 'Tributary docs')).toBeVisible()
  expect(filterUnexpected(complaints, 404)).toEqual([])
})

test('the search finds a section as its name is typed, using only the keyboard', async ({ page, site, complaints }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${site.url}/docs/start`)
  await page.keyboard.press('End')
  expect(requests.filter((path) => path.includes('docs-index'))).toEqual([])

  await page.keyboard.press('/')
  const field = page.getByRole('searchbox', { name: 'Search the docs' })
  await expect(field).toBeFocused()
  await page.keyboard.type('restor backup')
  const found = page.getByRole('search').getByRole('listitem')
  await expect(found.first()).toContainText('Backups and upgrades › Backups')
  await expect(found.first().locator('mark').first()).toHaveText(/^(backup|restore)$/i)
  await expect(page.getByRole('status')).toHaveText(/^8 of \d+ results\. Press Enter for more\.$/)
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await isTooWide(page)).toBe(false)
  await expect(found.first()).toBeInViewport()

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(found.first().getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}/docs/backups#backups`)
  await expect(page.getByRole('heading', { name: /^Backups/, level: 2 })).toBeInViewport()
  await expect(page.getByRole('search').getByRole('list')).toBeHidden()
  expect(complaints).toEqual([])
})
