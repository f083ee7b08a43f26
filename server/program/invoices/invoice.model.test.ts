import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFor } from '../../../test/support/backups.ts'
import { acme, hamburg } from '../../../test/support/invoices.ts'
import { invoiceLives } from '../../../test/support/invoices-commands.ts'
import { aLedger, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, randomFrom, runModelTests, settleOutcome } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { type Database, transaction } from '../../platform/database/pool.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { saveInvoiceDetails } from '../invoicing/details.ts'
import { markReturned } from '../payouts/apply-transfer.ts'
import { approvePayout, approvePayouts } from '../payouts/approve.ts'
import { gatherPayouts } from '../payouts/gather-payouts.ts'
import { markPayoutsPaid } from '../payouts/mark-paid.ts'
import { transitionPayout } from '../payouts/transitions.ts'
import { endAsCanceled } from '../payouts/undo-approval.ts'
import { verifyLedger } from '../stats/verify.ts'
import { changeInvoicing } from './invoicing.ts'

test('documents follow the money, whatever becomes of payouts, settings and the series', async () => {
  await runModelTests(invoiceLives, await freshDatabase({ clock: ownClock }), listSeeds(1))
})

/** Transactions that the database ended since they waited for each other. */
const deadlocks = async (db: Database) =>
  (await db.one<{ count: number }>`select deadlocks as count from pg_stat_database where datname = current_database()`)
    .count

test('fifty payouts that two processes send at once have fifty numbers without a gap', async () => {
  const db = await freshDatabase()
  const other = openFor(db.url)
  const services = ledgerServices(db)
  test.after(() => services.outbound.close())
  const COUNT = 50
  const ledger = await aLedger(services, {
    ...{ payoutDelay: 0, timeZone: 'UTC' },
    partners: Array.from({ length: COUNT + 20 }, () => ({})),
  })
  const { account, actor, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  await transaction(db, async (tx) => {
    await changeInvoicing(tx, by, account.id, { ...acme, enabled: true })
    for (const partnerId of partnerIds)
      await saveInvoiceDetails(
        tx,
        by,
        { accountId: account.id, partnerId, accountName: 'Acme' },
        { ...hamburg, agreed: true },
      )
    await adjustAll(
      tx,
      by,
      account,
      partnerIds.map((partnerId) => ({ partnerId, amount: 10_00, reason: 'agreed' })),
    )
    await gatherPayouts(tx, account)
  })
  const rows = await db.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} order by statement_number`
  const ids = rows.map(({ id }) => id)
  const [sent, rest] = [ids.slice(0, COUNT), ids.slice(COUNT)]
  const approved = [...sent, ...rest.slice(0, 10)]
  await transaction(db, (tx) => approvePayouts(tx, services, actor, account, approved))
  const before = await deadlocks(db)

  const { below, shuffled } = randomFrom(Number(process.env.SEED ?? 7))
  const process1 = (work: Parameters<typeof transaction<unknown>>[1]) => transaction(db, work)
  const process2 = (work: Parameters<typeof transaction<unknown>>[1]) => transaction(other, work)
  const either = () => (below(2) === 0 ? process1 : process2)
  const send = async (id: string) => {
    const runs = either()
    await runs(async (tx) => {
      await tx.run`update payouts set method = 'wise' where account_id = ${account.id} and id = ${id}`
      await transitionPayout(tx, account, id, 'start', { by: system })
    })
    const undone = new Error('undone')
    if (below(3) === 0)
      await assert.rejects(
        runs(async (tx) => {
          await transitionPayout(tx, account, id, 'send', { by: system })
          await tx.finish()
          throw undone
        }),
        undone,
      )
    await either()((tx) => transitionPayout(tx, account, id, 'send', { by: system }))
    if (below(4) === 0)
      await either()((tx) => markReturned(tx, account, id, { reason: 'back', change: { old: 'a', new: 'b' } }))
  }
  const concurrent = [
    ...rest.slice(0, 5).map((id) => () => either()((tx) => endAsCanceled(tx, by, account, id, 10_00))),
    ...rest.slice(10, 15).map((id) => () => either()((tx) => approvePayout(tx, services, actor, account, id))),
    ...Array.from({ length: 4 }, () => () => either()((tx) => gatherPayouts(tx, account))),
    ...[rest.slice(5, 10), rest.slice(15, 20)].map(
      (some) => () => either()((tx) => markPayoutsPaid(tx, actor, account, { ids: some, reference: 'run' })),
    ),
  ]
  const works = shuffled([
    ...sent.map((id) => () => send(id)),
    ...concurrent.map((work) => () => settleOutcome(work())),
  ])
  await Promise.all(works.map((work) => work()))

  const numbers = await db.many<{ number: number; kind: string }>`
    select number, kind from invoices where account_id = ${account.id} order by number`
  assert.deepEqual(
    numbers.map(({ number }) => number),
    numbers.map((_, at) => at + 1),
  )
  assert.equal(numbers.filter(({ kind }) => kind === 'invoice').length, COUNT + 10)
  assert.ok(numbers.some(({ kind }) => kind === 'credit-note'))
  assert.equal((await deadlocks(db)) - before, 0)
  assert.deepEqual(await verifyLedger(db), [])
})
