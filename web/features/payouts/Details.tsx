import { useQuery } from '@tanstack/react-query'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { approvePayouts, type Payout } from '#contract/payouts.ts'
import { receivedInWords } from '#contract/received.ts'
import { statementWords } from '#contract/statement.ts'
import { formatDate, formatDateRange, formatMoney } from '../../format.ts'
import { depositLine, destinationLine } from '../../shared/deposit-line.ts'
import { payoutSettingsQuery } from '../../shared/queries.ts'
import { isTeam } from '../../shared/roles.ts'
import { useAccountRole } from '../../shell/current.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { rewardWords } from '../../words/rewards.ts'
import { approvalPreviewQuery } from './queries.ts'
import { formatApprovers, formatUnits, methodLabel } from './words.ts'

/** Statuses before the money has left. */
const coming: readonly Payout['status'][] = ['open', 'due', 'approved', 'processing', 'awaiting-funding']

/** The payout's facts: period, method, account and cost. */
export function Details({ payout }: { payout: Payout }) {
  const { accountId, partnerId, status, method, currency } = payout
  const heading = payoutWords.detail.details
  const may = usePermission()
  const isOwner = isTeam(useAccountRole())
  const settings = useQuery({ ...payoutSettingsQuery(partnerId), enabled: may(getPayoutSettings) })
  const estimate = useQuery({
    ...approvalPreviewQuery(accountId, [payout.id]),
    enabled: may(approvePayouts) && status === 'due',
  })
  const deposit = settings.data?.depositInfo
  // before approval the details may still change, so the present ones are shown
  const destination = payout.approvedAt === null ? null : payout.destination
  const received = receivedInWords(payout)
  const paidFee = payout.attempts.findLast(({ fee }) => fee !== null)?.fee ?? null
  const facts: (Fact | false | '' | null | undefined)[] = [
    {
      label: payoutWords.detail.period,
      value: periodOf(payout),
    },
    { label: fieldWords.method, value: methodLabel(payout.method) },
    payout.reward?.units != null && { label: rewardWords.reward, value: formatUnits(payout) },
    destination && { label: payoutWords.detail.sentTo, value: destinationLine(destination) },
    !destination &&
      settings.data && {
        label: fieldWords.account,
        value: deposit ? depositLine(deposit) : payoutWords.detail.noAccount,
      },
    received && { label: statementWords.received, value: received },
    payout.taxAmount > 0 && { label: statementWords.vat, value: formatMoney(payout.taxAmount, currency) },
    payout.taxAmount > 0 && { label: statementWords.inAll, value: formatMoney(payout.payAmount, currency) },
    payout.invoiceNumber && { label: statementWords.invoice, value: payout.invoiceNumber },
    // what was received abroad names it
    paidFee !== null &&
      !(received && payout.payee?.fee) && { label: fieldWords.fee, value: formatMoney(paidFee, currency) },
    paidFee === null &&
      estimate.data?.feeEstimate != null && {
        label: payoutWords.detail.fee,
        value: formatMoney(estimate.data.feeEstimate, currency),
      },
    method === 'wise' &&
      coming.includes(status) && { label: payoutWords.detail.arrives, value: payoutWords.detail.arrivesWhen },
    payout.scheduledFor && { label: payoutWords.detail.nextRun, value: formatDate(payout.scheduledFor) },
    isOwner &&
      payout.approvedAt && {
        label: payoutWords.detail.approvedBy,
        value: formatApprovers(payout),
      },
    payout.externalReference && { label: labelWords.externalReference, value: payout.externalReference },
  ]
  return (
    <Panel heading={heading}>
      <Facts label={heading} facts={facts.filter((fact): fact is Fact => Boolean(fact))} />
    </Panel>
  )
}

function periodOf({ periodStart, periodEnd }: Payout) {
  if (!periodStart || !periodEnd) return basicWords.absent
  return formatDateRange(periodStart, periodEnd)
}
