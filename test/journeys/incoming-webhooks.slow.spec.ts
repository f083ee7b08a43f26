import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  deliveryRows,
  formNamed,
  list,
  pageActions,
  postPayload,
  pressAction,
  statusMessage,
} from '../support/incoming-webhooks-screens.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { callAsOwner, owner, prepareOwner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'

// An owner adds, maps, tries, watches, repairs and deletes incoming webhooks, with a form that sends to them.

prepareOwner()

const aWebhook = (fields: object = {}) =>
  callAsOwner('POST', `/accounts/${owner.id}/incoming-webhooks`, {
    name: 'CRM contacts',
    target: 'lead',
    mapping: [{ field: 'email', path: 'email' }],
    ...fields,
  })

async function chooseInMenu(page: Page, item: string) {
  await pageActions(page)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('guesses fill untouched fields; samples can be browsed, with filters, repeats and defaults', async ({
  page,
  complaints,
}) => {
  const { id, url } = await aWebhook({ mapping: [] })
  await openAs(page, site, owner, `${list}/${id}/update`)
  const edit = formNamed(page, 'Edit incoming webhook')
  await edit.getByRole('button', { name: 'More options' }).first().click()
  await edit.getByLabel('Company Path').fill('org')
  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  await postPayload(url, { event: 'created', mail: 'first@customer.example', plan: 'Pro' })
  await expect(edit.getByLabel('Email Path')).toHaveValue('mail')
  await expect(edit.getByLabel('Company Path')).toHaveValue('org')
  // longer than the texts in lists
  await postPayload(url, { event: 'deleted', mail: 'second@customer.example', text: 'x'.repeat(5000) })
  await postPayload(url, { event: 'created', mail: 'third@customer.example', org: 'Brightline' })
  await page.reload()

  const sample = page.getByRole('list', { name: 'Sample' })
  await edit.getByRole('button', { name: 'More options' }).first().click()
  await edit.getByLabel('Company Path').fill('org')
  await expect(edit.getByText('Brightline', { exact: true })).toBeVisible()
  await edit.getByRole('button', { name: 'Older' }).click()
  await expect(sample).toContainText('second@customer.example')
  await expect(statusMessage(page, '2 of 3')).toBeVisible()
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

  const condition = (number: number) => edit.getByRole('group', { name: `Condition ${number}` })
  await edit.getByRole('button', { name: 'Add condition' }).click()
  await condition(1).getByLabel('Values').fill('created, updated,')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Condition Path$/)
  await edit.getByRole('button', { name: 'Add condition' }).click()
  await condition(2).getByLabel('Condition', { exact: true }).selectOption('is missing')
  await expect(condition(2).getByLabel('Values')).toHaveCount(0)
  await edit.getByRole('button', { name: 'Remove condition 1' }).click()
  await condition(1).getByLabel('Condition', { exact: true }).selectOption('is')
  await condition(1).getByLabel('Condition Path').fill('event..')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Values$/)
  await condition(1).getByLabel('Values').fill('Created, updated')
  await edit.getByLabel('Duplicate Key Path').fill('mail')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(condition(1).getByLabel('Condition Path')).toHaveAccessibleDescription(
    /Enter a path such as contact.email/,
  )
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await condition(1).getByLabel('Condition Path').fill('event')
  await expectAccessibleInBothThemes(page)
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, 'CRM contacts')).toBeFocused()
  const saved = await callAsOwner('GET', `/incoming-webhooks/${id}`)
  const [rule] = saved.rules
  expect(rule.when).toEqual([{ path: 'event', op: 'is', values: ['Created', 'updated'] }])
  expect(saved.dedupePath).toBe('mail')
  expect(rule.mapping).toContainEqual(
    expect.objectContaining({ field: 'lastName', transform: 'constant', default: 'Cole' }),
  )
  expect(rule.mapping).toContainEqual(
    expect.objectContaining({ field: 'company', path: 'org', default: 'Unknown Ltd' }),
  )

  await pressAction(page, 'Edit')
  await expect(edit.getByLabel('Company Default')).toHaveValue('Unknown Ltd')
  await edit.getByLabel('Duplicate Key Path').fill('')
  await edit.getByRole('button', { name: 'Remove condition 1' }).click()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, 'CRM contacts')).toBeFocused()
  const cleared = await callAsOwner('GET', `/incoming-webhooks/${id}`)
  expect([cleared.rules[0].when, cleared.dedupePath]).toEqual([[], null])
  expect(complaints).toEqual([])
})

test('another system’s signature is described part by part, and its deliveries are authenticated', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, `${list}/new`)
  const add = formNamed(page, 'Add incoming webhook')
  await add.getByLabel('Sender').selectOption('Another system')
  await add.getByLabel('Name', { exact: true }).fill('Calendar')
  await add.getByLabel('Authentication').selectOption('Signature in a header')
  await add.getByLabel('Header Name').fill('X-Signature')
  await add.getByLabel('Signed Text').fill('{timestamp}.{body}')
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Secret, Timestamp Header$/)
  await add.getByLabel('Layout').selectOption('Named parts: t=…,v1=…')
  await add.getByLabel('Prefix').fill('v1=')
  await add.getByLabel('Secret', { exact: true }).fill('of the calendar')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('X-Signature: t=$TIMESTAMP,v1=$SIGNATURE')
  const url = await add.getByLabel('Send a POST to').inputValue()
  expect((await fetch(url)).status).toBe(200)
  await expect(page.getByText('Connection tested')).toBeVisible()
  const body = JSON.stringify({ payload: { email: 'lena@customer.example' } })
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', 'of the calendar').update(`${time}.${body}`).digest('hex')
  const headers = { 'x-signature': `t=${time},v1=${signature}` }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  await expect(add.getByLabel('Email Path')).toHaveValue('payload.email')
  expect(complaints).toEqual([])
})

test('a shared secret is entered with its place', async ({ page, complaints }) => {
  await openAs(page, site, owner, `${list}/new`)
  const add = formNamed(page, 'Add incoming webhook')
  await add.getByLabel('Sender').selectOption('Another system')
  await add.getByLabel('Name', { exact: true }).fill('Courses')
  await add.getByLabel('Authentication').selectOption('Shared secret')
  await add.getByLabel('Secret In').selectOption('A field')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Field Name, Secret$/)
  await expectAccessibleInBothThemes(page)
  await add.getByLabel('Field Name').fill('course_key')
  await add.getByLabel('Secret', { exact: true }).fill('of the courses')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('main')).toContainText('"course_key":"SECRET"')
  const url = await add.getByLabel('Send a POST to').inputValue()
  await postPayload(url, { course_key: 'of the courses', email: 'lena@customer.example' })
  await expect(add.getByLabel('Email Path')).toHaveValue('email')
  await expect(page.getByRole('main')).not.toContainText('of the courses')
  expect(complaints).toEqual([])
})

test('a whole number is asked about before it is read as an amount', async ({ page, complaints }) => {
  const { id, url } = await aWebhook({ target: 'sale', mapping: [] })
  await postPayload(url, { order_id: 'o-1', email: 'lena@customer.example', total: 49 })
  await openAs(page, site, owner, `${list}/${id}/update`)
  const edit = formNamed(page, 'Edit incoming webhook')
  await expect(edit.getByLabel('External ID Path', { exact: true })).toHaveValue('order_id')
  await edit.getByLabel('Amount Path', { exact: true }).fill('total')
  const unit = edit.getByRole('group', { name: 'Amount unit' })
  await expect(unit).toHaveText('49 is$49.00$0.49')
  await expectAccessibleInBothThemes(page)
  await unit.getByRole('button', { name: '$49.00' }).click()
  await expect(edit.getByLabel('Amount Transform', { exact: true })).toHaveValue('cents')
  await expect(edit.getByLabel('Amount Transform', { exact: true })).toBeFocused()
  await expect(edit.getByText('4900', { exact: true })).toBeVisible()
  await expect(unit).toHaveCount(0)
  await edit.getByRole('button', { name: 'Dry run' }).click()
  await expect(statusMessage(page, 'This sample would add a sale.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a secret that the sender shows only once it has the URL is entered then; what it sends is up to its system', async ({
  page,
  complaints,
}) => {
  await openAs(page, site, owner, `${list}/new`)
  const add = formNamed(page, 'Add incoming webhook')
  await add.getByLabel('Sender').selectOption('Standard Webhooks')
  await add.getByLabel('Name', { exact: true }).fill('Our billing')
  await add.getByLabel('Target').selectOption('Sale')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  const url = await add.getByLabel('Send a POST to').inputValue()
  const body = JSON.stringify({ data: { id: 'o-1', email: 'lena@customer.example', total: '49.00' } })
  const deliver = async () => {
    const time = String(Math.floor(Date.now() / 1000))
    const key = Buffer.from('of the billing')
    const signature = createHmac('sha256', key).update(`m-1.${time}.${body}`).digest('base64')
    const headers = { 'webhook-id': 'm-1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  expect(await deliver()).toBe(401)
  await add.getByLabel('Secret', { exact: true }).fill(`whsec_${Buffer.from('of the billing').toString('base64')}`)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(pageHeading(page, 'Our billing')).toBeFocused()
  expect(await deliver()).toBe(200)
  await pressAction(page, 'Edit')
  const edit = formNamed(page, 'Edit incoming webhook')
  await expect(edit.getByRole('tab')).toHaveText(['Sale'])
  await expect(edit.getByLabel('Email Path')).toHaveValue('data.email')
  expect(complaints).toEqual([])
})

test('a CRM’s stages become statuses by a rule of its own', async ({ page, complaints }) => {
  await openAs(page, site, owner, `${list}/new`)
  const add = formNamed(page, 'Add incoming webhook')
  await add.getByLabel('Sender').selectOption('Pipedrive')
  await add.getByLabel('Name', { exact: true }).fill('Deals')
  await add.getByLabel('Password', { exact: true }).fill('of the deals')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(add.getByRole('tab')).toHaveText(['Deal won'])
  await add.getByRole('button', { name: 'Add rule' }).click()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('menuitem', { name: 'Deal status' }).click()
  await expect(add.getByRole('tab', { name: 'Deal status' })).toHaveAttribute('aria-selected', 'true')
  const value = (number: number) => add.getByRole('group', { name: `Value ${number}` })
  await expect(value(1).getByLabel('Sent Value')).toHaveValue('won')
  await add.getByRole('button', { name: 'Add value' }).first().click()
  await value(3).getByLabel('Sent Value').fill('open')
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Becomes$/)
  await value(3).getByLabel('Becomes').selectOption('Qualified')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(pageHeading(page, 'Deals')).toBeFocused()
  const [{ id }] = (await callAsOwner('GET', `/accounts/${owner.id}/incoming-webhooks`)).items
  const { rules, sender, auth } = await callAsOwner('GET', `/incoming-webhooks/${id}`)
  expect([sender, auth]).toEqual(['pipedrive', { type: 'basic', username: 'tributary' }])
  expect(rules.map(({ name }: { name: string }) => name)).toEqual(['Deal won', 'Deal status'])
  expect(rules[1].mapping.at(-1).values).toEqual({ won: 'won', lost: 'lost', open: 'qualified' })
  expect(complaints).toEqual([])
})

test('a failure shows its reason at its field; once fixed, it is replayed', async ({ page, complaints }) => {
  const { id, url } = await aWebhook({ mapping: [{ field: 'email', path: 'mail' }] })
  await postPayload(url, { email: 'a@customer.example' })
  await postPayload(url, { email: 'b@customer.example', text: 'x'.repeat(5000) })
  await openAs(page, site, owner, `${list}/${id}`)
  await expect(deliveryRows(page)).toHaveText([/Failed/, /Failed/])
  await deliveryRows(page).getByRole('link').first().click()
  const sent = page.getByRole('region', { name: 'Payload' })
  await expect(sent).toContainText('"email": "b@customer.example"')
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Email:' })).toContainText(
    'Enter an email, phone or external ID',
  )
  await expectAccessibleInBothThemes(page)

  await pressAction(page, 'Edit')
  const edit = formNamed(page, 'Edit incoming webhook')
  await expect(edit.getByLabel('Name', { exact: true })).toHaveValue('CRM contacts')
  await expect(edit.getByLabel('Target')).toHaveCount(0)
  await edit.getByRole('button', { name: 'Dry run' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Email Path$/)
  await expect(statusMessage(page, 'This sample’s lead would fail.')).toContainText('Nothing was saved.')
  await expectAccessibleInBothThemes(page)
  await edit.getByLabel('Email Path').fill('email')
  await edit.getByLabel('Authentication').selectOption('User name and password')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: User Name, Password$/)
  await edit.getByLabel('Authentication').selectOption('Secret in the URL')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(pageHeading(page, 'CRM contacts')).toBeFocused()

  await deliveryRows(page).getByRole('link').first().click()
  await page.getByRole('main').getByRole('button', { name: 'Replay', exact: true }).click()
  await expect(statusMessage(page, 'Replaying delivery')).toBeVisible()
  await expect(deliveryRows(page).first()).toContainText('Replayed')
  await chooseInMenu(page, 'Replay all failed')
  const dialog = page.getByRole('dialog', { name: 'Replay all failed deliveries?' })
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Replay all failed' }).click()
  await expect(statusMessage(page, 'Replaying 1 delivery')).toBeVisible()
  await expect(deliveryRows(page)).toHaveText([/Replayed/, /Replayed/])
  await page.getByLabel('Result', { exact: true }).selectOption('failed')
  await expect(page.getByText('This delivery isn’t on this page of the list.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a webhook is copied, gets another URL, is disabled and deleted', async ({ page, complaints }) => {
  const { id, url } = await aWebhook()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, site, owner, `${list}/${id}`)
  await pressAction(page, 'Rotate URL')
  await expectAccessibleInBothThemes(page)
  await page.getByRole('dialog', { name: 'Rotate URL?' }).getByRole('button', { name: 'Rotate URL' }).click()
  await expect(statusMessage(page, 'The old one works for 24 hours.')).toBeVisible()
  await expect(page.getByText(url)).toHaveCount(0)
  await pressAction(page, 'Copy URL')
  const next = await page.evaluate(() => navigator.clipboard.readText())
  expect(next).not.toBe(url)
  await postPayload(url, { email: 'a@customer.example' })
  await postPayload(next, { email: 'b@customer.example' })
  await expect.poll(async () => (await callAsOwner('GET', `/incoming-webhooks/${id}`)).counts.processed).toBe(2)

  await page.getByRole('link', { name: 'Incoming Webhooks' }).first().click()
  const row = page.getByRole('table', { name: 'Incoming Webhooks' }).locator('tbody tr')
  await expect(row).toHaveText([/CRM contacts.*Another system.*Active.*2 ok, 0 failed/])
  await row.getByRole('switch', { name: 'CRM contacts' }).click()
  await expect(row).toContainText('Disabled')
  await page.getByLabel('Search incoming webhooks').fill('nothing of the kind')
  await expect(page.getByText('No incoming webhooks match “nothing of the kind”.')).toBeVisible()
  await page.getByLabel('Search incoming webhooks').fill('crm')
  await page.getByRole('link', { name: 'CRM contacts', exact: true }).click()
  await expect(page.getByText('This webhook is off.')).toBeVisible()
  await chooseInMenu(page, 'Delete')
  await page.getByRole('dialog', { name: 'Delete incoming webhook' }).getByRole('button', { name: 'Delete' }).click()
  await expect(statusMessage(page, 'Incoming webhook deleted')).toBeVisible()
  await expect(pageHeading(page, 'Incoming Webhooks')).toBeFocused()
  await expect(page.getByText('No data to show')).toBeVisible()
  expect(complaints).toEqual([])
})

test('long names, paths and values fit narrow screens', async ({ page, complaints }) => {
  const long = 'W'.repeat(40)
  const { id, url } = await aWebhook({ name: long, mapping: [{ field: 'email', path: 'email' }] })
  await postPayload(url, { email: 'w'.repeat(300), [long]: { [long]: 'w'.repeat(300) } })
  await openAs(page, site, owner, list)
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [list, `${list}/new`, `${list}/${id}`, `${list}/${id}/update`]) {
      await page.goto(`${site.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading...' })).toHaveCount(0)
      if (path === `${list}/${id}`) {
        await deliveryRows(page).or(page.getByRole('main').getByRole('listitem')).getByRole('link').first().click()
        await expect(page.getByRole('region', { name: 'Payload' })).toBeInViewport()
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
    }
  }
  expect(complaints).toEqual([])
})

test('allowed sender addresses are named, and invalid ones are marked', async ({ page, complaints }) => {
  const { id, url } = await aWebhook({ mapping: [{ field: 'email', path: 'email' }] })
  await openAs(page, site, owner, `${list}/${id}/update`)
  const addresses = page.getByLabel('Allowed Addresses')
  await addresses.fill('203.0.113.9/24, 2001:DB8::7, office ')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields')
  await expect(addresses).toHaveAccessibleDescription(/Enter an IP address such as 203\.0\.113\.7/)
  await page.getByRole('button', { name: 'Remove office' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(statusMessage(page, 'Incoming webhook saved')).toBeVisible()
  expect((await fetch(url, { method: 'POST', body: JSON.stringify({ email: 'a@b.example' }) })).status).toBe(403)
  await page.goto(`${site.url}${list}/${id}/update`)
  for (const kept of ['203.0.113.0/24', '2001:db8::7'])
    await expect(page.getByRole('button', { name: `Remove ${kept}` })).toBeVisible()
  expect(complaints).toEqual([])
})

test('an ID of different people is shown, until Same person says who is one', async ({ page, complaints }) => {
  const mapping = ['externalId', 'email'].map((field) => ({ field, path: field }))
  const { id, url } = await aWebhook({ name: 'Form', mapping })
  for (const name of ['anna', 'ben', 'carl'])
    await postPayload(url, { externalId: 'lT4Z3j', email: `${name}@form.example` })
  const deliveries = () => callAsOwner('GET', `/incoming-webhooks/${id}/deliveries`)
  await expect
    .poll(async () => (await deliveries()).items.filter(({ others }: { others: object[] }) => others.length > 0).length)
    .toBe(2)
  await openAs(page, site, owner, '/dashboard')
  const attention = page.getByText('External ID “lT4Z3j” is the same for different people')
  await expect(attention).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.goto(`${site.url}${list}/${id}`)
  await expect(
    statusMessage(page, 'External ID “lT4Z3j” is the same for different people. Choose another field.'),
  ).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Attention')
  await expect(deliveryRows(page).first()).toContainText('External ID lT4Z3j belongs to someone else')
  await deliveryRows(page).first().getByRole('link').first().click()
  const same = page.getByRole('main').getByRole('button', { name: 'Same person', exact: true })
  await expect(same).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await same.click()
  await expect(statusMessage(page, 'Taken for the same person')).toBeVisible()
  await expect(same).toHaveCount(0)
  await page.reload()
  await expect(deliveryRows(page)).toHaveCount(3)
  await expect(
    page.getByText('External ID “lT4Z3j” is the same for different people. Choose another field.'),
  ).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('an amount of whole numbers asks for its unit, and the answer maps it', async ({ page, complaints }) => {
  const { id, url } = await aWebhook({ target: 'sale', mapping: [] })
  await postPayload(url, { order_id: 'o-49', email: 'whole@customer.example', total: 49 })
  await openAs(page, site, owner, `${list}/${id}/update`)
  const edit = formNamed(page, 'Edit incoming webhook')
  await expect(edit.getByText('49 is', { exact: true })).toBeVisible()
  await expect(edit.getByRole('button', { name: '$0.49' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await edit.getByRole('button', { name: '$49.00' }).click()
  await expect(edit.getByLabel('Amount Path', { exact: true })).toHaveValue('total')
  await expect(edit.getByText('4900', { exact: true })).toBeVisible()
  await expect(edit.getByText('49 is', { exact: true })).toHaveCount(0)
  expect(complaints).toEqual([])
})
