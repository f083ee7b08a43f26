import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aLedger, aSale, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { aPaymentFile } from '../../../test/support/payment-files.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { type Transaction, transaction, transactionOnce } from '../../platform/database/pool.ts'
import type { Actor } from '../access/actor.ts'
import { setRole } from '../auth/users.ts'
import { addNote } from '../leads/timeline.ts'
import { recordSale } from '../sales/record-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { approvePayout } from './approve.ts'
import { changeAutoPayoutSettings } from './auto-payout-settings.ts'
import { cancelPayout } from './cancel-payout.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { refreshPayouts } from './jobs.ts'
import { markPayoutPaid } from './mark-paid.ts'

// Two people act on one thing in the same moment: the one who began first is let in second.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
test.after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

/**
 * Runs `first` in a transaction that begins before `second`, which is done before `first` acts. `run` as by releases
 * that did not run overtaken transactions again.
 */
async function overtaken<T>(
  first: (tx: Transaction) => Promise<T>,
  second: () => Promise<unknown>,
  run: typeof transactionOnce = transaction,
) {
  let isDone = false
  return run(db, async (tx) => {
    if (!isDone) {
      await sleep(5)
      await second()
      isDone = true
    }
    return first(tx)
  })
}

async function anInstall() {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account, actor } = ledger
  const fresh = (): Actor => ({ ...actor, confirmedAt: new Date().toISOString() })
  await recordSale(db, aSale(ledger, { amount: 100_00 }))
  const id = await transaction(db, async (tx) => {
    await gatherPayouts(tx, account)
    return tx.value<string>`select id from payouts where account_id = ${account.id}`
  })
  const events = async (subjectId: string) =>
    (
      await db.many<{ type: string }>`
        select type from events where account_id = ${account.id} and subject_id = ${subjectId} and audited
          and type not like '%.due' order by at, id`
    ).map(({ type }) => type)
  return { ...ledger, id, fresh, events }
}

async function aFiledPayout() {
  const install = await anInstall()
  const { account, id, fresh } = install
  await transaction(db, (tx) => approvePayout(tx, services, fresh(), account, id))
  await aPaymentFile({ db }, account.id, id)
  return {
    ...install,
    pay: (tx: Transaction) => markPayoutPaid(tx, fresh(), account, id, { reference: 'Bank' }),
    cancel: () => cancelPayout(services, fresh(), account, id),
  }
}

test('what is canceled while it is being marked as paid is paid after all, in this order', async () => {
  const { id, pay, cancel, events } = await aFiledPayout()
  assert.equal((await overtaken(pay, cancel)).status, 'paid')
  assert.deepEqual(await events(id), ['payout.approved', 'payout.canceled', 'payout.paid'])
  assert.deepEqual(await verifyLedger(db), [])
})

test('moves that an earlier release timed by the beginning of their transactions agree with the books', async () => {
  const { id, pay, cancel, events } = await aFiledPayout()
  await overtaken(pay, cancel, transactionOnce)
  assert.deepEqual(await events(id), ['payout.approved', 'payout.paid', 'payout.canceled'], 'as it was')
  assert.deepEqual(await verifyLedger(db), [])
})

test('of two approvals at once one is the first and the other the second', async () => {
  for (const run of [transaction, transactionOnce]) {
    const { account, id, fresh, events, ...ledger } = await anInstall()
    const other = newId()
    await db.run`
      insert into users (id, email, created_at, updated_at)
      values (${other}, ${`finance@${account.id}.example`}, ${db.now}, ${db.now})`
    await transaction(db, (tx) =>
      setRole(tx, ownerAuthor({ ...ledger, account }), other, { accountId: account.id, partnerId: null }, 'finance'),
    )
    await changeAutoPayoutSettings(services, fresh(), account, { maxPerPayout: 1_00, approvalsAboveCeiling: 2 })
    const approve = (userId: string) => (tx: Transaction) =>
      approvePayout(tx, services, { ...fresh(), userId }, account, id)
    const { status } = await overtaken(approve(other), () => transaction(db, approve(ledger.actor.userId)), run)
    assert.equal(status, 'approved')
    if (run === transaction) assert.deepEqual(await events(id), ['payout.first-approval', 'payout.approved'])
    assert.deepEqual(await verifyLedger(db), [])
  }
})

test('the timeline of a lead has the order in which two people wrote', async () => {
  const { account, leadIds, ...ledger } = await anInstall()
  const by = ownerAuthor({ ...ledger, account, leadIds })
  const note = (text: string) => (tx: Transaction) => addNote(tx, by, account, leadIds[0]!, { text })
  await overtaken(note('I saw that'), () => transaction(db, note('They called')))
  const lines = await db.many<{ text: string }>`
    select data #>> '{lines,0,text}' as text from events
    where account_id = ${account.id} and type = 'lead.noted' order by at, id`
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['They called', 'I saw that'],
  )
})

test('an automatic run and a cancel of a payout that it takes wait for each other in one order', async () => {
  const { account, id, fresh } = await anInstall()
  await db.run`
    insert into payout_accounts (account_id, method, methods, enabled, updated_at)
    values (${account.id}, 'wise', '{wise}', true, ${db.now})
    on conflict (account_id) do update set method = 'wise', methods = '{wise}', enabled = true`
  const deadlocks = () => db.value<number>`select deadlocks from pg_stat_database where datname = current_database()`
  const before = await deadlocks()
  for (let turn = 0, next = id; turn < 10; turn++) {
    const acts = [() => refreshPayouts(services, account), () => cancelPayout(services, fresh(), account, next)]
    await Promise.all((turn % 2 ? acts : acts.toReversed()).map((act) => act()))
    next = await db.value<string>`
      select id from payouts where account_id = ${account.id} and status in ('gathering', 'approved')`
  }
  assert.equal((await deadlocks()) - before, 0)
})
