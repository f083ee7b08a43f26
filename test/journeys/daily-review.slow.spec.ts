import type { Locator, Page } from '@playwright/test'
import { pino } from 'pino'
import { noFraudRules } from '#contract/fraud.ts'
import { clocks } from '../../server/clocks.ts'
import { openDatabase } from '../../server/platform/database/pool.ts'
import { createJobs } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import { expectOk } from '../support/app.ts'
import {
  anOwner,
  aSignedUpPartner,
  mailTo,
  openAs,
  type Person,
  pageHeading,
  type Site,
  startSite,
} from '../support/journey.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { expect, test } from '../support/test.ts'

// The work of a morning: cases are decided, a code is made and used, and the report adds up to its lists.

let site: Site
let database: Awaited<ReturnType<typeof createTestDatabase>>

test.beforeAll(async () => {
  database = await createTestDatabase()
  site = await startSite({ DATABASE_URL: database.url })
})

test.afterAll(async () => {
  await site.end()
  await database.drop()
})

type Owner = Person & { id: string }

const calls =
  (token: string) =>
  async (method: string, path: string, body: object = {}) =>
    expectOk(await site.api(method, path, { token, body })).body

/** Brings 12 cases by three rules, and a sale without one. */
async function populate(owner: Owner) {
  const send = calls(owner.token)
  const of = `/accounts/${owner.id}`
  const rules = { ...noFraudRules, disposableMail: { action: 'hold' }, paidAds: { action: 'flag', campaigns: [] } }
  await send('PUT', `${of}/fraud-rules`, rules)
  const { apiKey } = await send('PUT', `${of}/api-key`)
  const push = calls(apiKey)
  const partners = await Promise.all(
    [
      ['Jane', 'Whitfield'],
      ['Omar', 'Haddad'],
      ['Rosa', 'Delgado'],
    ].map(([firstName, lastName]) => aSignedUpPartner(site, owner, { firstName, lastName })),
  )
  const [jane] = partners as [(typeof partners)[number]]
  const { referralCode } = await send('GET', `/partners/${jane.id}`)
  const sell = async (partnerId: string | null, firstName: string, email: string, amount: number) => {
    const lead = await send('POST', `${of}/leads`, { partnerId, firstName, lastName: 'Moss', email })
    await send('POST', `/leads/${lead.id}/sales`, { amount, externalId: `A-${amount / 100}` })
  }
  const thrownAway = ['Ida', 'Ben', 'Cleo', 'Dev', 'Eva']
  const fromAds = ['Finn', 'Gia', 'Hugo', 'Ines']
  for (const [at, name] of thrownAway.entries()) await sell(jane.id, name, `${name}@mailinator.com`, (101 + at) * 100)
  for (const [at, partner] of partners.entries()) await sell(partner.id, 'Self', partner.email, (201 + at) * 100)
  for (const [at, name] of fromAds.entries()) {
    const url = `https://shop.example/?gclid=${name}`
    const { id: clickId } = await push('POST', '/push/clicks', { referralCode, url, referrer: 'https://ads.example/' })
    const email = `${name}@moss.example`.toLowerCase()
    await push('POST', '/push/leads', { email, firstName: name, lastName: 'Moss', clickId })
    await push('POST', '/push/sales', { email, externalId: `A-${301 + at}`, amount: (301 + at) * 100 })
  }
  await sell(jane.id, 'Lost', 'lost@moss.example', 400_00)
  return push
}

/** Gathers and sends the mails as on the Monday that follows. */
async function nextMonday() {
  const monday = new Date()
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7 || 7))
  monday.setUTCHours(9, 0, 0)
  const log = pino({ level: 'silent' })
  const db = openDatabase({ url: database.url, log, clock: { now: () => monday } })
  const jobs = createJobs(database.url, log)
  const services = { db, jobs, log } as Services
  await clocks['mails-of-the-day']!.run(services)
  monday.setUTCMinutes(2)
  await clocks['gather-mails']!.run(services)
  await jobs.stop({ graceful: false })
  await db.close()
}

const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody').getByRole('row')
const expectStatus = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeVisible()

/** Opens the dialog of an act that decides a case: a button of its row. */
async function decide(page: Page, row: Locator, act: string) {
  await row.getByRole('button', { name: act, exact: true }).click()
  return page.getByRole('dialog')
}

async function choose(page: Page, row: Locator, act: string) {
  await row.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
  return page.getByRole('dialog')
}

const cents = (text: string) => Math.round(Number(text.replace(/[$,]/g, '')) * 100)

test('an owner decides cases, makes a code, and reads a report that adds up, on screen and by mail', async ({
  page,
  complaints,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [20] }, selfReferralPolicy: 'hold' })
  const push = await populate(owner)

  await openAs(page, site, owner, '/dashboard')
  await page.getByRole('link', { name: '12 cases of possible fraud' }).click()
  await expect(page.getByRole('tab', { name: 'Fraud review', exact: true })).toHaveAttribute('aria-selected', 'true')
  const cases = rows(page, 'Fraud review')
  await expect(cases).toHaveCount(12)
  await page.getByLabel('Rule').selectOption('Paid ads')
  await expect(cases).toHaveCount(4)
  const voiding = await decide(page, cases.filter({ hasText: 'Finn' }), 'Void sale')
  await voiding.getByLabel('Reason').fill('Our own ad')
  await voiding.getByRole('button', { name: 'Void sale' }).click()
  await expectStatus(page, 'Sale voided')
  await expect(cases).toHaveCount(3)
  await page.getByLabel('Rule').selectOption('Throwaway email')
  await expect(cases).toHaveCount(5)
  const releasing = await decide(page, cases.filter({ hasText: 'Ida' }), 'Release')
  await expect(releasing).toContainText('$20.20 in commission is released.')
  await releasing.getByLabel('Reason').fill('Known to us')
  await releasing.getByRole('button', { name: 'Release case' }).click()
  await expectStatus(page, 'Case released')
  const bensCase = cases.filter({ hasText: 'Ben' })
  const asking = await choose(page, bensCase, 'Ask partner')
  await asking.getByLabel('Question').fill('How did you meet Ben?')
  await asking.getByRole('button', { name: 'Send question' }).click()
  await expect(bensCase).toContainText('You asked: How did you meet Ben?')
  await expect(cases).toHaveCount(4)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('link', { name: '10 cases of possible fraud' })).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click()
  await page.getByRole('tab', { name: 'Promotion codes' }).click()
  await page.getByRole('button', { name: 'Add code' }).first().click()
  const adding = page.getByRole('dialog')
  await adding.getByLabel('Partner').fill('Jane')
  await page.getByRole('option', { name: /Jane Whitfield/ }).click()
  await adding.getByLabel('Code').fill('MORNING')
  await adding.getByRole('button', { name: 'Add code' }).click()
  await expectStatus(page, 'Promotion code added')
  const used = { email: 'kira@moss.example', externalId: 'A-500', amount: 500_00, promotionCode: 'morning' }
  await push('POST', '/push/sales', used)
  await page.reload()
  await expect(page.getByRole('row', { name: /MORNING/ })).toContainText('$500.00')

  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('tab', { name: 'Reports' }).click()
  await expect(page).toHaveURL(/\/reports/)
  const reported = rows(page, 'Report').filter({ hasText: 'Jane Whitfield' })
  const revenue = reported.getByRole('cell').nth(3)
  // all but the voided sale, in which the other two partners have none
  const sum = (101 + 102 + 103 + 104 + 105 + 201 + 302 + 303 + 304 + 400 + 500) * 100
  await expect(revenue).toHaveText('$2,525.00')
  await revenue.getByRole('link').click()
  await expect(pageHeading(page, 'Leads')).toBeVisible()
  const lines = rows(page, 'Sales')
  // the voided sale is a line of nothing
  await expect(lines).toHaveCount(12)
  const amounts = await lines.evaluateAll((all) => all.map((row) => /\$[\d,.]+/.exec(row.textContent ?? '')![0]))
  expect(amounts.reduce((all, amount) => all + cents(amount), 0)).toBe(sum)
  await expect(page.getByRole('table', { name: 'Sales' }).locator('tfoot')).toContainText('$2,525.00')

  await page.goBack()
  await page.getByRole('button', { name: 'Save report' }).click()
  const saving = page.getByRole('dialog')
  await saving.getByLabel('Report Name').fill('Partners of the week')
  await saving.getByLabel('Email It to Me').selectOption('Every Monday')
  await saving.getByRole('button', { name: 'Save report' }).click()
  await expectStatus(page, 'Report saved')
  await nextMonday()
  const mail = await mailTo(site, owner.email, ({ subject }) => subject.startsWith('Partners of the week'))
  expect(mail.text).toContain('Jane Whitfield: $2,525.00')
  const { pathname, search } = new URL(mail.link!)
  await page.goto(site.url + pathname + search)
  await expect(revenue).toHaveText('$2,525.00')
  expect(complaints).toEqual([])
})
