import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { endOfTin, mayBeTin, type TinType } from '#contract/tax-rules.ts'
import { createLogger } from '#server/platform/http/logger.ts'
import { readBalances } from '#server/program/payouts/partner-balances.ts'
import { getPayoutTerms } from '#server/program/payouts/payout-terms.ts'
import { accountRetention } from '#server/retention.ts'
import {
  anAccount,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
  waitUntil,
} from '#test/support/app.ts'
import { placesWith } from '#test/support/canaries.ts'
import { readAccountFacts } from '#test/support/leads.ts'
import { aPayee, aPayout, bankDetails, bookDue, listPayouts } from '#test/support/payouts.ts'
import { aW8Ben, aW9, signForm, wantForms } from '#test/support/tax-forms.ts'

const clock = turnableClock('2026-11-20T12:00:00Z')
let logged = ''
const log = createLogger({ logLevel: 'debug', appEnv: 'local' }, { write: (line) => (logged += line) })
const config = { secretKey: randomBytes(32) }
const app = await startApp({ clock, worker: true, log, config })
const { db } = app.services

type Partner = { id: string; token: string; email: string }
const read = async (partner: { id: string }, token: string) =>
  expectOk(await app.api('GET', `/partners/${partner.id}/tax-form`, { token })).body
const record = async (account: TestAccount, { id }: { id: string }, taxForm: object | null) =>
  expectOk(await app.api('PUT', `/partners/${id}`, { token: account.token, body: { taxForm } })).body.taxForm
const anyone = async (): Promise<{ account: TestAccount; partner: Partner }> => {
  const account = await anAccount(app)
  return { account, partner: await aPartner(app, account, {}, { signIn: true }) }
}
const relayed = () =>
  waitUntil(async () => (await db.one<{ waiting: number }>`select count(*) as waiting from event_relays`).waiting === 0)
const formatReply = ({ status, body }: Awaited<ReturnType<typeof signForm>>) =>
  status < 300 ? `${status}` : `${status} ${body.error.reason} ${Object.keys(body.error.fields ?? {})}`.trim()

test('a number of a taxpayer has the form of its type', () => {
  const cases: [TinType, string | null, boolean][] = [
    ['ssn', '219097391', true],
    ['ssn', '000097391', false],
    ['ssn', '666097391', false],
    ['ssn', '667097391', true],
    ['ssn', '899999998', true],
    ['ssn', '900097391', false],
    ['ssn', '987654320', false],
    ['ssn', '111111111', false],
    ['ssn', '21909739', false],
    ['ssn', '2190973911', false],
    ['ssn', '219-09-7391', false],
    ['ssn', '２１９０９７３９１', false],
    ['ssn', '', false],
    ['ssn', null, false],
    ['ein', '123456780', true],
    ['ein', '000097391', true],
    ['ein', '912345678', true],
    ['ein', '999999999', false],
    ['ein', '12345678a', false],
    ['us', '912901234', true],
    ['us', '000901234', false],
    ['us', null, false],
    ['foreign', '65 929 970 489', true],
    ['foreign', 'ABC-1', true],
    ['foreign', 'Щ123', true],
    ['foreign', '...1', false],
    ['foreign', '1234\n', false],
    ['foreign', '=1+2+3+4', false],
    ['foreign', null, false],
    ['not-required', null, true],
    ['not-required', '219097391', false],
  ]
  for (const [type, tin, may] of cases) assert.equal(mayBeTin(type, tin), may, `${type} ${tin}`)
  assert.deepEqual(
    ['219097391', 'ABC-1', '65 929 970 489', '', null].map((tin) => endOfTin(tin)),
    ['7391', 'C1', '0489', null, null],
    'never more than half of it',
  )
})

test('a form is sealed, and shown by the last four characters of its number', async () => {
  const { account, partner } = await anyone()
  const none = { kind: null, source: null, receivedOn: null, tinType: null, tinLast4: null }
  assert.deepEqual(await read(partner, partner.token), {
    ...{ wanted: 'off', ...none, classification: null, expiresOn: null },
  })
  await wantForms(app, account, 'ask')
  const signed = expectOk(await signForm(app, partner)).body
  assert.deepEqual(signed, {
    ...{ wanted: 'ask', kind: 'w-9', source: 'partner', receivedOn: '2026-11-20', tinType: 'ssn', tinLast4: '7391' },
    ...{ classification: 'individual', expiresOn: null },
  })
  assert.deepEqual(await read(partner, account.token), signed)
  const shown = expectOk(await app.api('GET', `/partners/${partner.id}`, { token: account.token })).body
  assert.deepEqual(shown.taxForm, { kind: 'w-9', receivedOn: '2026-11-20', source: 'partner', tinLast4: '7391' })
  assert.equal(expectOk(await app.api('GET', `/partners/${partner.id}`, { token: partner.token })).body.taxForm, null)

  const abroad = expectOk(await signForm(app, partner, aW8Ben())).body
  assert.deepEqual(abroad, {
    ...{ ...signed, kind: 'w-8ben', tinType: 'foreign', tinLast4: '0489', classification: null },
    expiresOn: '2029-12-31',
  })
  const none2 = { tinType: 'not-required' as const, tin: null }
  assert.equal(expectOk(await signForm(app, partner, aW8Ben(none2))).body.tinLast4, null)
  const rows = await db.many<{ number: number; kind: string; isPresent: boolean; isSealed: boolean }>`
    select number, kind, replaced_at is null as is_present, form_sealed is not null as is_sealed
    from tax_forms where partner_id = ${partner.id} order by number`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      [1, 'w-9', false, true],
      [2, 'w-8ben', false, true],
      [3, 'w-8ben', true, true],
    ],
    'former ones stay sealed',
  )
  const { items } = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=partner.tax-form-updated`, { token: account.token }),
  ).body
  assert.equal(items.length, 3)
  const [event] = await db.many<{ data: object }>`
    select data from told_events where type = 'partner.tax-form-updated' and subject_id = ${partner.id}`
  assert.deepEqual(event!.data, { object: { partnerId: partner.id, kind: 'w-9', receivedOn: '2026-11-20' } })
})

test('what is wrong in a form is refused by its field', async () => {
  const { partner } = await anyone()
  const cases: [object, string][] = [
    [aW9({ tin: '666-09-7391' }), '422 tin_wrong tin'],
    [aW9({ tin: '21909739' }), '422 tin_wrong tin'],
    [aW9({ tinType: 'ein', tin: '99-9999999' }), '422 tin_wrong tin'],
    [aW8Ben({ tinType: 'not-required' }), '422 tin_wrong tin'],
    [aW8Ben({ tinType: 'us', tin: null }), '422 tin_wrong tin'],
    [aW9({ signature: 'Pia T.' }), '422 tax_signature_wrong signature'],
    [aW8Ben({ birthDate: '2026-11-20' }), '422 birth_date_wrong birthDate'],
    [aW8Ben({ birthDate: '1899-12-31' }), '422 birth_date_wrong birthDate'],
    [{ ...aW9(), certified: false }, '422 invalid_fields certified'],
    [{ ...aW9(), classification: 'corporation' }, '422 invalid_fields classification'],
    [{ ...aW9(), tinType: 'itin' }, '422 invalid_fields tinType'],
    [aW9({ exemptPayeeCode: '14' }), '422 invalid_fields exemptPayeeCode'],
    [{ ...aW9(), address: { ...aW9().address, zipCode: '1000' } }, '422 invalid_fields address.zipCode'],
    [{ ...aW9(), address: { ...aW9().address, country: 'ca' } }, '422 invalid_fields address.country'],
    [aW8Ben({ residence: { ...aW8Ben().residence, country: 'us' } }), '422 invalid_fields residence.country'],
    [{ ...aW8Ben(), kind: 'w-8ben-e' }, '422 invalid_fields kind'],
    [{ ...aW9(), birthDate: '1990-01-01' }, '422 invalid_fields birthDate'],
  ]
  for (const [form, expected] of cases) assert.equal(formatReply(await signForm(app, partner, form)), expected)
  assert.equal((await read(partner, partner.token)).kind, null)
  assert.equal(formatReply(await signForm(app, partner, aW9({ signature: '  pia   TERN ' }))), '200')
  const byHolder = aW9({ name: 'Tern Media LLC', classification: 'llc-p', tinType: 'ein', tin: '12-3456780' })
  assert.equal(formatReply(await signForm(app, partner, byHolder)), '422 tax_signature_wrong signature')
  expectOk(
    await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() }),
  )
  assert.equal(formatReply(await signForm(app, partner, byHolder)), '200', 'the account holder signs for a company')
})

test('only the partner signs, with a fresh proof; owner and partner read', async () => {
  const { account, partner } = await anyone()
  const other = await anyone()
  const path = `/partners/${partner.id}/tax-form`
  for (const [token, signs, reads] of [
    [account.token, 403, 200],
    [other.account.token, 403, 404],
    [other.partner.token, 404, 404],
    [undefined, 401, 401],
  ] as const) {
    assert.equal((await app.api('POST', path, { token, body: aW9() })).status, signs)
    assert.equal((await app.api('GET', path, { token })).status, reads)
  }
  const body = { name: 'Reader', rights: ['read'], expiresAt: null }
  const { key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, { token: account.token, body }),
  ).body
  assert.equal((await app.api('GET', path, { token: key })).status, 403, 'a key never reads forms')
  expectOk(await signForm(app, partner))
  const whole = expectOk(await app.api('GET', `/partners/${partner.id}`, { token: key })).body
  assert.deepEqual([whole.taxForm.source, whole.taxForm.tinLast4], ['partner', null])
  clock.advance(11 * 60_000)
  assert.equal(formatReply(await signForm(app, partner)), '403 password_first')
  partner.token = (await signIn(app, partner.email)).token
  assert.equal(formatReply(await signForm(app, partner)), '200')
})

test('a partner’s form replaces the owner’s record, and a later record the form', async () => {
  const { account, partner } = await anyone()
  await record(account, partner, { kind: 'w-8ben-e', receivedOn: '2026-02-03' })
  const recorded = await read(partner, partner.token)
  assert.deepEqual(
    [recorded.kind, recorded.source, recorded.tinLast4, recorded.expiresOn],
    ['w-8ben-e', 'owner', null, '2029-12-31'],
  )
  expectOk(await signForm(app, partner))
  const present = { kind: 'w-9', receivedOn: '2026-11-20' }
  const signed = { ...present, source: 'partner', tinLast4: '7391' }
  assert.deepEqual(await record(account, partner, present), signed, 'the same kind and day is no other form')
  assert.deepEqual(await record(account, partner, { ...present, receivedOn: '2026-11-19' }), {
    ...{ ...present, receivedOn: '2026-11-19', source: 'owner', tinLast4: null },
  })
  const now = await read(partner, account.token)
  assert.deepEqual([now.source, now.tinType, now.tinLast4, now.classification], ['owner', null, null, null])
  expectOk(await signForm(app, partner, aW9({ tin: '219-09-1234' })))
  assert.equal(await record(account, partner, null), null)
  assert.equal((await read(partner, partner.token)).kind, null)
  const { present: left } = await db.one<{ present: number }>`
    select count(*) as present from tax_forms where partner_id = ${partner.id} and replaced_at is null`
  assert.equal(left, 0)
  expectOk(await signForm(app, partner))
  assert.equal((await read(partner, partner.token)).tinLast4, '7391')
})

test('of forms that two processes take at once, one counts', async () => {
  const { partner } = await anyone()
  const another = await startApp({ clock, db, config })
  const forms = Array.from({ length: 12 }, (_, at) => aW9({ tin: `2190973${at + 10}` }))
  const answers = await Promise.all(forms.map((form, at) => signForm(at % 2 ? app : another, partner, form)))
  assert.deepEqual([...new Set(answers.map(formatReply))], ['200'])
  const rows = await db.many<{ number: number; tinLast4: string; isPresent: boolean }>`
    select number, tin_last4, replaced_at is null as is_present from tax_forms where partner_id = ${partner.id}
    order by number`
  assert.deepEqual(
    rows.map(({ number }) => number),
    forms.map((_, at) => at + 1),
  )
  assert.deepEqual(
    rows.map(({ isPresent }) => isPresent),
    forms.map((_, at) => at === forms.length - 1),
  )
  assert.equal((await read(partner, partner.token)).tinLast4, rows.at(-1)!.tinLast4)
  const once = await Promise.all(
    [app, another].map((one) =>
      one.api('POST', `/partners/${partner.id}/tax-form`, {
        token: partner.token,
        body: aW9(),
        headers: { 'idempotency-key': 'signed' },
      }),
    ),
  )
  assert.ok(once.every(({ status }) => status === 200 || status === 409))
  const { count } = await db.one<{ count: number }>`
    select count(*) as count from tax_forms where partner_id = ${partner.id}`
  assert.equal(count, forms.length + 1, 'a call sent twice signs once')
})

test('no whole number is anywhere: tables, answers, logs, exports, a person’s file', async () => {
  const { account, partner } = await anyone()
  await wantForms(app, account, 'ask')
  const canaries = ['417-88-2563', '417882563', '88-1234567', '881234567', 'zz 4417 9981', 'zz44179981']
  const headers = { 'idempotency-key': 'canary' }
  const sign = (body: object) =>
    app.api('POST', `/partners/${partner.id}/tax-form`, { token: partner.token, body, headers })
  const answers = [
    await signForm(app, partner, aW9({ tinType: 'ein', tin: '88-1234567' })),
    await signForm(app, partner, aW8Ben({ tin: 'ZZ 4417 9981' })),
    await sign(aW9({ tin: '417-88-2563' })),
    await sign(aW9({ tin: '417-88-2563' })),
    await signForm(app, partner, aW9({ tin: '417-88-2563', signature: 'Someone' })),
    await signForm(app, partner, { ...aW9({ tin: '417-88-2563' }), tinType: 'x', certified: false }),
    await signForm(app, partner, aW9({ tin: '417-88-25634417-88-2563' })),
    await app.api('GET', `/partners/${partner.id}/tax-form`, { token: partner.token }),
    await app.api('GET', `/partners/${partner.id}`, { token: account.token }),
    await app.api('GET', `/partners/${partner.id}/person`, { token: account.token }),
    await app.api('GET', `/accounts/${account.id}/audit`, { token: account.token }),
    await app.api('GET', `/accounts/${account.id}/tax-years/2026`, { token: account.token }),
    await app.api('GET', `/accounts/${account.id}/tax-years/2026/1099-nec?preview=true`, { token: account.token }),
  ]
  await record(account, partner, { kind: 'w-9', receivedOn: '2026-01-01' })
  await relayed()
  const zip = await app.api('GET', `/accounts/${account.id}/export`, { token: account.token })
  assert.equal(zip.status, 200)
  const texts = [...answers.map(({ body }) => JSON.stringify(body)), logged, String(zip.body)]
  for (const canary of canaries) {
    for (const text of texts) assert.ok(!text.toLowerCase().includes(canary), canary)
    assert.deepEqual(await placesWith(app, [canary]), [])
  }
})

test('a payout waits for a form that counts in the year of payment, where the account requires one', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const { id } = await aPayout(app, account, partner, 30_00)
  const codes = async (token = account.token) =>
    (await listPayouts(app, { ...account, token }, partner)).flatMap(({ blockers }) => blockers)
  const hasCode = async () => (await codes()).some(({ code }) => code === 'tax-form-missing')
  await wantForms(app, account, 'ask')
  assert.equal(await hasCode(), false)
  await wantForms(app, account, 'required')
  assert.ok((await codes()).some(({ message }) => message === 'No tax form for 2026'))
  assert.ok((await codes(partner.token)).some(({ message }) => message === 'Add your tax form'))
  const markPaid = (paidAt?: string) =>
    app.api('POST', `/payouts/${id}/mark-paid`, {
      token: account.token,
      body: { reference: 'Wire', ...(paidAt && { paidAt }) },
    })
  assert.equal((await markPaid()).body.error.reason, 'payout_blocked')
  await record(account, partner, { kind: 'w-8ben', receivedOn: '2022-06-01' })
  assert.equal(await hasCode(), true, 'it has expired')
  const years = { approvedPayoutYears: [2025, 2026] }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: years }))
  assert.equal((await markPaid()).body.error.reason, 'payout_blocked')
  assert.equal((await markPaid('2025-12-30')).status, 200, 'it counted in the year of that payment')
  await record(account, partner, null)
  const next = await aPayout(app, account, partner, 20_00)
  assert.equal(await hasCode(), true)
  expectOk(await signForm(app, partner))
  assert.equal(await hasCode(), false)
  expectOk(
    await app.api('POST', `/payouts/${next.id}/mark-paid`, { token: account.token, body: { reference: 'Wire 2' } }),
  )
})

test('forms of an erased partner stay sealed as long as the records of what they were paid', async () => {
  const account = await anAccount(app)
  const partners = [await aPayee(app, account), await aPayee(app, account, { firstName: 'Ida' })] as const
  const [paid, unpaid] = partners
  for (const partner of partners) {
    expectOk(await signForm(app, partner, aW9({ tin: '219-09-1111' })))
    expectOk(await signForm(app, partner))
  }
  const { id } = await aPayout(app, account, paid, 30_00)
  expectOk(await app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body: { reference: 'Wire' } }))
  const areDone = async (count: number) => {
    const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/erasures`, { token: account.token })).body
    return items.filter(({ done }: { done: boolean }) => done).length === count
  }
  for (const [at, partner] of partners.entries()) {
    await relayed()
    for (const act of ['archive', 'erase'])
      expectOk(await app.api('POST', `/partners/${partner.id}/${act}`, { token: account.token, body: {} }))
    await waitUntil(() => areDone(at + 1))
  }
  const left = ({ id }: { id: string }) => db.many<{ sealed: boolean; digits: string | null; type: string | null }>`
    select form_sealed is not null as sealed, coalesce(tin_last4, classification) as digits, tin_type as type
    from tax_forms where partner_id = ${id} order by number`
  assert.deepEqual(await left(paid), Array(2).fill({ sealed: true, digits: null, type: null }))
  assert.deepEqual(await left(unpaid), Array(2).fill({ sealed: false, digits: null, type: null }))
  assert.equal((await read(paid, account.token)).kind, null)
  const inYear = async (query = '') =>
    expectOk(await app.api('GET', `/accounts/${account.id}/tax-years/2026${query}`, { token: account.token })).body
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/tax-years/2026`, {
      token: account.token,
      body: { threshold: 10_00 },
    }),
  )
  const { overThreshold, formsMissing } = (await inYear()).totals
  assert.deepEqual([overThreshold, formsMissing], [1, 0], 'the sealed form is reported by')
  const withForm = (await inYear('?taxForm=on-file')).items.map(({ partnerId }: { partnerId: string }) => partnerId)
  assert.deepEqual(withForm, [paid.id], 'an emptied form is none')
  await wantForms(app, account, 'required')
  for (const partner of partners) await bookDue(app, account, partner, 20_00)
  const balances = await readBalances(db, await getPayoutTerms(db, await readAccountFacts(db, account.id)), 'all')
  assert.deepEqual(
    balances.flatMap(({ partnerId, blockers }) => (blockers.includes('tax-form-missing') ? [partnerId] : [])),
    [unpaid.id],
  )
  const now = clock.now()
  clock.set('2034-01-01T12:00:00Z')
  await accountRetention.payeeRecords(await readAccountFacts(db, account.id), app.services)
  assert.deepEqual(await left(paid), Array(2).fill({ sealed: false, digits: null, type: null }))
  clock.set(now)
})
