import { userAuthor } from '../../server/platform/author.ts'
import { type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { createQueues } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import type { Access } from '../../server/program/access/access.ts'
import type { Actor } from '../../server/program/access/actor.ts'
import { listLiability } from '../../server/program/accounting/liability.ts'
import { archivePartner } from '../../server/program/partners/archive-partner.ts'
import { changePartner } from '../../server/program/partners/change-partner.ts'
import { approvePayout, approvePayouts } from '../../server/program/payouts/approve.ts'
import { getBalances } from '../../server/program/payouts/balances.ts'
import { cancelPayout } from '../../server/program/payouts/cancel-payout.ts'
import { payOut, pollTransfers, refreshPayouts } from '../../server/program/payouts/jobs.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { ProviderError } from '../../server/program/payouts/methods/method.ts'
import { transactionId } from '../../server/program/payouts/payout-attempts.ts'
import { removePayoutSettings, savePayoutSettings } from '../../server/program/payouts/payout-settings.ts'
import { advancePayout } from '../../server/program/payouts/process-payout.ts'
import { type PayOutJob, payOutQueue } from '../../server/program/payouts/queue.ts'
import { retryPayout } from '../../server/program/payouts/retry-payout.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { refundByHand } from '../../server/program/sales/refund-sale.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { queues } from '../../server/queues.ts'
import { payoutsEveryHour, payoutsEveryMinute } from './clock-runs.ts'
import { aLedger, aSale, atTime, type Ledger, ledgerServices, ownerAuthor } from './ledger.ts'
import { type ModelTest, SimulatedCrash, settleOutcome } from './model-test.ts'
import { checkOwedLine } from './owed-line.ts'
import * as model from './payout-model.ts'
import { paypalRail, type Rail, wiseRail } from './payout-providers.ts'

// Random lives of payouts: the real server and a provider that fails in every way, checked by the model after each step.

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** A Monday shortly before the year ends. */
const STARTS_AT = Date.parse('2026-12-14T10:00:00Z')
const PARTNERS = 2
const STEPS = 70
const YEARS = [2026, 2027, 2028]

/** All lives of a run share a database and a job queue, whose jobs the lives run themselves. */
const livesOn = (aRail: typeof wiseRail): ModelTest => ({
  async begin(db) {
    const services = ledgerServices(db)
    const { outbound, jobs } = services
    await createQueues(await jobs.boss(), queues)
    return {
      live: (seed) => live(services, seed, aRail),
      async end() {
        await jobs.stop({ graceful: false })
        await outbound.close()
      },
    }
  },
})

export const payoutLives = livesOn(wiseRail)
export const paypalLives = livesOn(paypalRail)

/** Random numbers, the same for the same seed. */
function chance(seed: number) {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  return { below, pick }
}

type PayoutRow = {
  id: string
  partnerId: string
  status: string
  amount: number | null
  method: string | null
  approvedAt: string | null
  bound: number
}

async function live(shared: Services, seed: number, aRail: typeof wiseRail): Promise<void> {
  const time = { now: STARTS_AT }
  const rail = await aRail({ clock: () => new Date(time.now), balance: 400 })
  const trace: string[] = []
  let timeoutMs = 20_000
  const outbound: Services['outbound'] = {
    ...shared.outbound,
    provider: (url, request) => shared.outbound.provider(url, { timeoutMs, ...request }),
  }
  try {
    await atTime(time, async () => {
      const life = await begin(rail.servicesOf({ ...shared, outbound }), rail, time, seed, trace)
      // from here on the provider may hang, so its timeout is short
      timeoutMs = 500
      for (let step = 0; step < STEPS; step++) await life.step()
      await life.settle()
    })
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`payouts, seed ${seed}: ${message}\n${trace.join('\n')}\n${stack}`)
  } finally {
    await rail.close()
  }
}

async function begin(services: Services, rail: Rail, time: { now: number }, seed: number, trace: string[]) {
  const { db } = services
  const { below, pick } = chance(seed)
  const ledger = await aLedger(services, {
    partners: Array.from({ length: PARTNERS }, () => ({})),
    leads: Array.from({ length: PARTNERS }, (_, partner) => ({ partner })),
  })
  const { account, actor, partnerIds } = ledger
  await db.run`delete from payout_settings where account_id = ${account.id}`
  const book: model.Book = { partners: [], approvals: new Map(), profile: null }
  const profiles = rail.places
  const sales: { id: string; partner: number; amount: number; refunded: boolean }[] = []
  const seenPaid = new Set<string>()
  /** Payouts whose money has left and is not back. */
  const out = new Map<string, { partner: number; amount: number }>()
  /** Amounts owed to each partner at the end of each day that had steps. */
  const noted = new Map<string, number[]>()
  let accounts = 1_000_000
  let auto = false

  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const owner: Actor = { ...actor }
  const fresh = (): Actor => ({ ...actor, confirmedAt: new Date(time.now).toISOString() })
  const partnerActor = (partner: number): Actor => ({
    ...actor,
    confirmedAt: new Date(time.now).toISOString(),
    teamRoles: {},
    partnerRoles: { [partnerIds[partner]!]: 'owner' },
  })
  const access = (partner: number): Access => ({
    as: 'owner',
    account,
    subjectId: partnerIds[partner]!,
    partnerId: null,
  })
  const anyPartner = () => below(PARTNERS)

  const saveDetails = async (partner: number) => {
    const number = String(++accounts)
    const details = rail.details(number)
    await inTransaction((tx) =>
      savePayoutSettings(tx, services, partnerActor(partner), { account, partnerId: partnerIds[partner]! }, details),
    )
    book.partners[partner]!.account = rail.accountOf(details)
  }
  const change = (partner: number, fields: Parameters<typeof changePartner>[4]) =>
    inTransaction((tx) => changePartner(tx, services, ownerAuthor(ledger), access(partner), fields))
  const own = { services, account, actor: fresh }
  const connect = async (profile: number) => {
    await rail.connect(own, profile, auto)
    book.profile = profile
  }
  const payouts = () => payoutsOf(ledger)
  const inState = async (...states: string[]) => (await payouts()).filter(({ status }) => states.includes(status))
  const oneOf = async (...states: string[]) => {
    const found = await inState(...states)
    return found.length > 0 ? pick(found).id : undefined
  }

  /** Takes a waiting job of this account; a poll with work creates one. */
  const takeJob = async (keep = false): Promise<PayOutJob | undefined> => {
    const jobs = await db.many<{ id: string; data: PayOutJob }>`
      select id, data from pgboss.job where name = 'pay-out' and state in ('created', 'retry')
        and data ->> 'payoutId' in (select id::text from payouts where account_id = ${account.id})
      order by created_on, id`
    if (jobs.length === 0) return undefined
    const { id, data } = pick(jobs)
    if (!keep) await db.run`delete from pgboss.job where name = 'pay-out' and id = ${id}`
    return data
  }
  /** Runs a job as the queue does: a failed one is retried. */
  const workOn = async (data: PayOutJob) => {
    try {
      await payOut(services, data)
      return 'done'
    } catch (error) {
      const { name, message } = error as Error
      if (!(error instanceof ProviderError) && !message.includes('is being worked on')) throw error
      await inTransaction((tx) => services.jobs.add(tx, payOutQueue, data))
      return name
    }
  }

  const acts = {
    earn: async () => {
      const partner = anyPartner()
      const amount = 10_00 + below(90) * 1_50
      const recorded = await recordSale(
        db,
        aSale(ledger, {
          leadId: ledger.leadIds[partner]!,
          provider: 'manual',
          amount: amount * 10,
          saleDate: new Date(time.now).toISOString().slice(0, 10),
          by: ownerAuthor(ledger),
        }),
      )
      const credited = await db.maybe<{ amount: number }>`
        select amount from commission_entries where sale_id = ${recorded.id}`
      if (credited) {
        model.bookEarning(book, partner, recorded.id, credited.amount)
        sales.push({ id: recorded.id, partner, amount: credited.amount, refunded: false })
      }
      return `${partner} ${amount}`
    },
    refund: async () => {
      const sale = sales.find(({ refunded }) => !refunded)
      if (!sale) return 'none'
      await inTransaction((tx) => refundByHand(tx, ownerAuthor(ledger), account, sale.id, { reason: 'back' }))
      sale.refunded = true
      model.bookEarning(book, sale.partner, sale.id, -sale.amount)
      return `${sale.partner} ${sale.amount}`
    },
    approve: async () => {
      const id = await oneOf('gathering')
      if (!id) return 'none'
      return settleOutcome(inTransaction((tx) => approvePayout(tx, services, owner, account, id)))
    },
    'approve all': async () => {
      const ids = (await inState('gathering')).map(({ id }) => id)
      const { results } = await inTransaction((tx) => approvePayouts(tx, services, owner, account, ids))
      return results.map(({ status, error }) => error?.code ?? status).join(' ')
    },
    refresh: async () => JSON.stringify(await refreshPayouts(services, account)),
    minute: async () => void (await payoutsEveryMinute(services)),
    hour: async () => void (await payoutsEveryHour(services)),
    work: async () => {
      const job = await takeJob()
      return job ? workOn(job) : 'none'
    },
    'two workers': async () => {
      const job = await takeJob()
      return job ? (await Promise.all([workOn(job), workOn(job)])).join(' ') : 'none'
    },
    'worker dies': async () => {
      const job = await takeJob(true)
      if (!job) return 'none'
      let left = below(12)
      const died = await settleOutcome(
        advancePayout(services, job.payoutId, {
          onStep: (step) => {
            if (left-- === 0) throw new SimulatedCrash(step)
          },
        }),
      )
      return died
    },
    'change while it works': async () => {
      const job = await takeJob(true)
      if (!job) return 'none'
      let left = below(10)
      const name = pick([
        'details',
        'remove details',
        'suspend',
        'take year',
        'profile',
        'remove token',
        'refund',
      ] as const)
      let happened = 'nothing'
      const outcome = await settleOutcome(
        advancePayout(services, job.payoutId, {
          onStep: async (step) => {
            if (left-- !== 0) return
            await watch()
            happened = `${name} at ${step}: ${await acts[name]()}`
          },
        }),
      )
      return `${happened}, ${outcome}`
    },
    fault: async () => {
      const call = pick(rail.calls)
      const failure = pick(rail.failures)
      const times = 1 + below(2)
      rail.fail(call, failure, times)
      return `${call} ${JSON.stringify(failure)} ${times}`
    },
    calm: async () => rail.calm(),
    details: async () => {
      const partner = anyPartner()
      await saveDetails(partner)
      return `${partner} ${accounts}`
    },
    'remove details': async () => {
      const partner = anyPartner()
      const outcome = await settleOutcome(
        inTransaction((tx) =>
          removePayoutSettings(tx, services.jobs, partnerActor(partner), { account, partnerId: partnerIds[partner]! }),
        ),
      )
      book.partners[partner]!.account = null
      return outcome
    },
    profile: async () => {
      if (book.profile === null) return 'none'
      const profile = pick(profiles)
      const outcome = await settleOutcome(rail.moveTo(own, profile, auto))
      if (outcome === 'done') book.profile = profile
      return `${profile} ${outcome}`
    },
    connect: async () => settleOutcome(connect(pick(profiles))),
    'remove token': async () => {
      auto = false
      const outcome = await settleOutcome(rail.disconnect(own))
      book.profile = null
      return outcome
    },
    automatic: async () => {
      const wanted = !auto
      const outcome = await settleOutcome(rail.setAutomatic(own, wanted))
      if (outcome === 'done') auto = wanted
      return `${wanted} ${outcome}`
    },
    suspend: async () => {
      const partner = anyPartner()
      const outcome = await settleOutcome(change(partner, { state: 'suspended', reason: 'under discussion' }))
      if (outcome === 'done') book.partners[partner]!.suspended = true
      return `${partner} ${outcome}`
    },
    activate: async () => {
      const partner = anyPartner()
      await change(partner, { state: 'active' })
      Object.assign(book.partners[partner]!, { suspended: false, voided: false })
      return partner
    },
    'take year': async () => {
      const partner = anyPartner()
      await change(partner, { approvedPayoutYears: [] })
      book.partners[partner]!.years = []
      return partner
    },
    'give year': async () => {
      const partner = anyPartner()
      await change(partner, { approvedPayoutYears: YEARS })
      book.partners[partner]!.years = YEARS
      return partner
    },
    'give this year': async () => {
      const partner = anyPartner()
      await change(partner, { approvedPayoutYears: [2026] })
      book.partners[partner]!.years = [2026]
      return partner
    },
    archive: async () => {
      const partner = anyPartner()
      const voids = below(3) > 0
      const outcome = await settleOutcome(
        inTransaction((tx) =>
          archivePartner(tx, ownerAuthor(ledger), account, partnerIds[partner]!, {
            subPartners: 'keep',
            balance: voids ? 'void' : 'pay-out',
            reason: 'over',
          }),
        ),
      )
      if (outcome === 'done') {
        book.partners[partner]!.suspended = false
        if (voids) model.voidBalance(book, partner)
      }
      return `${partner} ${voids} ${outcome}`
    },
    minutes: async () => {
      time.now += (1 + below(45)) * MINUTE
    },
    days: async () => {
      time.now += (1 + below(4)) * DAY
    },
    cancel: async () => {
      const id = await oneOf('approved', 'processing', 'awaiting-funding', 'failed', 'sent')
      if (id && (await findOut(id))) return 'found out'
      return id ? settleOutcome(cancelPayout(services, owner, account, id)) : 'none'
    },
    'find out': async () => {
      for (const { id } of await inState('processing', 'awaiting-funding')) if (await findOut(id)) return id
      return 'none'
    },
    retry: async () => {
      const id = await oneOf('failed', 'awaiting-funding', 'returned')
      return id
        ? settleOutcome(inTransaction((tx) => retryPayout(tx, services.jobs, userAuthor(owner), account, id)))
        : 'none'
    },
    'mark paid': async () => {
      const id = await oneOf('gathering', 'approved', 'failed', 'processing')
      if (!id) return 'none'
      const body = { reference: 'bank 17' }
      return settleOutcome(inTransaction((tx) => markPayoutPaid(tx, owner, account, id, body)))
    },
    'top up': async () => rail.topUp(pick(profiles), 300),
  }
  type Act = keyof typeof acts

  /** The owner looks at the provider whether an unsure payout was paid, and records it. */
  async function findOut(id: string): Promise<boolean> {
    const attempt = await db.maybe<{ key: string }>`
      select customer_transaction_id as key from payout_attempts
      where account_id = ${account.id} and payout_id = ${id} and stage = 'open' and state = 'unsure'`
    if (!attempt) return false
    const isPaid = rail.payments().some(({ key, isOver }) => key === attempt.key && !isOver)
    if (isPaid)
      await inTransaction((tx) => markPayoutPaid(tx, fresh(), account, id, { reference: 'as the provider says' }))
    else await cancelPayout(services, fresh(), account, id)
    return true
  }

  /** Compares the product and the provider with the model. */
  async function watch() {
    const rows = await payouts()
    const byTransaction = new Map<string, PayoutRow>()
    for (const row of rows) {
      const partner = partnerIds.indexOf(row.partnerId)
      const { id, status, amount, approvedAt, bound } = row
      const wrong = model.updateBook(book, { id, partner, status, amount: amount ?? 0, approvedAt, bound })
      if (wrong) throw new Error(wrong)
      for (let number = 1; number < 60; number++) byTransaction.set(transactionId(id, number), row)
    }
    const living = new Set<string>()
    for (const { id, key, amount, place, isOver, isUnpaid, ...payment } of rail.payments()) {
      const payout = byTransaction.get(key)
      if (!payout) throw new Error(`payment ${id} belongs to no payout`)
      if (!isOver) {
        if (living.has(payout.id)) throw new Error(`two payments of ${payout.id} live at once`)
        living.add(payout.id)
        if (payout.bound !== amount)
          throw new Error(`payment ${id} of ${amount} lives, its payout (${payout.status}) holds ${payout.bound}`)
      }
      if (isUnpaid || seenPaid.has(id)) continue
      seenPaid.add(id)
      const year = new Date(time.now).getUTCFullYear()
      const wrong = model.findFault(book, { payout: payout.id, amount, account: payment.account, profile: place, year })
      if (wrong) throw new Error(wrong)
    }
    await watchBooks(rows)
    const balances = await getBalances(db, account, 'all')
    for (const [partner, id] of partnerIds.entries()) {
      const { due, inPayout, paid } = balances.get(id)!
      const expected = model.readBalance(book, partner)
      if (due !== expected.due || inPayout !== expected.inPayout || paid !== expected.paid)
        throw new Error(
          `partner ${partner} has ${JSON.stringify({ due, inPayout, paid })}, not ${JSON.stringify(expected)}`,
        )
    }
  }

  /** Compares what is owed at the end of this day with the model, and notes it. */
  async function watchBooks(rows: PayoutRow[]) {
    for (const { id, partnerId, status, bound } of rows)
      if (status === 'sent' || status === 'paid') out.set(id, { partner: partnerIds.indexOf(partnerId), amount: bound })
      else if (bound === 0) out.delete(id)
    const left = (partner: number) =>
      [...out.values()].reduce((sum, one) => sum + (one.partner === partner ? one.amount : 0), 0)
    const owed = partnerIds.map((_, partner) => {
      const { due, inPayout, paid } = model.readBalance(book, partner)
      return due + inPayout + paid - left(partner)
    })
    const day = new Date(time.now).toISOString().slice(0, 10)
    await agreeOn(day, owed)
    noted.set(day, owed)
    await checkOwedLine(db, account)
  }

  async function agreeOn(day: string, owed: number[]) {
    const { items } = await listLiability(db, account, day, { limit: 100, sort: 'name' })
    const shown = partnerIds.map((id) => items.find(({ partnerId }) => partnerId === id)?.owed ?? 0)
    if (shown.join() !== owed.join()) throw new Error(`on ${day} ${shown} is said to be owed, not ${owed}`)
  }

  async function agree() {
    for (const [day, owed] of noted) await agreeOn(day, owed)
    const differences = await verifyLedger(db)
    if (differences.length > 0) throw new Error(`the ledger differs: ${JSON.stringify(differences[0])}`)
  }

  async function make(name: string) {
    trace.push(name)
    const outcome = name in acts ? await acts[name as Act]() : rail.events[name]!.happens({ pick, below })
    trace[trace.length - 1] = `${name}: ${outcome ?? 'done'}`
    await watch()
  }

  const events = Object.entries(rail.events).map(([name, { weight }]) => [name, weight] as const)
  const found: [string, number][] = rail.name === 'wise' ? [] : [['find out', 2]]
  const bag = [...Object.entries(weights), ...events, ...found].flatMap(([name, weight]) =>
    Array.from({ length: weight }, () => name),
  )

  for (let partner = 0; partner < PARTNERS; partner++) {
    book.partners.push(model.aPartner('', YEARS))
    await change(partner, { approvedPayoutYears: YEARS })
    await saveDetails(partner)
  }
  await connect(rail.places[0]!)

  return {
    async step() {
      await make(pick(bag))
    },
    /** Ends all failures and approves everything: then every payout must end. */
    async settle() {
      trace.push('-- all is well')
      rail.calm()
      auto = false
      await connect(book.profile ?? rail.places[0]!)
      for (const profile of profiles) rail.topUp(profile, 1_000_000)
      for (let partner = 0; partner < PARTNERS; partner++) {
        await acts['give year']()
        await change(partner, { approvedPayoutYears: YEARS, state: 'active' })
        Object.assign(book.partners[partner]!, { suspended: false, voided: false, years: YEARS })
        if (book.partners[partner]!.account === null) await saveDetails(partner)
      }
      for (let round = 0; round < 30; round++) {
        time.now += DAY
        await pollTransfers(services)
        await make('refresh')
        await make('approve all')
        for (const { id } of await inState('failed')) {
          const outcome = await settleOutcome(
            inTransaction((tx) => retryPayout(tx, services.jobs, userAuthor(owner), account, id)),
          )
          if (outcome === 'payout_blocked' && below(2) === 0) await cancelPayout(services, owner, account, id)
        }
        await watch()
        for (const partner of await rejected()) await saveDetails(partner)
        for (const { id, method } of await inState('approved'))
          if (method === 'manual')
            await inTransaction((tx) => markPayoutPaid(tx, owner, account, id, { reference: 'bank' }))
        for (let job = await takeJob(); job; job = await takeJob()) {
          trace.push(`work: ${await workOn(job)}`)
          await watch()
        }
        await make('find out')
        rail.finish()
        await watch()
        if (!(await stuck())) break
      }
      const left = await stuck()
      if (left) throw new Error(`stuck: ${left}`)
      await agree()
      await db.run`update accounts set disabled_at = now() where id = ${account.id}`
    },
  }

  /** Returns partners whose details the provider rejects. */
  async function rejected() {
    const rows = await db.many<{ partnerId: string }>`
      select partner_id from payout_settings where account_id = ${account.id} and rejected_reason is not null`
    return rows.map(({ partnerId }) => partnerIds.indexOf(partnerId))
  }

  async function stuck() {
    const rows = await payouts()
    const open = rows.filter(
      ({ status, bound, partnerId }) =>
        ['approved', 'processing', 'awaiting-funding', 'sent', 'failed'].includes(status) ||
        (status === 'returned' && bound > 0) ||
        (status === 'gathering' && model.readBalance(book, partnerIds.indexOf(partnerId)).due > 0),
    )
    return open.map(({ id, status }) => `${id} is ${status}`).join(', ')
  }
}

const payoutsOf = ({ db, account }: Ledger) => db.many<PayoutRow>`
  select o.id, o.partner_id, o.status, o.amount, o.method, o.approved_at, coalesce(b.bound, 0)::bigint as bound
  from payouts o left join (
    select pe.payout_id, sum(e.amount) as bound
    from payout_entries pe join commission_entries e on e.id = pe.entry_id where pe.live group by 1) b on b.payout_id = o.id
  where o.account_id = ${account.id}
  order by (o.status in ('gathering', 'canceled')) desc, o.statement_number`

const weights = {
  earn: 10,
  refund: 3,
  approve: 8,
  'approve all': 3,
  refresh: 5,
  minute: 3,
  hour: 1,
  work: 14,
  'two workers': 3,
  'worker dies': 5,
  'change while it works': 5,
  fault: 9,
  calm: 3,
  details: 5,
  'remove details': 1,
  profile: 3,
  connect: 3,
  'remove token': 1,
  automatic: 2,
  suspend: 2,
  activate: 4,
  'take year': 1,
  'give year': 3,
  'give this year': 1,
  archive: 1,
  minutes: 4,
  days: 2,
  cancel: 4,
  retry: 4,
  'mark paid': 2,
  'top up': 3,
}
