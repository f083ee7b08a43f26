import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayoutForecast } from '#contract/balances.ts'
import type { Goal, GoalChange } from '#contract/groups.ts'
import { aLedger, aSale, atTime, ledgerServices, ownClock, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import { archivePartner } from '../partners/archive-partner.ts'
import { getBalances } from '../payouts/balances.ts'
import { forecastOfAccount, forecastOfPartner } from '../payouts/forecast.ts'
import { listCommissions } from '../payouts/list-commissions.ts'
import { balanceOfAccount } from '../payouts/partner-balances.ts'
import { releaseSale, voidSale } from '../sales/change-sale.ts'
import { getReceipt } from '../sales/receipt.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { changeGoal, createGoal, deleteGoal, listPartnerGoals } from './goals.ts'
import { createGroup } from './groups.ts'
import { runGoals } from './run-goals.ts'

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

type Time = { now: number }
const at = (time: string) => Date.parse(time)

/** Plays a story that begins at noon of October 20, 2026, in New York. */
const story = (work: (time: Time) => Promise<void>) => {
  const time = { now: at('2026-10-20T16:00:00Z') }
  return atTime(time, () => work(time))
}

/** A program with one partner, whose month pays $250 from $5,000 on, 30 days later. */
async function aProgram() {
  const partners = [{}]
  const ledger = await aLedger(services, {
    ...{
      timeZone: 'America/New_York',
      payoutDelay: 30,
      selfReferralPolicy: 'refuse',
      partners,
      leads: [{ partner: 0 }],
    },
  })
  const { account, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const fields = { name: 'Busy month', metric: 'revenue', window: 'month', atLeast: 5_000_00, bonus: 250_00 } as const
  const goal = await transaction(db, (tx) => createGoal(tx, by, account, account.id, fields))
  const sell = async (saleDate: string, amount = 5_120_00) =>
    (await recordSale(db, aSale(ledger, { amount, saleDate }))).id
  const refund = (saleId: string, amount: number, status: 'succeeded' | 'failed' = 'succeeded') =>
    transaction(db, (tx) =>
      applyRefund(tx, system, account, saleId, {
        ...{ kind: 'refund', externalId: 'r', amount, status, reason: null, at: tx.now },
      }),
    )
  const bonuses = () => db.many<{ id: string; amount: number; day: string; availableAt: string; reason: string }>`
    select id, amount, day, available_at, reason from commission_entries
    where account_id = ${account.id} and kind = 'bonus' order by created_at, id`
  const amounts = async () => (await bonuses()).map(({ amount }) => amount)
  const partnerId = partnerIds[0]!
  /** Held and due, the same whether one partner is read or all. */
  const owed = async () => {
    const alone = (await getBalances(db, account, [partnerId])).get(partnerId)!
    assert.deepEqual(await balanceOfAccount(db, account.id), alone)
    return [alone.held, alone.due]
  }
  return { ledger, account, by, goal, partnerId, sell, refund, bonuses, amounts, owed }
}

test('the night begins at two in the account’s time zone and is judged once a day', () =>
  story(async (time) => {
    const { sell, amounts, bonuses } = await aProgram()
    await sell('2026-10-20')
    await runGoals(services)
    assert.deepEqual(await amounts(), [], 'today does not count yet')
    time.now = at('2026-10-21T05:59:00Z')
    await runGoals(services)
    assert.deepEqual(await amounts(), [])
    time.now = at('2026-10-21T06:00:00Z')
    await Promise.all([runGoals(services), runGoals(services)])
    time.now = at('2026-10-21T20:00:00Z')
    await runGoals(services)
    const { id: _, ...bonus } = (await bonuses())[0]!
    assert.deepEqual(bonus, {
      ...{ amount: 250_00, day: '2026-10-21', availableAt: '2026-11-20T05:00:00.000Z' },
      reason: 'Busy month, October 2026',
    })
    assert.equal((await amounts()).length, 1)
  }))

test('a refund takes a bonus back until it is due, and its failure gives it again; then it is final', () =>
  story(async (time) => {
    const { sell, refund, amounts, bonuses } = await aProgram()
    const sale = await sell('2026-10-20')
    const night = (date: string) => {
      time.now = at(`${date}T12:00:00Z`)
      return runGoals(services)
    }
    await night('2026-10-21')
    await refund(sale, 200_00)
    await night('2026-11-02')
    await night('2026-11-03')
    assert.deepEqual(await amounts(), [250_00, -250_00])
    await refund(sale, 200_00, 'failed')
    await night('2026-11-19')
    const given = await bonuses()
    assert.deepEqual(
      given.map(({ amount, reason }) => [amount, reason]),
      [
        [250_00, 'Busy month, October 2026'],
        [-250_00, 'Busy month, October 2026, no longer reached'],
        [250_00, 'Busy month, October 2026, reached again'],
      ],
    )
    assert.equal(new Set(given.map(({ availableAt }) => availableAt)).size, 1)
    await night('2026-11-20')
    assert.deepEqual((await amounts()).length, 3)
    assert.deepEqual(await verifyLedger(db), [])
  }))

test('a partner’s own purchases, which earn nothing, give no bonus', () =>
  story(async (time) => {
    const { ledger, account, amounts } = await aProgram()
    const { email } = await db.one<{ email: string }>`select email from partners where account_id = ${account.id}`
    const own = aSale(ledger, { amount: 5_120_00, saleDate: '2026-10-20', payerEmail: email })
    const { id } = await recordSale(db, own)
    const { credited } = await db.one<{ credited: boolean }>`select credited from sales where id = ${id}`
    assert.equal(credited, false)
    time.now = at('2026-10-21T12:00:00Z')
    await runGoals(services)
    assert.deepEqual(await amounts(), [])
    assert.deepEqual(await verifyLedger(db), [])
  }))

test('a disabled account waits, and a month that ended before the goal was made pays nothing', () =>
  story(async (time) => {
    const { account, sell, amounts } = await aProgram()
    await sell('2026-09-20')
    await sell('2026-10-20')
    time.now = at('2026-10-22T12:00:00Z')
    await db.run`update accounts set disabled_at = now() where id = ${account.id}`
    await runGoals(services)
    assert.deepEqual(await amounts(), [])
    time.now = at('2026-11-05T12:00:00Z')
    await db.run`update accounts set disabled_at = null where id = ${account.id}`
    await runGoals(services)
    assert.deepEqual(await amounts(), [250_00])
  }))

for (const state of ['suspended', 'archived', 'account disabled'] as const)
  test(`a bonus is taken back before its day whatever the state: ${state}`, () =>
    story(async (time) => {
      const { account, by, partnerId, sell, owed } = await aProgram()
      const sale = await sell('2026-10-20')
      time.now = at('2026-10-21T12:00:00Z')
      await runGoals(services)
      await transaction(db, (tx) => voidSale(tx, by, account, sale, 'fraud'))
      if (state === 'archived')
        await transaction(db, (tx) =>
          archivePartner(tx, by, account, partnerId, { subPartners: 'keep', balance: 'pay-out', reason: 'fraud' }),
        )
      if (state === 'suspended') await db.run`update partners set state = 'suspended' where id = ${partnerId}`
      if (state === 'account disabled') await db.run`update accounts set disabled_at = now() where id = ${account.id}`
      time.now = at('2026-10-22T12:00:00Z')
      await runGoals(services)
      assert.deepEqual(await owed(), [0, 0])
      time.now = at('2026-11-20T12:00:00Z')
      await runGoals(services)
      assert.deepEqual(await owed(), [0, 0])
      assert.deepEqual(await verifyLedger(db), [])
    }))

test('a bonus whose last judgement was missed is held beyond its day, until it has been judged', () =>
  story(async (time) => {
    for (const act of ['void', 'keep'] as const) {
      time.now = at('2026-10-20T16:00:00Z')
      const { account, by, partnerId, sell, owed, bonuses } = await aProgram()
      const sale = await sell('2026-10-20')
      time.now = at('2026-10-21T12:00:00Z')
      await runGoals(services)
      if (act === 'void') await transaction(db, (tx) => voidSale(tx, by, account, sale, 'fraud'))
      const owedBySale = act === 'void' ? 0 : 512_00
      // the server was down since October; due on November 20
      time.now = at('2026-11-25T05:30:00Z')
      assert.deepEqual(await owed(), [250_00, owedBySale])
      const reader: Access = { as: 'owner', account, subjectId: partnerId, partnerId: null }
      const { items } = await listCommissions(db, reader, { limit: 9, sort: '-createdAt', status: ['held'] })
      assert.deepEqual(
        items.map(({ kind, status, amount }) => [kind, status, amount]),
        [['bonus', 'held', 250_00]],
      )
      const paydays = async (read: Promise<PayoutForecast>) =>
        (await read).days.map(({ date, amount }) => [date, amount])
      const expected = [...(owedBySale ? [['2026-11-25', owedBySale]] : []), ['2026-11-26', 250_00]]
      assert.deepEqual(await paydays(forecastOfPartner(db, account, partnerId)), expected)
      assert.deepEqual(await paydays(forecastOfAccount(db, account)), expected)
      time.now = at('2026-11-25T12:00:00Z')
      await runGoals(services)
      assert.deepEqual(await owed(), [0, owedBySale + (act === 'void' ? 0 : 250_00)])
      time.now = at('2026-11-26T12:00:00Z')
      await runGoals(services)
      assert.equal((await bonuses()).length, act === 'void' ? 2 : 1)
      assert.deepEqual(await verifyLedger(db), [])
    }
  }))

test('a month pays the bonus of the group that the partner was in, and none of a group joined after it', () =>
  story(async (time) => {
    const { ledger, account, by, sell, amounts } = await aProgram()
    const gold = await transaction(db, (tx) => createGroup(tx, by, account.id, { name: 'Gold' }))
    const goals = [
      [account.id, { name: 'Up', moveToGroupId: gold.id }],
      [gold.id, { name: 'Busy gold month', bonus: 400_00 }],
    ] as const
    for (const [groupId, fields] of goals)
      await transaction(db, (tx) =>
        createGoal(tx, by, account, groupId, { metric: 'revenue', window: 'month', atLeast: 5_000_00, ...fields }),
      )
    await sell('2026-10-20')
    for (const night of ['2026-11-01', '2026-11-02']) {
      time.now = at(`${night}T12:00:00Z`)
      await runGoals(services)
    }
    const { groupId } = await db.one<{ groupId: string }>`
      select group_id from partners where id = ${ledger.partnerIds[0]}`
    assert.equal(groupId, gold.id)
    assert.deepEqual(await amounts(), [250_00])
    await sell('2026-11-01')
    time.now = at('2026-12-01T12:00:00Z')
    await runGoals(services)
    assert.deepEqual(await amounts(), [250_00, 400_00])
  }))

test('a bonus that was void with its partner’s balance is never taken back', () =>
  story(async (time) => {
    const { account, by, partnerId, sell, refund, amounts } = await aProgram()
    const sale = await sell('2026-10-20')
    time.now = at('2026-10-21T12:00:00Z')
    await runGoals(services)
    const archiving = { subPartners: 'keep', balance: 'void', reason: 'left' } as const
    await transaction(db, (tx) => archivePartner(tx, by, account, partnerId, archiving))
    await db.run`update partners set state = 'active', void_reason = null where id = ${partnerId}`
    await refund(sale, 5_120_00)
    time.now = at('2026-10-22T12:00:00Z')
    await runGoals(services)
    assert.deepEqual(await amounts(), [250_00])
    assert.deepEqual(await verifyLedger(db), [])
  }))

test('a receipt explains a bonus by its goal, without a revenue that its partner may not see', () =>
  story(async (time) => {
    const { account, goal, partnerId, sell, bonuses } = await aProgram()
    await sell('2026-10-20')
    time.now = at('2026-10-21T12:00:00Z')
    await runGoals(services)
    const { id } = (await bonuses())[0]!
    const owner: Access = { as: 'owner', account, subjectId: id, partnerId: null }
    const receipt = await getReceipt(db, owner, id)
    const reached = { name: 'Busy month', metric: 'revenue', window: 'month', period: '2026-10', atLeast: 5_000_00 }
    assert.deepEqual(receipt.goal, { ...reached, figure: 5_120_00 })
    assert.deepEqual([receipt.entry.goalId, receipt.entry.kind], [(goal as { id: string }).id, 'bonus'])
    const partner: Access = { ...owner, as: 'partner', partnerId }
    assert.equal((await getReceipt(db, partner, id)).goal?.figure, 5_120_00)
    const hiding = { ...account, partnerVisibility: { ...account.partnerVisibility, saleAmounts: false } }
    assert.deepEqual((await getReceipt(db, { ...partner, account: hiding }, id)).goal, { ...reached, figure: null })
  }))

/** Gives bonuses in the night of a day; returns all amounts. */
const inNight = (time: Time, amounts: () => Promise<number[]>) => async (date: string) => {
  time.now = at(`${date}T12:00:00Z`)
  await runGoals(services)
  return amounts()
}

test('a goal that was changed pays no month that ended before', () =>
  story(async (time) => {
    const { account, by, goal, sell, amounts } = await aProgram()
    const night = inNight(time, amounts)
    await sell('2026-10-20', 3_000_00)
    assert.deepEqual(await night('2026-11-02'), [])
    const lower = { atLeast: 1_000_00 }
    const change = (fields: GoalChange) =>
      transaction(db, (tx) => changeGoal(tx, by, account, (goal as Goal).id, fields))
    assert.deepEqual(await change({ ...lower, preview: true }), { partners: 0, amount: 0 })
    await change(lower)
    assert.deepEqual(await night('2026-11-03'), [])
    await sell('2026-11-03', 1_000_00)
    await change({ name: 'Busy' })
    assert.deepEqual(await night('2026-12-01'), [250_00])
    assert.deepEqual(await verifyLedger(db), [])
  }))

test('a bonus pays for no day twice, if its goal gets another window or is deleted and added again', () =>
  story(async (time) => {
    const { account, by, goal, sell, amounts } = await aProgram()
    const night = inNight(time, amounts)
    const { id } = goal as Goal
    const change = (fields: GoalChange) => transaction(db, (tx) => changeGoal(tx, by, account, id, fields))
    await change({ window: 'all-time' })
    await sell('2026-10-20')
    assert.deepEqual(await night('2026-10-22'), [250_00])
    await change({ window: 'month' })
    assert.deepEqual(await night('2026-10-23'), [250_00])
    await sell('2026-10-23')
    assert.deepEqual(await night('2026-10-24'), [250_00, 250_00], 'a sale after the first bonus')
    await transaction(db, (tx) => deleteGoal(tx, by, account.id, id))
    const fields = { name: 'Again', metric: 'revenue', atLeast: 5_000_00, bonus: 100_00 } as const
    const add = (window: 'month' | 'all-time') =>
      transaction(db, (tx) => createGoal(tx, by, account, account.id, { ...fields, window }))
    await add('month')
    const all = await add('all-time')
    assert.deepEqual(await night('2026-10-25'), [250_00, 250_00])
    time.now = at('2026-11-02T12:00:00Z')
    const sale = await sell('2026-11-01')
    assert.deepEqual(await night('2026-11-03'), [250_00, 250_00, 100_00, 100_00])
    const counted = await db.many<{ from: string | null }>`
      select counts_from as from from goal_awards where account_id = ${account.id} and goal_id = ${(all as Goal).id}`
    assert.deepEqual(counted, [{ from: '2026-11-01' }])
    await transaction(db, (tx) => voidSale(tx, by, account, sale, 'a mistake'))
    assert.deepEqual((await night('2026-11-04')).slice(4), [-100_00, -100_00])
    assert.deepEqual(await verifyLedger(db), [])
  }))

test('sales on hold or disputed give no bonus until they are released or the dispute is won', () =>
  story(async (time) => {
    const { ledger, account, by, sell } = await aProgram()
    const held = await sell('2026-10-20', 2_000_00)
    await db.run`
      update sales set hold_rule = 'paid-ads', hold_policy = 'hold', hold_reason = 'An ad.',
        held_until = ${new Date('2026-12-20T12:00:00Z')} where id = ${held}`
    const disputed = await sell('2026-10-20', 2_000_00)
    await sell('2026-10-20', 2_000_00)
    const dispute = (status: 'pending' | 'failed') =>
      transaction(db, (tx) =>
        applyRefund(tx, system, account, disputed, {
          ...{ kind: 'dispute', externalId: 'd', amount: 2_000_00, status, reason: null, at: tx.now },
        }),
      )
    await dispute('pending')
    const night = async (date: string) => {
      time.now = at(`${date}T12:00:00Z`)
      await runGoals(services)
      const access = { account, as: 'owner', subjectId: ledger.partnerIds[0]! } as const
      const [goal] = (await listPartnerGoals(db, access)).items
      const { sum } = await db.one<{ sum: number }>`
        select coalesce(sum(amount), 0)::bigint as sum from commission_entries where account_id = ${account.id} and kind = 'bonus'`
      return [goal!.current, sum]
    }
    assert.deepEqual(await night('2026-10-21'), [2_000_00, 0])
    await transaction(db, (tx) => releaseSale(tx, by, account, held, 'their own ad'))
    assert.deepEqual(await night('2026-10-22'), [4_000_00, 0])
    await dispute('failed')
    assert.deepEqual(await night('2026-10-23'), [6_000_00, 250_00])
  }))
