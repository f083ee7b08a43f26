import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { downloadPayouts } from '#contract/payouts.ts'
import { userAuthor } from '../../server/platform/author.ts'
import { type Database, openDatabase, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { createQueues } from '../../server/platform/jobs/queue.ts'
import type { Services } from '../../server/platform/services.ts'
import { adjustBalance } from '../../server/program/commissions/adjustments.ts'
import { downloadBatch, filedBy } from '../../server/program/payment-files/make-file.ts'
import { applyResults } from '../../server/program/payment-files/results.ts'
import { approvePayouts } from '../../server/program/payouts/approve.ts'
import { changeAutoPayoutSettings } from '../../server/program/payouts/auto-payout-settings.ts'
import { getBalances } from '../../server/program/payouts/balances.ts'
import { cancelPayout } from '../../server/program/payouts/cancel-payout.ts'
import { payOut, refreshPayouts } from '../../server/program/payouts/jobs.ts'
import { markPayoutPaid } from '../../server/program/payouts/mark-paid.ts'
import { savePayoutSettings } from '../../server/program/payouts/payout-settings.ts'
import { pausedSince } from '../../server/program/payouts/payout-terms.ts'
import { advancePayout } from '../../server/program/payouts/process-payout.ts'
import { type PayOutJob, type ReadBackJob, readBackQueue } from '../../server/program/payouts/queue.ts'
import { presentReconciliation } from '../../server/program/payouts/reconciliation/compare.ts'
import { confirmReconciliation } from '../../server/program/payouts/reconciliation/confirm.ts'
import { readBack, startReading } from '../../server/program/payouts/reconciliation/read-back.ts'
import { agreeAll } from '../../server/program/payouts/reconciliation/reconcile-transfers.ts'
import { retryPayout } from '../../server/program/payouts/retry-payout.ts'
import { recordSale } from '../../server/program/sales/record-sale.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { queues } from '../../server/queues.ts'
import { fakeWise } from '../fakes/wise.ts'
import { payoutsEveryHour, payoutsEveryMinute } from './clock-runs.ts'
import { readCsv } from './csv.ts'
import { aLedger, aSale, atTime, type Ledger, ledgerServices, ownClock, ownerAuthor } from './ledger.ts'
import { type ModelTest, randomFrom, SimulatedCrash, settleOutcome } from './model-test.ts'
import { bankDetails } from './payouts.ts'
import { copyOfDatabase, createTestDatabase } from './postgres.ts'

// Lives of an install whose database is restored from a copy while the world goes on: a worker dies anywhere, the copy
// is from any moment, money has left by Wise, in batch files and by hand, and files come back late. The model is the
// world: each partner's received money. Payments lost from the ledger must be made only once.

const DAY = 86_400_000
const STARTS_AT = Date.parse('2026-06-01T10:00:00Z')
const PARTNERS = 3
const OVER = ['cancelled', 'funds_refunded', 'charged_back']
const WAITING = 'incoming_payment_waiting'
const STEPS = [
  ...['attempt-saved', 'quote-made', 'quote-saved', 'recipient-made', 'recipient-saved'],
  ...['transfer-announced', 'transfer-made', 'transfer-saved', 'funding-made', 'funding-saved'],
]
/** States of transfers in a results file. */
const SAID: Record<string, string> = {
  outgoing_payment_sent: 'completed',
  cancelled: 'cancelled',
  funds_refunded: 'refunded',
}

type Wise = Awaited<ReturnType<typeof fakeWise>>

/** A row of a batch file, and its transfer once the file was uploaded. */
type Row = { number: number; recipient: string; amount: string; transfer: number | null }
type BatchFile = { rows: Row[]; isUploaded: boolean }

/** The state outside the database. */
type World = {
  wise: Wise
  time: { now: number }
  /** Partners by account number. */
  owners: Map<string, number>
  files: BatchFile[]
  /** Earlier versions of results files. */
  results: string[]
  byHand: { payout: string; partner: number; amount: number; isForgotten: boolean }[]
  /** Payouts that the owner canceled after the copy, which has forgotten it. */
  canceled: string[]
}

const partnerOf = ({ wise, owners }: World, { targetAccount }: { targetAccount: number }) => {
  const recipient = wise.recipients.get(targetAccount) as unknown as { details: { accountNumber: string } }
  return owners.get(recipient.details.accountNumber)!
}

const cents = (amount: unknown) => Math.round(Number(amount) * 100)

/** Returns the amount paid to each partner and not returned. */
function paidOut(world: World) {
  const sums = Array.from({ length: PARTNERS }, () => 0)
  for (const transfer of world.wise.transfers.values())
    if (!OVER.includes(transfer.status) && transfer.status !== WAITING)
      sums[partnerOf(world, transfer)]! += cents(transfer.targetValue)
  for (const { partner, amount } of world.byHand) sums[partner]! += amount
  return sums
}

/** The owner uploads a file to Wise: most rows are paid, some cancelled, and some wait for money. */
async function upload({ wise }: World, file: BatchFile, fate: () => 'paid' | 'cancelled' | 'waiting') {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${wise.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${wise.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { id: string }
  }
  file.isUploaded = true
  for (const row of file.rows) {
    const targetAccount = Number(row.recipient)
    const quote = { sourceCurrency: 'USD', targetCurrency: 'USD', targetAmount: Number(row.amount), targetAccount }
    const { id: quoteUuid } = await post(`/v3/profiles/${wise.businessId}/quotes`, quote)
    const details = { reference: `PO-${row.number}` }
    const { id } = await post('/v1/transfers', {
      ...{ customerTransactionId: randomUUID(), quoteUuid, targetAccount, details },
    })
    row.transfer = Number(id)
    const end = fate()
    if (end !== 'waiting') wise.setState(row.transfer, end === 'paid' ? 'processing' : 'cancelled')
  }
}

/** Returns Wise's present results for an uploaded file. */
function resultsOf({ wise }: World, { rows }: BatchFile) {
  const lines = rows.flatMap(({ number, recipient, amount, transfer }) => {
    if (transfer === null) return []
    const { status } = wise.transfers.get(transfer)!
    return [[SAID[status] ?? status, amount, 'target', recipient, `PO-${number}`, transfer].join(',')]
  })
  return ['status,amount,amountCurrency,recipientId,paymentReference,transferId', ...lines, ''].join('\n')
}

/** The install on a database; the last one may be a copy of the first. */
function installOver(db: Database, wise: Wise, secrets?: Services['secrets']): Services {
  const services = ledgerServices(db)
  return {
    ...services,
    ...(secrets && { secrets }),
    config: { ...services.config, wise: { apiUrl: wise.url, apiVersion: 'classic', webhookKey: wise.publicKey } },
  }
}

/** Actions of an owner, the clocks and the workers, on either database of the ledger. */
function actsOn(services: Services, ledger: Ledger, world: World) {
  const { db } = services
  const { account, actor, partnerIds } = ledger
  const { wise, time } = world
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => transaction(db, work)
  const owner = () => ({ ...actor, confirmedAt: new Date(time.now).toISOString() })
  const takeJobs = <Data>(queue: string) => db.many<{ data: Data }>`
    with taken as (
      delete from pgboss.job where name = ${queue} and state in ('created', 'retry') returning data, created_on, id)
    select data from taken order by created_on, id`
  const payouts = () => db.many<{ id: string; partnerId: string; status: string; method: string; number: number }>`
    select id, partner_id, status, method, statement_number as number from payouts where account_id = ${account.id}
    order by statement_number`
  const acts = {
    payouts,
    earn: (partner: number, amount: number) =>
      recordSale(
        db,
        aSale(ledger, {
          leadId: ledger.leadIds[partner]!,
          provider: 'manual',
          amount: amount * 10,
          saleDate: new Date(time.now).toISOString().slice(0, 10),
          by: ownerAuthor(ledger),
        }),
      ),
    async details(partner: number, accountNumber: string) {
      const partnerId = partnerIds[partner]!
      const details = bankDetails({ accountNumber }) as Parameters<typeof savePayoutSettings>[4]
      const by = { ...owner(), accountIds: [], partnerRoles: { [partnerId]: 'owner' as const } }
      await inTransaction((tx) => savePayoutSettings(tx, services, by, { account, partnerId }, details))
      world.owners.set(accountNumber, partner)
    },
    clocks: async () => {
      await agreeAll(services)
      await payoutsEveryHour(services)
      await payoutsEveryMinute(services)
    },
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
    /** Runs every waiting payout job once; a worker that dies leaves its job. */
    async work(dieAt?: string) {
      for (const { data } of await takeJobs<PayOutJob>('pay-out')) await settleOutcome(payOut(services, data))
      if (!dieAt) return
      const open = (await payouts()).find(({ status }) => status === 'approved' || status === 'processing')
      if (!open) return
      const onStep = (step: string) => {
        if (step === dieAt) throw new SimulatedCrash(step)
      }
      await settleOutcome(advancePayout(services, open.id, { onStep }))
    },
    refresh: () => refreshPayouts(services, account),
    gather: () => refreshPayouts(services, account, { gatherOnly: true }),
    /** Downloads a new batch file, not yet uploaded; with `again` an earlier one, by `status`. */
    async download(again = false) {
      const query = downloadPayouts.query!.parse({ format: 'wise-batch', ...(again && { status: 'approved' }) })
      const call = {
        services,
        actor: owner(),
        access: { account },
        by: ownerAuthor(ledger),
        reader: { as: 'owner' },
        query,
      }
      const outcome = await settleOutcome(
        downloadBatch(call as never, filedBy('wise-batch')!).then(async ({ body }) => {
          const rows = readCsv(await text(body as never)).rows.map((row) => ({
            ...{ number: Number(row.paymentReference!.slice(3)), recipient: row.recipientId!, amount: row.amount! },
            transfer: null,
          }))
          if (!again) world.files.push({ rows, isUploaded: false })
        }),
      )
      return outcome
    },
    give: (csv: string) =>
      inTransaction((tx) =>
        applyResults(tx, services.secrets, ownerAuthor(ledger), account, { csv, dryRun: false } as never),
      ),
    async giveAll() {
      for (const file of world.files) if (file.isUploaded) await acts.give(resultsOf(world, file))
    },
    /** Marks a payout as paid by the owner's own bank. */
    async markPaid({ id, partnerId }: { id: string; partnerId: string }, isForgotten: boolean) {
      const marked = inTransaction((tx) => markPayoutPaid(tx, owner(), account, id, { reference: 'Wire 7' }))
      const outcome = await settleOutcome(marked)
      if (outcome !== 'done') return outcome
      const { amount } = await marked
      world.byHand.push({ payout: id, partner: partnerIds.indexOf(partnerId), amount, isForgotten })
      return amount
    },
    cancel: (id: string) => settleOutcome(cancelPayout(services, owner(), account, id)),
    async readBack() {
      for (let turn = 0; turn < 6; turn++)
        for (const { data } of await takeJobs<ReadBackJob>(readBackQueue.name))
          if ((await settleOutcome(readBack(services, data))) !== 'done')
            await inTransaction((tx) => services.jobs.add(tx, readBackQueue, data))
    },
    moveOn() {
      const onward = {
        processing: 'funds_converted',
        funds_converted: 'outgoing_payment_sent',
        bounced_back: 'funds_refunded',
      } as const
      for (const { id, status } of wise.transfers.values()) {
        const next = onward[status as 'processing']
        if (next) wise.setState(id, next)
      }
    },
  }
  return { ...acts, inTransaction, owner }
}

type Act = ReturnType<typeof actsOn>

/** Returns the file with this number, which the owner may still upload or has uploaded. */
const inFile = ({ files }: World, number: number) => files.find(({ rows }) => rows.some((row) => row.number === number))

/** Removes a payout from files that the owner has not uploaded. */
const removeFromFiles = ({ files }: World, number: number) => {
  for (const file of files) if (!file.isUploaded) file.rows = file.rows.filter((row) => row.number !== number)
}

/** `atOnce`: the copy is restored before any further payment. */
export async function liveWithRestore(seed: number, { atOnce = false } = {}): Promise<'paused' | 'went on'> {
  const time = { now: STARTS_AT }
  const wise = await fakeWise({ clock: () => new Date(time.now), balance: { USD: 100_000 } })
  const world: World = { wise, time, owners: new Map(), files: [], results: [], byHand: [], canceled: [] }
  const trace: string[] = []
  const ends: (() => Promise<unknown>)[] = [() => wise.close()]
  try {
    return await atTime(time, () => live(seed, world, { atOnce, trace, ends }))
  } catch (error) {
    const { message, stack } = error as Error
    throw new Error(`restores, seed ${seed}: ${message}\n${trace.join('\n')}\n${stack}`, { cause: error })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

type Life = { atOnce: boolean; trace: string[]; ends: (() => Promise<unknown>)[] }

async function live(seed: number, world: World, { atOnce, trace, ends }: Life): Promise<'paused' | 'went on'> {
  const { below, chance, pick } = randomFrom(seed)
  const { wise, time, files } = world
  const opened = async (
    { servingUrl, drop }: Awaited<ReturnType<typeof createTestDatabase>>,
    secrets?: Services['secrets'],
  ) => {
    ends.push(drop)
    const db = openDatabase({ url: servingUrl, log: pino({ level: 'silent' }), clock: ownClock, max: 4, patience: 6 })
    const services = installOver(db, wise, secrets)
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
  const { account, partnerIds, actor } = ledger
  await db.run`delete from payout_settings where account_id = ${account.id}`
  const act = actsOn(services, ledger, world)
  const byFiles = chance(60)
  let accounts = 1_000_000
  for (let partner = 0; partner < PARTNERS; partner++) await act.details(partner, String(++accounts))
  const settings = { wiseToken: wise.token, wiseProfileId: String(wise.businessId), enabled: !byFiles && chance(50) }
  const fresh = { ...actor, confirmedAt: new Date(time.now).toISOString() }
  await changeAutoPayoutSettings(services, fresh, account, settings)
  const earned = partnerIds.map(() => 0)
  const lost: [partner: number, amount: number][] = []
  let isCopied = false
  const fate = () => pick(['paid', 'paid', 'paid', 'cancelled', 'waiting'] as const)
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
    work: (by) => by.work(chance(60) ? pick(STEPS) : undefined),
    'move on': async (by) => by.moveOn(),
    days: async () => {
      time.now += (1 + below(3)) * DAY
    },
    details: (by) => by.details(below(PARTNERS), String(++accounts)),
    download: async (by) => {
      time.now += 4 * DAY
      await earn(by)
      await by.gather()
      return by.download()
    },
    upload: async () => {
      const waiting = files.filter(({ isUploaded, rows }) => !isUploaded && rows.length > 0)
      if (waiting.length > 0) await upload(world, pick(waiting), fate)
    },
    results: async (by) => {
      const uploaded = files.filter(({ isUploaded }) => isUploaded)
      if (uploaded.length === 0) return
      const csv = resultsOf(world, pick(uploaded))
      world.results.push(csv)
      return JSON.stringify(
        (await by.give(csv)).rows.map(({ was, becomes, error }) => error?.message ?? `${was} ${becomes}`),
      )
    },
    'old results': async (by) => world.results.length > 0 && by.give(pick(world.results)),
    'pay waiting': async () => {
      for (const { rows } of files)
        for (const { transfer } of rows)
          if (transfer !== null && wise.transfers.get(transfer)!.status === WAITING && chance(50))
            wise.payByHand(transfer)
    },
    bounce: async () => {
      const sent = [...wise.transfers.values()].filter(({ status }) => status === 'outgoing_payment_sent')
      if (sent.length > 0) wise.setState(pick(sent).id, 'bounced_back')
    },
    'by hand': async (by) => {
      const free = (await by.payouts()).filter(
        ({ id, status, method, number }) =>
          // the owner remembers what they paid, even if the database does not
          !world.byHand.some(({ payout, isForgotten }) => isForgotten && payout === id) &&
          !world.canceled.includes(id) &&
          (status === 'gathering' || (status === 'approved' && method === 'csv')) &&
          !inFile(world, number)?.isUploaded,
      )
      if (free.length === 0) return
      const one = pick(free)
      removeFromFiles(world, one.number)
      return `PO-${one.number} ${await by.markPaid(one, isCopied)}`
    },
    cancel: async (by) => {
      const free = (await by.payouts()).filter(
        ({ status, number }) =>
          ['gathering', 'approved', 'failed', 'awaiting-funding'].includes(status) &&
          !inFile(world, number)?.isUploaded,
      )
      if (free.length === 0) return
      const one = pick(free)
      const outcome = await by.cancel(one.id)
      if (outcome === 'done') removeFromFiles(world, one.number)
      if (outcome === 'done' && isCopied) world.canceled.push(one.id)
      return `PO-${one.number} ${outcome}`
    },
  }
  const often = byFiles
    ? ['earn', 'download', 'download', 'upload', 'upload', 'results', 'results', 'move on', 'pay waiting']
    : ['earn', 'earn', 'clocks', 'approve', 'work', 'work', 'move on', 'days']
  const bag = [...Object.keys(steps), ...often]
  const step = async (by: Act) => {
    const name = pick(bag)
    trace.push(name)
    const result = await steps[name]!(by)
    if (result) trace.push(`  ${result}`)
  }

  for (let n = 0; n < PARTNERS; n++) await earn(act)
  for (let n = 5 + below(25); n > 0; n--) await step(act)
  const copy = await opened(await copyOfDatabase(db), services.secrets)
  trace.push('-- copied')
  isCopied = true
  const before = new Set(wise.transfers.keys())
  const kept = files.length
  for (let n = below(25); n > 0 && !atOnce; n--) await step(act)
  if (!atOnce) await act.clocks()
  if (byFiles && !atOnce)
    for (const name of ['download', 'upload', 'move on'] as const) if (chance(70)) await steps[name]!(act)
  if (chance(80) && !atOnce) {
    if (!byFiles) await act.approveAll()
    await act.work(chance(50) ? pick(STEPS) : undefined)
  }
  if (chance(50)) act.moveOn()

  trace.push('-- put back')
  const now = actsOn(copy, { ...ledger, db: copy.db, services: copy }, world)
  const isPausedNow = async () => (await pausedSince(copy.db, account.id)) !== null
  time.now += 60_000 + below(10) * DAY
  const isLost = [...wise.transfers.keys()].some((id) => !before.has(id))
  assert.ok(!atOnce || !isLost)
  // the owner discards files that this database did not create, and enters payments made by hand since
  for (const file of files.slice(kept)) if (!file.isUploaded) file.rows = []
  for (const { partner, amount, isForgotten } of world.byHand)
    if (isForgotten)
      await now.inTransaction((tx) =>
        adjustBalance(tx, ownerAuthor(ledger), account, partnerIds[partner]!, {
          amount: -amount,
          reason: 'Paid by hand',
        }),
      )
  if (chance(50)) for (const [partner, amount] of lost.splice(0)) await now.earn(partner, amount)
  if (chance(30)) wise.fail('GET /v1/transfers', pick([{ status: 500 }, { status: 429, retryAfter: 1 }, 'reset-after']))
  // before the first check
  for (let n = below(6); n > 0; n--) {
    const name = pick(['earn', 'refresh', 'download', 'download', 'upload', 'results', 'old results'])
    trace.push(name)
    const result = await (name === 'refresh' ? now.refresh() : name === 'download' ? now.download() : steps[name]!(now))
    if (result) trace.push(`  ${JSON.stringify(result)}`)
  }
  await now.clocks()
  await now.approveAll()
  await now.work()
  await now.clocks()
  const isPaused = await isPausedNow()
  trace.push(isPaused ? '-- paused' : '-- goes on')
  if (isPaused) {
    const made = wise.transfers.size
    const paid = paidOut(world)
    for (let n = 0; n < 3; n++) {
      for (const refused of await now.approveAll()) assert.match(refused, /^Payouts are paused/)
      assert.notEqual(await now.download(), 'done')
      assert.notEqual(await now.download(true), 'done')
      await now.refresh()
      await now.retryFailed()
      await now.clocks()
      await now.work()
    }
    assert.equal(wise.transfers.size, made, 'nothing was asked for')
    assert.deepEqual(paidOut(world), paid, 'nothing was paid')
    if (chance(50)) await now.giveAll()
    await reconcile(now)
    trace.push('-- resumed')
  }
  wise.calm()

  for (const [partner, amount] of lost.splice(0)) await now.earn(partner, amount)
  for (let n = below(15); n > 0; n--) await step(now)
  trace.push('-- all is well')
  for (let turn = 0; turn < 16; turn++) {
    time.now += DAY
    if (turn === 0)
      for (const file of files) {
        if (!file.isUploaded) file.rows = []
        for (const { transfer } of file.rows)
          if (transfer !== null && wise.transfers.get(transfer)!.status === WAITING) wise.payByHand(transfer)
      }
    await now.giveAll()
    for (const csv of world.results) await now.give(csv)
    if (turn > 3)
      for (const { id, status, method, number } of await now.payouts())
        if (status === 'approved' && method === 'csv' && !isOnItsWay(number)) await now.cancel(id)
    await now.clocks()
    await now.refresh()
    await now.approveAll()
    await now.retryFailed()
    await now.work()
    await now.work()
    now.moveOn()
  }
  const balances = await getBalances(copy.db, account, 'all')
  assert.deepEqual(paidOut(world), earned, 'each was paid what they earned, once')
  for (const [partner, id] of partnerIds.entries()) {
    const { due, inPayout, held } = balances.get(id)!
    assert.deepEqual({ due, inPayout, held }, { due: 0, inPayout: 0, held: 0 }, `${partner} is even`)
  }
  assert.deepEqual(await verifyLedger(copy.db), [])
  return isPaused ? 'paused' : 'went on'

  /** Whether an uploaded file has a transfer with this number that has not failed. */
  function isOnItsWay(number: number) {
    return files.some(({ rows }) =>
      rows.some(
        (row) =>
          row.number === number && row.transfer !== null && !OVER.includes(wise.transfers.get(row.transfer)!.status),
      ),
    )
  }

  async function reconcile(by: Act) {
    type Decision = { transferId: string; action: 'record' | 'dismiss'; partnerId?: string }
    const confirm = (decisions: Decision[]) =>
      by.inTransaction((tx) => confirmReconciliation(tx, copy.jobs, by.owner(), account, { decisions }))
    await assert.rejects(confirm([]), { reason: 'transfers_not_read' })
    if (chance(30)) wise.fail('GET /v1/transfers', { status: 401 })
    await by.readBack()
    const first = await presentReconciliation(copy.db, account)
    if (!first.readAt) {
      assert.match(first.problem ?? '', /./)
      wise.calm()
      await by.inTransaction((tx) => startReading(tx, copy.jobs, account))
      await by.readBack()
    }
    const { transfers, readAt } = await presentReconciliation(copy.db, account)
    assert.ok(readAt)
    const decisions = transfers.flatMap(({ finding, transferId, partnerId: suggested, reference }): Decision[] => {
      if (finding !== 'unknown') return []
      const partnerId = partnerIds[partnerOf(world, wise.transfers.get(Number(transferId))!)]!
      assert.ok(suggested === null || suggested === partnerId, `${reference} is said to be another partner's`)
      trace.push(`  records ${reference}`)
      return [{ transferId, action: 'record', ...(suggested === null && { partnerId }) }]
    })
    // some now, the others after the owner has thought about them
    if (decisions.length > 1) {
      await confirm(decisions.splice(0, 1))
      assert.ok(await isPausedNow())
    }
    await confirm(decisions)
    assert.equal(await isPausedNow(), false)
  }
}

/** Each life creates its own databases. */
export const restoreLives: ModelTest = {
  begin: async () => ({
    live: async (seed) => void (await liveWithRestore(seed)),
    end: async () => undefined,
  }),
}
