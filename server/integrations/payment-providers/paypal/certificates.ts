import { type KeyObject, X509Certificate } from 'node:crypto'
import { PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { getBaseUrl, isPayPalSandbox } from './api.ts'

/** `unknown`: no trusted issuer found. `wrong`: it is not PayPal's, or not currently valid. */
type Verdict = { key: KeyObject } | 'unknown' | 'wrong'
type Chain = { key: KeyObject; from: Date; to: Date }

const TIMEOUT_MS = 5_000
const MAX_BYTES = 64_000
const KEPT = 16
/** Most certificates of a chain, more than PayPal's authorities have ever used. */
const MAX_LENGTH = 5

/** Fetches and caches the certificates with which PayPal signs. `trusted` returns the roots, as PEM. */
export function createCertificates(trusted: () => readonly string[]) {
  const kept = new Map<string, X509Certificate[]>()
  let roots: X509Certificate[] | undefined

  /** Returns the key of the certificate at this address. Throws ProviderError if it cannot be fetched. */
  async function keyAt(address: string, reach: ProviderAccess): Promise<Verdict> {
    const source = sourceOf(address, reach)
    if (!source) return 'wrong'
    const served = kept.get(address) ?? (await fetchAt(address, reach))
    const [leaf] = served
    if (source === 'paypal' && !isPaypals(leaf!)) return 'wrong'
    roots ??= trusted().map((pem) => new X509Certificate(pem))
    // an address configured by the operator is trusted with its own chain
    const anchors = source === 'configured' ? [...roots, ...served.slice(-1)] : roots
    const chain = chainOf(served, anchors)
    if (chain && (reach.now < chain.from || reach.now > chain.to)) return 'wrong'
    keep(address, served)
    return chain ? { key: chain.key } : 'unknown'
  }

  function keep(address: string, served: X509Certificate[]) {
    kept.delete(address)
    kept.set(address, served)
    const [oldest] = kept.keys()
    if (kept.size > KEPT) kept.delete(oldest!)
  }

  return { keyAt }
}
export type Certificates = ReturnType<typeof createCertificates>

/**
 * Returns the owner of the certificate's address, which comes from a header and could be anyone's. Sandbox and live do
 * not sign for each other.
 */
function sourceOf(address: string, reach: ProviderAccess): 'paypal' | 'configured' | null {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.hash) return null
  const host = url.hostname
  if (url.protocol === 'https:' && url.port === '' && host.endsWith('.paypal.com'))
    return host.endsWith('.sandbox.paypal.com') === isPayPalSandbox(reach) ? 'paypal' : null
  return url.href.startsWith(`${getBaseUrl(reach)}/`) ? 'configured' : null
}

async function fetchAt(address: string, { outbound }: ProviderAccess): Promise<X509Certificate[]> {
  const unusable = (why: string) =>
    new PaymentProviderError('unavailable', `PayPal’s certificate could not be read: ${why}`)
  const answer = await outbound
    .provider(address, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    .catch((error: Error) => {
      throw unusable(error.message)
    })
  if (answer.status !== 200) throw unusable(`the address answered ${answer.status}.`)
  const served = certificatesIn(answer.text)
  if (served.length === 0) throw unusable('there is none at the address.')
  return served
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.slice(0, MAX_LENGTH).map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

/** Whether the certificate is PayPal's; events are signed as `messageverificationcerts.paypal.com`. */
const isPaypals = ({ subject, subjectAltName }: X509Certificate) =>
  [...subject.split('\n'), ...(subjectAltName ?? '').split(', ')].some((name) =>
    /^(CN=|DNS:)[a-z0-9.-]+\.paypal\.com$/.test(name),
  )

/** Builds the chain from the first certificate up to a trusted one; null if there is none. */
function chainOf(served: X509Certificate[], trusted: X509Certificate[]): Chain | null {
  const [leaf, ...others] = served
  let [from, to] = [leaf!.validFromDate, leaf!.validToDate]
  const trustsLeaf = trusted.some(({ fingerprint256 }) => fingerprint256 === leaf!.fingerprint256)
  if (trustsLeaf) return { key: leaf!.publicKey, from, to }
  for (let [at, length] = [leaf!, 1]; length < MAX_LENGTH; length++) {
    const issuedBy = (above: X509Certificate) => at.checkIssued(above) && at.verify(above.publicKey)
    const anchor = trusted.find(issuedBy)
    const above = anchor ?? others.find((other) => other.ca && issuedBy(other))
    if (!above) return null
    from = above.validFromDate > from ? above.validFromDate : from
    to = above.validToDate < to ? above.validToDate : to
    if (anchor) return { key: leaf!.publicKey, from, to }
    at = above
  }
  return null
}
