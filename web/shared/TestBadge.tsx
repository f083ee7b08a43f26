import type { Sale } from '#contract/sales.ts'
import { Badge } from '../ui/Badge.tsx'
import { t } from '../words.ts'

/** Marks a payment made in a provider's test mode. */
export function TestBadge({ livemode }: Pick<Sale, 'livemode'>) {
  if (livemode !== false) return null
  return (
    <span title={t('badges.testWhy')}>
      <Badge tone="waits">{t('badges.test')}</Badge>
    </span>
  )
}
