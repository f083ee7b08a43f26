import { withoutInWords } from '#contract/report-in-words.ts'
import { reportPhrases } from '#contract/report-words.ts'
import { type ReportDimension, reportDimensions } from '#contract/reports.ts'
import type { TableFilter } from '../lists/list-types.ts'
import type { TableState } from '../lists/useTable.ts'

/** Returns the filter for a list opened by a figure of a report, visible among its filters and removable. */
export function broughtByFilter(table: Pick<TableState<{ broughtBy?: string }>, 'filter'>): TableFilter<'broughtBy'>[] {
  const given = table.filter('broughtBy')
  const [by, ...rest] = given.split(':')
  const dimension = reportDimensions.find((name) => name === by)
  if (!dimension) return []
  return [
    {
      name: 'broughtBy',
      label: reportPhrases.dimensions[dimension],
      choices: [{ value: given, label: labelOf(dimension, rest) }],
    },
  ]
}

const labelOf = (dimension: ReportDimension, value: string[]) =>
  value.length > 0 ? value.join(':') : withoutInWords(dimension)
