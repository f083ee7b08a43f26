import { number, plural, type Word } from './plural.ts'

/** The words of an import’s progress and result. */
export const importProgressWords = {
  created: ({ count }: { count: number }) => `${number(count)} created`,
  wouldCreate: ({ count }: { count: number }) => `${number(count)} to create`,
  skipped: ({ count }: { count: number }) => `${number(count)} skipped`,
  failed: ({ count }: { count: number }) => `${number(count)} failed`,
  takenBack: ({ count }: { count: number }) => `${number(count)} undone`,
  remain: ({ count, created }: { count: number; created: Word }) => `${number(count)} of ${created} created remain`,
  createdNothing: 'Nothing created',
  wouldCreateNothing: 'Nothing to create',
  totals: ({ amounts }: { amounts: Word }) => `Total: ${amounts}`,
  settled: ({ amounts }: { amounts: Word }) => `Settled as paid: ${amounts}`,
  assigned: ({ count }: { count: number }) =>
    plural(count, `${number(count)} lead assigned to a partner`, `${number(count)} leads assigned to a partner`),
  wouldAssign: ({ count }: { count: number }) =>
    plural(count, `${number(count)} lead to assign to a partner`, `${number(count)} leads to assign to a partner`),
  warnings: 'Warnings',
  firstWarnings: ({ count }: { count: number }) => `The first ${number(count)} are shown.`,
  ofRow: ({ row, message }: { row: number; message: Word }) => `Row ${number(row)}: ${message}`,
  nothingImported: 'Nothing was imported.',
  waiting: 'Waiting to start',
  undoing: 'Undoing…',
  downloadErrors: 'Download errors',
}
