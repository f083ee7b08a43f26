import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PublicEvent, publicEvents } from '#contract/events.ts'
import { createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp, waitUntil } from '../../../test/support/app.ts'
import { bankDetails } from '../../../test/support/payouts.ts'

// The outgoing event stream: each event with its object as the contract promises it, as it was at that moment.

type EmittedEvent = {
  type: PublicEvent
  actorType: string
  data: { object: Record<string, unknown>; changes?: Changes }
}
type Changes = Record<string, { old: unknown; new: unknown }>

const app = await startApp({ worker: true })
const { db } = app.services

async function anOwner(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, {
    defaultCommissionSettings: { layerRates: [20, 5] },
    payoutDelay: 0,
    ...settings,
  })
  const parent = await aPartner(app, account, { firstName: 'Ida', lastName: 'Root' })
  const partner = await aPartner(
    app,
    account,
    { firstName: 'Kim', lastName: 'Leaf', parentPartnerId: parent.id, referralCode: 'kim' },
    { signIn: true },
  )
  const owner = createCaller(app, account.token)
  const home = `/accounts/${account.id}`
  const listEvents = () =>
    db.many<EmittedEvent>`
      select type, actor_type, data from told_events where account_id = ${account.id} and kind = 'public' order by id`
  return { account, parent, partner, owner, home, listEvents }
}

test('every event of a life contains its object as in the contract', async () => {
  const { account, parent, partner, owner, home, listEvents } = await anOwner()
  const year = app.clock.now().getUTCFullYear()
  for (const { id } of [parent, partner]) await owner.call('PUT', `/partners/${id}`, { approvedPayoutYears: [year] })
  await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() })
  const blueprint = await owner.post(`${home}/link-blueprints`, {
    name: 'Shop',
    destinationUrl: 'https://shop.example/',
  })
  await owner.call('PUT', `/link-blueprints/${blueprint.id}`, { name: 'The shop' })
  await owner.call('DELETE', `/link-blueprints/${blueprint.id}`)

  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  await owner.call('PUT', `/leads/${lead.id}`, { company: 'Customer & Sons' })
  const other = await owner.post(`${home}/leads`, { email: anEmail() })
  await owner.call('POST', `/leads/${other.id}/reassign`, { partnerId: parent.id, reason: 'Met at the fair' })
  const gone = await owner.post(`${home}/leads`, { email: anEmail() })
  await owner.call('DELETE', `/leads/${gone.id}`)

  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  await owner.call('PATCH', `/sales/${sale.id}`, { description: 'Two chairs' })
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 25_00, reason: 'One leg' })
  const wrong = await owner.post(`/leads/${lead.id}/sales`, { amount: 7_00 })
  await owner.post(`/sales/${wrong.id}/void`, { reason: 'Typed twice' })

  await owner.post(`${home}/payouts/refresh`)
  const { items } = await owner.get(`${home}/payouts`)
  for (const { id, status } of items)
    if (status !== 'canceled') await owner.call('POST', `/payouts/${id}/mark-paid`, { reference: 'SEPA 1' })
  await owner.call('DELETE', `/partners/${(await aPartner(app, account)).id}`)

  const events = await listEvents()
  for (const { type, data } of events) {
    const parsed = publicEvents[type].safeParse(data.object)
    assert.ok(parsed.success, `${type}: ${parsed.error?.message}`)
    assert.deepEqual(parsed.data, data.object, `${type} carries nothing beyond its schema`)
    const bytes = JSON.stringify(data).length
    assert.ok(bytes < 20_000, `${type} takes ${bytes} bytes`)
  }
  const seen = new Set(events.map(({ type }) => type))
  const expected: PublicEvent[] = [
    'lead.created',
    'lead.updated',
    'lead.status-changed',
    'lead.reassigned',
    'lead.deleted',
    'sale.created',
    'sale.updated',
    'sale.refunded',
    'sale.voided',
    'commission.created',
    'commission.reversed',
    'commission.due',
    'commission.paid',
    'payout.due',
    'payout.paid',
    'partner.created',
    'partner.updated',
    'partner.payout-settings-updated',
    'partner.deleted',
    'link-blueprint.created',
    'link-blueprint.updated',
    'link-blueprint.deleted',
  ]
  assert.deepEqual(
    expected.filter((type) => !seen.has(type)),
    [],
  )
})

test('an event keeps its content, whatever happens later', async () => {
  const { partner, owner, home, listEvents } = await anOwner()
  const email = anEmail()
  const lead = await owner.post(`${home}/leads`, { email, partnerId: partner.id })
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'Returned' })
  const of = async (type: PublicEvent) =>
    (await listEvents()).filter((event) => event.type === type).map(({ data }) => data)
  const [created] = await of('sale.created')
  const [refunded] = await of('sale.refunded')
  assert.deepEqual([created?.object.status, created?.object.refundedAmount], ['completed', 0])
  assert.deepEqual([refunded?.object.status, refunded?.object.refundedAmount], ['refunded', 100_00])
  assert.deepEqual(refunded?.changes, {
    status: { old: 'completed', new: 'refunded' },
    refundedAmount: { old: 0, new: 100_00 },
  })
  const earned = await of('commission.created')
  assert.deepEqual(
    earned.map(({ object }) => [object.partnerName, object.layer, object.amount]),
    [
      ['Kim Leaf', 0, 20_00],
      ['Ida Root', 1, 5_00],
    ],
  )
  assert.deepEqual(
    (await of('commission.reversed')).map(({ object }) => object.amount),
    [-20_00, -5_00],
  )
  const statuses = (await of('lead.status-changed')).map(({ object, changes }) => [object.status, changes?.status])
  assert.deepEqual(statuses, [
    ['won', { old: 'new', new: 'won' }],
    ['qualified', { old: 'won', new: 'qualified' }],
  ])
})

test('events contain no bank details, no keys, and no addresses except their object’s', async () => {
  const { partner, listEvents } = await anOwner()
  const body = bankDetails({ accountNumber: '98765432101' })
  await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
  const settings = (await listEvents()).find(({ type }) => type === 'partner.payout-settings-updated')
  assert.deepEqual(Object.keys(settings!.data.object).sort(), ['enabled', 'kind', 'partnerId', 'updatedAt'])
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from told_events where data::text like '%98765432101%'`
  assert.equal(count, 0)
  const signals = await db.many<{ data: object }>`select data from told_events where kind = 'internal'`
  assert.ok(signals.length > 0)
  for (const { data } of signals) assert.doesNotMatch(JSON.stringify(data), /@/)
})

test('the outcome of an invitation is an event of the partner', async () => {
  const { partner, listEvents } = await anOwner()
  await waitUntil(async () => (await listEvents()).some(({ type }) => type === 'partner.invitation-accepted'), 10_000)
  const accepted = (await listEvents()).find(({ type }) => type === 'partner.invitation-accepted')
  assert.deepEqual([accepted?.data.object.id, accepted?.actorType], [partner.id, 'user'])
})
