/** The accounts of the journal, with their usual names. */
export const journalAccountNames = {
  expense: 'Commission expense',
  liability: 'Commissions payable',
  cash: 'Bank',
  tax: 'Input VAT',
  fees: 'Bank fees',
  rewards: 'Customer rewards',
  given: 'Customer rewards given',
} as const
export type JournalAccount = keyof typeof journalAccountNames
