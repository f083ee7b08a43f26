import type { NewPastImport } from '#contract/payment-providers.ts'
import { paymentProviderNames } from '#contract/sales.ts'
import { type Author, findPersonId, systemAuthor } from '../../platform/author.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { JobTry } from '../../platform/jobs/worker.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { presentImport } from '../imports/present-imports.ts'
import type { ImportJob } from '../imports/queue.ts'
import {
  endImport,
  findImport,
  holdImport,
  importJob,
  importOfJob,
  isUnderWay,
  openImport,
  storeCounts,
} from '../imports/track.ts'
import { bookAgain, type PastPayment } from './book-payment.ts'
import { markConnectionFailing } from './connection-problems.ts'
import { createDryRun } from './dry-run.ts'
import { creditSales, deleteObjects, deletePayments, importSums, salesToCredit, savePayment } from './past-queries.ts'
import { PaymentProviderError } from './provider.ts'
import { connectionById } from './queries.ts'
import { pastSalesQueue } from './queue.ts'
import { createBookingRun, type History, nextPage, openHistory, processPage } from './read-past.ts'
import { findAdapter } from './registry.ts'

/**
 * Starts to import a provider's past sales of these dates.
 * Refuses: `invalid_state` once disconnected, or if the provider has no history; `conflict` while another import of the
 * connection is running.
 */
export async function startPastImport(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  accountId: string,
  { connectionId, body: { dryRun, ...settings } }: { connectionId: string; body: NewPastImport },
) {
  const connection = await connectionById(tx, accountId, connectionId)
  if (!connection) throw notFound()
  if (connection.disconnectedAt) throw refusal('connection_ended')
  const { provider } = connection
  if (!findAdapter(provider)?.readHistory)
    throw refusal('provider_forgets', { provider: paymentProviderNames[provider] })
  const opened = await openImport(tx, by, {
    accountId,
    kind: 'past-sales',
    format: null,
    connectionId: connection.id,
    dryRun,
    settings,
    header: null,
  })
  await jobs.add(tx, pastSalesQueue, importJob(opened))
  return presentImport(tx, opened)
}

/** Milliseconds that one job works before it yields to others. */
const TURN_MS = 5000
/** Tries for a page without an answer, about a day. */
const TRIES = 100
const LONGEST_WAIT_S = 900
/** Days to read in advance: related objects may be older than their payments. */
const DAYS_BEFORE = 2

type Import = NonNullable<Awaited<ReturnType<typeof findImport>>>
type ImportKey = Pick<Import, 'id' | 'accountId'>
/** `cursor`: the next page. */
type Progress = { cursor: string | null; tries: number }
const progressOf = ({ progress }: Import) => (progress as Progress | null) ?? { cursor: null, tries: 0 }

type Turn = 'on' | 'over' | { waitS: number }

/**
 * Continues an import where it stopped: books a page of the provider's events, one by one, then stores the position of
 * the next. Repeating a page changes nothing twice. Waits for a provider without an answer.
 */
export async function importPastSales(services: Services, job: ImportJob, { isLast }: JobTry) {
  const { db, jobs } = services
  const key = await importOfJob(db, job)
  if (!key) return
  const until = performance.now() + TURN_MS
  try {
    let turn: Turn = 'on'
    while (turn === 'on' && performance.now() < until) turn = await continueImport(services, key)
    if (turn === 'over') return
    const options = turn === 'on' ? {} : { startAfter: turn.waitS }
    await transaction(db, (tx) => jobs.add(tx, pastSalesQueue, importJob(key), options))
  } catch (error) {
    if (isLast) await end(services, key, 'failed', 'Something went wrong on this server. Import again to continue.')
    throw error
  }
}

async function continueImport(services: Services, key: ImportKey): Promise<Turn> {
  const { db } = services
  const row = await findImport(db, key)
  if (!row || !isUnderWay(row)) {
    await deleteImportDetails(services, key)
    return 'over'
  }
  const connection = (await connectionById(db, row.accountId, row.connectionId!))!
  const name = paymentProviderNames[connection.provider]
  if (connection.disconnectedAt) return end(services, key, 'canceled', `${name} was disconnected.`)
  const history = await openHistory(services, connection, pastOf(row))
  if (!history) return end(services, key, 'failed', `${name} can’t be reached: there is no key.`)
  if (history.booking.account.disabledAt) return end(services, key, 'canceled', 'The account was disabled.')
  try {
    return await onePage(services, history, row)
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'unavailable') return waitFor(services, row, { name, error })
    if (error.kind === 'forbidden')
      return end(services, key, 'failed', `The key can’t read everything past sales need. ${error.message}`)
    if (error.kind === 'refused') {
      await markConnectionFailing(db, connection.id, error.message)
      return end(services, key, 'failed', `${name} no longer accepts the key: ${error.message}`)
    }
    return end(services, key, 'failed', error.message)
  }
}

/** Accepts the sales of these dates; each is recorded with its outcome. */
function pastOf({ id: importId, accountId, settings, createdBy }: Import): Parameters<typeof openHistory>[2] {
  const { from, to } = settings as { from: string; to: string }
  return {
    by: systemAuthor(findPersonId(createdBy)),
    accepts({ at }, { timeZone }) {
      const day = dayIn(timeZone, at)
      return from <= day && day <= to
    },
    booked: (tx, { key, payment, created, credited }: PastPayment) =>
      savePayment(tx, {
        accountId,
        importId,
        key,
        outcome: created ? 'created' : 'known',
        credited,
        amount: payment.amount,
        currency: payment.currency,
        customerId: payment.customerId,
        email: payment.email,
      }),
  }
}

async function onePage(services: Services, history: History, row: Import): Promise<Turn> {
  const { db } = services
  const { id, dryRun, settings } = row
  const progress = progressOf(row)
  const since = new Date(`${addDays((settings as { from: string }).from, -DAYS_BEFORE)}T00:00:00Z`)
  const { events, next } = await nextPage(history, since, progress.cursor)
  const process = dryRun ? createDryRun(history, id, progress.tries) : createBookingRun(history, progress.tries)
  const isOver = async () => {
    const now = await findImport(db, row)
    return !now || !isUnderWay(now)
  }
  const failures = await processPage(history, events, process, isOver)
  if (next === null) await creditAll(services, history, row)
  return transaction(db, async (tx) => {
    const now = await holdImport(tx, row)
    // ended, which the next turn handles, or continued by another process
    if (!now) return 'on'
    if (!isSame(progressOf(now), progress)) return 'over'
    const sums = await importSums(tx, row)
    await storeCounts(tx, now, { ...sums, progress: { cursor: next, tries: 0 }, reason: null }, failures)
    if (next !== null) return 'on'
    await endImport(tx, now, 'done')
    await drop(tx, row)
    return 'over'
  })
}

const isSame = (one: Progress, other: Progress) => one.cursor === other.cursor && one.tries === other.tries

const AT_ONCE = 100

/**
 * Credits sales at the end: a customer's sales come in any order, and those read before the one that identifies the
 * partner have none. Repeats until nothing more is found.
 */
async function creditAll({ db }: Services, { booking }: History, row: Import) {
  if (row.dryRun) {
    while ((await transaction(db, (tx) => creditSales(tx, row))) > 0);
    return
  }
  for (let credited = true; credited; ) {
    const before = (await importSums(db, row)).unattributed
    let some = await salesToCredit(db, row, { after: '', limit: AT_ONCE })
    while (some.length > 0) {
      for (const { key } of some) await transaction(db, (tx) => bookAgain(tx, booking, key))
      some = await salesToCredit(db, row, { after: some.at(-1)!.key, limit: AT_ONCE })
    }
    credited = (await importSums(db, row)).unattributed < before
  }
}

/** Schedules a retry at the provider's time, or after an increasing wait. */
async function waitFor(
  { db }: Services,
  row: Import,
  { name, error }: { name: string; error: PaymentProviderError },
): Promise<Turn> {
  const { cursor, tries } = progressOf(row)
  return transaction(db, async (tx) => {
    const now = await holdImport(tx, row)
    if (!now || !isSame(progressOf(now), { cursor, tries })) return 'over'
    if (tries + 1 >= TRIES) {
      await endImport(tx, now, 'failed', `${name} has not answered for a day: ${error.message}`.slice(0, 1000))
      return 'over'
    }
    const sums = await importSums(tx, row)
    const reason = `${name} can’t answer right now: ${error.message}`.slice(0, 1000)
    await storeCounts(tx, now, { ...sums, progress: { cursor, tries: tries + 1 }, reason }, [])
    const delayS = error.retryAfterMs === null ? 2 ** Math.min(tries, 10) : Math.ceil(error.retryAfterMs / 1000)
    return { waitS: Math.max(1, Math.min(delayS, LONGEST_WAIT_S)) }
  })
}

async function end(services: Services, key: ImportKey, state: 'failed' | 'canceled', reason: string): Promise<'over'> {
  await transaction(services.db, async (tx) => {
    const row = await holdImport(tx, key)
    if (row) await endImport(tx, row, state, reason.slice(0, 1000))
  })
  await deleteImportDetails(services, key)
  return 'over'
}

/** Counts the results of an ended import, and deletes its details. */
const deleteImportDetails = ({ db }: Services, key: ImportKey) =>
  transaction(db, async (tx) => {
    const row = await findImport(tx, key)
    const sums = await importSums(tx, key)
    // a concurrent process may still add a few after all were counted and deleted
    if (row && sums.created + sums.skipped > row.created + row.skipped)
      await storeCounts(tx, row, { ...sums, progress: row.progress, reason: null }, [])
    await drop(tx, key)
  })

async function drop(tx: Transaction, key: ImportKey) {
  await deletePayments(tx, key)
  await deleteObjects(tx, key)
}
