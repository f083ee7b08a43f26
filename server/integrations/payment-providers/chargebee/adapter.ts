import { paymentProviderNames } from '#contract/sales.ts'
import { isBasic } from '../../../platform/http/basic-auth.ts'
import { PaymentProviderError, type ProviderAdapter } from '../provider.ts'
import { createChargebeeApi, isTestSite, nameOfSite, SITE } from './api.ts'
import { eventTypes, readFacts } from './gather.ts'
import { readHistory } from './history.ts'
import { readEvent } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

/** The lists that are read, of payments and of who paid. */
const READ = ['transaction', 'invoice', 'customer', 'subscription'] as const

/** The user that Chargebee sends with the password. */
const USERNAME = 'tributary'

export const chargebee: ProviderAdapter = {
  provider: 'chargebee',
  name: paymentProviderNames.chargebee,
  methods: ['credentials'],
  fields: [
    {
      key: 'site',
      label: 'Site',
      help: 'The name before .chargebee.com in the address of your site. One that ends in -test connects test mode.',
      secret: false,
      shape: SITE,
      words: 'Enter the site’s name, such as acme for acme.chargebee.com',
    },
    {
      key: 'apiKey',
      label: 'API Key',
      help: 'In Chargebee, go to Settings, Configure Chargebee, API Keys and Webhooks, and add a Read-Only Key for All.',
      secret: true,
      shape: /^[A-Za-z0-9_-]{8,200}$/,
      words: 'Enter the key as Chargebee shows it, without spaces',
    },
    {
      key: 'webhookPassword',
      label: 'Webhook Password',
      help: `A password of your own. You enter it in Chargebee too, with the username ${USERNAME} and the URL that is shown here once you’re connected.`,
      secret: true,
      optional: true,
      shape: /^[\x21-\x7e]{8,200}$/,
      words: 'Enter 8 characters or more, without spaces',
    },
  ],
  signingField: 'webhookPassword',
  webhookSteps: `In Chargebee, go to Settings, Configure Chargebee, API Keys and Webhooks, Webhooks, and press Add Webhook. Enter this URL, turn on Protect webhook URL with basic authentication, and enter the username ${USERNAME} and the password that you enter here. Choose the API version V2 and the events Payment Succeeded, Payment Refunded and Subscription Created.`,
  eventTypes,

  /** Chargebee tells nothing about a site but its lists. */
  async readAccount(credentials, reach) {
    const api = createChargebeeApi(credentials, reach)
    await Promise.all(READ.map((name) => api.page(name, { limit: '1' }))).catch((error: unknown) => {
      if (!(error instanceof PaymentProviderError)) throw error
      const { kind, message, retryAfterMs } = error
      // of another site than the key's there is nothing to see
      if (kind === 'missing') throw new PaymentProviderError('refused', message, { field: 'site' })
      throw new PaymentProviderError(kind, message, { field: 'apiKey', retryAfterMs })
    })
    return {
      accountName: credentials.site!,
      defaultCurrency: null,
      providerAccountId: nameOfSite(credentials),
      livemode: !isTestSite(credentials),
    }
  },

  async receive({ raw, headers, credentials: { webhookPassword: password = '' } }) {
    return isBasic(headers.authorization, { username: USERNAME, password }) ? [readEvent(raw.toString('utf8'))] : null
  },

  readFacts,
  toPayment,
  toRefunds,
  readHistory,
}
