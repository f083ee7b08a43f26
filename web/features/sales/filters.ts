import { saleProviders, saleStatuses } from '#contract/sales.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { fieldWords } from '../../words/fields.ts'
import { providerLabel } from './words.ts'

/** Returns filters by status and provider, for lists of sales. */
export const stateFilters = () => [
  statusFilter('status', fieldWords.status, 'sale', saleStatuses),
  {
    name: 'provider' as const,
    label: fieldWords.provider,
    choices: saleProviders.map((value) => ({ value, label: providerLabel(value) })),
  },
]
