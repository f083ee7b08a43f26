import type { ProviderObject } from './provider.ts'

type Data = Record<string, unknown>
type More = { rank?: number; group?: string | null }

/** Returns a provider's object in stored form. */
export const thing = (kind: string, id: string | null, at: Date, data: Data, more: More = {}): ProviderObject => ({
  kind,
  id: id ?? '',
  rank: more.rank ?? 0,
  group: more.group ?? null,
  at,
  data,
})

/** Marks a payment as reported when it happened; a refund alone does not make an old payment a sale. */
export const announcement = (at: Date) => thing('announcement', 'announcement', at, {})

/** Marks that the payment's related objects were requested. */
export const contextRead = (at: Date) => thing('context', 'context', at, {})

/** Sorts objects independently of their arrival. */
export const inOrder = (objects: ProviderObject[]) => objects.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Returns a function for the stored objects of a payment by kind, sorted. */
export function kindsAmong(objects: ProviderObject[]) {
  const ordered = inOrder(objects)
  return <T>(kind: string) =>
    ordered.filter((object) => object.kind === kind).map(({ id, data }) => ({ ...(data as T), id }))
}
