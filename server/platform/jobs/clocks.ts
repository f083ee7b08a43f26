import { isDeepStrictEqual } from 'node:util'
import type { PgBoss } from 'pg-boss'
import type { Services } from '../services.ts'
import { queue } from './queue.ts'

/** Set for a run that a person asked for, outside the schedule. */
export type Asked = { isAsked: boolean }
/** `cron` in UTC; `retryLimit`: retries of a failed run before its next turn. */
type Clock = { cron: string; retryLimit: number; run(services: Services, asked?: Asked): Promise<unknown> }
export type Clocks = Record<string, Clock>

/** One job of a clock at a time, retried at its next run; a long run sends heartbeats. */
export const clockQueue = queue<{ name: string; isAsked?: true }>('clock', {
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 6 * 3600,
  deleteAfterSeconds: 24 * 3600,
})

const RETRY_SECONDS = 60

/** Options for a run's job: none while another is queued, running or being retried. */
export const runOptions = (name: string, { retryLimit }: Clock) => ({
  singletonKey: name,
  retryLimit,
  retryDelay: RETRY_SECONDS,
})

/**
 * Schedules the clocks, and removes those of earlier releases. Each has its own jobs, so that a failing or slow one
 * does not delay others.
 */
export async function setClocks(boss: PgBoss, wanted: Clocks): Promise<void> {
  const { name: clock } = clockQueue
  const standing = new Set<string>()
  for (const { name, key, cron, options } of await boss.getSchedules()) {
    const one = name === clock && Object.hasOwn(wanted, key) ? wanted[key] : undefined
    if (!one) await boss.unschedule(name, key)
    else if (cron === one.cron && isDeepStrictEqual(options, optionsOf(key, one))) standing.add(key)
  }
  for (const [name, one] of Object.entries(wanted))
    if (!standing.has(name)) await boss.schedule(clock, one.cron, { name }, optionsOf(name, one))
}

const optionsOf = (name: string, one: Clock) => ({ key: name, ...runOptions(name, one) })
