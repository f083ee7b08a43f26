import assert from 'node:assert/strict'
import { test } from 'node:test'
import i18next from 'i18next'
import { incomingWebhookWords } from '../../words/en-incoming-webhooks.ts'
import { mappingMistakes, matchOf, placedAtRows, placedByField, type Row, rowsOf, sentOf } from './mapping.ts'

// In the browser they come with the screen.
i18next.addResourceBundle('en', 'translation', { incomingWebhooks: incomingWebhookWords })

const guesses = [
  { field: 'email', path: 'mail', transform: 'lowercase' as const },
  { field: 'referralCode', path: 'ref', transform: 'lowercase' as const },
]
const capturing = { target: 'lead' as const, mapping: [], partnerMatch: null, guesses }
const row = (field: string, fields: Partial<Row> = {}): Row => ({
  ...{ field, path: '', transform: 'none', default: '' },
  ...fields,
})

test('a webhook without a mapping begins with guesses; one with a mapping keeps what it has', () => {
  const rows = rowsOf(capturing)
  assert.deepEqual(
    rows.map(({ field, path }) => [field, path]),
    [
      ['firstName', ''],
      ['lastName', ''],
      ['email', 'mail'],
      ['phone', ''],
      ['company', ''],
      ['externalId', ''],
    ],
  )
  assert.deepEqual(matchOf(capturing), { by: 'referralCode', path: 'ref' })
  assert.deepEqual(matchOf({ ...capturing, target: 'refund' }), { by: null, path: '' })
  const mapping = [{ field: 'clickId', path: 'click', transform: 'none' as const, default: 'c-1' }]
  const mapped = { ...capturing, mapping }
  assert.deepEqual(sentOf({ mapping: rowsOf(mapped), partnerMatch: matchOf(mapped) }), { mapping, partnerMatch: null })
})

test('what is empty is not sent; a constant needs its text, and a partner their path', () => {
  const mapping = [row('email'), row('company', { path: 'org', transform: 'constant' })]
  const values = { mapping, partnerMatch: { by: 'email', path: ' ' } } as const
  assert.deepEqual(sentOf(values), { mapping: [], partnerMatch: null })
  assert.deepEqual(mappingMistakes(values), {
    'mapping.1.default': 'Company Value is required',
    'partnerMatch.path': 'Partner Path is required',
  })
})

test('what the server refuses stands at the row it speaks of', () => {
  const rows = [
    row('firstName'),
    row('email', { path: 'a..b' }),
    row('company', { transform: 'constant', default: 'x' }),
  ]
  assert.deepEqual(placedAtRows({ 'mapping.0.path': 'No', 'mapping.1.path': 'Nor', name: 'Long' }, rows), {
    'mapping.1.path': 'No',
    'mapping.2.path': 'Nor',
    name: 'Long',
  })
  assert.deepEqual(placedByField({ email: 'No', company: 'Long', referralCode: 'Unknown', metadata: 'Many' }, rows), {
    'mapping.1.path': 'No',
    'mapping.2.default': 'Long',
    'partnerMatch.path': 'Unknown',
    metadata: 'Many',
  })
})
