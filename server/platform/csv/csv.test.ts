import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONGEST_HOLD_MS, longestHold } from '../../../test/support/hold.ts'
import { csvLines, guardFormula, removeGuard } from './csv.ts'
import { parseRecords } from './read-csv.ts'

test('every field is quoted, quotes are doubled, and lines end as spreadsheets expect', () => {
  const lines = csvLines([
    [{ text: 'a "b", c\nd' }, { text: null }, { plain: -5 }, { plain: null }, { plain: true }],
    [{ text: '' }, { text: '😀' }, { plain: '-12.50' }, { plain: '2026-01-31' }, { plain: false }],
  ])
  assert.equal(lines, '"a ""b"", c\nd","","-5","","true"\r\n"","😀","-12.50","2026-01-31","false"\r\n')
})

test('no text is a formula to a spreadsheet, whatever precedes it', () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\u0001=1',
    '\n=1',
    '\t',
    '\r',
    '\nx',
    '\0',
  ]
  for (const formula of formulas) assert.equal(guardFormula(formula), `'${formula}`, JSON.stringify(formula))
  for (const text of ['', "'twas", "'", 'a=1', "O'Hara", '1', ' x', '0-1', '(=1)'])
    assert.equal(guardFormula(text), text)
})

test('formulas, and texts with their own apostrophe, have distinct cells', () => {
  const texts = ['=1', "'=1", "''=1", "'\t", "' -2", "'twas", "''", '']
  const cells = texts.map(guardFormula)
  assert.deepEqual(cells, ["'=1", "''=1", "'''=1", "''\t", "'' -2", "'twas", "''", ''])
  assert.deepEqual(cells.map(removeGuard), texts)
})

test('rows of a small file are numbered as in it, without its blank ones', async () => {
  const { columns, rows } = await parseRecords('\n\na;b\n1;2\n\n;\n3;4\n;\n', { field: 'csv', most: 5 })
  assert.deepEqual(columns, ['a', 'b'])
  assert.deepEqual(rows, [
    { row: 2, cells: ['1', '2'] },
    { row: 5, cells: ['3', '4'] },
  ])
  await assert.rejects(parseRecords('a;b\n;\n\n', { field: 'csv', most: 5 }), { code: 'validation_failed' })
})

test('a small file may have so many rows and no broken one', async () => {
  const refused = async (csv: string, message: RegExp) =>
    assert.rejects(parseRecords(csv, { field: 'csv', most: 2 }), { code: 'validation_failed', message })
  assert.equal((await parseRecords('a\n1\n2\n', { field: 'csv', most: 2 })).rows.length, 2)
  await refused('a\n1\n2\n3\n', /2/)
  await refused('a\n1\n"2\n', /Row 3/)
  await refused(`a\n1\n${','.repeat(300_000)}`, /Row 3/)
})

test('a long file holds nobody up, whatever is in it', async () => {
  const M = 1_000_000
  const fill = (piece: string) => piece.repeat(M / piece.length)
  const row = 'transferSent,1000000001,PO-1,Nora Whitfield,120.00,EUR,100.00,USD,2026-01-31\n'
  const pieces = ['a', ',', '"', '\n', 'a,', '"a",', 'a\n', '","', '""', ';,', '\r', 'é,', row, `${'a,'.repeat(299)}\n`]
  const files = pieces.flatMap((piece) => [fill(piece), `a,b\n${fill(piece)}`, `a,b\n"${fill(piece)}`])
  for (const file of files) {
    const held = await longestHold(() =>
      parseRecords(file, { field: 'csv', most: 5000 }).catch(({ code }) => assert.equal(code, 'validation_failed')),
    )
    assert.ok(held < LONGEST_HOLD_MS, `${file.slice(0, 40)} held for ${held} ms`)
  }
})
