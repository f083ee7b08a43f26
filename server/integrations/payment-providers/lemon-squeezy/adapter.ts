import { randomBytes } from 'node:crypto'
import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { parseObject } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { createLemonSqueezyApi, getStore } from './api.ts'
import { eventTypes, readFacts } from './gather.ts'
import { readHistory } from './history.ts'
import { parseId, readEvent } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

export const lemonSqueezy: ProviderAdapter = {
  provider: 'lemon-squeezy',
  name: paymentProviderNames['lemon-squeezy'],
  methods: ['credentials'],
  fields: [
    {
      key: 'apiKey',
      label: 'API Key',
      help: 'In Lemon Squeezy, go to Settings, API and create a key. A key made in test mode connects test mode. The webhook is created for you.',
      secret: true,
      shape: /^[A-Za-z0-9_.|-]{20,4000}$/,
      words: 'Enter an API key as Lemon Squeezy shows it, without spaces',
    },
    {
      key: 'storeId',
      label: 'Store ID',
      help: 'The number beside your store under Settings, Stores, without #. Only needed when you have several stores.',
      secret: false,
      optional: true,
      shape: /^\d{1,20}$/,
      words: 'Enter the store’s number, without #',
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Signing Secret',
      help: 'Leave it empty to have the webhook created for you, or enter the secret of one you’ve created under Settings, Webhooks.',
      secret: true,
      optional: true,
      shape: /^\S{6,40}$/,
      words: 'Enter the webhook’s signing secret: 6 to 40 characters',
    },
  ],
  signingField: 'webhookSecret',
  eventTypes,

  async readAccount(credentials, reach) {
    const [{ meta }, store] = await Promise.all([
      createLemonSqueezyApi(credentials, reach).get('users/me'),
      getStore(credentials, reach),
    ])
    return {
      accountName: store.name,
      defaultCurrency: store.currency,
      providerAccountId: store.id,
      livemode: parseObject(meta).test_mode !== true,
    }
  },

  /** The secret is chosen by us, of 40 characters at most. */
  async makeEndpoint(credentials, url, reach) {
    const api = createLemonSqueezyApi(credentials, reach)
    const [{ meta }, store] = await Promise.all([api.get('users/me'), getStore(credentials, reach)])
    const secret = randomBytes(20).toString('hex')
    const attributes = { url, events: eventTypes, secret, test_mode: parseObject(meta).test_mode === true }
    const relationships = { store: { data: { type: 'stores', id: store.id } } }
    const made = await api.post('webhooks', { data: { type: 'webhooks', attributes, relationships } })
    const id = parseId(parseObject(made.data).id)
    if (!id) throw new PaymentProviderError('unavailable', 'Lemon Squeezy created the webhook without naming it.')
    return { id, secret }
  },

  async disconnect(credentials, endpointId, reach) {
    if (endpointId) await createLemonSqueezyApi(credentials, reach).delete(`webhooks/${encodeURIComponent(endpointId)}`)
  },

  async receive(delivery) {
    const { raw, credentials } = delivery
    return isProven(SIGNATURE, credentials.webhookSecret, delivery) ? [readEvent(raw.toString('utf8'))] : null
  },

  readFacts,
  toPayment,
  toRefunds,
  readHistory,
}

const SIGNATURE: SignatureForm = { header: 'x-signature', signed: '{body}', encoding: 'hex', key: 'text' }
