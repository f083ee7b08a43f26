import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { eraseAt, erasedIn } from '../../../test/support/idle.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { newId } from '../../platform/database/ids.ts'
import { MOST_IDLE } from './erase-idle.ts'

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
    eraseAt(quiet, account.id, '2027-06-01T12:00:00Z'),
    eraseAt(another, account.id, '2027-06-01T12:00:00Z'),
  ])
  assert.equal((await erasedIn(db, account.id)).length, MOST_IDLE)
  const [left] = await db.many<{
    email: string
  }>`select email from leads where account_id = ${account.id} and erased_at is null`
  assert.equal(left?.email, `idle-${MOST_IDLE + 1}@mail.example`)
  await eraseAt(quiet, account.id, '2027-06-01T23:00:00Z')
  assert.equal((await erasedIn(db, account.id)).length, MOST_IDLE)
  await eraseAt(quiet, account.id, '2027-06-02T03:00:00Z')
  assert.equal((await erasedIn(db, account.id)).length, MOST_IDLE + 1)
})

test('random people are erased as a model says: the oldest first, each with all their leads or none', async () => {
  const own = await startApp()
  const { db } = own.services
  for (const seed of listSeeds(6)) {
    const random = randomFrom(seed)
    own.clock.set('2027-06-01T12:00:00Z')
    const account = await anAccount(own, { timeZone: 'UTC', retention: { idleLeadMonths: 3 } })
    const partner = await aPartner(own, account)
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
        hasPartner: random.chance(40),
        status: random.pick(['new', 'qualified', 'lost', 'rejected', 'expired']),
        /** Days until its protection ends; null without end. */
        protectedFor: random.chance(20) ? null : random.between(-60, 20),
        isSold: false,
      }
    }).sort((a, b) => b.days.created - a.days.created || (a.id < b.id ? -1 : 1))
    for (const { id, email, phone, days, isWon, hasPartner, status, protectedFor } of leads)
      await db.run`
        insert into leads (id, account_id, partner_id, protected_until, source, status, email, phone, phone_e164, created_on, created_at, updated_at, last_seen_at, first_won_at)
        select ${id}, ${account.id}, ${hasPartner ? partner.id : null}, now + ${protectedFor}::integer * one, 'api', ${status}, ${email}, ${phone}::text, ${phone}, now, now - ${days.created} * one, now - ${days.changed} * one,
          now - ${days.seen} * one, case when ${isWon} then now - ${days.created} * one end
        from (select ${db.now}::timestamptz as now, interval '1 day' as one) t`
    for (const lead of leads)
      if (random.chance(10)) {
        lead.isSold = true
        const path = `/leads/${lead.id}/sales`
        expectOk(await own.api('POST', path, { token: account.token, body: { amount: 100 } }))
        // as one that was booked when the lead was new
        await db.run`
          update leads set updated_at = created_at, last_seen_at = null, first_won_at = null, status = 'new' where id = ${lead.id}`
      }
    await eraseAt(own, account.id, '2027-06-01T12:30:00Z')

    // three months before June 1 are 92 days
    const isProtected = ({ hasPartner, status, protectedFor }: (typeof leads)[number]) =>
      hasPartner && ['new', 'qualified', 'lost'].includes(status) && (protectedFor === null || protectedFor > 0)
    const isIdle = (lead: (typeof leads)[number]) =>
      Math.min(lead.days.created, lead.days.changed, lead.days.seen) > 92 && !lead.isSold && !isProtected(lead)
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
    assert.deepEqual((await erasedIn(db, account.id)).map(({ id }) => id).sort(), [...erased].sort(), `seed ${seed}`)
    assert.ok(erased.size > 0)
  }
})
