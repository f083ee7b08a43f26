import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  type Reply,
  signIn,
  startApp,
  type TestAccount,
  tokenInLink,
  waitUntil,
} from '../../../test/support/app.ts'
import { contentSecurityPolicy } from '../../platform/http/security-headers.ts'

const MINUTE = 60_000
const secretKey = Buffer.alloc(32, 7)
const app = await startApp({ config: { secretKey } })
/** A second process of the install. */
const twin = await startApp({ db: app.services.db, config: { secretKey } })

const outcomeOf = ({ status, body }: Reply) => (body?.error ? `${status} ${body.error.reason}` : `${status}`)

async function aKeyOf(account: TestAccount, rights = ['partners']) {
  const body = { name: `App ${anEmail()}`.slice(0, 40), rights }
  const { id, key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body }),
  ).body
  return { id, key }
}

async function aPortal(settings: Record<string, unknown> = {}, fields: Record<string, unknown> = {}) {
  const account = await anAccount(app, settings)
  const partner = await aPartner(app, account, fields)
  const { id: keyId, key } = await aKeyOf(account)
  const make = (kind: 'frame' | 'link' = 'frame', token: string = key, on = app) =>
    on.api('POST', `/partners/${partner.id}/portal-sessions`, { token, body: { kind } })
  const open = async () => expectOk(await make()).body.token as string
  const byOwner = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  return { account, partner, key, keyId, make, open, byOwner }
}

const openPortal = (token: string, on = app) => on.api('GET', '/portal', { token })
const inBoth = async (token: string) => [outcomeOf(await openPortal(token)), outcomeOf(await openPortal(token, twin))]

test('a key opens a partner’s portal in a frame for an hour, and nothing in it is for anybody else', async () => {
  const { account, partner, make, byOwner } = await aPortal()
  const { status, body } = await make()
  assert.equal(status, 201)
  assert.match(body.token, /^tpp_[\w-]{65}$/)
  const { publicId } = await byOwner('GET', `/accounts/${account.id}`)
  assert.equal(body.url, `${app.url}/portal/${publicId}#token=${body.token}`)
  const { partnerId, accountId, displayName, expiresAt } = expectOk(await openPortal(body.token)).body
  assert.deepEqual([partnerId, accountId, displayName, expiresAt], [partner.id, account.id, 'Pia Tern', body.expiresAt])
  const rows = await app.services.db.many`select * from portal_sessions where account_id = ${account.id}`
  assert.doesNotMatch(JSON.stringify(rows), /tpp_/)
  const { items } = await byOwner('GET', `/accounts/${account.id}/audit?action=partner.portal-opened`)
  assert.deepEqual(
    [items[0].subject.id, items[0].actor.type, items[0].changes],
    [partner.id, 'api-key', { kind: { old: null, new: 'frame' } }],
  )
  const last = body.token.at(-1) === 'A' ? 'B' : 'A'
  for (const wrong of [`${body.token.slice(0, -1)}${last}`, `tpp_${'A'.repeat(65)}`, 'tpp_', `${body.token}A`])
    assert.equal(outcomeOf(await openPortal(wrong)), '401 sign_in_first')

  app.clock.advance(59 * MINUTE)
  assert.equal(outcomeOf(await openPortal(body.token)), '200')
  app.clock.advance(MINUTE)
  assert.deepEqual(await inBoth(body.token), ['401 portal_ended', '401 portal_ended'])
})

test('it says the language of its partner, at each reading, and that of the account for a browser with neither', async () => {
  const { partner, open, byOwner } = await aPortal({ language: 'fr' })
  const token = await open()
  const read = async () => {
    const { language, accountLanguage } = expectOk(await openPortal(token)).body
    return [language, accountLanguage]
  }
  assert.deepEqual(await read(), [null, 'fr'])
  await byOwner('PUT', `/partners/${partner.id}`, { language: 'de' })
  assert.deepEqual(await read(), ['de', 'fr'])
})

test('only a key with the right opens one, for a partner of its own account who isn’t archived', async () => {
  const { account, partner, make, key, byOwner } = await aPortal()
  const other = await anAccount(app)
  assert.equal(outcomeOf(await make('frame', account.token)), '403 role_not_allowed')
  const { key: reading } = await aKeyOf(account, ['read', 'push'])
  assert.equal(outcomeOf(await make('frame', reading)), '403 api_key_may_not_manage_partners')
  const foreign = await aPartner(app, other)
  const path = `/partners/${foreign.id}/portal-sessions`
  assert.equal(outcomeOf(await app.api('POST', path, { token: key, body: { kind: 'frame' } })), '404 not_found')
  assert.equal((await app.api('POST', path, { token: key, body: { kind: 'tab' } })).status, 404)
  await byOwner('POST', `/partners/${partner.id}/archive`, {})
  assert.equal(outcomeOf(await make()), '409 partner_is_archived')
})

test('a session ends at once, for good and in every process with its key and its partner’s archiving', async () => {
  const { account, partner, open, keyId, key, byOwner } = await aPortal()
  const first = await open()
  await byOwner('PUT', `/partners/${partner.id}`, { state: 'suspended', reason: 'Review' })
  assert.deepEqual(await inBoth(first), ['200', '200'])
  assert.equal((await app.api('GET', `/partners/${partner.id}/balance`, { token: first })).status, 200)
  await byOwner('POST', `/partners/${partner.id}/archive`, {})
  assert.deepEqual(await inBoth(first), ['401 portal_ended', '401 portal_ended'])
  await byOwner('PUT', `/partners/${partner.id}`, { state: 'active' })
  assert.deepEqual(await inBoth(first), ['401 portal_ended', '401 portal_ended'])

  const third = await open()
  const rotated = await byOwner('POST', `/accounts/${account.id}/api-keys/${keyId}/rotations`)
  assert.deepEqual(await inBoth(third), ['200', '200'])
  const byOld = expectOk(
    await app.api('POST', `/partners/${partner.id}/portal-sessions`, { token: key, body: { kind: 'frame' } }),
  ).body.token
  assert.equal(outcomeOf(await openPortal(byOld)), '200')
  const { items } = await byOwner('GET', `/accounts/${account.id}/api-keys`)
  const former = items.find(({ replacedBy }: { replacedBy: string | null }) => replacedBy)
  await byOwner('DELETE', `/accounts/${account.id}/api-keys/${former.id}`)
  assert.deepEqual(
    [...(await inBoth(byOld)), ...(await inBoth(third))],
    ['401 portal_ended', '401 portal_ended', '200', '200'],
  )
  await byOwner('DELETE', `/accounts/${account.id}/api-keys/${rotated.id}`)
  assert.deepEqual(await inBoth(third), ['401 portal_ended', '401 portal_ended'])
})

test('while the account is disabled its sessions and links say so, with whom to contact, and afterwards work on', async () => {
  const { account, open, make } = await aPortal()
  const use = (token: string) => app.api('POST', '/auth/portal', { body: { token } })
  const inFrame = await open()
  const link = tokenInLink(expectOk(await make('link')).body.url)
  const used = tokenInLink(expectOk(await make('link')).body.url)
  const byLink = expectOk(await use(used)).body.accessToken
  const admin = async (what: string) => {
    const { token } = await signIn(app, ADMINISTRATOR.email, ADMINISTRATOR.password)
    return app.api('POST', `/accounts/${account.id}/${what}`, { token })
  }
  expectOk(await admin('disable'))
  assert.deepEqual(await inBoth(inFrame), ['403 account_disabled', '403 account_disabled'])
  const read = (token: string) => app.api('GET', `/accounts/${account.id}`, { token })
  for (const reply of [await read(inFrame), await read(byLink), await use(link)]) {
    assert.equal(outcomeOf(reply), '403 account_disabled')
    assert.equal(reply.body.error.code, 'account_disabled')
    assert.deepEqual(reply.body.error.details, { supportEmail: 'root@install.example' })
  }
  // a token that is none learns nothing
  assert.equal(outcomeOf(await use(used)), '401 portal_ended')
  assert.equal(outcomeOf(await openPortal(`${inFrame.slice(0, -4)}AAAA`)), '401 sign_in_first')

  app.clock.advance(MINUTE / 2)
  expectOk(await admin('enable'))
  assert.deepEqual([...(await inBoth(inFrame)), ...(await inBoth(byLink))], ['200', '200', '200', '200'])
  assert.equal(outcomeOf(await use(link)), '200')

  expectOk(await admin('disable'))
  app.clock.advance(60 * MINUTE)
  assert.deepEqual(await inBoth(inFrame), ['403 account_disabled', '403 account_disabled'])
  expectOk(await admin('enable'))
  assert.deepEqual(await inBoth(inFrame), ['401 portal_ended', '401 portal_ended'])
})

test('the twenty-first session of a partner ends the first, also when many are opened at once', async () => {
  const { open, account } = await aPortal()
  const sessions: string[] = []
  for (let at = 0; at < 21; at++) sessions.push(await open())
  const live = async () => Promise.all(sessions.map(async (token) => outcomeOf(await openPortal(token)) === '200'))
  assert.deepEqual(await live(), [false, ...Array(20).fill(true)])
  await Promise.all(Array.from({ length: 8 }, async () => sessions.push(await open())))
  assert.equal((await live()).filter(Boolean).length, 20)
  const { count } = await app.services.db.one<{ count: number }>`
    select count(*) as count from portal_sessions where account_id = ${account.id} and ended_at is null`
  assert.equal(count, 20)
})

test('a link opens one session, once, within a minute; of two processes at the same time one gets it', async () => {
  const { partner, make, byOwner } = await aPortal()
  const linkOf = async () => {
    const { body } = expectOk(await make('link'))
    assert.equal(body.token, null)
    return tokenInLink(body.url)
  }
  const use = (token: string, on = app) => on.api('POST', '/auth/portal', { body: { token } })
  const link = await linkOf()
  assert.match(link, /^tpl_/)
  assert.equal(outcomeOf(await openPortal(link)), '401 sign_in_first')
  const both = await Promise.all([use(link), use(link, twin), use(link), use(link, twin)])
  assert.deepEqual(both.map(outcomeOf).toSorted(), ['200', ...Array(3).fill('401 portal_ended')])
  const opened = both.find(({ status }) => status === 200)!.body
  assert.match(opened.accessToken, /^tpp_/)
  assert.deepEqual(await inBoth(opened.accessToken), ['200', '200'])
  // a token of one purpose is none of another
  assert.equal(outcomeOf(await use(opened.accessToken)), '401 portal_ended')

  const late = await linkOf()
  app.clock.advance(MINUTE)
  assert.equal(outcomeOf(await use(late)), '401 portal_ended')
  const gone = await linkOf()
  await byOwner('POST', `/partners/${partner.id}/archive`, {})
  await byOwner('PUT', `/partners/${partner.id}`, { state: 'active' })
  assert.equal(outcomeOf(await use(gone)), '401 portal_ended')
})

test('in a portal nobody reads bank details or the e-mail that somebody signed up with', async () => {
  const email = anEmail('secret-canary')
  const { account, partner, open, byOwner } = await aPortal({}, { email, sendInvitation: true })
  const { url } = await byOwner('GET', `/partners/${partner.id}/invitation`)
  const session = await acceptInvitation(app, url)
  const { body: me } = expectOk(await app.api('GET', `/partners/${partner.id}`, { token: session.token }))
  assert.equal(me.email, email)
  const token = await open()
  const { body } = expectOk(await app.api('GET', `/partners/${partner.id}`, { token }))
  assert.deepEqual([body.email, body.displayName, body.invitationStatus], [null, 'Pia Tern', 'accepted'])
  const { supportEmail, displayName } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token })).body
  assert.deepEqual([supportEmail, displayName], [null, 'Northwind'])
  // without a name, an account is called by its owner's e-mail elsewhere
  await byOwner('PATCH', `/accounts/${account.id}`, { name: null })
  const nameless = expectOk(await app.api('GET', `/accounts/${account.id}`, { token })).body
  assert.equal(nameless.displayName, '(Anonymous account)')
  assert.ok(!JSON.stringify(nameless).includes(account.ownerEmail))
  const lead = await byOwner('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email: anEmail() })
  await byOwner('PATCH', `/accounts/${account.id}`, { defaultCommissionSettings: { layerRates: [10] } })
  await byOwner('POST', `/leads/${lead.id}/sales`, { amount: 1000 })
  const inPortal = async (path: string) => expectOk(await app.api('GET', path, { token })).body
  const [entry] = (await inPortal(`/partners/${partner.id}/commissions`)).items
  for (const path of [`/partners/${partner.id}/terms`, `/commissions/${entry.id}`])
    assert.ok(!JSON.stringify(await inPortal(path)).includes(account.ownerEmail), path)
})

test('a partner asks in the portal for their invitation, and submits leads where that is on, by the portal', async () => {
  const { account, partner, keyId, open, byOwner } = await aPortal(
    { partnerLeadSubmission: true },
    { sendInvitation: false },
  )
  const token = await open()
  const invite = () => app.api('POST', `/partners/${partner.id}/invitation/retries`, { token })
  const { body: invitation } = expectOk(await invite())
  assert.deepEqual([invitation.url ?? null, invitation.lastError, invitation.sendCount], [null, null, 1])
  assert.equal(outcomeOf(await invite()), '429 just_sent')
  const body = { firstName: 'Lee', email: anEmail('lead') }
  const { lead } = expectOk(await app.api('POST', `/partners/${partner.id}/leads`, { token, body })).body
  const { items } = await byOwner('GET', `/accounts/${account.id}/audit?subjectId=${lead.id}`)
  assert.deepEqual([items[0].actor.type, items[0].actor.id], ['portal', keyId])
  const timeline = await byOwner('GET', `/leads/${lead.id}/events`)
  assert.match(JSON.stringify(timeline.items), /Portal: App /)
  await byOwner('PUT', `/partners/${partner.id}`, { state: 'suspended', reason: 'Review' })
  assert.equal(
    outcomeOf(await app.api('POST', `/partners/${partner.id}/leads`, { token, body: { email: anEmail() } })),
    '409 partner_inactive',
  )
})

test('stored frame hosts that are no names change nothing of a portal’s policy', async () => {
  const { account, byOwner } = await aPortal()
  const { publicId } = await byOwner('GET', `/accounts/${account.id}`)
  const odd = ['x; script-src *', '*', 'a\r\nx-evil: 1', "'self'", 'пример', 'app.acme.example', 'https://evil.example']
  await app.services.db.run`update accounts set frame_hosts = ${odd}::text[] where id = ${account.id}`
  const { status, headers } = await fetch(`${app.url}/portal/${publicId}`)
  const ancestors = 'https://app.acme.example'
  assert.deepEqual(
    [status, headers.get('content-security-policy')],
    [200, contentSecurityPolicy({ 'frame-ancestors': ancestors })],
  )
})

test('only the portal of an account with frame hosts is framed, by these alone; every process hears a change', async () => {
  const local = await startApp({ db: app.services.db, config: { secretKey, allowPrivateWebhookTargets: true } })
  const { account, byOwner } = await aPortal()
  const { publicId } = await byOwner('GET', `/accounts/${account.id}`)
  const policy = async (path: string, on = app) => {
    const { headers } = await fetch(`${on.url}${path}`)
    assert.equal(headers.get('set-cookie'), null)
    return /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy')!)![1]
  }
  const save = (frameHosts: string[], on = app) =>
    on.api('PUT', `/accounts/${account.id}/brand`, { token: account.token, body: { frameHosts } })
  const portal = `/portal/${publicId}`
  assert.equal(await policy(portal), "'none'")
  assert.equal(await policy(portal, twin), "'none'")
  const { body } = expectOk(await save(['App.Acme.example', 'shop.acme.example', 'app.acme.example']))
  assert.deepEqual(body, {
    ...{ logoUrl: null, coverUrl: null, accent: null, host: null, portalUrl: app.url },
    frameHosts: ['app.acme.example', 'shop.acme.example'],
  })
  const wanted = 'https://app.acme.example https://shop.acme.example'
  assert.equal(await policy(portal), wanted)
  await waitUntil(async () => (await policy(portal, twin)) === wanted, 5000)
  const headers = (await fetch(`${app.url}${portal}`, { headers: { 'if-none-match': '*' } })).headers
  assert.equal(headers.get('cache-control'), 'no-store')
  for (const path of [
    `${portal}/`,
    `${portal}/x`,
    '/portal',
    '/portal/unknown-one',
    '/dashboard',
    '/auth/sign-in',
    '/',
  ])
    assert.equal(await policy(path), "'none'", path)
  for (const host of ['acme', '*.acme.example', 'https://acme.example', 'a.example:8443', "a.example 'self'", 'null'])
    assert.equal((await save([host])).body.error.fields['frameHosts.0'], 'Enter a domain such as app.example.com')
  assert.equal((await save(Array.from({ length: 11 }, (_, at) => `a${at}.example`))).status, 422)
  assert.equal(outcomeOf(await save(['a.example', 'localhost:8080'])), '422 host_is_local')
  expectOk(await save(['localhost:8080'], local))
  assert.equal(await policy(portal, local), 'http://localhost:8080')
  await waitUntil(async () => (await policy(portal)) === "'none'", 5000)
  await waitUntil(async () => (await policy(portal, twin)) === "'none'", 5000)
})
