import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '#contract/payouts.ts'
import type { CommissionEntryWithSale } from '#contract/sales.ts'
import {
  anAccount,
  aPartner,
  expectOk,
  signIn,
  startApp,
  type TestAccount,
  waitUntil,
} from '../../../test/support/app.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { waitingForLocks } from '../../../test/support/locks.ts'
import {
  aPayee,
  aPayout,
  bankDetails,
  bookDue,
  getBalance,
  getPayout,
  listPayouts,
  requestRefresh,
} from '../../../test/support/payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { setBack } from './undo-approval.ts'

const app = await startApp()

const approve = (account: TestAccount, id: string) =>
  app.api('POST', `/payouts/${id}/approve`, { token: account.token })
const codes = (blockers: { code: string }[]) => blockers.map(({ code }) => code)

test('what has fallen due is one unapproved payout, read anew each time', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  assert.deepEqual(await requestRefresh(app, account), { due: 0, blocked: 0 })
  const first = await aPayout(app, account, partner, 40_00)
  assert.equal(first.status, 'due')
  assert.equal(first.amount, 40_00)
  assert.equal(first.statementNumber, 1)
  assert.equal(first.method, 'manual')
  assert.deepEqual(codes(first.blockers), ['payouts-not-configured'])

  await bookDue(app, account, partner, 2_50)
  assert.equal((await getPayout(app, account, first.id)).amount, 42_50, 'what falls due belongs to it at once')
  await bookDue(app, account, partner, -42_50)
  const gone = await app.api('GET', `/payouts/${first.id}`, { token: account.token })
  assert.equal(gone.status, 404, 'at zero it is gone')
  assert.deepEqual(await listPayouts(app, account, partner), [])
  await bookDue(app, account, partner, 7_00)
  assert.equal((await getPayout(app, account, first.id)).amount, 7_00)
  const entries = await app.api('GET', `/payouts/${first.id}/entries`, { token: account.token })
  assert.deepEqual(
    entries.body.items.map((entry: { amount: number }) => entry.amount),
    [7_00, -42_50, 2_50, 40_00],
  )
})

test('the entries of a payout name their sales, days and leads as far as their reader may see them', async () => {
  const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const named = { partnerId: partner.id, firstName: 'Hannah', lastName: 'Cole', email: 'hannah@brightline.example' }
  const lead = await post(`/accounts/${account.id}/leads`, named)
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 500_00, description: 'Team plan' })
  await post(`/sales/${sale.id}/refunds`, { amount: 100_00, reason: 'Fewer seats' })
  await bookDue(app, account, partner, 5_00)
  await requestRefresh(app, account)
  const { id } = (await listPayouts(app, account, partner))[0]!
  const read = async (token: string) => {
    const { body } = expectOk(await app.api('GET', `/payouts/${id}/entries?sort=createdAt`, { token }))
    return body.items.map(({ kind, saleDate, saleDescription, lead, refund }: CommissionEntryWithSale) => ({
      ...{ kind, saleDate, saleDescription, lead, refund: refund?.kind ?? null },
    }))
  }
  const ofSale = { saleDate: sale.saleDate, saleDescription: 'Team plan', lead: { id: lead.id, name: 'Hannah Cole' } }
  const ofNone = { kind: 'adjustment', saleDate: null, saleDescription: null, lead: null, refund: null }
  assert.deepEqual(await read(account.token), [
    { kind: 'earned', ...ofSale, refund: null },
    { kind: 'reversal', ...ofSale, refund: 'refund' },
    ofNone,
  ])

  const partnerVisibility = { leadNames: false, leadEmails: false }
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { partnerVisibility } }))
  const hidden = { ...ofSale, saleDescription: null, lead: { id: lead.id, name: `Lead ${lead.id.slice(-6)}` } }
  assert.deepEqual(await read(partner.token), [
    { kind: 'earned', ...hidden, refund: null },
    { kind: 'reversal', ...hidden, refund: 'refund' },
    ofNone,
  ])
})

test('the five parts of a balance add up, and the blockers are worded for who reads', async () => {
  const account = await anAccount(app, { minimumPayout: 50_00 })
  const partner = await aPartner(app, account, {}, { signIn: true })
  await bookDue(app, account, partner, 20_00)
  const year = app.clock.now().getUTCFullYear()
  const forOwner = await getBalance(app, account, partner)
  const { held, due, onHold, inPayout, paid } = forOwner
  assert.deepEqual({ held, due, onHold, inPayout, paid }, { held: 0, due: 20_00, onHold: 0, inPayout: 0, paid: 0 })
  assert.equal(forOwner.nextPayoutDate, null)
  const listed = async (blocked: boolean) =>
    (await app.api('GET', `/accounts/${account.id}/balances?blocked=${blocked}&sort=-due`, { token: account.token }))
      .body
  assert.deepEqual(
    [(await listed(false)).items, (await listed(true)).total],
    [[{ ...forOwner, payday: null, amount: 20_00 }], 0],
    'it is below the minimum',
  )
  const own = await app.api('GET', `/partners/${partner.id}/balance`, { token: partner.token })
  assert.deepEqual(own.body.blockers, [
    { code: 'no-deposit-info', message: 'Add your payout details' },
    { code: 'not-approved-this-year', message: `Not yet approved for ${year}` },
    { code: 'below-minimum', message: 'Below the minimum of $50.00' },
    { code: 'payouts-not-configured', message: 'Payouts are not set up yet' },
  ])
  const suspend = { state: 'suspended', reason: 'Under discussion' }
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: suspend })
  await bookDue(app, account, partner, -30_00)
  const negative = await getBalance(app, account, partner)
  assert.deepEqual(codes(negative.blockers), [
    'no-deposit-info',
    'not-approved-this-year',
    'negative-balance',
    'payouts-not-configured',
    'partner-disabled',
  ])
  // below zero there is no amount that a blocker could stop
  assert.deepEqual(
    [(await listed(true)).items, (await listed(false)).items],
    [[], [{ ...negative, payday: null, amount: -10_00 }]],
  )
})

test('an open payout is blocked; approved it keeps amount and entries, and a person marks it paid', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, {}, { signIn: true })
  const open = await aPayout(app, account, partner, 30_00)
  assert.equal(open.status, 'open')
  const blocked = await approve(account, open.id)
  assert.equal(blocked.status, 409)
  assert.equal(blocked.body.error.code, 'payout_blocked')
  assert.deepEqual(codes(blocked.body.error.details.blockers), ['no-deposit-info', 'not-approved-this-year'])

  await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body: bankDetails() })
  const body = { approvedPayoutYears: [app.clock.now().getUTCFullYear()] }
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body })
  const approved = await approve(account, open.id)
  assert.equal(approved.body.status, 'approved')
  assert.equal(approved.body.method, 'manual')
  assert.equal(approved.body.approvedBy, 'Nora Wind')
  await bookDue(app, account, partner, 5_00)
  assert.equal((await getPayout(app, account, open.id)).amount, 30_00)
  assert.deepEqual(await approve(account, open.id).then(({ body }) => body.error.code), 'invalid_state')
  const seen = await app.api('GET', `/payouts/${open.id}`, { token: partner.token })
  assert.equal(seen.body.approvedBy, null)
  const between = await getBalance(app, account, partner)
  assert.deepEqual([between.due, between.inPayout, between.paid], [5_00, 30_00, 0])

  const future = new Date(app.clock.now().getTime() + 172_800_000).toISOString().slice(0, 10)
  const early = { token: account.token, body: { reference: 'Check 17', paidAt: future } }
  assert.equal((await app.api('POST', `/payouts/${open.id}/mark-paid`, early)).status, 422)
  const paid = await app.api('POST', `/payouts/${open.id}/mark-paid`, {
    token: account.token,
    body: { reference: 'Check 17' },
  })
  assert.equal(paid.body.status, 'paid')
  assert.equal(paid.body.externalReference, 'Check 17')
  const after = await getBalance(app, account, partner)
  assert.deepEqual([after.due, after.inPayout, after.paid], [5_00, 0, 30_00])
  const totals = await app.api('GET', `/accounts/${account.id}/payouts/totals`, { token: account.token })
  assert.deepEqual(totals.body.paidThisYear, { amount: 30_00, count: 1 })
  for (const verb of ['cancel', 'retry', 'approve'])
    assert.equal((await app.api('POST', `/payouts/${open.id}/${verb}`, { token: account.token })).status, 409, verb)
})

test('a payout that is open for want of details can be marked paid, not for want of approval', async () => {
  const account = await anAccount(app, { minimumPayout: 100_00 })
  const partner = await aPartner(app, account)
  const open = await aPayout(app, account, partner, 30_00)
  const mark = () =>
    app.api('POST', `/payouts/${open.id}/mark-paid`, { token: account.token, body: { reference: 'Cash' } })
  const refused = await mark()
  assert.equal(refused.body.error.code, 'payout_blocked')
  assert.deepEqual(codes(refused.body.error.details.blockers), ['not-approved-this-year'])
  const body = { approvedPayoutYears: [app.clock.now().getUTCFullYear()] }
  await app.api('PUT', `/partners/${partner.id}`, { token: account.token, body })
  assert.equal((await mark()).body.status, 'paid')
  assert.equal((await getBalance(app, account, partner)).paid, 30_00)
})

test('a canceled payout lets its entries go into the next', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const first = await aPayout(app, account, partner, 30_00)
  await approve(account, first.id)
  const canceled = await app.api('POST', `/payouts/${first.id}/cancel`, { token: account.token })
  assert.equal(canceled.body.status, 'canceled')
  assert.equal(canceled.body.amount, 30_00)
  const [next, former] = await listPayouts(app, account, partner)
  assert.deepEqual([next!.status, next!.amount, next!.statementNumber], ['due', 30_00, 2])
  assert.equal(former!.id, first.id)
  assert.equal((await approve(account, next!.id)).body.status, 'approved')
})

test('an approval is undone while what fell due is gathered, into one payout', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const first = await aPayout(app, account, partner, 30_00)
  await approve(account, first.id)
  await bookDue(app, account, partner, 5_00)
  const { db } = app.services
  const facts = await readAccountFacts(db, account.id)
  let gathered: Promise<number> | undefined
  await transaction(db, async (tx) => {
    await setBack(tx, facts, first.id, 'Somebody asked for it.')
    gathered = transaction(db, (other) => gatherPayouts(other, facts))
    await waitUntil(async () => (await waitingForLocks(db)) > 0)
  })
  assert.equal(await gathered, 0)
  assert.equal((await getPayout(app, account, first.id)).amount, 35_00)
})

test('fifty approvals at once approve once, and no entry is paid twice', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const due = await aPayout(app, account, partner, 30_00)
  const answers = await Promise.all(Array.from({ length: 50 }, () => approve(account, due.id)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses.filter((status) => status === 200).length, 1)
  // 'unavailable': the lock took too long, on machines that share two cores
  assert.ok(
    answers.every(({ status, body }) => status === 200 || ['invalid_state', 'unavailable'].includes(body.error.code)),
  )
  const { count } = await app.services.db.one<{ count: number }>`
    select count(*) as count from payout_entries where payout_id = ${due.id} and live`
  assert.equal(count, 1)
})

test('the database refuses an entry in two payouts, and a payout that is not the sum of its entries', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const first = await aPayout(app, account, partner, 30_00)
  await approve(account, first.id)
  const second = await aPayout(app, account, partner, 5_00)
  const { db } = app.services
  await assert.rejects(
    transaction(
      db,
      (tx) => tx.run`
        insert into payout_entries (payout_id, entry_id, account_id, approved_at)
        select ${second.id}, entry_id, account_id, ${tx.now} from payout_entries where payout_id = ${first.id}`,
    ),
    /payout_entries_live/,
  )
  await assert.rejects(
    transaction(db, (tx) => tx.run`update payouts set amount = amount + 1 where id = ${first.id}`),
    /entries sum to/,
  )
  await assert.rejects(
    transaction(db, (tx) => tx.run`update payout_entries set live = false where payout_id = ${first.id}`),
    /entries sum to/,
  )
})

test('above a ceiling a person approves with a fresh password', async () => {
  const account = await anAccount(app)
  const [first, second] = [await aPayee(app, account), await aPayee(app, account)]
  const body = { maxPerPayout: 100_00, maxPerRun: 150_00 }
  await app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, { token: account.token, body })
  const [one, two] = [await aPayout(app, account, first, 90_00), await aPayout(app, account, second, 80_00)]
  app.clock.advance(11 * 60_000)
  const ids = [one.id, two.id, 'unknown']
  const bulk = (more: object = {}) =>
    app.api('POST', `/accounts/${account.id}/payouts/approve`, { token: account.token, body: { ids, ...more } })
  const preview = await bulk({ preview: true })
  assert.equal(preview.body.count, 1)
  assert.equal(preview.body.amount, 90_00)
  assert.equal(preview.body.feeEstimate, null)
  assert.deepEqual(
    preview.body.excluded.map(({ id, error }: { id: string; error: { code: string } }) => [id, error.code]),
    [
      [two.id, 'recent_sign_in_required'],
      ['unknown', 'not_found'],
    ],
  )
  const { body: done } = await bulk()
  const byStatus = done.results.map((row: { status: string; error: { code: string } | null }) => [
    row.status,
    row.error?.code ?? null,
  ])
  assert.deepEqual(byStatus.filter(([status]: [string]) => status === 'approved').length, 1)
  assert.deepEqual(byStatus[2], [null, 'not_found'])
  const left = done.results.find((row: { status: string }) => row.status === 'due')
  assert.equal(left.error.code, 'recent_sign_in_required')

  await bookDue(app, account, left.id === one.id ? first : second, 50_00)
  const refused = await approve(account, left.id)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'recent_sign_in_required')
  account.token = (await signIn(app, account.ownerEmail)).token
  assert.equal((await approve(account, left.id)).status, 200)
})

test('lists find payouts by state, partner and number, and page in any order', async () => {
  const account = await anAccount(app)
  const partners = [await aPayee(app, account), await aPayee(app, account), await aPartner(app, account)]
  for (const [index, partner] of partners.entries()) await bookDue(app, account, partner, (index + 1) * 10_00)
  assert.deepEqual(await requestRefresh(app, account), { due: 2, blocked: 1 })
  const list = async (query: string) => {
    const { body } = await app.api('GET', `/accounts/${account.id}/payouts?${query}`, { token: account.token })
    return body
  }
  const amounts = (page: { items: { amount: number }[] }) => page.items.map(({ amount }) => amount)
  assert.deepEqual(amounts(await list('status=open')), [30_00])
  assert.deepEqual(amounts(await list('status=open,due&sort=amount')), [10_00, 20_00, 30_00])
  assert.deepEqual(amounts(await list(`partnerId=${partners[1].id}`)), [20_00])
  const paged = await list('sort=-amount&limit=2')
  assert.deepEqual([amounts(paged), paged.total], [[30_00, 20_00], 3])
  assert.deepEqual(amounts(await list(`sort=-amount&limit=2&cursor=${paged.nextCursor}`)), [10_00])
  assert.equal((await list('sort=scheduledFor')).items.length, 3)
  const { statementNumber } = paged.items[0]
  const { email, referralCode } = partners[1]
  for (const search of [email, referralCode, email.split('@')[0].toUpperCase()])
    assert.deepEqual(amounts(await list(`search=${encodeURIComponent(search)}`)), [20_00], search)
  const some = await list('search=@&limit=1')
  assert.deepEqual([some.total, some.totals.amount, some.items.length], [3, 60_00, 1])
  const one = await list(`search=${referralCode}&attention=approve,remind,approve-year`)
  assert.deepEqual([amounts(one), one.totals.amount], [[20_00], 20_00])
  assert.deepEqual((await list('search=po-none')).items, [])
  assert.deepEqual(amounts(await list(`search=PO-${statementNumber}`)), [30_00])
  // A number is matched exactly: PO-138 does not match PO-13.
  const [last, ...others] = paged.items.concat((await list('sort=amount&limit=1')).items)
  for (const [number, { id }] of [
    [13, last],
    [138, others[0]],
    [900000013, others[1]],
  ] as const)
    await app.services.db.run`update payouts set statement_number = ${number} where id = ${id}`
  await app.services.db
    .run`update payout_accounts set last_statement_number = 900000013 where account_id = ${account.id}`
  const numbers = async (search: string) =>
    (await list(`search=${encodeURIComponent(search)}`)).items.map(
      (found: { statementNumber: number }) => found.statementNumber,
    )
  for (const search of ['PO-13', 'po 13', 'PO13', '#13', 'po-0013'])
    assert.deepEqual(await numbers(search), [13], search)
  for (const search of ['900000013', '#900000013']) assert.deepEqual(await numbers(search), [900000013], search)
  for (const search of ['PO-9', '90000001', 'PO-99999999999']) assert.deepEqual(await numbers(search), [], search)
  assert.equal((await numbers('po-')).length, 3)
  const sums = await app.api('GET', `/accounts/${account.id}/payouts/totals`, { token: account.token })
  assert.deepEqual(sums.body.dueNow, { amount: 30_00, count: 2 })
})

test('a partner sees their own payouts alone, an owner not those of another account', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const [partner, stranger] = [await aPayee(app, account), await aPayee(app, other)]
  const due = await aPayout(app, account, partner, 30_00)
  for (const token of [stranger.token, other.token])
    assert.equal((await app.api('GET', `/payouts/${due.id}`, { token })).status, 404)
  assert.equal((await app.api('GET', `/payouts/${due.id}`, { token: partner.token })).status, 200)
  assert.equal((await app.api('POST', `/payouts/${due.id}/approve`, { token: partner.token })).status, 403)
  assert.equal((await approve({ ...account, token: other.token }, due.id)).status, 404)
  const foreign = await app.api('POST', `/accounts/${other.id}/payouts/approve`, {
    token: other.token,
    body: { ids: [due.id] },
  })
  assert.deepEqual(foreign.body.results[0].status, null)
  const { code, reason, values } = foreign.body.results[0].error
  assert.deepEqual([code, reason, values], ['not_found', 'not_found', null])
})

test('a sale is held until its delay is over, on hold while it is doubtful, and taken back after it was paid', async () => {
  const account = await anAccount(app, {
    payoutDelay: 7,
    defaultCommissionSettings: { layerRates: [20] },
    selfReferralPolicy: 'hold',
  })
  const partner = await aPayee(app, account)
  const sell = async (email: string, amount: number) => {
    const lead = await app.api('POST', `/accounts/${account.id}/leads`, {
      token: account.token,
      body: { partnerId: partner.id, email },
    })
    const sale = await app.api('POST', `/leads/${lead.body.id}/sales`, { token: account.token, body: { amount } })
    assert.equal(sale.status, 201, JSON.stringify(sale.body))
    return sale.body.id as string
  }
  const parts = async () => {
    const { held, due, onHold, inPayout, paid, blockers, nextPayoutDate } = await getBalance(app, account, partner)
    const review = codes(blockers).includes('on-hold-fraud')
    return { held, due, onHold, inPayout, paid, review, nextPayoutDate }
  }
  const today = app.clock.now().toISOString().slice(0, 10)
  const dueOn = new Date(Date.parse(today) + 7 * 86_400_000).toISOString().slice(0, 10)
  const sale = await sell('buyer@mail.example', 100_00)
  const doubtful = await sell(partner.email, 50_00)
  const none = { held: 0, due: 0, onHold: 0, inPayout: 0, paid: 0, review: true, nextPayoutDate: null }
  assert.deepEqual(await parts(), { ...none, held: 20_00, onHold: 10_00, nextPayoutDate: dueOn })

  app.clock.advance(8 * 86_400_000)
  account.token = (await signIn(app, account.ownerEmail)).token
  const then = app.clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await parts(), { ...none, due: 20_00, onHold: 10_00, nextPayoutDate: then })
  await requestRefresh(app, account)
  const [due] = await listPayouts(app, account, partner)
  assert.equal(due!.status, 'due', 'what is under review holds nothing else up')
  assert.equal(due!.periodStart, today)
  await approve(account, due!.id)
  const reason = { token: account.token, body: { reason: 'Sent back' } }
  assert.equal((await app.api('POST', `/sales/${sale}/refunds`, reason)).status, 201)
  assert.deepEqual(await parts(), { ...none, due: -20_00, inPayout: 20_00, onHold: 10_00 })
  assert.equal((await app.api('POST', `/sales/${doubtful}/release`, reason)).status, 200)
  assert.deepEqual(await parts(), { ...none, due: -10_00, inPayout: 20_00, review: false })
  assert.equal((await app.api('POST', `/sales/${doubtful}/void`, reason)).status, 200)
  assert.deepEqual(await parts(), { ...none, due: -20_00, inPayout: 20_00, review: false })
  await requestRefresh(app, account)
  assert.equal((await listPayouts(app, account, partner)).length, 1, 'below zero there is no payout')
  await app.api('POST', `/payouts/${due!.id}/cancel`, { token: account.token })
  assert.deepEqual(await parts(), { ...none, review: false })
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('what a person paid is the amount that they were shown, and no more of what fell due since', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const { id, amount } = await aPayout(app, account, partner, 100_00)
  const call = (path: string, body: object) => app.api('POST', path, { token: account.token, body })
  const mark = (body: object) => call(`/payouts/${id}/mark-paid`, { reference: 'Wire 7', ...body })
  const markAll = async (item: object) => {
    const items = [{ id, reference: 'Wire 7', ...item }]
    return expectOk(await call(`/accounts/${account.id}/payouts/mark-paid`, { items })).body.results[0]
  }
  await bookDue(app, account, partner, 900_00)
  const { status, body } = await mark({ amount })
  assert.deepEqual([status, body.error.code], [409, 'payout_changed'])
  const one = await markAll({ amount })
  assert.deepEqual([one.status, one.error.code], ['due', 'payout_changed'])
  assert.equal((await getBalance(app, account, partner)).due, 1000_00)
  assert.equal((await markAll({ amount: 1000_00 })).status, 'paid')
  assert.equal((await getBalance(app, account, partner)).paid, 1000_00)
})

test('an approval is of the amount and the details that were shown', async () => {
  const account = await anAccount(app)
  const partner = await aPayee(app, account)
  const shown = await aPayout(app, account, partner, 100_00)
  const approve = (body: object) => app.api('POST', `/payouts/${shown.id}/approve`, { token: account.token, body })
  const approveAll = (body: object) =>
    app.api('POST', `/accounts/${account.id}/payouts/approve`, { token: account.token, body })
  const changed = async (seen: { amount?: number; detailsVersion?: string | null }) => {
    const { status, body } = await approve(seen)
    assert.deepEqual([status, body.error.code], [409, 'payout_changed'])
    const { results } = expectOk(await approveAll({ ids: [shown.id], shown: [{ id: shown.id, ...seen }] })).body
    assert.deepEqual([results[0].status, results[0].error.code], ['due', 'payout_changed'])
  }
  const { amount, detailsVersion } = shown
  assert.ok(detailsVersion)
  assert.equal((await app.api('GET', `/payouts/${shown.id}`, { token: partner.token })).body.detailsVersion, null)

  await bookDue(app, account, partner, 900_00)
  await changed({ amount, detailsVersion })
  await changed({ amount })
  await bookDue(app, account, partner, -900_00)
  const { token } = await signIn(app, partner.email)
  const body = bankDetails({ accountNumber: '9988776655' })
  expectOk(await app.api('POST', `/partners/${partner.id}/payout-settings`, { token, body }))
  account.token = (await signIn(app, account.ownerEmail)).token
  await changed({ amount, detailsVersion })
  await changed({ detailsVersion })
  await changed({ detailsVersion: null })

  const now = await getPayout(app, account, shown.id)
  assert.notEqual(now.detailsVersion, detailsVersion)
  const approved = expectOk(await approve({ amount, detailsVersion: now.detailsVersion })).body
  assert.deepEqual(
    [approved.status, approved.amount, approved.detailsVersion],
    ['approved', 100_00, now.detailsVersion],
  )
})

test('many payouts are marked as paid at once, each with its own outcome', async () => {
  const account = await anAccount(app)
  const payees = await Promise.all([1, 2, 3, 4].map(() => aPayee(app, account)))
  const due: Payout[] = []
  for (const [at, payee] of payees.entries()) due.push(await aPayout(app, account, payee, (at + 1) * 10_00))
  const mark = (body: object, token = account.token) =>
    app.api('POST', `/accounts/${account.id}/payouts/mark-paid`, { token, body })
  const [one, two, three, four] = due.map(({ id }) => id) as [string, string, string, string]
  const state = { approvedPayoutYears: [] }
  expectOk(await app.api('PUT', `/partners/${payees[2]!.id}`, { token: account.token, body: state }))

  const ahead = app.clock.now().getUTCFullYear() + 1
  for (const [body, field] of [
    [{ ids: [one], items: [{ id: two, reference: 'x' }], reference: 'x' }, 'ids'],
    [{ reference: 'x' }, 'ids'],
    [{ ids: [], reference: 'x' }, 'ids'],
    [{ ids: [one] }, 'reference'],
    [{ ids: [one], reference: '' }, 'reference'],
    [{ ids: Array(501).fill(one), reference: 'x' }, 'ids'],
    [{ ids: [one], reference: 'x', paidAt: `${ahead}-12-31` }, 'paidAt'],
    [{ items: [{ id: one, reference: 'x' }], paidAt: '2026-01-01' }, 'paidAt'],
  ] as const) {
    const { status, body: answer } = await mark(body)
    assert.deepEqual(
      [status, Object.keys(answer.error.fields ?? {})],
      [422, [field]],
      JSON.stringify(body).slice(0, 80),
    )
  }
  const stranger = await anAccount(app)
  assert.equal((await mark({ ids: [one], reference: 'x' }, stranger.token)).status, 404)

  const first = expectOk(await mark({ ids: [two, three, one, one, stranger.id], reference: 'Run 7' })).body.results
  assert.deepEqual(
    first.map(({ id, status, error }: { id: string; status: string; error: { code: string } | null }) => [
      ...[id, status, error?.code ?? null],
    ]),
    [
      [two, 'paid', null],
      [three, 'open', 'payout_blocked'],
      [one, 'paid', null],
      [one, 'paid', 'invalid_state'],
      [stranger.id, null, 'not_found'],
    ],
  )
  const yesterday = new Date(app.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  const items = [
    { id: four, reference: 'Wire 4', paidAt: yesterday },
    { id: three, reference: 'Wire 3', paidAt: `${ahead}-12-31` },
  ]
  const second = expectOk(await mark({ items })).body.results
  assert.deepEqual([second[0].status, second[1].error.fields], ['paid', { paidAt: 'The date cannot be in the future' }])
  const references = await Promise.all(due.map(async ({ id }) => (await getPayout(app, account, id)).externalReference))
  assert.deepEqual(references, ['Run 7', 'Run 7', null, 'Wire 4'])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
