import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, eventually, ok, signIn, startApp } from '../../../test/support/app.ts'
import { placesWith } from '../../../test/support/canaries.ts'
import { factsOf } from '../../../test/support/leads.ts'
import { randomFrom, seeds } from '../../../test/support/lives.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Database } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { eraseIdleLeads, MOST_IDLE } from './erase-idle.ts'

const app = await startApp({ worker: true })
const { db } = app.services

/** Erases what is idle in the account at this time. */
async function night(accountId: string, at: string, { clock, services } = app) {
  clock.set(at)
  await eraseIdleLeads(await factsOf(services.db, accountId), services)
}

const erasedOf = (accountId: string, { many }: Pick<Database, 'many'> = db) => many<{ id: string }>`
  select id from leads where account_id = ${accountId} and erased_at is not null order by created_at, id`

test('a lead without a sale and without any event for the account’s months is erased with every copy', async () => {
  app.clock.set('2027-01-15T12:00:00Z')
  const account = await anAccount(app, { timeZone: 'America/New_York', retention: { idleLeadMonths: 3 } })
  const call = async (method: string, path: string, body?: unknown) =>
    ok(await app.api(method, path, { token: account.token, body })).body
  const partners = [await aPartner(app, account), await aPartner(app, account)]
  const lead = (email: string, more = {}) => call('POST', `/accounts/${account.id}/leads`, { email, ...more })
  const idle = await lead('canary@mail.example', { firstName: 'Canarina', externalId: 'canary-1' })
  const sold = await lead('sold@mail.example')
  await call('POST', `/leads/${sold.id}/sales`, { amount: 10_00 })
  const voided = await lead('voided@mail.example')
  const sale = await call('POST', `/leads/${voided.id}/sales`, { amount: 10_00 })
  await call('POST', `/sales/${sale.id}/void`, { reason: 'Sent by mistake' })
  const noted = await lead('noted@mail.example')
  const [twin, other] = await Promise.all(
    partners.map(({ id }) => lead('twin@mail.example', { partnerId: id, company: id })),
  )

  app.clock.set('2027-02-20T12:00:00Z')
  Object.assign(account, await signIn(app, account.ownerEmail))
  await call('POST', `/leads/${noted.id}/notes`, { text: 'Asked for an offer', shared: false })
  await call('PUT', `/leads/${other.id}`, { company: 'Northwind' })

  // the day of three months ago ends in the account's time zone
  await night(account.id, '2027-04-16T03:59:00Z')
  assert.deepEqual(await erasedOf(account.id), [])
  await night(account.id, '2027-04-16T04:01:00Z')
  assert.deepEqual(await erasedOf(account.id), [{ id: idle.id }])
  await eventually(async () => await db.value<boolean>`select done from erasures where account_id = ${account.id}`)
  assert.deepEqual(await placesWith(app, ['canary', 'canarina']), [])
  assert.deepEqual(await verifyLedger(db), [])
  Object.assign(account, await signIn(app, account.ownerEmail))
  const { items } = await call('GET', `/accounts/${account.id}/erasures`)
  assert.deepEqual(
    items.map(({ subject, by, reason, counts }: Record<string, unknown>) => ({ subject, by, reason, counts })),
    [{ subject: { type: 'lead', id: idle.id }, by: null, reason: 'retention', counts: items[0].counts }],
  )
  assert.equal(items[0].counts.leads, 1)
  const asked = await db.many`select from events where account_id = ${account.id} and type like 'erasure.%'`
  assert.deepEqual(asked, [], 'nobody asked')

  // a person is idle once all their leads are
  await night(account.id, '2027-05-22T12:00:00Z')
  assert.deepEqual(
    (await erasedOf(account.id)).map(({ id }) => id).sort(),
    [idle, twin, other, noted].map(({ id }) => id).sort(),
  )
  assert.equal(await db.value<number>`select count(*) from erasures where account_id = ${account.id}`, 3)
  await eventually(
    async () =>
      (await db.value<number>`select count(*) from erasures where account_id = ${account.id} and not done`) === 0,
  )
  assert.deepEqual(await placesWith(app, ['twin@mail.example', 'noted@mail.example', 'asked for an offer']), [])

  // without the setting, nothing is idle
  Object.assign(account, await signIn(app, account.ownerEmail))
  await call('PATCH', `/accounts/${account.id}`, { retention: { idleLeadMonths: null } })
  await db.run`update leads set first_won_at = null where account_id = ${account.id}`
  await night(account.id, '2037-05-22T12:00:00Z')
  assert.equal((await erasedOf(account.id)).length, 4)
})

test('one night erases so many leads and no more, by however many processes', async () => {
  const quiet = await startApp()
  const { db } = quiet.services
  quiet.clock.set('2027-01-15T12:00:00Z')
  const account = await anAccount(quiet, { timeZone: 'UTC', retention: { idleLeadMonths: 3 } })
  await db.run`
    insert into leads (id, account_id, source, status, email, created_on, created_at, updated_at)
    select uuidv7(), ${account.id}, 'api', 'expired', 'idle-' || n || '@mail.example', at::date, at, at
    from generate_series(1, ${MOST_IDLE + 1}::integer) n, lateral (select ${db.now}::timestamptz + n * interval '1 second' as at)`
  const another = await startApp({ db })
  await Promise.all([
    night(account.id, '2027-06-01T12:00:00Z', quiet),
    night(account.id, '2027-06-01T12:00:00Z', another),
  ])
  assert.equal((await erasedOf(account.id, db)).length, MOST_IDLE)
  const [left] = await db.many<{
    email: string
  }>`select email from leads where account_id = ${account.id} and erased_at is null`
  assert.equal(left?.email, `idle-${MOST_IDLE + 1}@mail.example`)
  await night(account.id, '2027-06-01T23:00:00Z', quiet)
  assert.equal((await erasedOf(account.id, db)).length, MOST_IDLE)
  await night(account.id, '2027-06-02T03:00:00Z', quiet)
  assert.equal((await erasedOf(account.id, db)).length, MOST_IDLE + 1)
})

test('random people are erased as a model says: the oldest first, each with all their leads or none', async () => {
  const own = await startApp()
  const { db } = own.services
  for (const seed of seeds(1)) {
    const random = randomFrom(seed)
    own.clock.set('2027-06-01T12:00:00Z')
    const account = await anAccount(own, { timeZone: 'UTC', retention: { idleLeadMonths: 3 } })
    const leads = Array.from({ length: 60 }, () => {
      const at = () => random.between(70, 120)
      const created = at()
      return {
        id: newId(),
        email: random.chance(50) ? `person-${random.below(25)}@mail.example` : null,
        phone: random.chance(50) ? `+1212555${1000 + random.below(25)}` : null,
        days: {
          created,
          changed: Math.min(created, at()),
          seen: random.chance(50) ? Math.min(created, at()) : created,
        },
        isWon: random.chance(10),
        isSold: false,
      }
    }).sort((a, b) => b.days.created - a.days.created || (a.id < b.id ? -1 : 1))
    for (const { id, email, phone, days, isWon } of leads)
      await db.run`
        insert into leads (id, account_id, source, status, email, phone, phone_e164, created_on, created_at, updated_at, last_seen_at, first_won_at)
        select ${id}, ${account.id}, 'api', 'new', ${email}, ${phone}::text, ${phone}, now, now - ${days.created} * one, now - ${days.changed} * one,
          now - ${days.seen} * one, case when ${isWon} then now - ${days.created} * one end
        from (select ${db.now}::timestamptz as now, interval '1 day' as one) t`
    for (const lead of leads)
      if (random.chance(10)) {
        lead.isSold = true
        const path = `/leads/${lead.id}/sales`
        ok(await own.api('POST', path, { token: account.token, body: { amount: 100 } }))
        // as one that was booked when the lead was new
        await db.run`
          update leads set updated_at = created_at, last_seen_at = null, first_won_at = null, status = 'new' where id = ${lead.id}`
      }
    await night(account.id, '2027-06-01T12:30:00Z', own)

    // three months before June 1 are 92 days
    const isIdle = ({ days, isSold }: (typeof leads)[number]) =>
      Math.min(days.created, days.changed, days.seen) > 92 && !isSold
    const erased = new Set<string>()
    for (const lead of leads.filter((one) => isIdle(one) && !one.isWon)) {
      if (erased.has(lead.id)) continue
      const person = leads.filter(
        (one) =>
          !erased.has(one.id) &&
          (one === lead || (one.email && one.email === lead.email) || (one.phone && one.phone === lead.phone)),
      )
      if (person.every(isIdle)) for (const { id } of person) erased.add(id)
    }
    assert.deepEqual((await erasedOf(account.id, db)).map(({ id }) => id).sort(), [...erased].sort(), `seed ${seed}`)
    assert.ok(erased.size > 0)
  }
})
