import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importAccount } from '#server/integrations/data-transfer/import-account.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import {
  acceptInvitation,
  anAccount,
  expectOk,
  getAdministratorToken,
  PASSWORD,
  startApp,
  turnableClock,
} from '#test/support/app.ts'
import { exportArchive } from '#test/support/archives.ts'
import { aCase } from '#test/support/fraud-cases.ts'

// An account that moves with cases that wait for a decision.

const DAY = 86_400_000
const START = new Date('2026-03-02T12:00:00Z')
const clock = turnableClock(START)
const here = await startApp({ clock })
const there = await startApp({ clock })
const { db } = there.services

test('open cases are decided in the next install, once, and holds end 30 days after their start', async () => {
  const account = await anAccount(here, {
    ...{ selfReferralPolicy: 'hold', payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } },
  })
  const cases = [await aCase(here, account), await aCase(here, account), await aCase(here, account)]
  const archive = await exportArchive(here.services.db, account.id)

  clock.advance(10 * DAY)
  await importAccount(db, there.services, archive.path, { invitePartners: false })
  const admin = await getAdministratorToken(there)
  const { ownerInvitation } = expectOk(await there.api('GET', `/accounts/${account.id}`, { token: admin })).body
  const { token } = await acceptInvitation(there, ownerInvitation.url)
  const call = (method: string, path: string, body?: object) => there.api(method, path, { token, body })
  const get = async (path: string) => expectOk(await call('GET', path)).body

  const until = new Date(START.getTime() + 30 * DAY).toISOString().slice(0, 10)
  const { items } = await get(`/accounts/${account.id}/cases`)
  assert.deepEqual(
    items.map(({ heldUntil, heldAmount }: { heldUntil: string; heldAmount: number }) => [
      heldUntil.slice(0, 10),
      heldAmount,
    ]),
    cases.map(() => [until, 20_00]),
  )
  const [released, voided, left] = cases as [(typeof cases)[0], (typeof cases)[0], (typeof cases)[0]]
  const decide = async (id: string, act: string) =>
    (await call('POST', `/cases/${id}/${act}`, { reason: 'Seen' })).status
  const twice = async (id: string, act: string) => (await Promise.all([decide(id, act), decide(id, act)])).sort()
  assert.deepEqual(await twice(released.id, 'release'), [200, 409])
  assert.deepEqual(await twice(voided.id, 'void'), [200, 409])
  assert.equal((await get(`/sales/${voided.saleId}`)).status, 'void')

  const rows = () => db.one<{ held: number }>`
    select count(*) as held from sales where account_id = ${account.id} and held_until > ${db.now} and status <> 'void'`
  assert.deepEqual(await rows(), { held: 1 })
  clock.advance(20 * DAY + 60_000)
  assert.deepEqual(await rows(), { held: 0 })
  const owner = await there.api('POST', '/auth/sign-in', {
    body: { email: account.ownerEmail, password: PASSWORD },
  })
  const late = await there.api('POST', `/cases/${left.id}/void`, {
    ...{ token: expectOk(owner).body.accessToken, body: { reason: 'Too late' } },
  })
  assert.deepEqual([late.status, late.body.error.reason], [409, 'case_expired'])
  assert.deepEqual(await verifyLedger(db), [])
})
