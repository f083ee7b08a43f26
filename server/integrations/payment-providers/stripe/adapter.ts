import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { parseCurrency, parseObject, parseText } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccount, type ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { API_VERSION, createStripeApi, type StripeApi } from './api.ts'
import { codes } from './codes.ts'
import { credits } from './credits.ts'
import { eventTypes, readFacts } from './gather.ts'
import { paidBefore, readAgain, readHistory } from './history.ts'
import { oauth } from './oauth.ts'
import { readEvent } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

/** The resources with payments; a key without one of them would miss tax, refunds or the payer. */
const READ = ['charges', 'refunds', 'payment_intents', 'checkout/sessions', 'invoices', 'customers']

/** The resources of a key that imports past sales and matches them by code too. */
const KEY_READS = [
  ...['charge', 'refund', 'customer', 'checkout_session', 'payment_intent', 'invoice'],
  ...['event', 'dispute', 'credit_note', 'promotion_code'],
]

/** The name and the rights of the key that Stripe is asked to create; with the last one we create the endpoint. */
const KEY = [
  ['name', 'Tributary'],
  ...[...KEY_READS.map((of) => `rak_${of}_read`), 'rak_webhook_write'].map((right) => ['permissions[]', right]),
]

export const stripe: ProviderAdapter = {
  provider: 'stripe',
  name: paymentProviderNames.stripe,
  methods: ['oauth', 'credentials'],
  fields: [
    {
      key: 'restrictedKey',
      label: 'Restricted Key',
      help: 'A restricted key that reads Charges and Refunds, Customers, Checkout Sessions, PaymentIntents and Invoices; with Events and Disputes, past sales can be imported, and with Promotion Codes, sales are matched by the codes buyers enter. With write access to Webhook Endpoints, the endpoint is created for you.',
      secret: true,
      shape: /^rk_(live|test)_[A-Za-z0-9_]{4,500}$/,
      words: 'Enter a restricted key. It begins with rk_live_ or rk_test_',
      createUrl: `https://dashboard.stripe.com/apikeys/create?${new URLSearchParams(KEY)}`,
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Signing Secret',
      help: 'Begins with whsec_. Leave it empty to have the endpoint created for you, or enter it once you’ve created the endpoint in Stripe.',
      secret: true,
      optional: true,
      shape: /^whsec_[A-Za-z0-9+/=_-]{4,500}$/,
      words: 'Enter the endpoint’s signing secret. It begins with whsec_',
    },
  ],
  signingField: 'webhookSecret',
  forwardCommand: 'stripe listen --forward-to',
  eventTypes,
  codes,
  credits,
  oauth,
  application: { methods: ['oauth'] },

  async readAccount(credentials, reach) {
    const api = createStripeApi(credentials, reach)
    const account = await accountOf(api)
    await Promise.all(READ.map((path) => api.list(path, { limit: '1' })))
    return { ...account, livemode: isLive(credentials) }
  },

  async makeEndpoint(credentials, url, reach) {
    const events = Object.fromEntries(eventTypes.map((type, index) => [`enabled_events[${index}]`, type]))
    const made = await createStripeApi(credentials, reach).post('webhook_endpoints', {
      url,
      api_version: API_VERSION,
      description: 'Tributary',
      ...events,
    })
    if (typeof made.id !== 'string' || typeof made.secret !== 'string')
      throw new PaymentProviderError('unavailable', 'Stripe created the endpoint without returning its secret.')
    return { id: made.id, secret: made.secret }
  },

  async endpointTrouble(credentials, endpointId, reach) {
    try {
      const { status } = await createStripeApi(credentials, reach).get(endpointPath(endpointId))
      return status === 'disabled' ? 'The webhook endpoint is turned off at Stripe. Turn it on there.' : null
    } catch (error) {
      if (error instanceof PaymentProviderError && error.kind === 'missing')
        return 'The webhook endpoint no longer exists at Stripe. Disconnect and connect again to create a new one.'
      throw error
    }
  },

  async disconnect(credentials, endpointId, reach) {
    if (endpointId) await createStripeApi(credentials, reach).delete(endpointPath(endpointId))
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
  readAgain,
}

const SIGNATURE: SignatureForm = {
  header: 'stripe-signature',
  layout: 'named',
  prefix: 'v1=',
  signed: '{timestamp}.{body}',
  encoding: 'hex',
  key: 'text',
}

const endpointPath = (id: string) => `webhook_endpoints/${encodeURIComponent(id)}`

const isLive = ({ restrictedKey = '', livemode }: Credentials) =>
  restrictedKey.startsWith('rk_live_') || livemode === 'true'

type Known = Omit<ProviderAccount, 'livemode'>

/** Returns the account; restricted keys often may not read it, but the refusal names it. */
async function accountOf(api: StripeApi): Promise<Known> {
  try {
    const { id, default_currency, business_profile, settings, email } = await api.get('account')
    const shown = parseText(parseObject(parseObject(settings).dashboard).display_name, 200)
    return {
      accountName: shown ?? parseText(parseObject(business_profile).name, 200) ?? parseText(email, 200),
      defaultCurrency: parseCurrency(default_currency) || null,
      providerAccountId: parseText(id),
    }
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.kind !== 'forbidden') throw error
    const named = /\bacct_[A-Za-z0-9]+/.exec(error.message)?.[0] ?? null
    return { accountName: null, defaultCurrency: null, providerAccountId: named }
  }
}
