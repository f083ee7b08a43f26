import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../test/support/hostile.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { leastIdAt, NIL, timeOfId } from '../../platform/database/ids.ts'
import { deleteOldClicks, KEPT_CLICK_DAYS } from './delete-old-clicks.ts'

const DAY_MS = 86_400_000
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [1, 2]

for (const seed of SEEDS)
  test(`clicks of three years are stored for the right time (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const upTo = (most: number) => Math.floor(random() * most)
    let now = Date.now()
    const db = await freshDatabase({ clock: { now: () => new Date(now) } })
    const until = new Date(now).setUTCHours(0, 0, 0, 0)
    const endOfFirst = Date.UTC(new Date(until).getUTCFullYear(), new Date(until).getUTCMonth() + 1)
    const living = new Map<string, number>()

    for (const end = now + 3 * 365 * DAY_MS; now < end; ) {
      const rows = Array.from({ length: 1 + upTo(30) }, () => {
        // a call may push a visit of long ago, and the clock of a process may be ahead
        const madeAt = now + (upTo(20) === 0 ? upTo(150 * DAY_MS) : 0)
        const at = now - (upTo(3) === 0 ? upTo(KEPT_CLICK_DAYS * DAY_MS) : upTo(60_000))
        const id = leastIdAt(madeAt).slice(0, -12) + String(upTo(1e12)).padStart(12, '0')
        return { id, at }
      })
      await db.run`
        insert into clicks (id, account_id, partner_id, day, source, at)
        select id, ${NIL}, ${NIL}, to_timestamp(at / 1000)::date, 'push', to_timestamp(at / 1000)
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ at }) => at)}::float8[]) n (id, at)`
      for (const { id, at } of rows) living.set(id, at)

      // now and then the product is down for months
      now += upTo(15) === 0 ? upTo(300 * DAY_MS) : upTo(20 * DAY_MS)
      await Promise.all([deleteOldClicks(db), deleteOldClicks(db)])

      const tables = await db.many<{
        name: string
        id: string
      }>`select tableoid::regclass::text as name, id from clicks`
      const before = now - KEPT_CLICK_DAYS * DAY_MS
      const kept = new Map(tables.map(({ id, name }) => [id, name]))
      for (const [id, at] of living) {
        const made = new Date(timeOfId(id))
        const endOfMonth = Math.max(endOfFirst, Date.UTC(made.getUTCFullYear(), made.getUTCMonth() + 1))
        const name = kept.get(id)
        if (at >= before) assert.ok(name, `${id} of ${new Date(at).toISOString()} is gone`)
        if (endOfMonth <= before || (at < before && /_(first|other)$/.test(name ?? ''))) assert.equal(name, undefined)
        if (!name) living.delete(id)
      }
      assert.equal(kept.size, living.size)
    }

    const months = await db.many<{ name: string }>`
      select name from months where whole = 'clicks' and until is not null order by until`
    const expected = Array.from({ length: KEPT_CLICK_DAYS / 30 }, (_, n) => {
      const month = new Date(now)
      month.setUTCDate(1)
      month.setUTCMonth(month.getUTCMonth() + 2 - n)
      return `clicks_${month.toISOString().slice(0, 7).replace('-', '_')}`
    })
    assert.deepEqual(months.map(({ name }) => name).slice(-expected.length), expected.reverse())
    assert.ok(months.length <= expected.length + 4, `${months.length} months`)
  })

test('months are found with any plan of PostgreSQL, also beside partitions of other kinds', async () => {
  const db = await freshDatabase()
  const owner = await asDatabaseOwner(db).pool.connect()
  try {
    const others = await owner.query(`select from pg_class where pg_get_expr(relpartbound, oid) like '%TO (''20%'`)
    assert.ok(others.rowCount, 'the queue has partitions by time')
    await owner.query('begin; set local enable_nestloop = off; set local enable_indexscan = off')
    const { rows } = await owner.query("select name from months where whole = 'clicks' and until > first_id_at(now())")
    assert.ok(rows.length > 0)
    await owner.query('rollback')
  } finally {
    owner.release()
  }
})

test('creating months never waits for a lock, and is refused without the privilege', async () => {
  const db = await freshDatabase()
  const owner = asDatabaseOwner(db)
  const later = new Date(Date.now() + 800 * DAY_MS)
  const names = async () =>
    (await db.many<{ name: string }>`select name from months where whole = 'clicks' order by name`).map(
      ({ name }) => name,
    )
  const before = await names()
  const holder = await owner.pool.connect()
  try {
    await holder.query('begin; select from clicks')
    await db.run`select renew_months('clicks', ${later}, ${later})`
    assert.deepEqual(await names(), before, 'all or nothing')
    await holder.query('rollback')
    await db.run`select renew_months('clicks', ${later}, ${later})`
    const after = await names()
    assert.deepEqual([after.length, after.includes('clicks_first')], [4, false])

    const role = `stranger_${process.pid}`
    await holder.query(`create role ${role}; set session authorization ${role}`)
    await assert.rejects(holder.query("select renew_months('clicks', now(), now())"), { code: '42501' })
    await holder.query(`reset session authorization; drop role ${role}`)
  } finally {
    holder.release()
  }
})
