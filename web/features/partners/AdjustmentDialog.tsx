import { useQuery } from '@tanstack/react-query'
import { adjustBalance, NewAdjustment } from '#contract/commissions.ts'
import type { Partner } from '#contract/partners.ts'
import { formatMoney } from '../../format.ts'
import { balance } from '../../shared/queries.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { Facts } from '../../ui/Facts.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { MoneyField, TextAreaField } from '../../ui/fields.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'

type Props = { partner: Partner; onClose: () => void }

/** Books a manual amount for or against the partner, and shows the amount due afterwards. */
export function AdjustmentDialog({ partner, onClose }: Props) {
  const { id, stats } = partner
  const { currency } = stats
  const due = useQuery(balance(id)).data?.due
  const form = useContractForm(NewAdjustment, { initial: { amount: '' as number | string, reason: '' } })
  const save = useDialogCall(adjustBalance, {
    done: partnerWords.acts.adjustmentDone,
    onClose,
  })
  const { amount } = form.values
  return (
    <FormDialog
      heading={partnerWords.acts.adjust}
      why={partnerWords.acts.adjustWhy}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id }, body })}
      onClose={onClose}
    >
      <MoneyField {...form.field('amount')} currency={currency} signed />
      <TextAreaField {...form.field('reason')} />
      {due !== undefined && (
        <Facts
          beside
          label={fieldWords.balance}
          facts={[
            { label: partnerWords.acts.dueNow, value: formatMoney(due, currency) },
            {
              label: partnerWords.acts.dueThen,
              value: formatMoney(due + (typeof amount === 'number' ? amount : 0), currency),
              strong: true,
            },
          ]}
        />
      )}
    </FormDialog>
  )
}
