import type { Payer } from './provider.ts'

/** What one thing of a provider's says of who paid. */
export type Who = {
  customer: string | null
  email: string | null
  name: string | null
  references: string[]
  /** Left out where this thing says nothing of any, or was kept before they were read. */
  promotionCodes?: string[]
}

/** Who paid: of each fact what the first says who says it; the references and promotion codes of all. */
export function payerOf(tellers: Who[]): Payer {
  const first = (field: 'customer' | 'email' | 'name') => tellers.find((teller) => teller[field])?.[field] ?? null
  return {
    customerId: first('customer'),
    email: first('email'),
    name: first('name'),
    references: [...new Set(tellers.flatMap((teller) => teller.references))],
    promotionCodes: [...new Set(tellers.flatMap((teller) => teller.promotionCodes ?? []))],
  }
}
