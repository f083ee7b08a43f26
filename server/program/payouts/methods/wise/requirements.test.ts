import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildField } from '../../../../../test/fakes/wise-rules.ts'
import { NoForm, toFieldSets, wrongValues } from './requirements.ts'

type Given = Parameters<typeof buildField>[2] & Record<string, unknown>
const askedField = (key: string, name: string, { min, max, pattern, values, refresh, ...more }: Given = {}) => {
  const made = buildField(key, name, {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
    ...(values !== undefined && { values }),
    ...(refresh !== undefined && { refresh }),
  })
  Object.assign(made.group[0]!, more)
  return made
}
const of = (fields: unknown, type: unknown = 'brazil') => [{ type, title: 'Local bank account', fields }]
const only = (...fields: ReturnType<typeof buildField>[]) => toFieldSets(of(fields))[0]!
const refuses = (answer: unknown) => assert.throws(() => toFieldSets(answer), NoForm)
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, `Value ${at}`]))

test('texts, selects, radios and dates become our fields', () => {
  const set = only(
    askedField('legalType', 'Recipient type', { values: { PRIVATE: 'Person' }, refresh: true }),
    askedField('accountType', 'Account type', { values: { CHECKING: 'Checking' }, type: 'radio' }),
    askedField('accountNumber', 'Account number', { min: 4, max: 20, pattern: '^\\d+$', example: '12345' }),
    askedField('dateOfBirth', 'Date of birth', { type: 'date', required: false }),
  )
  const base = {
    required: true,
    minLength: null,
    maxLength: null,
    example: null,
    options: [],
    refresh: false,
    pattern: null,
  }
  assert.deepEqual(set, {
    type: 'brazil',
    title: 'Local bank account',
    fields: [
      {
        ...base,
        ...{ key: 'legalType', label: 'Recipient type', input: 'select', refresh: true },
        options: [{ value: 'PRIVATE', label: 'Person' }],
      },
      {
        ...base,
        ...{ key: 'accountType', label: 'Account type', input: 'select' },
        options: [{ value: 'CHECKING', label: 'Checking' }],
      },
      {
        ...base,
        ...{ key: 'accountNumber', label: 'Account number', input: 'text' },
        ...{ minLength: 4, maxLength: 20, example: '12345', pattern: '^\\d+$' },
      },
      { ...base, key: 'dateOfBirth', label: 'Date of birth', input: 'date', required: false },
    ],
  })
})

test('words are one line of plain text, at most a hundred characters; an option without a value is none', () => {
  const set = only(
    askedField('bankCode', '<b onclick="x()">Bank</b>\u202E\n name', {
      values: { '': 'Choose', a: `${'é'.repeat(150)}` },
    }),
    askedField('city', ''),
  )
  assert.deepEqual(
    set.fields.map(({ label }) => label),
    ['<b onclick="x()">Bank</b> name', 'city'],
  )
  assert.deepEqual(set.fields[0]!.options, [{ value: 'a', label: 'é'.repeat(100) }])
})

test('what is no form of ours is none', () => {
  for (const answer of [null, {}, 'text', [], [null], of(null), of([]), of([null]), of([{ name: 'x', group: null }])])
    refuses(answer)
  for (const key of [
    '__proto__',
    '__proto__.city',
    'a.__proto__',
    '',
    'a..b',
    'a b',
    '1a',
    'x'.repeat(101),
    'a.b.c.d.e.f',
  ])
    refuses(of([askedField(key, 'Strange')]))
  refuses(of([askedField('a', 'A')], 'a b'))
  refuses(of([askedField('a', 'A')], 7))
  refuses(of([askedField('file', 'Passport', { type: 'file' })]))
  refuses(of([askedField('a', 'A'), askedField('a', 'Again')]))
  refuses(of([askedField('address', 'A'), askedField('address.city', 'Both a value and an object')]))
  refuses(of([askedField('bank', 'Bank', { values: many(301) })]))
  refuses(of([askedField('bank', 'Bank', { values: many(10_000) })]))
  refuses(of([askedField('bank', 'Bank', { values: {} })]))
  refuses(of([askedField('bank', 'Bank', { values: { ['v'.repeat(201)]: 'Long' } })]))
  refuses(of([askedField('a', 'A', { pattern: 'a'.repeat(2001) })]))
  refuses(of(Array.from({ length: 41 }, (_, at) => askedField(`a${at}`, 'A'))))
  refuses([{ fields: [{ name: 'x', group: Array.from({ length: 41 }, () => ({})) }], type: 'x' }])
  refuses([...of([askedField('a', 'A')]), ...of([askedField('b', 'B')])])

  assert.equal(only(askedField('bank', 'Bank', { values: many(300) })).fields[0]!.options.length, 300)
  assert.equal(only(...Array.from({ length: 40 }, (_, at) => askedField(`a${at}`, 'A'))).fields.length, 40)
  // its options come with the bank
  assert.equal(
    only(askedField('bank', 'Bank', { refresh: true }), askedField('branch', 'Branch', { values: {} })).fields.length,
    2,
  )
})

test('a type that we cannot show is left out, and the one for which Wise asks the recipient itself', () => {
  const sets = toFieldSets([
    ...of([askedField('email', 'E-mail')], 'email'),
    ...of([askedField('__proto__', 'Strange')], 'swift_code'),
    ...of([askedField('clabe', 'Clabe')], 'mexican'),
  ])
  assert.deepEqual(
    sets.map(({ type }) => type),
    ['mexican'],
  )
  refuses(of([askedField('email', 'E-mail')], 'email'))
})

test('values are held against all that Wise says of a field', () => {
  const { fields } = only(
    askedField('clabe', 'Clabe', { min: 4, max: 6, pattern: '^\\d+$' }),
    askedField('bank', 'Bank', { values: { a: 'A' } }),
    askedField('born', 'Born', { type: 'date', required: false }),
  )
  const missing = (name: string) => ({ wrong: 'wise_field_missing', values: { name } })
  const refused = (name: string) => ({ wrong: 'wise_field_refused', values: { name } })
  const check = (values: Record<string, string>) => wrongValues(fields, (key) => values[key])
  assert.deepEqual(check({}), { clabe: missing('Clabe'), bank: missing('Bank') })
  assert.deepEqual(check({ clabe: '1234', bank: 'a', born: '2000-02-29' }), {})
  for (const clabe of ['123', '1234567', '12a4'])
    assert.deepEqual(check({ clabe, bank: 'a' }), { clabe: refused('Clabe') })
  assert.deepEqual(check({ clabe: '1234', bank: 'A' }), { bank: refused('Bank') })
  for (const born of ['2001-02-29', '29.02.2000', '2000-2-9'])
    assert.deepEqual(check({ clabe: '1234', bank: 'a', born }), { born: refused('Born') })
})

test('patterns that never end are stopped together within moments; an invalid one counts as met', () => {
  const { fields } = only(
    ...Array.from({ length: 30 }, (_, at) => askedField(`a${at}`, 'A', { pattern: '^(\\w+\\s?)*$' })),
    askedField('b', 'B', { pattern: '(' }),
  )
  const before = performance.now()
  assert.deepEqual(
    wrongValues(fields, () => `${'a'.repeat(60)}!`),
    {},
  )
  assert.ok(performance.now() - before < 500)
  assert.deepEqual(
    Object.keys(
      wrongValues(
        only(askedField('b', 'B', { pattern: '(' }), askedField('c', 'C', { pattern: '^1$' })).fields,
        () => 'x',
      ),
    ),
    ['c'],
  )
})
