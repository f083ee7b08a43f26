const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits between tries (product.md, section 6): ten tries within about three days. */
const WAITS_MS = [
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

/** A receiver may ask for no more. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR

/** Owners are mailed at these numbers of failed tries in a row, and at the last the webhook is turned off. */
export const MAILED_AT = [5, 10, 15]
export const OFF_AT = 20

/** How a try ended: with an answer, or without one and why. */
export type Outcome = { code: number | null; durationMs: number; answer: string; retryAfterMs?: number | undefined }

export const isSuccess = ({ code }: Pick<Outcome, 'code'>) => code !== null && code >= 200 && code < 300
/** The receiver wants no more, ever. */
export const isGone = ({ code }: Pick<Outcome, 'code'>) => code === 410

/** The state of a delivery after its try; `tries` counts this one. `random` in [0, 1) spreads waits by ± 10 %. */
export function after(
  outcome: Outcome,
  tries: number,
  now: Date,
  random: () => number,
): { state: 'delivered' | 'retrying' | 'failed'; nextAt: Date | null } {
  if (isSuccess(outcome)) return { state: 'delivered', nextAt: null }
  const wait = WAITS_MS[tries - 1]
  if (wait === undefined || isGone(outcome)) return { state: 'failed', nextAt: null }
  const spread = wait * (0.9 + 0.2 * random())
  return { state: 'retrying', nextAt: new Date(now.getTime() + Math.max(spread, outcome.retryAfterMs ?? 0)) }
}

/** `Retry-After` in milliseconds, a day at most: seconds, or an HTTP date. Undefined where it says nothing. */
export function retryAfterOf(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined
  const wait = /^\d{1,9}$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now.getTime()
  return wait > 0 ? Math.min(wait, LONGEST_RETRY_AFTER_MS) : undefined
}

/**
 * The failed tries in a row after these outcomes, in their order; which of the numbers that owners are mailed at were
 * reached on the way, and whether the webhook is to be turned off.
 */
export function tally(failures: number, outcomes: readonly Pick<Outcome, 'code'>[]) {
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
