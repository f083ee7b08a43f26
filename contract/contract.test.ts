import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { EmbedCodeChange, EmbeddedLead } from '#features/embed/contract.ts'
import { AccountChange, TimeZone } from './accounts.ts'
import { changePassword, MeChange, signIn } from './auth.ts'
import { pushClicks } from './clicks.ts'
import { NewAdjustment } from './commissions.ts'
import { mistakesIn, wrongFields } from './fields.ts'
import { endpoints } from './index.ts'
import { LeadStatusChange, listLeads, NewLead } from './leads.ts'
import { NewLinkBlueprint } from './links.ts'
import { OutgoingWebhookChange } from './outgoing-webhooks.ts'
import { changePartner, NewPartner, PartnerChange, ReferralCode } from './partners.ts'
import { NewConnection } from './payment-providers.ts'
import { AutoPayoutSettingsChange, DepositInfo, reorderPayoutMethods, usStates } from './payout-settings.ts'
import { NewSale, pushSales, SaleAttribution } from './sales.ts'

/** Returns the fields a schema refuses with their messages; empty when it accepts the value. */
const refusals = (schema: z.ZodType | undefined, value: unknown): Record<string, string> => {
  const { error } = schema!.safeParse(value)
  return error ? wrongFields(error) : {}
}

const deposit = {
  legalType: 'PRIVATE',
  name: 'Jane Doe',
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'CHECKING',
  address: { country: 'us', state: 'ny', city: 'New York', addressLine: '1 Main St', zipCode: '10001' },
}

const config = (changes: Record<string, { selectorType: string; selectorValue: string }> = {}) =>
  Object.fromEntries(
    ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton'].map((key) => [
      key,
      { key, selectorType: 'default', selectorValue: '', ...changes[key] },
    ]),
  )

test('every call has a unique name and address', () => {
  assert.ok(endpoints.length > 90, `${endpoints.length} calls`)
  assert.equal(new Set(endpoints.map(({ name }) => name)).size, endpoints.length)
  assert.equal(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size, endpoints.length)
})

/** Lists that belong to a person, not to an account, and notes to read. */
const WITHOUT_FILE = ['listMySessions', 'listMyTokens', 'listPartnerAnnouncements', 'listQuestions']

test('every list has its file', () => {
  const all = Object.values(endpoints)
  const paths = new Set(all.map(({ path }) => path))
  const isList = ({ reply }: (typeof all)[number]) =>
    reply instanceof z.ZodObject && 'items' in reply.shape && 'nextCursor' in reply.shape
  const without = all.filter((call) => isList(call) && !paths.has(`${call.path}/csv`)).map(({ name }) => name)
  assert.deepEqual(without.sort(), WITHOUT_FILE)
})

test('every path parameter has a schema, and every schema a parameter', () => {
  for (const { name, path, params } of endpoints) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
    const declared = params instanceof z.ZodObject ? Object.keys(params.shape) : []
    assert.deepEqual(declared.toSorted(), inPath.toSorted(), name)
  }
})

test('the subject follows from the path, and only identifiable callers are allowed', () => {
  for (const { name, path, subject, allow } of endpoints) {
    const [first, second] = path.slice(1).split('/')
    const expected = second === ':id' ? first!.replace(/s$/, '') : undefined
    assert.equal(subject, expected, name)
    assert.ok(allow.length > 0, name)
    const needsSubject = allow.some((caller) => ['owner', 'partner', 'ancestor'].includes(caller))
    // objects that belong to no account, such as the list of events, are readable by every owner
    assert.equal(needsSubject && !subject && path.includes('/:'), false, name)
  }
})

test('bodies refuse unknown keys and name them', () => {
  for (const { name, body } of endpoints) {
    if (!body) continue
    // a form without its kind has no fields at all
    const kinds: Record<string, object> = { signTaxForm: { kind: 'w-9' }, startBulkAction: { action: 'retry-payouts' } }
    assert.equal(
      refusals(body, { ...kinds[name], surprise: 1 }).surprise,
      'The field "surprise" is not recognized',
      name,
    )
  }
})

test('an unknown key is reported by name, even an unusual one', () => {
  for (const key of ['constructor', '__proto__', 'a.b']) {
    const body: unknown = JSON.parse(`{"email":"a@example.com","password":"x","${key}":1}`)
    assert.deepEqual(Object.keys(refusals(signIn.body, body)), [key])
  }
})

test('an invalid name has a message of its own', () => {
  const refused = refusals(OutgoingWebhookChange, { headers: { '\u0000': 'a', 'X-Api-Key': 'a'.repeat(1001) } })
  assert.deepEqual(refused, {
    'headers.\ufffd': 'Remove unsupported characters',
    'headers.X-Api-Key': 'Use at most 1000 characters',
  })
})

test('of thousands of mistakes a few are named and the rest counted; every name is non-empty', () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, 1]))
  const { fields, more } = mistakesIn(signIn.body!.safeParse(many).error!)
  assert.deepEqual([Object.keys(fields).length, more], [50, 2952])
  const { error } = signIn.body!.safeParse({
    email: 'a@example.com',
    password: 'x',
    ['y'.repeat(10_000)]: 1,
    'a\u202eb': 1,
  })
  assert.deepEqual(Object.keys(mistakesIn(error!).fields), [`${'y'.repeat(60)}…`, 'a\ufffdb'])
  for (const body of ['text', [], { email: 'a@example.com', password: 'x', '': 1 }]) {
    const { whole, fields } = mistakesIn(signIn.body!.safeParse(body).error!)
    assert.deepEqual(fields, {})
    assert.ok(whole)
  }
})

test('values of the wrong length or form are refused in plain words', () => {
  const { fields } = mistakesIn(changePartner.body!.safeParse({ groupId: '', parentPartnerId: 'x'.repeat(65) }).error!)
  assert.deepEqual(fields, { groupId: 'Enter a value', parentPartnerId: 'Use at most 64 characters' })
  const order = mistakesIn(reorderPayoutMethods.body!.safeParse({ order: Array(4).fill('wise') }).error!)
  assert.deepEqual(order.fields, { order: 'Use at most 3 items' })
  const click = mistakesIn(pushClicks.body!.safeParse({ referralCode: 'jane', ip: 'x' }).error!)
  assert.deepEqual(click.fields, { ip: 'Enter an IP address' })
})

test('only 202 and 204 may have no body, and 204 never has one', () => {
  for (const { name, status, reply } of endpoints.filter(({ produces }) => !produces)) {
    if (reply === undefined) assert.ok(status === 202 || status === 204, name)
    else assert.notEqual(status, 204, name)
  }
})

test('every schema can be written as JSON Schema', () => {
  for (const { name, query, body, reply } of endpoints) {
    for (const [schema, io] of [
      [query, 'input'],
      [body, 'input'],
      [reply, 'output'],
    ] as const) {
      if (schema) assert.doesNotThrow(() => z.toJSONSchema(schema, { io }), name)
    }
  }
})

test('a missing field is named by its label', () => {
  assert.deepEqual(refusals(signIn.body, {}), { email: 'Email is required', password: 'Password is required' })
  assert.deepEqual(refusals(LeadStatusChange, {}), { status: 'Status is required' })
  assert.deepEqual(refusals(NewLinkBlueprint, { name: 'A' }), { destinationUrl: 'Destination URL is required' })
})

test('rates add up to at most 100 percent and have at most four decimals', () => {
  const rates = (layerRates: unknown) => refusals(AccountChange, { defaultCommissionSettings: { layerRates } })
  assert.deepEqual(rates([20, 5]), {})
  assert.deepEqual(rates([33.3333, 33.3333, 33.3334]), {})
  assert.deepEqual(rates([60, 40.0001]), {
    'defaultCommissionSettings.layerRates': 'All layers together must not exceed 100%',
  })
  assert.equal(rates([20, 101])['defaultCommissionSettings.layerRates.1'], 'Enter a rate from 0 to 100')
  for (const wrong of [[], [7.12345], [-1], ['20'], [Number.NaN], Array(11).fill(0), null])
    assert.notDeepEqual(rates(wrong), {}, String(wrong))
})

test('routing numbers need a valid check digit', () => {
  assert.deepEqual(refusals(DepositInfo, deposit), {})
  for (const routingNumber of ['021000022', '000000000', '02100002', '0210000210', '02100002a', ''])
    assert.deepEqual(refusals(DepositInfo, { ...deposit, routingNumber }), {
      routingNumber: 'Enter a valid 9-digit routing number',
    })
})

test('deposit details name every wrong field at once', () => {
  assert.deepEqual(
    refusals(DepositInfo, {
      ...deposit,
      name: 'Jane',
      accountNumber: '123',
      address: { country: 'us', state: 'zz', city: '  ', addressLine: ' ', zipCode: ' 1234 ' },
    }),
    {
      name: 'Enter a first and last name without digits',
      accountNumber: 'Enter 4 to 17 digits',
      'address.state': 'Choose a state',
      'address.city': 'City is required',
      'address.addressLine': 'Address is required',
      'address.zipCode': 'Enter at least 5 characters',
    },
  )
  assert.deepEqual(refusals(DepositInfo, { ...deposit, legalType: 'BUSINESS', name: 'Acme4' }), {})
  assert.deepEqual(Object.keys(refusals(DepositInfo, { ...deposit, name: 'Jane D0e' })), ['name'])
  assert.equal(
    refusals(DepositInfo, { ...deposit, address: { ...deposit.address, country: 'ca' } })['address.country'],
    'Only the United States is supported',
  )
  assert.equal(new Set(usStates.map(({ code }) => code)).size, 55)
})

test('an embed code is valid only if all its selectors are', () => {
  const wrong = (selectorType: string, selectorValue: string) =>
    refusals(EmbedCodeChange, { config: config({ phone: { selectorType, selectorValue } }) })[
      'config.phone.selectorValue'
    ]
  for (const [type, value] of [
    ['default', ''],
    ['id', '#phone-1:a.b'],
    ['class', '.phone'],
    ['class', 'input.phone'],
    ['name', 'phone'],
    ['query-selector', 'form input[type=tel]'],
  ] as const)
    assert.equal(wrong(type, value), undefined, `${type} ${value}`)
  assert.equal(wrong('default', 'x'), 'Leave empty for Default')
  for (const value of ['phone', '#1phone', '#', '#a b', ''])
    assert.equal(wrong('id', value), 'Enter # and a letter, then letters, digits, - _ : or .')
  for (const value of ['phone', '.', '.1']) assert.equal(wrong('class', value), 'Enter a class that starts with a dot')
  for (const type of ['name', 'query-selector']) assert.equal(wrong(type, '   '), 'Enter a value')

  const { phone: _, ...five } = config()
  assert.deepEqual(Object.keys(refusals(EmbedCodeChange, { config: five })), ['config.phone'])
  assert.notDeepEqual(refusals(EmbedCodeChange, { config: { ...config(), phone: { ...config().email } } }), {})
})

test('domains are lower-case labels with a dot between', () => {
  const wrong = (domain: string) => refusals(EmbedCodeChange, { domains: [domain] })['domains.0']
  for (const domain of ['example.com', 'shop-1.example.co.uk', '127.0.0.1', `${'a'.repeat(249)}.com`])
    assert.equal(wrong(domain), undefined, domain)
  for (const domain of [
    'example',
    'Example.com',
    'a..com',
    '.com',
    'a.',
    'a_b.com',
    'https://a.com',
    'a.com/b',
    '',
    `${'a'.repeat(250)}.com`,
  ])
    assert.equal(wrong(domain), 'Enter a domain such as shop.example.com', domain)
})

test('e-mails are trimmed, lower-cased and at most 254 characters', () => {
  assert.equal(NewPartner.parse({ email: ' Jane@Example.COM ' }).email, 'jane@example.com')
  assert.deepEqual(Object.keys(refusals(NewPartner, { email: `${'a'.repeat(288)}@example.com` })), ['email'])
  for (const email of ['jane', 'a@b', 'a b@example.com', 'a@example.com\r\nBcc: x@example.com', ''])
    assert.deepEqual(refusals(NewPartner, { email }), { email: 'Enter a valid email address' })
})

test('text that a database cannot store is refused', () => {
  for (const firstName of ['a\u0000b', '\ud800'])
    assert.deepEqual(Object.keys(refusals(NewPartner, { email: 'a@example.com', firstName })), ['firstName'])
  assert.deepEqual(Object.keys(refusals(MeChange, { preferences: { views: [{ name: 'a\u0000' }] } })), ['preferences'])
  assert.deepEqual(Object.keys(refusals(MeChange, { preferences: { a: 'x'.repeat(16_384) } })), ['preferences'])
  assert.deepEqual(refusals(MeChange, { preferences: { theme: 'dark', text: '\\u0000' } }), {})
})

test('an empty text empties its field, an omitted one stays omitted', () => {
  assert.deepEqual(NewLead.parse({ email: 'a@example.com', phone: ' ', company: '', firstName: null }), {
    email: 'a@example.com',
    phone: null,
    company: null,
    firstName: null,
  })
  assert.deepEqual(refusals(NewLead, { firstName: 'Jane', email: '' }), {
    email: 'Enter an email, phone or external ID',
  })
  assert.deepEqual(refusals(NewLead, { phone: '123' }), { phone: 'Enter 7 to 15 digits' })
  assert.deepEqual(AutoPayoutSettingsChange.parse({ wiseToken: null }), { wiseToken: null })
})

test('referral codes have 3 to 32 of a-z, 0-9 and hyphens, and are not reserved', () => {
  assert.equal(ReferralCode.parse(' JANE-1 '), 'jane-1')
  for (const code of ['ab', 'a'.repeat(33), 'jane doe', 'jané', 'a/b', 'admin'])
    assert.notDeepEqual(refusals(ReferralCode, code), {}, code)
})

test('amounts are whole, above zero and bounded', () => {
  assert.deepEqual(refusals(NewSale, { amount: 1 }), {})
  for (const amount of [0, -1, 1.5, 1e12 + 1, '100', Number.POSITIVE_INFINITY, null])
    assert.deepEqual(Object.keys(refusals(NewSale, { amount })), ['amount'], String(amount))
  assert.deepEqual(refusals(NewAdjustment, { amount: -500, reason: 'Returned goods' }), {})
  assert.deepEqual(refusals(NewAdjustment, { amount: 0, reason: 'x' }), { amount: 'Enter an amount other than 0' })
  for (const saleDate of ['2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z'])
    assert.deepEqual(Object.keys(refusals(NewSale, { amount: 1, saleDate })), ['saleDate'], saleDate)
})

test('a pushed body has one to a hundred rows, and an invalid row is refused with its fields', () => {
  assert.deepEqual(refusals(pushSales.body, { externalId: 'a', email: 'a@example.com', amount: 0 }), {
    amount: 'Enter an amount greater than 0',
  })
  assert.deepEqual(refusals(pushSales.body, { externalId: 'a' }), { amount: 'Amount is required' })
  assert.deepEqual(refusals(pushSales.body, [{ wrong: true }, 7]), {})
  assert.deepEqual(refusals(pushSales.body, []), { '': 'Send at least one row' })
  assert.deepEqual(refusals(pushSales.body, Array(101).fill({})), { '': 'Send at most 100 rows' })
})

test('links must lead to web pages', () => {
  const wrong = (destinationUrl: string) => refusals(NewLinkBlueprint, { name: 'A', destinationUrl }).destinationUrl
  assert.equal(wrong('https://example.com/a?b=c#d'), undefined)
  for (const url of ['javascript:alert(1)', 'example.com', 'https://user:pw@example.com', 'data:text/html,x', ''])
    assert.equal(wrong(url), 'Enter a full https address', url)
  for (const parameterName of ['click', 'utm_source', 'a b', '', 'a'.repeat(33)])
    assert.notDeepEqual(
      refusals(NewLinkBlueprint, { name: 'A', destinationUrl: 'https://example.com', parameterName }),
      {},
    )
})

test('lost and rejected need a listed reason', () => {
  assert.deepEqual(refusals(LeadStatusChange, { status: 'lost', reason: 'no-response' }), {})
  assert.deepEqual(refusals(LeadStatusChange, { status: 'qualified' }), {})
  for (const reason of [undefined, 'because'])
    assert.deepEqual(refusals(LeadStatusChange, { status: 'rejected', reason }), { reason: 'Choose a reason' })
})

test('either a partner or a lead is credited, either code or credentials connect', () => {
  assert.deepEqual(refusals(SaleAttribution, { partnerId: 'p', reason: 'Called in' }), {})
  for (const who of [{}, { partnerId: 'p', leadId: 'l' }])
    assert.deepEqual(Object.keys(refusals(SaleAttribution, { ...who, reason: 'x' })), ['partnerId'])
  assert.deepEqual(refusals(NewConnection, { provider: 'stripe', credentials: { restrictedKey: 'rk' } }), {})
  assert.deepEqual(refusals(NewConnection, { provider: 'stripe', code: 'a', state: 'b' }), {})
  for (const body of [{}, { code: 'a' }, { code: 'a', state: 'b', credentials: {} }])
    assert.deepEqual(Object.keys(refusals(NewConnection, { provider: 'stripe', ...body })), ['credentials'])
})

test('payout years are unique and ascending', () => {
  assert.deepEqual(PartnerChange.parse({ approvedPayoutYears: [2027, 2026, 2027] }).approvedPayoutYears, [2026, 2027])
  for (const years of [[1999], [2101], [2026.5], ['2026']])
    assert.notDeepEqual(refusals(PartnerChange, { approvedPayoutYears: years }), {})
})

test('time zones are given by name', () => {
  for (const zone of ['UTC', 'America/New_York', 'Europe/Berlin']) assert.deepEqual(refusals(TimeZone, zone), {}, zone)
  for (const zone of ['+02:00', 'Nowhere/Town', '', 'x'.repeat(200)])
    assert.notDeepEqual(refusals(TimeZone, zone), {}, zone)
})

test('passwords are 12 to 128 characters, untrimmed', () => {
  assert.deepEqual(refusals(changePassword.body, { password: ' twelve char' }), {})
  assert.deepEqual(refusals(changePassword.body, { password: 'short' }), { password: 'Use at least 12 characters' })
  assert.deepEqual(Object.keys(refusals(changePassword.body, { password: 'x'.repeat(129) })), ['password'])
})

test('lists refuse invalid sorts, filters and limits', () => {
  assert.deepEqual(
    refusals(listLeads.query, { limit: '100', sort: '-salesRevenue', status: 'new,won', partnerId: 'none' }),
    {},
  )
  for (const query of [
    { limit: '0' },
    { limit: '101' },
    { sort: 'email' },
    { status: 'new,odd' },
    { from: '2026' },
    { odd: '1' },
  ])
    assert.deepEqual(Object.keys(refusals(listLeads.query, query)), Object.keys(query))
})

test('submissions of the embed script are never refused for an invalid field', () => {
  const lead = EmbeddedLead.parse({ email: 'a@example.com', phone: 7, firstName: 'x'.repeat(200), odd: true })
  assert.deepEqual([lead.email, lead.phone, lead.firstName, 'odd' in lead], ['a@example.com', null, null, false])
})
