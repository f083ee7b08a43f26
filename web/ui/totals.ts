import { formatNumber } from '#contract/format.ts'
import { tableWords } from '../words/lists.ts'

/** Returns a list's total as shown. The server counts a narrowed list up to a thousand. */
export const shownTotal = (total: number, narrowed = false) =>
  narrowed && total > 1000 ? tableWords.moreThan : formatNumber(total)
