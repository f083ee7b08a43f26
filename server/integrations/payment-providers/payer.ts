import type { Payer } from './provider.ts'

/** An object's facts about the payer. */
export type PayerFacts = {
  customer: string | null
  email: string | null
  name: string | null
  references: string[]
  /** Omitted if this object has none, or was stored before they were read. */
  promotionCodes?: string[]
}

/** Combines payer facts: each by the first source that has it; the references and promotion codes of all. */
export function payerOf(tellers: PayerFacts[]): Payer {
  const first = (field: 'customer' | 'email' | 'name') => tellers.find((teller) => teller[field])?.[field] ?? null
  return {
    customerId: first('customer'),
    email: first('email'),
    name: first('name'),
    references: [...new Set(tellers.flatMap((teller) => teller.references))],
    promotionCodes: [...new Set(tellers.flatMap((teller) => teller.promotionCodes ?? []))],
  }
}
