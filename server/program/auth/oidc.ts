import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  type IDToken,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import type { OidcAnswer, Session } from '#contract/auth.ts'
import { toOrigin } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { newToken, type Secrets, tokenHash } from '../../platform/database/secrets.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { type Outbound, OutboundError } from '../../platform/http/outbound.ts'
import { Refusal, refusal } from '../../platform/refusal.ts'
import type { Install, Services } from '../../platform/services.ts'
import { findActor } from '../access/actor.ts'
import { confirmSession, type Device, startSession } from './sessions.ts'
import { shutOutUnverified } from './shut-out.ts'
import { verifyUser } from './users.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STATE_MS = 10 * MINUTE
/** A person who is switched off at the issuer is out within a day. */
const LASTS = 24 * HOUR
const FRESH_S = 600

type Oidc = NonNullable<Config['oidc']>

function oidcOf({ config }: Pick<Install, 'config'>): Oidc {
  if (!config.oidc) throw refusal('oidc_unavailable')
  return config.oidc
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/**
 * Refuses other ways to sign in for an e-mail of the issuer's domains while it is the only way, whether there is such a
 * user or not. Refuses: `forbidden`.
 */
export function refuseForOidc({ config }: Pick<Install, 'config'>, email: string) {
  const { oidc } = config
  if (isOidcOnly(config, email)) throw refusal('use_oidc', { name: oidc!.name })
}

/** Whether the issuer speaks for the domain of this e-mail. */
export const isOfOidc = ({ oidc }: Pick<Config, 'oidc'>, email: string) =>
  Boolean(oidc?.domains.includes(domainOf(email)))

export const isOidcOnly = (config: Pick<Config, 'oidc'>, email: string) =>
  Boolean(config.oidc?.only && isOfOidc(config, email))

const redirectUri = ({ appUrl }: Config) => `${appUrl}/auth/oidc`

/** Derived from the state, so that only its hash is stored. */
const nonceOf = (secrets: Secrets, state: string) => secrets.derive('oidc-nonce', state)
const verifierOf = (secrets: Secrets, state: string) => secrets.derive('oidc-verifier', state)

const knownIssuers = new Map<string, { server: AuthorizationServer; until: number }>()

/** Options of each request to the issuer: over our own client, in plain http only to this machine. */
const requestOptions = (outbound: Outbound, issuer: string) => ({
  [customFetch]: fetchBy(outbound),
  [allowInsecureRequests]: new URL(issuer).protocol === 'http:',
})

type FetchOptions = { method: string; headers: Record<string, string>; body?: unknown }

const fetchBy =
  (outbound: Outbound) =>
  async (url: string, { method, headers, body }: FetchOptions) => {
    const answer = await outbound.provider(url, { method, headers, ...(body != null && { body: String(body) }) })
    return new Response(answer.text || null, { status: answer.status, headers: answer.headers })
  }

/** Reads the issuer's addresses on first use and every hour. */
async function issuerOf(outbound: Outbound, { issuer }: Oidc, now: Date): Promise<AuthorizationServer> {
  const known = knownIssuers.get(issuer)
  if (known && known.until > now.getTime()) return known.server
  const url = new URL(issuer)
  const response = await discoveryRequest(url, requestOptions(outbound, issuer))
  const server = await processDiscoveryResponse(url, response)
  knownIssuers.set(issuer, { server, until: now.getTime() + HOUR })
  return server
}

/** Turns a failure of the exchange into a refusal: the issuer is away, or its answer is not acceptable. */
async function asked<T>({ log }: Services, { name }: Oidc, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    log.warn({ error: (error as Error).message }, 'single sign-on failed')
    throw error instanceof OutboundError ? refusal('oidc_away', { name }) : refusal('oidc_refused', { name })
  }
}

/**
 * Starts a sign-in at the issuer, or a fresh proof of the person whose access token this is: returns the address to
 * open. `binding` is the hash of a secret that stays in the browser.
 * Refuses: `unauthenticated` for a proof without a session; `provider_failed` while the issuer is away.
 */
export async function startOidc(
  services: Services,
  { binding, confirm = false }: { binding: string; confirm?: boolean | undefined },
  token: string,
): Promise<{ url: string }> {
  const { db, config, secrets, outbound } = services
  const oidc = oidcOf(services)
  const actor = confirm ? await findActor(db, token) : undefined
  if (confirm && !actor) throw refusal('sign_in_first')
  const server = await asked(services, oidc, () => issuerOf(outbound, oidc, db.now))
  if (!server.authorization_endpoint) throw refusal('oidc_refused', { name: oidc.name })
  const state = newToken()
  await db.run`
    insert into sign_in_challenges (hash, purpose, user_id, binding, expires_at)
    values (${tokenHash(state)}, ${confirm ? 'oidc-confirm' : 'oidc'}, ${actor?.userId ?? null},
      ${Buffer.from(binding, 'base64url')}, ${new Date(db.now.getTime() + STATE_MS)})`
  const url = new URL(server.authorization_endpoint)
  const asking = {
    response_type: 'code',
    client_id: oidc.clientId,
    redirect_uri: redirectUri(config),
    scope: 'openid email',
    state,
    nonce: nonceOf(secrets, state),
    code_challenge: await calculatePKCECodeChallenge(verifierOf(secrets, state)),
    code_challenge_method: 'S256',
    ...(actor && { max_age: '0', login_hint: actor.email }),
  }
  for (const [name, value] of Object.entries(asking)) url.searchParams.set(name, value)
  return { url: url.href }
}

type Begun = { purpose: 'oidc' | 'oidc-confirm'; userId: string | null }

/** Consumes the state; only the browser that started the sign-in can. */
const consumeState = (db: Queryable, { state, secret }: OidcAnswer) => db.maybe<Begun>`
  delete from sign_in_challenges
  where hash = ${tokenHash(state)} and purpose in ('oidc', 'oidc-confirm') and binding = ${tokenHash(secret)}
    and expires_at > ${db.now}
  returning purpose, user_id`

/** Exchanges the code for the person's claims, signed by the issuer for this state. */
async function claimsOf(services: Services, oidc: Oidc, { code, state, iss }: OidcAnswer, isProof: boolean) {
  const { config, secrets, outbound, db } = services
  const server = await issuerOf(outbound, oidc, db.now)
  const client: Client = { client_id: oidc.clientId }
  const query = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) })
  const given = validateAuthResponse(server, client, query, state)
  const options = requestOptions(outbound, oidc.issuer)
  const ways = server.token_endpoint_auth_methods_supported
  const authentication = !oidc.clientSecret
    ? None()
    : ways && !ways.includes('client_secret_basic')
      ? ClientSecretPost(oidc.clientSecret)
      : ClientSecretBasic(oidc.clientSecret)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    given,
    redirectUri(config),
    verifierOf(secrets, state),
    options,
  )
  const tokens = await processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonceOf(secrets, state),
    requireIdToken: true,
    ...(isProof && { maxAge: FRESH_S }),
  })
  await validateApplicationLevelSignature(server, response, options)
  return getValidatedIdTokenClaims(tokens)!
}

/**
 * Ends a sign-in at the issuer: returns a session of a day that counts as having a second factor, or null for a fresh
 * proof, which needs the access token of the person who asked for it.
 * Refuses: `invalid_credentials` for a state that is not this browser's, used or expired, and for an answer that the
 * issuer did not sign for it; `forbidden` for a person who may not enter.
 */
export async function finishOidc(
  services: Services,
  answer: OidcAnswer,
  token: string,
  device: Device,
): Promise<Session | null> {
  const { db, secrets } = services
  const oidc = oidcOf(services)
  const begun = await consumeState(db, answer)
  if (!begun) throw refusal('oidc_refused', { name: oidc.name })
  const isProof = begun.purpose === 'oidc-confirm'
  const claims = await asked(services, oidc, () => claimsOf(services, oidc, answer, isProof))
  return transaction(db, async (tx) => {
    const userId = await personOf(tx, oidc, claims)
    if (isProof) {
      const actor = await findActor(tx, token)
      if (actor?.userId !== userId || begun.userId !== userId) throw refusal('oidc_identity_differs')
      await confirmSession(tx, actor.sessionId)
      return null
    }
    const by = { type: 'user', id: userId, from: toOrigin(device) } as const
    await shutOutUnverified(tx, by, userId)
    await verifyUser(tx, userId)
    await recordActivity(tx, by, null, 'sign-in.by-oidc', { id: userId })
    return startSession(tx, secrets, userId, device, { method: 'oidc', secondFactor: true, fresh: false, lasts: LASTS })
  })
}

/** Hosts of Entra's issuers, in each of its clouds. */
const ENTRA =
  /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net|[\w-]+\.ciamlogin\.com)$/

/** Returns whether the issuer says that the e-mail is verified; Entra does by a claim of its own. */
export const hasVerifiedEmail = (claims: { iss: string; email_verified?: unknown; xms_edov?: unknown }) =>
  claims.email_verified === undefined
    ? ENTRA.test(URL.parse(claims.iss)?.hostname ?? '') && [true, 1, '1', 'true'].includes(claims.xms_edov as string)
    : claims.email_verified === true

/**
 * Finds the person of these claims: by the issuer's subject, which the first sign-in binds to the user with the e-mail.
 * Refuses: `forbidden` for an e-mail that is not verified, not of the issuer's domains or not known here, and where
 * subject and e-mail are of two people.
 */
async function personOf(tx: Transaction, oidc: Oidc, claims: IDToken): Promise<string> {
  const email = typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : ''
  if (!email || !hasVerifiedEmail(claims)) throw refusal('email_not_verified')
  if (!oidc.domains.includes(domainOf(email))) throw refusal('domain_not_listed', { domain: domainOf(email) })
  const user = await tx.maybe<{ id: string }>`select id from users where email = ${email} for no key update`
  const bound = await tx.maybe<{ userId: string }>`
    select user_id from oidc_identities where issuer = ${oidc.issuer} and subject = ${claims.sub}`
  if (bound) {
    if (user && user.id !== bound.userId) throw refusal('oidc_identity_differs')
    return bound.userId
  }
  if (!user) throw refusal('not_invited', { email })
  const made = await tx.run`
    insert into oidc_identities (issuer, subject, user_id, created_at)
    values (${oidc.issuer}, ${claims.sub}, ${user.id}, ${tx.now}) on conflict do nothing`
  if (made === 0) throw refusal('oidc_identity_differs')
  await recordActivity(tx, { type: 'user', id: user.id }, null, 'oidc.linked', { id: user.id })
  return user.id
}
