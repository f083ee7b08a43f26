import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  anAccount,
  expectOk,
  getAdministratorToken,
  type Reply,
  sendRequest,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { anInternet } from '../../../test/support/internet.ts'
import { mailsTo, runClock, sendAllMails } from '../../../test/support/mailed.ts'

const DAY = 86_400_000
const secretKey = Buffer.alloc(32, 7)
const internet = anInternet()
const { texts, servers, state, outbound, onAsked } = internet
const clock = turnableClock('2026-03-02T12:00:00Z')
const app = await startApp({ clock, outbound, config: { secretKey } })
/** A second process of the install. */
const twin = await startApp({ clock, outbound, db: app.services.db, config: { secretKey, appUrl: app.url } })

const outcomeOf = ({ status, body }: Reply) => (body?.error ? `${status} ${body.error.reason}` : `${status}`)

let made = 0
const aName = (words = 'join') => `${words}-${++made}.acme.example`

async function anOwner(settings: Record<string, unknown> = {}) {
  const account: TestAccount = await anAccount(app, settings)
  const call = (method: string, path: string, body?: unknown) =>
    app.api(method, `/accounts/${account.id}${path}`, { token: account.token, body })
  const { publicId } = expectOk(await call('GET', '')).body
  const save = (host: string | null, more = {}) => call('PUT', '/brand', { host, ...more })
  const check = () => call('POST', '/brand/host/check')
  const brand = async () => expectOk(await call('GET', '/brand')).body
  const prove = (name: string) => publishRecord(name, publicId)
  const signInAgain = async () => Object.assign(account, await signIn(app, account.ownerEmail))
  /** Claims a name and makes it ready. */
  const ready = async (name = aName()) => {
    prove(name)
    servers.set(name, app.url)
    const { body } = expectOk(await save(name))
    assert.equal(body.host.state, 'ready')
    return name
  }
  return { account, publicId, call, save, check, brand, prove, ready, signInAgain }
}

const publishRecord = (name: string, ...publicIds: string[]) =>
  texts.set(
    `_tributary.${name}`,
    publicIds.map((id) => `tributary=${id}`),
  )

const proxyStatus = async (name: string, on = app, headers: Record<string, string> = {}) =>
  (await sendRequest(`${on.url}/health/host?domain=${encodeURIComponent(name)}`, { method: 'GET', headers })).status

/** The answer to a proxy of both processes, once they agree. */
const known = (name: string) =>
  waitUntil(async () => {
    const [one, other] = [await proxyStatus(name), await proxyStatus(name, twin)]
    assert.equal(one, other)
    return one
  }, 5000)

const portalHost = ({ account: { id } }: { account: TestAccount }) =>
  app.services.db.value<string | null>`select portal_host from accounts where id = ${id}`

test('a domain is proven by its record, and ready once it leads here; addresses begin with it from then on', async () => {
  const owner = await anOwner()
  const { account, publicId, save, check, brand, prove, call } = owner
  const name = aName()
  const first = expectOk(await save(name.toUpperCase())).body
  assert.deepEqual(first.host, {
    ...{ name, state: 'unproven', problem: 'No TXT record with this value was found.' },
    record: { name: `_tributary.${name}`, value: `tributary=${publicId}` },
    target: '127.0.0.1',
    checkedAt: first.host.checkedAt,
  })
  assert.equal(first.portalUrl, app.url)
  assert.equal(await known(name), 404)

  // others' records, and much else
  texts.set(`_tributary.${name}`, [
    ...Array.from({ length: 199 }, (_, at) => `tributary=other-${at}`),
    ` tributary=${publicId} `,
  ])
  const proven = expectOk(await check()).body.host
  assert.deepEqual([proven.state, proven.problem], ['proven', `The host name ${name} can’t be found.`])
  assert.equal(await known(name), 200)
  assert.equal((await brand()).portalUrl, app.url)

  // another install answers, then a copy of this one
  const { db } = app.services
  const other = await startApp({ db, config: { secretKey: Buffer.alloc(32, 8), appUrl: app.url } })
  const copy = await startApp({ db, config: { secretKey } })
  for (const { url } of [other, copy]) {
    servers.set(name, url)
    const { state, problem } = expectOk(await check()).body.host
    assert.deepEqual([state, problem], ['proven', `${name} is answered by another server, with status 200.`])
  }

  servers.set(name, twin.url)
  const ready = expectOk(await check()).body.host
  assert.deepEqual([ready.state, ready.problem], ['ready', null])
  assert.equal((await brand()).portalUrl, `https://${name}`)
  assert.equal(await portalHost(owner), name)
  for (const token of [account.token, account.admin])
    assert.deepEqual(expectOk(await app.api('GET', `/accounts/${account.id}`, { token })).body.host, {
      name,
      state: 'ready',
    })

  prove(name)
  const { items } = expectOk(await call('GET', '/audit?action=account.brand-updated')).body
  assert.deepEqual(items[0].changes, { host: { old: null, new: name } })
})

test('a record that is there before the domain is saved proves it at once; saving it again changes nothing', async () => {
  const { ready, save, brand, call } = await anOwner()
  const name = await ready()
  const before = await brand()
  state.nameServersAnswer = false
  assert.deepEqual(expectOk(await save(name, { accent: '#0e7c86' })).body, { ...before, accent: '#0e7c86' })
  state.nameServersAnswer = true
  assert.equal(expectOk(await call('GET', '/audit?action=account.brand-updated')).body.items.length, 2)
})

test('the install’s own host, addresses in numbers and what is no domain are refused', async () => {
  const { save, brand } = await anOwner()
  const named = await startApp({
    db: app.services.db,
    config: { secretKey, appUrl: 'https://partners.tributary.example' },
  })
  const { account } = await anOwner()
  const saved = await named.api('PUT', `/accounts/${account.id}/brand`, {
    ...{ token: account.token, body: { host: 'Partners.tributary.example' } },
  })
  assert.equal(outcomeOf(saved), '422 host_is_install')
  for (const host of [
    ...[
      'acme',
      'localhost',
      '127.0.0.1',
      '1.2.3.4',
      'a.example:8443',
      'https://a.example',
      '*.a.example',
      'a.example.',
    ],
    ...['a_b.example', 'ä.example', '', `${'a.'.repeat(120)}example`, 'a.example/x', 'a..example', '[::1]'],
  ])
    assert.equal((await save(host)).status, 422, host)
  assert.equal((await brand()).host, null)
  assert.equal(outcomeOf(await (await anOwner()).check()), '404 not_found')
})

test('only a proxy itself is told which names are known: not who calls through one', async () => {
  const { ready } = await anOwner()
  const name = await ready()
  assert.equal(await proxyStatus(name), 200)
  for (const domain of [name.toUpperCase(), `${name}.`]) assert.equal(await proxyStatus(domain), 200, domain)
  for (const domain of [`x.${name}`, name.slice(name.indexOf('.') + 1), '', `${name}\u0000`, 'a'.repeat(5000)])
    assert.equal(await proxyStatus(domain), 404, domain)
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
    assert.equal(await proxyStatus(name, app, { [header]: '127.0.0.1' }), 404, header)
  for (const query of ['', '?domain', `?domain=${name}&domain=${name}`])
    assert.equal((await sendRequest(`${app.url}/health/host${query}`, { method: 'GET' })).status, 404)
})

test('of two accounts with records, the first proven keeps a name while its record is in place', async () => {
  const [one, two] = [await anOwner(), await anOwner()]
  const name = await one.ready()
  // without its own record a claim has no effect
  expectOk(await two.save(name))
  assert.equal((await two.brand()).host.state, 'unproven')
  publishRecord(name, one.publicId, two.publicId)
  assert.equal(outcomeOf(await two.check()), '409 host_taken')
  assert.match((await two.brand()).host.problem, /^Another account/)
  expectOk(await two.save(null))
  assert.equal(outcomeOf(await two.save(name, { accent: '#0e7c86' })), '409 host_taken')
  const { host, accent } = await two.brand()
  assert.deepEqual([host, accent], [null, null])
  assert.equal(expectOk(await one.check()).body.host.state, 'ready')

  publishRecord(name, two.publicId)
  const { body } = expectOk(await two.save(name))
  assert.equal(body.host.state, 'ready')
  assert.deepEqual([await portalHost(one), await portalHost(two)], [null, name])
  const lost = await one.brand()
  assert.deepEqual(
    [lost.host.state, lost.host.problem, lost.portalUrl],
    ['unproven', 'The TXT record names another account now.', app.url],
  )
  await sendAllMails(app)
  const [mail, ...others] = await mailsTo(app, 'host-attention', one.account.ownerEmail)
  assert.deepEqual(others, [])
  assert.equal(mail!.subject, 'Your own domain needs attention')
})

test('two accounts that prove a name at once, in two processes: one has it', async () => {
  for (let round = 0; round < 5; round++) {
    const owners = [await anOwner(), await anOwner()]
    const name = aName('race')
    publishRecord(name, ...owners.map(({ publicId }) => publicId))
    const replies = await Promise.all(
      owners.map(({ account }, at) =>
        [app, twin][at]!.api('PUT', `/accounts/${account.id}/brand`, { token: account.token, body: { host: name } }),
      ),
    )
    assert.deepEqual(replies.map(outcomeOf).sort(), ['200', '409 host_taken'])
    const rows = await app.services.db.many`select account_id from hosts where name = ${name}`
    assert.equal(rows.length, 1)
  }
})

test('an old answer of the name servers takes no name from an account that proved it meanwhile', async () => {
  const [one, two] = [await anOwner(), await anOwner()]
  const name = aName('rebound')
  servers.set(name, app.url)
  publishRecord(name, two.publicId)
  let isFirst = true
  onAsked.push(async (queried) => {
    if (queried !== `_tributary.${name}` || !isFirst) return
    isFirst = false
    // while the answer for the second account is under way
    publishRecord(name, one.publicId, two.publicId)
    assert.equal(expectOk(await one.save(name)).body.host.state, 'ready')
  })
  assert.equal(outcomeOf(await two.save(name)), '409 host_taken')
  onAsked.length = 0
  assert.equal((await one.brand()).host.state, 'ready')
})

test('a domain that fails for seven days needs attention, is mailed once, and recovers by itself', async () => {
  const owner = await anOwner()
  const name = await owner.ready()
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      clock.advance(DAY)
      await Promise.all([app, twin].map((one) => runClock(one, 'check-hosts')))
    }
    await owner.signInAgain()
  }
  const mails = async () => (await mailsTo(app, 'host-attention', owner.account.ownerEmail)).length
  servers.delete(name)
  await days(6)
  // pressing the button counts nothing
  for (let press = 0; press < 3; press++) assert.equal(expectOk(await owner.check()).body.host.state, 'ready')
  assert.equal((await owner.brand()).portalUrl, `https://${name}`)
  servers.set(name, app.url)
  await days(1)
  texts.delete(`_tributary.${name}`)
  await days(6)
  const last = await owner.brand()
  assert.deepEqual([last.host.state, last.host.problem], ['ready', 'No TXT record with this value was found.'])
  await days(1)
  const { host, portalUrl } = await owner.brand()
  assert.deepEqual([host.state, portalUrl], ['attention', app.url])
  assert.equal(await known(name), 200)
  await sendAllMails(app)
  assert.equal(await mails(), 1)
  await days(9)
  await sendAllMails(app)
  assert.equal(await mails(), 1)
  owner.prove(name)
  await days(1)
  assert.equal((await owner.brand()).portalUrl, `https://${name}`)
})

test('checks wait while the account is disabled, and a mail about a domain that works again is not sent', async () => {
  const owner = await anOwner()
  const name = await owner.ready()
  servers.delete(name)
  const admin = async (path: string) =>
    expectOk(
      await app.api('POST', `/accounts/${owner.account.id}/${path}`, { token: await getAdministratorToken(app) }),
    )
  await admin('disable')
  for (let day = 0; day < 9; day++) {
    clock.advance(DAY)
    await runClock(app, 'check-hosts')
  }
  await admin('enable')
  for (let day = 0; day < 7; day++) {
    clock.advance(DAY)
    await runClock(app, 'check-hosts')
  }
  await owner.signInAgain()
  assert.equal((await owner.brand()).host.state, 'attention')
  servers.set(name, app.url)
  expectOk(await owner.check())
  await sendAllMails(app)
  assert.deepEqual(await mailsTo(app, 'host-attention', owner.account.ownerEmail), [])
})

test('a name given up or replaced goes on leading to its account until its record names another', async () => {
  const [one, two] = [await anOwner(), await anOwner()]
  const [former, next] = [await one.ready(), aName()]
  // an unproven claim leaves nothing
  expectOk(await one.save(next))
  expectOk(await one.save(null))
  assert.deepEqual([await portalHost(one), await known(former), await known(next)], [null, 200, 404])
  const days = async (count: number) => {
    clock.advance(count * DAY)
    await runClock(app, 'check-hosts')
    await Promise.all([one.signInAgain(), two.signInAgain()])
  }
  texts.delete(`_tributary.${former}`)
  await days(30)
  publishRecord(former, 'no-account-of-this-install')
  await days(1)
  assert.equal(await known(former), 200)

  // taken up again it is still proven, and leads there once its record is back
  const { body } = expectOk(await one.save(former))
  assert.equal(body.host.state, 'proven')
  one.prove(former)
  assert.equal(expectOk(await one.check()).body.host.state, 'ready')
  expectOk(await one.save(null))

  // both records: what was given up yields
  publishRecord(former, one.publicId, two.publicId)
  await days(1)
  assert.equal(await known(former), 200)
  assert.equal(expectOk(await two.save(former)).body.host.state, 'ready')
  assert.equal(await known(former), 200)
  assert.deepEqual(await mailsTo(app, 'host-attention', one.account.ownerEmail), [])

  // a name without a claim ends with the record of another account
  expectOk(await two.save(null))
  publishRecord(former, one.publicId)
  await days(1)
  assert.equal(await known(former), 404)
})

test('an account keeps at most twenty names that it gave up', async () => {
  const owner = await anOwner()
  for (let at = 0; at < 21; at++) await owner.ready()
  const { host } = await owner.brand()
  assert.equal(outcomeOf(await owner.save(null)), '409 too_many_hosts')
  assert.deepEqual((await owner.brand()).host, host)
})

test('the answer of an install is for one question at one host', async () => {
  const question = 'a-question-of-some-length'
  const at = async (host: string, header: string, on = app) =>
    (
      await sendRequest(`${on.url}/health/live`, { method: 'GET', headers: { host, 'tributary-install': header } })
    ).headers.get('tributary-install')
  const answer = await at('join.acme.example', question)
  assert.match(answer!, /^[\w-]{43}$/)
  for (const same of ['JOIN.acme.example', 'join.acme.example:443', 'join.acme.example.'])
    assert.equal(await at(same, question, twin), answer)
  assert.notEqual(await at('other.acme.example', question), answer)
  assert.notEqual(await at('join.acme.example', `${question}2`), answer)
  for (const none of ['', 'short', 'x'.repeat(65), `${question} 1`])
    assert.equal(await at('join.acme.example', none), null)
})
