import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'
import { storedTexts } from '../../platform/stored-texts.ts'

type Of = { name: Word }
type OfMonth = Of & { month: Word }

/** Reasons of entries that we book ourselves, stored in English. */
export const entryReasons = defineWords('entry-reasons', 'server', {
  partOfVoid: 'Part of a balance that was voided',
  paidBeforeImport: 'Paid before the import',
  importUndone: 'Import undone',
  paidAfterAll: 'Paid although it was no longer approved',
  paidBeforeRestore: 'Paid before the database was restored',
})

/** Reasons of bonuses: the name of the goal, its month, and how often it was judged. */
export const bonusReasons = defineWords('bonus-reasons', 'server', {
  again: ({ name }: Of) => `${name}, reached again`,
  lost: ({ name }: Of) => `${name}, no longer reached`,
  ofMonth: ({ name, month }: OfMonth) => `${name}, ${month}`,
  ofMonthAgain: ({ name, month }: OfMonth) => `${name}, ${month}, reached again`,
  ofMonthLost: ({ name, month }: OfMonth) => `${name}, ${month}, no longer reached`,
})

export const sayEntryReason = storedTexts(entryReasons)
export const sayBonusReason = storedTexts(bonusReasons)
