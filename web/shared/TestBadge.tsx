import type { Sale } from '#contract/sales.ts'
import { Badge } from '../ui/Badge.tsx'
import { badgeWords } from '../words/badges.ts'

/** Marks a payment made in a provider's test mode. */
export function TestBadge({ livemode }: Pick<Sale, 'livemode'>) {
  if (livemode !== false) return null
  return (
    <span title={badgeWords.testWhy}>
      <Badge tone="waits">{badgeWords.test}</Badge>
    </span>
  )
}
