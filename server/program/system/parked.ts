import type { z } from 'zod'
import { bothNames } from '#contract/former-names.ts'
import type { listParked as listParkedCall, ParkedTask } from '#contract/system.ts'
import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, sql } from '../../platform/database/sql.ts'
import { recordActivities } from '../../platform/events/emit-event.ts'
import { parkedEvents, retryParkedEvents } from '../../platform/events/parked.ts'
import { containsFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import { parkedJobs, retryParkedJobs } from '../../platform/jobs/parked.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { HIDDEN } from '../../platform/redact.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { wasRetried } from './queries.ts'

type Query = z.output<(typeof listParkedCall)['query'] & {}>

export async function listParked(db: Queryable, query: Query) {
  // a cluster refuses the events with a condition that is never true
  const parked = [
    ...(!query.kind || query.kind.includes('event') ? [parkedEvents] : []),
    ...(!query.kind || query.kind.includes('job') ? [parkedJobs] : []),
  ]
  const found = await listPage<Omit<ParkedTask, 'attempts'>>(db, query, {
    columns: sql`t.*`,
    from: (few) => joinSql(parked.map(few), ' union all '),
    scope: sql`true`,
    filters: [valueFilter(sql`t.kind`, query.kind), containsFilter(sql`t.name`, query.search)],
  })
  const items = found.items.map((one) => ({
    ...one,
    ...bothNames('attempts', one.tries),
    reason: one.reason && withoutData(one.reason),
  }))
  return { ...found, items }
}

/** Removes values from an error, which may quote an address or another value of an account. */
export const withoutData = (reason: string) =>
  reason.replace(/(?<![^\s<>()"'=])[^\s<>()"'=]+@[^\s<>()"',;]+/g, HIDDEN).replace(/: ".*"/gs, `: "${HIDDEN}"`)

/** Retries one. Refuses: one retried already, one never parked or since deleted. */
export async function retryParked(tx: Transaction, jobs: Jobs, by: Author, id: string) {
  const retried = await retry(tx, jobs, by, id)
  if (retried.length === 0) throw (await wasRetried(tx, id)) ? refusal('not_parked') : notFound()
  return { count: retried.length }
}

/** Retries all. Refuses: if nothing is parked. */
export async function retryAllParked(tx: Transaction, jobs: Jobs, by: Author) {
  const retried = await retry(tx, jobs, by)
  if (retried.length === 0) throw refusal('nothing_parked')
  return { count: retried.length }
}

async function retry(tx: Transaction, jobs: Jobs, by: Author, id?: string) {
  const retried = [...(await retryParkedEvents(tx, id)), ...(await retryParkedJobs(jobs, tx, id))]
  await recordActivities(
    tx,
    by,
    null,
    retried.map((one) => ({ type: 'system.retried', id: one })),
  )
  return retried
}
