import { PASSWORD } from './app.ts'
import { bankDetails } from './payouts.ts'

/** Hostile texts that people may paste: stored unchanged, shown as text, never run. Each fits into 100 characters. */
export const hostileTexts = [
  '<img src=x onerror=window.__run=1>',
  '"><script>window.__run=1</script>',
  'javascript:window.__run=1//',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: typed as it is
  '{{t}} $t(errors.network) ${7*7} {{constructor}} %s %00',
  "'; drop table partners; --",
  `=cmd|' /C calc'!A0`,
  'שלום \u202egnp.exe\u202c مرحبا',
  '👩‍👩‍👧‍👦 🏳️‍🌈 q͑ͫ̓ͪ̂ͫ̽͏̴̙̤ z̃',
] as const

/** Longer than any field accepts. */
const TOO_LONG = 'x'.repeat(10_000)

/** A typed text, and the field's message or the text shown instead. */
type Answered = readonly [typed: string, answer: string]

export type Field = {
  /** The field's name at the server; undefined if it is used only in the browser. */
  path?: string
  /** The text that the form is sent with; if `how` is set one of the choices, or of a list of texts. */
  typed: string
  how?: 'choose' | 'pick' | 'tag' | 'tick'
  /** Refused with these messages. */
  refused?: readonly Answered[]
  /** Accepted, and shown in this form. */
  kept?: readonly Answered[]
  /** Never shown again. */
  secret?: true
  /** Sent in minor units. */
  minor?: true
}

let next = 0
/** Returns the hostile texts in turn. */
const hostile = () => hostileTexts[next++ % hostileTexts.length] as string

const tooLong = (max: number): Answered => [TOO_LONG, `Use at most ${max} characters`]
const text = (path: string, max: number): Field => ({
  path,
  typed: hostile(),
  refused: [['a\u0000b', 'Remove unsupported characters'], tooLong(max)],
})
const exactly = (path: string | undefined, typed: string, ...refused: Answered[]): Field => ({ path, typed, refused })
const secret = (path: string | undefined, typed: string, ...refused: Answered[]): Field => ({
  ...exactly(path, typed, ...refused),
  secret: true,
})
const chosen = (typed: string): Field => ({ typed, how: 'choose' })

/** Hostile texts are longer than webhook names may be. */
const webhookName = exactly(
  'name',
  '<b>שלום</b> {{t}} 👩‍👩‍👧‍👦',
  ['a\u0000b', 'Remove unsupported characters'],
  tooLong(40),
)

const goalName = exactly(
  'name',
  '<b>שלום</b> {{t}} 👩‍👩‍👧‍👦',
  ['a\u0000b', 'Remove unsupported characters'],
  ['www.gold.example', 'Use a name without a web address'],
  tooLong(60),
)

const keyName = exactly(
  'name',
  '"><b>עברית</b> =1+1 {{t}} 👩‍👩‍👧‍👦',
  ['a\u0000b', 'Remove unsupported characters'],
  tooLong(40),
)

const notAnEmail = 'Enter a valid email address'
const email = (path: string, typed: string) =>
  exactly(
    path,
    typed,
    ['jane', notAnEmail],
    ['<script>@x', notAnEmail],
    [`${TOO_LONG}@mail.example`, 'Use at most 254 characters'],
  )

const notANumber = ['1e21', 'abc', '１２', '12,50', '0x10', TOO_LONG.replaceAll('x', '1')]
const number = (path: string, typed: string, said: string, wrong = 'Enter a whole number'): Field => ({
  path,
  typed,
  kept: [['1', '1']],
  refused: [
    ...notANumber.map((typed): Answered => [typed, wrong]),
    ['-5', said],
    ['1,000,000,000,000', said],
    ['1.00000000000000000001', wrong],
  ],
})

const exchangeRate: Field = {
  path: 'rate',
  typed: '1.08125',
  refused: [
    ...notANumber.map((typed): Answered => [typed, 'Enter a number']),
    ['0', 'Enter a rate greater than 0'],
    ['1000000000000', 'Enter 1,000,000,000 or less'],
  ],
}

/** US dollars, or the currency of another sign: 10^12 minor units are accepted, one more is too much. */
const money = (
  path: string,
  typed: string,
  { least = 'Enter an amount greater than 0', signed = false, sign = '$' } = {},
): Field => {
  const wrong = signed ? 'Enter a number' : 'Enter an amount greater than 0'
  const most = `Enter ${sign}10,000,000,000.00 or less`
  return {
    path,
    typed,
    minor: true,
    kept: [
      ['10000000000', '10,000,000,000.00'],
      [` ${sign}1,234.5`, '1,234.50'],
      ...(signed ? [['-5', '-5.00'] as const] : []),
    ],
    refused: [
      ...notANumber.slice(0, -1).map((typed): Answered => [typed, wrong]),
      ['1,234.567', wrong],
      ...(signed
        ? [['-10000000000.01', `Enter -${sign}10,000,000,000.00 or more`] as const]
        : [['-5', least] as const]),
      ['10000000000.01', most],
      ['1000000000000', most],
      [TOO_LONG.replaceAll('x', '1'), most],
    ],
  }
}

const days = (path: string, typed: string, said: string) => number(path, typed, said)
const rate = (path: string) => number(path, '12.5', 'Enter a rate from 0 to 100', 'Enter a rate from 0 to 100')
const today = new Date().toISOString().slice(0, 10)
const notFuture: Answered = ['2999-12-31', 'The date cannot be in the future']
const longAgo: Answered = ['12026-01-01', 'Enter a date as YYYY-MM-DD']

export type FormRow = {
  name: string
  who: 'owner' | 'partner' | 'newOwner' | 'newPartner' | 'administrator' | 'nobody'
  path: string
  h1: string
  /**
   * The button that opens it as a dialog; `*` is in the menu of rare actions, `/` in the menu of the thing with this
   * name.
   */
  open?: string
  /** All rows of its list are selected first. */
  selects?: true
  /** A text in the thing that the button belongs to. */
  of?: string
  /** Some of its fields are behind 'More options'. */
  more?: true
  /** Pressed or chosen before any text is typed, in this order. */
  first?: readonly (string | { label: string; choice: string })[]
  submit: string
  fields: Record<string, Field>
  /** Messages of an empty form, by label. */
  nothing?: Record<string, string>
  /** The button of the dialog that asks once more before the form is sent. */
  confirms?: string
  /** The page may be left with typed text, without a confirmation. */
  unguarded?: true
  /** Its dialog stays open, for another. */
  stays?: true
  /** The button of a dialog that follows. */
  done?: string
  /** The result: a toast, a message, or a heading. */
  said?: string
  alert?: string
  lands?: string
  /** The address of a form that has the typed text in its fields; `update` is below the address after sending. */
  again?: string
  /** The address that shows the typed text; `there` is the address after sending. */
  shown?: string
}

const required = (...labels: string[]) => Object.fromEntries(labels.map((label) => [label, `${label} is required`]))
const reasonRequired = required('Reason')
const reason = () => text('reason', 1000)

const names = () => ({ 'First Name': text('firstName', 100), 'Last Name': text('lastName', 100) })
const partnerNames = (address: string) => ({ Email: email('email', address), ...names() })
const code = (typed: string) => {
  const wrong = 'Use 3 to 32 lowercase letters, digits or hyphens'
  return exactly('referralCode', typed, ['a b', wrong], ['<b>', wrong], ['админ', wrong], [TOO_LONG, wrong])
}
const person = (address: string, phone: string) => ({
  ...names(),
  Email: email('email', address),
  Phone: exactly('phone', phone, ['12', 'Enter 7 to 15 digits'], ['٠١٢٣٤٥٦٧٨', 'Enter 7 to 15 digits']),
  Company: text('company', 200),
  'External ID': text('externalId', 255),
})
const utm = () =>
  Object.fromEntries(
    ['Source', 'Medium', 'Campaign', 'Term', 'Content'].map((part) => [
      `UTM ${part}`,
      text(`utm.${part.toLowerCase()}`, 200),
    ]),
  )
const notAnAddress = 'Enter a full https address'
const link = (rates: string) => ({
  'Destination URL': {
    ...exactly(
      'destinationUrl',
      'https://shop.example.com/%3Cb%3E?q=%F0%9F%8C%8A#top',
      ['shop', notAnAddress],
      ['our shop', notAnAddress],
      ['ftp://shop.example.com', notAnAddress],
      ['javascript:window.__run=1', notAnAddress],
      ['https://jane:secret@shop.example.com/', notAnAddress],
      [`https://shop.example.com/${TOO_LONG}`, 'Use at most 2048 characters'],
    ),
    kept: [['shop.example.com/start', 'https://shop.example.com/start']],
  } satisfies Field,
  Name: text('name', 100),
  'Parameter Name': exactly(
    'parameterName',
    'ref_2',
    ['a b', 'Use 1 to 32 letters, digits, _ or -'],
    ['click', 'This name is reserved'],
    [TOO_LONG, 'Use 1 to 32 letters, digits, _ or -'],
  ),
  'Cookie Window (days)': days('cookieDays', '30', 'Enter 1 to 365 days'),
  ...utm(),
  'Layer 1 Rate': rate(`${rates}.layerRates.0`),
})

const noAccent = 'Enter a color such as #3347c4'
const noHost = 'Enter a domain such as partners.example.com'
const noSlug = 'Use 3 to 40 lowercase letters, digits or hyphens'
const notRouting = 'Enter a valid 9-digit routing number'
const { routingNumber, accountNumber } = bankDetails()
const holderName = () =>
  exactly(
    'name',
    'Zoë O’Neil שלום',
    ['J4ne Whitfield', 'Enter a first and last name without digits'],
    ['👩', 'Use at least 2 characters'],
    tooLong(100),
  )
const payoutDetails = () => ({
  'Account Holder Name': holderName(),
  'Routing Number': secret(
    'routingNumber',
    routingNumber,
    ['021000022', notRouting],
    ['٠٢١٠٠٠٠٢١', notRouting],
    [TOO_LONG, notRouting],
  ),
  'Account Number': secret(
    'accountNumber',
    accountNumber,
    ['12a45', 'Enter 4 to 17 digits'],
    ['1000000000000000000', 'Enter 4 to 17 digits'],
  ),
  'Confirm Account Number': secret(undefined, accountNumber, ['1', 'Account numbers do not match']),
  Address: text('address.addressLine', 200),
  City: text('address.city', 100),
  State: chosen('New York'),
  'Zip Code': exactly('address.zipCode', '10004', ['123', 'Enter at least 5 characters'], tooLong(20)),
})

const mistypedIban = 'This IBAN has a typing error.'
/** An account in euros, without the country of its holder. */
const euroAccount = () => ({
  IBAN: secret('iban', 'DE89370400440532013000', ['DE88370400440532013000', mistypedIban], ['שלום', mistypedIban]),
  BIC: exactly('bic', 'COBADEFFXXX'),
  Address: text('address.addressLine', 200),
  'Zip Code': exactly('address.zipCode', '04101', tooLong(20)),
  City: text('address.city', 100),
})
const notAPaypalKey = 'Use letters, digits, hyphens and underscores'
const notAPrefix = 'Use 1 to 10 of A–Z, 0–9, - and /'
/** A party to an invoice. */
const party = (vatId: string) => ({
  'Legal Name': text('legalName', 200),
  Address: text('address.addressLine', 200),
  'Postal Code': exactly('address.zipCode', '10119', tooLong(20)),
  City: text('address.city', 100),
  'State or Region': text('address.state', 100),
  Country: chosen('Germany'),
  'VAT ID': exactly('vatId', vatId),
})

const signer = 'Zoë O’Neil שלום'
const zipCode = 'Enter a ZIP code of 5 or 9 digits'
const taxNumber = 'Enter a valid tax number'

// long enough without “script”, which a hostile name makes a personal word
const password = '👩‍👩‍👧‍👦 שלום עולם \u202e<script>{{t}}'
const passwords = (first: string, path = 'password') => ({
  [first]: secret(path, password, ['short', 'Use at least 12 characters'], [TOO_LONG, 'Use at most 128 characters']),
  'Confirm Password': secret(undefined, password, ['else', 'Passwords do not match'], [TOO_LONG, '']),
})

const ownersOwn = (address: string) => ({
  'Owner Email': email('email', address),
  'Owner First Name': text('firstName', 100),
  'Owner Last Name': text('lastName', 100),
})

/** Every form and every dialog with fields, with its roles and addresses. */
export const forms: readonly FormRow[] = [
  {
    name: 'add partner',
    who: 'owner',
    path: '/partners/new',
    h1: 'Add partner',
    more: true,
    first: ['Custom rates'],
    submit: 'Add partner',
    fields: {
      ...partnerNames('hostile@partners.example'),
      'Referral Code': code('hostile-1'),
      Note: text('note', 2000),
      'Layer 1 Rate': rate('commissionSettings.layerRates.0'),
    },
    nothing: required('Email', 'Layer 1 Rate'),
    said: 'added',
    again: 'update',
  },
  {
    name: 'edit partner',
    who: 'owner',
    path: '/partners/{subPartner}/update',
    h1: 'Edit partner',
    more: true,
    submit: 'Save changes',
    fields: {
      ...partnerNames('hostile2@partners.example'),
      'Referral Code': code('hostile-2'),
      'Earlier Codes': { path: 'earlierCodes', typed: 'jane_d', how: 'tag' },
      'External ID': text('externalId', 100),
      Note: text('note', 2000),
    },
    nothing: required('Email', 'Referral Code'),
    said: 'Partner saved',
    again: 'update',
  },
  {
    name: 'adjustment',
    who: 'owner',
    path: '/partners/{spare}',
    h1: 'Spare Partner',
    open: 'Add adjustment',
    submit: 'Add adjustment',
    fields: { Amount: money('amount', '-10000000000', { signed: true }), Reason: reason() },
    nothing: required('Amount', 'Reason'),
    said: 'Adjustment added',
  },
  {
    name: 'promotion code',
    who: 'owner',
    path: '/partners/{spare}',
    h1: 'Spare Partner',
    open: 'Add promotion code',
    submit: 'Add promotion code',
    fields: { Code: text('code', 100) },
    nothing: required('Code'),
    said: 'Promotion code added',
  },
  {
    name: 'code of a partner',
    who: 'owner',
    path: '/promotion-codes',
    h1: 'Promotion codes',
    open: 'Add code',
    submit: 'Add code',
    fields: { Partner: { typed: 'Jane Whitfield', how: 'pick' }, Code: text('code', 100) },
    nothing: required('Partner', 'Code'),
    said: 'Promotion code added',
  },
  {
    name: 'tax form',
    who: 'owner',
    path: '/partners/{spare}',
    h1: 'Spare Partner',
    open: '*Record tax form',
    submit: 'Record tax form',
    fields: {
      'Tax Form': chosen('W-9'),
      'Received On': { path: 'taxForm.receivedOn', typed: '0001-01-01', refused: [notFuture, longAgo] },
    },
    nothing: required('Tax Form', 'Received On'),
    said: 'Tax form recorded',
  },
  {
    name: 'payout method a partner',
    who: 'owner',
    path: '/partners/{spare}',
    h1: 'Spare Partner',
    open: '*Choose how to pay',
    submit: 'Save payout method',
    fields: { 'Payout Method': chosen('Manual') },
    said: 'Payout method saved',
  },
  {
    name: 'add group',
    who: 'owner',
    path: '/partners?tab=groups',
    h1: 'Partners',
    open: 'Add group',
    submit: 'Add group',
    fields: {
      'Group Name': text('name', 60),
      'Public Name': exactly('publicName', 'Gold partners', tooLong(60), [
        'www.gold.example',
        'Use a name without a web address',
      ]),
    },
    nothing: required('Group Name'),
    said: 'Group added',
  },
  {
    name: 'edit group',
    who: 'owner',
    path: '/partners/groups/{group}',
    h1: 'Default',
    submit: 'Save changes',
    fields: {
      'Group Name': text('name', 60),
      'Public Name': exactly('publicName', 'Gold partners', tooLong(60), [
        'www.gold.example',
        'Use a name without a web address',
      ]),
      'Page Address': exactly('joinSlug', 'gold-partners', [
        'Gold',
        'Use 3 to 40 lowercase letters, digits or hyphens',
      ]),
    },
    nothing: required('Group Name'),
    said: 'Group saved',
  },
  {
    name: 'add goal',
    who: 'newOwner',
    path: '/partners/groups/{silver}',
    h1: 'Silver',
    open: 'Add goal',
    submit: 'Add goal',
    fields: {
      'Goal Name': goalName,
      'At Least': money('atLeast', '5,000.00', { sign: '€' }),
      Bonus: money('bonus', '250.00', { sign: '€' }),
    },
    nothing: required('Goal Name', 'At Least', 'Bonus'),
    said: 'Goal added',
    shown: '/partners/groups/{silver}',
  },
  {
    name: 'add goal that moves partners',
    who: 'newOwner',
    path: '/partners/groups/{silver}',
    h1: 'Silver',
    open: 'Add goal',
    first: ['Move to group'],
    submit: 'Add goal',
    fields: {
      'Goal Name': goalName,
      Metric: chosen('Sales'),
      'At Least': exactly(
        'atLeast',
        '10',
        ...notANumber.map((typed): Answered => [typed, 'Enter a whole number']),
        ['2.5', 'Enter a whole number'],
        ['0', 'Enter 1 or more'],
        ['1000000000001', 'Enter 1,000,000,000,000 or less'],
      ),
      Group: chosen('Default'),
    },
    nothing: required('Goal Name', 'At Least', 'Group'),
    said: 'Goal added',
  },
  {
    name: 'suspend partner',
    who: 'owner',
    path: '/partners/{spare}',
    h1: 'Spare Partner',
    open: '*Suspend',
    submit: 'Suspend',
    fields: { Reason: reason() },
    nothing: reasonRequired,
    said: 'Spare Partner suspended',
  },
  {
    name: 'rates of several partners',
    who: 'newOwner',
    path: '/partners?search=several',
    h1: 'Partners',
    selects: true,
    open: 'Change rates',
    submit: 'Save terms',
    fields: { 'Layer 1 Rate': rate('change.terms.otherwise.layerRates.0') },
    nothing: required('Layer 1 Rate'),
    said: 'Rates of 2 partners changed',
  },
  {
    name: 'group of several partners',
    who: 'newOwner',
    path: '/partners?search=several',
    h1: 'Partners',
    selects: true,
    open: 'Move to group',
    submit: 'Move to group',
    fields: { Group: chosen('Silver') },
    nothing: required('Group'),
    said: '2 partners moved',
  },
  {
    name: 'archive partner',
    who: 'owner',
    path: '/partners/{spare}',
    h1: 'Spare Partner',
    open: '*Archive',
    first: ['Void'],
    submit: 'Archive',
    fields: { Reason: reason() },
    nothing: reasonRequired,
    said: 'Spare Partner archived',
  },
  {
    name: 'add lead',
    who: 'owner',
    path: '/leads/new',
    h1: 'Add lead',
    submit: 'Add lead',
    fields: person('hostile@leads.example', '+1 (415) 555-0199'),
    nothing: { Email: 'Enter an email, phone or external ID' },
    said: 'Lead added',
    again: 'update',
  },
  {
    name: 'edit lead',
    who: 'owner',
    path: '/leads/{newLead}/update',
    h1: 'Edit lead',
    submit: 'Save changes',
    fields: person('hostile2@leads.example', '415/555.0198'),
    said: 'Lead saved',
    again: 'update',
  },
  {
    name: 'change status',
    who: 'owner',
    path: '/leads/{freshLead}',
    h1: 'Fresh Lead',
    open: 'Change status',
    submit: 'Change status',
    fields: { Status: chosen('Lost'), Reason: chosen('Spam'), Note: text('note', 1000) },
    shown: '/leads/{freshLead}',
  },
  {
    name: 'add lead note',
    who: 'owner',
    path: '/leads/{freshLead}',
    h1: 'Fresh Lead',
    open: '*Add note',
    submit: 'Add note',
    fields: { Note: text('text', 2000) },
    nothing: required('Note'),
    said: 'Note added',
    shown: '/leads/{freshLead}',
  },
  {
    name: 'reassign lead',
    who: 'owner',
    path: '/leads/{spareLead}',
    h1: 'Spare Lead',
    open: '*Reassign',
    submit: 'Reassign',
    fields: { Partner: { typed: 'Jane Whitfield', how: 'pick' }, Reason: reason() },
    nothing: reasonRequired,
    said: 'Lead reassigned',
  },
  {
    name: 'status of several leads',
    who: 'owner',
    path: '/leads?search=several',
    h1: 'Leads',
    selects: true,
    open: 'Change status',
    submit: 'Change status',
    fields: { Status: chosen('Lost'), Reason: chosen('Spam'), Note: text('change.note', 1000) },
    said: 'Status of 2 leads changed',
  },
  {
    name: 'partner of several leads',
    who: 'owner',
    path: '/leads?search=several',
    h1: 'Leads',
    selects: true,
    open: 'Reassign',
    submit: 'Reassign',
    fields: { Partner: { typed: 'Jane Whitfield', how: 'pick' }, Reason: text('change.reason', 1000) },
    nothing: reasonRequired,
    said: '2 leads reassigned',
  },
  {
    name: 'note for several leads',
    who: 'owner',
    path: '/leads?search=several',
    h1: 'Leads',
    selects: true,
    open: 'Add note',
    submit: 'Add note',
    fields: { Note: text('change.text', 2000) },
    nothing: required('Note'),
    said: 'Note added to 2 leads',
  },
  {
    name: 'extend protection',
    who: 'owner',
    path: '/leads/{spareLead}',
    h1: 'Spare Lead',
    open: '*Extend protection',
    submit: 'Extend protection',
    fields: {
      'Protected Until': {
        path: 'protectedUntil',
        typed: '9999-12-31',
        refused: [longAgo, ['0001-01-01', 'Choose a future date']],
      },
    },
    nothing: required('Protected Until'),
  },
  {
    name: 'add sale',
    who: 'owner',
    path: '/leads/{lead}/new-sale',
    h1: 'Add sale',
    submit: 'Add sale',
    fields: {
      Amount: money('amount', '10000000000'),
      'Sale Date': { path: 'saleDate', typed: today, refused: [notFuture, longAgo] },
      Description: text('description', 1000),
      'External ID': text('externalId', 255),
    },
    nothing: required('Amount', 'Sale Date'),
    said: 'Sale added',
    shown: '/leads/{lead}',
  },
  {
    name: 'refund sale',
    who: 'owner',
    path: '/leads/{spareLead}',
    h1: 'Spare Lead',
    of: 'To be refunded',
    open: '/Refund',
    submit: 'Refund',
    fields: {
      'Refund Amount': {
        path: 'amount',
        typed: '12.34',
        minor: true,
        refused: [
          ['-5', 'Enter an amount greater than 0'],
          ['1e21', 'Enter an amount greater than 0'],
          ['10000000000', 'Only $50.00 is left to refund'],
        ],
      },
      Reason: reason(),
    },
    nothing: required('Refund Amount', 'Reason'),
    said: 'Refund of $12.34 recorded',
  },
  {
    name: 'void sale',
    who: 'owner',
    path: '/leads/{spareLead}',
    h1: 'Spare Lead',
    of: 'To be voided',
    open: '/Void',
    submit: 'Void',
    fields: { Reason: reason() },
    nothing: reasonRequired,
    said: 'Sale voided',
  },
  {
    name: 'release sale',
    who: 'owner',
    path: '/leads/{ownLead}',
    h1: 'Partner Oneself',
    of: 'To be released',
    open: 'Release',
    submit: 'Release',
    fields: { Reason: reason() },
    nothing: reasonRequired,
    said: 'Sale released',
  },
  {
    name: 'exchange rate',
    who: 'owner',
    path: '/leads/{lead}',
    h1: 'Hannah Cole',
    of: 'Waits for a rate',
    open: 'Enter exchange rate',
    submit: 'Enter exchange rate',
    fields: {
      'Exchange Rate': exchangeRate,
    },
    nothing: required('Exchange Rate'),
    said: 'Exchange rate entered',
  },
  {
    name: 'rate of the settings',
    who: 'owner',
    path: '/account/settings',
    h1: 'Settings',
    open: 'Add rate',
    submit: 'Add rate',
    fields: {
      Currency: chosen('sek'),
      Date: exactly('date', '2026-01-31', longAgo),
      Rate: exchangeRate,
    },
    nothing: required('Date', 'Rate'),
    said: 'Exchange rate added',
  },
  {
    name: 'person',
    who: 'owner',
    path: '/account/settings?tab=people',
    h1: 'Settings',
    open: 'Add person',
    submit: 'Add person',
    fields: { Email: email('email', 'new.colleague@mail.example'), ...names() },
    nothing: required('Email'),
    said: 'New invitation link created',
  },
  {
    name: 'attribute sale',
    who: 'owner',
    path: '/leads?tab=unattributed',
    h1: 'Leads',
    open: 'Attribute',
    submit: 'Attribute',
    fields: { Partner: { typed: 'Jane Whitfield', how: 'pick' }, Reason: reason() },
    nothing: { Partner: 'Choose a partner or a lead', ...reasonRequired },
    said: 'Sale attributed',
  },
  {
    name: 'question to a partner',
    who: 'owner',
    path: '/cases?rule=disposable-mail&partnerId={partner}',
    h1: 'Fraud review',
    of: 'Milo Grant',
    open: '/Ask partner',
    submit: 'Send question',
    fields: { Question: text('text', 1000) },
    nothing: required('Question'),
    said: 'Question sent',
  },
  {
    name: 'answer of a partner',
    who: 'partner',
    path: '/dashboard',
    h1: 'Dashboard',
    unguarded: true,
    submit: 'Send answer',
    fields: { Answer: text('text', 1000) },
    nothing: required('Answer'),
    said: 'Answer sent',
  },
  {
    name: 'release of a case',
    who: 'owner',
    path: '/cases',
    h1: 'Fraud review',
    of: 'Milo Grant',
    open: '/Release',
    submit: 'Release case',
    fields: { Reason: reason() },
    nothing: reasonRequired,
    said: 'Case released',
  },
  {
    name: 'refusal of a claim',
    who: 'owner',
    path: '/claims/{otherClaim}',
    h1: 'Claim from Jane Whitfield',
    open: 'Decline',
    submit: 'Decline',
    fields: { Reason: text('reason', 500) },
    nothing: required('Reason'),
    said: 'Claim declined',
  },
  {
    name: 'claim of a missing sale',
    who: 'partner',
    path: '/leads',
    h1: 'Leads',
    open: 'Missing a sale?',
    stays: true,
    submit: 'Send claim',
    fields: { 'Order ID': text('orderId', 200), Note: text('note', 1000) },
    nothing: { 'Order ID': 'Enter an order ID or an email' },
    said: 'Claim sent',
  },
  {
    name: 'add link',
    who: 'owner',
    path: '/links/new',
    h1: 'Add link',
    more: true,
    first: ['Custom rates'],
    submit: 'Add link',
    fields: link('commissionSettings'),
    nothing: {
      ...required('Name', 'Destination URL', 'Parameter Name', 'Cookie Window (days)', 'Layer 1 Rate'),
    },
    said: 'Link added',
    again: 'update',
  },
  {
    name: 'edit link',
    who: 'owner',
    path: '/links/{link}/update',
    h1: 'Edit link',
    more: true,
    first: ['Custom rates'],
    submit: 'Save changes',
    fields: link('terms.otherwise'),
    nothing: {
      ...required('Name', 'Destination URL', 'Parameter Name', 'Cookie Window (days)', 'Layer 1 Rate'),
    },
    said: 'Link saved',
    again: 'update',
  },
  {
    name: 'mark as paid',
    who: 'owner',
    path: '/payouts/{payout}',
    h1: 'Payout PO-1',
    open: '*Mark as paid',
    submit: 'Mark as paid',
    fields: {
      'Payment Reference': text('reference', 255),
      'Paid On': { typed: today, refused: [notFuture, longAgo] },
    },
    nothing: { 'Payment Reference': 'Payment Reference is required', 'Paid On': 'Enter a date' },
    said: 'PO-1 marked as paid',
    shown: '/payouts/{payout}',
  },
  {
    name: 'payment of several payouts',
    who: 'owner',
    path: '/payouts?search=several&tab=needs-action',
    h1: 'Payouts',
    selects: true,
    open: 'Mark as paid',
    submit: 'Mark as paid',
    fields: {
      'Payment Reference': text('change.reference', 255),
      'Paid On': { typed: today, refused: [notFuture, longAgo] },
    },
    nothing: { 'Payment Reference': 'Payment Reference is required', 'Paid On': 'Enter a date' },
    said: '2 payouts marked as paid',
  },
  {
    name: 'general settings',
    who: 'owner',
    path: '/account/settings',
    h1: 'Settings',
    submit: 'Save changes',
    fields: { 'Account Name': text('name', 100) },
    said: 'Settings saved',
    again: '/account/settings',
  },
  {
    // without customers, so that it saves without asking whom a change applies to
    name: 'commission settings',
    who: 'newOwner',
    path: '/account/settings?tab=commission',
    h1: 'Settings',
    submit: 'Save changes',
    fields: {
      'Layer 1 Rate': rate('terms.otherwise.layerRates.0'),
      'Recurring Limit (months)': days('recurringMonths', '120', 'Enter 1 to 120 months'),
    },
    nothing: required('Layer 1 Rate'),
    said: 'Settings saved',
    again: '/account/settings?tab=commission',
  },
  {
    name: 'attribution settings',
    who: 'owner',
    path: '/account/settings?tab=attribution',
    h1: 'Settings',
    submit: 'Save changes',
    fields: {
      'Lead Protection (days)': days('leadProtectionDays', '365', 'Enter 0 to 365 days'),
      'Parameters of Old Links': { path: 'oldLinkParameters', typed: 'fpr', how: 'tag' },
    },
    nothing: required('Lead Protection (days)'),
    said: 'Settings saved',
    again: '/account/settings?tab=attribution',
  },
  {
    name: 'fraud rules',
    who: 'newOwner',
    path: '/account/settings?tab=attribution',
    h1: 'Settings',
    first: ['Paid ads', 'Banned site', 'Refund rate', 'Lead speed'].map((label) => ({ label, choice: 'Flag' })),
    submit: 'Save fraud rules',
    fields: {
      'Your Own Campaigns': { path: 'paidAds.campaigns', typed: hostile(), how: 'tag' },
      'Banned Sites': { path: 'bannedReferrer.hosts', typed: '*.coupons.example', how: 'tag' },
      'Refunds from (%)': number('refundRate.percent', '40', 'Enter 1 to 100'),
      'Leads an Hour': number('speed.leadsPerHour', '30', 'Enter 1 to 1000'),
    },
    nothing: required('Refunds from (%)', 'Leads an Hour'),
    said: 'Fraud rules saved',
  },
  {
    name: 'program page',
    who: 'newOwner',
    path: '/account/settings?tab=program',
    h1: 'Settings',
    first: ['Open'],
    submit: 'Save page',
    fields: {
      Address: exactly(
        'slug',
        'hostile-page',
        ['ab', noSlug],
        ['a b', noSlug],
        ['<b>', noSlug],
        ['админ', noSlug],
        ['confirm', 'This address is taken'],
        [TOO_LONG, noSlug],
      ),
      Headline: text('headline', 120),
      About: text('text', 5000),
      'Not Allowed': text('rules', 5000),
    },
    nothing: required('Address'),
    said: 'Program page saved',
    again: '/account/settings?tab=program',
  },
  {
    name: 'partner agreement',
    who: 'newOwner',
    path: '/account/settings?tab=program',
    h1: 'Settings',
    first: ['New version'],
    submit: 'Publish version 1',
    confirms: 'Publish version 1',
    done: 'Publish version 1',
    fields: { Text: exactly('text', hostile(), ['a\u0000b', 'Remove unsupported characters']) },
    nothing: required('Text'),
    said: 'Partner agreement published',
  },
  {
    name: 'application form',
    who: 'newOwner',
    path: '/account/settings?tab=program',
    h1: 'Settings',
    first: ['Add question'],
    submit: 'Save applications',
    fields: { Question: text('questions.0.label', 100) },
    nothing: required('Question'),
    said: 'Application form saved',
    again: '/account/settings?tab=program',
  },
  {
    name: 'brand',
    who: 'newOwner',
    path: '/account/settings?tab=program',
    h1: 'Settings',
    submit: 'Save brand',
    fields: {
      'Accent Color': exactly('accent', '#0e7c86', ['red', noAccent], ['#12345', noAccent], [TOO_LONG, noAccent]),
    },
    said: 'Brand saved',
    again: '/account/settings?tab=program',
  },
  {
    name: 'own domain',
    who: 'newOwner',
    path: '/account/settings?tab=program',
    h1: 'Settings',
    submit: 'Save domain',
    fields: {
      Domain: exactly('host', 'join.acme.invalid', ['acme', noHost], ['10.0.0.1', noHost], tooLong(1000)),
    },
    said: 'Domain saved',
    again: '/account/settings?tab=program',
  },
  {
    name: 'asset',
    who: 'newOwner',
    path: '/partners?tab=assets',
    h1: 'Partners',
    open: 'Add asset',
    first: ['HTML'],
    submit: 'Add asset',
    fields: { Name: text('name', 60), Content: exactly('body', '<b>{link}</b>', tooLong(5000)) },
    nothing: required('Name'),
    said: 'Asset added',
  },
  {
    name: 'announcement',
    who: 'owner',
    path: '/partners?search=whitfield',
    h1: 'Partners',
    open: 'Announce',
    submit: 'Preview',
    fields: {
      Subject: exactly(
        'subject',
        '<b>שלום</b> =1+1 👩‍👩‍👧‍👦',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(100),
      ),
      Message: exactly('body', '# <script>window.__run=1</script>', tooLong(5000)),
    },
    nothing: required('Subject', 'Message'),
    done: 'Send to 1 partner',
    said: 'Sent to 1 partner',
  },
  {
    name: 'report to save',
    who: 'owner',
    path: '/reports?by=source',
    h1: 'Reports',
    open: 'Save report',
    submit: 'Save report',
    fields: {
      'Report Name': exactly(
        'name',
        '<b>שלום</b> =1+1 👩‍👩‍👧‍👦',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(100),
      ),
    },
    nothing: required('Report Name'),
    said: 'Report saved',
  },
  {
    name: 'rejection of an application',
    who: 'owner',
    path: '/partners?tab=applications&search=quist',
    h1: 'Partners',
    open: '/Reject',
    submit: 'Reject',
    fields: { Reason: chosen('Not a fit'), Message: text('message', 1000) },
    nothing: required('Reason'),
    said: '1 application rejected',
  },
  {
    name: 'payout settings',
    who: 'owner',
    path: '/account/settings?tab=payouts',
    h1: 'Settings',
    submit: 'Save changes',
    fields: {
      'Minimum Payout': money('minimumPayout', '0.01', { least: 'Enter 0 or more' }),
      'Limit per Payout': money('maxPerPayout', '10000000000', { least: 'Enter 0 or more' }),
      'Limit per Run': money('maxPerRun', '10,000,000,000.00', { least: 'Enter 0 or more' }),
    },
    nothing: required('Minimum Payout'),
    said: 'Settings saved',
    again: '/account/settings?tab=payouts',
  },
  {
    name: 'PayPal as a payout method',
    who: 'newOwner',
    path: '/account/settings?tab=payouts',
    h1: 'Settings',
    open: 'Set up PayPal',
    submit: 'Save PayPal',
    fields: {
      'Client ID': secret('clientId', '{paypalClientId}', ['a b', notAPaypalKey], tooLong(200)),
      Secret: secret('clientSecret', '{paypalSecret}', ['<b>', notAPaypalKey], tooLong(200)),
    },
    nothing: required('Client ID', 'Secret'),
    said: 'PayPal is set up.',
  },
  {
    name: 'SEPA files as a payout method',
    who: 'newOwner',
    path: '/account/settings?tab=payouts',
    h1: 'Settings',
    open: 'Set up SEPA file',
    submit: 'Save SEPA file',
    fields: {
      'Account Holder': exactly('name', 'Zoë & Söhne <b>', tooLong(70)),
      ...euroAccount(),
      Country: chosen('Germany'),
    },
    nothing: required('Account Holder', 'IBAN', 'Address', 'Zip Code', 'City', 'Country'),
    said: 'SEPA files are set up.',
  },
  {
    name: 'invoice settings',
    who: 'newOwner',
    path: '/account/settings?tab=invoices',
    h1: 'Settings',
    more: true,
    first: ['Issue self-billing invoices'],
    submit: 'Save changes',
    fields: {
      ...party('DE136695976'),
      'VAT Rate': number('vatRate', '7.25', 'Enter a rate from 0 to 30', 'Enter a rate from 0 to 30'),
      'Invoice Prefix': exactly('prefix', 'ACME/26-', ['a b', notAPrefix], ['שלום', notAPrefix], tooLong(10)),
      EIN: exactly('ein', '12-3456789', ['1234', 'Enter an EIN as 12-3456789']),
      Phone: exactly('phone', '+1 212 555 0100', ['12', 'Enter 7 to 15 digits']),
      Payments: exactly(
        'journalAccounts.cash',
        '"><b>עברית</b> =1+1 {{t}}',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(40),
      ),
    },
    nothing: required('Legal Name', 'Address', 'City', 'Country', 'VAT Rate', 'Invoice Prefix'),
    said: 'Invoice settings saved',
    again: '/account/settings?tab=invoices',
  },
  {
    name: 'retention settings',
    who: 'owner',
    path: '/account/settings?tab=data',
    h1: 'Settings',
    submit: 'Save changes',
    fields: {
      'Keep Raw Data for (days)': {
        ...days('retention.rawDataDays', '400', 'Enter 7 to 400 days'),
        kept: [['7', '7']],
      },
      'Erase Leads without a Sale after (months)': {
        ...days('retention.idleLeadMonths', '60', 'Enter 3 to 60 months'),
        kept: [['3', '3']],
      },
      'Keep Payees’ Names for (years)': days('retention.payeeYears', '12', 'Enter 0 to 12 years'),
    },
    nothing: required('Keep Raw Data for (days)', 'Keep Payees’ Names for (years)'),
    said: 'Settings saved',
    again: '/account/settings?tab=data',
  },
  {
    name: 'threshold of the year report',
    who: 'owner',
    path: '/payouts?tab=year-report',
    h1: 'Payouts',
    open: 'Change threshold',
    submit: 'Save changes',
    fields: { Threshold: money('threshold', '0.01') },
    said: 'Threshold saved',
  },
  {
    name: 'embed code',
    who: 'owner',
    path: '/integrations/embed-code',
    h1: 'Embed Code',
    submit: 'Save changes',
    fields: {
      'First Name Selector Type': chosen('Query selector'),
      'First Name Selector Value': text('config.firstName.selectorValue', 500),
      'Email Selector Type': chosen('ID'),
      'Email Selector Value': exactly(
        'config.email.selectorValue',
        '#mail',
        ['#<script>', 'Enter # and a letter, then letters, digits, - _ : or .'],
        ['שלום', 'Enter # and a letter, then letters, digits, - _ : or .'],
      ),
      'Phone Selector Type': chosen('Name'),
      'Phone Selector Value': text('config.phone.selectorValue', 500),
      'Checkout Domains': { path: 'checkoutDomains', typed: 'pay.acme.example', how: 'tag' },
      'Script Name': exactly(
        'path',
        'acme-shop',
        ['ab', 'Use 3 to 40 letters, digits or hyphens'],
        ['a/b', 'Use 3 to 40 letters, digits or hyphens'],
      ),
    },
    said: 'Embed code saved',
    again: '/integrations/embed-code',
  },
  {
    name: 'add outgoing webhook',
    who: 'owner',
    path: '/integrations/outgoing-webhooks/new',
    h1: 'Add outgoing webhook',
    submit: 'Add outgoing webhook',
    fields: {
      Name: webhookName,
      // On this machine, as deliveries are sent to it.
      URL: exactly('url', 'http://127.0.0.1:9/hooks?new=%3Cb%3E', tooLong(2048)),
      Format: chosen('Slack message'),
      'Header Name': exactly(undefined, 'X-Team', ['a\u0000b', 'Remove unsupported characters'], tooLong(100)),
      'Header Value': secret('headers.X-Team', 'green', tooLong(1000)),
    },
    nothing: required('Name', 'URL'),
    done: 'Done',
    said: 'Outgoing webhook added',
    again: 'update',
  },
  {
    name: 'add incoming webhook',
    who: 'owner',
    path: '/integrations/incoming-webhooks/new',
    h1: 'Add incoming webhook',
    submit: 'Add incoming webhook',
    fields: {
      Sender: chosen('Another system'),
      Name: webhookName,
      Target: chosen('Sale'),
    },
    nothing: required('Sender', 'Name'),
    said: 'Waiting for a sample…',
  },
  {
    name: 'edit incoming webhook',
    who: 'owner',
    path: '/integrations/incoming-webhooks/{incoming}/update',
    h1: 'Edit incoming webhook',
    submit: 'Save changes',
    fields: {
      Name: webhookName,
      'Email Path': exactly('rules.0.mapping.0.path', 'contact.mail'),
      'Duplicate Key Path': exactly(
        'dedupePath',
        '/contact/e.mail',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(500),
      ),
    },
    nothing: required('Name'),
    said: 'Incoming webhook saved',
    again: '/integrations/incoming-webhooks/{incoming}/update',
  },
  {
    name: 'edit outgoing webhook',
    who: 'owner',
    path: '/integrations/outgoing-webhooks/{webhook}/update',
    h1: 'Edit outgoing webhook',
    submit: 'Save changes',
    fields: {
      Name: webhookName,
      // On this machine, as deliveries are sent to it.
      URL: exactly('url', 'http://127.0.0.1:9/hooks?a=%3Cb%3E', tooLong(2048)),
      Format: chosen('Slack message'),
      'Header Name': exactly(undefined, 'X-Team', ['a\u0000b', 'Remove unsupported characters'], tooLong(100)),
      'Header Value': secret('headers.X-Team', 'blue', tooLong(1000)),
    },
    nothing: required('Name', 'URL'),
    said: 'Outgoing webhook saved',
    again: '/integrations/outgoing-webhooks/{webhook}/update',
  },
  {
    name: 'partner adds partner',
    who: 'partner',
    path: '/partners/new',
    h1: 'Add partner',
    submit: 'Add partner',
    fields: partnerNames('hostile3@partners.example'),
    nothing: required('Email'),
    said: 'added',
    again: 'update',
  },
  {
    name: 'partner edits partner',
    who: 'partner',
    path: '/partners/{below}/update',
    h1: 'Edit partner',
    submit: 'Save changes',
    fields: partnerNames('hostile4@partners.example'),
    nothing: required('Email'),
    said: 'Partner saved',
    again: 'update',
  },
  {
    name: 'own link',
    who: 'partner',
    path: '/dashboard',
    h1: 'Dashboard',
    open: 'Add link',
    submit: 'Add link',
    fields: {
      Page: exactly('destinationUrl', 'https://shop.example.com/partners', ['shop', notAnAddress]),
      Name: text('name', 60),
      'Sub-ID': text('subId', 100),
    },
    nothing: required('Page', 'Name'),
    said: 'Link added',
  },
  {
    name: 'replaced payout details',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    first: ['Replace'],
    submit: 'Save payout details',
    fields: { ...payoutDetails(), 'Current Password': secret(undefined, PASSWORD) },
    nothing: {
      ...required('Account Holder Name', 'Routing Number', 'Account Number', 'Address', 'City', 'Zip Code'),
      ...required('Current Password'),
      State: 'Choose a state',
    },
    said: 'Payout details saved',
    shown: '/partner/settings',
  },
  {
    name: 'person of a partner',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    open: 'Add person',
    submit: 'Add person',
    fields: { Email: email('email', 'new.colleague@partners.example'), ...names() },
    nothing: required('Email'),
    said: 'Invitation sent',
  },
  {
    name: 'removing payout details',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    open: 'Remove payout details',
    submit: 'Remove payout details',
    fields: { 'Current Password': secret(undefined, PASSWORD, [TOO_LONG, 'Use at most 1000 characters']) },
    nothing: required('Current Password'),
    said: 'Payout details removed',
  },
  {
    name: 'payout details by IBAN',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    first: [{ label: 'Bank Country', choice: 'Germany' }],
    submit: 'Save payout details',
    fields: { 'Account Holder Name': holderName(), ...euroAccount(), 'Current Password': secret(undefined, PASSWORD) },
    nothing: required('Account Holder Name', 'IBAN', 'Address', 'Zip Code', 'City', 'Current Password'),
    said: 'Payout details saved',
  },
  {
    name: 'payout details by PayPal',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    first: ['Replace', 'PayPal'],
    submit: 'Save payout details',
    fields: {
      'PayPal Email': email('email', 'zoe@wallet.example'),
      'Current Password': secret(undefined, PASSWORD),
    },
    nothing: required('PayPal Email', 'Current Password'),
    said: 'Payout details saved',
  },
  {
    name: 'payout details by a bank elsewhere',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    first: ['Replace', 'Bank account', { label: 'Bank Country', choice: 'Mexico' }],
    submit: 'Save payout details',
    fields: {
      'Recipient type': chosen('Person'),
      'Full name of the account holder': exactly(
        'fields.accountHolderName',
        'Zoë O’Neil שלום',
        ['x', 'Use at least 2 characters'],
        tooLong(140),
      ),
      Clabe: secret('fields.clabe', '032180000118359719', ['1', 'Use at least 18 characters'], tooLong(18)),
      'Current Password': secret(undefined, PASSWORD),
    },
    nothing: required('Recipient type', 'Full name of the account holder', 'Clabe', 'Current Password'),
    said: 'Payout details saved',
  },
  {
    name: 'invoice details',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    open: 'Add invoice details',
    submit: 'Save invoice details',
    fields: {
      ...party('DE987654321'),
      'I agree that Harbor GmbH issues invoices for my commissions, and I will not issue my own.': {
        typed: '',
        how: 'tick',
      },
    },
    nothing: {
      ...required('Legal Name', 'Address', 'City', 'Country'),
      'I agree that Harbor GmbH issues invoices for my commissions, and I will not issue my own.':
        'Agree to the invoices first',
    },
    said: 'Invoice details saved',
  },
  {
    name: 'connect a payment provider',
    who: 'newOwner',
    path: '/integrations/payment-providers',
    h1: 'Payment Providers',
    open: 'Connect Stripe',
    submit: 'Connect Stripe',
    fields: {
      'Restricted Key': secret('credentials.restrictedKey', '{stripeKey}', [
        TOO_LONG,
        'Enter a restricted key. It begins with rk_live_ or rk_test_',
      ]),
      'Webhook Signing Secret': secret('credentials.webhookSecret', '', ['nothing of the kind', 'begins with whsec_']),
    },
    nothing: required('Restricted Key'),
    said: 'Stripe connected',
  },
  {
    name: 'replaced credentials of a payment provider',
    who: 'newOwner',
    path: '/integrations/payment-providers',
    h1: 'Payment Providers',
    open: '/Replace credentials',
    submit: 'Replace credentials',
    fields: {
      'Restricted Key': secret('credentials.restrictedKey', '{stripeKey}', [
        TOO_LONG,
        'Enter a restricted key. It begins with rk_live_ or rk_test_',
      ]),
      'Webhook Signing Secret': secret('credentials.webhookSecret', '', ['nothing of the kind', 'begins with whsec_']),
    },
    nothing: { 'Restricted Key': 'Enter a new key or a new signing secret' },
    said: 'Credentials for Stripe replaced',
  },
  {
    name: 'promotion codes at a payment provider',
    who: 'newOwner',
    path: '/integrations/payment-providers',
    h1: 'Payment Providers',
    open: '/Make promotion codes',
    submit: 'Make codes',
    fields: {
      Coupon: chosen('Partners 10%'),
      Pattern: exactly(
        'rule.pattern',
        'X{name}20',
        ['{name} 10', 'Use letters, digits, {name} and {number}'],
        ['NAME', 'at least one of the last two'],
        ['{name}ABCDEFGHIJKLMNOPQ', 'Leave room: a code has 20 characters at most'],
        tooLong(40),
      ),
    },
    nothing: required('Coupon', 'Pattern'),
    said: 'Promotion codes are made from now on',
  },
  {
    name: 'signing secret',
    who: 'newOwner',
    path: '/integrations/payment-providers',
    h1: 'Payment Providers',
    submit: 'Save secret',
    fields: {
      'Webhook Signing Secret': secret('webhookSecret', 'whsec_T0p+S3cret/=_-', [
        TOO_LONG,
        'Use at most 500 characters',
      ]),
    },
    nothing: required('Webhook Signing Secret'),
    said: 'Signing secret saved',
  },
  {
    name: 'payout details',
    who: 'newPartner',
    path: '/partner/settings',
    h1: 'Settings',
    submit: 'Save payout details',
    fields: payoutDetails(),
    nothing: {
      ...required('Account Holder Name', 'Routing Number', 'Account Number', 'Address', 'City', 'Zip Code'),
      State: 'Choose a state',
    },
    said: 'Payout details saved',
    shown: '/partner/settings',
  },
  {
    name: 'own tax form',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    first: ['Add your tax form'],
    submit: 'Sign form',
    fields: {
      'Legal Name': exactly('name', signer, ['a\u0000b', 'Remove unsupported characters'], tooLong(100)),
      'Business Name': exactly(
        'businessName',
        'O’Neil & Söhne',
        ['www.oneil.example', 'Use a name without a web address'],
        tooLong(100),
      ),
      'Tax Classification': chosen('Partnership'),
      Address: text('address.addressLine', 200),
      City: text('address.city', 100),
      State: chosen('New York'),
      'Zip Code': exactly('address.zipCode', '10004', ['123', zipCode], ['1000a', zipCode]),
      'Tax Number': secret('tin', '219-09-7391', ['666-09-7391', taxNumber], ['1'.repeat(9), taxNumber]),
      'Exempt Payee Code': exactly('exemptPayeeCode', '5', ['14', 'Enter a code from 1 to 13'], tooLong(4)),
      'I certify this': { typed: '', how: 'tick' },
      Signature: exactly('signature', signer, ['a\u0000b', 'Remove unsupported characters'], tooLong(100)),
    },
    nothing: {
      ...required('Legal Name', 'Tax Classification', 'Address', 'City', 'State', 'Zip Code', 'Tax Number'),
      ...required('Signature'),
      'I certify this': 'Confirm what you certify',
    },
    said: 'Tax form signed',
  },
  {
    name: 'own tax form from abroad',
    who: 'partner',
    path: '/partner/settings',
    h1: 'Settings',
    first: ['Sign another form', 'No'],
    submit: 'Sign form',
    fields: {
      'Legal Name': exactly('name', signer, ['a\u0000b', 'Remove unsupported characters'], tooLong(100)),
      Citizenship: chosen('Germany'),
      'Birth Date': {
        path: 'birthDate',
        typed: '1990-05-17',
        refused: [
          ['1899-12-31', 'Enter a date in the past'],
          ['2999-12-31', 'Enter a date in the past'],
        ],
      },
      Address: text('residence.addressLine', 200),
      City: text('residence.city', 100),
      Region: text('residence.region', 100),
      'Zip Code': exactly('residence.zipCode', '10119', tooLong(20)),
      Country: chosen('Germany'),
      'Tax Number': secret('tin', '12 345 678 901', ['<b>', taxNumber]),
      'I certify this': { typed: '', how: 'tick' },
      Signature: exactly('signature', signer, ['a\u0000b', 'Remove unsupported characters'], tooLong(100)),
    },
    nothing: {
      ...required('Legal Name', 'Citizenship', 'Birth Date', 'Address', 'City', 'Country', 'Signature'),
      'Tax Number': taxNumber,
      'I certify this': 'Confirm what you certify',
    },
    said: 'Tax form signed',
  },
  {
    name: 'names of the profile',
    who: 'newPartner',
    path: '/user/profile',
    h1: 'Profile',
    submit: 'Save changes',
    fields: names(),
    said: 'Profile saved',
    again: '/user/profile',
  },
  {
    name: 'password of the profile',
    who: 'newPartner',
    path: '/user/profile',
    h1: 'Profile',
    submit: 'Change password',
    fields: {
      'Current Password': secret('currentPassword', PASSWORD, [TOO_LONG, 'Use at most 1000 characters']),
      ...passwords('New Password'),
    },
    nothing: required('Current Password', 'New Password', 'Confirm Password'),
    unguarded: true,
    said: 'Password changed',
  },
  {
    name: 'access token',
    who: 'owner',
    path: '/user/profile',
    h1: 'Profile',
    open: 'Add access token',
    submit: 'Add access token',
    fields: { Name: keyName, Expires: chosen('In 30 days') },
    nothing: required('Name'),
    done: 'Close',
    shown: '/user/profile',
  },
  {
    name: 'API key',
    who: 'owner',
    path: '/integrations/push-data',
    h1: 'Push Data',
    open: 'Add API key',
    first: ['Read data'],
    submit: 'Add API key',
    fields: { Name: keyName, Expires: chosen('In 90 days') },
    nothing: required('Name'),
    done: 'Close',
    shown: '/integrations/push-data',
  },
  {
    name: 'frame hosts',
    who: 'owner',
    path: '/integrations/push-data?tab=portal',
    h1: 'Push Data',
    submit: 'Save changes',
    fields: { 'Frame Hosts': { path: 'frameHosts', typed: 'app.acme.example', how: 'tag' } },
    said: 'Frame hosts saved',
  },
  {
    name: 'saved view',
    who: 'owner',
    path: '/leads?status=won',
    h1: 'Leads',
    open: 'Save view',
    submit: 'Save',
    fields: {
      Name: exactly(
        undefined,
        '<b>שלום</b> {{t}} 👩‍👩‍👧‍👦',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(60),
      ),
    },
    nothing: required('Name'),
    said: 'View saved',
  },
  {
    name: 'test email',
    who: 'administrator',
    path: '/admin/mail',
    h1: 'Mail',
    open: 'Send test email',
    submit: 'Send email',
    fields: { Email: email('email', 'hostile+test@mail.example') },
    nothing: required('Email'),
    done: 'Done',
  },
  {
    name: 'add account',
    who: 'administrator',
    path: '/admin/accounts/new',
    h1: 'Add account',
    submit: 'Add account',
    fields: {
      'Account Name': text('name', 100),
      'Owner Email': email('owner.email', 'hostile@owners.example'),
      'Owner First Name': text('owner.firstName', 100),
      'Owner Last Name': text('owner.lastName', 100),
    },
    said: 'Account added',
    shown: 'there',
  },
  {
    name: 'assign owner',
    who: 'administrator',
    path: '/admin/accounts/{spareAccount}',
    h1: 'Spare Account',
    open: 'Assign owner',
    submit: 'Assign owner',
    fields: ownersOwn('hostile2@owners.example'),
    nothing: required('Owner Email'),
    said: 'Owner assigned',
    shown: '/admin/accounts/{spareAccount}',
  },
  {
    name: 'disable account',
    who: 'administrator',
    path: '/admin/accounts/{spareAccount}',
    h1: 'Spare Account',
    open: 'Disable account',
    submit: 'Disable account',
    fields: { Reason: reason() },
    nothing: reasonRequired,
    said: 'Spare Account disabled',
    shown: '/admin/accounts/{spareAccount}',
  },
  {
    name: 'enable account',
    who: 'administrator',
    path: '/admin/accounts/{spareAccount}',
    h1: 'Spare Account',
    open: 'Enable account',
    submit: 'Enable account',
    fields: { Reason: reason() },
    said: 'Spare Account enabled',
  },
  {
    name: 'sign in',
    who: 'nobody',
    path: '/auth/sign-in',
    h1: 'Sign in',
    submit: 'Sign in',
    fields: {
      Email: email('email', 'nobody@mail.example'),
      Password: secret('password', password, [TOO_LONG, 'Use at most 1000 characters']),
    },
    nothing: required('Email', 'Password'),
    unguarded: true,
    alert: 'Email or password is incorrect.',
  },
  {
    name: 'reset password',
    who: 'nobody',
    path: '/auth/reset-password',
    h1: 'Reset password',
    submit: 'Send reset link',
    fields: { Email: email('email', 'nobody@mail.example') },
    nothing: required('Email'),
    unguarded: true,
    said: 'If an account exists for this email, a reset link is on its way.',
  },
  {
    name: 'ask for another set-up link',
    who: 'nobody',
    path: '/user-setup',
    h1: 'Set up your account',
    submit: 'Send a new link',
    fields: { Email: email('email', 'nobody@mail.example') },
    nothing: required('Email'),
    unguarded: true,
    said: 'If there’s a pending invitation for this email, a new link is on its way.',
  },
  {
    name: 'choose a new password',
    who: 'nobody',
    path: '/auth/reset-password{resetToken}',
    h1: 'Choose a new password',
    submit: 'Change password',
    fields: passwords('New Password'),
    nothing: required('New Password', 'Confirm Password'),
    unguarded: true,
    lands: 'Dashboard',
  },
  {
    name: 'set up an account',
    who: 'nobody',
    path: '/user-setup{setUpToken}',
    h1: 'Set up your account',
    submit: 'Finish setup',
    fields: {
      'First Name': exactly('firstName', hostile()),
      'Last Name': exactly('lastName', hostile()),
      ...passwords('Password'),
    },
    nothing: required('Password', 'Confirm Password'),
    unguarded: true,
    lands: 'Dashboard',
    again: '/user/profile',
  },
]
