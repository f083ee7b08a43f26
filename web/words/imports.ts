import { fieldWords } from './fields.ts'
import { number, plural, type Word } from './say.ts'

/** The words of importing files. */
export const importWords = {
  moveHere: 'Moving from another program',
  file: 'File',
  tooLarge: ({ most }: { most: Word }) =>
    `This file is larger than ${most} MB. Split it and import the parts one by one.`,
  paste: 'Paste rows',
  pasteHelp: 'A table with a header row, or one person per line, such as Jane Whitfield <jane@example.com>.',
  usePasted: 'Use these rows',
  changedPasted: 'The pasted rows have changed. Press “Use these rows” first.',
  reading: 'Reading the file…',
  contents: 'Contents',
  kind: 'Data type',
  chooseKind: 'Choose a data type',
  anyFile: 'Any file',
  looksLike: ({ kind, name }: { kind: Word; name: Word }) => `Looks like an export of ${kind} from ${name}.`,
  thinkThese: ({ kind, name }: { kind: Word; name: Word }) =>
    `These look like ${kind} from ${name}. Check the columns.`,
  asLastTime: 'Mapped the same way as last time.',
  checkColumns: 'Check the columns before you import.',
  kinds: { partners: 'Partners', leads: 'Leads', sales: 'Sales', payouts: 'Payouts', 'past-sales': 'Past sales' },
  kindsWithin: { partners: 'partners', leads: 'leads', sales: 'sales', payouts: 'payouts' },
  notes: {
    partners: 'Partners are matched by email. Existing partners are skipped.',
    leads: 'Leads are matched by external ID, then email, then phone. Existing leads are updated, not duplicated.',
    sales: 'Sales earn the commission in the file. If there is none, they earn at your current rates.',
    payouts: 'Only payouts that were paid are imported. Import partners and sales first.',
  },
  settlePaid: 'Deduct paid commissions from the balance',
  settlePaidHelp: 'Sales marked as paid are not owed again. Turn this off if you import the payouts too.',
  sendInvitations: 'Send invitations',
  sendInvitationsHelp: 'Each new partner is invited to sign in. Leave this off until everything is moved over.',
  invitations: 'Invitation links',
  invitationLink: 'Invitation link',
  copyAll: 'Copy all links',
  notSent: 'Not sent: email isn’t set up on this server',
  mapping: 'Columns',
  field: 'Field',
  column: 'Column',
  readAs: 'Read as',
  samples: 'In the file',
  columnOf: ({ field }: { field: Word }) => `Column for ${field}`,
  readAsOf: ({ field }: { field: Word }) => `How ${field} is read`,
  valueOf: ({ field }: { field: Word }) => `Value for ${field}`,
  notImported: 'Not imported',
  moreFields: 'More fields',
  required: 'Required',
  oneOfThese: 'One of these is required',
  missing: ({ fields }: { fields: Word }) => `Choose a column for ${fields}.`,
  or: ' or ',
  /** The dictionary's names, except for fields that are named differently here. */
  fields: {
    ...fieldWords,
    leadExternalId: 'Customer ID',
    partnerEmail: 'Partner email',
    parentEmail: 'Parent email',
    earlierCodes: 'Earlier codes or links',
    state: 'Status',
    grossAmount: 'Total with tax and shipping',
    taxAmount: 'Tax',
    shippingAmount: 'Shipping',
    orderId: 'Order ID',
    rowType: 'Sale or refund',
    saleExternalId: 'ID of the refunded sale',
    commissionStatus: 'Commission status',
    code: 'Promotion code',
  },
  transforms: {
    none: 'Unchanged',
    trim: 'Trim spaces',
    lowercase: 'Lowercase',
    number: 'Whole cents: 123450',
    cents: 'Amount: 1,234.50',
    date: 'Date, year or month first',
    'day-first-date': 'Date, day first',
    constant: 'Fixed value',
    'paid-or-not': 'Paid or not: yes/no, payout ID',
    'first-name': 'First name from full name',
    'last-name': 'Last name from full name',
    'in-brackets': 'In brackets: 7 of “Jane (#7)”',
  },
  encoding: 'Encoding',
  encodingHelp: 'Choose the one whose words are right.',
  encodings: {
    'windows-1252': 'Western (Windows)',
    'windows-1250': 'Central European (Windows)',
    'windows-1251': 'Cyrillic (Windows)',
    'windows-1253': 'Greek (Windows)',
    macintosh: 'Western (Mac)',
  },
  encodingWith: ({ name, sample }: { name: string; sample: string }) => `${name}: ${sample}`,
  check: 'Check file',
  checking: 'Checking the file',
  importing: 'Importing the file',
  importThem: {
    partners: ({ count }: { count: number }) =>
      plural(count, `Import ${number(count)} partner`, `Import ${number(count)} partners`),
    leads: ({ count }: { count: number }) =>
      plural(count, `Import ${number(count)} lead`, `Import ${number(count)} leads`),
    sales: ({ count }: { count: number }) =>
      plural(count, `Import ${number(count)} sale`, `Import ${number(count)} sales`),
    payouts: ({ count }: { count: number }) =>
      plural(count, `Import ${number(count)} payout`, `Import ${number(count)} payouts`),
  },
  assignThem: ({ count }: { count: number }) =>
    plural(count, `Assign ${number(count)} lead to its partner`, `Assign ${number(count)} leads to their partners`),
  view: { partners: 'View partners', leads: 'View leads', sales: 'View sales', payouts: 'View payouts' },
  oldLinks: 'Old links',
  nothing: 'There is nothing to import in this file.',
  errors: 'Rows with errors',
  skips: 'Skipped rows',
  firstSkips: ({ count }: { count: number }) => `The first ${number(count)} are shown.`,
  firstErrors: ({ count }: { count: number }) =>
    `The first ${number(count)} are shown. Download the file for all of them.`,
  row: 'Row',
  problem: 'Problem',
  undo: 'Undo import',
  undoUntil: ({ when }: { when: Word }) => `Can be undone until ${when}`,
  undoWhy: {
    partners: ({ count }: { count: number }) =>
      plural(
        count,
        'The partner this import created will be deleted.',
        `The ${number(count)} partners this import created will be deleted.`,
      ),
    leads: ({ count }: { count: number }) =>
      plural(
        count,
        'The lead this import created will be deleted.',
        `The ${number(count)} leads this import created will be deleted.`,
      ),
    sales: ({ count }: { count: number }) =>
      plural(
        count,
        'The sale this import created will be voided.',
        `The ${number(count)} sales this import created will be voided.`,
      ),
    assigned: ({ count }: { count: number }) =>
      plural(
        count,
        'The lead it assigned to a partner will be unassigned.',
        `The ${number(count)} leads it assigned to a partner will be unassigned.`,
      ),
    payouts: ({ count }: { count: number }) =>
      plural(
        count,
        'The payout this import recorded will be canceled.',
        `The ${number(count)} payouts this import recorded will be canceled.`,
      ),
  },
  earlier: 'Earlier imports',
  none: 'Nothing has been imported yet.',
}
