import type { Word } from '#contract/format.ts'

/** The words of the books, a tab of the payouts. */
export const booksWords = {
  plural: 'partners',
  asOf: 'As Of',
  owedOn: ({ day }: { day: Word }) => `Owed on ${day}`,
  owed: 'Owed',
  due: 'Due',
  later: 'Not yet due',
  empty: ({ day }: { day: Word }) => `Nothing was owed on ${day}.`,
  journal: {
    open: 'Download journal',
    text: 'Every commission and payout as double entry, for your accounting. Each day counts what was recorded on it.',
    from: 'From',
    to: 'To',
    detail: 'Lines',
    details: { day: 'One per day and kind', entry: 'One per commission and payout' },
    backwards: 'The range ends before it starts',
    tooLong: 'Use a range of at most 366 days',
    download: 'Download',
  },
}
