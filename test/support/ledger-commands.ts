import assert from 'node:assert/strict'
import { simpleTerms } from '#contract/simple-terms.ts'
import { system } from '../../server/platform/author.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { type Transaction, transaction } from '../../server/platform/database/pool.ts'
import type { Services } from '../../server/platform/services.ts'
import { yearIn } from '../../server/platform/time/days.ts'
import type { Access } from '../../server/program/access/access.ts'
import { blockBookings } from '../../server/program/access/lock-accounts.ts'
import { addAdjustment } from '../../server/program/commissions/adjustments.ts'
import { createGroup } from '../../server/program/groups/groups.ts'
import { applyReading } from '../../server/program/payouts/apply-transfer.ts'
import { approvePayout } from '../../server/program/payouts/approve.ts'
import { getBalances } from '../../server/program/payouts/balances.ts'
import { cancelPayout } from '../../server/program/payouts/cancel-payout.ts'
import { gatherPayouts } from '../../server/program/payouts/gather-payouts.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { wise } from '../../server/program/payouts/methods/wise/method.ts'
import { meanings } from '../../server/program/payouts/methods/wise/steps.ts'
import {
  insertAttempt,
  readActiveAttempt,
  readUnderWay,
  saveAttempt,
} from '../../server/program/payouts/payout-attempts.ts'
import { transitionPayout } from '../../server/program/payouts/transitions.ts'
import { attributeSale, reassignLead } from '../../server/program/sales/attribute-sale.ts'
import { releaseSale, voidSale } from '../../server/program/sales/change-sale.ts'
import { saveExchangeRate } from '../../server/program/sales/exchange-rates.ts'
import { listSales } from '../../server/program/sales/list-sales.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { applyRefund, refundByHand } from '../../server/program/sales/refund-sale.ts'
import { restoreSale } from '../../server/program/sales/restore-sale.ts'
import { bookAllWaiting } from '../../server/program/sales/waiting-sales.ts'
import { partnerHistory } from '../../server/program/stats/history.ts'
import { moveToGroup } from '../../server/program/terms/moves.ts'
import { saveTerms, type TermsSubject } from '../../server/program/terms/save-terms.ts'
import { aLedger, aSale, atTime, type Ledger, ownerAuthor, type Plan } from './ledger.ts'
import * as model from './ledger-model.ts'
import { settleOutcome } from './model-test.ts'
import { compareLines } from './revenue-lines.ts'

/** A step that affects an account's money. Numbers of sales, leads and partners wrap around their list. */
export type Step =
  | {
      do: 'sell'
      lead: number | null
      via: Provider
      net: number
      tax: number
      foreign: boolean
      subscription: number | null
      ago: number
      key: number
    }
  | { do: 'report'; sale: number; kind: 'refund' | 'dispute'; id: number; part: number; status: model.ReportStatus }
  | { do: 'refund'; sale: number; part: number | null }
  | { do: 'void' | 'restore' | 'release'; sale: number }
  | { do: 'adjust'; partner: number; amount: number }
  | { do: 'pass'; days: number }
  | { do: 'rate'; ago: number; rate: string }
  | { do: 'attribute'; sale: number; lead: number; earlier: boolean }
  | { do: 'reassign'; lead: number; partner: number; earlier: boolean }
  | { do: 'change-rates'; of: model.Version['of']; rates: string[]; takesAway: boolean; reach: model.Version['reach'] }
  | { do: 'move'; partner: number; into: boolean; reach: model.Move['reach'] }
  | { do: 'suspend'; partner: number }
  | { do: 'gather' }
  | { do: 'approve'; payout: number; leaves: boolean }
  | { do: 'mark-paid' | 'cancel'; payout: number }
  | { do: 'transfer'; payout: number; state: 'moving' | 'sent' | 'bounced' | 'over' }

type Provider = 'manual' | 'api' | 'stripe'

/** An account at the start of its history. */
export type Start = Required<Omit<Plan, 'timeZone' | 'currency' | 'partners' | 'leads'>> & {
  currency: string
  foreign: string
  zone: number
  partners: Required<Plan['partners'][number]>[]
  leads: Required<NonNullable<Plan['leads']>[number]>[]
}

/** Zones without summer time, with their hours ahead of UTC. */
const zones = [
  { timeZone: 'UTC', hours: 0 },
  { timeZone: 'Asia/Tokyo', hours: 9 },
  { timeZone: 'America/Phoenix', hours: -7 },
] as const

/** A Monday, at an hour when the date differs between the zones. */
const STARTS_AT = Date.parse('2026-03-02T20:00:00Z')
const DAY = 86_400_000

type Course = {
  ledger: Ledger
  groupId: string
  book: model.Book
  saleIds: string[]
  time: { now: number }
  foreign: string
}

/**
 * Applies the steps to the product and to the model, and compares them after each: every refusal, sale, layer and
 * balance, and at the end the statistics.
 */
export function runSteps(
  services: Services,
  start: Start,
  steps: Step[],
  seen?: (outcome: string) => void,
): Promise<void> {
  const time = { now: STARTS_AT }
  return atTime(time, async () => {
    const course = await begin(services, start, time)
    for (const [index, step] of steps.entries()) {
      const expected = await happen(course, step)
      seen?.(`${step.do} ${expected}`)
      const where = `step ${index + 1}, ${JSON.stringify(step)}, ${expected}`
      if (expected !== NOTHING && movesMoney(step)) await compareSales(course, where)
      if (expected !== NOTHING && movesBalances(step)) await compareBalances(course, where)
    }
    await compareBalances(course, 'the end')
    await compareStatistics(course)
    await compareLines(course.ledger)
    await compareNumber(course.ledger)
    await compareUpperLayers(course.ledger)
  })
}

async function begin(services: Services, start: Start, time: { now: number }): Promise<Course> {
  const { timeZone, hours } = zones[start.zone]!
  const ledger = await aLedger(services, { ...start, timeZone })
  const { id: accountId } = ledger.account
  const { id: groupId } = await transaction(services.db, (tx) => createGroup(tx, system, accountId, { name: 'Gold' }))
  const book: model.Book = {
    currency: start.currency,
    decimals: { usd: 2, eur: 2, jpy: 0, kwd: 3 },
    payoutDelay: start.payoutDelay,
    utcOffset: hours,
    selfReferrals: start.selfReferralPolicy,
    recurringMonths: start.recurringMonths,
    versions: [
      { of: 'account', rates: start.rates },
      { of: 'link', rates: start.blueprintRates },
      ...start.partners.map(({ rates }, of) => ({ of, rates })),
    ].map((version) => ({ ...version, reach: 'all-sales', at: time.now }) as model.Version),
    moves: [],
    partners: start.partners.map(({ parent, active }) => ({ parent, active })),
    leads: start.leads.map((lead) => ({ ...lead, referredAt: time.now })),
    sales: [],
    pieces: [],
    payouts: [],
    exchangeRates: [],
  }
  return { ledger, groupId, book, saleIds: [], time, foreign: start.foreign }
}

const round = <T>(list: readonly T[], place: number): [T, number] | undefined => {
  const index = place % list.length
  return list.length === 0 ? undefined : [list[index]!, index]
}

/** Result of a step without anything to work on. */
const NOTHING = 'nothing to do'

/** Steps after which balances are compared at once; after others a later comparison suffices. */
const movesBalances = (step: Step) => ['approve', 'mark-paid', 'cancel', 'transfer', 'pass'].includes(step.do)
const movesMoney = (step: Step) =>
  ['sell', 'report', 'refund', 'void', 'restore', 'rate', 'attribute', 'reassign'].includes(step.do)

async function happen(course: Course, step: Step): Promise<string> {
  const { ledger, book, time } = course
  const { db, account, partnerIds, leadIds } = ledger
  const by = ownerAuthor(ledger)
  const { now } = time
  const both = async (expected: model.Outcome, work: (tx: Transaction) => Promise<unknown>) => {
    assert.equal(await settleOutcome(transaction(db, work)), expected, JSON.stringify(step))
    return expected
  }
  const at = 'sale' in step ? round(book.sales, step.sale) : undefined
  if ('sale' in step && !at) return NOTHING
  const [sale, saleNumber] = at ?? []
  const saleId = course.saleIds[saleNumber ?? 0]!

  switch (step.do) {
    case 'sell':
      return sell(course, step)
    case 'report': {
      const id = `${step.kind}-${step.id}`
      const reported = { id, kind: step.kind, amount: share(sale!, step.part), status: step.status }
      const known = sale!.reports.find((one) => one.id === id)
      const amount = known?.amount ?? reported.amount
      if (amount === 0n) return NOTHING
      model.reportSale(book, now, sale!, { ...reported, amount })
      const report = {
        ...reported,
        externalId: `${saleNumber}-${id}`,
        amount: Number(amount),
        reason: null,
        at: new Date(now),
      }
      return both('done', (tx) => applyRefund(tx, system, account, saleId, report))
    }
    case 'refund': {
      const amount = step.part === null ? null : share(sale!, step.part)
      if (amount === 0n) return NOTHING
      const fromProvider = sale!.key?.startsWith('stripe') ?? false
      const expected = model.refundByHand(book, now, sale!, { id: newId(), amount, fromProvider })
      const body = { amount: amount === null ? null : Number(amount), reason: 'by hand' }
      return both(expected, (tx) => refundByHand(tx, by, account, saleId, body))
    }
    case 'void':
      return both(model.voidSale(book, now, sale!), (tx) => voidSale(tx, by, account, saleId, 'a mistake'))
    case 'restore':
      return both(model.restoreSale(book, now, sale!), (tx) => restoreSale(tx, by, account, saleId, 'no mistake'))
    case 'release':
      return both(model.releaseSale(sale!, now), (tx) => releaseSale(tx, by, account, saleId, 'looked at'))
    case 'adjust': {
      const [, partner] = round(partnerIds, step.partner)!
      model.adjustBalance(book, now, partner, BigInt(step.amount))
      const body = { amount: step.amount, reason: 'agreed' }
      return both('done', (tx) => addAdjustment(tx, by, account, partnerIds[partner]!, body))
    }
    case 'pass':
      time.now += step.days * DAY
      return 'done'
    case 'rate': {
      const rate = {
        currency: course.foreign,
        date: model.daysAfter(model.dayToday(book, now), -step.ago),
        rate: step.rate,
      }
      model.enterRate(book, now, rate)
      return both('done', async (tx) => {
        await saveExchangeRate(tx, by, account, { ...rate, rate: Number(rate.rate) })
        await bookAllWaiting(tx, { accountId: account.id, currency: rate.currency, by })
      })
    }
    case 'attribute': {
      const lead = round(leadIds, step.lead)
      if (!lead) return NOTHING
      const body = { leadId: lead[0], reason: 'theirs', creditEarlierSales: step.earlier }
      return both(model.attributeSale(book, now, sale!, lead[1], step.earlier), (tx) =>
        attributeSale(tx, by, account, saleId, body),
      )
    }
    case 'reassign': {
      const lead = round(leadIds, step.lead)
      if (!lead) return NOTHING
      const [partnerId, partner] = round(partnerIds, step.partner)!
      const body = { partnerId, reason: 'theirs', creditEarlierSales: step.earlier }
      return both(model.reassignLead(book, now, lead[1], partner, step.earlier), (tx) =>
        reassignLead(tx, by, account, lead[0], body),
      )
    }
    case 'change-rates': {
      const of = typeof step.of === 'number' ? round(partnerIds, step.of)![1] : step.of
      const rates = step.takesAway && of !== 'account' ? null : step.rates
      book.versions.push({ of, rates, reach: step.reach, at: now })
      const ids = { account: account.id, group: course.groupId, link: await linkOf(ledger) }
      const subject: TermsSubject =
        typeof of === 'number' ? { kind: 'partner', id: partnerIds[of]! } : { kind: of, id: ids[of] }
      const terms = rates && simpleTerms({ layerRates: rates.map(Number) })
      return both('done', async (tx) => {
        await blockBookings(tx, account.id)
        await saveTerms(tx, by, account.id, subject, { terms, appliesTo: step.reach })
      })
    }
    case 'move': {
      const [partnerId, partner] = round(partnerIds, step.partner)!
      const { into, reach } = step
      book.moves.push({ partner, into, reach, at: now })
      return both('done', async (tx) => {
        await blockBookings(tx, account.id)
        const groupId = into ? course.groupId : account.id
        await moveToGroup(tx, by, account.id, partnerId, { groupId, appliesTo: reach })
      })
    }
    case 'suspend': {
      const [partnerId, number] = round(partnerIds, step.partner)!
      const partner = book.partners[number]!
      partner.active = !partner.active
      const state = partner.active ? 'active' : 'suspended'
      return both('done', (tx) => tx.run`update partners set state = ${state} where id = ${partnerId}`)
    }
    case 'gather':
      model.gatherPayouts(book, now)
      return both('done', (tx) => gatherPayouts(tx, account))
    default:
      return payOut(course, step)
  }
}

const linkOf = ({ db, account }: Ledger) =>
  db.value<string>`select id from link_blueprints where account_id = ${account.id}`

/** A part of the payment, in twelfths; more than twelve exceeds it, as does any part of an empty sale. */
const share = ({ gross }: model.Sale, twelfths: number) => (gross === 0n ? 7n : (gross * BigInt(twelfths)) / 12n)

async function sell({ ledger, book, time, saleIds, foreign }: Course, step: Extract<Step, { do: 'sell' }>) {
  const lead = step.lead === null ? undefined : round(book.leads, step.lead)?.[1]
  const facts = {
    key: `${step.via} ${step.key}`,
    lead: lead ?? null,
    net: BigInt(step.net),
    gross: BigInt(step.net + step.tax),
    currency: step.foreign ? foreign : book.currency,
    date: model.daysAfter(model.dayToday(book, time.now), -step.ago),
    // each source has its own subscriptions, even under the same name
    subscription: step.subscription === null ? null : `${step.via} ${step.subscription}`,
  }
  const sales = book.sales.length
  const sale = model.recordSale(book, time.now, facts)
  const recorded = await recordSale(
    ledger.db,
    aSale(ledger, {
      leadId: lead === undefined ? null : ledger.leadIds[lead]!,
      provider: step.via,
      externalId: `${step.key}`,
      amount: step.net,
      taxAmount: step.tax,
      currency: facts.currency,
      saleDate: facts.date,
      subscriptionId: step.subscription === null ? null : `subscription ${step.subscription}`,
      by: step.via === 'manual' ? ownerAuthor(ledger) : system,
    }),
  )
  assert.equal(recorded.created, book.sales.length > sales)
  if (recorded.created) saleIds.push(recorded.id)
  assert.equal(recorded.id, saleIds[book.sales.indexOf(sale)])
  return recorded.created ? 'done' : 'known'
}

type PayoutStep = Extract<Step, { do: 'approve' | 'mark-paid' | 'cancel' | 'transfer' }>

const inStates = {
  approve: ['gathering'],
  'mark-paid': ['gathering', 'approved'],
  cancel: ['gathering', 'approved'],
  transfer: ['approved', 'processing', 'sent', 'paid', 'returned'],
}

async function payOut({ ledger, book, time: { now } }: Course, step: PayoutStep): Promise<string> {
  const { db, services, account, actor, partnerIds } = ledger
  if (step.do !== 'transfer') {
    model.gatherPayouts(book, now)
    await transaction(db, (tx) => gatherPayouts(tx, account))
  }
  const able = book.payouts.filter(({ state }) => inStates[step.do].includes(state))
  const [payout] = round(able, step.payout) ?? []
  if (!payout) return NOTHING
  const id = await payoutId(ledger, book, payout, partnerIds[payout.partner]!)
  if (step.do === 'transfer') return transfer(ledger, book, payout, id, now, step.state)
  const calls = {
    approve: () => transaction(db, (tx) => approvePayout(tx, services, actor, account, id)),
    'mark-paid': () => transaction(db, (tx) => markPayoutPaid(tx, actor, account, id, { reference: 'bank 17' })),
    cancel: () => cancelPayout(services, actor, account, id),
  }
  const expect = { approve: model.approvePayout, 'mark-paid': model.markPaid, cancel: model.cancelPayout }
  const expected = expect[step.do](book, now, payout)
  assert.equal(await settleOutcome(calls[step.do]()), expected, JSON.stringify(step))
  if (step.do === 'approve' && step.leaves && expected === 'done')
    await transfer(ledger, book, payout, id, now, 'moving')
  return expected
}

/** Returns the product's payout for the model's: the nth payout of a partner is the nth in both. */
async function payoutId({ db }: Ledger, book: model.Book, payout: model.Payout, partnerId: string) {
  const place = book.payouts.filter(({ partner }) => partner === payout.partner).indexOf(payout)
  const rows = await db.many<{ id: string }>`
    select id from payouts where partner_id = ${partnerId} order by statement_number`
  return rows[place]!.id
}

const wiseStates = {
  moving: 'processing',
  sent: 'outgoing_payment_sent',
  bounced: 'bounced_back',
  over: 'funds_refunded',
} as const

/** Changes a transfer only as its states allow: it leaves, arrives, comes back, and is then final. */
async function transfer(
  { db, account }: Ledger,
  book: model.Book,
  payout: model.Payout,
  id: string,
  now: number,
  state: keyof typeof wiseStates,
) {
  const paidByHand = await db.maybe`select from payouts where id = ${id} and status = 'paid' and method = 'manual'`
  const released = payout.state === 'returned' && !book.pieces.some((piece) => piece.payout === payout)
  if (paidByHand || released || (payout.state === 'approved' && state !== 'moving')) return NOTHING
  const paid = { account, payoutId: id, method: { ...wise, provider: wise.provider! } }
  await transaction(db, async (tx) => {
    if (payout.state === 'approved') {
      await tx.run`update payouts set method = 'wise' where id = ${id}`
      await transitionPayout(tx, account, id, 'start')
      const year = yearIn(account.timeZone, tx.now)
      const attempt = { id: newId(), number: 1, transactionId: newId(), profileId: '1', year }
      await insertAttempt(tx, { payout: (await readUnderWay(tx, paid))!, method: wise }, attempt)
      await saveAttempt(
        tx,
        { ...attempt, accountId: account.id },
        { memo: { transferId: id }, state: 'transferring', stage: 'open' },
      )
    }
    const at = (await readActiveAttempt(tx, paid))!
    const reading = { standing: meanings.get(wiseStates[state])!, state: wiseStates[state], words: 'Back.' }
    await applyReading(tx, paid, at.payout, {
      attempt: at.attempt,
      reading: { ...reading, wrong: null, notice: null },
    })
  })
  model.applyTransfer(book, now, payout, state)
  return 'done'
}

// --- comparison

type SaleRow = {
  id: string
  status: string
  refundedAmount: number
  disputed: boolean
  base: number | null
  partnerId: string | null
}
type LayerRow = { saleId: string; partnerId: string; layer: number; earned: number; left: number }

async function compareSales({ ledger: { db, account, partnerIds }, book, saleIds }: Course, where: string) {
  const sales = await db.many<SaleRow>`
    select id, status, refunded_amount, disputed, account_amount as base, partner_id from sales
    where account_id = ${account.id}`
  const rows = await db.many<LayerRow>`
    select sale_id, partner_id, layer, sum(amount) filter (where kind = 'earned')::bigint as earned, sum(amount)::bigint as left
    from commission_entries where account_id = ${account.id} and sale_id is not null group by 1, 2, 3 order by 1, 3`
  const found = new Map(sales.map((sale) => [sale.id, sale]))
  const entries = Map.groupBy(rows, (row) => row.saleId)
  for (const [index, sale] of book.sales.entries()) {
    const id = saleIds[index]!
    assert.deepEqual(
      found.get(id),
      {
        id,
        status: model.saleStatus(sale),
        refundedAmount: Number(model.lostAmount(sale)),
        disputed: model.isDisputed(sale),
        base: sale.base === null ? null : Number(sale.base),
        partnerId: sale.partner === null ? null : partnerIds[sale.partner],
      },
      where,
    )
    const layers = entries.get(id) ?? []
    const expected = model.listLayers(book, sale).map(({ partner, layer, earned, left }) => ({
      ...{ saleId: id, partnerId: partnerIds[partner]!, layer },
      ...{ earned: Number(earned), left: Number(left) },
    }))
    assert.deepEqual(layers, expected, where)
    const earned = layers.reduce((sum, layer) => sum + layer.earned, 0)
    assert.ok(earned <= Number(sale.base ?? 0), `${where}: ${earned} of ${sale.base} is earned`)
    if (sale.void || (sale.gross > 0n && model.lostAmount(sale) === sale.gross))
      assert.ok(
        layers.every(({ left }) => left === 0),
        `${where}: something is left of a sale that is given back`,
      )
  }
}

async function compareBalances({ ledger: { db, account, partnerIds }, book, time: { now } }: Course, where: string) {
  const balances = await getBalances(db, account, 'all')
  const sums = await db.many<{ partnerId: string; all: number; earned: number; bound: number }>`
    select e.partner_id, sum(e.amount)::bigint as all,
      coalesce(sum(e.amount) filter (where e.kind in ('earned', 'adjustment') and e.amount > 0), 0)::bigint as earned,
      coalesce(sum(e.amount) filter (where exists (select from payout_entries b where b.entry_id = e.id and b.live)), 0)::bigint as bound
    from commission_entries e where e.account_id = ${account.id} group by 1`
  const sumOf = new Map(sums.map((row) => [row.partnerId, row]))
  for (const [partner, partnerId] of partnerIds.entries()) {
    const { held, due, onHold, inPayout, paid } = balances.get(partnerId)!
    const expected = numbers(model.readBalance(book, now, partner))
    assert.deepEqual({ held, due, onHold, inPayout, paid }, expected, `${where}: the balance of partner ${partner}`)
    const { all = 0, earned = 0, bound = 0 } = sumOf.get(partnerId) ?? {}
    assert.equal(held + due + onHold + inPayout + paid, all, `${where}: the five parts of a balance`)
    assert.equal(inPayout + paid, bound, where)
    assert.ok(bound <= earned, `${where}: ${bound} is paid of ${earned} earned`)
  }
}

const numbers = <T extends Record<string, bigint>>(amounts: T) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, Number(amount)]))

const nothing = { sales: 0, revenue: 0, share: 0 }
const NIL = '00000000-0000-0000-0000-000000000000'

async function compareStatistics({ ledger, book }: Course) {
  const { db, account, partnerIds, leadIds } = ledger
  type Row = { id: string; sales: number; revenue: number; share: number }
  const rows = await db.many<Row>`
    select partner_id as id, sales, revenue, share from total_stats
    where account_id = ${account.id} and blueprint_id = ${NIL}
    union all select lead_id, sales, revenue, share from lead_stats where account_id = ${account.id}`
  const found = new Map(rows.map(({ id, ...row }) => [id, row]))
  const check = (id: string, expected: model.Totals, what: string) =>
    assert.deepEqual(found.get(id) ?? nothing, numbers(expected), `the statistics of ${what}`)
  check(NIL, model.sumTotals(book, 'all'), 'the account')
  for (const [partner, id] of partnerIds.entries()) check(id, model.sumTotals(book, { partner }), `partner ${partner}`)
  for (const [lead, id] of leadIds.entries()) check(id, model.sumTotals(book, { lead }), `lead ${lead}`)
}

/** A page that does not show all sales has their total number, which includes sales that no statistic counts. */
async function compareNumber({ db, account }: Ledger) {
  const access: Access = { as: 'owner', account, subjectId: account.id, partnerId: null }
  const { total } = await listSales(db, access, { limit: 1, sort: '-createdAt' })
  const { rows } = await db.one<{ rows: number }>`select count(*) as rows from sales where account_id = ${account.id}`
  assert.equal(total, rows, 'the number of sales')
}

/** Compares the first partner's share above the first layer, on the last day with earnings. */
async function compareUpperLayers({ db, account, partnerIds: [partnerId] }: Ledger) {
  const access = { account, subjectId: partnerId! }
  const last = await db.maybe<{ day: string; share: number }>`
    select e.day, coalesce(sum(e.amount) filter (where e.partner_id = ${partnerId} and e.layer > 0 and s.status <> 'void'), 0)::bigint as share
    from commission_entries e join sales s on s.id = e.sale_id
    where e.account_id = ${account.id} group by 1 order by 1 desc limit 1`
  if (!last) return
  const range = { from: last.day, to: last.day }
  const { deltas } = await partnerHistory(db, access, range, { revenue: true, profit: true })
  assert.equal(deltas[0]!.subPartnersShare, last.share, `the share above the first layer on ${last.day}`)
}
