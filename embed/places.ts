import { ignoringRefusal } from './refusal.ts'

/** A place in the browser that keeps a text: reads it, and replaces it; an empty one deletes it. */
export type Place = [read: () => string | null | undefined, write: (text: string) => void]

/** Returns an entry of the local or session storage, which a browser may refuse. */
export const placeIn = (storage: () => Storage, name: string): Place => [
  () => ignoringRefusal(() => storage().getItem(name)),
  (text) => ignoringRefusal(() => (text ? storage().setItem(name, text) : storage().removeItem(name))),
]
