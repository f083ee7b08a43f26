import { type AsyncRouteComponent, type ResolveParams, type RouteComponent, useParams } from '@tanstack/react-router'

/** The parameters of an address, passed to its screen as props. */
export type Params<P extends string> = NoInfer<ResolveParams<P>>

/** Remounts the screen when the address names another item. */
export function screenOf<P extends string>(Screen: AsyncRouteComponent<Params<P>>): RouteComponent {
  function OfAddress() {
    // The route guarantees the parameters; the router's own type is a union over all routes.
    const params = useParams({ strict: false }) as unknown as Params<P>
    return <Screen key={Object.values(params).join()} {...params} />
  }
  // The lazy screen drops `preload` once its code is loaded.
  return Object.assign(OfAddress, { preload: async () => await Screen.preload?.() })
}
