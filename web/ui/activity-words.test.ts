import assert from 'node:assert/strict'
import { test } from 'node:test'
import i18next from 'i18next'
import { actions } from '#contract/activity.ts'
import { activityWords } from '../words/en-activity.ts'
import { enApp } from '../words/en-app.ts'
import { actLabel, actorLabel, fieldLabel, valueLabel } from './activity-words.ts'

i18next.addResourceBundle('en', 'translation', enApp, true)

/** Acts of people, their sessions and tokens, which belong to no account. */
const OF_NO_ACCOUNT = /^(sign-in|password|session|user-token)\b/

test('every act of an account has words', () => {
  const wordless = actions.filter((action) => !OF_NO_ACCOUNT.test(action) && !/^[A-Z]/.test(actLabel(action)))
  assert.deepEqual(wordless, [])
  assert.equal(actLabel('partner.created'), 'Partner added')
  assert.equal(actLabel('partner.was-renamed'), 'partner was renamed')
})

test('every act that the list is filtered by is kept in some activity', () => {
  const kinds = new Set(actions.map((action) => action.split('.')[0]!))
  assert.deepEqual(
    Object.keys(activityWords.kinds).filter((kind) => !kinds.has(kind)),
    [],
  )
})

test('actors, fields and what they held are said in words', () => {
  assert.equal(actorLabel({ type: 'user', id: '1', name: 'Nora Wind' }), 'Nora Wind')
  assert.equal(actorLabel({ type: 'user', id: '1', name: null }), 'Former user')
  assert.equal(actorLabel({ type: 'api-key', id: '1', name: null }), 'API key')
  assert.equal(actorLabel({ type: 'system', id: null, name: null }), 'Tributary')
  assert.equal(fieldLabel('payoutDelay'), 'Payout delay (days)')
  assert.equal(fieldLabel('eur 2026-01-31'), undefined)
  const said = [
    valueLabel('payoutDelay', 30, 'usd'),
    valueLabel('minimumPayout', 25_00, 'eur'),
    valueLabel('amount', 1200, 'jpy'),
    valueLabel('defaultCommissionSettings', { layerRates: [10, 5] }, 'usd'),
    valueLabel('partnerVisibility', { leadNames: true }, 'usd'),
    valueLabel('events', ['lead.created', 'sale.created'], 'usd'),
    valueLabel('enabled', false, 'usd'),
    valueLabel('name', null, 'usd'),
    valueLabel('name', '<b>', 'usd'),
    valueLabel('role', 'partner', 'usd'),
    'code' in valueLabel('config', { a: 'x'.repeat(500) }, 'usd') && 'cut',
  ]
  assert.deepEqual(said, [
    { code: '30' },
    { words: '€25.00' },
    { words: '¥1,200' },
    { words: 'Layered 10% / 5%' },
    { code: '{"leadNames":true}' },
    { code: '["lead.created","sale.created"]' },
    { words: 'No' },
    { words: '–' },
    { words: '<b>' },
    { code: 'partner' },
    'cut',
  ])
})
