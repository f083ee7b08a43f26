import type { AuthValues } from './auth.ts'

type Signing = Pick<AuthValues, 'header' | 'encoding' | 'prefix' | 'signed' | 'timestampHeader'>

const of = (header: string, encoding: Signing['encoding'], rest: Partial<Signing> = {}): Signing => ({
  ...{ header, encoding, prefix: '', signed: 'body', timestampHeader: '' },
  ...rest,
})

/** Signing presets by sender; the names are not translated. */
export const senders = {
  Typeform: of('Typeform-Signature', 'base64', { prefix: 'sha256=' }),
  Tally: of('Tally-Signature', 'base64'),
  Webflow: of('X-Webflow-Signature', 'hex', { signed: 'timestamp-colon-body', timestampHeader: 'X-Webflow-Timestamp' }),
  Calendly: of('Calendly-Webhook-Signature', 'hex', { signed: 'timestamp-dot-body', prefix: 'v1=' }),
  'Cal.com': of('X-Cal-Signature-256', 'hex'),
  HubSpot: of('X-HubSpot-Signature-v3', 'base64', {
    ...{ signed: 'method-url-body-timestamp', timestampHeader: 'X-HubSpot-Request-Timestamp' },
  }),
  WooCommerce: of('X-WC-Webhook-Signature', 'base64'),
  Shopify: of('X-Shopify-Hmac-Sha256', 'base64'),
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
