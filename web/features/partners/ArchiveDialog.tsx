import { useQuery } from '@tanstack/react-query'
import { archivePartner, type Partner, PartnerArchiving } from '#contract/partners.ts'
import { formatMoney } from '../../format.ts'
import { balance } from '../../shared/queries.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { RadioField, TextAreaField } from '../../ui/fields.tsx'
import { partnerWords } from '../../words/partners.ts'

type Props = { partner: Partner; onClose: () => void }

/**
 * Archives the partner after choosing what happens to the sub-partners and the open balance, shown with count and sum.
 */
export function ArchiveDialog({ partner, onClose }: Props) {
  const { id, displayName: name, stats } = partner
  const money = useQuery(balance(id)).data
  const form = useContractForm(PartnerArchiving, {
    initial: { subPartners: 'move-up' as 'move-up' | 'keep', balance: 'pay-out' as 'pay-out' | 'void', reason: '' },
  })
  const save = useDialogCall(archivePartner, {
    done: partnerWords.acts.archiveDone({ name }),
    onClose,
  })
  const open = money && money.held + money.due + money.onHold
  return (
    <FormDialog
      heading={partnerWords.acts.archiveHeading}
      why={partnerWords.acts.archiveWhy({ name })}
      submit={partnerWords.acts.archive}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id }, body })}
      onClose={onClose}
    >
      {stats.numberOfPartners > 0 && (
        <RadioField
          {...form.field('subPartners')}
          help={partnerWords.acts.subPartnersNow({ count: stats.numberOfPartners })}
          choices={[
            { value: 'move-up', label: partnerWords.acts.moveUp },
            { value: 'keep', label: partnerWords.acts.keep },
          ]}
        />
      )}
      <RadioField
        {...form.field('balance')}
        help={open !== undefined && partnerWords.acts.openNow({ amount: formatMoney(open, stats.currency) })}
        choices={[
          { value: 'pay-out', label: partnerWords.acts.payOut },
          { value: 'void', label: partnerWords.acts.void },
        ]}
      />
      <TextAreaField {...form.field('reason')} optional={form.values.balance === 'pay-out'} />
    </FormDialog>
  )
}
