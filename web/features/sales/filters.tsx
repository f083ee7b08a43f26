import { saleProviders, saleStatuses } from '#contract/sales.ts'
import type { TableFilter } from '../../lists/list-types.ts'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { AmountFilter } from '../../ui/AmountRange.tsx'
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

/** A range of amounts between the list's filters `minAmount` and `maxAmount`; `signed`: also below zero. */
export const amountFilter = (label: string, currency: string, { signed = false } = {}): TableFilter<'minAmount'> => ({
  name: 'minAmount',
  end: 'maxAmount',
  label,
  render: ({ table }) => (
    <AmountFilter
      label={label}
      currency={currency}
      signed={signed}
      min={table.filter('minAmount')}
      max={table.filter('maxAmount')}
      onChange={({ min, max }) => table.set({ minAmount: min, maxAmount: max })}
    />
  ),
})
