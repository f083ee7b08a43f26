import { toMedian } from './rounds.ts'

/** A last step up to this many times the first counts as flat. */
export const FLAT = 1.3

export type Growth = { factor: number; shape: 'flat' | 'as a logarithm' | 'more than a logarithm' }

/** Returns how a cost grew from the first to the last of the sizes. */
export function toGrowth(sizes: [first: number, last: number], costs: [first: number, last: number]): Growth {
  const factor = costs[1] / costs[0]
  const logarithm = Math.log(1 + sizes[1]) / Math.log(1 + sizes[0])
  const shape = factor <= FLAT ? 'flat' : factor <= logarithm ? 'as a logarithm' : 'more than a logarithm'
  return { factor, shape }
}

export type Trend = {
  perHour: number
  spread: number
  from: number
  to: number
  verdict: 'steady' | 'growing' | 'too short to tell'
}

/** The part left out at the beginning: modules are loaded, and caches fill. */
const WARMING = 1 / 6
/** Minutes needed for a verdict: heap and caches are not full before. */
const LEAST = 20
/** Slope per hour, as a part of the value, below which it counts as none. */
const NOTICED = 0.02
/** Standard errors on either side of the slope. */
const SURE = 2

/**
 * The trend of values read every minute: the slope of the line through them with two standard errors on either side.
 * Values grow if the slope is above zero for certain and an hour of it adds more than a fiftieth.
 */
export function toTrend(values: number[]): Trend {
  const kept = values.slice(Math.floor(values.length * WARMING))
  const middle = (kept.length - 1) / 2
  const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length
  const spreadOfTimes = kept.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  const slope =
    spreadOfTimes === 0 ? 0 : kept.reduce((sum, one, at) => sum + (at - middle) * (one - mean), 0) / spreadOfTimes
  const squares = kept.reduce((sum, one, at) => sum + (one - mean - slope * (at - middle)) ** 2, 0)
  const error = kept.length > 2 ? Math.sqrt(squares / (kept.length - 2) / spreadOfTimes) : Number.POSITIVE_INFINITY
  const fifth = Math.max(1, Math.floor(kept.length / 5))
  return {
    perHour: slope * 60,
    spread: SURE * error * 60,
    from: toMedian(kept.slice(0, fifth)),
    to: toMedian(kept.slice(-fifth)),
    verdict:
      kept.length < LEAST
        ? 'too short to tell'
        : slope - SURE * error > 0 && slope * 60 > NOTICED * mean
          ? 'growing'
          : 'steady',
  }
}
