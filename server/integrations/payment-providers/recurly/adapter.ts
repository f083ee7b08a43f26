import { paymentProviderNames } from '#contract/sales.ts'
import type { SignatureForm } from '../../../platform/http/signature.ts'
import { parseCurrency, parseObject, parseText } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter } from '../provider.ts'
import { isProven } from '../signed.ts'
import { createRecurlyApi } from './api.ts'
import { eventTypes, readFacts } from './gather.ts'
import { paidBefore, readHistory } from './history.ts'
import { parseId, readEvent } from './objects.ts'
import { toPayment, toRefunds } from './payment.ts'

const SIGNATURE: SignatureForm = {
  header: 'recurly-signature',
  encoding: 'hex',
  signed: '{timestamp}.{body}',
  layout: 'listed',
  key: 'text',
}

export const recurly: ProviderAdapter = {
  provider: 'recurly',
  name: paymentProviderNames.recurly,
  methods: ['credentials'],
  fields: [
    {
      key: 'privateKey',
      label: 'Private API Key',
      help: 'In Recurly, go to Integrations, API Credentials and choose Add Private API Key. A read-only key is enough.',
      secret: true,
      shape: /^[A-Za-z0-9_-]{20,200}$/,
      words: 'Enter a private API key as Recurly shows it, without spaces',
    },
    {
      key: 'region',
      label: 'Region',
      help: 'EU if your site is in Recurly’s European data center. Leave it empty for the US.',
      secret: false,
      optional: true,
      shape: /^(us|eu)$/i,
      words: 'Enter US or EU',
    },
    {
      key: 'webhookSecret',
      label: 'Webhook Secret Key',
      help: 'Leave it empty for now: after connecting you see the URL for which Recurly makes it.',
      secret: true,
      optional: true,
      shape: /^\S{8,200}$/,
      words: 'Enter the secret key that Recurly shows with the endpoint, without spaces',
    },
  ],
  signingField: 'webhookSecret',
  webhookSteps:
    'In Recurly, go to Integrations, Webhooks, choose Configure, then New Endpoint, and enter this URL. Choose JSON, and the notifications charge_invoice.paid, payment.refunded, payment.voided and subscription.created. Then copy the endpoint’s secret key from the Webhook Endpoints page.',
  eventTypes,

  /** A key belongs to one site, whose mode is that of its payments. */
  async readAccount(credentials, reach) {
    const api = createRecurlyApi(credentials, reach)
    const [{ rows }] = await Promise.all([api.page('sites?limit=1'), api.page('invoices?limit=1')])
    const [site] = rows
    if (!site || !parseId(site.id)) throw new PaymentProviderError('forbidden', 'This key can’t access any site.')
    return {
      accountName: parseText(site.subdomain, 200),
      defaultCurrency: parseCurrency(parseObject(site.settings).default_currency) || null,
      providerAccountId: parseId(site.id),
      livemode: site.mode === 'production',
    }
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
