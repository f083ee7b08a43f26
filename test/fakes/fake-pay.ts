import { createHmac, timingSafeEqual } from 'node:crypto'
import { after } from 'node:test'
import { type Mark, unnamedRefunds } from '../../server/integrations/payment-providers/cumulative-refunds.ts'
import { netOfTax } from '../../server/integrations/payment-providers/net-of-tax.ts'
import {
  parseCurrency,
  parseEmail,
  parseInteger,
  parseJson,
  parseObject,
  parseReferences,
  parseText,
} from '../../server/integrations/payment-providers/parse-values.ts'
import {
  type Credentials,
  PaymentProviderError,
  type ProviderAccess,
  type ProviderAdapter,
} from '../../server/integrations/payment-providers/provider.ts'
import { callProvider } from '../../server/integrations/payment-providers/provider-calls.ts'
import {
  kindsAmong,
  noPayer,
  type PayerFacts,
  providerObject,
  refundReport,
  toPayer,
} from '../../server/integrations/payment-providers/provider-objects.ts'
import { adapters } from '../../server/integrations/payment-providers/registry.ts'
import { createFactsReader, toFacts } from '../../server/integrations/payment-providers/resolve-event.ts'
import type { TestAccount, TestApp } from '../support/app.ts'
import { type Call, startServer } from './server.ts'

// Till is a fictitious payment provider. It differs from Stripe in every way a provider may differ: a client id and two
// secrets, one address for every merchant, signed over that address, several events at once with their id in a header,
// tax only in the order, and refunds as a sum.

type Payment = { total: number; currency: string; order: string; at: number } & PayerFacts

/** Till on loopback, which the product connects in place of the generic provider until the tests of this file end. */
export async function standInTill() {
  /** Merchants by their client id. */
  const merchants = new Map<string, { id: string; secret: string; revoked: boolean }>()
  const orders = new Map<string, { tax: number }>()
  const server = await startServer((call) => {
    const merchant = merchants.get(clientOf(call))
    if (!merchant || merchant.secret !== secretOf(call))
      return { status: 401, body: { problem: 'Till does not know this client.' } }
    if (call.path === '/merchant')
      return { status: 200, body: { id: merchant.id, name: `Shop ${merchant.id}`, revoked: merchant.revoked } }
    const order = orders.get(call.path)
    return order ? { status: 200, body: order } : { status: 404, body: { problem: 'No such order.' } }
  })
  const till = adapterAt(server.url)
  const place = adapters.findIndex(({ provider }) => provider === till.provider)
  const [own] = adapters.splice(place, 1, till)
  after(async () => {
    adapters.splice(place, 1, own!)
    await server.close()
  })
  let made = 0
  return {
    ...server,
    merchants,
    merchant(id: string) {
      const credentials = {
        clientId: `client-${++made}`,
        clientSecret: `secret-${made}`,
        signatureKey: `signing-${made}`,
      }
      merchants.set(credentials.clientId, { id, secret: credentials.clientSecret, revoked: false })
      return { id, credentials }
    },
    /** Events of a payment, and of its refunds in all. */
    payment({ total, tax, code }: { total: number; tax: number; code: string }) {
      const id = `pay-${++made}`
      orders.set(`/orders/${id}`, { tax })
      const at = Math.floor(Date.now() / 1000)
      const fields = {
        total,
        currency: 'USD',
        order: id,
        at,
        email: `${id}@buyer.example`,
        passed: { referral_code: code },
      }
      return {
        id,
        paid: { topic: 'payment', payment: id, ...fields },
        refunded: (sum: number) => ({ topic: 'refund', payment: id, sum, at }),
      }
    },
  }
}

export const connectTill = (app: TestApp, { id, token }: TestAccount, credentials: Record<string, string>) =>
  app.api('POST', `/accounts/${id}/payment-providers/connect`, { token, body: { provider: 'generic', credentials } })

type Sent = {
  id: string
  merchant: string
  items: object[]
  key: string
  signedUrl: string
  claims?: string
  body?: string
}

/** Sends events to the application's address at `app`, signed over `signedUrl`; a header claims their merchant. */
export async function sendFakePayEvent(app: TestApp, { id, merchant, items, key, signedUrl, ...given }: Sent) {
  const signed = JSON.stringify({ merchant, items })
  const signature = createHmac('sha256', key).update(signedUrl).update(signed).digest('base64')
  const headers = { 'till-signature': signature, 'till-delivery': id, 'till-merchant': given.claims ?? merchant }
  return app.api('POST', '/hooks/providers/generic/platform', { body: given.body ?? signed, headers })
}

const basic = (call: Call) =>
  Buffer.from(String(call.headers.authorization).replace('Basic ', ''), 'base64').toString().split(':')
const clientOf = (call: Call) => basic(call)[0] ?? ''
const secretOf = (call: Call) => basic(call)[1]

function adapterAt(url: string): ProviderAdapter {
  const apiOf = ({ clientId, clientSecret }: Credentials, { outbound }: ProviderAccess) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    return (path: string) =>
      callProvider(outbound, 'Till', `${url}${path}`, { headers: { authorization } }, ({ problem }) => problem)
  }
  const field = (key: string, label: string, secret: boolean) =>
    ({ key, label, help: null, secret, shape: /^[a-z]+-\w+$/, words: `Enter the ${label.toLowerCase()}` }) as const
  return {
    provider: 'generic',
    name: 'Till',
    methods: ['credentials'],
    fields: [
      field('clientId', 'Client Id', false),
      field('clientSecret', 'Client Secret', true),
      field('signatureKey', 'Signature Key', true),
    ],
    signingField: 'signatureKey',
    eventTypes: ['payment', 'refund'],
    application: {
      methods: ['credentials'],
      accountOf: (_raw, headers) => parseText(headers['till-merchant']),
    },

    async readAccount(credentials, reach) {
      const { id, name } = await apiOf(credentials, reach)('/merchant')
      return { providerAccountId: parseText(id), accountName: parseText(name), defaultCurrency: null, livemode: true }
    },

    async receive({ raw, headers, url: registered, credentials, reach }) {
      const mac = createHmac('sha256', credentials.signatureKey!).update(registered).update(raw).digest()
      const given = Buffer.from(String(headers['till-signature']), 'base64')
      if (given.length !== mac.length || !timingSafeEqual(given, mac)) return null
      const { revoked } = await apiOf(credentials, reach)('/merchant')
      if (revoked) return null
      const { merchant, items } = parseObject(parseJson(raw.toString()))
      const delivery = parseText(headers['till-delivery'])
      if (!delivery || !Array.isArray(items)) throw new PaymentProviderError('invalid', 'This is no event of Till.')
      return items.map((item, place) => ({
        id: `${delivery}/${place}`,
        type: parseText(item.topic) ?? '',
        at: new Date(parseInteger(item.at) * 1000),
        account: parseText(merchant),
        livemode: null,
        body: JSON.stringify(item),
      }))
    },

    readFacts: createFactsReader({
      createApi: apiOf,
      objectIn: (body) => body,
      needed: true,
      readers: {
        refund({ json, at }) {
          const mark: Mark = { amount: parseInteger(json.sum), at: at.getTime() }
          return toFacts(parseText(json.payment), providerObject('mark', String(mark.amount), at, mark))
        },
        async payment({ json, at, calls }) {
          const key = parseText(json.payment) ?? ''
          const order = await calls.ask((get) => get(`/orders/${json.order}`))
          const payment: Payment = {
            ...{
              total: parseInteger(json.total),
              currency: parseCurrency(json.currency),
              order: key,
              at: at.getTime(),
            },
            ...{ ...noPayer, email: parseEmail(json.email), references: parseReferences(json.passed) },
          }
          const orders = order ? [providerObject('order', key, at, { tax: parseInteger(order.tax) })] : []
          return toFacts(key, ...orders, providerObject('payment', key, at, payment))
        },
      },
    }),

    toPayment(key, objects) {
      const of = kindsAmong(objects)
      const [payment] = of<Payment>('payment')
      if (!payment) return null
      const tax = of<{ tax: number }>('order')[0]?.tax ?? 0
      const { net, ...shares } = netOfTax(payment.total, { total: payment.total, net: payment.total - tax, tax })
      return {
        ...toPayer([payment]),
        ...{ externalId: key, amount: net, taxAmount: shares.tax, grossAmount: payment.total },
        ...{
          currency: payment.currency,
          at: new Date(payment.at),
          description: null,
          subscriptionId: null,
          lines: null,
        },
        refunds: this.toRefunds(key, objects, payment.currency),
      }
    },
    toRefunds: (key, objects, currency) =>
      unnamedRefunds(kindsAmong(objects)<Mark>('mark'), []).map(({ name, left: amount, at }) =>
        refundReport('refund', { id: `${key}:${name}`, amount, currency, reason: null, at }, 'succeeded'),
      ),
  }
}
