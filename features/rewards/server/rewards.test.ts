import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processImport } from '#server/integrations/imports/run-import.ts'
import { resolveAccess } from '#server/program/access/access.ts'
import { getAccountFacts } from '#server/program/access/account-facts.ts'
import { presentLead } from '#server/program/leads/present-lead.ts'
import { getPayoutTerms } from '#server/program/payouts/payout-terms.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { createCaller } from '#test/support/api.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
} from '#test/support/app.ts'
import { listSeeds, randomFrom } from '#test/support/model-test.ts'
import { getOwnOffer } from '../contract.ts'
import { giveRewards } from './give-rewards.ts'

const app = await startApp()
const DAY = 86_400_000

const credits = { as: 'units', unitName: 'credits', unitValue: 100 }

/** Signs the owner in again: the clock may have passed the session. */
async function ownerOf(account: TestAccount) {
  return createCaller(app, (await signIn(app, account.ownerEmail)).token)
}

async function aProgram(group: object = {}, more: object = {}) {
  const account = await anAccount(app, { payoutDelay: 7, timeZone: 'UTC', ...more })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const customers = await owner.post(`${home}/groups`, {
    ...{ name: 'Customers', kind: 'customers', reward: credits, terms: { otherwise: { layerAmounts: [10_00] } } },
    ...group,
  })
  const { key } = await owner.post(`${home}/api-keys`, { name: 'App', rights: ['partners', 'push', 'rewards'] })
  const system = createCaller(app, key)
  const enrol = async (externalId: string) =>
    expectOk(
      await system.call('PUT', `${home}/partners/by-external-id/${externalId}`, {
        ...{ email: `${externalId}-${account.id}@app.example`, groupId: customers.id },
      }),
    ).body
  const aFriend = async (partnerId: string, fields: object = {}) =>
    owner.post(`${home}/leads`, { partnerId, email: `${Math.random()}@friend.example`, ...fields })
  return { account, owner, home, customers, system, enrol, aFriend }
}

type Caller = ReturnType<typeof createCaller>
const buys = (owner: Caller, lead: { id: string }, amount: number, more: object = {}) =>
  owner.post(`/leads/${lead.id}/sales`, { amount, ...more })

const reasonOf = async (answer: Promise<{ status: number; body: { error?: { reason: string } } }>) => {
  const { status, body } = await answer
  return `${status} ${body.error?.reason}`
}

/** Passes days, and makes the nightly run as the hour has come. */
async function nights(count: number) {
  app.clock.set(new Date(Math.floor(app.clock.now().getTime() / DAY) * DAY + count * DAY + 4 * 3_600_000))
  await giveRewards(app.services)
}

test('ten credits, a quarter refunded before they are given: seven are shown, granted and acknowledged once', async () => {
  const { account, owner, home, system, enrol, aFriend } = await aProgram()
  const ann = await enrol('ann')
  assert.equal(ann.groupName, 'Customers')
  const friend = await aFriend(ann.id)
  const sale = await buys(owner, friend, 40_00)
  assert.equal(sale.commissions[0].amount, 10_00)
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 10_00, reason: 'Returned' })
  const waiting = await system.get(`${home}/rewards`)
  assert.deepEqual(
    waiting.items.map((one: Record<string, unknown>) => [one.id, one.externalId, one.units, one.unitName, one.status]),
    [[null, 'ann', 7, 'credits', 'pending']],
  )
  await nights(8)
  const { items, totals } = await system.get(`${home}/rewards?status=due`)
  assert.deepEqual([items.length, items[0].units, items[0].amount, items[0].status], [1, 7, 7_00, 'due'])
  assert.deepEqual(totals, [{ as: 'units', unitName: 'credits', count: 1, units: 7, amount: 7_00 }])
  const { id } = items[0]
  const shown = (await (await ownerOf(account)).get(`/payouts/${id}`)).reward
  assert.deepEqual(shown, { as: 'units', units: 7, unitName: 'credits' })

  const acknowledge = (reference?: string) =>
    system.call('POST', `/payouts/${id}/acknowledgement`, reference === undefined ? {} : { reference })
  const first = expectOk(await acknowledge('grant 1')).body
  assert.deepEqual([first.status, first.externalReference, first.method], ['paid', 'grant 1', 'units'])
  assert.deepEqual(first.reward, { as: 'units', units: 7, unitName: 'credits' })
  assert.equal((await acknowledge('grant 1')).status, 200)
  assert.equal(await reasonOf(acknowledge('grant 2')), '409 already_acknowledged')
  assert.equal(await reasonOf(acknowledge()), '409 already_acknowledged')
  const given = await system.get(`${home}/rewards?status=given`)
  assert.deepEqual([given.items[0].reference, given.items[0].units], ['grant 1', 7])

  // what is refunded later is made up by the next rewards, in whole units
  const again = await ownerOf(account)
  await again.post(`/sales/${sale.id}/refunds`, { amount: 30_00, reason: 'Returned' })
  await buys(again, await again.post(`${home}/leads`, { partnerId: ann.id, email: 'next@friend.example' }), 40_00)
  await nights(9)
  const next = await system.get(`${home}/rewards?status=due`)
  assert.deepEqual(
    next.items.map((one: { units: number }) => one.units),
    [3],
  )
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('units that fall due to an erased customer wait for a person', async () => {
  const { account, home, system, enrol } = await aProgram()
  const zoe = await enrol('zoe')
  const owner = await ownerOf(account)
  await owner.post(`/partners/${zoe.id}/archive`, { balance: 'pay-out' })
  await owner.post(`/partners/${zoe.id}/erase`, {})
  await owner.post(`/partners/${zoe.id}/adjustments`, { amount: 5_00, reason: 'The refund was a mistake' })
  for (let night = 0; night < 2; night++) {
    await nights(1)
    const { items } = await system.get(`${home}/rewards`)
    assert.deepEqual(
      items.map((one: { status: string; units: number }) => [one.status, one.units]),
      [['pending', 5]],
    )
  }
  const [{ status, scheduledFor }] = (await (await ownerOf(account)).get(`/partners/${zoe.id}/payouts`)).items
  assert.deepEqual([status, scheduledFor], ['due', null])
})

test('what a person marked as paid is acknowledged by the same reference', async () => {
  const { account, owner, home, system, enrol, aFriend } = await aProgram()
  await buys(owner, await aFriend((await enrol('abe')).id), 40_00)
  await nights(8)
  const [{ id }] = (await system.get(`${home}/rewards?status=due`)).items
  await (await ownerOf(account)).post(`/payouts/${id}/mark-paid`, { reference: 'grant 1' })
  const acknowledge = (reference: string) => system.call('POST', `/payouts/${id}/acknowledgement`, { reference })
  assert.equal(expectOk(await acknowledge('grant 1')).body.status, 'paid')
  assert.equal(await reasonOf(acknowledge('grant 2')), '409 already_acknowledged')
})

test('what a person without the right to pay adjusted is not given before another has approved it', async () => {
  const { account, owner, home, enrol } = await aProgram()
  const member = { email: anEmail('manager'), role: 'manager', firstName: 'Sam', lastName: 'Reed' }
  const { url } = await owner.post(`${home}/members`, member)
  const sam = createCaller(app, (await acceptInvitation(app, url)).token)
  const [amy, ben] = [await enrol('amy'), await enrol('ben')]
  await sam.post(`/partners/${amy.id}/adjustments`, { amount: 50_00, reason: 'Mine' })
  await owner.post(`/partners/${ben.id}/adjustments`, { amount: 5_00, reason: 'Sorry' })
  await nights(1)
  const again = await ownerOf(account)
  const payoutOf = async ({ id }: { id: string }) => (await again.get(`/partners/${id}/payouts`)).items[0]
  assert.equal((await payoutOf(ben)).status, 'approved')
  const { id, amount, status, scheduledFor, blockers } = await payoutOf(amy)
  const reasons = blockers.map(({ message }: { message: string }) => message)
  assert.deepEqual([status, scheduledFor, reasons], ['due', null, ['Adjusted by Sam Reed']])
  assert.equal((await again.post(`/payouts/${id}/approve`, { amount })).status, 'approved')
})

test('whatever terms a partner brings along, a customer earns whole units', async () => {
  const { account, owner, customers, aFriend } = await aProgram()
  const partner = await aPartner(app, account)
  const terms = {
    rules: [{ on: 'qualified-lead', layerAmounts: [1_50] }],
    otherwise: { layerAmounts: [2_50] },
    maxPerMonth: 2_90,
  }
  await owner.put(`/partners/${partner.id}/terms`, { terms })
  await owner.put(`/partners/${partner.id}`, { groupId: customers.id })
  const lead = await aFriend(partner.id)
  await owner.post(`/leads/${lead.id}/status`, { status: 'qualified' })
  await buys(owner, lead, 50_00)
  const { items } = await owner.get(`/partners/${partner.id}/commissions?sort=createdAt`)
  assert.deepEqual(
    items.map((one: { amount: number }) => one.amount),
    [1_00, 1_00],
  )
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('past payouts to a customer are imported as whole units alone', async () => {
  const { owner, home, enrol } = await aProgram()
  const { email } = await enrol('dot')
  const csv = `Partner Email,Amount,Date\n${email},1.50,2026-01-05\n${email},2.00,2026-01-06`
  const { id } = await owner.post(`${home}/imports`, { kind: 'payouts', csv, dryRun: false })
  let done = { state: 'running', created: 0, errors: [] as { field: string }[] }
  while (done.state === 'running') {
    await processImport(app.services, { importId: id })
    done = await owner.get(`/imports/${id}`)
  }
  assert.deepEqual([done.created, done.errors.map(({ field }) => field)], [1, ['amount']])
})

test('a reward becomes units only with whole bonuses, and while no sale waits for its exchange rate', async () => {
  const { owner, customers, enrol, aFriend } = await aProgram({ reward: { as: 'money' } })
  const change = (unitValue: number) =>
    reasonOf(owner.call('PUT', `/groups/${customers.id}`, { reward: { ...credits, unitValue } }))
  const goal = { name: 'First', metric: 'sales', window: 'all-time', atLeast: 1, bonus: 1_50 }
  const { id } = await owner.post(`/groups/${customers.id}/goals`, goal)
  assert.equal(await change(1_00), '422 not_whole_units')
  await owner.call('PUT', `/goals/${id}`, { bonus: 2_00 })
  await buys(owner, await aFriend((await enrol('cyd')).id), 40_00, { currency: 'xaf' })
  assert.equal(await change(1_00), '409 reward_fixed')
})

test('the report of rewards has each month by form, what a new customer costs, and who is below zero', async () => {
  const { account, owner, home, system, enrol, aFriend } = await aProgram()
  const ivy = await enrol('ivy')
  const sale = await buys(owner, await aFriend(ivy.id), 20_00)
  await buys(owner, await aFriend((await enrol('joe')).id), 20_00)
  await nights(8)
  for (const { id } of (await system.get(`${home}/rewards?status=due`)).items)
    await system.post(`/payouts/${id}/acknowledgement`, {})
  const again = await ownerOf(account)
  await again.post(`/sales/${sale.id}/refunds`, { amount: 20_00, reason: 'Returned' })
  const [from, to] = [app.clock.now().getTime() - 60 * DAY, app.clock.now().getTime()].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  )
  const { currency, months, belowZero } = await again.get(`${home}/reports/${from}..${to}/rewards`)
  const sum = (field: string) => months.reduce((all: number, one: Record<string, number>) => all + one[field]!, 0)
  assert.deepEqual([currency, sum('earned'), sum('newCustomers')], ['usd', 10_00, 2])
  assert.deepEqual(
    months.flatMap(({ given }: { given: object[] }) => given),
    [{ as: 'units', unitName: 'credits', count: 2, units: 20, amount: 20_00 }],
  )
  assert.deepEqual(
    belowZero.map(({ externalId, balance }: { externalId: string; balance: number }) => [externalId, balance]),
    [['ivy', -10_00]],
  )
})

test('in the books a reward is owed to customers until it is given, and no bank pays it', async () => {
  const { account, owner, home, system, enrol, aFriend } = await aProgram()
  const amy = await enrol('amy')
  await buys(owner, await aFriend(amy.id), 20_00)
  const partner = await aPartner(app, account)
  await owner.post(`/partners/${partner.id}/adjustments`, { amount: 3_00, reason: 'Bonus' })
  await nights(8)
  const { items } = await system.get(`${home}/rewards?status=due`)
  await system.post(`/payouts/${items[0].id}/acknowledgement`, { reference: 'g' })
  const again = await ownerOf(account)
  const [from, to] = [app.clock.now().getTime() - 20 * DAY, app.clock.now().getTime()].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  )
  const { token } = await signIn(app, account.ownerEmail)
  const headers = { authorization: `Bearer ${token}` }
  const file = await fetch(`${app.url}/api/v1${home}/journal/${from}..${to}/csv`, { headers })
  const lines = (await file.text())
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.replaceAll('"', '').split(',').slice(2, 5).join(' ').trim())
  assert.deepEqual(lines.toSorted(), [
    'Commission expense 10.00',
    'Commission expense 3.00',
    'Commissions payable  3.00',
    'Customer rewards  10.00',
    'Customer rewards 10.00',
    'Customer rewards given  10.00',
  ])
  const year = await again.get(`${home}/tax-years/${to!.slice(0, 4)}?paid=true`)
  const [person] = year.items
  assert.deepEqual([person.partnerId, person.paid, person.rewards, person.reportable], [amy.id, 10_00, 10_00, 0])
  assert.equal(year.totals.rewards, 10_00)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('events of commissions and payouts name the customer by the company’s own id', async () => {
  const { account, owner, enrol, aFriend } = await aProgram()
  const ada = await enrol('ada')
  await buys(owner, await aFriend(ada.id), 20_00)
  await nights(8)
  const events = await app.services.db.many<{ type: string; externalId: string }>`
    select type, data -> 'object' ->> 'partnerExternalId' as external_id from passing_events
    where account_id = ${account.id} and type in ('commission.created', 'payout.due', 'payout.approved') order by id`
  assert.deepEqual(
    events.map(({ type, externalId }) => [type, externalId]),
    [
      ['commission.created', 'ada'],
      ['payout.due', 'ada'],
      ['payout.approved', 'ada'],
    ],
  )
})

test('a reward that the company does not acknowledge needs a person after three days', async () => {
  const { account, owner, home, enrol, aFriend } = await aProgram()
  await buys(owner, await aFriend((await enrol('bea')).id), 20_00)
  await nights(8)
  const items = async () =>
    (await (await ownerOf(account)).get(`${home}/payouts/attention`)).items.map((one: { kind: string }) => one.kind)
  assert.deepEqual(await items(), [])
  app.clock.set(new Date(app.clock.now().getTime() + 3 * DAY))
  assert.deepEqual(await items(), ['acknowledge'])
  // who can't grant it cancels it, and the entries are due again
  const again = await ownerOf(account)
  const { items: due } = await again.get(`${home}/rewards?status=due`)
  await again.post(`/payouts/${due[0].id}/cancel`)
  const { items: pending } = await again.get(`${home}/rewards`)
  assert.deepEqual(
    pending.map((one: { status: string }) => one.status),
    ['pending'],
  )
})

test('a group for customers that does not give by itself waits for a person, without details or approval of the year', async () => {
  const { account, owner, enrol, aFriend } = await aProgram({ automatic: false }, { minimumPayout: 1000_00 })
  const cal = await enrol('cal')
  await buys(owner, await aFriend(cal.id), 20_00)
  await nights(8)
  const again = await ownerOf(account)
  const [payout] = (await again.get(`/partners/${cal.id}/payouts`)).items
  assert.deepEqual([payout.status, payout.blockers, payout.method], ['due', [], 'units'])
  const approved = await again.post(`/payouts/${payout.id}/approve`, { amount: payout.amount })
  assert.equal(approved.status, 'approved')
})

test('a limit a month in units of 5.00: 3, 3, 3, 1, 0', async () => {
  const terms = { otherwise: { layerAmounts: [15_00] }, maxPerMonth: 50_00 }
  const { owner, enrol, aFriend } = await aProgram({ reward: { ...credits, unitValue: 5_00 }, terms })
  const dee = await enrol('dee')
  const earned: number[] = []
  for (let friend = 0; friend < 5; friend++)
    earned.push((await buys(owner, await aFriend(dee.id), 100_00)).commissions[0]?.amount ?? 0)
  assert.deepEqual(earned, [15_00, 15_00, 15_00, 5_00, 0])
})

test('a limit a year of 50.00: 15.00 three times, 5.00, then nothing until the next year; in units 3, 3, 3, 1, 0', async () => {
  for (const reward of [{ as: 'money' }, { ...credits, unitValue: 5_00 }]) {
    const terms = { otherwise: { layerAmounts: [15_00] }, maxPerYear: 50_00 }
    const { owner, customers, enrol, aFriend } = await aProgram({ reward, terms })
    assert.equal((await owner.get(`/groups/${customers.id}`)).terms.maxPerYear, 50_00)
    const dee = await enrol('dee')
    const earned: number[] = []
    for (const saleDate of ['2025-11-30', '2026-01-02', '2026-02-03', '2026-03-04', '2026-04-05', '2026-05-06']) {
      earned.push((await buys(owner, await aFriend(dee.id), 100_00, { saleDate })).commissions[0]?.amount ?? 0)
    }
    assert.deepEqual(earned, [15_00, 15_00, 15_00, 15_00, 5_00, 0])
    const receipts = (await owner.get(`/partners/${dee.id}/commissions?sort=-createdAt`)).items
    const { terms: why } = await owner.get(`/commissions/${receipts[0].id}`)
    assert.deepEqual(why.cap, { kind: 'year', limit: 50_00, used: 45_00, planned: 15_00, kept: 5_00 })
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('in a group of customers the limit of a month and of a year also cuts what friends who sign up and pay are worth', async () => {
  for (const cap of ['maxPerMonth', 'maxPerYear']) {
    const terms = {
      rules: [
        { on: 'qualified-lead', layerAmounts: [2_00] },
        { on: 'new-customer', layerAmounts: [6_00] },
      ],
      otherwise: { layerAmounts: [1_00] },
      [cap]: 20_00,
    }
    const { owner, enrol, aFriend } = await aProgram({ terms })
    const fox = await enrol('fox')
    const earned: number[] = []
    for (let friend = 0; friend < 4; friend++) {
      const lead = await aFriend(fox.id)
      if (friend !== 1) await owner.post(`/leads/${lead.id}/status`, { status: 'qualified' })
      const sale = await buys(owner, lead, 50_00)
      const all = (await owner.get(`/partners/${fox.id}/commissions`)).items
      earned.push(all.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0))
      if (friend < 3) continue
      // what a refund gives back is free for the next friends
      await owner.post(`/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Returned' })
    }
    assert.deepEqual(earned, [9_00, 18_00, 20_00, 20_00])
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('nobody is rewarded for their own purchases, or for people who paid before, whatever the policy', async () => {
  const { account, owner, home, enrol, aFriend } = await aProgram({}, { selfReferralPolicy: 'allow' })
  const eve = await enrol('eve')
  const earned = async (lead: { id: string }, more: object = {}) =>
    (await buys(owner, lead, 20_00, more)).commissions[0]?.amount ?? 0
  assert.equal(await earned(await aFriend(eve.id, { externalId: 'eve' })), 0)
  assert.equal(await earned(await aFriend(eve.id, { email: `eve-${account.id}@app.example` })), 0)
  // bought before the referral, by an address that the company knows
  const friend = await owner.post(`${home}/leads`, { email: 'old@friend.example' })
  await buys(owner, friend, 20_00, { saleDate: '2026-01-05' })
  await owner.post(`/leads/${friend.id}/reassign`, { partnerId: eve.id, reason: 'She says so' })
  assert.equal(await earned(friend), 0)
  assert.ok((await earned(await aFriend(eve.id))) > 0)
})

test('twenty sign-ups without a payment earn nothing', async () => {
  const terms = {
    rules: [{ on: 'new-customer', layerAmounts: [5_00] }],
    otherwise: { layerAmounts: [0] },
  }
  const { owner, home, system, enrol, aFriend } = await aProgram({ terms })
  const fay = await enrol('fay')
  for (let at = 0; at < 20; at++) {
    const lead = await aFriend(fay.id)
    await owner.post(`/leads/${lead.id}/status`, { status: 'qualified' })
  }
  assert.equal((await system.get(`${home}/rewards`)).items.length, 0)
  await buys(owner, await aFriend(fay.id), 1_00)
  assert.equal((await system.get(`${home}/rewards`)).items[0].units, 5)
})

test('groups for customers refuse what does not suit them', async () => {
  const { account, owner, home, customers, enrol } = await aProgram()
  const call = (method: string, path: string, body: object) => reasonOf(owner.call(method, path, body))
  const put = (terms: object) => call('PUT', `/groups/${customers.id}/terms`, { terms })
  assert.equal(await put({ otherwise: { layerRates: [10] } }), '422 units_are_amounts')
  assert.equal(await put({ otherwise: { layerAmounts: [150] } }), '422 not_whole_units')
  assert.equal(await put({ otherwise: { layerAmounts: [100, 100] } }), '422 one_layer_only')
  assert.equal(await put({ otherwise: { layerAmounts: [100] }, maxPerMonth: 150 }), '422 not_whole_units')
  assert.equal(
    await reasonOf(owner.call('PUT', `/groups/${customers.id}/terms`, { terms: null })),
    '422 units_are_amounts',
  )
  const gus = await enrol('gus')
  const partner = await aPartner(app, account)
  assert.equal(await call('PUT', `/partners/${gus.id}`, { parentPartnerId: partner.id }), '422 one_layer_only')
  assert.equal(await call('PUT', `/partners/${partner.id}`, { parentPartnerId: gus.id }), '422 one_layer_only')
  assert.equal(
    await call('POST', `/partners/${gus.id}/adjustments`, { amount: 150, reason: 'Wrong' }),
    '422 not_whole_units',
  )
  assert.equal(await call('PUT', `/groups/${account.id}`, { automatic: true }), '422 group_is_not_for_customers')
  assert.equal(await call('POST', `${home}/groups`, { name: 'Odd', reward: credits }), '422 group_is_not_for_customers')
  // the reward can be changed until there is one
  const other = { ...credits, unitName: 'points' }
  assert.deepEqual((await owner.put(`/groups/${customers.id}`, { reward: other })).reward, other)
  await owner.post(`/partners/${gus.id}/adjustments`, { amount: 200, reason: 'Welcome' })
  assert.equal(await call('PUT', `/groups/${customers.id}`, { reward: credits }), '409 reward_fixed')
  assert.equal(await call('PUT', `/partners/${gus.id}`, { groupId: account.id }), '409 balance_not_zero')
  await owner.post(`/partners/${gus.id}/adjustments`, { amount: -200, reason: 'Taken back' })
  assert.equal(await call('PUT', `/partners/${gus.id}`, { groupId: account.id }), '409 partner_has_commissions')
  const hal = await enrol('hal')
  assert.equal(
    await call('PUT', `/partners/${hal.id}`, { groupId: account.id, appliesTo: 'new-customers' }),
    '422 reward_moves_all',
  )
  assert.equal((await owner.put(`/partners/${hal.id}`, { groupId: account.id })).groupName, 'Default')
  for (let more = 1; more < 10; more++) await owner.post(`${home}/groups`, { name: `More ${more}`, kind: 'customers' })
  assert.equal(
    await call('POST', `${home}/groups`, { name: 'Last', kind: 'customers' }),
    '409 too_many_customer_groups',
  )
})

test('an account without a group of customers is asked nothing about them', async () => {
  const account = await anAccount(app, { timeZone: 'UTC' })
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const lead = await owner.post(`${home}/leads`, { email: 'lead@friend.example' })
  /** Returns the statements of a partner's call, of a list of leads and of payouts that read groups or rewards. */
  async function asked() {
    const statements: string[] = []
    const db = new Proxy(app.services.db, {
      get(target, name) {
        const method = Reflect.get(target, name)
        if (!['many', 'maybe', 'one', 'value', 'run'].includes(String(name))) return method
        return (...statement: [TemplateStringsArray, ...unknown[]]) => {
          statements.push(statement[0].join('?'))
          return method(...statement)
        }
      },
    })
    const facts = (await getAccountFacts(db, [account.id])).get(account.id)!
    const partner = await aPartner(app, account)
    const roles = { isAdmin: false, teamRoles: {}, partnerRoles: { [partner.id]: 'owner' as const } }
    await resolveAccess(db, getOwnOffer, { ...roles, partnerAccountIds: [account.id] }, partner.id)
    await presentLead(db, { account: facts, partnerId: null }, lead.id)
    await getPayoutTerms(db, facts)
    return statements.filter((text) => /\bgroups\b|new-customer/.test(text)).length
  }
  const has = async () => (await owner.get(home)).hasCustomerGroups
  assert.deepEqual([await has(), await asked()], [false, 0])
  const { id } = await owner.post(`${home}/groups`, { name: 'Customers', kind: 'customers' })
  assert.deepEqual([await has(), await asked()], [true, 3])
  expectOk(await owner.call('DELETE', `/groups/${id}`))
  assert.deepEqual([await has(), await asked()], [false, 0])
})

for (const seed of listSeeds(1))
  test(`seed ${seed}: in any order of sales and refunds, each entry and each payout in units is whole`, async () => {
    const random = randomFrom(seed)
    const unitValue = random.pick([70, 100, 250])
    const { account, home, customers, enrol } = await aProgram({
      reward: { as: 'units', unitName: 'points', unitValue },
      terms: {
        rules: [
          { on: 'new-customer', layerAmounts: [3 * unitValue] },
          { on: 'sale', when: { firstPayments: 2 }, layerAmounts: [7 * unitValue] },
        ],
        otherwise: { layerAmounts: [2 * unitValue] },
        maxPerCustomer: 13 * unitValue,
        maxPerMonth: 31 * unitValue,
        maxPerYear: 90 * unitValue,
      },
    })
    const goal = { name: 'Three', metric: 'sales', window: 'all-time', atLeast: 3, bonus: 5 * unitValue }
    await (await ownerOf(account)).post(`/groups/${customers.id}/goals`, goal)
    const partners = [await enrol(`ann-${seed}`), await enrol(`bo-${seed}`)]
    const friends: { id: string }[] = []
    const sales: { id: string; left: number }[] = []
    let owner = await ownerOf(account)
    for (let step = 0; step < 30; step++) {
      const roll = random.below(8)
      if (roll < 2 || friends.length === 0) {
        const fields = { partnerId: random.pick(partners).id, email: `${seed}-${step}@friend.example` }
        friends.push(await owner.post(`${home}/leads`, fields))
      } else if (roll < 5) {
        const amount = 1 + random.below(90_00)
        const { id } = await buys(owner, random.pick(friends), amount)
        sales.push({ id, left: amount })
      } else if (roll < 7 && sales.length > 0) {
        const sale = random.pick(sales)
        if (sale.left === 0) continue
        const amount = 1 + random.below(sale.left)
        sale.left -= amount
        await owner.post(`/sales/${sale.id}/refunds`, { amount, reason: 'Returned' })
      } else {
        await nights(1 + random.below(20))
        owner = await ownerOf(account)
      }
    }
    await nights(30)
    const { db } = app.services
    const amounts = await db.many<{ amount: number }>`
      select amount from commission_entries where account_id = ${account.id}
      union all select amount from payouts where account_id = ${account.id}`
    assert.deepEqual(
      amounts.filter(({ amount }) => amount % unitValue !== 0),
      [],
    )
    assert.deepEqual(await verifyLedger(db), [])
  })
