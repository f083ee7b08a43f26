/** Bounds in seconds; a redirect takes one or two milliseconds, a page of a large list a few hundred. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

type Kind = { route: string; method: string }
/** `buckets` counts answers within each bound. */
type Times = Kind & { sum: number; count: number; buckets: number[] }
type Counted = Kind & { status: number; count: number }

/** Counts an answer with its duration in seconds. */
type CountAnswer = (seconds: number) => void
/** Returns the counter for a kind of answer; a sender of many looks it up once. */
export type AnswerCounting = (answers: Kind & { status: number }) => CountAnswer

/**
 * Counts answers and their durations. Handwritten: the metrics library takes eighty times as long per answer, and is
 * only loaded for its page.
 */
export function createAnswerTimes() {
  const times = new Map<string, Times>()
  const counts = new Map<string, { counted: Counted; count: CountAnswer }>()
  const counting: AnswerCounting = ({ method, route, status }) => {
    const kind = `${method} ${route}`
    const known = counts.get(`${kind} ${status}`)
    if (known) return known.count
    const counted = { route, method, status, count: 0 }
    const ofKind = times.get(kind) ?? { route, method, sum: 0, count: 0, buckets: BOUNDS.map(() => 0) }
    const count = (seconds: number) => {
      counted.count++
      recordTime(ofKind, seconds)
    }
    times.set(kind, ofKind)
    counts.set(`${kind} ${status}`, { counted, count })
    return count
  }
  return {
    counting,
    counted: () => [...counts.values()].map(({ counted }) => counted),
    times: () => [...times.values()],
  }
}

export type AnswerTimes = ReturnType<typeof createAnswerTimes>

function recordTime(times: Times, seconds: number) {
  times.sum += seconds
  times.count++
  for (let index = BOUNDS.length - 1; index >= 0 && seconds <= BOUNDS[index]!; index--) times.buckets[index]!++
}
