import type { ProviderJson } from '../parse-values.ts'
import { PaymentProviderError, type ProviderAccess, type ProviderOAuth } from '../provider.ts'
import { callProvider } from '../provider-calls.ts'

const urlOf = ({ apiUrl }: ProviderAccess, step: 'authorize' | 'token' | 'deauthorize') =>
  `${apiUrl ?? 'https://connect.stripe.com'}/oauth/${step}`

/**
 * The platform's key has access to consenting accounts, so only the account's id and mode are stored from the answer.
 */
export const oauth: ProviderOAuth = {
  authorizeUrl(reach, { state, redirectUri }) {
    const parameters = {
      response_type: 'code',
      client_id: reach.application.clientId ?? '',
      scope: 'read_write',
      redirect_uri: redirectUri,
      state,
    }
    return `${urlOf(reach, 'authorize')}?${new URLSearchParams(parameters)}`
  },

  async exchange(reach, { code }) {
    const answer = await post(reach, 'token', { grant_type: 'authorization_code', code })
    const { stripe_user_id: account, livemode, scope } = answer
    if (typeof account !== 'string' || account === '')
      throw new PaymentProviderError('unavailable', 'Stripe allowed the connection without naming the account.')
    return {
      credentials: { account, livemode: String(livemode === true), scope: String(scope ?? '') },
      refreshAt: null,
    }
  },

  async revoke({ account = '' }, reach) {
    await post(reach, 'deauthorize', { client_id: reach.application.clientId ?? '', stripe_user_id: account })
  },
}

function post(
  reach: ProviderAccess,
  step: 'token' | 'deauthorize',
  form: Record<string, string>,
): Promise<ProviderJson> {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${reach.application.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  }
  return callProvider(reach.outbound, 'Stripe', urlOf(reach, step), request, (said) => said.error_description)
}
