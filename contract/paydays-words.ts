import { defineWords } from './words.ts'
/** The words of paydays wherever they appear: on screens, in mails and on the program page. `paydays.ts` joins them. */
export const paydayPhrases = defineWords('payday-phrases', 'partner', {
  everyDay: 'every day',
  everyWeekday: ({ weekday }: { weekday: string }) => `every ${weekday}`,
  oneDay: ({ day }: { day: string }) => `on the ${day} of each month`,
  twoDays: ({ first, second }: { first: string; second: string }) => `on the ${first} and the ${second} of each month`,
  orLast: ({ days }: { days: string }) => `${days}, or its last day`,
  lastDay: 'last day',
  endings: { 1: 'st', 2: 'nd', 3: 'rd', other: 'th' },
  automaticallyEveryDay: 'Payouts are made automatically, every day.',
  automatically: ({ days }: { days: string }) => `Payouts are made automatically ${days}.`,
  made: ({ days }: { days: string }) => `Payouts are made ${days}.`,
  byPerson: 'Each payout is approved by a person.',
})
