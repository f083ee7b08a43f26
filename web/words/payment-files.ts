import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of payment files, which a person uploads at a bank or at Wise. */
export const fileWords = {
  heading: 'Payment files',
  one: ({ number }: { number: Word }) => `Payment file ${number}`,
  next: {
    sepa: ({ payouts, amount }: { payouts: Word; amount: Word }) =>
      `${payouts}, ${amount}. Upload the file at your bank, then upload the bank’s report here.`,
    csv: ({ payouts, amount }: { payouts: Word; amount: Word }) =>
      `${payouts}, ${amount}. Upload the file in Wise, then upload its results here.`,
  },
  ended: ({ payouts, amount }: { payouts: Word; amount: Word }) =>
    `${payouts}, ${amount}. Nothing in it waits to be paid.`,
  gone: 'This payment file doesn’t exist.',
  downloadAgain: 'Download again',
  plural: 'files',
  messageId: 'Message ID',
  empty: 'Files for a bank or for Wise appear here once you make one.',
  method: 'Method',
  methods: { sepa: 'SEPA file', csv: 'Wise batch' },
  text: {
    sepa: 'The payouts below are approved and put into a file that you upload at your bank. They can then only be paid with that file.',
    csv: 'The payouts below are approved and put into a Wise batch file: choose a batch payment to saved recipients there and upload it. They can then only be paid with that file.',
  },
  executionDate: 'Execution Date',
  executionDateHelp: 'The next payday if left empty.',
  nextPayday: ({ day }: { day: Word }) => `The next payday if left empty: ${day}.`,
  moved: ({ day, wished }: { day: Word; wished: Word }) =>
    `Banks don’t carry out transfers on ${wished}. The file asks for ${day}.`,
  notSetUp: 'Set up SEPA files or connect Wise to pay by file.',
  nothing: 'Nothing is ready for a new file. Payouts wait for 72 hours after their details change.',
  rows: 'Payouts in the file',
  more: ({ count }: { count: number }) =>
    formatPlural(count, `and ${formatNumber(count)} more`, `and ${formatNumber(count)} more`),
  approve: 'Approve and download',
  done: ({ number }: { number: Word }) => `Payment file ${number} made`,
  doneWithout: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `Payment file made without ${formatNumber(count)} payout that somebody else needs to approve`,
      `Payment file made without ${formatNumber(count)} payouts that somebody else needs to approve`,
    ),

  file: 'File',
  made: 'Made',
  download: 'Download',
  spent: 'A payout in this file has changed; the file can’t be downloaded again.',
}
