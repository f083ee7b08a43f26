import type { Page } from '@playwright/test'
import { signatureHolds } from '../fakes/receiver.ts'
import { waitUntil } from '../support/app.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading, signedInPage } from '../support/journey.ts'
import {
  deliveryTable,
  formNamed,
  list,
  pageActions,
  panelNamed,
  prepareOutgoingWebhooks,
  pressAction,
  receiver,
  receiverAnswers,
  statusMessage,
} from '../support/outgoing-webhooks-screens.ts'
import { callAsOwner, owner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'

// An owner adds, tests, watches, repairs and deletes outgoing webhooks, with a receiver for their deliveries.

prepareOutgoingWebhooks()

const aWebhook = async (name: string, fields: object = {}) =>
  await callAsOwner('POST', `/accounts/${owner.id}/outgoing-webhooks`, {
    name,
    url: receiver.url,
    events: ['lead.created'],
    ...fields,
  })
const aLead = (email: string) => callAsOwner('POST', `/accounts/${owner.id}/leads`, { email })

async function chooseInMenu(page: Page, item: string) {
  await pageActions(page)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a failing receiver is reported, and its failures are resent', async ({ page, complaints }) => {
  const { id } = await aWebhook('CRM sync')
  await openAs(page, site, owner, `${list}/${id}`)
  receiverAnswers({ status: 503, body: 'Service Unavailable' })
  await aLead('a@customer.example')
  await aLead('b@customer.example')
  await pressAction(page, 'Send test')
  await expect(panelNamed(page, 'webhook.test')).toContainText('Retrying')
  await expect(panelNamed(page, 'webhook.test')).toContainText('Service Unavailable')
  const trouble = statusMessage(page, 'deliveries in a row failed.')
  await expect(trouble).toContainText(
    'After 20 failures in a row, this webhook is turned off. You can resend failed deliveries.',
  )
  await expectAccessibleInBothThemes(page)

  await deliveryTable(page).getByRole('link', { name: 'lead.created' }).first().click()
  await expect(panelNamed(page, 'lead.created')).toContainText('b@customer.example')
  await page.getByLabel('Event', { exact: true }).selectOption('webhook.test')
  await expect(deliveryTable(page).locator('tbody tr')).toHaveCount(1)
  await expect(page.getByText('This delivery isn’t on this page of the list.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click()
  await expect(panelNamed(page, 'lead.created')).toBeVisible()
  await trouble.getByRole('link', { name: 'Show failed' }).click()
  await expect(page.getByLabel('Result', { exact: true })).toHaveValue('retrying,failed')
  await expect(deliveryTable(page).locator('tbody tr')).toHaveCount(3)

  receiverAnswers(204)
  await page.getByLabel('Result', { exact: true }).selectOption('')
  await deliveryTable(page).getByRole('link', { name: 'webhook.test' }).click()
  await panelNamed(page, 'webhook.test').getByRole('button', { name: 'Resend' }).click()
  await expect(statusMessage(page, 'Resending delivery')).toBeVisible()
  await expect(panelNamed(page, 'webhook.test')).toContainText(/Delivered.*204 in/)
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close details' }).click(),
  ]) {
    await close()
    await expect(panelNamed(page, 'webhook.test')).toHaveCount(0)
    await expect(page).not.toHaveURL(/delivery=/)
    const link = deliveryTable(page).getByRole('link', { name: 'webhook.test' })
    await expect(link).toBeFocused()
    await link.click()
    await expect(panelNamed(page, 'webhook.test')).toBeVisible()
  }
  await expect(trouble).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a receiver that is gone disables its webhook, with the reason; failures are resent once it is back', async ({
  page,
  complaints,
}) => {
  const { id } = await aWebhook('CRM sync')
  receiverAnswers(410)
  await openAs(page, site, owner, `${list}/${id}`)
  await pressAction(page, 'Send test')
  const off = page.getByRole('alert').filter({ hasText: 'This webhook is turned off.' })
  await expect(off).toContainText('The receiver returned 410 Gone.')
  await expectAccessibleInBothThemes(page)
  await pressAction(page, 'Send test')
  await expect(page.getByRole('alert').filter({ hasText: 'Turn it on first.' })).toBeVisible()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('409')])
  await page.getByRole('link', { name: 'Outgoing Webhooks' }).first().click()
  await expect(page.getByRole('table', { name: 'Outgoing Webhooks' })).toContainText('Turned off')
  await page.getByRole('link', { name: 'CRM sync' }).click()

  receiverAnswers(200)
  await off.getByRole('button', { name: 'Turn on' }).click()
  await expect(statusMessage(page, 'CRM sync enabled')).toBeVisible()
  await expect(off).toHaveCount(0)
  // the list's filter does not affect the resent deliveries
  await page.getByLabel('Event', { exact: true }).selectOption('lead.created')
  await chooseInMenu(page, 'Resend failed')
  const dialog = page.getByRole('dialog', { name: 'Resend failed deliveries' })
  await dialog.getByRole('radio', { name: 'Last 24 hours' }).check()
  await expect(dialog).toContainText('1 failed delivery will be resent.')
  const since = async (at: number) => {
    const query = `since=${new Date(at).toISOString()}`
    return (await site.api('GET', `/outgoing-webhooks/${id}/deliveries?${query}`, { token: owner.token })).body.total
  }
  expect([await since(Date.now() - 60_000), await since(Date.now() + 60_000)]).toEqual([1, 0])
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Resend failed' }).click()
  await expect(statusMessage(page, 'Resending 1 delivery')).toBeVisible()
  await page.getByLabel('Event', { exact: true }).selectOption('')
  await expect(deliveryTable(page).locator('tbody tr')).toHaveText([/webhook\.test.*Delivered/])
})

test('a webhook gets a new secret, other events and another header, is disabled and deleted', async ({
  page,
  complaints,
}) => {
  const { id, secret } = await aWebhook('CRM sync', { headers: { 'X-Api-Key': 'k-1', 'X-Team': 'blue' } })
  await openAs(page, site, owner, `${list}/${id}`)
  await pressAction(page, 'Rotate secret')
  const rotateDialog = page.getByRole('dialog', { name: 'Rotate secret?' })
  await expect(rotateDialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await rotateDialog.getByRole('button', { name: 'Rotate secret' }).click()
  const shown = page.getByRole('dialog', { name: 'Signing secret' })
  await expect(shown).toContainText('signed with both the old and the new secret')
  const next = await shown.getByLabel('Signing Secret').inputValue()
  expect(next).not.toBe(secret)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toBeHidden()

  await pressAction(page, 'Edit')
  const edit = formNamed(page, 'Edit outgoing webhook')
  await expect(edit.getByLabel('Name', { exact: true })).toHaveValue('CRM sync')
  await expect(edit.getByRole('group', { name: 'Header 1' }).getByLabel('Header Value')).toHaveValue('')
  await edit.getByRole('group', { name: 'Header 2' }).getByLabel('Header Value').fill('green')
  await edit.getByLabel('All events').check()
  await edit.getByLabel('Name', { exact: true }).fill('CRM')
  await expectAccessibleInBothThemes(page)
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, 'CRM')).toBeFocused()
  await expect(statusMessage(page, 'Outgoing webhook saved')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('All events')
  await aLead('c@customer.example')
  const [sent] = await receiver.waitFor(1)
  expect([signatureHolds(sent!, secret), signatureHolds(sent!, next)]).toEqual([true, true])
  expect(sent!.headers).toMatchObject({ 'x-api-key': 'k-1', 'x-team': 'green' })
  // the list is read once, so the attempt's result must be stored first
  await expect.poll(async () => (await callAsOwner('GET', `/outgoing-webhooks/${id}`)).lastDeliveryAt).not.toBeNull()

  await page.getByRole('link', { name: 'Outgoing Webhooks' }).first().click()
  const rows = page.getByRole('table', { name: 'Outgoing Webhooks' }).locator('tbody tr')
  await expect(rows).toHaveText([/CRM.*All events.*Working/])
  const toggle = rows.getByRole('switch', { name: 'CRM' })
  await toggle.click()
  await expect(rows).toHaveText([/Turned off/])
  await statusMessage(page, 'CRM disabled').getByRole('button', { name: 'Undo' }).click()
  await expect(toggle).toHaveAttribute('aria-checked', 'true')
  await page.getByLabel('Search outgoing webhooks').fill('nothing of the kind')
  await expect(page.getByText('No outgoing webhooks match “nothing of the kind”.')).toBeVisible()
  await page.getByLabel('Search outgoing webhooks').fill('cr')
  await page.getByRole('link', { name: 'CRM', exact: true }).click()

  await chooseInMenu(page, 'Delete')
  const deletion = page.getByRole('dialog', { name: 'Delete outgoing webhook' })
  await deletion.getByRole('button', { name: 'Delete' }).click()
  await expect(statusMessage(page, 'Outgoing webhook deleted')).toBeVisible()
  await expect(pageHeading(page, 'Outgoing Webhooks')).toBeFocused()
  await expect(page.getByText('No data to show')).toBeVisible()
  expect(complaints).toEqual([])
})

test('an address that is in use or unreachable is reported at its field', async ({ page, complaints }) => {
  await aWebhook('First')
  await openAs(page, site, owner, `${list}/new`)
  const add = formNamed(page, 'Add outgoing webhook')
  await add.getByLabel('Name', { exact: true }).fill('Second')
  await add.getByLabel('All events').uncheck()
  await add.getByLabel('lead.created').check()
  for (const [url, answer] of [
    ['ftp://crm.example', /Enter a full web address/],
    [receiver.url, /Another outgoing webhook sends the same events to this URL/],
  ] as const) {
    await add.getByLabel('URL').fill(url)
    await add.getByRole('button', { name: 'Add outgoing webhook' }).click()
    await expect(add.getByLabel('URL')).toHaveAccessibleDescription(answer)
  }
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422'), expect.stringContaining('409')])
  await add.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
})

test('samples can be read and copied; the filters beside them stay', async ({ page }) => {
  const { id } = await aWebhook('CRM sync')
  await openAs(page, site, owner, `${list}/${id}?state=delivered`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const samples = page.getByRole('region', { name: 'Verify deliveries' })
  await expect(samples).toContainText("import { Webhook } from 'standardwebhooks'")
  for (const [name, text] of [
    ['Node without packages', 'timingSafeEqual'],
    ['Python', 'hmac.compare_digest'],
    ['PHP', 'hash_equals'],
    ['Go', 'hmac.Equal'],
  ] as const) {
    await samples.getByRole('tab', { name }).click()
    await expect(samples.getByRole('tabpanel')).toContainText(text)
    await samples.getByRole('button', { name: 'Copy sample' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(text)
  }
  await expect(page).toHaveURL(/state=delivered/)
})

test('long names fit narrow screens, and a selected delivery moves the focus below the list', async ({ browser }) => {
  const long = 'W'.repeat(40)
  const { id } = await aWebhook(long, { url: `${receiver.url}/${'path'.repeat(100)}`, events: ['*'] })
  await aLead(`${'long'.repeat(15)}@customer.example`)
  await receiver.waitFor(1)
  const complaints: string[] = []
  const page = await signedInPage(browser, site, owner, complaints)
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [list, `${list}/new`, `${list}/${id}`, `${list}/${id}/update`]) {
      await page.goto(`${site.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await waitUntil(async () => (await page.getByRole('status', { name: 'Loading...' }).count()) === 0 || undefined)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
    }
    await page.goto(`${site.url}${list}/${id}`)
    await page.getByRole('main').getByRole('link', { name: 'lead.created' }).click()
    await expect(panelNamed(page, 'lead.created')).toBeVisible()
    await expect(panelNamed(page, 'lead.created')).toBeInViewport()
    // Resizing a window does not move the focus.
    if (width === 1280) {
      await page.setViewportSize({ width: 1000, height: 844 })
      await expect(page.getByRole('main').getByRole('link', { name: 'lead.created' })).toBeFocused()
      await page.setViewportSize({ width, height: 844 })
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  expect(complaints).toEqual([])
  await page.context().close()
})
