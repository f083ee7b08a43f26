import { formatPlural } from './format.ts'
import { defineWords } from './words.ts'
/** The words of how partners are paid, on the program page, in the portal and in mails. `how-paid.ts` joins them. */
export const howPaidPhrases = defineWords('how-paid-phrases', 'partner', {
  dueAtOnce: 'Commissions are due on the day of the sale.',
  dueAfter: ({ days }: { days: number }) =>
    formatPlural(
      days,
      `Commissions are due ${days} day after the sale.`,
      `Commissions are due ${days} days after the sale.`,
    ),
  minimum: ({ amount }: { amount: string }) => `You are paid once at least ${amount} is due.`,
  goTo: ({ places }: { places: string }) => `Payouts go to ${places}.`,
  kinds: {
    'us-bank': 'a bank account in the United States',
    iban: 'a euro bank account',
    'local-bank': 'a bank account in most countries',
    paypal: 'a PayPal account',
  },
  bank: 'a bank account',
  or: ({ first, last }: { first: string; last: string }) => `${first} or ${last}`,
})
