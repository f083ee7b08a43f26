import type { IncomingWebhook } from '#contract/incoming-webhooks.ts'

const payloads: Record<IncomingWebhook['target'], object> = {
  lead: { id: 'contact-1', email: 'lena@customer.example', first_name: 'Lena', last_name: 'Cole', ref: 'jane' },
  sale: { order_id: 'order-1', email: 'lena@customer.example', total: '49.00', currency: 'usd', ref: 'jane' },
  refund: { refund_id: 'refund-1', order_id: 'order-1', amount: '49.00' },
  'lead-status': { email: 'lena@customer.example', status: 'qualified' },
}

/** Returns a command that sends a test payload with the webhook's authentication. */
export function curlOf({ url: given, target, auth }: Pick<IncomingWebhook, 'url' | 'target' | 'auth'>) {
  const url = given ?? ''
  const body = JSON.stringify(payloads[target])
  const lines = [`curl ${url}`, `-H 'Content-Type: application/json'`]
  if (auth.type === 'basic') lines.push(`-u ${quoted(`${auth.username}:PASSWORD`)}`)
  if (auth.type === 'header-hmac') lines.push(...signatureHeaders(auth))
  return [...signing(auth, url, body), [...lines, `-d '${body}'`].join(' \\\n  ')].join('\n')
}

type Signed = IncomingWebhook['auth'] & { type: 'header-hmac' }

function signatureHeaders({ header, prefix, signed, timestampHeader }: Signed) {
  const signature = `${prefix ?? ''}$SIGNATURE`
  if (signed === 'body') return [`-H "${header}: ${signature}"`]
  if (!timestampHeader) return [`-H "${header}: t=$TIMESTAMP,${signature}"`]
  return [`-H "${timestampHeader}: $TIMESTAMP"`, `-H "${header}: ${signature}"`]
}

function signing(auth: IncomingWebhook['auth'], url: string, body: string) {
  if (auth.type !== 'header-hmac') return []
  const text = {
    body: `'${body}'`,
    'timestamp-dot-body': `"$TIMESTAMP."'${body}'`,
    'timestamp-colon-body': `"$TIMESTAMP:"'${body}'`,
    'method-url-body-timestamp': `'POST${url}${body}'"$TIMESTAMP"`,
  }[auth.signed]
  const sign = `printf %s ${text} | openssl dgst -sha256 -hmac 'SECRET'`
  return [
    ...(auth.signed === 'body' ? [] : ['TIMESTAMP=$(date +%s)']),
    `SIGNATURE=$(${sign} ${auth.encoding === 'hex' ? "-r | cut -d' ' -f1" : '-binary | base64'})`,
  ]
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
