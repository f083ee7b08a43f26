import { useQuery } from '@tanstack/react-query'
import { archivePartner, type Partner, PartnerArchiving } from '#contract/partners.ts'
import { useCall } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { Form, FormActions, useContractForm } from '../../ui/contract-form.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RadioField, TextAreaField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import styles from './Dialogs.module.css'
import { balance, changed } from './queries.ts'

type Props = { partner: Partner; onClose: () => void }

/** Asks what becomes of the sub-partners and of the open balance, with count and sum, then archives. */
export function ArchiveDialog({ partner, onClose }: Props) {
  const { id, displayName: name, stats } = partner
  const money = useQuery(balance(id)).data
  const form = useContractForm(PartnerArchiving, {
    initial: { subPartners: 'move-up' as 'move-up' | 'keep', balance: 'pay-out' as 'pay-out' | 'void', reason: '' },
  })
  const save = useCall(archivePartner, {
    refresh: [...changed, 'balance', 'payouts', 'commissions'],
    onSuccess() {
      onClose()
      toast(t('partners.acts.archiveDone', { name }))
    },
  })
  const heading = t('partners.acts.archiveHeading')
  const open = money && money.held + money.due + money.onHold
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p className={styles.why}>{t('partners.acts.archiveWhy', { name })}</p>
      <Form form={form} save={save} label={heading} inDialog onSubmit={(body) => save.mutate({ params: { id }, body })}>
        <RadioField
          {...form.field('subPartners', t('partners.acts.subPartners'))}
          help={t('partners.acts.subPartnersNow', { count: stats.numberOfPartners })}
          choices={[
            { value: 'move-up', label: t('partners.acts.moveUp') },
            { value: 'keep', label: t('partners.acts.keep') },
          ]}
        />
        <RadioField
          {...form.field('balance', t('partners.acts.balance'))}
          help={open !== undefined && t('partners.acts.openNow', { amount: formatMoney(open, stats.currency) })}
          choices={[
            { value: 'pay-out', label: t('partners.acts.payOut') },
            { value: 'void', label: t('partners.acts.void') },
          ]}
        />
        <TextAreaField {...form.field('reason', t('fields.reason'))} optional={form.values.balance === 'pay-out'} />
        <FormActions submit={t('partners.acts.archive')} cancel={onClose} />
      </Form>
    </Dialog>
  )
}
