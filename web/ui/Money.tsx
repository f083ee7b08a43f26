import { formatMoney } from '../format.ts'
import styles from './Money.module.css'

type Props = {
  /** Minor units. */
  amount: number
  currency: string
  /** The account's own currency, where `currency` may be another. */
  own?: string
}

/** An amount in a list: zero is muted, below zero is red with its sign. */
export function Money({ amount, currency, own }: Props) {
  const look = amount < 0 ? styles.negative : amount === 0 ? styles.zero : undefined
  return <span className={look}>{formatMoney(amount, currency, own)}</span>
}
