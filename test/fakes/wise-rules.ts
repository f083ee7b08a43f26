import type { Answer, Failure, Fields } from './server.ts'

/** Wise's validation form: the message is about the field at `path`. */
export type Complaint = { code: string; message: string; path: string; arguments: string[] }

/** A transfer's states; it can go back from `bounced_back` to `processing`. */
export type TransferState =
  | 'incoming_payment_waiting'
  | 'incoming_payment_initiated'
  | 'processing'
  | 'funds_converted'
  | 'outgoing_payment_sent'
  | 'bounced_back'
  | 'cancelled'
  | 'funds_refunded'
  | 'charged_back'
  | 'unknown'

/** The states from which the sandbox's simulation reaches each one. */
export const simulated: Partial<Record<TransferState, TransferState[]>> = {
  processing: ['incoming_payment_waiting', 'incoming_payment_initiated', 'bounced_back'],
  funds_converted: ['processing'],
  outgoing_payment_sent: ['funds_converted'],
  bounced_back: ['outgoing_payment_sent'],
  funds_refunded: ['bounced_back', 'processing', 'cancelled'],
}

/** States in which `PUT /cancel` is still possible. */
export const cancellable: TransferState[] = ['incoming_payment_waiting', 'incoming_payment_initiated', 'processing']

/** Countries whose accounts may fund by API. */
export const fundingCountries = ['US', 'CA', 'AU', 'NZ', 'SG', 'MY']

const decimalsOf = (currency: string) => (['JPY', 'KRW', 'VND', 'CLP', 'XAF', 'XOF'].includes(currency) ? 0 : 2)

/** Whole minor units of a decimal amount; null if it is not a positive number with that currency's decimals. */
export function minorUnits(value: unknown, currency: string): number | null {
  if (typeof value !== 'number' || !(value > 0) || value > 1e10) return null
  const scaled = value * 10 ** decimalsOf(currency)
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 ? Math.round(scaled) : null
}

/** The decimal amount of whole minor units, as in Wise's JSON. */
export const toDecimal = (minor: number, currency: string) => minor / 10 ** decimalsOf(currency)

/** One entry of Wise's `errors`. */
export const buildComplaint = (path: string, message: string, code = 'NOT_VALID'): Complaint => ({
  code,
  message,
  path,
  arguments: [path],
})

/** An answer or a scripted failure in Wise's validation form; 422 by default. */
export function wiseRefusal(complaints: Complaint[], status = 422): Answer & Extract<Failure, { status: number }> {
  return { status, body: { timestamp: new Date().toISOString(), errors: complaints } }
}

/** True for nine digits whose weighted sum (3, 7, 1) is a multiple of ten. */
export function isRoutingNumber(text: string) {
  if (!/^\d{9}$/.test(text)) return false
  return [...text].reduce((sum, digit, index) => sum + Number(digit) * [3, 7, 1][index % 3]!, 0) % 10 === 0
}

/** Returns Wise's complaints about a new USD recipient of type `aba`; empty if it is accepted. */
export function complaintsAboutRecipient(body: Fields): Complaint[] {
  const details = (body.details ?? {}) as Fields
  const address = (details.address ?? {}) as Fields
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  const name = text(body.accountHolderName)
  const person = details.legalType === 'PRIVATE'
  const names = name.split(/\s+/).filter((part) => part.replace(/[^\p{L}]/gu, '').length > 1)
  const rules: [path: string, broken: boolean, message: string][] = [
    ['currency', body.currency !== 'USD', 'This currency is not supported for the account type.'],
    ['type', body.type !== 'aba', 'Please choose a valid account type.'],
    ['legalType', !['PRIVATE', 'BUSINESS'].includes(text(details.legalType)), 'Please choose who the recipient is.'],
    ['accountHolderName', name === '', "Please enter the recipient's name."],
    [
      'accountHolderName',
      name !== '' && person && (names.length < 2 || /\d/.test(name)),
      'Please enter the recipients first and last name.',
    ],
    ['abartn', !isRoutingNumber(text(details.abartn)), 'Please enter a valid routing number.'],
    [
      'accountNumber',
      !/^\d{4,17}$/.test(text(details.accountNumber)),
      'Please enter a valid account number of 4 to 17 digits.',
    ],
    ['accountType', !['CHECKING', 'SAVINGS'].includes(text(details.accountType)), 'Please choose an account type.'],
    ['address.country', !/^[A-Z]{2}$/.test(text(address.country)), 'Please select a country.'],
    ['address.state', address.country === 'US' && !/^[A-Z]{2}$/.test(text(address.state)), 'Please select a state.'],
    ['address.city', text(address.city) === '', 'Please enter a city.'],
    ['address.firstLine', text(address.firstLine) === '', 'Please enter an address.'],
    ['address.postCode', text(address.postCode) === '', 'Please enter a post code.'],
  ]
  return rules.filter(([, broken]) => broken).map(([path, , message]) => buildComplaint(path, message))
}

type Field = { min?: number; max?: number; pattern?: string; values?: Record<string, string>; refresh?: boolean }

export function buildField(key: string, name: string, { min, max, pattern, values, refresh = false }: Field = {}) {
  return {
    name,
    group: [
      {
        ...{ key, name, type: values ? 'select' : 'text', required: true, refreshRequirementsOnChange: refresh },
        ...{ displayFormat: null, example: '', minLength: min ?? null, maxLength: max ?? null },
        ...{ validationRegexp: pattern ?? null, validationAsync: null },
        valuesAllowed: values ? Object.entries(values).map(([value, label]) => ({ key: value, name: label })) : null,
      },
    ],
  }
}

const states = Object.fromEntries(
  (
    'AL AK AS AZ AR CA CO CT DE DC FL GA GU HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH ' +
    'OK OR PA PR RI SC SD TN TX UT VT VI VA WA WV WI WY'
  )
    .split(' ')
    .map((code) => [code, code]),
)

/**
 * Wise's form for a USD account; it has the state only once the country is known to be the US. `more` adds fields, or
 * replaces those of the same name.
 */
export function accountRequirements(draft: Fields = {}, more: ReturnType<typeof buildField>[] = []) {
  const country = ((draft.details as Fields | undefined)?.address as Fields | undefined)?.country
  return [
    {
      type: 'aba',
      title: 'Local bank account',
      usageInfo: null,
      fields: [
        buildField('legalType', 'Recipient type', { values: { PRIVATE: 'Person', BUSINESS: 'Business' } }),
        buildField('abartn', 'ACH routing number', { min: 9, max: 9, pattern: '^\\d{9}$' }),
        buildField('accountNumber', 'Account number', { min: 4, max: 17, pattern: '^\\d{4,17}$' }),
        buildField('accountType', 'Account type', { values: { CHECKING: 'Checking', SAVINGS: 'Savings' } }),
        buildField('address.country', 'Country', {
          values: { US: 'United States', GB: 'United Kingdom', DE: 'Germany' },
          refresh: true,
        }),
        ...(country === 'US' ? [buildField('address.state', 'State', { values: states })] : []),
        buildField('address.city', 'City'),
        buildField('address.firstLine', 'Address'),
        buildField('address.postCode', 'Post code'),
      ]
        .filter(({ group }) => !more.some((other) => other.group[0]!.key === group[0]!.key))
        .concat(more),
    },
  ]
}

/** Fields of a transfer: a short reference, and above 80,000 USD the source of funds. */
export function transferRequirements(needsSource: boolean) {
  const reference = buildField('reference', 'Transfer reference', { max: 10, pattern: '[a-zA-Z0-9- ]*' })
  reference.group[0]!.required = false
  const source = buildField('sourceOfFunds', 'Source of funds', {
    values: { 'verification.source.of.funds.business': 'Business income' },
  })
  return [{ type: 'transfer', fields: needsSource ? [reference, source] : [reference] }]
}
