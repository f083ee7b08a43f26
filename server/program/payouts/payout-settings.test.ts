import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReadByKey } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { anAccount, anEmail, aPartner, signIn, startApp } from '../../../test/support/app.ts'
import {
  aPayee,
  aPayout,
  bankDetails,
  bookDue,
  getBalance,
  getPayout,
  listPayouts,
  requestRefresh,
} from '../../../test/support/payouts.ts'
import { emailsAround } from '../partners/former-emails.ts'

const app = await startApp()

const save = (partner: { id: string; token: string }, body: object) =>
  app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
const read = (partner: { id: string }, token: string) =>
  app.api('GET', `/partners/${partner.id}/payout-settings`, { token })
/** Returns the recipients of the mail about each change of this partner's details. */
const announced = async (partnerId: string) => {
  const rows = await app.services.db.many<{ at: string }>`
    select at from told_events where type = 'payout-details.changed' and data ->> 'partnerId' = ${partnerId} order by id`
  return Promise.all(rows.map(({ at }) => emailsAround(app.services.db, partnerId, new Date(at))))
}

test('details are kept sealed and answered masked', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const none = await read(partner, account.token)
  const nothing = { method: null, country: null, currency: null, updatedAt: null, formOnFile: false }
  assert.deepEqual(none.body, { enabled: false, depositInfo: null, ...nothing, nameCheck: null })
  const taxForm = { kind: 'w-9', receivedOn: '2026-02-03' }
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { taxForm } })
  assert.equal((await read(partner, partner.token)).body.formOnFile, true, 'the partner is told that it is there')
  const saved = await save(partner, bankDetails({ accountNumber: '98765432101' }))
  assert.equal(saved.status, 200)
  assert.equal(saved.body.enabled, true)
  const { depositInfo } = (await read(partner, account.token)).body
  assert.equal(depositInfo.routingNumber, '•••••0021')
  assert.equal(depositInfo.accountNumber, '•••••2101')
  assert.equal(depositInfo.name, 'Pia Tern')
  const { sealed } = await app.services.db.one<{ sealed: Buffer }>`
    select details_sealed as sealed from payout_settings where partner_id = ${partner.id}`
  assert.ok(!sealed.toString('latin1').includes('98765432101'))
  const others = await app.services.db.many`
    select data::text from events union all select data::text from passing_events`
  assert.ok(!JSON.stringify(others).includes('98765432101'), 'neither in the audit nor in an event')
  assert.deepEqual(await announced(partner.id), [], 'a first entry mails nobody')

  const wrong = await save(partner, bankDetails({ routingNumber: '021000022', name: 'Pia', accountNumber: '12' }))
  assert.equal(wrong.status, 422)
  assert.deepEqual(Object.keys(wrong.body.error.fields).sort(), ['accountNumber', 'name', 'routingNumber'])
  assert.equal((await save({ ...partner, token: account.token }, bankDetails())).status, 403, 'an owner may not edit')
})

test('an API key reads no payout details, and none of what only those who pay may read', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const body = { name: 'Reports', rights: ['read'] }
  const { key } = (await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body })).body
  const home = `/accounts/${account.id}`
  for (const path of [
    `/partners/${partner.id}/payout-settings`,
    `${home}/payout-methods`,
    `${home}/auto-payout-settings`,
  ]) {
    const { status, body } = await app.api('GET', path, { token: key })
    assert.deepEqual([status, body.error.reason], [403, 'api_key_may_not_call'], path)
  }
  const forPayers = endpoints.filter(({ allow }) => allow.includes('finance') && !allow.includes('viewer'))
  assert.deepEqual(forPayers.filter(isReadByKey), [])
})

test('details that are no object are told so', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const errorFor = async (sent: unknown) => (await save(partner, sent as object)).body.error
  assert.match((await errorFor([])).message, /Send an object/)
  assert.deepEqual((await errorFor({ kind: 'gold' })).fields, { kind: 'Use us-bank, iban, local-bank or paypal' })
})

test('replacing and removing need a fresh password, and mail the partner where they sign in', async () => {
  const account = await anAccount(app)
  const former = anEmail('former')
  const partner = await aPartner(app, account, { email: former }, { signIn: true })
  await save(partner, bankDetails())
  const present = anEmail('present')
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { email: present } })
  app.clock.advance(11 * 60_000)
  const stale = await save(partner, bankDetails({ accountNumber: '555566667777' }))
  assert.deepEqual([stale.status, stale.body.error.code], [403, 'recent_sign_in_required'])
  const removal = () => app.api('DELETE', `/partners/${partner.id}/payout-settings`, { token: partner.token })
  assert.equal((await removal()).body.error.code, 'recent_sign_in_required')

  partner.token = (await signIn(app, former)).token
  assert.equal((await save(partner, bankDetails({ accountNumber: '555566667777' }))).status, 200)
  assert.equal((await removal()).status, 204)
  assert.deepEqual((await read(partner, partner.token)).body.depositInfo, null)
  assert.equal((await removal()).status, 404)
  app.clock.advance(11 * 60_000)
  partner.token = (await signIn(app, former)).token
  app.clock.advance(11 * 60_000)
  assert.equal((await save(partner, bankDetails())).status, 403, 'after a removal an entry is no first one')
  assert.deepEqual(await announced(partner.id), [[former], [former]])
  const audited = await app.services.db.many`
    select from audit where action = 'partner.payout-settings-updated' and subject_id = ${partner.id}`
  assert.equal(audited.length, 3)
})

test('a change sets what is approved back to due, and warns for 72 hours', async () => {
  const account = await anAccount(app)
  account.token = (await signIn(app, account.ownerEmail)).token
  const partner = await aPayee(app, account)
  const first = await aPayout(app, account, partner, 30_00)
  await app.api('POST', `/payouts/${first.id}/approve`, { token: account.token })
  const second = await aPayout(app, account, partner, 5_00)
  assert.notEqual(second.id, first.id)

  assert.equal((await save(partner, bankDetails({ accountNumber: '555566667777' }))).status, 200)
  const back = await getPayout(app, account, first.id)
  assert.deepEqual([back.status, back.amount, back.approvedAt], ['due', 35_00, null])
  const codes = back.blockers.map(({ code }) => code)
  assert.deepEqual(codes, ['deposit-info-changed-recently', 'payouts-not-configured'])
  assert.equal((await getPayout(app, account, second.id)).status, 'canceled')
  assert.equal((await getBalance(app, account, partner)).due, 35_00)

  const again = await app.api('POST', `/payouts/${first.id}/approve`, { token: account.token })
  assert.equal(again.body.status, 'approved', 'a person may go on')
  assert.equal(again.body.amount, 35_00)
  const entries = await app.api('GET', `/payouts/${first.id}/entries`, { token: account.token })
  assert.equal(entries.body.total, 2)
  await bookDue(app, account, partner, 1_00)
  assert.deepEqual(await requestRefresh(app, account), { due: 1, blocked: 0 })
  const statuses = (await listPayouts(app, account, partner)).map(({ status }) => status)
  assert.deepEqual(statuses, ['due', 'canceled', 'approved'])

  app.clock.advance(73 * 3_600_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  const later = await getBalance(app, account, partner)
  assert.deepEqual(
    later.blockers.map(({ code }: { code: string }) => code),
    ['payouts-not-configured'],
  )
})
