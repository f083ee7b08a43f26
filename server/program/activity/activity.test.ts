import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { partnerPeople } from '../../../test/support/partner-people.ts'
import { transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { eraseFormerUser } from '../auth/erase-users.ts'

const app = await startApp()

type Line = {
  action: string
  at: string
  network: string | null
  actor: { type: string; id: string; name: string | null }
  subject: { type: string; id: string; name: string | null }
  changes: Record<string, { old: unknown; new: unknown }>
  names: Record<string, string>
}

async function activity({ id, token }: TestAccount, query = ''): Promise<Line[]> {
  return expectOk(await app.api('GET', `/accounts/${id}/audit?limit=100${query}`, { token })).body.items
}

async function download({ id, token }: TestAccount, query = '') {
  const answer = await app.api('GET', `/accounts/${id}/audit/csv${query}`, { token })
  return { ...answer, lines: String(answer.body).replace('\ufeff', '').split('\r\n').slice(0, -1) }
}

test('each change has its author, subject, address, and values before and after', async () => {
  const account = await anAccount(app)
  const { id, token } = account
  const partner = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' })
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token, body: { lastName: 'Field', note: 'pays late' } }))
  expectOk(await app.api('PATCH', `/accounts/${id}`, { token, body: { payoutDelay: 7 } }))
  expectOk(await app.api('PUT', `/accounts/${id}/api-key`, { token }))

  const [renewed, changed] = await activity(account)
  assert.equal(renewed!.action, 'account.api-key-renewed')
  assert.deepEqual(renewed!.changes, {})
  assert.equal(renewed!.network, '127.0.0.0/24')
  assert.equal(changed!.actor.type, 'user')
  assert.deepEqual(changed!.changes, { payoutDelay: { old: 30, new: 7 } })

  const about = await activity(account, `&subjectId=${partner.id}`)
  assert.deepEqual([...new Set(about.map(({ subject }) => subject.name))], ['Jane Field'])
  assert.deepEqual(
    about.map(({ action }) => action),
    ['partner.updated', 'partner.noted', 'partner.created'],
  )
  assert.deepEqual(about[0]!.changes, { lastName: { old: 'Whitfield', new: 'Field' } })
  assert.ok(!JSON.stringify(about).includes('pays late'))
})

test('people whose IDs are in changes are named, but none of another account', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const { id, token } = account
  const jane = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' })
  const sam = await aPartner(app, account, { firstName: 'Sam', lastName: 'Ortiz' })
  const foreign = await aPartner(app, other, { firstName: 'Not', lastName: 'Theirs' })
  const body = { email: 'moved@names.example', partnerId: jane.id }
  const lead = expectOk(await app.api('POST', `/accounts/${id}/leads`, { token, body })).body
  expectOk(
    await app.api('POST', `/leads/${lead.id}/reassign`, { token, body: { partnerId: sam.id, reason: 'Asked to' } }),
  )
  const [moved] = await activity(account, '&action=lead.reassigned')
  assert.deepEqual(moved!.changes.partnerId, { old: jane.id, new: sam.id })
  assert.deepEqual(moved!.names, { [jane.id]: 'Jane Whitfield', [sam.id]: 'Sam Ortiz' })

  for (const subjectId of [foreign.id, 'no id at all'])
    await transaction(app.services.db, (tx) =>
      recordActivity(tx, { type: 'system', id: null }, id, 'account.updated', {
        id,
        changes: { partnerId: { old: jane.id, new: subjectId } },
      }),
    )
  const all = await activity(account, '&action=account.updated')
  assert.deepEqual(
    all.slice(0, 2).map(({ names }) => names),
    [{ [jane.id]: 'Jane Whitfield' }, { [jane.id]: 'Jane Whitfield' }],
  )
})

test('a deleted object keeps its last name', async () => {
  const account = await anAccount(app)
  const { id, token } = account
  const partner = await aPartner(app, account, { firstName: 'Gone', lastName: 'Soon' })
  expectOk(await app.api('DELETE', `/partners/${partner.id}`, { token }))
  const webhook = expectOk(
    await app.api('POST', `/accounts/${id}/incoming-webhooks`, { token, body: { name: 'Forms', target: 'lead' } }),
  ).body
  expectOk(await app.api('DELETE', `/incoming-webhooks/${webhook.id}`, { token }))
  const named = (await activity(account)).map(({ action, subject }) => [action, subject.name])
  assert.deepEqual(named.slice(0, 3), [
    ['incoming-webhook.deleted', 'Forms'],
    ['incoming-webhook.created', 'Forms'],
    ['partner.deleted', 'Gone Soon'],
  ])
})

test('an assigned owner is named until they are erased', async () => {
  const account = await anAccount(app)
  const { db } = app.services
  const [first, second] = [anEmail('canary'), anEmail('next')]
  for (const email of [first, second])
    expectOk(await app.api('PUT', `/accounts/${account.id}/owner`, { token: account.admin, body: { email } }))
  const owners = async () =>
    (await activity(account, '&action=account.owner-assigned')).map(({ changes }) => changes.owner)
  assert.deepEqual(await owners(), [
    { old: first, new: second },
    { old: 'Nora Wind', new: first },
  ])
  const erased = await transaction(db, (tx) => eraseFormerUser(tx, first))
  assert.ok(typeof erased === 'object')
  const name = `Erased person ${erased.id.slice(-4)}`
  assert.deepEqual(await owners(), [
    { old: name, new: second },
    { old: 'Nora Wind', new: name },
  ])
  assert.doesNotMatch((await download(account)).body, /canary/)
  assert.deepEqual(await db.many`select id from events where position(${first} in data::text) > 0`, [])
})

test('a viewer reads no digits of bank accounts', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const { id, token } = account
  const address = { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' }
  const debtor = { name: 'Northwind GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', address }
  expectOk(await app.api('PUT', `/accounts/${id}/payout-methods/sepa`, { token, body: debtor }))
  expectOk(await app.api('DELETE', `/accounts/${id}/payout-methods/sepa`, { token }))
  const viewer: string = await partnerPeople(app).aColleague(account, 'viewer')
  const changes = async (reader: string) =>
    (await activity({ ...account, token: reader }, '&action=payout-method.connected,payout-method.removed')).map(
      ({ changes }) => changes.sepa,
    )
  assert.deepEqual(await changes(token), [
    { old: '•••••3000', new: null },
    { old: null, new: '•••••3000' },
  ])
  assert.deepEqual(await changes(viewer), [
    { old: '•••••', new: null },
    { old: null, new: '•••••' },
  ])
})

test('the list is filtered by subject, person, action and date, and refuses unknown values', async () => {
  const account = await anAccount(app)
  const other = await anAccount(app)
  const { id, token } = account
  const partner = await aPartner(app, account)
  const [{ actor, at }] = (await activity(account)) as [Line]
  const all = await activity(account)
  const acts = async (query: string) => (await activity(account, query)).map(({ action }) => action)
  assert.deepEqual(await acts(`&subjectId=${partner.id}&action=partner.created,partner.updated`), ['partner.created'])
  assert.equal(
    (await activity(account, `&actorId=${actor.id}`)).length,
    all.filter((one) => one.actor.id === actor.id).length,
  )
  assert.deepEqual(await acts('&action=partner,lead'), ['partner.created'])
  assert.deepEqual(await acts('&action=sale.voided'), [])
  assert.deepEqual(await acts('&subjectId=nonsense'), [])
  assert.deepEqual(await acts(`&subjectId=${other.id}`), [])
  const day = at.slice(0, 10)
  const apart = (days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
  assert.equal((await acts(`&from=${apart(-1)}&to=${apart(1)}`)).length, all.length)
  assert.deepEqual(await acts(`&to=${apart(-2)}`), [])
  for (const query of ['action=sale.exploded', 'from=2026-13-01', 'what=1', 'sort=action'])
    assert.equal((await app.api('GET', `/accounts/${id}/audit?${query}`, { token })).status, 422, query)
})

test('the file has every row of the list, in its order, and no formulas', async () => {
  const account = await anAccount(app)
  await aPartner(app, account, { firstName: '=HYPERLINK("x")', lastName: 'Ölaf', email: anEmail() })
  const file = await download(account, '?sort=createdAt')
  assert.equal(file.status, 200)
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="activity.csv"')
  assert.equal(
    file.lines[0],
    '"id","at","actorType","actorId","actorName","network","action","subjectType","subjectId","subjectName","changes","currency"',
  )
  const listed = await activity(account, '&sort=createdAt')
  assert.deepEqual(
    file.lines.slice(1).map((line) => line.split('","')[6]),
    listed.slice(0, -1).map(({ action }) => action),
  )
  assert.ok(file.lines.some((line) => line.includes(`"'=HYPERLINK(""x"") Ölaf"`)))

  const some = await download(account, '?columns=action,at&action=partner.created')
  assert.equal(some.lines[0], '"action","at"')
  assert.match(some.lines[1]!, /^"partner\.created","2[^"]+Z"$/)
  assert.equal(some.lines.length, 2)
})

test('a download is itself recorded; a wrong request or another account’s gets no file', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const { id, token } = account
  for (const query of ['?columns=secret', '?columns=at,at', '?limit=5', '?action=nonsense'])
    assert.equal((await download(account, query)).status, 422, query)
  assert.equal((await app.api('GET', `/accounts/${id}/audit/csv`, { token: other.token })).status, 404)
  assert.equal((await app.api('GET', `/accounts/${id}/audit/csv`)).status, 401)
  assert.equal((await activity(account, '&action=list.downloaded')).length, 0)
  expectOk(await app.api('GET', `/accounts/${id}/audit/csv`, { token }))
  const [taken] = await activity(account, '&action=list.downloaded')
  assert.deepEqual(taken!.changes, { list: { old: null, new: 'activity' } })
})

test('a long list is read to its end while it grows', async () => {
  const account = await anAccount(app)
  const { db } = app.services
  const many = async (count: number) => {
    for (let n = 0; n < count; n++)
      await transaction(db, (tx) =>
        recordActivity(tx, { type: 'system', id: null }, account.id, 'account.updated', {
          id: account.id,
          changes: { name: { old: null, new: `n${n}` } },
        }),
      )
  }
  await many(1100)
  const total = expectOk(await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token })).body.total
  const [file] = await Promise.all([download(account), many(50)])
  const ids = file.lines.slice(1).map((line) => line.split(',')[0])
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length >= total, `${ids.length} of ${total}`)
})
