import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The names of figures. */
export const statsWords = defineWords('stats', 'partner', {
  share: 'Revenue share',
  earned: 'Earned',
  held: 'Held',
  paid: 'Paid',
  nextPayout: 'Next payout',
  allTime: 'all time',
  heldWhy: 'not payable yet',
  heldUntil: ({ date }: { date: Word }) => `due from ${date}`,
  dueWhy: 'payable',
  dueOffset: 'will be deducted from future earnings',
  partInPayout: ({ amount }: { amount: Word }) => `${amount} in payout`,
  partOnItsWay: ({ amount }: { amount: Word }) => `${amount} on its way to you`,
  paidWhy: 'sent to you',
  nothingDue: 'nothing due',
  than: ({ range }: { range: Word }) => `vs ${range}`,
  new: 'new',
  from: ({ amount }: { amount: Word }) => `from ${amount}`,
  summary: 'Figures',
  money: 'Your money',
  earnings: 'Earnings',
  ownEarnings: 'Own earnings',
  subPartnersEarnings: 'From sub-partners',
  revenueAndEarnings: 'Revenue and earnings',
})

/** The words of charts. */
export const chartWords = defineWords('chart', 'partner', {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  period: 'Period',
  summary: ({ series, from, to }: { series: Word; from: Word; to: Word }) => `${series}, ${from} to ${to}.`,
  summaryDay: ({ series, from }: { series: Word; from: Word }) => `${series}, ${from}.`,
  total: ({ label, total }: { label: Word; total: Word }) => `${label} ${total}`,
  point: ({ date, values }: { date: Word; values: Word }) => `${date}: ${values}`,
  points: ({ heading }: { heading: Word }) => `Data points for ${heading}`,
  none: 'No point selected',
  help: 'Use the left and right arrow keys to read each point.',
  weekOf: ({ date }: { date: Word }) => `Week of ${date}`,
  soFar: ({ period }: { period: Word }) => `${period} so far`,
  unfinished: ({ period }: { period: Word }) => `${period}: still in progress.`,
  empty: ({ from, to }: { from: Word; to: Word }) => `Nothing recorded from ${from} to ${to}.`,
  emptyDay: ({ from }: { from: Word }) => `Nothing recorded on ${from}.`,
})
