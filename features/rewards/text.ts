import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of a customer's panel for inviting friends. */
export const inviteWords = defineWords('invite', 'partner', {
  heading: 'Invite friends',
  share: 'Share',
  shareBy: 'Share by',
  opensNewTab: ({ name }: { name: Word }) => `${name} (opens a new tab)`,
  email: 'Email',
  subject: ({ program }: { program: Word }) => `Try ${program}`,
  message: ({ program }: { program: Word }) => `Try ${program} with my link:`,
  messageWithDiscount: ({ program, discount }: { program: Word; discount: Word }) =>
    `Get ${discount} off ${program} with my link:`,
  noLink: 'Your link isn’t ready yet.',
  code: 'Your code',
  copyCode: ({ code }: { code: Word }) => `Copy code ${code}`,
  rewards: 'Your rewards',
  counted: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} reward`, `${formatNumber(count)} rewards`),
  onTheirWay: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} on its way`, `${formatNumber(count)} on their way`),
  none: 'Your first reward appears here once a friend has earned it.',
  given: ({ worth }: { worth: Word }) => `${worth} given so far`,
  friends: 'Your friends',
  noFriends: 'Friends who follow your link appear here.',
  friend: ({ number }: { number: Word }) => `Friend ${number}`,
  more: 'Show more friends',
  states: {
    'signed-up': 'Signed up',
    paid: 'Paid',
    'reward-given': 'Reward given',
    'reward-coming': 'Reward on its way',
  },
  rewardOn: ({ day }: { day: Word }) => `Reward on ${day}`,
  noReward: ({ reason }: { reason: Word }) => `No reward: ${reason}`,
  reasons: {
    refunded: 'refunded',
    'self-referral': 'your own purchase',
    'paid-before': 'a customer before',
    known: 'referred before',
    rejected: 'not accepted',
  },
  showFirstName: 'Show my first name to friends',
  showFirstNameHelp: 'Friends who follow your link see who invited them.',
})
