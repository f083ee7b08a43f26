import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { workOff } from '../../../demo/drain-jobs.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  type Reply,
  startApp,
  type TestAccount,
  tokenInLink,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram } from '../../../test/support/applications.ts'
import { Authenticator } from '../../../test/support/authenticator.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { runClock, sendAllMails } from '../../../test/support/mailed.ts'
import { aHostName, atHost, setHost } from '../../../test/support/own-host.ts'
import { bankDetails } from '../../../test/support/payouts.ts'
import { aPicture, base64 } from '../../../test/support/pictures.ts'
import { listSavedMails } from '../../../test/support/saved-mails.ts'
import { unsubscribeUrl } from '../../integrations/mail/unsubscribe.ts'
import { findMailPreferences } from '../auth/me.ts'

const app = await startApp({ clock: turnableClock(), config: { secretKey: randomBytes(32) } })
const { db } = app.services

const elements = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const embedConfig = Object.fromEntries(
  elements.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]),
)

const outcomeOf = ({ status, body }: Reply) => (body?.error ? `${status} ${body.error.reason}` : `${status}`)

/** An account with its own host in this state, a link, a page, a picture and a partner. */
async function aProgram(state: string | null = 'ready') {
  const account: TestAccount = await anAccount(app, { name: 'Northwind', invitationsFromPartners: true })
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  await call('PUT', `/accounts/${account.id}/embed-code`, { config: embedConfig })
  const slug = await openProgram(app, account, { headline: `Join ${account.id}` })
  const blueprint = await aBlueprint(app, account)
  await call('PUT', `/accounts/${account.id}/brand`, { logo: base64(aPicture()), accent: '#0e7c86' })
  const partner = await aPartner(app, account, { referralCode: 'pia' }, { signIn: true })
  const { publicId } = await call('GET', `/accounts/${account.id}`)
  const name = aHostName()
  if (state) await setHost(app, account.id, name, state)
  const { logoUrl } = await call('GET', `/accounts/${account.id}/brand`)
  const shortLink = `/r/${blueprint.key}/pia`
  const file = new URL(logoUrl).pathname
  return { account, call, slug, partner, publicId, name, shortLink, file, host: atHost(app, name) }
}

test('screens before sign-in ask for the account’s language at its own host', async () => {
  const { account, host, call } = await aProgram()
  const readWords = async (get: typeof host.get) => {
    const { headers, text } = await get('/words/before/und.json')
    return [headers.get('content-language'), Object.keys(JSON.parse(text)).length > 0]
  }
  assert.deepEqual(await readWords(host.get), ['en', false])
  await call('PATCH', `/accounts/${account.id}`, { language: 'pt-BR' })
  assert.deepEqual(await readWords(host.get), ['pt-BR', true])
  assert.deepEqual(await readWords(atHost(app, new URL(app.url).host).get), ['en', false])
})

test('at an account’s own host its things are answered, and another account’s are not found', async () => {
  const [mine, other] = [await aProgram(), await aProgram()]
  const { host } = mine
  const statuses = async ({ slug, shortLink, file, publicId }: typeof mine) => {
    const paths = [shortLink, `/join/${slug}`, `/join/${slug}/agreement`, file, `/embed/${publicId}.js`]
    // once more from memory, by the way around the router
    const all = [...paths, shortLink, `/api/v1/brand?account=${publicId}`]
    return Promise.all(all.map(async (path) => (await host.get(path)).status))
  }
  for (let again = 0; again < 2; again++) {
    assert.deepEqual(await statuses(mine), [302, 200, 404, 200, 200, 302, 200])
    assert.deepEqual(await statuses(other), Array(7).fill(404))
  }
  assert.equal((await host.get(`/portal/${other.publicId}`)).status, 404)
  assert.equal((await host.post(`/join/${other.slug}`, anApplicant())).status, 404)
  for (const path of ['/mcp', '/metrics', '/hooks/in/some']) assert.equal((await host.get(path)).status, 404, path)
  const encoded = ['/%6dcp', '/%6Detrics', '/%68ooks/in/some', `/%65mbed/${other.publicId}.js`]
  for (const path of [...encoded, `/%70ortal/${other.publicId}`, `/embed/${other.publicId}%2ejs`])
    assert.equal((await host.get(path)).status, 404, path)
  assert.equal((await host.get(`/%65mbed/${mine.publicId}%2ejs`)).status, 200)
  assert.equal((await host.get('/%')).status, 400)

  // APP_URL and names that are no account's answer everything, as ever
  for (const name of [new URL(app.url).host, 'unknown.example', '127.0.0.1:9'])
    for (const { shortLink, slug, file } of [mine, other]) {
      const elsewhere = atHost(app, name)
      assert.equal((await elsewhere.get(shortLink)).status, 302)
      assert.equal((await elsewhere.get(`/join/${slug}`)).status, 200)
      assert.equal((await elsewhere.get(file)).status, 200)
    }
  assert.equal((await host.get('/health/live')).status, 200)

  const keyOf = async ({ account, call }: typeof mine) =>
    (await call('POST', `/accounts/${account.id}/api-keys`, { name: 'App', rights: ['read', 'push', 'partners'] })).key
  const bothStatuses = async (world: typeof mine) =>
    outcomeOf(await host.api('GET', `/accounts/${world.account.id}`, { token: await keyOf(world) }))
  assert.deepEqual([await bothStatuses(mine), await bothStatuses(other)], ['200', '401 sign_in_first'])
})

test('the root of a host is the program page, or leads to the sign-in while there is none', async () => {
  const { host, account, call, slug, name } = await aProgram()
  const page = await host.get('/')
  assert.equal(page.status, 200)
  assert.match(page.text, new RegExp(`<h1>Join ${account.id}</h1>`))
  assert.ok(page.text.includes(`<link rel="canonical" href="https://${name}/join/${slug}">`))
  assert.ok(page.text.includes(`href="https://${name}/auth/sign-in"`))
  assert.ok(!page.text.includes(app.url))
  assert.match(page.headers.get('content-security-policy')!, /img-src 'self'/)
  assert.equal(page.headers.get('strict-transport-security'), 'max-age=31536000')
  assert.equal((await host.get('/', 'HEAD')).status, 200)
  const appUrl = atHost(app, new URL(app.url).host)
  assert.ok(!(await appUrl.get('/')).text.includes(account.id))
  assert.equal((await appUrl.get('/')).headers.get('strict-transport-security'), null)
  assert.ok((await appUrl.get(`/join/${slug}`)).text.includes(`href="https://${name}/join/${slug}"`))

  const brand = expectOk(await host.api('GET', '/brand')).body
  const { file } = { file: new URL(brand.logoUrl) }
  assert.deepEqual(
    [brand.displayName, brand.accent, brand.programUrl, brand.signInUrl, file.origin],
    ['Northwind', '#0e7c86', `https://${name}/join/${slug}`, `https://${name}/auth/sign-in`, `https://${name}`],
  )
  assert.equal(outcomeOf(await app.api('GET', '/brand')), '404 not_found')

  await call('PUT', `/accounts/${account.id}/program`, { state: 'off' })
  const { status, headers } = await host.get('/')
  assert.deepEqual([status, headers.get('location')], [302, '/auth/sign-in'])
})

test('a given-up host leads on to what was given out with it, and answers nothing else', async () => {
  const { host, shortLink, slug, file, account, name, partner } = await aProgram('given-up')
  for (const [path, status] of [
    [shortLink, 302],
    [`/join/${slug}`, 200],
    [file, 200],
    ['/health/live', 200],
    ['/', 404],
    ['/auth/sign-in', 404],
    ['/api/v1/brand', 404],
  ] as const)
    assert.equal((await host.get(path)).status, status, path)
  for (const path of ['/join/confirm', '/user-setup', '/auth/reset-password', '/mail/unsubscribe/some']) {
    const { status, headers } = await host.get(path)
    assert.deepEqual([status, headers.get('location')], [302, `${app.url}${path}`])
  }
  const { id } = await db.one<{ id: string }>`select id from users where email = ${partner.email}`
  const link = new URL(unsubscribeUrl(`https://${name}`, app.services.secrets, { userId: id, group: 'news' }))
  assert.equal((await host.get(link.pathname, 'POST')).status, 200)
  assert.equal((await findMailPreferences(db, id))?.news, false)
  const page = (await host.get(`/join/${slug}`)).text
  assert.ok(page.includes(`<link rel="canonical" href="${app.url}/join/${slug}">`))
  assert.ok(!page.includes(name))
  const next = aHostName()
  await setHost(app, account.id, next)
  await waitUntil(
    async () => (await host.get('/join/confirm')).headers.get('location') === `https://${next}/join/confirm`,
  )
})

test('a session of a host is partner of its account alone, wherever it is used, refreshed or begun anew', async () => {
  const [mine, other] = [await aProgram(), await aProgram()]
  const { account, partner, host } = mine
  const { userId } = await db.one<{ userId: string }>`select user_id from partners where id = ${partner.id}`
  await db.run`
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    values (${userId}, 'account-owner', ${account.id}, null, now()), (${userId}, 'admin', null, null, now()),
      (${userId}, 'account-owner', ${other.account.id}, null, now()),
      (${userId}, 'partner', ${other.account.id}, ${other.partner.id}, now())`
  await db.run`update accounts set require_second_factor = 'team' where id = ${other.account.id}`
  const session = await host.signIn(partner.email)
  const rolesOf = (roles: { type: string; accountId?: string }[]) => roles.map((role) => [role.type, role.accountId])
  const isLimited = async (token: string) => {
    for (const api of [app.api, host.api]) {
      const me = expectOk(await api('GET', '/users/me', { token })).body
      assert.deepEqual([rolesOf(me.roles), me.appUrl], [[['partner', account.id]], app.url])
      assert.deepEqual(
        [me.secondFactor, (await api('GET', '/users/me/second-factor', { token })).body.requiredBy],
        ['off', []],
      )
      for (const [call, outcome] of Object.entries({
        [`GET /partners/${partner.id}`]: '200',
        [`GET /accounts/${account.id}`]: '200',
        [`GET /accounts/${account.id}/partners`]: '403 role_not_allowed',
        [`PATCH /accounts/${account.id}`]: '403 role_not_allowed',
        [`GET /accounts/${other.account.id}`]: '404 not_found',
        [`GET /partners/${other.partner.id}`]: '404 not_found',
        'GET /accounts': '403 role_not_allowed',
        'GET /admin/system': '403 role_not_allowed',
        'GET /users/me/tokens': '403 only_at_app_url',
        'POST /users/me/tokens': '403 only_at_app_url',
        [`DELETE /users/me/tokens/${account.id}`]: '403 only_at_app_url',
      })) {
        const [method = '', path = ''] = call.split(' ')
        const body = method === 'GET' ? undefined : { name: 'Assistant' }
        assert.equal(outcomeOf(await api(method, path, { token, body })), outcome, call)
      }
    }
  }
  await isLimited(session.token)
  const refreshed = expectOk(
    await app.api('POST', '/auth/refresh', { body: { refreshToken: session.refreshToken } }),
  ).body
  await isLimited(refreshed.accessToken)

  // the whole session of the same person, used here
  const whole = expectOk(
    await app.api('POST', '/auth/sign-in', { body: { email: partner.email, password: 'copper-meadow-71-sail' } }),
  )
  const here = expectOk(await host.api('GET', '/users/me', { token: whole.body.accessToken })).body
  assert.deepEqual([here.roles.length, here.appUrl], [1, app.url])
  const there = expectOk(await app.api('GET', '/users/me', { token: whole.body.accessToken })).body
  assert.deepEqual([there.roles.length, there.appUrl], [5, null])

  const changed = await app.api('POST', '/auth/change-password', {
    token: refreshed.accessToken,
    body: { password: 'velvet-canyon-58-drum', currentPassword: 'copper-meadow-71-sail' },
  })
  await isLimited(expectOk(changed).body.accessToken)

  for (const [path, body] of [
    ['/auth/oidc', { binding: 'a'.repeat(43) }],
    ['/auth/oidc/sign-in', { code: 'a', state: 'b', secret: 'a'.repeat(43) }],
  ] as const)
    assert.equal(outcomeOf(await host.api('POST', path, { body })), '403 only_at_app_url')
  assert.equal((await host.api('GET', '/auth/methods')).body.passkeys, true)
})

test('an owner who signs in at a host has no role there; invitations as something else than its partner are for APP_URL', async () => {
  const { account, host, call } = await aProgram()
  const owner = await host.signIn(account.ownerEmail)
  const me = expectOk(await host.api('GET', '/users/me', { token: owner.token })).body
  assert.deepEqual([me.roles, me.appUrl], [[], app.url])

  const email = anEmail('both')
  const partner = await aPartner(app, account, { email })
  const member = await call('POST', `/accounts/${account.id}/members`, { email, role: 'finance' })
  const { url } = await call('GET', `/partners/${partner.id}/invitation`)
  const invited = expectOk(
    await host.api('POST', '/auth/change-password', {
      token: tokenInLink(url),
      body: { password: 'copper-meadow-71-sail' },
    }),
  )
  const token = invited.body.accessToken
  assert.deepEqual(expectOk(await host.api('GET', '/users/me', { token })).body.roles.length, 1)
  const accepted = (api: typeof app.api) =>
    api('POST', '/auth/user-setup/accept', { token, body: { token: tokenInLink(member.url) } })
  assert.equal(outcomeOf(await accepted(host.api)), '403 only_at_app_url')
  assert.equal(outcomeOf(await accepted(app.api)), '403 only_at_app_url')
})

test('while a host is ready, all that partners and strangers are given begins with it, and with APP_URL before and after', async () => {
  // daily mails are sent in the morning, at whatever time this runs
  app.clock.advance(86_400_000 - (app.clock.now().getTime() % 86_400_000) + 12 * 3_600_000)
  const program = await aProgram(null)
  const { account, call, slug, partner, name } = program
  const collectTexts = async () => {
    app.clock.advance(86_400_000)
    Object.assign(account, await signInAgain(account.ownerEmail))
    const [email, invitedEmail, rejected] = [anEmail('applies'), anEmail('invited'), anEmail('rejected')]
    const before = new Set((await listSavedMails(app)).map(({ name }) => name))
    const texts: string[] = []
    const page = async (path: string) => {
      const { text } = await atHost(app, new URL(app.url).host).get(path)
      texts.push(text)
      return text
    }
    const at = atHost(app, new URL(app.url).host)
    for (const applicant of [email, rejected]) {
      const html = await page(`/join/${slug}`)
      const form = anApplicant({
        email: applicant,
        issued: hiddenIn(html, 'issued'),
        agreement: hiddenIn(html, 'agreement'),
      })
      assert.equal((await at.post(`/join/${slug}`, form)).status, 303)
    }
    await page(`/join/${slug}/thanks`)
    await workOff(app.services)
    const { items } = await call('GET', `/accounts/${account.id}/applications?status=waiting,unconfirmed`)
    const idOf = (of: string) => items.find((one: { email: string }) => one.email === of).id
    const decide = (body: object) => call('POST', `/accounts/${account.id}/applications/decisions`, body)
    await decide({ ids: [idOf(email)], decision: 'approve' })
    await decide({ ids: [idOf(rejected)], decision: 'reject', reason: 'not-a-fit' })
    const invited = await aPartner(app, account, { email: invitedEmail })
    const { url } = await call('GET', `/partners/${invited.id}/invitation`)
    texts.push(url)
    const { token } = await acceptInvitation(app, url)
    await call('POST', `/partners/${invited.id}/payout-settings`, bankDetails({}), token)
    await call('POST', `/partners/${invited.id}/payout-settings`, bankDetails({ accountNumber: '987650001111' }), token)
    await call('POST', '/auth/reset-password', { email: invitedEmail })
    const lead = await call('POST', `/accounts/${account.id}/leads`, { partnerId: invited.id, email: anEmail('lead') })
    await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
    await call('POST', `/accounts/${account.id}/agreement`, { text: `Be kind to ${email}.`, changes: 'Kinder.' })
    for (const path of [`/partners/${invited.id}/links`, `/accounts/${account.id}`, `/partners/${invited.id}/assets`])
      texts.push(JSON.stringify(await call('GET', path, undefined, token)))
    for (const path of ['brand', 'program', 'assets'])
      texts.push(JSON.stringify({ ...(await call('GET', `/accounts/${account.id}/${path}`)), host: null }))
    await sendAllMails(app)
    await sendAllMails(app, 61)
    await runClock(app, 'mails-of-the-day')
    await sendAllMails(app)
    const mails = (await listSavedMails(app)).filter((mail) => !before.has(mail.name))
    const theirs = mails.filter(({ to }) =>
      [email, invitedEmail, rejected, partner.email].some((one) => to.includes(one)),
    )
    return {
      texts,
      mails: theirs,
      kinds: [...new Set(theirs.map(({ name }) => name.replace(/-[0-9a-f]{8}-.*/, '')))].toSorted(),
    }
  }
  const signInAgain = async (email: string) => {
    const { body } = expectOk(
      await app.api('POST', '/auth/sign-in', { body: { email, password: 'copper-meadow-71-sail' } }),
    )
    return { token: body.accessToken }
  }
  const asset = { kind: 'image', name: 'Banner', image: base64(aPicture()), alt: 'Banner' }
  await call('POST', `/accounts/${account.id}/assets`, asset)
  await call('PATCH', `/accounts/${account.id}`, { defaultCommissionSettings: { layerRates: [10] } })

  const speaksOf = async (origin: string, never: string) => {
    const { texts, mails, kinds } = await collectTexts()
    assert.deepEqual(kinds, [
      'agreement-published',
      'application-rejected',
      'invitation',
      'password-reset',
      'payout-settings',
      'sale-credited',
    ])
    for (const text of [...texts, ...mails.map(({ raw, text, html }) => raw + text + html)]) {
      assert.ok(!text.includes(never), text)
      assert.ok(text.includes(origin) || text.includes('Thank you for your interest'), text)
    }
  }
  const host = `https://${name}`
  await speaksOf(app.url, host)
  await setHost(app, account.id, name)
  await speaksOf(host, app.url)
  await setHost(app, account.id, name, 'attention')
  await speaksOf(app.url, host)
})

test('a passkey works at the host where it was made, while the host is ready', async () => {
  const { account, partner, name, host } = await aProgram()
  const { token } = await host.signIn(partner.email)
  const optionsAt = async (at: typeof host) => at.api('POST', '/auth/passkeys/options')
  const key = new Authenticator(`https://${name}`)
  const { challenge, rp } = expectOk(await host.api('POST', '/users/me/passkeys/options', { token })).body
  assert.equal(rp.id, name)
  const made = await host.api('POST', '/users/me/passkeys', {
    ...{ token, body: { name: 'Laptop', credential: key.create(challenge) } },
  })
  assert.equal(outcomeOf(made), '201')
  const signInAt = async (at: typeof host, odd = {}) => {
    const { body } = await optionsAt(at)
    return at.api('POST', '/auth/sign-in/passkey', { body: { credential: key.get(body.challenge, odd) } })
  }
  const session = expectOk(await signInAt(host)).body
  const { roles } = expectOk(await host.api('GET', '/users/me', { token: session.accessToken })).body
  assert.deepEqual(
    roles.map(({ partnerId }: { partnerId?: string }) => partnerId),
    [partner.id],
  )
  const other = await aProgram()
  assert.equal(outcomeOf(await signInAt(other.host)), '401 passkey_wrong')
  const lying = { origin: `https://${other.name}`, rpId: other.name }
  assert.equal(outcomeOf(await signInAt(other.host, lying)), '401 passkey_wrong')

  await setHost(app, account.id, name, 'attention')
  assert.equal(outcomeOf(await optionsAt(host)), '409 passkeys_unavailable')
  await setHost(app, account.id, name)
  assert.equal(outcomeOf(await signInAt(host)), '200')
})
