const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits between tries (product.md, section 6): ten tries within about three days. */
export const WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Longest `Retry-After` that is respected. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR

/** Tries after which a receiver that gets too many requests is tried again when it says, not later. */
const TRIES_AS_ASKED = 4

/** Numbers of consecutive failed tries at which owners are mailed, and at which the webhook is turned off. */
export const MAILED_AT = [5, 10, 15]
export const OFF_AT = 20

/** The result of a try: an answer, or the reason for none. */
export type DeliveryOutcome = {
  code: number | null
  durationMs: number
  answer: string
  retryAfterMs?: number | undefined
}

export const isSuccess = ({ code }: Pick<DeliveryOutcome, 'code'>) => code !== null && code >= 200 && code < 300
/** Whether the receiver permanently refuses deliveries. */
export const isGone = ({ code }: Pick<DeliveryOutcome, 'code'>) => code === 410
/** Whether the receiver gets more requests than it takes. */
export const isTooMany = ({ code }: Pick<DeliveryOutcome, 'code'>) => code === 429

/**
 * Returns the state of a delivery after its try; `tries` includes this one. `random` in [0, 1) spreads waits by ± 10 %.
 */
export function nextState(
  outcome: DeliveryOutcome,
  tries: number,
  now: Date,
  random: () => number,
): { state: 'delivered' | 'retrying' | 'failed'; nextAt: Date | null } {
  if (isSuccess(outcome)) return { state: 'delivered', nextAt: null }
  const wait = WAITS_MS[tries - 1]
  if (wait === undefined || isGone(outcome)) return { state: 'failed', nextAt: null }
  const asAsked = isTooMany(outcome) && outcome.retryAfterMs && tries <= TRIES_AS_ASKED
  const spread = (asAsked ? WAITS_MS[0] : wait) * (0.9 + 0.2 * random())
  return { state: 'retrying', nextAt: new Date(now.getTime() + Math.max(spread, outcome.retryAfterMs ?? 0)) }
}

/**
 * Parses `Retry-After` into milliseconds, a day at most: seconds, or an HTTP date. Undefined if it is missing or
 * invalid.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined
  const wait = /^\d{1,9}(\.\d+)?$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now.getTime()
  return wait > 0 ? Math.min(wait, LONGEST_RETRY_AFTER_MS) : undefined
}

/**
 * Returns the number of consecutive failed tries after these outcomes, in order; the numbers at which owners are mailed
 * that were reached, and whether the webhook is to be turned off.
 */
export function countFailures(failures: number, outcomes: readonly Pick<DeliveryOutcome, 'code'>[]) {
  const reached: number[] = []
  let count = failures
  let off: 'failing' | 'gone' | null = null
  for (const outcome of outcomes) {
    count = isSuccess(outcome) ? 0 : count + 1
    if (MAILED_AT.includes(count)) reached.push(count)
    if (isGone(outcome)) off = 'gone'
    else if (count >= OFF_AT) off ??= 'failing'
  }
  return { failures: count, reached, off }
}
