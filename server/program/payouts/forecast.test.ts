import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Balance, BalanceTotals, ListedBalance, PayoutForecast } from '#contract/balances.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { aPayee, bankDetails, bookDue, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'

const app = await startApp({ clock: turnableClock('2026-11-21T12:00:00Z') })
after(() => app.close())

type Payee = { id: string; token?: string }

const post = async (account: TestAccount, path: string, body: object) =>
  expectOk(await app.api('POST', path, { token: account.token, body })).body
const read = async (path: string, token: string | undefined): Promise<PayoutForecast> =>
  expectOk(await app.api('GET', `${path}/payouts/forecast`, { token })).body
const ofAccount = async (account: TestAccount) => figures(await read(`/accounts/${account.id}`, account.token))
const ofPartner = async (partner: Payee, token: string | undefined) =>
  figures(await read(`/partners/${partner.id}`, token))
const figures = ({ howPaid: _, ...rest }: PayoutForecast) => rest

/** Records a sale of this partner, who earns a fifth. */
async function sell(account: TestAccount, partner: Payee, amount: number, saleDate = '2026-11-21') {
  const lead = await post(account, `/accounts/${account.id}/leads`, {
    partnerId: partner.id,
    externalId: `lead-${Math.random()}`,
  })
  return post(account, `/leads/${lead.id}/sales`, { amount, saleDate })
}
const thirtyDays = { payoutDelay: 30, defaultCommissionSettings: { layerRates: [20] } }

test('what is known today is paid on its days: to a partner with the number of commissions and where it goes', async () => {
  const account = await anAccount(app, thirtyDays)
  const partner = await aPayee(app, account)
  const other = await aPayee(app, account)
  await sell(account, partner, 100_00, '2026-10-30')
  const two = await sell(account, partner, 50_00, '2026-10-30')
  await sell(account, partner, 30_00, '2026-11-10')
  await sell(account, other, 200_00, '2026-11-10')
  await bookDue(app, account, partner, 4_00)

  const days = [
    { date: '2026-11-21', amount: 4_00, count: 1, destination: '6789' },
    { date: '2026-11-29', amount: 30_00, count: 2, destination: '6789' },
    { date: '2026-12-10', amount: 6_00, count: 1, destination: '6789' },
  ]
  const nothing = { amount: 0, count: 0 }
  assert.deepEqual(await ofPartner(partner, partner.token), { currency: 'usd', days, blocked: nothing })
  assert.deepEqual(
    await ofPartner(partner, account.token),
    { currency: 'usd', days: days.map(({ destination, ...day }) => day), blocked: nothing },
    'to the owner the same without the account it goes to',
  )
  const behind = (payday: string) =>
    app.api('GET', `/partners/${partner.id}/commissions?payday=${payday}`, { token: partner.token })
  for (const { date, count, amount } of days) {
    const { items, totals } = expectOk(await behind(date)).body
    assert.deepEqual([items.length, totals], [count, { count, amount }], date)
  }
  assert.deepEqual(expectOk(await behind('blocked')).body.totals, { count: 0, amount: 0 })
  assert.deepEqual((await behind('soon')).body.error.fields, { payday: 'Use a date such as 2026-12-01, or blocked' })
  assert.deepEqual(await ofAccount(account), {
    currency: 'usd',
    days: [
      { date: '2026-11-21', amount: 4_00, count: 1 },
      { date: '2026-11-29', amount: 30_00, count: 1 },
      { date: '2026-12-10', amount: 46_00, count: 2 },
    ],
    blocked: nothing,
  })

  await post(account, `/sales/${two.id}/refunds`, { reason: 'Not needed' })
  assert.deepEqual((await ofPartner(partner, partner.token)).days[1], { ...days[1]!, amount: 20_00, count: 3 })
})

test('a debt is taken from what falls due after it, and what is below the minimum waits for the day that reaches it', async () => {
  const account = await anAccount(app, { ...thirtyDays, minimumPayout: 25_00 })
  const partner = await aPayee(app, account)
  await bookDue(app, account, partner, -10_00)
  await sell(account, partner, 100_00, '2026-10-30')
  await sell(account, partner, 75_00, '2026-11-10')
  await sell(account, partner, 60_00, '2026-11-15')
  assert.deepEqual(await ofPartner(partner, partner.token), {
    currency: 'usd',
    days: [{ date: '2026-12-10', amount: 25_00, count: 3, destination: '6789' }],
    blocked: { amount: 0, count: 0 },
  })
})

test('whom something stops is blocked with all that would come, unless it is below the minimum', async () => {
  const account = await anAccount(app, { ...thirtyDays, minimumPayout: 5_00 })
  const partner = await aPartner(app, account, {}, { signIn: true })
  await sell(account, partner, 100_00, '2026-10-01')
  await sell(account, partner, 50_00, '2026-11-10')
  const small = await aPartner(app, account)
  await sell(account, small, 20_00)
  const blocked = { currency: 'usd', days: [] }
  assert.deepEqual(await ofPartner(partner, partner.token), { ...blocked, blocked: { amount: 30_00, count: 2 } })
  assert.deepEqual(await ofAccount(account), { ...blocked, blocked: { amount: 30_00, count: 1 } })

  expectOk(
    await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() }),
  )
  const approve = (approvedPayoutYears: number[]) =>
    app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { approvedPayoutYears } })
  expectOk(await approve([2027]))
  assert.deepEqual(
    (await ofPartner(partner, partner.token)).days,
    [{ date: '2027-01-01', amount: 30_00, count: 2, destination: '6789' }],
    'approved from the next year on: what waits is paid on its first day',
  )
  expectOk(await approve([2026]))
  await sell(account, partner, 70_00, '2026-11-21')
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { payoutDelay: 60 } }))
  const late = await sell(account, partner, 45_00, '2026-11-20')
  assert.deepEqual(
    await ofPartner(partner, partner.token),
    {
      currency: 'usd',
      days: [
        { date: '2026-11-21', amount: 20_00, count: 1, destination: '6789' },
        { date: '2026-12-10', amount: 10_00, count: 1, destination: '6789' },
        { date: '2026-12-21', amount: 14_00, count: 1, destination: '6789' },
      ],
      blocked: { amount: 9_00, count: 1 },
    },
    'a payday of a year that nobody has approved yet is blocked',
  )
  await post(account, `/sales/${late.id}/void`, { reason: 'Typed twice' })
  const body = { state: 'suspended', reason: 'Under discussion' }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  assert.deepEqual(await ofPartner(partner, partner.token), { ...blocked, blocked: { amount: 44_00, count: 5 } })
})

test('the list of balances says of each partner what the forecast says, and why nothing will be paid', async () => {
  const account = await anAccount(app, {
    ...thirtyDays,
    payoutDelay: 60,
    minimumPayout: 50_00,
    paydays: { every: 'month', days: [1, 15] },
  })
  const amelia = await aPayee(app, account, { firstName: 'Amelia', lastName: 'Brooks' })
  const yuki = await aPayee(app, account, { firstName: 'Yuki', lastName: 'Sato' })
  const small = await aPayee(app, account, { firstName: 'Small' })
  const paid = await aPayee(app, account, { firstName: 'Paid' })
  const approve = (partner: Payee, approvedPayoutYears: number[]) =>
    app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { approvedPayoutYears } })
  for (const partner of [amelia, yuki, small, paid]) expectOk(await approve(partner, [2026]))
  await sell(account, amelia, 200_00, '2026-09-30')
  await sell(account, amelia, 200_00, '2026-10-28')
  await sell(account, yuki, 200_00, '2026-09-30')
  await sell(account, yuki, 600_00, '2026-10-11')
  await sell(account, small, 200_00, '2026-09-30')
  await sell(account, paid, 300_00, '2026-09-30')
  await sell(account, paid, 400_00, '2026-10-11')

  const rows = async (query: string) => {
    const path = `/accounts/${account.id}/balances?empty=false&${query}`
    const { items } = expectOk(await app.api('GET', path, { token: account.token })).body as { items: Balance[] }
    return items.map(({ partnerName, nextPayoutDate, paydays, blockers }) => ({
      name: partnerName.split(' ')[0],
      nextPayoutDate,
      paydays: paydays.map(({ date, amount }) => [date, amount]),
      why: blockers.flatMap(({ code, message }) => (code === 'payouts-not-configured' ? [] : message)),
    }))
  }
  const expected = {
    Paid: {
      nextPayoutDate: '2026-12-01',
      paydays: [
        ['2026-12-01', 60_00],
        ['2026-12-15', 80_00],
      ],
      why: [],
    },
    Yuki: { nextPayoutDate: '2026-12-15', paydays: [['2026-12-15', 160_00]], why: [] },
    Small: { nextPayoutDate: null, paydays: [], why: ['Below the minimum of $50.00'] },
    Amelia: { nextPayoutDate: null, paydays: [], why: ['Not yet approved for 2027'] },
  }
  const all = Object.entries(expected).map(([name, rest]) => ({ name, ...rest }))
  assert.deepEqual(new Set(await rows('sort=createdAt')), new Set(all))
  const byDay = await rows('sort=nextPayoutDate')
  assert.deepEqual(byDay.slice(0, 2), all.slice(0, 2))
  assert.deepEqual(new Set(byDay), new Set(all))
  const own = expectOk(await app.api('GET', `/partners/${amelia.id}/balance`, { token: amelia.token })).body as Balance
  assert.deepEqual(
    [own.nextPayoutDate, own.blockers.map(({ code }) => code)],
    [null, ['not-approved-next-year', 'payouts-not-configured']],
  )
  const csv = await app.api('GET', `/accounts/${account.id}/balances/csv?empty=false`, { token: account.token })
  assert.match(String(csv.body), /Yuki Sato.*2026-12-15/)
  assert.match(String(csv.body), /Amelia Brooks.*"","","","80\.00"\r\n/)

  // in groups by payday, as the screen and its file have them
  const path = `/accounts/${account.id}/balances`
  const grouped = expectOk(
    await app.api('GET', `${path}?empty=false&each=payday&sort=nextPayoutDate`, { token: account.token }),
  ).body as { items: ListedBalance[]; totals: BalanceTotals }
  const paying = grouped.items.map(({ partnerName, payday, amount }) => [payday, partnerName.split(' ')[0], amount])
  const inOrder = (those: unknown[]) => those.map((one) => JSON.stringify(one)).sort()
  assert.deepEqual(
    inOrder(paying),
    inOrder([
      ['2026-12-01', 'Paid', 60_00],
      ['2026-12-15', 'Paid', 80_00],
      ['2026-12-15', 'Yuki', 160_00],
      [null, 'Small', 40_00],
      [null, 'Amelia', 80_00],
    ]),
  )
  assert.deepEqual(grouped.totals.paydays, [
    { date: '2026-12-01', amount: 60_00, count: 1 },
    { date: '2026-12-15', amount: 240_00, count: 2 },
    { date: null, amount: 120_00, count: 2 },
  ])
  assert.deepEqual(
    [grouped.totals.count, grouped.totals.held, grouped.totals.nextYear],
    [4, 420_00, { amount: 80_00, count: 1 }],
    'each partner once',
  )
  const columns = 'columns=partnerName,payday,amount'
  const file = await app.api('GET', `${path}/csv?empty=false&each=payday&sort=nextPayoutDate&${columns}`, {
    token: account.token,
  })
  const lines = String(file.body).trim().split('\r\n').slice(1)
  assert.equal(lines.length, 5)
  assert.match(lines[0]!, /^"Paid [^"]+","2026-12-01","60\.00"$/)
  const waiting = await rows('sort=due&nextYear=true')
  assert.deepEqual(
    waiting.map(({ name }) => name),
    ['Amelia'],
    'the partners whom only the next year stops',
  )
  expectOk(await approve(amelia, [2026, 2027]))
  const [first] = (await rows('sort=createdAt')).filter(({ name }) => name === 'Amelia')
  assert.deepEqual(first, { name: 'Amelia', nextPayoutDate: '2027-01-01', paydays: [['2027-01-01', 80_00]], why: [] })
})

test('what is on hold or on its way is in no forecast', async () => {
  const account = await anAccount(app, { ...thirtyDays, payoutDelay: 0 })
  const partner = await aPayee(app, account)
  const email = partner.email
  const lead = await post(account, `/accounts/${account.id}/leads`, { partnerId: partner.id, email })
  await post(account, `/leads/${lead.id}/sales`, { amount: 80_00 })
  assert.deepEqual((await ofPartner(partner, partner.token)).days, [], 'their own purchase is held')
  await bookDue(app, account, partner, 12_00)
  assert.equal((await ofPartner(partner, partner.token)).days[0]!.amount, 12_00)
  await requestRefresh(app, account)
  const [due] = await listPayouts(app, account, partner)
  expectOk(await app.api('POST', `/payouts/${due!.id}/approve`, { token: account.token }))
  assert.deepEqual((await ofPartner(partner, partner.token)).days, [])
})

test('a forecast says how the account pays', async () => {
  const account = await anAccount(app, { ...thirtyDays, minimumPayout: 25_00, defaultCurrency: 'eur' })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const readHowPaid = async () => (await read(`/partners/${partner.id}`, partner.token)).howPaid
  const sentences = [
    'Commissions are due 30 days after the sale.',
    'You are paid once at least €25.00 is due.',
    'Each payout is approved by a person.',
  ]
  assert.deepEqual(await readHowPaid(), sentences)
  const debtor = { name: 'Acme GmbH', iban: 'DE89370400440532013000', bic: null }
  const address = { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' }
  const path = `/accounts/${account.id}/payout-methods/sepa`
  expectOk(await app.api('PUT', path, { token: account.token, body: { ...debtor, address } }))
  assert.deepEqual(await readHowPaid(), [...sentences, 'Payouts go to a euro bank account.'])
})

test('eight paydays are named, and only to whom they are about', async () => {
  const account = await anAccount(app, thirtyDays)
  const partner = await aPayee(app, account)
  for (let day = 1; day <= 10; day++) await sell(account, partner, 10_00, `2026-11-${String(day).padStart(2, '0')}`)
  const { days } = await ofPartner(partner, partner.token)
  assert.deepEqual([days.length, days[0]!.date, days[7]!.date], [8, '2026-12-01', '2026-12-08'])
  const stranger = await aPayee(app, await anAccount(app))
  const statusFor = async (path: string) => (await app.api('GET', path, { token: stranger.token })).status
  assert.equal(await statusFor(`/partners/${partner.id}/payouts/forecast`), 404)
  assert.equal(await statusFor(`/accounts/${account.id}/payouts/forecast`), 403)
})
