import { numberInWords } from '../../platform/in-words.ts'
import { wrongField } from '../../platform/refusal.ts'
import { MAX_TOTAL } from '../stats/count.ts'

/** Refuses, in `amount`, what brought a running total of its account past what is kept exactly. */
export function refusePast(past: boolean) {
  if (past) throw wrongField('amount', 'total_too_large', { max: numberInWords(MAX_TOTAL) })
}
