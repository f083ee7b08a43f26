import type { ReactNode } from 'react'
import type { PartyAddress } from '#contract/invoices.ts'
import type { FormWith } from '../ui/contract-form.tsx'
import { FieldPair, SelectField, TextField } from '../ui/fields.tsx'
import { labelWords } from '../words/fields.ts'
import { partyWords as words } from '../words/invoices.ts'
import { payoutDetailsWords } from '../words/payout-details.ts'
import { listCountries } from './countries.ts'

/** The values of a form with a party to an invoice; empty texts are absent. */
export type PartyValues = {
  legalName: string
  address: { addressLine: string; zipCode: string; city: string; state: string }
  country: string | null
  vatId: string
  companyNumber: string
  peppolId: string
}

type Stored = {
  legalName: string | null
  address: PartyAddress | null
  country: string | null
  vatId: string | null
  companyNumber: string | null
  peppolId: string | null
}

/** Initial values of such a form. */
export const partyValues = ({ legalName, address, country, vatId, companyNumber, peppolId }: Stored): PartyValues => ({
  legalName: legalName ?? '',
  address: {
    addressLine: address?.addressLine ?? '',
    zipCode: address?.zipCode ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
  },
  country,
  vatId: vatId ?? '',
  companyNumber: companyNumber ?? '',
  peppolId: peppolId ?? '',
})

/** Legal name, address, country and VAT ID, and the fields of electronic invoices: `children` and two numbers. */
export function PartyFields({
  form,
  electronic = false,
  children,
}: {
  form: FormWith<PartyValues>
  electronic?: boolean
  children?: ReactNode
}) {
  const { field } = form
  return (
    <>
      <TextField {...field('legalName', words.legalName)} autoComplete="organization" />
      <TextField {...field('address.addressLine', labelWords.address)} autoComplete="street-address" />
      <FieldPair>
        <TextField {...field('address.zipCode', words.zipCode)} autoComplete="postal-code" optional />
        <TextField {...field('address.city', labelWords.city)} autoComplete="address-level2" />
      </FieldPair>
      <FieldPair>
        <TextField {...field('address.state', words.state)} autoComplete="address-level1" optional />
        <SelectField
          {...field('country', labelWords.country)}
          placeholder={payoutDetailsWords.chooseCountry}
          choices={listCountries()}
        />
      </FieldPair>
      <TextField
        {...field('vatId', words.vatId)}
        optional
        autoCapitalize="characters"
        spellCheck={false}
        help={words.vatIdHelp}
      />
      {children}
      {electronic && (
        <>
          <TextField {...field('companyNumber', words.companyNumber)} optional help={words.companyNumberHelp} />
          <TextField {...field('peppolId', words.peppolId)} optional spellCheck={false} help={words.peppolIdHelp} />
        </>
      )}
    </>
  )
}
