import type { Payout, PayoutAttempt } from '#contract/payouts.ts'
import { formatDay, formatMoney } from '../../format.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Table } from '../../ui/Table.tsx'
import { t } from '../../words.ts'
import styles from './PayoutDetail.module.css'

/** Each try at Wise, with what Wise said. */
export function Attempts({ payout, timeZone }: { payout: Payout; timeZone: string }) {
  const { attempts, currency, method, status } = payout
  // A payout that was canceled before the first one gets none.
  if (status === 'canceled' && attempts.length === 0) return null
  const heading = t('payouts.detail.attempts')
  return (
    <Panel heading={heading}>
      {attempts.length === 0 ? (
        <p className={styles.none}>
          {t('states.empty')}. {t(method === 'wise' ? 'payouts.detail.noAttempts' : 'payouts.detail.noAttemptsByHand')}
        </p>
      ) : (
        <Table
          label={heading}
          rows={attempts}
          keyOf={({ id }) => id}
          columns={[
            {
              head: t('payouts.columns.date'),
              cell: ({ at }) => <span className={styles.day}>{formatDay(at, timeZone)}</span>,
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
      )}
    </Panel>
  )
}

/** Where there is no column for it, what Wise said stands below. */
const State = ({ attempt: { state, error } }: { attempt: PayoutAttempt }) => (
  <>
    {attemptLabel(state)}
    {error && <small className={styles.error}>{error}</small>}
  </>
)

const feeOf = ({ fee }: PayoutAttempt, currency: string) => (fee === null ? t('absent') : formatMoney(fee, currency))

/** Our words for a state of an attempt or a transfer; a state that Wise adds is shown as Wise writes it. */
export const attemptLabel = (state: string) =>
  t(`payouts.attempts.${state as 'created'}`, { defaultValue: state.replaceAll('_', ' ') })
