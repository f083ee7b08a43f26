import { wrongField } from '../../../platform/refusal.ts'

export type Standing = 'paid' | 'owed' | 'gone'

/** How other programs say of a sale, its commission or a payout where it stands. */
const words: Record<Standing, readonly string[]> = {
  paid: ['paid', 'paid out', 'complete', 'completed', 'sent', 'succeeded', 'success'],
  owed: [
    ...[
      'unpaid',
      'pending',
      'approved',
      'due',
      'open',
      'hold',
      'on hold',
      'held',
      'processed',
      'processing',
      'scheduled',
    ],
    ...['accepted', 'active', 'confirmed', 'locked', 'new', 'awaiting payment', 'ready', 'unprocessed', 'a', 'p', 'u'],
  ],
  gone: [
    ...[
      'refunded',
      'partially refunded',
      'duplicate',
      'fraud',
      'fraudulent',
      'canceled',
      'cancelled',
      'declined',
      'denied',
    ],
    ...[
      'rejected',
      'disapproved',
      'voided',
      'void',
      'failed',
      'charged back',
      'chargeback',
      'reversed',
      'deleted',
      'draft',
    ],
    ...['expired', 'd'],
  ],
}
const standings = new Map(
  Object.entries(words).flatMap(([standing, all]) => all.map((word) => [word, standing as Standing])),
)

/** Refuses, in `field`, a word that is none of these: what it means decides whether money is owed. */
export function standingOf(field: string, word: string | null | undefined, otherwise: Standing): Standing {
  if (!word) return otherwise
  const standing = standings.get(
    word
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' '),
  )
  if (!standing) throw wrongField(field, 'import_status_unknown')
  return standing
}

/** A row that says of itself that nothing came of it. */
export const goneAs = (word: string) =>
  ({ outcome: 'skipped', message: `Its status is "${word.slice(0, 100)}": nothing is owed for it.` }) as const
