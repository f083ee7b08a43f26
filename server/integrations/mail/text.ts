import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** Texts of several mails. */
export const mailPhrases = defineWords('mails', 'server', {
  there: 'there',
  yourProgram: 'your partner program',
  yourProgramFirst: 'Your partner program',
  aProgram: 'a program',
  aPartner: 'a partner',
  becausePartner: ({ account }: { account: Word }) =>
    `You get this email because you are a partner of ${account} on Tributary.`,
  becauseUser: 'You get this email because you have an account on Tributary.',
  hello: 'Hello,',
  helloTo: ({ name }: { name: Word }) => `Hello ${name},`,
  /** Between a label and its value, in the text of a mail. */
  colon: ': ',
  quoted: ({ text }: { text: Word }) => `“${text}”`,
  unsubscribe: 'Unsubscribe',
  andMore: ({ count }: { count: number }) =>
    formatPlural(count, `And ${formatNumber(count)} more.`, `And ${formatNumber(count)} more.`),
  openDashboard: 'Open dashboard',
})

/** Texts of mails about a payout. */
export const payoutMailPhrases = defineWords('payout-mail', 'server', {
  open: 'Open payout',
  amount: 'Amount',
  commissions: 'Commissions',
  vat: 'VAT',
  statement: 'Statement',
  sales: 'Sales',
  salesOf: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} sale`, `${formatNumber(count)} sales`),
  invoice: 'Invoice',
  bankAccount: 'Bank account',
  paidBy: 'Paid by',
  reference: 'Reference',
  reason: 'Reason',
  openSettings: 'Open payout settings',
  checkDetails: 'Please check your payout details and enter them again.',
  methods: { paypal: 'PayPal', manual: 'manual payment', bank: 'bank transfer' },
  approved: {
    subject: ({ amount }: { amount: Word }) => `Your payout of ${amount} was approved`,
    preview: 'We’ll email you when it’s sent.',
    text: ({ account }: { account: Word }) => `${account} approved your payout. We’ll email you when it’s sent.`,
  },
  paid: {
    subject: ({ amount }: { amount: Word }) => `Your payout of ${amount} was paid`,
    preview: ({ account }: { account: Word }) => `Paid by ${account}.`,
    text: ({ account }: { account: Word }) => `${account} paid your payout.`,
  },
  sent: {
    subject: ({ amount }: { amount: Word }) => `Your payout of ${amount} is on its way`,
    toBank: ({ account }: { account: Word }) =>
      `${account} sent your payout to your bank account. It arrives within a few business days.`,
    toPaypal: ({ account }: { account: Word }) =>
      `${account} sent your payout to your PayPal account. PayPal emails you when it arrives.`,
    bankPreview: 'It arrives within a few business days.',
    paypalPreview: 'PayPal emails you when it arrives.',
  },
  failed: {
    subject: ({ amount }: { amount: Word }) => `Your payout of ${amount} could not be sent`,
    returnedSubject: ({ amount }: { amount: Word }) => `Your payout of ${amount} was returned`,
    preview: 'Please check your payout details.',
    unchanged: 'Your balance is unchanged.',
    text: ({ account }: { account: Word }) =>
      `Your payout from ${account} could not be sent. Your balance is unchanged and will be paid once this is resolved.`,
    returnedByBank: ({ account }: { account: Word }) =>
      `Your bank returned your payout from ${account}. Your balance is unchanged, and it will be paid to you again.`,
    returnedByPaypal: ({ account }: { account: Word }) =>
      `PayPal returned your payout from ${account}. Your balance is unchanged, and it will be paid to you again.`,
    nothingToDo: ({ account }: { account: Word }) => `There’s nothing you need to do. ${account} has been notified.`,
    check: 'Check payout details',
  },
  unclaimed: {
    subject: 'A PayPal payment is waiting for you',
    preview: ({ day }: { day: Word }) => `Accept it in PayPal by ${day}.`,
    text: ({ account, amount, day }: { account: Word; amount: Word; day: Word }) =>
      `${account} paid you ${amount} by PayPal. Accept it in PayPal by ${day}.`,
    help: 'PayPal sent an email to the address in your payout details, with a link to accept it. If you can’t find it, the address may not belong to a PayPal account, or may not be confirmed. A payment that isn’t accepted is returned, and your balance is unchanged.',
  },
  waiting: {
    subject: ({ amount }: { amount: Word }) => `Your payout of ${amount} is waiting`,
    text: ({ account, amount }: { account: Word; amount: Word }) =>
      `${account} has ${amount} for you. It can’t be paid yet:`,
    reminderSubject: ({ amount }: { amount: Word }) => `Reminder: ${amount} is waiting for you`,
    reminder: ({ account, amount }: { account: Word; amount: Word }) =>
      `${account} still has ${amount} for you. To get paid:`,
    last: 'This is the last reminder. Your balance is unchanged.',
    todo: {
      'no-deposit-info': () => 'Enter the account that payouts go to.',
      'not-approved-this-year': ({ account }: { account: Word }) =>
        `${account} approves partners for payouts once a year. If a tax form is missing, they will ask you for it.`,
      'agreement-not-accepted': () => 'Read it and accept it on your dashboard.',
      'tax-form-missing': () => 'Fill it in and sign it under payout settings.',
      'below-minimum': () => 'It’s paid once your balance reaches the minimum.',
      'deposit-info-changed-recently': () => 'For your safety, automatic payouts wait 72 hours after a change.',
    },
    enterAgain: 'Check your payout details and enter them again.',
    takesCare: ({ account }: { account: Word }) => `${account} takes care of this.`,
  },
  details: {
    addSubject: 'Reminder: add your payout details',
    correctSubject: 'Reminder: correct your payout details',
    addPreview: 'You can’t be paid without them.',
    correctPreview: 'A payment to them failed.',
    add: ({ account }: { account: Word }) => `${account} asks you to enter the account that payouts go to.`,
    correct: ({ account }: { account: Word }) =>
      `${account} could not pay with the payout details you entered. Please check your payout details and enter them again.`,
    waits: ({ amount }: { amount: Word }) => `${amount} is waiting for you.`,
  },
  changed: {
    subject: 'Your payout details were changed',
    text: ({ account }: { account: Word }) =>
      `The payout details for your payouts from ${account} were replaced or removed.`,
    goTo: ({ place }: { place: Word }) => `Payouts now go to ${place}.`,
    help: 'Automatic payouts pause for the next 72 hours. If this wasn’t you, reset your password and contact the program right away.',
    review: 'Review payout details',
  },
  taxForm: {
    subject: 'Add your tax form',
    add: 'Add your tax form',
    preview: ({ year }: { year: Word }) => `It is needed for what you are paid in ${year}.`,
    text: ({ account, year }: { account: Word; year: Word }) =>
      `${account} asks you for a tax form for what you are paid in ${year}.`,
    help: 'It takes a few minutes: a W-9 for a US person, a W-8BEN for a person elsewhere. The number on it is stored encrypted.',
  },
  documents: {
    invoice: ({ number }: { number: Word }) => `Invoice ${number}`,
    'credit-note': ({ number }: { number: Word }) => `Credit note ${number}`,
    issued: {
      invoice: ({ count }: { count: number }) => `${formatNumber(count)} invoices were issued`,
      'credit-note': ({ count }: { count: number }) => `${formatNumber(count)} credit notes were issued`,
      mixed: ({ count }: { count: number }) => `${formatNumber(count)} documents were issued`,
    },
    preview: ({ account }: { account: Word }) => `${account} issues invoices for your commissions.`,
    one: ({ account }: { account: Word }) =>
      `${account} issues the invoices for your commissions, as you agreed. This one is new:`,
    several: ({ account }: { account: Word }) =>
      `${account} issues the invoices for your commissions, as you agreed. These are new:`,
    open: 'Open invoices',
  },
})
