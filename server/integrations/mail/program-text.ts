import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'
import { countFirst } from '../../platform/format-values.ts'

type OfAccount = { account: Word }

/** Texts of mails to partners about the program: its agreement, questions, terms, goals and leads. */
export const programMailPhrases = defineWords('program-mail', 'server', {
  agreement: {
    firstSubject: 'Please accept the partner agreement',
    changedSubject: 'The partner agreement has changed',
    preview: 'Please read and accept it.',
    asks: ({ account }: OfAccount) => `${account} asks you to accept the partner agreement.`,
    published: ({ account, version }: { account: Word; version: Word }) =>
      `${account} published version ${version} of the partner agreement. Please read and accept it.`,
    payoutsWait: ({ day }: { day: Word }) => `From ${day}, your payouts will wait until you’ve accepted it.`,
    read: 'Read the agreement',
  },
  question: {
    subject: ({ account }: OfAccount) => `${account} has a question for you`,
    asks: ({ account }: OfAccount) => `${account} asks:`,
    about: 'About',
    pleaseAnswer: 'Please answer on your dashboard.',
    answer: 'Answer',
  },
  terms: {
    subject: 'What you earn has changed',
    changed: ({ account }: OfAccount) => `${account} changed what you earn.`,
    ofLink: ({ link }: { link: Word }) => `Customers of the link ${link}:`,
    ofUnnamedLink: 'Customers of the link in question:',
    aRule: 'A rule',
    forNewCustomers: ({ day }: { day: Word }) =>
      `This applies to customers referred from ${day}. Earlier customers keep their terms.`,
    forMostSales: ({ day }: { day: Word }) =>
      `This applies to sales from ${day}. Some customers referred earlier have other terms.`,
    forAllSales: ({ day }: { day: Word }) => `This applies to all sales from ${day}.`,
  },
  goals: {
    goal: ({ name }: { name: Word }) => `the goal ${name}`,
    aGoal: 'a goal',
    reached: ({ goal }: { goal: Word }) => `You reached ${goal}`,
    reachedMany: ({ count }: { count: number }) => `You reached ${formatNumber(count)} goals`,
    reachedWith: ({ goal, figure }: { goal: Word; figure: Word }) => `You reached ${goal}: ${figure}`,
    reachedIn: ({ goal, month }: { goal: Word; month: Word }) => `You reached ${goal} in ${month}`,
    reachedWithIn: ({ goal, figure, month }: { goal: Word; figure: Word; month: Word }) =>
      `You reached ${goal}: ${figure} in ${month}`,
    bonus: ({ reached, amount, day }: { reached: Word; amount: Word; day: Word }) =>
      `${reached}. Your bonus of ${amount} is due on ${day}.`,
    revenue: ({ figure, atLeast }: { figure: Word; atLeast: Word }) => `${figure} of ${atLeast}`,
    leads: ({ figure, count }: { figure: Word; count: number }) =>
      formatPlural(count, `${figure} of ${formatNumber(count)} lead`, `${figure} of ${formatNumber(count)} leads`),
    sales: ({ figure, count }: { figure: Word; count: number }) =>
      formatPlural(count, `${figure} of ${formatNumber(count)} sale`, `${figure} of ${formatNumber(count)} sales`),
    inGroup: ({ name }: { name: Word }) => `You are now in the group ${name}`,
    inAnotherGroup: 'You are now in another group',
    ownTerms: 'You have terms of your own, which stay the same.',
  },
  leads: {
    aLead: 'A lead',
    released: ({ lead, day }: { lead: Word; day: Word }) => `${lead} is released on ${day}`,
    unnamedReleased: ({ day }: { day: Word }) => `A lead is released on ${day}`,
    manyReleased: ({ count }: { count: number }) => `${countFirst(count)} of your leads are released soon`,
    preview: 'A lead that isn’t won by then expires.',
    text: ({ released, account }: { released: Word; account: Word }) =>
      `${released}. A lead that isn’t won by then expires, and another partner can register it. If you need more time, ask ${account}.`,
    open: 'Open lead',
    openAll: 'Open leads',
  },
})

/** Texts of mails to partners about what they earned. */
export const earningsMailPhrases = defineWords('earnings-mail', 'server', {
  otherLead: 'Another partner’s lead',
  aCustomer: 'A customer',
  ofSale: ({ amount }: { amount: Word }) => `of a sale of ${amount}`,
  notes: {
    'qualified-lead': () => 'for a qualified lead',
    'new-customer': () => 'for a new customer',
    held: ({ day }: { day: Word }) => `due ${day}`,
    'on-hold': () => 'under review',
    disputed: () => 'disputed',
    refunded: () => 'refunded',
    canceled: () => 'canceled',
    corrected: () => 'corrected',
  },
  credited: {
    subject: ({ amount }: { amount: Word }) => `You earned ${amount}`,
    subjectOfMany: ({ count, amount }: { count: number; amount: Word }) =>
      `${formatNumber(count)} sales were credited to you: ${amount}`,
    preview: ({ account }: OfAccount) => `In commission from ${account}.`,
    text: ({ amount, account }: { amount: Word; account: Word }) =>
      `You earned ${amount} in commission from ${account}.`,
  },
  reversed: {
    subject: ({ amount }: { amount: Word }) => `A commission of ${amount} was reversed`,
    subjectOfMany: ({ count, amount }: { count: number; amount: Word }) =>
      `${formatNumber(count)} commissions were reversed: ${amount}`,
    preview: ({ account }: OfAccount) => `After a refund, a lost dispute or a correction at ${account}.`,
    one: ({ account }: OfAccount) =>
      `A sale of ${account} was refunded or corrected, or a lead was rejected. The commission on it was reversed.`,
    many: ({ account }: OfAccount) =>
      `Sales of ${account} were refunded or corrected, or leads were rejected. The commissions on them were reversed.`,
    deducted: 'If it was already paid to you, it’s deducted from your next payout.',
  },
  statement: {
    subject: ({ month }: { month: Word }) => `Your statement for ${month}`,
    preview: ({ earned, paid }: { earned: Word; paid: Word }) => `Earned ${earned}, paid ${paid}.`,
    text: ({ account }: OfAccount) => `Your commissions from ${account}, and your payouts.`,
    earned: 'Earned',
    reversed: 'Reversed',
    adjustments: 'Adjustments',
    paid: 'Paid to you',
    balance: 'Your balance today',
    held: 'Held',
    due: 'Due',
  },
})
