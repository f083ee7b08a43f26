import { findExample } from '#contract/examples/index.ts'
import { sharedReasons } from '#contract/examples/refused.ts'
import { endpoints } from '#contract/index.ts'
import type { RefusalReason } from '#contract/refusals.ts'

const calls = endpoints.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** Fails if a call is refused for a reason that the API reference does not name. `path` is below `/api/v1`. */
export function expectKnownRefusal(method: string, path: string, reason: RefusalReason | undefined) {
  if (!reason || sharedReasons.includes(reason)) return
  const [pathname] = path.split('?')
  // `/outgoing-webhooks/events` takes precedence over `/outgoing-webhooks/:id`
  const fitting = calls.filter((call) => call.endpoint.method === method && call.path.test(pathname!))
  const nearest = fitting.find(({ endpoint }) => endpoint.path === pathname) ?? fitting[0]
  if (!nearest || findExample(nearest.endpoint)?.refused.includes(reason)) return
  const { name, room } = nearest.endpoint
  throw new Error(
    `${name} is refused as ${reason}, which the API reference does not say: name it in \`refused\` of ${name} in contract/examples/${room}.ts`,
  )
}
