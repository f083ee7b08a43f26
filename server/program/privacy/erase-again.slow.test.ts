import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { aBackupFolder, restoreFile } from '../../../test/support/backups.ts'
import { placesWith } from '../../../test/support/canaries.ts'
import { readLedgerDigest } from '../../integrations/data-transfer/rows.ts'
import { backUp } from '../../platform/backups/back-up.ts'
import { ERASED_LIST, parseErasedList, readErasedList } from '../../platform/backups/erased-list.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { eraseListed } from './erase-again.ts'

const folder = await aBackupFolder()
const backups = { folder, everyHours: 24, keep: 7 }
const app = await startApp({ worker: true, config: { backups } })
const { db } = app.services
const list = join(folder, ERASED_LIST)
const TRACES = ['canary', 'zwitscher']

/** A lead with a sale, and a partner who is active and owed, both about to be erased. */
async function canaries() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, payoutDelay: 0 })
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const who = { firstName: 'Canarina', lastName: 'Zwitscher', email: 'canary@mail.example' }
  const partner = await aPartner(app, account, { ...who, referralCode: 'canary-code' }, { signIn: true })
  const lead = await call('POST', `/accounts/${account.id}/leads`, { ...who, email: 'canary-lead@mail.example' })
  const twin = await call('POST', `/accounts/${account.id}/leads`, { email: 'canary-twin@mail.example' })
  await call('POST', `/leads/${lead.id}/sales`, { amount: 20_00, description: 'canary seed' })
  const other = await call('POST', `/accounts/${account.id}/leads`, {
    email: 'other@other.example',
    partnerId: partner.id,
  })
  await call('POST', `/leads/${other.id}/sales`, { amount: 100_00 })
  const erased = async (of: string) => {
    const { id } = await call('POST', `/${of}/erase`, {})
    await waitUntil(async () => {
      const { items } = await call('GET', `/accounts/${account.id}/erasures`)
      return items.find((one: { id: string }) => one.id === id).done
    })
    return id as string
  }
  return { account, call, partner, lead, twin, erased }
}

const inCopy = (copy: Database) => placesWith({ ...app, services: { ...app.services, db: copy } }, TRACES)
const eraseIn = (on: Parameters<typeof eraseListed>[0]['db'], listed: Parameters<typeof eraseListed>[1]) =>
  eraseListed({ ...app.services, db: on }, listed)

test('people who were erased after a backup are erased again in a copy restored from it', async () => {
  const { account, call, partner, lead, twin, erased } = await canaries()
  const file = join(folder, 'one.zip')
  await backUp(db, file, [])
  assert.deepEqual(await readErasedList(list), [])

  await call('PUT', `/leads/${twin.id}`, { email: 'twin@other.example' })
  const ofLead = await erased(`leads/${lead.id}`)
  await call('POST', `/partners/${partner.id}/archive`, { balance: 'void', reason: 'left' })
  const ofPartner = await erased(`partners/${partner.id}`)
  const named = ((await readErasedList(list)) ?? []).map(({ id }) => id)
  assert.deepEqual(new Set(named), new Set([ofLead, ofPartner]), 'each is added once it is committed')

  // the next backup writes the whole list, whatever happened to it, and keeps other lines
  const foreign = { ...(await readErasedList(list))![0]!, id: crypto.randomUUID(), accountId: crypto.randomUUID() }
  await writeFile(list, `${JSON.stringify(foreign)}\n{"id": "cut o`)
  await backUp(db, join(folder, 'two.zip'), [])
  const listed = (await readErasedList(list))!
  assert.deepEqual(listed.map(({ id, type }) => (type === 'user' ? type : id)).sort(), [
    ...[foreign.id, ofLead, ofPartner].sort(),
    'user',
  ])
  assert.ok(!/canar|mail\.example/i.test(await readFile(list, 'utf8')), 'ids alone')

  let result: unknown
  const before = async (tx: Parameters<typeof eraseIn>[0]) => {
    result = await eraseIn(tx, listed)
  }
  const copy = await restoreFile(file, undefined, before)
  assert.deepEqual(result, { again: 2, already: 1, absent: 1, needed: [] })
  assert.deepEqual(
    (await inCopy(copy)).filter((place) => !place.includes(twin.id)),
    [],
  )
  const rows = await copy.many<{ id: string; done: boolean }>`select id, done from erasures order by at, id`
  assert.deepEqual(rows, [
    { id: ofLead, done: true },
    { id: ofPartner, done: true },
  ])
  assert.deepEqual(await verifyLedger(copy), [])
  const { state, due } = await copy.one<{ state: string; due: number }>`
    select p.state, (select sum(amount) from commission_entries e where e.account_id = p.account_id and e.partner_id = p.id) as due
    from partners p where p.account_id = ${account.id} and p.id = ${partner.id}`
  assert.deepEqual([state, Number(due)], ['archived', 20_00], 'the money stays to be settled')
  const digest = await transaction(copy, (tx) => readLedgerDigest(tx, account.id))
  assert.deepEqual(await eraseIn(copy, listed), { again: 0, already: 3, absent: 1, needed: [] })
  assert.equal(await transaction(copy, (tx) => readLedgerDigest(tx, account.id)), digest)

  const later = await restoreFile(join(folder, 'two.zip'), undefined, before)
  assert.deepEqual(result, { again: 0, already: 3, absent: 1, needed: [] })
  assert.deepEqual(
    (await inCopy(later)).filter((place) => !place.includes(twin.id)),
    [],
  )
})

test('a line that was cut off takes no other with it', () => {
  const id = () => crypto.randomUUID()
  const line = (subjectId = id()) =>
    JSON.stringify({
      ...{ id: id(), at: '2026-11-26T08:00:00.000Z', accountId: id(), type: 'lead', subjectId },
      ...{ subjectIds: [subjectId], reason: 'asked', by: 'system' },
    })
  const [one, other] = [line(), line()]
  assert.deepEqual(
    parseErasedList(`${one}\n{"id": "cut\n${other}\n`).map((erased) => JSON.stringify(erased)),
    [one, other],
  )
})
