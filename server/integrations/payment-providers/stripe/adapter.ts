import { paymentProviderNames } from '#contract/sales.ts'
import { type ProviderAccount, type ProviderAdapter, ProviderError } from '../provider.ts'
import { API_VERSION, createStripeApi, type Json, type StripeApi } from '../../../payment-providers/stripe/api.ts'
import { eventTypes, gather } from './gather.ts'
import { paymentOf } from './payment.ts'
import { isSigned } from './signature.ts'

/** What the payments are read from; a key that may not read one of them would miss tax, refunds or whose sale it is. */
const READ = ['charges', 'refunds', 'payment_intents', 'checkout/sessions', 'invoices', 'customers']

export const stripe: ProviderAdapter = {
  provider: 'stripe',
  name: paymentProviderNames.stripe,
  methods: ['credentials'],
  keyField: 'restrictedKey',
  webhookSecretField: 'webhookSecret',
  fields: [
    {
      key: 'restrictedKey',
      label: 'Restricted Key',
      help: 'A restricted key that reads Charges and Refunds, Customers, Checkout Sessions, PaymentIntents and Invoices. With write access to Webhook Endpoints the endpoint is made for you.',
      secret: true,
      shape: /^rk_(live|test)_[A-Za-z0-9_]{4,500}$/,
      words: 'Enter a restricted key: it begins with rk_live_ or rk_test_',
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Signing Secret',
      help: 'Begins with whsec_. Leave it empty to have the endpoint made, or add it once you have made the endpoint at Stripe yourself.',
      secret: true,
      optional: true,
      shape: /^whsec_[A-Za-z0-9+/=_-]{4,500}$/,
      words: 'Enter the signing secret of the endpoint: it begins with whsec_',
    },
  ],
  eventTypes,

  async readAccount(key, reach) {
    const api = createStripeApi(key, reach)
    const account = await accountOf(api)
    await Promise.all(READ.map((path) => api.list(path, { limit: '1' })))
    return { ...account, livemode: isLive(key) }
  },

  async makeEndpoint(key, url, reach) {
    const events = Object.fromEntries(eventTypes.map((type, index) => [`enabled_events[${index}]`, type]))
    const made = await createStripeApi(key, reach).post('webhook_endpoints', {
      url,
      api_version: API_VERSION,
      description: 'Tributary',
      ...events,
    })
    if (typeof made.id !== 'string' || typeof made.secret !== 'string')
      throw new ProviderError('unavailable', 'Stripe made the endpoint without telling its secret.')
    return { id: made.id, secret: made.secret }
  },

  async removeEndpoint(key, id, reach) {
    await createStripeApi(key, reach).delete(`webhook_endpoints/${encodeURIComponent(id)}`)
  },

  verify: (raw, headers, secret, now) => isSigned(raw, headers['stripe-signature'], secret, now),

  readEvent(raw) {
    const body = JSON.parse(raw) as Json
    const { id, type, created, livemode } = body ?? {}
    if (typeof id !== 'string' || typeof type !== 'string' || typeof created !== 'number')
      throw new SyntaxError('This is no event of Stripe')
    return { id, type, livemode: livemode === true, at: new Date(created * 1000), body }
  },

  gather,
  paymentOf,
}

const isLive = (key: string) => key.startsWith('rk_live_')

type Known = Omit<ProviderAccount, 'livemode'>

/** Restricted keys may often not read the account; the refusal then names it all the same. */
async function accountOf(api: StripeApi): Promise<Known> {
  try {
    const { id, default_currency, business_profile, settings, email } = await api.get('account')
    const { name } = (business_profile ?? {}) as { name?: unknown }
    const { dashboard } = (settings ?? {}) as { dashboard?: { display_name?: unknown } }
    const names = [dashboard?.display_name, name, email].filter((value) => typeof value === 'string' && value !== '')
    return {
      accountName: (names[0] as string | undefined)?.slice(0, 200) ?? null,
      defaultCurrency: typeof default_currency === 'string' ? default_currency.toLowerCase() : null,
      providerAccountId: typeof id === 'string' ? id : null,
    }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'forbidden') throw error
    const named = /\bacct_[A-Za-z0-9]+/.exec(error.message)?.[0] ?? null
    return { accountName: null, defaultCurrency: null, providerAccountId: named }
  }
}
