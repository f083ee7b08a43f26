import { type IncomingWebhook, isSigned } from '#contract/incoming-webhooks.ts'

const payloads: Record<IncomingWebhook['target'], object> = {
  lead: { id: 'contact-1', email: 'lena@customer.example', first_name: 'Lena', last_name: 'Cole', ref: 'jane' },
  sale: { order_id: 'order-1', email: 'lena@customer.example', total: '49.00', currency: 'usd', ref: 'jane' },
  refund: { refund_id: 'refund-1', order_id: 'order-1', amount: '49.00' },
  'lead-status': { email: 'lena@customer.example', status: 'qualified' },
}

/** Returns a command that sends a test payload with the webhook's authentication. */
export function buildCurl({ url: given, target, auth }: Pick<IncomingWebhook, 'url' | 'target' | 'auth'>) {
  const url = given ?? ''
  const shared = auth.type === 'shared-secret' ? `${(auth.prefix ?? '').replace(/\w$/, '$& ')}SECRET` : ''
  const inField = auth.type === 'shared-secret' && auth.in === 'field'
  const body = JSON.stringify({ ...payloads[target], ...(inField && { [auth.name]: shared }) })
  const lines = [`curl ${url}`, `-H 'Content-Type: application/json'`]
  if (auth.type === 'basic') lines.push(`-u ${quoted(`${auth.username}:PASSWORD`)}`)
  if (auth.type === 'shared-secret' && !inField) lines.push(`-H ${quoted(`${auth.name}: ${shared}`)}`)
  if (auth.type === 'header-hmac') lines.push(...signatureHeaders(auth))
  return [...signing(auth, url, body), [...lines, `-d ${quoted(body)}`].join(' \\\n  ')].join('\n')
}

type Signed = IncomingWebhook['auth'] & { type: 'header-hmac' }

function signatureHeaders({ header, prefix, signed, layout, timestampHeader, idHeader }: Signed) {
  const signature = `${prefix ?? ''}$SIGNATURE`
  const timeBeside = { named: 't=$TIMESTAMP,', listed: '$TIMESTAMP,', single: '', spaced: '' }[layout]
  return [
    ...(timestampHeader ? [`-H "${timestampHeader}: $TIMESTAMP"`] : []),
    ...(idHeader ? [`-H "${idHeader}: $ID"`] : []),
    `-H "${header}: ${isSigned(signed, 'timestamp') && !timestampHeader ? timeBeside : ''}${signature}"`,
  ]
}

function signing(auth: IncomingWebhook['auth'], url: string, body: string) {
  if (auth.type !== 'header-hmac') return []
  const { signed, encoding } = auth
  const values = { body: quoted(body), url: quoted(url), timestamp: '"$TIMESTAMP"', id: '"$ID"' }
  const text = signed
    .split(/\{(body|url|timestamp|id)\}/)
    .map((part, at) => (at % 2 ? values[part as keyof typeof values] : part && quoted(part)))
    .join('')
  const sign = `printf %s ${text} | openssl dgst -sha256 -hmac 'SECRET'`
  return [
    ...(isSigned(signed, 'timestamp') ? ['TIMESTAMP=$(date +%s)'] : []),
    ...(isSigned(signed, 'id') ? ['ID=test-$(date +%s)'] : []),
    `SIGNATURE=$(${sign} ${encoding === 'hex' ? "-r | cut -d' ' -f1" : '-binary | base64'})`,
  ]
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
