import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import } from '#contract/imports.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'

const clock = turnableClock('2026-03-10T12:00:00Z')
const app = await startApp({ clock })

async function imported(account: TestAccount, csv: string, more: object = {}): Promise<Import> {
  const { token } = account
  const body = { kind: 'sales', csv, dryRun: false, ...more }
  const { id } = expectOk(await app.api('POST', `/accounts/${account.id}/imports`, { token, body })).body
  for (;;) {
    await processImport(app.services, { importId: id })
    const done: Import = expectOk(await app.api('GET', `/imports/${id}`, { token })).body
    if (!['waiting', 'running'].includes(done.state)) return done
  }
}

const balanceOf = async ({ token }: TestAccount, partnerId: string) => {
  const { held, due, onHold, paid } = expectOk(await app.api('GET', `/partners/${partnerId}/balance`, { token })).body
  return { held, due, onHold, paid }
}
const nothing = { held: 0, due: 0, onHold: 0, paid: 0 }

const HEADER = 'Order ID,Customer Email,Code,Total,Date,Subscription ID,Commission Status'
const month = (n: number) => new Date(Date.UTC(2024, n, 5)).toISOString().slice(0, 10)
const payments = Array.from({ length: 20 }, (_, n) => `s${n},ada@c.example,jane,100.00,${month(n)},sub-1,paid`)

for (const [order, files] of Object.entries({
  'oldest first': [payments],
  'newest first': [payments.toReversed()],
  'newest first in two files': [payments.toReversed().slice(0, 10), payments.toReversed().slice(10)],
}))
  for (const settlePaid of [true, false])
    test(`paid commissions of a subscription stay outside the recurring limit: ${order}, ${settlePaid ? 'settled' : 'not settled'}`, async () => {
      const account = await anAccount(app, { recurringMonths: 12, defaultCommissionSettings: { layerRates: [20] } })
      const jane = await aPartner(app, account, { referralCode: 'jane' })
      for (const rows of files) await imported(account, [HEADER, ...rows].join('\n'), { settlePaid })
      assert.deepEqual(await balanceOf(account, jane.id), { ...nothing, due: settlePaid ? 0 : 20 * 20_00 })
      assert.deepEqual(await verifyLedger(app.services.db), [])
    })

test('a balance imported as paid is unchanged in every part, before and after its due date', async () => {
  const account = await anAccount(app, { payoutDelay: 30, defaultCommissionSettings: { layerRates: [20] } })
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  const csv = `${HEADER}\na,ada@c.example,jane,250.00,2026-01-02,,pending\nb,ada@c.example,jane,200.00,2026-03-09,,paid`
  const done = await imported(account, csv)
  assert.deepEqual(await balanceOf(account, jane.id), { ...nothing, due: 50_00 })
  assert.deepEqual(await verifyLedger(app.services.db), [])
  expectOk(await app.api('POST', `/imports/${done.id}/undo`, { token: account.token }))
  await processImport(app.services, { importId: done.id })
  assert.deepEqual(await balanceOf(account, jane.id), nothing)
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a sale paid elsewhere is not checked for self-referral', async () => {
  const account = await anAccount(app, { selfReferralPolicy: 'hold', defaultCommissionSettings: { layerRates: [20] } })
  const jane = await aPartner(app, account, { referralCode: 'jane' })
  await imported(account, `${HEADER}\na,${jane.email},jane,250.00,2026-01-02,,paid`)
  assert.deepEqual(await balanceOf(account, jane.id), nothing)
})
