import type { Secrets } from '../../platform/database/secrets.ts'
import { signingKey } from './body.ts'
import type { Sealed } from './queries.ts'

type Place = { id: string; accountId: string }
const place = (column: string, { id, accountId }: Place) => `outgoing_webhooks|${column}|${id}|${accountId}`

/** Seals a secret. The former one is in another column with the same sealing context: rotating only moves it. */
export const sealSecret = (secrets: Secrets, webhook: Place, secret: string) =>
  secrets.seal(secret, place('secret_sealed', webhook))

export const sealHeaders = (secrets: Secrets, webhook: Place, headers: Record<string, string>) =>
  secrets.seal(JSON.stringify(headers), place('headers_sealed', webhook))

export const openHeaders = (
  secrets: Secrets,
  webhook: Place & Pick<Sealed, 'headersSealed'>,
): Record<string, string> =>
  webhook.headersSealed ? JSON.parse(secrets.open(webhook.headersSealed, place('headers_sealed', webhook))) : {}

/**
 * Opens the secrets and headers for deliveries. `keysAt` returns every signing key at a time: also the former one, for
 * its last day.
 */
export function openWebhookSecrets(secrets: Secrets, webhook: Place & Sealed) {
  const { secretSealed, formerSecretSealed, formerSecretUntil } = webhook
  const open = (sealed: Buffer) => signingKey(secrets.open(sealed, place('secret_sealed', webhook)))
  const present = open(secretSealed)
  const former = formerSecretSealed && open(formerSecretSealed)
  const until = formerSecretUntil && new Date(formerSecretUntil)
  return {
    headers: openHeaders(secrets, webhook),
    keysAt: (now: Date) => (former && until && until > now ? [present, former] : [present]),
  }
}
