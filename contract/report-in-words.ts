import type { ReportDimension, ReportRow } from '#features/reports/contract.ts'
import { labelInSentence } from './format.ts'
import { reportPhrases as words } from './report-words.ts'

export type ReportWording = {
  /** Returns a country's name by its code. */
  country: (code: string) => string
  /** Returns 'November 2026' for '2026-11'. */
  month: (month: string) => string
}

/** Returns a dimension as it appears inside a sentence: 'sub-ID'. */
export function dimensionInSentence(by: ReportDimension): string {
  const name = words.dimensions[by]
  return labelInSentence(name)
}

/** Returns the name of a row: of its partner, group, link or product, else its value in words. */
export function reportRowInWords(
  by: ReportDimension,
  { kind, value, name }: Pick<ReportRow, 'kind' | 'value' | 'name'>,
  wording: ReportWording,
): string {
  if (kind === 'others') return words.others
  if (kind === 'none') return words.without({ dimension: dimensionInSentence(by) })
  if (by === 'device') return words.devices[value as keyof typeof words.devices] ?? value
  if (by === 'country') return wording.country(value)
  if (by === 'lead-month') return wording.month(value)
  return name ?? value
}
