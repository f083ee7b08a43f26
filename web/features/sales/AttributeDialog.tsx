import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  attributeSale,
  type EarlierSales,
  type Likeness,
  type ListedSale,
  type Sale,
  SaleAttribution,
  type SimilarLead,
} from '#contract/sales.ts'
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

/** Reasons by which payments find their lead: such a lead is chosen already, even if it was referred later. */
const IDENTIFYING: readonly Likeness[] = ['customer', 'external-id', 'email']

/** Returns why a lead is credited, as a first version of the reason: 'Same mailbox: Rosa Delgado'. */
const reasonFor = ({ reasons, displayName }: SimilarLead) =>
  saleWords.attribute.reason({ because: saleWords.attribute.because[reasons[0]!], lead: displayName })

type Values = {
  partnerId: string | undefined
  leadId: string | undefined
  creditEarlierSales: boolean
  shown: EarlierSales | undefined
  reason: string
}

/** Credits a sale without a partner to a partner, or to a lead that has one. Choosing one clears the other. */
export function AttributeDialog({ of: sale, onClose }: ActProps<Sale & Partial<Pick<ListedSale, 'likelyLead'>>>) {
  const { likelyLead } = sale
  const initial: Values = {
    partnerId: undefined,
    leadId: likelyLead?.id,
    creditEarlierSales: false,
    shown: undefined,
    reason: likelyLead ? reasonFor(likelyLead) : '',
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
  const likely =
    alike.find(({ referredLater }) => !referredLater) ??
    alike.find(({ reasons }) => reasons.some((reason) => IDENTIFYING.includes(reason)))
  const untouched = useRef(true)
  // keeps what was chosen or typed while the lead was loading
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the lead that arrives
  useEffect(() => {
    if (likely && untouched.current && form.values.reason === initial.reason)
      form.set({ leadId: likely.id, reason: reasonFor(likely) })
  }, [likely?.id])
  /** A reason that was filled in for another choice goes with it. */
  function choose(chosen: Pick<Values, 'partnerId' | 'leadId'>) {
    untouched.current = false
    const filledIn = ['', ...alike.map(reasonFor)].includes(form.values.reason)
    const next = alike.find(({ id }) => id === chosen.leadId)
    form.set({ ...chosen, ...(filledIn && { reason: next ? reasonFor(next) : '' }) })
  }
  const chosenLead = alike.find(({ id }) => id === leadId) ?? (likelyLead?.id === leadId ? likelyLead : undefined)
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
        value={partnerId ?? chosenLead?.partnerId ?? null}
        help={saleWords.attribute.partnerHelp}
        onChange={(id) => {
          partner.onChange(id ?? undefined)
          choose({ partnerId: id ?? undefined, leadId: undefined })
        }}
      />
      <LeadField
        {...lead}
        accountId={accountId}
        value={form.values.leadId ?? null}
        valueLabel={chosenLead?.displayName}
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
