import type { Locator, Page } from '@playwright/test'
import { fakeSmtp } from '../fakes/smtp.ts'
import { ADMINISTRATOR, anEmail, expectOk } from '../support/app.ts'
import { expectAccessible } from '../support/browser.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  mailTo,
  openAs,
  type Person,
  pageHeading,
  type Site,
  startSite,
} from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// The administrator's view of mail, and a reader turning it off: from the link of a mail and in the profile.

let site: Site

test.beforeAll(({ site: shared }) => {
  site = shared
})

const rows = (page: Page) => page.getByRole('table', { name: 'Email: Log' })
const statusMessage = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send test email' })

async function sendTest(page: Page, email: string) {
  await page.getByRole('button', { name: 'Send test email' }).click()
  await dialog(page).getByLabel('Email').fill(email)
  await dialog(page).getByRole('button', { name: 'Send email' }).click()
}

test('without a mail server an administrator reads the unsent mails, but no link that opens an account', async ({
  page,
}) => {
  const owner = await anOwner(site, { name: 'Quarry Books' })
  const invitation = await mailTo(site, owner.email, ({ link }) => link !== undefined)
  await openAs(page, site, ADMINISTRATOR, '/admin/accounts')
  await page.getByRole('tab', { name: 'Email' }).click()
  await expect(page).toHaveURL(`${site.url}/admin/mail`)
  await expect(statusMessage(page, 'No mail server is set. Emails are kept in the outbox.')).toBeVisible()

  const email = anEmail('ops')
  await page.getByRole('button', { name: 'Send test email' }).click()
  await expect(dialog(page).getByLabel('Email')).toHaveValue(ADMINISTRATOR.email)
  await dialog(page).getByLabel('Email').fill('ops')
  await dialog(page).getByRole('button', { name: 'Send email' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText(/Check the marked fields: Email/)
  await expectAccessibleInBothThemes(page)
  await dialog(page).getByLabel('Email').fill(email)
  await dialog(page).getByRole('button', { name: 'Send email' }).click()
  await expect(dialog(page)).toContainText(`The email to ${email} was kept in the outbox.`)
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Done', exact: true }).click()
  const line = rows(page).getByRole('row').filter({ hasText: email })
  await expect(line).toContainText('Test email')
  await expect(line).toContainText('Saved, not sent')

  await page.getByLabel('Search emails').fill(owner.email)
  await expect(rows(page).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')).toHaveText('Admin')
  const widthOf = async (of: Locator) => (await of.boundingBox())?.width
  const log = page.getByRole('table')
  expect(await widthOf(log), 'it has the whole width').toBeGreaterThan((await widthOf(page.getByRole('main')))! - 64)
  await rows(page).getByRole('link', { name: owner.email }).click()
  const panel = page.getByRole('region', { name: 'Set up Quarry Books on Tributary', exact: true })
  await expect(panel).toContainText('Set up your account: [link hidden]')
  await expect(panel).toContainText(`outbox/${invitation?.name}`)
  expect(await page.content()).not.toContain(String(invitation?.link).split('#token=')[1])
  await expectAccessibleInBothThemes(page)

  await page.getByLabel('Status').selectOption('Failed')
  await expect(page.getByText(/No emails match/)).toBeVisible()
})

test('a mail server’s refusal of a test is shown in its own words', async ({ page }) => {
  const server = await fakeSmtp()
  const mailing = await startSite({ SMTP_URL: server.url.replace('//', '//robot:canary@') })
  try {
    await openAs(page, mailing, ADMINISTRATOR, '/admin/mail')
    await expect(page.getByRole('main')).toContainText(`Sent through 127.0.0.1:${server.port} as no-reply@`)
    const [gone, fine] = [anEmail('gone'), anEmail('fine')]
    server.refuse(550, { at: 'recipient', to: gone })
    await sendTest(page, gone)
    await expect(dialog(page).getByRole('alert')).toContainText(/wasn’t sent.*550.*Mailbox unavailable/)
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await dialog(page).getByLabel('Email').fill(fine)
    await dialog(page).getByRole('button', { name: 'Send email' }).click()
    await expect(dialog(page)).toContainText(`The mail server accepted the email to ${fine}.`)
    expect(server.to(fine)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await page.getByLabel('Status').selectOption('Refused')
    await expect(rows(page).getByRole('row')).toHaveCount(2)
    expect(await page.content()).not.toContain('canary')
  } finally {
    await mailing.end()
    await server.close()
  }
})

test('every kind of mail has a preview, as text and as in a mail client', async ({ page, complaints }) => {
  await openAs(page, site, ADMINISTRATOR, '/admin/mail?tab=previews')
  const list = page.getByRole('table', { name: 'Previews' })
  await list.getByRole('link', { name: 'Weekly summary' }).click()
  const panel = page.getByRole('region', { name: 'Weekly summary', exact: true })
  await expect(panel.getByLabel('Text').first()).toContainText('Unsubscribe: ')
  await expectAccessibleInBothThemes(page)
  const [shown] = await Promise.all([
    page.waitForEvent('popup'),
    panel.getByRole('link', { name: 'Open as HTML' }).click(),
  ])
  await expect(shown.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await shown.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)')
  await shown.close()
  expect(complaints).toEqual([])
})

/** Returns the link to turn off a mail to this owner. */
async function anUnsubscribeLink(owner: Person & { id: string }) {
  const { body: webhook } = expectOk(
    await site.api('POST', `/accounts/${owner.id}/outgoing-webhooks`, {
      token: owner.token,
      body: { name: 'CRM', url: 'http://127.0.0.1:9/', events: ['partner.updated'] },
    }),
  )
  for (let n = 0; n < 5; n++)
    expectOk(await site.api('POST', `/outgoing-webhooks/${webhook.id}/test`, { token: owner.token }))
  const mail = await mailTo(site, owner.email, ({ name }) => name.startsWith('webhook-failing-'))
  return /Unsubscribe: (\S+)/.exec(mail?.text ?? '')?.[1] as string
}

test('the unsubscribe link asks first, turns its group off and back on, and the profile shows it', async ({ page }) => {
  const owner = await anOwner(site)
  const url = await anUnsubscribeLink(owner)
  await page.goto(url)
  await expect(pageHeading(page, 'Unsubscribe')).toBeVisible()
  await expect(page.getByText('Stop getting “Integrations” emails?')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const preferences = async () => expectOk(await site.api('GET', '/users/me', { token: owner.token })).body.preferences
  expect(await preferences()).toEqual({})
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(statusMessage(page, 'You will no longer receive “Integrations” emails.')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  expect(await preferences()).toEqual({ mail: { integrations: false } })
  await page.reload()
  await expect(statusMessage(page, 'You will no longer receive “Integrations” emails.')).toBeVisible()
  await page.getByRole('button', { name: 'Turn back on' }).click()
  await expect(statusMessage(page, 'You will receive “Integrations” emails again.')).toBeFocused()
  expect(await preferences()).toEqual({ mail: { integrations: true } })
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Turn back on' })).toBeVisible()

  await openAs(page, site, owner, '/user/profile')
  const integrations = page.getByRole('switch', { name: 'Integrations' })
  await expect(integrations).not.toBeChecked()
  await integrations.click()
  await expect(statusMessage(page, 'Integrations emails turned on')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Sign-in and security' })).toBeDisabled()
  await expect(page.getByRole('switch', { name: 'Payout reminders' })).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await page.reload()
  await expect(integrations).toBeChecked()
})

test('an invalid link says so', async ({ page }) => {
  await page.goto(`${site.url}/mail/unsubscribe/made-up`)
  await expect(page.getByRole('alert')).toHaveText('This link isn’t valid. Open it from the email again.')
  await expectAccessible(page)
})
