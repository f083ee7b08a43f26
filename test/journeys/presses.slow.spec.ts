import type { Browser, Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { type DemoSite, startDemoSite } from '../support/demo-site.ts'
import { anOwner, aSignedUpPartner, type Known, type Site } from '../support/journey.ts'
import { attentionLink, expectToast, openDashboard } from '../support/presses.ts'
import { anotherDebtor, buildStatement, euroDetails } from '../support/sepa.ts'
import { expect, test } from '../support/test.ts'

// The presses that an owner's tasks take from the dashboard, without typing, in the demo.

let demo: DemoSite

test.beforeAll(async () => {
  test.setTimeout(600_000)
  demo = await startDemoSite({ scale: 0.02 })
})

test.afterAll(() => demo?.end())

const dashboard = (browser: Browser, site = demo.site, who: Known = demo.owner) => openDashboard(browser, site, who)

const inSidebar = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const settingsTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const saves = (page: Page) => page.getByRole('button', { name: 'Save changes' })

/** Opens what the palette finds first for this text, by keys alone. */
async function jumpTo(page: Page, text: string) {
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill(text)
  await expect(page.getByRole('option', { name: text }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
}

test('a sale without a partner is credited to its likely one by four presses', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await page.getByRole('navigation').getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('tab', { name: /^Unattributed sales/ }).click()
  const row = page
    .getByRole('table', { name: 'Unattributed sales' })
    .getByRole('row')
    .filter({ hasText: ' · ' })
    .first()
  await row.getByRole('button', { name: 'Attribute', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Attribute sale' })
  await dialog.getByRole('button', { name: 'Attribute', exact: true }).click()
  await expect(page.getByRole('status').getByText('Sale attributed', { exact: true })).toBeVisible()
  expect(presses()).toBe(4)
})

test('a link is added by three presses, and so is a promotion code of a partner', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await inSidebar(page, 'Links').click()
  await page
    .getByRole('button', { name: 'Add link' })
    .or(page.getByRole('link', { name: 'Add link' }))
    .first()
    .click()
  await page.getByLabel('Destination URL').fill('https://harbor.example/spring')
  await page.getByLabel('Name', { exact: true }).fill('Spring')
  await page.getByRole('main').getByRole('button', { name: 'Add link' }).click()
  await expectToast(page, /[Ll]ink/)
  expect(presses()).toBe(3)
  await jumpTo(page, 'Promotion codes')
  await page.getByRole('button', { name: 'Add code' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add code' })
  await adding.getByLabel('Partner').fill('Jane')
  await page.getByRole('option', { name: /Jane Whitfield/ }).click()
  await adding.getByLabel('Code').fill('SPRING20')
  await adding.getByRole('button', { name: 'Add code' }).click()
  await expectToast(page, 'Promotion code added')
  expect(presses()).toBe(3 + 3)
})

test('a sale is refunded by three presses once its customer is found by keys', async ({ browser, site }) => {
  const owner = await anOwner(site)
  const send = async (path: string, body: object) =>
    expectOk(await site.api('POST', path, { token: owner.token, body })).body
  const { id } = await send(`/accounts/${owner.id}/leads`, {
    firstName: 'Hannah',
    lastName: 'Cole',
    email: 'hannah@brightline.example',
  })
  await send(`/leads/${id}/sales`, { amount: 120_00 })
  const { page, presses } = await dashboard(browser, site, owner)
  await jumpTo(page, 'Hannah Cole')
  await page.getByRole('button', { name: /^Actions for .* sale on / }).click()
  await page.getByRole('menuitem', { name: 'Refund' }).click()
  const refund = page.getByRole('dialog')
  await refund.getByLabel('Refund Amount').fill('10')
  await refund.getByLabel('Reason').fill('A seat fewer')
  await refund.getByRole('button', { name: 'Refund' }).click()
  await expectToast(page, /\$10\.00/)
  expect(presses()).toBe(3)
})

test('a case of fraud is released by three presses, and all others by four', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  const review = page.getByRole('link', { name: /cases? of possible fraud/ })
  await review.first().click()
  const cases = page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: 'Release', exact: true }) })
  await cases.first().getByRole('button', { name: 'Release', exact: true }).click()
  const one = page.getByRole('dialog')
  await one.getByLabel('Reason').fill('The customer is known.')
  await one.getByRole('button', { name: 'Release case' }).click()
  await expect(one).toBeHidden()
  expect(presses()).toBe(3)
  await page.goto(`${demo.site.url}/dashboard`)
  await review.first().click()
  await page.getByLabel('Select all on page').check()
  await page
    .getByRole('group', { name: 'Selection' })
    .getByRole('button', { name: /^Release \d+ cases$/ })
    .click()
  const many = page.getByRole('dialog')
  await many.getByLabel('Reason').fill('All are known.')
  await many.getByRole('button', { name: /^Release/ }).click()
  await expect(many).toBeHidden()
  expect(presses()).toBe(3 + 4)
})

test('a person for the finances is invited by four presses', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await page.getByRole('navigation').getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('tab', { name: 'People', exact: true }).click()
  await page.getByRole('button', { name: 'Add person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add person' })
  await dialog.getByLabel('Email').fill('fiona@harbor.example')
  await dialog.getByLabel('First Name').fill('Fiona')
  await dialog.getByRole('radio', { name: 'Finance' }).press('Space')
  await dialog.getByRole('button', { name: 'Add person' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'New invitation link created' })).toBeVisible()
  expect(presses()).toBe(4)
})

test('20% for 12 months, 5% for the parent partner and $10 for a lead are set by seven presses', async ({
  browser,
}) => {
  const { page, presses } = await dashboard(browser)
  await inSidebar(page, 'Settings').click()
  await settingsTab(page, 'Commission').click()
  await page.getByRole('button', { name: 'Remove layer 2' }).press('Enter')
  await page.getByLabel('Layer 1 Rate').fill('20')
  await page.getByRole('button', { name: 'Add layer' }).click()
  await page.getByLabel('Layer 2 Rate').fill('5')
  await page.getByLabel('Recurring Limit (months)').fill('12')
  await page.getByRole('main').getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('dialog', { name: 'Add rule' })
  await rule.getByLabel('Pay For').selectOption('A qualified lead')
  await rule.getByLabel('Layer 1 Amount').fill('10')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await saves(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save terms' }).click()
  await expectToast(page, 'Settings saved')
  expect(presses()).toBe(7)
})

test('a change of rates shows its effect before it is saved by four presses', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await inSidebar(page, 'Settings').click()
  await settingsTab(page, 'Commission').click()
  await page.getByLabel('Layer 1 Rate').fill('25')
  await expect(page.getByText(/^With these rates, .* would have earned/)).toBeVisible()
  await saves(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save terms' }).click()
  await expectToast(page, 'Settings saved')
  expect(presses()).toBe(4)
})

test('a partner is moved into a new group by seven presses', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await inSidebar(page, 'Partners').click()
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('button', { name: 'Add group' }).click()
  const adding = page.getByRole('dialog', { name: 'Add group' })
  await adding.getByLabel('Group Name').fill('VIP')
  await adding.getByRole('button', { name: 'Add group' }).click()
  await page.getByRole('button', { name: 'Add partners' }).click()
  const moving = page.getByRole('dialog', { name: 'Add partners' })
  await moving.getByLabel('Partner', { exact: true }).fill('Jane')
  await page.getByRole('option', { name: /Jane Whitfield/ }).click()
  await moving.getByRole('button', { name: 'Add partners' }).click()
  await expectToast(page, '1 partner moved')
  expect(presses()).toBe(7)
})

test('an application is approved by three presses, its answers and group seen', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await attentionLink(page, /applications? waiting/).click()
  await page.getByRole('link', { name: 'Oscar Lindgren' }).click()
  const one = page.getByRole('dialog', { name: 'Application from Oscar Lindgren' })
  await expect(one.getByLabel('Answers')).toBeVisible()
  await one.getByLabel('Group').selectOption('Agencies')
  await one.getByRole('button', { name: 'Approve' }).click()
  // without a mail server the invitation is passed on
  await expect(page.getByRole('dialog', { name: '1 application approved' })).toContainText('/user-setup')
  expect(presses()).toBe(3)
  await page.goto(`${demo.site.url}/partners?search=lindgren`)
  await expect(page.getByRole('row', { name: /Oscar Lindgren/ })).toContainText('Agencies')
})

test('the program page and the brand are set by seven presses', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await inSidebar(page, 'Settings').click()
  await settingsTab(page, 'Program page').click()
  await page.getByRole('radio', { name: 'Closed' }).click()
  await page.getByLabel('Headline').fill('Partners of Harbor')
  await saves(page).click()
  await expectToast(page, 'Program page saved')
  await settingsTab(page, 'Branding').click()
  await page.getByLabel('Accent Color').fill('#0e7c86')
  await saves(page).click()
  await expectToast(page, /saved/)
  expect(presses()).toBeLessThanOrEqual(7)
})

test('the payouts of a payday are approved by three presses', async ({ browser }) => {
  const { page, presses } = await dashboard(browser)
  await inSidebar(page, 'Payouts').click()
  await page.getByRole('button', { name: 'Review payouts' }).click()
  const review = page.getByRole('dialog')
  await review.getByRole('button', { name: /^Approve \d+ payouts?$/ }).click()
  await expectToast(page, /payouts? approved, /)
  expect(presses()).toBe(3)
})

const debtor = anotherDebtor()

/** An account that owes this many partners, each approved for this year and with payout details. */
async function aDebtor(site: Site, count: number, settings: object, details?: object) {
  const owner = await anOwner(site, { payoutDelay: 0, minimumPayout: 0, ...settings })
  const send = async (method: string, path: string, body?: object, token = owner.token) =>
    expectOk(await site.api(method, path, { token, body })).body
  if (details) await send('PUT', `/accounts/${owner.id}/payout-methods/sepa`, debtor)
  for (let at = 0; at < count; at++) {
    const name = { firstName: `Payee ${at}`, lastName: 'Moreau' }
    const partner = details
      ? await aSignedUpPartner(site, owner, name)
      : await send('POST', `/accounts/${owner.id}/partners`, { ...name, email: `payee-${at}@moreau.example` })
    if (details) await send('POST', `/partners/${partner.id}/payout-settings`, details, partner.token)
    await send('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [new Date().getUTCFullYear()] })
    await send('POST', `/partners/${partner.id}/adjustments`, { amount: 80_00 + at, reason: 'Agreed' })
  }
  await send('POST', `/accounts/${owner.id}/payouts/refresh`)
  return owner
}

test('a payday by SEPA file takes eight presses, the bank’s results included', async ({ browser, site }) => {
  const owner = await aDebtor(site, 2, { defaultCurrency: 'eur' }, euroDetails())
  const { page, presses } = await dashboard(browser, site, owner)
  await attentionLink(page, /payouts to act on/).click()
  await page.getByRole('button', { name: '2 for a payment file' }).click()
  await page.getByRole('button', { name: 'Make payment file' }).first().click()
  const make = page.getByRole('dialog', { name: 'Make payment file' })
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    make.getByRole('button', { name: 'Approve and download' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('sepa-1.xml')
  const day = new Date().toISOString().slice(0, 10)
  const paid = ['80.00', '80.01'].map((amount, at) => ({ reference: `PO-${at + 1}`, amount, day }))
  await page.getByRole('button', { name: 'Upload results' }).click()
  const results = page.getByRole('dialog', { name: 'Upload results' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), results.getByText('Choose file').click()])
  await chooser.setFiles({
    name: 'camt.053.xml',
    mimeType: 'application/xml',
    buffer: Buffer.from(buildStatement(paid, debtor.iban)),
  })
  await results.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Paid' })).toHaveCount(2)
  expect(presses()).toBe(8)
})

test('forty payouts are marked as paid by four presses', async ({ browser, site }) => {
  const owner = await aDebtor(site, 40, {})
  const { page, presses } = await dashboard(browser, site, owner)
  await attentionLink(page, /payouts to act on/).click()
  await page.getByRole('button', { name: /^40 / }).click()
  await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
  await dialog.getByLabel('Payment Reference').fill('November')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expectToast(page, /40 payouts/)
  expect(presses()).toBe(4)
})
