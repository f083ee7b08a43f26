import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FraudRules, noFraudRules } from '#contract/fraud.ts'
import type { LeadEvent } from '#contract/terms.ts'
import { system } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import { type Transaction, transaction } from '#server/platform/database/pool.ts'
import { visitorHash } from '#server/platform/http/visitor-hash.ts'
import { type AccountFacts, getAccountFacts } from '#server/program/access/account-facts.ts'
import { blockBookings } from '#server/program/access/lock-accounts.ts'
import { recordMemberVisit } from '#server/program/auth/member-visits.ts'
import type { NewClick } from '#server/program/clicks/queries.ts'
import { recordClicks } from '#server/program/clicks/record-clicks.ts'
import { judgeDetails } from '#server/program/fraud/duplicate-partners.ts'
import { saveFraudRules } from '#server/program/fraud/rules.ts'
import { captureLead } from '#server/program/leads/capture-lead.ts'
import { changeLeadStatus } from '#server/program/leads/lead-status.ts'
import { getBalances } from '#server/program/payouts/balances.ts'
import { attributeSale, reassignLead } from '#server/program/sales/attribute-sale.ts'
import { releaseSale, voidSale } from '#server/program/sales/change-sale.ts'
import { recordSale } from '#server/program/sales/record-sale.ts'
import { applyRefund } from '#server/program/sales/refund-sale.ts'
import { type LeadCredits, leadEvents } from '#server/program/terms/lead-terms.ts'
import { saveTerms } from '#server/program/terms/save-terms.ts'
import { freeSteps, playHistory } from '#test/support/histories.ts'
import { aLedger, aSale, atTime, type Ledger, ledgerServices, ownClock, ownerAuthor } from '#test/support/ledger.ts'
import { listSeeds, type Random, randomFrom, settleOutcome } from '#test/support/model-test.ts'
import { freshDatabase } from '#test/support/postgres.ts'
import type { CaseDecision } from '../contract.ts'
import { getCase, listCases, releaseCase, voidCase } from './cases.ts'

// Sales and pay for leads judged by rules that are switched at any time, with cards, visits and sign-ins from shared networks, refunds,
// disputes, moved leads, decisions by either call and days that pass, against a plain model of what is on hold until when and which cases are open.

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
  /** Of a sale: found to be a self-referral of this lead. */
  selfReferral?: ModelLead | undefined
  released?: boolean
}
type ModelLead = {
  id: string
  partner: number | null
  madeAt: number
  /** When it got its partner. */
  since: number
  own: number | null
  /** The visit it came from. */
  visit: { partner: number; network: number; day: number } | null
  disposable: boolean
  isNew: boolean
}
type ModelSale = {
  id: string
  lead: ModelLead | null
  partner: number | null
  day: number
  cents: number
  /** The partner whose email paid. */
  payer: number | null
  card: number | null
  refunded: boolean
  disputed: boolean
  void: boolean
  /** Its own case. */
  case: ModelCase | null
  /** The open cases of its lead and partner when it was judged. */
  parents: ModelCase[]
}

/** Pay for a lead, with the open cases of it and its partner when it was booked. */
type ModelPay = {
  lead: ModelLead
  event: LeadEvent
  amount: number
  holders: ModelCase[]
  /** The sale that keeps a customer, as the product has it. */
  won: ModelSale | null
  void: boolean
}

const PAYS = { 'qualified-lead': 7_00, 'new-customer': 11_00 }

class Life {
  leads: ModelLead[] = []
  sales: ModelSale[] = []
  pays: ModelPay[] = []
  /** By lead, as the product has them: other tests are about these. */
  statuses = new Map<string, string>()
  cases: ModelCase[] = []
  /** `partner network day` of sign-ins. */
  signIns = new Set<string>()
  people: string[] = []
  rules: FraudRules = noFraudRules
  policy: 'allow' | 'flag' | 'hold' | 'refuse' = 'hold'
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
  isHolding = (one: ModelCase) => this.isOpen(one) && one.until !== null
  /** The open cases that hold a sale. */
  holding = (sale: ModelSale) =>
    sale.void ? [] : [...(sale.case ? [sale.case] : []), ...sale.parents].filter(this.isHolding)
  isHeld = (sale: ModelSale) => this.holding(sale).length > 0

  keeps = ({ lead, event, void: isVoid }: ModelPay) =>
    !isVoid && (event === 'qualified-lead' || this.statuses.get(lead.id) === 'won')
  waits = ({ holders, won }: ModelPay) =>
    holders.some(this.isHolding) || (won !== null && !won.void && (won.disputed || this.isHeld(won)))

  /** The open cases that hold what is booked now for this lead of this partner. */
  holdersOf = (lead: ModelLead | null, partner: number | null) =>
    this.cases
      .filter((one) => this.isHolding(one) && one.partner === partner)
      .filter(
        (one) =>
          (one.kind === 'partner' && this.rules.duplicatePartner.action !== 'off') ||
          (one.kind === 'lead' && one.lead === lead && this.rules.speed.action !== 'off'),
      )

  isOwn = ({ lead, payer }: ModelSale, partner: number) => lead?.own === partner || payer === partner

  selfReferral(sale: ModelSale) {
    const partner = sale.partner!
    const { visit } = sale.lead!
    const others = this.sales.filter((one) => one !== sale && sale.card !== null && one.card === sale.card)
    if (this.isOwn(sale, partner) || others.some((one) => this.isOwn(one, partner))) return this.policy
    const isNear = visit?.partner === partner && this.signIns.has(`${partner} ${visit.network} ${visit.day}`)
    const isKnown = this.cases.some((one) => one.released && one.selfReferral === sale.lead && one.partner === partner)
    if (!isNear || isKnown) return 'off'
    return this.policy === 'refuse' ? 'hold' : this.policy
  }

  /** Judges a sale whose partner has just become known. */
  judge(sale: ModelSale) {
    const { lead, partner, payer } = sale
    const self = this.selfReferral(sale)
    const found: (Action | 'refuse' | 'allow')[] = [self]
    const { rules } = this
    if (lead!.disposable) found.push(rules.disposableMail.action)
    const emails = [payer, lead!.own].filter((one) => one !== null)
    const before = this.sales.filter(
      (one) =>
        one !== sale &&
        !one.void &&
        (one.lead === lead ||
          (one.partner === null && one.payer !== null && emails.includes(one.payer)) ||
          (one.lead && one.lead.own !== null && emails.includes(one.lead.own))),
    )
    if (before.some((one) => one.day < Math.floor(lead!.since / DAY))) found.push(rules.existingCustomer.action)
    const recent = this.sales.filter(
      (one) => one !== sale && !one.void && one.partner === partner && one.day >= sale.day - 90,
    )
    const customers = new Set(recent.map((one) => one.lead))
    const refunded = new Set(recent.filter((one) => one.refunded).map((one) => one.lead))
    if (customers.size >= 4 && refunded.size * 100 >= customers.size * rules.refundRate.percent)
      found.push(rules.refundRate.action)
    const parents = this.holdersOf(lead, partner)
    const own = found.filter((action) => action !== 'off' && action !== 'allow')
    if (own.includes('refuse')) {
      sale.cents = 0
      return
    }
    sale.parents = parents
    if (own.length === 0) return
    const until = own.includes('hold') ? this.time.now + HELD : null
    const selfReferral = self === 'off' || self === 'allow' ? undefined : lead!
    sale.case = { kind: 'sale', until, decided: false, partner: partner!, selfReferral }
    this.cases.push(sale.case)
  }
}

/** The moment of the history that is played. */
const time = { now: 0 }

async function begin(seed: number) {
  const random = randomFrom(seed)
  time.now = Date.UTC(2026, 2, 1 + random.below(20), 10)
  const ledger = await aLedger(services, { rates: ['10'], partners: [{}, {}, {}] })
  const life = new Life(ledger, random, time)
  await addPeople(life)
  const rules = Object.entries(PAYS).map(([on, amount]) => {
    return { name: null, on: on as LeadEvent, when: {}, layerAmounts: [amount] }
  })
  const terms = { rules, otherwise: { layerRates: [10] }, maxPerCustomer: null, maxPerMonth: null, maxPerYear: null }
  await write(async (tx) => {
    await blockBookings(tx, ledger.account.id)
    const { id } = ledger.account
    await saveTerms(tx, system, id, { kind: 'account', id }, { terms, appliesTo: 'all-sales' })
  })
  await switchRules(life)
  return life
}

const emailOf = ({ account }: Ledger, partner: number) => `partner-${partner}@${account.id}.example`

const write = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
const accountNow = async ({ ledger }: Life): Promise<AccountFacts> =>
  (await getAccountFacts(db, [ledger.account.id])).get(ledger.account.id)!

/** A person of each partner, who can sign in. */
async function addPeople({ ledger, people }: Life) {
  for (const partnerId of ledger.partnerIds) {
    const userId = newId()
    await db.run`
      insert into users (id, email, created_at, updated_at) values (${userId}, ${`${userId}@person.example`}, now(), now())`
    await db.run`
      insert into user_roles (user_id, type, account_id, partner_id, created_at)
      values (${userId}, 'partner', ${ledger.account.id}, ${partnerId}, now())`
    await db.run`update partners set user_id = ${userId} where id = ${partnerId}`
    people.push(userId)
  }
}

const NETWORKS = 3
const addressOf = (network: number) => `8.8.${network}.1`

async function signIn(life: Life) {
  const { random, people, today, signIns } = life
  const [partner, network] = [random.below(people.length), random.below(NETWORKS)]
  await write((tx) => recordMemberVisit(tx, services.secrets, people[partner]!, addressOf(network)))
  signIns.add(`${partner} ${network} ${today}`)
}

/** Records a visit of this partner's link from a network; returns its click. */
async function visitFrom({ ledger, time }: Life, partner: number, network: number) {
  const [id, at] = [newId(), new Date(time.now)]
  const ipHash = visitorHash(services.secrets, addressOf(network), at)
  const rest = { userAgentClass: 'desktop', country: null, landingPath: '/', referrerHost: null, paidParameters: null }
  const link = { blueprintId: null, linkId: null, subId: null, isBot: false, source: 'redirect' } as const
  const partnerId = ledger.partnerIds[partner]!
  const day = at.toISOString().slice(0, 10)
  await write((tx) =>
    recordClicks(tx, [{ id, accountId: ledger.account.id, partnerId, day, at, ipHash, ...rest, ...link } as NewClick]),
  )
  return id
}

async function pass({ time, random }: Life) {
  time.now += random.pick([1, 5, 29, 31, 70]) * DAY
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
  await write((tx) => saveFraudRules(tx, ownerAuthor(life.ledger), life.ledger.account.id, rules))
  await db.run`update accounts set self_referral_policy = ${policy} where id = ${life.ledger.account.id}`
  Object.assign(life, { rules, policy })
}

async function addLead(life: Life) {
  const { random, ledger, time } = life
  const partner = random.chance(75) ? random.below(3) : null
  const own = random.chance(20) ? random.below(3) : null
  if (own !== null && life.leads.some((lead) => lead.own === own)) return
  const disposable = own === null && random.chance(25)
  const email =
    own === null ? `l${life.leads.length}@${disposable ? 'mailinator.com' : 'shop.example'}` : emailOf(ledger, own)
  const account = await accountNow(life)
  const visit =
    partner !== null && random.chance(60) ? { partner, network: random.below(NETWORKS), day: life.today } : null
  const partnerId = partner === null ? null : ledger.partnerIds[partner]!
  const clickId = visit && (await visitFrom(life, visit.partner, visit.network))
  const from = { blueprintId: null, linkId: null, subId: null, country: null, matchedBy: 'click' } as const
  const { leadId } = await write((tx) =>
    captureLead(tx, account, {
      ...{ source: 'manual', email, by: ownerAuthor(ledger) },
      ...(clickId ? { attribution: { ...from, partnerId: partnerId!, clickId } } : { partnerId }),
    }),
  )
  const lead = { id: leadId, partner, madeAt: time.now, since: time.now, own, visit, disposable, isNew: true }
  life.leads.push(lead)
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
  const card = random.chance(60) ? random.below(6) : null
  const payer = random.chance(15) ? random.below(3) : null
  const saleDate = new Date(life.time.now).toISOString().slice(0, 10)
  const { id } = await recordSale(db, {
    ...aSale(ledger, { amount: cents, leadId: late ? null : lead.id, saleDate }),
    account: ledger.account,
    payerEmail: payer === null ? null : emailOf(ledger, payer),
    cardHash: card === null ? null : Buffer.from([card]),
  })
  const sale: ModelSale = {
    ...{ id, lead: late ? null : lead, partner: late ? null : lead.partner, day: life.today, cents, card, payer },
    ...{ refunded: false, disputed: false, void: false, case: null, parents: [] },
  }
  life.sales.push(sale)
  if (sale.partner !== null) life.judge(sale)
}

async function attribute(life: Life) {
  const sale = life.random.pick(life.sales.length ? life.sales : [undefined])
  const leads = life.leads.filter((lead) => lead.partner !== null)
  if (!sale || sale.void || sale.partner !== null || sale.lead || leads.length === 0) return
  const lead = life.random.pick(leads)
  const body = { leadId: lead.id, reason: 'theirs' }
  await write((tx) => attributeSale(tx, ownerAuthor(life.ledger), life.ledger.account, sale.id, body))
  Object.assign(sale, { lead, partner: lead.partner })
  life.judge(sale)
}

async function qualify(life: Life) {
  if (life.leads.length === 0) return
  const lead = life.random.pick(life.leads)
  const status = life.random.pick(['qualified', 'qualified', 'new'] as const)
  const change = { status, reason: 'other' as const, note: undefined, sharedNote: undefined }
  const { ledger } = life
  await settleOutcome(write((tx) => changeLeadStatus(tx, ownerAuthor(ledger), ledger.account, lead.id, change)))
}

/** Adds what leads pay since the last step, by cases as they are now: no step opens one and books such pay. */
async function followPay(life: Life) {
  const rows = await db.many<{ id: string; status: string; credit: LeadCredits | null }>`
    select id, status, credit from leads where account_id = ${life.ledger.account.id}`
  for (const { id, status, credit } of rows) {
    life.statuses.set(id, status)
    const lead = life.leads.find((one) => one.id === id)!
    for (const event of leadEvents) {
      const one = credit?.[event]
      if (!one || one.rule === null) continue
      const { wonBy } = await db.one<{ wonBy: string | null }>`
        select won_sale_id as won_by from commission_entries where lead_id = ${id} and paid_for = ${event}
        order by id desc limit 1`
      const won = life.sales.find((sale) => sale.id === wonBy) ?? null
      const known = life.pays.find((pay) => pay.lead === lead && pay.event === event)
      const partner = life.ledger.partnerIds.indexOf(one.line[0]!.partnerId!)
      if (known) known.won = won
      else
        life.pays.push({
          ...{ lead, event, amount: PAYS[event], void: false, holders: life.holdersOf(lead, partner), won },
        })
      const keeping = life.sales.filter((sale) => sale.lead === lead && !sale.void && !sale.refunded)
      const waits = keeping.length > 0 && keeping.every((sale) => sale.disputed || life.isHeld(sale))
      assert.ok(!waits || won === null || keeping.includes(won), 'it waits for a sale that keeps the customer')
    }
  }
}

async function moveLead(life: Life) {
  if (life.leads.length === 0) return
  const lead = life.random.pick(life.leads)
  const partner = life.random.below(3)
  const body = { partnerId: life.ledger.partnerIds[partner]!, reason: 'theirs' }
  await write((tx) => reassignLead(tx, ownerAuthor(life.ledger), life.ledger.account, lead.id, body))
  if (partner !== lead.partner) lead.since = life.time.now
  lead.partner = partner
}

async function refund(life: Life) {
  const sale = life.sales.length ? life.random.pick(life.sales) : undefined
  if (!sale || sale.void || sale.refunded || sale.disputed) return
  const kind = life.random.pick(['refund', 'dispute'] as const)
  const status = kind === 'dispute' ? ('pending' as const) : ('succeeded' as const)
  const { gross } = await db.one<{ gross: number }>`select gross_amount as gross from sales where id = ${sale.id}`
  const report = { provider: 'stripe' as const, kind, externalId: `r-${sale.id}`, amount: gross, status, reason: null }
  const at = new Date(life.time.now)
  await write((tx) => applyRefund(tx, ownerAuthor(life.ledger), life.ledger.account, sale.id, { ...report, at }))
  if (kind === 'refund') sale.refunded = true
  else sale.disputed = true
}

async function decideSale(life: Life) {
  const sale = life.sales.length ? life.random.pick(life.sales) : undefined
  if (!sale) return
  const { ledger } = life
  const act = life.random.pick(['release', 'void'] as const)
  const call = act === 'release' ? releaseSale : voidSale
  const outcome = await settleOutcome(
    write((tx) => call(tx, ownerAuthor(ledger), ledger.account, sale.id, 'looked at')),
  )
  const own = !sale.void && sale.case && life.isOpen(sale.case) ? sale.case : null
  const possible = act === 'void' ? !sale.void : own !== null && own.until !== null
  assert.equal(outcome, possible ? 'done' : 'invalid_state')
  if (!possible) return
  if (own) Object.assign(own, { decided: true, released: act === 'release' })
  if (act === 'void') sale.void = true
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
  const decide = (shown?: CaseDecision['shown']) =>
    settleOutcome(
      write((tx) =>
        (act === 'release' ? releaseCase : voidCase)(
          tx,
          { account: ledger.account, id: row.id, by: ownerAuthor(ledger) },
          { reason: 'looked at', ...(shown && { shown }) },
        ),
      ),
    )
  // an earlier look is refused if it held anything else
  const { heldSales, heldAmount } = await getCase(db, ledger.account, row.id)
  const shown = { heldSales, heldAmount }
  assert.equal(heldSales, life.sales.filter((sale) => life.holding(sale).includes(one)).length)
  if (wasOpen) {
    const other = life.random.pick([{ heldSales: heldSales + 1 }, { heldAmount: heldAmount - 1 }])
    assert.equal(await decide({ ...shown, ...other }), 'conflict')
  }
  const outcomes = await Promise.all([decide(shown), decide(shown)])
  assert.deepEqual(outcomes.sort(), wasOpen ? ['done', 'invalid_state'] : ['invalid_state', 'invalid_state'])
  if (!wasOpen) return
  const held = life.sales.filter((sale) => sale.case === one || life.holding(sale).includes(one))
  const pays = life.pays.filter(({ holders }) => holders.includes(one))
  Object.assign(one, { decided: true, released: act === 'release' })
  if (act === 'void') for (const pay of pays) pay.void = true
  if (act === 'void')
    for (const sale of held.filter((sale) => !sale.void)) {
      sale.void = true
      if (sale.case && life.isOpen(sale.case)) sale.case.decided = true
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
  life.cases.push({ kind: 'partner', until: action === 'hold' ? life.time.now + HELD : null, decided: false, partner })
}

const acts = {
  ...{ sell, addLead, attribute, moveLead, refund, qualify, pass },
  ...{ decideSale, decideCase, sameDetails, switchRules, signIn },
}
const histories = {
  begin,
  steps: freeSteps<Life>(
    Object.fromEntries(
      Object.entries(acts).map(([name, act]) => [
        name,
        (life: Life, random: Random) => {
          life.random = random
          time.now += random.below(40) * 60_000
          return act(life)
        },
      ]),
    ),
  ),
  weights: { sell: 4, addLead: 3, refund: 2, qualify: 3, pass: 2, decideCase: 2, signIn: 2 },
  length: 52,
  async check(life: Life) {
    await followPay(life)
    await compare(life)
  },
  ledger: db,
}

async function compare(life: Life) {
  const { ledger, time } = life
  const held = await db.many<{ id: string; until: string }>`
    select id, held_until as until from sales
    where account_id = ${ledger.account.id} and held_until > ${new Date(time.now)} and status <> 'void' order by id`
  const expected = life.sales
    .filter(life.isHeld)
    .map((sale) => ({
      id: sale.id,
      until: new Date(Math.max(...life.holding(sale).map(({ until }) => until!))).toISOString(),
    }))
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
  const sumOf = (pays: ModelPay[]) => pays.reduce((sum, { amount }) => sum + amount, 0)
  const kept = life.pays.filter(life.keeps)
  const heldMoney = life.cases.filter(life.isHolding).reduce((sum, one) => {
    const sales = life.sales.filter((sale) => life.holding(sale).includes(one))
    const pays = kept.filter(({ holders, won }) => holders.includes(one) || (won && sales.includes(won)))
    return sum + sumOf(pays) + sales.reduce((all, sale) => all + entryOf(sale), 0)
  }, 0)
  assert.equal(
    items.reduce((sum, item) => sum + item.heldAmount, 0),
    heldMoney,
  )
  const onHold = life.sales
    .filter((sale) => sale.partner !== null && !sale.void && (life.isHeld(sale) || sale.disputed))
    .reduce((sum, sale) => sum + entryOf(sale), sumOf(kept.filter(life.waits)))
  const paid = await db.value<number>`
    select coalesce(sum(amount), 0)::bigint from commission_entries
    where account_id = ${ledger.account.id} and lead_id is not null`
  assert.equal(paid, sumOf(kept))
  const balances = [...(await getBalances(db, ledger.account, 'all')).values()]
  assert.equal(
    balances.reduce((sum, balance) => sum + balance.onHold, 0),
    onHold,
  )
}

for (const seed of listSeeds(2))
  test(`sales are held and cases open as the rules say (${seed})`, () =>
    atTime(time, () => playHistory(histories, seed)))
