import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Refusal } from '../refusal.ts'
import { parseHead } from './read-csv.ts'

test('a bank’s report is no table, and the refusal says where it belongs', async () => {
  const folder = new URL('../../../test/fixtures/banks/', import.meta.url)
  for (const name of ['camt053-one-transfer.xml', 'camt052-booked.xml', 'pain002-rejected.xml', 'mt940-german.sta']) {
    const text = await readFile(new URL(name, folder), 'utf8')
    assert.throws(
      () => parseHead(text),
      (error) => error instanceof Refusal && error.reason === 'import_bank_report',
      name,
    )
  }
  assert.equal(parseHead('Name,Note\nAnn,":25: BkToCstmrStmt"').columns.length, 2)
})
