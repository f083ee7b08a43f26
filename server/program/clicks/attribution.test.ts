import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aBlueprint, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { partnerByCode, resolveClick } from './attribution.ts'
import { deleteOldClicks, KEPT_CLICK_DAYS } from './delete-old-clicks.ts'

const DAY_MS = 86_400_000
const app = await startApp()
const { db } = app.services
const account = await anAccount(app)
const owner = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

test('a click credits its partner inside the window of its blueprint, by the model of the blueprint or account', async () => {
  const partner = await aPartner(app, account)
  const own = await aBlueprint(app, account, { cookieDays: 7, attributionModel: 'first-touch' })
  const inherited = await aBlueprint(app, account)
  const at = app.clock.now().getTime()
  const resolve = async (key: string, afterMs: number) => {
    const clickId = clickInAddress(await visitLink(app, key, partner.referralCode))!
    return resolveClick(db, account.id, clickId, new Date(at + afterMs))
  }
  const week = await resolve(own.key, 7 * DAY_MS - 60_000)
  assert.deepEqual(
    [week?.partnerId, week?.blueprintId, week?.model, week?.withinWindow],
    [partner.id, own.id, 'first-touch', true],
  )
  assert.ok(Math.abs(Date.parse(week!.at) - at) < 10_000)
  assert.equal((await resolve(own.key, 7 * DAY_MS + 60_000))?.withinWindow, false)
  const other = await resolve(inherited.key, 89 * DAY_MS)
  assert.deepEqual([other?.model, other?.withinWindow], ['last-touch', true])
  assert.equal((await resolve(inherited.key, 91 * DAY_MS))?.withinWindow, false)
  assert.equal((await resolve(inherited.key, -60_000))?.withinWindow, true)
  assert.equal((await resolve(inherited.key, -3_600_000))?.withinWindow, false)
})

test('a click without a blueprint keeps the window of a link that is deleted later', async (t) => {
  t.after(() => app.clock.set(new Date()))
  const own = await anAccount(app)
  const { referralCode } = await aPartner(app, own)
  const { id } = await aBlueprint(app, own, { cookieDays: 300 })
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${own.id}/api-key`, { token: own.token })).body
  const isWithin = async (clickId: string) => {
    const at = new Date(app.clock.now().getTime() + 200 * DAY_MS)
    return (await resolveClick(db, own.id, clickId, at))?.withinWindow
  }
  const click = async () =>
    expectOk(await app.api('POST', '/push/clicks', { token: apiKey, body: { referralCode } })).body.id
  const before = await click()
  assert.equal(await isWithin(before), true)
  app.clock.advance(60_000)
  expectOk(await app.api('DELETE', `/link-blueprints/${id}`, { token: own.token }))
  assert.equal(await isWithin(before), true)
  app.clock.advance(60_000)
  assert.equal(await isWithin(await click()), false)
})

test('another account’s click credits no partner', async () => {
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  const clickId = clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))!
  const other = await anAccount(app)
  assert.ok(await resolveClick(db, account.id, clickId, db.now))
  assert.ok(await resolveClick(db, account.id, clickId.toUpperCase(), db.now))
  assert.equal(await resolveClick(db, other.id, clickId, db.now), undefined)
  for (const unknown of ['', 'nonsense', "' or 1=1", '00000000-0000-7000-8000-000000000000'])
    assert.equal(await resolveClick(db, account.id, unknown, db.now), undefined)
  await visitLink(app, blueprint.key, partner.referralCode, { headers: { 'user-agent': 'Googlebot/2.1' } })
  const bot = await db.one<{ id: string }>`select id from clicks where blueprint_id = ${blueprint.id} and is_bot`
  assert.equal(await resolveClick(db, account.id, bot.id, db.now), undefined)
})

test('a partner suspended later keeps the credit of their clicks, but their code earns nothing new', async () => {
  const partner = await aPartner(app, account, { referralCode: 'first-code' })
  const blueprint = await aBlueprint(app, account)
  const clickId = clickInAddress(await visitLink(app, blueprint.key, 'first-code'))!
  expectOk(await owner('PUT', `/partners/${partner.id}`, { referralCode: 'second-code' }))
  for (const code of ['first-code', ' Second-Code '])
    assert.equal((await partnerByCode(db, account.id, 'nobody', code))?.partnerId, partner.id)
  expectOk(await owner('PUT', `/partners/${partner.id}`, { state: 'suspended', reason: 'Review' }))
  assert.equal(await partnerByCode(db, account.id, 'first-code'), null)
  assert.equal((await resolveClick(db, account.id, clickId, db.now))?.partnerId, partner.id)
  for (const code of ['', 'ab', 'nobody', 'x'.repeat(100), '\0', '💥'])
    assert.equal(await partnerByCode(db, account.id, code), null)
  const other = await anAccount(app)
  assert.equal(await partnerByCode(db, other.id, 'second-code'), null)
})

test('single clicks are deleted in time, their figures are not', async (t) => {
  t.after(() => app.clock.set(new Date()))
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  const clickId = clickInAddress(await visitLink(app, blueprint.key, partner.referralCode))!
  app.clock.advance((KEPT_CLICK_DAYS - 1) * DAY_MS)
  await deleteOldClicks(db)
  assert.ok(await db.maybe`select from clicks where id = ${clickId}`)
  app.clock.advance(2 * DAY_MS)
  await deleteOldClicks(db)
  assert.equal(await db.maybe`select from clicks where id = ${clickId}`, undefined)
  const total = await db.one`
    select clicks from total_stats where partner_id = ${partner.id} and blueprint_id = ${blueprint.id}`
  assert.equal(total.clicks, 1)
})
