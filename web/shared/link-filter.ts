import { useQuery } from '@tanstack/react-query'
import { isNotFound } from '../api.ts'
import type { TableFilter } from '../lists/list-types.ts'
import type { TableState } from '../lists/useTable.ts'
import { basicWords } from '../words/basic.ts'
import { labelWords } from '../words/fields.ts'
import { tableWords } from '../words/lists.ts'
import { linkBlueprintQuery } from './queries.ts'

/**
 * Returns the filter for a list opened for one link, visible among its filters and removable; figures of a link lead
 * there.
 */
export function useLinkFilter(
  table: Pick<TableState<{ blueprintId?: string }>, 'filter'>,
): TableFilter<'blueprintId'>[] {
  const id = table.filter('blueprintId')
  const { data, error } = useQuery({ ...linkBlueprintQuery(id), enabled: id !== '' })
  if (id === '') return []
  const unnamed = isNotFound(error) ? tableWords.gone : basicWords.absent
  return [{ name: 'blueprintId', label: labelWords.link, choices: [{ value: id, label: data?.name ?? unnamed }] }]
}
