import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of invoices, for owners and partners. */
export const invoiceWords = defineWords('invoices', 'partner', {
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
  correctedBy: ({ number }: { number: Word }) => `Corrected by ${number}`,
  from: 'Issued From',
  to: 'Issued To',
  download: 'Download PDF',
  downloadXml: 'Download XML',
  electronic: 'E-Invoice',
  forms: { xml: 'XML', pdf: 'PDF' },
  lacks: ({ missing }: { missing: Word }) => `Missing: ${missing}`,
  missing: {
    form: 'electronic form',
    number: 'number',
    currency: 'currency with cents',
    partner: 'erased partner',
    taxNumber: 'partner’s VAT ID or tax number',
    peppolId: 'partner’s Peppol ID',
    accountPeppolId: 'your Peppol ID',
  },
  missingOfOwn: { taxNumber: 'your VAT ID or tax number', peppolId: 'your Peppol ID' },
  pdf: 'PDF',
  showAll: 'Show all',
  empty: 'No invoices yet.',
  jumps: 'Numbers without a document',
  numbers: ({ from, to }: { from: Word; to: Word }) => `${from} to ${to}`,
  jump: ({ numbers, day, reason }: { numbers: Word; day: Word; reason: Word }) => `${numbers}, ${day}: ${reason}`,
  unsure: 'The database was restored. Enter the next invoice number.',
  enter: 'Enter the next invoice number',
})

/** The words of an account’s settings of invoices. */
export const invoicingWords = {
  heading: 'Self-billing invoices',
  help: 'You issue the invoices for your partners’ commissions, with their agreement. Each one is issued when the money of a payout leaves.',
  enabled: 'Issue self-billing invoices',
  required: 'Required before a payout',
  requiredHelp: 'Payouts wait for partners who haven’t entered their invoice details.',
  vatRate: 'VAT Rate',
  vatRateHelp: 'For partners in your country who charge VAT. It’s paid in addition to the commission.',
  vatRateWrong: 'Enter a rate from 0 to 30',
  sending: {
    peppol: 'Send the XML through a Peppol access point.',
    platform: 'Send the XML through your approved platform.',
    national: ({ system }: { system: Word }) => `Domestic invoices need ${system}. This document doesn’t replace it.`,
  },
  systems: {
    ES: 'SII and Verifactu',
    GR: 'myDATA',
    HR: 'eRačun',
    HU: 'Online Számla',
    IT: 'SdI',
    PL: 'KSeF',
    RO: 'RO e-Factura',
  },
  correct: {
    open: 'Correct',
    heading: ({ number }: { number: Word }) => `Correct invoice ${number}`,
    why: 'A credit note takes this invoice back, and a new one has your present details and the partner’s. Amounts, VAT and what was paid stay as they are.',
    done: ({ number }: { number: Word }) => `Invoice ${number} issued`,
  },
  downloadAll: {
    open: 'Download all',
    text: 'Invoices and credit notes as one zip: each as a PDF and, if it has one, as XML.',
    download: 'Download zip',
  },
  prefix: 'Invoice Prefix',
  journal: 'Journal accounts',
  journalHelp: 'Names in the journal of the books.',
  accounts: {
    expense: 'Commissions',
    liability: 'Owed to Partners',
    cash: 'Payments',
    tax: 'Input VAT',
    fees: 'Fees',
    rewards: 'Owed to Customers',
    given: 'Given as Credit or Units',
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
export const invoiceDetailsWords = defineWords('invoice-details', 'partner', {
  heading: 'Invoice details',
  missing: ({ account }: { account: Word }) =>
    `${account} issues the invoices for your commissions. Add your invoice details.`,
  waits: 'Your payouts wait for them.',
  outdated: 'The agreement on invoices has changed. Read it and agree again.',
  agreeAgain: 'Agree again',
  enter: 'Add invoice details',
  change: 'Change',
  why: 'They apply to payouts approved from now on.',
  taxNumber: 'Tax Number',
  taxNumberHelp: 'Of your tax office. In Germany it’s enough without a VAT ID.',
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
})

/** The words of a party to invoices: the account or a partner. */
export const partyWords = defineWords('party', 'partner', {
  legalName: 'Legal Name',
  zipCode: 'Postal Code',
  state: 'State or Region',
  vatId: 'VAT ID',
  vatIdHelp: 'Leave empty if you have none.',
  companyNumber: 'Company Number',
  companyNumberHelp: 'In your country’s register.',
  peppolId: 'Peppol ID',
  peppolIdHelp: 'Such as 9930:DE123456789. Usually it follows from your VAT ID.',
})
