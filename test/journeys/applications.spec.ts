import { anEmail, expectOk, signIn } from '../support/app.ts'
import { aProgram, applyInBrowser, choosePassword, strangersPage } from '../support/applications-screens.ts'
import { expectAccessible } from '../support/browser.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { BROWSER } from '../support/links.ts'
import { linkTo, prepareMailedSite, site } from '../support/mailed-site.ts'
import { expect, test } from '../support/test.ts'

// Strangers become partners: by the public page, which runs no script, the links in real mails, and an owner's decision.

prepareMailedSite()

test('an owner opens the program, a stranger applies and confirms, and once approved sees their dashboard', async ({
  browser,
  page,
  complaints,
}) => {
  const owner = await aProgram('Harbor Analytics')
  const toast = (text: string) => expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

  await openAs(page, site, owner, '/partners?tab=applications')
  await page.getByRole('button', { name: 'Set up your program page' }).click()
  const form = page.getByRole('form', { name: 'Program page' })
  await expect(form.getByRole('textbox', { name: 'Address' })).toHaveValue('harbor-analytics')
  await form.getByRole('textbox', { name: 'Address' }).fill('harbor')
  await form
    .getByLabel('About')
    .fill('# Who fits\n\n- Bookkeepers\n- <b>Agencies</b>\n\nSee https://harbor.example/about.')
  const preview = page.getByRole('region', { name: 'Preview' })
  const shown = preview.frameLocator('iframe')
  await expect(shown.getByRole('listitem').filter({ hasText: '<b>Agencies</b>' })).toBeVisible()
  await expect(shown.getByRole('link', { name: 'https://harbor.example/about' })).toBeVisible()
  await expect(shown.getByRole('link', { name: 'Apply now' })).toHaveCSS('border-top-left-radius', '8px')
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1100)
  await form.getByLabel('Open', { exact: true }).check()
  await form.getByRole('button', { name: 'Save changes' }).click()
  await toast('Program page saved')
  const url = (await page.getByRole('link', { name: 'View page' }).getAttribute('href'))!
  expect(new URL(url).pathname).toBe('/join/harbor')

  await page.getByRole('tab', { name: 'Applications' }).click()
  const applications = page.getByRole('form', { name: 'Applications' })
  await applications.getByRole('button', { name: 'Add question' }).click()
  const question = applications.getByRole('group', { name: 'Question 1' })
  await question.getByRole('textbox', { name: 'Question' }).fill('Where will you mention us?')
  await question.getByLabel('Choice', { exact: true }).check()
  await question.getByLabel('Choices').fill('Blog\n\n  Newsletter ')
  await question.getByLabel('Required').check()
  await expectAccessibleInBothThemes(page)
  await applications.getByRole('button', { name: 'Save changes' }).click()
  await toast('Application form saved')
  await expect(question.getByLabel('Choices')).toHaveValue('Blog\nNewsletter')

  const email = anEmail('rosa')
  await applyInBrowser(browser, url, email, async (stranger) => {
    await expect(pageHeading(stranger, 'Become a partner of Harbor Analytics')).toBeVisible()
    await expect(stranger.getByRole('listitem').filter({ hasText: '<b>Agencies</b>' })).toBeVisible()
    await expect(stranger.getByRole('main')).toContainText('20%')
    await stranger.getByLabel('Where will you mention us?').selectOption('Newsletter')
  })
  const stranger = await strangersPage(browser, { scripts: true })
  await stranger.goto(await linkTo(email, '/join/confirm'))
  await expect(pageHeading(stranger, 'Confirm your application')).toBeVisible()
  await expect(stranger.getByText('Harbor Analytics', { exact: true })).toBeVisible()
  await expect(stranger.getByRole('main')).toContainText('Where will you mention us?Newsletter')
  await expectAccessibleInBothThemes(stranger)
  await stranger.getByRole('button', { name: 'Confirm' }).click()
  await expect(stranger.getByRole('status')).toHaveText('We’ll email you when Harbor Analytics has decided.')

  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('link', { name: '1 application waiting, oldest 1 minute' }).click()
  await expect(page.getByRole('tab', { name: 'Applications' })).toHaveAccessibleDescription('1')
  await expectAccessibleInBothThemes(page)
  const opener = page.getByRole('link', { name: 'Rosa Quist' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Application from Rosa Quist' })
  await expect(dialog).toContainText('Where will you mention us?Newsletter')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await toast('1 application approved')
  await expect(page.getByText('No applications with status Waiting.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Applications' })).toHaveAccessibleDescription('0')

  await stranger.goto(await linkTo(email, '/user-setup'))
  await choosePassword(stranger)
  await stranger.context().close()
  await page.getByRole('tab', { name: 'Partners' }).click()
  await expect(page.getByRole('row', { name: /Rosa Quist/ })).toContainText('Active')
  expect(complaints).toEqual([])
})

test('a stranger becomes a partner, accepts the agreement, and sees what their own link brings', async ({
  browser,
}) => {
  const owner = await aProgram('Harbor Books')
  const ask = async (method: string, path: string, body?: unknown, token = owner.token) =>
    expectOk(await site.api(method, path, { token, body })).body
  const home = `/accounts/${owner.id}`
  const { url } = await ask('PUT', `${home}/program`, { state: 'open', slug: 'harbor-books' })
  await ask('POST', `${home}/agreement`, { text: 'No ads on our name.' })
  await ask('POST', `${home}/link-blueprints`, { name: 'Shop', destinationUrl: 'https://shop.example/books' })

  const email = anEmail('rosa')
  await applyInBrowser(browser, url, email, async (stranger) => {
    await stranger.getByLabel('I accept the partner agreement').check()
  })
  const page = await strangersPage(browser, { scripts: true })
  await page.goto(await linkTo(email, '/join/confirm'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('status')).toContainText('We’ll email you')
  const [{ id }] = (await ask('GET', `${home}/applications`)).items
  await ask('POST', `${home}/applications/decisions`, { ids: [id], decision: 'approve' })
  await page.goto(await linkTo(email, '/user-setup'))
  await choosePassword(page)

  // what they ticked counts, until there is a newer version
  const notice = page.getByRole('region', { name: 'Please accept the partner agreement' })
  await expect(page.getByRole('button', { name: 'Copy link', exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await ask('POST', `${home}/agreement`, { text: 'No ads.', changes: 'No ads at all.' })
  await page.reload()
  await notice.getByRole('button', { name: 'Read' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept version 2' }).click()
  await expect(notice).toHaveCount(0)

  const links = page.getByRole('region', { name: 'Your links' })
  await page.getByRole('button', { name: 'Add link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add link' })
  await dialog.getByLabel('Page').fill('https://shop.example/books/sea')
  await dialog.getByLabel('Name').fill('Newsletter')
  await dialog.getByLabel('Sub-ID').fill('autumn')
  await dialog.getByRole('button', { name: 'Add link' }).click()
  const row = links.getByRole('row', { name: /^Newsletter/ })
  await expect(row).toContainText('of which · Sub-ID autumn')

  const { token, partnerId } = await asPartner(email)
  const [own] = (await ask('GET', `/partners/${partnerId}/links?own=true`, undefined, token)).items
  const went = await fetch(own.shortUrl, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
  const address = new URL(went.headers.get('location')!)
  expect(`${address.origin}${address.pathname}`).toBe('https://shop.example/books/sea')
  const { apiKey } = await ask('PUT', `${home}/api-key`)
  const clickId = address.searchParams.get('click')
  const lead = await ask('POST', '/push/leads', { email: 'ann@buyer.example', clickId }, apiKey)
  await ask('POST', `/leads/${lead.id}/sales`, { amount: 50_00 })
  await page.reload()
  await page.getByRole('button', { name: 'All links and codes' }).click()
  for (const name of [/^Shop/, /^Newsletter/])
    await expect(links.getByRole('row', { name }).getByRole('cell', { name: '1', exact: true })).toHaveCount(3)
  await expect(page.getByRole('main')).toContainText('$10.00')
  await page.context().close()
})

/** The new partner as the API knows them. */
async function asPartner(email: string) {
  const { token } = await signIn(site, email, 'copper-meadow-71-sail')
  const { roles } = expectOk(await site.api('GET', '/users/me', { token })).body
  return { token, partnerId: roles[0].partnerId as string }
}
