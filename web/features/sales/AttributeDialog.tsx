import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { attributeSale, type EarlierSales, type Likeness, type Sale, SaleAttribution } from '#contract/sales.ts'
import { apiQuery } from '../../calls.ts'
import { formatDate, formatMoney } from '../../format.ts'
import { creditingShown, EarlierSalesField } from '../../shared/EarlierSalesField.tsx'
import { LeadField } from '../../shared/LeadPicker.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { useActCall } from '../../ui/act.tsx'
import type { ActProps } from '../../ui/actions.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextAreaField } from '../../ui/fields.tsx'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'
import { LeadsLikePayer } from './LeadsLikePayer.tsx'
import { hasPayer, Payer } from './Payer.tsx'
import { leadsLikePayerQuery } from './queries.ts'

/** Reasons by which payments find their lead: such a lead is chosen already. */
const IDENTIFYING: readonly Likeness[] = ['customer', 'external-id', 'email']

type Values = {
  partnerId: string | undefined
  leadId: string | undefined
  creditEarlierSales: boolean
  shown: EarlierSales | undefined
  reason: string
}

/** Credits a sale without a partner to a partner, or to a lead that has one. Choosing one clears the other. */
export function AttributeDialog({ of: sale, onClose }: ActProps<Sale>) {
  const initial: Values = {
    partnerId: undefined,
    leadId: undefined,
    creditEarlierSales: false,
    shown: undefined,
    reason: '',
  }
  const form = useContractForm(SaleAttribution, {
    initial,
    check: ({ partnerId, leadId, reason }) => ({
      partnerId: partnerId || leadId ? undefined : saleWords.attribute.either,
      reason: reason.trim() === '' ? basicWords.rules.required({ label: labelWords.reason }) : undefined,
    }),
  })
  const { call: save } = useActCall(attributeSale, { done: saleWords.attribute.done }, onClose)
  const partner = form.field('partnerId', labelWords.partner)
  const lead = form.field('leadId', labelWords.lead)
  const { partnerId, leadId } = form.values
  const { amount, currency, accountCurrency, saleDate, accountId } = sale
  const alike = useQuery(leadsLikePayerQuery(sale.id)).data?.items ?? []
  const own = alike.find(({ reasons }) => reasons.some((reason) => IDENTIFYING.includes(reason)))
  const untouched = useRef(true)
  // keeps a choice made while the lead was loading
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the lead that arrives
  useEffect(() => {
    if (own && untouched.current) form.set({ leadId: own.id })
  }, [own?.id])
  function choose(chosen: Pick<Values, 'partnerId' | 'leadId'>) {
    untouched.current = false
    form.set(chosen)
  }
  const nameOfLead = alike.find(({ id }) => id === leadId)?.displayName
  return (
    <FormDialog
      heading={saleWords.attribute.heading}
      why={saleWords.attribute.explain({
        amount: formatMoney(amount ?? 0, currency, accountCurrency),
        date: formatDate(saleDate),
      })}
      submit={saleWords.attribute.submit}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: sale.id }, body: creditingShown(body) })}
      onClose={onClose}
    >
      {hasPayer(sale) && (
        <Facts
          beside
          label={saleWords.columns.payer}
          facts={[{ label: saleWords.columns.payer, value: <Payer of={sale} /> }]}
        />
      )}
      <LeadsLikePayer leads={alike} chosen={leadId} onChoose={(id) => choose({ partnerId: undefined, leadId: id })} />
      <PartnerField
        {...partner}
        accountId={accountId}
        value={form.values.partnerId ?? null}
        help={saleWords.attribute.partnerHelp}
        onChange={(id) => {
          partner.onChange(id ?? undefined)
          choose(id ? { partnerId: id, leadId: undefined } : { partnerId: undefined, leadId })
        }}
      />
      <LeadField
        {...lead}
        accountId={accountId}
        value={form.values.leadId ?? null}
        valueLabel={nameOfLead}
        help={saleWords.attribute.leadHelp}
        onChange={(id) => {
          lead.onChange(id ?? undefined)
          choose(id ? { partnerId: undefined, leadId: id } : { partnerId, leadId: undefined })
        }}
      />
      <EarlierSalesField
        {...form.field('creditEarlierSales', '')}
        currency={accountCurrency}
        onShown={(shown) => form.set({ shown })}
        preview={
          partnerId || leadId
            ? apiQuery(attributeSale, { params: { id: sale.id }, body: { partnerId, leadId, preview: true } })
            : null
        }
      />
      <TextAreaField {...form.field('reason')} rows={2} />
    </FormDialog>
  )
}
