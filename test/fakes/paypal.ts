import { createPublicKey, verify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { issueCertificate } from './certificates.ts'
import { type PaypalEvent, type PaypalStore, paypalId, type Signer } from './paypal-events.ts'
import { type PayoutOptions, paypalPayouts } from './paypal-payouts.ts'
import { type Answer, type Call, type Fields, startServer } from './server.ts'

type Options = {
  /** The app's owner; null if the app may not read it. */
  profile?: { payer_id: string; name: string } | null
  clock?: () => Date
  payouts?: Omit<PayoutOptions, 'clock'>
  /** Apps of other PayPal accounts, with payouts of their own. */
  otherApps?: number
}

const TYPES = [
  ...['COMPLETED', 'DECLINED', 'DENIED', 'PENDING', 'REFUNDED', 'REVERSED'].map((end) => `PAYMENT.CAPTURE.${end}`),
  ...['COMPLETED', 'DENIED', 'PENDING', 'REFUNDED', 'REVERSED'].map((end) => `PAYMENT.SALE.${end}`),
  ...['CREATED', 'UPDATED', 'RESOLVED'].map((end) => `CUSTOMER.DISPUTE.${end}`),
  ...['CREATED', 'ACTIVATED', 'CANCELLED'].map((end) => `BILLING.SUBSCRIPTION.${end}`),
  'CHECKOUT.ORDER.COMPLETED',
]
const EXPIRES_S = 32_400

/** The authority of all stand-ins of a process, which issues PayPal's signing certificate. */
const root = issueCertificate({ name: 'Stand-in Root', authority: true })
const authority = issueCertificate({ name: 'Stand-in Authority', authority: true, issuer: root })
const signing = issueCertificate({ name: 'messageverificationcerts.paypal.com', issuer: authority })
const chain = (...certificates: { pem: string }[]) => certificates.map(({ pem }) => pem).join('')
const long = (days: number) => new Date(Date.now() + days * 86_400_000)

/** Certificates served below `/v1/notifications/certs/`. */
const certificates: Record<string, () => string> = {
  'CERT-1': () => chain(signing, authority),
  whole: () => chain(signing, authority, root),
  alone: () => chain(signing),
  expired: () =>
    chain(issueCertificate({ name: signing.name, issuer: authority, from: long(-400), to: long(-1) }), authority),
  future: () => chain(issueCertificate({ name: signing.name, issuer: authority, from: long(1) }), authority),
  'of-another': () => chain(issueCertificate({ name: 'shop.example', issuer: authority }), authority),
  'by-a-shop': () => {
    const shop = issueCertificate({ name: 'shop.example', issuer: authority })
    return chain(issueCertificate({ name: signing.name, issuer: shop }), shop, authority)
  },
  'by-nobody': () => chain(issueCertificate({ name: signing.name })),
  'not-one': () => '<html>Sorry</html>',
}

/**
 * PayPal on loopback: tokens, webhooks, certificates, payouts, and reads over `store`; fill it with `paypalPayment`.
 */
export async function standInPaypal({
  profile = { payer_id: 'RD465XN5VS364', name: 'Northwind Shop' },
  ...more
}: Options = {}) {
  const { clock = () => new Date() } = more
  const clientId = `AStandIn${paypalId()}`
  let clientSecret = `ESecret${paypalId()}`
  const apps = Array.from({ length: 1 + (more.otherApps ?? 0) }, (_, at) => ({
    clientId: at === 0 ? clientId : `AOther${paypalId()}`,
    ...paypalPayouts({ clock, ...more.payouts }),
  }))
  const store: PaypalStore = new Map()
  const webhooks = new Map<string, { id: string; url: string; event_types: { name: string }[] }>()
  const tokens = new Map<string, { ends: Date; app: (typeof apps)[number] }>()
  const forbidden = new Set<string>()

  const server = await startServer((call) => {
    const name = /^\/v1\/notifications\/certs\/([^/]+)$/.exec(call.path)?.[1]
    if (name !== undefined) return served(name)
    if (call.path === '/v1/oauth2/token') return signIn(call)
    return (refuseToken(call) ?? answerTo(call)) satisfies Answer
  })

  function served(name: string): Answer {
    const pem = certificates[name]?.()
    return pem
      ? { status: 200, body: pem, headers: { 'content-type': 'text/plain' } }
      : { status: 404, body: 'No such certificate' }
  }

  function signIn({ headers, body }: Call): Answer {
    const given = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString()
    const app = apps.find((one) => given === `${one.clientId}:${clientSecret}`)
    if (!app)
      return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
    if (body.grant_type !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'unsupported grant_type' } }
    const access_token = `A21AA${paypalId()}`
    tokens.set(access_token, { ends: new Date(clock().getTime() + EXPIRES_S * 1000), app })
    return { status: 200, body: { scope: 'everything', access_token, token_type: 'Bearer', expires_in: EXPIRES_S } }
  }

  function refuseToken({ headers }: Call): Answer | null {
    const token = tokenOf(headers)
    if (token && token.ends > clock()) return null
    return refuse(401, 'AUTHENTICATION_FAILURE', 'Authentication failed due to missing or invalid credentials.')
  }

  const tokenOf = (headers: Call['headers']) => tokens.get(String(headers.authorization).replace('Bearer ', ''))

  function answerTo(call: Call): Answer {
    const { method, path, headers } = call
    if ([...forbidden].some((part) => path.includes(part)))
      return refuse(403, 'NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.', [
        {
          issue: 'PERMISSION_DENIED',
          description: 'You do not have permission to access or perform operations on this resource.',
        },
      ])
    const ofPayouts = tokenOf(headers)!.app.handle(call)
    if (ofPayouts) return ofPayouts
    if (path === '/v1/identity/oauth2/userinfo')
      return profile
        ? { status: 200, body: { ...profile, user_id: 'https://www.paypal.com/webapps/auth/identity/user/x' } }
        : refuse(403, 'NOT_AUTHORIZED', 'No permission for the requested operation.')
    if (path === '/v1/notifications/webhooks-event-types')
      return { status: 200, body: { event_types: TYPES.map((name) => ({ name, status: 'ENABLED' })) } }
    if (path === '/v1/notifications/webhooks')
      return method === 'POST' ? addWebhook(call) : { status: 200, body: { webhooks: [...webhooks.values()] } }
    if (path === '/v1/notifications/webhooks-events') return listEvents(call)
    if (path === '/v1/notifications/verify-webhook-signature') return checkSignature(call)
    const webhook = /^\/v1\/notifications\/webhooks\/([^/]+)$/.exec(path)?.[1]
    if (webhook && method === 'DELETE') return webhooks.delete(webhook) ? { status: 204 } : missing()
    const found = method === 'GET' ? store.get(path) : undefined
    return found ? { status: 200, body: found } : missing()
  }

  function addWebhook({ body }: Call): Answer {
    const url = String(body.url)
    const types = (body.event_types ?? []) as { name: string }[]
    const strange = types.find(({ name }) => !TYPES.includes(name))
    if (strange || types.length === 0)
      return refuse(400, 'VALIDATION_ERROR', 'Invalid data provided.', [
        {
          field: 'event_types',
          issue: 'Not a valid webhook event',
          description: `Not a valid webhook event: ${strange?.name}`,
        },
      ])
    if ([...webhooks.values()].some((webhook) => webhook.url === url))
      return refuse(400, 'WEBHOOK_URL_ALREADY_EXISTS', 'Webhook URL already exists.')
    const webhook = { id: paypalId(), url, event_types: types }
    webhooks.set(webhook.id, webhook)
    return { status: 201, body: { ...webhook, links: [] } }
  }

  function listEvents({ query }: Call): Answer {
    const { page_size = '10', start_index = '0', start_time, end_time } = query as Record<string, string>
    const within = ({ create_time }: Fields) =>
      (!start_time || String(create_time) >= start_time) &&
      (!end_time || String(create_time) <= `${end_time.slice(0, -1)}.999Z`)
    const all = [...store]
      .filter(([path]) => path.startsWith('/v1/notifications/webhooks-events/'))
      .map(([, event]) => event as PaypalEvent)
      .filter(within)
      .sort((a, b) => (a.create_time < b.create_time ? 1 : -1))
    const from = Number(start_index)
    const events = all.slice(from, from + Number(page_size))
    const next = new URLSearchParams({
      ...(query as Record<string, string>),
      start_index: String(from + events.length),
    })
    const links =
      from + events.length < all.length
        ? [{ href: `https://api.paypal.com/v1/notifications/webhooks-events?${next}`, rel: 'next', method: 'GET' }]
        : []
    return { status: 200, body: { events, count: events.length, links } }
  }

  /** Verifies a signature as PayPal itself does: with its own key, whatever the certificate is. */
  function checkSignature({ body, raw }: Call): Answer {
    const event = /"webhook_event":(.*)}$/s.exec(raw)?.[1] ?? ''
    const text = `${body.transmission_id}|${body.transmission_time}|${body.webhook_id}|${crc32(event)}`
    const isRight = verify(
      'sha256',
      Buffer.from(text),
      createPublicKey(signing.key),
      Buffer.from(String(body.transmission_sig), 'base64'),
    )
    return { status: 200, body: { verification_status: isRight ? 'SUCCESS' : 'FAILURE' } }
  }

  return {
    ...server,
    clientId,
    get clientSecret() {
      return clientSecret
    },
    get credentials() {
      return { clientId, clientSecret }
    },
    /** Creates a new secret; the former one is refused from now on. */
    rollSecret() {
      clientSecret = `ESecret${paypalId()}`
      return clientSecret
    },
    /** Moves the app to another owner. */
    sellAs(other: NonNullable<Options['profile']>) {
      profile = other
    },
    /** The objects and events that the stand-in serves; pass it to the builders. */
    store,
    payouts: apps[0]!,
    /** Every app with the payouts of its account; they share the secret. */
    apps,
    /** Ends every access token: the next call has to sign in again. */
    endAccess: () => tokens.clear(),
    webhooks: () => [...webhooks.values()],
    /** Withdraws rights from the app: any path that contains one of these gets 403. */
    forbid(...parts: string[]) {
      for (const part of parts) forbidden.add(part)
    },
    allow(...parts: string[]) {
      for (const part of parts) forbidden.delete(part)
    },
    /** The root of PayPal's certificates. */
    root: root.pem,
    /** The signer for a webhook, with a certificate by its name here or by a whole address. */
    signer: (webhookId: string, name = 'CERT-1'): Signer => ({
      webhookId,
      key: signing.key,
      certificateUrl: name.includes('/') ? name : `${server.url}/v1/notifications/certs/${name}`,
    }),
  }
}

const refuse = (status: number, name: string, message: string, details: Fields[] = []): Answer => ({
  status,
  body: { name, message, debug_id: paypalId(), details, links: [] },
})

const missing = () =>
  refuse(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [
    {
      issue: 'INVALID_RESOURCE_ID',
      description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
    },
  ])
