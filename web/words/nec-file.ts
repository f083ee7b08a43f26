import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of the 1099-NEC file of a year. */
export const necWords = {
  open: 'Download 1099-NEC',
  heading: ({ year }: { year: Word }) => `1099-NEC for ${year}`,
  missing: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner over the threshold is not in the file`,
      `${formatNumber(count)} partners over the threshold are not in the file`,
    ),
  reasons: {
    'no-form': 'No tax form',
    expired: 'The tax form has expired',
    'recorded-by-owner': 'A W-9 without its number: ask for one signed here',
    unreadable: 'The form can’t be read: ask for another one',
  },
  none: ({ year }: { year: Word }) => `No partner is reported for ${year}.`,
  rows: ({ count, parts }: { count: number; parts: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} partner is reported.`,
      formatPlural(
        parts,
        `${formatNumber(count)} partners are reported.`,
        `${formatNumber(count)} partners are reported, in ${formatNumber(parts)} files.`,
      ),
    ),
  noTemplate: ({ year }: { year: Word }) =>
    `The IRS publishes its template for ${year} in January after the year. Update Tributary to download the file.`,
  upload: 'Upload it in the IRIS Taxpayer Portal of the IRS. It contains whole tax numbers: delete it afterwards.',
  download: 'Download file',
  downloadPart: ({ part, parts }: { part: number; parts: number }) =>
    `File ${formatNumber(part)} of ${formatNumber(parts)}`,
}
