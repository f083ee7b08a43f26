import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FraudRules, noFraudRules } from '#contract/fraud.ts'
import { aLedger, aSale, atTime, byOwner, type Ledger, ledgerServices, ownClock } from '../../../test/support/ledger.ts'
import { outcomeOf, type Random, randomFrom, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, accountFactsOf } from '../access/account-facts.ts'
import { judgeDetails } from '../fraud/duplicate-partners.ts'
import { saveFraudRules } from '../fraud/rules.ts'
import { captureLead } from '../leads/capture-lead.ts'
import { balancesOf } from '../payouts/balances.ts'
import { attributeSale, reassignLead } from '../sales/attribute-sale.ts'
import { releaseSale, voidSale } from '../sales/change-sale.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { verifyLedger } from '../stats/verify.ts'
import { listCases, releaseCase, voidCase } from './cases.ts'

// Sales judged by rules that are switched at any time, with refunds, disputes, moved leads, decisions by either call and
// days that pass, against a plain model of which sale is on hold until when and which cases are open. The seed of a
// failure is in its message; SEED and RUNS try others.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)

const DAY = 86_400_000
const HELD = 30 * DAY
type Action = 'off' | 'flag' | 'hold'
type ModelCase = {
  kind: 'sale' | 'lead' | 'partner'
  until: number | null
  decided: boolean
  lead?: ModelLead
  partner: number
}
type ModelLead = {
  id: string
  partner: number | null
  madeAt: number
  /** When it got its partner. */
  since: number
  own: number | null
  disposable: boolean
  isNew: boolean
}
type ModelSale = {
  id: string
  lead: ModelLead | null
  partner: number | null
  day: number
  cents: number
  refunded: boolean
  disputed: boolean
  void: boolean
  until: number | null
  case: ModelCase | null
}

class Life {
  leads: ModelLead[] = []
  sales: ModelSale[] = []
  cases: ModelCase[] = []
  rules: FraudRules = noFraudRules
  policy: 'allow' | 'flag' | 'hold' | 'refuse' = 'hold'
  diary: string[] = []
  ledger: Ledger
  random: Random
  time: { now: number }
  constructor(ledger: Ledger, random: Random, time: { now: number }) {
    this.ledger = ledger
    this.random = random
    this.time = time
  }
  get today() {
    return Math.floor(this.time.now / DAY)
  }
  isOpen = (one: ModelCase) => !one.decided && (one.until === null || one.until > this.time.now)
  isHeld = (sale: ModelSale) => !sale.void && sale.until !== null && sale.until > this.time.now

  /** Judges a sale whose partner has just become known. */
  judge(sale: ModelSale) {
    const { lead, partner } = sale
    const found: (Action | 'refuse' | 'allow')[] = []
    const { rules } = this
    if (lead!.own === partner) found.push(this.policy)
    if (lead!.disposable) found.push(rules.disposableMail.action)
    const before = this.sales.filter((one) => one !== sale && !one.void && one.lead === lead)
    if (before.some((one) => one.day < Math.floor(lead!.since / DAY))) found.push(rules.existingCustomer.action)
    const recent = this.sales.filter(
      (one) => one !== sale && !one.void && one.partner === partner && one.day >= sale.day - 90,
    )
    const customers = new Set(recent.map((one) => one.lead))
    const refunded = new Set(recent.filter((one) => one.refunded).map((one) => one.lead))
    if (customers.size >= 4 && refunded.size * 100 >= customers.size * rules.refundRate.percent)
      found.push(rules.refundRate.action)
    const parents = this.cases
      .filter((one) => this.isOpen(one) && one.until !== null && one.partner === partner)
      .filter(
        (one) =>
          (one.kind === 'partner' && rules.duplicatePartner.action !== 'off') ||
          (one.kind === 'lead' && one.lead === lead && rules.speed.action !== 'off'),
      )
      .sort((a, b) => b.until! - a.until!)
    const own = found.filter((action) => action !== 'off' && action !== 'allow')
    if (own.includes('refuse')) return
    if (own.length === 0 && parents.length === 0) return
    if (own.length === 0) {
      sale.case = parents[0]!
      sale.until = parents[0]!.until
      return
    }
    const until = own.includes('hold') || parents.length > 0 ? this.time.now + HELD : null
    sale.case = { kind: 'sale', until, decided: false, partner: partner! }
    sale.until = until
    this.cases.push(sale.case)
  }
}

const refusedFor = (life: Life) => (sale: ModelSale) =>
  sale.lead?.own === sale.partner && sale.partner !== null && life.policy === 'refuse'

async function live(seed: number) {
  const random = randomFrom(seed)
  const time = { now: Date.UTC(2026, 2, 1 + random.below(20), 10) }
  await atTime(time, async () => {
    const ledger = await aLedger(services, { rates: ['10'], partners: [{}, {}, {}] })
    const life = new Life(ledger, random, time)
    try {
      for (let step = 0; step < 60; step++) {
        time.now += random.below(40) * 60_000
        await (random.chance(8) ? pass(life) : random.pick(STEPS)(life))
        await compare(life)
      }
      assert.deepEqual(await verifyLedger(db), [])
    } catch (error) {
      throw new Error(`seed ${seed}\n${life.diary.join('\n')}\n${(error as Error).stack}`, { cause: error })
    }
  })
}

const write = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
const accountNow = async ({ ledger }: Life): Promise<AccountFacts> =>
  (await accountFactsOf(db, [ledger.account.id])).get(ledger.account.id)!

async function pass({ time, random, diary }: Life) {
  const days = random.pick([1, 5, 29, 31, 70])
  time.now += days * DAY
  diary.push(`${days} days pass`)
}

async function switchRules(life: Life) {
  const { random } = life
  const action = () => random.pick(['off', 'flag', 'hold'] as const)
  const rules: FraudRules = {
    ...noFraudRules,
    existingCustomer: { action: action() },
    duplicatePartner: { action: action() },
    refundRate: { action: action(), percent: random.pick([25, 50, 100]) },
    speed: { action: action(), leadsPerHour: 2 },
    disposableMail: { action: action() },
  }
  const policy = random.pick(['allow', 'flag', 'hold', 'refuse'] as const)
  await write((tx) => saveFraudRules(tx, byOwner(life.ledger), life.ledger.account.id, rules))
  await db.run`update accounts set self_referral_policy = ${policy} where id = ${life.ledger.account.id}`
  Object.assign(life, { rules, policy })
  life.diary.push(`rules ${JSON.stringify(rules)} ${policy}`)
}

async function addLead(life: Life) {
  const { random, ledger, time } = life
  const partner = random.chance(75) ? random.below(3) : null
  const own = random.chance(20) ? random.below(3) : null
  if (own !== null && life.leads.some((lead) => lead.own === own)) return
  const disposable = own === null && random.chance(25)
  const email =
    own === null
      ? `l${life.leads.length}@${disposable ? 'mailinator.com' : 'shop.example'}`
      : `partner-${own}@${ledger.account.id}.example`
  const account = await accountNow(life)
  const { leadId } = await write((tx) =>
    captureLead(tx, account, {
      ...{ source: 'manual', email, by: byOwner(ledger) },
      partnerId: partner === null ? null : ledger.partnerIds[partner]!,
    }),
  )
  const lead = { id: leadId, partner, madeAt: time.now, since: time.now, own, disposable, isNew: true }
  life.leads.push(lead)
  life.diary.push(`lead ${life.leads.length - 1} of partner ${partner}, own ${own}`)
  const { action } = life.rules.speed
  // counted by the partner that leads have now
  const recent = life.leads.filter((one) => one.partner === partner && one.madeAt > time.now - 3_600_000)
  if (partner !== null && action !== 'off' && recent.length > 2)
    life.cases.push({ kind: 'lead', until: action === 'hold' ? time.now + HELD : null, decided: false, lead, partner })
}

async function sell(life: Life) {
  const { random, ledger } = life
  if (life.leads.length === 0) return
  const lead = random.pick(life.leads)
  const late = random.chance(20)
  const cents = random.between(1, 9) * 1000
  const saleDate = new Date(life.time.now).toISOString().slice(0, 10)
  const { id } = await recordSale(db, {
    ...aSale(ledger, { amount: cents, leadId: late ? null : lead.id, saleDate }),
    account: ledger.account,
  })
  const sale: ModelSale = {
    ...{ id, lead: late ? null : lead, partner: late ? null : lead.partner, day: life.today, cents },
    ...{ refunded: false, disputed: false, void: false, until: null, case: null },
  }
  life.sales.push(sale)
  life.diary.push(`sale ${life.sales.length - 1} ${late ? 'without lead' : `to lead ${life.leads.indexOf(lead)}`}`)
  if (sale.partner !== null) {
    life.judge(sale)
    if (refusedFor(life)(sale)) sale.cents = 0
  }
}

async function attribute(life: Life) {
  const sale = life.random.pick(life.sales.length ? life.sales : [undefined])
  const leads = life.leads.filter((lead) => lead.partner !== null)
  if (!sale || sale.void || sale.partner !== null || sale.lead || leads.length === 0) return
  const lead = life.random.pick(leads)
  const body = { leadId: lead.id, reason: 'theirs' }
  await write((tx) => attributeSale(tx, byOwner(life.ledger), life.ledger.account, sale.id, body))
  Object.assign(sale, { lead, partner: lead.partner })
  life.judge(sale)
  if (refusedFor(life)(sale)) sale.cents = 0
  life.diary.push(`sale ${life.sales.indexOf(sale)} attributed to lead ${life.leads.indexOf(lead)}`)
}

async function moveLead(life: Life) {
  if (life.leads.length === 0) return
  const lead = life.random.pick(life.leads)
  const partner = life.random.below(3)
  const body = { partnerId: life.ledger.partnerIds[partner]!, reason: 'theirs' }
  await write((tx) => reassignLead(tx, byOwner(life.ledger), life.ledger.account, lead.id, body))
  if (partner !== lead.partner) lead.since = life.time.now
  lead.partner = partner
  life.diary.push(`lead ${life.leads.indexOf(lead)} moved to ${partner}`)
}

async function refund(life: Life) {
  const sale = life.sales.length ? life.random.pick(life.sales) : undefined
  if (!sale || sale.void || sale.refunded || sale.disputed) return
  const kind = life.random.pick(['refund', 'dispute'] as const)
  const status = kind === 'dispute' ? ('pending' as const) : ('succeeded' as const)
  const { gross } = await db.one<{ gross: number }>`select gross_amount as gross from sales where id = ${sale.id}`
  const report = { provider: 'stripe' as const, kind, externalId: `r-${sale.id}`, amount: gross, status, reason: null }
  const at = new Date(life.time.now)
  await write((tx) => applyRefund(tx, byOwner(life.ledger), life.ledger.account, sale.id, { ...report, at }))
  if (kind === 'refund') sale.refunded = true
  else sale.disputed = true
  life.diary.push(`${kind} of sale ${life.sales.indexOf(sale)}`)
}

async function decideSale(life: Life) {
  const sale = life.sales.length ? life.random.pick(life.sales) : undefined
  if (!sale) return
  const { ledger } = life
  const act = life.random.pick(['release', 'void'] as const)
  const call = act === 'release' ? releaseSale : voidSale
  const outcome = await outcomeOf(write((tx) => call(tx, byOwner(ledger), ledger.account, sale.id, 'looked at')))
  life.diary.push(`${act} sale ${life.sales.indexOf(sale)}: ${outcome}`)
  // releasing a void sale ends its hold, which no longer matters
  const possible = act === 'void' ? !sale.void : sale.until !== null && sale.until > life.time.now
  assert.equal(outcome, possible ? 'done' : 'invalid_state')
  if (!possible) return
  if (sale.case?.kind === 'sale' && life.isOpen(sale.case)) sale.case.decided = true
  if (act === 'void') sale.void = true
  else sale.until = null
}

async function decideCase(life: Life) {
  const { ledger } = life
  const rows = await db.many<{
    id: string
    saleId: string | null
    leadId: string | null
    partnerId: string
    heldUntil: string | null
    decidedAt: string | null
  }>`
    select id, sale_id, lead_id, partner_id, held_until, decided_at from fraud_cases where account_id = ${ledger.account.id} order by opened_at, id`
  if (rows.length === 0) return
  const row = life.random.pick(rows)
  const one = life.cases.find((found) =>
    row.saleId
      ? life.sales.find(({ id }) => id === row.saleId)!.case === found
      : row.leadId
        ? found.kind === 'lead' && found.lead?.id === row.leadId
        : found.kind === 'partner' && ledger.partnerIds[found.partner] === row.partnerId,
  )
  assert.ok(one, `a case of the model for ${row.id}`)
  const act = life.random.pick(['release', 'void'] as const)
  const wasOpen = life.isOpen(one)
  const decide = () =>
    outcomeOf(
      write((tx) =>
        (act === 'release' ? releaseCase : voidCase)(
          tx,
          { account: ledger.account, id: row.id, by: byOwner(ledger) },
          'looked at',
        ),
      ),
    )
  const outcomes = await Promise.all([decide(), decide()])
  life.diary.push(`${act} case of ${one.kind}: ${outcomes.join(', ')}`)
  assert.deepEqual(outcomes.sort(), wasOpen ? ['done', 'invalid_state'] : ['invalid_state', 'invalid_state'])
  if (!wasOpen) return
  one.decided = true
  for (const sale of life.sales.filter((sale) => sale.case === one && !sale.void)) {
    if (act === 'void' && (one.kind === 'sale' || life.isHeld(sale))) sale.void = true
    else if (act === 'release' && life.isHeld(sale)) sale.until = null
  }
}

async function sameDetails(life: Life) {
  const { random, ledger } = life
  const partner = random.pick([1, 2])
  const hash = Buffer.from('the same account')
  await db.run`update payout_settings set details_hash = ${hash} where partner_id = ${ledger.partnerIds[0]}`
  const account = await accountNow(life)
  await write((tx) => judgeDetails(tx, account, ledger.partnerIds[partner]!, hash))
  const { action } = life.rules.duplicatePartner
  if (action === 'off' || life.cases.some((one) => one.kind === 'partner' && one.partner === partner)) return
  life.diary.push(`partner ${partner} has the details of partner 0`)
  life.cases.push({ kind: 'partner', until: action === 'hold' ? life.time.now + HELD : null, decided: false, partner })
}

const STEPS = [
  ...[sell, sell, sell, sell, addLead, addLead, addLead, attribute, moveLead, refund, refund],
  ...[decideSale, decideCase, decideCase, sameDetails, switchRules],
]

async function compare(life: Life) {
  const { ledger, time } = life
  const held = await db.many<{ id: string; until: string }>`
    select id, held_until as until from sales
    where account_id = ${ledger.account.id} and held_until > ${new Date(time.now)} and status <> 'void' order by id`
  const expected = life.sales
    .filter(life.isHeld)
    .map(({ id, until }) => ({ id, until: new Date(until!).toISOString() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(held, expected)
  const query = { limit: 100, sort: '-createdAt', state: ['open'] }
  const { items } = await listCases(db, ledger.account, query)
  const kinds = (list: string[]) => list.sort().join()
  assert.equal(
    kinds(items.map(({ subject, heldUntil }) => `${subject} ${heldUntil}`)),
    kinds(
      life.cases
        .filter(life.isOpen)
        .map(({ kind, until }) => `${kind} ${until === null ? null : new Date(until).toISOString()}`),
    ),
  )
  const entryOf = ({ cents, refunded }: ModelSale) => (refunded ? 0 : cents / 10)
  const heldMoney = life.sales.filter(life.isHeld).reduce((sum, sale) => sum + entryOf(sale), 0)
  assert.equal(
    items.reduce((sum, item) => sum + item.heldAmount, 0),
    heldMoney,
  )
  const onHold = life.sales
    .filter((sale) => sale.partner !== null && !sale.void && (life.isHeld(sale) || sale.disputed))
    .reduce((sum, sale) => sum + entryOf(sale), 0)
  const balances = [...(await balancesOf(db, ledger.account, 'all')).values()]
  assert.equal(
    balances.reduce((sum, balance) => sum + balance.onHold, 0),
    onHold,
  )
}

for (const seed of seeds(2)) test(`sales are held and cases open as the rules say (${seed})`, () => live(seed))
