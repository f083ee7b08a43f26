import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildComplaint, buildField, wiseRefusal } from '../../../test/fakes/wise-rules.ts'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { inBrazil } from '../../../test/support/payouts.ts'
import { createInstalls } from '../../../test/support/wise-payouts.ts'

const app = await startApp({ config: { rateLimitFactor: 1000 } })
const { anInstall } = createInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>
type Values = Record<string, string>

/** A partner who has entered nothing yet, of an account with Wise. */
async function aNewcomer(settings: { currency?: string } = {}) {
  const install = await anInstall({}, {}, settings.currency)
  return { ...install, partner: await aPartner(app, install.account, {}, { signIn: true }) }
}
const at = ({ partner }: Install) => `/partners/${partner.id}/payout-form`
const form = (install: Install, query: Record<string, string> = {}) =>
  app.api('GET', `${at(install)}?${new URLSearchParams(query)}`, { token: install.partner.token })
const formOf = async (install: Install, country: string, more: Values = {}) =>
  form(install, { kind: 'local-bank', country, ...more })
/** Only these values of an account in Brazil. */
const only = (fields: Values, more: object = {}) => inBrazil({}, { fields, ...more })
const draft = (install: Install, body: object) => app.api('POST', at(install), { token: install.partner.token, body })
const save = async ({ partner }: Install, body: object) =>
  app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
const outcome = ({ status, body }: Awaited<ReturnType<typeof save>>) =>
  status === 200 ? 'ok' : [status, body.error.reason, body.error.fields]
const keysOf = ({ body }: { body: { types: { fields: { key: string }[] }[] } }) =>
  body.types.map(({ fields }) => fields.map(({ key }) => key))
const formCalls = ({ wise }: Install) => wise.callsTo(/account-requirements$/)

test('what may be entered follows from the payout methods', async () => {
  const usd = await anAccount(app)
  const partner = await aPartner(app, usd, {}, { signIn: true })
  const by = (account: { token: string }, of: { id: string; token: string }) =>
    app.api('GET', `/partners/${of.id}/payout-form`, { token: of.token ?? account.token })
  const none = expectOk(await by(usd, partner)).body
  assert.deepEqual(none, {
    kinds: ['us-bank'],
    countries: [{ code: 'US', name: 'United States', currency: 'usd' }],
    types: [],
  })
  const eur = await anAccount(app, { defaultCurrency: 'eur' })
  const inEuro = expectOk(await by(eur, await aPartner(app, eur, {}, { signIn: true }))).body
  assert.deepEqual(inEuro.kinds, ['us-bank', 'iban'])
  assert.deepEqual(
    inEuro.countries.filter(({ code }: { code: string }) => ['GB', 'BR', 'US'].includes(code)),
    [
      { code: 'GB', name: 'United Kingdom', currency: 'eur' },
      { code: 'US', name: 'United States', currency: 'usd' },
    ],
  )
  const install = await aNewcomer()
  const all = expectOk(await form(install)).body
  assert.deepEqual(all.kinds, ['us-bank', 'iban', 'local-bank'])
  assert.ok(all.countries.some(({ code, currency }: Values) => code === 'GB' && currency === 'gbp'))
  assert.deepEqual(formCalls(install), [], 'no provider was asked')

  const refused = async (query: Values) => outcome(await form(install, query))
  assert.deepEqual(await refused({ kind: 'paypal' }), [
    ...[422, 'kind_not_offered'],
    { kind: 'This program doesn’t pay to details of this kind' },
  ])
  assert.equal((await refused({ kind: 'iban', country: 'BR' }))[1], 'not_a_sepa_country')
  assert.equal((await refused({ kind: 'local-bank', country: 'QQ' }))[1], 'payout_country_unknown')
  const other = await app.api('GET', `/partners/${partner.id}/payout-form`, { token: install.partner.token })
  assert.equal(other.status, 404)
  const owner = await app.api('GET', at(install), { token: install.account.token })
  assert.equal(owner.status, 403)
})

test('the fields are those that Wise asks for, in the usual currency or another', async () => {
  const install = await aNewcomer()
  const gb = expectOk(await formOf(install, 'GB'))
  assert.deepEqual(
    gb.body.types.map(({ type, title }: Values) => [type, title]),
    [
      ['sort_code', 'UK bank account'],
      ['iban', 'Bank account with an IBAN'],
    ],
  )
  assert.ok(!JSON.stringify(gb.body).includes('\\\\d'), 'no pattern leaves the server')
  const quote = [...install.wise.quotes.values()].at(-1)!
  assert.deepEqual([quote.sourceCurrency, quote.targetCurrency], ['USD', 'GBP'])
  assert.equal(formCalls(install)[0]!.headers['accept-minor-version'], '1')
  assert.deepEqual(keysOf(expectOk(await formOf(install, 'GB', { currency: 'mxn' }))), [
    ['legalType', 'accountHolderName', 'clabe'],
  ])
  assert.deepEqual(outcome(await formOf(install, 'KZ')), [
    ...[422, 'currency_not_paid_there'],
    { currency: 'Wise doesn’t pay in KZT.' },
  ])
})

test('a value that decides on other fields brings them; the answer is kept ten minutes by these values alone', async () => {
  const install = await aNewcomer()
  const first = expectOk(await formOf(install, 'BR'))
  assert.ok(keysOf(first)[0]!.includes('cpf') && !keysOf(first)[0]!.includes('address.state'))
  expectOk(await formOf(install, 'BR'))
  assert.equal(formCalls(install).length, 1)

  const keys = async (fields: Values) => keysOf(expectOk(await draft(install, only(fields))))[0]!
  const before = formCalls(install).length
  const business = await keys({ legalType: 'BUSINESS', 'address.country': 'BR', accountNumber: '1' })
  assert.ok(business.includes('cnpj') && !business.includes('cpf') && business.includes('address.state'))
  await keys({ legalType: 'BUSINESS', 'address.country': 'BR', accountNumber: '2', accountHolderName: 'Ana Souza' })
  assert.equal(formCalls(install).length - before, 1, 'text decides nothing')
  await keys({ legalType: 'PRIVATE', 'address.country': 'BR' })
  assert.equal(formCalls(install).length - before, 2)
  app.clock.advance(11 * 60_000)
  await keys({ legalType: 'PRIVATE', 'address.country': 'BR' })
  assert.equal(formCalls(install).length - before, 3)
  const rows = await app.services.db.many`select from payout_settings where partner_id = ${install.partner.id}`
  assert.equal(rows.length, 0, 'a draft saves nothing')
})

test('details are saved once they fit what Wise asks for now; the recipient has them as objects', async () => {
  const install = await aNewcomer()
  const { 'address.state': _, ...without } = inBrazil().fields
  assert.deepEqual(outcome(await save(install, only(without))), [
    ...[422, 'payout_details_refused'],
    { 'fields.address.state': 'Wise requires this: State' },
  ])
  assert.deepEqual(outcome(await save(install, inBrazil({ cpf: '1234567890a', bankCode: '999', pix: 'x' }))), [
    ...[422, 'payout_details_refused'],
    {
      'fields.cpf': 'Wise doesn’t accept this as Tax number (CPF)',
      'fields.bankCode': 'Wise doesn’t accept this as Bank',
      'fields.pix': 'This field isn’t needed',
    },
  ])
  assert.deepEqual(outcome(await save(install, inBrazil({}, { type: 'sort_code' }))), [
    ...[422, 'payout_type_unknown'],
    { type: 'Choose an account type' },
  ])
  const body = expectOk(await save(install, inBrazil({ cnpj: '' }))).body
  assert.deepEqual([body.country, body.currency, body.method], ['BR', 'brl', null])
  assert.equal(body.depositInfo.fields.accountNumber, '•••••65-1')
  assert.ok(!('cnpj' in body.depositInfo.fields), 'what is empty is not kept')
  const lastCall = formCalls(install).at(-1)!.body as { details: { address: Values }; accountHolderName: string }
  assert.deepEqual(lastCall.details.address, {
    ...{ country: 'BR', state: 'SP', city: 'São Paulo', firstLine: 'Rua Augusta 1', postCode: '01305-000' },
  })
  assert.equal(lastCall.accountHolderName, 'Ana Souza')
  assert.equal(install.wise.recipients.size, 0)
})

test('while Wise is away, nothing else can check them: they are not saved', async () => {
  const install = await aNewcomer()
  const failures = [
    { status: 500 },
    { status: 401 },
    { status: 429, retryAfter: 60 },
    'reset-after',
    'garbage',
  ] as const
  const calls = ['POST /v3/profiles/*/quotes', 'POST *account-requirements']
  for (const [n, failure] of failures.entries()) {
    install.wise.fail(calls[n % 2]!, failure as never)
    assert.deepEqual(outcome(await save(install, inBrazil())), [503, 'payout_details_unchecked', undefined])
    install.wise.calm()
  }
  install.wise.fail('GET *account-requirements', { status: 503 })
  assert.deepEqual(outcome(await formOf(install, 'MX')), [503, 'payout_details_unchecked', undefined])
  install.wise.calm()
  const rows = await app.services.db.many`select from payout_settings where partner_id = ${install.partner.id}`
  assert.equal(rows.length, 0)
})

test("Wise's own words stand beside its field, and nothing is saved", async () => {
  const install = await aNewcomer()
  install.wise.fail(
    /^POST .*account-requirements$/,
    wiseRefusal([
      buildComplaint('details.cpf', 'This number 12345678909 is not valid.'),
      buildComplaint('', 'Something else.'),
    ]),
  )
  assert.deepEqual(outcome(await save(install, inBrazil())), [
    ...[422, 'payout_details_refused'],
    { 'fields.cpf': 'This number ••• is not valid.', type: 'Something else.' },
  ])
})

test('hostile requirements do no harm', async () => {
  const install = await aNewcomer()
  const tell = (...fields: ReturnType<typeof buildField>[]) =>
    install.wise.tellForms(() => [{ type: 'brazil', title: '<b>Local</b>', fields }])
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`bank-${n}`, `Bank ${n}`]))
  const unclear = async () => {
    assert.deepEqual(outcome(await formOf(install, 'BR')), [502, 'payout_form_unclear', undefined])
    assert.deepEqual(outcome(await save(install, only({ a: 'b' }))), [502, 'payout_form_unclear', undefined])
  }
  tell(buildField('bankCode', 'Bank', { values: many }))
  await unclear()
  tell(buildField('__proto__', 'Strange'))
  await unclear()
  install.wise.tellForms(() => ({ type: 'brazil' }))
  await unclear()

  tell(
    buildField('accountNumber', '<img src=x onerror=alert(1)>', { pattern: '^(\\w+\\s?)*$' }),
    buildField('taxId', 'Tax', { pattern: '^(a+)+$' }),
  )
  const shown = expectOk(await formOf(install, 'BR')).body.types[0]
  assert.deepEqual([shown.title, shown.fields[0].label], ['<b>Local</b>', '<img src=x onerror=alert(1)>'])
  const slow = `${'a'.repeat(60)}!`
  const before = performance.now()
  assert.equal(outcome(await save(install, only({ accountNumber: slow, taxId: slow }))), 'ok')
  assert.ok(performance.now() - before < 2000)
  const proto = JSON.parse('{"__proto__":"x","accountNumber":"1","taxId":"a"}')
  assert.equal((await save(install, only(proto))).status, 400, 'no body carries such a name')

  // another type, and other fields, when saving than when loading
  install.wise.tellForms(({ details }) =>
    details
      ? [{ type: 'pix', title: 'Pix', fields: [buildField('pixKey', 'Pix key')] }]
      : [{ type: 'brazil', title: 'Local', fields: [buildField('accountNumber', 'Account')] }],
  )
  assert.deepEqual(outcome(await save(install, only({ accountNumber: '1' }))), [
    ...[422, 'payout_type_unknown'],
    { type: 'Choose an account type' },
  ])
  install.wise.tellForms(null)
})

test('twenty calls a minute are enough for a partner, whoever of their people makes them', async () => {
  const limited = await startApp({ config: { rateLimitFactor: 1 } })
  const account = await anAccount(limited)
  const partner = await aPartner(limited, account, {}, { signIn: true })
  const other = await aPartner(limited, account, {}, { signIn: true })
  const ask = async (of: { id: string }, { token }: { token: string }) =>
    (await limited.api('GET', `/partners/${of.id}/payout-form`, { token })).status
  for (let n = 0; n < 10; n++) {
    assert.equal(await ask(partner, partner), 200)
    const body = only({ a: 'b' })
    const drafted = await limited.api('POST', `/partners/${partner.id}/payout-form`, { token: partner.token, body })
    assert.equal(drafted.status, 422)
  }
  assert.equal(await ask(partner, partner), 429)
  assert.equal(await ask(other, other), 200)
  assert.equal(await ask(other, partner), 404, 'strangers do not use up its calls')
  assert.equal(await ask(other, other), 200)
})
