import type { PaymentProvider } from '#contract/sales.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import type { Services } from '../../platform/services.ts'
import type { Credentials, ProviderAdapter, ProviderOAuth, Reach } from './provider.ts'
import type { ConnectionRow } from './queries.ts'

type Place = Pick<ConnectionRow, 'id' | 'accountId'>
const place = ({ id, accountId }: Place) => `provider_connections|credentials_sealed|${id}|${accountId}`

export const sealCredentials = (secrets: Secrets, row: Place, credentials: Credentials) =>
  secrets.seal(JSON.stringify(credentials), place(row))

/** Null once disconnected. */
export const openCredentials = (secrets: Secrets, row: Place & { credentialsSealed: Buffer | null }) =>
  row.credentialsSealed && (JSON.parse(secrets.open(row.credentialsSealed, place(row))) as Credentials)

/** How this provider is reached, as the operator configured. */
export function reachOf({ config, outbound, clock }: Services, provider: PaymentProvider): Reach {
  const { apiUrl, ...application } = configOf(config, provider)
  return { apiUrl, application, outbound, now: clock.now() }
}

const configOf = (config: Config, provider: PaymentProvider) =>
  provider === 'generic' ? NOT_CONFIGURED : config.providers[provider]

/** Whether what was paid in this mode is shown and counts nowhere: TEST_PAYMENTS says so, or that nothing but a stand-in is reached. */
export const isTestOnly = (config: Config, { provider, livemode }: { provider: PaymentProvider; livemode: boolean }) =>
  !livemode && (config.testPayments ?? (isOnLoopback(configOf(config, provider).apiUrl) ? 'count' : 'show')) === 'show'

const LOOPBACK = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/
const isOnLoopback = (url: string | null) => url !== null && LOOPBACK.test(new URL(url).hostname)

/** Connecting by OAuth, where the provider has it and the operator an application there. */
export function oauthOf({ provider, oauth }: ProviderAdapter, config: Config): ProviderOAuth | undefined {
  const { clientId, secretKey } = configOf(config, provider)
  return clientId && secretKey ? oauth : undefined
}

/** Whether its events come to the address of the operator's application, signed with that one's secret. */
export const isByApplication = ({ method, hookKey }: Pick<ConnectionRow, 'method' | 'hookKey'>) =>
  method === 'oauth' && hookKey === null
const NOT_CONFIGURED = { apiUrl: null, clientId: null, secretKey: null, webhookSecret: null }

/** The address of a connection's events: its own, or the application's. */
export const addressOf = (config: Config, provider: string, hookKey: string | null) =>
  `${config.appUrl}/hooks/providers/${provider}/${hookKey ?? 'platform'}`
