import { aProgram } from '../support/announcements-screens.ts'
import { expectOk } from '../support/app.ts'
import { atRest, openAs, pageHeading } from '../support/journey.ts'
import { prepareMailedSite, site } from '../support/mailed-site.ts'
import { expect, test } from '../support/test.ts'

prepareMailedSite()

test('chosen partners are written to, and an announcement is taken back', async ({ page, browser }) => {
  const { owner, partners } = await aProgram()
  const [pia, , rob] = partners
  await openAs(page, site, owner, '/partners')
  await page.getByRole('checkbox', { name: 'Select Rob Tern' }).check()
  await page.getByRole('checkbox', { name: /Select invited/i }).check()
  await page.getByRole('button', { name: 'Announce' }).last().click()
  await page.getByLabel('Subject').fill('For you')
  await page.getByRole('textbox', { name: 'Message' }).fill('A word')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Send to 1 partner' }).click()
  await expect(page.getByText('Sent to 1 partner')).toBeVisible()
  const own = await (await browser.newContext()).newPage()
  await openAs(own, site, rob, '/dashboard')
  await expect(own.getByRole('region', { name: 'News' })).toBeVisible()
  const notes = expectOk(await site.api('GET', `/partners/${pia.id}/announcements`, { token: pia.token })).body
  expect(notes.total).toBe(0)

  await page.goto(`${site.url}/partners?tab=announcements`)
  await page.getByRole('link', { name: 'For you' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Delete announcement' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Announcement deleted')).toBeVisible()
  await own.reload()
  await expect(pageHeading(own, 'Dashboard')).toBeVisible()
  await expect(own.getByText('Your link', { exact: true })).toBeVisible()
  await expect(own.getByRole('region', { name: 'News' })).toHaveCount(0)
})

test('more partners than lists count are not numbered before the preview', async ({ page }) => {
  const { owner } = await aProgram()
  const counted = { items: [], nextCursor: null, total: 1001 }
  await page.route(/\/partners\?.*state=active/, (route) => route.fulfill({ json: counted }))
  await openAs(page, site, owner, '/partners')
  await page.getByRole('button', { name: 'Announce' }).click()
  const dialog = page.getByRole('dialog')
  await atRest(page)
  await expect(dialog.getByText('1,001')).toHaveCount(0)
  await dialog.getByLabel('Subject').fill('News')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('A word')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('button', { name: /^Send to \d partners$/ })).toBeVisible()
})
