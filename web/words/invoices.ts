import type { Word } from './plural.ts'

/** The words of invoices, for owners and partners. */
export const invoiceWords = {
  heading: 'Invoices',
  plural: 'invoices',
  document: 'Document',
  number: ({ number }: { number: Word }) => `Invoice ${number}`,
  waits: 'Waits for its number',
  kind: 'Kind',
  kinds: { invoice: 'Invoice', 'credit-note': 'Credit note' },
  issuedOn: 'Date',
  net: 'Net',
  tax: 'VAT',
  gross: 'Total',
  credited: 'Credited',
  from: 'Issued From',
  to: 'Issued To',
  download: 'Download PDF',
  pdf: 'PDF',
  showAll: 'Show all',
  empty: 'No invoices yet.',
  jumps: 'Numbers without a document',
  numbers: ({ from, to }: { from: Word; to: Word }) => `${from} to ${to}`,
  jump: ({ numbers, day, reason }: { numbers: Word; day: Word; reason: Word }) => `${numbers}, ${day}: ${reason}`,
  unsure: 'The database was restored. Enter the next invoice number.',
  enter: 'Enter the next invoice number',
}

/** The words of an account’s settings of invoices. */
export const invoicingWords = {
  heading: 'Self-billing invoices',
  help: 'You issue the invoices for your partners’ commissions, with their agreement. Each one is issued when the money of a payout leaves.',
  enabled: 'Issue self-billing invoices',
  required: 'Required before a payout',
  requiredHelp: 'Payouts wait for partners who haven’t entered their invoice details.',
  legalName: 'Legal Name',
  address: 'Address',
  zipCode: 'Postal Code',
  city: 'City',
  state: 'State or Region',
  country: 'Country',
  chooseCountry: 'Choose a country',
  vatId: 'VAT ID',
  vatIdHelp: 'Leave empty if you have none.',
  vatRate: 'VAT Rate',
  vatRateHelp: 'For partners in your country who charge VAT. It’s paid in addition to the commission.',
  vatRateWrong: 'Enter a rate from 0 to 30',
  prefix: 'Invoice Prefix',
  journal: 'Journal accounts',
  journalHelp: 'Names in the journal of the books.',
  accounts: {
    expense: 'Commissions',
    liability: 'Owed to Partners',
    cash: 'Payments',
    tax: 'Input VAT',
    fees: 'Fees',
  },
  saved: 'Invoice settings saved',
  series: 'Numbers',
  next: 'Next number',
  enter: {
    open: 'Change next number',
    save: 'Save number',
    number: 'Next Number',
    numberHelp: 'It only goes up. Documents that wait are numbered from it.',
    reason: 'Reason',
    reasonHelp: 'It stays in the list of invoices.',
    done: 'Next number saved',
  },
}

/** The words of a partner’s invoice details. */
export const invoiceDetailsWords = {
  heading: 'Invoice details',
  missing: ({ account }: { account: Word }) =>
    `${account} issues the invoices for your commissions. Add your invoice details.`,
  waits: 'Your payouts wait for them.',
  enter: 'Add invoice details',
  change: 'Change',
  why: 'They apply to payouts approved from now on.',
  vatIdHelp: 'Leave empty if you have none.',
  save: 'Save invoice details',
  smallBusiness: 'I’m a small business that charges no VAT',
  saved: 'Invoice details saved',
  agreedOn: ({ date }: { date: Word }) => `Agreed on ${date}`,
  both: ({ treatment, yours, account, theirs }: { treatment: Word; yours: Word; account: Word; theirs: Word }) =>
    `${treatment}: you are in ${yours}, ${account} is in ${theirs}.`,
  same: ({ treatment, yours, account }: { treatment: Word; yours: Word; account: Word }) =>
    `${treatment}: you and ${account} are in ${yours}.`,
  treatments: {
    standard: ({ words }: { words: Word }) => `${words}`,
    exempt: () => 'VAT exempt',
    'reverse-charge': () => 'Reverse charge',
    'outside-scope': () => 'Outside the scope of VAT',
  },
  none: ({ reason }: { reason: Word }) => `No invoice: ${reason}`,
}
