import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { TaxFormSource } from '#contract/partners.ts'
import { MOST_RETURNS, taxClassifications } from '#contract/tax-rules.ts'
import { system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { recordPastPayouts } from '#server/program/payouts/record-past-payouts.ts'
import { anAccount, aPartner, expectOk, signIn, startApp, type TestAccount, turnableClock } from '#test/support/app.ts'
import { readCsv } from '#test/support/csv.ts'
import { readAccountFacts } from '#test/support/leads.ts'
import { bookDue } from '#test/support/payouts.ts'
import { asDatabaseOwner } from '#test/support/postgres.ts'
import { aW8Ben, aW9, signForm, wantForms } from '#test/support/tax-forms.ts'
import type { NewTaxForm, W9 } from '../contract.ts'
import { irisTemplates } from './iris-templates.ts'
import { type Candidate, necLines, type Return, sortOut } from './nec-file.ts'

const clock = turnableClock('2025-01-20T12:00:00Z')
const app = await startApp({ clock })
const { db } = app.services

const w9 = (fields: Partial<W9> = {}) => ({ ...aW9(), tin: '219097391', ...fields }) as W9
const signed = (form: NewTaxForm | null, kind = form?.kind ?? 'w-9', receivedOn = '2024-05-01') => ({
  counts: { kind, receivedOn, source: 'partner' as TaxFormSource },
  form,
})
const recorded = (kind: 'w-9' | 'w-8ben' | 'w-8ben-e', receivedOn = '2024-05-01') => ({
  counts: { kind, receivedOn, source: 'owner' as TaxFormSource },
  form: null,
})

test('who is in the file, who is missing from it, and who is in neither', () => {
  const w8 = aW8Ben() as NewTaxForm
  const cases: [string, Pick<Candidate, 'counts' | 'form'>, string][] = [
    ['none', { counts: null, form: null }, 'no-form'],
    ['signed W-9', signed(w9()), 'in'],
    ['signed long ago', signed(w9(), 'w-9', '2001-01-01'), 'in'],
    ['signed W-8BEN', signed(w8), 'neither'],
    ['signed W-8BEN of the last year that counts', signed(w8, 'w-8ben', '2021-12-31'), 'neither'],
    ['expired W-8BEN', signed(w8, 'w-8ben', '2020-12-31'), 'expired'],
    ['recorded W-9', recorded('w-9'), 'recorded-by-owner'],
    ['recorded W-8BEN-E', recorded('w-8ben-e'), 'neither'],
    ['recorded, expired W-8BEN-E', recorded('w-8ben-e', '2019-02-01'), 'expired'],
    ['unreadable', signed(null), 'unreadable'],
    ...taxClassifications.map((classification): [string, Pick<Candidate, 'counts' | 'form'>, string] => [
      classification,
      signed(w9({ classification })),
      ['c-corporation', 's-corporation', 'llc-c', 'llc-s'].includes(classification) ? 'neither' : 'in',
    ]),
  ]
  for (const [name, facts, expected] of cases) {
    const { returns, missing } = sortOut([{ partnerId: 'p', partnerName: 'P', reportable: 2000_00, ...facts }], 2024)
    const outcome = returns.length === 1 ? 'in' : (missing[0]?.reason ?? 'neither')
    assert.deepEqual([outcome, returns.length + missing.length], [expected, expected === 'neither' ? 0 : 1], name)
  }
  const named = (partnerId: string, name: string): Candidate => ({
    ...{ partnerId, partnerName: 'not this one', reportable: 1 },
    ...signed(w9({ name })),
  })
  const sorted = sortOut([named('c', 'zoe'), named('b', 'Ada'), named('d', 'Ångström'), named('a', 'ada')], 2024)
  assert.deepEqual(
    sorted.returns.map(({ partnerId }) => partnerId),
    ['a', 'b', 'c', 'd'],
  )
})

const payer = {
  ...{ legalName: 'Northwind Inc.', ein: '12-3456780', phone: '+1 (212) 555-0100', country: 'US' },
  address: { addressLine: '2 Main Street', zipCode: '04101', city: 'Portland', state: 'Maine' },
}
const rowsOf = (forms: Partial<W9>[]) => {
  const returns = forms.map((form): Return => ({ partnerId: newId(), amount: 1234_05, form: w9(form) }))
  return readCsv(necLines(2024, payer, returns))
}
const filled = (row: Record<string, string>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))

test('a file has the columns of its year’s template, and every cell in its place', () => {
  const { header, rows } = rowsOf([{}])
  assert.deepEqual(
    header,
    irisTemplates[2024]!.map(([name]) => name),
  )
  assert.equal(header.length, 54)
  assert.deepEqual(filled(rows[0]!), {
    'Form Type': '1099-NEC',
    'Tax Year': '2024',
    'Payer TIN Type': 'EIN',
    'Payer Taxpayer ID Number': '123456780',
    'Payer Name Type': 'B',
    'Payer Business or Entity Name Line 1': 'Northwind Inc.',
    'Payer Country': 'US',
    'Payer Address Line 1': '2 Main Street',
    'Payer City/Town': 'Portland',
    'Payer State/Province/Territory': 'ME',
    'Payer ZIP/Postal Code': '04101',
    'Payer Phone Type': 'D',
    'Payer Phone': '2125550100',
    'Recipient TIN Type': 'SSN',
    'Recipient Taxpayer ID Number': '219097391',
    'Recipient Name Type': 'I',
    'Recipient First Name': 'Pia',
    'Recipient Last Name (Surname)': 'Tern',
    'Recipient Country': 'US',
    'Recipient Address Line 1': '1 Broad Street',
    'Recipient City/Town': 'New York',
    'Recipient State/Province/Territory': 'NY',
    'Recipient ZIP/Postal Code': '10004',
    '2nd TIN Notice': 'N',
    'Box 1 - Nonemployee Compensation': '1234.05',
    'Box 2 - Payer made direct sales totaling $5000 or more of consumer products to a recipient for resale': 'N',
  })
})

test('a person’s name is divided, a business’s is not, and none is a formula', () => {
  const names = (fields: Partial<W9>) => {
    const row = rowsOf([fields]).rows[0]!
    return [
      'Name Type',
      'Business or Entity Name Line 1',
      'Business or Entity Name Line 2',
      'First Name',
      'Middle Name',
    ]
      .concat('Last Name (Surname)', 'Suffix')
      .map((column) => row[`Recipient ${column}`])
      .join('|')
  }
  assert.equal(names({ name: 'Pia Maria  van Tern' }), 'I|||Pia|Maria van|Tern|')
  assert.equal(names({ name: 'Sam Tern Jr.' }), 'I|||Sam||Tern|Jr.')
  assert.equal(names({ name: 'Sam Tern, Jr.' }), 'I|||Sam||Tern|Jr.')
  assert.equal(names({ name: 'Madonna' }), 'I|||||Madonna|')
  assert.equal(names({ name: 'Pia Tern', businessName: 'Tern Media' }), 'B|Pia Tern|Tern Media||||')
  assert.equal(names({ name: 'Tern & Co', classification: 'partnership' }), 'B|Tern & Co|||||')
  assert.equal(names({ name: 'Tern LLC', tinType: 'ein', classification: 'llc-p' }), 'B|Tern LLC|||||')
  assert.equal(names({ name: '=cmd() @Tern' }), "I|||'=cmd()||'@Tern|")
  assert.equal(names({ name: '+Tern "Ltd", Inc', tinType: 'ein' }), `B|'+Tern "Ltd", Inc|||||`)
  const [row] = rowsOf([
    { address: { ...w9().address, addressLine: '-1+1', city: '\t@x', zipCode: '10004-1234' } },
  ]).rows
  assert.deepEqual(
    [row!['Recipient Address Line 1'], row!['Recipient City/Town'], row!['Recipient ZIP/Postal Code']],
    ["'-1+1", "'\t@x", '100041234'],
  )
})

type Partner = { id: string; token: string }
const path = (account: TestAccount, year = 2024) => `/accounts/${account.id}/tax-years/${year}/1099-nec`
const get = (account: TestAccount, query = '', year = 2024) =>
  app.api('GET', `${path(account, year)}${query}`, { token: account.token })
const preview = async (account: TestAccount, year = 2024) => expectOk(await get(account, '?preview=true', year)).body
const paid = async (account: TestAccount, partner: { id: string }, amount: number, paidOn = '2024-06-01') =>
  transaction(db, async (tx) =>
    recordPastPayouts(tx, system, await readAccountFacts(db, account.id), [
      { partnerId: partner.id, amount, paidOn, externalReference: null },
    ]),
  )
const aPartnerPaid = async (account: TestAccount, amount: number, firstName = 'Pia') => {
  const partner: Partner = await aPartner(app, account, { firstName }, { signIn: true })
  await paid(account, partner, amount)
  return partner
}
const why = ({ status, body }: Awaited<ReturnType<typeof get>>) => `${status} ${body.error?.reason}`

test('a year’s file has who was paid the threshold, and the preview who is missing', async () => {
  const account = await anAccount(app)
  await wantForms(app, account, 'ask')
  const enough = await aPartnerPaid(account, 600_00)
  const less = await aPartnerPaid(account, 599_99)
  const without = await aPartnerPaid(account, 900_00, 'Zoe')
  const noted = await aPartnerPaid(account, 900_00, 'Ann')
  expectOk(
    await app.api('PUT', `/partners/${noted.id}`, {
      token: account.token,
      body: { taxForm: { kind: 'w-9', receivedOn: '2024-01-01' } },
    }),
  )
  for (const partner of [enough, less]) expectOk(await signForm(app, partner))
  assert.deepEqual(await preview(account), {
    ...{ rows: 1, parts: 1, template: true },
    missing: [
      { partnerId: noted.id, partnerName: 'Ann Tern', reason: 'recorded-by-owner' },
      { partnerId: without.id, partnerName: 'Zoe Tern', reason: 'no-form' },
    ],
  })
  const file = await get(account)
  assert.match(file.headers.get('content-disposition')!, /"1099-nec-2024-1\.csv"/)
  const [row, ...none] = readCsv(file.body).rows
  assert.deepEqual(none, [])
  assert.deepEqual(
    [row!['Recipient Taxpayer ID Number'], row!['Box 1 - Nonemployee Compensation']],
    ['219097391', '600.00'],
  )
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=tax-file.downloaded`, { token: account.token }),
  ).body
  assert.deepEqual(items[0].changes, {
    year: { old: null, new: 2024 },
    part: { old: null, new: 1 },
    rows: { old: null, new: 1 },
    sha256: { old: null, new: createHash('sha256').update(file.body).digest('hex') },
  })
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/tax-years/2024`, {
      token: account.token,
      body: { threshold: 700_00 },
    }),
  )
  assert.equal((await preview(account)).rows, 0, 'the account’s own threshold counts')
})

test('what PayPal paid is reported by PayPal', async () => {
  const account = await anAccount(app)
  await wantForms(app, account, 'ask')
  const partner = await aPartnerPaid(account, 400_00)
  await paid(account, partner, 300_00, '2024-07-01')
  expectOk(await signForm(app, partner))
  const row = async () =>
    expectOk(await app.api('GET', `/accounts/${account.id}/tax-years/2024`, { token: account.token })).body.items[0]
  const before = await row()
  assert.deepEqual([before.paid, before.reportable, before.taxPaid, before.overThreshold], [700_00, 700_00, 0, true])
  await asDatabaseOwner(db).run`alter table payouts drop constraint if exists payouts_method_check`
  await db.run`update payouts set method = 'paypal' where account_id = ${account.id} and amount = 300_00`
  const after = await row()
  assert.deepEqual([after.paid, after.reportable, after.overThreshold], [700_00, 400_00, false])
  assert.equal((await preview(account)).rows, 0)
})

test('a file is refused without a template, a payer, dollars, rows, or a fresh proof', async () => {
  const account = await anAccount(app)
  assert.equal(why(await get(account, '', 2025)), '409 template_not_known')
  assert.equal((await preview(account, 2025)).template, false)
  assert.equal(why(await get(account)), '409 nec_payer_incomplete')
  assert.equal((await get(account)).body.error.values.missing, 'Legal Name, EIN, Address, Phone')
  await wantForms(app, account, 'off')
  assert.equal(why(await get(account)), '409 nec_empty')
  const partner = await aPartnerPaid(account, 700_00)
  expectOk(await signForm(app, partner))
  assert.equal(why(await get(account, '?part=2')), '422 nec_part_wrong')
  for (const query of ['?part=0', '?part=1.5', '?part=x', '?preview=false', '?unknown=1'])
    assert.equal((await get(account, query)).status, 422, query)
  assert.equal(why(await get(account, '', 1999)), '422 tax_year_wrong')
  const abroad = await anAccount(app, { defaultCurrency: 'eur' })
  assert.equal(why(await get(abroad)), '409 nec_not_in_usd')
  const body = { name: 'Reader', rights: ['read'], expiresAt: null }
  const { key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body }),
  ).body
  for (const [token, status] of [
    [partner.token, 403],
    [abroad.token, 404],
    [key, 403],
    [undefined, 401],
  ] as const)
    assert.equal((await app.api('GET', path(account), { token })).status, status)
  assert.equal((await get(account)).status, 200)
  clock.advance(11 * 60_000)
  assert.equal(why(await get(account)), '403 password_first')
  account.token = (await signIn(app, account.ownerEmail)).token
  assert.equal((await get(account)).status, 200)
})

test('a form replaced between preview and download is in the file as it is then', async () => {
  const account = await anAccount(app)
  await wantForms(app, account, 'ask')
  const partner = await aPartnerPaid(account, 700_00)
  expectOk(await signForm(app, partner))
  assert.equal((await preview(account)).rows, 1)
  expectOk(await signForm(app, partner, aW9({ tin: '219-09-1234' })))
  assert.match((await get(account)).body, /"219091234"/)
  expectOk(await signForm(app, partner, aW8Ben()))
  assert.equal(why(await get(account)), '409 nec_empty')
  expectOk(await signForm(app, partner))
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { taxForm: null } }))
  assert.deepEqual((await preview(account)).missing[0].reason, 'no-form')
  assert.equal(why(await get(account)), '409 nec_empty')
})

test('an erased partner stays in the file, by the sealed form', async () => {
  const account = await anAccount(app)
  await wantForms(app, account, 'ask')
  const partner = await aPartnerPaid(account, 700_00)
  expectOk(await signForm(app, partner))
  await bookDue(app, account, partner, 700_00)
  for (const act of ['archive', 'erase'])
    expectOk(await app.api('POST', `/partners/${partner.id}/${act}`, { token: account.token, body: {} }))
  assert.deepEqual(await preview(account), { rows: 1, parts: 1, template: true, missing: [] })
  assert.match((await get(account)).body, /"Pia".*"Tern"/)
})

test('more returns than a file holds are divided, each once, in order', async () => {
  const account = await anAccount(app)
  await wantForms(app, account, 'ask')
  const partner = await aPartnerPaid(account, 700_00)
  const count = MOST_RETURNS + 3
  for (let at = 1; at < count; at++) {
    const id = newId()
    await db.run`
      insert into partners (id, account_id, email, referral_code, created_on, created_at, updated_at, tax_form)
      values (${id}, ${account.id}, ${`n${at}@mail.example`}, ${`nina-${at}`}, '2024-01-01', ${db.now}, ${db.now},
        '{"kind": "w-9", "receivedOn": "2024-01-01", "source": "partner"}')`
    const formId = newId()
    const form = w9({ name: `Nina ${String(at).padStart(3, '0')}`, tin: String(219_090_000 + at) })
    const place = `tax_forms|form_sealed|${formId}|${account.id}`
    await db.run`
      insert into tax_forms (id, account_id, partner_id, number, kind, received_on, form_sealed, created_at)
      values (${formId}, ${account.id}, ${id}, 1, 'w-9', '2024-01-01',
        ${app.services.secrets.seal(JSON.stringify(form), place)}, ${db.now})`
    await paid(account, { id }, 600_00 + at)
  }
  expectOk(await signForm(app, partner))
  assert.deepEqual(await preview(account), { rows: count, parts: 2, template: true, missing: [] })
  const files = [await get(account), await get(account, '?part=2')].map(({ body }) => readCsv(body).rows)
  assert.deepEqual(
    files.map(({ length }) => length),
    [MOST_RETURNS, 3],
  )
  const names = files.flat().map((row) => `${row['Recipient First Name']} ${row['Recipient Last Name (Surname)']}`)
  assert.deepEqual(names, [...new Set(names)].toSorted())
  assert.equal(why(await get(account, '?part=3')), '422 nec_part_wrong')
})
