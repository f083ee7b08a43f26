import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of objections to invoices. */
export const objectionWords = defineWords('objections', 'partner', {
  object: 'Object',
  heading: ({ number }: { number: Word }) => `Object to invoice ${number}`,
  why: ({ account }: { account: Word }) =>
    `Tell ${account} what is wrong with this invoice. What was paid to you stays as it is.`,
  send: 'Send objection',
  sent: 'Objection sent',
  open: 'Objected to',
  close: 'Close objection',
  closeHeading: ({ number }: { number: Word }) => `Objection to invoice ${number}`,
  said: ({ partner, reason }: { partner: Word; reason: Word }) => `${partner}: ${reason}`,
  closeWhy: 'Correct the invoice if its details are wrong. Otherwise close the objection.',
  closedNow: 'Objection closed',
  state: 'Objection',
  states: { open: 'Open', closed: 'Closed' },
  none: 'No reason given',
})
