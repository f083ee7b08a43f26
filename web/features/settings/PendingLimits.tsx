import type { Account } from '#contract/accounts.ts'
import { type AutoPayoutSettings, changeAutoPayoutSettings } from '#contract/payout-settings.ts'
import { useCall } from '../../calls.ts'
import { formatMoney, formatShortDateTime } from '../../format.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { twoApprovalsWords } from '../../words/two-approvals.ts'

type Props = {
  account: Account
  auto: AutoPayoutSettings
  pending: NonNullable<AutoPayoutSettings['pendingChange']>
  onWithdrawn: (auto: AutoPayoutSettings) => void
}

/** Shows looser limits that come into force later. Saving the present ones withdraws them. */
export function PendingLimits({ account, auto, pending, onWithdrawn }: Props) {
  const withdraw = useCall(changeAutoPayoutSettings, { onSuccess: onWithdrawn })
  const { maxPerPayout, approvalsAboveCeiling } = auto
  const limit = pending.maxPerPayout === null ? null : formatMoney(pending.maxPerPayout, account.defaultCurrency)
  const changes = [
    pending.maxPerPayout !== maxPerPayout && (limit ? twoApprovalsWords.most({ limit }) : twoApprovalsWords.noMost),
    pending.approvalsAboveCeiling !== approvalsAboveCeiling && twoApprovalsWords.one,
  ]
  return (
    <Message
      kind="info"
      action={
        <Button
          small
          needs={changeAutoPayoutSettings}
          busy={withdraw.busy}
          onClick={() => withdraw.mutate({ params: { id: account.id }, body: { maxPerPayout, approvalsAboveCeiling } })}
        >
          {twoApprovalsWords.withdraw}
        </Button>
      }
    >
      {twoApprovalsWords.from({
        date: formatShortDateTime(pending.inForceAt, account.timeZone),
        change: changes.filter(Boolean).join(', '),
      })}
      {withdraw.error && <p>{explainRefusal(withdraw.error)}</p>}
    </Message>
  )
}
