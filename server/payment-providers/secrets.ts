import type { PaymentProvider } from '#contract/sales.ts'
import type { Services } from '../platform/services.ts'
import type { Reach } from '../integrations/payment-providers/provider.ts'
import type { ConnectionRow } from '../integrations/payment-providers/queries.ts'

type Place = Pick<ConnectionRow, 'id' | 'accountId'>
const place = (column: string, { id, accountId }: Place) => `provider_connections|${column}|${id}|${accountId}`

export const sealKey = ({ secrets }: Services, row: Place, key: string) => secrets.seal(key, place('key_sealed', row))
export const sealWebhookSecret = ({ secrets }: Services, row: Place, secret: string) =>
  secrets.seal(secret, place('webhook_secret_sealed', row))

/** The key that calls the provider; null once disconnected. */
export const openKey = ({ secrets }: Services, row: ConnectionRow) =>
  row.keySealed && secrets.open(row.keySealed, place('key_sealed', row))
export const openWebhookSecret = ({ secrets }: Services, row: ConnectionRow) =>
  row.webhookSecretSealed && secrets.open(row.webhookSecretSealed, place('webhook_secret_sealed', row))

/** How this provider is reached, as the operator configured. */
export const reachOf = ({ config, outbound, clock }: Services, provider: PaymentProvider): Reach => ({
  apiUrl: provider === 'generic' ? null : config.providers[provider].apiUrl,
  outbound,
  now: clock.now(),
})
