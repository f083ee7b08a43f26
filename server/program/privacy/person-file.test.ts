import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { newId } from '../../platform/database/ids.ts'
import { emptyCopies } from './run-erasure.ts'

const app = await startApp()
const { db } = app.services

test('a person’s large deliveries are all in their file, and emptied, a few at a time', async () => {
  const account = await anAccount(app)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const email = anEmail('canary')
  const lead = await call('POST', `/accounts/${account.id}/leads`, { email })
  const hook = await call('POST', `/accounts/${account.id}/incoming-webhooks`, { name: 'CRM', target: 'lead' })
  await db.run`
    insert into incoming_deliveries (id, account_id, webhook_id, state, payload, dedupe_key, created_at)
    select gen_random_uuid(), ${account.id}, ${hook.id}, 'ignored',
      json_build_object('email', case when n % 3 > 0 then ${email}::text else 'other@mail.example' end, 'n', n)::text,
      decode(lpad(to_hex(n), 64, '0'), 'hex'), ${db.now}
    from generate_series(1, 150) n`
  const { incomingDeliveries } = await call('GET', `/leads/${lead.id}/person`)
  const numbers = incomingDeliveries.map(({ payload }: { payload: { n: number } }) => payload.n)
  assert.deepEqual(
    numbers.toSorted((a: number, b: number) => a - b),
    Array.from({ length: 150 }, (_, at) => at + 1).filter((n) => n % 3 > 0),
  )
  const erasure = await call('POST', `/leads/${lead.id}/erase`, {})
  await emptyCopies(app.services, { accountId: account.id, erasureIds: [erasure.id] })
  const { items } = await call('GET', `/accounts/${account.id}/erasures`)
  assert.deepEqual([items[0].done, items[0].counts.incoming_deliveries], [true, 100])
  const left = await db.value<number>`
    select count(*) from incoming_deliveries where account_id = ${account.id} and payload is not null`
  assert.equal(left, 50)
})

test('a partner’s file has their mails of the account beside those about signing in', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const { email } = expectOk(await app.api('GET', `/partners/${partner.id}`, { token: account.token })).body
  for (const [accountId, subject] of [
    [account.id, 'A payout'],
    [null, 'Reset your password'],
  ])
    await db.run`
      insert into mails (id, name, kind, account_id, email, subject, state, created_at)
      values (${newId()}, ${newId()}, 'payout-sent', ${accountId}, ${email}, ${subject}, 'sent', ${db.now})`
  await db.run`update users set email = ${anEmail('moved')} where email = ${email}`
  const file = expectOk(await app.api('GET', `/partners/${partner.id}/person`, { token: account.token })).body
  const subjects = file.mails.map((mail: { subject: string }) => mail.subject)
  for (const subject of ['A payout', 'Reset your password']) assert.ok(subjects.includes(subject), subjects.join())
})

test('a person’s file has no one else’s data', async () => {
  const account = await anAccount(app)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const one = await aPartner(app, account, { firstName: 'Wilhelmina', email: anEmail('wilhelmina') })
  const two = await aPartner(app, account, { firstName: 'Barnaby' })
  await aPartner(app, account, { email: anEmail('below'), parentPartnerId: one.id })
  const lead = await call('POST', `/accounts/${account.id}/leads`, { email: anEmail('known'), partnerId: one.id })
  await call('POST', `/leads/${lead.id}/reassign`, { partnerId: two.id, reason: 'Her region' })
  const gone = await call('POST', `/accounts/${account.id}/leads`, { email: anEmail('deleted'), partnerId: one.id })
  await call('DELETE', `/leads/${gone.id}`)
  const hook = await call('POST', `/accounts/${account.id}/incoming-webhooks`, { name: 'CRM', target: 'lead' })
  const sent = { email: anEmail('delivered'), partner: one.email }
  await fetch(hook.url, { method: 'POST', body: JSON.stringify(sent) })

  const ofPartner = await call('GET', `/partners/${one.id}/person`)
  assert.deepEqual(new Set(ofPartner.events.map((event: { subjectId: string }) => event.subjectId)), new Set([one.id]))
  assert.doesNotMatch(JSON.stringify(ofPartner), /Barnaby|below|known|deleted-|delivered/)
  const ofLead = await call('GET', `/leads/${lead.id}/person`)
  assert.match(JSON.stringify(ofLead), /lead\.reassigned/)
  assert.doesNotMatch(JSON.stringify(ofLead), /Wilhelmina|wilhelmina|Barnaby/)
})

test('a user downloads few files of people a minute, because each reads whole tables', async () => {
  const limited = await startApp({ config: { rateLimitFactor: 1 } })
  const account = await anAccount(limited)
  const { token } = account
  const lead = expectOk(
    await limited.api('POST', `/accounts/${account.id}/leads`, { token, body: { email: anEmail() } }),
  ).body
  const statuses: number[] = []
  for (let turn = 0; turn < 7; turn++)
    statuses.push((await limited.api('GET', `/leads/${lead.id}/person`, { token })).status)
  assert.deepEqual(statuses, [...Array(6).fill(200), 429])
})
