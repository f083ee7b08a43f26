import { type ProviderJson, parseText } from '../parse-values.ts'
import { type Granted, PaymentProviderError, type ProviderAccess, type ProviderOAuth } from '../provider.ts'
import { callProvider } from '../provider-calls.ts'
import { squareHost, wordsIn } from './api.ts'

/** The rights to read payments, refunds, disputes and payers. */
const SCOPES = 'PAYMENTS_READ ORDERS_READ CUSTOMERS_READ MERCHANT_PROFILE_READ DISPUTES_READ INVOICES_READ'
/** Milliseconds until renewal: a token lasts thirty days, but Square requires a weekly renewal. */
const RENEWED_AFTER_MS = 7 * 86_400_000

const applicationOf = ({ application }: ProviderAccess) => ({
  applicationId: application.clientId ?? '',
  secret: application.secretKey ?? '',
})

export const oauth: ProviderOAuth = {
  /** Square redirects to the address registered with the application. */
  authorizeUrl(reach, { state }) {
    const { applicationId } = applicationOf(reach)
    const parameters = {
      client_id: applicationId,
      scope: SCOPES,
      // the seller signs in again; the sandbox always requires that, and rejects the parameter
      ...(!applicationId.startsWith('sandbox-') && { session: 'false' }),
      state,
    }
    return `${squareHost({ applicationId }, reach)}/oauth2/authorize?${new URLSearchParams(parameters)}`
  },

  exchange: (reach, { code }) => tokens(reach, { grant_type: 'authorization_code', code }),

  refresh: ({ refreshToken = '' }, reach) =>
    tokens(reach, { grant_type: 'refresh_token', refresh_token: refreshToken }),

  async revoke({ accessToken = '' }, reach) {
    const { applicationId, secret } = applicationOf(reach)
    await post(reach, 'revoke', { client_id: applicationId, access_token: accessToken }, `Client ${secret}`)
  },
}

async function tokens(reach: ProviderAccess, grant: ProviderJson): Promise<Granted> {
  const { applicationId, secret } = applicationOf(reach)
  const answer = await post(reach, 'token', { client_id: applicationId, client_secret: secret, ...grant })
  const [accessToken, refreshToken] = [parseText(answer.access_token, 2000), parseText(answer.refresh_token, 2000)]
  if (!accessToken || !refreshToken)
    throw new PaymentProviderError('unavailable', 'Square allowed the connection without giving its tokens.')
  return {
    credentials: { accessToken, refreshToken, applicationId },
    refreshAt: new Date(reach.now.getTime() + RENEWED_AFTER_MS),
  }
}

function post(
  reach: ProviderAccess,
  step: 'token' | 'revoke',
  body: ProviderJson,
  authorization?: string,
): Promise<ProviderJson> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  }
  const url = `${squareHost(applicationOf(reach), reach)}/oauth2/${step}`
  return callProvider(reach.outbound, 'Square', url, request, (said) => wordsIn(said) ?? said.message)
}
