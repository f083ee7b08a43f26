import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addedRule,
  type MappingRow,
  placedAtRows,
  placedByField,
  type RuleValues,
  ruleMistakes,
  type ShownRule,
  toPath,
  toRules,
  toRuleValues,
  withLaterGuesses,
} from './mapping.ts'

const guesses = [
  { field: 'email', path: 'mail', transform: 'lowercase' as const },
  { field: 'company', path: 'org', transform: 'trim' as const },
  { field: 'referralCode', path: 'ref', transform: 'lowercase' as const },
]
const unmapped: ShownRule = {
  ...{ name: 'Lead', target: 'lead', each: null, when: [], mapping: [], partnerMatch: null },
}
const row = (field: string, fields: Partial<MappingRow> = {}): MappingRow => ({
  ...{ field, path: '', transform: 'none', default: '', values: [] },
  ...fields,
})
const rule = (fields: Partial<RuleValues> = {}): RuleValues => ({ ...toRuleValues(unmapped), mapping: [], ...fields })
const pathsOf = ({ mapping }: RuleValues) => mapping.map(({ field, path }) => [field, path])

test('a rule without a mapping starts with guesses; one with a mapping keeps its own', () => {
  const begun = toRuleValues(unmapped, guesses)
  assert.deepEqual(pathsOf(begun), [
    ['firstName', ''],
    ['lastName', ''],
    ['fullName', ''],
    ['email', 'mail'],
    ['phone', ''],
    ['company', 'org'],
    ['externalId', ''],
  ])
  assert.deepEqual(begun.partnerMatch, { by: 'referralCode', path: 'ref' })
  assert.deepEqual(toRuleValues({ ...unmapped, target: 'refund' }, guesses).partnerMatch, { by: null, path: '' })
  const saved: ShownRule = {
    ...unmapped,
    ...{ each: 'items', when: [{ path: 'event', op: 'is', values: ['won'] }] },
    mapping: [
      { field: 'clickId', path: 'click', transform: 'none', default: 'c-1', values: null },
      { field: 'company', path: null, transform: 'constant', default: 'Acme', values: { a: 'b' } },
    ],
  }
  assert.deepEqual(toRules([toRuleValues(saved, guesses)]), [saved])
})

test('a mapped rule is guessed the fields that depend on the owner’s own form alone', () => {
  const mapped: ShownRule = {
    ...unmapped,
    mapping: [{ field: 'externalId', path: 'id', transform: 'trim', default: null, values: null }],
  }
  const begun = toRuleValues(mapped, guesses, ['company'])
  assert.deepEqual(
    pathsOf(begun).filter(([, path]) => path),
    [
      ['externalId', 'id'],
      ['company', 'org'],
    ],
  )
  assert.equal(begun.partnerMatch.by, null)
  assert.equal(toRuleValues(mapped, guesses, ['partnerMatch']).partnerMatch.by, 'referralCode')
})

test('guesses from a later sample fill only untouched fields, of rules that are still there', () => {
  const [before, guessed] = [[toRuleValues(unmapped)], [toRuleValues(unmapped, guesses)]]
  assert.deepEqual(withLaterGuesses(before, before, guessed), guessed)
  const typed = (field: string, change: Partial<MappingRow>) => [
    { ...before[0]!, mapping: before[0]!.mapping.map((row) => (row.field === field ? { ...row, ...change } : row)) },
  ]
  const [other] = withLaterGuesses(typed('phone', { path: 'tel' }), before, guessed)
  assert.deepEqual(
    pathsOf(other!).filter(([, path]) => path),
    [
      ['email', 'mail'],
      ['phone', 'tel'],
      ['company', 'org'],
    ],
  )
  assert.deepEqual(other!.partnerMatch, { by: 'referralCode', path: 'ref' })
  const renamed = [{ ...before[0]!, name: 'Contact' }]
  assert.deepEqual(withLaterGuesses(renamed, before, guessed), renamed)
})

test('empty rows are not sent; a constant needs its text, a partner its path, a condition its value', () => {
  const mapping = [row('email'), row('company', { path: 'org', transform: 'constant' })]
  const one = rule({ name: ' ', mapping, partnerMatch: { by: 'email', path: ' ' } })
  const sent = toRules([one])[0]!
  assert.deepEqual([sent.mapping, sent.partnerMatch], [[], null])
  const fixed = row('company', { path: 'org', transform: 'constant', default: 'Acme' })
  assert.deepEqual(toRules([rule({ mapping: [fixed] })])[0]!.mapping, [{ ...fixed, path: null, values: null }])
  assert.deepEqual([toPath(fixed), toPath({ ...fixed, transform: 'trim' })], ['', 'org'])
  const when = [
    { path: '', op: 'is' as const, values: [] },
    { path: 'paid', op: 'exists' as const, values: ['x'] },
    { path: 'status', op: 'is-not' as const, values: [] },
    { path: ' ', op: 'is' as const, values: ['won'] },
  ]
  assert.deepEqual(toRules([rule({ when })])[0]!.when.slice(0, 1), [{ path: 'paid', op: 'exists', values: [] }])
  assert.deepEqual(ruleMistakes([rule(), { ...one, when }]), {
    'rules.1.name': 'Rule Name is required',
    'rules.1.when.2.values': 'Enter at least one value',
    'rules.1.when.3.path': 'Condition Path is required',
    'rules.1.mapping.1.default': 'Company Value is required',
    'rules.1.partnerMatch.path': 'Partner Path is required',
  })
})

test('another system’s words are replaced; a row with one needs the other', () => {
  const values = [
    { from: 'opportunity', to: 'qualified' },
    { from: ' ', to: 'won' },
    { from: 'closed', to: '' },
  ]
  const one = rule({ target: 'lead-status', mapping: [row('status', { path: 'stage', values })] })
  assert.deepEqual(ruleMistakes([one])['rules.0.mapping.0.values.2.to'], 'Becomes is required')
  const sent = toRules([{ ...one, mapping: [row('status', { path: 'stage', values: values.slice(0, 2) })] }])
  assert.deepEqual(sent[0]!.mapping[0]!.values, { opportunity: 'qualified' })
})

test('an added rule has a name of its own', () => {
  const taken = [rule({ name: 'lead' }), rule({ name: 'Lead 2 ' })]
  assert.equal(addedRule(unmapped, taken).name, 'Lead 3')
  assert.equal(addedRule(unmapped, []).name, 'Lead')
})

test('a server refusal appears on its row', () => {
  const rules = [
    rule(),
    rule({
      mapping: [
        row('firstName'),
        row('email', { path: 'a..b' }),
        row('company', { transform: 'constant', default: 'x' }),
      ],
      when: [
        { path: '', op: 'is', values: [] },
        { path: 'event', op: 'exists', values: [] },
      ],
    }),
  ]
  const refused = { 'rules.1.mapping.0.path': 'No', 'rules.1.mapping.1.path': 'Nor', 'rules.1.when.0.path': 'Never' }
  assert.deepEqual(placedAtRows({ ...refused, name: 'Long' }, rules), {
    'rules.1.mapping.1.path': 'No',
    'rules.1.mapping.2.path': 'Nor',
    'rules.1.when.1.path': 'Never',
    name: 'Long',
  })
  const wrong = { email: 'No', company: 'Long', referralCode: 'Unknown', metadata: 'Many' }
  assert.deepEqual(placedByField(wrong, rules, 1), {
    'rules.1.mapping.1.path': 'No',
    'rules.1.mapping.2.default': 'Long',
    'rules.1.partnerMatch.path': 'Unknown',
    metadata: 'Many',
  })
})
