import type { ProviderObject } from './provider.ts'

type Data = Record<string, unknown>
type More = { rank?: number; group?: string | null }

/** A thing of the provider's, as it is kept. */
export const thing = (kind: string, id: string | null, at: Date, data: Data, more: More = {}): ProviderObject => ({
  kind,
  id: id ?? '',
  rank: more.rank ?? 0,
  group: more.group ?? null,
  at,
  data,
})

/** Somebody told of this payment as it happened; an old one is not a sale just because a refund names it. */
export const announcement = (at: Date) => thing('announcement', 'announcement', at, {})

/** Marks that the surroundings of the payment were asked for. */
export const contextRead = (at: Date) => thing('context', 'context', at, {})

/** In one order, whenever each of them came. */
export const inOrder = (objects: ProviderObject[]) => objects.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** The stored things of a payment, kind by kind, in one order. */
export function kindsAmong(objects: ProviderObject[]) {
  const ordered = inOrder(objects)
  return <T>(kind: string) =>
    ordered.filter((object) => object.kind === kind).map(({ id, data }) => ({ ...(data as T), id }))
}
