import { saleProviders, saleStatuses } from '#contract/sales.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { t } from '../../words.ts'
import { providerLabel } from './words.ts'

/** Returns filters by status and provider, for lists of sales. */
export const stateFilters = () => [
  statusFilter('status', t('sales.columns.status'), 'sale', saleStatuses),
  {
    name: 'provider' as const,
    label: t('sales.provider'),
    choices: saleProviders.map((value) => ({ value, label: providerLabel(value) })),
  },
]
