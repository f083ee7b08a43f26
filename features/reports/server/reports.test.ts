import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportDimensions } from '#contract/values.ts'
import { clocks } from '#server/clocks.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { addDays } from '#server/platform/time/days.ts'
import { expireLeads } from '#server/program/leads/lead-status.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { createCaller } from '#test/support/api.ts'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  signIn,
  startApp,
  turnableClock,
} from '#test/support/app.ts'
import { listSeeds, type Random, randomFrom } from '#test/support/model-test.ts'
import type { ReportDimension, ReportRow } from '../contract.ts'
import { DAYS_FOR_A_READER } from './add-up.ts'

const clock = turnableClock('2026-03-02T15:00:00Z')
const app = await startApp({ clock, config: { rateLimitFactor: 1000 } })
const { db } = app.services

const start = '2026-03-02'

async function aProgram() {
  const account = await anAccount(app, {
    ...{ timeZone: 'America/New_York', payoutDelay: 0, defaultCommissionSettings: { layerRates: [20, 5] } },
  })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const push = createCaller(app, (await owner.put(`${home}/api-key`)).apiKey)
  const report = (by: ReportDimension, range: string, more = '') =>
    owner.get(`${home}/reports/${range}?by=${by}&limit=100${more}`)
  return { account, owner, home, push, report }
}

const pages = async (get: (path: string) => Promise<{ items: never[]; nextCursor: string | null }>, path: string) => {
  const items: Record<string, unknown>[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`${path}&limit=100${cursor && `&cursor=${cursor}`}`)
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

/** The figures of a report's rows, by value. */
const figuresOf = (items: ReportRow[]) =>
  Object.fromEntries(
    items
      .map(({ kind, value, clicks, leads, sales, revenue, commission, refunds }) => [
        kind === 'none' ? '' : value,
        { clicks, leads, sales, revenue, commission, refunds },
      ])
      .sort(),
  )

test('a report adds up by source, with the ratios of its clicks', async () => {
  const { account, owner, home, push, report } = await aProgram()
  const partner = await aPartner(app, account)
  const click = async (referrer: string | undefined) =>
    (
      await push.post('/push/clicks', {
        referralCode: partner.referralCode,
        url: 'https://shop.example/start',
        referrer,
      })
    ).id
  const clickId = await click('https://blog.example/best')
  for (let more = 0; more < 3; more++) await click('https://blog.example/best')
  await click(undefined)
  await push.post('/push/leads', { email: 'ann@mail.example', clickId })
  const sale = await push.post('/push/sales', { externalId: 'one', email: 'ann@mail.example', amount: 100_00 })
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 25_00, reason: 'Asked' })
  const { items, totals, capped, waiting } = await report('source', `${start}..${start}`)
  assert.deepEqual(items, [
    {
      ...{ kind: 'value', value: 'blog.example', name: null, clicks: 4, leads: 1, sales: 1 },
      ...{ revenue: 75_00, commission: 15_00, profit: 60_00, refunds: 25_00, conversion: 0.25, earningsPerClick: 375 },
    },
    {
      ...{ kind: 'none', value: '', name: null, clicks: 1, leads: 0, sales: 0 },
      ...{ revenue: 0, commission: 0, profit: 0, refunds: 0, conversion: 0, earningsPerClick: 0 },
    },
  ])
  assert.deepEqual([totals.clicks, totals.revenue, capped, waiting], [5, 75_00, false, 0])
  const { body: file } = await owner.call(
    'GET',
    `${home}/reports/${start}..${start}/csv?by=source&columns=commission,earningsPerClick`,
  )
  assert.equal(file, '"commission","earningsPerClick"\r\n"15.00","3.75"\r\n"0.00","0.00"\r\n')
  // each figure opens its list
  const opened = `broughtBy=source:blog.example&from=${start}&to=${start}`
  assert.equal((await owner.get(`${home}/leads?${opened}`)).total, 1)
  assert.equal((await owner.get(`${home}/revenue-lines?${opened}`)).totals.revenue, 75_00)
  assert.equal((await owner.get(`${home}/revenue-lines?broughtBy=source&from=${start}&to=${start}`)).total, 0)
  for (const list of ['leads', 'revenue-lines'])
    assert.equal((await owner.call('GET', `${home}/${list}?broughtBy=source:%00`)).status, 422)
})

test('a lead in use stands under its source, and so do its sales', async () => {
  const { account, owner, home, push, report } = await aProgram()
  const { referralCode } = await aPartner(app, account)
  const { id: clickId } = await push.post('/push/clicks', { referralCode, referrer: 'https://blog.example/best' })
  const lead = await push.post('/push/leads', { email: 'ann@mail.example', clickId })
  await push.post('/push/sales', { externalId: 'one', email: 'ann@mail.example', amount: 100_00 })
  await transaction(db, async (tx) => {
    await tx.run`select from leads where account_id = ${account.id} and id = ${lead.id} for update`
    const { items } = await report('source', `${start}..${start}`)
    assert.deepEqual(figuresOf(items), {
      'blog.example': { clicks: 1, leads: 1, sales: 1, revenue: 100_00, commission: 20_00, refunds: 0 },
    })
    const opened = `broughtBy=source:blog.example&from=${start}&to=${start}`
    assert.equal((await owner.get(`${home}/leads?${opened}`)).total, 1)
    assert.equal((await owner.get(`${home}/revenue-lines?${opened}`)).totals.revenue, 100_00)
  })
})

test('a file has all its days, however many have not been added up', async () => {
  const { account, owner, home, push } = await aProgram()
  const { referralCode } = await aPartner(app, account)
  const days = Array.from({ length: DAYS_FOR_A_READER + 8 }, (_, back) => addDays(start, -back))
  await push.post(
    '/push/clicks',
    days.map((day) => ({ referralCode, at: `${day}T15:00:00.000Z` })),
  )
  const range = `${days.at(-1)}..${start}`
  const { body: file } = await owner.call('GET', `${home}/reports/${range}/csv?columns=clicks`)
  assert.equal(file, `"clicks"\r\n"${days.length}"\r\n`)
})

test('cohorts show the leads of a month that came before the range, with their payments in it', async () => {
  clock.set('2026-01-20T15:00:00Z')
  const { account, owner, home, push } = await aProgram()
  const { referralCode } = await aPartner(app, account)
  const days = ['2026-01-20', '2026-02-10', '2026-03-10']
  for (const [turn, day] of days.entries()) {
    clock.set(`${day}T15:00:00Z`)
    Object.assign(owner, createCaller(app, (await signIn(app, account.ownerEmail)).token))
    await push.post('/push/leads', { email: `ann${turn}@mail.example`, referralCode })
    await push.post('/push/leads', { email: `bob${turn}@mail.example`, referralCode })
    await push.post('/push/sales', { externalId: `${turn}`, email: 'ann0@mail.example', amount: 100_00 })
  }
  const { cohorts } = await owner.get(`${home}/reports/2026-02-15..2026-03-02/cohorts`)
  const paid = (month: string) => ({ month, sales: 1, revenue: 100_00, commission: 20_00 })
  assert.deepEqual(cohorts, [
    { month: '2026-01', leads: 2, months: [paid('2026-02'), paid('2026-03')] },
    { month: '2026-02', leads: 2, months: [] },
    { month: '2026-03', leads: 2, months: [] },
  ])
  clock.set('2026-03-02T15:00:00Z')
})

test('a moved lead moves all its days in the report by sub-ID', async () => {
  clock.set('2026-03-02T15:00:00Z')
  const { account, owner, home, push, report } = await aProgram()
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const { id: clickId } = await push.post('/push/clicks', { referralCode: one.referralCode, subId: 'spring' })
  const lead = await push.post('/push/leads', { email: 'ann@mail.example', clickId })
  clock.advance(86_400_000)
  Object.assign(owner, createCaller(app, (await signIn(app, account.ownerEmail)).token))
  await push.post('/push/sales', { externalId: 'one', email: 'ann@mail.example', amount: 100_00 })
  const day = addDays(start, 1)
  const soldBySubId = async () => {
    const { items } = await report('sub-id', `${day}..${day}`)
    return (items as ReportRow[]).map(({ value, sales }) => [value, sales])
  }
  assert.deepEqual(await soldBySubId(), [['spring', 1]])
  await owner.post(`/leads/${lead.id}/reassign`, { partnerId: two.id, reason: 'Theirs' })
  assert.deepEqual(await soldBySubId(), [['', 1]])
  const opened = `broughtBy=sub-id&from=${day}&to=${day}`
  assert.equal((await owner.get(`${home}/revenue-lines?${opened}`)).total, 1)
  clock.set('2026-03-02T15:00:00Z')
})

test('pay for a lead moves in the report by sub-ID when another partner registers the expired lead', async () => {
  clock.set('2026-03-02T15:00:00Z')
  const { account, owner, home, push, report } = await aProgram()
  const [one, two] = [await aPartner(app, account), await aPartner(app, account)]
  const rules = [{ on: 'qualified-lead', layerAmounts: [40_00] }]
  await owner.put(`${home}/terms`, { terms: { rules, otherwise: { layerRates: [10] } } })
  const { id: clickId } = await push.post('/push/clicks', { referralCode: one.referralCode, subId: 'spring' })
  const lead = await push.post('/push/leads', { externalId: 'ann', clickId })
  const until = async (days: number) => {
    clock.advance(days * 86_400_000)
    Object.assign(owner, createCaller(app, (await signIn(app, account.ownerEmail)).token))
  }
  await until(1)
  await owner.post(`/leads/${lead.id}/status`, { status: 'qualified' })
  const day = addDays(start, 1)
  const paidBySubId = async () => {
    const { items } = await report('sub-id', `${day}..${day}`)
    return (items as ReportRow[]).map(({ value, commission }) => [value, commission])
  }
  assert.deepEqual(await paidBySubId(), [['spring', 40_00]])
  await until(100)
  await expireLeads(app.services)
  await push.post('/push/leads', { externalId: 'ann', referralCode: two.referralCode })
  assert.deepEqual(await paidBySubId(), [['', 40_00]])
  const opened = `broughtBy=sub-id&from=${day}&to=${day}`
  assert.equal((await owner.get(`${home}/revenue-lines?${opened}`)).totals.share, 40_00)
  clock.set('2026-03-02T15:00:00Z')
})

test('clicks of a deleted partner are in the reports without a partner', async () => {
  const { account, owner, push, report } = await aProgram()
  const [gone, stays] = [await aPartner(app, account), await aPartner(app, account)]
  for (const { referralCode } of [gone, gone, stays]) await push.post('/push/clicks', { referralCode })
  const clicksBy = async (by: ReportDimension, more = '') => {
    const { items } = await report(by, `${start}..${start}`, more)
    return (items as ReportRow[]).map(({ kind, value, clicks }) => [kind, value, clicks])
  }
  assert.deepEqual(await clicksBy('partner', '&sort=-clicks'), [
    ['value', gone.id, 2],
    ['value', stays.id, 1],
  ])
  await owner.delete(`/partners/${gone.id}`)
  assert.deepEqual(await clicksBy('partner', '&sort=-clicks'), [
    ['none', '', 2],
    ['value', stays.id, 1],
  ])
  assert.deepEqual(await clicksBy('source', '&partnerId=none'), [['none', '', 2]])
  assert.deepEqual(await clicksBy('source', `&partnerId=${stays.id}`), [['none', '', 1]])
})

test('reports keep the visits of a disabled account after these are deleted', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T15:00:00Z') })
  const account = await anAccount(own, { timeZone: 'America/New_York' })
  const home = `/accounts/${account.id}`
  const { apiKey } = await createCaller(own, account.token).put(`${home}/api-key`)
  const { referralCode } = await aPartner(own, account)
  const push = createCaller(own, apiKey)
  const { id: clickId } = await push.post('/push/clicks', { referralCode, referrer: 'https://blog.example/best' })
  await push.post('/push/leads', { email: 'ann@mail.example', clickId })
  await createCaller(own, account.admin).post(`${home}/disable`)
  own.clock.advance(86_400_000)
  await clocks['add-up-reports']!.run(own.services)
  own.clock.advance(400 * 86_400_000)
  await own.services.db.run`delete from clicks where account_id = ${account.id}`
  const { token: admin } = await signIn(own, ADMINISTRATOR.email, ADMINISTRATOR.password)
  await createCaller(own, admin).post(`${home}/enable`)
  const { token } = await signIn(own, account.ownerEmail)
  const owner = createCaller(own, token)
  const { items } = await owner.get(`${home}/reports/${start}..${start}?by=source`)
  assert.deepEqual(
    (items as ReportRow[]).map(({ value, clicks, leads }) => [value, clicks, leads]),
    [['blog.example', 1, 1]],
  )
  assert.equal((await owner.get(`${home}/leads?broughtBy=source:blog.example`)).total, 1)
})

test('more kinds a day than are kept are added up as others, and said', async () => {
  const { account, push, report } = await aProgram()
  const partner = await aPartner(app, account)
  const kinds = 620
  for (let from = 0; from < kinds; from += 100)
    await push.post(
      '/push/clicks',
      Array.from({ length: Math.min(100, kinds - from) }, (_, at) => ({
        ...{ referralCode: partner.referralCode, subId: `sub ${from + at}` },
      })),
    )
  const { items, totals, capped, total } = await report('sub-id', `${start}..${start}`, '&sort=-clicks')
  assert.deepEqual([total, totals.clicks, capped], [501, kinds, true])
  assert.deepEqual([items[0].kind, items[0].clicks], ['others', 120])
  assert.equal((await report('source', `${start}..${start}`)).capped, false)
})

test('readers at once, beside sales and clicks, leave reports that add up', async () => {
  const { account, owner, home, push, report } = await aProgram()
  const partner = await aPartner(app, account)
  const today = clock.now().toISOString().slice(0, 10)
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  const sell = async () => {
    for (let sale = 0; sale < 8; sale++) {
      await owner.post(`/leads/${lead.id}/sales`, { amount: 10_00 })
      await push.post('/push/clicks', { referralCode: partner.referralCode, subId: `s${sale}` })
    }
  }
  const read = async () => {
    for (let turn = 0; turn < 8; turn++) await report('sub-id', `${start}..${today}`)
  }
  await Promise.all([sell(), sell(), read(), read(), read()])
  const { totals } = await report('partner', `${start}..${today}`)
  assert.deepEqual([totals.sales, totals.clicks, totals.revenue], [16, 16, 160_00])
  assert.deepEqual(await verifyLedger(db), [])
})

test('a report whose reader has left the team isn’t mailed until another asks for it', async () => {
  const { account, owner, home } = await aProgram()
  const { url } = await owner.post(`${home}/members`, { email: anEmail('manager'), role: 'manager' })
  const manager = createCaller(app, (await acceptInvitation(app, url)).token)
  const report = { name: 'Partners', by: 'partner', period: 'last-7-days', every: 'week' }
  const { id, every } = await manager.post(`${home}/saved-reports`, report)
  assert.equal(every, 'week')
  const { items } = await owner.get(`${home}/members`)
  const { userId } = items.find(({ role }: { role: string }) => role === 'manager')
  expectOk(await app.api('DELETE', `${home}/members/${userId}`, { token: account.token }))
  const shown = async () => (await owner.get(`${home}/saved-reports`)).items[0].every
  assert.equal(await shown(), null)
  await owner.patch(`/saved-reports/${id}`, { every: 'week' })
  assert.equal(await shown(), 'week')
})

test('a report whose reader is a viewer by now isn’t mailed until another asks for it', async () => {
  const { owner, home, account } = await aProgram()
  const { url, userId } = await owner.post(`${home}/members`, { email: anEmail('finance'), role: 'finance' })
  const finance = createCaller(app, (await acceptInvitation(app, url)).token)
  const report = { name: 'Partners', by: 'partner', period: 'last-7-days', every: 'month' }
  const { id } = await finance.post(`${home}/saved-reports`, report)
  const shown = async () => (await owner.get(`${home}/saved-reports`)).items[0].every
  assert.equal(await shown(), 'month')
  expectOk(await app.api('PUT', `${home}/members/${userId}`, { token: account.token, body: { role: 'viewer' } }))
  assert.equal(await shown(), null)
  await owner.patch(`/saved-reports/${id}`, { every: 'month' })
  assert.equal(await shown(), 'month')
})

test('random lives: every report is what a plain count of clicks, leads and lines says', async () => {
  for (const seed of listSeeds(1)) await live(randomFrom(seed), `seed ${seed}`)
  assert.deepEqual(await verifyLedger(db), [])
})

const hosts = ['blog.example', 'news.example', undefined]
const paths = ['/', '/start', '/deep/er']
const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile',
  'Mozilla/5.0 (Windows NT 10.0) Chrome/120.0',
]

async function live(random: Random, said: string) {
  const { account, owner, home, push, report } = await aProgram()
  const { pick, chance, below } = random
  clock.set('2026-03-02T15:00:00Z')
  const group = await owner.post(`${home}/groups`, { name: 'Gold' })
  const partners = [await aPartner(app, account), await aPartner(app, account), await aPartner(app, account)]
  const trace: string[] = []
  const clicks: string[] = []
  const leads: { id: string; email: string }[] = []
  const sales: string[] = []
  let day = 0
  const acts = {
    async click() {
      const url = `https://shop.example${pick(paths)}`
      const referrer = pick(hosts)
      const { id } = await push.post('/push/clicks', {
        ...{ referralCode: pick(partners).referralCode, url, userAgent: pick(agents) },
        ...(referrer && { referrer: `https://${referrer}/x` }),
        ...(chance(50) && { subId: `s${below(3)}` }),
        ...(chance(20) && { at: new Date(clock.now().getTime() - below(3) * 86_400_000).toISOString() }),
      })
      clicks.push(id)
    },
    async lead() {
      const email = anEmail()
      const clickId = clicks.length > 0 && chance(70) ? pick(clicks) : undefined
      const body = clickId ? { email, clickId } : { email, ...(chance(60) && { partnerId: pick(partners).id }) }
      const { status, body: lead } = await push.call('POST', '/push/leads', body)
      if (status < 300) leads.push({ id: lead.id, email })
    },
    async sale() {
      if (leads.length === 0) return
      const amount = 1 + below(100_00)
      const first = below(amount)
      const lines = [
        { productId: 'seat', name: 'Seat', amount: first },
        { sku: 'addon', amount: amount - first },
      ]
      const sale = await owner.post(`/leads/${pick(leads).id}/sales`, {
        amount,
        ...(chance(60) && { lines }),
        ...(chance(40) && { promotionCode: pick(['SPRING', 'FALL']) }),
      })
      sales.push(sale.id)
    },
    async refund() {
      if (sales.length === 0) return
      await owner.call('POST', `/sales/${pick(sales)}/refunds`, { amount: 1 + below(30_00), reason: 'Asked' })
    },
    async void() {
      if (sales.length > 0 && chance(40)) await owner.call('POST', `/sales/${pick(sales)}/void`, { reason: 'Twice' })
    },
    async move() {
      if (leads.length === 0) return
      const body = { partnerId: pick(partners).id, reason: 'Theirs', creditEarlierSales: chance(50) }
      await owner.post(`/leads/${pick(leads).id}/reassign`, body)
    },
    async group() {
      await owner.put(`/partners/${pick(partners).id}`, { groupId: chance(50) ? group.id : account.id })
    },
    async day() {
      day++
      clock.advance(86_400_000)
      Object.assign(owner, createCaller(app, (await signIn(app, account.ownerEmail)).token))
    },
  }
  const bag = Object.keys(acts) as (keyof typeof acts)[]
  const often: typeof bag = ['click', 'click', 'lead', 'lead', 'sale', 'sale', 'sale', 'refund']
  for (let step = 0; step < 60; step++) {
    const name = pick(day < 4 ? [...bag, ...often] : [...bag.filter((one) => one !== 'day'), ...often])
    trace.push(name)
    await acts[name]()
    if (step % 6 === 5) await compare()
  }

  async function compare() {
    const from = addDays(start, below(day + 1))
    const to = addDays(from, below(3))
    const range = `${from}..${to}`
    const within = `from=${from}&to=${to}`
    const lines = await pages(owner.get, `${home}/revenue-lines?${within}`)
    const found = await db.many<LeadVisit>`
      select l.id, l.partner_id, l.blueprint_id, l.sub_id, l.status, l.created_on, c.referrer_host, c.landing_path, c.country,
        c.user_agent_class
      from leads l left join clicks c on c.id = l.click_id and c.account_id = l.account_id
      where l.account_id = ${account.id}`
    const visits = await db.many<Visit>`
      select partner_id, blueprint_id, sub_id, referrer_host, landing_path, country, user_agent_class from clicks
      where account_id = ${account.id} and not is_bot and day between ${from} and ${to}`
    const bought = await db.many<{ id: string; codes: string[] | null; lines: Bought[] | null }>`
      select id, promotion_codes as codes, lines from sales where account_id = ${account.id}`
    const groups = new Map(
      (await pages(owner.get, `${home}/partners?sort=createdAt`)).map((one) => [one.id, one.groupId]),
    )
    const byLead = new Map(found.map((lead) => [lead.id, lead]))
    const bySale = new Map(bought.map((sale) => [sale.id, sale]))
    for (const by of reportDimensions) {
      const expected: Record<string, Record<string, number | null>> = {}
      const has = {
        visits: !['code', 'product', 'lead-month'].includes(by),
        leads: by !== 'code' && by !== 'product',
      }
      const add = (value: unknown, figures: Record<string, number>) => {
        const key = String(value ?? '')
        expected[key] ??= {
          ...{ clicks: has.visits ? 0 : null, leads: has.leads ? 0 : null },
          ...{ sales: 0, revenue: 0, commission: 0, refunds: 0 },
        }
        for (const [figure, amount] of Object.entries(figures))
          expected[key][figure] = (expected[key][figure] ?? 0) + amount
      }
      const own = (one: Credited) =>
        by === 'partner' ? one.partnerId : by === 'group' ? groups.get(one.partnerId) : one.blueprintId
      const visited = (one: Visit) =>
        ({
          source: one.referrerHost,
          'landing-path': one.landingPath,
          country: one.country,
          device: one.userAgentClass,
          'sub-id': one.subId,
        })[by as string]
      const isOwn = by === 'partner' || by === 'group' || by === 'link'
      if (has.visits) for (const visit of visits) add(isOwn ? own(visit) : visited(visit), { clicks: 1 })
      const ofLead = (lead: LeadVisit, credited: Credited) =>
        isOwn ? own(credited) : by === 'lead-month' ? lead.createdOn.slice(0, 7) : visited(lead)
      if (has.leads)
        for (const lead of found)
          if (lead.createdOn >= from && lead.createdOn <= to && lead.status !== 'duplicate')
            add(ofLead(lead, lead), { leads: 1 })
      for (const line of lines as unknown as Line[]) {
        if (line.kind === 'void') continue
        const figures = {
          ...{ sales: line.kind === 'sale' ? 1 : 0, revenue: line.amount, commission: line.share },
          refunds: line.kind === 'sale' ? 0 : -line.amount,
        }
        const sale = bySale.get(line.saleId!)
        if (by === 'code') add(sale?.codes?.[0], figures)
        else if (by !== 'product') add(ofLead(byLead.get(line.leadId)!, line), figures)
        else {
          const parts = new Map<string | undefined, number>()
          for (const { productId, sku, amount } of sale?.lines ?? [])
            if (amount > 0) parts.set((productId ?? sku)!, (parts.get((productId ?? sku)!) ?? 0) + amount)
          if (parts.size === 0) parts.set(undefined, 1)
          const whole = [...parts.values()].reduce((sum, part) => sum + part, 0)
          let before = 0
          for (const [product, part] of [...parts].sort(([a], [b]) => (a! < b! ? -1 : 1))) {
            const at = (amount: number, upTo: number) =>
              Math.sign(amount) * Math.round((Math.abs(amount) * upTo) / whole)
            const share = (amount: number) => at(amount, before + part) - at(amount, before)
            add(product, {
              ...{ sales: figures.sales, revenue: share(figures.revenue) },
              ...{ commission: share(figures.commission), refunds: share(figures.refunds) },
            })
            before += part
          }
        }
      }
      const rows = Object.entries(expected)
        .filter(([, figures]) => Object.values(figures).some(Boolean))
        .sort()
      const { items, totals, waiting } = await report(by, range)
      assert.equal(waiting, 0)
      assert.deepEqual(figuresOf(items), Object.fromEntries(rows), `${said}, by ${by}, ${range}\n${trace.join('\n')}`)
      const stats = await owner.get(`${home}/historical-stats/${range}`)
      const sum = (field: string) =>
        stats.deltas.reduce((all: number, one: Record<string, number>) => all + one[field]!, 0)
      assert.deepEqual([totals.revenue, totals.commission], [sum('salesRevenue'), sum('salesRevenueShare')])
      if (by !== 'product') assert.equal(totals.sales, sum('numberOfSales'))
      if (has.leads) assert.equal(totals.leads, sum('numberOfLeads'))
      if (has.visits) assert.equal(totals.clicks, sum('numberOfClicks'))
    }
  }
}

type Credited = { partnerId: string | null; blueprintId: string | null }
type Visit = Credited & Record<'subId' | 'referrerHost' | 'landingPath' | 'country' | 'userAgentClass', string | null>
type LeadVisit = Visit & { id: string; status: string; createdOn: string }
type Bought = { productId: string | null; sku: string | null; amount: number }
type Line = Credited & { kind: string; saleId: string | null; leadId: string; amount: number; share: number }
