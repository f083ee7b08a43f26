import { saleProviders, saleStatuses } from '#contract/sales.ts'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import { t } from '../../words.ts'
import { providerLabel } from './words.ts'

/** Returns filters by status and provider, for lists of sales. */
export const stateFilters = () => [
  {
    name: 'status' as const,
    label: t('sales.columns.status'),
    choices: saleStatuses.map((value) => ({ value, label: statusLabel('sale', value) })),
  },
  {
    name: 'provider' as const,
    label: t('sales.provider'),
    choices: saleProviders.map((value) => ({ value, label: providerLabel(value) })),
  },
]
