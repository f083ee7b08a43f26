import { ADMINISTRATOR } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading, showOptions } from '../support/journey.ts'
import { aLink, apiGet, jane, owner, prepareLinks, site } from '../support/links-screens.ts'
import { expect, test } from '../support/test.ts'

// An owner switches, finds and deletes links, and corrects a mistyped one.

prepareLinks()

test('only the owner opens the links', async ({ browser }) => {
  const { id } = await aLink('Nobody else')
  const paths = ['/links', '/links/new', `/links/${id}`, `/links/${id}/update`]
  const others = [
    { who: { email: jane.email }, home: 'Dashboard' },
    { who: ADMINISTRATOR, home: 'Accounts' },
  ]
  for (const { who, home } of others) {
    const page = await browser.newPage()
    await openAs(page, site, who)
    for (const path of paths) {
      await page.goto(`${site.url}${path}`)
      await expect(pageHeading(page, home)).toBeVisible()
    }
    await page.close()
  }
})

test('the list toggles links and undoes it, and finds and sorts them by address', async ({ page, complaints }) => {
  await aLink('Ω'.repeat(100))
  const { id } = await aLink('Spring offer')
  await openAs(page, site, owner, '/links?sort=name')
  const table = page.getByRole('table', { name: 'Links' })
  const heads = ['Name', 'Destination', 'Window', 'Clicks', 'Leads', 'Sales', 'Enabled']
  await expect(table.getByRole('columnheader')).toHaveText(heads)
  await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(table.getByRole('rowheader')).toHaveText(['Spring offer', /^Ω/])
  const enabled = page.getByRole('row', { name: /Spring offer/ }).getByRole('switch', { name: 'Spring offer' })
  await expect(enabled).toHaveText('Enabled')
  await enabled.click()
  await expect(enabled).toHaveText('Disabled')
  await expect(page.getByRole('status').filter({ hasText: 'Spring offer disabled' })).toBeVisible()
  expect((await apiGet(`/link-blueprints/${id}`)).enabled).toBe(false)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Spring offer enabled' })).toBeVisible()
  await expect(enabled).toHaveAttribute('aria-checked', 'true')
  expect((await apiGet(`/link-blueprints/${id}`)).enabled).toBe(true)
  // a message about the same link replaces the one before, whose undo would undo another change
  await enabled.click()
  await expect(page.getByRole('status').filter({ hasText: 'Spring offer disabled' })).toBeVisible()
  await expect(page.getByText('Spring offer enabled')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(enabled).toHaveAttribute('aria-checked', 'true')

  await page.getByRole('searchbox', { name: 'Search links' }).fill('spring')
  await expect(page).toHaveURL(/search=spring/)
  await expect(table.getByRole('rowheader')).toHaveText(['Spring offer'])
  await page.getByRole('searchbox', { name: 'Search links' }).fill('no such link')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(table.getByRole('rowheader')).toHaveCount(2)
  expect(complaints).toEqual([])
})

test('deleting asks first; a deleted link and a failing server are explained', async ({ page, complaints }) => {
  await aLink('There to stay')
  const { id } = await aLink('Short-lived')
  await openAs(page, site, owner, `/links/${id}`)
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete link' })
  await expect(dialog).toContainText('This will delete Short-lived. This action is permanent and cannot be undone.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(pageHeading(page, 'Links')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Link deleted' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Short-lived' })).toHaveCount(0)
  expect(complaints).toEqual([])

  await page.goto(`${site.url}/links/${id}`)
  await expect(page.getByRole('alert')).toContainText('This link doesn’t exist, or it was deleted.')
  expect(complaints.splice(0)).not.toEqual([])

  await page.route('**/api/v1/**/link-blueprints**', (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto(`${site.url}/links`)
  await expect(page.getByRole('alert')).toContainText('Failed to load')
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/api/v1/**/link-blueprints**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Links' })).toBeVisible()
})

test('a destination typed without a scheme gets https://, on leaving the field and on submitting', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/links/new')
  const form = page.getByRole('form', { name: 'Add link' })
  const destination = form.getByLabel('Destination URL')
  await destination.fill('shop.example/pricing')
  await page.keyboard.press('Tab')
  await expect(destination).toHaveValue('https://shop.example/pricing')
  await form.getByLabel('Name', { exact: true }).fill('Shop')
  await destination.fill('shop.example/start')
  await page.keyboard.press('Enter')
  await expect(pageHeading(page, 'Shop')).toBeVisible()
  await expect(page.getByText('https://shop.example/start').first()).toBeVisible()

  // a mistake among the other options opens them
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Edit' }).click()
  await showOptions(page)
  await page.getByLabel('Cookie Window (days)').fill('0')
  await page.getByRole('button', { name: 'More options' }).click()
  await expect(page.getByLabel('Cookie Window (days)')).toBeHidden()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields: Cookie Window (days)')
  await expect(page.getByLabel('Cookie Window (days)')).toHaveAccessibleDescription(/Enter 1 to 365 days/)
  expect(complaints).toEqual([])
})
