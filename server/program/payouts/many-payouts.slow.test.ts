import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import pg from 'pg'
import { aLedger, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { verifyLedger } from '../stats/verify.ts'
import { approvePayouts, previewApproval } from './approve.ts'
import { gatherPayouts } from './gather-payouts.ts'

const db = await freshDatabase()
const services = ledgerServices(db)

/** Returns the result of the work, and its number of statements. */
async function counted<T>(work: (tx: Transaction) => Promise<T>) {
  const query = mock.method(pg.Client.prototype, 'query')
  try {
    return { answer: await transaction(db, work), statements: query.mock.callCount() }
  } finally {
    query.mock.restore()
  }
}

async function owedTo(partners: number) {
  const ledger = await aLedger(services, { partners: Array.from({ length: partners }, () => ({})) })
  const { account, actor, partnerIds } = ledger
  const owed = partnerIds.map((partnerId, at) => ({ partnerId, amount: 20_00 + at, reason: 'Agreed' }))
  await transaction(db, (tx) => adjustAll(tx, ownerAuthor(ledger), account, owed))
  const gathered = await counted((tx) => gatherPayouts(tx, account))
  assert.equal(gathered.answer, partners)
  const rows = await db.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} order by statement_number`
  const ids = rows.map(({ id }) => id)
  const preview = await counted((tx) => previewApproval(tx, actor, account, ids))
  assert.equal(preview.answer.count, partners)
  const approval = await counted((tx) => approvePayouts(tx, services, actor, account, [...ids, ...ids.slice(0, 1)]))
  const { results } = approval.answer
  assert.deepEqual([...new Set(results.map(({ status, error }) => error?.reason ?? status))], ['approved'])
  assert.equal(results.length, partners + 1)
  return [gathered, preview, approval].map(({ statements }) => statements)
}

// without statistics the planner guesses one row per table: a wrong plan would not finish in time
test('four hundred payouts take as many statements as four', async () => {
  const [few, many] = [await owedTo(4), await owedTo(400)]
  // a connection of the pool may begin with one of its own
  for (const [at, statements] of many.entries()) assert.ok(statements < few[at]! + 5, `${few} of 4, ${many} of 400`)
  assert.deepEqual(await verifyLedger(db), [])
})
