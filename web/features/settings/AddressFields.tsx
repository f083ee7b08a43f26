import { usStates } from '#contract/payout-settings.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, TextField } from '../../ui/fields.tsx'
import { labelWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { pieceWords } from '../../words/pieces.ts'

export type AddressValues = { country: 'us'; addressLine: string; city: string; state: string | null; zipCode: string }

/** Initial values of an address form. */
export const emptyAddress: AddressValues = { country: 'us', addressLine: '', city: '', state: null, zipCode: '' }

/** An address in the United States, the only supported country. */
export function AddressFields({ form }: { form: FormWith<{ address: AddressValues }> }) {
  const { field } = form
  const country = pieceWords.countries.us
  return (
    <>
      <TextField {...field('address.addressLine', labelWords.address)} autoComplete="street-address" />
      <TextField {...field('address.city', labelWords.city)} autoComplete="address-level2" />
      <FieldPair>
        <SelectField
          {...field('address.state', labelWords.state)}
          placeholder={formWords.chooseState}
          choices={usStates.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <TextField {...field('address.zipCode', labelWords.zipCode)} autoComplete="postal-code" />
      </FieldPair>
      <SelectField
        id="address-country"
        name="address.country"
        label={labelWords.country}
        value="us"
        disabled
        choices={[{ value: 'us', label: country }]}
        onChange={() => undefined}
        onBlur={() => undefined}
      />
    </>
  )
}
