import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, type Endpoint, isReadByKey, type Subject, type TeamRole } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { transaction } from '../server/platform/database/pool.ts'
import {
  ADMINISTRATOR,
  acceptInvitation,
  anAccount,
  anEmail,
  aPartner,
  expectOk,
  PASSWORD,
  type Reply,
  startApp,
  type TestAccount,
} from './support/app.ts'
import { aCase } from './support/fraud-cases.ts'
import { anInvoice } from './support/invoices.ts'
import { failOnFetch } from './support/no-fetch.ts'
import { aHostName, atHost, setHost } from './support/own-host.ts'
import { aPaymentFile } from './support/payment-files.ts'
import { bankDetails } from './support/payouts.ts'
import { addThings, hiddenFromPartners, whileInactive } from './support/sweep.ts'

// Every call of the contract × each caller × each owner of the thing that the path names. The expectation follows from
// the policy that the endpoint declares; a call missing on the server or in the contract fails too.

const ABSENT = '01900000-0000-7000-8000-000000000000'
const CANARY = 'canary'
const BANK_CANARY = '987650004321'

/** An account with one of everything, whose texts are marked to be recognised anywhere. */
type World = {
  account: TestAccount
  canary: string
  apiKey: string
  ids: Record<Subject, string>
  parent: { id: string; token: string }
  partner: { id: string; token: string }
  /** A member of the partner, and one of the partner above it. */
  member: string
  /** A portal session of the partner. */
  portal: string
  memberAbove: string
  sibling: { id: string; token: string }
  /** A partner below the partner. */
  below: string
  /** People of the account's team. */
  team: Record<Exclude<TeamRole, 'owner'>, string>
}

failOnFetch()
const app = await startApp()

async function aWorld(name: string): Promise<World> {
  const canary = `${CANARY}-${name}`
  const account = await anAccount(app, { name: `${canary}-account`, payoutDelay: 0 })
  const agreement = { text: `Be kind to ${canary}.` }
  expectOk(await app.api('POST', `/accounts/${account.id}/agreement`, { token: account.token, body: agreement }))
  const { id, token } = account
  const call = async (method: string, path: string, body?: unknown, by = token) =>
    expectOk(await app.api(method, path, { token: by, body })).body
  await call('PATCH', `/accounts/${id}`, { defaultCommissionSettings: { layerRates: [10, 5] } })
  const named = (lastName: string) => ({ firstName: canary, lastName, email: anEmail(`${canary}-${lastName}`) })
  const parent = await aPartner(app, account, named('parent'), { signIn: true })
  const partner = await aPartner(app, account, { ...named('child'), parentPartnerId: parent.id }, { signIn: true })
  const sibling = await aPartner(app, account, named('sibling'), { signIn: true })
  const below = await aPartner(app, account, { ...named('below'), parentPartnerId: partner.id })
  const bank = bankDetails({ accountNumber: BANK_CANARY })
  await call('POST', `/partners/${partner.id}/payout-settings`, bank, partner.token)
  const blueprint = await call('POST', `/accounts/${id}/link-blueprints`, {
    name: `${canary}-link`,
    destinationUrl: 'https://shop.example/',
  })
  const group = await call('POST', `/accounts/${id}/groups`, { name: `${canary}-group` })
  const goal = await call('POST', `/groups/${group.id}/goals`, {
    ...{ name: `${canary}-goal`, metric: 'sales', window: 'month', atLeast: 1000, bonus: 100 },
  })
  await call('PUT', `/partners/${partner.id}`, { groupId: group.id })
  const ownLink = await call('POST', `/partners/${partner.id}/links`, {
    ...{ name: `${canary}-own`, destinationUrl: 'https://shop.example/own' },
  })
  const lead = await call('POST', `/accounts/${id}/leads`, {
    partnerId: partner.id,
    firstName: `${canary}-lead`,
    email: anEmail(`${canary}-lead`),
  })
  const sale = await call('POST', `/leads/${lead.id}/sales`, { amount: 100_00, description: `${canary}-sale` })
  await call('POST', `/accounts/${id}/payouts/refresh`)
  const payouts = await call('GET', `/partners/${partner.id}/payouts`)
  const paymentFile = await aPaymentFile(app.services, id, payouts.items[0].id)
  await call('PUT', `/partners/${partner.id}`, { approvedPayoutYears: [app.clock.now().getUTCFullYear()] })
  const invoice = await anInvoice(app, account, partner)
  const { apiKey } = await call('PUT', `/accounts/${id}/api-key`)
  const webhook = await call('POST', `/accounts/${id}/outgoing-webhooks`, {
    name: canary.slice(0, 40),
    url: 'https://hooks.example/in',
    events: ['*'],
    enabled: false,
  })
  const incoming = await call('POST', `/accounts/${id}/incoming-webhooks`, {
    name: canary.slice(0, 40),
    target: 'lead',
  })
  const file = {
    kind: 'leads',
    csv: `email\n${canary.slice(0, 20).replace(/\W/g, '')}@imported.example`,
    dryRun: false,
  }
  const imported = await call('POST', `/accounts/${id}/imports`, file)
  const application = await call('POST', `/accounts/${id}/applications`, {
    firstName: canary.slice(0, 40),
    lastName: 'Applicant',
    email: anEmail(`${canary}-applicant`),
    emailConfirmed: true,
  })
  const { id: caseId } = await aCase(app, account)
  const things = await addThings({ accountId: id, partner, call, text: (max) => canary.slice(0, max) })
  const ids = {
    account: id,
    partner: partner.id,
    group: group.id,
    application: application.id,
    goal: goal.id,
    'link-blueprint': blueprint.id,
    'partner-link': ownLink.id,
    lead: lead.id,
    sale: sale.id,
    case: caseId,
    ...things,
    commission: sale.commissions[0].id,
    payout: payouts.items[0].id,
    'payment-file': paymentFile.id,
    invoice: invoice.id,
    'outgoing-webhook': webhook.id,
    'incoming-webhook': incoming.id,
    import: imported.id,
  }
  const memberAt = async ({ id, token }: { id: string; token: string }) => {
    const { userId } = await call(
      'POST',
      `/partners/${id}/members`,
      { email: anEmail(`${canary}-at`), role: 'member' },
      token,
    )
    const { items } = await call('GET', `/partners/${id}/members`)
    return (await acceptInvitation(app, items.find((one: { userId: string }) => one.userId === userId).url)).token
  }
  const memberOf = async (role: TeamRole) => {
    const { url } = await call('POST', `/accounts/${id}/members`, { email: anEmail(`${canary}-${role}`), role })
    return (await acceptInvitation(app, url)).token
  }
  const team = {
    manager: await memberOf('manager'),
    finance: await memberOf('finance'),
    viewer: await memberOf('viewer'),
  }
  const [member, memberAbove] = [await memberAt(partner), await memberAt(parent)]
  const { key } = await call('POST', `/accounts/${id}/api-keys`, { name: 'App', rights: ['partners'] })
  const { token: portal } = await call('POST', `/partners/${partner.id}/portal-sessions`, { kind: 'frame' }, key)
  return { account, canary, apiKey, ids, parent, partner, member, portal, memberAbove, sibling, below: below.id, team }
}

const mine = await aWorld('mine')
const other = await aWorld('other')
/** A signed-in user without any role. */
const nobody = await someoneWithoutRole()

async function someoneWithoutRole() {
  const gone = await aPartner(app, mine.account, { email: anEmail('gone') })
  const invitation = expectOk(await app.api('GET', `/partners/${gone.id}/invitation`, { token: mine.account.token }))
  const { token } = await acceptInvitation(app, invitation.body.url)
  expectOk(await app.api('DELETE', `/partners/${gone.id}`, { token: mine.account.token }))
  return token
}

type Actor = { name: string; token(): string | null; roles: Caller[]; own: Partial<Record<Subject, boolean>> }
const everything = Object.fromEntries(Object.keys(mine.ids).map((subject) => [subject, true]))

const ofPartner: Actor['own'] = {
  ...everything,
  ...Object.fromEntries(hiddenFromPartners.map((subject) => [subject, false])),
  group: false,
  'payment-file': false,
  goal: false,
  'link-blueprint': false,
  'outgoing-webhook': false,
  'incoming-webhook': false,
  import: false,
}
const ofAncestor: Actor['own'] = { account: true, partner: true, sale: true }

/** The callers, with their roles in the policy's words and the things of `mine` that they may see. */
const actors: Actor[] = [
  { name: 'nobody', token: () => nobody, roles: [], own: {} },
  { name: 'administrator', token: () => mine.account.admin, roles: ['admin'], own: { account: true } },
  { name: 'owner', token: () => mine.account.token, roles: ['owner'], own: everything },
  ...(['manager', 'finance', 'viewer'] as const).map((role) => ({
    name: role,
    token: () => mine.team[role],
    roles: [role],
    own: everything,
  })),
  { name: 'partner', token: () => mine.partner.token, roles: ['partner'], own: ofPartner },
  { name: 'partner-member', token: () => mine.member, roles: ['partner-member'], own: ofPartner },
  { name: 'ancestor', token: () => mine.parent.token, roles: ['partner', 'ancestor'], own: ofAncestor },
  { name: 'ancestor’s member', token: () => mine.memberAbove, roles: ['partner-member', 'ancestor'], own: ofAncestor },
  { name: 'sibling', token: () => mine.sibling.token, roles: ['partner'], own: { account: true } },
]

const isSession = ({ allow }: Endpoint) =>
  !allow.includes('public') && !allow.includes('push') && !allow.includes('link')
const own = endpoints.filter((endpoint) => endpoint.subject)
/** The days of a call that needs some. */
const days = ({ query }: Endpoint) => (query?.safeParse({}).success === false ? '?from=2026-01-01&to=2026-01-31' : '')
const path = (endpoint: Endpoint, id: string) =>
  endpoint.path
    .replace(':id', id)
    .replace(':range', '2026-01-01..2026-01-31')
    .replace(':kind', 'sale-credited')
    .replace(':year', '2026')
    .replace(':day', '2026-01-31')
    .replace(':version', '1')
    .replace(':provider', 'stripe')
    .replace(/:[a-zA-Z]+/g, ABSENT)
    .concat(days(endpoint))

/** A body that no call accepts: a caller whose body is refused got past the access check. */
const UNKNOWN = { thisFieldDoesNotExist: 1 }
const send = (endpoint: Endpoint, id: string, token: string | null) =>
  app.api(endpoint.method, path(endpoint, id), { token, ...(endpoint.method !== 'GET' && { body: UNKNOWN }) })

/** Checks several at a time. */
async function each<T>(all: readonly T[], check: (one: T) => Promise<unknown>) {
  const left = all.values()
  const work = async () => {
    for (const one of left) await check(one)
  }
  await Promise.all(Array.from({ length: 6 }, work))
}

const words = ({ body }: { body: { error?: unknown } }) => JSON.stringify(body.error)

test('the server implements every call of the contract', async () => {
  await each(endpoints, async (endpoint) => {
    const { status, body } = await send(endpoint, ABSENT, null)
    const missing = status === 404 && endpoint.allow.includes('public') === false
    assert.ok(!missing, `${endpoint.name}: ${status} ${JSON.stringify(body)}`)
  })
})

test('a suspended or archived partner can create nothing by any call, for themselves or below them', async () => {
  const account = await anAccount(app, { invitationsFromPartners: true, partnerLeadSubmission: true })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const child = expectOk(
    await app.api('POST', `/partners/${partner.id}/partners`, { token: partner.token, body: { email: anEmail() } }),
  ).body
  const change = (path: string, body: object, method = 'POST') =>
    app.api(method, `/partners/${partner.id}${path}`, { token: account.token, body })
  const page = { name: 'Shop', destinationUrl: 'https://shop.example/' }
  expectOk(await app.api('POST', `/accounts/${account.id}/link-blueprints`, { token: account.token, body: page }))
  const link = expectOk(await change('/links', page)).body
  const writing = own.filter(
    ({ method, allow }) => method !== 'GET' && (allow.includes('partner') || allow.includes('ancestor')),
  )
  assert.deepEqual(
    writing
      .filter((one) => one.whileInactive)
      .map(({ name }) => name)
      .toSorted(),
    [
      ...whileInactive,
      'acceptAgreement',
      'answerQuestion',
      'deletePayoutSettings',
      'previewPayoutForm',
      'removePartnerMember',
      'revokeInvitation',
      'savePayoutSettings',
    ].toSorted(),
  )
  const inactive = async () => {
    for (const endpoint of writing.filter((one) => !one.whileInactive)) {
      const theirs = endpoint.subject === 'partner-link' ? link.id : partner.id
      for (const id of [...(endpoint.allow.includes('partner') ? [theirs] : []), child.id]) {
        const { status, body } = await send(endpoint, id, partner.token)
        const isTheirs = endpoint.allow.includes(id === theirs ? 'partner' : 'ancestor')
        if (isTheirs) assert.deepEqual([status, body.error.reason], [409, 'partner_inactive'], endpoint.name)
        else assert.equal(status, 404, endpoint.name)
      }
    }
    assert.equal((await app.api('GET', `/partners/${partner.id}`, { token: partner.token })).status, 200)
  }
  expectOk(await change('', { state: 'suspended', reason: 'Checks' }, 'PUT'))
  await inactive()
  expectOk(await change('/archive', { subPartners: 'keep', balance: 'void', reason: 'Left' }))
  await inactive()
  expectOk(await change('', { state: 'active' }, 'PUT'))
  expectOk(await app.api('POST', `/partners/${partner.id}/leads`, { token: partner.token, body: { email: anEmail() } }))

  // begins before the suspension is committed, and ends after it
  const { invited } = await transaction(app.services.db, async (tx) => {
    await tx.run`update partners set state = 'suspended' where id = ${partner.id}`
    const body = { email: anEmail() }
    const invited = app.api('POST', `/partners/${partner.id}/partners`, { token: partner.token, body })
    await sleep(500)
    return { invited }
  })
  assert.equal((await invited).status, 409)
})

test('no call is allowed without a token, or with another kind of token', async () => {
  const closed = endpoints.filter((one) => !one.allow.includes('public'))
  await each(closed, async (endpoint) => {
    // the call itself checks a link's token, after its body
    const others = endpoint.allow.includes('link')
      ? []
      : ['no-such-token', 'tpk_no-such-key', ...(endpoint.allow.includes('push') ? [mine.account.token] : [])]
    for (const token of [null, ...others]) {
      const { status } = await send(endpoint, mine.ids[endpoint.subject ?? 'account'], token)
      assert.equal(status, 401, `${endpoint.name} with ${token ? 'a wrong token' : 'none'}`)
    }
  })
})

test('a read-only key reads what its owner reads except secrets, in its own account only, and does nothing else', async () => {
  const home = `/accounts/${mine.ids.account}/api-keys`
  const keyWith = async (...rights: string[]) =>
    expectOk(await app.api('POST', home, { token: mine.account.token, body: { name: rights.join(), rights } })).body.key
  const [reading, both] = [await keyWith('read'), await keyWith('push', 'read')]
  const asks = async (endpoint: Endpoint, world: World, token: string) =>
    send(endpoint, world.ids[endpoint.subject ?? 'account'], token)
  const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
    `${status} ${body?.error?.reason}`
  for (const endpoint of endpoints.filter(({ allow }) => !allow.includes('public') && !allow.includes('link'))) {
    const { name, method, allow } = endpoint
    if (allow.includes('push')) {
      assert.equal(reasonOf(await asks(endpoint, mine, reading)), '403 api_key_may_not_push', name)
      assert.equal((await asks(endpoint, mine, both)).status, 422, name)
      continue
    }
    if (!isReadByKey(endpoint)) {
      const named =
        (allow.includes('partners') && 'api_key_may_not_manage_partners') ||
        (allow.includes('payouts') && 'api_key_may_not_mark_paid') ||
        (allow.includes('rewards') && 'api_key_may_not_acknowledge')
      const why = named || (method === 'GET' ? 'api_key_may_not_call' : 'api_key_may_not_write')
      for (const token of [reading, both, mine.apiKey])
        assert.equal(reasonOf(await asks(endpoint, mine, token)), `403 ${why}`, name)
      continue
    }
    assert.equal(reasonOf(await asks(endpoint, mine, mine.apiKey)), '403 api_key_may_not_read', name)
    if (endpoint.subject) assert.equal((await asks(endpoint, other, reading)).status, 404, `${name}, foreign`)
    const [seen, whole] = [await asks(endpoint, mine, reading), await asks(endpoint, mine, mine.account.token)]
    // the minute of the limit of files ends for the one before the other
    if (seen.status !== whole.status && [seen.status, whole.status].includes(429)) continue
    assert.equal(seen.status, whole.status, name)
    const secrets: Record<string, (answer: Reply['body']) => unknown> = {
      getAccount: (answer) => ({ ...answer, apiKey: null }),
      getInvitation: (answer) => ({ ...answer, url: null }),
      getIncomingWebhook: (answer) => ({ ...answer, url: null }),
      listIncomingWebhooks: (answer) => ({
        ...answer,
        items: answer.items.map((item: object) => ({ ...item, url: null })),
      }),
      listApiKeys: (answer) => ({
        ...answer,
        items: answer.items.map((item: object) => ({ ...item, createdBy: null })),
      }),
    }
    // a file has the contents of its list, and downloading it adds to the activity
    if (endpoint.produces) continue
    const { requestId: _, ...rest } = whole.body
    const { requestId: __, ...read } = seen.body
    assert.deepEqual(read, secrets[name]?.(rest) ?? rest, name)
  }
})

for (const right of ['partners', 'payouts', 'rewards'] as const)
  test(`a key with the right ${right} makes the calls that name it in its own account, and no other`, async () => {
    const body = { name: right, rights: [right] }
    const { key } = expectOk(
      await app.api('POST', `/accounts/${mine.ids.account}/api-keys`, { token: mine.account.token, body }),
    ).body
    for (const endpoint of endpoints.filter(({ allow }) => !allow.includes('public') && !allow.includes('link'))) {
      const { name, allow, subject } = endpoint
      const requestAs = async (world: World) => (await send(endpoint, world.ids[subject ?? 'account'], key)).status
      if (allow.includes(right))
        assert.deepEqual([(await requestAs(mine)) === 403, await requestAs(other)], [false, 404], name)
      else assert.equal(await requestAs(mine), 403, name)
    }
  })

test('a portal session makes the calls that say so for its partner alone, and no other call of any kind', async () => {
  const token = mine.portal
  await each(
    endpoints.filter(({ allow }) => !allow.includes('public')),
    async (endpoint) => {
      const { name, subject, method, inPortal } = endpoint
      const requestAs = (id: string) => send(endpoint, id, token)
      if (!inPortal) {
        const { status, body } = await requestAs(mine.ids[subject ?? 'account'])
        return assert.deepEqual([status, body.error.reason], [403, 'not_in_portal'], name)
      }
      if (!subject) return assert.equal((await requestAs('')).status, 200, name)
      const { status } = await requestAs(mine.ids[subject])
      assert.ok(method === 'GET' ? status === 200 : status === 422, `${name}: ${status}`)
      const others = subject === 'partner' ? [mine.parent.id, mine.sibling.id, mine.below] : []
      for (const id of [other.ids[subject], ABSENT, ...others])
        assert.equal((await requestAs(id)).status, 404, `${name}, not theirs`)
    },
  )
})

test('the keys of a disabled account read no more than its owner does', async () => {
  const { id, token, admin } = await anAccount(app)
  const body = { name: 'Reports', rights: ['push', 'read'] }
  const { key } = expectOk(await app.api('POST', `/accounts/${id}/api-keys`, { token, body })).body
  expectOk(await app.api('POST', `/accounts/${id}/disable`, { token: admin }))
  for (const endpoint of endpoints.filter(
    (endpoint) => (endpoint.subject === 'account' && isReadByKey(endpoint)) || endpoint.allow.includes('push'),
  )) {
    const { status, body } = await send(endpoint, id, key)
    if (endpoint.whileDisabled) assert.equal(status, 200, endpoint.name)
    else assert.equal(`${status} ${body.error.code}`, '403 account_disabled', endpoint.name)
  }
})

test('a session of an account’s own domain may what its partner may, whatever else the person is', async () => {
  const { partner, account } = mine
  const { db } = app.services
  const { email, userId } = await db.one<{ email: string; userId: string }>`
    select u.email, u.id as user_id from partners p join users u on u.id = p.user_id where p.id = ${partner.id}`
  const name = aHostName()
  await setHost(app, account.id, name)
  const host = atHost(app, name)
  const before = expectOk(await host.api('POST', '/auth/sign-in', { body: { email, password: PASSWORD } })).body
    .accessToken
  const closed = endpoints.filter(
    // these end the sessions that the test compares
    ({ name, allow }) => isSession({ allow } as Endpoint) && !['endOtherSessions', 'endSession'].includes(name),
  )
  const things = (endpoint: Endpoint) =>
    endpoint.subject ? [mine.ids[endpoint.subject], other.ids[endpoint.subject], ABSENT] : ['']
  const outcomeOf = ({ status, body }: Reply) => `${status} ${body?.error?.reason ?? ''}`
  const asPartner = new Map<string, string>()
  await each(closed, async (endpoint) => {
    for (const id of things(endpoint)) {
      const outcome = outcomeOf(await send(endpoint, id, partner.token))
      asPartner.set(`${endpoint.name} ${id}`, endpoint.onlyAtAppUrl ? '403 only_at_app_url' : outcome)
    }
  })
  await db.run`
    insert into user_roles (user_id, type, account_id, partner_id, created_at)
    values (${userId}, 'admin', null, null, now()), (${userId}, 'account-owner', ${account.id}, null, now()),
      (${userId}, 'account-owner', ${other.account.id}, null, now()),
      (${userId}, 'partner', ${other.account.id}, ${other.partner.id}, now())`
  const after = (await host.signIn(email)).token
  const whole = expectOk(await app.api('POST', '/auth/sign-in', { body: { email, password: PASSWORD } })).body
    .accessToken
  let wider = 0
  await each(closed, async (endpoint) => {
    const body = endpoint.method === 'GET' ? undefined : UNKNOWN
    for (const id of things(endpoint)) {
      const key = `${endpoint.name} ${id}`
      const requestAs = async (api: typeof app.api, token: string) =>
        outcomeOf(await api(endpoint.method, path(endpoint, id), { token, body }))
      assert.equal(await requestAs(host.api, before), asPartner.get(key), `${key}, of before`)
      assert.equal(await requestAs(host.api, after), asPartner.get(key), `${key}, at the host`)
      assert.equal(await requestAs(app.api, after), asPartner.get(key), `${key}, at APP_URL`)
      assert.equal(await requestAs(host.api, whole), asPartner.get(key), `${key}, of APP_URL at the host`)
      if ((await requestAs(app.api, whole)) !== asPartner.get(key)) wider++
    }
  })
  assert.ok(wider > 100, `${wider} calls more at APP_URL`)
  await db.run`delete from user_roles where user_id = ${userId} and partner_id is distinct from ${partner.id}::uuid`
  await setHost(app, account.id, name, 'given-up')
})

for (const actor of actors)
  test(`the policy holds for ${actor.name}`, async () => {
    await each(own.filter(isSession), async (endpoint) => {
      const subject = endpoint.subject!
      const wanted = new Set<Caller>(endpoint.allow)
      // anyone of a partner may be above another
      const isOfPartner = actor.roles.some((role) => role === 'partner' || role === 'partner-member')
      const hasRole =
        wanted.has('user') || actor.roles.some((role) => wanted.has(role)) || (isOfPartner && wanted.has('ancestor'))
      const [self, foreign, absent] = [
        await send(endpoint, mine.ids[subject], actor.token()),
        await send(endpoint, other.ids[subject], actor.token()),
        await send(endpoint, ABSENT, actor.token()),
      ]
      const what = `${actor.name}: ${endpoint.name}`
      if (!hasRole) {
        for (const reply of [self, foreign, absent]) assert.equal(reply.status, 403, what)
        return
      }
      assert.equal(absent.status, 404, `${what}, absent`)
      // an administrator administers every account
      if (actor.name !== 'administrator') {
        assert.equal(foreign.status, 404, `${what}, foreign`)
        assert.equal(words(foreign), words(absent), `${what}: foreign and absent are told apart`)
      }
      const role = actor.roles[actor.roles.includes('ancestor') && subject === 'partner' ? 1 : 0]!
      const lets = actor.own[subject] && wanted.has(role)
      if (!lets) assert.equal(self.status, 404, `${what}, own without being let in: ${JSON.stringify(self.body)}`)
      else if (endpoint.method === 'GET')
        assert.ok([200, 404, 409].includes(self.status), `${what}: ${self.status} ${JSON.stringify(self.body)}`)
      else assert.equal(self.status, 422, `${what}: ${JSON.stringify(self.body)}`)
    })
  })

test('a read never returns another account’s words, or words not meant for the partner', async () => {
  const readers: [string, string, string[]][] = [
    ['owner', mine.account.token, [other.canary]],
    ['partner', mine.partner.token, [other.canary, `${mine.canary}-sibling`, mine.apiKey]],
    ['member', mine.member, [other.canary, `${mine.canary}-sibling`, mine.apiKey]],
    [
      'portal',
      mine.portal,
      [
        ...[other.canary, `${mine.canary}-sibling`, `${mine.canary}-parent`, `${mine.canary}-child-`, mine.apiKey],
        ...[BANK_CANARY, BANK_CANARY.slice(-4), mine.account.ownerEmail, ADMINISTRATOR.email],
      ],
    ],
    [
      'sibling',
      mine.sibling.token,
      [other.canary, `${mine.canary}-lead`, `${mine.canary}-sale`, `${mine.canary}-child`],
    ],
    ['administrator', mine.account.admin, [mine.apiKey, other.apiKey, `${mine.canary}-lead`, `${mine.canary}-child`]],
  ]
  const reading = endpoints.filter((one) => one.method === 'GET' && isSession(one))
  // an id may contain the last four digits by chance
  const withoutIds = (body: unknown) =>
    JSON.stringify(body).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
  for (const [name, token, secrets] of readers)
    await each(reading, async (endpoint) => {
      for (const id of new Set([mine, other].map(({ ids }) => path(endpoint, ids[endpoint.subject ?? 'account'])))) {
        const { body } = await app.api('GET', id, { token })
        for (const secret of secrets)
          assert.ok(!withoutIds(body).includes(secret), `${name} reads ${secret} by ${endpoint.name}`)
      }
    })
})

test('a filter on another account’s objects finds nothing', async () => {
  const filters: [string, Record<string, string>][] = [
    [`/accounts/${mine.ids.account}/leads`, { partnerId: other.ids.partner }],
    [`/accounts/${mine.ids.account}/sales`, { partnerId: other.ids.partner }],
    [`/accounts/${mine.ids.account}/sales`, { leadId: other.ids.lead }],
    [`/accounts/${mine.ids.account}/payouts`, { partnerId: other.ids.partner }],
    [`/accounts/${mine.ids.account}/partners`, { parentPartnerId: other.parent.id }],
    [`/accounts/${mine.ids.account}/balances`, { partnerId: other.ids.partner }],
  ]
  for (const [path, query] of filters) {
    const { status, body } = await app.api('GET', `${path}?${new URLSearchParams(query)}`, {
      token: mine.account.token,
    })
    assert.equal(status, 200, path)
    assert.deepEqual([body.items, body.total], [[], 0], path)
  }
})

test('an ID in a body is refused identically when it is foreign and when it is unknown, with its field', async () => {
  const { ids, account } = mine
  const key = { token: mine.apiKey }
  const bodies: [string, string, string, (id: string) => unknown, Subject, { token: string }?][] = [
    [
      'POST',
      `/accounts/${ids.account}/partners`,
      'parentPartnerId',
      (id) => ({ email: anEmail(), parentPartnerId: id }),
      'partner',
    ],
    ['PUT', `/partners/${mine.sibling.id}`, 'parentPartnerId', (id) => ({ parentPartnerId: id }), 'partner'],
    ['POST', `/accounts/${ids.account}/leads`, 'partnerId', (id) => ({ email: anEmail(), partnerId: id }), 'partner'],
    ['POST', `/leads/${ids.lead}/reassign`, 'partnerId', (id) => ({ partnerId: id, reason: 'x' }), 'partner'],
    [
      'POST',
      `/accounts/${ids.account}/commission-preview`,
      'partnerId',
      (id) => ({ partnerId: id, amount: 1 }),
      'partner',
    ],
    ['POST', `/accounts/${ids.account}/commission-preview`, 'leadId', (id) => ({ leadId: id, amount: 1 }), 'lead'],
    ['POST', '/push/leads', 'partnerId', (id) => ({ email: anEmail(), partnerId: id }), 'partner', key],
    ['POST', '/push/sales', 'leadId', (id) => ({ externalId: anEmail(), leadId: id, amount: 1 }), 'lead', key],
  ]
  for (const [method, path, field, body, subject, by = { token: account.token }] of bodies) {
    const answers = []
    for (const id of [other.ids[subject], ABSENT, 'not-an-id']) {
      const reply = await app.api(method, path, { ...by, body: body(id) })
      assert.equal(reply.status, 422, `${method} ${path}: ${JSON.stringify(reply.body)}`)
      assert.deepEqual(Object.keys(reply.body.error.fields), [field], `${method} ${path}`)
      answers.push(words(reply))
    }
    assert.equal(new Set(answers).size, 1, `${method} ${path} tells foreign from unknown`)
  }
})
