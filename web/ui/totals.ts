import { formatCount } from '../format.ts'
import { t } from '../words.ts'

/** Returns a list's total as shown. The server counts a narrowed list up to a thousand. */
export const shownTotal = (total: number, narrowed = false) =>
  narrowed && total > 1000 ? t('table.moreThan') : formatCount(total)
