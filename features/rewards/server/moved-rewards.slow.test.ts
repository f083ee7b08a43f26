import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importAccount } from '#server/integrations/data-transfer/import-account.ts'
import { processImport } from '#server/integrations/imports/run-import.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, anEmail, aPartner, startApp, turnableClock } from '#test/support/app.ts'
import { exportArchive } from '#test/support/archives.ts'

// An account that moves with rewards in units for a lead, and with a sale that is the sum of its partners' commissions.

const clock = turnableClock('2026-03-10T12:00:00Z')
const here = await startApp({ clock })
const there = await startApp({ clock })

test('pay for leads in units, and a sale of commissions alone, move with the account', async () => {
  const account = await anAccount(here)
  const owner = createCaller(here, account.token)
  const home = `/accounts/${account.id}`
  const group = await owner.post(`${home}/groups`, {
    ...{ name: 'App', kind: 'customers', reward: { as: 'units', unitName: 'points', unitValue: 100 } },
    terms: {
      rules: [{ on: 'qualified-lead', layerAmounts: [2_00] }],
      otherwise: { layerAmounts: [5_00] },
      maxPerYear: 4_00,
    },
  })
  const customer = await owner.post(`${home}/partners`, { email: anEmail(), groupId: group.id })
  const lead = await owner.post(`${home}/leads`, { partnerId: customer.id, email: anEmail() })
  await owner.post(`/leads/${lead.id}/status`, { status: 'qualified' })
  await owner.post(`/leads/${lead.id}/sales`, { amount: 20_00 })
  const [one, other] = [await aPartner(here, account), await aPartner(here, account)]
  const csv = [
    'External ID,Email,Partner Email,Amount,Commission,Date',
    `s1,buyer@shop.example,${one.email},8.00,8.00,2026-03-01`,
    `s1,buyer@shop.example,${other.email},3.00,3.00,2026-03-01`,
  ].join('\n')
  const { id } = await owner.post(`${home}/imports`, { kind: 'sales', csv, dryRun: false })
  let done = { state: 'running', errors: [] }
  while (done.state === 'running') {
    await processImport(here.services, { importId: id })
    done = await owner.get(`/imports/${id}`)
  }
  assert.deepEqual(done.errors, [])
  const archive = await exportArchive(here.services.db, account.id)
  await importAccount(there.services.db, there.services, archive.path, { invitePartners: false })
  const earned = await there.services.db.many<{ amount: number }>`
    select amount from commission_entries where account_id = ${account.id} order by amount`
  assert.deepEqual(
    earned.map(({ amount }) => amount),
    [2_00, 2_00, 3_00, 8_00],
  )
  assert.deepEqual(await verifyLedger(there.services.db), [])
})
