import type { TableFilter } from '../lists/list-types.ts'
import { Badge, type Tone } from '../ui/Badge.tsx'
import { badgeWords } from '../words/badges.ts'

const tones = {
  lead: {
    new: 'waits',
    qualified: 'moves',
    won: 'done',
    lost: 'failed',
    rejected: 'failed',
    expired: 'waits',
    duplicate: 'needs',
  },
  sale: {
    completed: 'done',
    'partially-refunded': 'needs',
    refunded: 'failed',
    disputed: 'needs',
    'charged-back': 'failed',
    void: 'waits',
  },
  commission: { held: 'waits', due: 'moves', 'in-payout': 'moves', paid: 'done', 'on-hold': 'needs', void: 'waits' },
  payout: {
    open: 'waits',
    due: 'moves',
    approved: 'moves',
    processing: 'moves',
    'awaiting-funding': 'needs',
    sent: 'moves',
    paid: 'done',
    failed: 'failed',
    returned: 'failed',
    canceled: 'waits',
  },
  partner: { invited: 'waits', active: 'done', suspended: 'needs', archived: 'waits' },
  promotionCode: { active: 'done', waiting: 'moves', paused: 'waits', failed: 'failed' },
  member: { invited: 'waits', active: 'done' },
  claim: { open: 'needs', asked: 'waits', accepted: 'done', refused: 'failed' },
  application: { unconfirmed: 'waits', waiting: 'needs', approved: 'done', rejected: 'failed' },
  invitation: {
    pending: 'waits',
    sent: 'moves',
    bounced: 'failed',
    opened: 'moves',
    accepted: 'done',
    expired: 'waits',
    revoked: 'waits',
  },
  provider: { 'not-connected': 'waits', connected: 'done', attention: 'needs', disconnected: 'failed' },
  delivery: {
    pending: 'waits',
    delivered: 'done',
    retrying: 'needs',
    failed: 'failed',
    received: 'moves',
    processed: 'done',
    waiting: 'needs',
    ignored: 'waits',
    replayed: 'moves',
  },
  account: { enabled: 'done', disabled: 'failed' },
  mail: { waiting: 'waits', sent: 'done', kept: 'moves', refused: 'failed', failed: 'failed', skipped: 'waits' },
  inFile: { waiting: 'moves', paid: 'done', rejected: 'failed', removed: 'waits' },
  paymentFile: { open: 'moves', done: 'done', spent: 'needs' },
  import: { done: 'done', failed: 'failed', canceled: 'waits', undone: 'waits' },
} as const satisfies Record<string, Record<string, Tone>>

type Kinds = typeof tones
export type BadgeKind = keyof Kinds
export type StatusOf<K extends BadgeKind> = keyof Kinds[K] & string
type Props = { [kind in keyof Kinds]: { of: kind; status: keyof Kinds[kind] } }[keyof Kinds]

/** The state of a thing: `<StatusBadge of="partner" status="active" />`. */
export function StatusBadge({ of, status }: Props) {
  const tone = (tones[of] as Record<string, Tone>)[status] as Tone
  return <Badge tone={tone}>{words(of, status)}</Badge>
}

/** Returns the words of a state, for filters and sentences. */
export const statusLabel = <K extends BadgeKind>(of: K, status: StatusOf<K>): string => words(of, status)

const words = (of: BadgeKind, status: string): string => (badgeWords[of] as Record<string, string>)[status] ?? status

/** A choice among the statuses of a kind of thing. */
export const statusFilter = <const N extends string, K extends BadgeKind>(
  name: N,
  label: string,
  of: K,
  statuses: readonly StatusOf<K>[],
): TableFilter<N> & { choices: { value: string; label: string }[] } => ({
  name,
  label,
  choices: statuses.map((value) => ({ value, label: statusLabel(of, value) })),
})
