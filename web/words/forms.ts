import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of every form. */
export const formWords = defineWords('form', 'before', {
  cancel: 'Cancel',
  saveChanges: 'Save changes',
  moreOptions: 'More options',
  leaveHeading: 'Leave without saving?',
  leaveText: 'Your changes on this page will be lost.',
  leave: 'Leave',
  stay: 'Stay',
  disabled: 'Disabled',
  switchedOn: ({ name }: { name: Word }) => `${name} enabled`,
  switchedOff: ({ name }: { name: Word }) => `${name} disabled`,
  notSwitched: ({ name }: { name: Word }) => `${name} wasn’t changed`,
  show: 'Show',
  hide: 'Hide',
  showValue: ({ label }: { label: Word }) => `Show ${label}`,
  hideValue: ({ label }: { label: Word }) => `Hide ${label}`,
  copyValue: ({ label }: { label: Word }) => `Copy ${label}`,
  chooseState: 'Choose a state',
  notFound: 'No results',
  more: 'Type to narrow the list.',
  failed: 'An error occurred',
  clear: 'Clear choice',
  choices: 'Choices',
  removeEntry: ({ entry }: { entry: Word }) => `Remove ${entry}`,
})

/** Help below fields. */
export const fieldHelpWords = defineWords('field-help', 'before', {
  externalId: 'Your own number. Must be unique.',
  referralCode: 'Used in links. Old codes keep working.',
  earlierCodes: 'Links with these codes credit this partner too. A code you remove credits no one.',
})

/** The words of wrong values in fields. */
export const ruleWords = defineWords('rule', 'before', {
  number: 'Enter a number',
  wholeNumber: 'Enter a whole number',
  amount: 'Enter an amount greater than 0',
  example: ({ example }: { example: Word }) => `Enter an amount such as ${example}`,
  most: ({ amount }: { amount: Word }) => `Enter ${amount} or less`,
  least: ({ amount }: { amount: Word }) => `Enter ${amount} or more`,
  date: 'Enter a date',
  notFuture: 'The date cannot be in the future',
  accountNumbers: 'Account numbers do not match',
})
