import { useQuery } from '@tanstack/react-query'
import { adjustBalance, NewAdjustment, type Partner } from '#contract/partners.ts'
import { useCall } from '../../calls.ts'
import { formatMoney } from '../../format.ts'
import { Form, FormActions, useContractForm } from '../../ui/contract-form.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { MoneyField, TextAreaField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import styles from './Dialogs.module.css'
import { balance, changed } from './queries.ts'

type Props = { partner: Partner; onClose: () => void }

/** Books an amount by hand, for or against the partner, and shows what is due afterwards. */
export function AdjustmentDialog({ partner, onClose }: Props) {
  const { id, stats } = partner
  const { currency } = stats
  const due = useQuery(balance(id)).data?.due
  const form = useContractForm(NewAdjustment, { initial: { amount: '' as number | string, reason: '' } })
  const save = useCall(adjustBalance, {
    refresh: [...changed, 'balance', 'payouts', 'commissions'],
    onSuccess() {
      onClose()
      toast(t('partners.acts.adjustmentDone'))
    },
  })
  const { amount } = form.values
  const heading = t('partners.acts.adjust')
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p className={styles.why}>{t('partners.acts.adjustWhy')}</p>
      <Form form={form} save={save} label={heading} inDialog onSubmit={(body) => save.mutate({ params: { id }, body })}>
        <MoneyField {...form.field('amount', t('fields.amount'))} currency={currency} signed />
        <TextAreaField {...form.field('reason', t('fields.reason'))} />
        {due !== undefined && (
          <div className={styles.facts}>
            <Facts
              label={t('partners.balance.heading')}
              facts={[
                { label: t('partners.acts.dueNow'), value: formatMoney(due, currency) },
                {
                  label: t('partners.acts.dueThen'),
                  value: formatMoney(due + (typeof amount === 'number' ? amount : 0), currency),
                  strong: true,
                },
              ]}
            />
          </div>
        )}
        <FormActions submit={heading} cancel={onClose} />
      </Form>
    </Dialog>
  )
}
