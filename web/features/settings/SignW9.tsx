import type { ReactNode } from 'react'
import { mayBeTin, type TaxClassification, taxClassifications } from '#contract/tax-rules.ts'
import { signTaxForm, W9 } from '#features/tax-years/contract.ts'
import { useCall } from '../../calls.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { FieldPair, RadioField, SelectField, TextField } from '../../ui/fields.tsx'
import { showToast } from '../../ui/toasts.ts'
import { taxFormWords as words } from '../../words/tax-forms.ts'
import { AddressFields, emptyAddress } from './AddressFields.tsx'
import { Certified } from './Certified.tsx'

const tinTypes = ['ssn', 'ein'] as const

/** A W-9, filled in and signed. */
export function SignW9({ partnerId, above, onClose }: { partnerId: string; above: ReactNode; onClose: () => void }) {
  const form = useContractForm(W9, {
    initial: {
      kind: 'w-9' as const,
      name: '',
      businessName: '',
      classification: null as TaxClassification | null,
      exemptPayeeCode: '',
      address: emptyAddress,
      tinType: 'ssn' as (typeof tinTypes)[number],
      tin: '',
      certified: false,
      signature: '',
    },
    check: ({ tinType, tin, certified }) => ({
      tin: tin && !mayBeTin(tinType, tin.replace(/[\s-]/g, '')) ? words.tinWrong : undefined,
      certified: certified ? undefined : words.mustCertify,
    }),
  })
  const save = useCall(signTaxForm, {
    onSuccess() {
      showToast(words.done)
      onClose()
    },
  })
  const { field } = form
  return (
    <Form
      form={form}
      save={save}
      label={words.heading}
      onSubmit={(body) => void save.mutate({ params: { id: partnerId }, body: body as never })}
    >
      <FormPanel heading={words.heading}>
        {above}
        <TextField {...field('name', words.name)} help={words.nameHelp} autoComplete="name" />
        <TextField {...field('businessName', words.businessName)} optional autoComplete="organization" />
        <SelectField
          {...field('classification', words.classification)}
          placeholder={words.chooseClassification}
          choices={taxClassifications.map((value) => ({ value, label: words.classifications[value] }))}
        />
        <AddressFields form={form} />
        <RadioField
          {...field('tinType', words.tinType)}
          choices={tinTypes.map((value) => ({ value, label: words.tinTypes[value] }))}
        />
        <FieldPair>
          <TextField {...field('tin', words.tin)} help={words.tinHelp} inputMode="numeric" autoComplete="off" />
          <TextField
            {...field('exemptPayeeCode', words.exemptPayeeCode)}
            help={words.exemptHelp}
            optional
            inputMode="numeric"
            autoComplete="off"
          />
        </FieldPair>
        <Certified form={form} kind="w-9" />
        <FormActions submit={words.sign} cancel={onClose} />
      </FormPanel>
    </Form>
  )
}
