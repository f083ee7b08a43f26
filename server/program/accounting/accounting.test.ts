import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, signIn, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { aPayee, aPayout, bookDue, getBalance } from '../../../test/support/payouts.ts'

const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })

const get = (account: TestAccount, path: string) =>
  app.api('GET', `/accounts/${account.id}${path}`, { token: account.token })
const liability = async (account: TestAccount, day: string) => {
  const { owed, due, later, items } = expectOk(await get(account, `/liability/${day}?limit=100&sort=-owed`)).body
  return { owed, due, later, items }
}
const journal = async (account: TestAccount, range: string, detail = 'day') =>
  readCsv(expectOk(await get(account, `/journal/${range}/csv?detail=${detail}`)).body)
const short = ({ rows }: Awaited<ReturnType<typeof journal>>) =>
  rows.map((row) => [row.JournalNo, row.Account, row.Debit, row.Credit].join(' '))
const pay = async (account: TestAccount, partner: { id: string }, amount: number, paidAt: string) => {
  const { id } = await aPayout(app, account, partner, amount)
  return expectOk(
    await app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body: { reference: 'Wire', paidAt } }),
  ).body
}

/** Turns the clock on; a token does not last so long. */
const turn = async (account: TestAccount, at: string) => {
  clock.set(at)
  account.token = (await signIn(app, account.ownerEmail)).token
}

test('what was owed on a day is what was recorded by its end, by the account’s calendar', async () => {
  clock.set('2026-11-20T12:00:00Z')
  const account = await anAccount(app, { timeZone: 'America/New_York' })
  const jane = await aPayee(app, account, { firstName: 'Jane', lastName: '=Whitfield' })
  const ada = await aPayee(app, account, { firstName: 'Ada', lastName: 'Moon' })
  await bookDue(app, account, ada, -5_00)
  // still the twentieth in New York
  await turn(account, '2026-11-21T04:59:00Z')
  const { statementNumber } = await pay(account, jane, 100_00, '2026-11-18')
  await bookDue(app, account, jane, 30_00)
  await turn(account, '2026-11-21T05:00:00Z')
  await bookDue(app, account, jane, 7_00)
  const row = ({ id }: { id: string }, partnerName: string, owed: number) => ({
    ...{ partnerId: id, partnerName, owed, due: owed, later: 0 },
  })
  const twentieth = {
    ...{ owed: 25_00, due: 25_00, later: 0 },
    items: [row(jane, 'Jane =Whitfield', 30_00), row(ada, 'Ada Moon', -5_00)],
  }
  assert.deepEqual(await liability(account, '2026-11-20'), twentieth)
  assert.equal((await liability(account, '2026-11-21')).owed, 32_00)
  // recorded on the twentieth, though it was paid before
  assert.deepEqual(await liability(account, '2026-11-18'), { owed: 0, due: 0, later: 0, items: [] })
  assert.equal((await getBalance(app, account, jane)).due, 37_00)

  assert.deepEqual(short(await journal(account, '2026-11-18..2026-11-21')), [
    '20261120-adjustment Commission expense 125.00 ',
    '20261120-adjustment Commissions payable  125.00',
    '20261120-out Commissions payable 100.00 ',
    '20261120-out Bank  100.00',
    '20261121-adjustment Commission expense 7.00 ',
    '20261121-adjustment Commissions payable  7.00',
  ])
  const single = await journal(account, '2026-11-20..2026-11-20', 'entry')
  assert.deepEqual(single.header, [
    ...['JournalNo', 'Date', 'Account', 'Debit', 'Credit', 'Description', 'Name', 'Reference', 'Currency'],
  ])
  assert.equal(single.rows.length, 8)
  assert.deepEqual(
    single.rows.slice(0, 2).map((one) => [one.Account, one.Debit, one.Credit, one.Name]),
    [
      ['Commissions payable', '5.00', '', 'Ada Moon'],
      ['Commission expense', '', '5.00', 'Ada Moon'],
    ],
  )
  assert.deepEqual(single.rows.at(-1), {
    ...{ JournalNo: '20261120-out', Date: '2026-11-20', Account: 'Bank', Debit: '', Credit: '100.00' },
    ...{ Description: 'Payouts sent', Name: 'Jane =Whitfield', Reference: `PO-${statementNumber}`, Currency: 'usd' },
  })
  const file = readCsv(expectOk(await get(account, '/liability/2026-11-20/csv?sort=name')).body)
  assert.deepEqual(
    file.rows.map(({ partnerName, owed, later }) => [partnerName, owed, later]),
    [
      ['Ada Moon', '-5.00', '0.00'],
      ['Jane =Whitfield', '30.00', '0.00'],
    ],
  )
})

test('what becomes due after a day was owed later on it', async () => {
  clock.set('2026-12-01T12:00:00Z')
  const account = await anAccount(app, { payoutDelay: 30, defaultCommissionSettings: { layerRates: [10] } })
  const partner = await aPayee(app, account)
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const lead = await post(`/accounts/${account.id}/leads`, { partnerId: partner.id, externalId: 'buyer' })
  await post(`/leads/${lead.id}/sales`, { amount: 1000_00, saleDate: '2026-12-01' })
  const { held } = await getBalance(app, account, partner)
  assert.ok(held > 0)
  const sums = async (day: string) => {
    const { items: _, ...rest } = await liability(account, day)
    return rest
  }
  assert.deepEqual(await sums('2026-12-01'), { owed: held, due: 0, later: held })
  await turn(account, '2027-03-01T12:00:00Z')
  assert.deepEqual(await sums('2027-03-01'), { owed: held, due: held, later: 0 })
  assert.deepEqual(await sums('2026-12-01'), { owed: held, due: 0, later: held })
})

test('days ahead, words for days and long journals are refused', async () => {
  clock.set('2027-03-02T12:00:00Z')
  const account = await anAccount(app)
  const refused = async (path: string, words: RegExp) => {
    const { status, body } = await get(account, path)
    assert.equal(status, 422)
    assert.match(JSON.stringify(body), words)
  }
  await refused('/liability/2027-03-03', /cannot be in the future/)
  await refused('/liability/today', /Enter a date/)
  await refused('/journal/2026-01-01..2027-01-02/csv', /at most 366 days/)
  assert.deepEqual((await journal(account, '2026-01-01..2027-01-01')).rows, [])
  assert.deepEqual(await liability(account, '1999-01-01'), { owed: 0, due: 0, later: 0, items: [] })
})
