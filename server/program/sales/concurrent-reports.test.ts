import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { waitUntil } from '../../../test/support/app.ts'
import { aLedger, aSale, ledgerServices } from '../../../test/support/ledger.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { recordSale, recordSales } from './record-sale.ts'

const db = await freshDatabase({ max: 20 })
const services = ledgerServices(db)
const SEED = 20_261_121

test('a payment that another process records meanwhile returns that sale', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  // without a lead only the external id distinguishes them
  const payment = { ...aSale(ledger, { amount: 100_00 }), leadId: null, externalId: newId() }
  let second: Promise<{ id: string; created: boolean }> | undefined
  const first = await transaction(db, async (tx) => {
    const [recorded] = await recordSales(tx, [payment])
    second = recordSale(db, payment)
    // until it waits for the lock that this one has
    await waitUntil(async () => (await waitingForLocks(db)) > 0)
    return recorded!
  })
  assert.equal(first.created, true)
  assert.deepEqual(await second, { id: first.id, created: false, partnerId: null, sale: undefined })
})

test('payments reported concurrently become one sale each, with one event, and their leads’ numbers continue', async () => {
  const life = fc.record({
    partner: fc.array(fc.constantFrom(null, 0, 1), { minLength: 3, maxLength: 3 }),
    lists: fc.array(
      fc.array(
        fc.record({
          externalId: fc.constantFrom('a', 'b', 'c', 'd', 'e', null),
          lead: fc.constantFrom(null, 0, 1, 2),
          subscriptionId: fc.constantFrom(null, 'monthly'),
          day: fc.integer({ min: 1, max: 28 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      { minLength: 2, maxLength: 6 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ partner, lists }) => {
      const plan = { recurringMonths: 1, rates: ['10', '5'], partners: [{}, { parent: 0 }] }
      const ledger = await aLedger(services, { ...plan, leads: partner.map((partner) => ({ partner })) })
      const answers = await Promise.all(
        lists.map((list) =>
          transaction(db, (tx) =>
            recordSales(
              tx,
              list.map(({ externalId, lead, subscriptionId, day }) => ({
                ...aSale(ledger, { amount: 100_00 }),
                ...{ externalId, subscriptionId, leadId: lead === null ? null : ledger.leadIds[lead]! },
                saleDate: `2026-01-${String(day).padStart(2, '0')}`,
              })),
            ),
          ),
        ),
      )
      const sales = await db.many<{ id: string; externalId: string | null; leadId: string | null; sequence: number }>`
        select id, external_id, lead_id, sequence from sales where account_id = ${ledger.account.id}
        order by lead_id, sequence`
      const ids = new Map(sales.map(({ id, externalId }) => [externalId, id]))
      const rows = lists.flatMap((list, n) => list.map((row, at) => ({ ...row, answer: answers[n]![at]! })))
      for (const { externalId, answer } of rows)
        if (externalId) assert.equal(answer.id, ids.get(externalId), 'all learn of the same sale')
      const created = rows.filter(({ answer }) => answer.created).map(({ answer }) => answer.id)
      assert.deepEqual(created.toSorted(), sales.map(({ id }) => id).toSorted(), 'one of them made it')
      const events = await db.many<{ subjectId: string }>`
        select subject_id from told_events where account_id = ${ledger.account.id} and type = 'sale.created'`
      assert.deepEqual(events.map(({ subjectId }) => subjectId).toSorted(), created.toSorted())
      for (const ofLead of Map.groupBy(sales, ({ leadId }) => leadId ?? '').values())
        if (ofLead[0]!.leadId)
          assert.deepEqual(
            ofLead.map(({ sequence }) => sequence),
            ofLead.map((_, place) => place + 1),
          )
      assert.deepEqual(await verifyLedger(db), [])
    }),
    { seed: SEED, numRuns: numberOfRuns(4) },
  )
})
