import { formatChange, formatMoney, formatShortRange } from '../format.ts'
import { statsWords } from '../words/stats.ts'
import { type ChosenRange, comparedWith } from './date-ranges.ts'
import type { Stat } from './StatStrip.tsx'

type Change = Pick<Stat, 'note' | 'trend' | 'than'>

/**
 * Returns how the figures of a range changed against the period before, in words and color, with that period's name; a
 * change from zero is neither better nor worse. A note keeps its place while the period before is loading. A `neutral`
 * figure is neither better nor worse when it grows.
 */
export function changesIn(range: ChosenRange, currency: string) {
  const { from, to } = comparedWith(range)
  const than = statsWords.than({ range: formatShortRange(from, to, range.today) })
  return (now: number | null, before: number | null | undefined, neutral = false): Change => {
    if (before === undefined) return { note: null, than }
    const [value, last] = [now ?? 0, before ?? 0]
    const trend = neutral || last === 0 || value === last ? undefined : value > last ? 'up' : 'down'
    // only money is ever negative
    const words = { fromZero: statsWords.new, fromBelow: statsWords.from({ amount: formatMoney(last, currency) }) }
    return { note: formatChange(value, last, words), trend, than }
  }
}
