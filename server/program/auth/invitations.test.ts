import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  signIn,
  startApp,
  tokenInLink,
  turnableClock,
  waitUntil,
} from '../../../test/support/app.ts'
import { totpCode } from '../../../test/support/authenticator.ts'
import { findSavedMail, listSavedMails } from '../../../test/support/saved-mails.ts'
import { sendMail } from '../../integrations/mail/jobs.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { makeInvitationLinks } from './invitations.ts'
import { grantAdministration } from './users.ts'

const MINUTE = 60_000
const DAY = 86_400_000

const clock = turnableClock()
const app = await startApp({ clock, worker: true })
const account = await anAccount(app, { invitationsFromPartners: true })
const owner = async () => (await signIn(app, account.ownerEmail)).token

const get = (path: string, token: string) => app.api('GET', path, { token })
const post = (path: string, token: string | null, body?: object) => app.api('POST', path, { token, body })
const rolesOf = async (token: string) => expectOk(await get('/users/me', token)).body.roles
const setup = (url: string) => get('/auth/user-setup', tokenInLink(url))
const changeWith = (url: string) => post('/auth/change-password', tokenInLink(url), { password: PASSWORD })

/** A new user, who owns an account. */
async function aUser() {
  const { ownerEmail, token } = await anAccount(app)
  return { email: ownerEmail, token }
}

test('a new partner sets a password by the link and has the role from then on', async () => {
  const partner = await aPartner(app, account, { firstName: 'Pia', lastName: 'Tern' })
  assert.deepEqual([partner.state, partner.invitationStatus], ['invited', 'pending'])
  const invitation = expectOk(await get(`/partners/${partner.id}/invitation`, account.token)).body
  assert.deepEqual(
    { ...invitation, expiresAt: null },
    {
      status: 'pending',
      sentAt: null,
      expiresAt: null,
      acceptedAt: null,
      sendCount: 1,
      lastError: null,
      mailed: false,
      url: invitation.url,
    },
  )
  assert.ok(invitation.url.startsWith(`${app.url}/user-setup#token=`))

  assert.deepEqual(expectOk(await setup(invitation.url)).body, {
    email: partner.email,
    firstName: 'Pia',
    lastName: 'Tern',
    accountName: 'Northwind',
    invitedBy: 'Nora Wind',
    status: 'valid',
  })
  assert.equal(expectOk(await get(`/partners/${partner.id}/invitation`, account.token)).body.status, 'opened')

  const { token } = await acceptInvitation(app, invitation.url)
  assert.deepEqual(await rolesOf(token), [
    { type: 'partner', partnerId: partner.id, accountId: account.id, accountName: 'Northwind' },
  ])
  const accepted = expectOk(await get(`/partners/${partner.id}/invitation`, account.token)).body
  assert.deepEqual([accepted.status, accepted.url], ['accepted', null])
  assert.ok(accepted.acceptedAt)
  assert.equal(expectOk(await get(`/partners/${partner.id}`, account.token)).body.state, 'active')

  const used = await changeWith(invitation.url)
  assert.deepEqual([used.status, used.body.error.code], [401, 'token_expired'])
  const seen = expectOk(await setup(invitation.url)).body
  assert.deepEqual([seen.status, seen.email, seen.accountName], ['used', null, null])
  assert.equal(
    (await post(`/partners/${partner.id}/invitation/retries`, account.token)).body.error.code,
    'invalid_state',
  )
  const revoking = await app.api('DELETE', `/partners/${partner.id}/invitation`, { token: account.token })
  assert.equal(revoking.body.error.code, 'invalid_state')
})

/** Text of an invitation to a person with a password; their first one was different. */
const FOR_A_USER = /Sign in with this email address/

test('an existing user accepts while signed in, and nobody else can', async () => {
  const user = await aUser()
  const stranger = await aUser()
  const partner = await aPartner(app, account, { email: user.email })
  const invitation = expectOk(await get(`/partners/${partner.id}/invitation`, account.token)).body
  assert.equal(invitation.url, null)
  const { link } = await findSavedMail(app, 'invitation', user.email, FOR_A_USER)

  const seen = expectOk(await setup(link!)).body
  assert.deepEqual([seen.status, seen.email, seen.accountName], ['existing-user', user.email, 'Northwind'])
  const refused = await changeWith(link!)
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
  for (const token of [stranger.token, account.token]) {
    const reply = await post('/auth/user-setup/accept', token, { token: tokenInLink(link!) })
    assert.deepEqual([reply.status, reply.body.error.code], [403, 'forbidden'])
  }
  assert.equal((await post('/auth/user-setup/accept', null, { token: tokenInLink(link!) })).status, 401)

  const accepting = await post('/auth/user-setup/accept', user.token, { token: tokenInLink(link!) })
  const role = { type: 'partner', partnerId: partner.id, accountId: account.id, accountName: 'Northwind' }
  assert.deepEqual(
    expectOk(accepting).body.roles.find((mine: { type: string }) => mine.type === 'partner'),
    role,
  )
  const again = await post('/auth/user-setup/accept', user.token, { token: tokenInLink(link!) })
  assert.deepEqual(again.body, accepting.body)
  assert.equal((await rolesOf(user.token)).length, 2)
  assert.equal((await rolesOf(stranger.token)).length, 1)
  expectOk(await post('/auth/sign-in', null, { email: user.email, password: PASSWORD }))
})

test('a person invited twice sets a password once, and signs in to accept the other invitation', async () => {
  const other = await anAccount(app, { name: 'Larkspur' })
  const email = anEmail('twice')
  const first = await aPartner(app, account, { email, firstName: 'first' })
  const { url } = expectOk(await get(`/partners/${first.id}/invitation`, account.token)).body
  const second = await aPartner(app, other, { email, firstName: 'second' })
  const { link } = await findSavedMail(app, 'invitation', email, /Larkspur/)
  for (const [partner, of] of [
    [first, account],
    [second, other],
  ] as const)
    assert.equal(expectOk(await get(`/partners/${partner.id}/invitation`, of.token)).body.url, null)
  const { token } = await acceptInvitation(app, url)
  assert.equal((await changeWith(link!)).body.error.code, 'invalid_state')
  expectOk(await post('/auth/user-setup/accept', token, { token: tokenInLink(link!) }))
  assert.deepEqual((await rolesOf(token)).map((role: { accountName: string }) => role.accountName).sort(), [
    'Larkspur',
    'Northwind',
  ])
})

test('inviting another account’s user can neither take over nor rename them', async () => {
  const admin = await getAdministratorToken(app)
  const email = anEmail('pending')
  const owner = { email, firstName: 'Dana', lastName: 'Delta' }
  const made = expectOk(await post('/accounts', admin, { name: 'Delta', owner })).body
  const { url } = made.ownerInvitation
  assert.ok(url)

  const names = { firstName: 'HACKED', lastName: 'by a neighbor' }
  const partner = await aPartner(app, account, { email, ...names })
  assert.equal(expectOk(await get(`/partners/${partner.id}/invitation`, account.token)).body.url, null)
  expectOk(
    await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { firstName: 'HACKED AGAIN' } }),
  )
  const seen = expectOk(await get(`/accounts/${made.id}`, admin)).body
  assert.deepEqual([seen.owner.firstName, seen.owner.lastName, seen.ownerInvitation.url], ['Dana', 'Delta', url])
  assert.deepEqual([(await setup(url)).body.status, (await setup(url)).body.firstName], ['valid', 'Dana'])
  const mail = await findSavedMail(app, 'invitation', email, /Delta/)
  assert.match(mail.text, /^Hello Dana,/)

  const { token } = await acceptInvitation(app, url)
  const me = expectOk(await get('/users/me', token)).body
  assert.deepEqual([me.firstName, me.lastName, me.roles.length], ['Dana', 'Delta', 1])
})

test('a user set up by a link that an owner could read is shut out by the owner of the mailbox', async () => {
  const email = anEmail('squatted')
  const partner = await aPartner(app, account, { email })
  const { url } = expectOk(await get(`/partners/${partner.id}/invitation`, account.token)).body
  const squatter = await acceptInvitation(app, url, 'crooked-lantern-40-moss')
  expectOk(await app.api('PATCH', '/users/me', { token: squatter.token, body: { firstName: 'Mallory' } }))
  const { secret } = expectOk(await post('/users/me/totp', squatter.token)).body
  const body = { code: totpCode(secret, clock.now()) }
  expectOk(await app.api('PUT', '/users/me/totp', { token: squatter.token, body }))
  const admin = await getAdministratorToken(app)
  const made = expectOk(await post('/accounts', admin, { name: 'Estate', owner: { email, firstName: 'Ester' } })).body
  const { mailed, url: shown } = made.ownerInvitation
  assert.deepEqual([mailed, shown, made.owner.firstName], [false, null, 'Ester'])

  const { link } = await findSavedMail(app, 'invitation', email, /Estate/)
  await post('/auth/reset-password', null, { email })
  const reset = await findSavedMail(app, 'password-reset', email)
  assert.doesNotMatch(reset.text, /sign-in#/)
  const { token } = await acceptInvitation(app, reset.link!)
  expectOk(await post('/auth/user-setup/accept', token, { token: tokenInLink(link!) }))
  assert.equal((await get('/users/me', squatter.token)).status, 401)
  assert.equal((await post('/auth/sign-in', null, { email, password: 'crooked-lantern-40-moss' })).status, 401)
  const { totp, recoveryCodesLeft } = expectOk(await get('/users/me/second-factor', token)).body
  assert.deepEqual([totp, recoveryCodesLeft], [null, 0])
  assert.equal(expectOk(await get(`/accounts/${made.id}`, admin)).body.owner.firstName, 'Ester')
})

test('strangers can neither invalidate a link that was passed on, nor use up its sender’s limit', async () => {
  const token = await owner()
  const partner = await aPartner(app, { ...account, token })
  const path = `/partners/${partner.id}/invitation`
  const { url } = expectOk(await get(path, token)).body
  clock.advance(61_000)
  for (const address of ['/auth/user-setup/retries', '/auth/reset-password'])
    assert.equal((await post(address, null, { email: partner.email })).status, 202)
  const mails = await waitUntil(async () => {
    const mails = (await listSavedMails(app)).filter(({ to }) => to.includes(partner.email))
    return mails.length === 3 && mails
  })
  assert.deepEqual([...new Set(mails.map(({ link }) => link))], [url])
  const before = expectOk(await get(path, token)).body
  assert.deepEqual([before.sendCount, before.url, (await setup(url)).body.status], [1, url, 'valid'])
  assert.equal(expectOk(await post(`${path}/retries`, token)).body.sendCount, 2)
})

test('sending again replaces the link; at most every 60 s, five times a day', async () => {
  let token = await owner()
  const partner = await aPartner(app, { ...account, token })
  const path = `/partners/${partner.id}/invitation`
  const first = expectOk(await get(path, token)).body.url
  const early = await post(`${path}/retries`, token)
  assert.deepEqual([early.status, early.body.error.code], [429, 'rate_limited'])
  assert.ok(Number(early.headers.get('retry-after')) > 50)
  clock.set(new Date(`${new Date(clock.now().getTime() + DAY).toISOString().slice(0, 10)}T08:00:00Z`))
  token = await owner()
  for (let turn = 1; turn <= 5; turn++) {
    const again = expectOk(await post(`${path}/retries`, token)).body
    assert.deepEqual([again.status, again.sendCount], ['pending', turn + 1])
    assert.notEqual(again.url, first)
    clock.advance(61_000)
  }
  const sixth = await post(`${path}/retries`, token)
  assert.equal(sixth.status, 429)
  assert.ok(Number(sixth.headers.get('retry-after')) > 15 * 3600)
  assert.equal((await changeWith(first)).body.error.code, 'token_expired')
  clock.advance(DAY)
  token = await owner()
  const { url } = expectOk(await post(`${path}/retries`, token)).body
  await acceptInvitation(app, url)
})

test('a link expires after seven days; its holder can request a new one by mail', async () => {
  const partner = await aPartner(app, { ...account, token: await owner() })
  const path = `/partners/${partner.id}/invitation`
  const { url } = expectOk(await get(path, await owner())).body
  clock.advance(7 * DAY - MINUTE)
  assert.equal(expectOk(await setup(url)).body.status, 'valid')
  clock.advance(2 * MINUTE)
  const seen = expectOk(await setup(url)).body
  assert.deepEqual([seen.status, seen.email], ['expired', null])
  assert.equal((await changeWith(url)).body.error.code, 'token_expired')
  const stale = expectOk(await get(path, await owner())).body
  assert.deepEqual([stale.status, stale.url], ['expired', null])
  for (const email of [partner.email, 'nobody@nowhere.example'])
    assert.equal((await post('/auth/user-setup/retries', null, { email })).status, 202)
  const token = await owner()
  const again = await waitUntil(async () => {
    const { body } = expectOk(await get(path, token))
    return body.status === 'pending' && body
  })
  assert.equal(again.sendCount, 2)
  await acceptInvitation(app, again.url)
})

test('an operator gets the links of open invitations, renewed if they have expired', async () => {
  const { email, token } = await aUser()
  const print = () => makeInvitationLinks(app.services.db, app.services, email)
  assert.deepEqual(await print(), [])
  const partner = await aPartner(app, { ...account, token: await owner() }, { email })
  const [link, none] = await print()
  assert.deepEqual([link!.accountName, none], ['Northwind', undefined])
  assert.equal(expectOk(await setup(link!.url)).body.status, 'existing-user')

  clock.advance(8 * DAY)
  const [renewed] = await print()
  assert.equal((await setup(link!.url)).status, 401)
  const mine = (await signIn(app, email)).token
  assert.notEqual(mine, token)
  expectOk(await post('/auth/user-setup/accept', mine, { token: tokenInLink(renewed!.url) }))
  assert.equal(expectOk(await get(`/partners/${partner.id}`, await owner())).body.invitationStatus, 'accepted')
  assert.deepEqual(await print(), [])
})

test('a revoked link stops working until the invitation is sent again', async () => {
  const token = await owner()
  const partner = await aPartner(app, { ...account, token })
  const path = `/partners/${partner.id}/invitation`
  const { url } = expectOk(await get(path, token)).body
  for (let turn = 0; turn < 2; turn++) assert.equal((await app.api('DELETE', path, { token })).status, 204)
  assert.deepEqual(
    [expectOk(await get(path, token)).body.status, expectOk(await get(path, token)).body.url],
    ['revoked', null],
  )
  assert.equal(expectOk(await setup(url)).body.status, 'expired')
  assert.equal((await changeWith(url)).status, 401)
  await post('/auth/user-setup/retries', null, { email: partner.email })
  assert.equal(expectOk(await get(path, token)).body.status, 'revoked')
  clock.advance(61_000)
  await acceptInvitation(app, expectOk(await post(`${path}/retries`, token)).body.url)
})

test('sending again invites a partner who was created without an invitation', async () => {
  const token = await owner()
  const partner = await aPartner(app, { ...account, token }, { sendInvitation: false })
  const path = `/partners/${partner.id}/invitation`
  assert.equal((await get(path, token)).status, 404)
  assert.equal((await app.api('DELETE', path, { token })).status, 404)
  await acceptInvitation(app, expectOk(await post(`${path}/retries`, token)).body.url)
})

test('an inviting partner sees the status and can send again, but never sees the link; other partners see nothing', async () => {
  const token = await owner()
  const parent = await aPartner(app, { ...account, token }, {}, { signIn: true })
  const body = { firstName: 'Sub', lastName: 'Tern', email: anEmail('sub') }
  const sub = expectOk(await post(`/partners/${parent.id}/partners`, parent.token, body)).body
  const path = `/partners/${sub.id}/invitation`
  assert.equal(expectOk(await get(path, parent.token)).body.url, null)
  assert.equal((await post(`${path}/retries`, parent.token)).status, 429)
  clock.advance(61_000)
  const again = expectOk(await post(`${path}/retries`, parent.token)).body
  assert.deepEqual([again.sendCount, again.url], [2, null])
  const { url } = expectOk(await get(path, token)).body
  assert.ok(url)

  const others = await aPartner(app, { ...account, token }, {}, { signIn: true })
  const byOwner = await aPartner(app, { ...account, token }, { parentPartnerId: parent.id })
  assert.equal((await get(path, others.token)).status, 404)
  assert.equal((await get(`/partners/${byOwner.id}/invitation`, parent.token)).status, 404)
  assert.equal((await post(`/partners/${byOwner.id}/invitation/retries`, parent.token)).status, 404)
  const foreign = await anAccount(app)
  assert.equal((await get(path, foreign.token)).status, 404)
  assert.equal((await app.api('DELETE', path, { token: parent.token })).status, 204)
  assert.equal((await changeWith(url)).status, 401)
})

test('a partner sends 20 invitations a day', async () => {
  clock.advance(DAY)
  const parent = await aPartner(app, { ...account, token: await owner() }, {}, { signIn: true })
  const inviteOne = () => post(`/partners/${parent.id}/partners`, parent.token, { email: anEmail('many') })
  for (let index = 0; index < 20; index++) assert.equal((await inviteOne()).status, 201)
  const refused = await inviteOne()
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
  assert.ok(refused.headers.get('retry-after'))
})

test('changing an invited e-mail counts as one of the 20 invitations', async () => {
  clock.advance(DAY)
  const parent = await aPartner(app, { ...account, token: await owner() }, {}, { signIn: true })
  const path = `/partners/${parent.id}/partners`
  const subs = []
  for (let index = 0; index < 19; index++)
    subs.push(expectOk(await post(path, parent.token, { email: anEmail('many') })).body.id)
  const correct = (id: string) =>
    app.api('PUT', `/partners/${id}`, { token: parent.token, body: { email: anEmail('new') } })
  expectOk(await correct(subs[0]))
  const refused = await correct(subs[1])
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
  expectOk(await app.api('PUT', `/partners/${subs[1]}`, { token: parent.token, body: { firstName: 'Ann' } }))
})

test('an account mails one address three times a day; further mails follow the next day', async () => {
  clock.set(new Date(`${new Date(clock.now().getTime() + DAY).toISOString().slice(0, 10)}T08:00:00Z`))
  const token = await owner()
  const partner = await aPartner(app, { ...account, token })
  const path = `/partners/${partner.id}/invitation`
  const mailed = async () => (await listSavedMails(app)).filter(({ to }) => to.includes(partner.email)).length
  for (let mails = 1; mails <= 3; mails++) {
    await waitUntil(async () => (await mailed()) === mails)
    clock.advance(61_000)
    expectOk(await post(`${path}/retries`, token))
  }
  const { lastError } = await waitUntil(async () => {
    const { body } = expectOk(await get(path, token))
    return body.lastError && body
  })
  assert.equal(lastError, 'Three emails were sent to this address today. This one will be sent tomorrow.')
  assert.equal(await mailed(), 3)
  const other = await anAccount(app)
  await aPartner(app, other, { email: partner.email })
  await waitUntil(async () => (await mailed()) === 4)

  clock.advance(DAY)
  const { id } = await app.services.db.one<{ id: string }>`select id from invitations where partner_id = ${partner.id}`
  await sendMail(app.services, { kind: 'invitation', id, sendCount: 4 })
  assert.equal(await mailed(), 5)
  assert.equal(expectOk(await get(path, await owner())).body.lastError, null)
})

test('names may not contain addresses, because they appear in mails', async () => {
  const token = await owner()
  const sayings = [
    ...['http://evil.example', 'visit www.evil', 'evil.example/login', 'ｈｔｔｐ://evil'],
    ...['evil.example:8080', 'evil.example?login', 'evil.xn--p1ai#now'],
  ]
  for (const firstName of sayings) {
    const body = { firstName, email: anEmail() }
    const replies = [
      await post(`/accounts/${account.id}/partners`, token, body),
      await app.api('PATCH', '/users/me', { token, body: { firstName } }),
    ]
    for (const { status, body } of replies)
      assert.deepEqual([status, body.error.fields], [422, { firstName: 'Use a name without a web address' }])
  }
  for (const firstName of ['Ann Bcc: x@evil.example', 'x@evil.example', 'mail＠evil.example', 'é@bücher.example']) {
    const { status, body } = await post(`/accounts/${account.id}/partners`, token, { firstName, email: anEmail() })
    assert.deepEqual([status, body.error.fields], [422, { firstName: 'Use a name without an email address' }])
  }
  assert.equal((await app.api('PATCH', `/accounts/${account.id}`, { token, body: { name: 'www.evil' } })).status, 422)
  for (const firstName of [
    'St. John',
    'J.R.',
    "O'Neil-Smith",
    'and/or',
    'Dr.Meyer',
    'Shop.example',
    'Ann @ Home',
    '@ann.b',
  ])
    expectOk(await app.api('PATCH', '/users/me', { token, body: { firstName } }))
})

test("changing a partner's e-mail before acceptance sends the link there, and never touches a sign-in", async () => {
  const token = await owner()
  const user = await aUser()
  const partner = await aPartner(app, { ...account, token })
  const path = `/partners/${partner.id}/invitation`
  const { url: old } = expectOk(await get(path, token)).body
  const email = anEmail('right')
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token, body: { email } }))
  assert.equal((await changeWith(old)).status, 401)
  const { url } = expectOk(await get(path, token)).body
  assert.equal(expectOk(await setup(url)).body.email, email)
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token, body: { email: user.email } }))
  assert.equal((await changeWith(url)).status, 401)
  assert.equal(expectOk(await get(path, token)).body.url, null)
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token, body: { email } }))
  const back = await acceptInvitation(app, expectOk(await get(path, token)).body.url)
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token, body: { email: anEmail('later') } }))
  assert.equal(expectOk(await get('/users/me', back.token)).body.email, email)
})

test("an account's owner is shown before they accept, and has the role afterwards", async () => {
  const admin = await getAdministratorToken(app)
  const email = anEmail('boss')
  const made = expectOk(await post('/accounts', admin, { name: 'Foxglove', owner: { email, firstName: 'Bo' } })).body
  assert.deepEqual([made.ownerInvitation.status, made.owner.email, made.owner.roles], ['pending', email, []])
  assert.equal(expectOk(await get(`/accounts/${made.id}/owner`, admin)).body.email, email)
  const { token } = await acceptInvitation(app, made.ownerInvitation.url)
  assert.deepEqual(await rolesOf(token), [{ type: 'account-owner', accountId: made.id, accountName: 'Foxglove' }])
  assert.equal(expectOk(await get(`/accounts/${made.id}`, admin)).body.ownerInvitation, null)
  assert.equal(expectOk(await get(`/accounts/${made.id}`, token)).body.ownerInvitation, null)
  assert.equal((await post(`/accounts/${made.id}/owner/invitation/retries`, admin)).body.error.code, 'invalid_state')
})

test('an account without an owner returns 404 until one is assigned', async () => {
  const admin = await getAdministratorToken(app)
  const made = expectOk(await post('/accounts', admin, { name: 'Orphan' })).body
  assert.equal(made.ownerInvitation, null)
  assert.equal((await get(`/accounts/${made.id}/owner`, admin)).status, 404)
  assert.equal((await post(`/accounts/${made.id}/owner/invitation/retries`, admin)).status, 404)
  const body = { email: anEmail('found') }
  const assigned = expectOk(await app.api('PUT', `/accounts/${made.id}/owner`, { token: admin, body })).body
  assert.equal(assigned.owner.email, body.email)
  await acceptInvitation(app, assigned.ownerInvitation.url)
})

test('an administrator who assigns themselves owns the account at once, without a mail', async () => {
  const admin = await getAdministratorToken(app)
  const mine = {
    name: 'Own',
    defaultCommissionSettings: { layerRates: [20, 5] },
    owner: { email: ADMINISTRATOR.email },
  }
  const made = expectOk(await post('/accounts', admin, mine)).body
  assert.deepEqual([made.owner.email, made.ownerInvitation], [ADMINISTRATOR.email, null])
  const role = { type: 'account-owner', accountId: made.id, accountName: 'Own' }
  assert.deepEqual((await rolesOf(admin)).slice(1), [role])
  const { defaultCommissionSettings, apiKey } = expectOk(await get(`/accounts/${made.id}`, admin)).body
  assert.deepEqual([defaultCommissionSettings, apiKey], [{ layerRates: [20, 5] }, null])
  expectOk(await post(`/accounts/${made.id}/partners`, admin, { email: anEmail('first') }))
  assert.equal((await post(`/accounts/${made.id}/owner/invitation/retries`, admin)).body.error.code, 'invalid_state')

  const without = expectOk(await post('/accounts', admin, { name: 'Ownerless' })).body
  const assigned = await app.api('PUT', `/accounts/${without.id}/owner`, {
    token: admin,
    body: { email: ADMINISTRATOR.email },
  })
  assert.equal(expectOk(assigned).body.ownerInvitation, null)
  assert.equal((await rolesOf(admin)).length, 3)
  const { waiting } = await app.services.db.one<{ waiting: number }>`
    select count(*) as waiting from invitations where email = ${ADMINISTRATOR.email} and status <> 'accepted'`
  assert.equal(waiting, 0)
  // the job that would mail a link finds it accepted
  const later = await aPartner(app, { ...account, token: await owner() })
  await findSavedMail(app, 'invitation', later.email)
  assert.ok(!(await listSavedMails(app)).some(({ to }) => to.includes(ADMINISTRATOR.email)))
})

test('an administrator with an open invitation accepts it by assigning themselves', async () => {
  const user = await aUser()
  const admin = await getAdministratorToken(app)
  const made = expectOk(await post('/accounts', admin, { name: 'Waiting', owner: { email: user.email } })).body
  assert.deepEqual([made.ownerInvitation.status, made.ownerInvitation.url], ['pending', null])
  const path = `/accounts/${made.id}/owner`
  const put = (token: string) => app.api('PUT', path, { token, body: { email: user.email } })
  assert.equal((await put(user.token)).status, 403)
  assert.equal(expectOk(await put(admin)).body.ownerInvitation.status, 'pending')

  const { id } = expectOk(await get('/users/me', user.token)).body
  await transaction(app.services.db, (tx) => grantAdministration(tx, system, id))
  for (let times = 0; times < 2; times++) assert.equal(expectOk(await put(user.token)).body.ownerInvitation, null)
  const accounts = (await rolesOf(user.token)).flatMap(({ accountName }: { accountName?: string }) => accountName ?? [])
  assert.deepEqual(accounts.sort(), ['Northwind', 'Waiting'])
})

test('a newly assigned owner replaces the former one on acceptance, who is the owner until then', async () => {
  const admin = await getAdministratorToken(app)
  const former = await anAccount(app, { name: null })
  const put = (email: string) => app.api('PUT', `/accounts/${former.id}/owner`, { token: admin, body: { email } })
  const mine = expectOk(await put(former.ownerEmail)).body
  assert.deepEqual([mine.owner.email, mine.ownerInvitation], [former.ownerEmail, null])
  const colleague = { email: anEmail('colleague'), role: 'owner' }
  const invited = expectOk(await post(`/accounts/${former.id}/members`, former.token, colleague)).body
  const other = await acceptInvitation(app, invited.url)

  const named = anEmail('second')
  const second = expectOk(await put(named)).body
  const { email, presentOwner } = second.ownerInvitation
  assert.deepEqual([second.owner.email, email, presentOwner], [former.ownerEmail, named, former.ownerEmail])
  assert.equal(second.displayName, former.ownerEmail)
  assert.equal(expectOk(await get(`/accounts/${former.id}/owner`, admin)).body.email, former.ownerEmail)
  for (const search of [named, former.ownerEmail])
    assert.deepEqual(
      expectOk(await get(`/accounts?search=${encodeURIComponent(search)}`, admin)).body.items.map(
        ({ id }: { id: string }) => id,
      ),
      [former.id],
    )
  assert.equal((await get(`/accounts/${former.id}`, former.token)).status, 200)
  const user = await aUser()
  const third = expectOk(await put(user.email)).body
  assert.deepEqual([third.ownerInvitation.email, third.ownerInvitation.url], [user.email, null])
  assert.equal((await changeWith(second.ownerInvitation.url)).status, 401)

  const { link } = await findSavedMail(app, 'invitation', user.email, FOR_A_USER)
  expectOk(await post('/auth/user-setup/accept', user.token, { token: tokenInLink(link!) }))
  assert.equal((await get(`/accounts/${former.id}`, user.token)).status, 200)
  assert.equal((await get(`/accounts/${former.id}`, former.token)).status, 403)
  assert.deepEqual(await rolesOf(former.token), [])
  assert.match(
    (await findSavedMail(app, 'access-changed', former.ownerEmail)).subject,
    /^Your access to .* was removed$/,
  )
  assert.equal((await get(`/accounts/${former.id}`, other.token)).status, 200, 'other owners stay')
  assert.equal(expectOk(await get(`/accounts/${former.id}`, admin)).body.owner.email, user.email)
  const back = expectOk(await put(former.ownerEmail)).body
  assert.deepEqual([back.owner.email, back.ownerInvitation.status], [user.email, 'pending'])
  assert.equal((await get(`/accounts/${former.id}`, user.token)).status, 200)
  const { count } = await app.services.db.one<{ count: number }>`
    select count(*) as count from audit where account_id = ${former.id} and action in ('role.removed', 'account.owner-assigned')`
  assert.equal(count, 4)
})

test('the current owner is reinstated without an invitation, whoever else was invited', async () => {
  const admin = await getAdministratorToken(app)
  const own = await anAccount(app)
  const put = (email: string) => app.api('PUT', `/accounts/${own.id}/owner`, { token: admin, body: { email } })
  const named = expectOk(await put(anEmail('second'))).body
  const back = expectOk(await put(own.ownerEmail)).body
  assert.deepEqual([back.owner.email, back.ownerInvitation], [own.ownerEmail, null])
  assert.equal((await changeWith(named.ownerInvitation.url)).status, 401)
  const again = expectOk(await put(named.ownerInvitation.email)).body
  await acceptInvitation(app, again.ownerInvitation.url)
  assert.equal((await get(`/accounts/${own.id}`, own.token)).status, 403)
})

test('an acceptance concurrent with another change of owner leaves exactly one owner', async () => {
  const admin = await getAdministratorToken(app)
  for (let round = 0; round < 6; round++) {
    const own = await anAccount(app)
    const put = (email: string) => app.api('PUT', `/accounts/${own.id}/owner`, { token: admin, body: { email } })
    const [second, third] = [anEmail('second'), anEmail('third')]
    const { url } = expectOk(await put(second)).body.ownerInvitation
    clock.advance(61_000)
    const change = [
      () => put(third),
      () => put(own.ownerEmail),
      () => post(`/accounts/${own.id}/owner/invitation/retries`, admin),
    ][round % 3]!
    const [accepted] = await Promise.all([changeWith(url), change(), changeWith(url)])
    const account = expectOk(await get(`/accounts/${own.id}`, admin)).body
    const { emails } = await app.services.db.one<{ emails: string[] }>`
      select array_agg(u.email) as emails from user_roles r join users u on u.id = r.user_id
      where r.account_id = ${own.id} and r.type = 'account-owner'`
    assert.equal(emails.length, 1)
    assert.deepEqual(emails, [account.owner.email])
    if (account.ownerInvitation) assert.equal(account.ownerInvitation.presentOwner, emails[0])
    const late = await changeWith(url)
    assert.equal(late.status, 401, `${accepted.status} and then ${late.status}`)
    await acceptInvitation(app, expectOk(await put(anEmail('last'))).body.ownerInvitation.url)
    assert.equal((await get(`/accounts/${own.id}`, own.token)).status, 403)
  }
})

test('a replaced owner reads nothing any longer, nor do the keys they created', async () => {
  const admin = await getAdministratorToken(app)
  const own = await anAccount(app)
  const keys = `/accounts/${own.id}/api-keys`
  const make = async (name: string, rights: string[]) => (await post(keys, own.token, { name, rights })).body
  const [reading, both, pushing] = [
    await make('Reading', ['read']),
    await make('Both', ['read', 'push']),
    await make('Pushing', ['push']),
  ]
  const next = anEmail('next')
  const assigned = expectOk(
    await app.api('PUT', `/accounts/${own.id}/owner`, { token: admin, body: { email: next } }),
  ).body
  assert.equal((await get(`/accounts/${own.id}/leads`, reading.key)).status, 200)
  const [come, ...late] = await Promise.all([
    acceptInvitation(app, assigned.ownerInvitation.url),
    ...Array.from({ length: 5 }, (_, index) => make(`Late ${index}`, ['read'])),
  ])

  for (const { key } of [reading, both, ...late]) {
    const status = key ? (await get(`/accounts/${own.id}/leads`, key)).status : 401
    assert.ok([401, 403].includes(status), `${status}`)
  }
  for (const { key } of [both, pushing])
    assert.equal((await post('/push/leads', key, { email: anEmail() })).status, 201)
  assert.equal((await post('/push/leads', reading.key, { email: anEmail() })).status, 401)
  const { raw, subject } = await findSavedMail(app, 'owner-changed', next)
  assert.equal(subject, 'You’re now the owner of this account')
  assert.match(raw, /Pushing/)
  assert.deepEqual(await rolesOf(come.token), [{ type: 'account-owner', accountId: own.id, accountName: 'Northwind' }])
})

test("an owner's new link replaces the old one, and only an administrator can request it", async () => {
  const admin = await getAdministratorToken(app)
  const made = expectOk(await post('/accounts', admin, { name: 'Again', owner: { email: anEmail('again') } })).body
  const path = `/accounts/${made.id}/owner/invitation/retries`
  assert.equal((await post(path, admin)).status, 429)
  clock.advance(61_000)
  assert.equal((await post(path, await owner())).status, 403)
  const again = expectOk(await post(path, admin)).body
  assert.deepEqual(Object.keys(again).sort(), [
    'email',
    'expiresAt',
    'mailed',
    'presentOwner',
    'sentAt',
    'status',
    'url',
  ])
  assert.equal((await changeWith(made.ownerInvitation.url)).status, 401)
  await acceptInvitation(app, again.url)
})
