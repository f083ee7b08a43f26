import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anAccount,
  expectOk,
  getAdministratorToken,
  signIn,
  startApp,
  type TestAccount,
  waitUntil,
} from '../test/support/app.ts'
import { aGenericConnection, genericPayment, sendCustomEvent } from '../test/support/generic.ts'
import { asDatabaseOwner } from '../test/support/postgres.ts'
import { deleteByAccount, deleteOld } from './retention.ts'

test('a failing deletion stops no other, and fails the run at its end', async () => {
  const { services } = await startApp()
  const { db } = services
  const aCount = () => db.run`
    insert into mail_counts (key, names, forget_at) values ('old', '{}', ${db.now}::timestamptz - interval '1 hour')`
  const counts = () => db.many`select from mail_counts`
  await aCount()
  await deleteOld(services)
  assert.deepEqual(await counts(), [])
  await aCount()
  await asDatabaseOwner(db).run`alter table idempotency_keys rename to gone`
  await assert.rejects(deleteOld(services), AggregateError)
  assert.deepEqual(await counts(), [])
})

test('tables that attacks or much traffic fill are emptied in batches', async () => {
  const { services } = await startApp()
  const { db } = services
  const { pool } = asDatabaseOwner(db)
  const old = new Date(db.now.getTime() - 100 * 86_400_000)
  const rows = {
    idempotency_keys: `select 'user', 'POST /x', n::text, '', 200, '', $1 from generate_series(1, 5001) n`,
    mail_counts: `select n::text, '{}', $1 from generate_series(1, 5001) n`,
    refused_sign_ins: `select gen_random_uuid(), $1, 'sign-in', null, null, null from generate_series(1, 5001) n`,
    sign_in_attempts: `select n::text, 1, null, $1 from generate_series(1, 5001) n`,
  }
  await pool.query(`create function at_most_5000() returns trigger language plpgsql as $$ begin
    if (select count(*) from gone) > 5000 then raise 'too many rows of % at once', tg_table_name; end if; return null; end $$`)
  for (const [table, some] of Object.entries(rows)) {
    await pool.query(`insert into ${table} ${some.replace('$1', `'${old.toISOString()}'::timestamptz`)}`)
    await pool.query(`create trigger planted after delete on ${table} referencing old table as gone
      for each statement execute function at_most_5000()`)
  }
  await deleteOld(services)
  for (const table of Object.keys(rows))
    assert.equal((await pool.query(`select count(*)::int as left from ${table}`)).rows[0].left, 0, table)
})

test('an account’s shorter time acts from its next night, and a later refund still finds its sale', async () => {
  const app = await startApp({ worker: true })
  const { db } = app.services
  const start = new Date()
  start.setUTCHours(12, 0, 0, 0)
  app.clock.set(start.toISOString())

  async function aSeller() {
    const account: TestAccount = await anAccount(app, { timeZone: 'UTC' })
    const call = async (method: string, path: string, body?: unknown) =>
      expectOk(await app.api(method, path, { token: account.token, body })).body
    const lead = await call('POST', `/accounts/${account.id}/leads`, { email: 'ada@mail.example' })
    const shop = await aGenericConnection(app, account)
    const payment = genericPayment({ email: 'ada@mail.example', customerId: 'cus_1' })
    await sendCustomEvent(shop.webhookUrl, payment.paid)
    const sale = await waitUntil(async () => (await call('GET', `/leads/${lead.id}/sales`)).items[0])
    const hook = await call('POST', `/accounts/${account.id}/incoming-webhooks`, {
      ...{ name: 'CRM', target: 'lead', mapping: [{ field: 'email', path: 'email' }] },
    })
    for (const body of ['{"email": "eva@mail.example"}', '{"email": "no address"}'])
      await fetch(hook.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await waitUntil(async () => {
      const { items } = await call('GET', `/incoming-webhooks/${hook.id}/deliveries`)
      return items.length === 2 && items.every(({ state }: { state: string }) => state !== 'received')
    })
    const kept = () => db.one`select
      (select count(*) from lead_submissions where account_id = ${account.id}) as submissions,
      (select count(*) from incoming_deliveries where account_id = ${account.id}) as deliveries,
      (select array_agg(state order by state) from incoming_deliveries where account_id = ${account.id} and payload is not null) as payloads,
      (select sum(octet_length(payload))::int from incoming_deliveries where account_id = ${account.id})
        = (select sum(bytes)::int from incoming_payloads where account_id = ${account.id}) as are_counted,
      (select count(*) from provider_events where account_id = ${account.id} and body is not null) as bodies`
    const keepFor = (rawDataDays: number) => call('PATCH', `/accounts/${account.id}`, { retention: { rawDataDays } })
    return { account, call, sale, shop, payment, kept, keepFor }
  }
  const [short, long] = [await aSeller(), await aSeller()]
  const all = { submissions: 1, deliveries: 2, payloads: ['failed', 'processed'], areCounted: true, bodies: 1 }
  assert.deepEqual([await short.kept(), await long.kept()], [all, all])
  await short.keepFor(7)
  const nightAfter = async (days: number, hour = 4) => {
    app.clock.set(new Date(start.getTime() + days * 86_400_000 + (hour - 12) * 3_600_000).toISOString())
    await deleteByAccount(app.services)
  }
  await nightAfter(7)
  assert.deepEqual(await short.kept(), all)
  await nightAfter(8)
  const left = { ...all, submissions: 0, payloads: ['failed'], bodies: 0 }
  assert.deepEqual([await short.kept(), await long.kept()], [left, all])
  await sendCustomEvent(short.shop.webhookUrl, short.payment.refund(2000).told)
  await waitUntil(
    async () => (await db.value<number>`select refunded_amount from sales where id = ${short.sale.id}`) === 2000,
  )

  // shortened by day, in an account that is disabled before the night
  Object.assign(long.account, await signIn(app, long.account.ownerEmail))
  await long.keepFor(7)
  await nightAfter(8, 23)
  assert.deepEqual(await long.kept(), all)
  expectOk(
    await app.api('POST', `/accounts/${long.account.id}/disable`, {
      token: await getAdministratorToken(app),
      body: {},
    }),
  )
  await nightAfter(9)
  assert.deepEqual(await long.kept(), left)
})
