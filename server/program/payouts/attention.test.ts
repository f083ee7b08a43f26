import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Balance } from '#contract/balances.ts'
import { type Payout, type PayoutAttention, payoutNeeds } from '#contract/payouts.ts'
import { fakeWise } from '../../../test/fakes/wise.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount } from '../../../test/support/app.ts'
import { aPayee, aPayout, bankDetails, bookDue, connectWise, requestRefresh } from '../../../test/support/payouts.ts'
import { settingsPlace } from './deposit-details.ts'

const app = await startApp()
const { db } = app.services
const wise = await fakeWise({ clock: () => app.clock.now() })
after(() => wise.close())
const { config } = app.services
Object.assign(app.services, { config: { ...config, wise: { ...config.wise, apiUrl: wise.url } } })

const read = async (account: TestAccount, path: string) =>
  expectOk(await app.api('GET', `/accounts/${account.id}/${path}`, { token: account.token })).body
const attention = async (account: TestAccount) =>
  ((await read(account, 'payouts/attention')) as PayoutAttention).items.map(
    ({ partnerIds, method, fileId, fileNumber, ...item }) => ({
      ...item,
      partners: partnerIds.length,
    }),
  )

/** A reproducible random generator. */
function chance(seed: number) {
  let state = seed * 2_654_435_761
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * limit)
  }
  return { below, oneIn: (many: number) => below(many) === 0 }
}

type World = {
  two: boolean
  account: TestAccount
  connection: 'by hand' | 'taken' | 'refused' | 'removed'
  replaced: Set<string>
}

/** Adds details and this year's approval, without the partner's own call. */
async function unblock(account: TestAccount, id: string) {
  const sealed = app.services.secrets.seal(JSON.stringify(bankDetails()), settingsPlace(id, account.id))
  await db.run`
    insert into payout_settings (partner_id, account_id, details_sealed, version, created_at, updated_at)
    values (${id}, ${account.id}, ${sealed}, gen_random_uuid(), ${db.now}, ${db.now})`
  const year = app.clock.now().getUTCFullYear()
  await db.run`update partners set approved_payout_years = array[${year}::integer] where id = ${id}`
}

/** Creates partners and payouts in every possible state, drawn at random. */
async function aWorld(seed: number, connection: World['connection']): Promise<World> {
  const { below, oneIn } = chance(seed)
  const account = await anAccount(app, { minimumPayout: 20_00, payoutDelay: 0 })
  if (connection !== 'by hand') await connectWise(app, account, wise)
  const replaced = new Set<string>()
  const partners: { id: string }[] = []
  for (let count = 0; count < 12; count++) {
    const named = { firstName: `P${count}`, lastName: 'Tern', sendInvitation: false }
    partners.push(await aPartner(app, account, named))
    await unblock(account, partners[count]!.id)
  }
  for (const partner of partners) await bookDue(app, account, partner, 20_00 + below(900) * 10)
  await requestRefresh(app, account)
  const { items } = (await read(account, 'payouts?limit=100&sort=amount')) as { items: Payout[] }
  for (const { id, partnerId } of items) {
    if (oneIn(3)) continue
    expectOk(await app.api('POST', `/payouts/${id}/approve`, { token: account.token }))
    const method = connection === 'by hand' || oneIn(4) ? 'manual' : 'wise'
    const ways =
      method === 'wise' ? ['approved', 'processing', 'awaiting-funding', 'failed', 'sent', 'returned'] : ['approved']
    const status = [...ways, 'paid'][below(ways.length + 1)]!
    await db.run`update payouts set status = ${status}, method = ${method},
      paid_at = ${status === 'paid' ? db.now : null} where id = ${id}`
    if (status === 'returned') {
      if (oneIn(3)) await db.run`update payout_entries set live = false where payout_id = ${id}`
      if (oneIn(3)) {
        await db.run`update payout_settings set version = gen_random_uuid() where partner_id = ${partnerId}`
        replaced.add(partnerId)
      }
    }
    if (status === 'failed' && oneIn(2))
      await db.run`update payout_settings set rejected_reason = 'No such bank' where partner_id = ${partnerId}`
    if (oneIn(2)) await bookDue(app, account, { id: partnerId }, 20_00 + below(900) * 10)
  }
  for (const { id } of partners) {
    if (oneIn(4)) await db.run`update partners set approved_payout_years = '{}' where id = ${id}`
    if (oneIn(5)) await db.run`update payout_settings set details_sealed = null where partner_id = ${id}`
    const isRejected = oneIn(5)
    if (isRejected) await db.run`update payout_settings set rejected_reason = 'No such bank' where partner_id = ${id}`
    if (oneIn(6)) await db.run`update payout_settings set changed_at = ${db.now} where partner_id = ${id}`
    if (oneIn(6)) await db.run`update partners set state = 'suspended' where id = ${id}`
    if (oneIn(2)) await bookDue(app, account, { id }, below(2) ? 3_00 : -9_00)
  }
  await requestRefresh(app, account)
  if (connection === 'refused')
    await db.run`update payout_accounts set trouble = 'Unauthorized', trouble_kind = 'unauthorized', trouble_with = 'wise'
      where account_id = ${account.id}`
  if (connection === 'removed')
    expectOk(
      await app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, {
        token: account.token,
        body: { wiseToken: null },
      }),
    )
  const two = connection === 'by hand'
  const { now } = db
  if (two)
    await db.run`
    insert into payout_limits (account_id, in_force_at, max_per_payout, approvals, saved_at)
    values (${account.id}, ${now}, ${MOST}, 2, ${now})`
  return { account, connection, replaced, two }
}

/** Above this two people approve, in one of the worlds. */
const MOST = 30_00

const inPayout = ['approved', 'processing', 'awaiting-funding', 'sent', 'failed']

/** A second implementation of the rules, from the lists of payouts and balances. */
function needOf(world: World, payout: Payout, payouts: Payout[], balance: Balance): string | null {
  const codes = payout.blockers.map(({ code }) => code)
  switch (payout.status) {
    case 'due':
      if (codes.includes('deposit-info-changed-recently')) return 'decide'
      return world.two && payout.amount > MOST ? 'second-approval' : 'approve'
    case 'open':
      if (codes.includes('partner-disabled')) return null
      if (codes.includes('no-deposit-info')) return 'remind'
      if (codes.includes('not-approved-this-year')) return 'approve-year'
      return codes.includes('wise-rejected-recipient') ? 'fix-details' : null
    case 'approved':
      if (payout.method === 'manual') return 'pay'
      return world.connection === 'taken' ? null : 'reconnect'
    case 'awaiting-funding':
      return 'fund'
    case 'failed':
      return codes.includes('wise-rejected-recipient') ? 'fix-details' : 'retry'
    case 'returned': {
      const others = payouts.filter(
        ({ partnerId, status }) => partnerId === payout.partnerId && inPayout.includes(status),
      )
      const isBound = balance.inPayout > others.reduce((sum, { amount }) => sum + amount, 0)
      return isBound && !world.replaced.has(payout.partnerId) ? 'fix-details' : null
    }
    default:
      return null
  }
}

async function blockedOf(account: TestAccount) {
  const { totals } = await read(account, 'balances?empty=false&blocked=true&limit=1')
  return { count: totals.count, amount: totals.held + totals.due }
}

const seen = new Set<string>()

for (const [seed, connection] of [
  [1, 'by hand'],
  [12, 'taken'],
  [13, 'taken'],
  [4, 'refused'],
  [5, 'removed'],
] as const)
  test(`what a person can do is what the lists say, seed ${seed}, Wise ${connection}`, async () => {
    const world = await aWorld(seed, connection)
    const { account } = world
    const { items: payouts } = (await read(account, 'payouts?limit=100')) as { items: Payout[] }
    const { items: balances } = (await read(account, 'balances?limit=100')) as { items: Balance[] }
    const balanceOf = (id: string) => balances.find(({ partnerId }) => partnerId === id)!
    const needs = payouts.map((payout) => needOf(world, payout, payouts, balanceOf(payout.partnerId)))
    const { items } = (await read(account, 'payouts/attention')) as PayoutAttention

    for (const kind of payoutNeeds) {
      const mine = payouts.filter((_, at) => needs[at] === kind)
      const shown = items.filter((item) => item.kind === kind)
      if (mine.length > 0) seen.add(kind)
      const sum = mine.reduce((all, { amount }) => all + amount, 0)
      const saidOf = (name: 'count' | 'amount') => shown.reduce((all, item) => all + item[name], 0)
      // changed details need no decision
      const counted = kind === 'decide' ? [] : mine
      assert.deepEqual([saidOf('count'), saidOf('amount')], [counted.length, counted.length && sum], kind)
      assert.deepEqual(
        [...new Set(shown.flatMap(({ partnerIds }) => partnerIds))].sort(),
        [...new Set(counted.map(({ partnerId }) => partnerId))].sort(),
      )
      const list = await read(account, `payouts?attention=${kind}&limit=2`)
      assert.deepEqual(
        [list.total, list.totals.count, list.totals.amount],
        [mine.length, mine.length, sum],
        `the list of ${kind}`,
      )
    }
    // each payout has one need or none, and all that is due has one
    const all = await read(account, `payouts?attention=${payoutNeeds.join(',')}`)
    const none = await read(account, 'payouts?attention=none')
    assert.equal(all.total + none.total, payouts.length)
    const due = await read(account, `payouts?status=due&attention=${payoutNeeds.join(',')}`)
    const totals = await read(account, 'payouts/totals')
    assert.deepEqual(totals.dueNow, { count: due.totals.count, amount: due.totals.amount })
    const totalOf = async (filters: string) => {
      const { count, amount } = (await read(account, `payouts?${filters}&limit=1`)).totals
      return { count, amount }
    }
    assert.deepEqual(
      [totals.unapproved, totals.needsAction, totals.paid],
      [
        await totalOf('status=open,due'),
        await totalOf(`attention=${payoutNeeds.join(',')}`),
        await totalOf('status=paid&attention=none'),
      ],
    )
    const { attention } = await read(account, 'dashboard/2026-01-01..2026-01-31')
    const blocked = attention.find(({ kind }: { kind: string }) => kind === 'blocked-payouts')
    assert.deepEqual([blocked?.count ?? 0, blocked?.amount ?? 0], [all.total, all.totals.amount])

    // computed one by one or all at once, a payout and a balance are the same
    const byAmount = (await read(account, 'payouts?limit=100&sort=-amount')).items as Payout[]
    assert.deepEqual(
      byAmount.toSorted((a, b) => b.statementNumber - a.statementNumber),
      payouts.toSorted((a, b) => b.statementNumber - a.statementNumber),
    )
    const byDay = (await read(account, 'balances?limit=100&sort=nextPayoutDate')).items as Balance[]
    for (const balance of byDay) assert.deepEqual(balance, balanceOf(balance.partnerId))
    assert.equal(byDay.length, balances.length)

    // the totals are those of all pages, on each of them
    const page = await read(account, 'balances?empty=false&limit=3&sort=-due')
    const filled = balances.filter(({ held, due, onHold }) => held !== 0 || due !== 0 || onHold !== 0)
    // the model of forecasts compares paydays
    const { paydays: _, nextYear: __, ...ofPages } = page.totals
    assert.deepEqual(ofPages, {
      count: filled.length,
      held: filled.reduce((sum, { held }) => sum + held, 0),
      due: filled.reduce((sum, { due }) => sum + due, 0),
      onHold: 0,
      currency: 'usd',
      blocked: await blockedOf(account),
    })
    assert.deepEqual((await read(account, 'balances?empty=true')).total, balances.length - filled.length)
    assert.deepEqual((await read(account, 'balances?empty=true,false&limit=1')).total, balances.length)
  })

// payment files: ../payment-files/sepa-files.test.ts and name-checks.test.ts; payments left to a person: methods/paypal;
// rewards: features/rewards
test('all of it was seen', () =>
  assert.deepEqual([...seen, 'acknowledge', 'file', 'check', 'check-name', 'results'].sort(), [...payoutNeeds].sort()))

test('it is said in plain words, and what only time or sales lift is not in it', async () => {
  const account = await anAccount(app, { minimumPayout: 20_00 })
  assert.deepEqual(await attention(account), [])
  const jane = await aPayee(app, account, { firstName: 'Jane', lastName: 'Whitfield' })
  await aPayout(app, account, jane, 405_00)
  const below = await aPayee(app, account)
  await aPayout(app, account, below, 3_00)
  const bare = []
  for (const amount of [900_00, 21_00]) {
    const partner = await aPartner(app, account)
    bare.push(partner)
    await aPayout(app, account, partner, amount)
  }
  const ready = { kind: 'approve', message: '1 payout is ready to approve', count: 1, amount: 405_00, partners: 1 }
  const without = {
    kind: 'remind',
    message: '2 partners without payout details',
    count: 2,
    amount: 921_00,
    partners: 2,
  }
  assert.deepEqual(await attention(account), [ready, without])

  const put = (id: string, body: object) => app.api('PUT', `/partners/${id}`, { token: account.token, body })
  expectOk(await put(jane.id, { approvedPayoutYears: [] }))
  expectOk(await put(bare[1]!.id, { state: 'suspended', reason: 'Under discussion' }))
  const year = app.clock.now().getUTCFullYear()
  assert.deepEqual(
    (await attention(account)).map(({ message, amount }) => [message, amount]),
    [
      [`${bare[0]!.displayName} has no payout details`, 900_00],
      [`Jane Whitfield is not approved for ${year}`, 405_00],
    ],
  )
  expectOk(await put(jane.id, { approvedPayoutYears: [year] }))
  const [due] = (await read(account, 'payouts?attention=approve')).items
  expectOk(await app.api('POST', `/payouts/${due.id}/approve`, { token: account.token }))
  const paidByHand = {
    kind: 'pay',
    message: '1 approved payout still to be paid',
    count: 1,
    amount: 405_00,
    partners: 1,
  }
  assert.deepEqual((await attention(account))[0], paidByHand)
  await db.run`update payouts set status = 'awaiting-funding', method = 'wise' where id = ${due.id}`
  assert.deepEqual((await attention(account))[0], { ...paidByHand, kind: 'fund', message: 'Wise needs $405.00' })
  await db.run`update payouts set tax_amount = ${76_95} where id = ${due.id}`
  assert.deepEqual(
    (await attention(account))[0],
    { ...paidByHand, kind: 'fund', message: 'Wise needs $481.95' },
    'with VAT',
  )
})

test('an account in a currency that the provider does not pay from has to choose another way', async () => {
  const account = await anAccount(app, { defaultCurrency: 'isk' })
  const partner = await aPayee(app, account)
  await connectWise(app, account, wise)
  await aPayout(app, account, partner, 90_000)
  const [item] = await attention(account)
  assert.deepEqual([item!.kind, item!.message], ['reconnect', 'Wise does not pay out from ISK'])
})

test('what was paid in a year is found by it, in the time zone of the account', async () => {
  const account = await anAccount(app, { timeZone: 'America/New_York' })
  const partner = await aPayee(app, account)
  const year = app.clock.now().getUTCFullYear()
  const body = { approvedPayoutYears: [year - 1, year] }
  expectOk(await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body }))
  for (const [amount, paidAt] of [
    [30_00, `${year}-01-01T04:59:59Z`],
    [40_00, `${year}-01-01T05:00:00Z`],
  ] as const) {
    const { id } = await aPayout(app, account, partner, amount)
    expectOk(
      await app.api('POST', `/payouts/${id}/mark-paid`, { token: account.token, body: { reference: 'x', paidAt } }),
    )
  }
  const { totals } = await read(account, `payouts?paidYear=${year}&status=paid`)
  assert.deepEqual(totals, { count: 1, amount: 40_00, currency: 'usd' })
  const { paidThisYear } = await read(account, 'payouts/totals')
  assert.deepEqual(paidThisYear, { amount: totals.amount, count: totals.count })
  assert.equal((await read(account, `payouts?paidYear=${year - 1}`)).totals.amount, 30_00)
  for (const query of ['paidYear=26', 'paidYear=20x6', 'attention=everything', 'attention='])
    assert.equal(
      (await app.api('GET', `/accounts/${account.id}/payouts?${query}`, { token: account.token })).status,
      422,
      query,
    )
})
