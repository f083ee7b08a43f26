import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isPayday, type Paydays } from '#contract/paydays.ts'
import { aLedger, atTime, type Ledger, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import { addDays } from '../../platform/time/days.ts'
import { queues } from '../../queues.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { settleEarlierPaydays } from '../access/each-night.ts'
import { FIRST_RUN_TASK } from '../access/paydays.ts'
import { changeAccount } from '../accounts/accounts.ts'
import { addAdjustment } from '../commissions/adjustments.ts'
import { emitPaydays, refreshPayouts, runDueAccounts } from './jobs.ts'
import { getPayoutTerms } from './payout-terms.ts'

// An account whose owner changes the paydays, switches automatic payouts off and on, and whose processes are away for
// days: two of them make each run, and each payday is made once.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

const HOUR = 3_600_000
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC']

const somePaydays = (random: Random): Paydays =>
  random.pick<Paydays>([
    { every: 'week', weekday: 1 + random.below(7) },
    { every: 'month', days: [1 + random.below(31)] },
    { every: 'month', days: [30, 31] },
    { every: 'month', days: [3, 14] },
    { every: 'day' },
  ])

for (const seed of listSeeds(2))
  test(`seed ${seed}: two processes make each payday once, and none from before the setting`, () => {
    const random = randomFrom(seed)
    const time = { now: Date.parse('2026-01-20T14:00:00Z') + random.below(200 * 24) * HOUR }
    return atTime(time, () => live(random, time))
  })

async function live(random: Random, time: { now: number }) {
  const timeZone = random.pick(zones)
  const ledger = await aLedger(services, { timeZone, partners: [{}] })
  const { id } = ledger.account
  const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const account = async () => (await getAccountFacts(db, [id])).get(id)!
  await db.run`
    insert into payout_accounts (account_id, method, enabled, updated_at) values (${id}, 'wise', true, ${db.now})`

  let isOn = true
  let paydays: Paydays = { every: 'day' }
  let done = addDays(local.format(db.now).slice(0, 10), -1)
  let awayUntil = 0
  let runs = 0
  const made = new Set<string>()
  for (let step = 0; step < 250; step++) {
    time.now += (1 + random.below(9)) * HOUR
    const [today, clock] = local.format(db.now).split(' ') as [string, string]
    const yesterday = addDays(today, -1)
    const last = clock >= '06:00' ? today : yesterday
    const settle = (day: string) => {
      if (day > done) done = day
    }
    await earn(ledger)
    const what = random.below(40)
    if (what === 0) {
      const next = somePaydays(random)
      await change(ledger, await account(), next)
      if (JSON.stringify(next) !== JSON.stringify(paydays)) settle(last)
      paydays = next
    } else if (what === 1) {
      isOn = !isOn
      await switchTo(await account(), isOn)
      if (isOn) settle(yesterday)
    } else if (what === 2) awayUntil = time.now + 72 * HOUR
    if (time.now < awayUntil) continue

    let payday: string | null = last
    while (payday > done && !isPayday(paydays, payday)) payday = addDays(payday, -1)
    if (payday <= done || !isOn || (paydays.every === 'day' && clock < '06:00')) payday = null
    const where: string = `${JSON.stringify(paydays)} in ${timeZone} on ${today} at ${clock}, done until ${done}`
    const terms = await getPayoutTerms(db, await account())
    if (payday) assert.equal(terms.nextRunDay, today, where)
    await Promise.all([runDueAccounts(services), runDueAccounts(services)])
    assert.equal(await approvedNow(id), payday ? 1 : 0, where)
    if (!payday) continue
    assert.ok(!made.has(payday), where)
    made.add(payday)
    settle(payday)
    runs++
    const after = await getPayoutTerms(db, await account())
    assert.ok(after.nextRunDay > today || isPayday(paydays, today), where)
  }
  assert.ok(runs > 0)
}

const earn = (ledger: Ledger) =>
  transaction(db, (tx) =>
    addAdjustment(tx, ownerAuthor(ledger), ledger.account, ledger.partnerIds[0]!, { amount: 1_00, reason: 'Agreed' }),
  )

const change = (ledger: Ledger, account: AccountFacts, paydays: Paydays) =>
  transaction(db, (tx) =>
    changeAccount(
      tx,
      ownerAuthor(ledger),
      { as: 'owner', account, subjectId: account.id, partnerId: null },
      { paydays },
    ),
  )

const switchTo = (account: AccountFacts, enabled: boolean) =>
  transaction(db, async (tx) => {
    if (enabled) await settleEarlierPaydays(tx, account, FIRST_RUN_TASK)
    await tx.run`update payout_accounts set enabled = ${enabled} where account_id = ${account.id}`
  })

async function approvedNow(accountId: string) {
  const { count } = await db.one<{ count: number }>`
    select count(*)::integer as count from payouts where account_id = ${accountId} and approved_at = ${db.now}`
  return count
}

test('refreshing pays on a payday alone, and who pays by hand is told on the day, once', async () => {
  // a Tuesday
  const time = { now: Date.parse('2026-11-24T12:00:00Z') }
  await atTime(time, async () => {
    const ledger = await aLedger(services, { partners: [{}] })
    const { id } = ledger.account
    const account = async () => (await getAccountFacts(db, [id])).get(id)!
    const countPaydays = async () => {
      await Promise.all([emitPaydays(services), emitPaydays(services)])
      const { count } = await db.one<{ count: number }>`
        select count(*)::integer as count from passing_events where account_id = ${id} and type = 'payday.came'`
      return count
    }
    await earn(ledger)
    assert.equal(await countPaydays(), 0, 'with every day a payday, no mail')
    await change(ledger, await account(), { every: 'week', weekday: 2 })
    assert.equal(await countPaydays(), 0, 'today was over when it was saved')
    time.now += 7 * 24 * HOUR - 7 * HOUR
    assert.equal(await countPaydays(), 0, 'at five')
    time.now += HOUR
    assert.equal(await countPaydays(), 1, 'at six')
    time.now += HOUR
    assert.equal(await countPaydays(), 1)
    time.now += 8 * 24 * HOUR
    assert.equal(await countPaydays(), 1, 'a missed day is over')
    assert.equal(
      (await getPayoutTerms(db, await account())).nextRunDay,
      '2026-12-15',
      'no run is open where none is made',
    )
    await db.run`update payout_accounts set method = 'wise', enabled = true where account_id = ${id}`
    await refreshPayouts(services, await account())
    assert.equal(await approvedNow(id), 0, 'a Wednesday')
    time.now += 6 * 24 * HOUR
    assert.equal(await countPaydays(), 1, 'the run pays it')
    await refreshPayouts(services, await account())
    assert.equal(await approvedNow(id), 1, 'a Tuesday')
    await earn(ledger)
    await db.run`update partners set payout_method = 'manual' where account_id = ${id}`
    time.now += 7 * 24 * HOUR
    assert.equal(await countPaydays(), 2, 'by hand, beside automatic payouts')
  })
})

test('a method in trouble on a payday pays once it works again, though another method has made its run', async () => {
  // a Wednesday
  const time = { now: Date.parse('2026-11-25T07:00:00Z') }
  await atTime(time, async () => {
    const ledger = await aLedger(services, { partners: [{}] })
    const { id } = ledger.account
    const account = async () => (await getAccountFacts(db, [id])).get(id)!
    await earn(ledger)
    await db.run`update accounts set paydays = ${JSON.stringify({ every: 'week', weekday: 3 })}::jsonb where id = ${id}`
    await db.run`
      insert into payout_accounts (account_id, methods, enabled, trouble, trouble_with, updated_at)
      values (${id}, '{wise,paypal}', true, 'Invalid token', 'wise', ${db.now})`
    await db.run`
      insert into method_secrets (account_id, method, settings_sealed, automatic, updated_at)
      values (${id}, 'paypal', '', true, ${db.now})`
    await runDueAccounts(services)
    assert.equal(await approvedNow(id), 0)
    time.now += HOUR
    await db.run`update payout_accounts set trouble = null, trouble_with = null where account_id = ${id}`
    assert.equal((await getPayoutTerms(db, await account())).nextRunDay, '2026-11-25')
    await Promise.all([runDueAccounts(services), runDueAccounts(services)])
    assert.equal(await approvedNow(id), 1)
    assert.equal((await getPayoutTerms(db, await account())).nextRunDay, '2026-12-02')
  })
})
