import { saleProviders, saleStatuses } from '#contract/sales.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { saleWords } from '../../words/leads.ts'
import { providerLabel } from './words.ts'

/** Returns filters by status and provider, for lists of sales. */
export const stateFilters = () => [
  statusFilter('status', saleWords.columns.status, 'sale', saleStatuses),
  {
    name: 'provider' as const,
    label: saleWords.provider,
    choices: saleProviders.map((value) => ({ value, label: providerLabel(value) })),
  },
]
