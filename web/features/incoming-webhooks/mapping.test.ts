import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filterMistakes,
  filtersOf,
  type MappingRow,
  mappingMistakes,
  mappingRows,
  matchOf,
  pathOf,
  placedAtRows,
  placedByField,
  sentOf,
  withLaterGuesses,
} from './mapping.ts'

const guesses = [
  { field: 'email', path: 'mail', transform: 'lowercase' as const },
  { field: 'referralCode', path: 'ref', transform: 'lowercase' as const },
]
const capturing = { target: 'lead' as const, mapping: [], partnerMatch: null, guesses }
const row = (field: string, fields: Partial<MappingRow> = {}): MappingRow => ({
  ...{ field, path: '', transform: 'none', default: '', values: null },
  ...fields,
})

test('a webhook without a mapping starts with guesses; one with a mapping keeps its own', () => {
  const rows = mappingRows(capturing)
  assert.deepEqual(
    rows.map(({ field, path }) => [field, path]),
    [
      ['firstName', ''],
      ['lastName', ''],
      ['fullName', ''],
      ['email', 'mail'],
      ['phone', ''],
      ['company', ''],
      ['externalId', ''],
    ],
  )
  assert.deepEqual(matchOf(capturing), { by: 'referralCode', path: 'ref' })
  assert.deepEqual(matchOf({ ...capturing, target: 'refund' }), { by: null, path: '' })
  const mapping = [{ field: 'clickId', path: 'click', transform: 'none' as const, default: 'c-1', values: null }]
  const mapped = { ...capturing, mapping }
  assert.deepEqual(sentOf({ mapping: mappingRows(mapped), partnerMatch: matchOf(mapped) }), {
    mapping,
    partnerMatch: null,
  })
})

test('guesses from a later sample fill only untouched fields', () => {
  const valuesOf = (hook: Parameters<typeof mappingRows>[0]) => ({
    mapping: mappingRows(hook),
    partnerMatch: matchOf(hook),
  })
  const [before, guessed] = [valuesOf({ ...capturing, guesses: [] }), valuesOf(capturing)]
  assert.deepEqual(withLaterGuesses(before, before, guessed), guessed)
  const typed = (field: string, change: Partial<MappingRow>) => ({
    ...before,
    mapping: before.mapping.map((row) => (row.field === field ? { ...row, ...change } : row)),
  })
  const other = withLaterGuesses(typed('company', { path: 'org' }), before, guessed)
  assert.deepEqual(
    other.mapping.filter(({ path }) => path).map(({ field, path }) => [field, path]),
    [
      ['email', 'mail'],
      ['company', 'org'],
    ],
  )
  assert.deepEqual(other.partnerMatch, { by: 'referralCode', path: 'ref' })
  const same = { ...typed('email', { transform: 'trim' }), partnerMatch: { by: 'email', path: '' } as const }
  assert.deepEqual(withLaterGuesses(same, before, guessed), same)
})

test('empty rows are not sent; a constant needs its text, and a partner its path', () => {
  const mapping = [row('email'), row('company', { path: 'org', transform: 'constant' })]
  const values = { mapping, partnerMatch: { by: 'email', path: ' ' } } as const
  assert.deepEqual(sentOf(values), { mapping: [], partnerMatch: null })
  const fixed = row('company', { path: 'org', transform: 'constant', default: 'Acme' })
  assert.deepEqual(sentOf({ ...values, mapping: [fixed] }).mapping, [{ ...fixed, path: null }])
  assert.deepEqual([pathOf(fixed), pathOf({ ...fixed, transform: 'trim' })], ['', 'org'])
  assert.deepEqual(mappingMistakes(values), {
    'mapping.1.default': 'Company Value is required',
    'partnerMatch.path': 'Partner Path is required',
  })
})

test('a server refusal appears on its row', () => {
  const rows = [
    row('firstName'),
    row('email', { path: 'a..b' }),
    row('company', { transform: 'constant', default: 'x' }),
  ]
  const filters = [
    { path: '', equals: ' ' },
    { path: 'event', equals: '' },
  ]
  const refused = { 'mapping.0.path': 'No', 'mapping.1.path': 'Nor', 'filters.0.path': 'Never', name: 'Long' }
  assert.deepEqual(placedAtRows(refused, { mapping: rows, filters }), {
    'mapping.1.path': 'No',
    'mapping.2.path': 'Nor',
    'filters.1.path': 'Never',
    name: 'Long',
  })
  assert.deepEqual(filtersOf(filters), [{ path: 'event', equals: '' }])
  assert.deepEqual(filterMistakes([...filters, { path: ' ', equals: 'x' }]), {
    'filters.2.path': 'Filter Path is required',
  })
  assert.deepEqual(placedByField({ email: 'No', company: 'Long', referralCode: 'Unknown', metadata: 'Many' }, rows), {
    'mapping.1.path': 'No',
    'mapping.2.default': 'Long',
    'partnerMatch.path': 'Unknown',
    metadata: 'Many',
  })
})
