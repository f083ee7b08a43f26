import type { Fields } from './server.ts'
import {
  accountRequirements,
  buildComplaint,
  buildField,
  type Complaint,
  complaintsAboutRecipient,
} from './wise-rules.ts'

/** A type of account in Wise's requirements. */
export type WiseForm = {
  type: string
  title: string
  usageInfo?: string | null
  fields: ReturnType<typeof buildField>[]
}

const legalType = (refresh = false) =>
  buildField('legalType', 'Recipient type', { values: { PRIVATE: 'Person', BUSINESS: 'Business' }, refresh })
const holder = buildField('accountHolderName', 'Full name of the account holder', {
  min: 2,
  max: 140,
  pattern: '^\\D+$',
})
const countries = { BR: 'Brazil', DE: 'Germany', FR: 'France', GB: 'United Kingdom', MX: 'Mexico', US: 'United States' }

function optional(one: ReturnType<typeof buildField>) {
  one.group[0]!.required = false
  return one
}

function dated(one: ReturnType<typeof buildField>) {
  one.group[0]!.type = 'date'
  return one
}

const address = (country: unknown, states: Record<string, string> = {}) => [
  buildField('address.country', 'Country', { values: countries, refresh: true }),
  ...(country === 'BR' ? [buildField('address.state', 'State', { values: states })] : []),
  buildField('address.city', 'City', { max: 255 }),
  buildField('address.firstLine', 'Recipient address', { max: 255 }),
  buildField('address.postCode', 'Post code', { max: 32 }),
]

const iban = (country: unknown): WiseForm => ({
  type: 'iban',
  title: 'Bank account with an IBAN',
  fields: [
    legalType(),
    holder,
    optional(buildField('BIC', 'Bank code (BIC / SWIFT)', { min: 8, max: 11, pattern: '^[a-zA-Z0-9]+$' })),
    buildField('IBAN', 'IBAN', { min: 14, max: 42, pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9 ]+$' }),
    ...address(country),
  ],
})

/** The types of account by currency, for a draft of a recipient; Wise pays in no other currency. */
const forms: Record<string, (draft: Fields) => WiseForm[]> = {
  BRL: ({ legalType: kind, address: at }) => [
    {
      type: 'brazil',
      title: 'Local bank account',
      fields: [
        legalType(true),
        holder,
        ...(kind === 'BUSINESS'
          ? [buildField('cnpj', 'Tax number (CNPJ)', { pattern: '^\\d{14}$' })]
          : [buildField('cpf', 'Tax number (CPF)', { min: 11, max: 11, pattern: '^\\d{11}$' })]),
        buildField('bankCode', 'Bank', { values: { '001': 'Banco do Brasil', 260: 'Nubank' } }),
        buildField('branchCode', 'Branch', { min: 4, max: 5, pattern: '^\\d{4,5}$' }),
        buildField('accountNumber', 'Account number', { min: 1, max: 21, pattern: '^[0-9-]+$' }),
        buildField('accountType', 'Account type', { values: { CHECKING: 'Checking', SAVINGS: 'Savings' } }),
        ...address((at as Fields | undefined)?.country, { RJ: 'Rio de Janeiro', SP: 'São Paulo' }),
      ],
    },
  ],
  GBP: ({ address: at }) => [
    {
      type: 'sort_code',
      title: 'UK bank account',
      fields: [
        legalType(),
        holder,
        buildField('sortCode', 'UK sort code', { min: 6, max: 8, pattern: '^[0-9-]+$' }),
        buildField('accountNumber', 'Account number', { min: 8, max: 8, pattern: '^\\d{8}$' }),
      ],
    },
    iban((at as Fields | undefined)?.country),
    { type: 'email', title: 'E-mail', fields: [holder, buildField('email', 'E-mail')] },
  ],
  EUR: ({ address: at }) => [iban((at as Fields | undefined)?.country)],
  MXN: () => [
    {
      type: 'mexican',
      title: 'Local bank account',
      fields: [legalType(), holder, buildField('clabe', 'Clabe', { min: 18, max: 18, pattern: '^\\d{18}$' })],
    },
  ],
  KRW: () => [
    {
      type: 'south_korean_paygate',
      title: 'PayGate',
      fields: [
        buildField('email', 'E-mail', { pattern: '^[^\\s]+@[^\\s]+\\.[^\\s]{2,}$' }),
        buildField('legalType', 'Recipient type', { values: { PRIVATE: 'Person' } }),
        holder,
        dated(buildField('dateOfBirth', 'Date of birth', { pattern: '^\\d{4}\\-\\d{2}\\-\\d{2}$' })),
        buildField('bankCode', 'Bank', { values: { '': 'Choose the bank', '004': 'Kookmin Bank' } }),
        buildField('accountNumber', 'Account number', { min: 4, max: 19, pattern: '^\\d+$' }),
      ],
    },
  ],
}

export const paysIn = (currency: unknown) => currency === 'USD' || Object.hasOwn(forms, String(currency))

/** Wise's forms for a draft; `more` adds fields to that of the United States. */
export const formsFor = (currency: unknown, draft: Fields = {}, more: ReturnType<typeof buildField>[] = []) =>
  currency === 'USD'
    ? accountRequirements(draft, more)
    : (forms[String(currency)]?.((draft.details ?? {}) as Fields) ?? [])

const at = (from: Fields, path: string) =>
  path.split('.').reduce<unknown>((inside, name) => (inside as Fields | undefined)?.[name], from)

/** Returns Wise's complaints about a new recipient; empty if it is accepted. */
export function complaintsAboutAccount(body: Fields, told: WiseForm[] = formsFor(body.currency, body)): Complaint[] {
  if (body.currency === 'USD') return complaintsAboutRecipient(body)
  const form = told.find(({ type }) => type === body.type)
  if (!form) return [buildComplaint('type', 'Please choose a valid account type.')]
  const { accountHolderName, email } = body
  const values = { ...(body.details as Fields), accountHolderName, email }
  return form.fields
    .flatMap(({ group }) => group)
    .filter(({ key, required, valuesAllowed, validationRegexp }) => {
      const value = at(values, key) ?? ''
      if (typeof value !== 'string') return true
      if (value === '') return required
      if (valuesAllowed && !valuesAllowed.some((one) => one.key === value)) return true
      return validationRegexp !== null && !new RegExp(validationRegexp).test(value)
    })
    .map(({ key, name }) => buildComplaint(key, `Please enter a valid ${name}.`))
}
