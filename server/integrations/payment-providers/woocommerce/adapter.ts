import { randomBytes } from 'node:crypto'
import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { parseCurrency, parseJson, parseText } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { createWooCommerceApi, isKind, storeAddress, type WooCommerceApi } from './api.ts'
import { codes } from './codes.ts'
import { eventTypes, LISTED, REFUNDS, readFacts, TOPICS } from './gather.ts'
import { paidBefore, readAgain, readHistory, toEvent } from './history.ts'
import { parseId } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

const BEGINS = 'Enter an address that begins with https://.'

const SIGNATURE: SignatureForm = { header: 'x-wc-webhook-signature', signed: '{body}', encoding: 'base64', key: 'text' }

export const woocommerce: ProviderAdapter = {
  provider: 'woocommerce',
  name: paymentProviderNames.woocommerce,
  methods: ['credentials'],
  fields: [
    {
      key: 'store',
      label: 'Store Address',
      help: 'As visitors see it, such as https://shop.example. In WordPress it’s under Settings, General, Site Address.',
      secret: false,
      shape: /^https?:\/\/\S{1,2000}$/i,
      words: BEGINS,
    },
    {
      key: 'consumerKey',
      label: 'Consumer Key',
      help: 'In WordPress, go to WooCommerce, Settings, Advanced, REST API and choose Add key. With the permissions Read/Write the webhooks are created for you.',
      secret: false,
      shape: /^ck_[A-Za-z0-9]{8,200}$/,
      words: 'Enter the consumer key. It begins with ck_',
    },
    {
      key: 'consumerSecret',
      label: 'Consumer Secret',
      help: 'Shown once, below the consumer key.',
      secret: true,
      shape: /^cs_[A-Za-z0-9]{8,200}$/,
      words: 'Enter the consumer secret. It begins with cs_',
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Secret',
      help: 'Leave it empty if the key’s permissions are Read/Write. With Read, enter the secret of the webhooks that you add under WooCommerce, Settings, Advanced, Webhooks.',
      secret: true,
      optional: true,
      shape: /^\S(.{0,198}\S)?$/,
      words: 'Enter the webhook’s secret: 200 characters at most, on one line',
    },
  ],
  signingField: 'webhookSecret',
  webhookSteps:
    'In WordPress, go to WooCommerce, Settings, Advanced, Webhooks and press Add webhook twice, with the topics Order created and Order updated. Enter this URL as the delivery URL of both, and the same secret.',
  eventTypes,
  codes,

  async readAccount(credentials, reach) {
    const { store = '' } = credentials
    const wrong = reach.outbound.checkUserUrl(store)
    if (wrong) throw atStore(/^http:/i.test(store) ? BEGINS : wrong)
    const address = storeAddress(credentials)
    const api = createWooCommerceApi(credentials, reach)
    await tryStore(api)
    return {
      accountName: address.replace(/^https?:\/\//, ''),
      defaultCurrency: await currencyOf(api),
      providerAccountId: address,
      livemode: true,
    }
  },

  /** Webhooks that exist already get the secret and are turned on: the answer that made them may have been lost. */
  async makeEndpoint(credentials, url, reach) {
    const api = createWooCommerceApi(credentials, reach)
    const secret = credentials.webhookSecret ?? randomBytes(32).toString('hex')
    const known = (await api.all('webhooks')).filter(({ delivery_url }) => delivery_url === url)
    const ids: string[] = []
    for (const topic of TOPICS) {
      const own = parseId(known.find((one) => one.topic === topic)?.id)
      const wanted = { name: 'Tributary', topic, delivery_url: url, secret, status: 'active' }
      const made = await (own ? api.put(`webhooks/${own}`, wanted) : api.post('webhooks', wanted))
      const id = parseId(made.id)
      if (!id) throw new PaymentProviderError('unavailable', 'The store created the webhook without naming it.')
      ids.push(id)
    }
    return { id: ids.join(','), secret }
  },
  remakesEndpoint: true,

  async endpointTrouble(credentials, endpointId, reach) {
    const webhooks = await createWooCommerceApi(credentials, reach).all('webhooks')
    for (const id of endpointId.split(',')) {
      const webhook = webhooks.find((one) => parseId(one.id) === id)
      if (!webhook) return 'A webhook for orders was deleted in WooCommerce.'
      if (webhook.status === 'paused') return 'A webhook for orders is paused in WooCommerce.'
      if (webhook.status !== 'active')
        return 'WooCommerce turned off a webhook for orders, as it does after several deliveries have failed.'
    }
    return null
  },

  async disconnect(credentials, endpointId, reach) {
    const api = createWooCommerceApi(credentials, reach)
    for (const id of endpointId?.split(',') ?? [])
      await api.delete(`webhooks/${encodeURIComponent(id)}`).catch((error: unknown) => {
        if (!isKind(error, 'missing')) throw error
      })
  },

  isPing: (raw) => /^webhook_id=\d{1,20}$/.test(raw.toString('latin1', 0, 40)),

  async receive(delivery) {
    const { raw, headers, credentials, reach } = delivery
    if (!isProven(SIGNATURE, credentials.webhookSecret, delivery)) return null
    const body = raw.toString('utf8')
    const json = parseJson(body)
    const topic = parseText(headers['x-wc-webhook-topic'])
    if (!json || !topic || topic === LISTED || topic === REFUNDS)
      throw new PaymentProviderError('invalid', 'This isn’t a WooCommerce event.')
    return [toEvent(topic, body, json, reach.now)]
  },

  readFacts,
  toPayment,
  toRefunds,
  readHistory,
  paidBefore,
  readAgain,
  removesRefunds: true,
}

const atStore = (words: string) => new PaymentProviderError('refused', words, { field: 'store' })

/** Asks for an order, as the key must be able to. */
async function tryStore(api: WooCommerceApi) {
  try {
    await api.get('orders', { per_page: '1', _fields: 'id' })
  } catch (error) {
    if (isKind(error, 'missing'))
      throw atStore(
        'There is no WooCommerce at this address. Enter the store’s address. In WordPress, its permalinks must not be plain.',
      )
    if (isKind(error, 'invalid')) throw atStore(error.message)
    throw error
  }
}

/** Returns null if the key's user may not read settings. */
async function currencyOf(api: WooCommerceApi): Promise<string | null> {
  try {
    return parseCurrency((await api.get('data/currencies/current', { _fields: 'code' })).code) || null
  } catch (error) {
    if (isKind(error, 'forbidden', 'missing')) return null
    throw error
  }
}
