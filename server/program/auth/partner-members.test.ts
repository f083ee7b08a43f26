import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partnerRoles } from '#contract/endpoint.ts'
import type { PartnerMember } from '#contract/members.ts'
import { fakeWise } from '../../../test/fakes/wise.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  type Reply,
  signIn,
  startApp,
  turnableClock,
} from '../../../test/support/app.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import {
  formatOutcome,
  type PartnerRole,
  partnerPeople,
  type TestPartner,
} from '../../../test/support/partner-people.ts'
import { aPayee, aPayout, bankDetails, bookDue, connectWise, getBalance } from '../../../test/support/payouts.ts'
import { findSavedMail, listSavedMails } from '../../../test/support/saved-mails.ts'

const clock = turnableClock('2026-11-26T09:00:00Z')
const wise = await fakeWise({ clock: () => clock.now() })
test.after(() => wise.close())
const app = await startApp({
  ...{ clock, worker: true },
  config: { wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
})

const { at, invite, membersOf, join, aMember, aColleague } = partnerPeople(app)

const rolesOf = async (token: string) => expectOk(await app.api('GET', '/users/me', { token })).body.roles
const aTeam = async () => {
  const account = await anAccount(app)
  const partner: TestPartner = await aPartner(app, account, {}, { signIn: true })
  return { account, partner }
}

test('a partner’s owner invites a person, who joins with the role they were last given; no partner reads a link', async () => {
  const { account, partner } = await aTeam()
  const email = anEmail('noa')
  const { body: noa } = expectOk(await invite(partner, 'owner', partner.token, email, { firstName: 'Noa' }))
  assert.deepEqual(
    { ...noa, userId: '', expiresAt: '' },
    {
      ...{ userId: '', email, firstName: 'Noa', lastName: null, role: 'owner', status: 'invited', lastSeenOn: null },
      secondFactor: null,
      ...{ joinedAt: null, invitedBy: 'Pia Tern', expiresAt: '', url: null },
    },
  )
  const { text } = await findSavedMail(app, 'invitation', email)
  assert.match(text, /Pia Tern invites you to Pia Tern, a partner of Northwind, as an owner\./)
  assert.equal(formatOutcome(await invite(partner, 'member', partner.token, email)), '409 already_member')
  assert.equal(formatOutcome(await invite(partner, 'member', partner.token, partner.email)), '409 already_member')
  const change = (body: object) => app.api('PUT', at(partner, noa.userId), { token: partner.token, body })
  const changed = expectOk(await change({ role: 'member', lastName: 'Reed' })).body
  assert.deepEqual([changed.role, changed.lastName, changed.url], ['member', 'Reed', null])
  assert.equal(
    formatOutcome(await app.api('POST', `${at(partner, noa.userId)}/invitation/retries`, { token: partner.token })),
    '429 just_sent',
  )
  const manager = await aColleague(account, 'manager')
  assert.ok((await membersOf(partner, manager)).every(({ url }) => url === null))

  const { token } = await join(account, partner, noa.userId)
  assert.deepEqual(
    (await rolesOf(token)).map((role: object) => ({ ...role, accountId: '' })),
    [{ type: 'partner-member', partnerId: partner.id, accountId: '', accountName: 'Northwind' }],
  )
  await findSavedMail(app, 'access-changed', email, /You are now a member of Pia Tern, a partner of Northwind\./)
  const members = await membersOf(partner, token)
  assert.deepEqual(
    members.map((one) => [one.role, one.status, one.firstName, one.lastSeenOn, one.url]),
    [
      ['owner', 'active', 'Pia', null, null],
      ['member', 'active', 'Noa', null, null],
    ],
  )
  assert.equal(formatOutcome(await change({ firstName: 'N.' })), '409 invitation_accepted')
  // a role acts with the next call
  expectOk(await change({ role: 'owner' }))
  await findSavedMail(app, 'access-changed', email, /You are now an owner of Pia Tern/)
  expectOk(await invite(partner, 'member', token))
  expectOk(await app.api('DELETE', at(partner, noa.userId), { token: partner.token }))
  await findSavedMail(app, 'access-changed', email, /You can no longer open Pia Tern/)
  assert.equal(formatOutcome(await app.api('GET', at(partner), { token })), '403 role_not_allowed')
})

test('the people of a deleted partner are told that their access was removed, and the activity has it', async () => {
  const { account, partner } = await aTeam()
  expectOk(await app.api('DELETE', `/partners/${partner.id}`, { token: account.token }))
  const { text, subject } = await findSavedMail(
    app,
    'access-changed',
    partner.email,
    /You can no longer open Northwind\./,
  )
  assert.equal(subject, 'Your access to Northwind was removed')
  assert.doesNotMatch(text, /a partner/)
  const path = `/accounts/${account.id}/audit?action=role.removed`
  assert.equal(expectOk(await app.api('GET', path, { token: account.token })).body.items.length, 1)
})

test('who sees, invites and removes a partner’s people', async () => {
  const { account, partner } = await aTeam()
  const [manager, finance] = [await aColleague(account, 'manager'), await aColleague(account, 'finance')]
  const sub = expectOk(
    await app.api('POST', `/accounts/${account.id}/partners`, {
      token: account.token,
      body: { email: anEmail('sub'), parentPartnerId: partner.id },
    }),
  ).body
  const member = await aMember(account, partner, 'member')
  const pending = expectOk(await invite(partner, 'member', partner.token)).body
  const as = (token: string) => ({
    list: async () => formatOutcome(await app.api('GET', at(partner), { token })),
    owner: async () => formatOutcome(await invite(partner, 'owner', token)),
    member: async () => formatOutcome(await invite(partner, 'member', token)),
    change: async () =>
      formatOutcome(await app.api('PUT', at(partner, member.userId), { token, body: { role: 'member' } })),
    retry: async () =>
      formatOutcome(await app.api('POST', `${at(partner, pending.userId)}/invitation/retries`, { token })),
    remove: async () => formatOutcome(await app.api('DELETE', at(partner, pending.userId), { token })),
  })
  const rights = async (token: string) => {
    const { list, owner, member, change, retry } = as(token)
    return [await list(), await owner(), await member(), await change(), await retry()]
  }
  const not = '403 role_not_allowed'
  assert.deepEqual(await rights(partner.token), [200, 201, 201, 200, '429 just_sent'])
  assert.deepEqual(await rights(member.token), [200, not, not, not, not])
  assert.deepEqual(await rights(account.token), [200, 201, not, not, not])
  assert.deepEqual(await rights(manager), [200, not, not, not, not])
  for (const token of [finance, account.admin]) assert.deepEqual(await rights(token), [not, not, not, not, not])
  for (const token of [finance, account.admin, member.token]) assert.equal(await as(token).remove(), not)
  // a partner above neither sees them nor invites
  assert.equal(formatOutcome(await app.api('GET', at(sub), { token: partner.token })), '404 not_found')
  assert.equal(formatOutcome(await invite(sub, 'owner', partner.token)), '404 not_found')
  assert.equal(await as(manager).remove(), 204)
  assert.equal(formatOutcome(await app.api('DELETE', at(partner, member.userId), { token: account.token })), 204)
  // anyone leaves, also a suspended partner, which may do nothing else
  const leaving = await aMember(account, partner, 'member')
  expectOk(
    await app.api('PUT', `/partners/${partner.id}`, {
      token: account.token,
      body: { state: 'suspended', reason: 'x' },
    }),
  )
  assert.equal(await as(partner.token).member(), '409 partner_inactive')
  assert.equal(formatOutcome(await app.api('DELETE', at(partner, leaving.userId), { token: leaving.token })), 204)
})

test('a lead with the email of a partner’s person is the partner’s own, while they belong to it', async () => {
  const account = await anAccount(app, { selfReferralPolicy: 'hold', defaultCommissionSettings: { layerRates: [20] } })
  const partner: TestPartner = await aPartner(app, account, {}, { signIn: true })
  const member = await aMember(account, partner, 'member')
  const second = await aMember(account, partner, 'owner')
  const call = async (method: string, path: string, body?: object) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const buys = async (email: string) => {
    const lead = await call('POST', `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
    await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00 })
    return (await call('GET', `/leads/${lead.id}`)).selfReferral
  }
  const policies = [await buys(partner.email), await buys(member.email), await buys(second.email)]
  assert.deepEqual([...policies, await buys(anEmail('other'))], ['hold', 'hold', 'hold', null])
  const leaving = await aMember(account, partner, 'member')
  expectOk(await app.api('DELETE', at(partner, leaving.userId), { token: partner.token }))
  assert.equal(await buys(leaving.email), null)
})

test('a person who is an owner of one partner and a member of another has at each the rights there', async () => {
  const { account, partner } = await aTeam()
  const other: TestPartner = await aPartner(app, account, {}, { signIn: true })
  const { body } = expectOk(await invite(other, 'member', other.token, partner.email))
  // known already, so not even the owner of the account reads the link
  assert.equal((await membersOf(other, account.token)).find(({ userId }) => userId === body.userId)!.url, null)
  const { link } = await findSavedMail(app, 'invitation', partner.email, /Pia Tern, a partner/)
  const token = new URLSearchParams(new URL(link!).hash.slice(1)).get('token')
  expectOk(await app.api('POST', '/auth/user-setup/accept', { token: partner.token, body: { token } }))
  const settings = (id: string) => app.api('GET', `/partners/${id}/payout-settings`, { token: partner.token })
  assert.equal(formatOutcome(await settings(partner.id)), 200)
  assert.equal(formatOutcome(await settings(other.id)), '403 role_not_allowed')
  assert.equal(formatOutcome(await app.api('GET', `/partners/${other.id}/balance`, { token: partner.token })), 200)
})

test('a person who also joins a partner in between still manages the invitations that their own partner sent', async () => {
  const account = await anAccount(app, { invitationsFromPartners: true })
  const top: TestPartner = await aPartner(app, account, {}, { signIn: true })
  const middle: TestPartner = await aPartner(app, account, { parentPartnerId: top.id }, { signIn: true })
  const below = expectOk(
    await app.api('POST', `/partners/${top.id}/partners`, { token: top.token, body: { email: anEmail('below') } }),
  ).body
  expectOk(
    await app.api('PUT', `/partners/${below.id}`, { token: account.token, body: { parentPartnerId: middle.id } }),
  )
  const invitation = () => app.api('GET', `/partners/${below.id}/invitation`, { token: top.token })
  assert.equal(formatOutcome(await invitation()), 200)
  expectOk(await invite(middle, 'member', middle.token, top.email))
  const { link } = await findSavedMail(app, 'invitation', top.email, /Pia Tern, a partner/)
  const token = new URLSearchParams(new URL(link!).hash.slice(1)).get('token')
  expectOk(await app.api('POST', '/auth/user-setup/accept', { token: top.token, body: { token } }))
  assert.equal(formatOutcome(await invitation()), 200)
})

test('a partner keeps an owner until it is archived, and its contact is an owner', async () => {
  const { account, partner } = await aTeam()
  const contactOf = async () =>
    (await app.services.db.one<{ userId: string | null }>`select user_id from partners where id = ${partner.id}`).userId
  const [pia] = (await membersOf(partner, partner.token)) as [PartnerMember]
  const remove = (userId: string, token = partner.token) => app.api('DELETE', at(partner, userId), { token })
  assert.equal(await contactOf(), pia.userId)
  for (const token of [partner.token, account.token])
    assert.equal(formatOutcome(await remove(pia.userId, token)), '409 last_partner_owner')
  assert.equal(
    formatOutcome(await app.api('PUT', at(partner, pia.userId), { token: partner.token, body: { role: 'member' } })),
    '409 last_partner_owner',
  )
  const second = await aMember(account, partner, 'owner')
  const third = await aMember(account, partner, 'owner')
  assert.equal(await contactOf(), pia.userId)
  expectOk(await remove(pia.userId))
  assert.equal(await contactOf(), second.userId)
  expectOk(await app.api('PUT', at(partner, second.userId), { token: third.token, body: { role: 'member' } }))
  assert.equal(await contactOf(), third.userId)
  expectOk(
    await app.api('POST', `/partners/${partner.id}/archive`, {
      token: account.token,
      body: { subPartners: 'keep', balance: 'pay-out' },
    }),
  )
  assert.equal(formatOutcome(await remove(third.userId, third.token)), 204)
  assert.equal(await contactOf(), null)
  // the account's owner finds a new one once the partner is active again
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { state: 'active' } }))
  const fourth = expectOk(await invite(partner, 'owner', account.token)).body
  await join(account, partner, fourth.userId)
  assert.equal(await contactOf(), fourth.userId)
})

test('names and e-mail of a partner whose people have left are not the inviting partner’s or a key’s to correct', async () => {
  const account = await anAccount(app, { invitationsFromPartners: true })
  const parent: TestPartner = await aPartner(app, account, {}, { signIn: true })
  const body = { firstName: 'Sub', lastName: 'Tern', email: anEmail('sub') }
  const sub = expectOk(await app.api('POST', `/partners/${parent.id}/partners`, { token: parent.token, body })).body
  const { url } = expectOk(await app.api('GET', `/partners/${sub.id}/invitation`, { token: account.token })).body
  const { token } = await acceptInvitation(app, url)
  const { id } = expectOk(await app.api('GET', '/users/me', { token })).body
  expectOk(await app.api('POST', `/partners/${sub.id}/archive`, { token: account.token, body: {} }))
  expectOk(await app.api('DELETE', at(sub, id), { token }))
  expectOk(await app.api('PUT', `/partners/${sub.id}`, { token: account.token, body: { state: 'active' } }))

  const change = (token: string, change: object) => app.api('PUT', `/partners/${sub.id}`, { token, body: change })
  const masked = `s•••@${body.email.split('@')[1]}`
  assert.equal(expectOk(await app.api('GET', `/partners/${sub.id}`, { token: parent.token })).body.email, masked)
  const listed = async (search: string) =>
    expectOk(await app.api('GET', `/partners/${parent.id}/partners?search=${search}`, { token: parent.token })).body
      .items
  assert.deepEqual([(await listed(body.email)).length, (await listed('Sub'))[0].email], [0, masked])
  assert.equal(formatOutcome(await change(parent.token, { email: anEmail('taken') })), '403 only_owner_changes_partner')
  const { key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, {
      ...{ token: account.token, body: { name: 'App', rights: ['partners'] } },
    }),
  ).body
  assert.equal(formatOutcome(await change(key, { email: anEmail('taken') })), '422 field_not_for_keys')
})

test('of two owners who remove or demote each other at once, one stays', async () => {
  const { account, partner } = await aTeam()
  const [{ userId }] = (await membersOf(partner, partner.token)) as [PartnerMember]
  let one = { userId, token: partner.token }
  let two: typeof one = await aMember(account, partner, 'owner')
  for (let round = 0; round < 8; round++) {
    const by = (who: typeof one, whom: typeof one) =>
      round % 2
        ? app.api('DELETE', at(partner, whom.userId), { token: who.token })
        : app.api('PUT', at(partner, whom.userId), { token: who.token, body: { role: 'member' } })
    const answers = await Promise.all([by(one, two), by(two, one)])
    const refused = answers.map(({ status }) => status).filter((status) => status >= 300)
    assert.ok(refused.length === 1 && [403, 409].includes(refused[0]!), JSON.stringify(answers.map(formatOutcome)))
    const stays = answers[0]!.status < 300 ? one : two
    const other = stays === one ? two : one
    if (round % 2) two = await aMember(account, { ...partner, token: stays.token }, 'owner')
    else {
      expectOk(await app.api('PUT', at(partner, other.userId), { token: stays.token, body: { role: 'owner' } }))
      two = other
    }
    one = stays
  }
})

test('a new owner whom the account’s owner invites is told to the partner, and holds automatic payouts', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  const partner = await aPayee(app, account)
  const second = await aMember(account, partner, 'owner')
  await connectWise(app, account, wise)
  // no one signs in with an address that the account has typed
  const address = anEmail('changed')
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { email: address } }))
  const payout = await aPayout(app, account, partner, 50_00)
  const blockers = async () =>
    expectOk(await app.api('GET', `/payouts/${payout.id}`, { token: account.token })).body.blockers.map(
      ({ code }: { code: string }) => code,
    )
  const email = anEmail('new')
  const { body } = expectOk(await invite(partner, 'owner', account.token, email))
  assert.ok(body.url)
  for (const to of [partner.email, second.email]) {
    const { text, subject } = await findSavedMail(app, 'access-changed', to, /automatic payouts pause/)
    assert.match(text, new RegExp(`Northwind invited ${email} as an owner of Pia Tern`))
    assert.equal(subject, 'Northwind invites a new owner of your partner account')
  }
  assert.deepEqual(
    (await listSavedMails(app)).filter(
      ({ name, to }) => name.startsWith('access-changed') && (to.includes(email) || to.includes(address)),
    ),
    [],
  )
  assert.deepEqual(await blockers(), [])
  await acceptInvitation(app, body.url)
  assert.deepEqual(await blockers(), ['deposit-info-changed-recently'])
  clock.advance(72 * 3_600_000 + 1)
  account.token = (await signIn(app, account.ownerEmail)).token
  assert.deepEqual(await blockers(), [])
  // an owner whom the partner invites holds nothing
  partner.token = (await signIn(app, partner.email)).token
  await aMember(account, partner, 'owner')
  assert.deepEqual(await blockers(), [])
})

test('payout details that such a new owner is the first to enter hold automatic payouts too', async () => {
  const account = await anAccount(app, { payoutDelay: 0 })
  const partner: TestPartner = await aPartner(app, account, {}, { signIn: true })
  const approvedPayoutYears = [clock.now().getUTCFullYear()]
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { approvedPayoutYears } }))
  await connectWise(app, account, wise)
  const { body } = expectOk(await invite(partner, 'owner', account.token))
  const { token } = await acceptInvitation(app, body.url)
  expectOk(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token, body: bankDetails() }))
  await bookDue(app, account, partner, 50_00)
  const { blockers } = await getBalance(app, account, partner)
  assert.deepEqual(
    blockers.map(({ code }: { code: string }) => code),
    ['deposit-info-changed-recently'],
  )
  await findSavedMail(app, 'payout-settings', partner.email)
})

test('at most ten people; the partner’s own invitation counts and is managed on its page', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const [own] = (await membersOf(partner, account.token)) as [PartnerMember]
  assert.deepEqual([own.role, own.status, own.email], ['owner', 'invited', partner.email])
  assert.equal(
    formatOutcome(await app.api('DELETE', at(partner, own.userId), { token: account.token })),
    '409 invitation_of_partner',
  )
  for (let count = 1; count < 8; count++) expectOk(await invite(partner, 'owner', account.token))
  const atOnce = await Promise.all(Array.from({ length: 5 }, () => invite(partner, 'owner', account.token)))
  assert.deepEqual(atOnce.map(({ status }) => status).toSorted(), [201, 201, 409, 409, 409])
  assert.equal(formatOutcome(await invite(partner, 'owner', account.token)), '409 too_many_members')
  // a partner's mails and its own invitation follow its address, and no member's
  const [, first] = await membersOf(partner, account.token)
  expectOk(
    await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { email: anEmail('another') } }),
  )
  assert.equal((await membersOf(partner, account.token)).filter(({ userId }) => userId === own.userId).length, 0)
  await join(account, partner, first!.userId)
  const { body: invitation } = expectOk(
    await app.api('GET', `/partners/${partner.id}/invitation`, { token: account.token }),
  )
  assert.notEqual(invitation.status, 'accepted')
  await acceptInvitation(app, invitation.url)
  const contact = await app.services.db.one<{ userId: string }>`select user_id from partners where id = ${partner.id}`
  // the first to accept
  assert.equal(contact.userId, first!.userId)
})

test('once a partner has people, a new address makes nobody an owner of it', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const { body: first } = expectOk(await invite(partner, 'owner', account.token))
  await join(account, partner, first.userId)
  const manager = await aColleague(account, 'manager')
  const { body: former } = expectOk(
    await app.api('GET', `/partners/${partner.id}/invitation`, { token: account.token }),
  )
  const email = anEmail('puppet')
  const changed = expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: manager, body: { email } })).body
  assert.equal(changed.email, email)
  const { body: own } = expectOk(await app.api('GET', `/partners/${partner.id}/invitation`, { token: account.token }))
  assert.deepEqual([former.status, own.status, own.url], ['pending', 'revoked', null])
  clock.advance(61_000)
  for (const token of [manager, account.token])
    assert.equal(
      formatOutcome(await app.api('POST', `/partners/${partner.id}/invitation/retries`, { token })),
      '409 invitation_accepted',
    )
  assert.deepEqual(
    (await membersOf(partner, account.token)).map(({ userId }) => userId),
    [first.userId],
  )
})

test('an owner who accepts an earlier invitation as a member stays an owner', async () => {
  const account = await anAccount(app)
  const partner: TestPartner = await aPartner(app, account, {}, { signIn: true })
  const email = anEmail('both')
  const { body } = expectOk(await invite(partner, 'member', partner.token, email))
  const { url } = (await membersOf(partner, account.token)).find(({ userId }) => userId === body.userId)!
  await acceptInvitation(app, url!)
  const again = expectOk(await invite(partner, 'owner', partner.token)).body
  assert.notEqual(again.userId, body.userId)
  // the account's own owner, whom an earlier invitation names a viewer
  const other = anEmail('owner')
  const asViewer = { email: other, role: 'viewer' }
  const viewer = expectOk(
    await app.api('POST', `/accounts/${account.id}/members`, { token: account.token, body: asViewer }),
  ).body
  expectOk(await app.api('PUT', `/accounts/${account.id}/owner`, { token: account.admin, body: { email: other } }))
  const assigned = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.admin })).body
  const { token } = await acceptInvitation(app, assigned.ownerInvitation.url)
  const link = new URLSearchParams(new URL(viewer.url).hash.slice(1)).get('token')
  expectOk(await app.api('POST', '/auth/user-setup/accept', { token, body: { token: link } }))
  assert.deepEqual(
    (await rolesOf(token)).map(({ type }: { type: string }) => type),
    ['account-owner'],
  )
})

/** `byAccount`: the account's owner invited them. */
type Person = {
  userId: string
  token: string | null
  role: PartnerRole | null
  invited: PartnerRole | null
}

async function live(seed: number) {
  const random: Random = randomFrom(seed)
  const { account, partner } = await aTeam()
  const manager = await aColleague(account, 'manager')
  const [{ userId }] = (await membersOf(partner, partner.token)) as [PartnerMember]
  const people: Person[] = [{ userId, token: partner.token, role: 'owner', invited: null }]
  let archived = false
  const steps: string[] = []
  const owners = () => people.filter(({ role }) => role === 'owner')
  const there = () => people.filter(({ role, invited }) => role !== null || invited !== null)
  for (let step = 0; step < 30; step++) {
    const signedIn = people.filter(({ token }) => token !== null)
    const staff = random.chance(25) ? random.pick(['owner', 'manager'] as const) : null
    const actor = staff ? null : random.pick(random.chance(70) && owners().length > 0 ? owners() : signedIn)
    const token = staff === 'owner' ? account.token : staff === 'manager' ? manager : actor!.token!
    const whom = random.pick(people)
    const act = random.pick([
      'invite',
      'invite',
      'accept',
      'accept',
      'change',
      'remove',
      'remove',
      'retry',
      'archive',
    ] as const)
    const role = random.pick(partnerRoles)
    steps.push(`${staff ?? people.indexOf(actor!)} ${act} ${people.indexOf(whom)} ${role}`)
    const isIn = whom.role !== null || whom.invited !== null
    const isLast = whom.role === 'owner' && owners().length === 1 && !archived
    const owns = actor?.role === 'owner'
    if (act === 'archive') {
      if (random.chance(60) || archived) {
        const path = `/partners/${partner.id}`
        if (archived) expect(await app.api('PUT', path, { token: account.token, body: { state: 'active' } }), 200)
        else
          expect(
            await app.api('POST', `${path}/archive`, {
              token: account.token,
              body: { subPartners: 'keep', balance: 'pay-out' },
            }),
            200,
          )
        archived = !archived
      }
    } else if (act === 'invite') {
      const reply = await invite(partner, role, token, anEmail('life'))
      const may = owns || (staff === 'owner' && role === 'owner')
      expect(reply, !may ? 403 : archived && owns ? 409 : there().length >= 10 ? 409 : 201)
      if (reply.status === 201) people.push({ userId: reply.body.userId, token: null, role: null, invited: role })
    } else if (act === 'accept') {
      if (whom.invited === null || whom.token) continue
      whom.token = (await join(account, partner, whom.userId)).token
      Object.assign(whom, { role: whom.invited, invited: null })
    } else if (act === 'change') {
      const reply = await app.api('PUT', at(partner, whom.userId), { token, body: { role } })
      expect(reply, !owns ? 403 : archived ? 409 : !isIn ? 404 : isLast && role !== 'owner' ? 409 : 200)
      if (reply.status === 200) Object.assign(whom, whom.role ? { role } : { invited: role })
    } else if (act === 'remove') {
      const reply = await app.api('DELETE', at(partner, whom.userId), { token })
      const may = staff !== null || owns || (actor!.role !== null && actor === whom)
      expect(reply, !may ? 403 : !isIn ? 404 : isLast ? 409 : 204)
      if (reply.status === 204) Object.assign(whom, { role: null, invited: null })
    } else {
      const reply = await app.api('POST', `${at(partner, whom.userId)}/invitation/retries`, { token })
      // within a minute of the last sending
      expect(reply, !owns ? 403 : archived ? 409 : !isIn ? 404 : whom.role ? 409 : 429)
    }
    const contact = await app.services.db.one<{ userId: string | null }>`
      select user_id from partners where id = ${partner.id}`
    assert.equal(
      owners().some((owner) => owner.userId === contact.userId),
      owners().length > 0,
      `seed ${seed}: ${steps.join('; ')}: the contact`,
    )
    function expect(reply: Reply, status: number) {
      assert.equal(reply.status, status, `seed ${seed}: ${steps.join('; ')}: ${formatOutcome(reply)}`)
    }
  }
  const known = (list: { userId: string; role: PartnerRole | null; status: string }[]) =>
    list.map((one) => `${one.userId} ${one.status} ${one.role}`).toSorted()
  assert.deepEqual(
    known(await membersOf(partner, account.token)),
    known(there().map((one) => ({ ...one, role: one.role ?? one.invited, status: one.role ? 'active' : 'invited' }))),
    `seed ${seed}: ${steps.join('; ')}`,
  )
}

test('random lives of a partner’s people are as a plain model has them', async () => {
  for (const seed of listSeeds(2)) await live(seed)
})
