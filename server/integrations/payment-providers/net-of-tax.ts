import { toProportion } from '#contract/money.ts'

/** The amounts of a bill; `net` is without tax and shipping. */
export type Bill = { total: number; net: number; tax: number }

/** Splits a payment into net and tax, pro rata if it is only a part of its bill. */
export function netOfTax(gross: number, bill: Bill): { net: number; tax: number } {
  if (bill.total <= 0) return { net: gross, tax: 0 }
  const part = (amount: number) => Math.min(gross, toProportion(Math.max(0, amount), gross, bill.total))
  const net = part(bill.net)
  // both rounded up may exceed the amount paid
  return { net, tax: Math.min(part(bill.tax), gross - net) }
}
