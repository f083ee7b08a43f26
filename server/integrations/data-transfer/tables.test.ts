import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { readTypes } from './rows.ts'
import { portableTables, staysWhole } from './tables.ts'

const db = await freshDatabase()
const types = await readTypes(db)

test('every table and every column travels or says why it stays', () => {
  const open = [...types].flatMap(([name, columns]) => {
    if (name in staysWhole) return []
    const table = portableTables.find((one) => one.name === name)
    if (!table) return [name]
    const told = new Set([...table.columns, ...Object.keys(table.stays), 'account_id'])
    return [...columns.keys()].filter((column) => !told.has(column)).map((column) => `${name}.${column}`)
  })
  assert.deepEqual(open, [], 'decide in tables.ts whether it leaves with an account')

  const gone = portableTables.flatMap(({ name, columns, stays, arrives, names = {}, after, together }) =>
    [
      ...columns,
      ...Object.keys({ ...stays, ...arrives?.(db.now), ...names }),
      after ?? columns[0]!,
      together ?? columns[0]!,
    ]
      .filter((column) => !types.get(name)?.has(column))
      .map((column) => `${name}.${column}`),
  )
  assert.deepEqual(gone, [])
  assert.deepEqual(
    Object.keys(staysWhole).filter((name) => !types.has(name) || portableTables.some((table) => table.name === name)),
    [],
  )
  for (const { name, columns, stays } of portableTables) {
    assert.equal(new Set([...columns, ...Object.keys(stays)]).size, columns.length + Object.keys(stays).length, name)
    assert.ok(!columns.includes('account_id'), name)
  }
})

test('nothing sealed travels, nothing hashed, and no bytes but those that tell repeats', () => {
  const bytes = portableTables.flatMap(({ name, columns }) =>
    columns
      .filter(
        (column) =>
          types.get(name)!.get(column) === 'bytea' || /sealed|secret|token|hash|key_|password|last4/.test(column),
      )
      .map((column) => `${name}.${column}`),
  )
  assert.deepEqual(bytes, ['incoming_deliveries.dedupe_key'])
})

/** Ids that refer to no row read by them. */
const NAMES_NOTHING = new Set([
  'payouts.details_version',
  'payout_attempts.customer_transaction_id',
  'payout_attempts.details_version',
  'events.actor_id',
  'passing_events.actor_id',
])

test('no id that an import takes can name a row of another account', async () => {
  const keys = await db.many<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname::text as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and exists (
      select from pg_attribute o where o.attrelid = c.conrelid and o.attnum = any(c.conkey) and o.attname = 'account_id')`
  const held = new Set(keys.map(({ table, column }) => `${table}.${column}`))
  const open = portableTables
    .filter(({ leftByImport }) => !leftByImport)
    .flatMap(({ name, columns, names = {}, scope }) => {
      const said = scope?.('').strings.join('') ?? ''
      return columns
        .filter((column) => column !== 'id' && types.get(name)!.get(column) === 'uuid')
        .filter((column) => !(column in names) && !said.includes(`t.${column} in `))
        .map((column) => `${name}.${column}`)
    })
    .filter((place) => !held.has(place) && !NAMES_NOTHING.has(place))
  assert.deepEqual(open, [], 'say in tables.ts which table it names')
})
