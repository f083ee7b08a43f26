import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { proxyTo } from '../../../test/support/postgres-proxy.ts'
import { servesSpread } from '../../platform/database/cluster/spread.ts'
import { openDatabase } from '../../platform/database/pool.ts'
import { clicksKept, clicksLost } from './click-measures.ts'
import { createLinkMap } from './link-map.ts'

const app = await startApp()
const account = await anAccount(app)
const owner = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

test('a process sees its own changes with the response, others a moment later', async () => {
  const other = createLinkMap(openSecond())
  after(() => other.close())
  await other.ready
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  const creditable = async () => (await other.owner(account.id, partner.referralCode))?.creditable
  const live = async () => (await other.target(blueprint.key))?.live
  assert.deepEqual([await creditable(), await live()], [true, true])

  const before = Date.now()
  expectOk(await owner('PUT', `/partners/${partner.id}`, { state: 'suspended', reason: 'Review' }))
  assert.equal(clickInAddress(await visitLink(app, blueprint.key, partner.referralCode)), null)
  await waitUntil(async () => (await creditable()) === false)
  expectOk(await owner('PUT', `/link-blueprints/${blueprint.id}`, { enabled: false }))
  await waitUntil(async () => (await live()) === false)
  assert.ok(Date.now() - before < 10_000, 'before anything expired')
})

test('an unknown key is looked up again after another process creates it', async () => {
  const other = createLinkMap(openSecond())
  after(() => other.close())
  await other.ready
  assert.equal(await other.owner(account.id, 'not-yet'), undefined)
  const partner = await aPartner(app, account, { referralCode: 'not-yet' })
  await waitUntil(async () => (await other.owner(account.id, 'not-yet'))?.partnerId === partner.id, 9000)
})

test('codes of several accounts are looked up together', async () => {
  const map = createLinkMap(app.services.db)
  after(() => map.close())
  const accounts = await Promise.all(Array.from({ length: 4 }, () => anAccount(app)))
  const partners = await Promise.all(accounts.map((its) => aPartner(app, its)))
  const owners = await Promise.all(accounts.map(({ id }, at) => map.owner(id, partners[at]!.referralCode)))
  assert.deepEqual(
    owners.map((found) => found?.partnerId),
    partners.map(({ id }) => id),
  )
})

test('disabling an account takes effect at once', async () => {
  const paused = await anAccount(app)
  const partner = await aPartner(app, paused)
  const blueprint = await aBlueprint(app, paused)
  assert.ok(clickInAddress(await visitLink(app, blueprint.key, partner.referralCode)))
  const map = createLinkMap(app.services.db)
  after(() => map.close())
  assert.equal((await map.target(blueprint.key))?.accountDisabledAt, null)
  expectOk(await app.api('POST', `/accounts/${paused.id}/disable`, { token: paused.admin, body: {} }))
  assert.notEqual((await map.target(blueprint.key))?.accountDisabledAt, null)
})

test('while the database is away visitors reach their destination, with the code and without a click', async (t) => {
  if (await servesSpread(app.services.db)) return t.skip('a cut-off coordinator leaves visits to the workers')
  const database = await createTestDatabase()
  const way = await proxyTo(database.url)
  const db = openDatabase({ url: way.url, log: pino({ level: 'silent' }), max: 5 })
  const cutOff = await startApp({ db, config: { logLevel: 'fatal' } })
  const own = await anAccount(cutOff)
  const partner = await aPartner(cutOff, own)
  const blueprint = await aBlueprint(cutOff, own)
  const [kept, lost] = [clicksKept.get('redirect')!, clicksLost.get('redirect')!]
  const first = await visitLink(cutOff, blueprint.key, partner.referralCode)
  assert.ok(clickInAddress(first))
  assert.equal(clicksKept.get('redirect'), kept + 1)

  await way.cut()
  const led = `https://shop.example.com/landing?ref=${partner.referralCode}`
  const during = await Promise.all(
    Array.from({ length: 20 }, () => visitLink(cutOff, blueprint.key, partner.referralCode, { query: '?a=1' })),
  )
  for (const { status, location } of during) assert.deepEqual([status, location], [302, `${led}&a=1`])
  assert.equal(clicksLost.get('redirect'), lost + 20)
  assert.equal((await visitLink(cutOff, 'aaaaaaaa', partner.referralCode)).status, 503)

  await way.open()
  const id = await waitUntil(async () => clickInAddress(await visitLink(cutOff, blueprint.key, partner.referralCode)))
  assert.ok(await db.maybe`select from clicks where id = ${id}`)
  await cutOff.close()
  await db.close()
  await way.cut()
  await database.drop()
})

function openSecond() {
  const db = openDatabase({ url: app.services.db.url, log: pino({ level: 'silent' }), max: 2 })
  after(() => db.close())
  return db
}
