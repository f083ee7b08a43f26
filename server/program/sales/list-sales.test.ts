import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, startApp } from '../../../test/support/app.ts'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { plansInOrder } from '../../../test/support/plans.ts'
import type { Access } from '../access/access.ts'
import { listSales } from './list-sales.ts'

const app = await startApp()
const { db } = app.services
const asOwner = (account: { id: string; partnerVisibility: object }) =>
  ({ as: 'owner', account, subjectId: account.id, partnerId: null }) as unknown as Access

test('the sales of one partner are read in the order of their index, forwards, backwards and from a cursor on', async () => {
  const { id } = await anAccount(app)
  const access = asOwner({ id, partnerVisibility: {} })
  const partnerId = ['01900000-0000-7000-8000-000000000000']
  for (const sort of ['createdAt', '-createdAt']) {
    const cursor = Buffer.from(JSON.stringify([sort, '2026-03-01 12:00:00+00', ...partnerId])).toString('base64url')
    for (const query of [
      { sort, limit: 50, partnerId },
      { sort, limit: 50, partnerId, cursor, uncounted: true as const },
    ]) {
      const plan = await plansInOrder(db, (tx) => listSales(tx, access, query))
      assert.match(plan, /Index Scan (Backward )?using sales_by_partner/, JSON.stringify(query))
      assert.doesNotMatch(plan, /Sort Key/, JSON.stringify(query))
    }
  }
})

test('all sales are counted from the roll-up, and what it leaves out from an index of these alone', async () => {
  const { account, voidedSale } = await ledgerHistory(db)
  const access = asOwner(account)
  const counted = async () => {
    const { rows } = await db.one<{ rows: number }>`select count(*) as rows from sales where account_id = ${account.id}`
    let total = 0
    const plan = await plansInOrder(db, async (tx) => {
      total = (await listSales(tx, access, { sort: '-createdAt', limit: 1 })).total
    })
    assert.equal(total, rows)
    return plan
  }
  const { status } = await db.one<{ status: string }>`select status from sales where id = ${voidedSale}`
  assert.equal(status, 'void')
  const plan = await counted()
  assert.match(plan, /Index (Only )?Scan using total_stats_pkey/)
  assert.match(plan, /Index Only Scan using sales_beside_figures/)
})

test('sales of test mode, of which there are few, are found by an index of them alone', async () => {
  const { id } = await anAccount(app)
  const access = asOwner({ id, partnerVisibility: {} })
  const plan = await plansInOrder(db, (tx) => listSales(tx, access, { sort: '-createdAt', limit: 50, test: true }))
  assert.match(plan, /sales_in_test_mode/)
})
