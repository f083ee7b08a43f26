import { formatPlural } from './format.ts'
import { defineWords } from './words.ts'

/** The words of what a customer and their friend get, in sentences. `reward-sentence.ts` joins them. */
export const rewardPhrases = defineWords('reward-phrases', 'partner', {
  friend: ({ discount }: { discount: string }) => `Your friend gets ${discount} off.`,
  /** Without anything for the friend, who is named here. */
  alone: ({ rewards }: { rewards: string }) => `For each friend, you get ${rewards}.`,
  you: ({ rewards }: { rewards: string }) => `You get ${rewards}.`,
  nothing: 'No reward is set yet.',
  credit: ({ amount }: { amount: string }) => `${amount} credit`,
  asCredit: ({ pay }: { pay: string }) => `${pay} as credit`,
  /** An amount for what a friend pays. */
  amount: {
    each: ({ pay }: { pay: string }) => `${pay} after each of their payments`,
    first: ({ pay }: { pay: string }) => `${pay} after their first payment`,
    firsts: ({ pay, count }: { pay: string; count: number }) => `${pay} after each of their first ${count} payments`,
    months: ({ pay, count }: { pay: string; count: number }) =>
      formatPlural(
        count,
        `${pay} after each payment in their first month`,
        `${pay} after each payment in their first ${count} months`,
      ),
  },
  /** A part of what a friend pays. */
  rate: {
    each: ({ pay }: { pay: string }) => `${pay} of each of their payments`,
    first: ({ pay }: { pay: string }) => `${pay} of their first payment`,
    firsts: ({ pay, count }: { pay: string; count: number }) => `${pay} of each of their first ${count} payments`,
    months: ({ pay, count }: { pay: string; count: number }) =>
      formatPlural(
        count,
        `${pay} of each payment in their first month`,
        `${pay} of each payment in their first ${count} months`,
      ),
  },
  qualified: ({ pay }: { pay: string }) => `${pay} for each qualified referral`,
  limited: ({ rewards, limits }: { rewards: string; limits: string }) => `${rewards}, at most ${limits}`,
  perFriend: ({ amount }: { amount: string }) => `${amount} a friend`,
  perMonth: ({ amount }: { amount: string }) => `${amount} a month`,
  perYear: ({ amount }: { amount: string }) => `${amount} a year`,
})
