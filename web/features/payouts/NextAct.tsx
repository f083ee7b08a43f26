import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { applyPayoutResults, createPaymentFile } from '#contract/payment-files.ts'
import { remindPartner } from '#contract/payout-settings.ts'
import type { Blocker, Payout } from '#contract/payouts.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { todayIn, toYear } from '../../format.ts'
import { useBulkAction } from '../../shared/bulk-actions.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { toastRefusal } from '../../ui/refusals.ts'
import { payoutWords } from '../../words/payouts.ts'
import { findMainAct } from './payout-actions.tsx'

/** The one act that moves a payout on, in its row. */
export function NextAct({ payout, onFile }: { payout: Payout; onFile: () => void }): ReactNode {
  const may = usePermission()
  const { paymentFile: file, status, method, attempts } = payout
  const isUnsure = attempts.at(-1)?.state === 'unsure'
  if (file)
    return (
      may(applyPayoutResults) && (
        <Link to="/payouts/files/$fileId" params={{ fileId: file.id }}>
          {payoutWords.results.heading}
        </Link>
      )
    )
  if (status === 'awaiting-funding' && method === 'wise' && !isUnsure)
    return (
      <a href="https://wise.com/" target="_blank" rel="noreferrer">
        {payoutWords.payOnWise}
      </a>
    )
  const remedy = payout.blockers.map(({ code }) => remedies[code]).find((one) => one !== undefined)
  if (remedy || status === 'returned') return <Remedy kind={remedy ?? 'remind'} payout={payout} />
  // a file approves it, and holds one approved without
  if (filed.includes(method) && (status === 'due' || status === 'approved'))
    return (
      <Button small needs={createPaymentFile} onClick={onFile}>
        {payoutWords.makeFile}
      </Button>
    )
  const main = findMainAct(payout)
  return main && <ActButton small act={main} of={payout} />
}

/** The methods that pay by a file. */
const filed: readonly Payout['method'][] = ['sepa', 'csv']

/** The blockers that a person lifts from here. */
const remedies: { [code in Blocker['code']]?: 'remind' | 'approve-year' } = {
  'no-deposit-info': 'remind',
  'not-approved-this-year': 'approve-year',
  'wise-rejected-recipient': 'remind',
  'details-rejected': 'remind',
}

type RemedyProps = { kind: 'remind' | 'approve-year'; payout: Payout }

/** The button that lifts a blocker of a payout: also beside the blocker on its page. */
export function Remedy({ kind, payout: { accountId, partnerId } }: RemedyProps) {
  const year = toYear(todayIn(useAccount().timeZone))
  const approval = useYearApproval(accountId)
  const reminding = useBulkAction(accountId, { onError: toastRefusal })
  /** The pressed button disappears with the blocker, so the focus moves to the heading. */
  async function approve() {
    if (await approval.set(year, [partnerId], true)) focusHeading({ preventScroll: true })
  }
  return kind === 'remind' ? (
    <Button
      small
      needs={remindPartner}
      busy={reminding.busy}
      onClick={() => reminding.start({ action: 'remind-partners', ids: [partnerId] })}
    >
      {payoutWords.now.remind}
    </Button>
  ) : (
    <Button small needs={approveForTaxYear} busy={approval.busy} onClick={() => void approve()}>
      {payoutWords.now.approveYear({ year })}
    </Button>
  )
}
