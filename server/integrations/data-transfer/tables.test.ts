import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import '../../tables.ts'
import { listEmptied } from '../../platform/database/declare-tables.ts'
import { mistakeIn } from '../../platform/database/shapes.ts'
import { readTables } from './rows.ts'

const db = await freshDatabase()
const tables = await readTables(db)

test('what a table says of its columns is about columns that it has', () => {
  const gone = tables.flatMap(
    ({ name, types, first = [], stays = {}, arrives, names, after = [], together = [], shapes }) =>
      [first, Object.values(stays), Object.keys({ ...arrives?.(db.now), ...names, ...shapes }), after, together]
        .flat(2)
        .filter((column) => !types.has(column))
        .map((column) => `${name}.${column}`),
  )
  assert.deepEqual(gone, [])
})

test('nothing encrypted or hashed is exported, and no binary values except pictures and those that detect repeats', () => {
  const bytes = tables.flatMap(({ name, columns, types }) =>
    columns
      .filter((column) => types.get(column) === 'bytea' || /sealed|secret|token|hash|key_|password|last4/.test(column))
      .map((column) => `${name}.${column}`),
  )
  assert.deepEqual(bytes, ['files.bytes', 'incoming_deliveries.dedupe_key'])
})

/** Ids that refer to no row read by them. */
const NAMES_NOTHING = new Set([
  'payouts.details_version',
  'payout_attempts.customer_transaction_id',
  'payout_attempts.details_version',
  'events.actor_id',
  'passing_events.actor_id',
  // like the authors of entries, a person of the install that exported it
  'early_entries.user_id',
  // drawn by a visitor's browser
  'lead_submissions.client_id',
  'lead_submissions.joins_client_id',
])

test('no ID that an import accepts can reference another account’s row', async () => {
  const keys = await db.many<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname::text as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and exists (
      select from pg_attribute o where o.attrelid = c.conrelid and o.attnum = any(c.conkey) and o.attname = 'account_id')`
  const held = new Set(keys.map(({ table, column }) => `${table}.${column}`))
  const open = tables
    .filter(({ leftByImport }) => !leftByImport)
    .flatMap(({ name, columns, types, names = {}, scope }) => {
      const scopeSql = scope?.('').strings.join('') ?? ''
      return columns
        .filter((column) => column !== 'id' && /^uuid/.test(types.get(column)!))
        .filter((column) => !(column in names) && !scopeSql.includes(`t.${column} in `))
        .map((column) => `${name}.${column}`)
    })
    .filter((place) => !held.has(place) && !NAMES_NOTHING.has(place))
  assert.deepEqual(open, [], 'say in the feature’s tables.ts which table it names')
})

test('every text, list and JSON that an import brings has a form of its own, or is one of the database’s words', async () => {
  const words = await db.many<{ place: string }>`
    select c.conrelid::regclass || '.' || a.attname as place
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'c' and cardinality(c.conkey) = 1 and pg_get_constraintdef(c.oid) like any (array['%= ANY (ARRAY[%', '%~ ''^%$''%'])`
  const known = new Set(words.map(({ place }) => place))
  const open = tables
    .filter(({ leftByImport }) => !leftByImport)
    .flatMap(({ name, columns, types, shapes = {} }) =>
      columns
        .filter(
          (column) => ['text', 'jsonb', 'text[]', 'integer[]'].includes(types.get(column)!) && !(column in shapes),
        )
        .map((column) => `${name}.${column}`),
    )
    .filter((place) => !known.has(place))
  assert.deepEqual(open, [], 'say in the feature’s tables.ts which field of which call it is')
})

test('what an erasure leaves behind can be imported', () => {
  const left = tables.flatMap(({ name, types, shapes = {} }) =>
    (['lead', 'partner', 'user'] as const).flatMap((person) =>
      listEmptied(name, person).flatMap(([column, becomes]) => {
        const [, value] = /^'([^']*)'$/.exec(becomes) ?? []
        const wrong = value !== undefined && shapes[column] && mistakeIn(shapes[column], value, types.get(column)!)
        return wrong ? [`${name}.${column}: ${wrong}`] : []
      }),
    ),
  )
  assert.deepEqual(left, [])
})
