import type { Locator, Page } from '@playwright/test'
import { expectOk } from '../support/app.ts'
import { anOwner, openAs } from '../support/journey.ts'
import { expect, test } from '../support/test.ts'

// Offers as public programs word them, each set up in the screens and read back in sentences. Percent for one layer and
// an amount for another is none of them: a rule pays either (docs/concepts/terms.md).

type PayOf = { rates: number[] } | { amounts: number[] }
type OfferRule = PayOf & {
  name?: string
  payFor?: 'A qualified lead' | 'A new customer'
  /** By the condition's name. */
  when?: Record<string, string>
}
type Offer = {
  wording: string
  rules?: OfferRule[]
  otherwise: PayOf
  caps?: { customer: number; month: number; read: string[] }
  /** Each line of the terms, and what it pays. */
  read: [string, string][]
}

const rates = (...percents: number[]) => ({ rates: percents })
const amounts = (...units: number[]) => ({ amounts: units })
const nothing = rates(0)

const offers: Offer[] = [
  { wording: '20% recurring for the life of the customer', otherwise: rates(20), read: [['Every sale', '20%']] },
  {
    wording: '30% of the first payment only',
    rules: [{ when: { 'First Payments': '1' }, ...rates(30) }],
    otherwise: nothing,
    read: [
      ['First payment', '30%'],
      ['All other sales', 'No commission'],
    ],
  },
  {
    wording: '50% in the first year, 20% from then on',
    rules: [{ when: { 'First Months': '12' }, ...rates(50) }],
    otherwise: rates(20),
    read: [
      ['First 12 months', '50%'],
      ['All other sales', '20%'],
    ],
  },
  {
    wording: '25% for the first 12 months, nothing afterwards',
    rules: [{ when: { 'First Months': '12' }, ...rates(25) }],
    otherwise: nothing,
    read: [
      ['First 12 months', '25%'],
      ['All other sales', 'No commission'],
    ],
  },
  {
    wording: '$50 for each new customer, whatever they buy',
    rules: [{ payFor: 'A new customer', ...amounts(50) }],
    otherwise: nothing,
    read: [
      ['New customer', '$50.00'],
      ['Every sale', 'No commission'],
    ],
  },
  {
    wording: '$250 for a business, $750 for an accounting firm',
    rules: [
      { name: 'Business', payFor: 'A new customer', when: { Metadata: 'kind=business' }, ...amounts(250) },
      { name: 'Accounting firm', payFor: 'A new customer', when: { Metadata: 'kind=accountant' }, ...amounts(750) },
    ],
    otherwise: nothing,
    read: [
      ['Business · new customer · kind is business', '$250.00'],
      ['Accounting firm · new customer · kind is accountant', '$750.00'],
      ['Every sale', 'No commission'],
    ],
  },
  {
    wording: '$200 for a qualified lead and 10% of what it buys in its first year',
    rules: [
      { payFor: 'A qualified lead', ...amounts(200) },
      { when: { 'First Months': '12' }, ...rates(10) },
    ],
    otherwise: nothing,
    read: [
      ['Qualified lead', '$200.00'],
      ['First 12 months', '10%'],
      ['All other sales', 'No commission'],
    ],
  },
  {
    wording: '30% on Pro, 15% on Starter, nothing on gift cards',
    rules: [
      { name: 'Pro', when: { Product: 'prod_pro' }, ...rates(30) },
      { name: 'Starter', when: { Product: 'prod_starter' }, ...rates(15) },
    ],
    otherwise: nothing,
    read: [
      ['Pro · product prod_pro', '30%'],
      ['Starter · product prod_starter', '15%'],
      ['All other sales', 'No commission'],
    ],
  },
  {
    wording: '20%, and 25% for orders above $1,000',
    rules: [{ when: { 'Amount From': '1000.01' }, ...rates(25) }],
    otherwise: rates(20),
    read: [
      ['Sale of $1,000.01 or more', '25%'],
      ['All other sales', '20%'],
    ],
  },
  {
    wording: '15% when the customer used a promotion code, 20% when not',
    rules: [{ name: 'With a code', when: { 'Promotion Code': 'Used' }, ...rates(15) }],
    otherwise: rates(20),
    read: [
      ['With a code · with a promotion code', '15%'],
      ['All other sales', '20%'],
    ],
  },
  {
    wording: '20% on the first three payments, $5 on each after that',
    rules: [{ when: { 'First Payments': '3' }, ...rates(20) }],
    otherwise: amounts(5),
    read: [
      ['First 3 payments', '20%'],
      ['All other sales', '$5.00'],
    ],
  },
  {
    wording: '10% up to $500 a customer and $5,000 a month',
    otherwise: rates(10),
    caps: { customer: 500, month: 5000, read: ['At most $500.00 a customer', 'At most $5,000.00 a month'] },
    read: [['Every sale', '10%']],
  },
]

const main = (page: Page) => page.getByRole('main')
const rulesOf = (page: Page) => page.getByRole('table', { name: 'Exceptions' })

async function fillPay(form: Locator, pay: PayOf) {
  const isPercent = 'rates' in pay
  const type = form.getByLabel('Commission Type', { exact: true })
  // a lead pays amounts only
  if (await type.isVisible()) await type.selectOption(isPercent ? 'Percent' : 'Amount')
  const values = isPercent ? pay.rates : pay.amounts
  for (const [at, value] of values.entries())
    await form.getByLabel(`Layer ${at + 1} ${isPercent ? 'Rate' : 'Amount'}`).fill(String(value))
}

async function addRule(page: Page, { name, payFor, when = {}, ...pay }: OfferRule) {
  await main(page).getByRole('button', { name: 'Add rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add rule' })
  if (name) await dialog.getByLabel('Rule Name').fill(name)
  if (payFor) await dialog.getByLabel('Pay For').selectOption(payFor)
  for (const [condition, value] of Object.entries(when)) {
    await dialog.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('menuitem', { name: condition, exact: true }).click()
    if (condition === 'Metadata') {
      const [key = '', wanted = ''] = value.split('=')
      await dialog.getByLabel('Metadata Key').fill(key)
      await dialog.getByLabel('Metadata Values').fill(`${wanted},`)
    } else if (condition === 'Promotion Code') await dialog.getByLabel(condition, { exact: true }).selectOption(value)
    else await dialog.getByLabel(condition, { exact: true }).fill(condition === 'Product' ? `${value},` : value)
  }
  await fillPay(dialog, pay)
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(dialog).toBeHidden()
}

async function setUp(page: Page, { rules = [], otherwise, caps }: Offer) {
  await main(page).getByLabel('Commission Type', { exact: true }).waitFor()
  await fillPay(main(page), otherwise)
  for (const rule of rules) await addRule(page, rule)
  if (rules.length > 0) await expect(rulesOf(page).getByRole('row').last()).toContainText('All other sales')
  if (caps) {
    await main(page).getByText('Limits', { exact: true }).click()
    await page.getByLabel('Limit per Customer').fill(String(caps.customer))
    await page.getByLabel('Limit per Month').fill(String(caps.month))
  }
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Settings saved' })).toBeVisible()
}

for (const offer of offers)
  test(`${offer.wording}: set up, and read back`, async ({ page, site }) => {
    const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [12] } })
    await openAs(page, site, owner, '/account/settings?tab=commission')
    await setUp(page, offer)
    await page.reload()
    const { token, id } = owner
    const terms = expectOk(await site.api('GET', `/accounts/${id}/terms`, { token })).body
    const version = `Version ${terms.version}`
    await page.getByRole('button', { name: new RegExp(`^${version}, saved .* by Elena Marsh$`) }).click()
    await page.getByRole('dialog', { name: 'History' }).getByRole('button', { name: version }).click()
    const dialog = page.getByRole('dialog', { name: version })
    const lines = offer.read.map(([line, pays]) => `${line}${pays}`)
    await expect(dialog.getByRole('row')).toHaveText(['RulePays', ...lines])
    for (const cap of offer.caps?.read ?? []) await expect(dialog).toContainText(cap)
  })

/** Adds a goal to the group whose page is open. */
async function addGoal(page: Page, fields: Record<string, string>, choices: Record<string, string>, radio?: string) {
  await page.getByRole('button', { name: 'Add goal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add goal' })
  for (const [name, choice] of Object.entries(choices))
    await dialog.getByLabel(name, { exact: true }).selectOption(choice)
  if (radio) await dialog.getByLabel(radio).check()
  for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: 'Add goal' }).click()
  await expect(dialog).toBeHidden()
}

test('Silver 10%, Gold 15% from $10,000 in 90 days until they fall below: set up, and read back', async ({
  page,
  site,
}) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  await openAs(page, site, owner, '/partners?tab=groups')
  await page.getByRole('button', { name: 'Add group' }).click()
  const adding = page.getByRole('dialog', { name: 'Add group' })
  await adding.getByLabel('Group Name').fill('Gold')
  await adding.getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('heading', { name: 'Gold', level: 1 })).toBeVisible()
  await page.getByLabel('Custom terms').check()
  await page.getByLabel('Layer 1 Rate').fill('15')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Group saved' })).toBeVisible()
  const kept = { Window: 'Last 90 days', Group: 'Default' }
  await addGoal(page, { 'Goal Name': 'Back to Silver', Below: '10000' }, kept, 'Fall below a figure')
  const goals = page.getByRole('table', { name: 'Goals' }).getByRole('row')
  await expect(goals.nth(1)).toContainText('Below $10,000.00 in revenue in the last 90 days')
  await expect(goals.nth(1)).toContainText('Moves to Default')
  // also where the other groups are known last
  await page.route('**/groups?*', async (route) => {
    const response = await route.fetch()
    await page.waitForTimeout(1_000)
    await route.fulfill({ response })
  })
  await page.goto(`${site.url}/partners/groups/${owner.id}`)
  await addGoal(page, { 'Goal Name': 'Up to Gold', 'At Least': '10000' }, { Window: 'Last 90 days', Group: 'Gold' })
  await expect(goals.nth(1)).toContainText('At least $10,000.00 in revenue in the last 90 days')
  await expect(goals.nth(1)).toContainText('Moves to Gold')
  await page.goto(`${site.url}/partners?tab=groups`)
  await expect(page.getByRole('row', { name: /Default/ })).toContainText('Partners earn 10% of each sale')
  await expect(page.getByRole('row', { name: /Gold/ })).toContainText('15%')
})

test('$100 extra in any month with 20 sales or more: set up, and read back', async ({ page, site }) => {
  const owner = await anOwner(site, { defaultCommissionSettings: { layerRates: [10] } })
  await openAs(page, site, owner, `/partners/groups/${owner.id}`)
  await addGoal(page, { 'Goal Name': 'Busy month', 'At Least': '20', Bonus: '100' }, { Metric: 'Sales' })
  const goals = page.getByRole('table', { name: 'Goals' }).getByRole('row')
  await expect(goals.nth(1)).toContainText('At least 20 sales this month')
  await expect(goals.nth(1)).toContainText('Pays a bonus of $100.00')
})
