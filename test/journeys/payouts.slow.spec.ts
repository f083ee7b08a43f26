import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectOk, PASSWORD } from '../support/app.ts'
import { expectAccessible, filterUnexpected } from '../support/browser.ts'
import { readCsv } from '../support/csv.ts'
import {
  anOwner,
  aSignedUpPartner,
  atRest,
  expectAccessibleInBothThemes,
  fromMore,
  openAs,
  pageHeading,
  signedInPage,
} from '../support/journey.ts'
import { clearLayoutShifts, readLayoutShifts, watchJumps } from '../support/layout-shifts.ts'
import {
  aPayee,
  apiPost,
  apiPut,
  database,
  owner,
  paypal,
  preparePayouts,
  rowNamed,
  site,
  tabNamed,
  wise,
} from '../support/payouts-screens.ts'
import { expect, test } from '../support/test.ts'

// Payouts from due to paid on the screens, with Wise's stand-in behind the product.

preparePayouts()

const year = new Date().getUTCFullYear()

/** Reads the transfers back from Wise until the row shows this state. */
async function untilState(page: Page, name: string, state: string) {
  await expect(async () => {
    await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
    await page.reload()
    await expect(rowNamed(page, name).getByText(state, { exact: true })).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 20_000 })
}

const openMenu = (page: Page) =>
  page
    .getByRole('group', { name: 'Page actions' })
    .getByRole('button', { name: /^Actions for PO-/ })
    .click()

/** Chooses an action from a payout's menu. */
async function choose(page: Page, name: string) {
  await openMenu(page)
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** One chain, because each payout depends on the balance at Wise and on the payouts before it. */
test('money on its way from due to paid', async ({ page, complaints }) => {
  test.setTimeout(240_000)
  await aPayee('Tomás', 'Herrera', { sale: 1000_00 })
  await aPayee('Ida', 'Moreau', { sale: 600_00 })
  await aPayee('Jane', 'Whitfield', { sale: 500_00, approved: false })
  await aPayee('Aisha', 'Bello', { sale: 300_00, details: false })
  await aPayee('Noah', 'Bennett', { sale: 50_00 })

  await test.step('due payouts are collected, reviewed and approved; Wise sends them once', async () => {
    await openAs(page, site, owner, '/payouts')
    await expect(pageHeading(page, 'Payouts')).toBeVisible()
    await expect(page).toHaveTitle(/ · Payouts · Tributary/)
    const upcoming = page.getByRole('table', { name: 'Upcoming' })
    for (const head of ['Partner', 'Held', 'Due', 'On hold', 'Next payout', 'Reason'])
      await expect(upcoming.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
    await expect(rowNamed(page, 'Tomás Herrera')).toContainText('$200.00')
    await expect(rowNamed(page, 'Jane Whitfield')).toContainText(`Not yet approved for ${year}`)
    await expectAccessibleInBothThemes(page)

    await tabNamed(page, 'Needs action').click()
    await expect(page).toHaveURL(`${site.url}/payouts?tab=needs-action`)
    const needsAction = page.getByRole('table', { name: 'Needs action' })
    for (const head of ['Payout', 'Partner', 'Amount', 'Status', 'Method', 'Due date', 'Reason'])
      await expect(needsAction.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
    // a payout that needs more sales requires no action
    await expect(rowNamed(page, 'Noah Bennett')).toBeHidden()
    await expect(rowNamed(page, '4 payouts')).toContainText('$480.00')
    await page.getByLabel('Search payouts').fill('herrera')
    await expect(page).toHaveURL(/search=herrera/)
    await expect(rowNamed(page, 'Jane Whitfield')).toBeHidden()
    await rowNamed(page, 'Tomás Herrera')
      .getByRole('checkbox', { name: /^Select PO-/ })
      .check()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await rowNamed(page, 'Jane Whitfield').getByRole('checkbox').check()
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText('2 selected')
    await expectAccessible(page)

    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 1 payout' }).click()
    const review = page.getByRole('dialog', { name: 'Approve payouts' })
    await expect(review.getByText('To partners')).toBeVisible()
    await expect(review).toContainText('Excluded: 1')
    await expect(review).toContainText(`Not yet approved for ${year}`)
    await expect(review.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessibleInBothThemes(page)
    await review.getByRole('button', { name: 'Approve 1 payout' }).click()
    await expect(review).toBeHidden()
    await expect(page.getByText('1 payout approved, $200.00')).toBeVisible()
    await wise.waitForCalls('POST /v1/transfers', 1)

    await tabNamed(page, 'Paid').click()
    await page.getByLabel('Status', { exact: true }).selectOption('On its way')
    await expect(rowNamed(page, 'Tomás Herrera')).toBeVisible()
    await untilState(page, 'Tomás Herrera', 'Sent')
    expect(wise.transfers.size).toBe(1)
    expect(wise.balanceOf('USD')).toBeLessThan(51)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  await test.step('a blocked payout shows the reason beside the act that lifts it; its entries add up to it', async () => {
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await rowNamed(page, 'Jane Whitfield').getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: /^Payout PO-\d+$/ })).toBeFocused()
    const actions = page.getByRole('group', { name: 'Page actions' })
    await expect(actions.getByRole('button')).toHaveText([''])
    await openMenu(page)
    await expect(page.getByRole('menuitem', { name: 'Mark as paid' })).toBeEnabled()
    await page.keyboard.press('Escape')
    const entries = page.getByRole('table', { name: 'Entries' })
    await expect(entries.getByRole('row').filter({ hasText: 'Team plan' })).toContainText('$100.00')
    await expect(entries.getByRole('row').filter({ hasText: 'Total' })).toContainText('$100.00')
    await expect(entries.getByRole('link', { name: 'Whitfield’s Lead' })).toBeVisible()
    await expect(entries.getByRole('link', { name: 'Team plan' })).toHaveAttribute('href', /^\/leads\/.+#sale-/)
    // a single entry has nothing to arrange
    for (const name of ['Columns', 'Views', 'Download CSV'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await expectAccessibleInBothThemes(page)

    const blockers = page.getByRole('region', { name: 'What’s blocking this payout' })
    await blockers.getByRole('button', { name: `Approve for ${year}`, exact: true }).click()
    await expect(blockers).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()

    await actions.getByRole('button', { name: 'Approve payout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 1 payout' }).click()
    await expect(page.getByText('1 payout approved, $100.00')).toBeVisible()
    // 50 dollars are left in the balance.
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Awaiting funding')
    // its one attempt is in the timeline
    await expect(page.getByRole('table', { name: 'Attempts' })).toHaveCount(0)
    await expectAccessible(page)

    wise.topUp('USD', 1000)
    await actions.getByRole('button', { name: 'Retry payout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry payout' }).click()
    await page.goto(`${site.url}/payouts?tab=paid&status=approved,processing,sent`)
    await untilState(page, 'Jane Whitfield', 'Sent')
    expect(complaints).toEqual([])
  })

  await test.step('a payout by other means is marked as paid, an unsent one is canceled', async () => {
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await rowNamed(page, 'Aisha Bello')
      .getByRole('button', { name: /^Actions for PO-/ })
      .click()
    await page.getByRole('menuitem', { name: 'Mark as paid' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
    await expect(dialog.getByLabel('Payment Reference')).toBeFocused()
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Check the marked fields: Payment Reference')
    await expect(dialog.getByLabel('Payment Reference')).toHaveAccessibleDescription(/Payment Reference is required/)
    await dialog.getByLabel('Payment Reference').fill('Check 2207')
    await dialog.getByLabel('Paid On').fill(`${year + 1}-01-01`)
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog.getByLabel('Paid On')).toHaveAccessibleDescription(/The date cannot be in the future/)
    await expectAccessibleInBothThemes(page)
    await dialog.getByLabel('Paid On').fill(new Date().toISOString().slice(0, 10))
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await expect(dialog).toBeHidden()
    await expect(rowNamed(page, 'Aisha Bello')).toBeHidden()
    await tabNamed(page, 'Paid').click()
    await expect(rowNamed(page, 'Aisha Bello')).toContainText('reference Check 2207')

    await tabNamed(page, 'Needs action').click()
    const number = await rowNamed(page, 'Ida Moreau').getByRole('link').innerText()
    await rowNamed(page, 'Ida Moreau').getByRole('link').click()
    const actions = page.getByRole('group', { name: 'Page actions' })
    await openMenu(page)
    // an unapproved payout cannot be canceled
    await expect(page.getByRole('menuitem')).toHaveText(['Mark as paid', 'Print statement', 'Download PDF'])
    await page.keyboard.press('Escape')
    wise.fail('POST *payments', { status: 403 })
    await actions.getByRole('button', { name: 'Approve payout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 1 payout' }).click()
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Awaiting funding')
    await choose(page, 'Cancel payout')
    const cancel = page.getByRole('dialog', { name: 'Cancel payout' })
    await expect(cancel.getByRole('button', { name: 'Keep payout' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(cancel).toBeHidden()
    await choose(page, 'Cancel payout')
    await cancel.getByRole('button', { name: 'Cancel payout' }).click()
    await expect(page.getByText(`${number} canceled`)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Canceled')
    await expect(page.getByText(/Now in PO-\d+/).first()).toBeVisible()
    await expect(page.getByText('Amount canceled')).toBeVisible()
    await expect(page.getByText('Amount to pay')).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  await test.step('above a ceiling the password is required again if it was entered long ago', async () => {
    await apiPut(`/accounts/${owner.id}/auto-payout-settings`, { maxPerPayout: 100_00 })
    await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await expect(rowNamed(page, 'Ida Moreau')).toBeVisible()
    await passwordsWereGivenLongAgo()
    await rowNamed(page, 'Ida Moreau').getByRole('checkbox').check()
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 1 payout' }).click()
    const review = page.getByRole('dialog', { name: 'Approve payout' })
    await expect(review).toContainText('This payout is above your limit of $100.00.')
    await expect(review.getByRole('button', { name: /^Approve \d/ })).toBeDisabled()
    await review.getByRole('button', { name: 'Confirm password' }).click()

    const proof = page.getByRole('dialog', { name: 'Confirm your password' })
    await expect(proof.getByLabel('Current Password')).toBeFocused()
    await proof.getByLabel('Current Password').fill('not the password at all')
    await proof.getByRole('button', { name: 'Confirm password' }).click()
    await expect(proof.getByRole('alert')).toHaveText('The password is incorrect.')
    // The browser itself logs an answer of 401 on its console.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
    await expectAccessibleInBothThemes(page)
    await proof.getByLabel('Current Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm password' }).click()
    await expect(proof).toBeHidden()
    await review.getByRole('button', { name: 'Approve 1 payout' }).click()
    await expect(page.getByText('1 payout approved, $120.00')).toBeVisible()
    expect(complaints).toEqual([])
  })

  await test.step('removing the ceiling requires it too, lowering it does not', async () => {
    await passwordsWereGivenLongAgo()
    await page.goto(`${site.url}/account/settings?tab=payouts`)
    const save = () => page.getByRole('button', { name: 'Save changes' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm your password' })
    await page.getByLabel('Limit per Payout', { exact: true }).fill('90')
    await save()
    await expect(page.getByText('Settings saved').first()).toBeVisible()
    await page.getByLabel('Limit per Payout', { exact: true }).fill('')
    await save()
    await expect(proof).toContainText('Confirm your password first')
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alert')).toContainText('Confirm your password first')
    await save()
    await expectAccessible(page)
    await proof.getByLabel('Current Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm password' }).click()
    await expect(proof).toBeHidden()
    await expect(page.getByRole('alert')).toBeHidden()
    await expect(async () => {
      const path = `/accounts/${owner.id}/auto-payout-settings`
      const { body } = expectOk(await site.api('GET', path, { token: owner.token }))
      expect(body.maxPerPayout).toBe(null)
    }).toPass()
    // The browser itself logs each answer of 403 on its console.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('403'), expect.stringContaining('403')])
  })
})

async function passwordsWereGivenLongAgo() {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query("update sessions set confirmed_at = confirmed_at - interval '11 minutes'")
  await client.end()
}

test('a token that Wise refuses is reported on the page, with the way to change it', async ({ page, complaints }) => {
  await aPayee('Ravi', 'Patel', { sale: 400_00 })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
  wise.fail(() => true, { status: 401, body: { error: 'unauthorized', message: 'Unauthorized' } }, 20)
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  await rowNamed(page, 'Ravi Patel')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Approve payout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 1 payout' }).click()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('alert').filter({ hasText: 'Wise refused the connection' })).toBeVisible({
      timeout: 1500,
    })
  }).toPass({ timeout: 20_000 })
  await expectAccessible(page)
  wise.calm()
  await page.getByRole('link', { name: 'Check the API token' }).click()
  await expect(page).toHaveURL(`${site.url}/account/settings?tab=payouts`)
  await expect(page.getByRole('tab', { name: 'Payouts' })).toHaveAttribute('aria-selected', 'true')
  expect(complaints).toEqual([])
})

test('an unknown transfer pauses payouts until the owner has identified it', async ({ page, complaints }) => {
  await aPayee('Mira', 'Osei', { sale: 500_00 })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
  const id = 77_000_001
  const reference = 'PO-7'
  wise.transfers.set(id, {
    ...{ id, status: 'processing', quoteUuid: '0198c5a2-6b1e-7c3d-9f00-0000000000aa', targetAccount: 4711 },
    ...{
      reference,
      details: { reference },
      targetValue: 60,
      targetCurrency: 'USD',
      sourceValue: 60,
      sourceCurrency: 'USD',
    },
    ...{ business: wise.businessId, created: new Date().toISOString().slice(0, 19).replace('T', ' ') },
    customerTransactionId: 'a4b5c6d7-0000-5000-8000-0000000000aa',
  })
  try {
    await apiPut(`/accounts/${owner.id}/auto-payout-settings`, { wiseToken: wise.token })
    await openAs(page, site, owner, '/payouts?tab=needs-action')
    const banner = page
      .getByRole('alert')
      .filter({ hasText: 'Payouts are paused: this database may be an older copy.' })
    await expect(banner).toBeVisible()
    await expectAccessible(page)
    await banner.getByRole('link', { name: 'Compare transfers' }).click()
    await expect(pageHeading(page, 'Compare transfers')).toBeVisible()
    const resume = page.getByRole('button', { name: 'Resume payouts' })
    await expect(page.getByText('PO-7, $60.00')).toBeVisible({ timeout: 20_000 })
    await expect(resume).toBeDisabled()
    await page.getByLabel('Decision for PO-7').selectOption('Record as a payout')
    await expect(resume).toBeDisabled()
    await page.getByRole('combobox', { name: 'Partner paid by PO-7' }).click()
    await page.getByRole('option', { name: /Mira Osei/ }).click()
    await expectAccessibleInBothThemes(page)
    await resume.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Current Password' }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm password' }).click()
    await expect(page.getByText('Payouts aren’t paused.')).toBeVisible()
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await expect(rowNamed(page, 'Mira Osei').getByText('$40.00')).toBeVisible()
    expect(complaints).toEqual([])
  } finally {
    wise.transfers.delete(id)
  }
})

test('balances that are blocked or approved after they were selected are reviewed with the reason', async ({
  page,
  complaints,
}) => {
  const [ida, tom] = [await aPayee('Ida', 'Moreau', { sale: 600_00 }), await aPayee('Tom', 'Ward', { sale: 500_00 })]
  // opening the page collects what is due, and reads the list again if that is more than before
  const { promise: selected, resolve: collect } = Promise.withResolvers<void>()
  await page.route('**/payouts/refresh', (route) => selected.then(() => route.continue()))
  await openAs(page, site, owner, '/payouts')
  for (const name of ['Ida Moreau', 'Tom Ward']) await rowNamed(page, name).getByRole('checkbox').check()
  await apiPut(`/partners/${ida.id}`, { approvedPayoutYears: [] })
  await aPayee('Mara', 'Lindt', { sale: 300_00 })
  collect()
  await expect(rowNamed(page, 'Ida Moreau')).toContainText(`Not yet approved for ${year}`)
  await atRest(page)
  const approve = page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 2 payouts' })
  await approve.click()
  const review = page.getByRole('dialog', { name: 'Approve payouts' })
  await expect(review).toContainText('Excluded: 1')
  await expect(review).toContainText(`Not yet approved for ${year}`)
  await expect(review).not.toContainText('at once')
  await review.getByRole('button', { name: 'Cancel' }).click()

  const box = rowNamed(page, 'Ida Moreau').getByRole('checkbox')
  await box.click()
  await expect(box).toHaveCount(0)
  const { items } = expectOk(
    await site.api('GET', `/partners/${tom.id}/payouts?status=due`, { token: owner.token }),
  ).body
  await apiPost(`/payouts/${items[0].id}/approve`, {})
  await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Approve 1 payout' }).click()
  await expect(page.getByText('This balance was approved or has changed meanwhile.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('empty, failed and missing pages still say what to do', async ({ page, complaints }) => {
  const newcomer = await anOwner(site, { name: 'Pinegate Travel' })
  await openAs(page, site, newcomer, '/payouts')
  for (const name of ['Upcoming', 'Needs action', 'Paid', 'Commissions']) {
    await tabNamed(page, name).click()
    await expect(page.getByRole('tabpanel').getByText('No data to show')).toBeVisible()
    await expectAccessibleInBothThemes(page)
  }
  expect(complaints).toEqual([])

  await page.route('**/api/v1/accounts/*/payouts*', (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.goto(`${site.url}/payouts?tab=needs-action`)
  await expect(page.getByRole('tabpanel').getByText('Failed to load')).toBeVisible()
  await expect(page.getByText('You owe')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/api/v1/accounts/*/payouts*')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('tabpanel').getByText('No data to show')).toBeVisible()

  await page.goto(`${site.url}/payouts/0198c5a2-6b1e-7c3d-9f00-000000000001`)
  await expect(page.getByText('This payout doesn’t exist')).toBeVisible()
  await expectAccessible(page)
})

test('on a phone rows are cards and the page keeps its width', async ({ page, complaints }) => {
  await aPayee('Ida', 'Moreau', { sale: 600_00 })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
  const { items } = expectOk(await site.api('GET', `/accounts/${owner.id}/payouts`, { token: owner.token })).body
  await apiPost(`/payouts/${items[0].id}/mark-paid`, { reference: 'Check 2207' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, site, owner, '/payouts?tab=paid')
  await page.getByRole('list', { name: 'Paid' }).getByRole('link', { name: /^PO-/ }).first().click()
  await expect(page.getByRole('list', { name: 'Entries' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})

/** The text of a PDF, and the size of its sheets. */
async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text, totalPages } = await extractText(pdf, { mergePages: true })
  const [, , width, height] = (await pdf.getPage(1)).view
  return { text: text.replace(/\s+/g, ' '), totalPages, size: [Math.round(width!), Math.round(height!)] }
}

test('a statement is printed without the shell and saved as a PDF, by the owner and by its partner', async ({
  page,
  context,
  complaints,
}) => {
  const partner = await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
  const named = { partnerId: partner.id, firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' }
  const lead = await apiPost(`/accounts/${owner.id}/leads`, named)
  for (let at = 1; at <= 60; at++)
    await apiPost(`/leads/${lead.id}/sales`, { amount: at * 1_01, description: `Team plan, seat ${at}` })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
  const { items } = expectOk(
    await site.api('GET', `/accounts/${owner.id}/payouts?partnerId=${partner.id}`, { token: owner.token }),
  ).body
  const number = `PO-${items[0].statementNumber}`
  await context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })

  const print = async () => {
    await page.evaluate(() => document.documentElement.removeAttribute('data-printed'))
    await choose(page, 'Print statement')
    await expect(page.locator('html[data-printed]')).toBeAttached()
  }
  const printed = async (format: 'A4' | 'Letter') => {
    await print()
    return readPdf(await page.pdf({ format }))
  }
  const saved = async (press: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()])
    expect(file.suggestedFilename()).toBe(`${number} Not final.pdf`)
    return readPdf(await readFile(await file.path()))
  }

  await openAs(page, site, owner, `/payouts/${items[0].id}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const [format, size] of [
    ['A4', [596, 843]],
    ['Letter', [612, 792]],
  ] as const) {
    const paper = await printed(format)
    expect(paper.size).toEqual(size)
    expect(paper.totalPages).toBeGreaterThan(1)
    expect(paper.text).toContain(`Payout statement ${number} Not final. Not yet approved. This is a preview`)
    expect(paper.text).toContain('Total $369.66')
    expect(paper.text).not.toMatch(/Dashboard|Print statement|Mark as paid/)
    expect(paper.text.match(/Date Sale Layer Rate Calculated on Amount/g)).toHaveLength(paper.totalPages)
    for (let at = 1; at <= 60; at++) expect(paper.text).toContain(`Team plan, seat ${at} Hannah Cole 1 20%`)
  }
  await print()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('heading', { name: `Payout statement ${number}` })).toBeVisible()
  await expect(page.getByRole('button', { name: `Actions for ${number}` })).toBeHidden()
  await page.emulateMedia({ media: null })
  const headers = { authorization: `Bearer ${owner.token}`, accept: 'text/html' }
  const answer = await fetch(`${site.url}/api/v1/payouts/${items[0].id}/statement`, { headers })
  const phone = await context.newPage()
  await phone.setViewportSize({ width: 320, height: 640 })
  await phone.setContent(await answer.text())
  const entry = phone.getByRole('table').last().locator('tbody > tr').first()
  await expect(entry).toContainText('Team plan, seat')
  expect((await entry.boundingBox())!.height, 'no word is broken into letters').toBeLessThan(100)
  await phone.close()
  const file = await saved(() => choose(page, 'Download PDF'))
  expect(file.size).toEqual([612, 792])
  for (let at = 1; at <= 60; at++) expect(file.text).toContain(`Team plan, seat ${at} Hannah Cole 1 20%`)
  await expectAccessible(page)

  await openAs(page, site, partner, `/partner/payouts/${items[0].id}`)
  await expect(pageHeading(page, `Payout ${number}`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open your payout settings' })).toBeVisible()
  const actions = page.getByRole('group', { name: 'Page actions' })
  await expect(actions.getByRole('button')).toHaveText(['Download PDF', ''])
  await openMenu(page)
  await expect(page.getByRole('menuitem')).toHaveText(['Print statement'])
  await page.keyboard.press('Escape')
  const download = () => actions.getByRole('button', { name: 'Download PDF' }).click()
  for (const one of [await printed('A4'), await saved(download)]) {
    expect(one.text).toContain('Hannah Cole 1 20%')
    expect(one.text).toContain('Total $369.66')
    expect(one.text).not.toContain('Team plan')
  }
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('payouts are for the owner: a partner is redirected to their own first screen', async ({ page, complaints }) => {
  await openAs(page, site, await aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' }))
  for (const path of ['/payouts', '/account/settings']) {
    await page.goto(`${site.url}${path}`)
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  }
  expect(complaints).toEqual([])
})

test('a payout has one primary action in each state, and the others in its menu', async ({ page, populated }) => {
  const { site, owner, things } = populated
  const states = [
    ['open', null, null, ['Mark as paid'], ['not-approved-this-year']],
    // only a person can pay it
    ['open', null, 'Mark as paid', [], ['no-deposit-info']],
    ['due', null, 'Approve payout', ['Mark as paid'], []],
    ['approved', 'manual', 'Mark as paid', ['Cancel payout'], []],
    ['approved', 'wise', null, ['Cancel payout'], []],
    ['processing', 'wise', null, [], []],
    ['awaiting-funding', 'wise', 'Retry payout', ['Cancel payout'], []],
    ['sent', 'wise', null, [], []],
    ['paid', 'manual', null, [], []],
    ['failed', 'wise', 'Retry payout', ['Mark as paid', 'Cancel payout'], []],
    ['returned', 'wise', null, [], []],
    ['canceled', 'manual', null, [], []],
    ['canceled', 'csv', 'Mark as paid', [], []],
  ] as const
  const path = `/payouts/${things.payout}`
  const attempt = { id: things.payout, state: 'created', wiseTransferId: null, fee: null, error: null }
  type Shown = { status: string; method: string | null; blockers: { code: string; message: string }[] }
  let shown: Shown = { status: 'due', method: null, blockers: [] }
  let attempts = 0
  await page.route(`**/api/v1${path}`, async (route) => {
    const response = await route.fetch()
    const payout = await response.json()
    const at = (index: number) => ({ ...attempt, id: `${attempt.id}${index}`, at: payout.createdAt })
    const json = { ...payout, ...shown, attempts: Array.from({ length: attempts }, (_, index) => at(index)) }
    await route.fulfill({ response, json })
  })
  await openAs(page, site, owner, '/payouts')
  for (const [at, [status, method, primary, others, codes]] of states.entries()) {
    const state = [status, ...codes].join(', ')
    shown = { status, method, blockers: codes.map((code) => ({ code, message: code })) }
    attempts = at % 3
    await page.goto(`${site.url}${path}`)
    await atRest(page)
    const actions = page.getByRole('group', { name: 'Page actions' })
    await expect(actions.getByRole('button'), state).toHaveText(primary ? [primary, ''] : [''])
    await openMenu(page)
    await expect(page.getByRole('menuitem'), state).toHaveText([...others, 'Print statement', 'Download PDF'])
    await page.keyboard.press('Escape')
    // a lone attempt is a step of the timeline
    await expect(page.getByRole('table', { name: 'Attempts' })).toHaveCount(attempts > 1 ? 1 : 0)
  }
})

test('the layout is stable with any number of tasks; each chip offers its remedy', async ({ page, populated }) => {
  const { site, owner } = populated
  await watchJumps(page)
  const kinds = ['approve', 'pay', 'remind', 'approve-year', 'fix-details', 'retry', 'reconnect']
  const acts = kinds.map((kind) => ({
    kind,
    message: kind,
    count: 1,
    amount: 100_00,
    method: null,
    fileId: null,
    fileNumber: null,
    partnerIds: [],
  }))
  let count = 0
  let held = Promise.withResolvers<void>()
  await page.route('**/payouts/attention*', async (route) => {
    const response = await route.fetch()
    await held.promise
    await route.fulfill({ response, json: { items: acts.slice(0, count) } })
  })
  await openAs(page, site, owner, '/dashboard')
  const chips = page.getByRole('list', { name: 'What you can do now' }).getByRole('button')
  for (const width of [1280, 390])
    for (count of [0, 1, 4, 5, 7]) {
      held = Promise.withResolvers<void>()
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${site.url}/payouts?tab=needs-action`)
      // the tabs are hidden until the chips above their rows are known
      await expect(page.getByText('You owe')).toBeVisible()
      await expect(page.getByRole('tablist')).toBeHidden()
      await clearLayoutShifts(page)
      held.resolve()
      await expect(page.getByRole('tablist')).toBeVisible()
      await atRest(page)
      await expect(chips).toHaveCount(count)
      await page.evaluate(() => new Promise(requestAnimationFrame))
      expect(await readLayoutShifts(page), `${count} at ${width}`).toMatchObject({ by: 0 })
    }

  await page.setViewportSize({ width: 1280, height: 900 })
  const line = page.getByRole('list', { name: 'What you can do now' }).locator('..')
  for (const [name, remedy] of [
    ['1 ready to approve', null],
    ['1 to pay manually', null],
    ['1 without payout details', 'Send reminder'],
    [`1 not approved for ${year}`, `Approve for ${year}`],
    ['1 with rejected details', 'Send reminder'],
    ['1 failed', 'Retry'],
    ['1 waiting for a connection', 'Reconnect'],
  ] as const) {
    const chip = chips.filter({ hasText: name })
    await chip.click()
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
    await expect(chips.and(page.locator('[aria-pressed=true]'))).toHaveCount(1)
    const remedies = /^(Send reminder|Approve for \d+|Retry|Reconnect)$/
    await expect(
      line.getByRole('button', { name: remedies }).or(line.getByRole('link', { name: remedies })),
    ).toHaveText(remedy ? [remedy] : [])
  }
})

test('a low balance at PayPal or Wise is one task, and only Wise is paid on wise.com', async ({ page, populated }) => {
  const { site, owner } = populated
  const short = (method: string, count: number) => ({
    ...{
      kind: 'fund',
      message: `${method} needs $100.00`,
      count,
      amount: 100_00,
      method,
      fileId: null,
      fileNumber: null,
      partnerIds: [],
    },
  })
  let items = [short('paypal', 2)]
  await page.route('**/payouts/attention*', async (route) => route.fulfill({ json: { items } }))
  await page.route('**/payouts/totals*', async (route) => {
    const response = await route.fetch()
    const json = { ...(await response.json()), awaitingFunding: { amount: 100_00, count: 2 } }
    await route.fulfill({ response, json })
  })
  await openAs(page, site, owner, '/payouts?tab=needs-action')
  const chips = page.getByRole('list', { name: 'What you can do now' }).getByRole('button')
  const onWise = page.getByRole('link', { name: 'Add money in Wise' })
  await chips.filter({ hasText: '2 awaiting funding' }).click()
  await expect(page).toHaveURL(/attention=fund/)
  await expect(onWise).toHaveCount(0)
  items = [short('wise', 1), short('paypal', 2)]
  await page.reload()
  await expect(chips).toHaveText(['3 awaiting funding'])
  await expect(onWise).toHaveCount(1)
})

test('payouts by PayPal: one is paid, and one waits until it is claimed', async ({ browser, page, complaints }) => {
  await test.step('the owner connects PayPal', async () => {
    await openAs(page, site, owner, '/account/settings?tab=payout-methods')
    const ways = page.getByRole('table', { name: 'Payout methods' })
    await expect(ways.getByRole('row', { name: /^PayPal/ })).toContainText('Not connected')
    await ways.getByRole('button', { name: 'Set up PayPal' }).click()
    const dialog = page.getByRole('dialog', { name: 'PayPal' })
    await dialog.getByLabel('Client ID').fill(paypal.clientId)
    await dialog.getByLabel('Secret').fill('Mistyped')
    await dialog.getByRole('button', { name: 'Save PayPal' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await dialog.getByLabel('Secret').fill(paypal.clientSecret)
    await dialog.getByRole('button', { name: 'Save PayPal' }).click()
    await expect(ways.getByRole('row', { name: /^PayPal/ })).toContainText('Connected')
    await expect(ways.getByRole('row')).toHaveText([/Method/, /Wise/, /PayPal/, /SEPA file/, /Manual/])
    await ways.getByRole('button', { name: 'Move up PayPal' }).click()
    await expect(ways.getByRole('row')).toHaveText([/Method/, /PayPal/, /Wise/, /SEPA file/, /Manual/])
    await expectAccessibleInBothThemes(page)
  })

  const [ana, luz] = await test.step('the partners enter their addresses', async () => {
    const [ana, luz] = [
      await aPayee('Ana', 'Souza', { sale: 500_00, details: false }),
      await aPayee('Luz', 'Reyes', { sale: 300_00, details: false }),
    ]
    const hers = await signedInPage(browser, site, ana, complaints)
    await hers.goto(`${site.url}/partner/settings`)
    await hers.getByRole('radiogroup', { name: 'How should we pay you?' }).getByLabel('PayPal').check()
    await hers.getByLabel('PayPal Email').fill('ana@wallet.example')
    await expectAccessibleInBothThemes(hers)
    await hers.getByRole('button', { name: 'Save payout details' }).click()
    await expect(hers.getByRole('region', { name: 'Payout details' })).toContainText('a•••@wallet.example')
    await hers.context().close()
    const body = { kind: 'paypal', email: 'luz@wallet.example' }
    expectOk(await site.api('POST', `/partners/${luz.id}/payout-settings`, { token: luz.token, body }))
    return [ana, luz]
  })
  paypal.payouts.isNoMember('luz@wallet.example')

  await test.step('their payouts are approved', async () => {
    await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await expect(rowNamed(page, 'Ana Souza')).toContainText('PayPal')
    await page.getByLabel('Select all on page').check()
    await page.getByRole('button', { name: 'Approve 2 payouts' }).click()
    const review = page.getByRole('dialog')
    await expect(review).toContainText('$160.00')
    await review.getByRole('button', { name: 'Approve 2 payouts' }).click()
    await expect(review).toBeHidden()
  })

  const payoutOf = async (partner: { id: string }) =>
    expectOk(await site.api('GET', `/partners/${partner.id}/payouts`, { token: owner.token })).body.items[0]
  await expect(async () => {
    await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
    expect([(await payoutOf(ana)).status, (await payoutOf(luz)).status]).toEqual(['paid', 'sent'])
  }).toPass({ timeout: 60_000 })
  expect([paypal.payouts.paidTo('ana@wallet.example'), paypal.payouts.batches.size]).toEqual([100_00, 2])

  await test.step('both say where the money is', async () => {
    await page.goto(`${site.url}/payouts/${(await payoutOf(ana)).id}`)
    const facts = page.getByRole('region', { name: 'Details' })
    await expect(facts).toContainText('PayPal a•••@wallet.example')
    await expect(page.getByRole('main')).toContainText('Paid')
    await expectAccessibleInBothThemes(page)
    const { id } = await payoutOf(luz)
    await page.goto(`${site.url}/payouts/${id}`)
    await expect(page.getByRole('main')).toContainText(
      /Not claimed yet; PayPal returns it on .+\.The partner has been notified\./,
    )
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Sent by PayPal')
    await expect(page.getByRole('main')).not.toContainText('Wise')
    await expectAccessibleInBothThemes(page)
    const hers = await signedInPage(browser, site, luz, complaints)
    await hers.goto(`${site.url}/partner/payouts/${id}`)
    await expect(hers.getByRole('main')).toContainText(/Not claimed yet\. Accept it in PayPal by .+\./)
    await hers.context().close()
  })

  await test.step('one above the balance asks for money, not for another payment', async () => {
    const kim = await aPayee('Kim', 'Berg', { sale: 600_000_00, details: false })
    const body = { kind: 'paypal', email: 'kim@wallet.example' }
    expectOk(await site.api('POST', `/partners/${kim.id}/payout-settings`, { token: kim.token, body }))
    await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
    await apiPost(`/payouts/${(await payoutOf(kim)).id}/approve`, {})
    await expect(async () => expect((await payoutOf(kim)).status).toBe('awaiting-funding')).toPass({ timeout: 60_000 })
    await page.goto(`${site.url}/payouts?tab=needs-action`)
    await expect(page.getByRole('button', { name: '1 awaiting funding' })).toBeVisible()
    await page.goto(`${site.url}/payouts/${(await payoutOf(kim)).id}`)
    await expect(page.getByRole('main')).toContainText('Add money to your balance, then retry.')
    await expect(page.getByRole('group', { name: 'Page actions' })).not.toContainText('Mark as paid')
  })
  expect(filterUnexpected(complaints, 422)).toEqual([])
})

const list = async (what: string, query = '') =>
  expectOk(await site.api('GET', `/accounts/${owner.id}/${what}?${query}`, { token: owner.token })).body
const dollars = (amount: number) => `${amount < 0 ? '-' : ''}$${Math.abs(amount / 100).toFixed(2)}`

/** The file of the list on this page. */
async function saved(page: Page) {
  const [file] = await Promise.all([page.waitForEvent('download'), fromMore(page, 'Download CSV')])
  return file
}

test('all partners’ commissions add up to the server’s totals, and each filter narrows them', async ({
  page,
  complaints,
}) => {
  const jane = await aPayee('Jane', 'Whitfield', { sale: 500_00 })
  const tomas = await aPayee('Tomás', 'Herrera', { sale: 1000_00 })
  await apiPost(`/partners/${tomas.id}/adjustments`, { amount: -25_00, reason: 'Paid twice in May' })
  await apiPost(`/accounts/${owner.id}/payouts/refresh`, {})
  const { items } = await list('payouts')
  const ofJane = items.find(({ partnerId }: { partnerId: string }) => partnerId === jane.id)
  await apiPost(`/payouts/${ofJane.id}/mark-paid`, { reference: 'Wire 4471' })
  await openAs(page, site, owner, '/payouts')
  await tabNamed(page, 'Commissions').click()
  const table = page.getByRole('table', { name: 'Commissions' })
  const heads = ['Date', 'Sale', 'Partner', 'Layer', 'Rate', 'Amount', 'Status', 'Due']
  await expect(table.getByRole('columnheader')).toHaveText(heads)

  /** Compares the rows and their total with the server's answer to the same question. */
  async function expectTotals(query: string, count: number, amount: string) {
    const { totals } = await list('commissions', query)
    expect([totals.count, dollars(totals.amount)], query).toEqual([count, amount])
    await expect(table.locator('tbody tr')).toHaveCount(count)
    await expect(table.locator('tfoot')).toContainText(count === 1 ? '1 entry' : `${count} entries`)
    await expect(table.locator('tfoot')).toContainText(amount)
    const cells = await table.locator('tbody tr > :nth-child(6)').allInnerTexts()
    const sum = cells.reduce((all, cell) => all + Math.round(Number(cell.replace(/[$,]/g, '')) * 100), 0)
    expect(sum, query).toBe(totals.amount)
  }
  await expectTotals('', 3, '$275.00')
  await expectAccessibleInBothThemes(page)
  const { rows } = readCsv(await readFile(await (await saved(page)).path(), 'utf8'))
  expect(rows.map(({ amount }) => amount).toSorted()).toEqual(['-25.00', '100.00', '200.00'])

  await page.getByLabel('Kind').selectOption('Adjustment')
  await expectTotals('kind=adjustment', 1, '-$25.00')
  await page.getByLabel('Kind').selectOption({ index: 0 })
  await page.getByLabel('Status', { exact: true }).selectOption('Paid')
  await expectTotals('status=paid', 1, '$100.00')
  await expect(rowNamed(page, 'Jane Whitfield')).toContainText('Team plan')
  await page.getByLabel('Status', { exact: true }).selectOption({ index: 0 })
  await page.getByRole('combobox', { name: 'Partner' }).fill('herrera')
  await page.getByRole('option', { name: /Tomás Herrera/ }).click()
  await expectTotals(`partner=${tomas.id}`, 2, '$175.00')
  const { pathname, search } = new URL(page.url())
  await page.goto(`${site.url}${pathname}${search}&dueFrom=2999-01-01`)
  await expect(page.getByRole('tabpanel').getByText('No data to show')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expectTotals('', 3, '$275.00')
  expect(complaints).toEqual([])
})
