import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of an import’s progress and result. */
export const importProgressWords = {
  created: ({ count }: { count: number }) => `${formatNumber(count)} created`,
  wouldCreate: ({ count }: { count: number }) => `${formatNumber(count)} to create`,
  skipped: ({ count }: { count: number }) => `${formatNumber(count)} skipped`,
  failed: ({ count }: { count: number }) => `${formatNumber(count)} failed`,
  takenBack: ({ count }: { count: number }) => `${formatNumber(count)} undone`,
  remain: ({ count, created }: { count: number; created: Word }) =>
    `${formatNumber(count)} of ${created} created remain`,
  createdNothing: 'Nothing created',
  wouldCreateNothing: 'Nothing to create',
  totals: ({ amounts }: { amounts: Word }) => `Total: ${amounts}`,
  settled: ({ amounts }: { amounts: Word }) => `Settled as paid: ${amounts}`,
  assigned: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} lead assigned to a partner`,
      `${formatNumber(count)} leads assigned to a partner`,
    ),
  wouldAssign: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} lead to assign to a partner`,
      `${formatNumber(count)} leads to assign to a partner`,
    ),
  warnings: 'Warnings',
  firstWarnings: ({ count }: { count: number }) => `The first ${formatNumber(count)} are shown.`,
  ofRow: ({ row, message }: { row: number; message: Word }) => `Row ${formatNumber(row)}: ${message}`,
  nothingImported: 'Nothing was imported.',
  waiting: 'Waiting to start',
  undoing: 'Undoing…',
  downloadErrors: 'Download errors',
}
