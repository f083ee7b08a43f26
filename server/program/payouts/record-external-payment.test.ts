import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { aLedger, aSale, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import { aPaymentFile } from '../../../test/support/payment-files.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { transaction } from '../../platform/database/pool.ts'
import { archivePartner } from '../partners/archive-partner.ts'
import { changePartner } from '../partners/change-partner.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { markReturned } from './apply-transfer.ts'
import { approvePayout } from './approve.ts'
import { getBalances } from './balances.ts'
import { cancelPayout } from './cancel-payout.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { markPayoutPaid } from './mark-paid.ts'
import { recordPastPayouts, undoImportedPayout } from './record-past-payouts.ts'
import { setBack } from './undo-approval.ts'

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

/** A partner with a commission of 10.00 in an approved payout that is in a file. */
async function aFiledPayout() {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account, actor, partnerIds } = ledger
  const partnerId = partnerIds[0]!
  const by = ownerAuthor(ledger)
  const sell = () => recordSale(db, aSale(ledger, { amount: 100_00 }))
  const { id: saleId } = await sell()
  const approveNext = () =>
    transaction(db, async (tx) => {
      await gatherPayouts(tx, account)
      const { id } = await tx.one<{ id: string }>`
        select id from payouts where account_id = ${account.id} and status = 'gathering'`
      await approvePayout(tx, services, actor, account, id)
      return id
    })
  const id = await approveNext()
  await aPaymentFile({ db }, account.id, id)
  const change = { old: 'paid', new: 'returned' }
  return {
    ...{ id, account, by, partnerId, sell, approveNext },
    refund: () =>
      transaction(db, (tx) =>
        applyRefund(tx, by, account, saleId, {
          ...{ kind: 'refund', externalId: 'r', amount: 100_00, status: 'succeeded', reason: null, at: tx.now },
        }),
      ),
    cancel: () => cancelPayout(services, actor, account, id),
    pay: (payoutId: string) =>
      transaction(db, (tx) => markPayoutPaid(tx, actor, account, payoutId, { reference: 'Bank' })),
    comesBack: () => transaction(db, (tx) => markReturned(tx, account, id, { by, reason: 'Account closed', change })),
    voidBalance: () =>
      transaction(db, (tx) =>
        archivePartner(tx, by, account, partnerId, { subPartners: 'keep', balance: 'void', reason: 'Left' }),
      ),
    reinstate: () =>
      transaction(db, (tx) =>
        changePartner(
          ...([tx, services, by] as const),
          { as: 'owner', account, subjectId: partnerId, partnerId: null },
          { state: 'active' },
        ),
      ),
    async owes(due: number, paid: number) {
      const balance = (await getBalances(db, account, [partnerId])).get(partnerId)!
      assert.deepEqual(balance, { held: 0, due, onHold: 0, inPayout: 0, paid })
    },
  }
}

test('what a file pays of a balance voided meanwhile is no debt, and void again if it comes back', async () => {
  const one = await aFiledPayout()
  await one.voidBalance()
  await one.cancel()
  await one.owes(0, 0)
  await one.pay(one.id)
  await one.owes(0, 10_00)
  await one.comesBack()
  await one.owes(0, 0)
})

for (const order of ['canceled, then voided', 'voided, then canceled'])
  test(`what a file pays of a balance that was voided is no debt of a partner who is back by then (${order})`, async () => {
    const one = await aFiledPayout()
    if (order === 'canceled, then voided') {
      await one.cancel()
      await one.voidBalance()
    } else {
      await one.voidBalance()
      await one.cancel()
    }
    await one.reinstate()
    await one.owes(0, 0)
    await one.pay(one.id)
    await one.owes(0, 10_00)
    await one.comesBack()
    await one.owes(0, 0)
  })

test('what was paid after all is owed back with a refund of its sale', async () => {
  const one = await aFiledPayout()
  await one.voidBalance()
  await one.cancel()
  await one.reinstate()
  await one.pay(one.id)
  await one.refund()
  await one.owes(-10_00, 10_00)
  await one.comesBack()
  await one.owes(0, 0)
})

test('what was void is no debt although another payout has it, and paid twice it is one', async () => {
  const one = await aFiledPayout()
  await one.voidBalance()
  await one.cancel()
  await one.reinstate()
  await one.sell()
  await one.pay(await one.approveNext())
  await one.owes(0, 10_00)
  await one.pay(one.id)
  await one.owes(0, 20_00)
  await one.comesBack()
  await one.owes(0, 10_00)
})

test('an overpayment after the balance was voided is a debt until it comes back', async () => {
  const one = await aFiledPayout()
  await one.cancel()
  await one.pay(await one.approveNext())
  await one.voidBalance()
  await one.owes(0, 10_00)
  await one.pay(one.id)
  await one.owes(-10_00, 20_00)
  await one.comesBack()
  await one.owes(0, 10_00)
})

test('an overpayment whose debt was voided is void when it comes back', async () => {
  const one = await aFiledPayout()
  await one.cancel()
  await one.pay(await one.approveNext())
  await one.pay(one.id)
  await one.owes(-10_00, 20_00)
  await one.voidBalance()
  await one.comesBack()
  await one.owes(0, 10_00)
})

test('a debt in a voided balance stays when an imported payout is taken back', async () => {
  const one = await aFiledPayout()
  const { account, by, partnerId } = one
  await one.pay(one.id)
  await one.voidBalance()
  await one.refund()
  await one.owes(-10_00, 10_00)
  const past = { partnerId, amount: 30_00, paidOn: '2026-01-05', externalReference: null }
  const [payoutId] = await transaction(db, (tx) => recordPastPayouts(tx, by, account, [past]))
  await one.owes(-10_00, 40_00)
  await transaction(db, (tx) => undoImportedPayout(tx, by, account, payoutId!))
  await one.owes(-10_00, 10_00)
})

test('money that comes back to a voided balance is void, although an imported payout was taken back before it left', async () => {
  const one = await aFiledPayout()
  const { account, by, partnerId } = one
  await transaction(db, (tx) => setBack(tx, account, one.id, 'The payout details changed.'))
  const past = { partnerId, amount: 10_00, paidOn: '2026-01-05', externalReference: null }
  const [payoutId] = await transaction(db, (tx) => recordPastPayouts(tx, by, account, [past]))
  await transaction(db, (tx) => undoImportedPayout(tx, by, account, payoutId!))
  await one.pay(await one.approveNext())
  await one.owes(0, 10_00)
  await one.voidBalance()
  await one.refund()
  await one.owes(-10_00, 10_00)
  await one.comesBack()
  await one.owes(0, 0)
})

test('a payout that is set back while its partner’s balance is voided is void, too', async () => {
  const one = await aFiledPayout()
  const voiding = await transaction(db, async (tx) => {
    await setBack(tx, one.account, one.id, 'The payout details changed.')
    let isDone = false
    const archived = one.voidBalance().finally(() => {
      isDone = true
    })
    while (!isDone && (await waitingForLocks(db)) === 0) await setTimeout(10)
    return { archived }
  })
  await voiding.archived
  await one.owes(0, 0)
})

test('the ledger of all of these is consistent', async () => {
  assert.deepEqual(await verifyLedger(db), [])
})
