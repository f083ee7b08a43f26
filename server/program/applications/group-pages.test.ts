import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import { workOff } from '../../../demo/drain-jobs.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { anApplicant, openProgram, sendForm, visitPage } from '../../../test/support/applications.ts'
import { openDatabase } from '../../platform/database/pool.ts'
import { createPageMap } from './page-map.ts'

const app = await startApp()
const account = await anAccount(app, {
  name: 'Acme',
  defaultCommissionSettings: { layerRates: [20] },
  invitationsFromPartners: true,
})
const call = async (method: string, path: string, body?: unknown) =>
  expectOk(await app.api(method, path, { token: account.token, body })).body
const tries = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })
const slug = await openProgram(app, account)
const groupsPath = `/accounts/${account.id}/groups`

let made = 0
const aGroup = (fields: object = {}) =>
  call('POST', groupsPath, {
    ...{ name: `Group ${++made}`, joinSlug: `group-${made}`, terms: { otherwise: { layerRates: [35] } } },
    ...fields,
  })
const status = async (path: string) => (await visitPage(app, path)).status

/** Without a mail server an application waits at once. */
async function applied(path: string, fields: Record<string, string> = {}) {
  const given = anApplicant(fields)
  assert.equal((await sendForm(app, path, given)).status, 303)
  await workOff(app.services)
  const { items } = await call('GET', `/accounts/${account.id}/applications?search=${given.email}`)
  return items[0]
}
const decide = async (body: object) =>
  (await call('POST', `/accounts/${account.id}/applications/decisions`, { decision: 'approve', ...body })).results[0]
const groupOfPartner = async (id: string) => (await call('GET', `/partners/${id}`)).groupId

test('a group’s page has its terms, its public name and its own address, and every part of it leads back there', async () => {
  const recruiter = await aPartner(app, account, { firstName: 'Rosa' })
  const group = await aGroup({ publicName: 'Agencies & <co>' })
  const path = `/join/${slug}/${group.joinSlug}`
  const { html, headers } = await visitPage(app, `${path}?by=${recruiter.referralCode}`)
  const url = app.services.config.appUrl + path
  for (const words of [
    '<title>Become a partner of Acme – Agencies &amp; &lt;co&gt;</title>',
    `<link rel="canonical" href="${url}">`,
    '35%',
    'Invited by Rosa',
    `action="${path}#apply"`,
    `action="${path}#earn"`,
  ])
    assert.ok(html.includes(words), words)
  assert.doesNotMatch(html, /20%/)
  assert.equal(headers.get('cache-control'), 'no-cache')
  const sent = await sendForm(app, `${slug}/${group.joinSlug}`, anApplicant())
  assert.equal(sent.headers.get('location'), `${path}/thanks`)
  assert.equal(await status(`${path}/thanks`), 200)
  assert.equal(await status(`${path}/agreement`), 404)
  await call('POST', `/accounts/${account.id}/agreement`, { text: 'Be kind.' })
  assert.match((await visitPage(app, path)).html, new RegExp(`href="${path}/agreement"`))
  const agreement = await visitPage(app, `${path}/agreement`)
  assert.match(agreement.html, new RegExp(`rel="canonical" href="[^"]+/join/${slug}/agreement"`))
  assert.match(agreement.html, new RegExp(`href="${path}">About the program`))
  const refused = await sendForm(app, `${slug}/${group.joinSlug}`, anApplicant())
  assert.equal(refused.status, 422)
  assert.match(refused.html, /35%.*Accept the partner agreement/s)
})

test('a group without an address, with a former one, or deleted has no page: the same 404', async () => {
  const answer = async (path: string) => {
    const { status, html } = await visitPage(app, path)
    return JSON.stringify([status, html])
  }
  const unknown = await answer('/join/never-heard-of')
  const group = await aGroup({ joinSlug: 'wholesale' })
  const path = `/join/${slug}/wholesale`
  assert.notEqual(await answer(path), unknown)
  await call('PUT', `/groups/${group.id}`, { joinSlug: 'resale' })
  assert.equal(await answer(path), unknown)
  assert.equal((await sendForm(app, `${slug}/wholesale`, anApplicant())).status, 404)
  assert.equal(await status(`/join/${slug}/resale`), 200)
  await call('PUT', `/groups/${group.id}`, { joinSlug: '' })
  assert.equal((await call('GET', `/groups/${group.id}`)).joinSlug, null)
  assert.equal(await answer(`/join/${slug}/resale`), unknown)
  assert.equal(await answer(`/join/${slug}/resale/thanks`), unknown)
  await call('PUT', `/groups/${group.id}`, { joinSlug: 'resale' })
  await call('PUT', `/accounts/${account.id}/program`, { state: 'off' })
  assert.equal(await answer(`/join/${slug}/resale`), unknown)
  await call('PUT', `/accounts/${account.id}/program`, { state: 'open' })
  await call('DELETE', `/groups/${group.id}`)
  assert.equal(await answer(`/join/${slug}/resale`), unknown)
  assert.equal((await aGroup({ joinSlug: 'resale' })).joinSlug, 'resale', 'free again')
})

test('an address is one group’s in the account, and no other part of the page’s', async () => {
  await aGroup({ joinSlug: 'shops' })
  const second = await aGroup({ joinSlug: null })
  for (const [method, path] of [
    ['POST', groupsPath],
    ['PUT', `/groups/${second.id}`],
  ] as const) {
    const { status, body } = await tries(method, path, { name: 'Second', joinSlug: 'shops' })
    assert.deepEqual([status, body.error.reason], [409, 'slug_taken'])
    for (const joinSlug of ['thanks', 'agreement', 'Shops', 'ab', 'x'.repeat(41)])
      assert.equal((await tries(method, path, { name: 'Second', joinSlug })).status, 422, joinSlug)
  }
  const other = await anAccount(app)
  const itsSlug = await openProgram(app, other)
  expectOk(await app.api('PUT', `/groups/${other.id}`, { token: other.token, body: { joinSlug: 'shops' } }))
  assert.equal(await status(`/join/${itsSlug}/shops`), 200, 'the default group may have one, too')
})

test('a former address of the program leads on with the rest of the path', async () => {
  const other = await anAccount(app)
  const former = await openProgram(app, other)
  expectOk(await app.api('PUT', `/groups/${other.id}`, { token: other.token, body: { joinSlug: 'all' } }))
  expectOk(
    await app.api('PUT', `/accounts/${other.id}/program`, { token: other.token, body: { slug: `${former}-now` } }),
  )
  const encoded = former.replace(/^p/, '%70')
  for (const rest of ['/all', '/all?by=x', '/all/thanks', '?amount=5'])
    for (const old of [former, encoded]) {
      const { status, headers } = await visitPage(app, `/join/${old}${rest}`)
      assert.deepEqual([status, headers.get('location')], [301, `/join/${former}-now${rest}`])
    }
  const posted = await fetch(`${app.url}/join/${former}/all`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(),
  })
  assert.deepEqual([posted.status, posted.headers.get('location')], [307, `/join/${former}-now/all`])
})

test('applicants join the group of the page, unless the reader chooses another', async () => {
  const group = await aGroup({ name: 'Joined', joinSlug: 'joined' })
  const path = `${slug}/joined`
  const agreed = { agreement: '1' }
  const [first, second, third] = [await applied(path, agreed), await applied(path, agreed), await applied(slug, agreed)]
  assert.deepEqual([first.groupId, first.groupName, first.groupProblem], [group.id, 'Joined', null])
  assert.equal(third.groupId, null)
  const idsOf = async (groupId: string) =>
    (await call('GET', `/accounts/${account.id}/applications?limit=100&groupId=${groupId}`)).items.map(
      ({ id }: { id: string }) => id,
    )
  assert.deepEqual(new Set(await idsOf(group.id)), new Set([first.id, second.id]))
  const ofDefault = await idsOf(account.id)
  assert.ok(ofDefault.includes(third.id) && !ofDefault.includes(first.id))

  assert.equal(await groupOfPartner((await decide({ ids: [first.id] })).partnerId), group.id)
  const elsewhere = await decide({ ids: [second.id], groupId: account.id })
  assert.equal(await groupOfPartner(elsewhere.partnerId), account.id)
  assert.equal((await call('GET', `/applications/${second.id}`)).groupId, null)
})

test('if the group was deleted meanwhile, nobody is put into another one unasked', async () => {
  const group = await aGroup({ name: 'Gone', joinSlug: 'gone' })
  const application = await applied(`${slug}/gone`, { agreement: '1' })
  await call('DELETE', `/groups/${group.id}`)
  const read = await call('GET', `/applications/${application.id}`)
  assert.deepEqual([read.groupName, read.groupProblem], ['Gone', 'deleted'])
  const refused = await decide({ ids: [application.id] })
  assert.deepEqual([refused.status, refused.error.reason], [422, 'unknown_group'])
  const approved = await decide({ ids: [application.id], groupId: account.id })
  assert.equal(await groupOfPartner(approved.partnerId), account.id)
  assert.equal((await call('GET', `/applications/${application.id}`)).groupProblem, null)
})

test('automatic approval puts into the group', async () => {
  await call('PUT', `/accounts/${account.id}/program`, { autoApprove: true })
  const { id: groupId } = await aGroup({ joinSlug: 'auto' })
  const body = { firstName: 'Ada', lastName: 'Byron', email: anEmail('auto'), groupId, emailConfirmed: true }
  const { id, status } = await call('POST', `/accounts/${account.id}/applications`, body)
  assert.equal(status, 'approved')
  const { partnerId } = await call('GET', `/applications/${id}`)
  assert.equal(await groupOfPartner(partnerId), groupId)
})

test('changes of a group and its terms are heard by every process', async () => {
  const db = openDatabase({ url: app.services.db.url, log: pino({ level: 'silent' }), max: 2 })
  after(() => db.close())
  const other = createPageMap(db)
  after(() => other.close())
  await other.ready
  const group = await aGroup({ joinSlug: 'heard', publicName: 'First' })
  assert.equal((await other.find({ slug, joinSlug: 'heard' }))!.group!.publicName, 'First')
  // notices of the changes above may still arrive
  await waitUntil(async () => {
    const found = await other.find({ slug, joinSlug: 'heard' })
    return found === (await other.find({ slug, joinSlug: 'heard' }))
  })
  await call('PUT', `/groups/${group.id}`, { publicName: 'Second' })
  await waitUntil(async () => (await other.find({ slug, joinSlug: 'heard' }))!.group!.publicName === 'Second')
  await call('PUT', `/groups/${group.id}/terms`, { terms: { otherwise: { layerRates: [45] } } })
  await waitUntil(
    async () => (await other.find({ slug, joinSlug: 'heard' }))!.promised[0]!.terms.otherwise.layerRates![0] === 45,
  )
  await call('DELETE', `/groups/${group.id}`)
  await waitUntil(async () => (await other.find({ slug, joinSlug: 'heard' })) === undefined)
})

test('the page of customers promises what friend and customer get, and has no form', async () => {
  const terms = {
    otherwise: { layerAmounts: [0] },
    rules: [{ on: 'sale', when: { firstPayments: 1 }, layerAmounts: [15_00] }],
  }
  const reward = { as: 'units', unitName: '<credits>', unitValue: 100 }
  const group = await aGroup({
    kind: 'customers',
    reward,
    terms: { ...terms, maxPerYear: 150_00 },
    publicName: 'Friends',
  })
  const path = `/join/${slug}/${group.joinSlug}`
  const { html, status: found } = await visitPage(app, path)
  assert.equal(found, 200)
  for (const words of [
    '<title>Invite friends to Acme – Friends</title>',
    'For each friend, you get 15 &lt;credits&gt; after their first payment, at most 150 &lt;credits&gt; a year.',
    'Sign in to Acme to get your link.',
  ])
    assert.ok(html.includes(words), html)
  assert.doesNotMatch(html, /<form|Apply|partner program/)
  const sent = await sendForm(app, `${slug}/${group.joinSlug}`, anApplicant())
  assert.equal(sent.status, 409)
  assert.doesNotMatch(sent.html, /<form/)
  await call('PUT', `/groups/${group.id}`, { joinSlug: null })
  await waitUntil(async () => (await status(path)) === 404)
})
