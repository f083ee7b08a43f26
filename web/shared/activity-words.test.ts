import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions } from '#contract/activity.ts'
import { activityWords } from '../words/activity.ts'
import { activityFieldLabel, activityLabel, activityValueLabel, actorLabel } from './activity-words.ts'

/** Actions of people, their sessions and tokens, and of operators, which belong to no account. */
const OF_NO_ACCOUNT = /^(administrator|oidc|password|recovery-codes?|second-factor|session|sign-in|system|user-token)\b/

test('every action of an account has words', () => {
  const wordless = actions.filter((action) => !OF_NO_ACCOUNT.test(action) && !/^[A-Z]/.test(activityLabel(action)))
  assert.deepEqual(wordless, [])
  assert.equal(activityLabel('partner.created'), 'Partner added')
  assert.equal(activityLabel('partner.was-renamed'), 'partner was renamed')
})

test('every action that the list can filter by occurs in an activity', () => {
  const kinds = new Set(actions.map((action) => action.split('.')[0]!))
  assert.deepEqual(
    Object.keys(activityWords.kinds).filter((kind) => !kinds.has(kind)),
    [],
  )
})

test('actors, fields and values have readable labels', () => {
  assert.equal(actorLabel({ type: 'user', id: '1', name: 'Nora Wind' }), 'Nora Wind')
  assert.equal(actorLabel({ type: 'user', id: '1', name: null }), 'Former user')
  assert.equal(actorLabel({ type: 'api-key', id: '1', name: null }), 'API key')
  assert.equal(actorLabel({ type: 'portal', id: '1', name: 'App' }), 'Portal, by key App')
  assert.equal(actorLabel({ type: 'system', id: null, name: null }), 'Tributary')
  assert.equal(activityFieldLabel('payoutDelay'), 'Payout delay (days)')
  assert.equal(activityFieldLabel('eur 2026-01-31'), 'EUR on Jan 31, 2026')
  assert.equal(activityFieldLabel('bannedReferrer'), 'Banned site')
  assert.equal(activityFieldLabel('unheardOf'), undefined)
  const of = (type: string, currency = 'usd', names = {}) => ({
    subject: { type, id: null, name: null },
    currency,
    names,
    timeZone: 'UTC',
  })
  const account = of('account')
  const texts = [
    activityValueLabel('payoutDelay', 30, account),
    activityValueLabel('minimumPayout', 25_00, of('account', 'eur')),
    activityValueLabel('amount', 1200, of('payout', 'jpy')),
    activityValueLabel('defaultCommissionSettings', { layerRates: [10, 5] }, account),
    activityValueLabel(
      'terms',
      {
        rules: [{ name: 'Starter', on: 'sale', when: { products: ['prod_1'] }, layerAmounts: [50_00] }],
        otherwise: { layerRates: [10] },
        maxPerCustomer: null,
        maxPerMonth: null,
      },
      account,
    ),
    activityValueLabel(
      'questions',
      [
        { kind: 'choice', label: 'Where?', choices: ['Blog', 'Video'], required: true, translations: {} },
        {
          ...{ kind: 'yes-no', label: 'Adult?', choices: [], required: false },
          translations: { nl: { label: 'Meerderjarig?', choices: [] } },
        },
      ],
      account,
    ),
    activityValueLabel('state', 'closed', account),
    activityValueLabel('partnerVisibility', { leadNames: true }, account),
    activityValueLabel('events', ['lead.created', 'sale.created'], account),
    activityValueLabel('enabled', false, account),
    activityValueLabel('atLeast', 5000_00, { ...of('group'), metric: 'revenue' }),
    activityValueLabel('atLeast', 50, { ...of('group'), metric: 'sales' }),
    activityValueLabel('bonus', 250_00, of('group')),
    activityValueLabel('metric', 'revenue', of('group')),
    activityValueLabel('window', 'last-90-days', of('group')),
    activityValueLabel('name', null, account),
    activityValueLabel('name', '<b>', account),
    activityValueLabel('role', 'partner', account),
    activityValueLabel('status', 'awaiting-funding', of('payout')),
    activityValueLabel('status', 'awaiting-funding', of('lead')),
    activityValueLabel('reason', 'insufficient-info', of('lead')),
    activityValueLabel('reason', 'spam', of('payout')),
    activityValueLabel('partnerId', 'p1', of('lead', 'usd', { p1: 'Jane Whitfield' })),
    activityValueLabel('partnerId', 'p2', of('lead', 'usd', { p1: 'Jane Whitfield' })),
    activityValueLabel('saleDate', '2026-01-31', of('sale')),
    activityValueLabel('protectedUntil', '2020-01-31T15:00:00.000Z', of('lead')),
    activityValueLabel('approvedPayoutYears', [2025, 2026], of('partner')),
    activityValueLabel('headerNames', [], of('outgoing-webhook')),
    activityValueLabel('auth', { type: 'url-secret' }, of('incoming-webhook')),
    activityValueLabel('events', ['*'], of('outgoing-webhook')),
    activityValueLabel('utm', { source: 'news', medium: null, content: '' }, of('link-blueprint')),
    activityValueLabel(
      'mapping',
      [
        { field: 'email', path: 'a.b', transform: 'none' },
        { field: 'phone', path: 'c' },
      ],
      of('incoming-webhook'),
    ),
    JSON.stringify(activityValueLabel('config', { a: 'x'.repeat(500) }, account)).length < 150,
  ]
  assert.deepEqual(texts, [
    { code: '30' },
    { words: '€25.00' },
    { words: '¥1,200' },
    { words: 'Layered 10% / 5%' },
    { words: 'Starter · product prod_1: $50.00; All other sales: 10%' },
    {
      words:
        'Kind Choice, Where?, Choices Blog, Video, Required Yes; Kind Yes or no, Adult?, Required No, Translations Nederlands',
    },
    { words: 'Closed' },
    { words: 'Lead names Yes' },
    { code: 'lead.created, sale.created' },
    { words: 'No' },
    { words: '$5,000.00' },
    { code: '50' },
    { words: '$250.00' },
    { words: 'Revenue' },
    { words: 'Last 90 days' },
    { words: '–' },
    { words: '<b>' },
    { words: 'Partner' },
    { words: 'Awaiting funding' },
    { code: 'awaiting-funding' },
    { words: 'Insufficient info' },
    { words: 'spam' },
    { words: 'Jane Whitfield' },
    { code: 'p2' },
    { words: 'Jan 31, 2026' },
    { words: 'Jan 31, 2020, 3:00 pm' },
    { code: '2025, 2026' },
    { words: '–' },
    { words: 'Secret in the URL' },
    { words: 'All events' },
    { words: 'Source news' },
    { words: 'Email, Path a.b, Transform None; Phone, Path c' },
    true,
  ])
})
