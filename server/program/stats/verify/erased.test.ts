import '../../../tables.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listEmptied, listTables } from '../../../platform/database/declare-tables.ts'
import { listOfErased } from './erased.ts'

/** Tables in which a person is found by text alone, until their erasure is done. */
const BY_TEXT = {
  lead: [
    'bulk_actions',
    'idempotency_keys',
    'import_objects',
    'import_payments',
    'import_rows',
    'incoming_deliveries',
    'incoming_webhooks',
  ],
  partner: ['bulk_actions', 'import_rows', 'imports', 'incoming_deliveries'],
}
const OF_COPIES = ['mails', 'outgoing_deliveries', 'provider_events']

test('each table with a personal column is checked, unless it is found by text', () => {
  for (const person of ['lead', 'partner'] as const) {
    const personal = [...listTables().keys()].filter((table) => listEmptied(table, person).length > 0)
    const known = [
      ...listOfErased(person).map(([table]) => table),
      'events',
      'passing_events',
      ...BY_TEXT[person],
      ...OF_COPIES,
    ]
    if (person === 'lead') known.push('provider_objects')
    assert.deepEqual(known.sort(), personal.sort())
  }
})
