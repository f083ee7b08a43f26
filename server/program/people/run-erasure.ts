import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { system } from '../../platform/author.ts'
import { appendErased } from '../../platform/backups/erased-list.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import type { Services } from '../../platform/services.ts'
import { emptyAnswers } from './empty-answers.ts'
import { openErasure, placeOf } from './erase.ts'
import { erasureQueue } from './queue.ts'
import type { Search } from './search.ts'
import { countStep, emptyPage, stepsOf, tracesOfLeads, tracesOfPartner } from './steps.ts'

type Job = { accountId: string; erasureId: string }

export type Means = Pick<Services, 'config' | 'jobs' | 'secrets'> & { db: Database | Transaction }

/** Seconds until what is still worked on is looked at again. */
const LOOK_AGAIN = 900

/** Adds a committed erasure to the list beside the backups, and empties every copy of the person. */
export async function runErasure(services: Services, job: Job): Promise<void> {
  const { config, db, log } = services
  // never before the commit, because a restore erases everyone listed; the next backup writes the whole list anew
  if (config.backups)
    await appendErased(db, config.backups.folder, job.erasureId).catch((error: Error) =>
      log.warn(
        { erasureId: job.erasureId, err: error },
        'the list of erasures beside the backups could not be written',
      ),
    )
  await emptyCopies(services, job)
}

/**
 * Empties every copy of an erased person, a few hundred rows a transaction, until a whole pass finds none. Goes on where
 * it stopped if the process dies; what is still worked on is emptied later.
 */
export async function emptyCopies(services: Means, { accountId, erasureId }: Job): Promise<void> {
  const { db, jobs } = services
  while ((await passOver(services, { accountId, erasureId })) > 0);
  await transaction(db, async (tx) => {
    const open = await openTraces(services, tx, { accountId, erasureId })
    if (!open) return
    const { row, traces } = open
    // what was worked on during the pass may have been left over since
    let left = await countImportsUnderWay(tx, accountId, erasureId)
    for (const step of stepsOf(traces)) left += await countStep(tx, traces, step)
    if (left > 0) return jobs.add(tx, erasureQueue, { accountId, erasureId }, { startAfter: LOOK_AGAIN })
    await tx.run`
      update erasures set done = true, search_sealed = null where account_id = ${accountId} and id = ${erasureId}`
    await recorded(tx, system, accountId, 'erasure.done', { id: row.subjectId, of: row.subjectType })
  })
}

/** Counts imports that were started before the erasure: their rows and files may be about the person. */
const countImportsUnderWay = (tx: Transaction, accountId: string, erasureId: string) => tx.value<number>`
  select count(*) from imports i join erasures e on e.account_id = i.account_id
  where i.account_id = ${accountId} and e.id = ${erasureId} and i.finished_at is null and i.created_at <= e.at`

async function openTraces({ secrets }: Pick<Means, 'secrets'>, tx: Transaction, { accountId, erasureId }: Job) {
  const row = await openErasure(tx, accountId, erasureId)
  if (!row) return undefined
  const search: Search = JSON.parse(secrets.open(row.searchSealed, placeOf(accountId, erasureId)))
  const traces =
    row.subjectType === 'lead'
      ? await tracesOfLeads(tx, accountId, row.subjectIds, search)
      : await tracesOfPartner(tx, accountId, row.subjectId, search)
  return { row, traces }
}

/** Returns how many rows were emptied. */
async function passOver(services: Means, job: Job): Promise<number> {
  const { db, config } = services
  let all = 0
  for (let at = 0; ; at++) {
    let after: string[] | null = null
    for (;;) {
      const done = await transaction(db, async (tx) => {
        const open = await openTraces(services, tx, job)
        const step = open && stepsOf(open.traces)[at]
        if (!step) return open ? 'over' : null
        const page = await emptyPage(tx, open.traces, step, after)
        if (page.emptied > 0) await addCount(tx, job, step.table, page.emptied)
        return page
      })
      if (done === null) return 0
      if (done === 'over') {
        const answers = await transaction(db, async (tx) => {
          const open = await openTraces(services, tx, job)
          const emptied = open ? await emptyAnswers(tx, services.secrets, open.traces) : 0
          if (emptied > 0) await addCount(tx, job, 'idempotency_keys', emptied)
          return emptied
        })
        return all + answers
      }
      // the folder of `outboxOf`: a mail of an install without a mail server
      for (const name of done.names) await rm(join(config.dataDir, 'outbox', `${name}.eml`), { force: true })
      all += done.emptied
      after = done.last
      if (done.isLast) break
    }
  }
}

const addCount = (tx: Transaction, { accountId, erasureId }: Job, table: string, rows: number) => tx.run`
  update erasures set counts = counts || jsonb_build_object(${table}::text, coalesce((counts ->> ${table}::text)::int, 0) + ${rows}::int)
  where account_id = ${accountId} and id = ${erasureId}`
