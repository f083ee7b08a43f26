import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ledgerTables } from '../../server/integrations/data-transfer/tables.ts'
import { backUp } from '../../server/platform/backups/back-up.ts'
import { findObstacles } from '../../server/platform/database/cluster/obstacles.ts'
import { isSpread, lettingGo, planSpread, spreadTables } from '../../server/platform/database/cluster/spread.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { migrateSchema } from '../../server/platform/database/migrate.ts'
import { missingTriggers } from '../../server/platform/database/missing-triggers.ts'
import { renewMonths } from '../../server/platform/database/months.ts'
import { type Database, transaction } from '../../server/platform/database/pool.ts'
import { prepareQueues } from '../../server/platform/jobs/queue.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { queues } from '../../server/queues.ts'
import { aBackupFolder, openFor, restoreFile } from '../support/backups.ts'
import { aLedger, aSale, ledgerServices } from '../support/ledger.ts'
import { ledgerHistory } from '../support/ledger-history.ts'
import { asDatabaseOwner, emptyDatabase, freshDatabase } from '../support/postgres.ts'

/** The rows of each table, and the names of its rules. */
async function contentsOf(db: Database) {
  const tables = await db.many<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await db.pool.query<{ count: string }>(`select count(*) from ${name}`)
    counts.set(name, Number(rows[0]!.count))
  }
  const rules = await db.many<{ rule: string }>`
    select conrelid::regclass || ': ' || conname as rule from pg_constraint
    where connamespace = 'public'::regnamespace and conparentid = 0
    union all select tgrelid::regclass || ': ' || tgname from pg_trigger
    where not tgisinternal and tgname not like 'truncate_trigger_%' order by 1`
  return { counts, rules: rules.map(({ rule }) => rule) }
}

test('a filled install is spread with every row, key and trigger, and its ledger is consistent', async () => {
  const db = openFor(await emptyDatabase())
  await migrateSchema(db)
  await prepareQueues(db, queues)
  await ledgerHistory(db)
  const before = await contentsOf(db)
  assert.ok(before.counts.get('commission_entries')! > 10)
  assert.equal(await isSpread(db), false)

  await transaction(db, (tx) => spreadTables(tx))
  assert.equal(await isSpread(db), true)
  const { counts, rules } = await contentsOf(db)
  assert.deepEqual(counts, before.counts)
  assert.deepEqual(
    before.rules.filter((rule) => !rules.includes(rule)).map((rule) => rule.split(': ')[1]),
    // of the release before, which no cluster serves
    [...Object.keys(lettingGo), 'event_relays_name_account'].sort(),
  )
  const left = await db.value<number>`
    select sum(pg_relation_size(logicalrelid)) from pg_dist_partition where partmethod = 'h'`
  assert.equal(left, 0, 'no copy of the rows stays on the first machine')
  assert.deepEqual(await planSpread(db), { everywhere: [], distributed: [] })
  assert.deepEqual(await missingTriggers(db), [])
  assert.deepEqual(await verifyLedger(db), [])
})

test('triggers that are off on shards are named with their machine', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  const command = 'alter table %s disable trigger user'
  await db.run`select run_command_on_placements('payouts', ${command})`
  const missing = await missingTriggers(db)
  const { count } = await db.one<{ count: number }>`
    select count(*) from pg_trigger
    where tgrelid = 'payouts'::regclass and not tgisinternal and tgname not like 'truncate%'`
  assert.equal(missing.length, count * 2, 'of each trigger on two machines')
  for (const one of missing) assert.match(one, /^\w+ on payouts, on 127\.0\.0\.1:\d+$/)
})

test('the triggers hold on every worker: booked amounts are not changed, and reversals stay within what was earned', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  for (let account = 0; account < 4; account++) {
    const {
      refundedSale,
      approvedPayout,
      account: { id },
    } = await ledgerHistory(db)
    await assert.rejects(db.run`update commission_entries set amount = 1 where account_id = ${id}`, /append-only/)
    await assert.rejects(db.run`delete from events where account_id = ${id}`, /append-only/)
    await assert.rejects(
      db.run`update payouts set amount = amount + 1 where account_id = ${id} and id = ${approvedPayout}`,
      /entries sum to/,
    )
    // checked at the commit
    await assert.rejects(
      transaction(
        db,
        (tx) => tx.run`update payouts set amount = amount + 1 where account_id = ${id} and id = ${approvedPayout}`,
      ),
      { code: '23514', message: /entries sum to/ },
    )
    await assert.rejects(
      db.run`
        insert into commission_entries select (jsonb_populate_record(e, jsonb_build_object('id', ${newId()}::uuid))).*
        from commission_entries e
        where account_id = ${id} and sale_id = ${refundedSale} and kind = 'reversal' and layer = 0`,
      /would leave|duplicate/,
    )
  }
})

test('the serving role makes the months of a cluster and drops old ones', async () => {
  const db = await freshDatabase()
  const monthsOf = async (of: string) =>
    (await db.many<{ name: string }>`select name from months where whole = ${of} order by name`).map(({ name }) => name)
  const before = await monthsOf('clicks')
  const later = { ...db, now: new Date(Date.now() + 62 * 86_400_000) }
  await renewMonths(later, 'clicks', null)
  const after = await monthsOf('clicks')
  assert.ok(after.length >= before.length + 2, `${before} then ${after}`)
  await renewMonths(later, 'clicks', new Date(Date.now() + 40 * 86_400_000))
  assert.ok((await monthsOf('clicks')).length < after.length)
})

test('a spread install takes a migration that adds a table, a column, an index and a trigger', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'tributary-migrations-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const url = new URL('../../server/platform/database/migrations/', import.meta.url)
  const { cp } = await import('node:fs/promises')
  await cp(url, folder, { recursive: true })
  await writeFile(
    join(folder, '9000-planted.sql'),
    `create table planted (id uuid, account_id uuid references accounts, partner_id uuid not null, primary key (id, account_id));
select place_with_account('planted');
alter table planted add foreign key (account_id, partner_id) references partners (account_id, id);
create trigger append_only before delete or update on planted for each row execute function refuse_change();
alter table partners add column planted text;
alter table users add column planted text;
create table planted_later (id uuid, account_id uuid, primary key (id, account_id));
`,
  )
  await writeFile(
    join(folder, '9001-planted.sql'),
    `-- outside a transaction
create index concurrently if not exists planted_index on partners (account_id, planted);

-- in batches
update partners set planted = 'x' where planted is null;
`,
  )
  const { account, partnerIds } = await ledgerHistory(db)
  await migrateSchema(db, { folder: pathToFileURL(`${folder}/`) })
  assert.deepEqual(await planSpread(db), { everywhere: [], distributed: [] })
  await db.run`insert into planted (id, account_id, partner_id) values (${newId()}, ${account.id}, ${partnerIds[0]})`
  await assert.rejects(db.run`delete from planted where account_id = ${account.id}`, /append-only/)
  await assert.rejects(
    db.run`insert into planted (id, account_id, partner_id) values (${newId()}, ${account.id}, ${newId()})`,
    /foreign key/,
  )
})

test('a backup taken while sales are booked is restored, and spread again', async () => {
  const db = await freshDatabase()
  const ledger = await aLedger(ledgerServices(db), { partners: [{}], leads: [{ partner: 0 }] })
  const book = () => recordSale(db, aSale(ledger, { amount: 10_00 }))
  await book()
  let isOver = false
  const booking = (async () => {
    while (!isOver) await book()
  })()
  const file = join(await aBackupFolder(), 'one.zip')
  const { tables } = await backUp(asDatabaseOwner(db), file, ledgerTables)
  isOver = true
  await booking
  assert.ok(tables.sales!.rows > 0)

  const copy = await restoreFile(file)
  await transaction(copy, (tx) => spreadTables(tx))
  assert.deepEqual(await verifyLedger(copy), [])
  assert.deepEqual((await backUp(copy, `${file}.again`, ledgerTables)).tables, tables)
})

test('what is in the way of spreading is said with what to do', async () => {
  const db = openFor(await emptyDatabase())
  await migrateSchema(db)
  assert.deepEqual(await findObstacles(db), [])
  await db.run`update pg_dist_node set shouldhaveshards = false`
  assert.match((await findObstacles(db)).join('\n'), /^No machine holds shards: add one with .*citus_add_node/)
})
