import { usStates } from '#contract/partners.ts'
import { t } from '../words.ts'
import type { FieldProps } from './contract-form.tsx'
import { FieldPair, SelectField, TextField } from './fields.tsx'

export type AddressValues = { addressLine: string; city: string; state: string | null; zipCode: string }

/** What an empty address form begins with. */
export const emptyAddress: AddressValues = { addressLine: '', city: '', state: null, zipCode: '' }

type Part = 'addressLine' | 'city' | 'state' | 'zipCode'
type FormOf = { field: (path: never, label: string) => unknown }

type Props = {
  form: FormOf
  /** Where the address stands in the form's values. */
  path: string
}

/** An address in the United States, the only country there is. */
export function AddressFields({ form, path }: Props) {
  const field = <T,>(part: Part, label: string) => form.field(`${path}.${part}` as never, label) as FieldProps<T>
  const country = t('countries.us')
  return (
    <>
      <TextField {...field<string>('addressLine', t('fields.address'))} autoComplete="street-address" />
      <TextField {...field<string>('city', t('fields.city'))} autoComplete="address-level2" />
      <FieldPair>
        <SelectField
          {...field<string | null>('state', t('fields.state'))}
          placeholder={t('form.chooseState')}
          choices={usStates.map(({ code, name }) => ({ value: code, label: name }))}
        />
        <TextField {...field<string>('zipCode', t('fields.zipCode'))} autoComplete="postal-code" />
      </FieldPair>
      <SelectField
        id={`${path}-country`}
        name={`${path}.country`}
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
