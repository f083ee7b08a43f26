import { useQuery } from '@tanstack/react-query'
import type { Payout } from '#contract/payouts.ts'
import { approveForTaxYear } from '#contract/tax-years.ts'
import { useCall } from '../../calls.ts'
import { todayIn, toYear } from '../../format.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Toggle } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { payoutWords } from '../../words/payouts.ts'
import { toastWords } from '../../words/shell.ts'

type Props = {
  payout: Payout
  /** True if the container remains once the blocker is lifted. */
  stays?: boolean
}

/**
 * A switch for the partner's approval for this year, while it is missing; switching it on lifts the blocker at once.
 */
export function ApprovedThisYear({ payout: { partnerId, partnerName }, stays }: Props) {
  const may = usePermission()
  const { id: accountId, timeZone } = useAccount()
  const year = toYear(todayIn(timeZone))
  const { data } = useQuery(partnerQuery(partnerId))
  const label = payoutWords.blockers.approvedIn({ year })
  const change = useCall(approveForTaxYear)
  const years = data?.approvedPayoutYears

  function set(on: boolean) {
    const body = { partnerIds: [partnerId], approved: on }
    change.send({ params: { id: accountId, year: String(year) }, body }).then(
      () => {
        const message = (on ? payoutWords.blockers.approved : payoutWords.blockers.approvalTaken)({
          name: partnerName,
          year,
        })
        showToast(message, on ? { action: { label: toastWords.undo, run: () => set(false) } } : {})
        // The switch disappears with the blocker; the focus must not.
        if (!stays) focusHeading()
      },
      // The refusal is shown from `change.error`.
      () => undefined,
    )
  }

  if (!may(approveForTaxYear)) return null
  return (
    <div className="stack gap-2">
      <Toggle
        label={label}
        checked={years?.includes(year) ?? false}
        disabled={!years || change.busy}
        onChange={set}
        spread
      />
      {change.error && <Message kind="error">{explainRefusal(change.error)}</Message>}
    </div>
  )
}
