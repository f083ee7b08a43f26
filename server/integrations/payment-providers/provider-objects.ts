import type { Payer, ProviderObject, ProviderPayment } from './provider.ts'

type Data = Record<string, unknown>
type More = { rank?: number; group?: string | null }

/** Returns a provider's object in stored form. */
export const providerObject = (
  kind: string,
  id: string | null,
  at: Date,
  data: Data,
  more: More = {},
): ProviderObject => ({
  kind,
  id: id ?? '',
  rank: more.rank ?? 0,
  group: more.group ?? null,
  at,
  data,
})

/** Marks a payment as reported when it happened; a refund alone does not make an old payment a sale. */
export const paymentReported = (at: Date) => providerObject('announcement', 'announcement', at, {})

export const isReported = (objects: ProviderObject[]) => objects.some(({ kind }) => kind === 'announcement')

/** Marks that the payment's related objects were requested. */
export const relatedRead = (at: Date) => providerObject('context', 'context', at, {})

export const isRelatedRead = (objects: ProviderObject[]) => objects.some(({ kind }) => kind === 'context')

/** Sorts objects independently of their arrival. */
export const inOrder = (objects: ProviderObject[]) => objects.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Returns a function for the stored objects of a payment by kind, sorted. */
export function kindsAmong(objects: ProviderObject[]) {
  const ordered = inOrder(objects)
  return <T>(kind: string) =>
    ordered.filter((object) => object.kind === kind).map(({ id, data }) => ({ ...(data as T), id }))
}

type Report = ProviderPayment['refunds'][number]

/** A stored refund or dispute. */
export type StoredRefund = { amount: number; currency: string; reason: string | null; at: number }

/** Returns the report of a stored refund or dispute. */
export const refundReport = (
  kind: Report['kind'],
  { id, amount, currency, reason, at }: StoredRefund & { id: string },
  status: Report['status'],
): Report => ({ kind, externalId: id, amount, currency, status, reason, at: new Date(at) })

/** An object's facts about the payer. */
export type PayerFacts = {
  customer: string | null
  email: string | null
  name: string | null
  references: string[]
  /** Two capitals; omitted if this object has none, or was stored before it was read. */
  country?: string | null
  /** Omitted if this object has none, or was stored before they were read. */
  promotionCodes?: string[]
}

/** Combines payer facts: each by the first source that has it; the references and promotion codes of all. */
export function toPayer(sources: PayerFacts[]): Payer {
  const first = (field: 'customer' | 'email' | 'name' | 'country') =>
    sources.find((source) => source[field])?.[field] ?? null
  return {
    customerId: first('customer'),
    email: first('email'),
    name: first('name'),
    country: first('country'),
    references: [...new Set(sources.flatMap((source) => source.references))],
    promotionCodes: [...new Set(sources.flatMap((source) => source.promotionCodes ?? []))],
  }
}

/** Facts of an object without data about the payer. */
export const noPayer = { customer: null, email: null, name: null, references: [] } satisfies PayerFacts
