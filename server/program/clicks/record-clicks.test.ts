import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, startApp } from '../../../test/support/app.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { ownerOf } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { rolledBack } from '../../platform/database/pool.ts'
import type { NewClick } from './queries.ts'
import { recordClicks } from './record-clicks.ts'

const app = await startApp()
const { db } = app.services
const account = await anAccount(app)
const partner = await aPartner(app, account)
const blueprint = await aBlueprint(app, account)

const aClick = (ipHash: string, at = db.now): NewClick => ({
  id: newId(),
  accountId: account.id,
  blueprintId: blueprint.id,
  partnerId: partner.id,
  day: at.toISOString().slice(0, 10),
  at,
  ipHash,
  userAgentClass: 'desktop',
  country: null,
  referrerHost: null,
  landingPath: '/landing',
  isBot: false,
  source: 'redirect',
})

test('a visitor’s last hour is found by the visitor alone, however many others came in it', async () => {
  await db.run`
    insert into clicks (id, account_id, blueprint_id, partner_id, day, ip_hash, source, at)
    select uuidv7(), ${account.id}, ${blueprint.id}, ${partner.id}, at::date, n, 'redirect', at
    from generate_series(1, 150000) n, lateral (select ${db.now}::timestamptz - n * interval '20 milliseconds' as at) a`
  await ownerOf(db).run`analyze clicks`
  const visits = Array.from({ length: 400 }, (_, index) => aClick(String(1_000_000 + index)))
  const [before, after] = await rolledBack(db, async (tx) => {
    const scans = () => tx.one<{ whole: number; byAge: number; byVisitor: number }>`
      select pg_stat_get_xact_numscans('clicks'::regclass) as whole,
        pg_stat_get_xact_numscans('clicks_by_age'::regclass) as by_age,
        pg_stat_get_xact_numscans('clicks_by_visitor'::regclass) as by_visitor`
    const before = await scans()
    await recordClicks(tx, visits)
    return [before, await scans()]
  })
  assert.deepEqual(
    [after!.whole - before!.whole, after!.byAge - before!.byAge, after!.byVisitor - before!.byVisitor],
    [0, 0, visits.length],
  )
})
