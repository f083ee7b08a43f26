import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { parseCurrency, parseObject, parseText } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { createPolarApi, getHost, isLive } from './api.ts'
import { eventTypes, readFacts, subscribedTypes } from './gather.ts'
import { readHistory } from './history.ts'
import { readEvent } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

/** The lists that a token must open, with the scope for each; the first tells whose token it is. */
const READ = ['organizations', 'orders', 'refunds']

export const polar: ProviderAdapter = {
  provider: 'polar',
  name: paymentProviderNames.polar,
  methods: ['credentials'],
  fields: [
    {
      key: 'accessToken',
      label: 'Organization Access Token',
      help: 'In Polar, open Settings, go to Developers and choose New Token. Select the scopes organizations:read, orders:read, refunds:read and disputes:read; with webhooks:write, the webhook is created for you.',
      secret: true,
      shape: /^polar_oat_[A-Za-z0-9_-]{4,500}$/,
      words: 'Enter an organization access token. It begins with polar_oat_',
    },
    {
      key: 'host',
      label: 'API Host',
      help: 'Leave it empty for api.polar.sh. For the sandbox, which has tokens of its own, enter sandbox-api.polar.sh.',
      secret: false,
      optional: true,
      shape: /^(sandbox-)?api\.polar\.sh$/,
      words: 'Enter api.polar.sh, or sandbox-api.polar.sh for the sandbox',
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Secret',
      help: 'Leave it empty to have the webhook created for you, or enter it once you’ve added an endpoint in Polar under Settings, Webhooks.',
      secret: true,
      optional: true,
      shape: /^[\x21-\x7e]{8,500}$/,
      words: 'Enter the endpoint’s secret as Polar shows it, without spaces',
    },
  ],
  signingField: 'webhookSecret',
  eventTypes,

  async readAccount(credentials, reach) {
    const api = createPolarApi(credentials, reach)
    const [organizations] = await Promise.all(
      READ.map((list) =>
        api.page(`${list}/`, 1, 1).catch((error: unknown) => {
          throw withAdvice(error, list, credentials)
        }),
      ),
    )
    const { id, name, default_presentment_currency } = parseObject(organizations?.rows[0])
    return {
      accountName: parseText(name, 200),
      defaultCurrency: parseCurrency(default_presentment_currency) || null,
      providerAccountId: parseText(id),
      livemode: isLive(credentials),
    }
  },

  /** Takes the endpoint that an earlier call made, if its answer was lost. */
  async makeEndpoint(credentials, url, reach) {
    const api = createPolarApi(credentials, reach)
    const { rows } = await api.page(ENDPOINTS, 1)
    const known = rows.find((one) => one.url === url && one.name === NAME && one.enabled === true)
    const made = known ?? (await api.post(ENDPOINTS, { url, name: NAME, format: 'raw', events: subscribedTypes }))
    const [id, secret] = [parseText(made.id), parseText(made.secret)]
    if (!id || !secret)
      throw new PaymentProviderError('unavailable', 'Polar created the endpoint without returning its secret.')
    return { id, secret }
  },

  async endpointTrouble(credentials, endpointId, reach) {
    try {
      const { enabled } = await createPolarApi(credentials, reach).get(endpointPath(endpointId))
      return enabled === false ? 'The webhook endpoint is turned off at Polar. Turn it on there.' : null
    } catch (error) {
      if (error instanceof PaymentProviderError && error.kind === 'missing')
        return 'The webhook endpoint no longer exists at Polar. Disconnect and connect again to create a new one.'
      throw error
    }
  },

  async disconnect(credentials, endpointId, reach) {
    if (endpointId) await createPolarApi(credentials, reach).delete(endpointPath(endpointId))
  },

  async receive(delivery) {
    const { raw, headers, credentials } = delivery
    if (!isProven(SIGNATURE, credentials.webhookSecret, delivery)) return null
    return [readEvent(raw.toString('utf8'), headers[SIGNATURE.idHeader])]
  },

  readFacts,
  toPayment,
  toRefunds,
  readHistory,
}

const ENDPOINTS = 'webhooks/endpoints'
const NAME = 'Tributary'
const endpointPath = (id: string) => `${ENDPOINTS}/${encodeURIComponent(id)}`

/** Standard Webhooks. Polar signed with the text of secrets, and signs with the bytes that newer ones encode. */
const SIGNATURE = {
  header: 'webhook-signature',
  prefix: 'v1,',
  layout: 'spaced',
  encoding: 'base64',
  key: 'standard',
  signed: '{id}.{timestamp}.{body}',
  timestampHeader: 'webhook-timestamp',
  idHeader: 'webhook-id',
} as const satisfies SignatureForm

/** Polar does not say which scope is missing, nor that a token belongs to the other host. */
function withAdvice(error: unknown, list: string, credentials: Credentials): unknown {
  if (!(error instanceof PaymentProviderError)) return error
  const { kind, message } = error
  if (kind === 'forbidden') return new PaymentProviderError(kind, `${message} Add the scope ${list}:read to the token.`)
  if (kind !== 'refused') return error
  return new PaymentProviderError(kind, `${message} A token works only at its own host, here ${getHost(credentials)}.`)
}
