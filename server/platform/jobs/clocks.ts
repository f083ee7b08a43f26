import { isDeepStrictEqual } from 'node:util'
import type { PgBoss } from 'pg-boss'
import type { Services } from '../services.ts'
import { queue } from './queue.ts'

/** `cron` in UTC; `retryLimit`: how often a run that failed is tried again before its next turn. */
type Clock = { cron: string; retryLimit: number; run(services: Services): Promise<unknown> }
export type Clocks = Record<string, Clock>

/** One job of a clock at a time, the next stroke being its next try; a run that takes long says that it lives. */
export const clockQueue = queue<{ name: string }>('clock', {
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 6 * 3600,
  deleteAfterSeconds: 24 * 3600,
})

const RETRY_SECONDS = 60

/** How the job of a stroke is sent: none beside one that is still to run, runs or is tried again. */
export const sending = (name: string, { retryLimit }: Clock) => ({
  singletonKey: name,
  retryLimit,
  retryDelay: RETRY_SECONDS,
})

/**
 * Sets the clocks, and stops those of earlier releases. Each makes jobs of its own, so that one that fails or takes long
 * holds no other back.
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

const optionsOf = (name: string, one: Clock) => ({ key: name, ...sending(name, one) })
