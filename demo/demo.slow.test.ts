import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { leadStatuses } from '#contract/leads.ts'
import { blockerCodes, getPayoutStatement } from '#contract/payouts.ts'
import { payoutStatuses } from '#contract/values.ts'
import { listTaxYear } from '#features/tax-years/server/list-tax-year.ts'
import { checkConnection } from '../server/integrations/payment-providers/connections.ts'
import { NIL } from '../server/platform/database/ids.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { resolveAccess } from '../server/program/access/access.ts'
import { type AccountFacts, accountFacts } from '../server/program/access/account-facts.ts'
import { journalFile, readJournalRange } from '../server/program/accounting/journal.ts'
import { listAgreementVersions } from '../server/program/agreement/versions.ts'
import { signIn } from '../server/program/auth/sign-in.ts'
import { listGroups } from '../server/program/groups/groups.ts'
import { listBalances } from '../server/program/payouts/balances.ts'
import { pollTransfers } from '../server/program/payouts/jobs.ts'
import { listPayouts } from '../server/program/payouts/payouts.ts'
import { readStatement } from '../server/program/payouts/statement/statement.ts'
import { verifyLedger } from '../server/program/stats/verify.ts'
import { readCsv } from '../test/support/csv.ts'
import { filledDemo } from '../test/support/filled-demo.ts'
import { workOff } from './drain-jobs.ts'
import { type DemoProviders, PAYPAL_APP, startStandIns, WISE_TOKEN } from './providers.ts'
import { PASSPHRASE, personAs, signIns } from './sign-ups.ts'

const NOW = new Date('2026-11-20T16:00:00Z')

const [demo, again] = await Promise.all([filledDemo(NOW), filledDemo(new Date('2026-11-20T23:30:00Z'))])
const { services, db, account } = demo

/** Counts per status, as `{ status: number }`. */
async function tally(of: Promise<{ status: string; number: number }[]>) {
  return Object.fromEntries((await of).map(({ status, number }) => [status, number]))
}

const payoutsOf = async ({ db, account }: typeof demo) =>
  (await listPayouts(db, account, { limit: 200, sort: 'createdAt' }, { reader: 'owner' })).items

test('the ledger of the demo is consistent', async () => {
  assert.deepEqual(await verifyLedger(db), [])
})

test('every payout state occurs', async () => {
  const found = new Set((await payoutsOf(demo)).map(({ status }) => status))
  assert.deepEqual([...found].sort(), [...payoutStatuses].sort())
})

test('a partner in Brazil is paid in reais', async () => {
  const paid = (await payoutsOf(demo)).filter(({ payee }) => payee?.currency === 'brl')
  assert.ok(paid.length > 0)
  for (const { amount, destination, payee } of paid) {
    assert.equal(destination!.country, 'BR')
    assert.ok(payee!.amount! > 4 * amount, `${payee!.amount} of ${amount}`)
  }
})

test('payouts wait for every possible reason, except those of other methods, invoices and automatic payouts', async () => {
  const { items } = await listBalances(db, account, { limit: 100, sort: 'createdAt' })
  const found = new Set(items.flatMap(({ blockers }) => blockers.map(({ code }) => code)))
  const possible = blockerCodes.filter(
    (code) =>
      ![
        ...['currency-unsupported', 'payouts-not-configured', 'no-method', 'details-rejected'],
        ...['no-customer-at-provider', 'customer-deleted', 'customer-currency-differs'],
        ...['invoice-details-missing', 'adjusted-by-hand'],
      ].includes(code),
  )
  assert.deepEqual([...found].sort(), [...possible].sort())
  const open = (await payoutsOf(demo)).filter(({ status }) => status === 'open')
  const blocking = new Set(open.flatMap(({ blockers }) => blockers.map(({ code }) => code)))
  for (const code of [
    'no-deposit-info',
    'not-approved-this-year',
    'below-minimum',
    'partner-disabled',
    'wise-rejected-recipient',
  ] as const)
    assert(blocking.has(code), `no open payout is blocked by ${code}`)
})

test('one partner who signs in and four invited ones wait to accept the second version of the agreement', async () => {
  const [newest] = await listAgreementVersions(db, { account, partnerId: null })
  assert.deepEqual([newest?.version, newest?.waiting], [2, 5])
})

test('partners have read one announcement, and the other is new', async () => {
  const rows = await db.many<{ unread: number; mailed: number }>`
    select count(*) filter (where r.read_at is null) as unread, count(*) filter (where r.mail = 'mailed') as mailed
    from announcements a join announcement_readers r on r.account_id = a.account_id and r.announcement_id = a.id
    where a.account_id = ${account.id} group by a.id, a.created_at order by a.created_at`
  const [first, second] = rows
  assert.equal(rows.length, 2)
  assert.ok(first!.unread === 0 && first!.mailed > 3)
  assert.ok(second!.unread > 3 && second!.mailed > 3)
})

test('one payout was approved by the first of two people', async () => {
  const due = (await payoutsOf(demo)).filter(({ status }) => status === 'due')
  assert.deepEqual(
    due.flatMap(({ firstApproval }) => firstApproval?.name ?? []),
    ['Maya Chen'],
  )
})

test('the partner who signs in has been paid; the one awaiting approval never has', async () => {
  const { items } = await listBalances(db, account, { limit: 100, sort: 'createdAt' })
  const blockersOf = (name: string) =>
    items.find(({ partnerName }) => partnerName === name)?.blockers.map(({ code }) => code) ?? []
  assert.deepEqual(blockersOf('Jane Whitfield'), [])
  assert.deepEqual(blockersOf('Zara Khan'), ['not-approved-this-year', 'tax-form-missing'])
  const payouts = await payoutsOf(demo)
  const statusesOf = (name: string) => payouts.flatMap((one) => (one.partnerName === name ? one.status : []))
  assert.deepEqual(statusesOf('Zara Khan'), ['open'])
  assert(statusesOf('Jane Whitfield').includes('paid'))
})

test('a blocked payout was created on the day its first amount fell due', async () => {
  const waiting = await db.one<{ isLate: boolean }>`
    select min(o.created_at) - min(e.available_at) > interval '1 day' as is_late
    from partners p join payouts o on o.partner_id = p.id join commission_entries e on e.partner_id = p.id
    where p.referral_code = 'zara'`
  assert.deepEqual(waiting, { isLate: false })
})

test('leads have every status; sales are refunded, disputed, held, unattributed or awaiting a rate', async () => {
  const leads = await tally(db.many`select status, count(*) as number from leads group by 1`)
  assert.deepEqual(Object.keys(leads).sort(), [...leadStatuses].sort())
  const sales = await tally(db.many`select status, count(*) as number from sales group by 1`)
  for (const status of ['completed', 'partially-refunded', 'refunded', 'disputed', 'charged-back', 'void'])
    assert(sales[status]! > 0, `no sale is ${status}`)
  const refunds = await tally(
    db.many`select kind || ' ' || status as status, count(*) as number from refunds group by 1`,
  )
  for (const status of ['refund succeeded', 'refund failed', 'dispute pending', 'dispute succeeded', 'dispute failed'])
    assert(refunds[status]! > 0, `there is no ${status}`)
  const special = await db.one`
    select count(*) filter (where lead_id is null) as unattributed,
      count(*) filter (where account_amount is null) as waiting,
      count(*) filter (where held_until > ${db.now}) as held
    from sales where account_id = ${account.id}`
  assert.deepEqual(special, { unattributed: 7, waiting: 1, held: 12 })
})

test('a customer was erased; their sale and its commission stay', async () => {
  const erased = await db.one`
    select l.first_name, l.email, s.description, s.amount, e.done,
      (select sum(amount)::bigint from commission_entries c where c.account_id = s.account_id and c.sale_id = s.id) > 0 as earned
    from leads l join sales s on s.account_id = l.account_id and s.lead_id = l.id
      join erasures e on e.account_id = l.account_id and e.subject_id = l.id
    where l.account_id = ${account.id}`
  const expected = { firstName: null, email: null, description: null, amount: 240_00, done: true, earned: true }
  assert.deepEqual(erased, expected)
})

test('the demo covers a year: two currencies, returning visitors, a file, failing webhooks and paid partners', async () => {
  const currencies = await db.one<{ booked: string[]; sources: string[] }>`
    select array_agg(distinct currency order by currency) filter (where account_amount > 0) as booked,
      array_agg(distinct provider order by provider) as sources
    from sales where account_id = ${account.id}`
  assert.deepEqual(currencies, { booked: ['eur', 'usd'], sources: ['api', 'manual', 'stripe'] })
  const year = await db.one<Record<string, boolean>>`
    select min(day) < ${db.now}::timestamptz::date - 360 as whole,
      sum(unique_clicks) between sum(clicks) * 0.8 and sum(clicks) * 0.95 as some_come_back,
      sum(revenue) filter (where day between ${db.now}::timestamptz::date - 366 and ${db.now}::timestamptz::date - 185) > 0
        as compares
    from day_stats where account_id = ${account.id} and partner_id = ${NIL} and blueprint_id = ${NIL}`
  assert.deepEqual(year, { whole: true, someComeBack: true, compares: true })

  const annual = await db.one`
    select count(distinct jsonb_array_length(s.lines)) as lines, count(*) filter (where e.rate_ppm = 300000) > 0 as by_rule
    from sales s left join commission_entries e on e.account_id = s.account_id and e.sale_id = s.id
    where s.account_id = ${account.id} and s.description like 'Annual plan, % seats' having bool_and(s.lines is not null)`
  assert.deepEqual(annual, { lines: 1, byRule: true })

  const file = await db.one`select state, created, skipped, failed from imports where account_id = ${account.id}`
  assert.deepEqual(file, { state: 'done', created: 32, skipped: 1, failed: 2 })
  const signUps = await tally(db.many`
    select d.state as status, count(*) as number from incoming_deliveries d
      join incoming_webhooks w on w.id = d.webhook_id where w.account_id = ${account.id} group by 1`)
  assert.deepEqual(signUps, { processed: 12, failed: 2 })
  const { events } = await db.one<{ events: number }>`
    select count(*) as events from outgoing_deliveries d join outgoing_webhooks w on w.id = d.webhook_id
    where w.account_id = ${account.id}`
  assert(events > 0, 'the warehouse is sent nothing')
  const { partners } = await db.one<{ partners: number }>`
    select count(distinct partner_id) as partners from payouts
    where account_id = ${account.id} and status = 'paid' and extract(year from paid_at) = 2026`
  assert(partners > 5, `the year report names ${partners}`)
})

test('a goal moves a partner to Gold; a refund of a line takes back that line’s commission and the bonus of its month', async () => {
  const { items } = await listGroups(db, account.id, { limit: 10, sort: 'name' })
  assert.deepEqual(
    items.map(({ name, publicName, partners }) => [name, publicName, partners]),
    [
      ['Agencies', 'Agency partners', 3],
      ['Default', null, 38],
      ['Gold', 'Gold partners', 1],
    ],
  )
  const mira = await db.one<{ id: string; byGoal: boolean }>`
    select p.id, l.goal_id is not null as by_goal from partners p join terms_log l on l.partner_id = p.id
    where p.account_id = ${account.id} and p.group_id = ${items[2]!.id}`
  assert(mira.byGoal)
  const entries = await db.many<{ kind: string; amount: number }>`
    select e.kind, e.amount from commission_entries e left join sales s on s.account_id = e.account_id and s.id = e.sale_id
    where e.account_id = ${account.id} and e.partner_id = ${mira.id}
      and (e.kind = 'bonus' or jsonb_array_length(s.lines) > 1) order by e.created_at, e.id`
  assert.deepEqual(
    entries.map(({ kind, amount }) => [kind, amount]),
    [
      ['bonus', 250_00],
      // 30% of the annual plan and 25% of the onboarding
      ['earned', 1332_00 + 320_00],
      ['bonus', 250_00],
      ['reversal', -320_00],
      ['bonus', -250_00],
    ],
  )
})

test('an agency is paid for a qualified lead, a cap cuts a sale, and new customers alone have the later terms', async () => {
  const forLeads = await db.many`
    select distinct g.name, e.amount from commission_entries e join partners p on p.id = e.partner_id
      join groups g on g.id = p.group_id where e.account_id = ${account.id} and e.lead_id is not null`
  assert.deepEqual(forLeads, [{ name: 'Agencies', amount: 40_00 }])
  const { cap, earned } = await db.one<{ cap: object; earned: number }>`
    select credit->'cap' as cap, (select sum(amount)::bigint from commission_entries e
      where e.account_id = s.account_id and e.sale_id = s.id) as earned
    from sales s where account_id = ${account.id} and credit->'cap'->'kept' < credit->'cap'->'planned'`
  assert.deepEqual(cap, { kind: 'customer', used: 128_00, planned: 1065_60, kept: 372_00 })
  assert.equal(earned, 372_00)
  const versions = await db.many`
    select applies_to, jsonb_array_length(terms->'rules') as rules, terms->'otherwise'->'layerRates' as rates,
      to_char(saved_at, 'FMMonth') as month
    from terms_log where account_id = ${account.id} and subject = 'account' order by number desc limit 2`
  assert.deepEqual(versions, [
    { appliesTo: 'new-customers', rules: 1, rates: [20, 5], month: 'May' },
    { appliesTo: 'all-sales', rules: 0, rates: [10, 5, 2], month: 'November' },
  ])
})

test('the same day produces the same figures', async () => {
  const figures = async ({ db }: typeof demo) =>
    db.many`
      select a.name, p.referral_code, b.name as link, t.partners, t.leads, t.sales, t.clicks, t.revenue, t.share
      from total_stats t join accounts a on a.id = t.account_id
        left join partners p on p.id = t.partner_id left join link_blueprints b on b.id = t.blueprint_id
      order by 1, 2 nulls first, 3 nulls first`
  assert.deepEqual(await figures(again), await figures(demo))
  const payouts = async (one: typeof demo) =>
    (await payoutsOf(one)).map(({ partnerName, amount, status, periodStart }) =>
      [partnerName, amount, status, periodStart].join(' '),
    )
  assert.deepEqual((await payouts(again)).sort(), (await payouts(demo)).sort())
})

test('every named person can sign in, and mails wait in the outbox', async () => {
  for (const { email } of signIns) {
    const device = { address: '127.0.0.1', userAgent: null }
    assert((await signIn(db, services, { email, password: PASSPHRASE }, device)).accessToken)
  }
  const roles = await db.one<{ roles: string[] }>`
    select array_agg(r.type order by r.type) as roles from users u join user_roles r on r.user_id = u.id
    where u.email = 'nadia@cobalt.example'`
  assert.deepEqual(roles, { roles: ['account-owner', 'partner'] })
  const people = await db.many<{ email: string; type: string }>`
    select u.email, r.type from user_roles r join users u on u.id = r.user_id
    where r.partner_id = (select id from partners where referral_code = 'jane') order by r.created_at`
  assert.deepEqual(people, [
    { email: 'jane@whitfield.example', type: 'partner' },
    { email: 'noa@whitfield.example', type: 'partner-member' },
  ])
  assert((await readdir(join(demo.dataDir, 'outbox'))).length > 30)
})

test('Stripe responds to Check now; a check of Wise leaves every payout unchanged', async () => {
  const { id } = await db.one<{ id: string }>`select id from provider_connections where account_id = ${account.id}`
  const connection = await checkConnection(services, account.id, id)
  assert.deepEqual([connection.state, connection.accountName], ['connected', 'Harbor Analytics Inc.'])
  const before = await payoutsOf(demo)
  assert((await pollTransfers({ ...services, db: { ...db, now: later(db.now) } as typeof db })) > 0)
  await workOff(services)
  const statusesOf = (payouts: typeof before) => payouts.map(({ id, status }) => `${id} ${status}`).sort()
  assert.deepEqual(statusesOf(await payoutsOf(demo)), statusesOf(before))
})

const later = (at: Date) => new Date(at.getTime() + 3_600_000)

test('the account in euros has paid by SEPA file, with invoices in every treatment and a credit note', async () => {
  const rows = await db.many<{ kind: string; treatment: string; isRound: boolean }>`
    select i.kind, i.treatment, i.gross = o.pay_amount as is_round
    from invoices i join payouts o on o.account_id = i.account_id and o.id = i.payout_id order by i.number`
  assert.ok(rows.every(({ isRound }) => isRound))
  assert.deepEqual([...new Set(rows.map(({ treatment }) => treatment))], ['standard', 'reverse-charge', 'exempt'])
  assert.equal(rows.filter(({ kind }) => kind === 'credit-note').length, 1)
  const files = await db.many<{ count: number }>`select count from payment_files order by number`
  assert.deepEqual(
    files.map(({ count }) => count),
    [4, 4, 3, 30],
  )
})

const OF_EUROPE = 'Harbor Analytics Europe'
const treatments: Record<string, (vatId: string | null) => string | null> = {
  DE: (vatId) => (vatId ? 'standard' : 'exempt'),
  FR: (vatId) => vatId && 'reverse-charge',
  NL: (vatId) => vatId && 'reverse-charge',
  ES: (vatId) => vatId && 'reverse-charge',
  BR: () => 'reverse-charge',
  US: () => 'reverse-charge',
}

test('a payday of forty partners in six countries by three methods is followed from approval to the year report', async () => {
  const europe = await db.one<AccountFacts>`select ${accountFacts} from accounts a where a.name = ${OF_EUROPE}`
  const dayOf = (instant: string | null) => dayIn(europe.timeZone, new Date(instant!))
  const all = (await listPayouts(db, europe, { limit: 200, sort: 'createdAt' }, { reader: 'owner' })).items
  const payday = dayOf(all.find(({ method }) => method === 'wise')!.approvedAt)
  assert.match(payday, /-(01|15)$/)
  const those = all.filter(({ approvedAt }) => approvedAt && dayOf(approvedAt) === payday)
  assert.equal(new Set(those.map(({ partnerId }) => partnerId)).size, 40)
  assert.deepEqual(
    countBy(those, ({ method }) => method!),
    { sepa: 30, wise: 4, paypal: 6 },
  )

  const papers = await db.many<Paper>`
    select o.id, d.country, d.vat_id, i.number, i.treatment, i.net, i.tax, i.gross, c.at, c.amount as out, c.tax_amount,
      f.reference, f.pay_amount as in_file
    from payouts o
      join lateral (select * from invoice_details x where x.account_id = o.account_id and x.partner_id = o.partner_id
        order by x.version desc limit 1) d on true
      join payout_cash c on c.account_id = o.account_id and c.payout_id = o.id
      left join invoices i on i.account_id = o.account_id and i.payout_id = o.id
      left join payment_file_payouts f on f.account_id = o.account_id and f.payout_id = o.id
    where o.id = any(${those.map(({ id }) => id)}::uuid[])`
  assert.equal(papers.length, 40, 'each has one line of cash')
  assert.deepEqual([...new Set(papers.map(({ country }) => country))].sort(), Object.keys(treatments).sort())

  const journal = await journalOf(europe, `${payday}..${dayIn(europe.timeZone, db.now)}`)
  const owner = await ownerOf(europe)
  const year = Number(payday.slice(0, 4))
  const report = await listTaxYear(services, europe, year, { limit: 100, sort: 'name' })
  for (const payout of those) {
    const { id, statementNumber, amount, taxAmount, payAmount, partnerId, method, externalReference } = payout
    const number = `PO-${statementNumber}`
    const paper = papers.find((one) => one.id === id)!
    assert.deepEqual([payout.status, payout.approvedBy, payout.payAmount], ['paid', 'Elena Marsh', amount + taxAmount])

    // what left at the bank or provider
    if (method === 'sepa') assert.deepEqual([externalReference, paper.inFile], [paper.reference, payAmount])
    else assert.deepEqual(await moneyAt(method!, payout.attempts[0]!.transferId!), { done: true, amount: payAmount })

    // the statement, the invoice and the money that left
    const access = await resolveAccess(db, getPayoutStatement, owner, id)
    const statement = await readStatement(db, services.secrets, access, { as: 'owner', partnerId: null })
    assert.equal(
      statement.sums.reduce((sum, one) => sum + one.amount, 0),
      amount,
    )
    const treatment = treatments[paper.country]!(paper.vatId)
    assert.equal(paper.treatment, treatment, number)
    assert.equal(taxAmount, treatment === 'standard' ? Math.round(amount * 0.19) : 0)
    if (treatment) assert.deepEqual([paper.net, paper.tax, paper.gross], [amount, taxAmount, payAmount])
    assert.equal(payout.invoiceNumber === null, treatment === null)
    assert.deepEqual([paper.out, paper.taxAmount], [amount, taxAmount])

    // the journal: debits equal credits, with what the provider took, and what is owed falls by the payout
    const lines = journal.filter((line) => line.reference === number)
    const borne = payout.payee?.currency === 'eur' ? (payout.payee.fee ?? 0) : 0
    assert.equal(borne > 0, method === 'paypal', number)
    for (const side of ['debit', 'credit'] as const)
      assert.equal(
        lines.reduce((sum, line) => sum + line[side], 0),
        payAmount + borne,
      )
    assert.deepEqual(
      lines.flatMap(({ account, debit }) => (account === 'Commissions payable' ? debit : [])),
      [amount],
    )

    const paid = all.filter(
      (one) => one.partnerId === partnerId && one.status === 'paid' && one.paidOn?.startsWith(`${year}`),
    )
    const row = report.items.find((one) => one.partnerId === partnerId)!
    assert.equal(
      row.paid,
      paid.reduce((sum, one) => sum + one.amount, 0),
    )
  }
  const issued = papers.flatMap(({ number }) => number ?? []).sort((a, b) => a - b)
  assert.deepEqual(
    issued,
    Array.from(issued, (_, at) => issued[0]! + at),
  )
})

type Paper = {
  id: string
  country: string
  vatId: string | null
  number: number | null
  treatment: string | null
  net: number
  tax: number
  gross: number
  out: number
  taxAmount: number
  reference: string | null
  inFile: number | null
}

const countBy = <T>(list: T[], of: (one: T) => string) =>
  Object.fromEntries([...Map.groupBy(list, of)].map(([key, { length }]) => [key, length]))

async function ownerOf({ id }: AccountFacts) {
  const { userId, email } = await db.one<{ userId: string; email: string }>`
    select u.id as user_id, u.email from user_roles r join users u on u.id = r.user_id
    where r.account_id = ${id} and r.type = 'account-owner'`
  return personAs(userId, email, { teamRoles: { [id]: 'owner' } })
}

/** Lines of the journal by entry, in cents. */
async function journalOf(account: AccountFacts, range: string) {
  const pieces = await Array.fromAsync(
    journalFile((work) => work(db), account, { range: readJournalRange(range), detail: 'entry' }),
  )
  const cents = (value: string) => Math.round(Number(value) * 100)
  return readCsv(pieces.join('')).rows.map(({ Account, Debit, Credit, Reference }) => ({
    ...{ account: Account!, debit: cents(Debit!), credit: cents(Credit!), reference: Reference! },
  }))
}

/** Reads a payment at its provider: whether it is done, and its amount. */
async function moneyAt(method: string, id: string) {
  const { wise } = demo.standIns
  if (method === 'wise') {
    const headers = { authorization: `Bearer ${WISE_TOKEN}` }
    const { status, sourceValue } = await (await fetch(`${wise.url}/v1/transfers/${id}`, { headers })).json()
    return { done: status === 'outgoing_payment_sent', amount: Math.round(sourceValue * 100) }
  }
  const { items } = await callPaypal(demo.standIns, `/${id}`)
  const { transaction_status: status, payout_item: item } = items[0]
  return { done: status === 'SUCCESS', amount: Math.round(Number(item.amount.value) * 100) }
}

/** Calls PayPal's payouts, signed in as the demo's app. */
async function callPaypal({ paypal }: DemoProviders, path: string, body?: object) {
  const basic = Buffer.from(`${PAYPAL_APP.clientId}:${PAYPAL_APP.clientSecret}`).toString('base64')
  const call = async (address: string, authorization: string, sent?: { type: string; text: string }) => {
    const headers = { authorization, ...(sent && { 'content-type': sent.type }) }
    return (await fetch(paypal.url + address, { headers, ...(sent && { method: 'POST', body: sent.text }) })).json()
  }
  const form = { type: 'application/x-www-form-urlencoded', text: 'grant_type=client_credentials' }
  const { access_token } = await call('/v1/oauth2/token', `Basic ${basic}`, form)
  const sent = body && { type: 'application/json', text: JSON.stringify(body) }
  return call(`/v1/payments/payouts${path}`, `Bearer ${access_token}`, sent)
}

test('PayPal’s stand-in remembers its payments at the next start, and refuses a batch id that it saw', async () => {
  const file = join(demo.dataDir, 'stand-ins.json')
  const body = {
    sender_batch_header: { sender_batch_id: 'trb-demo-1', email_subject: 'You have a payment' },
    items: [
      {
        ...{ recipient_type: 'EMAIL', receiver: 'lena@fischerdigital.example', note: 'PO-1', sender_item_id: 'one' },
        amount: { value: '12.50', currency: 'USD' },
      },
    ],
  }
  const first = await startStandIns({ clock: db.clock, file })
  const { batch_header: made } = await callPaypal(first, '', body)
  await first.close()
  const second = await startStandIns({ clock: db.clock, file })
  const again = await callPaypal(second, '', body)
  const { items } = await callPaypal(second, `/${made.payout_batch_id}`)
  await second.close()
  assert.equal(again.name, 'USER_BUSINESS_ERROR')
  assert.deepEqual([items[0].transaction_status, items[0].payout_item.amount.value], ['SUCCESS', '12.50'])
})

test('a partner is paid by PayPal; the payment to an address without an account there waits to be claimed', async () => {
  const payouts = (await payoutsOf(demo)).filter(({ method }) => method === 'paypal')
  const tallied = new Set(payouts.map(({ partnerName, status }) => `${partnerName} ${status}`))
  assert.ok(tallied.has('Lena Fischer paid'))
  const [unclaimed, ...others] = payouts.filter(({ status }) => status === 'sent')
  assert.deepEqual(others, [])
  assert.ok(unclaimed!.claimBy! > dayIn(account.timeZone, db.now))
  assert.match(unclaimed!.failureReason!, /^Not claimed yet/)
})
