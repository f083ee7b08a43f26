import { formatChange } from '../format.ts'
import { t } from '../words.ts'
import type { Stat } from './StatStrip.tsx'

/**
 * How a figure changed against the equal period before, in words and color; from zero there is no better or worse.
 * While the period before is on its way its place is kept. A `neutral` figure is neither better nor worse when it grows.
 */
export function changeOf(
  now: number | null,
  before: number | null | undefined,
  neutral = false,
): Pick<Stat, 'note' | 'trend'> {
  if (before === undefined) return { note: null }
  const [value, last] = [now ?? 0, before ?? 0]
  const trend = neutral || last === 0 || value === last ? undefined : value > last ? 'up' : 'down'
  return { note: formatChange(value, last, t('stats.new')), trend }
}
