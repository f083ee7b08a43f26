import type { Fields } from './server.ts'
import { accountRequirements, type Complaint, complaint, complaintsAboutRecipient, field } from './wise-rules.ts'

/** A type of account in Wise's requirements. */
export type WiseForm = { type: string; title: string; usageInfo?: string | null; fields: ReturnType<typeof field>[] }

const legalType = (refresh = false) =>
  field('legalType', 'Recipient type', { values: { PRIVATE: 'Person', BUSINESS: 'Business' }, refresh })
const holder = field('accountHolderName', 'Full name of the account holder', { min: 2, max: 140, pattern: '^\\D+$' })
const countries = { BR: 'Brazil', DE: 'Germany', FR: 'France', GB: 'United Kingdom', MX: 'Mexico', US: 'United States' }

function optional(one: ReturnType<typeof field>) {
  one.group[0]!.required = false
  return one
}

function dated(one: ReturnType<typeof field>) {
  one.group[0]!.type = 'date'
  return one
}

const address = (country: unknown, states: Record<string, string> = {}) => [
  field('address.country', 'Country', { values: countries, refresh: true }),
  ...(country === 'BR' ? [field('address.state', 'State', { values: states })] : []),
  field('address.city', 'City', { max: 255 }),
  field('address.firstLine', 'Recipient address', { max: 255 }),
  field('address.postCode', 'Post code', { max: 32 }),
]

const iban = (country: unknown): WiseForm => ({
  type: 'iban',
  title: 'Bank account with an IBAN',
  fields: [
    legalType(),
    holder,
    optional(field('BIC', 'Bank code (BIC / SWIFT)', { min: 8, max: 11, pattern: '^[a-zA-Z0-9]+$' })),
    field('IBAN', 'IBAN', { min: 14, max: 42, pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9 ]+$' }),
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
          ? [field('cnpj', 'Tax number (CNPJ)', { pattern: '^\\d{14}$' })]
          : [field('cpf', 'Tax number (CPF)', { min: 11, max: 11, pattern: '^\\d{11}$' })]),
        field('bankCode', 'Bank', { values: { '001': 'Banco do Brasil', 260: 'Nubank' } }),
        field('branchCode', 'Branch', { min: 4, max: 5, pattern: '^\\d{4,5}$' }),
        field('accountNumber', 'Account number', { min: 1, max: 21, pattern: '^[0-9-]+$' }),
        field('accountType', 'Account type', { values: { CHECKING: 'Checking', SAVINGS: 'Savings' } }),
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
        field('sortCode', 'UK sort code', { min: 6, max: 8, pattern: '^[0-9-]+$' }),
        field('accountNumber', 'Account number', { min: 8, max: 8, pattern: '^\\d{8}$' }),
      ],
    },
    iban((at as Fields | undefined)?.country),
    { type: 'email', title: 'E-mail', fields: [holder, field('email', 'E-mail')] },
  ],
  EUR: ({ address: at }) => [iban((at as Fields | undefined)?.country)],
  MXN: () => [
    {
      type: 'mexican',
      title: 'Local bank account',
      fields: [legalType(), holder, field('clabe', 'Clabe', { min: 18, max: 18, pattern: '^\\d{18}$' })],
    },
  ],
  KRW: () => [
    {
      type: 'south_korean_paygate',
      title: 'PayGate',
      fields: [
        field('email', 'E-mail', { pattern: '^[^\\s]+@[^\\s]+\\.[^\\s]{2,}$' }),
        field('legalType', 'Recipient type', { values: { PRIVATE: 'Person' } }),
        holder,
        dated(field('dateOfBirth', 'Date of birth', { pattern: '^\\d{4}\\-\\d{2}\\-\\d{2}$' })),
        field('bankCode', 'Bank', { values: { '': 'Choose the bank', '004': 'Kookmin Bank' } }),
        field('accountNumber', 'Account number', { min: 4, max: 19, pattern: '^\\d+$' }),
      ],
    },
  ],
}

export const paysIn = (currency: unknown) => currency === 'USD' || Object.hasOwn(forms, String(currency))

/** Wise's forms for a draft; `more` adds fields to that of the United States. */
export const formsFor = (currency: unknown, draft: Fields = {}, more: ReturnType<typeof field>[] = []) =>
  currency === 'USD'
    ? accountRequirements(draft, more)
    : (forms[String(currency)]?.((draft.details ?? {}) as Fields) ?? [])

const at = (from: Fields, path: string) =>
  path.split('.').reduce<unknown>((inside, name) => (inside as Fields | undefined)?.[name], from)

/** Returns Wise's complaints about a new recipient; empty if it is accepted. */
export function complaintsAboutAccount(body: Fields, told: WiseForm[] = formsFor(body.currency, body)): Complaint[] {
  if (body.currency === 'USD') return complaintsAboutRecipient(body)
  const form = told.find(({ type }) => type === body.type)
  if (!form) return [complaint('type', 'Please choose a valid account type.')]
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
    .map(({ key, name }) => complaint(key, `Please enter a valid ${name}.`))
}
