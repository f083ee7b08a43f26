import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  startApp,
  tokenInLink,
  waitUntil,
} from '../../../test/support/app.ts'
import { findSavedMail } from '../../../test/support/saved-mails.ts'

const app = await startApp({ worker: true })
const { db } = app.services

test('a person of an erased partner who is another partner too loses nothing of theirs', async () => {
  const account = await anAccount(app, { payoutDelay: 0, minimumPayout: 0 })
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const email = anEmail('accountant')
  const { id } = await call('POST', `/accounts/${account.id}/applications`, {
    ...{ firstName: 'Ann', lastName: 'Count', email, emailConfirmed: true },
  })
  const subjects = () => db.many`
    select subject from mails where account_id = ${account.id} and email = ${email} and subject like '%application%'`
  const decision = { ids: [id], decision: 'approve' }
  const [{ partnerId, invitationUrl }] = (
    await call('POST', `/accounts/${account.id}/applications/decisions`, decision)
  ).results
  await waitUntil(async () => (await subjects()).length === 1)
  const { token } = await acceptInvitation(app, invitationUrl)

  const partner = await aPartner(app, account, {}, { signIn: true })
  await call('POST', `/partners/${partner.id}/members`, { email, role: 'member' }, partner.token)
  const { link } = await findSavedMail(app, 'invitation', email, /a partner of/)
  await call('POST', '/auth/user-setup/accept', { token: tokenInLink(link!) }, token)

  const events = () => db.many<{ type: string }>`
    select type, data from passing_events where account_id = ${account.id} and subject_id = ${partnerId} order by id`
  const theirs = async () => ({
    application: await call('GET', `/applications/${id}`),
    events: await events(),
    subjects: await subjects(),
  })
  await waitUntil(async () => (await events()).some(({ type }) => type === 'partner.invitation-accepted'))
  const was = await theirs()
  await call('POST', `/partners/${partner.id}/archive`, {})
  const preview = await call('POST', `/partners/${partner.id}/erase`, { preview: true })
  assert.deepEqual(preview.untouched, [{ type: 'partner', id: partnerId, displayName: 'Ann Count' }])
  assert.equal(preview.counts.applications, undefined)
  const person = await call('GET', `/partners/${partner.id}/person`)
  assert.equal(person.applications, undefined, 'other people’s data is in no file')
  await call('POST', `/partners/${partner.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  assert.deepEqual(await theirs(), was)
  const { roles } = await call('GET', '/users/me', undefined, token)
  assert.deepEqual(
    roles.map((role: { partnerId: string }) => role.partnerId),
    [partnerId],
  )
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from mails where account_id = ${account.id} and email = ${partner.email}`
  assert.equal(count, 0, 'the erased partner’s own mails are emptied')
})

test('a partner who was a lead too loses nothing of theirs when the lead is erased', async () => {
  const account = await anAccount(app)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const email = anEmail('customer')
  const applied = { firstName: 'Ann', lastName: 'Count', email, emailConfirmed: true }
  const { id } = await call('POST', `/accounts/${account.id}/applications`, applied)
  const decision = { ids: [id], decision: 'approve' }
  const [{ partnerId }] = (await call('POST', `/accounts/${account.id}/applications/decisions`, decision)).results
  const lead = await call('POST', `/accounts/${account.id}/leads`, { email, firstName: 'Ann' })
  const about = (subjectId: string) => db.many<{ data: unknown }>`
    select id, type, data from passing_events where account_id = ${account.id} and subject_id = ${subjectId}
    union all select id, type, data from events where account_id = ${account.id} and subject_id = ${subjectId}
    order by id, data`
  const theirs = async () => [await about(partnerId), await about(id)]
  const was = await theirs()
  assert.ok(JSON.stringify(was).includes(email))
  const { untouched } = await call('POST', `/leads/${lead.id}/erase`, { preview: true })
  assert.deepEqual(untouched, [{ type: 'partner', id: partnerId, displayName: 'Ann Count' }])
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${account.id}/erasures`)).items[0].done)
  assert.deepEqual(await theirs(), was)
  assert.ok(!JSON.stringify(await about(lead.id)).includes(email))
})
