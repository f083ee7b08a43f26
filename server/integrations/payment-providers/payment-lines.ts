import type { SaleLine } from '#contract/sales.ts'
import { parseText } from './parse-values.ts'

type ProviderLine = {
  id: unknown
  productId?: unknown
  priceId?: unknown
  sku?: unknown
  name: unknown
  quantity: unknown
  /** Net; null if it cannot be read. */
  amount: number | null
}

/** Returns a line of a provider's; none without an id or an amount. */
export function readLine({ id, productId, priceId, sku, name, quantity, amount }: ProviderLine): SaleLine[] {
  const own = lineId(id)
  if (!own || amount === null || !Number.isSafeInteger(amount)) return []
  const count = Number(quantity)
  return [
    {
      id: own,
      productId: lineId(productId),
      priceId: lineId(priceId),
      sku: lineId(sku),
      name: parseText(name, 200),
      quantity: quantity !== null && count > 0 && Number.isFinite(count) ? count : null,
      amount,
    },
  ]
}

/** Reads an id of a line, which is a number for some providers; conditions of terms have as many characters. */
export const lineId = (value: unknown) => parseText(typeof value === 'number' ? String(value) : value, 100)

export const linesOrNull = (lines: SaleLine[] | undefined) => (lines?.length ? lines : null)
