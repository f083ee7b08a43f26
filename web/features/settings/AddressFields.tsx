import { usStates } from '#contract/payout-settings.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, TextField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

export type AddressValues = { addressLine: string; city: string; state: string | null; zipCode: string }

/** Initial values of an address form. */
export const emptyAddress: AddressValues = { addressLine: '', city: '', state: null, zipCode: '' }

/** An address in the United States, the only supported country. */
export function AddressFields({ form }: { form: FormWith<{ address: AddressValues }> }) {
  const { field } = form
  const country = t('countries.us')
  return (
    <>
      <TextField {...field('address.addressLine', t('fields.address'))} autoComplete="street-address" />
      <TextField {...field('address.city', t('fields.city'))} autoComplete="address-level2" />
      <FieldPair>
        <SelectField
          {...field('address.state', t('fields.state'))}
          placeholder={t('form.chooseState')}
          choices={usStates.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <TextField {...field('address.zipCode', t('fields.zipCode'))} autoComplete="postal-code" />
      </FieldPair>
      <SelectField
        id="address-country"
        name="address.country"
        label={t('fields.country')}
        value="us"
        disabled
        choices={[{ value: 'us', label: country }]}
        onChange={() => undefined}
        onBlur={() => undefined}
      />
    </>
  )
}
