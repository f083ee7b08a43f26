import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allPages, aPartnerLine, assertRefused } from '../../../test/support/api.ts'
import { startApp, turnableClock } from '../../../test/support/app.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from '../../program/access/account-facts.ts'
import { applyRefund } from '../../program/sales/refund-sale.ts'

// The lines that the statistics count, and the lists behind the other figures.

const clock = turnableClock('2026-03-10T12:00:00Z')
const app = await startApp({ clock })

const home = ({ id }: { id: string }) => `/accounts/${id}`

async function aSellingAccount(settings: Record<string, unknown> = {}) {
  const line = await aPartnerLine(app, settings)
  const lines = (query = '') => line.owner.get(`${line.home}/revenue-lines${query}`)
  return { ...line, lines }
}

/** Reports a refund or dispute of this day, as a provider does. */
async function reportRefund(
  { id }: { id: string },
  sale: { id: string },
  kind: 'refund' | 'dispute',
  amount: number,
  status: 'pending' | 'succeeded' | 'failed',
  day: string,
  externalId: string = kind,
) {
  const { db } = app.services
  const account = await db.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${id}`
  const report = { kind, externalId, amount, status, reason: null, at: new Date(`${day}T12:00:00Z`) }
  await transaction(db, (tx) => applyRefund(tx, system, account, sale.id, report))
}

type Line = { kind: string; day: string; amount: number; share: number; profit: number }
const brief = ({ items }: { items: Line[] }) =>
  items.map(({ kind, day, amount, share, profit }) => [kind, day, amount, share, profit])

/** Returns the statistics' figures for the same days. */
async function statsOf({ account, owner }: Awaited<ReturnType<typeof aSellingAccount>>, range: string) {
  const { current } = await owner.get(`${home(account)}/dashboard/${range}`)
  const { numberOfSales: sales, salesRevenue: revenue, salesRevenueShare: share, salesProfit: profit } = current
  return { sales, revenue, share, profit }
}

test('a sale, its refund and its restoration are on their own days and add up to the statistics', async () => {
  const one = await aSellingAccount()
  const { owner, aLead, lines, account, partner } = one
  const lead = await aLead({ firstName: 'Hannah', lastName: 'Cole' })
  const sale = await owner.post(`/leads/${lead.id}/sales`, {
    amount: 100_00,
    saleDate: '2026-03-01',
    externalId: 'A-1',
  })
  const again = await owner.post(`/leads/${lead.id}/sales`, { amount: 40_00, saleDate: '2026-03-05' })
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Fewer seats' })
  await reportRefund(account, again, 'refund', 10_00, 'succeeded', '2026-03-06')
  await reportRefund(account, again, 'refund', 10_00, 'failed', '2026-03-07')
  await reportRefund(account, again, 'dispute', 40_00, 'succeeded', '2026-03-08')

  const { items, totals, total } = await lines()
  assert.deepEqual(brief({ items }).toSorted(), [
    ['dispute', '2026-03-08', -40_00, -10_00, -30_00],
    ['refund', '2026-03-06', -10_00, -2_50, -7_50],
    ['refund', '2026-03-10', -50_00, -12_50, -37_50],
    ['restoration', '2026-03-10', 10_00, 2_50, 7_50],
    ['sale', '2026-03-01', 100_00, 25_00, 75_00],
    ['sale', '2026-03-05', 40_00, 10_00, 30_00],
  ])
  assert.deepEqual(
    items.map(({ day }: Line) => day),
    items
      .map(({ day }: Line) => day)
      .toSorted()
      .toReversed(),
    'newest first',
  )
  const { leadName, partnerName, leadId, partnerId, provider, status } = items.at(-1)
  assert.deepEqual(
    [leadName, partnerName, leadId, partnerId, provider, status],
    ['Hannah Cole', 'Jane Whitfield', lead.id, partner.id, 'manual', 'partially-refunded'],
  )
  assert.deepEqual([total, totals.count], [6, 6])
  for (const range of ['2026-03-01..2026-03-10', '2026-03-01..2026-03-05', '2026-03-06..2026-03-08']) {
    const [from, to] = range.split('..')
    const { count: _, ...sums } = (await lines(`?from=${from}&to=${to}`)).totals
    assert.deepEqual(sums, await statsOf(one, range), range)
  }
})

test('a void sale is one line that counts for nothing', async () => {
  const one = await aSellingAccount()
  const { owner, aLead, lines } = one
  const lead = await aLead()
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00, saleDate: '2026-03-02' })
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Fewer seats' })
  await owner.post(`/sales/${sale.id}/void`, { reason: 'Entered twice' })
  const { items, totals } = await lines()
  assert.deepEqual(brief({ items }), [['void', '2026-03-02', 0, 0, 0]])
  assert.deepEqual(totals, { count: 1, sales: 0, revenue: 0, share: 0, profit: 0 })
  assert.deepEqual(await statsOf(one, '2026-03-01..2026-03-10'), { sales: 0, revenue: 0, share: 0, profit: 0 })
  assert.equal((await lines('?kind=sale')).total, 0)
})

test('a refund that by rounding takes commission but no revenue still is a line', async () => {
  const one = await aSellingAccount({ defaultCommissionSettings: { layerRates: [90] } })
  const { owner, aLead, lines, account } = one
  const lead = await aLead()
  await owner.post(`${home(account)}/exchange-rates`, { currency: 'jpy', date: '2026-03-02', rate: 0.0001 })
  // 1,000 yen are 10 cents, of which 9 are earned
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 1_000, currency: 'jpy', saleDate: '2026-03-02' })
  await reportRefund(account, sale, 'refund', 550, 'succeeded', '2026-03-03', 'a')
  await reportRefund(account, sale, 'refund', 90, 'succeeded', '2026-03-04', 'b')
  assert.deepEqual(brief(await lines()), [
    ['refund', '2026-03-04', 0, -1, 1],
    ['refund', '2026-03-03', -6, -5, -1],
    ['sale', '2026-03-02', 10, 9, 1],
  ])
  assert.deepEqual(await statsOf(one, '2026-03-04..2026-03-04'), { sales: 0, revenue: 0, share: -1, profit: 1 })
})

test('filters narrow the lines and their totals; pages neither skip nor repeat', async () => {
  const one = await aSellingAccount({ selfReferralPolicy: 'hold' })
  const { owner, aLead, lines, account, partner, parent } = one
  const link = await aBlueprint(app, account)
  const hannah = await aLead({ firstName: 'Hannah', lastName: 'Cole', company: 'Brightline Dental' })
  const self = await aLead({ partnerId: parent.id, email: parent.email })
  const nobodys = await aLead({ partnerId: null })
  const first = await owner.post(`/leads/${hannah.id}/sales`, {
    amount: 10_00,
    saleDate: '2026-03-01',
    externalId: 'inv-7',
  })
  await owner.post(`/leads/${hannah.id}/sales`, { amount: 20_00, saleDate: '2026-03-01' })
  await owner.post(`/leads/${self.id}/sales`, { amount: 30_00, saleDate: '2026-03-02' })
  await owner.post(`/leads/${nobodys.id}/sales`, { amount: 40_00, saleDate: '2026-03-03' })
  await owner.post(`/sales/${first.id}/refunds`, { amount: 5_00, reason: 'Fewer seats' })
  await app.services.db.run`update sales set blueprint_id = ${link.id} where id = ${first.id}`

  const revenue = async (query: string) => {
    const { totals, items, total } = await lines(query)
    assert.equal(items.length, total, query)
    return [totals.count, totals.revenue]
  }
  assert.deepEqual(await revenue(''), [5, 95_00])
  assert.deepEqual(await revenue('?kind=sale'), [4, 100_00])
  assert.deepEqual(await revenue('?kind=refund,void'), [1, -5_00])
  assert.deepEqual(await revenue(`?partnerId=${partner.id}`), [3, 25_00])
  assert.deepEqual(await revenue('?partnerId=none'), [1, 40_00])
  assert.deepEqual(await revenue(`?leadId=${self.id}`), [1, 30_00])
  assert.deepEqual(await revenue(`?blueprintId=${link.id}`), [2, 5_00])
  assert.deepEqual(await revenue('?status=partially-refunded'), [2, 5_00])
  assert.deepEqual(await revenue('?provider=stripe'), [0, 0])
  assert.deepEqual(await revenue('?from=2026-03-02&to=2026-03-03'), [2, 70_00])
  assert.deepEqual(await revenue('?onHold=true'), [1, 30_00])
  assert.deepEqual(await revenue('?minAmount=2000&maxAmount=3000'), [2, 50_00])
  assert.deepEqual(await revenue('?maxAmount=-1'), [1, -5_00])
  for (const found of ['hannah', 'BRIGHTLINE', hannah.email])
    assert.deepEqual(await revenue(`?search=${found}`), [3, 25_00])
  assert.deepEqual(await revenue('?search=inv-7'), [2, 5_00])
  assert.deepEqual(await revenue('?search=%25'), [0, 0])

  const get = (path: string) => owner.get(path)
  for (const sort of ['-createdAt', 'day']) {
    const paged = await allPages(get, `${home(account)}/revenue-lines?sort=${sort}`)
    const { items } = await lines(`?sort=${sort}`)
    assert.deepEqual(
      paged.map(({ id }) => id),
      items.map(({ id }: { id: string }) => id),
      sort,
    )
  }
  for (const query of [
    'kind=bonus',
    'status=new',
    'provider=x',
    'onHold=false',
    'from=yesterday',
    'minAmount=49.99',
    'maxAmount=',
    'sort=amount',
    'cursor=x',
  ])
    assertRefused(await owner.call('GET', `${home(account)}/revenue-lines?${query}`), 422, 'validation_failed', [
      query.split('=')[0]!,
    ])
})

test('each notice of the dashboard opens a list of as many', async () => {
  const one = await aSellingAccount({ selfReferralPolicy: 'hold', minimumPayout: 1_000_00, payoutDelay: 0 })
  const { owner, aLead, account, parent } = one
  const { db } = app.services
  const old = await aLead()
  await aLead()
  await db.run`update leads set created_at = created_at - interval '49 hours' where id = ${old.id}`
  const self = await aLead({ email: parent.email, partnerId: parent.id })
  await owner.post(`/leads/${self.id}/sales`, { amount: 30_00 })
  const disputed = await owner.post(`/leads/${old.id}/sales`, { amount: 30_00 })
  await reportRefund(account, disputed, 'dispute', 30_00, 'pending', '2026-03-09')
  const waiting = await aLead()
  await db.run`update leads set created_at = created_at - interval '47 hours 59 minutes' where id = ${waiting.id}`
  await aLead({ partnerId: null })
  const unanswered = await aLead()
  await db.run`update leads set created_at = created_at - interval '49 hours' where id = ${unanswered.id}`

  const { attention } = await owner.get(`${home(account)}/dashboard/2026-03-01..2026-03-10`)
  const counts = Object.fromEntries(attention.map(({ kind, count }: { kind: string; count: number }) => [kind, count]))
  const total = async (path: string) => (await owner.get(`${home(account)}/${path}`)).total
  assert.deepEqual([await total('leads?unanswered=true'), counts['unanswered-leads']], [1, 1])
  assert.deepEqual([await total('sales?onHold=true'), counts['sales-on-hold']], [2, 2])
  assert.equal(await total('revenue-lines?onHold=true&kind=sale'), 2)
  assert.deepEqual([await total('leads?partnerId=none'), counts['unattributed-leads']], [1, 1])
  const needy = 'payouts?attention=approve,second-approval,fund,remind,approve-year,fix-details,retry,reconnect'
  assert.equal(await total(needy), counts['blocked-payouts'] ?? 0)
  const [{ saleId }] = (await one.lines('?onHold=true&status=completed')).items
  await owner.post(`/sales/${saleId}/release`, { reason: 'For her company' })
  const { items } = await one.lines('?kind=sale')
  assert.deepEqual(items.map(({ onHold, status }: { onHold: boolean; status: string }) => [status, onHold]).sort(), [
    ['completed', false],
    ['disputed', true],
  ])
  assertRefused(await owner.call('GET', `${home(account)}/leads?unanswered=no`), 422, 'validation_failed', [
    'unanswered',
  ])
})

test('leads and partners of a range are those that its figures count, even if the time zone changes', async () => {
  const one = await aSellingAccount({ timeZone: 'Pacific/Auckland' })
  const { owner, account, aLead } = one
  // noon in London is the next day in Auckland
  await aLead()
  await owner.patch(home(account), { timeZone: 'Pacific/Honolulu' })
  for (const range of ['2026-03-10..2026-03-10', '2026-03-11..2026-03-11']) {
    const { current } = await owner.get(`${home(account)}/dashboard/${range}`)
    const [from, to] = range.split('..')
    const total = async (list: string) => (await owner.get(`${home(account)}/${list}?from=${from}&to=${to}`)).total
    assert.deepEqual(
      [await total('leads'), await total('partners')],
      [current.numberOfLeads, current.numberOfPartners],
      range,
    )
  }
  assert.equal((await owner.get(`${home(account)}/leads?from=2026-03-11`)).total, 1)
})

test('the dashboard compares with the given days, else with as many just before', async () => {
  const one = await aSellingAccount()
  const { owner, account, aLead } = one
  const lead = await aLead()
  for (const [saleDate, amount] of [
    ['2026-02-02', 1_00],
    ['2026-02-25', 2_00],
    ['2026-03-02', 4_00],
  ] as const)
    await owner.post(`/leads/${lead.id}/sales`, { amount, saleDate })
  const previous = async (query = '') =>
    (await owner.get(`${home(account)}/dashboard/2026-03-01..2026-03-10${query}`)).previous.salesRevenue
  assert.equal(await previous(), 2_00)
  assert.equal(await previous('?compare=2026-02-01..2026-02-10'), 1_00)
  for (const compare of ['2026-02-01', '2026-02-10..2026-02-01', 'x..y'])
    assertRefused(
      await owner.call('GET', `${home(account)}/dashboard/2026-03-01..2026-03-10?compare=${compare}`),
      422,
      'validation_failed',
      ['compare'],
    )
})
