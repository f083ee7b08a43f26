import type { Payout, PayoutAttempt } from '#contract/payouts.ts'
import { formatDateAt, formatMoney } from '../../format.ts'
import { Panel } from '../../ui/Panel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { t } from '../../words.ts'
import styles from './PayoutDetail.module.css'

/** Attempts at Wise, each with Wise's reply, once there was more than one. */
export function Attempts({ payout, timeZone }: { payout: Payout; timeZone: string }) {
  const { attempts, currency } = payout
  const heading = t('payouts.detail.attempts')
  return (
    <Panel heading={heading}>
      <PlainTable
        label={heading}
        rows={attempts}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t('payouts.columns.date'),
            cell: ({ at }) => <span className={styles.day}>{formatDateAt(at, timeZone)}</span>,
          },
          { head: t('payouts.columns.state'), cell: (attempt) => <State attempt={attempt} /> },
          {
            head: t('payouts.columns.transfer'),
            wideOnly: true,
            cell: ({ wiseTransferId }) => (wiseTransferId ? <code>{wiseTransferId}</code> : t('absent')),
          },
          { head: t('payouts.columns.fee'), numeric: true, cell: (attempt) => feeOf(attempt, currency) },
          { head: t('payouts.columns.error'), wideOnly: true, cell: ({ error }) => error ?? t('absent') },
        ]}
      />
    </Panel>
  )
}

/** On narrow screens, which have no error column, the error is below the state. */
const State = ({ attempt: { state, error } }: { attempt: PayoutAttempt }) => (
  <>
    {attemptLabel(state)}
    {error && <small className={styles.error}>{error}</small>}
  </>
)

const feeOf = ({ fee }: PayoutAttempt, currency: string) => (fee === null ? t('absent') : formatMoney(fee, currency))

/** Returns our label for a state of an attempt or transfer; an unknown state is shown in Wise's words. */
export const attemptLabel = (state: string) =>
  t(`payouts.attempts.${state as 'created'}`, { defaultValue: state.replaceAll('_', ' ') })
