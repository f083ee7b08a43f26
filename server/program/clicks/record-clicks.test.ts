import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, startApp } from '../../../test/support/app.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { leastIdAt, NIL, newId } from '../../platform/database/ids.ts'
import { rolledBack } from '../../platform/database/pool.ts'
import { deleteOldClicks } from './delete-old-clicks.ts'
import type { NewClick } from './queries.ts'
import { recordClicks } from './record-clicks.ts'

const app = await startApp()
const { db } = app.services
const account = await anAccount(app)
const partner = await aPartner(app, account)
const blueprint = await aBlueprint(app, account)

const aClick = (ipHash: bigint | null, changes: Partial<NewClick> = {}): NewClick => ({
  id: newId(),
  accountId: account.id,
  blueprintId: blueprint.id,
  partnerId: partner.id,
  day: '2026-11-20',
  at: new Date('2026-11-20T12:00:00Z'),
  ipHash,
  userAgentClass: 'desktop',
  country: null,
  referrerHost: null,
  landingPath: '/landing',
  linkId: null,
  paidParameters: null,
  subId: null,
  isBot: false,
  source: 'redirect',
  ...changes,
})

test('a visitor’s last hour is found by an index on the visitor, however many others there were', async () => {
  await db.run`
    insert into clicks (id, account_id, blueprint_id, partner_id, day, ip_hash, source, at)
    select gen_random_uuid(), ${account.id}, ${blueprint.id}, ${partner.id}, at::date, n, 'redirect', at
    from generate_series(1, 150000) n, lateral (select ${db.now}::timestamptz - n * interval '20 milliseconds' as at) a`
  await asDatabaseOwner(db).run`analyze clicks_first`
  const visits = Array.from({ length: 400 }, (_, index) => aClick(BigInt(1_000_000 + index)))
  const [before, after] = await rolledBack(db, async (tx) => {
    const scans = () => tx.one<{ whole: number; byAge: number; byVisitor: number }>`
      select sum(pg_stat_get_xact_numscans(relid))::integer as whole,
        pg_stat_get_xact_numscans('clicks_first_by_age'::regclass) as by_age,
        pg_stat_get_xact_numscans('clicks_first_by_visitor'::regclass) as by_visitor
      from pg_partition_tree('clicks')`
    const before = await scans()
    await recordClicks(tx, visits)
    return [before, await scans()]
  })
  assert.deepEqual(
    [after!.whole - before!.whole, after!.byAge - before!.byAge, after!.byVisitor - before!.byVisitor],
    [0, 0, visits.length],
  )
})

test('a group keeps its plan, however many months are stored', async () => {
  let now = Date.now()
  const db = await freshDatabase({ clock: { now: () => new Date(now) }, max: 1 })
  for (let month = 0; month < 13; month++) {
    await db.run`
      insert into clicks (id, account_id, partner_id, day, ip_hash, source, at)
      select (left(${leastIdAt(now)}, -12) || lpad(n::text, 12, '0'))::uuid, ${NIL}, ${NIL}, ${db.now}, n, 'redirect', ${db.now}
      from generate_series(1, 10000) n`
    now += 31 * 86_400_000
    await deleteOldClicks(db)
  }
  await asDatabaseOwner(db).run`vacuum analyze`
  const nobodys = { accountId: NIL, blueprintId: NIL, partnerId: NIL, at: db.now }
  const plannedAfter = async (groups: number) => {
    for (let group = 0; group < groups; group++)
      await recordClicks(db, [aClick(BigInt(group), { ...nobodys, id: leastIdAt(now) })])
    const { planned } = await db.one<{ planned: number }>`
      select custom_plans as planned from pg_prepared_statements where statement ilike '%with asked as materialized%'
        and statement not like '%pg_prepared_statements%'`
    return planned
  }
  const planned = await plannedAfter(30)
  assert.equal(await plannedAfter(20), planned)
})

test('each click of a group is stored with its own values, whatever it shares with others', async () => {
  const second = await aPartner(app, account)
  const least = -(2n ** 63n)
  const common = { referrerHost: 'null', landingPath: '/a\nb "c" {d}' }
  const later = new Date('2026-11-20T12:00:00.007Z')
  const clicks = [
    aClick(1n),
    aClick(2n, common),
    aClick(null, common),
    aClick(least, { country: 'DE', source: 'embed', blueprintId: null }),
    aClick(3n, { partnerId: second.id, at: later }),
    aClick(1n),
    aClick(4n, common),
    aClick(null, { ...common, at: later }),
    aClick(1n, { isBot: true, userAgentClass: 'bot' }),
    aClick(2n, { at: new Date('2026-11-20T13:00:00Z'), userAgentClass: null, landingPath: null }),
    aClick(4n, { ...common, partnerId: second.id }),
    aClick(5n, { linkId: newId(), subId: 'a b' }),
    aClick(6n, { subId: 'a b' }),
    aClick(7n, { paidParameters: ['fbclid', 'gclid'] }),
  ]
  assert.deepEqual(await recordClicks(db, clicks), Array(clicks.length).fill(true))
  const rows = await db.many<{ id: string; ipHash: string | null; at: string; isUnique: boolean }>`
    select id, account_id, blueprint_id, partner_id, day, at, ip_hash::text, user_agent_class, country, referrer_host,
      landing_path, link_id, sub_id, paid_parameters, is_bot, source, is_unique
    from clicks where id = any(${clicks.map(({ id }) => id)}::uuid[]) order by id`
  const repeated = new Set([5, 8])
  assert.deepEqual(
    rows,
    clicks.map((click, index) => ({
      ...click,
      at: click.at.toISOString(),
      ipHash: click.ipHash?.toString() ?? null,
      isUnique: !repeated.has(index),
    })),
  )
  const { figures } = await db.one`
    select array_agg(array[clicks, unique_clicks] order by clicks) as figures
    from total_stats where partner_id = any(${[partner.id, second.id]}::uuid[]) and blueprint_id = ${NIL}`
  assert.deepEqual(figures, [
    ['2', '2'],
    ['11', '10'],
  ])
})

test('only the clicks of a deleted partner are dropped from a group', async () => {
  const gone = newId()
  const clicks = [aClick(21n), aClick(22n, { partnerId: gone }), aClick(23n), aClick(24n, { partnerId: gone })]
  assert.deepEqual(await recordClicks(db, clicks), [true, false, true, false])
  const { kept } =
    await db.one`select count(*) as kept from clicks where id = any(${clicks.map(({ id }) => id)}::uuid[])`
  assert.equal(kept, 2)
})
