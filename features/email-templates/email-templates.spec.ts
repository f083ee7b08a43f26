import { expectOk } from '#test/support/app.ts'
import { expectAccessible } from '#test/support/browser.ts'
import {
  anOwner,
  expectAccessibleInBothThemes,
  openAs,
  pageHeading,
  type Site,
  startSite,
} from '#test/support/journey.ts'
import { expect, test } from '#test/support/test.ts'
import { emailTemplateKinds } from './contract.ts'

// An owner gives emails their own name and text, tries one out, and brings the default back.

let site: Site
test.beforeAll(async () => {
  site = await startSite()
})
test.afterAll(() => site.end())

test('an owner changes who emails come from and what one says', async ({ page }) => {
  const owner = await anOwner(site)
  const toast = (text: string) => expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()
  await openAs(page, site, owner, '/account/settings?tab=emails')
  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await page.getByLabel('Reply-To').fill('partners')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Enter a valid email address').last()).toBeVisible()
  await page.getByLabel('From Name').fill('Harbor Partners')
  await page.getByLabel('Reply-To').fill('partners@harbor.example')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast('Sender saved')
  await expectAccessibleInBothThemes(page)

  const list = page.getByRole('table', { name: 'Emails to partners' })
  await expect(list.getByRole('row')).toHaveCount(emailTemplateKinds.length + 1)
  await list.getByRole('link', { name: 'Sale credited' }).click()
  await expect(page).toHaveURL(/email=sale-credited/)
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'You earned $60.00' })).toBeVisible()
  await expect(preview).toContainText('Harbor Partners <')
  await expect(preview).toContainText('because you are a partner of Harbor Analytics on Tributary.')
  const [subject, body] = [page.getByRole('textbox', { name: 'Subject' }), page.getByRole('textbox', { name: 'Body' })]
  await subject.fill('Well done, ')
  await page.getByRole('button', { name: 'Insert variable' }).click()
  await expect(page.getByRole('menuitem', { name: '{{month}}' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: '{{partner_first_name}}' }).click()
  await expect(subject).toHaveValue('Well done, {{partner_first_name}}')
  await expect(subject).toBeFocused()
  await body.fill('# Great\nYou made {{cash}}')
  await body.press('Tab')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Line 2: this email has no variable {{cash}}.').last()).toBeVisible()
  await body.fill('# Great\nYou made {{amount}}')
  await page.getByRole('button', { name: 'Insert variable' }).click()
  await page.getByRole('menuitem', { name: '{{details}}' }).click()
  await expect(body).toHaveValue('# Great\nYou made {{amount}}\n{{details}}\n')
  await expect(preview.getByRole('heading', { name: 'Well done, Pia' })).toBeVisible()
  await expect(preview).toContainText('You made $60.00')
  await expect(preview).toContainText('Jane Doe')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'All emails' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Send test to me' }).click()
  await toast(`Test sent to ${owner.email}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await toast('Email saved')
  const form = page.getByRole('form', { name: 'Text of Sale credited' })
  await expect(form.getByText('Customized')).toBeVisible()
  await page.getByRole('link', { name: 'All emails' }).click()
  await expect(list.getByRole('row').filter({ hasText: 'Customized' })).toHaveCount(1)
  await list.getByRole('link', { name: 'Sale credited' }).click()
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await page.getByRole('dialog', { name: 'Reset to default' }).getByRole('button', { name: 'Reset to default' }).click()
  await toast('Default text restored')
  await expect(subject).toHaveValue('You earned {{amount}}')
  await expect(form.getByText('Customized')).toHaveCount(0)
  const { items } = expectOk(
    await site.api('GET', `/accounts/${owner.id}/email-templates`, { token: owner.token }),
  ).body
  expect(items.filter(({ customized }: { customized: boolean }) => customized)).toHaveLength(0)
})
