import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { MailPreference } from '#contract/mail.ts'
import { fakeSmtp } from '../../../test/fakes/smtp.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { newId } from '../../platform/database/ids.ts'
import { sendMail } from './jobs.ts'

const server = await fakeSmtp()
after(() => server.close())
const app = await startApp()
/** With a mail server; links of invitations are answered only by an app without one. */
const mailing = { ...app.services, config: { ...app.services.config, smtpUrl: server.url } }

/** A webhook of the account that fails: its owner may turn off mails of that kind. */
async function aFailingWebhook(account: TestAccount) {
  const { body } = expectOk(
    await app.api('POST', `/accounts/${account.id}/outgoing-webhooks`, {
      token: account.token,
      body: { name: 'CRM', url: `https://hooks.example/${randomUUID()}`, events: ['*'] },
    }),
  )
  return () => ({ kind: 'webhook-failing' as const, id: newId(), webhookId: body.id, failures: 5 })
}

async function anOwner() {
  const account = await anAccount(app)
  const mail = await aFailingWebhook(account)
  const read = async () => expectOk(await app.api('GET', '/users/me', { token: account.token })).body.preferences.mail
  const choose = (mail: unknown) =>
    app.api('PATCH', '/users/me', { token: account.token, body: { preferences: { mail } } })
  return { ...account, mail, read, choose, received: () => server.to(account.ownerEmail) }
}

/** An owner who got such a mail, with the address in it. */
async function aReader() {
  const owner = await anOwner()
  await sendMail(mailing, owner.mail())
  const [mail] = owner.received()
  const url = /^<(.+)>$/.exec(mail!.headers['list-unsubscribe']![0]!)![1]!
  return { ...owner, first: mail!, url, token: url.split('/').at(-1)! }
}

const post = (url: string, body = 'List-Unsubscribe=One-Click', type = 'application/x-www-form-urlencoded') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': type } })

test('an optional mail has an unsubscribe header and footer; one about access has neither', async () => {
  const { first, url, ownerEmail } = await aReader()
  assert.deepEqual(first.headers['list-unsubscribe-post'], ['List-Unsubscribe=One-Click'])
  assert.ok(url.startsWith(`${app.url}/mail/unsubscribe/`))
  assert.ok(first.text.includes(url) && first.html.includes(url))
  assert.ok(url.length < 250, 'a line of a header that no server breaks')
  await sendMail(mailing, { kind: 'password-changed', id: newId(), userId: await userId(ownerEmail) })
  const changed = server.to(ownerEmail).at(-1)!
  assert.equal(changed.subject, 'Your password was changed')
  assert.equal(changed.headers['list-unsubscribe'], undefined)
  assert.ok(!changed.text.includes('unsubscribe'))
})

const userId = async (email: string) =>
  (await app.services.db.one<{ id: string }>`select id from users where email = ${email}`).id

test('one click unsubscribes from that group without a session, in any body format, and repeating it changes nothing', async () => {
  for (const [body, type] of [
    ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    ['{"List-Unsubscribe":"One-Click"}', 'application/json'],
    [
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
      'multipart/form-data; boundary=x',
    ],
    ['{', 'application/json'],
    ['', 'text/plain'],
  ] as const) {
    const reader = await aReader()
    for (const _ of [1, 2]) {
      const reply = await post(reader.url, body, type)
      assert.equal(reply.status, 200, type)
      assert.match(await reply.text(), /no longer receive/)
    }
    assert.deepEqual(await reader.read(), { integrations: false })
    await sendMail(mailing, reader.mail())
    assert.equal(reader.received().length, 1)
  }
})

test('opening the link, as malware scanners do, changes nothing', async () => {
  const reader = await aReader()
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) await fetch(reader.url, { method })
  const link = { token: reader.token }
  const subscription = expectOk(await app.api('GET', '/mail/subscription', link)).body
  assert.deepEqual(subscription, { group: 'integrations', title: 'Integrations', enabled: true })
  assert.equal(await reader.read(), undefined)
})

test('the link’s screen unsubscribes and resubscribes', async () => {
  const reader = await aReader()
  const set = async (enabled: boolean) =>
    expectOk(await app.api('PUT', '/mail/subscription', { token: reader.token, body: { enabled } })).body.enabled
  assert.equal(await set(false), false)
  await sendMail(mailing, reader.mail())
  assert.equal(reader.received().length, 1)
  assert.equal(await set(true), true)
  await sendMail(mailing, reader.mail())
  assert.equal(reader.received().length, 2)
  const refused = await app.api('PUT', '/mail/subscription', { token: reader.token, body: { enabled: 'no' } })
  assert.equal(refused.status, 422)
})

test('the token grants nothing else, and no other token works for it', async () => {
  const reader = await aReader()
  const other = await anOwner()
  const { url, token } = reader
  const wrong = [
    'sample',
    `${token.slice(0, -4)}AAAA`,
    `${token}AAAA`,
    token.slice(0, 20),
    encodeURIComponent('ä/'),
    app.services.secrets.seal(`integrations ${await userId(other.ownerEmail)}`, 'another|place').toString('base64url'),
    app.services.secrets.seal(`security ${await userId(other.ownerEmail)}`, 'mail|unsubscribe').toString('base64url'),
    app.services.secrets.seal('integrations nobody', 'mail|unsubscribe').toString('base64url'),
    app.services.secrets.seal(`integrations ${newId()}`, 'mail|unsubscribe').toString('base64url'),
  ]
  assert.equal((await post(url.replace(token, encodeURIComponent('ä\u0000/')))).status, 404)
  for (const one of wrong) {
    const reply = await post(url.replace(token, one))
    assert.equal(reply.status, 404, one)
    const { error } = (await reply.json()) as { error: { message: string } }
    assert.equal(error.message, 'This link isn’t valid. Open it from the email again.')
    const call = await app.api('PUT', '/mail/subscription', { token: one, body: { enabled: false } })
    assert.equal(call.status, 404, one)
  }
  for (const path of ['/users/me', '/auth/user-setup', `/accounts/${reader.id}`])
    assert.equal((await app.api('GET', path, { token })).status, 401, path)
  assert.equal((await app.api('GET', '/mail/subscription', { token: reader.token })).status, 200)
  // a signed-in user does not have such a link
  assert.equal((await app.api('GET', '/mail/subscription', { token: other.token })).status, 403)
  assert.deepEqual([await reader.read(), await other.read()], [undefined, undefined])
})

test('unlimited clicks are refused, and so are guesses', async () => {
  const strict = await startApp({ config: { rateLimitFactor: 0.02 } })
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push((await post(`${strict.url}/mail/unsubscribe/guess-${n}`)).status)
  assert.deepEqual(statuses, [404, 404, 429, 429])
})

test('a mail unsubscribed from between queueing and sending is not sent, and the log says why', async () => {
  const owner = await anOwner()
  const mail = owner.mail()
  expectOk(await owner.choose({ integrations: false }))
  await sendMail(mailing, mail)
  assert.equal(owner.received().length, 0)
  const token = owner.admin
  const [line] = expectOk(await app.api('GET', `/mail/log?search=${owner.ownerEmail}&kind=webhook-failing`, { token }))
    .body.items
  assert.deepEqual([line.state, line.reason, line.tries], ['skipped', 'The recipient has turned these emails off.', 0])
  assert.equal(line.subject, null, 'what is the business of an account is no administrator’s to read')
  expectOk(await owner.choose({ integrations: true }))
  await sendMail(mailing, mail)
  assert.equal(owner.received().length, 1)
})

test('administrators read neither subject nor text of an account’s business mail', async () => {
  const owner = await anOwner()
  await sendMail(app.services, owner.mail())
  const token = owner.admin
  const [line] = expectOk(await app.api('GET', `/mail/log?search=${owner.ownerEmail}&state=kept`, { token })).body.items
  const { subject, text, file } = expectOk(await app.api('GET', `/mail/log/${line.id}`, { token })).body
  assert.deepEqual([subject, text], [null, null])
  assert.match(file, /^outbox\/webhook-failing-[0-9a-f-]+\.eml$/)
})

test('a user chooses group by group; an unknown or mandatory group is refused', async () => {
  const owner = await anOwner()
  expectOk(await owner.choose({ leads: false }))
  // two tabs, each with its own switch
  await Promise.all([
    owner.choose({ payouts: false }),
    owner.choose({ summaries: false }),
    owner.choose({ leads: true }),
  ])
  assert.deepEqual(await owner.read(), { leads: true, payouts: false, summaries: false })
  for (const [mail, field] of [
    [{ security: false }, 'preferences.mail.security'],
    [{ newsletter: false }, 'preferences.mail.newsletter'],
    [{ leads: 'no' }, 'preferences.mail.leads'],
    [{ leads: null }, 'preferences.mail.leads'],
    [[], 'preferences.mail'],
    ['off', 'preferences.mail'],
  ] as const) {
    const refused = await owner.choose(mail)
    assert.equal(refused.status, 422, JSON.stringify(mail))
    assert.deepEqual(Object.keys(refused.body.error.fields), [field])
  }
  assert.deepEqual(await owner.read(), { leads: true, payouts: false, summaries: false })
  expectOk(await owner.choose(null))
  assert.equal(await owner.read(), undefined)
})

test('a user sees the groups of their roles, and which of them are mandatory', async () => {
  const owner = await anOwner()
  const partner = await aPartner(app, owner, {}, { signIn: true })
  const choices = async (token: string) => {
    const { items } = expectOk(await app.api('GET', '/mail/choices', { token })).body
    return items.map(
      ({ group, optional, enabled }: MailPreference) => `${group}${optional ? (enabled ? '' : ': off') : '!'}`,
    )
  }
  expectOk(await owner.choose({ payouts: false, sales: false }))
  assert.deepEqual(await choices(owner.token), [
    ...['security!', 'invitations!', 'applications', 'leads', 'payouts: off', 'integrations', 'summaries'],
  ])
  assert.deepEqual(await choices(partner.token!), [
    ...['security!', 'invitations!', 'agreement!', 'news', 'leads', 'sales', 'payouts', 'reminders', 'summaries'],
  ])
  assert.deepEqual(await choices(owner.admin), ['security!', 'invitations!', 'install'])
  assert.equal((await app.api('GET', '/mail/choices')).status, 401)
})

test('changing another preference leaves mails unchanged', async () => {
  const owner = await anOwner()
  expectOk(await owner.choose({ leads: false }))
  expectOk(
    await app.api('PATCH', '/users/me', { token: owner.token, body: { preferences: { theme: 'dark', gone: null } } }),
  )
  const { preferences } = expectOk(await app.api('GET', '/users/me', { token: owner.token })).body
  assert.deepEqual(preferences, { theme: 'dark', mail: { leads: false } })
})

test('every kind of mail has a preview, for administrators only', async () => {
  const { admin, token } = await anOwner()
  const { items } = expectOk(await app.api('GET', '/mail/previews', { token: admin })).body
  assert.ok(items.length >= 20)
  for (const { kind, subject, page } of items) {
    const preview = expectOk(await app.api('GET', `/mail/previews/${kind}`, { token: admin })).body
    assert.equal(preview.subject, subject)
    const shown = await fetch(`${app.url}${page}`)
    assert.equal(shown.status, 200, kind)
    assert.match(
      shown.headers.get('content-security-policy')!,
      /default-src 'none'.*style-src 'unsafe-inline'.*sandbox/,
    )
    assert.ok((await shown.text()).includes('</html>'))
    assert.ok(preview.text.length > 40, kind)
  }
  const [{ page }] = items
  for (const wrong of [
    page.replace(/key=.*/, ''),
    page.replace(/key=.*/, 'key=x'),
    page.replace(/previews\/[a-z-]+/, 'previews/refund'),
  ])
    assert.equal((await fetch(`${app.url}${wrong}`)).status, 404, wrong)
  for (const path of ['/mail/previews', '/mail/previews/refund']) {
    assert.equal((await app.api('GET', path, { token })).status, 403)
    assert.equal((await app.api('GET', path)).status, 401)
  }
  assert.equal((await app.api('GET', '/mail/previews/constructor', { token: admin })).status, 404)
})
