import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MailKind } from '#contract/mail-kinds.ts'
import { workOff } from '../../../demo/drain-jobs.ts'
import { fakeSmtp } from '../../../test/fakes/smtp.ts'
import { wiseRefusal } from '../../../test/fakes/wise-rules.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  type TestApp,
  turnableClock,
} from '../../../test/support/app.ts'
import { aCase } from '../../../test/support/fraud-cases.ts'
import { mailsTo, runClock, sendAllMails, theMail } from '../../../test/support/mailed.ts'
import { aConnection, SIGNING_SECRET, startWithStripe } from '../../../test/support/payment-providers.ts'
import { aPayee, aPayout, bankDetails, bookDue, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'
import { aPaypalPayee, paypalInstalls, workOn as workOnPaypal } from '../../../test/support/paypal-payouts.ts'
import { listSavedMails } from '../../../test/support/saved-mails.ts'
import { signForm, wantForms } from '../../../test/support/tax-forms.ts'
import { createInstalls, workOn } from '../../../test/support/wise-payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { relayOnce } from '../../platform/events/relay.ts'
import { payoutsPaused } from '../../program/payouts/signals.ts'
import { listeners } from '../../queue-handlers.ts'
import { retention } from '../../retention.ts'
import { webhookFailing } from '../outgoing-webhooks/signals.ts'
import { mailNews } from './digest.ts'
import { sendMail } from './jobs.ts'
import type { MailJob } from './kinds/registry.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const headersOf = ({ raw }: { raw: string }) => raw.slice(0, raw.indexOf('\r\n\r\n'))

const app = await startApp()

const post = async (account: Pick<TestAccount, 'token'>, path: string, body: object, at: TestApp = app) =>
  expectOk(await at.api('POST', path, { token: account.token, body })).body

const aProgram = (settings: Record<string, unknown> = {}, at: TestApp = app) =>
  anAccount(at, { defaultCommissionSettings: { layerRates: [20, 5] }, partnerLeadSubmission: true, ...settings })

const aLead = (account: TestAccount, partnerId: string | null, fields: object = {}, at: TestApp = app) =>
  post(account, `/accounts/${account.id}/leads`, { partnerId, email: anEmail('lead'), ...fields }, at)

const aSale = (account: TestAccount, leadId: string, amount: number, fields: object = {}, at: TestApp = app) =>
  post(account, `/leads/${leadId}/sales`, { amount, ...fields }, at)

test('a lead registered by a partner is mailed to the owner; one entered by the owner is not', async () => {
  const account = await aProgram()
  const partner = await aPartner(app, account, { firstName: 'Pia' }, { signIn: true })
  await aLead(account, partner.id, { firstName: 'Typed' })
  await post(partner, `/partners/${partner.id}/leads`, { firstName: 'Jane\r\nBcc: x@mail.example', email: anEmail() })
  await sendAllMails(app)
  const mail = await theMail(app, 'new-lead', account.ownerEmail)
  assert.equal(mail.subject, 'New lead: Jane Bcc: x@mail.example')
  assert.match(mail.text, /Jane Bcc: x@mail\.example: Referred by Pia Tern/)
  assert.match(mail.link!, /\/leads\/[0-9a-f-]{36}$/)
  assert.match(mail.raw, /^From: Northwind via Tributary <no-reply@/m)
  assert.doesNotMatch(headersOf(mail), /^Bcc:/m)
  assert.doesNotMatch(headersOf(mail), /^Reply-To:/m)
})

test('each person of a team gets the groups of their role, once, and turns them off for themselves alone', async () => {
  const account = await aProgram()
  const people: Record<string, { email: string; token: string; userId: string }> = {}
  for (const role of ['owner', 'manager', 'finance', 'viewer']) {
    const email = anEmail(role)
    const { userId, url } = await post(account, `/accounts/${account.id}/members`, { email, role })
    people[role] = { email, userId, ...(await acceptInvitation(app, url)) }
  }
  const { owner, manager, finance, viewer } = people as Record<
    'owner' | 'manager' | 'finance' | 'viewer',
    (typeof people)[0]
  >
  const groupsOf = async ({ token }: { token: string }) =>
    expectOk(await app.api('GET', '/mail/choices', { token })).body.items.map(({ group }: { group: string }) => group)
  const always = ['security', 'invitations']
  assert.deepEqual(await groupsOf(owner), [...always, 'applications', 'leads', 'payouts', 'integrations', 'summaries'])
  assert.deepEqual(await groupsOf(manager), [...always, 'applications', 'leads', 'integrations', 'summaries'])
  assert.deepEqual(await groupsOf(finance), [...always, 'payouts', 'summaries'])
  assert.deepEqual(await groupsOf(viewer), always)

  const partner = await aPartner(app, account, {}, { signIn: true })
  const aNewLead = async (minutes: number) => {
    await post(partner, `/partners/${partner.id}/leads`, { firstName: 'Jane', email: anEmail() })
    await sendAllMails(app, minutes)
  }
  const got = async (kind: MailKind) => {
    const all = [account.ownerEmail, ...Object.values(people).map(({ email }) => email)]
    const counts = await Promise.all(all.map(async (email) => (await mailsTo(app, kind, email)).length))
    return counts.join(' ')
  }
  await aNewLead(1)
  // the contact, and the second owner, manager, finance and viewer
  assert.equal(await got('new-lead'), '1 1 1 0 0')
  expectOk(
    await app.api('PATCH', '/users/me', { token: manager.token, body: { preferences: { mail: { leads: false } } } }),
  )
  await aNewLead(10)
  assert.equal(await got('new-lead'), '2 2 1 0 0')
  const { db } = app.services
  await transaction(db, (tx) => sendSignal(tx, account.id, payoutsPaused, { pausedAt: '2026-01-01T00:00:00.000Z' }))
  await db.run`insert into payout_accounts (account_id, updated_at) values (${account.id}, now()) on conflict do nothing`
  await db.run`
    insert into payout_reconciliations (account_id, paused_at, updated_at)
    values (${account.id}, '2026-01-01T00:00:00Z', now())`
  await workOff(app.services)
  assert.equal(await got('payouts-paused'), '1 1 0 1 0')
  // one who has left meanwhile gets nothing
  const { data } = await db.one<{ data: MailJob }>`
    select data from pgboss.job where name = 'mail' and data ->> 'reader' = ${finance.userId} limit 1`
  await sendMail(app.services, { ...data, id: 'again' } as MailJob)
  assert.equal(await got('payouts-paused'), '1 1 0 2 0')
  await db.run`delete from user_roles where account_id = ${account.id} and user_id = ${finance.userId}`
  await sendMail(app.services, { ...data, id: 'once more' } as MailJob)
  assert.equal(await got('payouts-paused'), '1 1 0 2 0')
})

test('leads from a site are mailed to the owner together; leads pushed by own systems are not', async () => {
  const account = await aProgram()
  const fields = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(fields.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  const embed = { config, domains: ['shop.example.com'], onlyIfReferred: false }
  expectOk(await app.api('PUT', `/accounts/${account.id}/embed-code`, { token: account.token, body: embed }))
  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  const headers = { origin: 'https://www.shop.example.com', 'user-agent': 'Mozilla/5.0' }
  const visitors = ['Ada', 'Win at https://evil.example/now']
  for (const firstName of visitors) {
    const body = { firstName, email: anEmail('visitor'), page: 'https://www.shop.example.com/' }
    const { status, body: answer } = await app.api('POST', `/embed/${publicId}/leads`, { body, headers })
    assert.equal(status, 202, JSON.stringify(answer))
  }
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${account.id}/api-key`, { token: account.token })).body
  await post({ token: apiKey }, '/push/leads', { firstName: 'Pushed', email: anEmail('pushed') })
  await sendAllMails(app)
  const mail = await theMail(app, 'new-lead', account.ownerEmail)
  assert.equal(mail.subject, '2 new leads')
  assert.match(mail.text, /Ada: No partner\nA lead: No partner\n/)
  for (const form of [mail.text, mail.html]) assert.doesNotMatch(form, /evil\.example|Pushed/)
  assert.match(mail.link!, /\/leads\?status=new$/)
})

test('a lead that someone has handled in the meantime is not mailed', async () => {
  const account = await aProgram()
  const partner = await aPartner(app, account, {}, { signIn: true })
  await post(partner, `/partners/${partner.id}/leads`, { email: anEmail() })
  const { body } = expectOk(await app.api('GET', `/accounts/${account.id}/leads`, { token: account.token }))
  await post(account, `/leads/${body.items[0].id}/status`, { status: 'qualified' })
  await sendAllMails(app)
  assert.deepEqual(await mailsTo(app, 'new-lead', account.ownerEmail), [])
})

test('a sale is mailed to everyone who earns from it, each with their own commission', async () => {
  const account = await aProgram()
  const parent = await aPartner(app, account, {}, { signIn: true })
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const lead = await aLead(account, partner.id, { firstName: 'Hannah', lastName: 'Cole' })
  await aSale(account, lead.id, 500_00)
  await sendAllMails(app)
  const [own, above] = [
    await theMail(app, 'sale-credited', partner.email),
    await theMail(app, 'sale-credited', parent.email),
  ]
  assert.equal(own.subject, 'You earned $100.00')
  assert.match(own.text, /Hannah Cole, \w+ \d+, \d+: \$100\.00 \(of a sale of \$500\.00 · due \w+ \d+, \d+\)/)
  assert.equal(above.subject, 'You earned $25.00')
  assert.match(
    above.text,
    /Another partner’s lead, \w+ \d+, \d+: \$25\.00 \(of a sale of \$500\.00 · due \w+ \d+, \d+\)/,
  )
  for (const { text } of [own, above]) assert.doesNotMatch(text, /profit/i)
  assert.match(own.raw, new RegExp(`^Reply-To: ${account.ownerEmail}`, 'm'))
})

test('a partner is not mailed what they may not see', async () => {
  const account = await aProgram({ partnerVisibility: { leadNames: false, leadEmails: false, saleAmounts: false } })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, partner.id, {
    firstName: 'Hannah',
    lastName: 'Cole',
    email: 'hannah@secret.example',
  })
  const sale = await aSale(account, lead.id, 777_00)
  await sendAllMails(app)
  await post(account, `/sales/${sale.id}/refunds`, { amount: 111_00, reason: 'Broken on arrival' })
  await sendAllMails(app)
  for (const kind of ['sale-credited', 'refund']) {
    const { raw, text, html } = await theMail(app, kind, partner.email)
    for (const form of [raw, text, html])
      assert.doesNotMatch(form, /Hannah|Cole|secret\.example|\b777\b|111\.00|Broken/)
  }
  assert.match((await theMail(app, 'sale-credited', partner.email)).text, /\$155\.40/)
  assert.equal((await theMail(app, 'refund', partner.email)).subject, 'A commission of $22.20 was reversed')
})

test('many sales make few mails: they are collected for a minute, then ten, then an hour', async () => {
  const account = await aProgram()
  const partner = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, partner.id)
  const sell = async (count: number) => {
    for (let n = 0; n < count; n++) await aSale(account, lead.id, 10_00)
  }
  await sell(12)
  await sendAllMails(app)
  const first = await theMail(app, 'sale-credited', partner.email)
  assert.equal(first.subject, '12 sales were credited to you: $24.00')
  assert.match(first.text, /And 2 more\./)
  await sell(2)
  await sendAllMails(app, 5)
  assert.equal((await mailsTo(app, 'sale-credited', partner.email)).length, 1)
  await sendAllMails(app, 5)
  assert.equal((await mailsTo(app, 'sale-credited', partner.email)).length, 2)
  const { token } = await signIn(app, account.ownerEmail)
  await aSale({ ...account, token }, lead.id, 10_00)
  await sendAllMails(app, 30)
  assert.equal((await mailsTo(app, 'sale-credited', partner.email)).length, 2)
  await sendAllMails(app, 30)
  assert.equal((await mailsTo(app, 'sale-credited', partner.email)).length, 3)
})

test('old events notify no one, and invited, suspended or disabled users get no mail', async () => {
  const account = await aProgram()
  const reads = await aPartner(app, account, {}, { signIn: true })
  const invited = await aPartner(app, account)
  const suspended = await aPartner(app, account, {}, { signIn: true })
  const old = await aLead(account, reads.id)
  const day = (ago: number) => new Date(app.clock.now().getTime() - ago * DAY).toISOString().slice(0, 10)
  await aSale(account, old.id, 10_00, { saleDate: day(9) })
  for (const partner of [invited, suspended]) await aSale(account, (await aLead(account, partner.id)).id, 10_00)
  expectOk(await app.api('PUT', `/partners/${suspended.id}`, { token: account.token, body: { state: 'suspended' } }))
  await sendAllMails(app)
  for (const { email } of [reads, invited, suspended]) assert.deepEqual(await mailsTo(app, 'sale-credited', email), [])
  await aSale(account, old.id, 10_00, { saleDate: day(5) })
  await workOff(app.services)
  expectOk(await app.api('POST', `/accounts/${account.id}/disable`, { token: account.admin }))
  await sendAllMails(app)
  assert.deepEqual(await mailsTo(app, 'sale-credited', reads.email), [])
})

test('two processes, one of which dies midway, send every notification once', async () => {
  const account = await aProgram()
  const partner = await aPartner(app, account, {}, { signIn: true })
  const lead = await aLead(account, partner.id)
  await aSale(account, lead.id, 10_00)
  const { services } = app
  // dies before its commit, so the events are processed again
  const dying = transaction(services.db, async (tx) => {
    for (const listener of listeners) {
      const events =
        await tx.many<never>`select e.* from told_events e join event_relays r on r.event_id = e.id order by r.event_id`
      await listener(tx, events, services)
    }
    throw new Error('killed')
  })
  await assert.rejects(dying, /killed/)
  await Promise.all([relayOnce(services, listeners), relayOnce(services, listeners)])
  await workOff(services)
  app.clock.advance(MINUTE + 1000)
  const killed = () => Promise.reject(new Error('killed'))
  const dyingGathering = mailNews({ ...services, jobs: { ...services.jobs, addAll: killed } })
  await assert.rejects(dyingGathering, /killed/)
  await Promise.all([mailNews(services), mailNews(services), mailNews(services)])
  await workOff(services)
  assert.equal((await theMail(app, 'sale-credited', partner.email)).subject, 'You earned $2.00')
})

/** The owner approves the partner's due amount, without blockers. */
const approve = async (account: TestAccount, partner: { id: string }, amount: number, at = app) => {
  const { id } = await aPayout(at, account, partner, amount)
  return expectOk(await at.api('POST', `/payouts/${id}/approve`, { token: account.token })).body as { id: string }
}

test('a partner’s mail is in the language of their profile, its values too; the team’s is English', async () => {
  const account = await aProgram()
  const partner = await aPayee(app, account)
  const { token } = await signIn(app, partner.email)
  expectOk(await app.api('PATCH', '/users/me', { token, body: { preferences: { language: 'de' } } }))
  await approve(account, partner, 1250_00)
  await sendAllMails(app)
  const mail = await theMail(app, 'payout-approved', partner.email)
  assert.equal(mail.subject, 'Ihre Auszahlung von 1.250,00\u00a0$ wurde genehmigt')
  assert.match(mail.text, /Betrag: 1\.250,00\s\$\nAbrechnung: PO-1\n/)
  assert.match(mail.text, /weil Sie Partner von .+ bei Tributary sind\./)
  assert.match(mail.html, /<html lang="de" dir="ltr">/)
})

test('a partner gets a mail when a payout is approved and when it is paid; only the latter if both happen at once', async () => {
  const account = await aProgram()
  const [partner, other] = [await aPayee(app, account), await aPayee(app, account)]
  const { id } = await approve(account, partner, 125_00)
  const fast = await approve(account, other, 80_00)
  await post(account, `/payouts/${fast.id}/mark-paid`, { reference: 'Cheque 12' })
  await sendAllMails(app)
  const approved = await theMail(app, 'payout-approved', partner.email)
  assert.equal(approved.subject, 'Your payout of $125.00 was approved')
  assert.match(approved.text, /Amount: \$125\.00\nStatement: PO-1\n/)
  assert.match(approved.link!, new RegExp(`/partner/payouts/${id}$`))
  assert.deepEqual(await mailsTo(app, 'payout-approved', other.email), [])
  const paid = await theMail(app, 'payout-sent', other.email)
  assert.equal(paid.subject, 'Your payout of $80.00 was paid')
  assert.match(paid.text, /Reference: Cheque 12/)
  await post(account, `/payouts/${id}/mark-paid`, { reference: 'Wire 7' })
  await sendAllMails(app)
  assert.equal((await theMail(app, 'payout-sent', partner.email)).subject, 'Your payout of $125.00 was paid')
  assert.doesNotMatch((await theMail(app, 'payout-sent', partner.email)).raw, /123456789|021000021/)
})

test('a partner is mailed that money awaits payout details, then reminded once a week, four times', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({}, own)
  const partner = await aPartner(own, account, {}, { signIn: true })
  const year = { approvedPayoutYears: [2026] }
  expectOk(await own.api('PUT', `/partners/${partner.id}`, { token: account.token, body: year }))
  await aPayout(own, account, partner, 40_00)
  await sendAllMails(own)
  const blocked = await theMail(own, 'payout-blocked', partner.email)
  assert.equal(blocked.subject, 'Your payout of $40.00 is waiting')
  assert.match(blocked.text, /Add your payout details: Enter the account that payouts go to\./)
  assert.match(blocked.text, /\/partner\/settings/)
  const counts: number[] = []
  const nights = [6, 7, 8, 13, 14, 15, 16, 21, 22, 23, 28, 29, 30, 37, 44, 50]
  for (const [at, night] of nights.entries()) {
    own.clock.advance((night - (nights[at - 1] ?? 0)) * DAY)
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
    counts.push((await mailsTo(own, 'payout-reminder', partner.email)).length)
  }
  assert.deepEqual(
    [6, 8, 13, 16, 23, 30, 50].map((night) => counts[nights.indexOf(night)]),
    [0, 1, 1, 2, 3, 4, 4],
  )
  const reminders = await mailsTo(own, 'payout-reminder', partner.email)
  assert.equal(reminders.filter(({ text }) => text.includes('This is the last reminder.')).length, 1)
  for (const { text, subject } of reminders) {
    assert.equal(subject, 'Reminder: $40.00 is waiting for you')
    assert.match(text, /Add your payout details/)
  }
})

test('no one is reminded of something they have done, or that is not theirs to do', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({}, own)
  const partner = await aPartner(own, account, {}, { signIn: true })
  await aPayout(own, account, partner, 40_00)
  expectOk(
    await own.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() }),
  )
  await sendAllMails(own)
  // the year's approval is up to the account: the partner is notified, but not reminded
  const { text } = await theMail(own, 'payout-blocked', partner.email)
  assert.match(text, /Not yet approved for 2026: Northwind approves partners/)
  assert.doesNotMatch(text, /Add your payout details/)
  own.clock.advance(8 * DAY)
  await runClock(own, 'mails-of-the-day')
  await sendAllMails(own)
  assert.deepEqual(await mailsTo(own, 'payout-reminder', partner.email), [])
})

test('a partner who is owed money is asked for a tax form once a week, until they sign one', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({}, own)
  const [partner, unpaid] = [await aPayee(own, account), await aPayee(own, account)]
  await aPayout(own, account, partner, 40_00)
  const night = async (days: number) => {
    own.clock.advance(days * DAY)
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
    return (await mailsTo(own, 'tax-form-needed', partner.email)).length
  }
  assert.equal(await night(1), 0)
  await wantForms(own, { ...account, token: (await signIn(own, account.ownerEmail)).token }, 'ask')
  const counts: number[] = []
  for (const days of [1, 6, 1, 7, 7, 7, 7]) counts.push(await night(days))
  assert.deepEqual(counts, [1, 1, 2, 3, 4, 4, 4])
  assert.deepEqual(await mailsTo(own, 'tax-form-needed', unpaid.email), [])
  const { subject, text } = (await mailsTo(own, 'tax-form-needed', partner.email))[0]!
  assert.equal(subject, 'Add your tax form')
  assert.match(text, /Northwind asks you for a tax form for what you are paid in 2026\./)
  assert.match(text, /\/partner\/settings/)
  // the next year's begin again, but not for those who have signed
  const token = (await signIn(own, partner.email)).token
  expectOk(await signForm(own, { id: partner.id, token }))
  assert.equal(await night(300), 4)
})

test('money blocked later is mailed too, by the next morning and once', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({}, own)
  const partner = await aPayee(own, account)
  await aPayout(own, account, partner, 40_00)
  await sendAllMails(own)
  assert.deepEqual(await mailsTo(own, 'payout-blocked', partner.email), [])
  expectOk(await own.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { approvedPayoutYears: [] } }))
  for (let day = 0; day < 3; day++) {
    own.clock.advance(DAY)
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
  }
  assert.match((await theMail(own, 'payout-blocked', partner.email)).text, /Not yet approved for 2026/)
})

test('a failed payout is mailed to the owner, and to the partner, without bank details, who is then reminded', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const { anInstall, anApproved } = createInstalls(own)
  const install = await anInstall()
  const { account, partner, wise } = install
  const words = 'The account number 123456789 is not valid'
  wise.fail('POST /v1/accounts', wiseRefusal([{ code: 'NOT_VALID', message: words, path: 'abartn', arguments: [] }]))
  const id = await anApproved(install)
  await workOn(own.services, id)
  await own.services.db.run`update payouts set tax_amount = ${10_00} where id = ${id}`
  await sendAllMails(own)
  const mail = await theMail(own, 'payout-failed', partner.email)
  assert.equal(mail.subject, 'Your payout of $135.50 could not be sent')
  assert.match(mail.text, /Please check your payout details/)
  assert.doesNotMatch(mail.raw + mail.text, /123456789/)
  own.clock.advance(8 * DAY)
  await runClock(own, 'mails-of-the-day')
  await sendAllMails(own)
  const reminder = await theMail(own, 'payout-reminder', partner.email)
  assert.match(reminder.text, /Bank details were rejected: Check your payout details and enter them again\./)
  const message = await theMail(own, 'payout-attention', account.ownerEmail)
  assert.equal(message.subject, 'A payout to Pia Tern needs your attention')
  assert.match(message.text, /Pia Tern: \$135\.50, failed/)
  assert.match(message.link!, new RegExp(`/payouts/${id}$`))
})

test('a payout through Wise is mailed when sent, and not again when it arrives', async () => {
  const own = await startApp()
  const { anInstall, anApproved } = createInstalls(own)
  const install = await anInstall()
  const id = await anApproved(install)
  await workOn(own.services, id)
  const [transfer] = install.wise.transfers.values()
  install.wise.setState(transfer!.id, 'outgoing_payment_sent')
  await workOn(own.services, id)
  await sendAllMails(own)
  const sent = await theMail(own, 'payout-sent', install.partner.email)
  assert.equal(sent.subject, 'Your payout of $125.50 is on its way')
  assert.match(sent.text, /Amount: \$125\.50\nStatement: PO-1\nBank account: •••••6789\n/)
  assert.doesNotMatch(sent.raw + sent.text, /123456789|021000021|Broad Street/)
  assert.match(sent.link!, new RegExp(`/partner/payouts/${id}$`))
  own.clock.advance(12 * DAY)
  await workOn(own.services, id)
  await sendAllMails(own)
  assert.equal((await mailsTo(own, 'payout-sent', install.partner.email)).length, 1)
})

test('a transfer that goes back and forth for days is mailed once as sent and once as returned', async () => {
  const own = await startApp()
  const { anInstall, anApproved } = createInstalls(own)
  const install = await anInstall()
  const id = await anApproved(install)
  await workOn(own.services, id)
  const [transfer] = install.wise.transfers.values()
  const path = ['outgoing_payment_sent', 'processing', 'outgoing_payment_sent', 'bounced_back', 'processing'] as const
  for (const state of [...path, 'bounced_back', 'funds_refunded'] as const) {
    install.wise.setState(transfer!.id, state)
    await workOn(own.services, id)
    await sendAllMails(own)
    own.clock.advance(DAY)
  }
  await theMail(own, 'payout-sent', install.partner.email)
  const returned = await theMail(own, 'payout-failed', install.partner.email)
  assert.equal(returned.subject, 'Your payout of $125.50 was returned')
})

test('the owner is mailed once when a payment provider refuses its key', async () => {
  const { app: own, stripe } = await startWithStripe()
  const account = await anAccount(own)
  const { id } = await aConnection(own, account, stripe)
  const check = () => own.api('POST', `/accounts/${account.id}/payment-providers/${id}/check`, { token: account.token })
  stripe.forbid('charges')
  expectOk(await check())
  expectOk(await check())
  await sendAllMails(own)
  const mail = await theMail(own, 'provider-attention', account.ownerEmail)
  assert.equal(mail.subject, 'Stripe needs your attention')
  assert.match(mail.text, /required permissions/)
  for (const secret of [stripe.key, SIGNING_SECRET]) assert.ok(!mail.text.includes(secret))
  stripe.allow('charges')
  expectOk(await check())
  await sendAllMails(own, 20)
  await theMail(own, 'provider-attention', account.ownerEmail)
})

test('the end of a protection is mailed 14 and 3 days before, to the partner and to the owner', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({ leadProtectionDays: 20, timeZone: 'America/Los_Angeles' }, own)
  const partner = await aPartner(own, account, {}, { signIn: true })
  const lead = await aLead(account, partner.id, { firstName: 'Hannah', lastName: 'Cole' }, own)
  await aLead(account, partner.id, { firstName: 'Won' }, own).then(({ id }) => aSale(account, id, 10_00, {}, own))
  const reminders: string[] = []
  for (let day = 2; day < 23; day++) {
    own.clock.set(`2026-03-${String(day + 1).padStart(2, '0')}T16:30:00Z`)
    const before = (await listSavedMails(own)).map(({ name }) => name)
    await runClock(own, 'mails-of-the-day')
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
    const now = (await listSavedMails(own)).filter(
      ({ name }) => name.startsWith('protection-') && !before.includes(name),
    )
    reminders.push(
      ...now.map(({ to, subject }) => `${day + 1} ${to[0] === partner.email ? 'partner' : 'owner'} ${subject}`),
    )
  }
  const ends = 'Hannah Cole is released on Mar 22, 2026'
  assert.deepEqual(reminders.sort(), [`19 owner ${ends}`, `19 partner ${ends}`, `8 owner ${ends}`, `8 partner ${ends}`])
  const [first] = await mailsTo(own, 'protection-ending', partner.email)
  assert.match(first!.text, /If you need more time, ask Northwind\./)
  assert.match(first!.link!, new RegExp(`/leads/${lead.id}$`))
})

test('the weekly summary arrives on Monday morning in the account’s time zone, and lists pending tasks', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const [west, east] = [
    await aProgram({ timeZone: 'America/Los_Angeles', name: 'West' }, own),
    await aProgram({ timeZone: 'Pacific/Auckland', name: 'East' }, own),
  ]
  const quiet = await aProgram({ name: 'Quiet' }, own)
  for (const account of [west, east]) {
    const partner = await aPartner(own, account, {}, { signIn: true })
    await aSale(account, (await aLead(account, partner.id, {}, own)).id, 500_00, {}, own)
    await aLead(account, null, {}, own)
  }
  await aCase(own, east)
  await sendAllMails(own)
  const arrived: string[] = []
  // from Sunday noon to Tuesday noon, in UTC
  for (const hour of [12, 16, 18, 20, 22, 36, 38, 40, 42, 58]) {
    own.clock.set(new Date(Date.parse('2026-03-08T00:00:00Z') + hour * 3_600_000))
    const before = (await listSavedMails(own)).length
    await Promise.all([runClock(own, 'mails-of-the-day'), runClock(own, 'mails-of-the-day')])
    await sendAllMails(own)
    if ((await listSavedMails(own)).length > before) arrived.push(`${hour}`)
  }
  // 8 in Auckland is 19 UTC the day before; 8 in Los Angeles, in summer time since that Sunday, is 15 UTC
  assert.deepEqual(arrived, ['20', '40'])
  const summary = await theMail(own, 'weekly-summary', west.ownerEmail)
  assert.equal(summary.subject, 'Your week: Mar 2–8, 2026')
  assert.match(summary.text, /Leads: 2 \(0 the week before\)/)
  assert.match(summary.text, /Revenue: \$500\.00 \(\$0\.00 the week before\)/)
  assert.match(summary.text, /Profit: \$400\.00/)
  assert.match(summary.text, /1 lead without an answer for more than 48 hours\n/)
  assert.match(summary.text, /1 lead without a partner/)
  const { text } = await theMail(own, 'weekly-summary', east.ownerEmail)
  assert.match(text, /1 case of possible fraud to decide/)
  assert.deepEqual(await mailsTo(own, 'weekly-summary', quiet.ownerEmail), [])
})

for (const role of ['manager', 'finance'])
  test(`a saved report is mailed on Monday for the week before, to the ${role} who saved it, until it is deleted`, async () => {
    const own = await startApp({ clock: turnableClock('2026-03-03T12:00:00Z') })
    const account = await aProgram({ timeZone: 'America/New_York' }, own)
    const email = anEmail(role)
    const { url } = await post(account, `/accounts/${account.id}/members`, { email, role }, own)
    const { token } = await acceptInvitation(own, url)
    const partner = await aPartner(own, account, { firstName: 'Pia', lastName: 'Tern' })
    await aSale(account, (await aLead(account, partner.id, {}, own)).id, 500_00, {}, own)
    const shown = { by: 'partner', period: 'last-7-days' }
    const weekly = await post(
      { token },
      `/accounts/${account.id}/saved-reports`,
      { name: 'Partners', ...shown, sort: '-sales', search: 'Pia', partnerId: partner.id, every: 'week' },
      own,
    )
    await post({ token }, `/accounts/${account.id}/saved-reports`, { name: 'Unsent', ...shown }, own)
    const monday = async (day: string) => {
      own.clock.set(`${day}T16:00:00Z`)
      await Promise.all([runClock(own, 'mails-of-the-day'), runClock(own, 'mails-of-the-day')])
      await sendAllMails(own)
    }
    await monday('2026-03-09')
    const mail = await theMail(own, 'saved-report', email)
    assert.equal(mail.subject, 'Partners: Mar 2–8, 2026')
    assert.match(mail.text, /Pia Tern: \$500\.00 \(0 clicks, 1 lead, 1 sale, \$100\.00 commission\)/)
    assert.match(mail.text, /Total: \$500\.00/)
    assert.equal(
      mail.link!.slice(mail.link!.indexOf('?')),
      `?by=partner&from=2026-03-02&to=2026-03-08&sort=-sales&search=Pia&partnerId=${partner.id}`,
    )
    assert.deepEqual(await mailsTo(own, 'saved-report', account.ownerEmail), [])
    expectOk(await own.api('DELETE', `/saved-reports/${weekly.id}`, { token: (await signIn(own, email)).token }))
    await monday('2026-03-16')
    assert.equal((await mailsTo(own, 'saved-report', email)).length, 1)
  })

test('a statement is mailed on the second of the month, to partners with any activity', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-20T12:00:00Z') })
  const account = await aProgram({ payoutDelay: 0 }, own)
  const partner = await aPayee(own, account)
  const idle = await aPartner(own, account, {}, { signIn: true })
  const lead = await aLead(account, partner.id, {}, own)
  const sale = await aSale(account, lead.id, 500_00, {}, own)
  await aSale(account, lead.id, 100_00, {}, own).then(({ id }) =>
    post(account, `/sales/${id}/void`, { reason: 'Twice' }, own),
  )
  await requestRefresh(own, account)
  const [due] = await listPayouts(own, account, partner)
  await post(account, `/payouts/${due!.id}/mark-paid`, { reference: 'Wire 7' }, own)
  await post(account, `/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Late' }, own)
  await bookDue(own, account, partner, 7_00)
  await sendAllMails(own)
  const days: string[] = []
  for (const day of ['2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03', '2026-05-02']) {
    own.clock.set(`${day}T09:00:00Z`)
    const before = (await mailsTo(own, 'monthly-statement', partner.email)).length
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
    if ((await mailsTo(own, 'monthly-statement', partner.email)).length > before) days.push(day)
  }
  assert.deepEqual(days, ['2026-04-02'])
  const { subject, text } = await theMail(own, 'monthly-statement', partner.email)
  assert.equal(subject, 'Your statement for March 2026')
  assert.match(text, /Earned: \$100\.00\nReversed: -\$10\.00\nAdjustments: \$7\.00\nPaid to you: \$100\.00/)
  assert.match(text, /Your balance today\nHeld: \$0\.00\nDue: -\$3\.00/)
  assert.deepEqual(await mailsTo(own, 'monthly-statement', idle.email), [])
})

test('a monthly statement dates a payment in the time zone that the account had then', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-31T15:30:00Z') })
  const account = await aProgram({ timeZone: 'Asia/Tokyo', payoutDelay: 0, minimumPayout: 0 }, own)
  const partner = await aPayee(own, account)
  const { id } = await aPayout(own, account, partner, 100_00)
  await post(account, `/payouts/${id}/mark-paid`, { reference: 'wire' }, own)
  const body = { timeZone: 'UTC' }
  expectOk(await own.api('PATCH', `/accounts/${account.id}`, { token: account.token, body }))
  own.clock.set('2026-05-02T09:00:00Z')
  await runClock(own, 'mails-of-the-day')
  await sendAllMails(own)
  const { subject, text } = await theMail(own, 'monthly-statement', partner.email)
  assert.equal(subject, 'Your statement for April 2026')
  assert.match(text, /Paid to you: \$100\.00/)
})

test('changes of terms are mailed the next morning, where chosen, to the partners they concern', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({}, own)
  const partner = await aPartner(own, account, {}, { signIn: true })
  const special = await aPartner(own, account, {}, { signIn: true })
  const save = async (path: string, terms: object, fields: object) => {
    const { token } = await signIn(own, account.ownerEmail)
    expectOk(await own.api('PUT', `${path}/terms`, { token, body: { terms, ...fields } }))
  }
  const pro = { name: 'Pro, first year', when: { products: ['prod_pro'], firstMonths: 12 }, layerRates: [30, 5] }
  const terms = { rules: [pro], otherwise: { layerAmounts: [5_00] } }
  const morning = async (day: string) => {
    own.clock.set(`${day}T09:00:00Z`)
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
    const mails = await Promise.all([partner, special].map(({ email }) => mailsTo(own, 'terms-changed', email)))
    return mails.map(({ length }) => length)
  }
  await save(`/partners/${special.id}`, { otherwise: { layerRates: [40] } }, {})
  await save(`/accounts/${account.id}`, { otherwise: { layerRates: [15] } }, { notifyPartners: true })
  await save(`/accounts/${account.id}`, terms, { notifyPartners: true, appliesTo: 'new-customers' })
  assert.deepEqual(await morning('2026-03-03'), [1, 0])
  const { subject, text } = await theMail(own, 'terms-changed', partner.email)
  assert.equal(subject, 'What you earn has changed')
  assert.match(text, /Pro, first year · first 12 months: 30%\nAll other sales: \$5\.00/)
  assert.match(text, /customers referred from Mar 2, 2026\. Earlier customers keep their terms\./)
  assert.doesNotMatch(text, /prod_pro/)
  await save(`/accounts/${account.id}`, { otherwise: { layerRates: [25] } }, {})
  assert.deepEqual(await morning('2026-03-04'), [1, 0])
  await save(`/partners/${special.id}`, { otherwise: { layerRates: [45] } }, { notifyPartners: true })
  assert.deepEqual(await morning('2026-03-05'), [1, 1])
  const { text: own45 } = await theMail(own, 'terms-changed', special.email)
  assert.match(own45, /You earn 45% of each sale\.\n\nThis applies to all sales from Mar 4, 2026\./)
})

test('a new version of the agreement is mailed the next morning, once, to those who have not accepted it', async () => {
  const own = await startApp({ clock: turnableClock('2026-03-02T12:00:00Z') })
  const account = await aProgram({ timeZone: 'UTC' }, own)
  const partner = await aPartner(own, account, {}, { signIn: true })
  const other = await aPartner(own, account, {}, { signIn: true })
  const publish = async (body: object) => {
    const { token } = await signIn(own, account.ownerEmail)
    expectOk(await own.api('POST', `/accounts/${account.id}/agreement`, { token, body }))
  }
  const morning = async (day: string) => {
    own.clock.set(`${day}T09:00:00Z`)
    await runClock(own, 'mails-of-the-day')
    await sendAllMails(own)
    const mails = await Promise.all([partner, other].map(({ email }) => mailsTo(own, 'agreement-published', email)))
    return mails.map(({ length }) => length)
  }
  await publish({ text: 'Be kind.' })
  expectOk(await own.api('POST', `/partners/${other.id}/acceptances`, { token: other.token, body: { version: 1 } }))
  assert.deepEqual(await morning('2026-03-03'), [1, 0])
  const { subject } = await theMail(own, 'agreement-published', partner.email)
  assert.equal(subject, 'Please accept the partner agreement')
  assert.deepEqual(await morning('2026-03-04'), [1, 0])
  await publish({ text: 'Be kinder.', changes: 'Kinder.', requiredFrom: '2026-04-01' })
  assert.deepEqual(await morning('2026-03-05'), [2, 1])
  const { text } = await theMail(own, 'agreement-published', other.email)
  assert.match(text, /“Kinder\.”\n\nFrom Apr 1, 2026, your payouts will wait until you’ve accepted it\./)
})

test('old notification records are deleted, and news that waited a week is not mailed', async () => {
  const own = await startApp()
  const account = await aProgram({}, own)
  const partner = await aPartner(own, account, {}, { signIn: true })
  await aSale(account, (await aLead(account, partner.id, {}, own)).id, 10_00, {}, own)
  await workOff(own.services)
  own.clock.advance(8 * DAY)
  await sendAllMails(own)
  assert.deepEqual(await mailsTo(own, 'sale-credited', partner.email), [])
  const count = async () => (await own.services.db.one<{ count: number }>`select count(*) from mail_news`).count
  await retention.mailNews(own.services)
  assert.equal(await count(), 1)
  own.clock.advance(90 * DAY)
  await retention.mailNews(own.services)
  assert.equal(await count(), 0)
})

test('a mail has the account’s name, its owner’s reply address, and the same ID when repeated', async () => {
  const server = await fakeSmtp()
  after(() => server.close())
  const account = await aProgram({ name: 'Ünal & "Söhne", <Ltd>' })
  const partner = await aPartner(app, account, {}, { signIn: true })
  await aSale(account, (await aLead(account, partner.id)).id, 10_00)
  await workOff(app.services)
  app.clock.advance(MINUTE + 1000)
  await runClock(app, 'gather-mails')
  const { data } = await app.services.db.one<{ data: MailJob }>`
    select data from pgboss.job where name = 'mail' and data->>'kind' = 'sale-credited' and state = 'created'`
  const mailFrom = '"Partners, Inc." <team@install.example>'
  const services = { ...app.services, config: { ...app.services.config, smtpUrl: server.url, mailFrom } }
  await sendMail(services, data)
  await sendMail(services, data)
  const [mail, again] = server.to(partner.email)
  assert.deepEqual([mail!.from, mail!.recipients], ['team@install.example', [partner.email]])
  assert.equal(mail!.fromName, 'Ünal & "Söhne", <Ltd> via Partners, Inc.')
  assert.deepEqual(mail!.headers['reply-to'], [account.ownerEmail])
  assert.deepEqual(mail!.headers['message-id'], again!.headers['message-id'])
  assert.match(mail!.text, /You earned \$2\.00/)
  assert.match(mail!.html, /You earned \$2\.00/)
})

test('a webhook that keeps failing is mailed, in the account’s name, to an owner who is set up', async () => {
  const account = await aProgram()
  const made = await post(account, `/accounts/${account.id}/outgoing-webhooks`, {
    name: 'CRM',
    url: 'https://crm.example/hooks',
    events: ['lead.created'],
  })
  const { db } = app.services
  await transaction(db, (tx) => sendSignal(tx, account.id, webhookFailing, { webhookId: made.id, failures: 5 }))
  await workOff(app.services)
  const mail = await theMail(app, 'webhook-failing', account.ownerEmail)
  assert.match(headersOf(mail), /^From: Northwind via Tributary </m)
  assert.match(mail.text, /The last 5 delivery attempts to the webhook CRM of Northwind failed\./)
})

test('a payment by PayPal is mailed when it arrives, or once while it is not claimed', async () => {
  const own = await startApp()
  const { anInstall, anApproved } = paypalInstalls(own)
  const install = await anInstall()
  const { paypal, partner } = install
  await workOnPaypal(own.services, await anApproved(install))
  await sendAllMails(own)
  const paid = await theMail(own, 'payout-sent', partner.email)
  assert.equal(paid.subject, 'Your payout of $125.50 was paid')
  assert.match(paid.text, /Statement: PO-1\nPaid by: PayPal\n/)

  const other = { ...install, partner: await aPaypalPayee(own, install.account) }
  const { address, email } = other.partner
  paypal.payouts.isNoMember(address)
  const id = await anApproved(other, 40_00)
  await workOnPaypal(own.services, id)
  await sendAllMails(own)
  const unclaimed = await theMail(own, 'payment-unclaimed', email)
  assert.equal(unclaimed.subject, 'A PayPal payment is waiting for you')
  assert.match(unclaimed.text, /paid you \$40\.00 by PayPal\. Accept it in PayPal by \w+ \d+, \d{4}\./)
  assert.doesNotMatch(unclaimed.raw + unclaimed.text, new RegExp(address.replaceAll('.', '\\.')))
  paypal.payouts.joins(address)
  await workOnPaypal(own.services, id)
  await sendAllMails(own)
  assert.equal((await mailsTo(own, 'payment-unclaimed', email)).length, 1)
  assert.deepEqual(await mailsTo(own, 'payout-sent', email), [])
})
