import { attributeSale, type Sale, SaleAttribution } from '#contract/sales.ts'
import { read } from '../../calls.ts'
import { formatDate, formatMoney } from '../../format.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { EarlierSalesField } from '../../ui/EarlierSalesField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextAreaField } from '../../ui/fields.tsx'
import { LeadField } from '../../ui/LeadPicker.tsx'
import { PartnerField } from '../../ui/PartnerPicker.tsx'
import { t } from '../../words.ts'

type Values = {
  partnerId: string | undefined
  leadId: string | undefined
  creditEarlierSales: boolean
  reason: string
}

/** Credits a sale without a partner: to a partner, or to a lead that has one. Choosing one of them drops the other. */
export function AttributeDialog({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const initial: Values = { partnerId: undefined, leadId: undefined, creditEarlierSales: false, reason: '' }
  const form = useContractForm(SaleAttribution, {
    initial,
    check: ({ partnerId, leadId, reason }) => ({
      partnerId: partnerId || leadId ? undefined : t('sales.attribute.either'),
      reason: reason.trim() === '' ? t('rules.required', { label: t('fields.reason') }) : undefined,
    }),
  })
  const save = useDialogCall(attributeSale, { done: t('sales.attribute.done'), onClose })
  const partner = form.field('partnerId', t('sales.attribute.partner'))
  const lead = form.field('leadId', t('sales.attribute.lead'))
  const { partnerId, leadId } = form.values
  const { amount, currency, accountCurrency, saleDate, accountId } = sale
  return (
    <FormDialog
      heading={t('sales.attribute.heading')}
      about={sale.id}
      why={t('sales.attribute.explain', {
        amount: formatMoney(amount ?? 0, currency, accountCurrency),
        date: formatDate(saleDate),
      })}
      submit={t('sales.attribute.submit')}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: sale.id }, body })}
      onClose={onClose}
    >
      <PartnerField
        {...partner}
        accountId={accountId}
        value={form.values.partnerId ?? null}
        help={t('sales.attribute.partnerHelp')}
        onChange={(id) => {
          partner.onChange(id ?? undefined)
          if (id) form.set({ leadId: undefined })
        }}
      />
      <LeadField
        {...lead}
        accountId={accountId}
        value={form.values.leadId ?? null}
        help={t('sales.attribute.leadHelp')}
        onChange={(id) => {
          lead.onChange(id ?? undefined)
          if (id) form.set({ partnerId: undefined })
        }}
      />
      <EarlierSalesField
        {...form.field('creditEarlierSales', '')}
        currency={accountCurrency}
        preview={
          partnerId || leadId
            ? read(attributeSale, { params: { id: sale.id }, body: { partnerId, leadId, preview: true } })
            : null
        }
      />
      <TextAreaField {...form.field('reason', t('fields.reason'))} rows={2} />
    </FormDialog>
  )
}
