import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noFraudRules } from '#contract/fraud.ts'
import { type GoalMetric, goalMetrics } from '#contract/groups.ts'
import { releaseCase, voidCase } from '#features/fraud-cases/server/cases.ts'
import { freeSteps, playHistory } from '../../../test/support/histories.ts'
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
import { type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, dayIn, startOfDay } from '../../platform/time/days.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { balancePartsSql, entriesSetAside } from '../commissions/entry-status.ts'
import { judgeDetails } from '../fraud/duplicate-partners.ts'
import { saveFraudRules } from '../fraud/rules.ts'
import { captureLead } from '../leads/capture-lead.ts'
import { changeLeadStatus } from '../leads/lead-status.ts'
import { getBalances } from '../payouts/balances.ts'
import { balanceOfAccount } from '../payouts/partner-balances.ts'
import { releaseSale, voidSale } from '../sales/change-sale.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { restoreSale } from '../sales/restore-sale.ts'
import { moveToGroup } from '../terms/moves.ts'
import { changeGoal, createGoal, deleteGoal } from './goals.ts'
import { createGroup } from './groups.ts'
import { judgeGoals } from './run-goals.ts'

// Partners who sell, refund, are disputed, held by cases, suspended and moved while sales are voided and restored and
// goals come and go, with two workers each night: bonuses and groups match a plain model.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
const STARTS_AT = Date.parse('2026-03-20T20:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const PARTNERS = 4

/** A case with a hold. */
type Case = { id: string; until: number; decided: boolean; voided: boolean }
/** `cases`: its own, and the partner's that was open when it came. */
type Lead = { partner: number; day: string; at: number; rejected: boolean; throwaway: boolean; cases: Case[] }
type Sale = {
  id: string
  partner: number | null
  day: string
  amount: number
  /** The partner's own purchase, which earns nothing. */
  isOwn: boolean
  isVoid: boolean
  disputed: boolean
  ownCase: Case | null
  /** The open cases of its lead and partner when it was booked. */
  others: Case[]
  refunds: { day: string; amount: number }[]
}
type Partner = {
  group: number
  since: string
  active: boolean
  keep: boolean
  movedOn: string | null
  case: Case | null
}
type Goal = {
  id: string
  group: number
  /** When its figure, window and bonus were set. */
  set: number
  deletedAt: number | null
  metric: GoalMetric
  window: 'month' | 'last-90-days' | 'all-time'
  atLeast: number | null
  below: number | null
  bonus: number | null
  to: number | null
}
type Award = {
  goal: string
  partner: number
  period: string
  metric: GoalMetric
  atLeast: number
  bonus: number
  due: number
  at: number
  /** The first day that counts. */
  from: string
  given: boolean
  final: boolean
}

type Model = {
  leads: Lead[]
  sales: Sale[]
  partners: Partner[]
  goals: Goal[]
  awards: Award[]
  delay: number
  zone: string
  disabled: boolean
  now: number
}

const monthBefore = (month: string) => addDays(`${month}-01`, -1).slice(0, 7)

/** The figure of the statistics on these days. */
function counted({ leads, sales }: Model, partner: number, metric: GoalMetric, within: (day: string) => boolean) {
  const live = sales.filter((sale) => sale.partner === partner && !sale.isVoid)
  if (metric === 'leads') return leads.filter((lead) => lead.partner === partner && within(lead.day)).length
  if (metric === 'sales') return live.filter(({ day }) => within(day)).length
  const moves = live.flatMap(({ day, amount, refunds }) => [
    { day, amount },
    ...refunds.map((refund) => ({ day: refund.day, amount: -refund.amount })),
  ])
  return moves.reduce((sum, { day, amount }) => sum + (within(day) ? amount : 0), 0)
}

const isOpen = (one: Case | null, now: number) => one !== null && !one.decided && one.until > now
const isHeld = ({ ownCase, others }: Sale, now: number) => [ownCase, ...others].some((one) => isOpen(one, now))

/** The figure that is left of the sales and leads of these days. */
function left({ leads, sales, now }: Model, partner: number, metric: GoalMetric, within: (day: string) => boolean) {
  const kept = sales
    .filter((sale) => sale.partner === partner && !sale.isVoid && !sale.isOwn && within(sale.day))
    .filter((sale) => !sale.disputed && !isHeld(sale, now))
    .map(({ amount, refunds }) => amount - refunds.reduce((sum, refund) => sum + refund.amount, 0))
    .filter((amount) => amount > 0)
  if (metric === 'leads')
    return leads.filter(
      (lead) =>
        lead.partner === partner &&
        !lead.rejected &&
        within(lead.day) &&
        !lead.cases.some((one) => one.voided || isOpen(one, now)),
    ).length
  return metric === 'sales' ? kept.length : kept.reduce((sum, amount) => sum + amount, 0)
}

const inPeriod = (period: string, from: string) => (day: string) =>
  day >= from && (period === 'all-time' || day.slice(0, 7) === period)

/** The first day that no bonus of the goal as it was before, or of a deleted one like it, has paid for. */
function unpaidFrom({ awards, goals, zone }: Model, partner: number, goal: Goal, period: string) {
  const paid = awards.filter((award) => {
    const { deletedAt } = goals.find(({ id }) => id === award.goal)!
    const wasLike = deletedAt !== null && deletedAt <= goal.set && award.metric === goal.metric
    return award.partner === partner && (award.given || !award.final) && (award.goal === goal.id || wasLike)
  })
  const ends = paid.flatMap((award) => {
    if (award.period === 'all-time') return addDays(dayIn(zone, new Date(award.at)), 1)
    return period === 'all-time' || period === award.period ? `${award.period}-32` : []
  })
  return ends.reduce((latest, day) => (day > latest ? day : latest), '0000')
}

function night(model: Model, now: number) {
  model.now = now
  const today = dayIn(model.zone, new Date(now))
  const last = addDays(today, -1)
  // the next night is too late for what is due by then
  const tomorrow = startOfDay(addDays(today, 1), model.zone).getTime()
  for (const [at, partner] of model.partners.entries()) {
    for (const award of model.awards.filter((one) => one.partner === at && !one.final)) {
      award.given = left(model, at, award.metric, inPeriod(award.period, award.from)) >= award.atLeast
      award.final = award.due <= tomorrow
    }
    if (!partner.active || model.disabled) continue
    const goals = model.goals.filter(({ group, deletedAt }) => group === partner.group && deletedAt === null)
    for (const goal of goals) {
      const { id, metric, window, atLeast, bonus } = goal
      if (bonus === null) continue
      const setOn = dayIn(model.zone, new Date(goal.set))
      const month = last.slice(0, 7)
      for (const period of window === 'month' ? [month, monthBefore(month)] : ['all-time']) {
        const ended = period !== 'all-time' && [setOn, partner.since].some((day) => period < day.slice(0, 7))
        const known = model.awards.some((one) => one.goal === id && one.partner === at && one.period === period)
        const from = unpaidFrom(model, at, goal, period)
        const within = inPeriod(period, from)
        const reached = counted(model, at, metric, (day) => within(day) && day <= last) >= atLeast!
        if (ended || known || !reached || left(model, at, metric, within) < atLeast!) continue
        const due = startOfDay(addDays(today, model.delay), model.zone).getTime()
        const award = { goal: id, partner: at, period, metric, bonus, atLeast: atLeast!, due, at: now, from }
        model.awards.push({ ...award, given: true, final: due <= tomorrow })
      }
    }
    if (partner.keep || partner.movedOn === today) continue
    const from = { month: `${last.slice(0, 7)}-01`, 'last-90-days': addDays(last, -89), 'all-time': '0000' }
    const goal = goals.find(({ to, metric, window, atLeast, below }) => {
      const within = (day: string) => day >= from[window] && day <= last
      const figure = counted(model, at, metric, within)
      if (to === null) return false
      if (below === null) return figure >= atLeast! && left(model, at, metric, within) >= atLeast!
      return addDays(partner.since, 90) <= today && figure < below
    })
    if (goal) Object.assign(partner, { group: goal.to, since: today, movedOn: today })
  }
}

/** The moment of the history that is played. */
const time = { now: STARTS_AT }

async function begin(seed: number) {
  time.now = STARTS_AT
  const random = randomFrom(seed)
  const { pick } = random
  const zone = pick(['UTC', 'America/Phoenix', 'Asia/Tokyo'])
  const delay = pick([0, 7, 7, 30])
  const ledger = await aLedger(services, {
    ...{ timeZone: zone, payoutDelay: delay, selfReferralPolicy: 'refuse' },
    partners: Array.from({ length: PARTNERS }, () => ({})),
    leads: Array.from({ length: 2 * PARTNERS }, (_, at) => ({ partner: at % PARTNERS })),
  })
  const { account, partnerIds, leadIds } = ledger
  const by = ownerAuthor(ledger)
  const within = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const newGroup = (name: string) => within((tx) => createGroup(tx, by, account.id, { name }))
  const groupIds = [account.id, (await newGroup('Silver')).id, (await newGroup('Gold')).id]
  const rows = await db.many<{ id: string; email: string }>`
    select id, email from partners where account_id = ${account.id}`
  const emails = new Map(rows.map(({ id, email }) => [id, email]))
  const today = () => dayIn(zone, new Date(time.now))
  const createdOn = new Date(time.now).toISOString().slice(0, 10)
  const model: Model = {
    ...{ sales: [], goals: [], awards: [], delay, zone, disabled: false, now: time.now },
    leads: leadIds.map((_, at) => {
      return { partner: at % PARTNERS, day: createdOn, at: time.now, rejected: false, throwaway: false, cases: [] }
    }),
    partners: partnerIds.map(() => {
      return { group: 0, since: today(), active: true, keep: false, movedOn: null, case: null }
    }),
  }
  await within((tx) =>
    saveFraudRules(tx, by, account.id, {
      ...{ ...noFraudRules, duplicatePartner: { action: 'hold' }, disposableMail: { action: 'hold' } },
      speed: { action: 'hold', leadsPerHour: 1 },
    }),
  )
  const facts = async () => (await getAccountFacts(db, [account.id])).get(account.id)!
  /** The case that the product has just opened. */
  const openedFor = async (subject: Sql): Promise<Case> => {
    const { id } = await db.one<{ id: string }>`
      select id from fraud_cases where account_id = ${account.id} and ${subject}`
    return { id, until: time.now + 30 * DAY, decided: false, voided: false }
  }
  const cases = () => [
    ...new Set([
      ...model.sales.flatMap(({ ownCase, others }) => (ownCase ? [ownCase, ...others] : others)),
      ...model.leads.flatMap((lead) => lead.cases),
      ...model.partners.flatMap((one) => one.case ?? []),
    ]),
  ]
  const voided = (sale: Sale) => {
    sale.isVoid = true
    if (isOpen(sale.ownCase, time.now)) Object.assign(sale.ownCase!, { decided: true, voided: true })
  }
  const anyGoal = () => model.goals.filter(({ deletedAt }) => deletedAt === null)
  const restOf = ({ amount, refunds }: Sale) => amount - refunds.reduce((sum, refund) => sum + refund.amount, 0)
  const anyLive = () => model.sales.filter((sale) => !sale.isVoid && restOf(sale) > 0)
  const disputeOf = ({ id, amount }: Sale, status: 'pending' | 'succeeded' | 'failed') =>
    within((tx) =>
      applyRefund(tx, system, account, id, {
        ...{ kind: 'dispute', externalId: 'd', amount, status, reason: null, at: tx.now },
      }),
    )

  const acts = {
    async sell({ pick, chance, below, between }: Random) {
      const lead = below(leadIds.length)
      const [amount, day] = [between(1, 40) * 10_00, addDays(today(), -pick([0, 0, 1, 1, 5, 25, 45]))]
      const { rejected, throwaway, cases: ofLead, partner: seller } = model.leads[lead]!
      const isOwn = chance(15)
      const payerEmail = isOwn ? emails.get(partnerIds[seller]!)! : null
      const { id } = await recordSale(db, aSale(ledger, { leadId: leadIds[lead]!, amount, saleDate: day, payerEmail }))
      // a sale to a rejected lead credits no partner
      const partner = rejected ? null : seller
      const isJudged = partner !== null && !isOwn
      const holding = [...new Set([...ofLead, model.partners[seller]!.case])].filter((one) => isOpen(one, time.now))
      model.sales.push({
        ...{ id, day, amount, partner, isOwn, isVoid: false, disputed: false, refunds: [] },
        ownCase: isJudged && throwaway ? await openedFor(sql`sale_id = ${id}`) : null,
        others: isJudged ? (holding as Case[]) : [],
      })
    },
    async refund({ pick, chance }: Random) {
      const sale = pick(anyLive())
      if (!sale) return
      const rest = restOf(sale)
      const amount = chance(50) ? rest : Math.max(1, Math.floor(rest / 2))
      sale.refunds.push({ day: today(), amount })
      await within((tx) =>
        applyRefund(tx, system, account, sale.id, {
          ...{
            kind: 'refund',
            externalId: `r${sale.refunds.length}`,
            amount,
            status: 'succeeded',
            reason: null,
            at: tx.now,
          },
        }),
      )
    },
    async void({ pick }: Random) {
      const sale = pick(model.sales.filter(({ isVoid }) => !isVoid))
      if (!sale) return
      voided(sale)
      await within((tx) => voidSale(tx, by, account, sale.id, 'a mistake'))
    },
    async restore({ pick }: Random) {
      const sale = pick(model.sales.filter(({ isVoid }) => isVoid))
      if (!sale) return
      sale.isVoid = false
      await within((tx) => restoreSale(tx, by, account, sale.id, 'no mistake'))
    },
    async dispute({ pick }: Random) {
      const sale = pick(anyLive().filter(({ disputed }) => !disputed))
      if (!sale) return
      sale.disputed = true
      await disputeOf(sale, 'pending')
    },
    async endDispute({ pick, chance }: Random) {
      const sale = pick(model.sales.filter(({ disputed }) => disputed))
      if (!sale) return
      const isLost = chance(50)
      sale.disputed = false
      if (isLost) sale.refunds.push({ day: today(), amount: restOf(sale) })
      await disputeOf(sale, isLost ? 'succeeded' : 'failed')
    },
    async addLead({ chance, below }: Random) {
      const [partner, throwaway] = [below(PARTNERS), chance(40)]
      if (!model.partners[partner]!.active) return
      const email = `${leadIds.length}@${throwaway ? 'mailinator.com' : 'buyer.example'}`
      const partnerId = partnerIds[partner]!
      const { leadId } = await within(async (tx) =>
        captureLead(tx, await facts(), { source: 'manual', email, by, partnerId }),
      )
      leadIds.push(leadId)
      const recent = model.leads.filter((lead) => lead.partner === partner && lead.at > time.now - HOUR)
      const { case: ofPartner } = model.partners[partner]!
      const cases = isOpen(ofPartner, time.now) ? [ofPartner!] : []
      if (recent.length > 0) cases.push(await openedFor(sql`lead_id = ${leadId}`))
      model.leads.push({ partner, day: today(), at: time.now, rejected: false, throwaway, cases })
    },
    async openPartnerCase({ between }: Random) {
      const at = between(1, PARTNERS - 1)
      const partner = model.partners[at]!
      if (partner.case) return
      const hash = Buffer.from('the same account')
      await db.run`update payout_settings set details_hash = ${hash} where partner_id = ${partnerIds[0]!}`
      await within(async (tx) => judgeDetails(tx, await facts(), partnerIds[at]!, hash))
      const own = sql`partner_id = ${partnerIds[at]!} and sale_id is null and lead_id is null`
      partner.case = await openedFor(own)
    },
    async decideCase({ pick }: Random) {
      const one = pick(cases())
      if (!one) return
      const [act, call] = pick([['release', releaseCase] as const, ['void', voidCase] as const])
      const wasOpen = isOpen(one, time.now)
      const held = model.sales.filter(
        (sale) => !sale.isVoid && wasOpen && (sale.ownCase === one || sale.others.includes(one)),
      )
      const outcome = await settleOutcome(
        within((tx) => call(tx, { account, id: one.id, by }, { reason: 'looked at' })),
      )
      assert.equal(outcome, wasOpen ? 'done' : 'invalid_state')
      if (!wasOpen) return
      Object.assign(one, { decided: true, voided: act === 'void' })
      if (act === 'void') held.forEach(voided)
    },
    async release({ pick }: Random) {
      const sale = pick(model.sales.filter((sale) => !sale.isVoid && isHeld(sale, time.now)))
      if (!sale) return
      const hasOwn = isOpen(sale.ownCase, time.now)
      const outcome = await settleOutcome(within((tx) => releaseSale(tx, by, account, sale.id, 'looked at')))
      assert.equal(outcome, hasOwn ? 'done' : 'invalid_state')
      if (hasOwn) sale.ownCase!.decided = true
    },
    async status({ pick, below }: Random) {
      const lead = below(leadIds.length)
      const status = pick(['new', 'rejected'] as const)
      const change = { status, reason: 'other' as const, note: undefined, sharedNote: undefined }
      const outcome = await settleOutcome(within((tx) => changeLeadStatus(tx, by, account, leadIds[lead]!, change)))
      if (outcome === 'done') model.leads[lead]!.rejected = status === 'rejected'
    },
    async suspend({ below }: Random) {
      const at = below(PARTNERS)
      const partner = model.partners[at]!
      partner.active = !partner.active
      await db.run`update partners set state = ${partner.active ? 'active' : 'suspended'} where id = ${partnerIds[at]!}`
    },
    async disable() {
      model.disabled = !model.disabled
      const at = model.disabled ? new Date(time.now) : null
      await db.run`update accounts set disabled_at = ${at} where id = ${account.id}`
    },
    async keep({ below }: Random) {
      const at = below(PARTNERS)
      const partner = model.partners[at]!
      partner.keep = !partner.keep
      await db.run`update partners set keep_in_group = ${partner.keep} where id = ${partnerIds[at]!}`
    },
    async move({ pick, below }: Random) {
      const [at, group] = [below(PARTNERS), below(groupIds.length)]
      const partner = model.partners[at]!
      await within(async (tx) => {
        await blockBookings(tx, account.id)
        const to = { groupId: groupIds[group]!, appliesTo: pick(['new-customers', 'all-sales'] as const) }
        await moveToGroup(tx, by, account.id, partnerIds[at]!, to)
      })
      if (partner.group !== group) Object.assign(partner, { group, since: today() })
    },
    async addGoal(random: Random) {
      const group = random.below(groupIds.length)
      if (anyGoal().filter((goal) => goal.group === group).length >= 10) return
      const fields = anyFields(random, group)
      const { to, ...given } = fields
      const goal = await within((tx) =>
        createGoal(tx, by, account, groupIds[group]!, {
          ...{ ...given, name: 'Goal' },
          moveToGroupId: to === null ? null : groupIds[to]!,
        }),
      )
      model.goals.push({ ...fields, id: (goal as { id: string }).id, group, set: time.now, deletedAt: null })
    },
    async changeGoal(random: Random) {
      const goal = random.pick(anyGoal())
      if (!goal) return
      const { to, ...given } = anyFields(random, goal.group)
      const change = { ...given, moveToGroupId: to === null ? null : groupIds[to]! }
      await within((tx) => changeGoal(tx, by, account, goal.id, change))
      const isSetAnew = (['metric', 'window', 'atLeast', 'bonus'] as const).some(
        (field) => goal[field] !== given[field],
      )
      Object.assign(goal, given, { to, set: isSetAnew ? time.now : goal.set })
    },
    async deleteGoal({ pick }: Random) {
      const goal = pick(anyGoal())
      if (!goal) return
      goal.deletedAt = time.now
      await within((tx) => deleteGoal(tx, by, account.id, goal.id))
    },
    async pass({ pick }: Random) {
      const hours = pick([3, 24, 24, 24, 72, 24 * 20, 24 * 60])
      time.now += hours * HOUR
    },
    async night({ chance }: Random) {
      time.now += DAY
      night(model, time.now)
      const at = { ...account, payoutDelay: delay }
      await Promise.all(chance(30) ? [judgeGoals(at, services), judgeGoals(at, services)] : [judgeGoals(at, services)])
    },
  }
  for (let goals = 0; goals < 3; goals++) {
    time.now += 60_000
    await acts.addGoal(random)
  }
  return { acts, check: () => compare(ledger, model, groupIds, time.now) }
}
type World = Awaited<ReturnType<typeof begin>>

async function compare({ account, partnerIds }: Ledger, model: Model, groupIds: string[], now: number) {
  const awards = await db.many<{ goal: string; partnerId: string; period: string; amount: number }>`
    select w.goal_id as goal, w.partner_id, w.period, coalesce(sum(e.amount), -1)::bigint as amount
    from goal_awards w left join commission_entries e on e.account_id = w.account_id and e.award_id = w.id
    where w.account_id = ${account.id} group by w.id, w.account_id`
  const words = (rows: string[]) => rows.toSorted()
  assert.deepEqual(
    words(
      awards.map(
        ({ goal, partnerId, period, amount }) => `${goal} ${partnerIds.indexOf(partnerId)} ${period}: ${amount}`,
      ),
    ),
    words(
      model.awards.map(
        ({ goal, partner, period, given, bonus }) => `${goal} ${partner} ${period}: ${given ? bonus : 0}`,
      ),
    ),
  )
  const due = await db.one<{ sum: number }>`
    select coalesce(sum(t.amount), 0)::bigint as sum from ${entriesSetAside}
    where t.account_id = ${account.id} and t.kind = 'bonus' and ${balancePartsSql(new Date(now), account.id).due}`
  const isDue = ({ given, final, due }: Award) => given && final && due <= now
  assert.equal(
    due.sum,
    model.awards.filter(isDue).reduce((sum, { bonus }) => sum + bonus, 0),
  )
  const balances = [...(await getBalances(db, account, partnerIds)).values()]
  const { held } = await balanceOfAccount(db, account.id)
  assert.equal(
    balances.reduce((sum, balance) => sum + balance.held, 0),
    held,
  )
  const partners = await db.many<{ id: string; groupId: string }>`
    select id, coalesce(group_id, account_id) as group_id from partners where account_id = ${account.id}`
  const groups = partnerIds.map((id) => groupIds.indexOf(partners.find((partner) => partner.id === id)!.groupId))
  assert.deepEqual(
    groups,
    model.partners.map(({ group }) => group),
    'groups',
  )
}

function anyFields({ pick, chance, between, below }: Random, group: number) {
  const metric = pick(goalMetrics)
  const figure = metric === 'revenue' ? between(1, 8) * 100_00 : between(1, 4)
  const others = [0, 1, 2].filter((other) => other !== group)
  if (chance(60)) {
    const window = pick(['month', 'month', 'all-time'] as const)
    return { metric, window, atLeast: figure, below: null, bonus: between(1, 9) * 10_00, to: null }
  }
  const to = others[below(2)]!
  if (chance(40))
    return { ...{ metric, window: 'last-90-days' as const }, atLeast: null, below: figure, bonus: null, to }
  const window = pick(['month', 'last-90-days', 'all-time'] as const)
  return { metric, window, atLeast: figure, below: null, bonus: null, to }
}

const weights = {
  sell: 16,
  refund: 7,
  void: 2,
  restore: 3,
  dispute: 3,
  endDispute: 3,
  addLead: 5,
  openPartnerCase: 2,
  decideCase: 5,
  release: 2,
  status: 4,
  suspend: 2,
  disable: 1,
  keep: 1,
  move: 2,
  addGoal: 4,
  changeGoal: 3,
  deleteGoal: 2,
  pass: 4,
  night: 16,
}
const steps = Object.fromEntries(
  (Object.keys(weights) as (keyof typeof weights)[]).map((name) => [
    name,
    async (world: World, random: Random) => {
      time.now += 60_000
      await world.acts[name](random)
    },
  ]),
)
const histories = {
  ...{ begin, steps: freeSteps(steps), weights, length: 69 },
  check: ({ check }: World) => check(),
  ledger: db,
}

test('bonuses and groups are what a plain model computes, whichever worker runs the night', async () => {
  for (const seed of listSeeds(2)) await atTime(time, () => playHistory(histories, seed))
})
