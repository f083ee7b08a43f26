import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines, harmless, unguarded } from './csv.ts'
import { recordsOf } from './read-csv.ts'

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
  for (const formula of formulas) assert.equal(harmless(formula), `'${formula}`, JSON.stringify(formula))
  for (const text of ['', "'twas", "'", 'a=1', "O'Hara", '1', ' x', '0-1', '(=1)']) assert.equal(harmless(text), text)
})

test('formulas, and texts with their own apostrophe, have distinct cells', () => {
  const texts = ['=1', "'=1", "''=1", "'\t", "' -2", "'twas", "''", '']
  const cells = texts.map(harmless)
  assert.deepEqual(cells, ["'=1", "''=1", "'''=1", "''\t", "'' -2", "'twas", "''", ''])
  assert.deepEqual(cells.map(unguarded), texts)
})

test('rows of a small file are numbered as in it, without its blank ones', () => {
  const { columns, rows } = recordsOf('\n\na;b\n1;2\n\n;\n3;4\n;\n', { field: 'csv', most: 5 })
  assert.deepEqual(columns, ['a', 'b'])
  assert.deepEqual(rows, [
    { row: 2, cells: ['1', '2'] },
    { row: 5, cells: ['3', '4'] },
  ])
  assert.throws(() => recordsOf('a;b\n;\n\n', { field: 'csv', most: 5 }), { code: 'validation_failed' })
})
