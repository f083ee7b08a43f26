import type { FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, TextField } from '../../ui/fields.tsx'
import { labelWords } from '../../words/fields.ts'
import { payoutDetailsWords as words } from '../../words/payout-details.ts'

type Values = { address: { addressLine: string; zipCode: string; city: string; country: string | null } }
type Props = { form: FormWith<Values>; countries: { value: string; label: string }[] }

/** The address of the holder of an account in euros. */
export const EuroAddressFields = ({ form: { field }, countries }: Props) => (
  <>
    <TextField {...field('address.addressLine', labelWords.address)} autoComplete="street-address" />
    <FieldPair>
      <TextField {...field('address.zipCode', labelWords.zipCode)} autoComplete="postal-code" />
      <TextField {...field('address.city', labelWords.city)} autoComplete="address-level2" />
    </FieldPair>
    <SelectField
      {...field('address.country', labelWords.country)}
      placeholder={words.chooseCountry}
      choices={countries}
    />
  </>
)
