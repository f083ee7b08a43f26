import type { PaymentProvider } from '#contract/sales.ts'
import type { Config, PlatformName } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import type { Services } from '../../platform/services.ts'
import type { Credentials, ProviderAccess, ProviderAdapter, ProviderOAuth } from './provider.ts'
import type { ConnectionRow } from './queries.ts'

type Place = Pick<ConnectionRow, 'id' | 'accountId'>
const place = ({ id, accountId }: Place) => `provider_connections|credentials_sealed|${id}|${accountId}`

export const sealCredentials = (secrets: Secrets, row: Place, credentials: Credentials) =>
  secrets.seal(JSON.stringify(credentials), place(row))

/** Opens the credentials; null once disconnected. */
export const openCredentials = (secrets: Secrets, row: Place & { credentialsSealed: Buffer | null }) =>
  row.credentialsSealed && (JSON.parse(secrets.open(row.credentialsSealed, place(row))) as Credentials)

/** Returns the provider's access as configured by the operator. */
export function getProviderAccess({ config, outbound, clock }: Services, provider: PaymentProvider): ProviderAccess {
  const { apiUrl, ...application } = configOf(config, provider)
  return { apiUrl, application, outbound, now: clock.now() }
}

/** A provider whose address is not the operator's to set has no settings. */
const configOf = ({ providers }: Config, provider: PaymentProvider) =>
  (providers as Partial<Record<PaymentProvider, Config['providers'][PlatformName]>>)[provider] ?? NOT_CONFIGURED

/**
 * Whether payments in this mode are only shown and never counted: set by TEST_PAYMENTS; by default, unless the provider
 * is a local stand-in.
 */
export const isTestOnly = (config: Config, { provider, livemode }: { provider: PaymentProvider; livemode: boolean }) =>
  !livemode && (config.testPayments ?? (isOnLoopback(configOf(config, provider).apiUrl) ? 'count' : 'show')) === 'show'

const LOOPBACK = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/
const isOnLoopback = (url: string | null) => url !== null && LOOPBACK.test(new URL(url).hostname)

/** Returns OAuth if the provider supports it and the operator has an application there. */
export function findOAuth({ provider, oauth }: ProviderAdapter, config: Config): ProviderOAuth | undefined {
  const { clientId, secretKey } = configOf(config, provider)
  return clientId && secretKey ? oauth : undefined
}

/** Whether its events come to the address of the operator's application, signed with the application's secret. */
export const isByApplication = ({ method, hookKey }: Pick<ConnectionRow, 'method' | 'hookKey'>) =>
  method === 'oauth' && hookKey === null
const NOT_CONFIGURED = { apiUrl: null, clientId: null, secretKey: null, webhookSecret: null }

/** Returns the address of a connection's events: its own, or the application's. */
export const eventsAddress = (config: Config, provider: string, hookKey: string | null) =>
  `${config.appUrl}/hooks/providers/${provider}/${hookKey ?? 'platform'}`
