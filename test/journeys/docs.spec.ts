import type { Page } from '@playwright/test'
import { unexpected } from '../support/browser.ts'
import { expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The docs of the running version, which are public.

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('the contents lead to a page, a page to the next, and an unknown address back', async ({
  page,
  site,
  complaints,
}) => {
  await page.goto(`${site.url}/docs`)
  await expectAccessibleInBothThemes(page)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await contents.getByRole('link', { name: 'Push API' }).click()
  await expect(heading(page, 'Push API')).toBeVisible()
  await expect(contents.locator('[aria-current=page]')).toHaveText('Push API')
  await expect(page.getByRole('img', { name: /^Push Data/ })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link', { name: /^Next/ }).click()
  await expect(heading(page, 'Embedded portal')).toBeVisible()
  expect(complaints).toEqual([])

  const answer = await page.goto(`${site.url}/docs/no/such/page`)
  expect(answer!.status()).toBe(404)
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('article').getByRole('link', { name: 'contents' }).click()
  await expect(heading(page, 'Tributary docs')).toBeVisible()
  expect(unexpected(complaints, 404)).toEqual([])
})

test('the search finds a section as its name is typed, using only the keyboard', async ({ page, site, complaints }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${site.url}/docs/start`)
  await page.keyboard.press('End')
  expect(asked.filter((path) => path.includes('docs-index'))).toEqual([])

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
