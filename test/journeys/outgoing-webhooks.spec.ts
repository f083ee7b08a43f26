import { signatureHolds } from '../fakes/receiver.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import {
  deliveryTable,
  formNamed,
  list,
  panelNamed,
  prepareOutgoingWebhooks,
  pressAction,
  receiver,
  statusMessage,
} from '../support/outgoing-webhooks-screens.ts'
import { owner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'

// An owner adds, tests, watches, repairs and deletes outgoing webhooks, with a receiver for their deliveries.

prepareOutgoingWebhooks()

test('a webhook is added, shows its secret once, and its test is delivered', async ({ page, complaints }) => {
  await openAs(page, site, owner, list)
  await expect(pageHeading(page, 'Outgoing Webhooks')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await pressAction(page, 'Add outgoing webhook')

  await expect(pageHeading(page, 'Add outgoing webhook')).toBeFocused()
  const add = formNamed(page, 'Add outgoing webhook')
  await expect(add.getByLabel('All events')).toBeChecked()
  await expect(add.getByRole('checkbox')).toHaveCount(1)
  await add.getByLabel('All events').uncheck()
  await add.getByRole('button', { name: 'Add outgoing webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Name, URL, Events$/)
  await expect(add.getByRole('group', { name: 'Events' })).toHaveAccessibleDescription('Choose at least one event')
  await expectAccessibleInBothThemes(page)

  await add.getByLabel('Name', { exact: true }).fill('CRM sync')
  // the address of a chat program says what it takes, and the person may choose otherwise
  await add.getByLabel('URL').fill('https://hooks.slack.com/services/T000/B000/XXXX')
  await expect(add.getByLabel('Format')).toHaveValue('slack')
  await add.getByLabel('URL').fill('https://discord.com/api/webhooks/12345/token')
  await expect(add.getByLabel('Format')).toHaveValue('discord')
  await add.getByLabel('Format').selectOption('json')
  await add.getByLabel('URL').fill(receiver.url)
  await expect(add.getByLabel('Format')).toHaveValue('json')
  const leads = add.getByRole('group', { name: 'Leads' })
  await expect(leads.getByLabel('lead.created')).toHaveAccessibleDescription('A lead was created.')
  await leads.getByLabel('Leads').check()
  await leads.getByLabel('lead.deleted').uncheck()
  await expect(leads.getByLabel('Leads')).toHaveJSProperty('indeterminate', true)
  await add.getByLabel('All events').check()
  await expect(leads).toBeHidden()
  await add.getByLabel('All events').uncheck()
  await expect(leads.getByLabel('lead.deleted')).not.toBeChecked()
  const first = add.getByRole('group', { name: 'Header 1' })
  await first.getByLabel('Header Name').fill('Host')
  await first.getByLabel('Header Value').fill('crm')
  await add.getByRole('button', { name: 'Add header' }).click()
  await add.getByRole('group', { name: 'Header 2' }).getByLabel('Header Value').fill('k-1')
  await add.getByRole('button', { name: 'Add outgoing webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Header Name$/)
  await add.getByRole('group', { name: 'Header 2' }).getByLabel('Header Name').fill('X-Api-Key')
  await add.getByRole('button', { name: 'Add outgoing webhook' }).click()
  await expect(first.getByLabel('Header Name')).toHaveAccessibleDescription(/The header Host is set for every delivery/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await first.getByRole('button', { name: 'Remove header 1' }).click()
  await expect(first.getByLabel('Header Name')).toHaveValue('X-Api-Key')
  await add.getByRole('button', { name: 'Add outgoing webhook' }).click()

  const secret = page.getByRole('dialog', { name: 'Signing secret' })
  const field = secret.getByLabel('Signing Secret')
  await expect(field).toHaveAccessibleDescription('Copy it now. It won’t be shown again.')
  await expect(field).toHaveAttribute('type', 'password')
  await secret.getByRole('button', { name: 'Show' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  const value = await field.inputValue()
  expect(value).toMatch(/^whsec_.{44}$/)
  await expectAccessibleInBothThemes(page)
  await secret.getByRole('button', { name: 'Done' }).click()

  await expect(pageHeading(page, 'CRM sync')).toBeFocused()
  await expect(statusMessage(page, 'Outgoing webhook added')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('5 events')
  await expect(page.getByText('No data to show')).toBeVisible()
  await pressAction(page, 'Send test')
  await expect(statusMessage(page, 'Test event sent')).toBeVisible()
  const [sent] = await receiver.waitFor(1)
  expect(signatureHolds(sent!, value)).toBe(true)
  expect(sent!.headers['x-api-key']).toBe('k-1')
  const shown = panelNamed(page, 'webhook.test')
  await expect(shown).toContainText('Delivered')
  await expect(shown).toContainText(/200 in \d+ ms/)
  await expect(shown).toContainText('"type": "webhook.test"')
  await expect(shown).toContainText('"received": 1')
  await expect(deliveryTable(page).locator('tbody tr')).toHaveText([/webhook\.test.*Delivered.*200/])
  await expectAccessibleInBothThemes(page)
  await page.reload()
  await expect(panelNamed(page, 'webhook.test')).toContainText('Delivered')
})
