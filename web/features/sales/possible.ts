import type { RevenueLine, Sale } from '#contract/sales.ts'
import { isPaymentProvider } from './words.ts'

/** Gross amount that has not been given back; null where amounts are hidden. */
export const leftToRefund = ({ grossAmount, refundedAmount }: Sale) =>
  grossAmount === null || refundedAmount === null ? null : grossAmount - refundedAmount

export const isVoid = ({ status }: Sale) => status === 'void'

/** By hand only what no payment provider took: the others are refunded there. */
export const canRefund = (sale: Sale) =>
  !isVoid(sale) && !isPaymentProvider(sale.provider) && (leftToRefund(sale) ?? 0) > 0

/** What can be done with the sale of a line; it stands on the line of the sale itself, not on those of its refunds. */
export function actsOf({ kind, status, provider, onHold }: RevenueLine) {
  if (kind === 'void') return ['describe'] as const
  if (kind !== 'sale') return []
  const left = status === 'completed' || status === 'partially-refunded' || status === 'disputed'
  return [
    ...(onHold && status !== 'disputed' ? (['release'] as const) : []),
    ...(left && !isPaymentProvider(provider) ? (['refund'] as const) : []),
    ...(['describe', 'void'] as const),
  ]
}

/** A rule against fraud holds it; an open dispute is not ours to end. */
export const isHeld = (sale: Sale) =>
  sale.status !== 'disputed' && sale.commissions.some(({ status }) => status === 'on-hold')

/** It is kept, but nothing of it is booked yet. */
export const waitsForRate = (sale: Sale) => !isVoid(sale) && sale.amount !== null && sale.accountAmount === null
