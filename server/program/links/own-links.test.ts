import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'

const app = await startApp()
const { db } = app.services

async function aProgram(settings: object = {}) {
  const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [10] }, ...settings })
  const partner = await aPartner(app, account, { referralCode: 'pia' }, { signIn: true })
  const send = async (method: string, path: string, body?: unknown, token = account.token) => {
    const reply = await app.api(method, path, { token, body })
    return { ...reply, outcome: reply.body?.error ? `${reply.status} ${reply.body.error.reason}` : `${reply.status}` }
  }
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const add = (body: object, token = partner.token) =>
    send('POST', `/partners/${partner.id}/links`, { name: 'Mine', ...body }, token)
  const { apiKey } = await call('PUT', `/accounts/${account.id}/api-key`)
  return { account, partner, send, call, add, apiKey }
}

const clickRow = (id: string | null) => db.one<{ partnerId: string; linkId: string | null; subId: string | null }>`
  select partner_id, link_id, sub_id from clicks where id = ${id}`
const keyOf = ({ shortUrl }: { shortUrl: string }) => new URL(shortUrl).pathname.split('/')[2]!

test('an own link leads to a page of the template that fits it best, and belongs to its partner', async () => {
  const { account, partner, call, send, add } = await aProgram()
  const { id: root } = await aBlueprint(app, account, { destinationUrl: 'https://shop.example.com/' })
  const fields = { destinationUrl: 'https://shop.example.com/blog/', moreDomains: ['notes.example.com'] }
  const { id: blog } = await aBlueprint(app, account, { ...fields, parameterName: 'via' })
  await aBlueprint(app, account, { destinationUrl: 'https://closed.example.com/', partnerLinks: false })
  const made = await add({
    destinationUrl: 'https://shop.example.com/blog/a?x=1&VIA=other&click=1&sub=2',
    subId: ' n ',
  })
  const { id, shortUrl, ...link } = made.body
  assert.equal(made.status, 201)
  assert.match(shortUrl, /\/r\/[a-z0-9]{9}\/pia$/)
  assert.deepEqual(link, {
    blueprintId: blog,
    own: true,
    name: 'Mine',
    destinationUrl: 'https://shop.example.com/blog/a?x=1',
    subId: 'n',
    url: 'https://shop.example.com/blog/a?x=1&via=pia&sub=n',
    ...{ clicks: 0, leads: 0, sales: 0, revenue: 0, domains: ['shop.example.com', 'notes.example.com'] },
  })
  const elsewhere = ['https://shop.example.com/blogs', 'https://shop.example.com/x/../pricing']
  for (const destinationUrl of elsewhere) assert.equal((await add({ destinationUrl })).body.blueprintId, root)
  assert.equal((await add({ destinationUrl: 'https://notes.example.com/' })).body.blueprintId, blog)
  const named = { destinationUrl: 'https://shop.example.com/blog/b', blueprintId: root }
  assert.equal((await add(named)).body.blueprintId, root)

  const hosts = 'Links can lead to shop.example.com, notes.example.com'
  for (const [destinationUrl, message] of [
    ['https://shop.example.com.evil.test/', hosts],
    ['https://shop.example.com@evil.test/', 'Enter a full https address'],
    ['https:\\\\evil.test/', hosts],
    ['https://ѕhop.example.com/', hosts],
    ['https://www.shop.example.com/', hosts],
    ['https://closed.example.com/', hosts],
    ['https://shop.example.com:8443/', 'Enter an address without a port'],
    ['http://shop.example.com/', 'Enter a full https address'],
    ['javascript:alert(1)', 'Enter a full https address'],
    ['//shop.example.com/', 'Enter a full https address'],
  ]) {
    const { status, body } = await add({ destinationUrl })
    assert.deepEqual([status, body.error?.fields], [422, { destinationUrl: message }], destinationUrl)
  }
  const other = await aPartner(app, account, {}, { signIn: true })
  const at = `/partner-links/${id}`
  assert.equal((await add(named, other.token)).outcome, '404 not_found')
  for (const [method, body] of [['PUT', { name: 'x' }], ['DELETE']] as const)
    assert.equal((await send(method, at, body, other.token)).outcome, '404 not_found')

  const notes = await call('PUT', at, { destinationUrl: 'https://notes.example.com/n', subId: null }, partner.token)
  assert.deepEqual([notes.destinationUrl, notes.subId, notes.name], ['https://notes.example.com/n', null, 'Mine'])
  const off = await send('PUT', at, { destinationUrl: 'https://closed.example.com/' })
  assert.equal(off.body.error.reason, 'page_not_on_these_hosts')
  const list = (query: string) => call('GET', `/partners/${partner.id}/links${query}`, undefined, partner.token)
  const ownLinks = await list('?own=true')
  assert.deepEqual([ownLinks.total, (await list('')).total, (await list('?own=false')).total], [5, 8, 3])
  assert.deepEqual(
    (await call('GET', `/link-blueprints/${blog}/links?own=true&sort=createdAt`)).items.map(
      (one: { partnerId: string; id: string }) => [one.partnerId, one.id],
    ),
    [id, ownLinks.items[1].id].map((linkId) => [partner.id, linkId]),
  )
  assert.equal((await call('GET', `/link-blueprints/${blog}/links`)).items.length, 2)
  await call('DELETE', at)
  assert.equal((await send('PUT', at, { name: 'x' })).outcome, '404 not_found')
  assert.equal((await list('?own=true')).total, 4)
})

test('a partner has at most a hundred own links, however many are added at once', async () => {
  const { account, partner, send, add } = await aProgram()
  assert.equal((await add({ destinationUrl: 'https://shop.example.com/' })).outcome, '409 no_own_links')
  const { id } = await aBlueprint(app, account)
  await db.run`
    insert into partner_links (id, account_id, partner_id, blueprint_id, key, name, destination_url, domain,
      created_at, updated_at)
    select gen_random_uuid(), ${account.id}, ${partner.id}, ${id}, substr(md5(n || ${account.id}), 1, 9), 'x',
      'https://shop.example.com/', 'shop.example.com', ${db.now}, ${db.now} from generate_series(1, 98) n`
  const added = await Promise.all([1, 2, 3, 4].map(() => add({ destinationUrl: 'https://shop.example.com/' })))
  assert.deepEqual(added.map(({ outcome }) => outcome).sort(), [
    ...['201', '201'],
    ...['409 too_many_links', '409 too_many_links'],
  ])
  await send('POST', `/partners/${partner.id}/archive`, { reason: 'x' })
  const late = await add({ destinationUrl: 'https://shop.example.com/' }, account.token)
  assert.equal(late.outcome, '409 partner_is_archived')
})

test('the key decides where a visit leads, the code who is credited', async () => {
  const { account, partner, call, add } = await aProgram()
  await call('PUT', `/partners/${partner.id}`, { referralCode: 'pia-two' })
  const other = await aPartner(app, account, { referralCode: 'otto' })
  const template = await aBlueprint(app, account, { moreDomains: ['notes.example.com'], passthroughQuery: false })
  const page = { destinationUrl: 'https://notes.example.com/a', subId: 'fixed' }
  const link = (await add(page)).body
  const go = async (code: string, query = '') => {
    const went = await visitLink(app, keyOf(link), code, { query })
    const click = clickInAddress(went)
    const { host, pathname, searchParams } = new URL(went.location!)
    const row = click && (await clickRow(click))
    return [`${host}${pathname}`, searchParams.get('ref'), row && [row.partnerId, row.linkId, row.subId]]
  }
  const to = 'notes.example.com/a'
  const mine = (subId: string) => [to, 'pia-two', [partner.id, link.id, subId]]
  assert.deepEqual(await go('pia-two'), mine('fixed'))
  assert.deepEqual(await go('PIA', '?sub=%20asked%00%0A'), mine('asked'))
  assert.deepEqual(await go('pia', `?sub=${'%F0%9D%92%B3'.repeat(101)}`), mine('𝒳'.repeat(100)))
  assert.deepEqual(await go('pia', '?sub='), mine('fixed'))
  assert.deepEqual(await go('otto', '?sub=asked'), [to, 'otto', [other.id, null, null]])
  assert.deepEqual(await go('nobody'), [to, null, null])
  const short = await visitLink(app, template.key, 'pia', { query: '?sub=plain' })
  const plain = await clickRow(clickInAddress(short))
  assert.deepEqual([plain.linkId, plain.subId], [null, 'plain'])

  const change = (body: object) => call('PUT', `/link-blueprints/${template.id}`, body)
  const home = 'shop.example.com/landing'
  await change({ partnerLinks: false })
  assert.deepEqual(await go('pia'), mine('fixed'))
  await change({ moreDomains: [] })
  assert.deepEqual(await go('pia'), [home, ...mine('fixed').slice(1)])
  await change({ moreDomains: ['notes.example.com'], partnerLinks: true })
  await call('PUT', `/partner-links/${link.id}`, { subId: 'later' }, partner.token)
  assert.deepEqual(await go('pia'), mine('later'))
  await call('DELETE', `/partner-links/${link.id}`, undefined, partner.token)
  assert.deepEqual(await go('pia'), mine('later'))
  await change({ enabled: false })
  assert.deepEqual(await go('pia'), [to, null, null])
  await change({ enabled: true, parameterName: 'sub' })
  const asParameter = await visitLink(app, keyOf(link), 'pia', { query: '?sub=asked' })
  assert.equal((await clickRow(clickInAddress(asParameter))).subId, 'later')
})

test('systems and the embed script report a sub-ID with their clicks', async () => {
  const { account, partner, call, add, apiKey } = await aProgram()
  const template = await aBlueprint(app, account, { moreDomains: ['notes.example.com'] })
  const link = (await add({ destinationUrl: 'https://shop.example.com/a' })).body
  const push = async (body: object) =>
    clickRow((await call('POST', '/push/clicks', { referralCode: 'pia', ...body }, apiKey)).id)
  const rows = [
    await push({ subId: ' a\u0301 ' }),
    await push({ blueprintKey: keyOf(link), subId: 'sent' }),
    await push({ blueprintKey: template.key, subId: '' }),
  ]
  assert.deepEqual(
    rows.map(({ linkId, subId }) => [linkId, subId]),
    [
      [null, 'á'],
      [link.id, 'sent'],
      [null, null],
    ],
  )
  const elements = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
  const config = Object.fromEntries(elements.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
  await call('PUT', `/accounts/${account.id}/embed-code`, { config })
  const { publicId } = await call('GET', `/accounts/${account.id}`)
  const pageUrl = 'https://notes.example.com/?ref=pia&sub=seen'
  const reported = await fetch(`${app.url}/embed/${publicId}/clicks`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
    body: JSON.stringify({ referralCode: 'pia', pageUrl }),
  })
  const { clickId } = (await reported.json()) as { clickId: string }
  const seen =
    await db.one`select blueprint_id, sub_id from clicks where id = ${clickId} and partner_id = ${partner.id}`
  assert.deepEqual(seen, { blueprintId: template.id, subId: 'seen' })
})
