import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { legalThreshold } from '#contract/tax-rules.ts'
import { system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import { transaction } from '#server/platform/database/pool.ts'
import { yearIn } from '#server/platform/time/days.ts'
import { getAccountFacts } from '#server/program/access/account-facts.ts'
import { recordPastPayouts } from '#server/program/payouts/record-past-payouts.ts'
import { transitionPayout } from '#server/program/payouts/transitions.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import {
  anAccount,
  aPartner,
  expectOk,
  getAdministratorToken,
  signIn,
  startApp,
  type TestAccount,
  turnableClock,
} from '#test/support/app.ts'
import { readCsv } from '#test/support/csv.ts'
import { aStep, type Histories, playHistory } from '#test/support/histories.ts'
import { listSeeds } from '#test/support/model-test.ts'
import { aPayee, aPayout, bookDue, listPayouts } from '#test/support/payouts.ts'
import { createInstalls, workOn } from '#test/support/wise-payouts.ts'
import type { TaxYearPartner } from '../contract.ts'

const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })
const { db } = app.services
const { anInstall, anApproved, show } = createInstalls(app)

const call = (account: TestAccount, method: string, path: string, body?: unknown) =>
  app.api(method, `/accounts/${account.id}/tax-years/${path}`, { token: account.token, body })
const report = async (account: TestAccount, path: string | number) =>
  expectOk(await call(account, 'GET', `${path}`)).body
const rowOf = async (account: TestAccount, year: number, { id }: { id: string }): Promise<TaxYearPartner> =>
  (await report(account, `${year}?limit=100`)).items.find(({ partnerId }: TaxYearPartner) => partnerId === id)
const change = async (account: TestAccount, { id }: { id: string }, body: object) =>
  expectOk(await app.api('PUT', `/partners/${id}`, { token: account.token, body })).body
const yearsOf = async (account: TestAccount, { id }: { id: string }): Promise<number[]> =>
  expectOk(await app.api('GET', `/partners/${id}`, { token: account.token })).body.approvedPayoutYears
const approve = (account: TestAccount, year: number, body: object) => call(account, 'POST', `${year}/approvals`, body)
const facts = async ({ id }: TestAccount) => (await getAccountFacts(db, [id])).get(id)!

/** Pays the partner's due amount by hand, `paidAt` as in mark-paid. */
async function pay(account: TestAccount, partner: { id: string }, amount: number, paidAt?: string) {
  const { id } = await aPayout(app, account, partner, amount)
  const body = { reference: 'Wire', ...(paidAt && { paidAt }) }
  return expectOk(await app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body })).body.id as string
}

test('the report has each partner’s payments of the year, approval, tax form and the threshold', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account, { firstName: '=Robert\n', lastName: '𝔏ong "ß" \u202eName' })
  await change(account, partner, { taxForm: { kind: 'w-9', receivedOn: '2001-01-01' } })
  await pay(account, partner, 1999_99)
  assert.deepEqual(await rowOf(account, 2026, partner), {
    ...{ partnerId: partner.id, partnerName: '=Robert 𝔏ong "ß" \u202eName', email: partner.email, currency: 'usd' },
    ...{ paid: 1999_99, reportable: 1999_99, rewards: 0, taxPaid: 0, payouts: 1, method: 'manual', approved: true },
    overThreshold: false,
    taxForm: { kind: 'w-9', receivedOn: '2001-01-01', expired: false },
  })
  await pay(account, partner, 1)
  const whole = await report(account, 2026)
  assert.equal(whole.items[0].overThreshold, true, 'at the threshold a form is due')
  assert.deepEqual(whole.totals, {
    ...{ partners: 1, paid: 2000_00, reportable: 2000_00, rewards: 0, payouts: 2, approved: 1, overThreshold: 1 },
    formsMissing: 0,
  })
  const { threshold, legalThreshold, currency, year, total } = whole
  assert.deepEqual(
    { threshold, legalThreshold, currency, year, total },
    {
      ...{ threshold: 2000_00, legalThreshold: 2000_00, currency: 'usd', year: 2026, total: 1 },
    },
  )
  const next = await rowOf(account, 2027, partner)
  assert.deepEqual(
    [next.paid, next.payouts, next.method, next.approved, next.overThreshold],
    [0, 0, null, false, false],
  )

  const file = await call(account, 'GET', '2026/csv')
  assert.match(file.headers.get('content-disposition')!, /"year-report\.csv"/)
  assert.deepEqual(readCsv(file.body).rows, [
    {
      ...{ partnerId: partner.id, partnerName: `'=Robert 𝔏ong "ß" \u202eName`, email: partner.email, currency: 'usd' },
      ...{ paid: '2000.00', reportable: '2000.00', rewards: '0.00', taxPaid: '0.00', payouts: '2', method: 'manual' },
      ...{ approved: 'true', overThreshold: 'true' },
      ...{ taxFormKind: 'w-9', taxFormReceivedOn: '2001-01-01', taxFormExpired: 'false' },
    },
  ])
})

test('past payouts count in the year of payment; a returned or reverted one no longer counts', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const past = await transaction(db, async (tx) =>
    recordPastPayouts(tx, system, await facts(account), [
      { partnerId: partner.id, amount: 500_00, paidOn: '2025-12-31', externalReference: null },
      { partnerId: partner.id, amount: 70_00, paidOn: '2026-01-01', externalReference: null },
    ]),
  )
  const paid = async (year: number) => (await rowOf(account, year, partner)).paid
  assert.deepEqual([await paid(2025), await paid(2026)], [500_00, 70_00])
  await bookDue(app, account, partner, 570_00)
  const bounced = await pay(account, partner, 30_00)
  assert.equal(await paid(2026), 100_00)
  const moves = async (id: string, how: 'return' | 'undo-import') =>
    transaction(db, async (tx) =>
      transitionPayout(tx, await facts(account), id, how, {
        by: how === 'return' ? system : { type: 'user', id: null as never },
      }),
    )
  await moves(bounced, 'return')
  assert.equal(await paid(2026), 70_00)
  await moves(past[0]!, 'undo-import')
  assert.deepEqual([await paid(2025), await paid(2026)], [0, 70_00])
})

// A second model: the year of each payment in its account’s calendar, summed in a map.

const TURNS = ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-11-20T00:00:00Z']

const payments = (timeZone: string): Histories<Awaited<ReturnType<typeof aProgram>>> => ({
  begin: () => aProgram(timeZone),
  length: 16,
  steps: {
    pay: aStep(
      fc.record({
        partner: fc.nat(2),
        amount: fc.integer({ min: 1, max: 1000_00 }),
        turn: fc.nat(2),
        isExact: fc.nat(3).map((roll) => roll === 0),
        minutes: fc.nat(30 * 60 - 1),
      }),
      async ({ account, partners, paidIn }, { partner: place, amount, turn, isExact, minutes }) => {
        const partner = partners[place]!
        // up to fifteen hours before or after, and exactly at the turn of the year
        const off = isExact ? 0 : (minutes - 15 * 60) * 60_000 - (turn === 2 ? 15 * 3_600_000 : 0)
        const at = new Date(Date.parse(TURNS[turn]!) + off)
        await pay(account, partner, amount, at.toISOString())
        const key = `${partner.id} ${yearIn(timeZone, at)}`
        paidIn.set(key, (paidIn.get(key) ?? 0) + amount)
      },
    ),
  },
  async end({ account, partners, paidIn }) {
    for (const year of [2023, 2024, 2025, 2026, 2027]) {
      const { items, totals } = await report(account, `${year}?sort=-paid`)
      const sums = partners.map(({ id }) => paidIn.get(`${id} ${year}`) ?? 0)
      assert.deepEqual(
        items.map(({ partnerId, paid }: TaxYearPartner) => [partnerId, paid]).sort(),
        partners.map(({ id }, at) => [id, sums[at]]).sort(),
        `${timeZone} ${year}`,
      )
      assert.equal(
        totals.paid,
        sums.reduce((sum, one) => sum + one, 0),
      )
      assert.deepEqual(
        items.map(({ paid }: TaxYearPartner) => paid),
        [...sums].sort((a, b) => b - a),
      )
    }
    const { paidThisYear } = expectOk(
      await app.api('GET', `/accounts/${account.id}/payouts/totals`, { token: account.token }),
    ).body
    const { totals } = await report(account, yearIn(timeZone, clock.now()))
    assert.deepEqual({ amount: totals.paid, count: totals.payouts }, paidThisYear)
  },
})

async function aProgram(timeZone: string) {
  const account = await anAccount(app, { timeZone })
  const partners = [await aPayee(app, account), await aPayee(app, account), await aPayee(app, account)]
  for (const year of [2024, 2025, 2026])
    expectOk(await approve(account, year, { partnerIds: partners.map(({ id }) => id) }))
  return { account, partners, paidIn: new Map<string, number>() }
}

for (const seed of listSeeds(1))
  for (const timeZone of ['Pacific/Auckland', 'America/Los_Angeles'])
    test(`the report sums payments by the calendar of ${timeZone}, and equals those of this year, seed ${seed}`, () =>
      playHistory(payments(timeZone), seed))

test('a payout counts in the year its money left, wherever it arrives, even if the time zone changes later', async () => {
  clock.set('2026-12-29T15:00:00Z')
  const install = await anInstall({ balance: { USD: 10_000 } })
  const { account, partner, wise, services } = install
  const years = async () => {
    const at = `/accounts/${account.id}/payouts`
    const read = async (path: string) => expectOk(await app.api('GET', `${at}${path}`, { token: account.token })).body
    return [
      (await rowOf(account, 2026, partner)).paid,
      (await rowOf(account, 2027, partner)).paid,
      (await read('/totals')).paidThisYear.amount,
      (await read('?status=paid&paidYear=2026')).totals.amount,
      (await read('?status=paid&paidFrom=2026-12-29&paidTo=2026-12-29')).totals.amount,
    ]
  }
  const id = await anApproved(install, 2500_00)
  await workOn(services, id)
  wise.setState([...wise.transfers.values()].at(-1)!.id, 'outgoing_payment_sent')
  await workOn(services, id)
  clock.set('2027-01-08T15:00:00Z')
  account.token = (await signIn(app, account.ownerEmail)).token
  await workOn(services, id)
  const paid = await show(install, id)
  assert.deepEqual([paid.status, paid.paidAt!.slice(0, 4), paid.paidOn], ['paid', '2027', '2026-12-29'])
  assert.deepEqual(await years(), [2500_00, 0, 0, 2500_00, 2500_00])

  // by hand the given date is used, in the time zone at that time
  await change(account, partner, { approvedPayoutYears: [2026, 2027] })
  await pay(account, partner, 70_00, '2027-01-01')
  await pay(account, partner, 5_00, '2027-01-01T00:30:00Z')
  for (const timeZone of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { timeZone } }))
    assert.deepEqual(await years(), [2500_00, 75_00, 75_00, 2500_00, 2500_00], timeZone)
    assert.deepEqual(await verifyLedger(db), [])
  }
  clock.set('2026-11-20T12:00:00Z')
})

test('the list is searched, filtered, sorted and paged, and so are the totals', async () => {
  const account = await anAccount(app)
  const rich = await aPayee(app, account, { firstName: 'Zoe', lastName: 'Ash' })
  const poor = await aPayee(app, account, { firstName: 'adam', lastName: 'Birch' })
  const expired = await aPayee(app, account, { firstName: 'Cleo', lastName: 'Dune' })
  const unpaid = await aPartner(app, account, { firstName: 'Bob', lastName: 'Elm' })
  await pay(account, rich, 3000_00)
  await pay(account, poor, 10_00)
  await pay(account, expired, 2500_00)
  await change(account, poor, { taxForm: { kind: 'w-8ben', receivedOn: '2023-01-31' } })
  await change(account, expired, { taxForm: { kind: 'w-8ben-e', receivedOn: '2022-12-31' } })
  const names = async (query: string) => {
    const { items, totals, total } = await report(account, `2026?sort=name&${query}`)
    assert.deepEqual([totals.partners, total], [items.length, items.length], query)
    return items.map(({ partnerName }: TaxYearPartner) => partnerName.split(' ')[0]).join()
  }
  assert.equal(await names(''), 'adam,Bob,Cleo,Zoe')
  assert.equal(await names('overThreshold=true'), 'Cleo,Zoe')
  assert.equal(await names('overThreshold=false'), 'adam,Bob')
  assert.equal(await names('approved=false'), 'Bob')
  assert.equal(await names('paid=true&approved=true'), 'adam,Cleo,Zoe')
  assert.equal(await names('taxForm=missing'), 'Bob,Zoe')
  assert.equal(await names('taxForm=expired'), 'Cleo')
  assert.equal(await names('taxForm=on-file,missing'), 'adam,Bob,Zoe')
  assert.equal(await names(`search=${encodeURIComponent('BIRCH')}`), 'adam')
  assert.equal(await names(`search=${encodeURIComponent(unpaid.email)}`), 'Bob')
  assert.equal(await names('search=%25'), '')
  assert.equal((await report(account, '2026')).totals.formsMissing, 2, 'one has none, the other counts no more')
  assert.equal((await rowOf(account, 2025, expired)).taxForm!.expired, false, 'in the year before it still counted')
  const first = await report(account, '2026?sort=-paid&limit=1')
  const second = await report(account, `2026?sort=-paid&limit=1&cursor=${first.nextCursor}`)
  assert.deepEqual([first.items[0].partnerId, second.items[0].partnerId], [rich.id, expired.id])
  assert.deepEqual([first.total, second.total, second.totals.paid], [4, 4, 5510_00])
  for (const query of ['sort=email', 'taxForm=lost', 'toApprove=false', 'approved=yes', 'cursor=x', 'unknown=1'])
    assert.equal((await call(account, 'GET', `2026?${query}`)).status, 422, query)
})

test('an invalid year, one before 2000 or one after next year is refused, by the account’s calendar', async () => {
  const account = await anAccount(app)
  for (const year of ['1999', '2028', '20260', '02026', '2026.5', 'abc', '-2026', '２０２６'])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/csv', undefined],
      ['PUT', '', { threshold: null }],
      ['POST', '/approvals', { all: true }],
    ] as const) {
      const { status, body: answer } = await call(account, method, `${encodeURIComponent(year)}${path}`, body)
      assert.deepEqual([status, Object.keys(answer.error.fields)], [422, ['year']], `${method} ${year}${path}`)
    }
  assert.equal((await report(account, 2000)).year, 2000)
  assert.equal((await report(account, 2027)).year, 2027)

  clock.set('2026-12-31T11:00:00Z')
  const ahead = await anAccount(app, { timeZone: 'Pacific/Auckland' })
  assert.equal((await report(ahead, 2028)).year, 2028)
  assert.equal((await call(await anAccount(app), 'GET', '2028')).status, 422, 'it is 2026 there')
  const payee = await aPayee(app, ahead)
  const { blockers } = await aPayout(app, ahead, payee, 10_00)
  const missing = blockers.find(({ code }) => code === 'not-approved-this-year')
  assert.match(missing?.message ?? '', /2027/, 'what counts is the year it is paid in')
  expectOk(await approve(ahead, 2027, { partnerIds: [payee.id] }))
  assert.equal((await listPayouts(app, ahead, payee))[0]!.status, 'due')
  clock.set('2026-11-20T12:00:00Z')
})

test('the legal threshold depends on year and currency, and an account can set its own', async () => {
  assert.deepEqual(
    [2024, 2025, 2026, 2027].map((year) => legalThreshold('usd', year)),
    [600_00, 600_00, 2000_00, 2000_00],
  )
  assert.equal(legalThreshold('eur', 2026), null)
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await pay(account, partner, 700_00)
  const none = await report(account, '2026?overThreshold=true')
  assert.deepEqual([none.threshold, none.legalThreshold, none.items, none.totals.overThreshold], [null, null, [], 0])
  assert.equal((await rowOf(account, 2026, partner)).overThreshold, null)

  const set = (threshold: unknown) => call(account, 'PUT', '2026', { threshold })
  assert.deepEqual(expectOk(await set(700_00)).body, {
    year: 2026,
    currency: 'eur',
    threshold: 700_00,
    legalThreshold: null,
  })
  expectOk(await set(700_00))
  assert.equal((await rowOf(account, 2026, partner)).overThreshold, true)
  assert.equal((await report(account, 2025)).threshold, null, 'a year has its own')
  for (const wrong of [0, -1, 1.5, '700', 1_000_000_000_001, undefined, {}])
    assert.equal((await set(wrong)).status, 422, String(wrong))
  assert.equal((await call(account, 'PUT', '2026', { threshold: 1, year: 2025 })).status, 422)
  assert.equal(expectOk(await set(null)).body.threshold, null)
  const audit = expectOk(
    await app.api('GET', `/accounts/${account.id}/audit?action=account.updated`, { token: account.token }),
  ).body.items
  assert.deepEqual(
    audit.slice(0, 2).map(({ changes }: { changes: object }) => changes),
    [
      { taxYear: { old: null, new: 2026 }, taxThreshold: { old: 700_00, new: null } },
      { taxYear: { old: null, new: 2026 }, taxThreshold: { old: null, new: 700_00 } },
    ],
    'a repetition is no change',
  )
})

test('many are approved at once: each has one event, even if sent twice or concurrently', async () => {
  const account = await anAccount(app)
  const partners = [await aPayee(app, account), await aPayee(app, account), await aPartner(app, account)]
  const partnerIds = partners.map(({ id }) => id)
  const listApprovalEvents = async () => {
    const { items } = expectOk(
      await app.api('GET', `/accounts/${account.id}/audit?action=partner.updated`, { token: account.token }),
    ).body
    return items.filter(({ changes }: { changes: object }) => 'approvedPayoutYears' in changes)
  }
  const before = (await listApprovalEvents()).length
  const both = await Promise.all([
    approve(account, 2027, { partnerIds: [...partnerIds, partnerIds[0]] }),
    approve(account, 2027, { partnerIds: partnerIds.toReversed() }),
  ])
  assert.deepEqual(both.map(({ body }) => body.partnerIds.length).sort(), [0, 3], 'the second finds nothing left to do')
  const all = await listApprovalEvents()
  assert.equal(all.length, before + 3)
  assert.deepEqual(all[0].changes.approvedPayoutYears.new.at(-1), 2027)
  assert.deepEqual(await yearsOf(account, partners[0]!), [2026, 2027])
  assert.deepEqual(await yearsOf(account, partners[2]!), [2027])

  expectOk(await approve(account, 2025, { partnerIds: [partnerIds[0]] }))
  assert.deepEqual(await yearsOf(account, partners[0]!), [2025, 2026, 2027], 'rising, whatever the order')
  const back = expectOk(await approve(account, 2027, { partnerIds, approved: false })).body
  assert.deepEqual(back.partnerIds.sort(), partnerIds.toSorted())
  assert.deepEqual(await yearsOf(account, partners[0]!), [2025, 2026])
  assert.deepEqual(expectOk(await approve(account, 2027, { partnerIds, approved: false })).body.partnerIds, [])
})

test('a wrong request changes no partner: unknown ones, other accounts’, none, too many, both ways at once', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const own = await aPartner(app, account, {}, { signIn: true })
  const foreign = await aPartner(app, other)
  for (const stranger of [foreign.id, newId(), 'x'.repeat(64), '\u0000']) {
    const { status, body } = await approve(account, 2026, { partnerIds: [own.id, stranger] })
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['partnerIds.1']], JSON.stringify(stranger))
  }
  for (const body of [
    {},
    { partnerIds: [] },
    { partnerIds: Array(1001).fill(own.id) },
    { all: false },
    { all: true, partnerIds: [own.id] },
    { all: true, approved: false },
    { partnerIds: [own.id], preview: true },
    { partnerIds: [own.id], shown: [own.id] },
    { partnerIds: own.id },
    { partnerIds: [own.id], year: 2026 },
  ]) {
    const { status } = await approve(account, 2026, body)
    assert.ok(status === 422 || status === 400, JSON.stringify(body).slice(0, 80))
  }
  assert.deepEqual([await yearsOf(account, own), await yearsOf(other, foreign)], [[], []])
  const path = `/accounts/${account.id}/tax-years/2026`
  for (const [token, status] of [
    [own.token, 403],
    [other.token, 404],
    [await getAdministratorToken(app), 403],
    [undefined, 401],
  ] as const) {
    assert.equal((await app.api('GET', path, { token })).status, status)
    assert.equal((await app.api('GET', `${path}/csv`, { token })).status, status)
    assert.equal((await app.api('PUT', path, { token, body: { threshold: null } })).status, status)
    assert.equal((await app.api('POST', `${path}/approvals`, { token, body: { all: true } })).status, status)
  }
})

test('partners to approve for next year: approved this year or owed money, neither suspended nor approved already', async () => {
  const account = await anAccount(app)
  const aName = (firstName: string) => ({ firstName, lastName: 'Tern' })
  const approved = await aPayee(app, account, aName('Approved'))
  const archived = await aPayee(app, account, aName('Archived'))
  const done = await aPayee(app, account, aName('Done'))
  const owed = await aPartner(app, account, aName('Owed'))
  const debtor = await aPartner(app, account, aName('Debtor'))
  const suspended = await aPayee(app, account, aName('Suspended'))
  const paidOut = await aPayee(app, account, aName('Paid-out'))
  const leaving = await aPayee(app, account, aName('Leaving'))
  await aPartner(app, account, aName('Nobody'))
  await bookDue(app, account, owed, 1)
  await bookDue(app, account, debtor, -5_00)
  await bookDue(app, account, leaving, 5_00)
  await pay(account, paidOut, 20_00)
  await change(account, paidOut, { approvedPayoutYears: [] })
  await change(account, done, { approvedPayoutYears: [2026, 2027] })
  await change(account, suspended, { state: 'suspended', reason: 'Under discussion' })
  for (const { id } of [archived, leaving])
    expectOk(await app.api('POST', `/partners/${id}/archive`, { token: account.token, body: {} }))
  const waiting = async () =>
    (await report(account, '2027?toApprove=true&sort=name')).items.map(
      ({ partnerName }: TaxYearPartner) => partnerName.split(' ')[0],
    )
  assert.deepEqual(await waiting(), ['Approved', 'Leaving', 'Owed'])
  const shown = expectOk(await approve(account, 2027, { all: true, preview: true })).body.partnerIds
  assert.deepEqual(shown.toSorted(), [approved.id, owed.id, leaving.id].sort())
  assert.deepEqual(await waiting(), ['Approved', 'Leaving', 'Owed'], 'a preview approves nobody')
  // one is suspended and another earns before the button is pressed
  const newcomer = await aPartner(app, account, aName('Newcomer'))
  await bookDue(app, account, newcomer, 1)
  await change(account, approved, { state: 'suspended', reason: 'Under discussion' })
  const { status, body } = await approve(account, 2027, { all: true, shown })
  assert.deepEqual([status, body.error.code], [409, 'conflict'])
  assert.equal(
    body.error.message,
    'The partners to approve have changed since you reviewed them: 1 added, 1 no longer included. Review them again.',
  )
  assert.deepEqual(body.error.details, { added: [newcomer.id], gone: [approved.id] })
  assert.deepEqual(await waiting(), ['Leaving', 'Newcomer', 'Owed'])
  await change(account, newcomer, { approvedPayoutYears: [2027] })
  await change(account, approved, { state: 'active', reason: 'Agreed' })
  const all = expectOk(await approve(account, 2027, { all: true, shown })).body.partnerIds
  assert.deepEqual(all.sort(), [approved.id, owed.id, leaving.id].sort())
  assert.deepEqual(await waiting(), [])
  assert.deepEqual(expectOk(await approve(account, 2027, { all: true })).body.partnerIds, [])
})

test('a whole program is approved by one call', async () => {
  const account = await anAccount(app)
  await db.run`
    insert into partners (id, account_id, email, referral_code, approved_payout_years, created_on, created_at, updated_at)
    select gen_random_uuid(), ${account.id}, 'one' || n || '@mail.example', 'one' || n, '{2026}', '2026-01-01',
      ${db.now}, ${db.now} from generate_series(1, 1200) n`
  const { totals } = await report(account, '2027?toApprove=true&limit=1')
  assert.equal(totals.partners, 1200)
  const shown = expectOk(await approve(account, 2027, { all: true, preview: true })).body.partnerIds
  assert.equal(expectOk(await approve(account, 2027, { all: true, shown })).body.partnerIds.length, 1200)
  const { events, mentioned } = await db.one<{ events: number; mentioned: number }>`
    select count(*) as events, count(distinct subject_id) as mentioned from told_events
    where account_id = ${account.id} and type = 'partner.updated' and audited
      and data -> 'changes' -> 'approvedPayoutYears' = '{"old": [2026], "new": [2026, 2027]}'`
  assert.deepEqual([events, mentioned], [1200, 1200])
})
