import { type ReportDimension, type ReportRow, valueInWords } from '#contract/reports.ts'

/** Returns the name of a row: of its partner, group, link or product, else its value in words. */
export const nameOf = (by: ReportDimension, { kind, value, name }: Pick<ReportRow, 'kind' | 'value' | 'name'>) =>
  name ?? valueInWords(by, kind, value)
