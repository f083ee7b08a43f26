import assert from 'node:assert/strict'
import { NIL } from '../../server/platform/database/ids.ts'
import type { Access } from '../../server/program/access/access.ts'
import { listRevenueLines } from '../../server/program/sales/revenue-lines.ts'
import type { Ledger } from './ledger.ts'

const EVERY = 10_000
const none = { sales: 0, revenue: 0, share: 0 }
type Figures = typeof none
type Counted = { partnerId: string; blueprintId: string; day: string } & Figures

const added = (all: Figures, some: Figures): Figures => ({
  sales: all.sales + some.sales,
  revenue: all.revenue + some.revenue,
  share: all.share + some.share,
})

/**
 * Asserts that the account's lines agree with its statistics: day by day, in any range, per partner, link and lead, and
 * that totals are the sum of the lines.
 */
export async function compareLines({ db, account, partnerIds, leadIds }: Ledger): Promise<void> {
  const access: Access = { as: 'owner', account, subjectId: account.id, partnerId: null }
  const read = async (filters: Partial<Parameters<typeof listRevenueLines>[2]> = {}) => {
    const { items, totals, total, nextCursor } = await listRevenueLines(db, access, {
      limit: EVERY,
      sort: '-createdAt',
      ...filters,
    })
    assert.equal(nextCursor, null)
    const sums = items.reduce((all, line) => added(all, figuresOf(line)), none)
    const { count, profit, ...rest } = totals
    assert.deepEqual([rest, count, profit, total], [sums, items.length, sums.revenue - sums.share, items.length])
    return { items, totals: rest }
  }
  const counted = await db.many<Counted>`
    select partner_id, blueprint_id, day, sales, revenue, share from day_stats where account_id = ${account.id}`
  const statsOf = (which: (row: Counted) => boolean) => counted.filter(which).reduce(added, none)
  const ofAccount = (row: Counted) => row.partnerId === NIL && row.blueprintId === NIL

  const { items, totals } = await read()
  assert.deepEqual(totals, statsOf(ofAccount), 'the lines of all time')
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length, 'each line has an id of its own')
  const days = [...new Set([...items.map(({ day }) => day), ...counted.filter(ofAccount).map(({ day }) => day)])].sort()
  for (const day of days) {
    const ofDay = items.filter((line) => line.day === day).reduce((all, line) => added(all, figuresOf(line)), none)
    assert.deepEqual(
      ofDay,
      statsOf((row) => ofAccount(row) && row.day === day),
      `the lines of ${day}`,
    )
  }
  const [from, to] = [days[Math.floor(days.length / 3)], days[Math.floor((2 * days.length) / 3)]]
  if (from && to) {
    const inside = (row: Counted) => ofAccount(row) && row.day >= from && row.day <= to
    assert.deepEqual((await read({ from, to })).totals, statsOf(inside), `the lines from ${from} to ${to}`)
  }
  for (const partnerId of partnerIds) {
    // a partner's earnings on other partners' sales are in those partners' lines
    const { sales, revenue } = (await read({ partnerId: [partnerId] })).totals
    const stats = statsOf((row) => row.partnerId === partnerId && row.blueprintId === NIL)
    assert.deepEqual([sales, revenue], [stats.sales, stats.revenue], 'the lines of a partner')
  }
  for (const blueprintId of new Set(counted.map((row) => row.blueprintId).filter((id) => id !== NIL))) {
    const stats = statsOf((row) => row.partnerId === NIL && row.blueprintId === blueprintId)
    assert.deepEqual((await read({ blueprintId: [blueprintId] })).totals, stats, 'the lines of a link')
  }
  for (const leadId of leadIds) {
    const stats = await db.maybe<Figures>`select sales, revenue, share from lead_stats where lead_id = ${leadId}`
    assert.deepEqual((await read({ leadId: [leadId] })).totals, stats ?? none, 'the lines of a lead')
  }
}

const figuresOf = ({ kind, amount, share }: { kind: string; amount: number; share: number }): Figures => ({
  sales: kind === 'sale' ? 1 : 0,
  revenue: amount,
  share,
})
