import assert from 'node:assert/strict'
import type { BalancePart } from '#contract/balances.ts'
import type { PayoutPart } from '#contract/payouts.ts'
import { type Database, transaction } from '../../server/platform/database/pool.ts'
import { dayIn } from '../../server/platform/time/days.ts'
import type { AccountFacts } from '../../server/program/access/account-facts.ts'
import { listLiability } from '../../server/program/accounting/liability.ts'
import { listBalances } from '../../server/program/payouts/balances.ts'
import { getPayoutTotals } from '../../server/program/payouts/payout-totals.ts'
import { listPayouts } from '../../server/program/payouts/payouts.ts'

const page = { limit: 100, sort: 'createdAt' }

/** Checks the line of what an account owes now: its parts add up, to today's books, and so do the rows of each. */
export const checkOwedLine = (db: Database, account: AccountFacts) =>
  // one snapshot, while the account's other work goes on
  transaction(db, async (tx) => {
    await tx.run`set transaction isolation level repeatable read`
    const { currency, feeEstimate, ...totals } = await getPayoutTotals(tx, account)
    const amounts = Object.fromEntries(Object.entries(totals).map(([name, { amount }]) => [name, amount]))
    const line = amounts as Record<keyof typeof totals, number>
    const shown = JSON.stringify(amounts)
    assert.equal(currency, account.defaultCurrency)
    assert.equal(line.owed, line.due + line.notYetDue, shown)
    assert.equal(line.due, line.ready + line.blocked + line.awaitingFunding + line.inPayout - line.overpaid, shown)
    assert.equal(line.notYetDue, line.held + line.onHold, shown)

    const books = await listLiability(tx, account, dayIn(account.timeZone, tx.now), { ...page, sort: 'name' })
    assert.deepEqual([line.owed, line.due, line.notYetDue], [books.owed, books.due, books.later], `the books, ${shown}`)
    const booked = (['owed', 'due', 'later'] as const).map((sum) => books.items.filter((row) => row[sum] !== 0).length)
    assert.deepEqual([totals.owed.count, totals.due.count, totals.notYetDue.count], booked, 'partners in the books')

    const balances = { ready: 'due', blocked: 'due', overpaid: 'due', held: 'held', 'on-hold': 'onHold' } as const
    for (const [part, column] of Object.entries(balances) as [BalancePart, 'due' | 'held' | 'onHold'][]) {
      const rows = (await listBalances(tx, account, { ...page, part: [part] })).totals
      const { amount, count } = totals[part === 'on-hold' ? 'onHold' : part]
      const sum = part === 'overpaid' ? 0 - rows[column] : rows[column]
      assert.deepEqual([sum, rows.count], [amount, count], `the balances of ${part}, ${shown}`)
    }
    const payouts = {
      'awaiting-funding': 'awaitingFunding',
      'in-payout': 'inPayout',
      'being-returned': 'beingReturned',
    }
    for (const [part, name] of Object.entries(payouts) as [PayoutPart, keyof typeof totals][]) {
      const rows = (await listPayouts(tx, account, { ...page, part: [part] }, { reader: 'owner' })).totals
      assert.deepEqual({ amount: rows.amount, count: rows.count }, totals[name], `the payouts of ${part}, ${shown}`)
    }
    const ready = (await listPayouts(tx, account, { ...page, status: ['due'] }, { reader: 'owner' })).totals
    assert.deepEqual({ amount: ready.amount, count: ready.count }, totals.ready, `the payouts that are ready, ${shown}`)
  })
