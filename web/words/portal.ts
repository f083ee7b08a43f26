import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** A partner's screens in another company's application, or opened by a link. */
export const portalWords = defineWords('portal', 'before', {
  tabs: 'Your program',
  ended: {
    heading: 'Timed out',
    expired: ({ account }: { account: Word }) => `This page has timed out. Open it again from ${account}.`,
    expiredEarly: 'This page has timed out. Please open it again.',
  },
  details: {
    heading: 'Add payout details',
    yours: 'Your own sign-in',
    why: 'For your security, payout details and tax forms need your own sign-in.',
    signIn: 'Sign in to your partner account',
    invite: 'Email me an invitation',
    invited: 'Check your email to set up your sign-in.',
  },
} as const)
