import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EarlierSales } from '#contract/sales.ts'
import type { Terms, TermsRule } from '#contract/terms.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
import {
  type ModelLead,
  type ModelTerms,
  type PaidEvent,
  paysNow,
  updateModel,
} from '../../../test/support/lead-pay-model.ts'
import {
  aLedger,
  aSale,
  atTime,
  type Ledger,
  ledgerServices,
  ownClock,
  ownerAuthor,
} from '../../../test/support/ledger.ts'
import { listSeeds, type Random, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { balancePartsSql, entriesSetAside, saleOnHold } from '../commissions/entry-status.ts'
import { approvePayout } from '../payouts/approve.ts'
import { getBalances } from '../payouts/balances.ts'
import { cancelPayout } from '../payouts/cancel-payout.ts'
import { refreshPayouts } from '../payouts/jobs.ts'
import { markPayoutPaid } from '../payouts/mark-paid.ts'
import { previewReassignment, reassignLead } from '../sales/attribute-sale.ts'
import { releaseSale, voidSale } from '../sales/change-sale.ts'
import { getReceipt } from '../sales/receipt.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { restoreSale } from '../sales/restore-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { captureLead } from './capture-lead.ts'
import { createLead } from './create-lead.ts'
import { changeLeadStatus } from './lead-status.ts'
import { moveLead } from './move-lead.ts'
import { isWinning } from './payment-time.ts'
import { revertLeadImport } from './take-back-lead.ts'

// Leads that are qualified, rejected, sold to, refunded and given away, whose sales are voided and restored, while terms change and payouts are made: what each
// pays matches a plain model.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
const STARTS_AT = Date.parse('2026-03-02T09:00:00Z')
const MINUTE = 60_000
/** The second is below the first, the third below the second; the fourth is alone. */
const PARTNERS = [{}, { parent: 0 }, { parent: 1 }, {}]
const COUNTRY = 'DE'

type Sale = { id: string; lead: number; refunded: boolean; failed: boolean; isVoid: boolean }

/** The moment of the history that is played. */
const time = { now: STARTS_AT }

async function begin(seed: number) {
  time.now = STARTS_AT
  const random = randomFrom(seed)
  const { pick, chance } = random
  const policy = pick(['allow', 'flag', 'hold', 'refuse'] as const)
  const partners = PARTNERS.map(({ parent = null }: { parent?: number | null }, at) => ({
    ...{ parent, active: at === 3 || chance(80) },
  }))
  const ledger = await aLedger(services, {
    ...{ rates: ['10'], partners, selfReferralPolicy: policy },
    leads: [
      { partner: 2 },
      { partner: null },
      { partner: 3, emailOf: 3 },
      { partner: 1 },
      { partner: 2 },
      { partner: 1 },
    ],
  })
  const { account, actor, partnerIds } = ledger
  const by = ownerAuthor(ledger)
  const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const original = await db.one<{ email: string }>`select email from leads where id = ${ledger.leadIds[0]!}`
  const duplicate = await within((tx) =>
    createLead(tx, by, account, { email: original.email, partnerId: partnerIds[3]! }),
  )
  const leadIds = [...ledger.leadIds, duplicate.id]
  await db.run`update leads set source = 'import' where id = ${leadIds[3]!}`
  await db.run`update leads set country = ${COUNTRY} where id = any(${leadIds.slice(0, 2)}::uuid[])`
  const terms: ModelTerms[] = [{ pay: { qualified: {}, customer: {} }, reach: 'all', at: 0 }]
  const leads = leadIds.map(
    (_, at): ModelLead => ({
      ...{ imported: at === 3, german: at < 2, own: at === 2 ? 3 : null, status: at === 6 ? 'duplicate' : 'new' },
      ...{ partner: [2, null, 3, 1, 2, 1, 3][at]!, hadPartner: at !== 1, referredAt: time.now },
      ...{ had: { qualified: false, customer: false }, owed: {} },
    }),
  )
  const rows = await db.many<{ id: string; email: string }>`
    select id, email from partners where account_id = ${account.id}`
  const emails = new Map(rows.map(({ id, email }) => [id, email]))
  const sales: Sale[] = []
  const refund = ({ id }: Sale, status: 'succeeded' | 'failed') =>
    within((tx) =>
      applyRefund(tx, system, account, id, {
        ...{ kind: 'refund', externalId: 'r', amount: 100_00, status, reason: null, at: tx.now },
      }),
    )
  const payouts = (...states: string[]) => db.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} and status = any(${states}) order by id`
  const ofPayout = async ({ pick }: Random, state: string, work: (id: string) => Promise<unknown>) => {
    const found = pick(await payouts(state))
    if (found) await settleOutcome(work(found.id))
  }
  const anySale = ({ pick }: Random, fits: (sale: Sale) => boolean) => pick(sales.filter(fits))

  const booked = () =>
    db.value<number>`select coalesce(sum(amount), 0)::bigint from commission_entries where account_id = ${account.id}`
  const acts = {
    async status({ pick, below }: Random): Promise<unknown> {
      const lead = leadIds[below(leadIds.length)]!
      const status = pick(['new', 'qualified', 'lost', 'rejected'] as const)
      const change = { status, reason: 'other' as const, note: undefined, sharedNote: undefined }
      return settleOutcome(within((tx) => changeLeadStatus(tx, by, account, lead, change)))
    },
    async sell({ chance, below }: Random, lead = below(leadIds.length)) {
      const isOwn = policy === 'hold' && chance(40)
      const payerEmail = isOwn ? emails.get(partnerIds[leads[lead]!.partner ?? 0]!)! : null
      const sale = aSale(ledger, { leadId: leadIds[lead]!, amount: 100_00, matchedBy: 'lead-id', payerEmail })
      const { id } = await recordSale(db, sale)
      sales.push({ id, lead, refunded: false, failed: false, isVoid: false })
    },
    async void(random: Random) {
      const sale = anySale(random, ({ isVoid }) => !isVoid)
      if (!sale) return
      sale.isVoid = true
      await within((tx) => voidSale(tx, by, account, sale.id, 'a mistake'))
    },
    async release(random: Random) {
      const sale = anySale(random, ({ isVoid }) => !isVoid)
      if (!sale) return
      await settleOutcome(within((tx) => releaseSale(tx, by, account, sale.id, 'looked at')))
    },
    async restore(random: Random) {
      const sale = anySale(random, ({ isVoid }) => isVoid)
      if (!sale) return
      sale.isVoid = false
      await within((tx) => restoreSale(tx, by, account, sale.id, 'no mistake'))
    },
    async refund(random: Random) {
      const sale = anySale(random, ({ isVoid, refunded }) => !isVoid && !refunded)
      if (!sale) return
      sale.refunded = true
      await refund(sale, 'succeeded')
    },
    async failRefund(random: Random) {
      const sale = anySale(random, ({ isVoid, refunded, failed }) => !isVoid && refunded && !failed)
      if (!sale) return
      sale.failed = true
      await refund(sale, 'failed')
    },
    async reassign(random: Random) {
      const { pick, chance, below } = random
      const unowned = leads.flatMap(({ partner }, at) => (partner === null ? [at] : []))
      const lead = unowned.length > 0 && chance(60) ? pick(unowned) : chance(50) ? 4 : below(leadIds.length)
      const to = chance(40) ? null : below(4)
      const body = { partnerId: to === null ? null : partnerIds[to]!, reason: 'so', creditEarlierSales: chance(50) }
      const give = (shown?: EarlierSales) =>
        settleOutcome(within((tx) => reassignLead(tx, by, account, leadIds[lead]!, { ...body, shown })))
      const look = () => within((tx) => previewReassignment(tx, by, account, leadIds[lead]!, body)).catch(() => null)
      const shown = body.creditEarlierSales ? await look() : null
      if (!shown) return void (await give())
      const interruption = chance(50) ? pick(['status', 'sell', 'sell', 'void', 'terms'] as const) : null
      if (interruption) await acts[interruption](random, lead)
      time.now += MINUTE
      await watch()
      const before = await booked()
      const now = await look()
      const answer = await give(shown)
      const isSame = JSON.stringify(now) === JSON.stringify(shown)
      if (now) assert.equal(answer, isSame ? 'done' : 'conflict')
      if (answer === 'done') assert.equal((await booked()) - before, shown.commission + shown.leadPay, 'what was shown')
    },
    async terms(random: Random) {
      const version = {
        pay: { qualified: anyPay(random), customer: anyPay(random) },
        reach: random.pick(['all', 'new'] as const),
      }
      const isSaved = await save(ledger, version)
      if (isSaved) terms.push({ ...version, at: time.now })
    },
    refresh: () => refreshPayouts(services, account),
    approve: (random: Random) =>
      ofPayout(random, 'gathering', (id) => within((tx) => approvePayout(tx, services, actor, account, id))),
    pay: (random: Random) =>
      ofPayout(random, 'approved', (id) =>
        within((tx) => markPayoutPaid(tx, actor, account, id, { reference: 'bank' })),
      ),
    cancel: (random: Random) => ofPayout(random, 'approved', (id) => cancelPayout(services, actor, account, id)),
  }
  time.now += MINUTE
  if (chance(70)) await acts.terms(random)
  return { acts, watch }

  async function watch() {
    const parts = balancePartsSql(new Date(time.now), account.id)
    const isOnHold = sql`coalesce(${saleOnHold(new Date(time.now))}, false)`
    const rows = await db.many<{ id: string; status: string; partnerId: string | null; referredAt: string }>`
      select id, status, partner_id, coalesce(attributed_at, created_at) as referred_at from leads
      where account_id = ${account.id}`
    const paid = await db.many<{ leadId: string; event: string; partnerId: string; amount: number }>`
      select lead_id, paid_for as event, partner_id, sum(amount)::bigint as amount from commission_entries
      where account_id = ${account.id} and lead_id is not null group by 1, 2, 3`
    const earned = await db.maybe`
      select from commission_entries where account_id = ${account.id} and lead_id is not null and kind = 'earned'
      group by lead_id, paid_for, partner_id having count(*) > 1`
    assert.equal(earned, undefined, 'a lead is paid for once')
    // what was in an approved payout when its sale was lost is not set aside afterwards
    const misheld = await db.many`
      select t.lead_id, l.held, l.free, sum(t.amount) filter (where ${parts.onHold}) as on_hold,
        sum(t.amount) filter (where ${parts.due} or ${parts.held}) as coming
      from ${entriesSetAside} join (
          select lead_id, count(*) filter (where ${isOnHold}) as held, count(*) filter (where not ${isOnHold}) as free
          from sales s where account_id = ${account.id} and ${isWinning} group by lead_id) l on l.lead_id = t.lead_id
      where t.account_id = ${account.id} and t.paid_for = 'new-customer' and not exists (
        select from commission_entries o join payout_entries b on b.account_id = o.account_id and b.entry_id = o.id
        where o.account_id = t.account_id and o.lead_id = t.lead_id)
      group by t.lead_id, t.partner_id, t.layer, l.held, l.free
      having (l.free = 0 and sum(t.amount) filter (where ${parts.due} or ${parts.held}) <> 0)
        or (l.held = 0 and sum(t.amount) filter (where ${parts.onHold}) <> 0)`
    assert.deepEqual(misheld, [], 'pay for a customer waits while every sale that keeps them is held, and only then')
    for (const [at, id] of leadIds.entries()) {
      const { status, partnerId, referredAt } = rows.find((row) => row.id === id)!
      const partner = partnerId && partnerIds.indexOf(partnerId)
      updateModel(
        leads[at]!,
        { status, partner: partner as number | null, referredAt: Date.parse(referredAt) },
        { terms, partners, refusesOwn: policy === 'hold' || policy === 'refuse' },
      )
      const has = paid
        .filter(({ leadId, amount }) => leadId === id && amount !== 0)
        .map(({ event, partnerId, amount }) => [`${words[event]} ${partnerIds.indexOf(partnerId)}`, amount] as const)
      assert.deepEqual(new Map(has.toSorted()), new Map([...paysNow(leads[at]!)].toSorted()), `lead ${at} (${status})`)
    }
  }
}

type World = Awaited<ReturnType<typeof begin>>

const words: Record<string, PaidEvent> = { 'qualified-lead': 'qualified', 'new-customer': 'customer' }

const anyPay = ({ chance, between, below }: Random) => ({
  ...(chance(60) && { all: [between(0, 50), below(3) * 10, 5] }),
  ...(chance(40) && { german: [between(1, 99)] }),
})

function rulesOf(on: TermsRule['on'], { all, german }: { all?: number[]; german?: number[] }): TermsRule[] {
  return [
    ...(german ? [{ name: null, on, when: { countries: [COUNTRY] }, layerAmounts: german }] : []),
    ...(all ? [{ name: null, on, when: {}, layerAmounts: all }] : []),
  ]
}

async function save({ account }: Ledger, { pay, reach }: Omit<ModelTerms, 'at'>) {
  const terms: Terms = {
    rules: [...rulesOf('new-customer', pay.customer), ...rulesOf('qualified-lead', pay.qualified)],
    ...{ otherwise: { layerRates: [10] }, maxPerCustomer: null, maxPerMonth: null },
  }
  return transaction(db, async (tx) => {
    await blockBookings(tx, account.id)
    const subject = { kind: 'account', id: account.id } as const
    const appliesTo = reach === 'all' ? 'all-sales' : 'new-customers'
    return saveTerms(tx, system, account.id, subject, { terms, appliesTo })
  })
}

const weights = {
  status: 14,
  sell: 6,
  void: 3,
  restore: 2,
  release: 2,
  refund: 4,
  failRefund: 2,
  reassign: 8,
  terms: 3,
  refresh: 3,
  approve: 3,
  pay: 1,
  cancel: 1,
}
const steps = Object.fromEntries(
  (Object.keys(weights) as (keyof typeof weights)[]).map((name) => [
    name,
    (world: World, random: Random) => {
      time.now += MINUTE
      return world.acts[name](random)
    },
  ]),
)
const histories = {
  ...{ begin, steps: freeSteps(steps), weights, length: 53 },
  check: ({ watch }: World) => watch(),
  ledger: db,
}

test('leads pay what a plain model computes, once each, and nothing after a rejection', async () => {
  for (const seed of listSeeds(2)) await atTime(time, () => playHistory(histories, seed))
})

test('a sale that is refused as a self-referral pays for no customer, by whichever sign it was found', async () => {
  for (const policy of ['refuse', 'flag'] as const) {
    const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }], selfReferralPolicy: policy })
    await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: { all: [40] } } })
    const { email } = await db.one<{ email: string }>`select email from partners where id = ${ledger.partnerIds[0]}`
    await recordSale(db, aSale(ledger, { amount: 100, payerEmail: email }))
    await recordSale(db, aSale(ledger, { amount: 100, payerEmail: 'buyer@elsewhere.example' }))
    const { paid } = await db.one<{ paid: number }>`
      select coalesce(sum(amount), 0)::bigint as paid from commission_entries
      where account_id = ${ledger.account.id} and lead_id is not null`
    assert.equal(paid, policy === 'refuse' ? 0 : 140)
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('a customer’s sale that would be refused as a self-referral pays no partner who gets the lead later', async () => {
  for (const policy of ['refuse', 'flag'] as const) {
    const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: null }], selfReferralPolicy: policy })
    const { account, partnerIds, leadIds } = ledger
    await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: {} } })
    const { email } = await db.one<{ email: string }>`select email from partners where id = ${partnerIds[0]}`
    const { id } = await recordSale(db, aSale(ledger, { amount: 100, payerEmail: email }))
    const giving = { partnerId: partnerIds[0]!, reason: 'Theirs', creditEarlierSales: true }
    await transaction(db, (tx) => reassignLead(tx, ownerAuthor(ledger), account, leadIds[0]!, giving))
    const paid = await db.value<number>`
      select coalesce(sum(amount), 0)::bigint from commission_entries
      where account_id = ${account.id} and lead_id is not null`
    const { credited } = await db.one<{ credited: boolean }>`select credited from sales where id = ${id}`
    assert.deepEqual([paid, credited], policy === 'refuse' ? [0, false] : [100, true])
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('an import that is undone takes back what its partner was paid for a lead, until another gives them the lead', async () => {
  const ledger = await aLedger(services, { partners: [{}, { parent: 0 }], leads: [{ partner: null }] })
  const { account, partnerIds, leadIds } = ledger
  const by = ownerAuthor(ledger)
  const leadId = leadIds[0]!
  await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: { all: [40, 5] } } })
  const become = (status: 'qualified' | 'rejected') =>
    transaction(db, (tx) => changeLeadStatus(tx, by, account, leadId, { status, reason: 'other' }))
  const paid = () => db.value<number>`
    select coalesce(sum(amount), 0)::bigint from commission_entries where account_id = ${account.id} and lead_id = ${leadId}`
  await become('qualified')
  const { email } = await db.one<{ email: string }>`select email from leads where id = ${leadId}`
  const importLead = () =>
    transaction(db, (tx) => captureLead(tx, account, { source: 'import', email, partnerId: partnerIds[1], by }))
  const { changed } = await importLead()
  assert.equal(await paid(), 45)
  await transaction(db, (tx) => revertLeadImport(tx, by, account, leadId, changed!))
  assert.equal(await paid(), 0)
  await become('rejected')
  await become('qualified')
  assert.equal(await paid(), 0)
  assert.deepEqual(await verifyLedger(db), [])
  const again = await importLead()
  assert.equal(await paid(), 45)
  await transaction(db, (tx) => revertLeadImport(tx, by, account, leadId, again.changed!))
  assert.equal(await paid(), 0)
  assert.deepEqual(await verifyLedger(db), [])
})

test('the first partner after an undone import is paid for a lead, be it another or the same one', async () => {
  for (const next of [2, 1]) {
    const partners = [{}, { parent: 0 }, { parent: 0 }]
    const ledger = await aLedger(services, { partners, leads: [{ partner: null }] })
    const { account, partnerIds, leadIds } = ledger
    const by = ownerAuthor(ledger)
    const leadId = leadIds[0]!
    await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: { all: [40, 5] } } })
    const become = (status: 'qualified' | 'rejected') =>
      transaction(db, (tx) => changeLeadStatus(tx, by, account, leadId, { status, reason: 'other' }))
    const due = async () => {
      const balances = await getBalances(db, account, partnerIds)
      return partnerIds.map((id) => balances.get(id)!.due)
    }
    await become('qualified')
    const { email } = await db.one<{ email: string }>`select email from leads where id = ${leadId}`
    const give = (partner: number) =>
      transaction(db, (tx) => captureLead(tx, account, { source: 'import', email, partnerId: partnerIds[partner], by }))
    const { changed } = await give(1)
    assert.deepEqual(await due(), [5, 40, 0])
    await transaction(db, (tx) => revertLeadImport(tx, by, account, leadId, changed!))
    assert.deepEqual(await due(), [0, 0, 0])
    await give(next)
    const earned = await db.many<{ id: string; kind: string }>`
      select id, kind from commission_entries where account_id = ${account.id} order by created_at, id`
    const owner = { as: 'owner', account, subjectId: account.id, partnerId: null } as const
    const explained = []
    for (const { id, kind } of earned)
      if (kind === 'earned') explained.push((await getReceipt(db, owner, id)).terms !== null)
    assert.deepEqual(explained, [false, false, true, true])
    const paid = next === 2 ? [5, 0, 40] : [5, 40, 0]
    assert.deepEqual(await due(), paid)
    await become('rejected')
    assert.deepEqual(await due(), [0, 0, 0])
    await become('qualified')
    assert.deepEqual(await due(), paid)
    await transaction(db, (tx) => moveLead(tx, by, account, leadId, { partnerId: partnerIds[0]!, reason: 'Theirs' }))
    assert.deepEqual(await due(), paid)
  }
  assert.deepEqual(await verifyLedger(db), [])
})

test('the customer of a sale whose import is undone is paid for once they really buy', async () => {
  const ledger = await aLedger(services, { partners: [{}, {}], leads: [{ partner: null }] })
  const { account, partnerIds, leadIds } = ledger
  const by = ownerAuthor(ledger)
  const leadId = leadIds[0]!
  await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: {} } })
  const due = async () => {
    const balances = await getBalances(db, account, partnerIds)
    return partnerIds.map((id) => balances.get(id)!.due)
  }
  const { email } = await db.one<{ email: string }>`select email from leads where id = ${leadId}`
  const { changed } = await transaction(db, (tx) =>
    captureLead(tx, account, { source: 'import', email, partnerId: partnerIds[0], by }),
  )
  const { id } = await recordSale(db, aSale(ledger, { amount: 100 }))
  assert.deepEqual(await due(), [110, 0])
  await transaction(db, async (tx) => {
    await voidSale(tx, by, account, id, 'Import undone')
    await revertLeadImport(tx, by, account, leadId, changed!)
  })
  await transaction(db, (tx) => moveLead(tx, by, account, leadId, { partnerId: partnerIds[1]!, reason: 'Theirs' }))
  assert.deepEqual(await due(), [0, 0])
  await recordSale(db, aSale(ledger, { amount: 200 }))
  assert.deepEqual(await due(), [0, 120])
  assert.deepEqual(await verifyLedger(db), [])
})

test('pay for a customer waits no longer for a held sale once it is void, if another sale keeps the customer', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
  const { account, partnerIds } = ledger
  await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: {} } })
  const { email } = await db.one<{ email: string }>`select email from partners where id = ${partnerIds[0]}`
  const held = await recordSale(db, aSale(ledger, { amount: 100, payerEmail: email }))
  await recordSale(db, aSale(ledger, { amount: 50 }))
  const balance = async () => (await getBalances(db, account, partnerIds)).get(partnerIds[0]!)
  const nothing = { held: 0, due: 0, onHold: 0, inPayout: 0, paid: 0 }
  assert.deepEqual(await balance(), { ...nothing, due: 5, onHold: 110 })
  await transaction(db, (tx) => voidSale(tx, ownerAuthor(ledger), account, held.id, 'a mistake'))
  assert.deepEqual(await balance(), { ...nothing, due: 105 })
  assert.deepEqual(await verifyLedger(db), [])
})

test('pay for a customer waits for the sale that keeps the customer once the one that won them is gone', async () => {
  for (const way of ['void', 'refund'] as const)
    for (const end of ['release', 'void', 'refund', 'free sale'] as const) {
      const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }] })
      const { account, partnerIds } = ledger
      const by = ownerAuthor(ledger)
      await save(ledger, { reach: 'all', pay: { customer: { all: [100] }, qualified: {} } })
      const { email } = await db.one<{ email: string }>`select email from partners where id = ${partnerIds[0]}`
      const sell = (amount: number, facts = {}) =>
        recordSale(db, aSale(ledger, { amount, grossAmount: amount, ...facts }))
      const lose = (id: string, how: 'void' | 'refund', amount: number) =>
        transaction(db, async (tx) => {
          if (how === 'void') return voidSale(tx, by, account, id, 'a mistake')
          const report = {
            kind: 'refund',
            externalId: 'r',
            amount,
            status: 'succeeded',
            reason: null,
            at: tx.now,
          } as const
          return applyRefund(tx, system, account, id, report)
        })
      const balance = async () => {
        const { due, onHold } = (await getBalances(db, account, partnerIds)).get(partnerIds[0]!)!
        return [due, onHold]
      }
      const first = await sell(200)
      const held = await sell(50, { payerEmail: email })
      assert.deepEqual(await balance(), [120, 5])
      await lose(first.id, way, 200)
      assert.deepEqual(await balance(), [0, 105], way)
      if (end === 'release') await transaction(db, (tx) => releaseSale(tx, by, account, held.id, 'asked'))
      else if (end === 'free sale') {
        await sell(10)
        await lose(held.id, 'refund', 50)
      } else await lose(held.id, end, 50)
      const due = { release: 105, void: 0, refund: 0, 'free sale': 101 }[end]
      assert.deepEqual(await balance(), [due, 0], `${way} ${end}`)
      if (end === 'refund') {
        await sell(20, { payerEmail: email })
        assert.deepEqual(await balance(), [0, 102], 'won again by a held sale')
      }
    }
  assert.deepEqual(await verifyLedger(db), [])
})
