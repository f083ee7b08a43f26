import { formatChange, formatMoney } from '../format.ts'
import { statsWords } from '../words/stats.ts'
import type { Stat } from './StatStrip.tsx'

type Change = Pick<Stat, 'note' | 'trend'>

/**
 * Returns how a figure changed against the period before, in words and color. The range picker names that period. A
 * change from zero is neither better nor worse. A note keeps its place while the period before is loading. A `neutral`
 * figure is neither better nor worse when it grows.
 */
export function changesIn(currency: string) {
  return (now: number | null, before: number | null | undefined, neutral = false): Change => {
    if (before === undefined) return { note: null }
    const [value, last] = [now ?? 0, before ?? 0]
    const trend = neutral || last === 0 || value === last ? undefined : value > last ? 'up' : 'down'
    // only money is ever negative
    const words = { fromZero: statsWords.new, fromBelow: statsWords.from({ amount: formatMoney(last, currency) }) }
    return { note: formatChange(value, last, words), trend }
  }
}
