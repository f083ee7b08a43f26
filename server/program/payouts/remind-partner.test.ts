import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aPayee, aPayout, bankDetails } from '../../../test/support/payouts.ts'
import { findSavedMail, listSavedMails } from '../../../test/support/saved-mails.ts'
import { sendMail } from '../../integrations/mail/jobs.ts'

const app = await startApp({ worker: true })
const { db } = app.services
const DAY = 86_400_000

const remind = (account: TestAccount, { id }: { id: string }, kind: string, more: object = {}) =>
  app.api('POST', `/partners/${id}/reminders`, { token: account.token, body: { kind, ...more } })
const refused = async (reply: ReturnType<typeof remind>) => {
  const { status, body } = await reply
  return [status, body.error?.reason]
}
const put = async (account: TestAccount, { id }: { id: string }, body: object) =>
  expectOk(await app.api('PUT', `/partners/${id}`, { token: account.token, body }))

test('a partner without payout details is mailed what waits for them, and again after a week', async () => {
  const account = await anAccount(app, { name: 'Northwind', timeZone: 'America/New_York' })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const nothing = await aPartner(app, account, {}, { signIn: true })
  await aPayout(app, account, partner, 905_00)

  const { status, body } = await remind(account, partner, 'payout-settings')
  const next = new Date(app.clock.now().getTime() + 7 * DAY)
  assert.equal(status, 202)
  assert.deepEqual([body.kind, body.mailed], ['payout-settings', false])
  assert.ok(Math.abs(Date.parse(body.nextAt) - next.getTime()) < 60_000)
  const mail = await findSavedMail(app, 'payout-details-reminder', partner.email)
  assert.equal(mail.subject, 'Reminder: add your payout details')
  assert.match(mail.text, /Northwind asks you to enter the account that payouts go to\./)
  assert.match(mail.text, /\$905\.00 is waiting for you\./)
  assert.match(mail.link ?? '', /\/partner\/settings$/)
  expectOk(await remind(account, nothing, 'payout-settings'))
  assert.doesNotMatch((await findSavedMail(app, 'payout-details-reminder', nothing.email)).text, /\$/)

  const again = await remind(account, partner, 'payout-settings')
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'America/New_York' }).format(next)
  assert.equal(again.status, 429)
  assert.equal(
    again.body.error.message,
    `This partner was reminded less than a week ago. Remind them again from ${day}.`,
  )
  const wait = Number(again.headers.get('retry-after'))
  assert.ok(wait > 6.9 * 86_400 && wait <= 7 * 86_400, String(wait))

  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=partner.reminded`, { token: account.token }),
  ).body
  assert.deepEqual(
    items.map(({ subject }: { subject: { id: string } }) => subject.id),
    [nothing.id, partner.id],
  )
  await db.run`update partner_reminders set reminded_at = reminded_at - interval '7 days' where partner_id = ${partner.id}`
  assert.equal((await remind(account, partner, 'payout-settings')).status, 202)
})

test('two owners who remind at once remind once', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const replies = await Promise.all([1, 2, 3].map(() => remind(account, partner, 'payout-settings')))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 429, 429])
})

test('details that are not taken are reminded of as well, good ones never', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  assert.deepEqual(await refused(remind(account, partner, 'payout-settings')), [409, 'payout_details_given'])
  const { id } = await aPayout(app, account, partner, 50_00)
  expectOk(await app.api('POST', `/payouts/${id}/approve`, { token: account.token }))
  await db.run`update payouts set status = 'failed', method = 'wise' where id = ${id}`
  await db.run`update payout_settings set rejected_reason = 'No such account' where partner_id = ${partner.id}`
  assert.equal((await remind(account, partner, 'payout-settings')).status, 202)
  const mail = await findSavedMail(app, 'payout-details-reminder', partner.email)
  assert.equal(mail.subject, 'Reminder: correct your payout details')
})

test('who has not joined is invited once more; who cannot be asked is not', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  assert.deepEqual(await refused(remind(account, partner, 'payout-settings')), [409, 'partner_not_joined'])
  app.clock.advance(2 * 60_000)
  const before = expectOk(await app.api('GET', `/partners/${partner.id}/invitation`, { token: account.token })).body
  assert.equal((await remind(account, partner, 'invitation')).status, 202)
  const after = expectOk(await app.api('GET', `/partners/${partner.id}/invitation`, { token: account.token })).body
  assert.equal(after.sendCount, before.sendCount + 1)
  assert.deepEqual(await refused(remind(account, partner, 'invitation')), [429, 'reminded_this_week'])

  // a refused mail does not count towards the limit
  const fresh = await aPartner(app, account)
  assert.deepEqual(await refused(remind(account, fresh, 'invitation')), [429, 'just_sent'])
  app.clock.advance(2 * 60_000)
  assert.equal((await remind(account, fresh, 'invitation')).status, 202)

  const revoked = await aPartner(app, account)
  expectOk(await app.api('DELETE', `/partners/${revoked.id}/invitation`, { token: account.token }))
  assert.deepEqual(await refused(remind(account, revoked, 'invitation')), [409, 'invitation_is_revoked'])
  const uninvited = await aPartner(app, account, { sendInvitation: false })
  assert.deepEqual(await refused(remind(account, uninvited, 'invitation')), [409, 'partner_not_invited'])
  const joined = await aPartner(app, account, {}, { signIn: true })
  assert.deepEqual(await refused(remind(account, joined, 'invitation')), [409, 'invitation_accepted'])
  await put(account, joined, { state: 'suspended', reason: 'Under discussion' })
  assert.deepEqual(await refused(remind(account, joined, 'payout-settings')), [409, 'partner_is_suspended'])
  expectOk(
    await app.api('POST', `/partners/${joined.id}/archive`, {
      token: account.token,
      body: { subPartners: 'keep', balance: 'void', reason: 'Left' },
    }),
  )
  for (const kind of ['payout-settings', 'invitation'])
    assert.deepEqual(await refused(remind(account, joined, kind)), [409, 'partner_is_archived'])
})

test('only the owner of the partner reminds them, and by a kind that there is', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const partner = await aPartner(app, account, {}, { signIn: true })
  assert.equal((await remind(other, partner, 'payout-settings')).status, 404)
  assert.equal((await remind({ ...account, token: partner.token }, partner, 'payout-settings')).status, 403)
  assert.equal((await remind(account, partner, 'birthday')).status, 422)
  assert.equal((await remind(account, partner, 'payout-settings', { text: 'Hurry' })).status, 422)
})

test('a reminder that has come too late is not mailed, and a disabled account mails nobody', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  expectOk(
    await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() }),
  )
  const mail = { kind: 'payout-details-reminder' as const, id: 'late', accountId: account.id, partnerId: partner.id }
  await sendMail(app.services, mail)
  await db.run`update payout_settings set details_sealed = null where partner_id = ${partner.id}`
  await db.run`update accounts set disabled_at = ${db.now} where id = ${account.id}`
  await sendMail(app.services, mail)
  const mailed = (await listSavedMails(app)).filter(({ name }) => name.startsWith('payout-details-reminder-late'))
  assert.deepEqual(mailed, [])
})
