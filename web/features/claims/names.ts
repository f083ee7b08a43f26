import type { Claim } from '#contract/claims.ts'
import { formatDate } from '../../format.ts'
import { claimWords as words } from '../../words/claims.ts'

/** Returns what a claim names: the order, else the customer's e-mail and the day. */
export function claimName({ orderId, email, day }: Pick<Claim, 'orderId' | 'email' | 'day'>): string {
  if (day === null) return words.order({ order: orderId ?? '' })
  const date = formatDate(day)
  return email === null ? words.saleOn({ date }) : words.saleOf({ email, date })
}
