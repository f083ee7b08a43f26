import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'
import { countFirst } from '#server/platform/format-values.ts'

/** Texts of mails to partners about claims. */
export const claimMailPhrases = defineWords('claim-mail', 'server', {
  sale: ({ day }: { day: Word }) => `Sale on ${day}`,
  order: ({ id }: { id: Word }) => `Order ${id}`,
  orderWithoutId: 'Order without an ID',
  yourClaim: ({ claim }: { claim: Word }) => `Your claim: ${claim}`,
  accepted: {
    subject: 'Your claim was accepted',
    text: ({ account }: { account: Word }) => `${account} accepted your claim of a missing sale.`,
    result: 'Accepted',
    preview: ({ claim }: { claim: Word }) => `${claim}: Accepted`,
  },
  declined: {
    subject: 'We couldn’t credit this sale',
    text: ({ account }: { account: Word }) => `${account} declined your claim of a missing sale.`,
    result: 'Declined',
    preview: ({ claim }: { claim: Word }) => `${claim}: Declined`,
  },
  several: {
    subject: ({ count }: { count: number }) => `${countFirst(count)} of your claims were decided`,
    text: ({ account }: { account: Word }) => `${account} decided on these claims of missing sales.`,
  },
  open: 'Open claims',
})
