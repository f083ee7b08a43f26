import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pace } from '#contract/dashboard.ts'
import type { RevenueLine } from '#contract/sales.ts'
import { seededRandom } from '../../../demo/random.ts'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, signIn, startApp, turnableClock } from '../../../test/support/app.ts'

// This month compared with the last and the explanation of the difference, checked against the lines that statistics
// count.

const clock = turnableClock('2026-01-05T12:00:00Z')
const app = await startApp({ clock })

const DAY_MS = 86_400_000
const isoOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** An account in New York whose owner signs in again on request, as the clock is turned. */
async function aSellingAccount(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, { timeZone: 'America/New_York', ...settings })
  const owner = async () => createCaller(app, (await signIn(app, account.ownerEmail)).token)
  const pace = async (): Promise<Pace> => (await owner()).get(`/accounts/${account.id}/dashboard/pace`)
  return { account, owner, pace }
}

/** Computes the same figures by counting lines one by one. */
function model(lines: RevenueLine[], today: string) {
  const [year, month, day] = today.split('-').map(Number) as [number, number, number]
  const inMonth = (line: RevenueLine, months: number) => {
    const first = new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7)
    return line.day.startsWith(first) && Number(line.day.slice(8)) <= day
  }
  const [current, previous] = [0, -1].map((months) => lines.filter((line) => inMonth(line, months)))
  const sum = (some: RevenueLine[] = []) => some.reduce((all, { amount }) => all + amount, 0)
  const by = (key: 'partnerId' | 'leadId') => {
    const ids = [...new Set(lines.map((line) => line[key]))].filter((id) => id !== null)
    return ids.map((id) => {
      const [now, before] = [current, previous].map((some) => sum(some?.filter((line) => line[key] === id)))
      return { id, current: now!, previous: before! }
    })
  }
  return { current: sum(current), previous: sum(previous), partners: by('partnerId'), leads: by('leadId') }
}

type Both = { current: number; previous: number }
const total = (some: Both[], of: keyof Both) => some.reduce((all, one) => all + one[of], 0)

function assertExplains(pace: Pace, lines: RevenueLine[]) {
  const wanted = model(lines, pace.endDate)
  assert.deepEqual([pace.current, pace.previous], [wanted.current, wanted.previous])
  for (const side of ['current', 'previous'] as const) {
    assert.equal(total([...pace.partners, pace.otherPartners], side), pace[side])
    const one = side === 'current' ? pace.newLeads : pace.lostLeads
    assert.equal(one.amount + pace.otherLeads[side], pace[side])
  }

  const change = ({ current, previous }: Both) => current - previous
  const changes = wanted.partners.map(change).toSorted((a, b) => b - a)
  const named = [...changes.slice(0, 3).filter((one) => one > 0), ...changes.slice(-3).filter((one) => one < 0)]
  assert.deepEqual(pace.partners.map(change), named)
  for (const { partnerId, displayName, ...both } of pace.partners) {
    assert.deepEqual(
      { id: partnerId, ...both },
      wanted.partners.find(({ id }) => id === partnerId),
      displayName,
    )
    assert.ok(displayName)
  }

  for (const [side, isOn, amountOf] of [
    ['newLeads', ({ current, previous }: Both) => current > 0 && previous === 0, ({ current }: Both) => current],
    ['lostLeads', ({ current, previous }: Both) => current === 0 && previous > 0, ({ previous }: Both) => previous],
  ] as const) {
    const all = wanted.leads.filter(isOn).map(amountOf)
    const { count, amount, top } = pace[side]
    assert.deepEqual([count, amount], [all.length, all.reduce((sum, one) => sum + one, 0)], side)
    assert.deepEqual(
      top.map((lead) => lead.amount),
      all.toSorted((a, b) => b - a).slice(0, 3),
      side,
    )
    for (const { leadId, amount } of top) {
      const lead = wanted.leads.find(({ id }) => id === leadId)!
      assert.ok(isOn(lead) && amountOf(lead) === amount, side)
    }
  }
}

test('partners, leads and the rest always add up to the difference', async () => {
  const { account, owner, pace } = await aSellingAccount({ defaultCommissionSettings: { layerRates: [20] } })
  const random = seededRandom('pace')
  const leads: string[] = []
  const { post } = await owner()
  for (let number = 0; number < 9; number++) {
    const partner = await aPartner(app, account)
    for (let one = 0; one < 2; one++)
      leads.push((await post(`/accounts/${account.id}/leads`, { email: anEmail(), partnerId: partner.id })).id)
  }
  for (let one = 0; one < 2; one++) leads.push((await post(`/accounts/${account.id}/leads`, { email: anEmail() })).id)

  const sold: { id: string; amount: number }[] = []
  const seen = new Set<string>()
  let made = 0
  let from = Date.parse('2026-01-02T00:00:00Z')
  // the 31st of March has no counterpart in February; 3 a.m. UTC is still the 14th of March in New York
  for (const at of [
    '2026-01-20T15:00:00Z',
    '2026-02-12T15:00:00Z',
    '2026-02-28T15:00:00Z',
    '2026-03-15T03:00:00Z',
    '2026-03-31T20:00:00Z',
  ]) {
    clock.set(at)
    const { post, get } = await owner()
    const today = Date.parse(`${at.slice(0, 10)}T00:00:00Z`) - DAY_MS
    for (let number = 0; number < 14; number++) {
      const saleDate = isoOf(from + random.whole(0, (today - from) / DAY_MS) * DAY_MS)
      const amount = random.whole(1, 900_00)
      sold.push(await post(`/leads/${random.pick(leads)}/sales`, { amount, saleDate, externalId: `S-${++made}` }))
    }
    for (let number = 0; number < 3; number++) {
      const [sale] = sold.splice(random.whole(0, sold.length - 1), 1)
      const amount = random.whole(1, sale!.amount)
      if (number < 2) await post(`/sales/${sale!.id}/refunds`, { amount, reason: 'Fewer seats' })
      else await post(`/sales/${sale!.id}/void`, { reason: 'Entered twice' })
    }
    from = today
    const answer = await pace()
    const { items, nextCursor } = await get(`/accounts/${account.id}/revenue-lines?limit=100`)
    assert.equal(nextCursor, null)
    assertExplains(answer, items)
    const { current } = await get(`/accounts/${account.id}/dashboard/${answer.startDate}..${answer.endDate}`)
    assert.equal(current.salesRevenue, answer.current, 'the dashboard says the same')
    for (const part of ['partners', 'newLeads', 'lostLeads'] as const)
      if (part === 'partners' ? answer.partners.length > 0 : answer[part].count > 3) seen.add(part)
  }
  assert.deepEqual([...seen].toSorted(), ['lostLeads', 'newLeads', 'partners'])
})

test('the days are running totals: of this month to today, of the last to its end', async () => {
  clock.set('2026-02-02T12:00:00Z')
  const { account, owner, pace } = await aSellingAccount()
  const { post } = await owner()
  const partner = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' })
  const lead = await post(`/accounts/${account.id}/leads`, {
    email: anEmail(),
    partnerId: partner.id,
    firstName: 'Ada',
    lastName: 'Kestrel\u{1F985}',
  })
  for (const [saleDate, amount] of [
    ['2025-12-31', 7_00],
    ['2026-01-01', 100_00],
    ['2026-01-03', 10_00],
    ['2026-01-31', 1_00],
    ['2026-02-02', 50_00],
  ] as const)
    await post(`/leads/${lead.id}/sales`, { amount, saleDate, externalId: saleDate })

  const answer = await pace()
  const { days, partners, otherPartners, newLeads, otherLeads, ...rest } = answer
  assert.deepEqual(rest, {
    currency: 'usd',
    startDate: '2026-02-01',
    endDate: '2026-02-02',
    previousStartDate: '2026-01-01',
    previousEndDate: '2026-01-02',
    current: 50_00,
    previous: 100_00,
    lostLeads: { count: 0, amount: 0, top: [] },
  })
  assert.equal(days.length, 31)
  assert.deepEqual(days.slice(0, 4), [
    { current: 0, previous: 100_00 },
    { current: 50_00, previous: 100_00 },
    { current: null, previous: 110_00 },
    { current: null, previous: 110_00 },
  ])
  assert.deepEqual(days.at(-1), { current: null, previous: 111_00 })
  assert.deepEqual(partners, [
    { partnerId: partner.id, displayName: 'Jane Whitfield', current: 50_00, previous: 100_00 },
  ])
  assert.deepEqual([otherPartners, newLeads.count], [{ current: 0, previous: 0 }, 0])
  assert.deepEqual(otherLeads, { current: 50_00, previous: 100_00 })

  clock.set('2026-02-28T12:00:00Z')
  assert.equal((await pace()).previousEndDate, '2026-01-28')
  clock.set('2026-04-01T03:00:00Z')
  const inMarch = await pace()
  assert.deepEqual(
    [inMarch.startDate, inMarch.endDate, inMarch.previousStartDate, inMarch.previousEndDate, inMarch.days.length],
    ['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28', 31],
  )
  assert.deepEqual([inMarch.current, inMarch.previous, inMarch.days[30]], [0, 50_00, { current: 0, previous: null }])
  assert.deepEqual(inMarch.lostLeads, {
    count: 1,
    amount: 50_00,
    top: [{ leadId: lead.id, displayName: 'Ada Kestrel\u{1F985}', amount: 50_00 }],
  })
})

test('an account without sales has nothing to explain; another account is not found', async () => {
  clock.set('2026-05-05T12:00:00Z')
  const [own, other] = [await aSellingAccount(), await aSellingAccount()]
  const { partners, newLeads, lostLeads, days } = await own.pace()
  assert.deepEqual([partners, newLeads.count, lostLeads.count], [[], 0, 0])
  assert.ok(days.every(({ current, previous }) => !current && !previous))
  const { call } = await own.owner()
  assertRefused(await call('GET', `/accounts/${other.account.id}/dashboard/pace`), 404, 'not_found')
})
