import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TeamRole, teamRoles } from '#contract/endpoint.ts'
import type { Member } from '#contract/members.ts'
import {
  acceptInvitation,
  anAccount,
  anEmail,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  tokenInLink,
  turnableClock,
} from '../../../test/support/app.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { findSavedMail } from '../../../test/support/saved-mails.ts'

const clock = turnableClock('2026-11-26T09:00:00Z')
const app = await startApp({ clock, worker: true })

const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
  status < 300 ? status : `${status} ${body.error!.reason}`
const of = ({ id }: TestAccount, userId?: string) => `/accounts/${id}/members${userId ? `/${userId}` : ''}`

const invite = (account: TestAccount, role: TeamRole, email = anEmail(role), more: object = {}) =>
  app.api('POST', of(account), { token: account.token, body: { email, role, ...more } })

async function aMember(account: TestAccount, role: TeamRole) {
  const { body } = expectOk(await invite(account, role))
  return { userId: body.userId as string, ...(await acceptInvitation(app, body.url)) }
}

const rolesOf = async (token: string) => expectOk(await app.api('GET', '/users/me', { token })).body.roles
const membersOf = async (account: TestAccount): Promise<Member[]> =>
  expectOk(await app.api('GET', `${of(account)}?sort=createdAt`, { token: account.token })).body.items

test('a person is invited, accepts with the role they were last given, and is listed with what their reader may see', async () => {
  const account = await anAccount(app)
  const email = anEmail('sam')
  const { body: sam } = expectOk(await invite(account, 'viewer', email, { firstName: 'Sam' }))
  assert.deepEqual(
    { ...sam, userId: '', url: '', expiresAt: '' },
    {
      ...{ userId: '', email, firstName: 'Sam', lastName: null, role: 'viewer', status: 'invited', lastSeenOn: null },
      secondFactor: null,
      ...{ joinedAt: null, invitedBy: 'Nora Wind', expiresAt: '', url: '' },
    },
  )
  assert.equal(reasonOf(await invite(account, 'manager', email)), '409 already_member')
  const change = (body: object) => app.api('PUT', of(account, sam.userId), { token: account.token, body })
  const changed = expectOk(await change({ role: 'manager', lastName: 'Reed' })).body
  assert.deepEqual([changed.role, changed.lastName, changed.url], ['manager', 'Reed', sam.url])
  const { token } = await acceptInvitation(app, sam.url)
  assert.deepEqual(
    (await rolesOf(token)).map(({ type }: { type: string }) => type),
    ['account-manager'],
  )
  const [nora, member] = await membersOf(account)
  assert.deepEqual([nora!.role, nora!.lastSeenOn], ['owner', '2026-11-26'])
  assert.deepEqual(
    [member!.status, member!.role, member!.firstName, member!.lastName, member!.url],
    ['active', 'manager', 'Sam', 'Reed', null],
  )
  assert.equal(reasonOf(await change({ firstName: 'Samuel' })), '409 invitation_accepted')
  // the role acts with the next call
  expectOk(await change({ role: 'finance' }))
  assert.equal(
    reasonOf(await app.api('POST', `/accounts/${account.id}/partners`, { token, body: { email: anEmail() } })),
    '403 role_not_allowed',
  )
  const { items } = expectOk(await app.api('GET', of(account), { token })).body
  assert.ok(items.every((one: Member) => one.lastSeenOn === null && one.url === null))
  const { items: audit } = expectOk(await app.api('GET', `/accounts/${account.id}/audit?action=role`, { token })).body
  assert.deepEqual(
    audit.map(({ action }: { action: string }) => action),
    ['role.changed', 'role.granted', 'role.granted'],
  )
})

test('an account keeps an owner, and its contact is an owner', async () => {
  const account = await anAccount(app)
  const [{ userId }] = (await membersOf(account)) as [Member]
  const call = (method: string, id: string, body?: object, token = account.token) =>
    app.api(method, of(account, id), { token, ...(body && { body }) })
  assert.equal(reasonOf(await call('DELETE', userId)), '409 last_owner')
  assert.equal(reasonOf(await call('PUT', userId, { role: 'viewer' })), '409 last_owner')
  const second = await aMember(account, 'owner')
  expectOk(await call('PUT', userId, { role: 'viewer' }))
  const { body } = expectOk(await app.api('GET', `/accounts/${account.id}/owner`, { token: second.token }))
  assert.equal(body.id, second.userId)
  assert.equal(reasonOf(await call('DELETE', second.userId)), '403 role_not_allowed')
  // anyone may leave
  assert.equal(reasonOf(await call('DELETE', userId)), 204)
  assert.deepEqual(await rolesOf(account.token), [])
  assert.equal(reasonOf(await call('GET', '')), '403 role_not_allowed')
})

test('of two owners who remove or demote each other at once, one stays', async () => {
  const account = await anAccount(app)
  const [{ userId }] = (await membersOf(account)) as [Member]
  type Owner = { userId: string; token: string }
  let one: Owner = { userId, token: account.token }
  let two: Owner = await aMember(account, 'owner')
  for (let round = 0; round < 6; round++) {
    const by = (who: Owner, whom: Owner) =>
      round % 2
        ? app.api('DELETE', of(account, whom.userId), { token: who.token })
        : app.api('PUT', of(account, whom.userId), { token: who.token, body: { role: 'viewer' } })
    const answers = await Promise.all([by(one, two), by(two, one)])
    const refused = answers.map(({ status }) => status).filter((status) => status >= 300)
    assert.ok(refused.length === 1 && [403, 409].includes(refused[0]!), JSON.stringify(answers.map(reasonOf)))
    const stays = answers[0]!.status < 300 ? one : two
    const again = { ...account, token: stays.token }
    const other = stays === one ? two : one
    if (round % 2) {
      const { body } = expectOk(await invite(again, 'owner'))
      two = { userId: body.userId, ...(await acceptInvitation(app, body.url)) }
    } else {
      expectOk(await app.api('PUT', of(account, other.userId), { token: stays.token, body: { role: 'owner' } }))
      two = other
    }
    one = stays
  }
})

test('an earlier invitation gives nothing back to a person whose role was changed or taken since', async () => {
  for (const [invited, now] of [
    ['manager', 'viewer'],
    ['manager', null],
  ] as const) {
    const account = await anAccount(app)
    const email = anEmail('sam')
    const { body: first } = expectOk(await invite(account, invited, email))
    // an administrator makes them the owner before they accept it
    expectOk(await app.api('PUT', `/accounts/${account.id}/owner`, { token: account.admin, body: { email } }))
    const { ownerInvitation } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.admin })).body
    const sam = await acceptInvitation(app, ownerInvitation.url)
    const mine = { ...account, token: sam.token }
    const { body } = expectOk(await invite(mine, 'owner'))
    const other = await acceptInvitation(app, body.url)
    const call = { token: other.token, ...(now && { body: { role: now } }) }
    expectOk(await app.api(now ? 'PUT' : 'DELETE', of(account, first.userId), call))
    await app.api('POST', '/auth/user-setup/accept', { token: sam.token, body: { token: tokenInLink(first.url) } })
    assert.deepEqual(
      (await rolesOf(sam.token)).map(({ type }: { type: string }) => type),
      now ? [`account-${now}`] : [],
    )
    const members = await membersOf({ ...account, token: other.token })
    assert.deepEqual(
      members.filter(({ userId }) => userId === first.userId).map(({ role, status }) => [role, status]),
      now ? [[now, 'active']] : [],
    )
  }
})

test('the link of an owner whom an administrator assigned is shown to no owner of the account', async () => {
  const account = await anAccount(app)
  const email = anEmail('assigned')
  const assigned = await app.api('PUT', `/accounts/${account.id}/owner`, { token: account.admin, body: { email } })
  assert.ok(expectOk(assigned).body.ownerInvitation.url)
  const listed = async (token: string) => {
    const { items } = expectOk(await app.api('GET', `${of(account)}?status=invited`, { token })).body
    return items.map(({ email, role, url }: Member) => [email, role, url])
  }
  assert.deepEqual(await listed(account.token), [[email, 'owner', null]])
  assert.deepEqual(await listed(account.admin), [[email, 'owner', null]])
})

test('the account shows its owner’s roles in itself alone', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app, { name: 'Elsewhere' })]
  const { token: viewer } = await aMember(account, 'viewer')
  const { body: invited } = expectOk(await invite(other, 'manager', account.ownerEmail))
  const [{ id }] = (await app.services.db.many<{ id: string }>`
    select id from users where email = ${account.ownerEmail}`) as [{ id: string }]
  assert.equal(invited.userId, id)
  await app.services.db.run`
    insert into user_roles (user_id, type, account_id, created_at)
    values (${id}, 'account-manager', ${other.id}, now()), (${id}, 'admin', null, now())`
  const shown = async (path: string, token: string) => {
    const { body } = expectOk(await app.api('GET', path, { token }))
    return (body.owner ?? body).roles
  }
  const own = [{ type: 'account-owner', accountId: account.id, accountName: 'Northwind' }]
  for (const path of [`/accounts/${account.id}`, `/accounts/${account.id}/owner`])
    for (const token of [viewer, account.token]) assert.deepEqual(await shown(path, token), own, path)
  assert.equal((await rolesOf(account.token)).length, 3)
})

test('the link of a new partner is for the account’s owner alone, however the partner is made', async () => {
  const account = await anAccount(app)
  const { token: manager } = await aMember(account, 'manager')
  const as = (token: string) => async (path: string, body: object) =>
    expectOk(await app.api('POST', `/accounts/${account.id}/${path}`, { token, body })).body
  const apply = async () =>
    (
      await as(account.token)('applications', {
        firstName: 'Ada',
        lastName: 'Byron',
        email: anEmail(),
        emailConfirmed: true,
      })
    ).id
  for (const token of [manager, account.token]) {
    const call = as(token)
    const isOwner = token === account.token
    const [added] = (await call('partners/bulk', { partners: [{ email: anEmail() }], sendInvitation: true })).results
    assert.equal(added.status, 201)
    assert.equal(typeof added.invitationUrl, isOwner ? 'string' : 'object')
    const decision = { ids: [await apply()], decision: 'approve' }
    // once more, as the owner has decided
    for (let time = 0; time < 2; time++) {
      const [decided] = (await call('applications/decisions', decision)).results
      assert.ok(decided.partnerId)
      assert.equal(typeof decided.invitationUrl, isOwner ? 'string' : 'object')
    }
  }
})

test('at most fifty people, and twenty invitations a day', async () => {
  const account = await anAccount(app)
  const most = async (count: number) => {
    for (let at = 0; at < count; at++) expectOk(await invite(account, 'viewer'))
  }
  await most(20)
  assert.equal(reasonOf(await invite(account, 'viewer')), '429 daily_emails_sent')
  clock.advance(15 * 3_600_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await most(20)
  clock.advance(24 * 3_600_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  await most(9)
  assert.equal(reasonOf(await invite(account, 'viewer')), '409 too_many_members')
})

test('a role may write its own fields alone, and nothing of a body with others', async () => {
  const account = await anAccount(app)
  const { body: partner } = expectOk(
    await app.api('POST', `/accounts/${account.id}/partners`, { token: account.token, body: { email: anEmail() } }),
  )
  const [manager, finance] = [await aMember(account, 'manager'), await aMember(account, 'finance')]
  const put = (token: string, body: object) => app.api('PUT', `/partners/${partner.id}`, { token, body })
  const patch = (token: string, body: object) => app.api('PATCH', `/accounts/${account.id}`, { token, body })
  const refused = async (reply: ReturnType<typeof put>, ...fields: string[]) => {
    const { status, body } = await reply
    assert.deepEqual([status, body.error.reason, Object.keys(body.error.fields)], [403, 'field_not_yours', fields])
  }
  await refused(put(manager.token, { firstName: 'Ann', approvedPayoutYears: [2026] }), 'approvedPayoutYears')
  await refused(
    put(finance.token, { commissionSettings: { layerRates: [50] }, approvedPayoutYears: [2026] }),
    'commissionSettings',
  )
  expectOk(await put(manager.token, { commissionSettings: { layerRates: [50] } }))
  const { body: now } = expectOk(await put(finance.token, { approvedPayoutYears: [2026] }))
  assert.deepEqual(
    [now.firstName, now.commissionSettings, now.approvedPayoutYears],
    [null, { layerRates: [50] }, [2026]],
  )
  await refused(patch(manager.token, { minimumPayout: 1, recurringMonths: 3 }), 'minimumPayout')
  await refused(patch(finance.token, { minimumPayout: 1, recurringMonths: 3, name: 'Mine' }), 'name', 'recurringMonths')
  for (const { token } of [manager, finance])
    await refused(patch(token, { retention: { rawDataDays: 7 } }), 'retention')
  expectOk(await patch(finance.token, { minimumPayout: 1 }))
  expectOk(await patch(manager.token, { recurringMonths: 3 }))
})

test('what is paid is not decided by a manager through a file, an action on many or a batch', async () => {
  const account = await anAccount(app)
  const [manager, finance] = [await aMember(account, 'manager'), await aMember(account, 'finance')]
  const files: Record<string, string> = {
    payouts: 'Partner Email,Amount,Paid on,Reference\na@b.example,1.00,2026-01-02,1',
    partners: 'Email\na@b.example',
  }
  const imports = (token: string, kind: string) =>
    app.api('POST', `/accounts/${account.id}/imports`, { token, body: { kind, csv: files[kind], dryRun: true } })
  assert.equal(reasonOf(await imports(manager.token, 'payouts')), '403 role_not_allowed')
  const { body: made } = expectOk(await imports(account.token, 'payouts'))
  assert.ok([202, 409].includes((await imports(manager.token, 'partners')).status))
  for (const act of ['cancel', 'undo'])
    assert.equal(
      reasonOf(await app.api('POST', `/imports/${made.id}/${act}`, { token: manager.token })),
      '403 role_not_allowed',
    )
  const bulk = (token: string, action: string) =>
    app.api('POST', `/accounts/${account.id}/bulk-actions`, { token, body: { action, ids: [made.id] } })
  assert.equal(reasonOf(await bulk(manager.token, 'retry-payouts')), '403 role_not_allowed')
  assert.equal(reasonOf(await bulk(finance.token, 'suspend-partners')), '403 role_not_allowed')
  const batch = (token: string) => app.api('GET', `/accounts/${account.id}/payouts/csv?format=wise-batch`, { token })
  assert.equal(reasonOf(await batch(manager.token)), '403 role_not_allowed')
  assert.notEqual((await batch(finance.token)).status, 403)
})

type Person = {
  userId: string
  token: string | null
  url: string | null
  role: TeamRole | null
  invited: TeamRole | null
}

/** An owner whom the administrator has assigned, and who has not accepted. */
type Assigned = { person: Person; email: string; replaces: Person }

async function live(seed: number) {
  const random: Random = randomFrom(seed)
  const account = await anAccount(app)
  const [{ userId }] = (await membersOf(account)) as [Member]
  const first: Person = { userId, token: account.token, url: null, role: 'owner', invited: null }
  const people = [first]
  /** People in the order in which they got a role. */
  const joined = [first]
  let contact = first
  let assigned: Assigned | null = null
  const steps: string[] = []
  const owners = () => people.filter(({ role }) => role === 'owner')
  for (let step = 0; step < 25; step++) {
    const signedIn = people.filter(({ token }) => token !== null)
    const actor = random.chance(70) ? random.pick(owners()) : random.pick(signedIn)
    const whom = random.pick(people)
    const act = random.pick([
      ...(['invite', 'invite', 'accept', 'accept', 'change', 'change', 'remove', 'retry'] as const),
      ...(['assign', 'reinstate', 'accept-assigned'] as const),
    ])
    const role = random.pick(teamRoles)
    steps.push(`${people.indexOf(actor)} ${act} ${people.indexOf(whom)} ${role}`)
    const token = actor.token!
    const isIn = whom.role !== null || whom.invited !== null
    const isAssigned = whom === assigned?.person
    const assign = async (email: string) =>
      expectOk(await app.api('PUT', `/accounts/${account.id}/owner`, { token: account.admin, body: { email } })).body
    if (act === 'assign') {
      const email = anEmail('assigned')
      const { owner, ownerInvitation } = await assign(email)
      assert.equal(owner.id, contact.userId)
      assert.equal(ownerInvitation.email, email)
      const { items } = expectOk(
        await app.api('GET', `${of(account)}?search=${email}`, { token: owners()[0]!.token! }),
      ).body
      const person: Person = { ...first, userId: items[0].userId, token: null, url: ownerInvitation.url, role: null }
      people.push(person)
      assigned = { person, email, replaces: contact }
    } else if (act === 'reinstate') {
      const { items } = expectOk(await app.api('GET', `${of(account)}?limit=100`, { token: owners()[0]!.token! })).body
      const { owner, ownerInvitation } = await assign(items.find((one: Member) => one.userId === contact.userId)!.email)
      assert.deepEqual([owner.id, ownerInvitation], [contact.userId, null])
      assigned = null
    } else if (act === 'accept-assigned') {
      if (!assigned) continue
      const { person, replaces }: Assigned = assigned
      person.token = (await acceptInvitation(app, person.url!)).token
      person.role = 'owner'
      joined.push(person)
      if (replaces.role === 'owner') leave(replaces)
      contact = person
      assigned = null
    } else if (act === 'invite') {
      const reply = await app.api('POST', of(account), { token, body: { email: anEmail('life'), role } })
      expect(reply, actor.role === 'owner' ? 201 : 403)
      if (reply.status === 201)
        people.push({ userId: reply.body.userId, token: null, url: reply.body.url, role: null, invited: role })
    } else if (act === 'accept') {
      if (whom.invited === null || whom.url === null || whom.token) continue
      whom.token = (await acceptInvitation(app, whom.url)).token
      Object.assign(whom, { role: whom.invited, invited: null, url: null })
      joined.push(whom)
    } else if (act === 'change') {
      const reply = await app.api('PUT', of(account, whom.userId), { token, body: { role } })
      const isLast = whom.role === 'owner' && owners().length === 1 && role !== 'owner'
      expect(reply, actor.role !== 'owner' ? 403 : isAssigned ? 409 : !isIn ? 404 : isLast ? 409 : 200)
      if (reply.status === 200) Object.assign(whom, whom.role ? { role } : { invited: role })
    } else if (act === 'remove') {
      const reply = await app.api('DELETE', of(account, whom.userId), { token })
      const isLast = whom.role === 'owner' && owners().length === 1
      const may = actor.role === 'owner' || (actor.role !== null && actor === whom)
      expect(reply, !may ? 403 : isAssigned ? 409 : !isIn ? 404 : isLast ? 409 : 204)
      if (reply.status === 204) leave(whom)
    } else {
      const reply = await app.api('POST', `${of(account, whom.userId)}/invitation/retries`, { token })
      // within a minute of the last sending
      expect(reply, actor.role !== 'owner' ? 403 : isAssigned ? 409 : !isIn ? 404 : whom.role ? 409 : 429)
    }
    if (contact.role !== 'owner') contact = joined.find(({ role }) => role === 'owner')!
    const { owner } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.admin })).body
    assert.equal(owner.id, contact.userId, `seed ${seed}: ${steps.join('; ')}: the contact`)
    function leave(person: Person) {
      Object.assign(person, { role: null, invited: null, url: null })
      if (joined.includes(person)) joined.splice(joined.indexOf(person), 1)
    }
    function expect(reply: { status: number; body: { error?: { reason: string } } }, status: number) {
      assert.equal(reply.status, status, `seed ${seed}: ${steps.join('; ')}: ${reasonOf(reply)}`)
    }
  }
  const { items } = expectOk(await app.api('GET', `${of(account)}?limit=100`, { token: owners()[0]!.token! })).body
  const roles = (list: { userId: string; role: TeamRole | null; status: string }[]) =>
    list.map((one) => `${one.userId} ${one.status} ${one.role}`).toSorted()
  assert.deepEqual(
    roles(items),
    roles(
      people
        .filter((one) => one.role !== null || one.invited !== null || one === assigned?.person)
        .map((one) => ({ ...one, role: one.role ?? one.invited ?? 'owner', status: one.role ? 'active' : 'invited' })),
    ),
    `seed ${seed}: ${steps.join('; ')}`,
  )
}

test('random lives of a team are as a plain model has them', async () => {
  for (const seed of listSeeds(2)) await live(seed)
})

test('a person is mailed that another person changed or took their role', async () => {
  const account = await anAccount(app)
  const email = anEmail('mailed')
  const { body } = expectOk(await invite(account, 'viewer', email))
  const invitation = await findSavedMail(app, 'invitation', email)
  await acceptInvitation(app, body.url)
  assert.match(invitation.text, /invites you to Northwind on Tributary, as a viewer\./)
  expectOk(await app.api('PUT', of(account, body.userId), { token: account.token, body: { role: 'finance' } }))
  const changed = await findSavedMail(app, 'access-changed', email)
  assert.match(changed.text, /You are now in the finance team of Northwind\./)
  expectOk(await app.api('DELETE', of(account, body.userId), { token: account.token }))
  const taken = await findSavedMail(app, 'access-changed', email, /no longer/)
  assert.equal(taken.subject, 'Your access to Northwind was removed')
})
