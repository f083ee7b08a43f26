import { listParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import { system } from '../../platform/author.ts'
import { appendErased } from '../../platform/backups/erased-list.ts'
import type { Search } from '../../platform/database/declare-tables.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { Services } from '../../platform/services.ts'
import { touchDaysOfLeads } from '../stats/touch-days.ts'
import { emptyAnswers } from './empty-answers.ts'
import { emptyOutbox } from './empty-outbox.ts'
import { openErasures, searchPlace } from './erase.ts'
import { type ErasureJob, erasureQueue } from './queue.ts'
import { countTraces, emptyPage, listErasureSteps, tracesOfLeads, tracesOfPartner } from './steps.ts'

export type Means = Pick<Services, 'config' | 'jobs' | 'secrets'> & { db: Database | Transaction }

/** Tables by which reports group figures. */
const BROUGHT_BY = new Set(['leads', 'clicks'])

/** Seconds until what is still worked on is looked at again: most of it is done within seconds. */
const LOOK_AGAIN = [5, 60, 900]

/** Adds committed erasures to the list beside the backups, and empties every copy of the people. */
export async function runErasure(services: Services, job: ErasureJob): Promise<void> {
  const { config, db, log } = services
  // never before the commit, because a restore erases everyone listed; the next backup writes the whole list again
  if (config.backups)
    await appendErased(db, config.backups.folder, job.erasureIds).catch((error: Error) =>
      log.warn(
        { erasureIds: job.erasureIds, err: error },
        'the list of erasures beside the backups could not be written',
      ),
    )
  await emptyCopies(services, job)
}

/**
 * Empties every copy of erased people, a few hundred rows a transaction, until a whole pass finds none. Resumes if the
 * process dies; rows in use are emptied later.
 */
export async function emptyCopies(services: Means, job: ErasureJob): Promise<void> {
  const { db, jobs } = services
  while ((await passOver(services, job)) > 0);
  for (const emptyMore of listParts(features, 'afterErasure')) await emptyMore(db, { id: job.accountId })
  await transaction(db, async (tx) => {
    const open = await openTraces(services, tx, job)
    if (!open) return
    const { rows, traces } = open
    // what was worked on during the pass may have been left over since
    let left = await countImportsUnderWay(tx, job)
    for (const step of listErasureSteps(traces)) left += await countTraces(tx, traces, step)
    if (left > 0) {
      const looks = job.looks ?? 0
      const startAfter = LOOK_AGAIN[looks] ?? LOOK_AGAIN.at(-1)!
      return jobs.add(tx, erasureQueue, { ...job, looks: looks + 1 }, { startAfter })
    }
    await tx.run`
      update erasures set done = true, search_sealed = null
      where account_id = ${job.accountId} and id = any(${rows.map(({ id }) => id)}::uuid[])`
    for (const { subjectId, subjectType, reason } of rows)
      if (reason === 'asked')
        await recordActivity(tx, system, job.accountId, 'erasure.done', { id: subjectId, of: subjectType })
  })
}

type KeyMeans = Pick<Means, 'config' | 'db'> & { secrets: () => Secrets | Promise<Secrets> }

/** Empties the copies of everyone in the account whose erasure has begun, except rows in use. Few accounts need the key. */
export async function emptyBegun({ config, db, secrets }: KeyMeans, accountId: string): Promise<void> {
  const open = await db.many<{ id: string; reason: string }>`
    select id, reason from erasures where account_id = ${accountId} and not done order by at, id`
  if (open.length === 0) return
  const means = { config, db, secrets: await secrets() }
  const requested = open.filter(({ reason }) => reason === 'asked').map(({ id }) => [id])
  const together = open.filter(({ reason }) => reason === 'retention').map(({ id }) => id)
  for (const erasureIds of [...requested, together]) while ((await passOver(means, { accountId, erasureIds })) > 0);
}

/** Counts imports that were started before the erasures: their rows and files may be about the people. */
const countImportsUnderWay = (tx: Transaction, { accountId, erasureIds }: ErasureJob) => tx.value<number>`
  select count(*) from imports i
  where i.account_id = ${accountId} and i.finished_at is null and exists (
    select from erasures e
    where e.account_id = ${accountId} and e.id = any(${erasureIds}::uuid[]) and i.created_at <= e.at)`

/** Returns the objects of all these people that are still to be emptied: leads, or one partner. */
async function openTraces({ secrets }: Pick<Means, 'secrets'>, tx: Transaction, { accountId, erasureIds }: ErasureJob) {
  const rows = await openErasures(tx, accountId, erasureIds)
  const [first] = rows
  if (!first) return undefined
  const searches = rows.map(
    ({ id, searchSealed }): Search => JSON.parse(secrets.open(searchSealed, searchPlace(accountId, id))),
  )
  const search: Search = {
    values: [...new Set(searches.flatMap(({ values }) => values))],
    ids: [...new Set(searches.flatMap(({ ids }) => ids))],
    names: [...new Set(searches.flatMap(({ names }) => names))],
  }
  const traces =
    first.subjectType === 'lead'
      ? await tracesOfLeads(
          tx,
          accountId,
          rows.flatMap(({ subjectIds }) => subjectIds),
          search,
        )
      : await tracesOfPartner(tx, accountId, first.subjectId, search)
  return { rows, traces }
}

/** Returns how many rows were emptied. Rows that are written meanwhile are emptied by triggers. */
async function passOver(services: Omit<Means, 'jobs'>, job: ErasureJob): Promise<number> {
  const { db } = services
  const traces = (await transaction(db, (tx) => openTraces(services, tx, job)))?.traces
  if (!traces) return 0
  /** Works in a transaction, unless another process has done all. */
  const inTurn = <T>(work: (tx: Transaction) => Promise<T>): Promise<T | null> =>
    transaction(db, async (tx) =>
      (await openErasures(tx, job.accountId, job.erasureIds)).length > 0 ? work(tx) : null,
    )
  await emptyOutbox(services, traces)
  let all = 0
  for (const step of listErasureSteps(traces))
    for (let after: string[] | null = null, isLast = false; !isLast; ) {
      const page = await inTurn(async (tx) => {
        const page = await emptyPage(tx, traces, step, after)
        if (page.emptied > 0) await addCount(tx, job, step.table, page.emptied)
        if (page.emptied > 0 && traces.type === 'lead' && BROUGHT_BY.has(step.table))
          await touchDaysOfLeads(tx, traces.accountId, traces.leadIds)
        return page
      })
      if (page === null) return 0
      all += page.emptied
      after = page.last
      isLast = page.isLast
    }
  const answers = await inTurn(async (tx) => {
    const emptied = await emptyAnswers(tx, services.secrets, traces)
    if (emptied > 0) await addCount(tx, job, 'idempotency_keys', emptied)
    return emptied
  })
  return answers === null ? 0 : all + answers
}

/** Adds to the counts of the erasure; rows of several people emptied at once are not counted separately. */
const addCount = async (tx: Transaction, { accountId, erasureIds }: ErasureJob, table: string, rows: number) => {
  const [erasureId, another] = erasureIds
  if (another) return
  await tx.run`
    update erasures set counts = counts || jsonb_build_object(${table}::text, coalesce((counts ->> ${table}::text)::int, 0) + ${rows}::int)
    where account_id = ${accountId} and id = ${erasureId!}`
}
