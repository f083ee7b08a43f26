import { formatDate } from '#web/format.ts'
import type { Claim } from '../contract.ts'
import { claimWords as words } from '../text.ts'

/** Returns what a claim names: the order, else the customer's e-mail and the day. */
export function claimName({ orderId, email, day }: Pick<Claim, 'orderId' | 'email' | 'day'>): string {
  if (day === null) return words.order({ order: orderId ?? '' })
  const date = formatDate(day)
  return email === null ? words.saleOn({ date }) : words.saleOf({ email, date })
}

/** Whether the partner was asked and has not answered. */
export const waitsForPartner = ({ state, askedAt, answeredAt }: Pick<Claim, 'state' | 'askedAt' | 'answeredAt'>) =>
  state === 'open' && askedAt !== null && answeredAt === null

/** Returns the state that a claim's badge shows the team. */
export const shownState = (claim: Claim) => (waitsForPartner(claim) ? ('asked' as const) : claim.state)
