import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp } from '../../../test/support/app.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { openDatabase, transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { pushSales } from './push-sales.ts'

const app = await startApp()
const { db } = app.services

/** An account with a partner, its owner and its API key. */
async function anOwner(settings: Record<string, unknown> = {}) {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [10] }, payoutDelay: 0, ...settings })
  const partner = await aPartner(app, account, { referralCode: 'kim' })
  const owner = createCaller(app, account.token)
  const { apiKey } = await owner.put(`/accounts/${account.id}/api-key`)
  const home = `/accounts/${account.id}`
  const lead = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  return { account, partner, owner, apiKey: apiKey as string, push: createCaller(app, apiKey), home, lead }
}

const { owner, push, partner, account } = await anOwner()

test('a row with an unknown reference is refused with its field', async () => {
  const other = await anAccount(app)
  const lead = await createCaller(app, other.token).post(`/accounts/${other.id}/leads`, { email: anEmail() })
  for (const [path, body, field] of [
    ['/push/sales', { externalId: anEmail(), email: lead.email, amount: 1 }, 'email'],
    ['/push/sales', { externalId: anEmail(), leadExternalId: 'x', amount: 1 }, 'leadExternalId'],
    ['/push/sales', { externalId: anEmail(), amount: 1 }, 'leadExternalId'],
    ['/push/sales', { email: lead.email, amount: 1 }, 'externalId'],
    ['/push/leads', { email: anEmail(), clickId: 'unknown' }, 'clickId'],
    ['/push/refunds', { externalId: anEmail(), saleExternalId: 'unknown' }, 'saleExternalId'],
  ] as const)
    assertRefused(await push.call('POST', path, body), 422, 'validation_failed', [field])
})

test('a sale is recorded once per external ID; a code with an unknown lead creates the lead', async () => {
  const externalId = anEmail()
  const email = anEmail()
  const body = { externalId, email, referralCode: 'kim', amount: 50_00, taxAmount: 5_00, currency: 'USD' }
  const made = await push.call('POST', '/push/sales', body)
  assert.equal(made.status, 201)
  assert.deepEqual(
    [made.body.partnerId, made.body.amount, made.body.grossAmount, made.body.provider, made.body.commissions[0].amount],
    [partner.id, 50_00, 55_00, 'api', 5_00],
  )
  assert.deepEqual([made.body.matchedBy, made.body.externalId], ['code', externalId])
  const lead = await owner.get(`/leads/${made.body.leadId}`)
  assert.deepEqual([lead.email, lead.status], [email, 'won'])
  const again = await push.call('POST', '/push/sales', { ...body, amount: 1 })
  assert.deepEqual([again.status, again.body.id, again.body.amount], [200, made.body.id, 50_00])
  const next = await push.post('/push/sales', { externalId: anEmail(), email: email.toUpperCase(), amount: 1_00 })
  assert.deepEqual([next.leadId, next.matchedBy, next.sequence], [lead.id, 'email', 2])
  for (const [field, value] of [
    ['amount', 0],
    ['amount', 10.5],
    ['currency', 'xxz'],
    ['saleDate', '2999-01-01'],
    ['metadata', { a: { b: 1 } }],
  ] as const) {
    const reply = await push.call('POST', '/push/sales', { ...body, externalId: anEmail(), [field]: value })
    assert.equal(reply.status, 422, field)
    assert.ok(Object.keys(reply.body.error.fields)[0]!.startsWith(field))
  }
  const refund = { externalId: anEmail(), saleExternalId: externalId, amount: 11_00, reason: 'Late' }
  const refunded = await push.call('POST', '/push/refunds', refund)
  assert.equal(refunded.status, 201)
  const repeated = await push.call('POST', '/push/refunds', { ...refund, amount: 1 })
  assert.deepEqual([repeated.status, repeated.body.id, repeated.body.amount], [200, refunded.body.id, 11_00])
  const tooMuch = await push.call('POST', '/push/refunds', { ...refund, externalId: anEmail(), amount: 44_01 })
  assertRefused(tooMuch, 422, 'validation_failed', ['amount'])
  const { externalId: _, amount: __, ...rest } = refund
  assert.equal((await push.post('/push/refunds', { ...rest, externalId: anEmail() })).amount, 44_00)
  assert.equal((await owner.get(`/sales/${made.body.id}`)).status, 'refunded')
})

test('an external ID belongs to one refund, and cannot be used for another sale’s', async () => {
  const sell = (externalId: string) => push.post('/push/sales', { externalId, amount: 50_00, referralCode: 'kim' })
  const [one, two] = [await sell(anEmail('order')), await sell(anEmail('order'))]
  const refund = { externalId: anEmail('refund'), saleExternalId: one.externalId, amount: 10_00 }
  assert.equal((await push.call('POST', '/push/refunds', refund)).status, 201)
  const other = await push.call('POST', '/push/refunds', { ...refund, saleExternalId: two.externalId })
  assertRefused(other, 409, 'duplicate', ['externalId'])
  assert.equal(other.body.error.details.saleId, one.id)
  assert.equal((await owner.get(`/sales/${two.id}`)).refundedAmount, 0)
  // at the same moment, too
  const both = { externalId: anEmail('refund'), amount: 10_00 }
  const replies = await Promise.all(
    [one, two].map((sale) => push.call('POST', '/push/refunds', { ...both, saleExternalId: sale.externalId })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
})

test('a refund names a sale, not its subscription', async () => {
  const [externalId, subscriptionId] = [anEmail('order'), anEmail('subscription')]
  await push.post('/push/sales', { externalId, subscriptionId, amount: 50_00, referralCode: 'kim' })
  const refund = { externalId: anEmail('refund'), saleExternalId: subscriptionId }
  assertRefused(await push.call('POST', '/push/refunds', refund), 422, 'validation_failed', ['saleExternalId'])
})

test('the number of a guest’s order does not identify a person', async () => {
  const other = await aPartner(app, account)
  const number = anEmail('1001')
  const guest = await push.post('/push/sales', { externalId: number, amount: 50_00, referralCode: 'kim' })
  assert.equal((await owner.get(`/leads/${guest.leadId}`)).externalId, null)
  const user = await push.post('/push/leads', { externalId: number, referralCode: other.referralCode })
  assert.deepEqual([user.partnerId, user.id === guest.leadId], [other.id, false])
  const theirs = await push.post('/push/sales', { externalId: anEmail(), amount: 50_00, leadExternalId: number })
  assert.equal(theirs.partnerId, other.id)
  // a guest can get a name, and the same order belongs to the same guest
  assert.equal((await owner.put(`/leads/${guest.leadId}`, { firstName: 'Ada' })).firstName, 'Ada')
  const again = await push.post('/push/sales', { externalId: number, amount: 50_00, referralCode: 'kim' })
  assert.equal(again.id, guest.id)
})

test('many at once: each row has its own result, in order', async () => {
  const known = anEmail()
  await push.post('/push/sales', { externalId: known, referralCode: 'kim', amount: 1 })
  const rows = [
    { externalId: anEmail(), referralCode: 'kim', amount: 100 },
    { externalId: anEmail(), referralCode: 'kim', amount: -1 },
    { externalId: known, referralCode: 'kim', amount: 100 },
    { externalId: anEmail(), email: anEmail(), amount: 100 },
    null,
    { externalId: anEmail(), referralCode: 'kim', amount: 200, extra: 1 },
    { externalId: anEmail(), referralCode: 'kim', amount: 300 },
  ]
  const reply = await push.call('POST', '/push/sales', rows)
  assert.equal(reply.status, 200)
  assert.deepEqual(
    reply.body.results.map(({ status }: { status: number }) => status),
    [201, 422, 200, 422, 422, 422, 201],
  )
  for (const { status, id, error } of reply.body.results) {
    assert.equal(id === null, status === 422)
    assert.equal(error === null, status !== 422)
  }
  assert.deepEqual(Object.keys(reply.body.results[1].error.fields), ['amount'])
  const hundred = Array.from({ length: 100 }, () => ({ email: anEmail() }))
  const many = await push.call('POST', '/push/leads', hundred)
  assert.ok(many.body.results.every(({ status }: { status: number }) => status === 201))
  const same = anEmail()
  const twins = await push.call('POST', '/push/leads', [{ email: same }, { email: same, firstName: 'x' }])
  assert.deepEqual(
    twins.body.results.map(({ status }: { status: number }) => status),
    [201, 200],
  )
  assert.equal(twins.body.results[0].id, twins.body.results[1].id)
  const big = await push.call('POST', '/push/leads', JSON.stringify([{ email: 'x'.repeat(900_000) }]))
  assert.equal(big.status, 200)
  const tooBig = await push.call('POST', '/push/leads', JSON.stringify([{ email: 'x'.repeat(1_000_001) }]))
  assertRefused(tooBig, 413, 'payload_too_large')
})

test('a row may name a customer created by an earlier row of its list', async () => {
  const { apiKey } = await anOwner()
  const key = (name: string) => createCaller({ ...app, api: withKey(app.api, name) }, apiKey)
  for (const push of [createCaller(app, apiKey), key('once')]) {
    const [email, id] = [anEmail('new'), anEmail('customer')]
    const { results } = await push.post('/push/sales', [
      { externalId: `1 ${id}`, email, referralCode: 'kim', amount: 1000 },
      { externalId: `2 ${id}`, email, amount: 2000 },
      { externalId: `3 ${id}`, email: anEmail('unknown'), amount: 2000 },
      { externalId: `4 ${id}`, leadExternalId: id, referralCode: 'KIM', amount: 3000 },
      { externalId: `5 ${id}`, leadExternalId: id, amount: 4000 },
      { externalId: `6 ${id}`, email, referralCode: 'kim', amount: 5000 },
    ])
    assert.deepEqual(
      results.map(({ status }: { status: number }) => status),
      [201, 201, 422, 201, 201, 201],
    )
  }
})

test('if the code wins, a lead’s first sale moves it to the code’s partner, and later rows of the list stay there', async () => {
  const { owner, push, partner, home, lead } = await anOwner({ attributionOrder: 'code-first' })
  const [one, two] = [
    await owner.post(`${home}/partners`, { email: anEmail() }),
    await owner.post(`${home}/partners`, { email: anEmail() }),
  ]
  await owner.post(`/partners/${one.id}/promotion-codes`, { code: 'ONE' })
  await owner.post(`/partners/${two.id}/promotion-codes`, { code: 'TWO' })
  const row = (promotionCode?: string) => ({ externalId: anEmail(), email: lead.email, amount: 10_00, promotionCode })
  const { results } = await push.post('/push/sales', [row('one'), row('two'), row()])
  const sales = await Promise.all(results.map(({ id }: { id: string }) => owner.get(`/sales/${id}`)))
  assert.deepEqual(
    sales.map(({ partnerId, leadId, matchedBy }) => [partnerId, leadId, matchedBy]),
    [
      [one.id, lead.id, 'coupon'],
      [one.id, lead.id, 'email'],
      [one.id, lead.id, 'email'],
    ],
  )
  assert.match((await owner.get(`/sales/${sales[1].id}/match`)).others[0].why, /had bought before and stays with/)
  // one who has bought stays, whichever wins
  const bought = await owner.post(`${home}/leads`, { email: anEmail(), partnerId: partner.id })
  await owner.post(`/leads/${bought.id}/sales`, { amount: 1_00 })
  const later = await push.post('/push/sales', { ...row('two'), email: bought.email })
  assert.deepEqual([later.partnerId, later.matchedBy], [partner.id, 'email'])
  assert.deepEqual(await verifyLedger(db), [])
})

test('of two first sales at the same time with different codes, the second one stays with the first’s partner', async () => {
  const { account, owner, home, lead } = await anOwner({ attributionOrder: 'code-first' })
  for (const code of ['ONE', 'TWO']) {
    const { id } = await owner.post(`${home}/partners`, { email: anEmail() })
    await owner.post(`/partners/${id}/promotion-codes`, { code })
  }
  const facts = await readAccountFacts(db, account.id)
  const access = { as: 'push', account: facts, subjectId: account.id, partnerId: null } as const
  const results = await Promise.all(
    ['one', 'two'].map((promotionCode) =>
      transaction(db, (tx) => {
        const row = { externalId: anEmail(), email: lead.email, amount: 10_00, promotionCode }
        return pushSales(tx, [{ access, row, by: system }])
      }),
    ),
  )
  const sales = await owner.get(`/leads/${lead.id}/sales`)
  assert.equal(results.length, sales.items.length)
  const rules = sales.items.map(({ matchedBy }: { matchedBy: string }) => matchedBy).sort()
  assert.deepEqual(rules, ['coupon', 'email'])
  assert.equal(new Set(sales.items.map(({ partnerId }: { partnerId: string }) => partnerId)).size, 1)
})

const withKey =
  (api: typeof app.api, key: string): typeof app.api =>
  (method, path, call = {}) =>
    api(method, path, { ...call, headers: { 'idempotency-key': key, ...call.headers } })

/** Sends the list again, as a client does, while the server is too busy to accept it. */
async function sentUntilTaken<Answer extends { status: number }>(send: () => Promise<Answer>) {
  let answer = await send()
  for (let tries = 1; answer.status === 503 && tries < 60; tries++) {
    await sleep(500)
    answer = await send()
  }
  return answer
}

test('concurrent lists of the same new customers, with keys and by two processes, have the result of one', async () => {
  const other = openDatabase({ url: db.url, log: app.services.log })
  const twin = await startApp({ db: other, config: { secretKey: app.services.config.secretKey } })
  try {
    const { apiKey, owner, home } = await anOwner()
    const customers = Array.from({ length: 80 }, () => anEmail('customer'))
    const deadlocks = async () =>
      (
        await db.one<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`
      ).deadlocks
    const before = await deadlocks()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, list) => {
        const rows = Array.from({ length: 40 }, (_, row) => {
          const customer = customers[(list * 13 + row * (list % 2 ? 7 : 3)) % customers.length]!
          return { externalId: `${list} ${row}`, email: customer, referralCode: 'kim', amount: 1000 }
        })
        const push = withKey((list % 2 ? twin : app).api, `list ${list}`)
        return sentUntilTaken(() => push('POST', '/push/sales', { token: apiKey, body: rows }))
      }),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    for (const { body } of answers)
      assert.ok(
        body.results.every(({ status }: { status: number }) => status === 201),
        JSON.stringify(body.results.find(({ status }: { status: number }) => status !== 201)),
      )
    const { numberOfSales, numberOfLeads } = await owner.get(`${home}/stats`)
    assert.deepEqual([numberOfSales, numberOfLeads], [480, customers.length + 1])
    assert.equal((await deadlocks()) - before, 0)
  } finally {
    await twin.close()
    await other.close()
  }
})

test('only a row that would bring a total above the exact maximum is refused', async () => {
  const { owner, home, apiKey, lead } = await anOwner()
  await owner.post(`${home}/exchange-rates`, { currency: 'gbp', date: '2026-03-01', rate: 999 })
  const rows = (list: string) =>
    Array.from({ length: 6 }, (_, row) => ({
      ...{ externalId: `${list} ${row}`, leadId: lead.id, saleDate: '2026-03-02' },
      ...(row % 2 ? { amount: 1000 } : { amount: 1_000_000_000_000, currency: 'gbp' }),
    }))
  const statuses: number[] = []
  for (const push of [createCaller(app, apiKey), createCaller({ ...app, api: withKey(app.api, 'list') }, apiKey)]) {
    const { results } = await push.post('/push/sales', rows(String(statuses.length)))
    statuses.push(...results.map(({ status }: { status: number }) => status))
    for (const { error } of results.filter(({ status }: { status: number }) => status === 422))
      assert.deepEqual(Object.keys(error.fields), ['amount'])
  }
  assert.deepEqual(statuses, [201, 201, 422, 201, 422, 201, 422, 201, 422, 201, 422, 201])
  const stats = await owner.get(`${home}/stats`)
  assert.equal(stats.salesRevenue, 999_000_000_000_000 + 6000)
  assert.deepEqual(await verifyLedger(db), [])
})

test('a pushed sale leaves all its statements with cached plans: planning the search for its lead took most of its time', async () => {
  const small = await startApp({ db: await freshDatabase({ max: 1 }) })
  const account = await anAccount(small, { defaultCommissionSettings: { layerRates: [10] } })
  const { referralCode } = await aPartner(small, account)
  const { apiKey } = await createCaller(small, account.token).put(`/accounts/${account.id}/api-key`)
  const known = () =>
    small.services.homes.at(
      [account.id],
      (home) => home.many<{ statement: string }>`select statement from pg_prepared_statements`,
    )
  const before = (await known()).length
  await createCaller(small, apiKey).post('/push/sales', {
    externalId: '1',
    email: anEmail(),
    referralCode,
    amount: 1_00,
  })
  const named = await known()
  assert.ok(named.length > before)
  for (const part of ['with found as', 'from leads t', 'join partners p', 'insert into commission_entries'])
    assert.ok(
      named.some(({ statement }) => statement.includes(part)),
      part,
    )
})

test('a pushed sale has its lines and country, and a refund names lines', async () => {
  const externalId = anEmail('order')
  const body = { externalId, referralCode: 'kim', amount: 60_00, taxAmount: 6_00, country: 'de' }
  const lines = [
    { productId: 'pro', priceId: 'pro-year', name: 'Pro', quantity: 1, amount: 70_00 },
    { id: 'credit', sku: 'CR', amount: -10_00 },
  ]
  const wrong = await push.call('POST', '/push/sales', { ...body, lines: [lines[0]] })
  assertRefused(wrong, 422, 'validation_failed', ['lines'])
  assert.deepEqual(
    [wrong.body.error.reason, wrong.body.error.message],
    ['lines_do_not_add_up', 'Lines must add up to the amount.'],
  )
  const twice = [{ amount: 30_00 }, { id: '1', amount: 30_00 }]
  assertRefused(await push.call('POST', '/push/sales', { ...body, lines: twice }), 422, 'validation_failed', ['lines'])
  const sold = await push.post('/push/sales', { ...body, lines })
  const unnamed = { productId: null, priceId: null, sku: null, name: null, quantity: null }
  assert.deepEqual(
    [sold.country, sold.lines],
    [
      'DE',
      [
        { ...lines[0], id: '1', sku: null },
        { ...unnamed, ...lines[1] },
      ],
    ],
  )

  const refund = (more: object) =>
    push.call('POST', '/push/refunds', { externalId: anEmail('refund'), saleExternalId: externalId, ...more })
  const unknown = await refund({ lines: [{ id: '2', amount: 1 }] })
  assertRefused(unknown, 422, 'validation_failed', ['lines.0.id'])
  assert.equal(unknown.body.error.reason, 'unknown_line')
  const above = await refund({ amount: 5_00, lines: [{ id: '1', amount: 5_01 }] })
  assertRefused(above, 422, 'validation_failed', ['lines'])
  assert.equal(above.body.error.reason, 'refund_lines_above_refund')
  assertRefused(await refund({ lines: [{ id: '1', amount: 66_01 }] }), 422, 'validation_failed', ['amount'])
  const named = await refund({ lines: [{ id: '1', amount: 11_00 }] })
  assert.deepEqual([named.body.amount, named.body.lines], [11_00, [{ id: '1', amount: 11_00 }]])
  assert.deepEqual((await refund({ amount: 3_00, lines: [{ id: '1', amount: 2_00 }] })).body.lines, [
    { id: '1', amount: 2_00 },
  ])
})

test('of too many lines the last is the rest, without product', async () => {
  const lines = Array.from({ length: 60 }, (_, place) => ({
    productId: `p${place}`,
    amount: place === 55 ? -1_00 : 1_00,
  }))
  const body = { externalId: anEmail('order'), referralCode: 'kim', amount: 58_00, lines }
  const sold = await push.post('/push/sales', body)
  assert.equal(sold.lines.length, 50)
  assert.deepEqual(sold.lines.at(-1), {
    ...{ id: 'rest', productId: null, priceId: null, sku: null, name: null, quantity: null, amount: 10_00 },
  })
})

test('the products that lines name are listed, by what they were called first', async () => {
  const { push, owner, home } = await anOwner()
  const sell = (lines: object[]) =>
    push.post('/push/sales', { externalId: anEmail('order'), referralCode: 'kim', amount: 1_00 * lines.length, lines })
  await sell([{ productId: 'pro', priceId: 'year', name: 'Pro', amount: 1_00 }])
  await sell([
    { productId: 'pro', name: 'Pro 2', amount: 1_00 },
    { sku: 'TEE', name: 'T-shirt', amount: 1_00 },
    { amount: 1_00 },
  ])
  assert.deepEqual((await owner.get(`${home}/products`)).items, [
    { kind: 'sku', id: 'TEE', name: 'T-shirt' },
    { kind: 'price', id: 'year', name: 'Pro' },
    { kind: 'product', id: 'pro', name: 'Pro' },
  ])
  const [accountId] = home.split('/').slice(-1)
  await db.run`insert into products_seen select ${accountId}::uuid, 'sku', 'old-' || n, null, '2020-01-01' from generate_series(1, 1996) n`
  await sell([
    { sku: 'new-1', amount: 1_00 },
    { sku: 'new-2', amount: 1_00 },
  ])
  assert.equal(await db.value`select count(*)::int from products_seen where account_id = ${accountId}`, 2000)
  assert.equal((await owner.get(`${home}/products`)).items.length, 500)
  await Promise.all(Array.from({ length: 8 }, (_, n) => sell([{ sku: `at-once-${n % 3}`, amount: 1_00 }])))
})

test('a row that repeats the external id of an earlier row of its list changes no one else', async () => {
  const [first, second, known] = [
    anEmail(),
    anEmail(),
    await owner.post(`/accounts/${account.id}/leads`, { email: anEmail() }),
  ]
  const sold = { externalId: anEmail('order'), amount: 10_00, referralCode: 'kim' }
  const { results } = await push.post('/push/sales', [
    { ...sold, email: first },
    { ...sold, email: second },
    { ...sold, email: known.email },
  ])
  assert.deepEqual(
    results.map(({ status }: { status: number }) => status),
    [201, 200, 200],
  )
  assert.equal(new Set(results.map(({ id }: { id: string }) => id)).size, 1)
  const leads = async (email: string) => (await owner.get(`/accounts/${account.id}/leads?search=${email}`)).items
  assert.equal((await leads(first)).length, 1)
  assert.deepEqual(await leads(second), [])
  assert.equal((await leads(known.email))[0].partnerId, null)
  const refused = { ...sold, externalId: anEmail('order') }
  const again = await push.post('/push/sales', [
    { ...refused, email: first, lines: [{ id: '1', name: 'Pro', quantity: 1, amount: 99_00 }] },
    { ...refused, email: second },
  ])
  assert.deepEqual(
    again.results.map(({ status }: { status: number }) => status),
    [422, 201],
  )
  assert.equal((await leads(second)).length, 1)
})
