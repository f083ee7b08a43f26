import { changePartner, PartnerChange, type TaxForm as TaxFormRecord, taxFormKinds } from '#contract/partners.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { exposeAction } from '../ui/actions.tsx'
import { DateField, SelectField } from '../ui/fields.tsx'
import { defineFormAction } from '../ui/form-act.tsx'
import { labelWords } from '../words/fields.ts'
import { ruleWords } from '../words/forms.ts'
import { partnerWords } from '../words/partners.ts'

type Recorded = {
  id: string
  taxForm: TaxFormRecord | null
  /** In the account's time zone. */
  today: string
}

/** Records the tax form on file and its date. */
export const TaxForm = exposeAction(
  defineFormAction(changePartner, PartnerChange, ({ taxForm, today }: Recorded) => ({
    heading: partnerWords.payoutDetails.recordForm,
    why: partnerWords.payoutDetails.recordWhy,
    done: partnerWords.payoutDetails.recorded,
    initial: { taxForm: { kind: taxForm?.kind ?? null, receivedOn: taxForm?.receivedOn ?? today } },
    check: ({ taxForm }) => ({ 'taxForm.receivedOn': taxForm.receivedOn > today ? ruleWords.notFuture : undefined }),
    fields: ({ field }) => (
      <>
        <SelectField
          {...field('taxForm.kind', labelWords.taxForm)}
          placeholder={partnerWords.payoutDetails.chooseForm}
          choices={taxFormKinds.map((kind) => ({ value: kind, label: partnerWords.payoutDetails.forms[kind] }))}
        />
        <DateField {...field('taxForm.receivedOn', partnerWords.payoutDetails.receivedOn)} max={today} />
      </>
    ),
  })),
  { label: partnerWords.payoutDetails.recordForm, needs: approveForTaxYear },
)
