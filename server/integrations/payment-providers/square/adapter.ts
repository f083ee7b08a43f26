import { createHash } from 'node:crypto'
import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { type ProviderJson, parseCurrency, parseJson, parseObject, parseText, parseTime } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter, type ReceivedEvent } from '../provider.ts'
import { isProven } from '../signed.ts'
import { API_VERSION, createSquareApi, isSquareSandbox } from './api.ts'
import { eventTypes, readFacts, subscribedTypes } from './gather.ts'
import { readHistory } from './history.ts'
import { oauth } from './oauth.ts'
import { toPayment, toRefunds } from './payment.ts'

export const square: ProviderAdapter = {
  provider: 'square',
  name: paymentProviderNames.square,
  methods: ['oauth', 'credentials'],
  fields: [
    {
      key: 'accessToken',
      label: 'Access Token',
      help: 'In Square’s Developer Console, open an application of yours and choose Credentials. The token may read everything in your own Square account.',
      secret: true,
      shape: /^(EAAA|sq0atp-)[A-Za-z0-9_-]{16,500}$/,
      words: 'Enter the application’s access token. It begins with EAAA',
    },
    {
      key: 'applicationId',
      label: 'Application ID',
      help: 'From the same page. It begins with sq0idp-, and for the sandbox with sandbox-sq0idb-.',
      secret: false,
      shape: /^(sq0idp-|sandbox-sq0idb-)[A-Za-z0-9_-]{4,100}$/,
      words: 'Enter the application ID. It begins with sq0idp- or sandbox-sq0idb-',
    },
    {
      key: 'signatureKey',
      label: 'Webhook Signature Key',
      help: 'Leave it empty to have the webhook subscription created for you, or enter it once you’ve created the subscription in Square.',
      secret: true,
      optional: true,
      shape: /^[A-Za-z0-9+/=_-]{16,200}$/,
      words: 'Enter the signature key that Square shows with the webhook subscription',
    },
  ],
  signingField: 'signatureKey',
  eventTypes,
  oauth,
  application: { methods: ['oauth'] },

  async readAccount(credentials, reach) {
    const merchant = parseObject((await createSquareApi(credentials, reach).get('merchants/me')).merchant)
    return {
      accountName: parseText(merchant.business_name, 200),
      defaultCurrency: parseCurrency(merchant.currency) || null,
      providerAccountId: parseText(merchant.id),
      livemode: !isSquareSandbox(credentials),
    }
  },

  async makeEndpoint(credentials, url, reach) {
    const subscription = {
      name: 'Tributary',
      event_types: subscribedTypes,
      notification_url: url,
      api_version: API_VERSION,
    }
    // the same for a retry, if the answer is lost
    const idempotency_key = createHash('sha256').update(url).digest('hex').slice(0, 40)
    const made = await createSquareApi(credentials, reach).post('webhooks/subscriptions', {
      idempotency_key,
      subscription,
    })
    const { id, signature_key } = parseObject(made.subscription)
    if (typeof id !== 'string' || typeof signature_key !== 'string')
      throw new PaymentProviderError(
        'unavailable',
        'Square created the webhook subscription without returning its signature key.',
      )
    return { id, secret: signature_key }
  },

  async disconnect(credentials, endpointId, reach) {
    if (endpointId)
      await createSquareApi(credentials, reach).delete(`webhooks/subscriptions/${encodeURIComponent(endpointId)}`)
  },

  async receive(delivery) {
    const { raw, credentials } = delivery
    return isProven(SIGNATURE, credentials.signatureKey, delivery) ? [readEvent(raw.toString('utf8'))] : null
  },

  readFacts,
  toPayment,
  toRefunds,
  readHistory,
}

const SIGNATURE: SignatureForm = {
  header: 'x-square-hmacsha256-signature',
  signed: '{url}{body}',
  encoding: 'base64',
  key: 'text',
}

function readEvent(body: string): ReceivedEvent {
  const json: ProviderJson = parseJson(body) ?? {}
  const [id, type, at] = [parseText(json.event_id), parseText(json.type), parseTime(json.created_at)]
  if (!id || !type || !at) throw new PaymentProviderError('invalid', 'This isn’t a Square event.')
  // one change may be sent as two types with the same id
  return { id: `${id} ${type}`, type, at, account: parseText(json.merchant_id), livemode: null, body }
}
