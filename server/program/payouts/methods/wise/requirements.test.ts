import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../../../../../test/fakes/wise-rules.ts'
import { fieldSetsOf, NoForm, wrongValues } from './requirements.ts'

type Given = Parameters<typeof field>[2] & Record<string, unknown>
const asked = (key: string, name: string, { min, max, pattern, values, refresh, ...more }: Given = {}) => {
  const made = field(key, name, {
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
const only = (...fields: ReturnType<typeof field>[]) => fieldSetsOf(of(fields))[0]!
const refuses = (answer: unknown) => assert.throws(() => fieldSetsOf(answer), NoForm)
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, `Value ${at}`]))

test('texts, selects, radios and dates become our fields', () => {
  const set = only(
    asked('legalType', 'Recipient type', { values: { PRIVATE: 'Person' }, refresh: true }),
    asked('accountType', 'Account type', { values: { CHECKING: 'Checking' }, type: 'radio' }),
    asked('accountNumber', 'Account number', { min: 4, max: 20, pattern: '^\\d+$', example: '12345' }),
    asked('dateOfBirth', 'Date of birth', { type: 'date', required: false }),
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
    asked('bankCode', '<b onclick="x()">Bank</b>\u202E\n name', { values: { '': 'Choose', a: `${'é'.repeat(150)}` } }),
    asked('city', ''),
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
    refuses(of([asked(key, 'Strange')]))
  refuses(of([asked('a', 'A')], 'a b'))
  refuses(of([asked('a', 'A')], 7))
  refuses(of([asked('file', 'Passport', { type: 'file' })]))
  refuses(of([asked('a', 'A'), asked('a', 'Again')]))
  refuses(of([asked('address', 'A'), asked('address.city', 'Both a value and an object')]))
  refuses(of([asked('bank', 'Bank', { values: many(301) })]))
  refuses(of([asked('bank', 'Bank', { values: many(10_000) })]))
  refuses(of([asked('bank', 'Bank', { values: {} })]))
  refuses(of([asked('bank', 'Bank', { values: { ['v'.repeat(201)]: 'Long' } })]))
  refuses(of([asked('a', 'A', { pattern: 'a'.repeat(2001) })]))
  refuses(of(Array.from({ length: 41 }, (_, at) => asked(`a${at}`, 'A'))))
  refuses([{ fields: [{ name: 'x', group: Array.from({ length: 41 }, () => ({})) }], type: 'x' }])
  refuses([...of([asked('a', 'A')]), ...of([asked('b', 'B')])])

  assert.equal(only(asked('bank', 'Bank', { values: many(300) })).fields[0]!.options.length, 300)
  assert.equal(only(...Array.from({ length: 40 }, (_, at) => asked(`a${at}`, 'A'))).fields.length, 40)
  // its options come with the bank
  assert.equal(
    only(asked('bank', 'Bank', { refresh: true }), asked('branch', 'Branch', { values: {} })).fields.length,
    2,
  )
})

test('a type that we cannot show is left out, and the one for which Wise asks the recipient itself', () => {
  const sets = fieldSetsOf([
    ...of([asked('email', 'E-mail')], 'email'),
    ...of([asked('__proto__', 'Strange')], 'swift_code'),
    ...of([asked('clabe', 'Clabe')], 'mexican'),
  ])
  assert.deepEqual(
    sets.map(({ type }) => type),
    ['mexican'],
  )
  refuses(of([asked('email', 'E-mail')], 'email'))
})

test('values are held against all that Wise says of a field', () => {
  const { fields } = only(
    asked('clabe', 'Clabe', { min: 4, max: 6, pattern: '^\\d+$' }),
    asked('bank', 'Bank', { values: { a: 'A' } }),
    asked('born', 'Born', { type: 'date', required: false }),
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
    ...Array.from({ length: 30 }, (_, at) => asked(`a${at}`, 'A', { pattern: '^(\\w+\\s?)*$' })),
    asked('b', 'B', { pattern: '(' }),
  )
  const before = performance.now()
  assert.deepEqual(
    wrongValues(fields, () => `${'a'.repeat(60)}!`),
    {},
  )
  assert.ok(performance.now() - before < 500)
  assert.deepEqual(
    Object.keys(
      wrongValues(only(asked('b', 'B', { pattern: '(' }), asked('c', 'C', { pattern: '^1$' })).fields, () => 'x'),
    ),
    ['c'],
  )
})
