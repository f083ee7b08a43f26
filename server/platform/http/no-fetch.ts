/**
 * Replaces the process's own `fetch` and `WebSocket` for good: only `outbound()` calls other servers, so a library that
 * calls one by itself fails.
 */
export function forbidFetch() {
  function refuse(): never {
    throw new Error('Only outbound() calls other servers: a library must be given it.')
  }
  Object.assign(globalThis, { fetch: refuse, WebSocket: refuse })
}
