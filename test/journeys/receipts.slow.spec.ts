import type { Page } from '@playwright/test'
import type { CommissionEntry } from '../../contract/commissions.ts'
import { fakeWise } from '../fakes/wise.ts'
import { expectOk, waitUntil } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  aSignedUpPayee,
  expectAccessibleInBothThemes,
  openAs,
  type Person,
  pageHeading,
  type Site,
  startSite,
} from '../support/journey.ts'
import { aBlueprint, clickInAddress, visitLink } from '../support/links.ts'
import { requestRefresh } from '../support/payouts.ts'
import { expect, test } from '../support/test.ts'

// An amount of money is traced to its origin and its destination, by the owner and by its partner.

const year = new Date().getUTCFullYear()

let site: Site
let wise: Awaited<ReturnType<typeof fakeWise>>
let owner: Person & { id: string }
let jane: Person & { id: string }

test.beforeAll(async () => {
  wise = await fakeWise({ autoProgress: true })
  site = await startSite({ WISE_API_URL: wise.url })
})

test.beforeEach(async () => {
  owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20, 5] }, payoutDelay: 0 })
  await call(owner, 'PUT', `/accounts/${owner.id}/auto-payout-settings`, {
    enabled: false,
    wiseToken: wise.token,
    wiseProfileId: String(wise.businessId),
  })
  jane = await aSignedUpPayee(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })
})

test.afterAll(async () => {
  await site.end()
  await wise.close()
})

const call = async (who: Person, method: string, path: string, body?: object) =>
  expectOk(await site.api(method, path, { token: who.token, ...(body && { body }) })).body
const post = (path: string, body: object = {}) => call(owner, 'POST', path, body)

/** A lead from a click on the partner's link, as an account's own system reports it. */
async function aClickedLead(partner: { id: string }, fields: Record<string, unknown>) {
  const { key } = await aBlueprint(site, owner, { name: 'Spring offer' })
  const { referralCode } = await call(owner, 'GET', `/partners/${partner.id}`)
  const clickId = clickInAddress(
    await visitLink(site, key, referralCode, { headers: { referer: 'https://blog.example/best' } }),
  )
  const { apiKey } = await call(owner, 'PUT', `/accounts/${owner.id}/api-key`)
  return call({ ...owner, token: apiKey }, 'POST', '/push/leads', { clickId, ...fields })
}

const aLead = (partner: { id: string }, fields: Record<string, unknown>) =>
  post(`/accounts/${owner.id}/leads`, { partnerId: partner.id, ...fields })

/** Approves the partner's due payout, and waits until Wise has sent it. */
async function sendPayout(partner: { id: string }) {
  await requestRefresh(site, { ...owner, ownerEmail: owner.email, admin: '' })
  const { items } = await call(owner, 'GET', `/partners/${partner.id}/payouts?status=due`)
  await post(`/payouts/${items[0].id}/approve`)
  await reaches(items[0].id, 'sent')
  return items[0] as { id: string; statementNumber: number }
}

/** Refreshes from Wise until the payout has this status. */
const reaches = (id: string, status: string) =>
  waitUntil(async () => {
    await requestRefresh(site, { ...owner, ownerEmail: owner.email, admin: '' })
    return (await call(owner, 'GET', `/payouts/${id}`)).status === status
  })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const step = (page: Page, name: string) =>
  page.getByRole('list', { name: 'From click to payout' }).getByRole('listitem', { name, exact: true })

test('the owner follows a dollar from the dashboard to the bank and back', async ({ page, context, complaints }) => {
  const sub = await aSignedUpPartner(site, owner, { firstName: 'Sam', lastName: 'Ortiz', parentPartnerId: jane.id })
  await call(owner, 'PUT', `/partners/${sub.id}`, { approvedPayoutYears: [year] })
  const lead = await aClickedLead(jane, { firstName: 'Hannah', lastName: 'Cole', email: 'hannah@cole.example' })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 600_03, taxAmount: 60_00, externalId: 'INV-7' })
  const [entry] = sale.commissions as CommissionEntry[]
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])

  const opener = page.getByRole('link', { name: 'Receipt for $120.01 to Jane Whitfield' })
  const receipt = dialog(page, 'Receipt for $120.01')

  await test.step('from the dashboard, each step explains itself', async () => {
    await openAs(page, site, owner, '/dashboard')
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(receipt).toBeVisible()
    await expect(page).toHaveURL(`${site.url}/dashboard`)
    await expect(step(page, 'Click')).toContainText('A partner’s link was clicked on')
    await expect(step(page, 'Click')).toContainText('Spring offer')
    await expect(step(page, 'Click')).toContainText('blog.example')
    await expect(step(page, 'Lead')).toContainText('Hannah Cole')
    await expect(step(page, 'Rule')).toContainText('Someone recorded or attributed it manually.')
    await expect(step(page, 'Sale')).toContainText('$600.03 on')
    for (const part of ['$60.00', '$660.03', 'INV-7']) await expect(step(page, 'Sale')).toContainText(part)
    await expect(step(page, 'Terms')).toContainText('Every sale: 20% of $600.03')
    await expect(step(page, 'Terms')).toContainText('Before rounding$120.006')
    await expect(step(page, 'Hold')).toContainText('Payable since')
    await expect(step(page, 'Payout')).toContainText('Due. It’s in the next payout, which is waiting for approval.')
    await expect(step(page, 'Bank')).toContainText('Sent once its payout is approved.')
    await expectAccessibleInBothThemes(page)
  })

  await test.step('its address can be shared; closing returns to the amount', async () => {
    await receipt.getByRole('button', { name: 'Copy link' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/commissions/${entry?.id}`)
    await page.keyboard.press('Escape')
    await expect(receipt).toHaveCount(0)
    await expect(opener).toBeFocused()
    await expect(page).toHaveURL(`${site.url}/dashboard`)
  })

  await test.step('Back from the lead returns to the receipt, and from there to the dashboard', async () => {
    await opener.click()
    await step(page, 'Lead').getByRole('link', { name: 'Hannah Cole' }).click()
    await expect(pageHeading(page, 'Hannah Cole')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goBack()
    await expect(receipt).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  })

  const payout = await sendPayout(jane)
  await test.step('once sent, it shows payout and bank; the payout’s entry opens the same receipt', async () => {
    await page.reload()
    await opener.click()
    await expect(step(page, 'Payout')).toContainText(`PO-${payout.statementNumber}, Sent`)
    await expect(step(page, 'Bank')).toContainText('On its way.')
    await expect(step(page, 'Bank')).toContainText('•••••6789')
    await expect(step(page, 'Bank')).toContainText('Wise transfer')
    await step(page, 'Payout').getByRole('link').click()
    await expect(pageHeading(page, `Payout PO-${payout.statementNumber}`)).toBeVisible()
    await opener.click()
    await expect(step(page, 'Sale')).toContainText('INV-7')
    await page.goBack()
    await page.goBack()
    await expect(step(page, 'Bank')).toContainText('•••••6789')
    await page.reload()
    await expect(step(page, 'Bank')).toContainText('•••••6789')
    await page.keyboard.press('Escape')
    await expect(pageHeading(page, 'Dashboard')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('the balance opens the commissions that add up to it', async () => {
    await page.goto(`${site.url}/partners/${jane.id}`)
    await page.getByRole('link', { name: 'In payout: $120.01, view the commissions' }).click()
    await expect(page).toHaveURL(/tab=commissions&status=in-payout/)
    const list = page.getByRole('table', { name: 'Commissions' })
    await expect(list.getByRole('row').last()).toContainText('Total')
    await expect(list.getByRole('row').last()).toContainText('$120.01')
    await expect(list.getByRole('link', { name: 'Hannah Cole' })).toHaveAttribute('href', `/leads/${lead.id}`)
    await expect(list.getByRole('link', { name: /^Sale on / })).toHaveAttribute(
      'href',
      `/leads/${lead.id}#sale-${sale.id}`,
    )
    await opener.click()
    await expect(receipt).toBeVisible()
  })
  expect(complaints).toEqual([])
})

test('a partner opens the same link and sees only their own part; for anyone else it does not exist', async ({
  page,
  complaints,
}) => {
  const sam = await aSignedUpPartner(site, owner, { firstName: 'Sam', lastName: 'Ortiz', parentPartnerId: jane.id })
  const other = await aSignedUpPartner(site, owner, { firstName: 'Noah', lastName: 'Bennett' })
  const lead = await aClickedLead(sam, { firstName: 'Hannah', lastName: 'Cole', email: 'hannah@cole.example' })
  const { commissions } = await post(`/leads/${lead.id}/sales`, { amount: 600_00 })
  const [mine, above] = commissions as [CommissionEntry, CommissionEntry]

  await openAs(page, site, sam, `/commissions/${mine.id}`)
  await expect(pageHeading(page, 'Receipt for $120.00')).toBeVisible()
  await expect(step(page, 'Click')).toContainText('Spring offer')
  await expect(step(page, 'Lead')).toContainText('Hannah')
  await expect(step(page, 'Payout')).toContainText('Due, but the payout is blocked.')
  await expect(step(page, 'Payout')).toContainText('Add your payout details')
  await expect(page.getByRole('main')).not.toContainText('blog.example')
  await expect(page.getByRole('main')).not.toContainText('Jane')
  await expect(page.getByRole('main')).not.toContainText('$30.00')
  await expect(page.getByText('other rule')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('main').getByRole('link', { name: 'Due', exact: true }).click()
  await expect(pageHeading(page, 'Sam Ortiz')).toBeVisible()
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('due,in-payout')
  await expect(page.getByRole('row').last()).toContainText('$120.00')
  await page.getByRole('link', { name: 'Receipt for $120.00 to Sam Ortiz' }).click()
  await expect(dialog(page, 'Receipt for $120.00')).toBeVisible()

  await openAs(page, site, jane, `/commissions/${above.id}`)
  await expect(pageHeading(page, 'Receipt for $30.00')).toBeVisible()
  await expect(step(page, 'Lead')).toContainText('You only see your own part.')
  await expect(step(page, 'Terms')).toContainText('Layer2')
  await expect(page.getByRole('main')).not.toContainText('Hannah')
  await expect(page.getByRole('main')).not.toContainText('$120.00')
  await page.goto(`${site.url}/partners/${jane.id}?tab=commissions&kind=earned`)
  const entry = page.getByRole('row').filter({ hasText: 'Another partner’s lead' })
  await expect(entry).toContainText('Sale on ')
  await expect(entry).toContainText('$30.00')
  await expect(page.getByRole('main')).not.toContainText('Hannah')
  expect(complaints).toEqual([])

  const gone = 'This receipt doesn’t exist, or it belongs to someone else.'
  for (const who of [other, jane]) {
    await openAs(page, site, who, `/commissions/${mine.id}`)
    await expect(page.getByText(gone)).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText('$')
  }
})

test('on the smallest phone a receipt shows full names and breaks no amount, and a dialog fits every name', async ({
  page,
  complaints,
}) => {
  const names = { firstName: 'Maximiliana-Theodora', lastName: 'Wolfeschlegelsteinhausenbergerdorff-Oy' }
  const partner = await aSignedUpPartner(site, owner, names)
  const lead = await aLead(partner, { ...names, email: 'max@long.example' })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 1_234_567_00 })
  await page.setViewportSize({ width: 320, height: 640 })
  await openAs(page, site, owner, `/commissions/${sale.commissions[0].id}`)
  await expect(step(page, 'Terms')).toContainText('$1,234,567.00')
  const found = await page.getByRole('main').evaluate((main) => {
    const isShown = (box: Element) => box.checkVisibility()
    const seen = [...main.querySelectorAll<HTMLElement>('ol *')].filter(isShown)
    return {
      cut: seen.filter((box) => box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflow === 'hidden')
        .length,
      broken: seen
        .filter((box) => box.matches('dd') && /^-?\$[\d,.]+$/.test(box.textContent))
        .filter((box) => box.clientHeight > 30)
        .map((box) => box.textContent),
    }
  })
  expect(found).toEqual({ cut: 0, broken: [] })

  await page.goto(`${site.url}/leads/${lead.id}`)
  await page.getByRole('button', { name: /^Actions for .+ sale on/ }).click()
  await page.getByRole('menuitem', { name: 'Refund' }).click()
  const refund = page.getByRole('dialog', { name: 'Refund sale' })
  await expect(refund).toContainText('Wolfeschlegelsteinhausenbergerdorff-Oy loses')
  const beyond = await refund.getByText('loses').evaluate((text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    return Math.max(...[...range.getClientRects()].map(({ right }) => right)) - text.getBoundingClientRect().right
  })
  expect(beyond, 'no name runs out of the dialog').toBeLessThanOrEqual(1)
  expect(complaints).toEqual([])
})

test('a receipt explains unusual cases', async ({ page, complaints }) => {
  await openAs(page, site, owner, '/dashboard')
  const show = (id: string | undefined) => page.goto(`${site.url}/commissions/${id}`)

  await test.step('a voided sale, and the reversal of its commission', async () => {
    const lead = await aLead(jane, { firstName: 'Ines', lastName: 'Duarte', email: 'ines@duarte.example' })
    const sale = await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
    const voided = await post(`/sales/${sale.id}/void`, { reason: 'Entered twice' })
    await show(sale.commissions[0].id)
    await expect(step(page, 'Click')).toContainText('No click: the lead was added manually.')
    await expect(step(page, 'Hold')).toContainText('The sale is void. No commission is paid on it.')
    await expect(step(page, 'Corrections')).toContainText('Remaining$0.00')
    await step(page, 'Corrections').getByRole('link', { name: 'Receipt for -$20.00 to Jane Whitfield' }).click()
    const reversal = dialog(page, 'Receipt for -$20.00')
    await expect(reversal).toContainText('The sale was voided on')
    await expect(reversal).toContainText('Entered twice')
    await reversal.getByRole('link', { name: 'Receipt for $20.00 to Jane Whitfield' }).click()
    await expect(dialog(page, 'Receipt for $20.00')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(pageHeading(page, 'Receipt for $20.00')).toBeVisible()
    expect(voided.commissions).toHaveLength(2)
  })

  await test.step('an adjustment has no sale', async () => {
    const { id } = await post(`/partners/${jane.id}/adjustments`, { amount: 15_00, reason: 'Agreed on the phone' })
    await show(id)
    await expect(step(page, 'Adjustment')).toContainText('It isn’t for a sale')
    await expect(step(page, 'Adjustment')).toContainText('Agreed on the phone')
    await expect(page.getByRole('list', { name: 'From click to payout' }).getByRole('listitem')).toHaveCount(4)
  })

  await test.step('a returned payout, and the one after it', async () => {
    const { items } = await call(owner, 'GET', `/partners/${jane.id}/commissions?kind=adjustment`)
    const payout = await sendPayout(jane)
    const transfer = [...wise.transfers.values()].at(-1)
    wise.setState(transfer?.id as number, 'bounced_back')
    await reaches(payout.id, 'returned')
    await show(items[0].id)
    await expect(step(page, 'Payout')).toContainText('The payout was returned by the bank.')
    await expect(step(page, 'Bank')).toContainText('The money was returned.')
    wise.setState(transfer?.id as number, 'funds_refunded')
    await waitUntil(async () => {
      await requestRefresh(site, { ...owner, ownerEmail: owner.email, admin: '' })
      return (await call(owner, 'GET', `/commissions/${items[0].id}`)).payout === null
    })
    await page.reload()
    await expect(step(page, 'Payout')).toContainText(`Earlier payoutPO-${payout.statementNumber}, Returned`)
  })

  await test.step('a commission paid before the account moved here', async () => {
    const email = 'past@customer.example'
    const head = 'Order ID,Customer Email,Affiliate Email,Total,Date,Commission,Commission Status,Currency'
    const csv = `${head}\nP-1,${email},${jane.email},90.00,2025-03-04,30.01,paid,usd\n`
    const made = await post(`/accounts/${owner.id}/imports`, { kind: 'sales', csv, dryRun: false })
    await waitUntil(async () => (await call(owner, 'GET', `/imports/${made.id}`)).state === 'done')
    const { items } = await call(owner, 'GET', `/partners/${jane.id}/commissions?kind=earned&sort=-amount`)
    await show(items.find(({ amount }: CommissionEntry) => amount === 30_01)?.id)
    await expect(step(page, 'Click')).toContainText('No click: the lead was imported.')
    await expect(step(page, 'Sale')).toContainText('imported')
    await expect(step(page, 'Layer and rate')).toContainText('Amount set by the import')
    await expect(step(page, 'Corrections')).toContainText('Paid before the import-$30.01Remaining$0.00')
  })

  await test.step('the day of payment stays when the time zone changes', async () => {
    const paidAt = new Date().toLocaleDateString('sv', { timeZone: 'America/New_York' })
    const lead = await aLead(jane, { firstName: 'Olga', email: 'olga@petrov.example' })
    const { commissions } = await post(`/leads/${lead.id}/sales`, { amount: 500_00, saleDate: paidAt })
    await requestRefresh(site, { ...owner, ownerEmail: owner.email, admin: '' })
    const { items } = await call(owner, 'GET', `/partners/${jane.id}/payouts?status=due`)
    await post(`/payouts/${items[0].id}/mark-paid`, { reference: 'T-9', paidAt })
    await call(owner, 'PATCH', `/accounts/${owner.id}`, { timeZone: 'Pacific/Pago_Pago' })
    await show(commissions[0].id)
    const day = new Date(paidAt).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
    await expect(step(page, 'Bank')).toContainText(`Paid on${day}`)
  })
  expect(complaints).toEqual([])
})
