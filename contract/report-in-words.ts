import { reportPhrases as words } from './report-words.ts'
import type { ReportDimension, ReportRow } from './reports.ts'

/** Returns a dimension as it appears inside a sentence: 'sub-ID'. */
export function dimensionInSentence(by: ReportDimension): string {
  const name = words.dimensions[by]
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
}

/** Returns the name of the row without a value: 'No link'. */
export const withoutInWords = (by: ReportDimension): string => words.without({ dimension: dimensionInSentence(by) })

/** Returns the name of a row: of its partner, group, link or product, else its value in words. */
export function reportRowInWords(
  by: ReportDimension,
  { kind, value, name }: Pick<ReportRow, 'kind' | 'value' | 'name'>,
): string {
  if (kind === 'others') return words.others
  if (kind === 'none') return withoutInWords(by)
  if (by === 'device') return words.devices[value as keyof typeof words.devices] ?? value
  return name ?? value
}
