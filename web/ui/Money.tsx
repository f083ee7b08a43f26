import { formatNumber } from '#contract/format.ts'
import { formatMoney } from '../format.ts'
import { basicWords } from '../words/basic.ts'

type Props = {
  /** Minor units; null if absent. */
  amount: number | null
  currency: string
  /** The account's own currency, if `currency` may be another. */
  own?: string
  /** The most important figure of its row. */
  strong?: boolean
}

/** An amount in a list: zero is muted, a negative one is red with its sign, absent is '–'. */
export function Money({ amount, currency, own, strong }: Props) {
  if (amount === null) return <span className="muted">{basicWords.absent}</span>
  const look = amount < 0 ? 'error' : amount === 0 ? 'muted' : ''
  const weight = strong && amount !== 0 ? 'strong' : ''
  return <span className={`${look} ${weight}`}>{formatMoney(amount, currency, own)}</span>
}

/** A number in a list: '1,234'; zero is muted, absent is '–'. */
export function Count({ count }: { count: number | null }) {
  if (count === null) return <span className="muted">{basicWords.absent}</span>
  return count === 0 ? <span className="muted">{formatNumber(0)}</span> : formatNumber(count)
}
