import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLedger, aSale, byOwner, ledgerServices, ownClock } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { transaction } from '../../platform/database/pool.ts'
import { approvePayout } from '../payouts/approve.ts'
import { balancesOf } from '../payouts/balances.ts'
import { gatherPayouts } from '../payouts/gather-payouts.ts'
import { balanceOfAccount } from '../payouts/partner-balances.ts'
import { setBack } from '../payouts/undo-approval.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

test('a clawback is on hold with the earning it corrects once their payout is set back', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account, actor, partnerIds } = ledger
  const { id: saleId } = await recordSale(db, aSale(ledger, { amount: 100_00 }))
  const report = (kind: 'refund' | 'dispute', amount: number, status: 'succeeded' | 'pending') =>
    transaction(db, (tx) =>
      applyRefund(tx, byOwner(ledger), account, saleId, {
        ...{ kind, externalId: kind, amount, status, reason: null, at: tx.now },
      }),
    )
  await transaction(db, (tx) => gatherPayouts(tx, account))
  const { id } = await db.one<{ id: string }>`select id from payouts where account_id = ${account.id}`
  await transaction(db, (tx) => approvePayout(tx, services, actor, account, id))
  await report('refund', 40_00, 'succeeded')
  await report('dispute', 60_00, 'pending')
  const none = { held: 0, due: 0, onHold: 0, inPayout: 0, paid: 0 }
  const balanced = async (parts: Partial<typeof none>) => {
    assert.deepEqual((await balancesOf(db, account, partnerIds)).get(partnerIds[0]!), { ...none, ...parts })
    assert.deepEqual(await balanceOfAccount(db, account.id), { ...none, ...parts })
  }
  await balanced({ due: -4_00, inPayout: 10_00 })
  await transaction(db, (tx) => setBack(tx, account, id, 'The payout details changed.'))
  await balanced({ onHold: 6_00 })
})
