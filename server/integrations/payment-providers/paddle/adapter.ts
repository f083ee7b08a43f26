import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { parseText } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { createPaddleApi, isLive } from './api.ts'
import { eventTypes, readFacts } from './gather.ts'
import { paidBefore, readHistory } from './history.ts'
import { readEvent } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

/** Resources with payments, refunds and payers, and missed events. */
const READ = ['transactions', 'adjustments', 'customers', 'events']

export const paddle: ProviderAdapter = {
  provider: 'paddle',
  name: paymentProviderNames.paddle,
  methods: ['credentials'],
  fields: [
    {
      key: 'apiKey',
      label: 'API Key',
      help: 'In Paddle, go to Developer tools, Authentication, API keys. The key reads Transactions, Adjustments, Customers and Notifications; with Discounts, sales are matched by the codes buyers enter. With write access to Notification settings, the webhook is created for you.',
      secret: true,
      shape: /^pdl_(live|sdbx)_apikey_[A-Za-z0-9_]{4,500}$/,
      words: 'Enter an API key. It begins with pdl_live_apikey_ or pdl_sdbx_apikey_',
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Secret Key',
      help: 'Begins with pdl_ntfset_. Leave it empty to have the webhook created for you, or enter it once you’ve created a destination in Paddle under Developer tools, Notifications.',
      secret: true,
      optional: true,
      shape: /^pdl_ntfset_[A-Za-z0-9_+/=-]{4,500}$/,
      words: 'Enter the destination’s secret key. It begins with pdl_ntfset_',
    },
  ],
  signingField: 'webhookSecret',
  eventTypes,

  /** Paddle does not reveal a key's account. */
  async readAccount(credentials, reach) {
    const api = createPaddleApi(credentials, reach)
    await Promise.all(READ.map((path) => api.page(`${path}?per_page=1`)))
    return { accountName: null, defaultCurrency: null, providerAccountId: null, livemode: isLive(credentials) }
  },

  async makeEndpoint(credentials, url, reach) {
    const made = await createPaddleApi(credentials, reach).post('notification-settings', {
      description: 'Tributary',
      type: 'url',
      destination: url,
      subscribed_events: eventTypes,
      api_version: 1,
      // simulated events contain invented payments
      traffic_source: 'platform',
    })
    const [id, secret] = [parseText(made.id), parseText(made.endpoint_secret_key)]
    if (!id || !secret)
      throw new PaymentProviderError('unavailable', 'Paddle created the webhook without returning its secret key.')
    return { id, secret }
  },

  async disconnect(credentials, endpointId, reach) {
    if (endpointId)
      await createPaddleApi(credentials, reach).delete(`notification-settings/${encodeURIComponent(endpointId)}`)
  },

  async receive(delivery) {
    const { raw, credentials } = delivery
    return isProven(SIGNATURE, credentials.webhookSecret, delivery) ? [readEvent(raw.toString('utf8'))] : null
  },

  readFacts,
  toPayment,
  toRefunds,
  readHistory,
  paidBefore,
}

const SIGNATURE: SignatureForm = {
  header: 'paddle-signature',
  layout: 'named',
  prefix: 'h1=',
  signed: '{timestamp}:{body}',
  encoding: 'hex',
  key: 'text',
}
