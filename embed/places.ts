import { ignoringRefusal } from './refusal.ts'

/** A place in the browser that keeps a text: reads it, and replaces it; an empty one deletes it. */
export type Place = [read: () => string | null | undefined, write: (text: string | undefined) => void]

/** Returns an entry of a storage, which a browser may refuse. */
export const placeIn = (storage: 'localStorage' | 'sessionStorage', name: string): Place => [
  () => ignoringRefusal(() => window[storage].getItem(name)),
  (text) => ignoringRefusal(() => (text ? window[storage].setItem(name, text) : window[storage].removeItem(name))),
]
