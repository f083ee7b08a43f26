import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../support/postgres.ts'
import { complaintsAbout, findUnneeded } from './exceptions.ts'
import { largeTables, planStatements, unusedIndexes } from './planned.ts'
import {
  findScans,
  IN_TRANSACTION,
  inLargeAccount,
  listIndexes,
  type Node,
  type Value,
  writtenIn,
} from './statement.ts'

const small = '0198c5a2-6b1e-7c3d-9f00-000000000001'
const other = '0198c5a2-6b1e-7c3d-9f00-000000000002'
const large = { account_id: '0198c5a2-6b1e-7c3d-9f00-00000000000a', partner_id: '0198c5a2-6b1e-7c3d-9f00-00000000000b' }

const noon = '2026-08-27T12:00:00.000Z'
const toValues = (text: string, values: Value[], now = noon) =>
  inLargeAccount(text, { at: noon, values }, large, new Date(now))

test('a statement is rewritten to the large account, wherever it names its own', () => {
  const text =
    'select * from leads t where t.account_id = $1 and t.partner_id = any($2::uuid[]) and t.id = $3 and x like $4'
  assert.deepEqual(toValues(text, [small, `{"${other}"}`, other, `${small} %ada%`]), [
    large.account_id,
    `{"${large.partner_id}"}`,
    // the same id always gets the same replacement
    large.partner_id,
    `${large.account_id} %ada%`,
  ])
  assert.deepEqual(toValues('select $1, $2', [small, null]), [small, null])
  assert.deepEqual(toValues('select $1', [{ bytes: '00ff' }]), [Buffer.from([0, 255])])
})

test('a time a day ago by the test’s clock becomes a day ago now', () => {
  const later = '2027-01-01T00:00:00.000Z'
  const times = ['2026-08-26T12:00:00.000Z', '2026-08-26 12:00:00.123+00', '{2026-08-27,2026-08-26}', 'inv-2026-08']
  assert.deepEqual(toValues('select $1, $2, $3, $4', times, later), [
    ...['2026-12-31T00:00:00.000Z', '2026-12-31T00:00:00.123Z', '{2026-12-31,2026-12-30}', 'inv-2026-08'],
  ])
})

const plan: Node = {
  'Node Type': 'Nested Loop',
  Plans: [
    { 'Node Type': 'Index Scan', 'Relation Name': 'leads', 'Index Name': 'leads_by_name' },
    {
      'Node Type': 'Materialize',
      Plans: [
        { 'Node Type': 'Seq Scan', 'Relation Name': 'sales' },
        { 'Node Type': 'Seq Scan', 'Relation Name': 'accounts' },
      ],
    },
  ],
}

test('a sequential scan in a plan is found at any depth, small tables excepted', () => {
  const tables = new Map([['leads', 'leads']])
  assert.deepEqual(findScans(plan, tables), [])
  assert.deepEqual(findScans(plan, tables.set('sales', 'sales')), ['sales'])
  assert.deepEqual(findScans(plan, tables.set('sales', 'all_sales')), ['all_sales'])
  assert.deepEqual(listIndexes(plan), ['leads_by_name'])
  const page = (rows: number) => ({ 'Node Type': 'Limit', 'Plan Rows': rows, Plans: [plan] })
  assert.deepEqual(findScans(page(51), tables), ['all_sales'])
  assert.deepEqual(findScans(page(10_001), tables), [])
})

test('a statement belongs to the product if its trace says so, and to a test if only a test sends it', () => {
  const trace = (...files: string[]) =>
    `Error\n${files.map((file) => `    at x (file:///here/${file}:12:3)`).join('\n')}`
  const pool = 'server/platform/database/pool.ts'
  const written = (...files: string[]) => writtenIn(trace('test/plans/collect.ts', pool, ...files), '/here/')
  assert.equal(written('server/program/leads/queries.ts', 'test/support/app.ts'), 'server/program/leads/queries.ts')
  assert.equal(written('server/program/leads/leads.test.ts'), undefined)
  assert.equal(written('test/support/ledger.ts'), undefined)
  assert.equal(written('server/platform/database/apply-migration.ts'), undefined)
  assert.equal(written('node_modules/pg/lib/client.js'), IN_TRANSACTION)
})

test('an exception covers only its statement and tables, and an unused one is reported', () => {
  const scan = { table: 'payouts', way: '', from: IN_TRANSACTION, text: 'update payouts\n  set looks_refused = 1' }
  const complaints = (of: object) =>
    complaintsAbout({ plans: 1, scans: [{ ...scan, ...of }], indexes: new Set(), unplanned: new Map() }).length
  assert.equal(complaints({}), 0)
  assert.equal(complaints({ table: 'sales' }), 1)
  assert.equal(complaints({ text: 'update payouts set status = 1' }), 1)
  const all = findUnneeded([])
  assert.equal(all.length - findUnneeded([scan]).length, 1)
})

test('a statement that scans a large table is reported until an index serves it', async () => {
  const db = asDatabaseOwner(await freshDatabase())
  await db.run`
    insert into mails (id, name, kind, email, state, reason, created_at)
    select uuidv7(), n, 'partner-news', n || '@mail.example', 'failed', n, ${db.now} from generate_series(1, 12000) n`
  await db.run`analyze mails`
  const complaints = async (text: string, isNamed = true) => {
    const samples = [{ at: noon, values: ['4711'] }]
    const tables = await largeTables(db)
    const found = await planStatements(db.pool, [{ text, from: 'server/planted.ts', isNamed, samples }], {}, tables)
    const unused = await unusedIndexes(db, found, tables)
    return { said: complaintsAbout(found), isUnused: unused.includes('mails_by_reason') }
  }
  const planted = 'select id from mails where reason = $1'
  assert.deepEqual((await complaints(planted)).said, [
    `server/planted.ts reads mails for the large account, mails for any whole:\n${planted}`,
  ])
  await db.run`create index mails_by_reason on mails (reason)`
  await db.run`analyze mails`
  assert.deepEqual(await complaints(planted), { said: [], isUnused: false })
  assert.deepEqual(await complaints('select id from mails where name = $1'), { said: [], isUnused: true })
  const [said = ''] = (await complaints('select id from mails where reasons = $1', false)).said
  assert.match(said, /^Cannot be planned \(column "reasons" does not exist\)/)
})
