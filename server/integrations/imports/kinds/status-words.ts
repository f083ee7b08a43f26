import { wrongField } from '../../../platform/refusal.ts'

export type StatusMeaning = 'paid' | 'owed' | 'gone'

/** Words of other programs for the status of a sale, its commission or a payout. */
const words: Record<StatusMeaning, readonly string[]> = {
  paid: ['paid, paid out, complete, completed, sent, succeeded, success'],
  owed: [
    'unpaid, pending, approved, due, open, hold, on hold, held, processed, processing, scheduled, accepted',
    'active, confirmed, locked, new, awaiting payment, ready, unprocessed, a, p, u',
  ],
  gone: [
    'refunded, partially refunded, duplicate, fraud, fraudulent, canceled, cancelled, declined, denied',
    'rejected, disapproved, voided, void, failed, charged back, chargeback, reversed, deleted, draft, expired',
    'disputed, pending payment, checkout draft, trash, d',
  ],
}
const standings = new Map(
  Object.entries(words).flatMap(([standing, all]) =>
    all.flatMap((some) => some.split(', ')).map((word) => [word, standing as StatusMeaning]),
  ),
)

/** Returns the meaning of a status; undefined for an unknown word. */
export const findMeaning = (word: string) => standings.get(plainly(word))

/** Returns the meaning of a status. Refuses, in `field`, an unknown word: its meaning decides whether money is owed. */
export function meaningOfStatus(
  field: string,
  word: string | null | undefined,
  otherwise: StatusMeaning,
): StatusMeaning {
  if (!word) return otherwise
  const standing = findMeaning(word)
  if (!standing) throw wrongField(field, 'import_status_unknown')
  return standing
}

const takenBackWords = [
  'r',
  'refund',
  'refunded',
  'h',
  'chargeback',
  'charge back',
  'charged back',
  'reversal',
  'return',
  'reversed',
  'partially refunded',
]
const soldWords = ['', 's', 'sale', 'u', 'recurring', 'recurring sale', 'renewal', 'a', 'action', 'order', 'purchase']

export const isReversalWord = (word: string) => takenBackWords.includes(plainly(word))

/** Whether a row is a refund, by its type. Refuses an unknown type. */
export function isTakenBack(word: string): boolean {
  if (isReversalWord(word)) return true
  if (!soldWords.includes(plainly(word))) throw wrongField('rowType', 'import_row_type_unknown')
  return false
}

const plainly = (word: string) =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** The outcome of a row whose status means that nothing is owed. */
export const goneAs = (word: string) =>
  ({ outcome: 'skipped', message: `Skipped: status is “${word.slice(0, 100)}”.` }) as const
