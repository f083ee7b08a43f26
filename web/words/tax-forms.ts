import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of a partner's own tax form. */
export const taxFormWords = defineWords('tax-form', 'partner', {
  heading: 'Tax form',
  add: 'Add your tax form',
  replace: 'Sign another form',
  asked: ({ account }: { account: Word }) => `${account} asks you for a tax form.`,
  required: ({ account }: { account: Word }) => `${account} can’t pay you without a tax form.`,
  signed: ({ form, date }: { form: Word; date: Word }) => `You signed a ${form} on ${date}.`,
  recorded: ({ account, form, date }: { account: Word; form: Word; date: Word }) =>
    `${account} received your ${form} on ${date}.`,
  ending: ({ digits }: { digits: Word }) => `The number on it ends in ${digits}.`,
  until: ({ date }: { date: Word }) => `It counts until ${date}.`,
  expired: ({ form, date }: { form: Word; date: Word }) => `Your ${form} expired on ${date}.`,
  onFile: 'On file',
  missing: 'Missing',
  hasExpired: 'Expired',
  forms: { 'w-9': 'W-9', 'w-8ben': 'W-8BEN', 'w-8ben-e': 'W-8BEN-E' },

  usPerson: 'Are you a US person?',
  usHelp: 'A citizen or resident of the United States, or a business formed there.',
  who: 'Who Is Paid',
  answers: { yes: 'Yes', no: 'No' },
  kinds: { person: 'A person', organization: 'An organization' },
  organization: ({ account }: { account: Word }) =>
    `An organization outside the United States fills in a W-8BEN-E. Send it to ${account}, who records that they received it.`,

  name: 'Legal Name',
  nameHelp: 'As on your tax return.',
  businessName: 'Business Name',
  classification: 'Tax Classification',
  chooseClassification: 'Choose a classification',
  classifications: {
    individual: 'Individual or sole proprietor',
    'c-corporation': 'C corporation',
    's-corporation': 'S corporation',
    partnership: 'Partnership',
    'trust-estate': 'Trust or estate',
    'llc-c': 'LLC taxed as a C corporation',
    'llc-s': 'LLC taxed as an S corporation',
    'llc-p': 'LLC taxed as a partnership',
    other: 'Other',
  },
  exemptPayeeCode: 'Exempt Payee Code',
  exemptHelp: 'Only for certain entities, never for an individual.',
  tinType: 'Kind of Number',
  tinTypes: {
    ssn: 'SSN',
    ein: 'EIN',
    foreign: 'Tax number of my country',
    us: 'US tax number',
    'not-required': 'None is required',
  },
  tin: 'Tax Number',
  tinHelp: 'Encrypted. Only its last four characters are shown.',
  tinWrong: 'Enter a valid tax number',

  citizenship: 'Citizenship',
  residence: 'Permanent residence',
  region: 'Region',
  notUs: 'A person who lives in the United States signs a W-9',
  mailsElsewhere: 'My mailing address is another one',
  mailing: 'Mailing address',
  birthDate: 'Birth Date',
  past: 'Enter a date in the past',

  certification: 'Certification',
  certified: 'I certify this',
  mustCertify: 'Confirm what you certify',
  signature: 'Signature',
  signatureHelp: 'Type your name as above, or as in your payout details.',
  sign: 'Sign form',
  done: 'Tax form signed',
})

/** The words of an account's settings about tax forms. */
export const payerWords = {
  heading: 'US tax forms',
  help: 'For accounts that pay from the United States. None of this is tax advice.',
  taxForms: 'US Tax Forms',
  policies: { off: 'Off', ask: 'Ask', required: 'Required' },
  taxFormsHelp: {
    off: 'Partners see nothing of it. You can record the forms you receive.',
    ask: 'Partners fill in and sign a form in their settings.',
    required: 'Partners without a valid form aren’t paid.',
  },
  ein: 'EIN',
  phone: 'Phone',
}
