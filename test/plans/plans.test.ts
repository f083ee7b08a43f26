import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowed, unneeded } from './exceptions.ts'
import { IN_TRANSACTION, indexesOf, inLargeAccount, type Node, scansOf, writtenIn } from './statement.ts'

const small = '0198c5a2-6b1e-7c3d-9f00-000000000001'
const other = '0198c5a2-6b1e-7c3d-9f00-000000000002'
const large = { account_id: '0198c5a2-6b1e-7c3d-9f00-00000000000a', partner_id: '0198c5a2-6b1e-7c3d-9f00-00000000000b' }

test('a statement is asked of the large account, wherever it names its own', () => {
  const text =
    'select * from leads t where t.account_id = $1 and t.partner_id = any($2::uuid[]) and t.id = $3 and x like $4'
  assert.deepEqual(inLargeAccount(text, [small, `{"${other}"}`, other, `${small} %ada%`], large), [
    large.account_id,
    `{"${large.partner_id}"}`,
    // the same id stands for the same thing
    large.partner_id,
    `${large.account_id} %ada%`,
  ])
  assert.deepEqual(inLargeAccount('select $1, $2', [small, null], large), [small, null])
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

test('what a plan reads whole is found at any depth, small tables left out', () => {
  assert.deepEqual(scansOf(plan, new Set(['sales', 'leads'])), ['sales'])
  assert.deepEqual(indexesOf(plan), ['leads_by_name'])
})

test('a statement is the product’s where its trace says so, and a test’s where only a test sends it', () => {
  const trace = (...files: string[]) =>
    `Error\n${files.map((file) => `    at x (file:///here/${file}:12:3)`).join('\n')}`
  const pool = 'server/platform/database/pool.ts'
  const written = (...files: string[]) => writtenIn(trace('test/plans/collect.ts', pool, ...files), '/here/')
  assert.equal(written('server/program/leads/queries.ts', 'test/support/app.ts'), 'server/program/leads/queries.ts')
  assert.equal(written('server/program/leads/leads.test.ts'), undefined)
  assert.equal(written('test/support/ledger.ts'), undefined)
  assert.equal(written('node_modules/pg/lib/client.js'), IN_TRANSACTION)
})

test('an exception is for its statement and its tables alone, and one that nothing needs is told', () => {
  const scan = { table: 'payouts', way: '', from: IN_TRANSACTION, text: 'update payouts\n  set looks_refused = 1' }
  assert.ok(isAllowed(scan))
  assert.ok(!isAllowed({ ...scan, table: 'sales' }))
  assert.ok(!isAllowed({ ...scan, text: 'update payouts set status = 1' }))
  const all = unneeded([])
  assert.equal(all.length - unneeded([scan]).length, 1)
})
