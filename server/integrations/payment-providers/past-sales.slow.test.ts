import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripeDeauthorized, stripeInvoice, stripePayment } from '../../../test/fakes/stripe-events.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  type TestAccount,
} from '../../../test/support/app.ts'
import {
  daysAgo,
  getImport,
  ledgerDigest,
  pastImported,
  requestPastSales,
  runImportJob,
} from '../../../test/support/past-sales.ts'
import { aConnection, deliverAll, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { system } from '../../platform/author.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { disconnectProvider } from './connections.ts'
import { reconcileConnection } from './reconcile.ts'
import { verifyPayments } from './verify-payments.ts'

const { app, stripe } = await startWithStripe()
const { db, clock } = app.services
const { store } = stripe

const before = (days: number) => new Date(Math.floor(clock.now().getTime() / 1000) * 1000 - days * 86_400_000)

async function aShop() {
  stripe.calm()
  store.clear()
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20, 5] }, timeZone: 'UTC' })
  const parent = await aPartner(app, account)
  const partner = await aPartner(app, account, { parentPartnerId: parent.id })
  return { account, partner, code: partner.referralCode as string, connection: await aConnection(app, account, stripe) }
}

/** Everything that an import could write. */
const written = async ({ id }: TestAccount) =>
  JSON.stringify(
    await db.one`
      select (select count(*) from sales where account_id = ${id}) as sales,
        (select count(*) from leads where account_id = ${id}) as leads,
        (select count(*) from lead_customers where account_id = ${id}) as customers,
        (select count(*) from commission_entries where account_id = ${id}) as entries,
        (select count(*) from told_events where account_id = ${id} and type <> 'import.started') as events,
        (select count(*) from provider_events e join provider_shops s on s.id = e.shop_id where s.account_id = ${id}) as told,
        (select count(*) from provider_objects o join provider_shops s on s.id = o.shop_id where s.account_id = ${id}) as seen,
        (select jsonb_agg(to_jsonb(d) order by to_jsonb(d)::text) from day_stats d where d.account_id = ${id}) as figures`,
  )

const figuresOf = ({
  state,
  created,
  skipped,
  failed,
  unattributed,
  totals,
}: Awaited<ReturnType<typeof getImport>>) => ({
  ...{ state, created, skipped, failed, unattributed, totals },
})

const leftovers = () => db.one`
  select (select count(*) from import_payments) as payments, (select count(*) from import_objects) as objects`

test('a dry run reports exactly what the import then does, and writes nothing; a second import does nothing', async () => {
  const { account, code, connection } = await aShop()
  const known = stripePayment({ email: anEmail('known'), amount: 5000, reference: code, createdAt: before(3), store })
  await deliverAll(connection, [known.checkoutCompleted, known.chargeSucceeded])
  await workOff(app)
  for (const days of [2, 20, 100, 300])
    stripePayment({
      email: anEmail('past'),
      amount: 10_000,
      tax: 2000,
      reference: code,
      createdAt: before(days),
      store,
    })
  stripePayment({ email: anEmail('nobody'), amount: 7000, currency: 'usd', createdAt: before(200), store })
  const given = stripePayment({ email: anEmail('given'), amount: 4000, reference: code, createdAt: before(90), store })
  given.refund(1000, { createdAt: before(80) })
  // a sale of the same customer that names no partner, read before the one that does
  const customer = 'cus_ofBoth'
  stripePayment({ customer, amount: 300, createdAt: before(50), store })
  stripePayment({ customer, amount: 200, reference: code, createdAt: before(60), store })
  const first = stripeInvoice({
    ...{ email: anEmail('plan'), amount: 1200, tax: 200, createdAt: before(70), draftedAt: before(100), store },
    checkout: { reference: code },
  })
  first.renew({ createdAt: before(40) })
  // too old, and the deauthorization of a time before
  stripePayment({ email: anEmail('old'), amount: 99_900, reference: code, createdAt: before(500), store })
  store.set('evt_left', { ...stripeDeauthorized('acct_1StandInShop'), id: 'evt_left' })

  const untouched = await written(account)
  const dry = await pastImported(app, account, connection, { dryRun: true })
  assert.equal(await written(account), untouched)
  assert.deepEqual(figuresOf(dry), {
    ...{ state: 'done', created: 10, skipped: 1, failed: 0, unattributed: 1 },
    totals: [{ currency: 'usd', count: 10, amount: 4 * 8000 + 7000 + 4000 + 300 + 200 + 1000 + 1000 }],
  })
  const done = await pastImported(app, account, connection)
  assert.deepEqual(figuresOf(done), figuresOf(dry))
  assert.deepEqual([done.total, done.done], [null, 11])
  assert.deepEqual(await leftovers(), { payments: 0, objects: 0 })
  const digest = await ledgerDigest(app, account)
  assert.match(digest, /"amount":4000.{1,60}"refundedAmount":1000/)

  const again = await pastImported(app, account, connection)
  assert.deepEqual([again.created, again.skipped, again.failed], [0, 11, 0])
  assert.equal(await ledgerDigest(app, account), digest)
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/payment-providers`, { token: account.token }),
  ).body
  assert.equal(items[0].state, 'connected')
  const { mails } = await db.one<{ mails: number }>`
    select count(*) as mails from mail_news w join commission_entries e on e.id = w.subject_id
      join sales s on s.id = e.sale_id
    where s.account_id = ${account.id} and s.sale_date < ${daysAgo(app, 8)}`
  assert.equal(mails, 0)
  assert.deepEqual(await verifyLedger(db), [])
  assert.deepEqual((await verifyPayments(db)).differences, [])
})

test('only the requested days are imported, and later refunds of them still count', async () => {
  const { account, code, connection } = await aShop()
  const inside = stripePayment({ amount: 1000, reference: code, email: anEmail('in'), createdAt: before(60), store })
  inside.refund(400, { createdAt: before(2) })
  stripePayment({ amount: 2000, reference: code, email: anEmail('after'), createdAt: before(10), store })
  const earlier = stripePayment({
    amount: 3000,
    reference: code,
    email: anEmail('before'),
    createdAt: before(90),
    store,
  })
  earlier.refund(3000, { createdAt: before(60) })
  const days = { from: daysAgo(app, 70), to: daysAgo(app, 50) }
  const done = await pastImported(app, account, connection, days)
  assert.deepEqual([done.created, done.totals[0]?.amount, done.from, done.to], [1, 1000, days.from, days.to])
  assert.match(await ledgerDigest(app, account), /"refundedAmount":400,/)
  // sales left out then are available to the next import
  assert.equal((await pastImported(app, account, connection)).created, 2)
})

/** The product, dying when it makes this call to the provider. */
function dying(when: (url: string, calls: number) => boolean): typeof app {
  const { outbound } = app.services
  let calls = 0
  const provider: typeof outbound.provider = (url, request) =>
    when(url, ++calls) ? Promise.reject(new Error('Connection terminated')) : outbound.provider(url, request)
  return { ...app, services: { ...app.services, outbound: { ...outbound, provider } } }
}

async function untilItDies(when: Parameters<typeof dying>[0], id: string) {
  const mortal = dying(when)
  await assert.rejects(async () => {
    for (let turn = 0; turn < 20; turn++) await runImportJob(mortal, id)
  }, /Connection terminated/)
}

async function toItsEnd(id: string) {
  const state = async () => (await db.one<{ state: string }>`select state from imports where id = ${id}`).state
  for (let turn = 0; turn < 20 && ['waiting', 'running'].includes(await state()); turn++) await runImportJob(app, id)
  await runImportJob(app, id)
}

const secondPage = (call: { path: string; query: Record<string, unknown> }) =>
  call.path === '/v1/events' && call.query.starting_after !== undefined

for (const dryRun of [true, false])
  test(`${dryRun ? 'a dry run' : 'an import'} resumes where it was killed, even beside another process, and counts nothing twice`, async () => {
    const { account, code, connection } = await aShop()
    let sum = 0
    for (let n = 0; n < 70; n++) {
      stripePayment({ amount: 100 + n, reference: code, email: anEmail('many'), createdAt: before(n / 10), store })
      sum += 100 + n
    }
    const { id } = expectOk(await requestPastSales(app, account, connection, { dryRun })).body
    assert.equal((await requestPastSales(app, account, connection)).body.error.reason, 'import_under_way')
    // in the first page, at its end, and in the second
    await untilItDies((_, calls) => calls === 40, id)
    await untilItDies((url) => url.includes('starting_after'), id)
    await untilItDies((_, calls) => calls === 40, id)
    const half = await getImport(app, account, id)
    assert.deepEqual([half.state, half.done >= 50 && half.done < 70], ['running', true])
    const turns = await Promise.allSettled([
      runImportJob(app, id),
      runImportJob(app, id),
      runImportJob(
        dying((_, calls) => calls === 20),
        id,
      ),
    ])
    assert.ok(turns.filter(({ status }) => status === 'rejected').length <= 1)
    await toItsEnd(id)
    const done = await getImport(app, account, id)
    assert.deepEqual(figuresOf(done), {
      ...{ state: 'done', created: 70, skipped: 0, failed: 0, unattributed: 0 },
      totals: [{ currency: 'usd', count: 70, amount: sum }],
    })
    assert.deepEqual(await leftovers(), { payments: 0, objects: 0 })
  })

test('an import waits for a busy or unreachable provider; a refused key ends it', async () => {
  const { account, code, connection } = await aShop()
  for (let n = 0; n < 60; n++)
    stripePayment({ amount: 100, reference: code, email: anEmail('wait'), createdAt: before(n / 10), store })
  const { id } = expectOk(await requestPastSales(app, account, connection)).body
  const waits = () => db.many<{ seconds: number }>`
    select round(extract(epoch from start_after - created_on))::int as seconds from pgboss.job
    where name = 'past-sales' and data->>'importId' = ${id} order by created_on`
  stripe.fail(/^GET \/v1\/events/, { status: 429, retryAfter: 37, body: { error: { message: 'Slow down.' } } })
  await runImportJob(app, id)
  const busy = await getImport(app, account, id)
  assert.deepEqual([busy.state, busy.reason], ['running', 'Stripe can’t answer right now: Slow down.'])
  stripe.fail(/^GET \/v1\/checkout/, { status: 500, body: 'oops' })
  await runImportJob(app, id)
  assert.match((await getImport(app, account, id)).reason!, /^Stripe can’t answer right now/)
  assert.deepEqual(
    (await waits()).slice(1).map(({ seconds }) => seconds),
    [37, 2],
  )
  const { key } = stripe
  stripe.fail(secondPage, { status: 401, body: { error: { message: 'Invalid API Key provided.' } } })
  await toItsEnd(id)
  const refused = await getImport(app, account, id)
  assert.deepEqual([refused.state, refused.created], ['failed', 50])
  assert.equal(refused.reason, 'Stripe no longer accepts the key: Invalid API Key provided.')
  assert.equal(stripe.key, key)
  // a key that may not read past sales still works for new events
  stripe.forbid('events')
  const forbidden = await pastImported(app, account, connection)
  assert.match(forbidden.reason!, /^The key can’t read everything past sales need\./)
  await reconcileConnection(app.services, { connectionId: connection.id })
  stripe.allow('events')
  const again = await pastImported(app, account, connection)
  assert.deepEqual([again.state, again.created, again.skipped], ['done', 10, 50])
})

test('canceling, disconnecting or disabling ends an import in the middle of a page', async () => {
  for (const how of ['cancel', 'disconnect', 'disable'] as const) {
    const { account, code, connection } = await aShop()
    for (let n = 0; n < 40; n++)
      stripePayment({ amount: 100, reference: code, email: anEmail(how), createdAt: before(n / 10), store })
    const { id } = expectOk(await requestPastSales(app, account, connection)).body
    const { outbound } = app.services
    let left = 40
    const provider: typeof outbound.provider = async (...call) => {
      if (left-- === 0) {
        if (how === 'cancel') expectOk(await app.api('POST', `/imports/${id}/cancel`, { token: account.token }))
        if (how === 'disconnect') await disconnectProvider(app.services, system, account.id, connection.id)
        if (how === 'disable')
          expectOk(await app.api('POST', `/accounts/${account.id}/disable`, { token: account.admin }))
      }
      return outbound.provider(...call)
    }
    const interrupted = { ...app, services: { ...app.services, outbound: { ...outbound, provider } } }
    await runImportJob(interrupted, id)
    await toItsEnd(id)
    const { state, reason, created } = (await db.one`select state, reason, created from imports where id = ${id}`) as {
      [field: string]: unknown
    }
    assert.equal(state, 'canceled', how)
    const reasons = { cancel: null, disconnect: 'Stripe was disconnected.', disable: 'The account was disabled.' }
    assert.equal(reason, reasons[how])
    const { sales } = await db.one<{ sales: number }>`
      select count(*) as sales from sales where account_id = ${account.id}`
    assert.equal(Number(created), sales)
    // the page is finished even though the account was disabled meanwhile
    assert.ok(sales > 0 && (how === 'disable' || sales < 40))
  }
  assert.deepEqual(await leftovers(), { payments: 0, objects: 0 })
})

test('an unavailable import is refused with the reason', async () => {
  const { account, connection } = await aShop()
  const stranger = await aShop()
  const reasonOf = async (...[who, what, asked]: [TestAccount, { id: string }, object?]) =>
    (await requestPastSales(app, who, what, asked)).body.error
  assert.equal((await reasonOf(account, stranger.connection)).code, 'not_found')
  assert.equal(
    (await reasonOf(account, connection, { from: '2026-02-01', to: '2026-01-01' })).code,
    'validation_failed',
  )
  assert.equal((await reasonOf(account, connection, { from: 'yesterday' })).code, 'validation_failed')
  await disconnectProvider(app.services, system, account.id, connection.id)
  assert.equal((await reasonOf(account, connection)).reason, 'connection_ended')
})

test('what a manager imports is their act; what the provider sends is nobody’s', async () => {
  const { account, code, connection } = await aShop()
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { payoutDelay: 30 } }))
  const email = anEmail('manager')
  const body = { email, role: 'manager', firstName: 'Sam', lastName: 'Reed' }
  const { body: sam } = expectOk(
    await app.api('POST', `/accounts/${account.id}/members`, { token: account.token, body }),
  )
  const late = stripePayment({ email: anEmail('late'), amount: 5000, reference: code, createdAt: before(3), store })
  await deliverAll(connection, [late.checkoutCompleted, late.chargeSucceeded])
  await workOff(app)
  const early = () => db.many`select user_id from early_entries where account_id = ${account.id}`
  assert.deepEqual(await early(), [])
  stripePayment({ email: anEmail('past'), amount: 10_000, reference: code, createdAt: before(29), store })
  const { token } = await acceptInvitation(app, sam.url)
  assert.equal((await pastImported(app, { ...account, token }, connection)).created, 1)
  assert.deepEqual(await early(), [{ userId: sam.userId }, { userId: sam.userId }])
})
