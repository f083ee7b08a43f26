type Field = { field: string; label: string }

/** Our payout fields by Wise's name. */
const fields: Record<string, Field> = {
  legalType: { field: 'legalType', label: 'Legal Type' },
  accountHolderName: { field: 'name', label: 'Account Holder Name' },
  abartn: { field: 'routingNumber', label: 'Routing Number' },
  accountNumber: { field: 'accountNumber', label: 'Account Number' },
  accountType: { field: 'accountType', label: 'Account Type' },
  IBAN: { field: 'iban', label: 'IBAN' },
  BIC: { field: 'bic', label: 'BIC' },
  'address.country': { field: 'address.country', label: 'Country' },
  'address.state': { field: 'address.state', label: 'State' },
  'address.city': { field: 'address.city', label: 'City' },
  'address.firstLine': { field: 'address.addressLine', label: 'Address' },
  'address.postCode': { field: 'address.zipCode', label: 'Zip Code' },
}

/** Finds the field by Wise's name, with or without its parent object. */
export const fieldAt = (path: string | null): Field | undefined => {
  const key = path?.replace(/^details\./, '') ?? ''
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
