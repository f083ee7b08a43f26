import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { userAuthor } from '../../server/platform/author.ts'
import { type Database, openDatabase, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { createQueues } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import { approvePayouts } from '../../server/program/payouts/approve.ts'
import { getBalances } from '../../server/program/payouts/balances.ts'
import { cancelPayout } from '../../server/program/payouts/cancel-payout.ts'
import { payOut, refreshPayouts } from '../../server/program/payouts/jobs.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { apiMethods } from '../../server/program/payouts/methods/registry.ts'
import { savePayoutSettings } from '../../server/program/payouts/payout-settings.ts'
import { pausedSince } from '../../server/program/payouts/payout-terms.ts'
import { advancePayout } from '../../server/program/payouts/process-payout.ts'
import { type PayOutJob, type ReadBackJob, readBackQueue } from '../../server/program/payouts/queue.ts'
import { presentReconciliation } from '../../server/program/payouts/reconciliation/compare.ts'
import { confirmReconciliation } from '../../server/program/payouts/reconciliation/confirm.ts'
import { readBack } from '../../server/program/payouts/reconciliation/read-back.ts'
import { agreeAll } from '../../server/program/payouts/reconciliation/reconcile-transfers.ts'
import { verifyTransfers } from '../../server/program/payouts/reconciliation/verify-transfers.ts'
import { retryPayout } from '../../server/program/payouts/retry-payout.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { queues } from '../../server/queues.ts'
import { payoutsEveryHour, payoutsEveryMinute } from './clock-runs.ts'
import { aLedger, aSale, atTime, type Ledger, ledgerServices, ownClock, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom, SimulatedCrash, settleOutcome } from './model-test.ts'
import { paypalRail, type Rail } from './payout-providers.ts'
import { copyOfDatabase, createTestDatabase } from './postgres.ts'

// Lives of an install that pays by PayPal, whose database is restored from a copy while the world goes on. PayPal lists
// no payments: the copy meets those it has forgotten when it counts on, one after the other, and its owner enters each.

const DAY = 86_400_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')
const PARTNERS = 3

type World = { rail: Rail; time: { now: number }; owners: Map<string, number> }

/** Returns what each partner has really got. */
function paidOut({ rail, owners }: World) {
  const sums = Array.from({ length: PARTNERS }, () => 0)
  for (const { account, amount, isOver } of rail.payments()) if (!isOver) sums[owners.get(account)!]! += amount
  return sums
}

/** The acts of owner, clocks and workers on one of the databases. */
function actsOn(services: Services, { account, actor, partnerIds, leadIds, ...rest }: Ledger, world: World) {
  const { db } = services
  const { rail, time, owners } = world
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const owner = () => ({ ...actor, confirmedAt: new Date(time.now).toISOString() })
  const by = ownerAuthor({ account, actor, partnerIds, leadIds, ...rest } as Ledger)
  const takeJobs = <Data>(queue: string) => db.many<{ data: Data }>`
    with taken as (
      delete from pgboss.job where name = ${queue} and state in ('created', 'retry') returning data, created_on, id)
    select data from taken order by created_on, id`
  const payouts = () => db.many<{ id: string; status: string }>`
    select id, status from payouts where account_id = ${account.id} order by statement_number`
  return {
    inTransaction,
    owner,
    payouts,
    connect: () => rail.connect({ services, account, actor: owner }, rail.places[0]!, false),
    earn: (partner: number, amount: number) =>
      recordSale(
        db,
        aSale({ account, actor, partnerIds, leadIds, ...rest } as Ledger, {
          ...{ leadId: leadIds[partner]!, provider: 'manual', amount: amount * 10, by },
          saleDate: new Date(time.now).toISOString().slice(0, 10),
        }),
      ),
    async details(partner: number, number: string) {
      const partnerId = partnerIds[partner]!
      const details = rail.details(number)
      const own = { ...owner(), accountIds: [], partnerRoles: { [partnerId]: 'owner' as const } }
      await inTransaction((tx) => savePayoutSettings(tx, services, own, { account, partnerId }, details))
      owners.set(rail.accountOf(details), partner)
    },
    async clocks() {
      await agreeAll(services)
      await payoutsEveryHour(services)
      await payoutsEveryMinute(services)
    },
    refresh: () => refreshPayouts(services, account),
    async approveAll() {
      const ids = (await payouts()).filter(({ status }) => status === 'gathering').map(({ id }) => id)
      const { results } = await inTransaction((tx) => approvePayouts(tx, services, owner(), account, ids))
      return results.map(({ error }) => error?.message ?? 'done')
    },
    async retryFailed() {
      for (const { id, status } of await payouts())
        if (status === 'failed')
          await settleOutcome(inTransaction((tx) => retryPayout(tx, services.jobs, userAuthor(owner()), account, id)))
    },
    /** The owner looks on paypal.com whether unsure payouts were paid, and records it. */
    async findOut() {
      const unsure = await db.many<{ id: string; key: string }>`
        select payout_id as id, customer_transaction_id as key from payout_attempts
        where account_id = ${account.id} and stage = 'open' and state = 'unsure'`
      for (const { id, key } of unsure)
        if (rail.payments().some((one) => one.key === key && !one.isOver))
          await inTransaction((tx) => markPayoutPaid(tx, owner(), account, id, { reference: 'as PayPal says' }))
        else await cancelPayout(services, owner(), account, id)
    },
    async work(dieAt?: string) {
      for (const { data } of await takeJobs<PayOutJob>('pay-out')) await settleOutcome(payOut(services, data))
      if (!dieAt) return
      const open = (await payouts()).find(({ status }) => status === 'approved' || status === 'processing')
      const onStep = (step: string) => {
        if (step === dieAt) throw new SimulatedCrash(step)
      }
      if (open) await settleOutcome(advancePayout(services, open.id, { onStep }))
    },
    async readBack() {
      for (let turn = 0; turn < 4; turn++)
        for (const { data } of await takeJobs<ReadBackJob>(readBackQueue.name)) await readBack(services, data)
    },
    isPaused: async () => (await pausedSince(db, account.id)) !== null,
  }
}

type Act = ReturnType<typeof actsOn>

export async function livePaypalRestore(seed: number): Promise<{ pauses: number }> {
  const time = { now: STARTS_AT }
  const rail = await paypalRail({ clock: () => new Date(time.now), balance: 100_000 })
  const world: World = { rail, time, owners: new Map() }
  const trace: string[] = []
  const ends: (() => Promise<unknown>)[] = [() => rail.close()]
  try {
    return await atTime(time, () => live(seed, world, trace, ends))
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`PayPal restores, seed ${seed}: ${message}\n${trace.join('\n')}\n${stack}`, { cause: error })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function live(seed: number, world: World, trace: string[], ends: (() => Promise<unknown>)[]) {
  const { below, chance, pick } = randomFrom(seed)
  const { rail, time } = world
  const opened = async (
    { servingUrl, drop }: Awaited<ReturnType<typeof createTestDatabase>>,
    secrets?: Services['secrets'],
  ) => {
    ends.push(drop)
    const db: Database = openDatabase({ url: servingUrl, log: pino({ level: 'silent' }), clock: ownClock, max: 4 })
    const services = rail.servicesOf({ ...ledgerServices(db), ...(secrets && { secrets }) })
    ends.push(
      () => db.close(),
      () => services.outbound.close(),
      () => services.jobs.stop({ graceful: false }),
    )
    return services
  }
  const services = await opened(await createTestDatabase())
  const { db } = services
  await createQueues(await services.jobs.boss(), queues)
  const ledger = await aLedger(services, {
    partners: Array.from({ length: PARTNERS }, () => ({})),
    leads: Array.from({ length: PARTNERS }, (_, partner) => ({ partner })),
  })
  const { account, partnerIds } = ledger
  await db.run`delete from payout_settings where account_id = ${account.id}`
  const act = actsOn(services, ledger, world)
  await act.connect()
  let accounts = 1_000_000
  for (let partner = 0; partner < PARTNERS; partner++) await act.details(partner, String(++accounts))
  const earned = partnerIds.map(() => 0)
  const lost: [partner: number, amount: number][] = []
  let isCopied = false
  const earn = async (by: Act) => {
    const partner = below(PARTNERS)
    const amount = 20_00 + below(80) * 1_25
    await by.earn(partner, amount)
    earned[partner]! += amount
    if (by === act && isCopied) lost.push([partner, amount])
    return `${partner} ${amount}`
  }
  const steps: Record<string, (by: Act) => Promise<unknown>> = {
    earn,
    clocks: (by) => by.clocks(),
    approve: (by) => by.approveAll(),
    work: (by) => by.work(chance(40) ? pick(rail.steps) : undefined),
    fault: async () => rail.fail('POST /v1/payments/payouts', pick(['reset-after', { status: 500, after: true }]), 1),
    days: async () => {
      time.now += (1 + below(3)) * DAY
    },
  }
  const bag = [...Object.keys(steps), 'earn', 'clocks', 'approve', 'work', 'work']
  const step = async (by: Act, names = bag) => {
    const name = pick(names)
    trace.push(name)
    const outcome = await steps[name]!(by)
    if (outcome) trace.push(`  ${outcome}`)
  }

  for (let n = 0; n < PARTNERS; n++) await earn(act)
  for (let n = below(20); n > 0; n--) await step(act)
  rail.calm()
  const copy = await opened(await copyOfDatabase(db), services.secrets)
  trace.push('-- copied')
  isCopied = true
  for (let n = 5 + below(20); n > 0; n--) await step(act)
  rail.calm()
  await act.clocks()
  await act.approveAll()
  await act.work()

  trace.push('-- put back')
  const now = actsOn(copy, { ...ledger, db: copy.db, services: copy }, world)
  time.now += 60_000 + below(10) * DAY
  for (const [partner, amount] of lost.splice(0)) await now.earn(partner, amount)
  if (chance(30)) await now.details(below(PARTNERS), String(++accounts))
  let pauses = 0
  const isEven = async () =>
    isDeepStrictEqual(paidOut(world), earned) &&
    (await now.payouts()).every(({ status }) => status === 'paid' || status === 'canceled')
  for (let turn = 0; turn < 40 && (turn < 8 || !(await isEven())); turn++) {
    if (turn < 6 && chance(50)) await earn(now)
    time.now += DAY
    await now.clocks()
    await now.refresh()
    await now.approveAll()
    await now.retryFailed()
    await now.work()
    await now.work()
    if (await now.isPaused()) {
      pauses++
      await reconcile(now)
    }
    await now.findOut()
  }
  assert.deepEqual(paidOut(world), earned, 'each was paid what they earned, once')
  const balances = await getBalances(copy.db, account, 'all')
  for (const [partner, id] of partnerIds.entries()) {
    const { due, inPayout, held } = balances.get(id)!
    assert.deepEqual({ due, inPayout, held }, { due: 0, inPayout: 0, held: 0 }, `${partner} is even`)
  }
  assert.deepEqual(await verifyLedger(copy.db), [])
  for (const method of apiMethods)
    assert.deepEqual((await verifyTransfers({ ...copy, log: copy.db.log }, method)).differences, [])
  return { pauses }

  async function reconcile(by: Act) {
    for (const refused of await by.approveAll()) assert.match(refused, /^Payouts are paused/)
    const before = rail.payments().length
    await by.work()
    assert.equal(rail.payments().length, before, 'nothing is paid while it pauses')
    await by.readBack()
    const { transfers, readAt } = await presentReconciliation(copy.db, account)
    assert.ok(readAt)
    const unknown = transfers.filter(({ finding }) => finding === 'unknown')
    assert.ok(unknown.length > 0)
    const decisions = unknown.map(({ transferId, partnerId: suggested, reference }) => {
      const payment = rail.payments().find(({ id }) => id === transferId)!
      const partnerId = partnerIds[world.owners.get(payment.account)!]!
      assert.ok(suggested === null || suggested === partnerId, `${reference} is said to be another partner's`)
      trace.push(`  records ${reference}`)
      return { transferId, action: 'record' as const, partnerId }
    })
    await by.inTransaction((tx) => confirmReconciliation(tx, copy.jobs, by.owner(), account, { decisions }))
    assert.equal(await by.isPaused(), false)
  }
}

/** Each life creates its own databases. */
export const paypalRestoreLives: ModelTest = {
  begin: async () => ({
    live: async (seed) => void (await livePaypalRestore(seed)),
    end: async () => undefined,
  }),
}
