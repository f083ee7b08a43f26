import { changePartner, type Partner, PartnerChange, taxFormKinds } from '#contract/partners.ts'
import { useContractForm } from '../ui/contract-form.tsx'
import { useDialogCall } from '../ui/dialog-call.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { DateField, SelectField } from '../ui/fields.tsx'
import { labelWords } from '../words/fields.ts'
import { ruleWords } from '../words/forms.ts'
import { partnerWords } from '../words/partners.ts'

type Props = {
  partner: Pick<Partner, 'id' | 'taxForm'>
  /** In the account's time zone. */
  today: string
  onClose: () => void
}

/** Records the tax form on file and its date. */
export function TaxFormDialog({ partner, today, onClose }: Props) {
  const { id, taxForm } = partner
  const form = useContractForm(PartnerChange, {
    initial: { taxForm: { kind: taxForm?.kind ?? null, receivedOn: taxForm?.receivedOn ?? today } },
    check: ({ taxForm }) => ({ 'taxForm.receivedOn': taxForm.receivedOn > today ? ruleWords.notFuture : undefined }),
  })
  const save = useDialogCall(changePartner, { done: partnerWords.payoutDetails.recorded, onClose })
  return (
    <FormDialog
      heading={partnerWords.payoutDetails.recordForm}
      why={partnerWords.payoutDetails.recordWhy}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id }, body })}
      onClose={onClose}
    >
      <SelectField
        {...form.field('taxForm.kind', labelWords.taxForm)}
        placeholder={partnerWords.payoutDetails.chooseForm}
        choices={taxFormKinds.map((kind) => ({ value: kind, label: partnerWords.payoutDetails.forms[kind] }))}
      />
      <DateField {...form.field('taxForm.receivedOn', partnerWords.payoutDetails.receivedOn)} max={today} />
    </FormDialog>
  )
}
