import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'

const app = await startApp({ worker: true })
const { db } = app.services
const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
await aPartner(app, account, { referralCode: 'jane' })
const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

const EMAIL = { field: 'email', path: 'email', transform: 'lowercase' }
const LEAD = { name: 'Lead', target: 'lead', mapping: [EMAIL] }
const SALE = {
  name: 'Order',
  target: 'sale',
  mapping: [{ field: 'externalId', path: 'id' }, EMAIL, { field: 'amount', path: 'total', transform: 'cents' }],
}
const REFUNDS = {
  name: 'Refunds',
  target: 'refund',
  each: 'refunds',
  mapping: [
    { field: 'externalId', path: 'id' },
    { field: 'saleExternalId', path: '$.id' },
    { field: 'amount', path: 'total', transform: 'cents' },
  ],
}

async function aHook(fields: object) {
  const { body: hook } = expectOk(
    await call('POST', `/accounts/${account.id}/incoming-webhooks`, { name: 'Shop', ...fields }),
  )
  const path = `/incoming-webhooks/${hook.id}`
  const send = async (payload: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(hook.url, { method: 'POST', body: JSON.stringify(payload), headers })
    assert.equal(response.status, 200)
    return (await response.json()).deliveryId
  }
  const outcomeOf = (id: string) =>
    waitUntil(async () => {
      const { body } = expectOk(await call('GET', `${path}/deliveries/${id}`))
      return body.state === 'received' ? null : body
    })
  return {
    ...hook,
    path,
    outcomeOf,
    take: async (payload: unknown) => outcomeOf(await send(payload)),
    rehearse: async (payload: unknown, more: object = {}) =>
      expectOk(await call('POST', `${path}/test`, { payload, ...more })).body,
  }
}

type RuleRecord = { rule: string; state: string; reason: string | null }
const toOutcomes = ({ records }: { records: RuleRecord[] }) =>
  records.map(({ rule, state, reason }) => [rule, state, reason])
let orders = 0
const anOrder = (more: object = {}) => ({
  id: `o-${++orders}`,
  email: `b${orders}@buyer.example`,
  total: '100.00',
  ...more,
})

test('an order makes its sale and each of its refunds, once, in a delivery after another', async () => {
  const hook = await aHook({ rules: [SALE, REFUNDS] })
  const order = anOrder({ refunds: [] })
  const bought = await hook.take(order)
  assert.deepEqual([bought.state, toOutcomes(bought)], ['processed', [['Order', 'created', null]]])
  assert.equal(bought.made.type, 'sale')
  const refunds = [
    { id: 1, total: '-10.00' },
    { id: 2, total: '-5.00' },
    { id: 3, total: '0.00' },
  ]
  const back = await hook.take({ ...order, refunds })
  assert.equal(back.state, 'processed')
  assert.deepEqual(toOutcomes(back), [
    ['Order', 'repeated', null],
    ['Refunds', 'created', null],
    ['Refunds', 'created', null],
    ['Refunds', 'skipped', 'This refund’s amount is 0.'],
  ])
  const again = await hook.take({ ...order, refunds, note: 'told again' })
  assert.deepEqual(
    toOutcomes(again).map(([, state]) => state),
    ['repeated', 'repeated', 'repeated', 'skipped'],
  )
  const { body: sale } = expectOk(await call('GET', `/sales/${bought.made.id}`))
  assert.equal(sale.refundedAmount, 1500)
})

test('a refund that names an order of several payments is of the only one it can be, or a person’s to record', async () => {
  const mapping = [...SALE.mapping, { field: 'subscriptionId', path: 'order' }]
  const when = (value: string) => [{ path: 'type', op: 'is', values: [value] }]
  const refund = [
    { field: 'externalId', path: 'id' },
    { field: 'saleExternalId', path: 'order' },
    { field: 'amount', path: 'total', transform: 'cents' },
  ]
  const hook = await aHook({
    rules: [
      { ...SALE, mapping, when: when('paid') },
      { name: 'Refund', target: 'refund', mapping: refund, when: when('refunded') },
    ],
  })
  const order = `agreement-${++orders}`
  const pay = (id: string, total: string) =>
    hook.take(anOrder({ type: 'paid', id: `${order}-${id}`, order, total, email: 'rates@buyer.example' }))
  const giveBack = async (id: string, total: string) => {
    const { records } = await hook.take({ type: 'refunded', id: `${order}-${id}`, order, total, note: ++orders })
    return records.map(({ state, reason }: RuleRecord) => [state, reason])
  }
  const left = async () =>
    (
      await db.many<{ left: string }>`
        select gross_amount - refunded_amount as left from sales
        where account_id = ${account.id} and subscription_id = ${order} order by external_id`
    ).map((row) => Number(row.left))
  const unclear = ['failed', 'This order has several payments. Record the refund manually']

  assert.equal((await giveBack('r0', '5.00'))[0]![0], 'failed')
  await pay('1', '20.00')
  assert.deepEqual(await giveBack('r1', '5.00'), [['created', null]])
  await pay('2', '30.00')
  assert.deepEqual(await giveBack('r1', '5.00'), [['repeated', null]])
  assert.deepEqual(await left(), [1500, 3000])
  // more than the first has left
  assert.deepEqual(await giveBack('r2', '20.00'), [['created', null]])
  assert.deepEqual(await left(), [1500, 1000])
  assert.deepEqual(await giveBack('r3', '10.00'), [unclear])
  assert.deepEqual(await giveBack('r4', '15.00'), [['created', null]])
  assert.deepEqual(await giveBack('r5', '10.00'), [['created', null]])
  assert.deepEqual(await left(), [0, 0])
  assert.equal((await giveBack('r6', '10.00'))[0]![0], 'skipped')
})

test('a payment told under the ID of one of another day is warned of, as its order may be paid again', async () => {
  const hook = await aHook({ rules: [{ ...SALE, mapping: [...SALE.mapping, { field: 'saleDate', path: 'on' }] }] })
  const order = anOrder({ on: '2026-05-14' })
  const warningsOn = async (on: string) => (await hook.take({ ...order, on })).warnings
  assert.deepEqual(await warningsOn('2026-05-14'), [])
  assert.deepEqual(await warningsOn('2026-05-15'), [])
  assert.deepEqual(await warningsOn('2026-06-14'), [
    'Already recorded for 2026-05-14; this says 2026-06-14. If it’s another payment, map an ID that each payment has alone.',
  ])
})

test('a record that fails fails the delivery; the others stay, and a replay makes what was missing', async () => {
  const hook = await aHook({ rules: [{ ...LEAD, each: 'people' }] })
  const people = [{ email: 'one@each.example' }, { email: 'not an address' }, { email: 'three@each.example' }]
  const first = await hook.take({ people })
  assert.deepEqual([first.state, Object.keys(first.fields)], ['failed', ['email']])
  assert.deepEqual(
    toOutcomes(first).map(([, state]) => state),
    ['created', 'failed', 'created'],
  )
  assert.equal(first.made.id, first.records[0].id)
  const byCompany = [{ field: 'externalId', path: 'email' }]
  expectOk(await call('PUT', hook.path, { rules: [{ ...LEAD, each: 'people', mapping: byCompany }] }))
  expectOk(await call('POST', `${hook.path}/deliveries/${first.id}/replays`))
  const second = await waitUntil(async () => {
    const { body } = expectOk(await call('GET', `${hook.path}/deliveries/${first.id}`))
    return body.state === 'replayed' ? body : null
  })
  assert.equal(second.records.length, 3)
})

test('orders of one delivery are judged alone: one that is refused leaves no lead, and the others are sold', async () => {
  const mapping = [...SALE.mapping, { field: 'saleDate', path: 'on' }]
  const hook = await aHook({ rules: [{ ...SALE, each: 'orders', mapping }] })
  const [free, same, next] = [anOrder({ total: '0.00' }), anOrder(), anOrder()]
  const future = anOrder({ email: 'never@future.example', on: '2099-01-01' })
  const other = { ...same, email: 'other@future.example', total: '70.00' }
  const outcome = async (orders: object[]) =>
    toOutcomes(await hook.take({ orders })).map(([, state, reason]) => [state, reason])
  const skipped = ['skipped', 'This sale’s amount is 0.']
  assert.deepEqual(await outcome([free, same, same]), [skipped, ['created', null], ['repeated', null]])
  const [first, ...rest] = await outcome([next, future, other])
  assert.deepEqual(first, ['created', null])
  assert.deepEqual(
    rest.map(([state]) => state),
    ['failed', 'failed'],
  )
  const emails = await db.many<{ email: string }>`
    select email from leads where account_id = ${account.id} and email like '%@future.example'`
  assert.deepEqual(emails, [])
  assert.deepEqual(await outcome([next, anOrder()]), [
    ['repeated', null],
    ['created', null],
  ])
})

test('rules apply by their conditions, whose letter case and spaces don’t count', async () => {
  const when = [
    { path: 'paid', op: 'exists' },
    { path: 'void', op: 'missing' },
    { path: 'status', op: 'is-not', values: ['Pending', 'failed'] },
    { path: 'kind', op: 'is', values: ['order', 'renewal'] },
  ]
  const hook = await aHook({ rules: [{ ...SALE, when }] })
  const right = { paid: 0, void: [], status: 'completed', kind: ' RENEWAL ' }
  const reasonOf = async (more: object) => (await hook.rehearse(anOrder({ ...right, ...more }))).reason
  assert.equal(await reasonOf({}), null)
  for (const paid of [null, '', ' ', [], {}]) assert.equal(await reasonOf({ paid }), 'paid is missing.')
  for (const voided of [0, false, 'x', [0]]) assert.equal(await reasonOf({ void: voided }), 'void is not missing.')
  assert.equal(await reasonOf({ status: 'PENDING' }), 'status is "Pending".')
  assert.equal(await reasonOf({ status: null }), null)
  assert.equal(await reasonOf({ kind: 'draft' }), 'kind is not "order" or "renewal".')
  assert.equal((await hook.take(anOrder({ ...right, kind: 'draft' }))).reason, 'kind is not "order" or "renewal".')
})

test('a list that no rule goes through is refused in words, and so is one that is too long', async () => {
  const hook = await aHook({ rules: [LEAD] })
  const two = [{ email: 'a@list.example' }, { email: 'b@list.example' }]
  const refused = await hook.take(two)
  assert.deepEqual(
    [refused.state, refused.reason, refused.records],
    ['failed', 'This delivery has 2 items. Set "For each item of" to $.', []],
  )
  expectOk(await call('PUT', hook.path, { rules: [{ ...LEAD, each: '$' }] }))
  assert.deepEqual(
    toOutcomes(await hook.rehearse(two)).map(([, state]) => state),
    ['created', 'created'],
  )
  // one item may come without its list
  assert.equal((await hook.rehearse(two[0])).records.length, 1)
  const many = Array.from({ length: 201 }, (_, at) => ({ email: `p${at}@list.example` }))
  const tooMany = await hook.take(many)
  assert.deepEqual(
    [tooMany.state, tooMany.reason, tooMany.records],
    ['failed', 'This delivery has 201 items. At most 200 are taken.', []],
  )
  const [none] = await db.many`select id from leads where account_id = ${account.id} and email like '%@list.example'`
  assert.equal(none, undefined)
  const all = await hook.take(many.slice(1))
  assert.deepEqual([all.state, all.records.length], ['processed', 200])
})

test('a day that fits both orders is read month first with a warning, unless the mapping says that the day is first', async () => {
  const saleOn = (transform: string) => ({
    ...SALE,
    mapping: [...SALE.mapping, { field: 'saleDate', path: 'paid', transform }],
  })
  const warning = (day: string) => `"${day}" is read month first. If the day is first, choose “Date, day first”.`
  for (const [transform, paid, day, warnings] of [
    ['date', '09-03-2026', '2026-09-03', [warning('09-03-2026')]],
    ['date', '9/3/26 10:00', '2026-09-03', [warning('9/3/26 10:00')]],
    ['date', '09 03 2026', '2026-09-03', [warning('09 03 2026')]],
    ['date', '03/03/2026', '2026-03-03', []],
    ['date', '03-25-2026', '2026-03-25', []],
    ['date', '09.03.2026', '2026-03-09', []],
    ['date', '2026-09-03', '2026-09-03', []],
    ['day-first-date', '09-03-2026', '2026-03-09', []],
    ['day-first-date', '25/03/2026 18:00', '2026-03-25', []],
    ['day-first-date', '2026-03-09T10:00:00Z', '2026-03-09', []],
  ] as const) {
    const hook = await aHook({ rules: [saleOn(transform)] })
    const order = anOrder({ total: '10.00', paid })
    assert.deepEqual((await hook.rehearse(order)).warnings, warnings, paid)
    const delivery = await hook.take(order)
    assert.deepEqual(delivery.warnings, warnings, paid)
    const sale = await db.one`
      select sale_date::text as day from sales where account_id = ${account.id} and id = ${delivery.made.id}`
    assert.equal(sale.day, day, paid)
  }
})

test('a webhook of a former release reads the first item of a list as before, and tells of the others', async () => {
  const hook = await aHook({ target: 'lead', mapping: [{ ...EMAIL, path: '0.email' }] })
  await db.run`update incoming_webhooks set rules = null where id = ${hook.id}`
  const { state, warnings, records } = await hook.take([{ email: 'former@a.example' }, { email: 'former@b.example' }])
  assert.deepEqual([state, records.length], ['processed', 1])
  assert.deepEqual(warnings, ['This delivery has 2 items. Set "For each item of" to $.'])
  const { body } = expectOk(await call('GET', hook.path))
  assert.deepEqual(
    body.rules.map(({ name, target, each }: { name: string; target: string; each: string | null }) => [
      name,
      target,
      each,
    ]),
    [['Lead', 'lead', null]],
  )
})

test('a whole name is split, and another system’s stages become ours', async () => {
  const names = await aHook({ rules: [{ ...LEAD, mapping: [EMAIL, { field: 'fullName', path: 'name' }] }] })
  const { made } = await names.rehearse({ email: 'n@names.example', name: ' Ana  María de la Cruz ' })
  assert.deepEqual([made.object.firstName, made.object.lastName], ['Ana', 'María de la Cruz'])
  await names.take({ email: 'stage@names.example', name: 'Kim' })
  const stages = await aHook({
    rules: [
      {
        name: 'Stage',
        target: 'lead-status',
        mapping: [EMAIL, { field: 'status', path: 'stage', values: { Opportunity: 'qualified', customer: 'won' } }],
      },
    ],
  })
  const moved = await stages.rehearse({ email: 'stage@names.example', stage: 'opportunity' })
  assert.deepEqual([moved.state, moved.made.object.status], ['processed', 'qualified'])
  const { state, fields } = await stages.rehearse({ email: 'stage@names.example', stage: 'subscriber' })
  assert.deepEqual([state, Object.keys(fields)], ['failed', ['status']])
})

test('of a total refunded so far, what is not yet known is booked', async () => {
  const total = { field: 'refundedTotal', path: 'refunded', transform: 'cents' }
  const refund = { name: 'Refund', target: 'refund', when: [{ path: 'refunded', op: 'exists' }] }
  const hook = await aHook({ rules: [SALE, { ...refund, mapping: [{ field: 'saleExternalId', path: 'id' }, total] }] })
  const order = anOrder()
  const { made } = await hook.take(order)
  const refunded = async () => expectOk(await call('GET', `/sales/${made.id}`)).body.refundedAmount
  for (const [told, sum] of [
    ['10.00', 1000],
    ['-25.00', 2500],
    ['25.00', 2500],
    ['0', 2500],
    ['100', 10000],
  ] as const) {
    assert.equal((await hook.take({ ...order, refunded: told })).state, 'processed')
    assert.equal(await refunded(), sum)
  }
  const above = anOrder()
  const { state, fields } = await hook.take({ ...above, refunded: '100.01' })
  assert.deepEqual([state, Object.keys(fields)], ['failed', ['amount']])
})

test('a sale of less than nothing says what it is, and one of nothing is skipped', async () => {
  const hook = await aHook({ rules: [SALE] })
  const free = await hook.take(anOrder({ total: '0.00' }))
  assert.deepEqual([free.state, free.reason], ['ignored', 'This sale’s amount is 0.'])
  const { state, fields } = await hook.take(anOrder({ total: '-6.45' }))
  assert.deepEqual([state, fields], ['failed', { amount: 'This amount is negative. Add a rule that makes refunds.' }])
})

test('the parts of a first rule can be read and changed as before there were several', async () => {
  const hook = await aHook({ target: 'lead', mapping: [EMAIL], filters: [{ path: 'event', equals: 'signup' }] })
  assert.deepEqual(hook.rules[0].when, [{ path: 'event', op: 'is', values: ['signup'] }])
  const { body: both } = expectOk(await call('PUT', hook.path, { rules: [...hook.rules, SALE] }))
  assert.deepEqual([both.target, both.mapping, both.filters], ['lead', hook.mapping, hook.filters])
  const { body: changed } = expectOk(
    await call('PUT', hook.path, { filters: [], partnerMatch: { by: 'referralCode', path: 'ref' } }),
  )
  assert.deepEqual([changed.rules.length, changed.rules[0].when, changed.rules[0].partnerMatch.path], [2, [], 'ref'])
  const refusedOf = async (body: object) => Object.keys((await call('PUT', hook.path, body)).body.error?.fields ?? {})
  assert.deepEqual(await refusedOf({ rules: [LEAD], mapping: [EMAIL] }), ['rules'])
  assert.deepEqual(await refusedOf({ rules: [LEAD, { ...SALE, name: 'lead' }] }), ['rules'])
  assert.deepEqual(await refusedOf({ rules: [{ ...LEAD, mapping: [{ field: 'amount', path: 'a' }], each: '[' }] }), [
    'rules.0.each',
    'rules.0.mapping.0.field',
  ])
  assert.deepEqual(await refusedOf({ rules: [{ ...LEAD, when: [{ path: 'a', op: 'is' }] }] }), [
    'rules.0.when.0.values',
  ])
})
