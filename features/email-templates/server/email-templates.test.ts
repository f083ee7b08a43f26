import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { workOff } from '#demo/drain-jobs.ts'
import { importAccount } from '#server/integrations/data-transfer/import-account.ts'
import { fakeSmtp } from '#test/fakes/smtp.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  startApp,
  type TestAccount,
} from '#test/support/app.ts'
import { exportArchive } from '#test/support/archives.ts'
import { mailsTo, sendAllMails, theMail } from '#test/support/mailed.ts'
import { type EmailTemplate, emailTemplateKinds } from '../contract.ts'

const app = await startApp({
  config: { mailFrom: 'Tributary <team@install.example>', supportEmail: 'help@install.example' },
})
const server = await fakeSmtp()
after(() => server.close())
/** This install with a mail server. */
const mailing = { ...app.services, config: { ...app.services.config, smtpUrl: server.url } }

const BODY =
  'Hi {{partner_first_name}},\n\nyou earned {{amount}} by {{count}} sales.\n\n{{button}}\n\n{{details}}\n\nYours, {{company}}'

async function aProgram() {
  const account = await anAccount(app, { name: 'Northwind', defaultCommissionSettings: { layerRates: [20] } })
  const path = `/accounts/${account.id}/email-templates`
  const ask = (method: string, kind: string, body?: object, token = account.token) =>
    app.api(method, `${path}${kind && `/${kind}`}`, { token, ...(body && { body }) })
  const call = async (...given: Parameters<typeof ask>) => expectOk(await ask(...given)).body
  const get = async (kind: string): Promise<EmailTemplate> =>
    (await call('GET', '')).items.find((item: EmailTemplate) => item.kind === kind)
  const partner = (fields: Record<string, unknown> = {}) => aPartner(app, account, fields, { signIn: true })
  return { account, ask, call, get, partner }
}

const post = async ({ token }: Pick<TestAccount, 'token'>, path: string, body: object) =>
  expectOk(await app.api('POST', path, { token, body })).body

/** Sales credited to a partner, mailed together. */
async function sell(account: TestAccount, partnerId: string, amounts: number[]) {
  for (const amount of amounts) {
    const lead = await post(account, `/accounts/${account.id}/leads`, {
      partnerId,
      email: anEmail('lead'),
      firstName: 'Jane',
    })
    await post(account, `/leads/${lead.id}/sales`, { amount })
  }
  await sendAllMails(app)
}

const headersOf = ({ raw }: { raw: string }) => raw.slice(0, raw.indexOf('\r\n\r\n'))

test('a kind has the usual text until it is replaced, and again once it is reset', async () => {
  const { account, call, get, partner } = await aProgram()
  const { items } = await call('GET', '')
  assert.deepEqual(
    items.map(({ kind }: EmailTemplate) => kind),
    emailTemplateKinds,
  )
  assert.ok(items.every(({ customized, updatedAt }: EmailTemplate) => !customized && updatedAt === null))
  const pia = await partner({ firstName: 'Pia', lastName: 'Tern' })
  await sell(account, pia.id, [100_00])
  assert.match((await theMail(app, 'sale-credited', pia.email)).subject, /^You earned \$20\.00$/)

  const saved = await call('PUT', 'sale-credited', { subject: 'Well done, {{partner_name}}', body: ` ${BODY} ` })
  assert.deepEqual([saved.customized, saved.subject, saved.body], [true, 'Well done, {{partner_name}}', BODY])
  assert.deepEqual(await get('sale-credited'), saved)
  const tom = await partner({ firstName: 'Tom', lastName: 'Ortiz' })
  await sell(account, tom.id, [100_00, 50_00])
  const mail = await theMail(app, 'sale-credited', tom.email)
  assert.equal(mail.subject, 'Well done, Tom Ortiz')
  assert.match(
    mail.text,
    /^Hi Tom,\n\nyou earned \$30\.00 by 2 sales\.\n\nOpen dashboard: http\S+\/dashboard\n\nJane, [^\n]+\$20\.00[^\n]+\nJane, [^\n]+\$10\.00[^\n]+\n\nYours, Northwind\n\n–\nYou get this email because you are a partner of Northwind on Tributary\.\nUnsubscribe: \S+\n+$/,
  )
  assert.match(headersOf(mail), /^List-Unsubscribe:\s+</m)

  await call('DELETE', 'sale-credited')
  await call('DELETE', 'sale-credited')
  assert.equal((await get('sale-credited')).customized, false)
  const eve = await partner({ firstName: 'Eve' })
  await sell(account, eve.id, [100_00])
  assert.equal((await theMail(app, 'sale-credited', eve.email)).subject, 'You earned $20.00')

  const audit = expectOk(await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token })).body.items
  assert.deepEqual(
    audit
      .filter(({ action }: { action: string }) => action.startsWith('account.email'))
      .map(
        ({ action, changes }: { action: string; changes: { name: { new: string } } }) =>
          `${action} ${changes.name.new}`,
      ),
    ['account.email-text-reset Sale credited', 'account.email-text-saved Sale credited'],
  )
})

test('an invitation has the text of the account and our link; one to its team or an owner does not', async () => {
  const { account, call } = await aProgram()
  await call('PUT', 'invitation', {
    subject: 'Welcome, {{partner_first_name}}',
    body: 'Come in:\n{{button}}\nQuestions? {{support_email}} · {{dashboard_url}}',
  })
  const { email } = await aPartner(app, account, { firstName: null, lastName: null })
  const manager = anEmail('manager')
  await post(account, `/accounts/${account.id}/members`, { email: manager, role: 'manager' })
  await workOff(app.services)
  const mail = await theMail(app, 'invitation', email)
  assert.equal(mail.subject, 'Welcome, there')
  assert.match(
    mail.text,
    /^Come in:\n\nSet up your account: \S+#token=\S+\n\nQuestions\? help@install\.example · \S+\/dashboard\n/,
  )
  assert.match(mail.text, /because someone at Northwind entered this address\.\n+$/)
  await acceptInvitation(app, mail.link!)
  assert.equal((await theMail(app, 'invitation', manager)).subject, 'Join Northwind on Tributary')
})

test('a text that a mail can’t have is refused at the door', async () => {
  const { ask } = await aProgram()
  const refused = async (kind: string, body: object, act = '') => {
    const { status, body: answer } = await ask(act ? 'POST' : 'PUT', `${kind}${act}`, body)
    return `${status} ${answer.error.reason} ${Object.entries(answer.error.fields ?? {}).join()}`
  }
  const text = { subject: 'Hello', body: 'One\n{{cash}}' }
  for (const act of ['', '/preview', '/test'])
    assert.equal(
      await refused('refund', text, act),
      '422 unknown_variable body,Line 2: this email has no variable {{cash}}.',
    )
  assert.equal(
    await refused('refund', { subject: '{{button}}', body: 'x' }),
    '422 unknown_variable subject,Line 1: this email has no variable {{button}}.',
  )
  assert.equal(
    await refused('invitation', { subject: 'Hello', body: 'x {{button}}' }),
    '422 variable_not_alone body,Line 1: put {{button}} on a line of its own.',
  )
  assert.equal(
    await refused('tax-form-needed', { subject: 'Hello', body: 'x' }),
    '422 button_missing body,Add {{button}} on a line of its own: this email asks its reader to act.',
  )
  assert.match(await refused('refund', { subject: 'x'.repeat(151), body: '{{cash}}' }), /Use at most 150 characters$/)
  assert.match(await refused('refund', { subject: 'x', body: '{{x'.repeat(2000) }), /Use at most 5000 characters$/)
  assert.match(await refused('refund', { subject: 'a\r\nBcc: b@c.example', body: 'x' }), /subject,Use one line$/)
  for (const kind of ['password-reset', 'claim-decided', 'announcement', 'constructor', 'x'])
    assert.match(await refused(kind, { subject: 'Hello', body: 'x' }), /^404/)
})

test('a mail has the text in its reader’s language, else the account’s own in a frame of theirs', async () => {
  const { account, call, ask, partner } = await aProgram()
  const text = { subject: 'For {{partner_first_name}}', body: 'You earned {{amount}}.\n\n{{details}}' }
  const german = { subject: 'Für {{partner_first_name}}', body: 'Sie haben {{amount}} verdient.' }
  await call('PUT', 'sale-credited', { ...text, translations: { de: german } })
  const mailTo = async (language: string, firstName: string | null) => {
    const reader = await partner({ firstName, lastName: null })
    expectOk(await app.api('PATCH', '/users/me', { token: reader.token, body: { preferences: { language } } }))
    await sell(account, reader.id, [100_00])
    return theMail(app, 'sale-credited', reader.email)
  }
  const toGerman = await mailTo('de', null)
  assert.equal(toGerman.subject, 'Für Partner')
  assert.match(toGerman.text, /^Sie haben 20,00\u00a0\$ verdient\./)
  assert.doesNotMatch(toGerman.html, / lang="en"/)
  const toFrench = await mailTo('fr', 'Pia')
  assert.equal(toFrench.subject, 'For Pia')
  assert.match(toFrench.html, /<html lang="fr".*<h1 lang="en".*<p lang="en"/s)

  // one of them stays as it is, or goes
  const french = { subject: 'Pour vous', body: 'Merci' }
  const saved = await call('PUT', 'sale-credited', { ...text, translations: { fr: french } })
  assert.deepEqual(saved.translations, { de: german, fr: french })
  const { translations } = await call('PUT', 'sale-credited', { ...text, translations: { de: null } })
  assert.deepEqual(translations, { fr: french })
  const wrong = async (translations: object) =>
    Object.keys((await ask('PUT', 'sale-credited', { ...text, translations })).body.error.fields).join()
  assert.equal(await wrong({ en: french }), 'translations.en')
  assert.equal(await wrong({ it: { subject: 'x', body: '{{reason}}' } }), 'translations.it.body')
  const preview = await call('POST', 'sale-credited/preview', { ...german, language: 'de' })
  assert.match(preview.because, /^Sie erhalten diese E-Mail/)
  assert.equal(preview.unsubscribe, 'Abbestellen')
})

test('owners and managers change texts; nobody else sees them', async () => {
  const { account, ask, call, partner } = await aProgram()
  const text = { subject: 'Hello', body: 'x' }
  for (const role of ['manager', 'finance', 'viewer']) {
    const { url } = await post(account, `/accounts/${account.id}/members`, { email: anEmail(role), role })
    const { token } = await acceptInvitation(app, url)
    const allowed = role === 'manager'
    const statuses = [
      await ask('GET', '', undefined, token),
      await ask('PUT', 'refund', text, token),
      await ask('POST', 'refund/preview', text, token),
      await ask('POST', 'refund/test', text, token),
      await ask('DELETE', 'refund', undefined, token),
    ].map(({ status }) => status)
    assert.deepEqual(statuses, allowed ? [200, 200, 200, 202, 200] : [403, 403, 403, 403, 403], role)
  }
  const { token } = await partner()
  assert.equal((await ask('GET', '', undefined, token)).status, 403)
  const other = await aProgram()
  assert.equal((await ask('PUT', 'refund', text, other.account.token)).status, 404)
  assert.equal((await call('GET', '')).items.filter(({ customized }: EmailTemplate) => customized).length, 0)
})

test('a preview has sample data, and what the account chose', async () => {
  const { account, call } = await aProgram()
  const preview = () =>
    call('POST', 'sale-credited/preview', { subject: 'Hi {{partner_name}}', body: `# {{amount}}\n- a\n- b\n${BODY}` })
  const first = await preview()
  assert.equal(first.subject, 'Hi Pia Tern')
  assert.deepEqual(
    first.blocks.map(({ kind, lines, facts }: { kind: string; lines: string[]; facts: object[] }) => [
      kind,
      lines.join('|'),
      facts.length,
    ]),
    [
      ['heading', '$60.00', 0],
      ['list', 'a|b', 0],
      ['paragraph', 'Hi Pia,', 0],
      ['paragraph', 'you earned $60.00 by 2 sales.', 0],
      ['button', 'Open dashboard', 0],
      ['facts', '', 2],
      ['paragraph', 'Yours, Northwind', 0],
    ],
  )
  assert.match(first.because, /because you are a partner of Northwind on Tributary\.$/)
  assert.deepEqual(
    [first.from, first.unsubscribes, first.unsubscribe],
    ['Northwind via Tributary <team@install.example>', true, 'Unsubscribe'],
  )
  assert.equal(first.replyTo, account.ownerEmail)
  const body = { fromName: 'Northwind Partners', replyTo: 'Partners@northwind.example' }
  expectOk(await app.api('PUT', `/accounts/${account.id}/email-sender`, { token: account.token, body }))
  const second = await preview()
  assert.deepEqual(
    [second.from, second.replyTo],
    ['Northwind Partners <team@install.example>', 'partners@northwind.example'],
  )
  assert.equal(
    (await call('GET', '')).items.some(({ customized }: EmailTemplate) => customized),
    false,
  )
})

test('a test goes to the person who asks for it', async () => {
  const { account, call } = await aProgram()
  const text = { subject: 'For {{partner_name}}: {{payout_number}}', body: 'On {{paid_on}} by {{method}}\n{{button}}' }
  assert.deepEqual(await call('POST', 'payout-sent/test', text), { email: account.ownerEmail })
  await workOff(app.services)
  const mail = await theMail(app, 'payout-sent', account.ownerEmail)
  assert.equal(mail.subject, 'For Pia Tern: PO-12')
  assert.match(
    mail.text,
    /^On Nov 20, 2026 by bank transfer\n\nOpen payout: http:\/\/\S+\/dashboard\n\n–\nYou get this email because you sent yourself a test\.\n+$/,
  )
  assert.doesNotMatch(headersOf(mail), /^List-Unsubscribe/m)
  assert.equal(
    (await call('GET', '')).items.some(({ customized }: EmailTemplate) => customized),
    false,
  )
})

test('tests are limited for each person', async () => {
  const limited = await startApp({ config: { rateLimitFactor: 1 } })
  const { id, token, ownerEmail } = await anAccount(limited)
  const body = { subject: 'x', body: '{{button}}' }
  const statuses = []
  for (const kind of ['invitation', 'refund', 'refund', 'refund', 'refund', 'refund', 'invitation'])
    statuses.push((await limited.api('POST', `/accounts/${id}/email-templates/${kind}/test`, { token, body })).status)
  assert.deepEqual(statuses, [202, 202, 202, 202, 202, 202, 429])
  await workOff(limited.services)
  assert.equal((await mailsTo(limited, 'refund', ownerEmail)).length, 5)
})

test('mails to partners come from the name that the account chose, and replies go where it said', async () => {
  const { account, partner } = await aProgram()
  const path = `/accounts/${account.id}/email-sender`
  const change = (body: object) => app.api('PUT', path, { token: account.token, body })
  const sender = async () => expectOk(await app.api('GET', path, { token: account.token })).body
  assert.deepEqual(await sender(), { fromName: null, replyTo: null })
  assert.deepEqual(expectOk(await change({ fromName: ' Northwind “Partners” ' })).body, {
    fromName: 'Northwind “Partners”',
    replyTo: null,
  })
  expectOk(await change({ replyTo: 'Partners@northwind.example' }))
  for (const body of [
    { fromName: 'x\r\nBcc: b' },
    { fromName: 'ceo@bank.example' },
    { fromName: 'https://evil.example' },
    { replyTo: 'a@b.example\r\nBcc: c@d.example' },
    { replyTo: 'a@b.example,c@d.example' },
    { address: 'a@b.example' },
  ])
    assert.equal((await change(body)).status, 422, JSON.stringify(body))
  assert.deepEqual(await sender(), { fromName: 'Northwind “Partners”', replyTo: 'partners@northwind.example' })
  const pia = await partner({ firstName: 'Pia' })
  const lead = await post(account, `/accounts/${account.id}/leads`, { partnerId: pia.id, email: anEmail('lead') })
  await post(account, `/leads/${lead.id}/sales`, { amount: 100_00 })
  await sendAllMails({ ...app, services: mailing })
  const [mail] = server.to(pia.email)
  assert.equal(mail!.from, 'team@install.example')
  assert.match(
    mail!.headers.from![0]!,
    /^=\?UTF-8\?.*\?= <team@install\.example>$|^"?Northwind “Partners”"? <team@install\.example>$/,
  )
  assert.equal(mail!.headers['reply-to']![0], 'partners@northwind.example')
  expectOk(await change({ fromName: null, replyTo: '' }))
  assert.deepEqual(await sender(), { fromName: null, replyTo: null })
})

test('texts and sender leave with the account, and one that its mail can’t have is not sent', async () => {
  const { account, call } = await aProgram()
  const invitation = { subject: 'Welcome to {{company}}', body: 'Come in\n{{button}}' }
  await call('PUT', 'invitation', { ...invitation, translations: { de: invitation } })
  await call('PUT', 'refund', { subject: 'Oh', body: '{{amount}}' })
  const body = { fromName: 'Northwind Partners', replyTo: 'partners@northwind.example' }
  expectOk(await app.api('PUT', `/accounts/${account.id}/email-sender`, { token: account.token, body }))
  await app.services.db.run`
    update email_templates set body = 'Nothing to press' where account_id = ${account.id} and kind = 'invitation'`
  const { path } = await exportArchive(app.services.db, account.id)
  const there = await startApp()
  await importAccount(there.services.db, there.services, path, {})
  const admin = await getAdministratorToken(there)
  const { ownerInvitation } = expectOk(await there.api('GET', `/accounts/${account.id}`, { token: admin })).body
  const { token } = await acceptInvitation(there, ownerInvitation.url)
  const { items } = expectOk(await there.api('GET', `/accounts/${account.id}/email-templates`, { token })).body
  assert.deepEqual(
    items
      .filter(({ customized }: EmailTemplate) => customized)
      .map(({ kind, subject }: EmailTemplate) => `${kind} ${subject}`),
    ['invitation Welcome to {{company}}', 'refund Oh'],
  )
  assert.deepEqual(items[0].translations, { de: invitation })
  assert.deepEqual(expectOk(await there.api('GET', `/accounts/${account.id}/email-sender`, { token })).body, body)
  const { email } = await aPartner(there, { id: account.id, token })
  await workOff(there.services)
  const mail = await theMail(there, 'invitation', email)
  assert.equal(mail.subject, 'Your invitation to the partner program of Northwind')
  assert.match(headersOf(mail), /^From: Northwind Partners </m)
})
