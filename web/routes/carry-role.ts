import type { AnyRouter } from '@tanstack/react-router'

/**
 * Whatever is opened from a history entry keeps its role, unless it asks for another: a chosen role holds in its tab until
 * the next choice, and the way back shows every screen in the role it was seen in.
 */
export function carryRole(router: AnyRouter) {
  const build = router.buildLocation
  router.buildLocation = (options) => {
    const next = build(options)
    const { role } = router.history.location.state
    return role && !next.state.role ? { ...next, state: { ...next.state, role } } : next
  }
}
