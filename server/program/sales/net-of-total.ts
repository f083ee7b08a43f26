import { wrongField } from '../../platform/refusal.ts'

/** A sale's amounts as reported: net, or the customer's total. */
export type ReportedAmounts = {
  amount?: number | null | undefined
  grossAmount?: number | null | undefined
  taxAmount?: number | null | undefined
  shippingAmount?: number | null | undefined
}

/**
 * Returns net of tax and shipping, which are part of the total if no net amount is given.
 * Refuses: in `grossAmount` a total below its parts.
 */
export function netOfTotal({ amount, grossAmount, taxAmount, shippingAmount }: ReportedAmounts) {
  const tax = taxAmount ?? 0
  const net = amount ?? (grossAmount ?? 0) - tax - (shippingAmount ?? 0)
  const gross = grossAmount ?? net + tax + (shippingAmount ?? 0)
  if (net < 0 || gross < net + tax) throw wrongField('grossAmount', 'total_below_parts')
  return { amount: net, taxAmount: tax, grossAmount: gross }
}
