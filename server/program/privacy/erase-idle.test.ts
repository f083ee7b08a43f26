import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, signIn, startApp, waitUntil } from '../../../test/support/app.ts'
import { placesWith } from '../../../test/support/canaries.ts'
import { eraseAt, erasedIn } from '../../../test/support/idle.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ worker: true })
const { db } = app.services

const night = (accountId: string, at: string) => eraseAt(app, accountId, at)
const erasedOf = (accountId: string) => erasedIn(db, accountId)

test('a lead without a sale and without any event for the account’s months is erased with every copy', async () => {
  app.clock.set('2027-01-15T12:00:00Z')
  const account = await anAccount(app, { timeZone: 'America/New_York', retention: { idleLeadMonths: 3 } })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
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
  await waitUntil(async () => await db.value<boolean>`select done from erasures where account_id = ${account.id}`)
  assert.deepEqual(await placesWith(app, ['canary', 'canarina']), [])
  assert.deepEqual(await verifyLedger(db), [])
  Object.assign(account, await signIn(app, account.ownerEmail))
  const { items } = await call('GET', `/accounts/${account.id}/erasures`)
  assert.deepEqual(
    items.map(({ subject, by, reason, counts }: Record<string, unknown>) => ({ subject, by, reason, counts })),
    [{ subject: { type: 'lead', id: idle.id }, by: null, reason: 'retention', counts: items[0].counts }],
  )
  assert.equal(items[0].counts.leads, 1)
  const requestEvents = await db.many`select from events where account_id = ${account.id} and type like 'erasure.%'`
  assert.deepEqual(requestEvents, [], 'nobody asked')

  // a person is idle once all their leads are
  await night(account.id, '2027-05-22T12:00:00Z')
  assert.deepEqual(
    (await erasedOf(account.id)).map(({ id }) => id).sort(),
    [idle, twin, other, noted].map(({ id }) => id).sort(),
  )
  assert.equal(await db.value<number>`select count(*) from erasures where account_id = ${account.id}`, 3)
  await waitUntil(
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

test('a lead is not idle while it is protected for its partner', async () => {
  app.clock.set('2027-01-15T12:00:00Z')
  const retention = { idleLeadMonths: 3 }
  const account = await anAccount(app, { timeZone: 'UTC', leadProtectionDays: 365, retention })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const { id: partnerId } = await aPartner(app, account)
  const lead = async (email: string, more = {}) =>
    (await call('POST', `/accounts/${account.id}/leads`, { email, partnerId, ...more })).id as string
  const become = (id: string, status: string) => call('POST', `/leads/${id}/status`, { status, reason: 'not-a-fit' })
  const [open, lost, rejected] = [
    await lead('open@mail.example'),
    await lead('lost@mail.example'),
    await lead('no@mail.example'),
  ]
  await become(lost, 'lost')
  await become(rejected, 'rejected')
  const unpartnered = await lead('nobodys@mail.example', { partnerId: null })
  await call('PATCH', `/accounts/${account.id}`, { leadProtectionDays: 0 })
  const endless = await lead('endless@mail.example')
  const erased = async () => (await erasedOf(account.id)).map(({ id }) => id).sort()
  await night(account.id, '2027-06-01T12:00:00Z')
  assert.deepEqual(await erased(), [rejected, unpartnered].sort())
  Object.assign(account, await signIn(app, account.ownerEmail))
  const bought = await call('POST', `/leads/${lost}/sales`, { amount: 10_00 })
  assert.equal(bought.partnerId, partnerId)
  await night(account.id, '2028-01-15T12:00:01Z')
  assert.deepEqual(await erased(), [rejected, unpartnered, open].sort())
  Object.assign(account, await signIn(app, account.ownerEmail))
  await call('PUT', `/leads/${endless}`, { protectedUntil: '2028-01-20' })
  await night(account.id, '2028-04-16T12:00:00Z')
  assert.deepEqual(await erased(), [rejected, unpartnered, open, endless].sort())
})
