import { expectOk } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading, showOptions } from '../support/journey.ts'
import { BROWSER } from '../support/links.ts'
import { aLink, apiGet, apiPost, jane, owner, prepareLinks, shopAddress, site } from '../support/links-screens.ts'
import { expect, test } from '../support/test.ts'

// An owner makes, tests and shares links, and a partner adds links of their own.

prepareLinks()

const put = async (path: string) => expectOk(await site.api('PUT', path, { token: owner.token })).body

test('an empty list links to the form, which shows a partner’s share and tests the link', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, '/links')
  await expect(pageHeading(page, 'Links')).toBeVisible()
  await expect(page).toHaveTitle('Links · Tributary')
  await expect(page.getByText('No data to show')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Add link' }).click()

  await expect(pageHeading(page, 'Add link')).toBeFocused()
  const form = page.getByRole('form', { name: 'Add link' })
  for (const label of ['Destination URL', 'Name']) await expect(form.getByLabel(label, { exact: true })).toBeVisible()
  const labels = ['Parameter Name', 'UTM Source', 'UTM Medium', 'UTM Campaign', 'UTM Term', 'UTM Content']
  const optional = [...labels, 'Cookie Window (days)']
  for (const label of optional) await expect(form.getByLabel(label, { exact: true })).toBeHidden()
  await showOptions(page)
  for (const label of optional) await expect(form.getByLabel(label, { exact: true })).toBeVisible()
  for (const [group, choices] of [
    ['Attribution', ['Last touch', 'First touch']],
    ['Commission', ['Use account default', 'Custom rates']],
  ] as const)
    for (const choice of choices)
      await expect(form.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice })).toBeVisible()
  for (const name of ['Keep visitor query', 'Enabled'])
    await expect(form.getByRole('switch', { name })).toHaveAttribute('aria-checked', 'true')
  await expect(form.getByLabel('Parameter Name')).toHaveAccessibleDescription(
    'Added to the destination, such as ?ref=jane.',
  )

  await form.getByRole('button', { name: 'Add link' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Destination URL, Name$/)
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(form.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
  await expectAccessibleInBothThemes(page)

  await form.getByLabel('Name', { exact: true }).fill('Pricing page')
  const preview = page.getByRole('region', { name: 'Preview' })
  await form.getByLabel('Destination URL').fill(`${shopAddress}/pricing`)
  await expect(preview).toContainText(`${shopAddress}/pricing?ref=jane`)
  await form.getByLabel('UTM Campaign').fill('{referralCode}')
  await expect(preview).toContainText('utm_campaign=jane&ref=jane&click=')
  await form.getByLabel('Cookie Window (days)').fill('30')
  await form.getByRole('radio', { name: 'First touch' }).check()
  await form.getByRole('radio', { name: 'Custom rates' }).check()
  await form.getByLabel('Layer 1 Rate').fill('25')
  for (const words of ['30 days', 'The first click wins', 'Layered 25% / 5%'])
    await expect(preview).toContainText(words)

  for (const [path, words] of [
    ['/pricing', 'The link works'],
    ['/moved', 'and keeps ref.'],
    ['/lost', 'The referral code is lost'],
    ['/gone', 'The page returned 404'],
  ]) {
    await form.getByLabel('Destination URL').fill(`${shopAddress}${path}`)
    await page.getByRole('button', { name: 'Test link' }).click()
    await expect(page.getByRole('main')).toContainText(words as string)
  }
  await expectAccessibleInBothThemes(page)
  await form.getByLabel('Destination URL').fill('http://127.0.0.1:9/')
  await page.getByRole('button', { name: 'Test link' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The page didn’t respond' })).toBeVisible()
  await form.getByLabel('Destination URL').fill('ftp://shop.example')
  await page.getByRole('button', { name: 'Test link' }).click()
  await expect(form.getByLabel('Destination URL')).toHaveAccessibleDescription('Enter a full https address')
  await expect(page.getByRole('alert')).toContainText('Check the marked fields: Destination URL')

  await form.getByLabel('Destination URL').fill(`${shopAddress}/pricing`)
  await form.getByRole('button', { name: 'Add link' }).click()
  await expect(pageHeading(page, 'Pricing page')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Link added' })).toBeVisible()
  const { items } = await apiGet(`/accounts/${owner.id}/link-blueprints`)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    name: 'Pricing page',
    cookieDays: 30,
    attributionModel: 'first-touch',
    commissionSettings: { layerRates: [25, 5] },
    utm: { source: null, campaign: '{referralCode}' },
  })
  expect(complaints).toEqual([])
})

test("a link's page shows its results, copies and draws each partner's link, and can be edited", async ({
  page,
  context,
  complaints,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const own = { commissionSettings: { layerRates: [25, 5] }, utm: { campaign: '{referralCode}' } }
  const { id, key } = await aLink('Pricing page', { cookieDays: 30, ...own })
  await fetch(`${site.url}/r/${key}/jane`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
  await openAs(page, site, owner, '/links')
  await page
    .getByRole('row', { name: /Pricing page/ })
    .getByRole('link')
    .click()
  await expect(pageHeading(page, 'Pricing page')).toBeFocused()
  await expect(page.getByRole('figure', { name: 'Clicks' })).toBeVisible()
  const row = page.getByRole('row', { name: /Jane Whitfield/ })
  await expect(row.getByRole('cell').nth(1)).toHaveText('1')
  await expectAccessibleInBothThemes(page)

  await row.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/r/${key}/jane$`))
  await row.getByRole('button', { name: 'Show QR code' }).click()
  const dialog = page.getByRole('dialog', { name: 'QR code for Jane Whitfield' })
  await expect(dialog.getByRole('img', { name: new RegExp(`/r/${key}/jane$`) })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download SVG' }).click()
  expect((await download).suggestedFilename()).toBe('qr-jane.svg')
  // The toast region behind the dialog has moved into it, and its other toasts can still be dismissed.
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(dialog.getByRole('status').getByText('Copied').last()).toBeVisible()
  await dialog.getByRole('button', { name: 'Dismiss' }).last().click()
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button', { name: 'Show QR code' })).toBeFocused()

  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Edit' }).click()
  await expect(pageHeading(page, 'Edit link')).toBeFocused()
  await showOptions(page)
  await page.getByLabel('Name', { exact: true }).fill('')
  await page.getByLabel('UTM Campaign').fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
  const long = 'Ω'.repeat(100)
  await page.getByLabel('Name', { exact: true }).fill(long)
  await page.getByRole('radio', { name: 'Use account default' }).check()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, long)).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Link saved' })).toBeVisible()
  expect(await apiGet(`/link-blueprints/${id}`)).toMatchObject({
    name: long,
    cookieDays: 30,
    commissionSettings: null,
    utm: { campaign: null },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

test('a partner adds a link of their own, and sees its click, lead and sale; the owner sees it too', async ({
  page,
  browser,
}) => {
  const template = await aLink('Pricing page')
  await openAs(page, site, { email: jane.email })
  const links = page.getByRole('region', { name: 'Your links' })
  await page.getByRole('button', { name: 'Add link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add link' })
  await expect(dialog.getByLabel('Page')).toHaveAccessibleDescription('A page on localhost.')
  await dialog.getByLabel('Page').fill('https://elsewhere.example/')
  await dialog.getByLabel('Name').fill('Autumn newsletter')
  await dialog.getByLabel('Sub-ID').fill('autumn')
  await dialog.getByRole('button', { name: 'Add link' }).click()
  await expect(dialog.getByText('Links can lead to localhost')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Page').fill(`${shopAddress}/pricing/team`)
  await dialog.getByRole('button', { name: 'Add link' }).click()
  const row = links.getByRole('row', { name: /^Autumn newsletter/ })
  await expect(row).toContainText('of which · Sub-ID autumn')

  const [own] = (await apiGet(`/partners/${jane.id}/links?own=true`)).items
  const went = await fetch(own.shortUrl, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
  const address = new URL(went.headers.get('location')!)
  expect(address.pathname).toBe('/pricing/team')
  const { apiKey } = await put(`/accounts/${owner.id}/api-key`)
  const lead = await apiPost(
    '/push/leads',
    { email: 'ann@buyer.example', clickId: address.searchParams.get('click') },
    apiKey,
  )
  await apiPost(`/leads/${lead.id}/sales`, { amount: 50_00 })
  await page.reload()
  await page.getByRole('button', { name: 'All links and codes' }).click()
  const figures = ['Pricing page', 'Autumn newsletter'].map((name) =>
    links.getByRole('row', { name: new RegExp(`^${name}`) }),
  )
  for (const figure of figures) await expect(figure.getByRole('cell', { name: '1', exact: true })).toHaveCount(3)

  const theirs = await browser.newPage()
  await openAs(theirs, site, owner)
  await theirs.goto(`${site.url}/leads/${lead.id}`)
  await expect(theirs.getByText('Autumn newsletter')).toBeVisible()
  await expect(theirs.getByText('autumn', { exact: true })).toBeVisible()
  await theirs.goto(`${site.url}/links/${template.id}`)
  const made = theirs.getByRole('table', { name: 'Links that partners made' })
  await expect(made.getByRole('row', { name: /^Jane Whitfield Autumn newsletter/ })).toContainText('/pricing/team')
  await apiPost(`/leads/${lead.id}/reassign`, { partnerId: null, reason: 'A friend of ours' })
  await theirs.reload()
  await expect(theirs.getByText('No partner: 0 clicks · 1 lead · 0 sales')).toBeVisible()
  await theirs.getByRole('link', { name: 'No partner' }).click()
  await expect(theirs.getByRole('row', { name: /ann@buyer.example/ })).toBeVisible()
  await theirs.close()

  await row.getByRole('button', { name: 'Actions for Autumn newsletter' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit link' })
  await edit.getByLabel('Name').fill('Winter newsletter')
  await edit.getByRole('button', { name: 'Edit link' }).click()
  await links.getByRole('button', { name: 'Actions for Winter newsletter' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(links.getByText('Winter newsletter')).toHaveCount(0)
  const after = await fetch(own.shortUrl, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
  expect(new URL(after.headers.get('location')!).searchParams.get('ref')).toBe('jane')
})
