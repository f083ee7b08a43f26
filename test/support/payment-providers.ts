import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { PaymentProvider } from '#contract/sales.ts'
import { processProviderEvent } from '../../server/integrations/payment-providers/jobs.ts'
import { type PlatformName, readConfig } from '../../server/platform/config/config.ts'
import type { StandIn } from '../fakes/server.ts'
import { fakeStripe } from '../fakes/stripe.ts'
import { deliverStripeEvent, type StripeEvent } from '../fakes/stripe-events.ts'
import { expectOk, startApp, type TestAccount, type TestApp } from './app.ts'

export type TestStripe = Awaited<ReturnType<typeof fakeStripe>>

/** The server with Stripe on loopback. Without a worker, events are worked off by `workOff`. */
export async function startWithStripe(
  options: Parameters<typeof startApp>[0] = {},
  shop: Parameters<typeof fakeStripe>[0] = {},
) {
  const stripe = await fakeStripe(shop)
  return { app: await startWithProvider('stripe', stripe, options), stripe }
}

/** The server with a provider on loopback, which is closed when the test ends. */
export function startWithProvider(
  provider: PlatformName,
  standIn: Pick<StandIn, 'url' | 'close'>,
  options: Parameters<typeof startApp>[0] = {},
) {
  after(() => standIn.close())
  const { providers } = readConfig({})
  const reached = { ...providers, [provider]: { ...providers[provider], apiUrl: standIn.url } }
  return startApp({ ...options, config: { providers: reached, ...options.config } })
}

/** Returns the API's reply to connecting a provider with these credentials. */
export const connectProvider = (
  app: TestApp,
  { id, token }: TestAccount,
  body: { provider: string; credentials: object },
) => app.api('POST', `/accounts/${id}/payment-providers/connect`, { token, body })

export const SIGNING_SECRET = 'whsec_connected'

/** The operator's application at Stripe. */
export const PLATFORM = {
  clientId: 'ca_Tributary',
  secretKey: 'sk_test_Platform00000001',
  webhookSecret: 'whsec_platform',
}

/** The server with Stripe on loopback, and connecting by OAuth set up. */
export async function startWithPlatform(
  options: Parameters<typeof startApp>[0] = {},
  shop: Parameters<typeof fakeStripe>[0] = {},
) {
  const stripe = await fakeStripe({ platform: PLATFORM, ...shop })
  after(() => stripe.close())
  const { providers } = readConfig({})
  const config = { providers: { ...providers, stripe: { apiUrl: stripe.url, ...PLATFORM } }, ...options.config }
  return { app: await startApp({ ...options, config }), stripe, config }
}

/** Returns the query parameters of the provider's redirect after the owner's consent. */
export async function connectByConsent(app: TestApp, { id, token }: TestAccount, provider = 'stripe') {
  const { url } = expectOk(
    await app.api('GET', `/accounts/${id}/payment-providers/connect-url/${provider}`, { token }),
  ).body
  const { headers } = await fetch(url, { redirect: 'manual' })
  const back = new URL(headers.get('location')!)
  return { address: back.origin + back.pathname, ...Object.fromEntries(back.searchParams) } as Record<
    'address' | 'code' | 'state',
    string
  >
}

/** A connection of the account, with its owner's consent at the stand-in. */
export async function aConsentedConnection(app: TestApp, account: TestAccount) {
  const { code, state } = await connectByConsent(app, account)
  const path = `/accounts/${account.id}/payment-providers/connect`
  return expectOk(await app.api('POST', path, { token: account.token, body: { provider: 'stripe', code, state } })).body
}

/** Sends an account's events to the platform, in this order. */
export const deliverToPlatform = (
  app: TestApp,
  event: StripeEvent,
  { account = 'acct_1StandInShop', ...more }: { account?: string } & Parameters<typeof deliverStripeEvent>[3] = {},
) =>
  deliverStripeEvent(`${app.url}/hooks/providers/stripe/platform`, { ...event, account }, PLATFORM.webhookSecret, more)

/** A connection of the account to the stand-in. */
export async function aConnection(app: TestApp, account: TestAccount, stripe: TestStripe) {
  const credentials = { restrictedKey: stripe.key, webhookSecret: SIGNING_SECRET }
  const { body } = expectOk(await connectProvider(app, account, { provider: 'stripe', credentials }))
  return body as { id: string; webhookUrl: string }
}

/** Delivers events in this order, signed by the connection's secret. */
export async function deliverAll(connection: { webhookUrl: string }, events: (StripeEvent | null)[]) {
  for (const event of events) {
    if (!event) continue
    const { status, body } = await deliverStripeEvent(connection.webhookUrl, event, SIGNING_SECRET)
    if (status !== 200) throw new Error(`answered ${status}: ${body}`)
  }
}

/** Processes the stored events as the worker does, or one of them, in the order in which they came or all at once. */
export async function workOff(app: TestApp, { atOnce = false, eventId }: { atOnce?: boolean; eventId?: string } = {}) {
  const { db } = app.services
  const events = await db.many<{ id: string }>`
    select id from provider_events
    where state in ('received', 'failed', 'waiting') and (${eventId ?? null}::uuid is null or id = ${eventId ?? null})
    order by received_at, id`
  const process = ({ id }: { id: string }) => processProviderEvent(app.services, { eventId: id })
  if (atOnce) await Promise.all(events.map(process))
  else for (const event of events) await process(event)
}

/** An owner's calls about the connections of their account to a provider. */
export function createConnectionCalls(app: TestApp, account: TestAccount, provider: PaymentProvider) {
  const path = `/accounts/${account.id}/payment-providers`
  const call = (method: string, at: string, body?: unknown) =>
    app.api(method, `${path}${at}`, { token: account.token, body })
  return {
    connect: (credentials: Record<string, string>) => connectProvider(app, account, { provider, credentials }),
    change: (connectionId: string, body: object) => call('PATCH', `/${connectionId}`, body),
    check: (connectionId: string) => call('POST', `/${connectionId}/check`),
    disconnect: (connectionId: string) => call('DELETE', '/disconnect', { connectionId }),
    list: async () => expectOk(await call('GET', '')).body.items,
  }
}

/** Every one of these deliveries was refused as unsigned or unreadable. */
export const assertRefused = (tries: { status: number }[]) =>
  assert.deepEqual(
    tries.map(({ status }) => status),
    tries.map(() => 400),
  )

/** While the stand-in fails in each of these ways, nothing is connected, and the owner may try again. */
export async function assertUnavailable(
  standIn: Pick<StandIn, 'fail'>,
  matcher: Parameters<StandIn['fail']>[0],
  failures: readonly Parameters<StandIn['fail']>[1][],
  connecting: () => ReturnType<TestApp['api']>,
) {
  for (const failure of failures) {
    standIn.fail(matcher, failure)
    const { status, body } = await connecting()
    assert.deepEqual([status, body.error.code], [502, 'provider_failed'])
  }
}
