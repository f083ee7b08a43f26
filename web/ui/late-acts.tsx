import type { Act, Offer, Offered } from './actions.tsx'
import { lazyComponent } from './lazy-part.tsx'

type Of<A> = A extends Act<infer T> ? T : never
type Late<T> = Offered<T> & { OnUse: () => null; usePrefetch: () => void }

/** An action whose dialog loads when the screen is first used: forms need their validation code. */
export const lateAct = <T,>(load: () => Promise<Act<T>>, offer: Offer<T>): Late<T> =>
  Object.assign(lazyComponent(load), offer)

/** Actions whose dialogs are in one module. */
export const lazyActions = <D extends Record<string, Act<never>>>(
  load: () => Promise<D>,
  offers: { [name in keyof D]: Offer<Of<D[name]>> },
) =>
  Object.fromEntries(
    Object.entries(offers).map(([name, offer]) => [name, lateAct(async () => (await load())[name]!, offer)]),
  ) as { [name in keyof D]: Late<Of<D[name]>> }
