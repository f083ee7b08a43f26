import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Claims of the issuer about the person who signs in there. */
export type OidcPerson = {
  sub: string
  email?: string
  email_verified?: boolean
  xms_edov?: unknown
}

/** The flaw of the next id token. */
export type OidcFlaw = 'key' | 'nonce' | 'audience' | 'issuer' | 'expired' | 'missing' | 'old'

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export type TestIssuer = Awaited<ReturnType<typeof standInIssuer>>

/**
 * An OpenID provider on loopback: anyone who opens its authorization address is signed in as `person` at once. Codes work
 * once, with the verifier of their challenge.
 */
export async function standInIssuer({ clientId = 'tributary', clientSecret = 'hush' } = {}) {
  const [key, other] = [newKey(), newKey()]
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>()
  const state = {
    person: { sub: 'one', email: 'nobody@acme.example', email_verified: true } as OidcPerson,
    flaw: undefined as OidcFlaw | undefined,
    /** Addresses that were opened. */
    asked: [] as URL[],
  }

  function idToken(nonce: string) {
    const { person, flaw } = state
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: flaw === 'issuer' ? 'https://evil.example' : url,
      aud: flaw === 'audience' ? 'another' : clientId,
      nonce: flaw === 'nonce' ? 'another' : nonce,
      iat: now,
      exp: flaw === 'expired' ? now - 3600 : now + 300,
      auth_time: flaw === 'old' ? now - 3600 : now,
      ...person,
    }
    const text = `${json({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${json(claims)}`
    const { privateKey } = flaw === 'key' ? other : key
    return `${text}.${createSign('sha256').update(text).sign(privateKey).toString('base64url')}`
  }

  const server = createServer(async (request, response) => {
    const at = new URL(request.url!, url)
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (at.pathname === '/.well-known/openid-configuration')
      return answer(200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (at.pathname === '/keys')
      return answer(200, {
        keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      })
    if (at.pathname === '/authorize') {
      state.asked.push(at)
      const code = randomBytes(12).toString('base64url')
      const { code_challenge: challenge, nonce, redirect_uri: redirectUri } = Object.fromEntries(at.searchParams)
      codes.set(code, { challenge: challenge!, nonce: nonce!, redirectUri: redirectUri! })
      const back = new URL(redirectUri!)
      back.searchParams.set('code', code)
      back.searchParams.set('state', at.searchParams.get('state')!)
      return response.writeHead(302, { location: back.href }).end()
    }
    if (at.pathname !== '/token') return answer(404, {})
    const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString())
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (request.headers.authorization !== basic) return answer(401, { error: 'invalid_client' })
    if (!code || challenge !== code.challenge || form.get('redirect_uri') !== code.redirectUri)
      return answer(400, { error: 'invalid_grant' })
    return answer(200, {
      access_token: randomBytes(12).toString('base64url'),
      token_type: 'Bearer',
      expires_in: 300,
      ...(state.flaw !== 'missing' && { id_token: idToken(code.nonce) }),
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    url,
    clientId,
    clientSecret,
    close: () => new Promise((resolve) => server.close(resolve)),
  })
}

/** The settings of single sign-on at this issuer, for people of acme.example. */
export const oidcAt = ({ url, clientId, clientSecret }: TestIssuer) => ({
  ...{ issuer: url, clientId, clientSecret },
  domains: ['acme.example'],
  name: 'Okta',
  only: false,
})
