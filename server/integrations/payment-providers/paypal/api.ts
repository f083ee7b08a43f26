import { buildBasicAuth } from '../../../platform/http/basic-auth.ts'
import { type ProviderJson, parseObject, parseText } from '../parse-values.ts'
import { type Credentials, PaymentProviderError, type ProviderAccess } from '../provider.ts'
import { callProvider } from '../provider-calls.ts'

const LIVE = 'https://api-m.paypal.com'

export const getBaseUrl = ({ apiUrl }: Pick<ProviderAccess, 'apiUrl'>) => apiUrl ?? LIVE

/** Whether the address is PayPal's sandbox; its keys do not show that. */
export const isPayPalSandbox = (reach: Pick<ProviderAccess, 'apiUrl'>) =>
  /(^|\.)sandbox\./.test(new URL(getBaseUrl(reach)).hostname)

/**
 * Creates a client of PayPal for one app's credentials; its token is not reused elsewhere. Every call throws
 * ProviderError.
 */
export function createPaypalApi({ clientId, clientSecret }: Credentials, reach: ProviderAccess) {
  const base = getBaseUrl(reach)
  let token: Promise<string> | undefined

  const ask = (path: string, method: string, headers: Record<string, string>, body?: string) =>
    callProvider(
      reach.outbound,
      'PayPal',
      `${base}/${path}`,
      { method, headers, ...(body !== undefined && { body }) },
      wordsOf,
    )

  async function signIn(): Promise<string> {
    const headers = {
      authorization: buildBasicAuth(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await ask('v1/oauth2/token', 'POST', headers, 'grant_type=client_credentials')
    const given = parseText(answer.access_token, 10_000)
    if (!given) throw new PaymentProviderError('unavailable', 'PayPal answered without an access token.')
    return given
  }

  const signedIn = () => {
    token ??= signIn()
    return token
  }

  async function call(method: string, path: string, body?: string): Promise<ProviderJson> {
    const headers = { authorization: `Bearer ${await signedIn()}` }
    return ask(path, method, body === undefined ? headers : { ...headers, 'content-type': 'application/json' }, body)
  }

  return {
    signIn: signedIn,
    get: (path: string, query: Record<string, string> = {}) => {
      const search = new URLSearchParams(query).toString()
      return call('GET', search ? `${path}?${search}` : path)
    },
    post: (path: string, body: ProviderJson) => call('POST', path, JSON.stringify(body)),
    /** Posts JSON text unchanged. */
    postRaw: (path: string, body: string) => call('POST', path, body),
    delete: (path: string) => call('DELETE', path),
  }
}
export type PaypalApi = ReturnType<typeof createPaypalApi>

/** Returns the error's detail: most refusals have only a general message. */
function wordsOf({ error_description, details, message }: ProviderJson): unknown {
  const detail = Array.isArray(details) ? parseObject(details[0]) : {}
  return error_description ?? parseText(detail.description) ?? message
}
