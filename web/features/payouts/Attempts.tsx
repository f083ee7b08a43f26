import type { Payout, PayoutAttempt } from '#contract/payouts.ts'
import { formatDateAt, formatMoney } from '../../format.ts'
import { useMediaQuery } from '../../ui/browser.ts'
import { Panel } from '../../ui/Panel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'

/** Attempts at the provider, each with its reply, once there was more than one. */
export function Attempts({ payout, timeZone }: { payout: Payout; timeZone: string }) {
  const { attempts, currency } = payout
  const heading = payoutWords.detail.attempts
  return (
    <Panel heading={heading}>
      <PlainTable
        label={heading}
        rows={attempts}
        columns={[
          { head: fieldWords.date, cell: ({ at }) => formatDateAt(at, timeZone) },
          { head: fieldWords.status, cell: (attempt) => <State attempt={attempt} /> },
          {
            head: fieldWords.transfer,
            wideOnly: true,
            cell: ({ transferId }) => (transferId ? <code>{transferId}</code> : basicWords.absent),
          },
          { head: fieldWords.fee, numeric: true, cell: (attempt) => feeOf(attempt, currency) },
          { head: payoutWords.columns.error, wideOnly: true, cell: ({ error }) => error ?? basicWords.absent },
        ]}
      />
    </Panel>
  )
}

/** On narrow screens, which have no error column, the error is below the state. */
function State({ attempt: { state, error } }: { attempt: PayoutAttempt }) {
  const wide = useMediaQuery('(min-width: 768px), print')
  return (
    <>
      {attemptLabel(state)}
      {error && !wide && <p className="muted small wrap">{error}</p>}
    </>
  )
}

const feeOf = ({ fee }: PayoutAttempt, currency: string) =>
  fee === null ? basicWords.absent : formatMoney(fee, currency)

/** Returns our label for a state of an attempt or transfer; an unknown state is shown in the provider's words. */
export const attemptLabel = (state: string) =>
  Object.hasOwn(payoutWords.attempts, state) ? payoutWords.attempts[state as 'created'] : state
