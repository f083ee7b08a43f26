import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { fakeSmtp } from '../../../test/fakes/smtp.ts'
import {
  ADMINISTRATOR,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  startApp,
  type TestApp,
  waitUntil,
} from '../../../test/support/app.ts'
import { findSavedMail } from '../../../test/support/saved-mails.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { answerLinkRequest } from '../../program/auth/link-requests.ts'
import { retention } from '../../retention.ts'
import { sendMail } from './jobs.ts'
import { mailQueue } from './queue.ts'

const server = await fakeSmtp()
after(() => server.close())
const mailing = await startApp({ worker: true, config: { smtpUrl: server.url } })
const keeping = await startApp({ worker: true })
/** Only the test processes its jobs. */
const quiet = await startApp()
const admin = await getAdministratorToken(mailing)
const keeper = await getAdministratorToken(keeping)
const watcher = await getAdministratorToken(quiet)

/** Its services, with this mail server. */
const by = (smtpUrl: string) => ({ ...quiet.services, config: { ...quiet.services.config, smtpUrl } })
const working = by(server.url)

const logOf = async (app: TestApp, token: string, query: string) =>
  expectOk(await app.api('GET', `/mail/log?${query}`, { token })).body.items

const of = (email: string) => `search=${encodeURIComponent(email)}`

/** The job of a test mail that the administrator sends. */
const { id: sentBy } = expectOk(await quiet.api('GET', '/users/me', { token: watcher })).body
const aTest = (email: string) => ({ kind: 'test' as const, id: newId(), email, sentBy, at: 'today' })

/** Returns the log entry of a mail to this address, once it has this state. */
const logged = (app: TestApp, token: string, email: string, state: string) =>
  waitUntil(async () => {
    const lines = await logOf(app, token, of(email))
    assert.ok(lines.length <= 1, 'one mail has one line')
    return lines[0]?.state === state && lines[0]
  }, 30_000)

const sendTest = async (app: TestApp, token: string, email: string) =>
  expectOk(await app.api('POST', '/mail/tests', { token, body: { email } })).body

/** A mail server that answers each connection as specified, and otherwise lets it hang. */
async function brokenServer(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const broken = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    answer(socket)
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const socket of sockets) socket.destroy()
    broken.close()
  })
  return `smtp://127.0.0.1:${(broken.address() as { port: number }).port}`
}

test('a mail that the server accepted is logged as sent, after one attempt', async () => {
  const email = anEmail('reader')
  const first = await sendTest(mailing, admin, email)
  assert.deepEqual([first.kind, first.email, first.tries, first.lastTriedAt], ['test', email, 0, null])
  const line = await logged(mailing, admin, email, 'sent')
  assert.deepEqual([line.id, line.reason, line.tries], [first.id, null, 1])
  assert.ok(line.subject && line.lastTriedAt)
  assert.equal(server.to(email).length, 1)
})

test('a test mail that fails shows the mail server’s reason, and is not retried', async () => {
  const [busy, gone] = [anEmail('busy'), anEmail('gone')]
  server.refuse(451, { at: 'recipient', to: busy })
  await sendTest(mailing, admin, busy)
  assert.match((await logged(mailing, admin, busy, 'failed')).reason, /451.*Try again later/)
  server.refuse(550, { at: 'recipient', to: gone })
  await sendTest(mailing, admin, gone)
  assert.match((await logged(mailing, admin, gone, 'refused')).reason, /550.*Mailbox unavailable/)
  assert.equal(server.to(busy).length + server.to(gone).length, 0)
})

test('a mail server that hangs up or is unreachable is reported with a readable reason', async () => {
  const closing = await brokenServer((socket) => socket.end('421 too busy\r\n'))
  const long = await brokenServer((socket) => socket.end(`554 ${'\u{1f4ed}\u0007'.repeat(300)}\r\n`))
  for (const [smtpUrl, why] of [
    [closing, /421|closed/i],
    [long, /^Invalid greeting.{400,484}$/u],
    ['smtp://127.0.0.1:9', /ECONNREFUSED/],
  ] as const) {
    const email = anEmail('nobody')
    await sendMail(by(smtpUrl), aTest(email))
    const [line] = await logOf(quiet, watcher, of(email))
    assert.equal(line.state, 'failed')
    assert.match(line.reason, why)
  }
})

test('a mail waits while the mail server hangs', async () => {
  let reached = () => {}
  const connected = new Promise<void>((resolve) => {
    reached = resolve
  })
  let line: Socket | undefined
  const smtpUrl = await brokenServer((socket) => {
    line = socket
    reached()
  })
  const email = anEmail('patient')
  const sending = sendMail(by(smtpUrl), aTest(email))
  await connected
  const [waiting] = await logOf(quiet, watcher, of(email))
  assert.deepEqual([waiting.state, waiting.tries], ['waiting', 1])
  line!.destroy()
  await sending
  assert.equal((await logOf(quiet, watcher, of(email)))[0].state, 'failed')
})

/** The job of a reset link that is due. */
async function aDueReset(app: TestApp, email: string) {
  expectOk(await app.api('POST', '/auth/reset-password', { body: { email } }))
  const [job] = await (await app.services.jobs.boss()).fetch<{ id: string; email: string }>('link-request')
  await answerLinkRequest(app.services, job!.data as never)
  const { id } = await app.services.db.one<{ id: string }>`
    select r.id from password_resets r join users u on u.id = r.user_id where u.email = ${email}`
  return { kind: 'password-reset' as const, id }
}

test('attempts for one mail share a line: waiting with the latest reason, failed after the last one', async () => {
  const { email } = ADMINISTRATOR
  const mail = await aDueReset(quiet, email)
  server.refuse(451, { times: 2, to: email })
  await assert.rejects(sendMail(working, mail, { isLast: false }))
  const read = async () => (await logOf(quiet, watcher, `${of(email)}&kind=password-reset`))[0]
  const waiting = await read()
  assert.deepEqual([waiting.state, waiting.tries], ['waiting', 1])
  assert.match(waiting.reason, /451/)
  await assert.rejects(sendMail(working, mail, { isLast: true }))
  const failed = await read()
  assert.deepEqual([failed.id, failed.state, failed.tries], [waiting.id, 'failed', 2])
  // a retry after the operator's check
  await sendMail(working, mail)
  const sent = await read()
  assert.deepEqual([sent.state, sent.reason, sent.tries], ['sent', null, 3])
  assert.equal(sent.subject, 'Reset your password')
})

test('a worker recognizes a job’s last attempt, and the log says that none follows', async () => {
  const { id: userId } = expectOk(await mailing.api('GET', '/users/me', { token: admin })).body
  const id = newId()
  server.refuse(451, { to: ADMINISTRATOR.email })
  await transaction(mailing.services.db, (tx) =>
    mailing.services.jobs.add(tx, mailQueue, { kind: 'session-ended', id, userId }, { retryLimit: 0 }),
  )
  const failed = await waitUntil(async () => {
    const [line] = await logOf(mailing, admin, 'kind=session-ended')
    return line?.state === 'failed' && line
  }, 30_000)
  assert.deepEqual([failed.tries, failed.email], [1, ADMINISTRATOR.email])
})

test('a mail sent by two processes at once has one log line', async () => {
  const email = anEmail('twice')
  const mail = aTest(email)
  await Promise.all([sendMail(working, mail), sendMail(working, mail)])
  const lines = await logOf(quiet, watcher, of(email))
  assert.deepEqual([lines.length, lines[0].state, lines[0].tries], [1, 'sent', 2])
  const ids = server.to(email).map(({ headers }) => headers['message-id']?.[0])
  assert.equal(new Set(ids).size, 1)
})

test('a mail that became pointless while waiting is skipped; one that was never due leaves no line', async () => {
  const email = anEmail('reader')
  const account = await anAccount(quiet, { name: 'Northwind' })
  const partner = await aPartner(quiet, account, { email })
  const { id } = await quiet.services.db.one<{ id: string }>`
    select id from invitations where partner_id = ${partner.id}`
  const mail = { kind: 'invitation' as const, id, sendCount: 1 }
  server.refuse(451, { to: email })
  await assert.rejects(sendMail(working, mail))
  expectOk(await quiet.api('DELETE', `/partners/${partner.id}/invitation`, { token: account.token }))
  await sendMail(working, mail)
  const [line] = await logOf(quiet, watcher, of(email))
  assert.deepEqual([line.state, line.reason], ['skipped', 'It was no longer needed.'])
  await sendMail(working, { kind: 'password-reset', id: newId() })
  assert.equal((await logOf(quiet, watcher, of(email))).length, 1)
})

test('mails stored without a mail server can be read, without the links that open an account', async () => {
  const account = await anAccount(keeping, { name: 'Northwind' })
  const partner = await aPartner(keeping, account)
  const mail = await findSavedMail(keeping, 'invitation', partner.email)
  const line = await logged(keeping, keeper, partner.email, 'kept')
  const read = expectOk(await keeping.api('GET', `/mail/log/${line.id}`, { token: keeper })).body
  assert.equal(read.subject, mail.subject)
  assert.equal(read.file, `outbox/${mail.name}`)
  const token = mail.link!.split('#token=')[1]!
  assert.ok(mail.text.includes(token))
  assert.equal(read.text.trim(), mail.text.replaceAll(mail.link!, '[link hidden]').trim())
  expectOk(await keeping.api('POST', '/auth/reset-password', { body: { email: ADMINISTRATOR.email } }))
  const reset = await findSavedMail(keeping, 'password-reset', ADMINISTRATOR.email)
  const tokens = [token, ...[...reset.text.matchAll(/#token=(\S+)/g)].map(([, one]) => one!)]
  assert.equal(tokens.length, 3, 'one that resets, and one that signs in')
  const { id } = await waitUntil(async () => (await logOf(keeping, keeper, 'kind=password-reset&state=kept'))[0])
  const { text } = expectOk(await keeping.api('GET', `/mail/log/${id}`, { token: keeper })).body
  assert.equal(text.split('[link hidden]').length, 3)
  // nowhere in the database either
  const { found } = await keeping.services.db.one<{ found: number }>`
    select count(*) as found from mails, unnest(${tokens}::text[]) as t (token) where strpos(mails::text, token) > 0`
  assert.equal(found, 0)
})

test('the log can be filtered by state, kind and address, and only administrators read it', async () => {
  const email = anEmail('under_score')
  const { id } = await sendTest(keeping, keeper, email)
  await logged(keeping, keeper, email, 'kept')
  const count = async (query: string) => (await logOf(keeping, keeper, query)).length
  assert.deepEqual(
    await Promise.all(
      ['state=kept', 'state=sent,failed', 'kind=test', 'kind=invitation,refund'].map((query) =>
        count(`${of(email)}&${query}`),
      ),
    ),
    [1, 0, 1, 0],
  )
  assert.equal(await count(of(email.toUpperCase())), 1)
  assert.equal(await count(of(email.replace('_', '%'))), 0)
  assert.equal((await keeping.api('GET', '/mail/log?state=lost', { token: keeper })).status, 422)
  const account = await anAccount(keeping)
  const partner = await aPartner(keeping, account, {}, { signIn: true })
  for (const token of [account.token, partner.token]) {
    for (const path of ['/mail/status', '/mail/log', `/mail/log/${id}`])
      assert.equal((await keeping.api('GET', path, { token })).status, 403, path)
    assert.equal((await keeping.api('POST', '/mail/tests', { token, body: { email } })).status, 403)
  }
  for (const unknown of [newId(), 'no-such-mail'])
    assert.equal((await keeping.api('GET', `/mail/log/${unknown}`, { token: keeper })).status, 404)
})

test('the status names the mail server, and never its credentials', async () => {
  const { port } = new URL(server.url)
  const status = expectOk(await mailing.api('GET', '/mail/status', { token: admin })).body
  assert.deepEqual(status.server, { host: '127.0.0.1', port: Number(port) })
  assert.equal(expectOk(await keeping.api('GET', '/mail/status', { token: keeper })).body.server, null)
  const secret = await startApp({
    db: quiet.services.db,
    config: { smtpUrl: 'smtps://robot:canary-password@mail.example', secretKey: Buffer.alloc(32) },
  })
  const { body } = expectOk(await secret.api('GET', '/mail/status', { token: watcher }))
  assert.deepEqual(body.server, { host: 'mail.example', port: 465 })
  assert.ok(!JSON.stringify(body).includes('canary') && !JSON.stringify(body).includes('robot'))
})

test('a mail is deleted from the log after 90 days', async () => {
  const email = anEmail('old')
  await sendMail(working, aTest(email))
  const aged = (days: number) => quiet.services.db.run`
    update mails set created_at = ${new Date(quiet.services.db.now.getTime() - days * 86_400_000)} where email = ${email}`
  await aged(89)
  await retention.mails(quiet.services)
  assert.equal((await logOf(quiet, watcher, of(email))).length, 1)
  await aged(91)
  await retention.mails(quiet.services)
  assert.equal((await logOf(quiet, watcher, of(email))).length, 0)
})
