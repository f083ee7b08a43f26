import { defineWords } from '#contract/words.ts'
export const paydayWords = defineWords('payday', 'partner', {
  every: { day: 'Every day', week: 'Every week', month: 'Every month' },
  help: 'The days on which payouts are sent.',
  shorterMonths: 'In months without this day, payouts are sent on the last day.',
  weekday: 'Weekday',
  day: 'Day of the Month',
  secondDay: 'Second Day of the Month',
  lastDay: 'Last day',
  none: 'None',
})
