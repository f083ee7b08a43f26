import { numberInWords } from '../../platform/in-words.ts'
import { wrongField } from '../../platform/refusal.ts'
import { MAX_TOTAL } from '../stats/count.ts'

/** Refuses, in `amount`, a change that brought a running total of its account past the exact maximum. */
export function refusePast(past: boolean) {
  if (past) throw wrongField('amount', 'total_too_large', { max: numberInWords(MAX_TOTAL) })
}
