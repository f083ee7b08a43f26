import assert from 'node:assert/strict'
import { mkdir, readdir, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fakeSmtp } from '../../../test/fakes/smtp.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  startApp,
  tokenInLink,
  waitUntil,
} from '../../../test/support/app.ts'
import { findSavedMail, listSavedMails } from '../../../test/support/saved-mails.ts'
import { transaction } from '../../platform/database/pool.ts'
import { sendSignal } from '../../platform/events/emit-event.ts'
import { getOutboxFolder, savedMail } from '../../platform/outbox.ts'
import { saveFormerEmail } from '../../program/partners/former-emails.ts'
import { payoutDetailsChanged } from '../../program/payouts/signals.ts'
import { deleteSavedMails } from './delete-saved-mails.ts'
import { sendMail } from './jobs.ts'
import { mails } from './kinds/registry.ts'
import { deliverMail } from './transport.ts'

const server = await fakeSmtp()
after(() => server.close())
const mailFrom = 'Tributary <team@install.example>'
const mailing = await startApp({ worker: true, config: { smtpUrl: server.url, mailFrom } })
const keeping = await startApp({ worker: true })

/** A new account with an invited owner, at the app with the mail server. */
async function anInvitedOwner(name = 'Northwind') {
  const admin = await getAdministratorToken(mailing)
  const email = anEmail('owner')
  const { body } = expectOk(
    await mailing.api('POST', '/accounts', { token: admin, body: { name, owner: { email, firstName: 'Nora' } } }),
  )
  const read = async () =>
    expectOk(await mailing.api('GET', `/accounts/${body.id}`, { token: admin })).body.ownerInvitation
  return { id: body.id as string, email, admin, first: body.ownerInvitation, read }
}

const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)![0]

test('an invitation is pending until the mail server has accepted the mail, and its link is only mailed', async () => {
  const { email, first, read } = await anInvitedOwner()
  assert.deepEqual([first.status, first.sentAt, first.mailed, first.url], ['pending', null, true, null])
  const mail = await server.waitFor(({ to }) => to.includes(email))
  assert.deepEqual([mail.from, mail.recipients], ['team@install.example', [email]])
  assert.equal(mail.subject, 'Set up Northwind on Tributary')
  assert.match(mail.text, /^Hello Nora,/)
  assert.match(mail.text, /because an administrator entered this address\./)
  assert.ok(mail.html.includes(`href="${linkIn(mail.text)}"`))
  const sent = await waitUntil(async () => {
    const invitation = await read()
    return invitation.status === 'sent' && invitation
  })
  assert.ok(sent.sentAt)
  assert.equal(sent.url, null)
  await acceptInvitation(mailing, linkIn(mail.text))
  assert.equal(await read(), null)
})

test('inviting a partner emits an event once the mail is sent', async () => {
  const { id, email } = await anInvitedOwner()
  const { text } = await server.waitFor(({ to }) => to.includes(email))
  const { token } = await acceptInvitation(mailing, linkIn(text))
  const partner = await aPartner(mailing, { id, token })
  const mail = await server.waitFor(({ to }) => to.includes(partner.email))
  assert.equal(mail.subject, 'Your invitation to the partner program of Northwind')
  assert.match(mail.text, /because someone at Northwind entered this address\./)
  const read = async () => expectOk(await mailing.api('GET', `/partners/${partner.id}/invitation`, { token })).body
  const sent = await waitUntil(async () => {
    const invitation = await read()
    return invitation.status === 'sent' && invitation
  })
  assert.equal(sent.url, null)
})

test('a busy mail server is retried; meanwhile the invitation shows why', async () => {
  const recipient = anEmail('busy')
  server.refuse(451, { times: 2, at: 'recipient', to: recipient })
  const admin = await getAdministratorToken(mailing)
  const { body } = expectOk(
    await mailing.api('POST', '/accounts', { token: admin, body: { name: 'Busy', owner: { email: recipient } } }),
  )
  const error = await waitUntil(async () => {
    const { lastError } = await mailing.services.db.one<{ lastError: string | null }>`
      select last_error from invitations where account_id = ${body.id} and status = 'pending'`
    return lastError
  })
  assert.match(error, /451/)
  await server.waitFor(({ to }) => to.includes(recipient), 20_000)
  const { status, lastError } = await waitUntil(async () => {
    const row = await mailing.services.db.one<{ status: string; lastError: string | null }>`
      select status, last_error from invitations where account_id = ${body.id}`
    return row.status === 'sent' && row
  })
  assert.deepEqual([status, lastError], ['sent', null])
  assert.equal(server.to(recipient).length, 1)
})

test('a permanently refused mail bounces and is not retried', async () => {
  const recipient = anEmail('gone')
  server.refuse(550, { times: 1, at: 'recipient', to: recipient })
  const admin = await getAdministratorToken(mailing)
  const { body } = expectOk(
    await mailing.api('POST', '/accounts', { token: admin, body: { name: 'Gone', owner: { email: recipient } } }),
  )
  const row = await waitUntil(async () => {
    const row = await mailing.services.db.one<{ status: string; lastError: string }>`
      select status, last_error from invitations where account_id = ${body.id}`
    return row.status === 'bounced' && row
  })
  assert.match(row.lastError, /550/)
  const waiting = await waitUntil(async () => {
    const { left } = await mailing.services.db.one<{ left: number }>`
      select count(*) filter (where state not in ('completed')) as left from pgboss.job
      where name = 'mail' and data->>'id' = (select id::text from invitations where account_id = ${body.id})`
    return left === 0 && 'done'
  })
  assert.equal(waiting, 'done')
  assert.equal(server.to(recipient).length, 0)
})

test('without a mail server a mail is stored in a file readable only by its owner, and never reported as sent', async () => {
  const account = await anAccount(keeping)
  const partner = await aPartner(keeping, account)
  const mail = await findSavedMail(keeping, 'invitation', partner.email)
  assert.match(mail.name, /^invitation-[0-9a-f-]{36}-1\.eml$/)
  assert.equal(mail.mode, 0o600)
  const folder = await stat(join(keeping.services.config.dataDir, 'outbox'))
  assert.equal(folder.mode & 0o777, 0o700)
  const { body } = expectOk(await keeping.api('GET', `/partners/${partner.id}/invitation`, { token: account.token }))
  assert.deepEqual([body.status, body.sentAt, body.url], ['pending', null, mail.link])
  const before = (await listSavedMails(keeping)).length
  await sendMail(keeping.services, { kind: 'invitation', id: mail.name.slice(11, 47), sendCount: 1 })
  assert.equal((await listSavedMails(keeping)).length, before)
  // people copy it from the file unchanged
  assert.equal(/http\S+#token=[\w-]+$/m.exec(mail.raw)?.[0], mail.link)
  await acceptInvitation(keeping, mail.link!)
})

test('tokens appear only in the mail', async () => {
  const account = await anAccount(keeping)
  const { email } = await aPartner(keeping, account)
  const { services } = keeping
  const { link: setUp } = await findSavedMail(keeping, 'invitation', email)
  await acceptInvitation(keeping, setUp!)
  expectOk(await keeping.api('POST', '/auth/reset-password', { body: { email } }))
  const { link: reset } = await findSavedMail(keeping, 'password-reset', email)
  const tokens = [tokenInLink(setUp!), tokenInLink(reset!)]
  for (const token of tokens) {
    assert.equal(token.length, 43)
    const { places } = await services.db.one<{ places: number }>`
      select (select count(*) from pgboss.job j where j::text like ${`%${token}%`})
        + (select count(*) from events o where o::text like ${`%${token}%`})
        + (select count(*) from passing_events o where o::text like ${`%${token}%`})
        + (select count(*) from invitations i where i::text like ${`%${token}%`})
        + (select count(*) from password_resets r where r::text like ${`%${token}%`}) as places`
    assert.equal(places, 0)
  }
})

test('a name cannot add a header or markup', async () => {
  const admin = await getAdministratorToken(keeping)
  const email = anEmail('target')
  const name = 'Evil <b>&\r\nBcc: victim'
  expectOk(
    await keeping.api('POST', '/accounts', { token: admin, body: { name, owner: { email, firstName: '<i>x' } } }),
  )
  const mail = await findSavedMail(keeping, 'invitation', email)
  assert.deepEqual(mail.to, [email])
  assert.doesNotMatch(mail.raw, /^\s*Bcc:/im)
  assert.equal(mail.subject, 'Set up Evil <b>& Bcc: victim on Tributary')
  assert.ok(mail.html.includes('Evil &lt;b&gt;&amp;'))
  assert.ok(mail.html.includes('Hello &lt;i&gt;x'))
})

test('a disabled account sends no mails until it is enabled', async () => {
  const account = await anAccount(keeping)
  expectOk(await keeping.api('POST', `/accounts/${account.id}/disable`, { token: account.admin }))
  expectOk(
    await keeping.api('PUT', `/accounts/${account.id}/owner`, {
      token: account.admin,
      body: { email: anEmail('next') },
    }),
  )
  const { services } = keeping
  const waiting = await waitUntil(
    () =>
      services.db.maybe<{ data: { kind: 'invitation'; id: string; sendCount: number } }>`
      select j.data from pgboss.job j join invitations i on i.id::text = j.data->>'id'
      where i.account_id = ${account.id} and i.status = 'pending' and j.state = 'created' and j.start_after > now() + interval '10 minutes'`,
  )
  const keptNames = async () => (await listSavedMails(keeping)).map(({ name }) => name)
  const name = `invitation-${waiting.data.id}-1.eml`
  assert.ok(!(await keptNames()).includes(name))
  expectOk(await keeping.api('POST', `/accounts/${account.id}/enable`, { token: account.admin }))
  await sendMail(services, waiting.data)
  assert.ok((await keptNames()).includes(name))
})

test('a stored mail is deleted an hour after its link expires, one without a link after 30 days', async () => {
  const { services } = keeping
  const account = await anAccount(keeping)
  const waiting = await aPartner(keeping, account)
  const come = await aPartner(keeping, account)
  const invitations = [
    await findSavedMail(keeping, 'invitation', waiting.email),
    await findSavedMail(keeping, 'invitation', come.email),
  ]
  await acceptInvitation(keeping, invitations[1]!.link!)
  expectOk(await keeping.api('POST', '/auth/reset-password', { body: { email: come.email } }))
  const reset = await findSavedMail(keeping, 'password-reset', come.email)
  await acceptInvitation(keeping, reset.link!, 'harbour-kettle-58-fern')
  const mails = [...invitations, reset]
  const notice = await findSavedMail(keeping, 'password-changed', come.email)
  const left = async () => {
    await deleteSavedMails(services)
    const names = (await listSavedMails(keeping)).map(({ name }) => name)
    return [...mails, notice].map(({ name }) => names.includes(name))
  }
  const age = (hours: number) =>
    Promise.all(
      [...mails, notice].map(async ({ name }) => {
        const at = new Date(Date.now() - hours * 3_600_000)
        await utimes(join(services.config.dataDir, 'outbox', name), at, at).catch(() => {})
      }),
    )
  assert.deepEqual(await left(), [true, true, true, true])
  await age(2)
  assert.deepEqual(await left(), [true, false, false, true])
  await age(31 * 24)
  assert.deepEqual(await left(), [true, false, false, false])
})

test('a mail that could not be saved leaves no draft, and the draft of a killed process is deleted', async () => {
  const { services } = keeping
  const folder = getOutboxFolder(services.config)
  const drafts = async () => (await readdir(folder)).filter((name) => name.startsWith('.'))
  const letter = mails.test.write(mails.test.sample)
  // in place of the file, so that the draft can't get its name
  const inTheWay = savedMail(services.config, 'in-the-way')
  await mkdir(inTheWay, { recursive: true })
  await assert.rejects(deliverMail(services.config, 'in-the-way', { to: 'pia@tern.example', letter }), /EISDIR/)
  await rmdir(inTheWay)
  assert.deepEqual(await drafts(), [])

  const names = ['.invitation-x.000000000000', '.new.000000000000']
  for (const name of names) await writeFile(join(folder, name), 'a link')
  await utimes(join(folder, names[0]!), 0, Date.now() / 1000 - 3700)
  await deleteSavedMails(services)
  assert.deepEqual(await drafts(), [names[1]])
})

test('changed payout details are mailed to the partner, also at their previous e-mail', async () => {
  const account = await anAccount(keeping)
  const partner = await aPartner(keeping, account)
  await transaction(keeping.services.db, async (tx) => {
    await saveFormerEmail(tx, account.id, partner.id, 'earlier@mail.example')
    await saveFormerEmail(tx, account.id, partner.id, partner.email)
    await sendSignal(tx, account.id, payoutDetailsChanged, { partnerId: partner.id, kind: 'iban' })
  })
  for (const to of [partner.email, 'earlier@mail.example']) {
    const mail = await findSavedMail(keeping, 'payout-settings', to)
    assert.match(mail.text, /payouts\s+from\s+Northwind/)
    assert.match(mail.text, /Payouts now go to a euro bank account\./)
  }
  const mails = (await listSavedMails(keeping)).filter(({ name }) => name.startsWith('payout-settings-'))
  assert.equal(mails.length, 2)
})

test('a mail server without TLS gets no mail, unless the setting allows it or the server is local', async () => {
  const { port } = new URL(server.url)
  const letter = mails.test.write(mails.test.sample)
  const sent = (smtpUrl: string) =>
    deliverMail({ ...mailing.services.config, smtpUrl }, `tls-${anEmail()}`, { to: anEmail('reader'), letter })
  // another address of this machine
  await assert.rejects(sent(`smtp://0.0.0.0:${port}`), { code: 'ETLS' })
  for (const free of [`smtp://0.0.0.0:${port}?tls=off`, `smtp://localhost:${port}`, server.url])
    assert.deepEqual(await sent(free), { outcome: 'sent' }, free)
})

test('the mail server is greeted with the host of APP_URL, or the name in SMTP_URL', async () => {
  const greetedAs = async (appUrl: string, smtpUrl = server.url) => {
    const to = anEmail('greeted')
    await deliverMail({ ...mailing.services.config, smtpUrl, appUrl }, `name-${to}`, {
      to,
      letter: mails.test.write(mails.test.sample),
    })
    return (await server.waitFor((mail) => mail.to.includes(to))).greetedAs
  }
  assert.equal(await greetedAs('https://partners.acme.example'), 'partners.acme.example')
  assert.equal(
    await greetedAs('https://partners.acme.example', `${server.url}?name=relay.acme.example`),
    'relay.acme.example',
  )
  assert.notEqual(await greetedAs('http://localhost:3000'), 'localhost')
})
