import { type ReactNode, useState } from 'react'
import { mayBeTin } from '#contract/tax-rules.ts'
import { signTaxForm, W8Ben } from '#features/tax-years/contract.ts'
import { useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { listCountries } from '../../shared/countries.ts'
import { useAccount } from '../../shell/current.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Form, FormActions, FormPanel, type FormWith, useContractForm } from '../../ui/contract-form.tsx'
import { DateField, FieldPair, RadioField, SelectField, TextField } from '../../ui/fields.tsx'
import { showToast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { payoutDetailsWords } from '../../words/payout-details.ts'
import { taxFormWords as words } from '../../words/tax-forms.ts'
import { Certified } from './Certified.tsx'

const tinTypes = ['foreign', 'us', 'not-required'] as const

type AddressValues = { addressLine: string; city: string; region: string; zipCode: string; country: string | null }
const emptyAddress: AddressValues = { addressLine: '', city: '', region: '', zipCode: '', country: null }

const initial = {
  kind: 'w-8ben' as const,
  name: '',
  citizenship: null as string | null,
  residence: emptyAddress,
  mailing: emptyAddress,
  tinType: 'foreign' as (typeof tinTypes)[number],
  tin: '',
  birthDate: '',
  certified: false,
  signature: '',
}

/** A W-8BEN of a person, filled in and signed. */
export function SignW8Ben({ partnerId, above, onClose }: { partnerId: string; above: ReactNode; onClose: () => void }) {
  const today = todayIn(useAccount().timeZone)
  const [elsewhere, setElsewhere] = useState(false)
  const form = useContractForm(W8Ben, {
    initial,
    omit: elsewhere ? [] : ['mailing'],
    check: ({ tinType, tin, birthDate, certified, residence }) => ({
      'residence.country': residence.country === 'US' ? words.notUs : undefined,
      tin: mayBeTin(tinType, tinType === 'us' ? tin.replace(/[\s-]/g, '') : tin.trim() || null)
        ? undefined
        : words.tinWrong,
      birthDate: birthDate && (birthDate >= today || birthDate < '1900-01-01') ? words.past : undefined,
      certified: certified ? undefined : words.mustCertify,
    }),
  })
  const save = useCall(signTaxForm, {
    onSuccess() {
      showToast(words.done)
      onClose()
    },
  })
  const { field, values } = form
  return (
    <Form
      form={form}
      save={save}
      label={words.heading}
      onSubmit={(body) => void save.mutate({ params: { id: partnerId }, body: bodyOf(body as Body) as never })}
    >
      <FormPanel heading={words.heading}>
        {above}
        <TextField {...field('name', words.name)} help={words.nameHelp} autoComplete="name" />
        <FieldPair>
          <SelectField
            {...field('citizenship', words.citizenship)}
            placeholder={payoutDetailsWords.chooseCountry}
            choices={listCountries()}
          />
          <DateField {...field('birthDate', words.birthDate)} max={today} />
        </FieldPair>
        <h3>{words.residence}</h3>
        <AddressAnywhere form={form} of="residence" />
        <Checkbox id="mails-elsewhere" label={words.mailsElsewhere} checked={elsewhere} onChange={setElsewhere} />
        {elsewhere && (
          <>
            <h3>{words.mailing}</h3>
            <AddressAnywhere form={form} of="mailing" />
          </>
        )}
        <RadioField
          {...field('tinType', words.tinType)}
          choices={tinTypes.map((value) => ({ value, label: words.tinTypes[value] }))}
        />
        {values.tinType !== 'not-required' && (
          <TextField {...field('tin', words.tin)} help={words.tinHelp} autoComplete="off" />
        )}
        <Certified form={form} kind="w-8ben" />
        <FormActions submit={words.sign} cancel={onClose} />
      </FormPanel>
    </Form>
  )
}

type Body = { tinType: string; tin?: string | null }

/** A number typed before 'None is required' was chosen is not sent. */
const bodyOf = (body: Body) => (body.tinType === 'not-required' ? { ...body, tin: null } : body)

function AddressAnywhere({
  form: { field },
  of,
}: {
  form: FormWith<{ residence: AddressValues; mailing: AddressValues }>
  of: 'residence' | 'mailing'
}) {
  return (
    <>
      <TextField {...field(`${of}.addressLine`, labelWords.address)} autoComplete="street-address" />
      <FieldPair>
        <TextField {...field(`${of}.city`, labelWords.city)} autoComplete="address-level2" />
        <TextField {...field(`${of}.region`, words.region)} optional autoComplete="address-level1" />
      </FieldPair>
      <FieldPair>
        <TextField {...field(`${of}.zipCode`, labelWords.zipCode)} optional autoComplete="postal-code" />
        <SelectField
          {...field(`${of}.country`, labelWords.country)}
          placeholder={payoutDetailsWords.chooseCountry}
          choices={listCountries()}
        />
      </FieldPair>
    </>
  )
}
