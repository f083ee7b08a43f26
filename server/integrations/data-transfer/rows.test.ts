import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BYTE_ORDER_MARK } from '../../platform/csv/csv.ts'
import { readLines } from './read-lines.ts'
import { csvLine, fromCell, type Value } from './rows.ts'

/** The bytes in pieces that end anywhere, also inside a character. */
async function* inPieces(bytes: Buffer, sizes: number[]) {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const awkward = fc.constantFrom(
  `'`,
  `''`,
  '"',
  '=',
  '+1',
  '-',
  '@',
  '＝',
  '\r\n',
  ',',
  '\ufeff',
  '\t',
  '👩‍👧',
  ' =',
  'é',
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(awkward, { maxLength: 4 }).map((all) => all.join('')),
)
const value = fc.option(text, { nil: null, freq: 4 })
const number = fc.option(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String), { nil: null })

test('every value of a row survives a round trip through its line, however the file is split', async () => {
  const areNumbers = [false, true, false]
  const rows = fc.array(fc.tuple(value, number, value), { minLength: 1, maxLength: 5 })
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(rows, sizes, async (given, cuts) => {
      const file = BYTE_ORDER_MARK + given.map((row) => csvLine(row, areNumbers)).join('')
      const read: Value[][] = []
      for await (const cells of readLines('a.csv', inPieces(Buffer.from(file), cuts)))
        read.push(cells.map((cell, at) => fromCell(cell, areNumbers[at]!)))
      assert.deepEqual(read, given)
    }),
    { seed: 20_261_121, numRuns: 1000 },
  )
})

test('a formula becomes text, its own apostrophe stays, a number is a number, and empty is not null', () => {
  const values = ['=1+1', "'=1+1", "'twas", '-5', '', null]
  assert.equal(csvLine(values, [false, false, false, true, false, false]), `"'=1+1","''=1+1","'twas","-5","",\r\n`)
})
