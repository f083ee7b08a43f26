import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** Texts of printed documents that screens don't have. */
export const paperPhrases = defineWords('statement-paper', 'server', {
  reference: 'Payment reference',
  entries: 'Entries',
  noEntries: 'There are no entries on this statement.',
  page: ({ page, pages }: { page: Word; pages: Word }) => `Page ${page} of ${pages}`,
  missing: ({ sign }: { sign: Word }) =>
    `“${sign}” also stands for characters that this file can’t show. They are on the page.`,
  columns: { date: 'Date', entry: 'Entry', layer: 'Layer', rate: 'Rate', base: 'Base', amount: 'Amount' },
})
