import { useQuery } from '@tanstack/react-query'
import type { Payout } from '#contract/payouts.ts'
import { formatDate, formatDateRange, formatMoney } from '../../format.ts'
import { payoutSettings } from '../../shared/queries.ts'
import { useAccountRole } from '../../shell/current.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { approvalPreview } from './queries.ts'
import { methodLabel } from './words.ts'

/** Statuses before the money has left. */
const coming: readonly Payout['status'][] = ['open', 'due', 'approved', 'processing', 'awaiting-funding']

/** The payout's facts: period, method, account and cost. */
export function Details({ payout }: { payout: Payout }) {
  const { accountId, partnerId, status, method, currency } = payout
  const heading = t('payouts.detail.details')
  const isOwner = useAccountRole().type === 'account-owner'
  const settings = useQuery(payoutSettings(partnerId))
  const estimate = useQuery({ ...approvalPreview(accountId, [payout.id]), enabled: isOwner && status === 'due' })
  const deposit = settings.data?.depositInfo
  const paidFee = payout.attempts.findLast(({ fee }) => fee !== null)?.fee ?? null
  const facts: (Fact | false | '' | null | undefined)[] = [
    {
      label: t('payouts.detail.period'),
      value: periodOf(payout),
    },
    { label: t('payouts.detail.method'), value: methodLabel(method) },
    settings.data && {
      label: t('payouts.detail.account'),
      value: deposit
        ? `${t(`settings.deposit.${deposit.accountType}`)} ${deposit.accountNumber}`
        : t('payouts.detail.noAccount'),
    },
    paidFee !== null && { label: t('payouts.detail.feePaid'), value: formatMoney(paidFee, currency) },
    paidFee === null &&
      estimate.data?.feeEstimate != null && {
        label: t('payouts.detail.fee'),
        value: formatMoney(estimate.data.feeEstimate, currency),
      },
    method === 'wise' &&
      coming.includes(status) && { label: t('payouts.detail.arrives'), value: t('payouts.detail.arrivesWhen') },
    payout.scheduledFor && { label: t('payouts.detail.nextRun'), value: formatDate(payout.scheduledFor) },
    isOwner &&
      payout.approvedAt && {
        label: t('payouts.detail.approvedBy'),
        value: payout.approvedBy ?? t('payouts.events.automatic'),
      },
    payout.externalReference && { label: t('payouts.detail.reference'), value: payout.externalReference },
  ]
  return (
    <Panel heading={heading}>
      <Facts label={heading} facts={facts.filter((fact): fact is Fact => Boolean(fact))} />
    </Panel>
  )
}

function periodOf({ periodStart, periodEnd }: Payout) {
  if (!periodStart || !periodEnd) return t('absent')
  return formatDateRange(periodStart, periodEnd)
}
