import { type AuthValues, NO_AUTH } from './auth.ts'

type Signing = Pick<
  AuthValues,
  'header' | 'encoding' | 'prefix' | 'signed' | 'layout' | 'timestampHeader' | 'idHeader' | 'key'
>

const { prefix, signed, layout, timestampHeader, idHeader, key } = NO_AUTH

const of = (header: string, encoding: Signing['encoding'], rest: Partial<Signing> = {}): Signing => ({
  ...{ header, encoding, prefix, signed, layout, timestampHeader, idHeader, key },
  ...rest,
})

/** Signing presets by sender; the names are not translated. */
export const senders = {
  Typeform: of('Typeform-Signature', 'base64', { prefix: 'sha256=' }),
  Tally: of('Tally-Signature', 'base64'),
  Webflow: of('X-Webflow-Signature', 'hex', { signed: '{timestamp}:{body}', timestampHeader: 'X-Webflow-Timestamp' }),
  Calendly: of('Calendly-Webhook-Signature', 'hex', { signed: '{timestamp}.{body}', layout: 'named', prefix: 'v1=' }),
  'Cal.com': of('X-Cal-Signature-256', 'hex'),
  HubSpot: of('X-HubSpot-Signature-v3', 'base64', {
    ...{ signed: 'POST{url}{body}{timestamp}', timestampHeader: 'X-HubSpot-Request-Timestamp' },
  }),
  WooCommerce: of('X-WC-Webhook-Signature', 'base64'),
  Shopify: of('X-Shopify-Hmac-Sha256', 'base64'),
  Framer: of('Framer-Signature', 'hex', {
    ...{ prefix: 'sha256=', signed: '{body}{id}', idHeader: 'Framer-Webhook-Submission-Id' },
  }),
  Recurly: of('recurly-signature', 'hex', { signed: '{timestamp}.{body}', layout: 'listed' }),
  'Standard Webhooks': of('webhook-signature', 'base64', {
    ...{ prefix: 'v1,', signed: '{id}.{timestamp}.{body}', layout: 'spaced', key: 'standard' },
    ...{ timestampHeader: 'webhook-timestamp', idHeader: 'webhook-id' },
  }),
} as const satisfies Record<string, Signing>

export type Sender = keyof typeof senders
export const senderNames = Object.keys(senders) as Sender[]

/** Returns the known sender with exactly these signature settings, if any. */
export const senderOf = (auth: AuthValues): Sender | null =>
  senderNames.find((name) =>
    Object.entries(senders[name]).every(
      ([part, value]) => auth[part as keyof Signing].trim().toLowerCase() === value.toLowerCase(),
    ),
  ) ?? null
