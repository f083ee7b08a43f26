import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aLedger, aSale, byOwner, ledgerServices } from '../../test/support/ledger.ts'
import { freshDatabase, ownerOf } from '../../test/support/postgres.ts'
import { system } from '../audit.ts'
import { addAdjustment } from '../commissions/adjustments.ts'
import { NIL, newId } from '../database/ids.ts'
import { type Transaction, transaction } from '../database/pool.ts'
import { approvePayout } from '../payouts/approve.ts'
import { gather } from '../payouts/gather.ts'
import { markPayoutPaid } from '../payouts/mark-paid.ts'
import { voidSale } from '../sales/change-sale.ts'
import { correctSale } from '../sales/correct-sale.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verified, verifyLedger } from './verify.ts'

const db = await freshDatabase()
const services = ledgerServices(db)
const ledger = await aLedger(services, {
  rates: ['7.5', '2.5'],
  partners: [{}, { parent: 0 }],
  leads: [{ partner: 1, blueprint: true }, { partner: 0 }],
})
const { account, actor, partnerIds, leadIds } = ledger
const sell = async (leadId: string, amount = 33_33) =>
  (await recordSale(db, services, aSale(ledger, { amount, taxAmount: 6_33, leadId }))).id
const report = (saleId: string, kind: 'refund' | 'dispute', amount: number, status: 'pending' | 'succeeded') =>
  transaction(db, (tx) => {
    const told = { kind, externalId: newId(), amount, status, reason: null, at: new Date() } as const
    return applyRefund(tx, services, account, saleId, told, system)
  })

const paidSale = await sell(leadIds[0]!)
await transaction(db, (tx) => gather(tx, account))
const payoutIds = await db.many<{ id: string }>`
  select id from payouts where account_id = ${account.id} order by partner_id = ${partnerIds[1]} desc`
const [paidPayout, approvedPayout] = payoutIds.map((row) => row.id)
await transaction(db, (tx) => markPayoutPaid(tx, actor, account, paidPayout!, { reference: 'bank 17' }))
await transaction(db, (tx) => approvePayout(tx, services, actor, account, approvedPayout!))
const refundedSale = await sell(leadIds[0]!)
const refund = await report(refundedSale, 'refund', 13_22, 'succeeded')
const disputedSale = await sell(leadIds[1]!)
await report(disputedSale, 'dispute', 39_66, 'pending')
const voidedSale = await sell(leadIds[1]!)
await transaction(db, (tx) => voidSale(tx, services, byOwner(ledger), account, voidedSale, 'a mistake'))
const correctedSale = await sell(leadIds[0]!)
await transaction(db, (tx) => {
  const told = { amount: 50_00, taxAmount: 0, grossAmount: 50_00, currency: 'usd' }
  return correctSale(tx, services, account, correctedSale, told, 'captured', system)
})
await transaction(db, (tx) =>
  addAdjustment(tx, services, byOwner(ledger), account, partnerIds[0]!, { amount: 5_00, reason: 'agreed' }),
)
await transaction(db, (tx) => gather(tx, account))

const changed = (tx: Transaction, what: string) => {
  const { client } = tx
  return client.query(what)
}

/** One thing that is not so, and the check that must find it. */
const tampering: [what: string, statement: string, check: string][] = [
  [
    'the refunded sum of a sale, by one',
    `update sales set refunded_amount = refunded_amount + 1 where id = '${refundedSale}'`,
    'what a sale has lost is the sum of its refunds',
  ],
  [
    'a refund that is not there',
    `update refunds set status = 'failed' where id = '${refund.id}'`,
    'what a sale has lost is the sum of its refunds',
  ],
  [
    'the status of a sale',
    `update sales set status = 'completed' where id = '${refundedSale}'`,
    "a sale's status follows from its refunds and disputes",
  ],
  [
    'a dispute that is forgotten',
    `update sales set disputed = false where id = '${disputedSale}'`,
    'an open dispute marks its sale',
  ],
  [
    'what a refund took from revenue, by one',
    `update refunds set account_amount = account_amount + 1 where id = '${refund.id}'`,
    'revenue lost is the share of the sale that was lost',
  ],
  [
    'the tax of a corrected sale',
    `update sales set tax_amount = tax_amount + 1 where id = '${correctedSale}'`,
    'a sale has the amounts of its last correction',
  ],
  [
    'what a correction gave, by one',
    `update commission_entries set amount = amount + 1 where sale_id = '${correctedSale}' and correction_id is not null and layer = 0`,
    'every layer keeps its share of what the sale has not lost',
  ],
  [
    'a reversal that is gone',
    `delete from commission_entries where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 1`,
    'every layer keeps its share of what the sale has not lost',
  ],
  [
    'a reversal, by one',
    `update commission_entries set amount = amount - 1 where sale_id = '${refundedSale}' and kind = 'reversal' and layer = 0`,
    'every layer keeps its share of what the sale has not lost',
  ],
  [
    'an earning that is gone while its reversal stays',
    `delete from commission_entries where sale_id = '${voidedSale}' and kind = 'earned'`,
    'every layer keeps its share of what the sale has not lost',
  ],
  [
    'an earning, by one',
    `update commission_entries set amount = amount + 1 where sale_id = '${disputedSale}' and layer = 0`,
    'an entry is its rate of the sale',
  ],
  [
    'the base of an entry',
    `update commission_entries set base_amount = base_amount + 1 where sale_id = '${disputedSale}' and layer = 0`,
    'an entry is its rate of the sale',
  ],
  [
    'a rate beyond the sale',
    `update commission_entries set rate_ppm = 1000000, amount = 3334 where sale_id = '${disputedSale}' and layer = 0`,
    'the layers of a sale never earn more than the sale',
  ],
  [
    'an earning of somebody else',
    `update commission_entries set partner_id = '${partnerIds[0]}' where sale_id = '${refundedSale}' and layer = 0 and kind = 'earned'`,
    'the referrer earns in the first layer, and all in the currency of the sale',
  ],
  [
    'an entry in another currency',
    `update commission_entries set currency = 'eur' where sale_id = '${disputedSale}'`,
    'the referrer earns in the first layer, and all in the currency of the sale',
  ],
  [
    'the amount of a paid payout, by one',
    `update payouts set amount = amount + 1 where id = '${paidPayout}'`,
    'an approved payout is the sum of its entries',
  ],
  [
    'an entry that a payout has lost',
    `update payout_entries set live = false where payout_id = '${approvedPayout}'`,
    'an approved payout is the sum of its entries',
  ],
  [
    'a canceled payout that keeps its entries',
    `update payouts set status = 'canceled' where id = '${approvedPayout}'`,
    'a payout that is not approved, or canceled, holds nothing',
  ],
  [
    "a payout with another partner's entries",
    `update payouts set partner_id = '${partnerIds[0]}' where id = '${paidPayout}'`,
    'a payout holds entries of its own partner and currency alone',
  ],
  [
    'a payout in another currency',
    `update payouts set currency = 'eur' where id = '${paidPayout}'`,
    'a payout holds entries of its own partner and currency alone',
  ],
  [
    'a paid commission that was never earned',
    `update commission_entries set kind = 'restoration' where sale_id = '${paidSale}' and layer = 0;
     delete from commission_entries where sale_id <> '${paidSale}' and partner_id = '${partnerIds[1]}'`,
    'nobody is paid more than he has earned',
  ],
  [
    "the account's revenue of a day, by one",
    `update day_stats set revenue = revenue + 1
     where account_id = '${account.id}' and partner_id = '${NIL}' and blueprint_id = '${NIL}' and sales > 0`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    "a link's day that is gone",
    `delete from day_stats where account_id = '${account.id}' and partner_id <> '${NIL}' and blueprint_id <> '${NIL}'`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    'a day of a partner nobody knows',
    `insert into day_stats (account_id, partner_id, blueprint_id, day, clicks)
     values ('${account.id}', '${newId()}', '${NIL}', '2026-03-02', 1)`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    'every entry of a sale',
    `delete from commission_entries where sale_id = '${disputedSale}'`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    'a lead that is gone',
    `update leads set partner_id = null where id = '${leadIds[0]}'`,
    'the day roll-ups are the sum of the facts',
  ],
  [
    "a partner's total, by one",
    `update total_stats set share = share - 1 where partner_id = '${partnerIds[1]}' and blueprint_id = '${NIL}'`,
    'the totals are the sum of the days',
  ],
  [
    'a total that is gone',
    `delete from total_stats where account_id = '${account.id}'`,
    'the totals are the sum of the days',
  ],
  [
    "a lead's sales, by one",
    `update lead_stats set sales = sales + 1 where lead_id = '${leadIds[1]}'`,
    "a lead's figures are the sum of its sales",
  ],
  [
    "a lead's figures that are gone",
    `delete from lead_stats where lead_id = '${leadIds[0]}'`,
    "a lead's figures are the sum of its sales",
  ],
]

class Enough extends Error {}

/** What is found after a change that the database's own guards did not stop; then the change is undone. */
async function foundAfter(statement: string) {
  let found: Awaited<ReturnType<typeof verifyLedger>> = []
  const work = transaction(ownerOf(db), async (tx) => {
    await tx.run`set local session_replication_role = replica`
    await changed(tx, statement)
    found = await verifyLedger(tx)
    throw new Enough()
  })
  await assert.rejects(work, Enough)
  return found
}

test('an empty ledger agrees with itself', async () => {
  assert.deepEqual(await verifyLedger(await freshDatabase()), [])
})

test('what the product wrote agrees with itself', async () => assert.deepEqual(await verifyLedger(db), []))

for (const [what, statement, check] of tampering)
  test(`finds ${what}`, async () => {
    const found = await foundAfter(statement)
    assert.ok(
      found.some((difference) => difference.check === check),
      `found only ${JSON.stringify(found)}`,
    )
    for (const { subject, expected, actual } of found) {
      assert.ok(subject)
      assert.notEqual(expected, actual)
    }
  })

test('every check has been seen to fail', () => {
  const seen = new Set(tampering.map(([, , check]) => check))
  assert.deepEqual(
    verified.filter((check) => !seen.has(check)),
    [],
  )
})

test('a difference is told with its subject and both figures', async () => {
  const found = await foundAfter(`update sales set refunded_amount = 13_23 where id = '${refundedSale}'`)
  assert.deepEqual(found[0], {
    check: 'what a sale has lost is the sum of its refunds',
    subject: refundedSale,
    expected: '1322',
    actual: '1323',
  })
})

test('npm run verify-ledger ends with 0 when all agrees, else with 1 and the differences', async () => {
  const script = fileURLToPath(new URL('../verify-ledger.ts', import.meta.url))
  const run = () =>
    promisify(execFile)(process.execPath, [script], {
      env: { PATH: process.env.PATH, DATABASE_URL: db.url },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  assert.deepEqual(await run(), {
    code: 0,
    stdout: `The ledger agrees with itself: ${verified.length} checks.\n`,
    stderr: '',
  })

  await db.run`update lead_stats set sales = sales + 1 where lead_id = ${leadIds[1]}`
  assert.deepEqual(await run(), {
    code: 1,
    stdout: [
      `a lead's figures are the sum of its sales: ${leadIds[1]}`,
      '  expected sales 1, revenue 3333, share 250',
      '  actual   sales 2, revenue 3333, share 250',
      '1 difference.',
      '',
    ].join('\n'),
    stderr: '',
  })
})
