import { readFile } from 'node:fs/promises'
import { deliverStripeEvent, stripePayment } from '../fakes/stripe-events.ts'
import { ADMINISTRATOR, expectOk, signIn, tokenInLink } from '../support/app.ts'
import { filterUnexpected } from '../support/browser.ts'
import { interceptCalls } from '../support/intercept-calls.ts'
import {
  anOwner,
  aSignedUpPartner,
  atRest,
  expectAccessibleInBothThemes,
  invitationLink,
  openAs,
  pageHeading,
} from '../support/journey.ts'
import {
  aLead,
  apiGet,
  apiPost,
  buttonNamed,
  chooseIn,
  daysFrom,
  dialogNamed,
  figureNamed,
  fromMenu,
  jane,
  marcus,
  owner,
  panelNamed,
  prepareLeads,
  saleOn,
  shownDay,
  site,
  statusMessage,
  withoutRefusals,
} from '../support/leads-screens.ts'
import { expect, test } from '../support/test.ts'

// Leads and their sales for an owner, a partner and an administrator: entered, sold to, refunded, reassigned.

prepareLeads()

const SIGNING_SECRET = 'whsec_leads'
const aSale = (lead: { id: string }, fields: Record<string, unknown> = {}) =>
  apiPost(`/leads/${lead.id}/sales`, { amount: 100_00, description: 'Team plan', ...fields })

test('each role’s screens, and their names', async ({ page, browser, complaints }) => {
  const lead = await aLead({ firstName: 'Nadia', lastName: 'Haddad', email: 'nadia@oasis.example' })
  const labels = ['First Name', 'Last Name', 'Email', 'Phone', 'Company', 'External ID', 'Partner']

  await openAs(page, site, owner, '/leads')
  await expect(pageHeading(page, 'Leads')).toBeVisible()
  await expect(page).toHaveTitle('Leads · Tributary')
  await expect(page.getByRole('tab')).toHaveText([
    'Leads',
    'Sales',
    // each with its count
    'Unattributed sales0',
    'Claims0',
    'Fraud review0',
  ])
  await expect(page.getByRole('group', { name: 'Page actions' }).getByRole('button')).toHaveText([
    'Download CSV',
    'Import',
    'Add lead',
  ])
  for (const label of ['Search leads', 'Status', 'Partner', 'Source'])
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  const heads = ['Select all on page', 'Lead', 'Partner', 'Status', 'Sales', 'Revenue', 'Commission', 'Created']
  await expect(page.getByRole('table', { name: 'Leads' }).getByRole('columnheader')).toHaveText(heads)

  await page.goto(`${site.url}/leads/new`)
  await expect(pageHeading(page, 'Add lead')).toBeVisible()
  await expect(buttonNamed(page, 'Add lead')).toBeVisible()
  for (const label of labels) await expect(page.getByLabel(label, { exact: true })).toBeEditable()

  await page.goto(`${site.url}/leads/${lead.id}`)
  await expect(pageHeading(page, 'Nadia Haddad')).toBeVisible()
  await expect(page).toHaveTitle('Nadia Haddad · Tributary')
  const actions = page.getByRole('group', { name: 'Page actions' })
  for (const name of ['Change status', 'Edit', 'Add sale'])
    await expect(actions.getByRole('button', { name, exact: true })).toBeEnabled()
  await actions.getByRole('button', { name: 'Actions for Nadia Haddad' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    ...['Add note', 'Reassign', 'Extend protection', 'Delete'],
    ...['Download person file', 'Erase person'],
  ])
  await page.keyboard.press('Escape')
  for (const label of ['Sales', 'Revenue', 'Revenue share', 'Profit'])
    await expect(figureNamed(page, label)).toBeVisible()

  await page.goto(`${site.url}/leads/${lead.id}/update`)
  await expect(pageHeading(page, 'Edit lead')).toBeVisible()
  await expect(buttonNamed(page, 'Save changes')).toBeVisible()
  for (const label of labels) await expect(page.getByLabel(label, { exact: true })).toBeVisible()

  await page.goto(`${site.url}/leads/${lead.id}/new-sale`)
  await expect(pageHeading(page, 'Add sale')).toBeVisible()
  await expect(buttonNamed(page, 'Add sale')).toBeVisible()
  for (const label of ['Amount', 'Currency', 'Sale Date', 'Description', 'External ID'])
    await expect(page.getByLabel(label, { exact: true })).toBeEditable()
  expect(complaints).toEqual([])

  const partnerPage = await browser.newPage()
  await openAs(partnerPage, site, jane, '/leads')
  await expect(pageHeading(partnerPage, 'Leads')).toBeVisible()
  await expect(partnerPage.getByRole('table', { name: 'Leads' })).toBeVisible()
  await expect(partnerPage.getByRole('tab')).toHaveCount(0)
  await expect(buttonNamed(partnerPage, 'Add lead')).toHaveCount(0)
  for (const path of ['/leads/new', '/partners/new', `/leads/${lead.id}/update`, `/leads/${lead.id}/new-sale`]) {
    await partnerPage.goto(`${site.url}${path}`)
    await expect(partnerPage).toHaveURL(`${site.url}/dashboard`)
  }
  await partnerPage.close()

  const adminPage = await browser.newPage()
  await adminPage.goto(`${site.url}/auth/sign-in`)
  await adminPage.getByLabel('Email').fill(ADMINISTRATOR.email)
  await adminPage.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password)
  await buttonNamed(adminPage, 'Sign in').click()
  await expect(pageHeading(adminPage, 'Accounts')).toBeVisible()
  for (const path of ['/leads', `/leads/${lead.id}`]) {
    await adminPage.goto(`${site.url}${path}`)
    await expect(adminPage).toHaveURL(`${site.url}/admin/accounts`)
  }
  await adminPage.close()
})

test('the status is changed by keyboard alone, with a reason, and changed back', async ({ page, complaints }) => {
  const lead = await aLead({ firstName: 'Ida', lastName: 'Moreau' })
  await openAs(page, site, owner, '/leads')
  await page.getByRole('link', { name: 'Ida Moreau' }).click()
  await expect(pageHeading(page, 'Ida Moreau')).toBeVisible()
  const opener = buttonNamed(page, 'Change status')
  await opener.focus()
  await page.keyboard.press('Enter')
  const status = dialogNamed(page, 'Change status')
  await expect(status).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(status).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(status.getByLabel('Status', { exact: true })).toHaveValue('qualified')
  await status.getByLabel('Status', { exact: true }).focus()
  await page.keyboard.type('Rejected')
  await expect(status.getByLabel('Status', { exact: true })).toHaveValue('rejected')
  await status.getByRole('button', { name: 'Change status' }).focus()
  await page.keyboard.press('Enter')
  await expect(status.getByRole('alert')).toBeFocused()
  await expect(status.getByLabel('Reason')).toHaveAccessibleDescription(/Choose a reason/)
  // From the alert: the link to the field, which the keyboard follows.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(status.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Not a fit')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Wants a feature we do not have.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(status.getByRole('checkbox', { name: 'Share note with partner' })).toBeChecked()
  for (let tab = 0; tab < 12; tab += 1) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
      ),
    ).toBe(true)
  }
  await status.getByRole('button', { name: 'Change status' }).focus()
  await page.keyboard.press('Enter')
  await expect(status).toBeHidden()
  await expect(page.getByRole('status').getByText('Ida Moreau is now Rejected')).toBeVisible()
  await expect(panelNamed(page, 'Note for the partner')).toContainText('Wants a feature we do not have.')
  expect((await apiGet(`/leads/${lead.id}`)).statusReason).toBe('not-a-fit')

  await buttonNamed(page, 'Undo').click()
  await expect(page.getByText('New', { exact: true })).toBeVisible()
  expect((await apiGet(`/leads/${lead.id}`)).status).toBe('new')

  await page.getByRole('button', { name: 'Actions for Ida Moreau' }).focus()
  await page.keyboard.press('Enter')
  // the last three are about deleting and erasing
  for (const key of ['End', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await expect(dialogNamed(page, 'Delete lead').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site.url}/leads`)
  await expect(statusMessage(page, 'Lead deleted')).toBeVisible()
  await expect(pageHeading(page, 'Leads')).toBeFocused()
  await expect(page.getByRole('link', { name: 'Ida Moreau' })).toBeHidden()
  expect(complaints).toEqual([])
})

test('a sale with several lines lists them below it', async ({ page, complaints }) => {
  const lead = await aLead()
  const lines = [
    { name: 'Pro plan', productId: 'pro', quantity: 2, amount: 400_00 },
    { productId: 'onboarding', amount: 80_00 },
  ]
  await aSale(lead, { amount: 480_00, lines })
  await aSale(lead, { amount: 10_00, lines: [{ name: 'Sticker', amount: 10_00 }] })
  await openAs(page, site, owner, `/leads/${lead.id}`)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Pro plan × 2')).toContainText('$400.00')
  await expect(row('onboarding')).toContainText('$80.00')
  await expect(page.getByText('Sticker')).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('Pro plan × 2')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a sale resembling an existing one asks first; one with a used number names that sale', async ({
  page,
  complaints,
}) => {
  const lead = await aLead()
  await aSale(lead, { amount: 480_00, saleDate: daysFrom(-3), externalId: 'INV-7' })
  await openAs(page, site, owner, `/leads/${lead.id}/new-sale`)
  await page.getByLabel('Amount', { exact: true }).fill('480.00')
  await expect(page.getByText('This looks like an existing sale')).toBeHidden()
  await page.getByLabel('Sale Date').fill(daysFrom(-3))
  await expect(page.getByText('This looks like an existing sale')).toBeVisible()
  await expect(page.getByText(`$480.00 on ${shownDay(daysFrom(-3))}, added manually.`)).toBeVisible()
  await buttonNamed(page, 'Add sale').click()
  await expect(page.getByRole('alert')).toContainText('This is a different sale')
  await page.getByLabel('This is a different sale').check()
  await page.getByLabel('External ID').fill('INV-7')
  await buttonNamed(page, 'Add sale').click()
  await expect(page.getByLabel('External ID')).toHaveAccessibleDescription(/This external ID is taken/)
  await expect(
    page.getByText(`This external ID belongs to the $480.00 sale on ${shownDay(daysFrom(-3))}.`),
  ).toBeVisible()
  await page.getByLabel('External ID').fill('INV-8')
  await buttonNamed(page, 'Add sale').click()
  await expect(statusMessage(page, 'Sale added')).toBeVisible()
  expect((await apiGet(`/leads/${lead.id}/sales`)).total).toBe(2)
  expect(withoutRefusals(complaints)).toEqual([])
})

test('forms explain invalid input, and keep it until it is discarded', async ({ page, complaints }) => {
  const lead = await aLead({ firstName: 'Grace', lastName: 'Demir', email: 'grace@demir.example' })
  await openAs(page, site, owner, '/leads/new')
  await buttonNamed(page, 'Add lead').click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields')
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Enter an email, phone or external ID/)
  await page.getByLabel('First Name').fill('x'.repeat(101))
  await page.getByLabel('Email').fill('not an email')
  await page.getByLabel('Phone').fill('12')
  await buttonNamed(page, 'Add lead').click()
  await expect(page.getByLabel('First Name')).toHaveAccessibleDescription(/Use at most 100 characters/)
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Enter a valid email address/)
  await expect(page.getByLabel('Phone')).toHaveAccessibleDescription(/Enter 7 to 15 digits/)
  await page.getByLabel('First Name').fill('<script>alert(1)</script>')
  await page.getByLabel('Last Name').fill('أحمد 🌊')
  await page.getByLabel('Phone').fill('')
  await page.getByLabel('Email').fill('grace@demir.example')
  await buttonNamed(page, 'Add lead').click()
  await expect(page.getByText('This lead already exists.')).toBeVisible()
  await page.getByRole('link', { name: 'View existing lead' }).click()
  const leaving = dialogNamed(page, 'Leave without saving?')
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Last Name')).toHaveValue('أحمد 🌊')
  await page.getByLabel('Email').fill('script@demir.example')
  await buttonNamed(page, 'Add lead').click()
  await expect(pageHeading(page, '<script>alert(1)</script> أحمد 🌊')).toBeVisible()

  await page.goto(`${site.url}/leads/${lead.id}/new-sale`)
  await buttonNamed(page, 'Add sale').click()
  await expect(page.getByLabel('Amount', { exact: true })).toHaveAccessibleDescription(/Amount is required/)
  for (const [typed, answer] of [
    ['0', 'Enter an amount greater than 0'],
    ['-5', 'Enter an amount greater than 0'],
    ['twelve', 'Enter an amount greater than 0'],
    ['10,000,000,000,000', 'Enter \\$10,000,000,000.00 or less'],
  ] as const) {
    await page.getByLabel('Amount', { exact: true }).fill(typed)
    await buttonNamed(page, 'Add sale').click()
    await expect(page.getByLabel('Amount', { exact: true })).toHaveAccessibleDescription(new RegExp(answer))
  }
  await page.getByLabel('Amount', { exact: true }).fill('12.50')
  await page.getByLabel('Sale Date').fill(daysFrom(3))
  await buttonNamed(page, 'Add sale').click()
  await expect(page.getByLabel('Sale Date')).toHaveAccessibleDescription(/The date cannot be in the future/)
  await page.getByLabel('Currency').selectOption('eur')
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('12.50')
  await page.getByRole('link', { name: 'Grace Demir' }).click()
  await dialogNamed(page, 'Leave without saving?').getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(pageHeading(page, 'Grace Demir')).toBeVisible()
  expect(withoutRefusals(complaints)).toEqual([])
})

test('a sale in another currency waits for its rate; one by the partner waits for approval', async ({
  page,
  complaints,
}) => {
  const lead = await aLead()
  await openAs(page, site, owner, `/leads/${lead.id}/new-sale`)
  await page.getByLabel('Amount', { exact: true }).fill('500')
  await page.getByLabel('Currency').selectOption('eur')
  await expect(page.getByText('There’s no EUR exchange rate for this date.')).toBeVisible()
  await buttonNamed(page, 'Add sale').click()
  const sale = saleOn(page, '€500.00 EUR')
  await expect(sale).toContainText('Waiting for the EUR exchange rate')
  await sale.getByRole('button', { name: 'Enter exchange rate' }).click()
  const entering = dialogNamed(page, 'Enter exchange rate')
  await entering.getByRole('button', { name: 'Enter exchange rate' }).click()
  await expect(entering.getByLabel('Exchange Rate', { exact: true })).toHaveAccessibleDescription(/is required/)
  await entering.getByLabel('Exchange Rate', { exact: true }).fill('1.0812')
  await expect(entering).toContainText('This sale becomes $540.60.')
  await entering.getByRole('button', { name: 'Enter exchange rate' }).click()
  await expect(sale).toContainText('$540.60 at 1.0812')
  await expect(sale).toContainText('$54.06')
  await expect(figureNamed(page, 'Revenue')).toContainText('$540.60')

  const own = await aLead({ firstName: 'J.', lastName: 'W.', email: jane.email })
  await aSale(own, { amount: 300_00 })
  await page.goto(`${site.url}/leads/${own.id}`)
  const held = saleOn(page, '$300.00')
  await expect(held).toContainText(`On hold until ${shownDay(daysFrom(30))}: the lead’s email is`)
  await held.getByRole('button', { name: 'Release' }).click()
  const release = dialogNamed(page, 'Release sale')
  await expect(release).toContainText('$45.00 in commission')
  await release.getByLabel('Reason').fill('It is her own shop')
  await release.getByRole('button', { name: 'Release' }).click()
  await expect(statusMessage(page, 'Sale released')).toBeVisible()
  await expect(held.getByRole('button', { name: 'Release' })).toHaveCount(0)
  await expect(held).toContainText('Held')
  expect(complaints).toEqual([])
})

test('the list is searched, filtered and paged; payments without a partner are attributed', async ({
  page,
  complaints,
}) => {
  const stray = await aLead({ partnerId: null, firstName: 'Quentin', lastName: 'Solo', email: 'quentin@solo.example' })
  await apiPost(`/leads/${stray.id}/status`, { status: 'rejected', reason: 'spam' })
  const connection = await apiPost(`/accounts/${owner.id}/payment-providers/connect`, {
    provider: 'stripe',
    credentials: { restrictedKey: site.stripe.key, webhookSecret: SIGNING_SECRET },
  })
  const payment = stripePayment({
    amount: 129_00,
    email: 'rosa@buyer.example',
    customer: 'cus_RosaBuyer',
    store: site.stripe.store,
  })
  await deliverStripeEvent(connection.webhookUrl, payment.checkoutCompleted, SIGNING_SECRET)

  await openAs(page, site, owner, '/leads')
  const table = page.getByRole('table', { name: 'Leads' })
  await page.getByLabel('Search leads').fill('quentin')
  await expect(page).toHaveURL(/search=quentin/)
  await expect(table.locator('tbody tr')).toHaveCount(1)
  await expect(table).toContainText('Unattributed')
  await page.getByLabel('Status', { exact: true }).selectOption('won')
  await expect(page.getByText('No data to show')).toBeVisible()
  await buttonNamed(page, 'Clear filters').click()
  await page.getByRole('combobox', { name: 'Partner' }).click()
  await page.getByRole('option', { name: 'Unattributed' }).click()
  await expect(page).toHaveURL(/partnerId=none/)
  await expect(table).toContainText('Quentin Solo')
  await expect(table).not.toContainText('Jane Whitfield')
  await page.getByLabel('Source', { exact: true }).selectOption('embed')
  await expect(page.getByText('No data to show')).toBeVisible()
  await page.getByLabel('Source', { exact: true }).selectOption('')
  await expect(table).toContainText('Quentin Solo')
  const created = page.getByRole('button', { name: /^Created / })
  await created.click()
  await buttonNamed(page, 'Last month').click()
  await expect(page.getByText('No data to show')).toBeVisible()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-01&to=/)
  await created.click()
  await page.getByRole('list', { name: 'Ranges' }).getByRole('button', { name: 'All' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await expect(table).toContainText('Quentin Solo')

  await page.getByRole('tab', { name: 'Unattributed sales' }).click()
  await expect(page).toHaveURL(`${site.url}/leads?tab=unattributed`)
  const sales = page.getByRole('table', { name: 'Unattributed sales' })
  await expect(async () => {
    await page.reload()
    await expect(sales.getByRole('row').filter({ hasText: '$129.00' })).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  const stranger = sales.getByRole('row').filter({ hasText: '$129.00' })
  await expect(stranger).toContainText('rosa@buyer.example')
  // its optional columns are hidden by itself
  await expect(buttonNamed(page, 'Save view')).toHaveCount(0)
  await page.getByLabel('Search sales').fill('nobody@buyer.example')
  await expect(buttonNamed(page, 'Save view')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()
  await page.getByLabel('Search sales').fill('rosa@buyer')
  await expect(stranger).toBeVisible()
  await stranger.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Why' }).click()
  const whyNot = dialogNamed(page, 'Why this sale wasn’t credited')
  await expect(whyNot).toContainText('No match')
  await expect(whyNot).toContainText('rosa@buyer.example')
  await expect(whyNot.getByRole('link', { name: 'cus_RosaBuyer' })).toHaveAttribute(
    'href',
    'https://dashboard.stripe.com/test/customers/cus_RosaBuyer',
  )
  await whyNot.getByRole('button', { name: 'Attribute' }).click()
  await expect(dialogNamed(page, 'Attribute sale')).toBeVisible()
  await page.keyboard.press('Escape')
  // a lead created after the payment: its partner is only offered
  const late = await aLead({ firstName: 'Rosa', lastName: 'Later', email: 'rosa@buyer.example' })
  await stranger.getByRole('button', { name: 'Attribute' }).click()
  await expect(dialogNamed(page, 'Attribute sale')).toContainText('rosa@buyer.example')
  await expect(dialogNamed(page, 'Attribute sale').getByLabel('Lead', { exact: true })).toHaveValue('Rosa Later')
  await page.keyboard.press('Escape')
  expectOk(await site.api('DELETE', `/leads/${late.id}`, { token: owner.token }))
  await page.reload()
  await stranger.getByRole('button', { name: 'Attribute' }).click()
  const attribute = dialogNamed(page, 'Attribute sale')
  await attribute.getByLabel('Reason').fill('She came with Jane')
  await attribute.getByRole('button', { name: 'Attribute' }).click()
  await expect(attribute.getByLabel('Partner', { exact: true })).toHaveAccessibleDescription(
    /Choose a partner or a lead/,
  )
  await chooseIn(page, 'Partner', 'Jane Whitfield')
  await attribute.getByRole('button', { name: 'Attribute' }).click()
  await expect(statusMessage(page, 'Sale attributed')).toBeVisible()
  await expect(page.getByText('No data to show')).toBeVisible()

  await page.getByRole('tab', { name: 'Leads' }).click()
  await page.getByLabel('Search leads').fill('rosa')
  await table.getByRole('link', { name: 'rosa' }).click()
  const bought = saleOn(page, '$129.00')
  await expect(bought).toContainText('$12.90')
  await expect(bought).toContainText('$6.45')
  await page.getByRole('button', { name: /^Actions for \$129\.00 sale/ }).click()
  // A Stripe payment is refunded at Stripe.
  await expect(page.getByRole('menuitem')).toHaveText(['Refund in Stripe', 'Void'])
  const there = await page.getByRole('menuitem', { name: 'Refund in Stripe' }).getAttribute('href')
  expect(there).toMatch(/^https:\/\/dashboard\.stripe\.com\/(acct_\w+\/)?test\/payments\/pi_/)
  await page.keyboard.press('Escape')
  await bought.getByRole('button', { name: 'Credited manually' }).click()
  const why = dialogNamed(page, 'Why this partner')
  await expect(why).toContainText('The sale came without a click')
  await expect(why).toContainText('The payer’s email doesn’t match an open lead or a customer')

  await page.goto(`${site.url}/leads?tab=sales`)
  const line = page.getByRole('table', { name: 'Leads: Sales' }).getByRole('row').filter({ hasText: '$129.00' })
  await line.getByRole('button', { name: /^Actions for / }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Refund in Stripe', 'Edit description', 'Void'])
  expect(complaints).toEqual([])
})

test('a note appears in the timeline, and its partner reads it only if it is shared', async ({ page, complaints }) => {
  const lead = await aLead({ firstName: 'Nils', lastName: 'Holm' })
  await openAs(page, site, owner, `/leads/${lead.id}`)
  const note = dialogNamed(page, 'Add note')
  await fromMenu(page, 'Actions for Nils Holm', 'Add note')
  await expect(note.getByLabel('Note', { exact: true })).toHaveAccessibleDescription(/Only your team sees it/)
  await note.getByLabel('Note', { exact: true }).fill('Budget is approved')
  await note.getByLabel('Share note with partner').check()
  await expect(note.getByLabel('Note', { exact: true })).toHaveAccessibleDescription(/The partner sees it/)
  await expectAccessibleInBothThemes(page)
  await note.getByRole('button', { name: 'Add note' }).click()
  await expect(note).toBeHidden()
  await expect(statusMessage(page, 'Note added')).toBeVisible()
  await expect(panelNamed(page, 'Timeline').getByRole('listitem').first()).toContainText(
    /^Note.*“Budget is approved” Elena Marsh/,
  )
  expect(complaints).toEqual([])
})

test('a lead links to the next one of the list it was opened from, and Back to that list', async ({
  page,
  complaints,
}) => {
  for (const firstName of ['Abe', 'Bea', 'Cal']) await aLead({ firstName, lastName: 'Next' })
  await openAs(page, site, owner, '/leads?search=Next&sort=name')
  await page.getByRole('link', { name: 'Bea Next' }).click()
  await expect(pageHeading(page, 'Bea Next')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Next lead').click()
  await expect(pageHeading(page, 'Cal Next')).toBeFocused()
  await expect(buttonNamed(page, 'Next lead')).toBeDisabled()
  await buttonNamed(page, 'Previous lead').click()
  await buttonNamed(page, 'Previous lead').click()
  await expect(pageHeading(page, 'Abe Next')).toBeVisible()
  await expect(buttonNamed(page, 'Previous lead')).toBeDisabled()
  await page.goBack()
  await expect(page).toHaveURL(/\/leads\?search=Next&sort=name$/)
  // opened by its address, a lead has no list
  await page.getByRole('link', { name: 'Abe Next' }).click()
  await expect(buttonNamed(page, 'Next lead')).toBeVisible()
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
  await expect(pageHeading(page, 'Abe Next')).toBeVisible()
  await expect(buttonNamed(page, 'Next lead')).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a sale is added from the list of sales, for a lead that is chosen or for a new customer', async ({
  page,
  complaints,
}) => {
  await aLead({ firstName: 'Dana', lastName: 'Buyer' })
  await openAs(page, site, owner, '/leads?tab=sales')
  const actions = page.getByRole('group', { name: 'Page actions' })
  await expect(actions.getByRole('button', { name: 'Add lead' })).toBeHidden()
  await page.keyboard.press('n')
  await expect(pageHeading(page, 'Add sale')).toBeFocused()
  const form = page.getByRole('form', { name: 'Add sale' })
  const add = form.getByRole('button', { name: 'Add sale' })
  await add.click()
  await expect(form).toContainText('Lead is required')
  await chooseIn(page, 'Lead', 'Dana Buyer')
  await page.getByLabel('Amount').fill('20')
  await expect(page.getByRole('list', { name: 'How this sale splits' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await add.click()
  await expect(pageHeading(page, 'Dana Buyer')).toBeVisible()

  await page.goto(`${site.url}/leads?tab=sales`)
  await actions.getByRole('button', { name: 'Add sale' }).click()
  await chooseIn(page, 'Lead', 'New customer')
  await page.getByLabel('Amount').fill('30')
  await add.click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is required')
  const known = 'known.already@buyers.example'
  await aLead({ firstName: 'Known', lastName: 'Already', email: known })
  await page.getByLabel('Email').fill(known)
  await add.click()
  await form.getByRole('button', { name: 'Use this lead' }).click()
  await expect(page.getByRole('combobox', { name: 'Lead' })).toHaveValue('Known Already')
  await chooseIn(page, 'Lead', 'New customer')
  await page.getByLabel('Email').fill('new.customer@buyers.example')
  await page.getByLabel('External ID').fill('twice')
  await expectAccessibleInBothThemes(page)
  await add.click()
  await expect(pageHeading(page, 'new.customer')).toBeVisible()
  expect(filterUnexpected(complaints, 409)).toEqual([])
})

test('the owner reads the data submitted for a lead, as received', async ({ page, complaints }) => {
  const { apiKey } = expectOk(await site.api('PUT', `/accounts/${owner.id}/api-key`, { token: owner.token })).body
  const push = (body: object) => site.api('POST', '/push/leads', { token: apiKey, body }).then(expectOk)
  const who = { email: 'Tove@Nordlys.example', firstName: ' Tove ' }
  const { body: lead } = await push({ ...who, metadata: { password: 'hunter2', note: '<b>Team</b> plan' } })
  for (let count = 1; count <= 5; count += 1) await push({ ...who, company: `Nordlys ${count}` })
  await openAs(page, site, owner, `/leads/${lead.id}`)
  const sent = panelNamed(page, 'Raw submissions')
  const first = sent.getByRole('region', { name: /^\d\. Push data, / })
  await expect(sent).toBeVisible()
  await expect(first).toHaveCount(0)
  await sent.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(first).toHaveCount(5)
  await expect(first.first()).toContainText('"company": "Nordlys 5"')
  await sent.getByRole('button', { name: 'Show earlier' }).click()
  await expect(first).toHaveCount(6)
  await expect(first.last()).toHaveAccessibleName(/^1\. /)
  await expect(first.last()).toContainText('"email": "Tove@Nordlys.example"')
  await expect(first.last()).toContainText('"password": "•••"')
  await expect(first.last()).toContainText('<b>Team</b> plan')
  await expectAccessibleInBothThemes(page)
  expect(complaints).toEqual([])
})

test('entering a lead of a known company shows a warning; the list is saved as shown', async ({ page, complaints }) => {
  const known = await aLead({ firstName: 'Mika', lastName: 'Salo', email: 'mika@pohjola.example' })
  await openAs(page, site, owner, '/leads/new')
  await page.getByLabel('Email').fill('new@pohjola.example')
  const warning = page.getByRole('status').filter({ hasText: '1 other lead uses pohjola.example:' })
  await expect(warning.getByRole('link', { name: 'Mika Salo' })).toHaveAttribute('href', `/leads/${known.id}`)
  await page.getByLabel('Email').fill('new@gmail.com')
  await expect(warning).toHaveCount(0)

  await page.goto(`${site.url}/leads?search=pohjola&hide=salesRevenue`)
  await expect(page.getByRole('link', { name: 'Mika Salo' })).toBeVisible()
  const download = page.waitForEvent('download')
  await buttonNamed(page, 'Download CSV').click()
  const file = await download
  expect(file.suggestedFilename()).toBe('leads.csv')
  const [head, ...rows] = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(head).toContain('"email"')
  expect(head).not.toContain('"salesRevenue",')
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('mika@pohjola.example')
  expect(complaints).toEqual([])
})

test('a later registration is shown as such; the owner sees both times and decides', async ({ page, complaints }) => {
  const first = await aLead({ firstName: 'Kite', lastName: 'Ltd', email: 'ops@kite.example' })
  const later = await aLead({ partnerId: marcus.id, email: 'ops@kite.example', firstName: 'Kite', lastName: 'Ltd' })
  await openAs(page, site, owner, `/leads/${later.id}`)
  const twice = panelNamed(page, 'Registered twice')
  const both = twice.getByRole('table')
  await expect(both.getByRole('row').filter({ hasText: 'First' })).toContainText('Jane Whitfield')
  await expect(both.getByRole('row').filter({ hasText: 'Later' })).toContainText('Marcus Oyelaran')
  await expect(both.getByText(/ at \d+:\d\d [ap]m$/)).toHaveCount(2)
  await expect(page.getByText(/^Protected/)).toBeHidden()
  await expect(twice.getByRole('list', { name: 'First: Jane Whitfield' })).toContainText('Registered again')
  await expect(twice.getByRole('list', { name: 'Later: Marcus Oyelaran' })).toContainText('Already registered')
  // each registration has one entry
  await expect(panelNamed(page, 'Timeline')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Give to Marcus Oyelaran').click()
  await expect(both.getByRole('row').filter({ hasText: 'First' })).toContainText('Marcus Oyelaran')
  await expect(buttonNamed(page, 'Give to Marcus Oyelaran')).toHaveCount(0)
  expect((await apiGet(`/leads/${first.id}`)).partnerId).toBe(marcus.id)
  await buttonNamed(page, 'Undo').click()
  await expect(both.getByRole('row').filter({ hasText: 'First' })).toContainText('Jane Whitfield')
  expect((await apiGet(`/leads/${first.id}`)).partnerId).toBe(jane.id)

  await both.getByRole('link', { name: 'First' }).click()
  await expect(pageHeading(page, 'Kite Ltd')).toBeVisible()
  const also = panelNamed(page, 'Also registered by Marcus Oyelaran')
  await expect(also.getByRole('list')).toHaveAccessibleName('Later: Marcus Oyelaran')
  await expect(page.getByText('No data to show')).toHaveCount(0)
  await also.getByRole('button', { name: 'Give to Marcus Oyelaran' }).click()
  await expect(panelNamed(page, 'Why this partner')).toContainText('Marcus Oyelaran')
  await expect(panelNamed(page, 'Timeline')).toContainText('who registered it later')
  expect(complaints).toEqual([])
})

test('a partner reads their lead masked, with their own share and the notes shared with them', async ({
  page,
  complaints,
}) => {
  const lead = await aLead({
    firstName: 'Lena',
    lastName: 'Fischer',
    email: 'lena@fischer.example',
    phone: '+1 415 555 0142',
  })
  await apiPost(`/leads/${lead.id}/status`, {
    status: 'qualified',
    note: 'For us alone',
    sharedNote: 'Thank you, Jane',
  })
  await apiPost(`/leads/${lead.id}/notes`, { text: 'Prefers calls' })
  await apiPost(`/leads/${lead.id}/notes`, { text: 'The demo went well', shared: true })
  await aSale(lead, { amount: 1000_00, description: 'Secret plan' })
  await openAs(page, site, jane, '/leads')
  await page.getByRole('link', { name: 'Lena Fischer' }).click()
  await expect(pageHeading(page, 'Lena Fischer')).toBeVisible()
  await expect(page.getByText('l•••@fischer.example')).toBeVisible()
  await expect(page.getByText('•••42')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Page actions' })).toHaveCount(0)
  await expect(figureNamed(page, 'Earnings')).toContainText('$100.00')
  await expect(page.getByText('Profit')).toHaveCount(0)
  const sale = saleOn(page, '$1,000.00')
  await expect(sale).toContainText('Jane Whitfield')
  await expect(sale).toContainText('$100.00')
  await expect(sale.getByRole('button', { name: /^Actions/ })).toHaveCount(0)
  await expect(panelNamed(page, 'Note for you')).toContainText('Thank you, Jane')
  await expect(panelNamed(page, 'Timeline')).toContainText('The demo went well')
  for (const hidden of [
    'For us alone',
    'Prefers calls',
    'Secret plan',
    'Sofia Lindqvist',
    'lena@fischer.example',
    '$50.00',
  ])
    await expect(page.getByRole('main').getByText(hidden)).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  const foreign = await aLead({ partnerId: marcus.id, firstName: 'Not', lastName: 'Hers' })
  await page.goto(`${site.url}/leads/${foreign.id}`)
  await expect(page.getByRole('alert')).toContainText('This lead doesn’t exist, or it belongs to another account.')
  await expect(page.getByText('Not Hers')).toHaveCount(0)
  expect(withoutRefusals(complaints)).toEqual([])
})

test('the longest texts and the largest amounts fit, also on a phone', async ({ page, complaints }) => {
  const lead = await aLead({
    firstName: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2),
    lastName: 'Featherstonehaugh',
    company: 'C'.repeat(200),
    externalId: 'X'.repeat(200),
    metadata: { ['k'.repeat(100)]: 'v'.repeat(300) },
  })
  await aSale(lead, { amount: 1_000_000_000_000 })
  await aSale(lead, { amount: 5000, saleDate: daysFrom(-40), description: 'D'.repeat(500) })
  const bare = await aLead({ partnerId: null, firstName: 'Noah', lastName: 'Bennett' })
  await openAs(page, site, owner, '/leads')
  for (const path of [
    `/leads/${lead.id}`,
    `/leads/${bare.id}`,
    `/leads/${lead.id}/update`,
    `/leads/${lead.id}/new-sale`,
  ]) {
    await page.goto(`${site.url}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await atRest(page)
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('main')).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
  expect(complaints).toEqual([])
})

test('a lead in another of the user’s accounts offers the role that shows it', async ({ page, complaints }) => {
  const lead = await aLead({ firstName: 'Yusuf', lastName: 'Demir' })
  const second = await anOwner(site, { name: 'Pinegate Travel' })
  // Elena owns the first account; the second one's owner makes her an owner there too.
  const { token } = await signIn(site, ADMINISTRATOR.email, ADMINISTRATOR.password)
  expectOk(await site.api('PUT', `/accounts/${second.id}/owner`, { token, body: { email: owner.email } }))
  const link = await invitationLink(site, owner.email, 'Pinegate Travel')
  expectOk(
    await site.api('POST', '/auth/user-setup/accept', { token: owner.token, body: { token: tokenInLink(link) } }),
  )
  await openAs(page, site, owner, '/leads')
  await page.getByRole('button', { name: /^Switch role/ }).click()
  await page.getByRole('menuitemradio', { name: 'Pinegate Travel' }).click()
  for (const path of ['', '/update', '/new-sale']) {
    await page.goto(`${site.url}/leads/${lead.id}${path}`)
    await expect(buttonNamed(page, 'Switch to Harbor Analytics')).toBeVisible()
    await expect(page.getByText('Yusuf Demir')).toHaveCount(0)
  }
  await buttonNamed(page, 'Switch to Harbor Analytics').click()
  await expect(pageHeading(page, 'Add sale')).toBeVisible()
  await expect(page.getByLabel('Amount', { exact: true })).toBeVisible()
  expect(complaints).toEqual([])
})

test('every figure of a sale is explained: its rule, why it is held, its receipt', async ({
  page,
  browser,
  complaints,
}) => {
  const lead = await aLead({ firstName: 'Ines', lastName: 'Duarte' })
  const made = await aSale(lead, { amount: 1480_00, description: 'Annual plan' })
  await apiPost(`/sales/${made.id}/refunds`, { amount: 148_00, reason: 'One seat less' })
  await openAs(page, site, owner, `/leads/${lead.id}`)
  await page.setViewportSize({ width: 1440, height: 800 })
  const sales = page.getByRole('table', { name: 'Sales' })
  const heads = ['Sale date', 'Status', 'Amount', 'Layer', 'Rate', 'Commission', 'Commission status', 'Actions']
  await expect(sales.getByRole('columnheader')).toHaveText(heads)
  // next to the context there is less room: status and rate move below the cells they belong to, and nothing is cut off
  const fewer = heads.filter((head) => head !== 'Status' && head !== 'Rate')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(sales.getByRole('columnheader')).toHaveText(fewer)
  await expect(sales.getByRole('rowheader')).toContainText('Partially refunded')
  await expect(sales.getByRole('cell', { name: '1 · Jane Whitfield 10%' })).toBeVisible()
  const heights = await sales.locator('[data-tone]').evaluateAll((badges) => badges.map((badge) => badge.clientHeight))
  expect(new Set(heights)).toEqual(new Set([24]))
  await expect(sales).toContainText(`until ${shownDay(daysFrom(30))}`)
  await expect(panelNamed(page, 'Timeline').getByRole('listitem').filter({ hasText: 'Refund of' })).toContainText(
    'Elena Marsh',
  )
  await sales.getByRole('button', { name: 'Credited manually' }).click()
  await expect(dialogNamed(page, 'Why this partner')).toContainText('Someone recorded or attributed it manually')
  await page.keyboard.press('Escape')

  await sales.getByRole('link', { name: 'Receipt for $133.20 to Jane Whitfield' }).click()
  const receipt = dialogNamed(page, 'Receipt for $148.00')
  for (const part of [
    '$1,480.00 on ',
    'Ines Duarte',
    'Every sale: 10% of $1,480.00',
    '$148.00',
    '-$14.80',
    '$133.20',
    shownDay(daysFrom(30)),
    'Waiting period after the sale',
  ])
    await expect(receipt).toContainText(part)
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 768, height: 800 })
  await expect(sales.getByRole('columnheader')).toHaveText(fewer)
  await page.setViewportSize({ width: 767, height: 800 })
  await expect(page.getByRole('list', { name: 'Sales' })).toBeVisible()
  await expect(sales).toHaveCount(0)

  const partnerPage = await browser.newPage()
  await openAs(partnerPage, site, jane, `/leads/${lead.id}`)
  await expect(saleOn(partnerPage, '$1,480.00')).toContainText(`until ${shownDay(daysFrom(30))}`)
  await expect(saleOn(partnerPage, '$1,480.00')).toContainText('Credited manually')
  await partnerPage.getByRole('link', { name: 'Receipt for $133.20 to Jane Whitfield' }).click()
  await expect(dialogNamed(partnerPage, 'Receipt for $148.00')).toContainText('Waiting period after the sale')
  await expect(dialogNamed(partnerPage, 'Receipt for $148.00')).not.toContainText('Sofia')
  await partnerPage.close()
  expect(complaints).toEqual([])
})

test('a flagged or refused self-referral says so on the lead and on its sale', async ({ page, complaints }) => {
  const policy = (selfReferralPolicy: string) =>
    site.api('PATCH', `/accounts/${owner.id}`, { token: owner.token, body: { selfReferralPolicy } }).then(expectOk)
  const shop = await aSignedUpPartner(site, owner, { firstName: 'Kim', lastName: 'Sato' })
  const own = await aLead({ partnerId: shop.id, firstName: 'Kim', lastName: 'S.', email: shop.email })
  await policy('flag')
  await aSale(own, { amount: 210_00 })
  await openAs(page, site, owner, `/leads/${own.id}`)
  await expect(saleOn(page, '$210.00')).toContainText('Flagged: the lead’s email is')
  const notice = page.getByRole('main').getByRole('status').filter({ hasText: 'self-referral' })
  await expect(notice).toContainText('A sale from this lead is flagged as a self-referral.')
  await policy('refuse')
  await aSale(own, { amount: 220_00 })
  await page.reload()
  await expect(saleOn(page, '$220.00')).toContainText('No commission: the lead’s email is')
  await expect(notice).toContainText('earned no commission')
  await page.goto(`${site.url}/leads?search=Kim`)
  await expect(page.getByRole('row').filter({ hasText: 'Kim S.' })).toContainText('Self-referral: commission refused')
  await policy('hold')
  expect(complaints).toEqual([])
})

test('on a rejected lead a partner reads the account’s reason, and no protection', async ({ page }) => {
  const lead = await aLead({ firstName: 'Theo', lastName: 'Brandt' })
  const body = { status: 'rejected', reason: 'not-a-fit', note: 'For us alone', sharedNote: 'Too small for now' }
  await apiPost(`/leads/${lead.id}/status`, body)
  await openAs(page, site, jane, `/leads/${lead.id}`)
  const rejection = page.getByRole('main').getByRole('status').filter({ hasText: 'This lead was rejected.' })
  await expect(rejection).toContainText('“Too small for now”')
  await expect(page.getByText(/^Protected/)).toHaveCount(0)
  const silent = await aLead({ firstName: 'Una', lastName: 'Berg' })
  await apiPost(`/leads/${silent.id}/status`, { status: 'rejected', reason: 'spam' })
  await page.goto(`${site.url}/leads/${silent.id}`)
  await expect(rejection).toContainText('No reason was shared.')
})

test('a partner registers leads while the account allows it, and gets the result at once', async ({
  page,
  complaints,
}) => {
  const known = await aLead({
    partnerId: marcus.id,
    email: 'ops@taken.example',
    firstName: 'Secret',
    lastName: 'Person',
  })
  const letPartners = (partnerLeadSubmission: boolean) =>
    site.api('PATCH', `/accounts/${owner.id}`, { token: owner.token, body: { partnerLeadSubmission } }).then(expectOk)
  await letPartners(true)
  await openAs(page, site, jane, '/leads')
  await page.getByRole('group', { name: 'Page actions' }).getByRole('button', { name: 'Add lead' }).click()
  await expect(pageHeading(page, 'Add lead')).toBeFocused()
  await buttonNamed(page, 'Add lead').click()
  await expect(page.getByRole('alert')).toContainText('Check the marked fields: Email')
  await page.getByLabel('First Name').fill('Petra')
  await page.getByLabel('Email', { exact: true }).fill('petra@quarry.example')
  await page.getByLabel('Note').fill('Met at the fair')
  await buttonNamed(page, 'Add lead').click()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toContainText(`New leadYou registered this lead on ${shownDay(daysFrom(0))}. Protected until`)
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Add another').click()

  await page.getByLabel('Email', { exact: true }).fill('petra@quarry.example')
  await buttonNamed(page, 'Add lead').click()
  await expect(result).toContainText('Already registered by you')
  await buttonNamed(page, 'Add another').click()
  await page.getByLabel('Email', { exact: true }).fill('ops@taken.example')
  await buttonNamed(page, 'Add lead').click()
  await expect(result).toContainText('Already registeredSomeone else registered this lead before you.')
  await expect(result).not.toContainText('Secret')
  await expect(buttonNamed(page, 'View lead')).toHaveCount(0)

  await page.goto(`${site.url}/leads`)
  const table = page.getByRole('table', { name: 'Leads' })
  await page.getByLabel('Source', { exact: true }).selectOption('partner')
  await expect(table.getByRole('row').filter({ hasText: 'Duplicate' })).toHaveCount(1)
  await table.getByRole('link', { name: 'Petra' }).click()
  await expect(panelNamed(page, 'Timeline')).toContainText('Met at the fair')
  const [duplicate] = (await apiGet(`/accounts/${owner.id}/leads?status=duplicate&partnerId=${jane.id}`)).items
  expect(duplicate.duplicateOfId).toBe(known.id)
  await page.goto(`${site.url}/leads/${duplicate.id}`)
  await expect(panelNamed(page, 'Registration')).toContainText('Registered by')
  await expect(panelNamed(page, 'Why this partner')).toHaveCount(0)
  await expect(page.getByText(/^Protected/)).toHaveCount(0)

  await letPartners(false)
  await page.goto(`${site.url}/leads/new`)
  await expect(page).toHaveURL(`${site.url}/dashboard`)
  expect(complaints).toEqual([])
})

test('a dialog stays while its call is under way, however often Escape is pressed, and shows the refusal', async ({
  page,
  complaints,
}) => {
  const lead = await aLead()
  await openAs(page, site, owner, `/leads/${lead.id}`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Add note' }).click()
  const noting = dialogNamed(page, 'Add note')
  await noting.getByLabel('Note', { exact: true }).fill('Call in May')
  const road = await interceptCalls(page)
  road.hold()
  await noting.getByRole('button', { name: 'Add note' }).click()
  await road.someWait()
  // after the first, the browser closes a dialog without asking
  for (let times = 0; times < 4; times++) {
    await page.keyboard.press('Escape')
    await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done))))
    await expect(noting).toBeVisible()
  }
  await road.refuse()
  await expect(noting.getByRole('alert')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(noting).toBeHidden()
  expect(filterUnexpected(complaints, 400)).toEqual([])
})
