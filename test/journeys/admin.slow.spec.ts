import {
  account,
  aName,
  dialogNamed,
  owner,
  ownerPanel,
  prepareAdmin,
  site,
  statusMessage,
} from '../support/admin-screens.ts'
import { ADMINISTRATOR, anEmail, expectOk, signIn } from '../support/app.ts'
import { anOwner, atRest, expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The administrator's area: accounts and their owners, without the accounts' own data.

prepareAdmin()

/** Only administrators get in; other users are redirected to their home. */
test('the admin area is for administrators only', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/admin/accounts')
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  for (const path of ['/admin', '/admin/accounts/new', `/admin/accounts/${owner.id}`]) {
    await page.goto(`${site.url}${path}`)
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
    await expect(page).toHaveURL(`${site.url}/dashboard`)
  }
  expect(complaints).toEqual([])
})

test('an account without an owner gets one; another owner replaces the first', async ({ page, complaints }) => {
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts/new')
  const fernway = aName('Fernway')
  await page.getByLabel('Account Name').fill(fernway)
  await page.getByRole('button', { name: 'Add account' }).click()
  await expect(ownerPanel(page)).toContainText('No owner')
  await expectAccessibleInBothThemes(page)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }).click()
  const row = page.getByRole('row', { name: fernway })
  await expect(row).toContainText('No owner')
  await row.getByRole('button', { name: 'Assign owner' }).click()
  const assign = dialogNamed(page, 'Assign owner')
  await assign.getByRole('button', { name: 'Assign owner' }).click()
  await expect(assign.getByLabel('Owner Email')).toHaveAccessibleDescription(/Owner Email is required/)
  await expectAccessibleInBothThemes(page)
  const email = anEmail('ann')
  await assign.getByLabel('Owner Email').fill(email)
  await assign.getByRole('button', { name: 'Assign owner' }).click()
  await expect(statusMessage(page, 'Owner assigned')).toBeVisible()
  await expect(row).toContainText(email)

  await page.goto(`${site.url}/admin/accounts/${owner.id}`)
  await expect(ownerPanel(page)).toContainText('Accepted')
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByRole('columnheader', { name: 'Second Factor' })).toBeVisible()
  await expect(people.getByRole('row', { name: owner.email })).toContainText('Off')
  await page.getByRole('button', { name: 'Assign owner' }).click()
  await expect(assign).toContainText(`${owner.email} stays owner until the new owner accepts.`)
  const next = anEmail('next')
  await assign.getByLabel('Owner Email').fill(next)
  await expect(assign).toContainText(`${owner.email} stays owner until ${next} accepts.`)
  await assign.getByRole('button', { name: 'Assign owner' }).click()
  await expect(ownerPanel(page)).toContainText(`${owner.email} stays owner until ${next} accepts.`)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Assign owner' }).click()
  await assign.getByLabel('Owner Email').fill(owner.email)
  await assign.getByRole('button', { name: 'Assign owner' }).click()
  await expect(ownerPanel(page)).not.toContainText('stays owner')
  await page.getByRole('button', { name: 'Assign owner' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Assign owner' })).toBeFocused()
  expect(complaints).toEqual([])
})

test('no results, no data and no response each have a message; a phone shows cards', async ({ page, complaints }) => {
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts?search=nobody-has-this-name')
  await expect(page.getByRole('main')).toContainText('No data to show')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('link', { name: account })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['', '/new', `/${owner.id}`]) {
    await page.goto(`${site.url}/admin/accounts${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await atRest(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
    await expectAccessibleInBothThemes(page)
  }
  expect(complaints).toEqual([])

  await page.goto(`${site.url}/admin/accounts/not-an-account`)
  await expect(page.getByRole('alert')).toContainText('This account doesn’t exist.')
  await expect(pageHeading(page, 'Account')).toBeVisible()
  await page.route(/\/api\/v1\/accounts\?/, (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto(`${site.url}/admin/accounts`)
  await expect(page.getByRole('alert')).toContainText('Failed to load')
  await expectAccessibleInBothThemes(page)
  await page.unroute(/\/api\/v1\/accounts\?/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('link', { name: account })).toBeVisible()
})

test('an account is disabled with a reason and enabled again; its users see the notice in between', async ({
  page,
  browser,
  complaints,
}) => {
  const other = aName('Fernway')
  await anOwner(site, { name: other })
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts')
  await expect(page.getByRole('row', { name: other })).toBeVisible()
  await page.getByLabel('Search accounts').fill(account.toLowerCase())
  await expect(page.getByRole('row', { name: other })).toBeHidden()
  await page.getByRole('link', { name: account }).click()
  await expect(pageHeading(page, account)).toBeFocused()
  await expect(page.getByRole('main')).toContainText(/Partners\s*1/)
  for (const secret of ['api', 'whitfield'])
    expect((await page.getByRole('main').innerText()).toLowerCase()).not.toContain(secret)

  await page.getByRole('button', { name: 'Disable account' }).click()
  const disable = dialogNamed(page, 'Disable account')
  await disable.getByRole('button', { name: 'Disable account' }).click()
  await expect(disable.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await disable.getByLabel('Reason').fill('Invoice open')
  await expectAccessibleInBothThemes(page)
  await disable.getByRole('button', { name: 'Disable account' }).click()
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Invoice open')
  await expectAccessibleInBothThemes(page)

  const elsewhere = await browser.newPage()
  await openAs(elsewhere, site, owner)
  await expect(elsewhere.getByRole('main')).toContainText('This account is disabled.')
  await elsewhere.close()

  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByLabel('Status').selectOption('Disabled')
  await expect(page.getByRole('row', { name: account })).toContainText('Disabled')
  await expect(page.getByRole('row', { name: other })).toBeHidden()
  await page.getByRole('button', { name: `Actions for ${account}` }).click()
  await page.getByRole('menuitem', { name: 'Enable account' }).click()
  await dialogNamed(page, 'Enable account').getByRole('button', { name: 'Enable account' }).click()
  await expect(statusMessage(page, `${account} enabled`)).toBeVisible()
  const { token } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  expect(expectOk(await site.api('GET', `/accounts/${owner.id}`, { token })).body.disabledAt).toBeNull()
  expect(complaints).toEqual([])
})
