import { Link } from '@tanstack/react-router'
import type { CommissionPreview } from '#contract/sales.ts'
import { changeAccountTerms, type TermsSource } from '#contract/terms.ts'
import { ToLead } from '../../shared/links.tsx'
import { SetRates } from '../../shared/SetRates.tsx'
import { Message } from '../../ui/Message.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { zeroRateWords } from '../../words/commissions.ts'
import { saleWords } from '../../words/leads.ts'

/** Whose sale it is; `leadId` is null for a new customer. */
export type Customer = {
  leadId: string | null
  partnerId: string | null
  partnerName: string | null
  blueprintId: string | null
}

/** The reason a sale earns no commission, with the remedy. */
export function Unearned({ of: unearned, lead }: { of: CommissionPreview['unearned']; lead: Customer }) {
  const { why, source } = unearned ?? {}
  // a rejected lead may have one
  if (why === 'no-partner' && lead.partnerId === null)
    return (
      <Message
        kind="warning"
        action={lead.leadId !== null && <ToLead id={lead.leadId}>{saleWords.split.assign}</ToLead>}
      >
        {saleWords.split.noPartner}
      </Message>
    )
  if (why === 'zero-rates' && source)
    return (
      <Message kind="warning" action={<ToRates source={source} of={lead} />}>
        {saleWords.split.zeroRates[source]({ partner: lead.partnerName ?? '' })}
      </Message>
    )
  return <Message kind="info">{saleWords.split.nobody}</Message>
}

type RatesProps = {
  /** The level at which the rates are set. */
  source: TermsSource
  of: { partnerId: string | null; blueprintId?: string | null }
}

/** A link to where these rates are edited. */
export function ToRates({ source, of: { partnerId, blueprintId } }: RatesProps) {
  if (!usePermission()(changeAccountTerms)) return null
  if (source === 'partner' && partnerId)
    return (
      <Link to="/partners/$partnerId/update" params={{ partnerId }}>
        {zeroRateWords.set}
      </Link>
    )
  if (source === 'link' && blueprintId)
    return (
      <Link to="/links/$blueprintId/update" params={{ blueprintId }}>
        {zeroRateWords.set}
      </Link>
    )
  return <SetRates />
}
