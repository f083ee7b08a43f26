import { anEmail, expectOk } from '../support/app.ts'
import { aProgram, applyInBrowser, choosePassword, strangersPage } from '../support/applications-screens.ts'
import { expectAccessibleInBothThemes, openAs, signedInPage } from '../support/journey.ts'
import { acceptMailedInvitation, linkTo, mails, prepareMailedSite, site } from '../support/mailed-site.ts'
import { expect, test } from '../support/test.ts'

// Strangers become partners by a group's page and by a partner's recruiting link.

prepareMailedSite()

test('a group has a page of its own, and who applies there joins it unless the reader chooses another', async ({
  browser,
  page,
}) => {
  const owner = await aProgram('Slate Works')
  const call = async (method: string, path: string, body: object) =>
    expectOk(await site.api(method, path, { token: owner.token, body })).body
  const terms = { otherwise: { layerRates: [35] } }
  const group = await call('POST', `/accounts/${owner.id}/groups`, { name: 'Agencies', publicName: 'Studios', terms })
  await openAs(page, site, owner, `/partners/groups/${group.id}`)
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
  await applyInBrowser(browser, url, email, async (stranger) => {
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
    expectOk(await site.api('PUT', `/accounts/${owner.id}/program`, { token: owner.token, body }))
  await put(program)
  const jane = { email: anEmail('jane'), firstName: 'Jane', lastName: 'Whitfield', sendInvitation: true }
  expectOk(await site.api('POST', `/accounts/${owner.id}/partners`, { token: owner.token, body: jane }))
  await acceptMailedInvitation(jane.email)
  const hers = await signedInPage(browser, site, { email: jane.email }, [])
  await hers.goto(`${site.url}/partners`)
  const link = hers.getByRole('region', { name: 'Your recruiting link' })
  await expect(link).toContainText('/join/cobalt?by=jane-whitfield')
  await expectAccessibleInBothThemes(hers)
  const url = await link.getByRole('code').innerText()

  const sam = anEmail('sam')
  await applyInBrowser(browser, url, sam, (stranger) => expect(stranger.getByText('Invited by Jane')).toBeVisible())
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
  await applyInBrowser(browser, url, ida, async () => undefined)
  const confirming = await linkTo(ida, '/join/confirm')
  await stranger.goto(confirming)
  await stranger.getByRole('button', { name: 'Confirm' }).click()
  await expect(stranger.getByRole('status')).toContainText('We’ll email you')
  await openAs(page, site, owner, '/partners?tab=applications&status=waiting')
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
