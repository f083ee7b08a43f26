import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lemonOrder } from '../fakes/lemon-squeezy-events.ts'
import { paddleTransaction } from '../fakes/paddle-events.ts'
import { stripePayment } from '../fakes/stripe-events.ts'
import { ADMINISTRATOR, anEmail, expectOk } from '../support/app.ts'
import {
  lemon,
  owner,
  paddle,
  partner,
  prepareIntegrations,
  SIGNING_SECRET,
  site,
  stripe,
} from '../support/integrations-screens.ts'
import { anOwner, expectAccessibleInBothThemes, fromProvider, openAs, pageHeading } from '../support/journey.ts'
import { countPresses } from '../support/presses.ts'
import { captureShot } from '../support/shots.ts'
import { expect, test } from '../support/test.ts'

// An owner sets up payment providers, the embed code and pushed data.

prepareIntegrations()

let shop: Server
let shopAddress: string

test.beforeAll(async () => {
  shop = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Shop</title>
      <form class="demo-form"><input name="first_name"><input name="last_name"><input type="email" name="email">
      <button>Send</button></form><script async src="${site.url}/embed/${owner.publicId}.js"></script>`),
  )
  await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve))
  shopAddress = `http://localhost:${(shop.address() as AddressInfo).port}`
})

test.afterAll(() => void shop.close())

test('only the owner opens the integrations', async ({ browser }) => {
  const others = [
    { who: { email: partner.email }, home: 'Dashboard' },
    { who: ADMINISTRATOR, home: 'Accounts' },
  ]
  for (const { who, home } of others) {
    const page = await browser.newPage()
    await openAs(page, site, who)
    for (const path of ['payment-providers', 'embed-code', 'push-data']) {
      await page.goto(`${site.url}/integrations/${path}`)
      await expect(pageHeading(page, home)).toBeVisible()
    }
    await page.close()
  }
})

test('past sales are checked first, then imported, and the result stays on the card', async ({ page, complaints }) => {
  stripe.calm()
  stripe.store.clear()
  expectOk(
    await site.api('POST', `/accounts/${owner.id}/payment-providers/connect`, {
      token: owner.token,
      body: { provider: 'stripe', credentials: { restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET } },
    }),
  )
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  for (const [amount, days, reference] of [
    [120_00, 200, 'jane'],
    [80_00, 40, 'jane'],
    [20_00, 60, null],
  ] as const)
    stripePayment({ store: stripe.store, amount, reference, email: anEmail('past'), createdAt: daysAgo(days) })

  await openAs(page, site, owner, '/integrations/payment-providers')
  const card = page.getByRole('main').getByRole('region', { name: 'Stripe', exact: true })
  await fromProvider(page, 'Stripe', 'Import past sales')
  const dialog = page.getByRole('dialog', { name: 'Import past sales from Stripe' })
  await expect(dialog.getByLabel('From')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  const to = await dialog.getByLabel('To').inputValue()
  await dialog.getByLabel('To').fill('2001-01-01')
  await dialog.getByRole('button', { name: 'Check first' }).click()
  await expect(dialog.getByLabel('To')).toHaveAccessibleDescription(/Enter a day after the first one/)
  await dialog.getByLabel('To').fill(to)

  // while Stripe is busy the check waits; an owner who leaves finds it on the card, and may cancel it there
  stripe.fail(/^GET \/v1\/events/, { status: 429, retryAfter: 600, body: { error: { message: 'Slow down.' } } })
  await dialog.getByRole('button', { name: 'Check first' }).click()
  const bar = dialog.getByRole('progressbar', { name: 'Checking past sales from Stripe' })
  await expect(bar).toHaveAttribute('aria-valuetext', '0 so far')
  await expect(dialog).toContainText('Stripe can’t answer right now: Slow down.')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const past = card.getByRole('region', { name: 'Past sales from Stripe' })
  await card.getByRole('button', { name: 'Actions for Stripe' }).click()
  await expect(page.getByRole('menuitem', { name: 'Import past sales' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await past.getByRole('button', { name: 'Cancel' }).click()
  await expect(past).toContainText('CanceledNothing was imported.')

  await fromProvider(page, 'Stripe', 'Import past sales')
  await dialog.getByRole('button', { name: 'Check first' }).click()
  await expect(dialog).toContainText('3 sales, $220.00, 1 of them without a partner')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Import 3 sales' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(past).toContainText('3 sales imported, $220.00, 1 of them without a partner')
  await expectAccessibleInBothThemes(page)
  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/sales`, { token: owner.token })).body
  expect(items).toHaveLength(3)
  expect(complaints).toEqual([])
})

test('Paddle is connected by its own form, and creates its webhook', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  const main = page.getByRole('main')
  await main.getByRole('listitem', { name: 'Paddle' }).getByRole('button', { name: 'Connect Paddle' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Paddle' })
  await expect(dialog.getByLabel('API Key')).toHaveAccessibleDescription(/Developer tools.*Notification settings/)
  await expect(dialog.getByLabel('Webhook Secret Key')).toHaveAccessibleDescription(/pdl_ntfset_/)
  await dialog.getByLabel('API Key').fill('pdl_sdbx_apikey_ofSomebodyElse')
  await dialog.getByRole('button', { name: 'Connect Paddle' }).click()
  await expect(dialog.getByLabel('API Key')).toHaveAccessibleDescription(/Authentication header included/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('API Key').fill(paddle.key)
  await dialog.getByRole('button', { name: 'Connect Paddle' }).click()
  const card = main.getByRole('region', { name: 'Paddle' })
  await expect(card).toContainText('Connected')
  await expectAccessibleInBothThemes(page)

  const { completed } = paddleTransaction({ amount: 100_00, email: 'cara@brightline.example', store: paddle.store })
  expect((await paddle.send(completed)).map(({ status }) => status)).toEqual([200])
  await fromProvider(page, 'Paddle', 'Check now')
  await expect(card.getByLabel('Paddle connection')).toContainText(/Last event(now|1 minute ago)/)
  expect(complaints).toEqual([])
})

test('Lemon Squeezy is connected by its own form, and creates its webhook', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Connect Lemon Squeezy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Lemon Squeezy' })
  await expect(dialog.getByLabel('Store ID')).toHaveAccessibleDescription(/several stores/)
  await dialog.getByLabel('API Key').fill(lemon.key)
  await dialog.getByRole('button', { name: 'Connect Lemon Squeezy' }).click()
  await expect(dialog.getByLabel('Store ID')).toHaveAccessibleDescription(/Lemon Stand \(1\), Lemon Grove \(2\)/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Store ID').fill('2')
  await dialog.getByRole('button', { name: 'Connect Lemon Squeezy' }).click()
  const card = main.getByRole('region', { name: 'Lemon Squeezy' })
  await expect(card).toContainText('Connected')
  await expect(card).toContainText('Lemon Grove')
  await expectAccessibleInBothThemes(page)
  const { created } = lemonOrder({ amount: 100_00, email: 'cara@brightline.example', storeId: 2, store: lemon.store })
  expect((await lemon.send(created)).map(({ status }) => status)).toEqual([200])
  expect(complaints).toEqual([])
})

test('Stripe is connected by three presses from the dashboard, and a sale played through by one more', async ({
  page,
  complaints,
}) => {
  stripe.calm()
  const other = await anOwner(site, { name: 'Three Presses' })
  const link = { name: 'Shop', destinationUrl: shopAddress.replace('localhost', '127.0.0.1') }
  expectOk(await site.api('POST', `/accounts/${other.id}/link-blueprints`, { token: other.token, body: link }))
  await openAs(page, site, other, '/dashboard')
  const presses = await countPresses(page)
  await page.getByRole('link', { name: 'Go to payment providers' }).click()
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe' })
  const create = dialog.getByRole('link', { name: 'Create key in Stripe' })
  await expect(create).toHaveAttribute('href', /^https:\/\/dashboard\.stripe\.com\/apikeys\/create\?name=Tributary&/)
  await dialog.getByLabel('Restricted Key').fill(stripe.key)
  await dialog.getByRole('button', { name: 'Connect Stripe' }).click()
  await expect(page.getByRole('main').getByRole('region', { name: 'Stripe' })).toBeVisible()
  expect(presses()).toBe(3)
  await page.getByRole('button', { name: 'Play a sale through' }).click()
  const played = page.getByRole('dialog', { name: 'Play a sale through' })
  await expect(played.getByRole('status').first()).toContainText(/ to check|works/)
  expect(presses()).toBe(4)
  expect(complaints).toEqual([])
})

test('an unreachable provider is reported in its own words', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/integrations/payment-providers')
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe' })
  await stripe.close()
  await dialog.getByLabel('Restricted Key').fill(stripe.key)
  await dialog.getByRole('button', { name: 'Connect Stripe' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Stripe couldn’t be reached. Please try again. (')
  expect(complaints.splice(0)).toEqual([expect.stringContaining('502')])
})

test('the embed code: every row described, the code to copy, and a check on the real page', async ({
  page,
  context,
  complaints,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, site, owner, '/integrations/embed-code')
  await expect(pageHeading(page, 'Embed Code')).toBeVisible()
  const elements = ['First Name', 'Last Name', 'Email', 'Phone', 'Fields Container', 'Submit Button']
  for (const element of elements) {
    await expect(page.getByLabel(`${element} Selector Type`)).toHaveValue('default')
    await expect(page.getByLabel(`${element} Selector Value`)).toBeEmpty()
  }
  await expect(page.getByLabel('Email Selector Type').locator('option')).toHaveText([
    'ID',
    'Class',
    'Name',
    'Default',
    'Query selector',
  ])
  await expect(page.getByRole('main')).toContainText('Any site can send you leads.')
  await expect(page.getByRole('button', { name: 'Copy code' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Verify on my site' })).toBeDisabled()
  // There is no embed code yet: the browser itself logs answers of 404.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain('404')
  await expectAccessibleInBothThemes(page)

  const phone = page.getByLabel('Phone Selector Value')
  for (const [type, value, words] of [
    ['id', 'phone', 'Enter # and a letter, then letters, digits, - _ : or .'],
    ['class', 'phone', 'Enter a class that starts with a dot'],
    ['query-selector', '', 'Enter a value'],
    ['name', ' ', 'Enter a value'],
    ['default', '#phone', 'Leave empty for Default'],
  ] as const) {
    await page.getByLabel('Phone Selector Type').selectOption(type)
    await phone.fill(value)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(phone).toHaveAccessibleDescription(words)
  }
  await page.getByLabel('Phone Selector Type').selectOption('id')
  await phone.fill('phone')
  await expect(phone).toHaveAccessibleDescription(/Enter # and a letter/)
  await phone.fill('#phone')
  await expect(phone).toHaveAccessibleDescription('')
  await page.getByLabel('Allowed Domains').fill('https://Shop.Harbor.example/buy, nonsense')
  await page.getByLabel('Allowed Domains').press('Enter')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Allowed Domains')
  await expect(page.getByLabel('Allowed Domains')).toHaveAccessibleDescription(
    /Enter a domain such as shop.example.com/,
  )
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Remove nonsense' }).click()
  await page.getByLabel('First Name Selector Type').selectOption('name')
  await page.getByLabel('First Name Selector Value').fill('first_name')
  await page.getByLabel('Forms', { exact: true }).selectOption('All forms')
  await page.getByLabel('Consent Mode').selectOption('Wait for consent')
  await page.getByRole('switch', { name: 'Only referred visitors' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Embed code saved' })).toBeVisible()
  const saved = expectOk(await site.api('GET', `/accounts/${owner.id}/embed-code`, { token: owner.token })).body
  expect(saved).toMatchObject({
    domains: ['shop.harbor.example'],
    consentMode: 'required',
    forms: 'all',
    formsChosen: true,
    onlyIfReferred: false,
    config: { phone: { selectorType: 'id', selectorValue: '#phone' }, email: { selectorType: 'default' } },
  })

  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy code' }).click()
  expect(await copied()).toBe(saved.snippet)
  const kind = page.getByLabel('Where is your site?')
  await expect(kind.locator('option')).toHaveText([
    'HTML',
    'WordPress',
    'Webflow',
    'Framer',
    'Shopify',
    'Squarespace',
    'Wix',
    'Google Tag Manager',
    'React',
    'Next.js',
  ])
  await kind.selectOption('Google Tag Manager')
  await expect(page.getByRole('listitem').filter({ hasText: 'Custom HTML' })).toBeVisible()
  await page.getByRole('button', { name: 'Copy code' }).click()
  expect(await copied()).toBe(saved.snippet.replace('.js"', '.js?consent=required"'))
  await kind.selectOption('Next.js')
  await page.getByRole('button', { name: 'Copy code' }).click()
  expect(await copied()).toContain(`<Script src="${/src="([^"]+)"/.exec(saved.snippet)![1]}" />`)
  await page.getByText('Use the referral in your code').click()
  await page.getByRole('button', { name: 'Copy cookie' }).click()
  expect(await copied()).toContain('client_reference_id: request.cookies.tributary_ref')
  await expectAccessibleInBothThemes(page)
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await captureShot(page, `embed-code-next-${width}`)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByText('Use the referral in your code').click()
  await kind.selectOption('HTML')
  await page.getByLabel('Page to check').fill(`${shopAddress}/demo`)
  await page.getByRole('button', { name: 'Verify on my site' }).click()
  await expect(page.getByLabel('Page to check')).toHaveAccessibleDescription(/on one of the allowed domains/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await page.getByRole('button', { name: 'Remove shop.harbor.example' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Any site can send you leads.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeEnabled()
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Verify on my site' }).click()
  const tab = await opened
  await expect(page.getByText('5 of 6 found')).toBeVisible()
  await expect(page.getByText('Send: sends a lead (you take all forms)')).toBeVisible()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await captureShot(page, `embed-code-verified-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('group', { name: 'Phone' })).toContainText('Not found')
  await expect(page.getByRole('group', { name: 'Email' })).toContainText('Found')
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  await tab.close()
  await expectAccessibleInBothThemes(page)

  // A lead from a site that is not allowed is counted, one from an allowed site is stored.
  const embed = `${site.url}/embed/${owner.publicId}/leads`
  const lead = (origin: string) =>
    fetch(embed, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: anEmail('visitor'), pageUrl: `${origin}/` }),
    })
  const change = (body: object) => site.api('PUT', `/accounts/${owner.id}/embed-code`, { token: owner.token, body })
  await change({ domains: ['harbor.example'] })
  await lead('https://stranger.example')
  await lead('https://shop.harbor.example')
  await page.reload()
  const check = page.getByRole('region', { name: 'Check' })
  await expect(check).toContainText('1, most recently from https://stranger.example')
  await expect(check).toContainText(/Last lead received(now|1 minute ago)/)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

test('what an owner picks on their own page fills the rows, and is saved only with them', async ({
  page,
  complaints,
}) => {
  const none = { selectorType: 'default', selectorValue: '' }
  const elements = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(elements.map((key) => [key, { key, ...none }]))
  const call = (method: string, body?: object) =>
    site.api(method, `/accounts/${owner.id}/embed-code`, { token: owner.token, body })
  const saved = async () => expectOk(await call('GET')).body.config
  expectOk(await call('PUT', { config, domains: [] }))
  await openAs(page, site, owner, '/dashboard')
  const presses = await countPresses(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Embed Code' }).click()
  await page.getByLabel('Page to check').fill(`${shopAddress}/demo`)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Pick on my page' }).click()
  const tab = await opened
  const bar = tab.getByRole('region', { name: 'Pick on my page' })
  await expect(page.getByText('Pick the elements in the bar on your page')).toBeVisible()
  for (const [name, place] of [
    ['Email', '[name=email]'],
    ['Fields Container', '[name=email]'],
    ['Submit Button', '.demo-form button'],
  ] as const) {
    await bar.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    const box = (await tab.locator(place).boundingBox())!
    await tab.mouse.click(box.x + 5, box.y + 5)
  }
  await bar.getByRole('button', { name: 'Use these' }).click()
  await expect(bar.getByRole('status')).toContainText('Sent.')
  await tab.close()

  await expect(page.getByText('Your picks are filled in. Save changes to use them.')).toBeVisible()
  for (const [element, type, value] of [
    ['First Name', 'default', ''],
    ['Email', 'name', 'email'],
    ['Fields Container', 'class', '.demo-form'],
    ['Submit Button', 'query-selector', 'button'],
  ] as const) {
    await expect(page.getByLabel(`${element} Selector Type`)).toHaveValue(type)
    await expect(page.getByLabel(`${element} Selector Value`)).toHaveValue(value)
  }
  await expect(page.getByText('5 of 6 found')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  expect(await saved()).toEqual(config)
  // what is typed afterwards stays
  await page.getByLabel('Email Selector Value').fill('mail')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Embed code saved' })).toBeVisible()
  // besides 'Use these' on the page itself, and a press for each element that is picked there
  expect(presses()).toBe(3)
  expect(await saved()).toMatchObject({
    email: { selectorType: 'name', selectorValue: 'mail' },
    submitButton: { selectorType: 'query-selector', selectorValue: 'button' },
    firstName: none,
  })
  expect(complaints).toEqual([])
})

test('a failing server is reported in its panel, which can be retried', async ({ page }) => {
  await openAs(page, site, owner, '/dashboard')
  for (const [path, call, name] of [
    ['payment-providers', '**/payment-providers/available', 'Payment Providers'],
    ['embed-code', '**/embed-code', 'Embed Code'],
    ['push-data', '**/push-requests**', 'Push Data'],
  ] as const) {
    await page.route(`**/api/v1/accounts/*${call.slice(2)}`, (route) => route.fulfill({ status: 400, body: '{}' }))
    await page.goto(`${site.url}/integrations/${path}`)
    await expect(pageHeading(page, name)).toBeVisible()
    const failed = page.getByRole('alert').filter({ hasText: 'Failed to load' })
    await expect(failed).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.unrouteAll()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(failed).toBeHidden()
  }
})

test('API keys: one for each system, shown once, rotated with an overlap, and deleted', async ({
  page,
  context,
  complaints,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  expectOk(await site.api('PUT', `/accounts/${owner.id}/api-key`, { token: owner.token }))
  await openAs(page, site, owner, '/integrations/push-data')
  const table = page.getByRole('table', { name: 'Keys' })
  const row = (text: string | RegExp) => table.getByRole('row').filter({ hasText: text })
  await expect(row('Push data')).toContainText('Never')
  await expect(page.getByLabel('API Key')).toHaveCount(1)

  await page.getByRole('button', { name: 'Add API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add API key' })
  await dialog.getByRole('button', { name: 'Add API key' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Check the marked fields')
  await expect(dialog).toContainText('Choose at least one right')
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Name').fill('Push Data')
  await dialog.getByRole('checkbox', { name: 'Read data' }).check()
  await dialog.getByRole('button', { name: 'Add API key' }).click()
  await expect(dialog).toContainText('Another API key already has this name.')
  await dialog.getByLabel('Name').fill('Reports')
  await dialog.getByLabel('Expires').selectOption('In 90 days')
  await dialog.getByRole('button', { name: 'Add API key' }).click()
  const shown = page.getByRole('dialog', { name: 'Reports' })
  await expect(shown).toContainText('It won’t be shown again.')
  await expectAccessibleInBothThemes(page)
  await shown.getByRole('button', { name: 'Copy' }).click()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(row('Reports')).toContainText(`•••• ${key.slice(-4)}`)
  await expect(row('Reports')).toContainText('Read data')
  await expectAccessibleInBothThemes(page)
  const reads = async (token: string) => (await site.api('GET', `/accounts/${owner.id}/partners`, { token })).status
  expect(await reads(key)).toBe(200)

  await page.getByRole('button', { name: /^Actions for Reports/ }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await page.getByRole('dialog', { name: 'Rotate key?' }).getByRole('button', { name: 'Rotate' }).click()
  await expect(shown).toContainText('The old key works for 24 more hours.')
  await shown.getByRole('button', { name: 'Copy' }).click()
  const next = await page.evaluate(() => navigator.clipboard.readText())
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(row('Reports')).toHaveCount(2)
  await expect(row('Replaced')).toContainText(`•••• ${key.slice(-4)}`)
  expect([await reads(key), await reads(next)]).toEqual([200, 200])

  await page.getByRole('button', { name: `Actions for Reports ${key.slice(-4)}` }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Delete'])
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const remove = page.getByRole('dialog', { name: 'Delete API key' })
  await expect(remove).toContainText('This will delete Reports.')
  await remove.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'API key deleted' })).toBeVisible()
  await expect(row('Reports')).toHaveCount(1)
  expect([await reads(key), await reads(next)]).toEqual([401, 200])
  expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
})
