import { getCACertificates } from 'node:tls'
import { paymentProviderNames } from '#contract/sales.ts'
import { type ProviderJson, parseEmail, parseJson, parseObject, parseText, parseTime } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAdapter, type ReceivedEvent } from '../provider.ts'
import { createPaypalApi, isPayPalSandbox, type PaypalApi } from './api.ts'
import { createCertificates } from './certificates.ts'
import { eventTypes, ordinaryTypes, readFacts } from './gather.ts'
import { toPayment, toRefunds } from './payment.ts'
import { isSignedByPayPal } from './signature.ts'

const WEBHOOKS = 'v1/notifications/webhooks'

/** `trusted` returns the root certificates, as PEM, for PayPal's signing certificates. */
export function createPaypal({ trusted }: { trusted: () => readonly string[] }): ProviderAdapter {
  const certificates = createCertificates(trusted)
  return {
    provider: 'paypal',
    name: paymentProviderNames.paypal,
    methods: ['credentials'],
    fields: [
      {
        key: 'clientId',
        label: 'Client ID',
        help: 'In the PayPal Developer Dashboard, switch to Live, open Apps & Credentials and create an app. The client ID is at the top of its page.',
        secret: false,
        shape: /^[A-Za-z0-9_-]{4,200}$/,
        words: 'Enter the app’s client ID: letters, digits, hyphens and underscores',
      },
      {
        key: 'clientSecret',
        label: 'Secret Key',
        help: 'Below the client ID. The app needs the feature Accept payments, and Subscriptions if you sell any.',
        secret: true,
        shape: /^[A-Za-z0-9_-]{4,200}$/,
        words: 'Enter the app’s secret key: letters, digits, hyphens and underscores',
      },
      {
        key: 'webhookId',
        label: 'Webhook ID',
        help: 'Leave it empty to have the webhook created for you, or enter the ID that PayPal shows once you’ve added a webhook to the app.',
        secret: false,
        optional: true,
        // never the WEBHOOK_ID, for which PayPal's simulator signs anyone's events
        shape: /^[A-Za-z0-9-]{4,50}$/,
        words: 'Enter the webhook’s ID: letters and digits',
      },
    ],
    signingField: 'webhookId',
    eventTypes,

    async readAccount(credentials, reach) {
      const api = createPaypalApi(credentials, reach)
      await api.signIn()
      const profile = await profileOf(api)
      const [mail] = Array.isArray(profile.emails) ? profile.emails : []
      return {
        accountName: parseText(profile.name, 200) ?? parseEmail(profile.email) ?? parseEmail(parseObject(mail).value),
        defaultCurrency: null,
        providerAccountId: parseText(profile.payer_id, 100),
        livemode: !isPayPalSandbox(reach),
      }
    },

    async makeEndpoint(credentials, url, reach) {
      const api = createPaypalApi(credentials, reach)
      const event_types = (await subscribable(api)).map((name) => ({ name }))
      const made = await api.post(WEBHOOKS, { url, event_types }).catch(async (error: unknown) => {
        // an earlier try may have succeeded without its answer arriving
        const kept = isInvalid(error) ? await webhookAt(url, api) : null
        if (!kept) throw error
        return kept
      })
      const id = parseText(made.id, 50)
      if (!id) throw new PaymentProviderError('unavailable', 'PayPal created the webhook without returning its ID.')
      return { id, secret: id }
    },

    async disconnect(credentials, endpointId, reach) {
      if (endpointId) await createPaypalApi(credentials, reach).delete(`${WEBHOOKS}/${encodeURIComponent(endpointId)}`)
    },

    async receive(delivery) {
      const { webhookId } = delivery.credentials
      if (!webhookId || !(await isSignedByPayPal(delivery, webhookId, certificates))) return null
      return [readEvent(delivery.raw.toString('utf8'))]
    },

    readFacts,
    toPayment,
    toRefunds,

    async readHistory(credentials, reach, since, cursor) {
      if (reach.now.getTime() - since.getTime() > LISTS_FOR_MS)
        throw new PaymentProviderError('invalid', 'PayPal only lists events from the last 30 days.', {
          listedFrom: new Date(reach.now.getTime() - LISTS_FOR_MS + DAY_MS),
        })
      const first = { page_size: '50', start_time: instant(since), end_time: instant(reach.now) }
      const query = cursor === null ? first : Object.fromEntries(new URLSearchParams(cursor))
      const page = await createPaypalApi(credentials, reach).get('v1/notifications/webhooks-events', query)
      const rows = Array.isArray(page.events) ? page.events.map(parseObject) : []
      return {
        events: rows
          .filter(({ event_type }) => eventTypes.includes(String(event_type)))
          .map((row) => readEvent(JSON.stringify(row))),
        next: rows.length > 0 ? nextOf(page, cursor) : null,
      }
    },
  }
}

/** PayPal's signing certificates have a root that Node trusts, like those of its hosts. */
export const paypal = createPaypal({ trusted: () => getCACertificates('default') })

const DAY_MS = 86_400_000
const LISTS_FOR_MS = 30 * DAY_MS
const instant = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')

const isInvalid = (error: unknown) => error instanceof PaymentProviderError && error.kind === 'invalid'

/** Returns the app's owner; empty if the app may not read it, since it is optional. */
const profileOf = (api: PaypalApi): Promise<ProviderJson> =>
  api.get('v1/identity/oauth2/userinfo', { schema: 'paypalv1.1' }).catch((error: unknown) => {
    if (error instanceof PaymentProviderError && error.kind !== 'unavailable') return {}
    throw error
  })

/** Returns the available event types: PayPal refuses a webhook for a type that the account lacks. */
async function subscribable(api: PaypalApi): Promise<readonly string[]> {
  const listed = await api.get('v1/notifications/webhooks-event-types').catch((error: unknown) => {
    if (error instanceof PaymentProviderError && error.kind === 'missing') return null
    throw error
  })
  if (!listed) return ordinaryTypes
  const names = (Array.isArray(listed.event_types) ? listed.event_types : []).map((type) => parseObject(type).name)
  return eventTypes.filter((type) => names.includes(type))
}

async function webhookAt(url: string, api: PaypalApi): Promise<ProviderJson | null> {
  const { webhooks } = await api.get(WEBHOOKS)
  return (Array.isArray(webhooks) ? webhooks : []).map(parseObject).find((webhook) => webhook.url === url) ?? null
}

/** Returns the cursor of the next page, from its link; null if the link is to this page. */
function nextOf(page: ProviderJson, cursor: string | null): string | null {
  const links = Array.isArray(page.links) ? page.links.map(parseObject) : []
  const href = parseText(links.find(({ rel }) => rel === 'next')?.href, 4000)
  const query = href ? URL.parse(href, 'https://api-m.paypal.com')?.search.slice(1) : null
  return query && query !== cursor ? query : null
}

function readEvent(body: string): ReceivedEvent {
  const { id, event_type, create_time } = parseObject(parseJson(body))
  const at = parseTime(create_time)
  if (typeof id !== 'string' || typeof event_type !== 'string' || !at)
    throw new PaymentProviderError('invalid', 'This isn’t a PayPal event.')
  return { id, type: event_type, livemode: null, account: null, at, body }
}
