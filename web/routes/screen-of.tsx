import { type AsyncRouteComponent, type ResolveParams, type RouteComponent, useParams } from '@tanstack/react-router'

/** The parameters of an address, which its screen takes as props. */
export type Params<P extends string> = NoInfer<ResolveParams<P>>

/** A screen that is begun anew when the address names another thing. */
export function screenOf<P extends string>(Screen: AsyncRouteComponent<Params<P>>): RouteComponent {
  function OfAddress() {
    // The route says what its address holds; the router's own type knows every route's at once.
    const params = useParams({ strict: false }) as unknown as Params<P>
    return <Screen key={Object.values(params).join()} {...params} />
  }
  // The screen forgets how to load its code once that has arrived.
  return Object.assign(OfAddress, { preload: async () => await Screen.preload?.() })
}
