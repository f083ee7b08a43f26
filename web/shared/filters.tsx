import type { FilterProps, TableFilter } from '../lists/list-types.ts'
import { DaysFilter } from '../ui/DateRange.tsx'
import { PartnerFilter } from './PartnerPicker.tsx'

/** A range of days between the list's filters `from` and `to`, or two others. */
export function daysFilter(label: string, timeZone: string): TableFilter<'from'>
export function daysFilter<const N extends string>(
  label: string,
  timeZone: string,
  names: readonly [N, string],
): TableFilter<N>
export function daysFilter(
  label: string,
  timeZone: string,
  [from, to]: readonly [string, string] = ['from', 'to'],
): TableFilter {
  return {
    name: from,
    label,
    render: ({ table }) => (
      <DaysFilter
        label={label}
        timeZone={timeZone}
        from={table.filter(from)}
        to={table.filter(to)}
        onChange={(days) => table.set({ [from]: days.from, [to]: days.to })}
      />
    ),
  }
}

/** A partner of the account; `without` is the label of the choice for rows without one. */
export const partnerFilter = <const N extends string>(
  name: N,
  label: string,
  accountId: string,
  without?: string,
): TableFilter<N> => ({
  name,
  label,
  render: (filter: FilterProps) => <PartnerFilter {...filter} accountId={accountId} without={without} />,
})
