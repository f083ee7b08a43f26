import { aProgram } from '#test/support/announcements-screens.ts'
import { expectOk } from '#test/support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '#test/support/journey.ts'
import { mails, prepareMailedSite, site } from '#test/support/mailed-site.ts'
import { expect, test } from '#test/support/test.ts'

// An owner announces something to the partners of a list: by mail, on their dashboards and in the portal.

prepareMailedSite()

test('an owner announces to a filtered list; partners get a mail, read the note, also in the portal, and close it', async ({
  page,
  browser,
}) => {
  const { owner, partners, groupId, key } = await aProgram()
  const [pia, quinn, rob] = partners
  expectOk(
    await site.api('PATCH', '/users/me', { token: quinn.token, body: { preferences: { mail: { news: false } } } }),
  )
  await openAs(page, site, owner, `/partners?groupId=${groupId}`)
  await page.getByRole('button', { name: 'Announce' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('To the 2 partners of this list.')).toBeVisible()
  await dialog.getByLabel('Subject').fill('<b>Twice</b> in December, {firstName}')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Hello {name}')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('Use {firstName}, but not {name}').first()).toBeVisible()
  const body = '# What to do\n\nHello {firstName},\n\n- <script>alert(1)</script>\n- See https://shop.example/december'
  await dialog.getByRole('textbox', { name: 'Message' }).fill(body)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('heading', { name: '<b>Twice</b> in December, there' })).toBeVisible()
  await expect(dialog.getByText('<script>alert(1)</script>')).toBeVisible()
  await expect(dialog.getByText('1 gets an email. 1 doesn’t want these emails')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Message' })).toHaveValue(body)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  // a stray Escape loses nothing
  await expect(dialog.getByRole('button', { name: 'Send to 2 partners' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('textbox', { name: 'Message' })).toHaveValue(body)
  await page.keyboard.press('Escape')
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(leaving.getByRole('button', { name: 'Stay' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(leaving).toBeHidden()
  await expect(dialog.getByRole('textbox', { name: 'Message' })).toHaveValue(body)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Send to 2 partners' }).click()
  await expect(page.getByText('Sent to 2 partners')).toBeVisible()

  const mail = await mails.waitFor(({ subject }) => subject === '<b>Twice</b> in December, Pia')
  expect(mail.to).toEqual([pia.email])
  expect(mail.text).toContain('- See https://shop.example/december')
  expect(mail.html).not.toContain('<script>alert')
  expect(mail.headers['list-unsubscribe-post']).toEqual(['List-Unsubscribe=One-Click'])

  await page.goto(`${site.url}/partners?tab=announcements`)
  const row = page.getByRole('row').filter({ hasText: 'Twice' })
  await expect(row.getByRole('cell').filter({ hasText: /^1$/ }).first()).toBeVisible()
  await row.getByRole('link').click()
  await expect(page.getByRole('dialog').getByText('Hello {firstName},')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  expect(mails.to(quinn.email).some(({ subject }) => subject.includes('Twice'))).toBe(false)
  expect(mails.to(rob.email).some(({ subject }) => subject.includes('Twice'))).toBe(false)

  const own = await (await browser.newContext()).newPage()
  await openAs(own, site, pia, '/dashboard')
  const news = own.getByRole('region', { name: 'News' })
  await expectAccessibleInBothThemes(own)
  await news.getByRole('link', { name: '<b>Twice</b> in December, Pia' }).click()
  await expect(pageHeading(own, 'News')).toBeVisible()
  const all = own.getByRole('region', { name: 'All news' })
  await expect(all.getByRole('heading', { name: '<b>Twice</b> in December, Pia' })).toBeVisible()
  await expect(all.getByRole('link', { name: 'https://shop.example/december' })).toBeVisible()
  await expect(all.getByText('Hello Pia,')).toBeVisible()
  await expectAccessibleInBothThemes(own)

  const session = { token: key, body: { kind: 'link' } }
  const { url } = expectOk(await site.api('POST', `/partners/${quinn.id}/portal-sessions`, session)).body
  const portal = await (await browser.newContext()).newPage()
  await portal.goto(url)
  await portal.getByRole('link', { name: 'News' }).click()
  await expect(portal.getByRole('region', { name: 'All news' }).getByText('Hello Quinn,')).toBeVisible()
})
