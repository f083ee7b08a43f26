import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLedger, aSale, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { transaction } from '../../platform/database/pool.ts'
import { approvePayout } from '../payouts/approve.ts'
import { getBalances } from '../payouts/balances.ts'
import { gatherPayouts } from '../payouts/gather-payouts.ts'
import { balanceOfAccount } from '../payouts/partner-balances.ts'
import { setBack } from '../payouts/undo-approval.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { addAdjustment } from './adjustments.ts'

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

const none = { held: 0, due: 0, onHold: 0, inPayout: 0, paid: 0 }

/** A partner with a commission of 10.00 in an approved payout. */
async function anApprovedPayout() {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account, actor, partnerIds } = ledger
  const { id: saleId } = await recordSale(db, aSale(ledger, { amount: 100_00 }))
  const approveNext = () =>
    transaction(db, async (tx) => {
      await gatherPayouts(tx, account)
      const { id } = await tx.one<{ id: string }>`
        select id from payouts where account_id = ${account.id} and status = 'gathering'`
      await approvePayout(tx, services, actor, account, id)
      return id
    })
  return {
    ...{ account, id: await approveNext(), approveNext },
    owe: (amount: number) =>
      transaction(db, (tx) =>
        addAdjustment(tx, ownerAuthor(ledger), account, partnerIds[0]!, { amount, reason: 'Agreed' }),
      ),
    report: (kind: 'refund' | 'dispute', amount: number, status: 'succeeded' | 'pending' | 'failed') =>
      transaction(db, (tx) =>
        applyRefund(tx, ownerAuthor(ledger), account, saleId, {
          ...{ kind, externalId: kind, amount, status, reason: null, at: tx.now },
        }),
      ),
    async has(parts: Partial<typeof none>) {
      assert.deepEqual((await getBalances(db, account, partnerIds)).get(partnerIds[0]!), { ...none, ...parts })
      assert.deepEqual(await balanceOfAccount(db, account.id), { ...none, ...parts })
    },
  }
}

test('a clawback is on hold with the earning it corrects once their payout is set back', async () => {
  const { account, id, report, has } = await anApprovedPayout()
  await report('refund', 40_00, 'succeeded')
  await report('dispute', 60_00, 'pending')
  await has({ due: -4_00, inPayout: 10_00 })
  await transaction(db, (tx) => setBack(tx, account, id, 'The payout details changed.'))
  await has({ onHold: 6_00 })
})

test('a commission restored after its reversal was deducted from a payout is on hold while the sale is', async () => {
  const { approveNext, owe, report, has } = await anApprovedPayout()
  await report('refund', 40_00, 'succeeded')
  await report('dispute', 60_00, 'pending')
  await owe(20_00)
  await has({ due: 16_00, inPayout: 10_00 })
  await approveNext()
  await report('refund', 40_00, 'failed')
  await has({ onHold: 4_00, inPayout: 26_00 })
})

test('a reversal and its restoration, both unpaid, cancel out on hold', async () => {
  const { report, has } = await anApprovedPayout()
  await report('dispute', 60_00, 'pending')
  await report('refund', 40_00, 'succeeded')
  await has({ due: -4_00, inPayout: 10_00 })
  await report('refund', 40_00, 'failed')
  await has({ inPayout: 10_00 })
})

test('the ledger of all of these is consistent', async () => {
  assert.deepEqual(await verifyLedger(db), [])
})
