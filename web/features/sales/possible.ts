import type { Sale } from '#contract/sales.ts'
import { isPaymentProvider } from './words.ts'

/** Gross amount that has not been given back; null where amounts are hidden. */
export const leftToRefund = ({ grossAmount, refundedAmount }: Sale) =>
  grossAmount === null || refundedAmount === null ? null : grossAmount - refundedAmount

export const isVoid = ({ status }: Sale) => status === 'void'

/** By hand only what no payment provider took: the others are refunded there. */
export const canRefund = (sale: Sale) =>
  !isVoid(sale) && !isPaymentProvider(sale.provider) && (leftToRefund(sale) ?? 0) > 0

/** A rule against fraud holds it; an open dispute is not ours to end. */
export const isHeld = (sale: Sale) =>
  sale.status !== 'disputed' && sale.commissions.some(({ status }) => status === 'on-hold')

/** It is kept, but nothing of it is booked yet. */
export const waitsForRate = (sale: Sale) => !isVoid(sale) && sale.amount !== null && sale.accountAmount === null
