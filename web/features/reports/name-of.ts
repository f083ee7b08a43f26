import type { ReportDimension, ReportRow } from '#contract/reports.ts'
import { reportWords } from '../../words/reports.ts'

/** Returns the name of a row: of its partner, group, link or product, else its value in words. */
export function nameOf(by: ReportDimension, { kind, value, name }: Pick<ReportRow, 'kind' | 'value' | 'name'>) {
  if (kind === 'others') return reportWords.others
  if (kind === 'none') return reportWords.broughtWithout({ dimension: reportWords.dimensions[by].toLowerCase() })
  if (by === 'device') return reportWords.devices[value as keyof typeof reportWords.devices] ?? value
  return name ?? value
}
