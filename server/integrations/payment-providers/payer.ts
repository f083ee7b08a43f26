import type { Payer } from './provider.ts'

/** What one thing of a provider's says of who paid. */
export type Who = { customer: string | null; email: string | null; name: string | null; references: string[] }

/** Who paid: of each fact what the first says who says it; the references of all. */
export function payerOf(tellers: Who[]): Payer {
  const first = (field: 'customer' | 'email' | 'name') => tellers.find((teller) => teller[field])?.[field] ?? null
  return {
    customerId: first('customer'),
    email: first('email'),
    name: first('name'),
    references: [...new Set(tellers.flatMap((teller) => teller.references))],
  }
}
