import type { Sale } from '#contract/sales.ts'
import { t } from '../words.ts'
import { Badge } from './Badge.tsx'

/** Marks a payment made in a provider's test mode. */
export function TestBadge({ livemode }: Pick<Sale, 'livemode'>) {
  if (livemode !== false) return null
  return (
    <span title={t('badges.testWhy')}>
      <Badge tone="waits">{t('badges.test')}</Badge>
    </span>
  )
}
