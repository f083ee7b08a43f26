import type { W8Ben, W9 } from '#features/tax-years/contract.ts'
import { expectOk, type TestAccount, type TestApp } from './app.ts'

/** A W-9 as Pia Tern signs it. */
export const aW9 = (fields: Partial<W9> = {}) => ({
  kind: 'w-9' as const,
  name: 'Pia Tern',
  classification: 'individual' as const,
  address: { state: 'ny', city: 'New York', addressLine: '1 Broad Street', zipCode: '10004' },
  tinType: 'ssn' as const,
  tin: '219-09-7391',
  certified: true as const,
  signature: 'Pia Tern',
  ...fields,
})

export const aW8Ben = (fields: Partial<W8Ben> = {}) => ({
  kind: 'w-8ben' as const,
  name: 'Pia Tern',
  citizenship: 'DE',
  residence: { addressLine: 'Torstraße 1', city: 'Berlin', zipCode: '10119', country: 'DE' },
  tinType: 'foreign' as const,
  tin: '65 929 970 489',
  birthDate: '1990-02-28',
  certified: true as const,
  signature: 'Pia Tern',
  ...fields,
})

/** Has the partner, who signed in within ten minutes, sign a form. */
export const signForm = (app: TestApp, { id, token }: { id: string; token: string }, form: object = aW9()) =>
  app.api('POST', `/partners/${id}/tax-form`, { token, body: form })

/** Sets whether the account wants tax forms, with all that a file for the IRS needs of a payer. */
export const wantForms = async (app: TestApp, account: TestAccount, taxForms: 'off' | 'ask' | 'required') =>
  expectOk(
    await app.api('PUT', `/accounts/${account.id}/invoicing`, {
      token: account.token,
      body: {
        ...{ taxForms, legalName: 'Northwind Inc.', country: 'US', ein: '12-3456780', phone: '+1 (212) 555-0100' },
        address: { addressLine: '2 Main Street', zipCode: '04101', city: 'Portland', state: 'Maine' },
      },
    }),
  ).body
