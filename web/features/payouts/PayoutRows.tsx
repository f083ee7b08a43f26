import type { ReactNode } from 'react'
import type { Payout } from '#contract/payouts.ts'
import { formatMoney } from '../../format.ts'
import styles from './PayoutRows.module.css'
import { numberOf } from './words.ts'

/** The payouts that a dialog acts on, or leaves out. */
export const PayoutRows = ({ label, children }: { label?: string; children: ReactNode }) => (
  <ul aria-label={label} className={styles.rows}>
    {children}
  </ul>
)

type RowProps = {
  payout: Payout | undefined
  /** After the payout's number. */
  note?: string
  /** The payout is left out. */
  muted?: boolean
  before?: ReactNode
  children?: ReactNode
}

/** A payout's partner, number and amount. */
export const PayoutRow = ({ payout, note, muted, before, children }: RowProps) => (
  <li className={muted ? 'row muted' : 'row'}>
    {before}
    <span className="rest wrap">
      {payout?.partnerName}{' '}
      <small className="muted">{[payout && numberOf(payout), note].filter(Boolean).join(' · ')}</small>
    </span>
    {payout && <span>{formatMoney(payout.amount, payout.currency)}</span>}
    {children}
  </li>
)
