import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { Balance } from '#contract/balances.ts'
import { isPayday, type Paydays } from '#contract/paydays.ts'
import type { Payout } from '#contract/payouts.ts'
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
import { listSeeds, type Random, randomFrom } from '../../../test/support/model-test.ts'
import { checkOwedLine } from '../../../test/support/owed-line.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { createQueues } from '../../platform/jobs/queue.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { queues } from '../../queues.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { FIRST_RUN_TASK } from '../access/paydays.ts'
import { addAdjustment } from '../commissions/adjustments.ts'
import { recordSale } from '../sales/record-sale.ts'
import { applyRefund } from '../sales/refund-sale.ts'
import { listBalances } from './balances.ts'
import { forecastOfAccount, forecastOfPartner, isOfPayday } from './forecast.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { runDueAccounts } from './jobs.ts'
import { markPayoutPaid } from './mark-paid.ts'
import { listPayoutEntries, listPayouts } from './payouts.ts'

// Random accounts: the forecast is compared with a second calculation from the entries, and with the amounts that
// become due as the clock advances day by day.

const db = await freshDatabase({ clock: ownClock })
const services = ledgerServices(db)
await createQueues(await services.jobs.boss(), queues)
after(async () => {
  await services.jobs.stop({ graceful: false })
  await services.outbound.close()
})

const DAY = 86_400_000
/** More than the longest hold of a sale and a month, in days. */
const DAYS = 150
/** A payday of the forecast; for a partner with the number of commissions. */
type Day = { date: string; amount: number; count: number }

function live(seed: number, paydaysOf: (random: Random) => Paydays) {
  const time = { now: 0 }
  const begin = async () => {
    const random = randomFrom(seed)
    time.now = Date.parse('2026-10-20T14:00:00Z') + random.below(30 * 24) * 3_600_000
    return { time, random, ledger: await anAccount(random, paydaysOf(random)), sales: [] as Sold[] }
  }
  return atTime(time, () => playHistory({ begin, steps, weights, length: 36, end }, seed))
}
type Sold = { id: string; amount: number }
type World = { time: { now: number }; random: Random; ledger: Ledger; sales: Sold[] }

async function end({ ledger, random, time }: World) {
  const { account, partnerIds } = ledger
  // holds last throughout the test
  await db.run`update sales set held_until = ${new Date(time.now + 400 * DAY)} where account_id = ${account.id} and held_until is not null`
  const automatic = random.chance(50)
  const ranToday = automatic && random.chance(50)
  if (automatic) await payAutomatically(account, ranToday)
  await standInTheWay(ledger, random)

  const reckoned = await reckon(ledger, { automatic, ranToday })
  for (const [index, id] of partnerIds.entries()) {
    const { days, blocked } = await forecastOfPartner(db, account, id)
    const named = { days: reckoned[index]!.days.slice(0, 8), blocked: reckoned[index]!.blocked }
    assert.deepEqual({ days: days.map(({ destination, ...day }) => day), blocked }, named, `partner ${index}`)
    for (const { date, amount, count } of [...days, { date: 'blocked', ...blocked }]) {
      const its = await isOfPayday(db, account, id, date)
      const behind = await db.one`
        select coalesce(sum(t.amount), 0)::bigint as amount, count(*)::integer as count from commission_entries t where ${its}`
      assert.deepEqual(behind, { amount, count }, `the entries of partner ${index} on ${date}`)
    }
  }
  const { days, blocked } = await forecastOfAccount(db, account)
  assert.deepEqual({ days, blocked }, together(reckoned))
  await compareList(ledger, reckoned, { days, blocked })
  await checkOwedLine(db, account)

  const arrived = partnerIds.map((): Day[] => [])
  const today = dayIn(account.timeZone, db.now)
  for (const day of await eventfulDays(ledger, today)) {
    time.now = Math.max(time.now, atSix(day, account.timeZone))
    for (const payout of await payWhatIsDue(ledger, automatic)) {
      const arrival = { date: day, amount: payout.amount, count: await entriesOf(ledger, payout.id) }
      arrived[partnerIds.indexOf(payout.partnerId)]!.push(arrival)
    }
  }
  const forecast = reckoned.map(({ days }) => days)
  assert.deepEqual(arrived, forecast, 'what became due')
}

/** Checks that the list of balances, in any order, names the same paydays, and a reason where there is none. */
async function compareList(
  { account, partnerIds }: Ledger,
  reckoned: Reckoned[],
  { days, blocked }: { days: Day[]; blocked: { amount: number; count: number } },
) {
  const list = async (sort: string) =>
    z.array(Balance).parse((await listBalances(db, account, { limit: 100, sort })).items)
  const rows = await list('nextPayoutDate')
  const stopped = await listBalances(db, account, { limit: 100, sort: 'createdAt', blocked: true })
  const isBlocked = reckoned.map((one) => one.blocked.amount > 0)
  assert.deepEqual(
    new Set(stopped.items.map(({ partnerId }) => partnerId)),
    new Set(partnerIds.filter((_, index) => isBlocked[index])),
    'the blocked partners',
  )
  assert.deepEqual(stopped.totals.blocked, blocked, 'the blocked amounts')
  const byId = (items: Balance[]) => items.toSorted((a, b) => (a.partnerId < b.partnerId ? -1 : 1))
  for (const sort of ['createdAt', '-due', '-nextPayoutDate'])
    assert.deepEqual(byId(await list(sort)), byId(rows), sort)
  const dates = rows.map(({ nextPayoutDate }) => nextPayoutDate ?? '9999-12-31')
  assert.deepEqual(dates, dates.toSorted(), 'the list in order of paydays')
  for (const [index, id] of partnerIds.entries()) {
    const row = rows.find(({ partnerId }) => partnerId === id)!
    const own = reckoned[index]!.days.map(({ date, amount }) => ({ date, amount })).slice(0, 8)
    assert.deepEqual([row.nextPayoutDate, row.paydays], [own[0]?.date ?? null, own], `the row of partner ${index}`)
    if (row.held + row.due > 0 && own.length === 0) assert.ok(row.blockers.length > 0, `why partner ${index} waits`)
  }
  const ofDay = Map.groupBy(
    rows.flatMap(({ paydays }) => paydays),
    ({ date }) => date,
  )
  await compareGroups(account, rows, reckoned)
  for (const { date, amount, count } of days)
    assert.deepEqual([total(ofDay.get(date)!), ofDay.get(date)!.length], [amount, count], `the rows of ${date}`)
}

/** Checks that the list by payday has each partner under each of their paydays and, with the rest, under none. */
async function compareGroups(account: AccountFacts, balances: Balance[], reckoned: Reckoned[]) {
  const list = await listBalances(db, account, { limit: 100, sort: 'nextPayoutDate', each: 'payday' })
  const paid = reckoned.flatMap(({ days }) => days)
  const open = balances.reduce((sum, { held, due }) => sum + held + due, 0)
  const { held, due } = list.totals
  assert.deepEqual([list.totals.count, held + due], [balances.length, open], 'each partner counts once')
  assert.equal(total(list.items), open, 'all rows add up to what is held and due')
  for (const { date, amount, count } of list.totals.paydays) {
    const rows = list.items.filter(({ payday }) => payday === date)
    assert.deepEqual([total(rows), rows.length], [amount, count], `the rows below ${date}`)
    const own = paid.filter((day) => day.date === date)
    if (date !== null) assert.deepEqual([total(own), own.length], [amount, count], `the payday ${date}`)
  }
  assert.equal(
    list.totals.paydays.reduce((sum, { count }) => sum + count, 0),
    list.items.length,
  )
  const dates = list.items.map(({ payday }) => payday ?? '9999-12-31')
  assert.deepEqual(dates, dates.toSorted(), 'in order of paydays')
  const pages = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await listBalances(db, account, { limit: 2, sort: 'nextPayoutDate', each: 'payday', cursor })
    pages.push(...page.items)
    cursor = page.nextCursor ?? undefined
  }
  assert.deepEqual(pages, list.items, 'page by page')
}

/** Returns the only days on which an amount becomes due, a cool-off ends or a year begins. */
async function eventfulDays({ account }: Ledger, today: string) {
  const entries = await db.many<{ availableAt: string }>`
    select available_at from commission_entries where account_id = ${account.id} and available_at > ${db.now}`
  const days = entries.map(({ availableAt }) => dayIn(account.timeZone, new Date(availableAt)))
  const soon = [0, 1, 2, 3, 4].map((ahead) => addDays(today, ahead))
  const { paydays } = account
  const own = paydays.every === 'day' ? [] : Array.from({ length: DAYS }, (_, ahead) => addDays(today, ahead))
  const all = [...soon, ...days, '2027-01-01', ...own].filter((day) => isPayday(paydays, day))
  return [...new Set(all)].sort()
}

async function anAccount(random: Random, paydays: Paydays): Promise<Ledger> {
  const ledger = await aLedger(services, {
    timeZone: random.pick(['UTC', 'America/Los_Angeles', 'Pacific/Auckland', 'Asia/Kolkata']),
    rates: ['10', '4'],
    partners: [{}, { parent: 0 }, {}, { parent: 2 }],
    leads: [{ partner: 0 }, { partner: 1 }, { partner: 2 }, { partner: 3 }, { partner: 1, emailOf: 1 }],
  })
  await db.run`update accounts set minimum_payout = ${random.pick([0, 5_00, 40_00])}, paydays = ${paydays}::jsonb where id = ${ledger.account.id}`
  return {
    ...ledger,
    account: await db.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${ledger.account.id}`,
  }
}

const weights = { sell: 6, refund: 2 }
/** Sales of the last two months, refunds, disputes, holds and adjustments; a part is paid already. */
const steps = freeSteps<World>({
  async sell({ ledger, sales, time }, { pick, below }) {
    // held for the delay of its time
    const payoutDelay = pick([0, 7, 14, 30, 45, 60, 90])
    await db.run`update accounts set payout_delay = ${payoutDelay} where id = ${ledger.account.id}`
    const amount = 20_00 + below(400) * 100
    const saleDate = new Date(time.now - (1 + below(50)) * DAY).toISOString().slice(0, 10)
    const then = { ...ledger, account: { ...ledger.account, payoutDelay } }
    const { id } = await recordSale(db, aSale(then, { leadId: pick(ledger.leadIds), amount, saleDate }))
    sales.push({ id, amount })
  },
  async refund({ ledger, sales, time }, { pick, chance }) {
    const sale = pick(sales)
    if (!sale) return
    const kind = chance(60) ? 'refund' : 'dispute'
    const status = kind === 'dispute' && chance(50) ? 'pending' : 'succeeded'
    const amount = Math.ceil(sale.amount / pick([1, 2, 3]))
    const report = { kind, status, amount, externalId: newId(), reason: null, at: new Date(time.now) } as const
    await transaction(db, (tx) => applyRefund(tx, system, ledger.account, sale.id, report))
  },
  async adjust({ ledger }, { pick, below }) {
    const change = { amount: (below(60) - 30) * 100 || 1_00, reason: 'Agreed' }
    await transaction(db, (tx) =>
      addAdjustment(tx, ownerAuthor(ledger), ledger.account, pick(ledger.partnerIds), change),
    )
  },
  async pay({ ledger, time }, { below }) {
    await payWhatIsDue(ledger, false)
    time.now += below(3) * DAY
  },
})

async function payAutomatically({ id, timeZone, paydays }: AccountFacts, ranToday: boolean) {
  const today = dayIn(timeZone, db.now)
  await db.run`
    insert into payout_accounts (account_id, method, enabled, updated_at) values (${id}, 'wise', true, ${db.now})
    on conflict (account_id) do update set method = 'wise', enabled = true`
  // as saving the paydays would have left it
  if (ranToday || paydays.every !== 'day')
    await db.run`
      insert into account_days (account_id, task, done_on) values (${id}, ${FIRST_RUN_TASK}, ${ranToday ? today : addDays(today, -1)})`
}

async function standInTheWay({ partnerIds }: Ledger, random: Random) {
  for (const id of partnerIds) {
    const years = random.pick([[2026, 2027], [2026, 2027], [2026], [2027], []])
    await db.run`update partners set approved_payout_years = ${years} where id = ${id}`
    if (random.chance(10)) await db.run`update partners set state = 'suspended' where id = ${id}`
    if (random.chance(10)) await db.run`update payout_settings set details_sealed = null where partner_id = ${id}`
    if (random.chance(30))
      await db.run`
        update payout_settings set changed_at = ${new Date(db.now.getTime() - random.below(96) * 3_600_000)} where partner_id = ${id}`
  }
}

/** Gathers due amounts and pays all without blockers: by the day's automatic run, or by hand. */
async function payWhatIsDue({ account, actor }: Ledger, automatic: boolean): Promise<Payout[]> {
  await transaction(db, (tx) => gatherPayouts(tx, account))
  const read = async (status: string) =>
    (await listPayouts(db, account, { limit: 100, sort: 'createdAt', status: [status] }, { reader: 'owner' })).items
  if (automatic) {
    await runDueAccounts(services)
    return (await read('approved')).filter(({ approvedAt }) => approvedAt === db.now.toISOString())
  }
  const due = await read('due')
  for (const { id } of due) await transaction(db, (tx) => markPayoutPaid(tx, actor, account, id, { reference: 'Wire' }))
  return due
}

async function entriesOf({ account }: Ledger, payoutId: string) {
  const access = { as: 'owner', account, subjectId: payoutId, partnerId: null } as const
  return (await listPayoutEntries(db, access, { limit: 100, sort: 'createdAt' })).items.length
}

/**
 * Returns the time of the automatic run on this day by searching, since zones and their daylight saving times differ.
 */
function atSix(day: string, timeZone: string): number {
  const shown = (at: number) => new Date(at).toLocaleString('sv', { timeZone, hourCycle: 'h23' })
  let at = Date.parse(`${day}T06:00:00Z`) - DAY
  while (shown(at) !== `${day} 06:00:00`) at += 900_000
  return at
}

/** A second implementation of the rules, day by day: a partner's payments, and the amount blocked at the end. */
async function reckon(
  { account, partnerIds }: Ledger,
  { automatic, ranToday }: { automatic: boolean; ranToday: boolean },
) {
  const today = dayIn(account.timeZone, db.now)
  const least = Math.max(account.minimumPayout, 1)
  const partners = await db.many<Partner>`
    select n.id, n.state, n.approved_payout_years as years, d.details_sealed is not null as details, d.changed_at
    from partners n join payout_settings d on d.partner_id = n.id where n.account_id = ${account.id}`
  const entries = await db.many<Entry>`
    select e.partner_id, e.sale_id, e.amount, e.available_at, e.clawback, s.disputed, s.hold_rule
    from commission_entries e left join sales s on s.id = e.sale_id
    where e.account_id = ${account.id}
      and not exists (select from payout_entries b where b.entry_id = e.id and b.live)`
  const unpaidOf = ({ saleId, partnerId }: Entry) =>
    entries.reduce((sum, one) => sum + (one.saleId === saleId && one.partnerId === partnerId ? one.amount : 0), 0)
  return partnerIds.map((id) => {
    const partner = partners.find((one) => one.id === id)!
    const waiting = entries.filter(
      (entry) =>
        entry.partnerId === id && (!(entry.disputed || entry.holdRule) || (entry.clawback && unpaidOf(entry) < 0)),
    )
    const days: Day[] = []
    let pot: Entry[] = []
    for (let ahead = 0; ahead < DAYS; ahead++) {
      const day = addDays(today, ahead)
      pot.push(...waiting.filter((entry) => dueDay(entry) === day || (ahead === 0 && dueDay(entry) < day)))
      const stopped =
        partner.state === 'suspended' || !partner.details || !partner.years.includes(Number(day.slice(0, 4)))
      if (!isPayday(account.paydays, day)) continue
      if (stopped || total(pot) < least || (automatic && !runs(partner, day, ahead))) continue
      days.push({ date: day, amount: total(pot), count: pot.length })
      pot = []
    }
    const blocked = total(pot) < least ? { amount: 0, count: 0 } : { amount: total(pot), count: pot.length }
    return { days, blocked }
  })

  function dueDay({ availableAt }: Entry) {
    return dayIn(account.timeZone, new Date(availableAt))
  }
  function runs({ changedAt }: Partner, day: string, ahead: number) {
    const at = Math.max(atSix(day, account.timeZone), db.now.getTime())
    return !(ahead === 0 && ranToday) && (changedAt === null || Date.parse(changedAt) + 3 * DAY <= at)
  }
}

type Partner = { id: string; state: string; years: number[]; details: boolean; changedAt: string | null }
type Entry = {
  partnerId: string
  saleId: string | null
  amount: number
  availableAt: string
  clawback: boolean
  disputed: boolean | null
  holdRule: string | null
}

const total = (entries: { amount: number }[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

type Reckoned = { days: Day[]; blocked: { amount: number } }

/** Combines the partners' paydays into the account's, with the number of payouts. */
function together(partners: Reckoned[]) {
  const byDate = Map.groupBy(
    partners.flatMap(({ days }) => days),
    ({ date }) => date,
  )
  const days = [...byDate].map(([date, payouts]) => ({ date, amount: total(payouts), count: payouts.length }))
  const blocked = partners.map((partner) => partner.blocked).filter(({ amount }) => amount > 0)
  return {
    days: days.sort((a, b) => (a.date < b.date ? -1 : 1)).slice(0, 8),
    blocked: { amount: total(blocked), count: blocked.length },
  }
}

for (const seed of listSeeds(1))
  test(`seed ${seed}: each payday brings what was forecast, and nothing is due before`, () =>
    live(seed, () => ({ every: 'day' })))

for (const seed of listSeeds(2))
  test(`seed ${seed}: so it is with paydays of a week or a month`, () =>
    live(seed + 1000, ({ pick, below }) => {
      const months = [[1, 15], [31], [30, 31], [1 + below(31)]].map((days) => ({ every: 'month', days }) as const)
      return seed % 2 === 1 ? pick(months) : { every: 'week', weekday: 1 + below(7) }
    }))
