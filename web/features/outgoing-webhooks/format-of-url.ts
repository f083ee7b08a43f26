import type { NewOutgoingWebhook } from '#contract/outgoing-webhooks.ts'

type Format = NewOutgoingWebhook['format']

/** The addresses at which a chat program takes its own messages; Discord also takes Slack’s, at the end `/slack`. */
const addresses: [RegExp, Format][] = [
  [/^hooks\.slack\.com\/services\//, 'slack'],
  [/^(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+\/slack$/, 'slack'],
  [/^(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/, 'discord'],
  [/^[\w.-]+\.logic\.azure\.com\/(?:\w+\/)*workflows\//, 'teams'],
  [/^[\w.-]+\.api\.powerplatform\.com\/(?:\w+\/)*workflows\//, 'teams'],
  [/^[\w.-]+\.webhook\.office\.com\//, 'teams'],
]

/** Returns the format that a webhook’s address takes, if the address says it. */
export function formatOfUrl(url: string): Format | undefined {
  const parsed = URL.parse(url.trim())
  if (!parsed) return
  return addresses.find(([pattern]) => pattern.test(parsed.hostname + parsed.pathname))?.[1]
}
