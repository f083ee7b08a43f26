import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { payoutsEveryHour, payoutsEveryMinute } from '../../../../test/support/clock-runs.ts'
import {
  aLedger,
  aSale,
  atTime,
  byOwner,
  type Ledger,
  ledgerServices,
  ownClock,
} from '../../../../test/support/ledger.ts'
import { Death, outcomeOf, randomFrom } from '../../../../test/support/lives.ts'
import { deposit } from '../../../../test/support/payouts.ts'
import { copyOfDatabase, freshDatabase } from '../../../../test/support/postgres.ts'
import { standInWise } from '../../../../test/support/stand-ins/wise.ts'
import { type Database, openDatabase, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { createQueues } from '../../../platform/jobs/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { queues } from '../../../queues.ts'
import { recordSale } from '../../sales/record-sale.ts'
import { verifyLedger } from '../../stats/verify.ts'
import { advance } from '../advance.ts'
import { approvePayouts } from '../approve.ts'
import { changeAutoPayoutSettings } from '../auto-payout-settings.ts'
import { balancesOf } from '../balances.ts'
import { payOut, refreshPayouts } from '../jobs.ts'
import { savePayoutSettings } from '../payout-settings.ts'
import { type PayOutJob, type ReadBackJob, readBackQueue } from '../queue.ts'
import { retryPayout } from '../retry-payout.ts'
import { agreeAll, pausedSince } from './agreement.ts'
import { presentReconciliation } from './compare.ts'
import { confirmReconciliation } from './confirm.ts'
import { readBack, startReading } from './read-back.ts'

// Lives of an install whose database is put back from a copy while Wise goes on: a worker dies anywhere, the copy is from
// any moment, and whatever the ledger has forgotten is paid once.

const DAY = 86_400_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')
const PARTNERS = 3
const NUMBERS = ['1000001', '1000002', '1000003']
const OVER = ['cancelled', 'funds_refunded', 'charged_back']
const WAITING = 'incoming_payment_waiting'
const STEPS = [
  ...['attempt-saved', 'quoted', 'quote-saved', 'recipient-made', 'recipient-saved'],
  ...['transfer-announced', 'transfer-made', 'transfer-saved', 'funded', 'funding-saved'],
]

type Wise = Awaited<ReturnType<typeof standInWise>>
const opened: (() => Promise<unknown>)[] = []
after(() => Promise.all(opened.map((close) => close())))

/** The install over a database, of which the last may be a copy of the first. */
function installOver(db: Database, wise: Wise, secrets?: Services['secrets']): Services {
  const services = ledgerServices(db)
  opened.push(
    () => services.outbound.close(),
    () => services.jobs.stop({ graceful: false }),
  )
  return {
    ...services,
    ...(secrets && { secrets }),
    config: { ...services.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
  }
}

async function copied(db: Database): Promise<Database> {
  const { servingUrl, drop } = await copyOfDatabase(db)
  const copy = openDatabase({ url: servingUrl, log: pino({ level: 'silent' }), clock: ownClock, max: 4, patience: 6 })
  opened.push(async () => {
    await copy.close()
    await drop()
  })
  return copy
}

/** What an owner, the clocks and the workers do, over whichever database the ledger has. */
function actsOn(services: Services, ledger: Ledger, wise: Wise, time: { now: number }) {
  const { db } = services
  const { account, actor } = ledger
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const owner = () => ({ ...actor, confirmedAt: new Date(time.now).toISOString() })
  const takeJobs = <Data>(queue: string) => db.many<{ data: Data }>`
    with taken as (
      delete from pgboss.job where name = ${queue} and state in ('created', 'retry') returning data, created_on, id)
    select data from taken order by created_on, id`
  const acts = {
    earn: (partner: number, amount: number) =>
      recordSale(
        db,
        aSale(ledger, {
          leadId: ledger.leadIds[partner]!,
          provider: 'manual',
          amount: amount * 10,
          saleDate: new Date(time.now).toISOString().slice(0, 10),
          by: byOwner(ledger),
        }),
      ),
    clocks: async () => {
      await agreeAll(services)
      await payoutsEveryHour(services)
      await payoutsEveryMinute(services)
    },
    async approveAll() {
      const due = await db.many<{ id: string }>`
        select id from payouts where account_id = ${account.id} and status = 'gathering'`
      const ids = due.map(({ id }) => id)
      const { results } = await inTransaction((tx) => approvePayouts(tx, services, owner(), account, ids))
      return results.map(({ error }) => error?.message ?? 'done')
    },
    async retryFailed() {
      const failed = await db.many<{ id: string }>`
        select id from payouts where account_id = ${account.id} and status = 'failed'`
      for (const { id } of failed)
        await outcomeOf(inTransaction((tx) => retryPayout(tx, services.jobs, owner(), account, id)))
    },
    /** Every payout job that waits, once; a worker that dies leaves its job. */
    async work(dieAt?: string) {
      for (const { data } of await takeJobs<PayOutJob>('pay-out')) await outcomeOf(payOut(services, data))
      if (!dieAt) return
      const open = await db.maybe<{ id: string }>`
        select id from payouts where account_id = ${account.id} and status in ('approved', 'processing') limit 1`
      if (!open) return
      const onStep = (step: string) => {
        if (step === dieAt) throw new Death(step)
      }
      await outcomeOf(advance(services, open.id, { onStep }))
    },
    refresh: () => refreshPayouts(services, account),
    async readBack() {
      for (let turn = 0; turn < 6; turn++)
        for (const { data } of await takeJobs<ReadBackJob>(readBackQueue.name))
          if ((await outcomeOf(readBack(services, data))) !== 'done')
            await inTransaction((tx) => services.jobs.add(tx, readBackQueue, data))
    },
    moveOn() {
      const onward = { processing: 'funds_converted', funds_converted: 'outgoing_payment_sent' } as const
      for (const { id, status } of wise.transfers.values()) {
        const next = onward[status as 'processing']
        if (next) wise.setState(id, next)
      }
    },
  }
  return { ...acts, inTransaction, owner }
}

const accountOf = (wise: Wise, transfer: { targetAccount: number }) => {
  const recipient = wise.recipients.get(transfer.targetAccount) as unknown as { details: { accountNumber: string } }
  return NUMBERS.indexOf(recipient.details.accountNumber)
}

/** What has left Wise for each partner, and did not come back. */
function paidAtWise(wise: Wise) {
  const sums = NUMBERS.map(() => 0)
  for (const transfer of wise.transfers.values())
    if (!OVER.includes(transfer.status) && transfer.status !== WAITING)
      sums[accountOf(wise, transfer)]! += Math.round(Number(transfer.targetValue) * 100)
  return sums
}

/** `atOnce`: the copy is put back before anything more was paid. */
async function live(seed: number, { atOnce = false } = {}): Promise<'paused' | 'went on'> {
  const { below, chance, pick } = randomFrom(seed)
  const time = { now: STARTS_AT }
  const wise = await standInWise({ clock: () => new Date(time.now), balance: { USD: 100_000 } })
  opened.push(() => wise.close())
  return atTime(time, async () => {
    const db = await freshDatabase({ clock: ownClock })
    const services = installOver(db, wise)
    await createQueues(await services.jobs.boss(), queues)
    const ledger = await aLedger(services, {
      partners: Array.from({ length: PARTNERS }, () => ({})),
      leads: Array.from({ length: PARTNERS }, (_, partner) => ({ partner })),
    })
    const { account, partnerIds, actor } = ledger
    await db.run`delete from payout_settings where account_id = ${account.id}`
    for (const [partner, accountNumber] of NUMBERS.entries()) {
      const partnerId = partnerIds[partner]!
      const details = deposit({ accountNumber }) as Parameters<typeof savePayoutSettings>[4]
      const by = { ...actor, confirmedAt: new Date(time.now).toISOString(), accountIds: [], partnerIds: [partnerId] }
      await transaction(db, (tx) => savePayoutSettings(tx, services, by, { account, partnerId }, details))
    }
    const settings = { wiseToken: wise.token, wiseProfileId: String(wise.businessId), enabled: chance(50) }
    const fresh = { ...actor, confirmedAt: new Date(time.now).toISOString() }
    await changeAutoPayoutSettings(services, fresh, account, settings)
    const earned = NUMBERS.map(() => 0)
    const lost: [partner: number, amount: number][] = []
    const act = actsOn(services, ledger, wise, time)
    let isCopied = false
    const earn = async () => {
      const partner = below(PARTNERS)
      const amount = 20_00 + below(80) * 1_25
      await act.earn(partner, amount)
      earned[partner]! += amount
      if (isCopied) lost.push([partner, amount])
    }
    const step = async () => {
      const what = below(8)
      if (what < 2) await earn()
      else if (what === 2) await act.clocks()
      else if (what === 3) await act.approveAll()
      else if (what < 6) await act.work(chance(60) ? pick(STEPS) : undefined)
      else if (what === 6) act.moveOn()
      else time.now += (1 + below(3)) * DAY
    }
    for (let n = 0; n < PARTNERS; n++) await earn()
    for (let n = 5 + below(25); n > 0; n--) await step()
    const copy = await copied(db)
    isCopied = true
    const before = new Set([...wise.transfers.values()].map(({ id }) => id))
    for (let n = below(25); n > 0 && !atOnce; n--) await step()
    if (!atOnce) await act.clocks()
    if (chance(80) && !atOnce) {
      await act.approveAll()
      await act.work(chance(50) ? pick(STEPS) : undefined)
    }
    if (chance(50)) act.moveOn()
    await services.jobs.stop({ graceful: false })
    await db.close()

    // the copy takes its place
    const restored = installOver(copy, wise, services.secrets)
    const now = actsOn(restored, { ...ledger, db: copy, services: restored }, wise, time)
    time.now += 60_000 + below(10) * DAY
    const made = wise.transfers.size
    const paid = paidAtWise(wise)
    const isLost = [...wise.transfers.values()].some(({ id }) => !before.has(id))
    assert.ok(!atOnce || !isLost)
    if (chance(50)) for (const [partner, amount] of lost.splice(0)) await now.earn(partner, amount)
    if (chance(30))
      wise.fail('GET /v1/transfers', pick([{ status: 500 }, { status: 429, retryAfter: 1 }, 'reset-after']))
    await now.clocks()
    await now.approveAll()
    await now.work()
    await now.clocks()
    const isPaused = (await pausedSince(copy, account.id)) !== null
    if (isPaused) {
      for (let n = 0; n < 3; n++) {
        for (const refused of await now.approveAll()) assert.match(refused, /^Payouts are paused/)
        await now.refresh()
        await now.retryFailed()
        await now.clocks()
        await now.work()
      }
      assert.equal(wise.transfers.size, made, 'nothing was asked for')
      assert.deepEqual(paidAtWise(wise), paid, 'nothing was paid')
      await reconcile(now)
    }

    for (const [partner, amount] of lost.splice(0)) await now.earn(partner, amount)
    for (let turn = 0; turn < 14; turn++) {
      time.now += DAY
      await now.clocks()
      await now.refresh()
      await now.approveAll()
      await now.retryFailed()
      await now.work()
      await now.work()
      now.moveOn()
    }
    assert.deepEqual(paidAtWise(wise), earned, 'each was paid what they earned, once')
    const balances = await balancesOf(copy, account, 'all')
    for (const [partner, id] of partnerIds.entries()) {
      const { due, inPayout, held, paid: settled } = balances.get(id)!
      assert.deepEqual({ due, inPayout, held, settled }, { due: 0, inPayout: 0, held: 0, settled: earned[partner] })
    }
    assert.deepEqual(await verifyLedger(copy), [])
    await restored.jobs.stop({ graceful: false })
    return isPaused ? 'paused' : 'went on'

    async function reconcile(by: typeof now) {
      const confirm = (decisions: { transferId: string; action: 'record' | 'dismiss'; partnerId?: string }[]) =>
        by.inTransaction((tx) => confirmReconciliation(tx, restored.jobs, by.owner(), account, { decisions }))
      await assert.rejects(confirm([]), { reason: 'transfers_not_read' })
      if (chance(30)) wise.fail('GET /v1/transfers', { status: 401 })
      await by.readBack()
      const first = await presentReconciliation(copy, account)
      if (!first.readAt) {
        assert.match(first.problem ?? '', /./)
        wise.calm()
        await by.inTransaction((tx) => startReading(tx, restored.jobs, account))
        await by.readBack()
      }
      const { transfers, readAt } = await presentReconciliation(copy, account)
      assert.ok(readAt)
      const unknown = transfers.filter(({ finding }) => finding === 'unknown')
      const decisions = unknown.map(({ transferId }) => {
        const transfer = wise.transfers.get(Number(transferId))!
        const partnerId = partnerIds[accountOf(wise, transfer)]!
        return { transferId, action: 'record' as const, partnerId }
      })
      // some now, the others once the owner has thought about them
      if (decisions.length > 1) {
        await confirm(decisions.splice(0, 1))
        assert.ok(await pausedSince(copy, account.id))
      }
      await confirm(decisions)
      assert.equal(await pausedSince(copy, account.id), null)
    }
  })
}

const seeds: [seed: number, once: string][] = [
  [5, 'what was approved before anybody had looked was paid beside what had left'],
  [11, 'the same, for one partner of three'],
  [4, 'a transfer was found for a payout that is due again'],
]

test('a copy of any age takes the place of the database: everybody is paid once', async (t) => {
  for (const [seed, once] of seeds)
    await t.test(`seed ${seed}: ${once}`, async () => assert.equal(await live(seed), 'paused'))
})

test('a copy that has forgotten nothing goes on by itself', async () => {
  assert.equal(await live(2, { atOnce: true }), 'went on')
})
