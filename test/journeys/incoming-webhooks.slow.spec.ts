import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { actions, form, list, press, rows, said, send } from '../support/incoming-webhooks-screens.ts'
import { enter, expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { api, owner, prepareOwner, site } from '../support/one-owner.ts'
import { expect, test } from '../support/test.ts'

// An owner adds, maps, tries, watches, repairs and deletes incoming webhooks, with a form that sends to them.

prepareOwner()

const aWebhook = (fields: object = {}) =>
  api('POST', `/accounts/${owner.id}/incoming-webhooks`, {
    name: 'CRM contacts',
    target: 'lead',
    mapping: [{ field: 'email', path: 'email' }],
    ...fields,
  })

async function chooseInMenu(page: Page, item: string) {
  await actions(page)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('guesses fill untouched fields; samples can be browsed, with filters, repeats and defaults', async ({
  page,
  complaints,
}) => {
  const { id, url } = await aWebhook({ mapping: [] })
  await enter(page, site, owner, `${list}/${id}/update`)
  const edit = form(page, 'Edit incoming webhook')
  await edit.getByLabel('Company Path').fill('org')
  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  await send(url, { event: 'created', mail: 'first@customer.example', plan: 'Pro' })
  await expect(edit.getByLabel('Email Path')).toHaveValue('mail')
  await expect(edit.getByLabel('Company Path')).toHaveValue('org')
  // longer than the texts in lists
  await send(url, { event: 'deleted', mail: 'second@customer.example', text: 'x'.repeat(5000) })
  await send(url, { event: 'created', mail: 'third@customer.example', org: 'Brightline' })
  await page.reload()

  const sample = page.getByRole('list', { name: 'Sample' })
  await edit.getByLabel('Company Path').fill('org')
  await expect(edit.getByText('Brightline', { exact: true })).toBeVisible()
  await edit.getByRole('button', { name: 'Older' }).click()
  await expect(sample).toContainText('second@customer.example')
  await expect(said(page, '2 of 3')).toBeVisible()
  await expect(edit.getByText('second@customer.example', { exact: true })).toBeVisible()
  await expect(edit.getByText('Not in the sample')).toBeVisible()
  await edit.getByRole('button', { name: 'Add default for Company' }).click()
  await expect(edit.getByLabel('Company Default')).toBeFocused()
  await edit.getByLabel('Company Default').fill('Unknown Ltd')
  await expect(edit.getByText('Unknown Ltd', { exact: true })).toBeVisible()
  await edit.getByRole('button', { name: 'Older' }).click()
  await expect(sample).toContainText('first@customer.example')
  await expect(edit.getByRole('button', { name: 'Older' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)

  const line = sample.getByRole('listitem').filter({ hasText: 'plan' })
  await edit.getByLabel('Last Name Path').fill('plan')
  await expect(line).toContainText('Last Name')
  await edit.getByLabel('Last Name Transform').selectOption('Constant')
  await edit.getByLabel('Last Name Value').fill('Cole')
  await expect(line).not.toContainText('Last Name')

  await edit.getByRole('button', { name: 'Add filter' }).click()
  await edit.getByLabel('Equals').fill('created')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Filter Path$/)
  await edit.getByRole('button', { name: 'Add filter' }).click()
  await edit.getByRole('group', { name: 'Filter 2' }).getByLabel('Equals').fill('x')
  await edit.getByRole('button', { name: 'Remove filter 1' }).click()
  await expect(edit.getByLabel('Equals')).toHaveValue('x')
  await edit.getByLabel('Equals').fill('created')
  await edit.getByLabel('Filter Path').fill('event..')
  await edit.getByLabel('Duplicate Key Path').fill('mail')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(edit.getByLabel('Filter Path')).toHaveAccessibleDescription(/Enter a path such as contact.email/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await edit.getByLabel('Filter Path').fill('event')
  await expectAccessibleInBothThemes(page)
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(heading(page, 'CRM contacts')).toBeFocused()
  const saved = await api('GET', `/incoming-webhooks/${id}`)
  expect([saved.filters, saved.dedupePath]).toEqual([[{ path: 'event', equals: 'created' }], 'mail'])
  expect(saved.mapping).toContainEqual({ field: 'lastName', path: null, transform: 'constant', default: 'Cole' })
  expect(saved.mapping).toContainEqual({ field: 'company', path: 'org', transform: 'none', default: 'Unknown Ltd' })

  await press(page, 'Edit')
  await expect(edit.getByLabel('Company Default')).toHaveValue('Unknown Ltd')
  await edit.getByLabel('Duplicate Key Path').fill('')
  await edit.getByRole('button', { name: 'Remove filter 1' }).click()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(heading(page, 'CRM contacts')).toBeFocused()
  const cleared = await api('GET', `/incoming-webhooks/${id}`)
  expect([cleared.filters, cleared.dedupePath]).toEqual([[], null])
  expect(complaints).toEqual([])
})

test('a sender is chosen by name, and its deliveries are authenticated', async ({ page, complaints }) => {
  await enter(page, site, owner, `${list}/new`)
  const add = form(page, 'Add incoming webhook')
  await add.getByLabel('Name', { exact: true }).fill('Calendar')
  await add.getByLabel('Authentication').selectOption('Signature in a header')
  await add.getByLabel('Header Name').fill('X-Signature')
  await add.getByLabel('Signed Text').fill('{timestamp}.{body}')
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Secret, Timestamp Header$/)
  await add.getByLabel('Sender').selectOption('HubSpot')
  await expect(add.getByLabel('Timestamp Header')).toHaveValue('X-HubSpot-Request-Timestamp')
  await add.getByLabel('Sender').selectOption('Calendly')
  await expect(add.getByLabel('Header Name')).toHaveValue('Calendly-Webhook-Signature')
  await expect(add.getByLabel('Signed Text')).toHaveValue('{timestamp}.{body}')
  await expect(add.getByLabel('Prefix')).toHaveValue('v1=')
  await add.getByLabel('Secret', { exact: true }).fill('of the calendar')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  await expect(add.getByLabel('Sender')).toHaveValue('Calendly')
  await expect(page.getByRole('main')).toContainText('Calendly-Webhook-Signature: t=$TIMESTAMP,v1=$SIGNATURE')
  const url = await add.getByLabel('Send a POST to').inputValue()
  expect((await fetch(url)).status).toBe(200)
  await expect(page.getByText('Connection tested')).toBeVisible()
  const body = JSON.stringify({ payload: { email: 'lena@customer.example' } })
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', 'of the calendar').update(`${time}.${body}`).digest('hex')
  const headers = { 'calendly-webhook-signature': `t=${time},v1=${signature}` }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  await expect(add.getByLabel('Email Path')).toHaveValue('payload.email')
  expect(complaints).toEqual([])
})

test('a failure shows its reason at its field; once fixed, it is replayed', async ({ page, complaints }) => {
  const { id, url } = await aWebhook({ mapping: [{ field: 'email', path: 'mail' }] })
  await send(url, { email: 'a@customer.example' })
  await send(url, { email: 'b@customer.example', text: 'x'.repeat(5000) })
  await enter(page, site, owner, `${list}/${id}`)
  await expect(rows(page)).toHaveText([/Failed/, /Failed/])
  await rows(page).getByRole('link').first().click()
  const sent = page.getByRole('region', { name: 'Payload' })
  await expect(sent).toContainText('"email": "b@customer.example"')
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Email:' })).toContainText(
    'Enter an email, phone or external ID',
  )
  await expectAccessibleInBothThemes(page)

  await press(page, 'Edit')
  const edit = form(page, 'Edit incoming webhook')
  await expect(edit.getByLabel('Name', { exact: true })).toHaveValue('CRM contacts')
  await expect(edit.getByLabel('Target')).toBeDisabled()
  await edit.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Email Path$/)
  await expect(said(page, 'This sample would fail.')).toContainText('Nothing was saved.')
  await expectAccessibleInBothThemes(page)
  await edit.getByLabel('Email Path').fill('email')
  await edit.getByLabel('Authentication').selectOption('User name and password')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: User Name, Password$/)
  await edit.getByLabel('Authentication').selectOption('Secret in the URL')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(heading(page, 'CRM contacts')).toBeFocused()

  await rows(page).getByRole('link').first().click()
  await page.getByRole('main').getByRole('button', { name: 'Replay', exact: true }).click()
  await expect(said(page, 'Replaying delivery')).toBeVisible()
  await expect(rows(page).first()).toContainText('Replayed')
  await chooseInMenu(page, 'Replay all failed')
  const dialog = page.getByRole('dialog', { name: 'Replay all failed deliveries?' })
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Replay all failed' }).click()
  await expect(said(page, 'Replaying 1 delivery')).toBeVisible()
  await expect(rows(page)).toHaveText([/Replayed/, /Replayed/])
  await page.getByLabel('Result', { exact: true }).selectOption('failed')
  await expect(page.getByText('This delivery isn’t on this page of the list.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a webhook is copied, gets another URL, is disabled and deleted', async ({ page, complaints }) => {
  const { id, url } = await aWebhook()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter(page, site, owner, `${list}/${id}`)
  await press(page, 'Rotate URL')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('dialog', { name: 'Rotate URL?' }).getByRole('button', { name: 'Rotate URL' }).click()
  await expect(said(page, 'The old one works for 24 hours.')).toBeVisible()
  await expect(page.getByText(url)).toHaveCount(0)
  await press(page, 'Copy URL')
  const next = await page.evaluate(() => navigator.clipboard.readText())
  expect(next).not.toBe(url)
  await send(url, { email: 'a@customer.example' })
  await send(next, { email: 'b@customer.example' })
  await expect.poll(async () => (await api('GET', `/incoming-webhooks/${id}`)).counts.processed).toBe(2)

  await page.getByRole('link', { name: 'Incoming Webhooks' }).first().click()
  const row = page.getByRole('table', { name: 'Incoming Webhooks' }).locator('tbody tr')
  await expect(row).toHaveText([/CRM contacts.*Lead.*Active.*2 ok, 0 failed/])
  await row.getByRole('switch', { name: 'CRM contacts' }).click()
  await expect(row).toContainText('Disabled')
  await page.getByLabel('Search incoming webhooks').fill('nothing of the kind')
  await expect(page.getByText('No incoming webhooks match “nothing of the kind”.')).toBeVisible()
  await page.getByLabel('Search incoming webhooks').fill('crm')
  await page.getByRole('link', { name: 'CRM contacts', exact: true }).click()
  await expect(page.getByText('This webhook is off.')).toBeVisible()
  await chooseInMenu(page, 'Delete')
  await page.getByRole('dialog', { name: 'Delete incoming webhook' }).getByRole('button', { name: 'Delete' }).click()
  await expect(said(page, 'Incoming webhook deleted')).toBeVisible()
  await expect(heading(page, 'Incoming Webhooks')).toBeFocused()
  await expect(page.getByText('No data to show')).toBeVisible()
  expect(complaints).toEqual([])
})

test('long names, paths and values fit narrow screens', async ({ page, complaints }) => {
  const long = 'W'.repeat(40)
  const { id, url } = await aWebhook({ name: long, mapping: [{ field: 'email', path: 'email' }] })
  await send(url, { email: 'w'.repeat(300), [long]: { [long]: 'w'.repeat(300) } })
  await enter(page, site, owner, list)
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [list, `${list}/new`, `${list}/${id}`, `${list}/${id}/update`]) {
      await page.goto(`${site.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading...' })).toHaveCount(0)
      if (path === `${list}/${id}`) {
        await rows(page).or(page.getByRole('main').getByRole('listitem')).getByRole('link').first().click()
        await expect(page.getByRole('region', { name: 'Payload' })).toBeInViewport()
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
    }
  }
  expect(complaints).toEqual([])
})

test('allowed sender addresses are named, and invalid ones are marked', async ({ page, complaints }) => {
  const { id, url } = await aWebhook({ mapping: [{ field: 'email', path: 'email' }] })
  await enter(page, site, owner, `${list}/${id}/update`)
  const addresses = page.getByLabel('Allowed Addresses')
  await addresses.fill('203.0.113.9/24, 2001:DB8::7, office ')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields')
  await expect(addresses).toHaveAccessibleDescription(/Enter an IP address such as 203\.0\.113\.7/)
  await page.getByRole('button', { name: 'Remove office' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(said(page, 'Incoming webhook saved')).toBeVisible()
  expect((await fetch(url, { method: 'POST', body: JSON.stringify({ email: 'a@b.example' }) })).status).toBe(403)
  await page.goto(`${site.url}${list}/${id}/update`)
  for (const kept of ['203.0.113.0/24', '2001:db8::7'])
    await expect(page.getByRole('button', { name: `Remove ${kept}` })).toBeVisible()
  expect(complaints).toEqual([])
})
