import type { Word } from './say.ts'

/** The words of terms: what a partner earns, by versions. */
export const termsWords = {
  who: 'Who does this change apply to?',
  save: 'Save terms',
  note: 'Note',
  reaches: { 'new-customers': 'New customers only', 'all-sales': 'All sales from today' },
  reachHelp: {
    'new-customers': 'Customers referred before now keep what they have.',
    'all-sales': '',
  },
  saved: ({ version, date, by }: { version: Word; date: Word; by: Word }) =>
    `Version ${version}, saved ${date} by ${by}`,
  savedByNobody: ({ version, date }: { version: Word; date: Word }) => `Version ${version}, saved ${date}`,
}
