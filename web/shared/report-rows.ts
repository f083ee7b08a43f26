import { reportRowInWords } from '#contract/report-in-words.ts'
import type { ReportDimension, ReportRow } from '#features/reports/contract.ts'
import { formatCountry, formatMonth } from '../format.ts'

const wording = { country: formatCountry, month: (month: string) => formatMonth(month, '') }

/** Returns the name of a report's row. */
export const reportRowName = (by: ReportDimension, row: Pick<ReportRow, 'kind' | 'value' | 'name'>) =>
  reportRowInWords(by, row, wording)
