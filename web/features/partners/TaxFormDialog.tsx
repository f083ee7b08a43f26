import { changePartner, type Partner, TaxForm, taxFormKinds } from '#contract/partners.ts'
import { useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { Form, FormActions, useContractForm } from '../../ui/contract-form.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DateField, SelectField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { useAccount } from '../shell/current.ts'
import styles from './Dialogs.module.css'
import { changed } from './queries.ts'

type Props = { partner: Partner; onClose: () => void }

/** Records which tax form is on file and since when. */
export function TaxFormDialog({ partner, onClose }: Props) {
  const { id, taxForm } = partner
  const today = todayIn(useAccount().timeZone)
  const form = useContractForm(TaxForm, {
    initial: { kind: taxForm?.kind ?? null, receivedOn: taxForm?.receivedOn ?? today },
    check: ({ receivedOn }) => ({ receivedOn: receivedOn > today ? t('rules.notFuture') : undefined }),
  })
  const save = useCall(changePartner, {
    refresh: changed,
    onSuccess() {
      onClose()
      toast(t('partners.payoutDetails.recorded'))
    },
  })
  const heading = t('partners.payoutDetails.recordForm')
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p className={styles.why}>{t('partners.payoutDetails.recordWhy')}</p>
      <Form
        form={form}
        save={save}
        label={t('partners.payoutDetails.heading')}
        inDialog
        onSubmit={(body) => save.mutate({ params: { id }, body: { taxForm: body } })}
      >
        <SelectField
          {...form.field('kind', t('partners.payoutDetails.taxForm'))}
          placeholder={t('partners.payoutDetails.chooseForm')}
          choices={taxFormKinds.map((kind) => ({ value: kind, label: t(`partners.payoutDetails.forms.${kind}`) }))}
        />
        <DateField {...form.field('receivedOn', t('partners.payoutDetails.receivedOn'))} max={today} />
        <FormActions submit={heading} cancel={onClose} />
      </Form>
    </Dialog>
  )
}
