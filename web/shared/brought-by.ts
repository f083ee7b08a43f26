import { useQuery } from '@tanstack/react-query'
import { reportPhrases } from '#contract/report-words.ts'
import { reportDimensions } from '#features/reports/contract.ts'
import type { TableFilter } from '../lists/list-types.ts'
import type { TableState } from '../lists/useTable.ts'
import { basicWords } from '../words/basic.ts'
import { allGroupsQuery } from './groups.ts'
import { reportRowName } from './report-rows.ts'

/** Returns the filter for a list opened by a figure of a report, visible among its filters and removable. */
export function useBroughtByFilter(
  table: Pick<TableState<{ broughtBy?: string }>, 'filter'>,
  accountId: string,
): TableFilter<'broughtBy'>[] {
  const given = table.filter('broughtBy')
  const [by, ...rest] = given.split(':')
  const dimension = reportDimensions.find((name) => name === by)
  const groups = useQuery({ ...allGroupsQuery(accountId), enabled: dimension === 'group' && rest.length > 0 })
  if (!dimension) return []
  const value = rest.join(':')
  const name =
    dimension === 'group' ? (groups.data?.items.find(({ id }) => id === value)?.name ?? basicWords.absent) : null
  const label = reportRowName(dimension, { kind: rest.length > 0 ? 'value' : 'none', value, name })
  return [{ name: 'broughtBy', label: reportPhrases.dimensions[dimension], choices: [{ value: given, label }] }]
}
