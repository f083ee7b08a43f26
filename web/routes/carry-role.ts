import type { AnyRouter } from '@tanstack/react-router'

/**
 * Keeps the history entry's role for whatever is opened from it, unless another is requested: a chosen role lasts in
 * its tab until the next choice, and going back shows each screen in the role it was seen in.
 */
export function carryRole(router: AnyRouter) {
  const build = router.buildLocation
  router.buildLocation = (options) => {
    const next = build(options)
    const { role } = router.history.location.state
    return role && !next.state.role ? { ...next, state: { ...next.state, role } } : next
  }
}
