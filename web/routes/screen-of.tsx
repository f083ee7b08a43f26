import {
  type AsyncRouteComponent,
  lazyRouteComponent,
  type ResolveParams,
  type RouteComponent,
  useParams,
} from '@tanstack/react-router'
import type { Opened, Reads } from '../calls.ts'
import { Acts } from '../ui/actions.tsx'
import { withinTwoMinutes } from '../ui/load-limit.ts'
import type { requireRole } from './guards.ts'
import { createLoader } from './load.ts'
import { searchAt } from './searches.ts'

/** The parameters of an address, passed to its screen as props. */
export type Params<P extends string> = NoInfer<ResolveParams<P>>

/** Remounts the screen when the address names another item. */
export function toRouteComponent<P extends string>(Screen: AsyncRouteComponent<Params<P>>): RouteComponent {
  function OfAddress() {
    // The route guarantees the parameters; the router's own type is a union over all routes.
    const params = useParams({ strict: false }) as unknown as Params<P>
    return (
      <Acts key={Object.values(params).join()}>
        <Screen {...params} />
      </Acts>
    )
  }
  // The lazy screen drops `preload` once its code is loaded.
  return Object.assign(OfAddress, { preload: async () => await Screen.preload?.() })
}

export type Screen<P> = { component: AsyncRouteComponent<P>; reads: (opened: Opened<P>) => Reads }
type PropsOf<C> = C extends (props: infer P) => unknown ? (unknown extends P ? object : P) : never
export const noReads = (): Reads => []

/**
 * The component of a module, its only export unless it is named, which loads with its screen; and the queries that
 * start meanwhile.
 */
export const defineScreen = <M extends Record<string, unknown>, N extends keyof M & string = keyof M & string>(
  load: () => Promise<M>,
  reads: Screen<PropsOf<M[N]>>['reads'] = noReads,
  name?: N,
): Screen<PropsOf<M[N]>> => ({
  component: lazyRouteComponent(async () => {
    const loaded = await withinTwoMinutes(load())
    return { default: (name ? loaded[name] : Object.values(loaded)[0]) as RouteComponent }
  }),
  reads,
})

/** The options of a screen's route. */
export const screenRoute = <const P extends string>(
  path: P,
  beforeLoad: ReturnType<typeof requireRole> | undefined,
  { component, reads }: Screen<Params<P>>,
) => ({
  path,
  beforeLoad,
  validateSearch: searchAt(path),
  component: toRouteComponent<P>(component),
  loader: createLoader(reads),
})
