import type { Browser, Page } from '@playwright/test'
import { ADMINISTRATOR, accept, anEmail, ok, signIn } from '../support/app.ts'
import { expectAccessible } from '../support/browser.ts'
import {
  enter,
  expectAccessibleInBothThemes,
  heading,
  type Person,
  type Site,
  signedInPage,
  startSite,
} from '../support/journey.ts'
import { BROWSER } from '../support/links.ts'
import { standInMailServer } from '../support/stand-ins/smtp.ts'
import { expect, test } from '../support/test.ts'

// Strangers become partners: by the public page, which runs no script, the links in real mails, and an owner's decision.

let mails: Awaited<ReturnType<typeof standInMailServer>>
let site: Site

test.beforeAll(async () => {
  mails = await standInMailServer()
  site = await startSite({ SMTP_URL: mails.url })
})

test.afterAll(async () => {
  await site?.end()
  await mails?.close()
})

/** Waits for a mail to this address whose text has such a link, and returns the link. */
async function linkTo(email: string, path: string) {
  const pattern = new RegExp(`https?://\\S+${path}#token=\\S+`)
  const { text } = await mails.waitFor(({ to, text }) => to.includes(email) && pattern.test(text))
  return pattern.exec(text)![0]
}

/** An account whose owner accepted the mailed invitation. */
async function aProgram(name: string, settings: object = {}): Promise<Person & { id: string }> {
  const email = anEmail('elena')
  const { token: admin } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  const owner = { email, firstName: 'Elena', lastName: 'Marsh' }
  const { id } = ok(await site.api('POST', '/accounts', { token: admin, body: { name, owner } })).body
  const { token } = await accept(site, await linkTo(email, '/user-setup'))
  const body = { defaultCommissionSettings: { layerRates: [20] }, invitationsFromPartners: true, ...settings }
  ok(await site.api('PATCH', `/accounts/${id}`, { token, body }))
  return { id, email, token }
}

/** A page in a stranger's browser, which runs scripts or doesn't. */
const strangersPage = async (browser: Browser, { scripts }: { scripts: boolean }) =>
  (await browser.newContext({ javaScriptEnabled: scripts })).newPage()

/** Applies on the public page in a browser that runs no script. */
async function apply(browser: Browser, url: string, email: string, answer: (page: Page) => Promise<void>) {
  const page = await strangersPage(browser, { scripts: false })
  await page.goto(url)
  await answer(page)
  await page.getByLabel('First Name').fill('Rosa')
  await page.getByLabel('Last Name').fill('Quist')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Check your email to confirm your application.')).toBeVisible()
  await page.context().close()
}

async function choosePassword(page: Page) {
  await expect(heading(page, 'Set up your account')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('copper-meadow-71-sail')
  await page.getByLabel('Confirm Password').fill('copper-meadow-71-sail')
  await page.getByRole('button', { name: 'Finish setup' }).click()
  await expect(heading(page, 'Dashboard')).toBeVisible()
}

test('an owner opens the program, a stranger applies and confirms, and once approved sees their dashboard', async ({
  browser,
  page,
  complaints,
}) => {
  const owner = await aProgram('Harbor Analytics')
  const toast = (text: string) => expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

  await enter(page, site, owner, '/partners?tab=applications')
  await page.getByRole('button', { name: 'Set up your program page' }).click()
  const form = page.getByRole('form', { name: 'Page' })
  await expect(form.getByRole('textbox', { name: 'Address' })).toHaveValue('harbor-analytics')
  await form.getByRole('textbox', { name: 'Address' }).fill('harbor')
  await form
    .getByLabel('About')
    .fill('# Who fits\n\n- Bookkeepers\n- <b>Agencies</b>\n\nSee https://harbor.example/about.')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('listitem')).toHaveText(['Bookkeepers', '<b>Agencies</b>'])
  await expect(preview.getByRole('link')).toHaveAttribute('href', 'https://harbor.example/about')
  await form.getByLabel('Open', { exact: true }).check()
  await form.getByRole('button', { name: 'Save page' }).click()
  await toast('Program page saved')
  const url = (await page.getByRole('link', { name: 'View page' }).getAttribute('href'))!
  expect(new URL(url).pathname).toBe('/join/harbor')

  const applications = page.getByRole('form', { name: 'Applications' })
  await applications.getByRole('button', { name: 'Add question' }).click()
  const question = applications.getByRole('group', { name: 'Question 1' })
  await question.getByRole('textbox', { name: 'Question' }).fill('Where will you mention us?')
  await question.getByLabel('Choice', { exact: true }).check()
  await question.getByLabel('Choices').fill('Blog\n\n  Newsletter ')
  await question.getByLabel('Required').check()
  await expectAccessibleInBothThemes(page)
  await applications.getByRole('button', { name: 'Save applications' }).click()
  await toast('Application form saved')
  await expect(question.getByLabel('Choices')).toHaveValue('Blog\nNewsletter')

  const email = anEmail('rosa')
  await apply(browser, url, email, async (stranger) => {
    await expect(heading(stranger, 'Become a partner of Harbor Analytics')).toBeVisible()
    await expect(stranger.getByRole('listitem').filter({ hasText: '<b>Agencies</b>' })).toBeVisible()
    await expect(stranger.getByRole('main')).toContainText('20%')
    await stranger.getByLabel('Where will you mention us?').selectOption('Newsletter')
  })
  const stranger = await strangersPage(browser, { scripts: true })
  await stranger.goto(await linkTo(email, '/join/confirm'))
  await expect(heading(stranger, 'Confirm your application')).toBeVisible()
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
    ok(await site.api(method, path, { token, body })).body
  const home = `/accounts/${owner.id}`
  const { url } = await ask('PUT', `${home}/program`, { state: 'open', slug: 'harbor-books' })
  await ask('POST', `${home}/agreement`, { text: 'No ads on our name.' })
  await ask('POST', `${home}/link-blueprints`, { name: 'Shop', destinationUrl: 'https://shop.example/books' })

  const email = anEmail('rosa')
  await apply(browser, url, email, async (stranger) => {
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
  await expect(page.getByRole('region', { name: 'Your links' }).getByText('Shop')).toBeVisible()
  await expect(notice).toHaveCount(0)
  await ask('POST', `${home}/agreement`, { text: 'No ads.', changes: 'No ads at all.' })
  await page.reload()
  await notice.getByRole('button', { name: 'Read' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept version 2' }).click()
  await expect(notice).toHaveCount(0)

  const links = page.getByRole('region', { name: 'Your links' })
  await links.getByRole('button', { name: 'Add link' }).click()
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
  for (const name of [/^Shop/, /^Newsletter/])
    await expect(links.getByRole('row', { name }).getByRole('cell', { name: '1', exact: true })).toHaveCount(3)
  await expect(page.getByRole('main')).toContainText('$10.00')
  await page.context().close()
})

/** The new partner as the API knows them. */
async function asPartner(email: string) {
  const { token } = await signIn(site, email, 'copper-meadow-71-sail')
  const { roles } = ok(await site.api('GET', '/users/me', { token })).body
  return { token, partnerId: roles[0].partnerId as string }
}

test('a group has a page of its own, and who applies there joins it unless the reader chooses another', async ({
  browser,
  page,
}) => {
  const owner = await aProgram('Slate Works')
  const call = async (method: string, path: string, body: object) =>
    ok(await site.api(method, path, { token: owner.token, body })).body
  const terms = { otherwise: { layerRates: [35] } }
  const group = await call('POST', `/accounts/${owner.id}/groups`, { name: 'Agencies', publicName: 'Studios', terms })
  await enter(page, site, owner, `/partners/groups/${group.id}`)
  const form = page.getByRole('form', { name: 'Group' })
  await expect(form).toContainText('It opens with your program page.')
  await call('PUT', `/accounts/${owner.id}/program`, { state: 'open', slug: 'slate' })
  await page.reload()
  await form.getByLabel('Page Address').fill('studios')
  await expect(form).toContainText('/join/slate/studios')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(form.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const url = (await form.getByRole('link', { name: 'View page' }).getAttribute('href'))!

  const email = anEmail('rosa')
  await apply(browser, url, email, async (stranger) => {
    await expect(stranger.getByRole('main')).toContainText('Studios')
    await expect(stranger.getByRole('main')).toContainText('35%')
  })
  const stranger = await strangersPage(browser, { scripts: true })
  await stranger.goto(await linkTo(email, '/join/confirm'))
  await stranger.getByRole('button', { name: 'Confirm' }).click()
  await expect(stranger.getByRole('status')).toBeVisible()
  await stranger.context().close()

  await call('DELETE', `/groups/${group.id}`, {})
  await page.goto(`${site.url}/partners?tab=applications`)
  await page.getByRole('link', { name: 'Rosa Quist' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This group was deleted. Choose another one to approve.')
  const shops = await call('POST', `/accounts/${owner.id}/groups`, { name: 'Shops', terms })
  await page.reload()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByLabel('Group').selectOption('Shops')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('row', { name: /Rosa Quist/ })).toContainText('Approved')
  const { body } = await site.api('GET', `/accounts/${owner.id}/partners`, { token: owner.token })
  expect(body.items.map(({ groupId }: { groupId: string }) => groupId)).toEqual([shops.id])
})

test('a partner recruits with their link, an approved recruit goes straight on, and a rejected one reads why', async ({
  browser,
  page,
}) => {
  const owner = await aProgram('Cobalt Fitness')
  const program = { state: 'open', slug: 'cobalt', autoApprove: true }
  const put = async (body: object) =>
    ok(await site.api('PUT', `/accounts/${owner.id}/program`, { token: owner.token, body }))
  await put(program)
  const jane = { email: anEmail('jane'), firstName: 'Jane', lastName: 'Whitfield', sendInvitation: true }
  ok(await site.api('POST', `/accounts/${owner.id}/partners`, { token: owner.token, body: jane }))
  await accept(site, await linkTo(jane.email, '/user-setup'))
  const hers = await signedInPage(browser, site, { email: jane.email }, [])
  await hers.goto(`${site.url}/partners`)
  const link = hers.getByRole('region', { name: 'Your recruiting link' })
  await expect(link).toContainText('/join/cobalt?by=jane-whitfield')
  await expectAccessibleInBothThemes(hers)
  const url = await link.getByRole('code').innerText()

  const sam = anEmail('sam')
  await apply(browser, url, sam, (stranger) => expect(stranger.getByText('Invited by Jane')).toBeVisible())
  const stranger = await strangersPage(browser, { scripts: true })
  await stranger.goto(await linkTo(sam, '/join/confirm'))
  await expect(stranger.getByRole('main')).toContainText('Invited byJane')
  await stranger.getByRole('button', { name: 'Confirm' }).click()
  await choosePassword(stranger)
  await hers.reload()
  await expect(hers.getByRole('row', { name: /Rosa Quist/ })).toBeVisible()
  await hers.context().close()

  await put({ autoApprove: false })
  const ida = anEmail('ida')
  await apply(browser, url, ida, async () => undefined)
  const confirming = await linkTo(ida, '/join/confirm')
  await stranger.goto(confirming)
  await stranger.getByRole('button', { name: 'Confirm' }).click()
  await expect(stranger.getByRole('status')).toContainText('We’ll email you')
  await enter(page, site, owner, '/partners?tab=applications&status=waiting')
  await page.getByLabel('Select Rosa Quist').check()
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject 1 application' })
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(/Reason is required/)
  await dialog.getByLabel('Reason').selectOption('Incomplete')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Please tell us more about your newsletter.')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByRole('status').filter({ hasText: '1 application rejected' })).toBeVisible()
  await mails.waitFor(({ to, text }) => to.includes(ida) && text.includes('tell us more about your newsletter'))
  await stranger.goto(confirming)
  await expect(stranger.getByRole('status')).toContainText('We’ll email you')
  await stranger.goto(`${site.url}/join/confirm#token=made-up`)
  await expect(stranger.getByRole('alert')).toContainText('This link has expired or was already used.')
  await stranger.context().close()
})
