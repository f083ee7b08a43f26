import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fakeReceiver } from '../../../test/fakes/receiver.ts'
import { assertRefused, createCaller } from '../../../test/support/api.ts'
import {
  anAccount,
  anEmail,
  aPartner,
  getAdministratorToken,
  startApp,
  turnableClock,
} from '../../../test/support/app.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { aPayee, aPayout } from '../../../test/support/payouts.ts'

// The files of lists: the list's rows, filters and order, and no field that its reader may not see.

const receiver = await fakeReceiver()
after(() => receiver.close())
const app = await startApp({ clock: turnableClock(), worker: true, config: { allowPrivateWebhookTargets: true } })
const admin = await getAdministratorToken(app)
const account = await anAccount(app, {
  defaultCommissionSettings: { layerRates: [20, 5] },
  payoutDelay: 0,
  timeZone: 'UTC',
})
const owner = createCaller(app, account.token)
const home = `/accounts/${account.id}`
const parent = await aPartner(app, account, { firstName: 'Par', lastName: 'Ent' }, { signIn: true })
const partner = await aPartner(
  app,
  account,
  { firstName: 'Ki', lastName: 'D', parentPartnerId: parent.id, note: 'Pays late' },
  { signIn: true },
)
const me = createCaller(app, partner.token)

const file = async (caller: typeof owner, path: string) => {
  const answer = await caller.call('GET', path)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  return { ...readCsv(String(answer.body)), name: answer.headers.get('content-disposition') }
}
const of = (rows: Record<string, string>[], column: string) => rows.map((row) => row[column])

test('leads: all rows in the list’s order and filters, and nothing that a spreadsheet would run', async () => {
  const hostile = ['=HYPERLINK("http://x.example")', '+1', '-1', '@SUM(A1)', '\u200b=1', 'a,"b"\nc', '＝1']
  const phones = ['+1 555 010 7777']
  for (const firstName of hostile)
    await owner.post(`${home}/leads`, { firstName, email: anEmail('csv'), phone: phones.pop() })
  const { header, rows, name } = await file(owner, `${home}/leads/csv?sort=createdAt`)
  assert.equal(name, 'attachment; filename="leads.csv"')
  assert.deepEqual(of(rows, 'firstName'), [...hostile.slice(0, 5).map((text) => `'${text}`), 'a,"b"\nc', "'＝1"])
  assert.equal(rows[0]!.phone, "'+1 555 010 7777")
  const lead = await owner.get(`/leads/${rows[0]!.id}`)
  const { stats, metadata, attribution, linkId, linkName, subId, ...scalar } = lead
  for (const field of Object.keys({ ...scalar, ...stats })) assert.ok(header.includes(field), field)
  for (const field of ['metadata', 'linkId', 'subId']) assert.equal(header.includes(field), false, field)
  const reply = await file(owner, `${home}/leads/csv?columns=email,subId,linkId`)
  assert.deepEqual(reply.header, ['email', 'subId', 'linkId'])
  assert.deepEqual([rows[0]!.email, rows[0]!.salesRevenue, rows[0]!.currency], [lead.email, '0.00', 'usd'])
  const found = await file(owner, `${home}/leads/csv?search=${encodeURIComponent('HYPERLINK')}&columns=displayName,id`)
  assert.deepEqual([found.header, found.rows.length], [['displayName', 'id'], 1])
  assert.deepEqual((await file(owner, `${home}/leads/csv?status=won`)).rows, [])
})

test('values masked for a partner are empty', async () => {
  const lead = await owner.post(`${home}/leads`, {
    partnerId: partner.id,
    firstName: 'Lena',
    email: anEmail('lena'),
    phone: '+1 415 555 0142',
    externalId: anEmail('x'),
  })
  const path = `/partners/${partner.id}/leads/csv`
  const [mine] = (await file(me, path)).rows
  assert.deepEqual(
    [mine!.id, mine!.firstName, mine!.email, mine!.phone, mine!.externalId, mine!.salesProfit],
    [lead.id, 'Lena', '', '', '', ''],
  )
  assert.equal((await file(owner, path)).rows[0]!.email, lead.email)
  await owner.patch(home, { partnerVisibility: { leadEmails: true, leadNames: false } })
  const [shown] = (await file(me, path)).rows
  assert.deepEqual([shown!.email, shown!.phone, shown!.firstName], [lead.email, "'+1 415 555 0142", ''])
  await owner.patch(home, { partnerVisibility: { leadEmails: false, leadNames: true, saleAmounts: false } })
  assertRefused(await me.call('GET', `${path}?sort=salesRevenue`), 422, 'validation_failed', ['sort'])
  assert.equal((await file(me, path)).rows[0]!.salesRevenue, '')
  await owner.patch(home, { partnerVisibility: { saleAmounts: true } })

  const [child] = (await file(createCaller(app, parent.token), `/partners/${parent.id}/partners/csv`)).rows
  assert.deepEqual([child!.id, child!.email, child!.balanceDue], [partner.id, '', ''])
  assert.equal((await file(owner, `/partners/${parent.id}/partners/csv`)).rows[0]!.email, partner.email)
  for (const [caller, other] of [
    [me, `${home}/leads/csv`],
    [me, `${home}/sales/csv`],
    [me, `${home}/partners/csv`],
  ] as const)
    assertRefused(await caller.call('GET', other), 403, 'forbidden')
  assertRefused(await createCaller(app, parent.token).call('GET', path), 404, 'not_found')
})

test('partners: the documented columns, and the note only on request', async () => {
  const { header, rows } = await file(owner, `${home}/partners/csv?sort=createdAt`)
  assert.equal(
    header.join(', '),
    'id, firstName, lastName, email, referralCode, state, parentPartnerId, numberOfPartners, numberOfLeads, numberOfSales, salesRevenue, salesRevenueShare, balanceDue, currency, approvedForPayouts, invitationStatus, createdAt',
  )
  assert.deepEqual(of(rows, 'email'), [parent.email, partner.email])
  assert.deepEqual([rows[1]!.parentPartnerId, rows[0]!.numberOfPartners, rows[0]!.state], [parent.id, '1', 'active'])
  assert.deepEqual((await file(owner, `${home}/partners/csv?columns=note,email&sort=createdAt`)).rows[1], {
    note: 'Pays late',
    email: partner.email,
  })
  const reply = await createCaller(app, parent.token).call('GET', `/partners/${parent.id}/partners/csv?columns=note`)
  assertRefused(reply, 422, 'validation_failed', ['columns'])
})

test('money is a plain decimal in its own currency: sales, revenue lines, commissions, balances, payouts', async () => {
  const payee = await aPayee(app, account, { firstName: 'Pay', lastName: 'Ee' })
  const lead = await owner.post(`${home}/leads`, { partnerId: payee.id, firstName: 'Omar', email: anEmail('omar') })
  await owner.post(`${home}/exchange-rates`, { currency: 'jpy', date: '2026-01-05', rate: 0.0065 })
  const sale = await owner.post(`/leads/${lead.id}/sales`, { amount: 50_000, currency: 'jpy', saleDate: '2026-01-05' })
  assert.equal(sale.accountAmount, 325_00)
  await owner.post(`/sales/${sale.id}/refunds`, { amount: 10_000, reason: '=1+1' })
  const payout = await aPayout(app, account, payee, 100_00)

  const sales = await file(owner, `${home}/sales/csv?leadId=${lead.id}`)
  const [row] = sales.rows
  assert.deepEqual(
    [row!.amount, row!.currency, row!.accountAmount, row!.accountCurrency, row!.refundedAmount, row!.leadName],
    ['50000', 'jpy', '325.00', 'usd', '10000', 'Omar'],
  )
  const lines = await file(owner, `${home}/revenue-lines/csv?leadId=${lead.id}`)
  assert.deepEqual(
    lines.rows.map(({ kind, amount, share, profit }) => [kind, amount, share, profit]),
    [
      ['refund', '-65.00', '-13.00', '-52.00'],
      ['sale', '325.00', '65.00', '260.00'],
    ],
  )
  const entries = await file(createCaller(app, payee.token), `/partners/${payee.id}/commissions/csv?sort=createdAt`)
  assert.deepEqual(
    entries.rows.map(({ kind, amount, currency, rate, reason }) => [kind, amount, currency, rate, reason]),
    [
      ['earned', '65.00', 'usd', '20', ''],
      ['reversal', '-13.00', 'usd', '20', ''],
      ['adjustment', '100.00', 'usd', '', 'Agreed'],
    ],
  )
  assert.deepEqual(
    entries.rows.map(({ saleDate, leadId, leadName, refundKind }) => [saleDate, leadId, leadName, refundKind]),
    [
      ['2026-01-05', lead.id, 'Omar', ''],
      ['2026-01-05', lead.id, 'Omar', 'refund'],
      ['', '', '', ''],
    ],
  )
  const [balance] = (await file(owner, `${home}/balances/csv?partnerId=${payee.id}`)).rows
  assert.deepEqual([balance!.partnerName, balance!.inPayout, balance!.currency], ['Pay Ee', '0.00', 'usd'])
  assert.equal(Number(balance!.due), 152)
  for (const path of [`${home}/payouts/csv?partnerId=${payee.id}&format=plain`, `/partners/${payee.id}/payouts/csv`]) {
    const [paid] = (await file(owner, path)).rows
    assert.deepEqual(
      [paid!.id, paid!.amount, paid!.status, paid!.statementNumber],
      [payout.id, '152.00', payout.status, '1'],
    )
  }
  assertRefused(await owner.call('GET', `${home}/payouts/csv?format=wise`), 422, 'validation_failed', ['format'])
})

test('links and deliveries; accounts for administrators, without what signs in or pushes', async () => {
  await owner.post(`${home}/link-blueprints`, {
    name: '-2+3',
    destinationUrl: 'https://shop.example.com/',
    utm: { source: 'x' },
  })
  const [link] = (await file(owner, `${home}/link-blueprints/csv`)).rows
  assert.deepEqual([link!.name, link!.utmSource, link!.revenue, link!.clicks], ["'-2+3", 'x', '0.00', '0'])

  const out = await owner.post(`${home}/outgoing-webhooks`, { name: 'CRM', url: receiver.url, events: ['*'] })
  const sent = await owner.post(`/outgoing-webhooks/${out.id}/test`)
  const [delivery] = (await file(owner, `/outgoing-webhooks/${out.id}/deliveries/csv`)).rows
  assert.deepEqual([delivery!.id, delivery!.event], [sent.id, 'webhook.test'])
  const incoming = await owner.post(`${home}/incoming-webhooks`, { name: 'CRM', target: 'lead' })
  await fetch(incoming.url, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })
  const received = await file(owner, `/incoming-webhooks/${incoming.id}/deliveries/csv`)
  assert.deepEqual([received.rows.length, received.header.includes('payload')], [1, false])

  const { apiKey } = await owner.put(`${home}/api-key`)
  const invited = await createCaller(app, admin).post('/accounts', {
    name: 'Fresh',
    owner: { email: anEmail('fresh') },
  })
  const answer = await createCaller(app, admin).call('GET', '/accounts/csv?sort=-createdAt')
  const { rows } = readCsv(String(answer.body))
  assert.deepEqual([rows[0]!.id, rows[0]!.name, rows[0]!.minimumPayout], [invited.id, 'Fresh', '0.00'])
  assert.ok(rows.some(({ id }) => id === account.id))
  for (const secret of [apiKey, invited.ownerInvitation.url.split('=').at(-1)])
    assert.ok(!String(answer.body).includes(secret))
  assertRefused(await owner.call('GET', '/accounts/csv'), 403, 'forbidden')
})

test('a download is in the account’s activity; others cannot download', async () => {
  const taken = async () =>
    (await owner.get(`${home}/audit?action=list.downloaded&limit=100`)).items.map(
      ({ changes }: { changes: { list: { new: string } } }) => changes.list.new,
    )
  const before = await taken()
  assert.ok(before.includes('leads') && before.includes('payouts'))
  const stranger = createCaller(app, (await anAccount(app)).token)
  for (const list of ['leads', 'partners', 'sales', 'revenue-lines', 'payouts', 'balances', 'link-blueprints'])
    assertRefused(await stranger.call('GET', `${home}/${list}/csv`), 404, 'not_found')
  assert.deepEqual(await taken(), before)
  await createCaller(app, admin).post(`${home}/disable`, { reason: 'Unpaid' })
  assertRefused(await owner.call('GET', `${home}/leads/csv`), 403, 'account_disabled')
})
