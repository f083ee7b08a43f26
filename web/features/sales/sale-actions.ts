import { isPaidElsewhere } from '#contract/paid-elsewhere.ts'
import type { RevenueLine, Sale, SaleProvider } from '#contract/sales.ts'
import { isPaymentProvider } from './words.ts'

/** Returns the gross amount not refunded yet; null if amounts are hidden. */
export const leftToRefund = ({ grossAmount, refundedAmount }: Sale) =>
  grossAmount === null || refundedAmount === null ? null : grossAmount - refundedAmount

export const isVoid = ({ status }: Sale) => status === 'void'

/** True if a partner can be credited with the sale: not with one of a lead that counts nowhere, as it was a test. */
export const isUncredited = (sale: Sale) =>
  sale.partnerId === null && !isVoid(sale) && !(sale.livemode === false && sale.leadId && sale.sequence === null)

/** True if the sale can be refunded by hand: money that went through a payment provider is refunded there. */
export const canRefund = (sale: Sale) => !isVoid(sale) && isRefundedHere(sale) && (leftToRefund(sale) ?? 0) > 0

const isRefundedHere = (sale: { provider: SaleProvider; externalId: string | null }) =>
  !isPaymentProvider(sale.provider) || isPaidElsewhere(sale)

/** Returns the actions on the line of a sale itself; lines of its refunds have none. */
export function revenueLineActions({ kind, status, provider, externalId, onHold }: RevenueLine) {
  if (kind === 'void') return ['describe', 'restore'] as const
  if (kind !== 'sale' || provider === null) return []
  const left = status === 'completed' || status === 'partially-refunded' || status === 'disputed'
  return [
    ...(onHold && status !== 'disputed' ? (['release'] as const) : []),
    ...(left && isRefundedHere({ provider, externalId }) ? (['refund'] as const) : []),
    ...(['describe', 'void'] as const),
  ]
}

/** True if a fraud rule holds the sale; an open dispute can't be released here. */
export const isHeld = (sale: Sale) =>
  sale.status !== 'disputed' && sale.commissions.some(({ status }) => status === 'on-hold')

/** True if the sale is recorded but not booked, since its exchange rate is missing. */
export const isAwaitingRate = (sale: Sale) => !isVoid(sale) && sale.amount !== null && sale.accountAmount === null
