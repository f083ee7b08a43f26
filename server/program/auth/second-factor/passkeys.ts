import type { Session } from '#contract/auth.ts'
import type { PasskeyAssertion, PasskeyCreation } from '#contract/second-factor.ts'
import { toOrigin } from '../../../platform/author.ts'
import { asUuid, newId } from '../../../platform/database/ids.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { tokenHash } from '../../../platform/database/secrets.ts'
import { recordActivity } from '../../../platform/events/emit-event.ts'
import type { RequestDomain } from '../../../platform/http/request-domain.ts'
import { notFound, refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import type { Actor } from '../../access/actor.ts'
import { refuseForOidc } from '../oidc.ts'
import { type Device, startSession } from '../sessions.ts'
import { attestationIn } from './attestation.ts'
import { changeFactors } from './factors.ts'
import { relyingParty } from './relying-party.ts'

/** With parsers of certificates, a tenth of the server's code. */
const onFirstPasskey = () => import('@simplewebauthn/server')

export const MOST_PASSKEYS = 10
const CHALLENGE_MS = 300_000
/** The signatures that authenticators make: Ed25519, ECDSA with P-256 and RSA, in this order. */
const ALGORITHMS = [-8, -7, -257]

/**
 * Whether browsers offer passkeys on this host: an account's own one, or that of APP_URL, if it has a name and https, or
 * is localhost.
 */
export const offersPasskeys = (
  { config }: Pick<Install, 'config'>,
  { host, ownHost }: { host: string; ownHost: RequestDomain | undefined },
) => relyingParty(config, ownHost)?.host === (ownHost ? ownHost.name : host)

function partyOf({ config }: Pick<Install, 'config'>, ownHost: RequestDomain | undefined) {
  const party = relyingParty(config, ownHost)
  if (!party) throw refusal('passkeys_unavailable')
  return party
}

/** `passkey` is answered by one that exists, `new-passkey` by one that this user makes. */
type Purpose = { purpose: 'passkey'; userId: null } | { purpose: 'new-passkey'; userId: string }

const saveChallenge = (db: Queryable, challenge: string, { purpose, userId }: Purpose) => db.run`
  insert into sign_in_challenges (hash, purpose, user_id, expires_at)
  values (${tokenHash(challenge)}, ${purpose}, ${userId}, ${new Date(db.now.getTime() + CHALLENGE_MS)})`

/** Uses up the challenge that a browser answers, whether the answer is right or not. Returns it if it was ours. */
async function consumeChallenge(db: Queryable, clientDataJSON: string, { purpose, userId }: Purpose) {
  const challenge = challengeIn(clientDataJSON)
  const taken =
    challenge !== undefined &&
    (await db.run`
      delete from sign_in_challenges
      where hash = ${tokenHash(challenge)} and purpose = ${purpose} and user_id is not distinct from ${userId}::uuid
        and expires_at > ${db.now}`)
  if (!taken || challenge === undefined) throw refusal('passkey_wrong')
  return challenge
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** The library throws for every flaw of an answer. */
const verified = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch(() => {
    throw refusal('passkey_wrong')
  })

/** Returns what a browser needs to ask for a passkey of this host, for signing in or confirming. */
export async function startPasskey(tx: Transaction, install: Install, ownHost: RequestDomain | undefined) {
  const { generateAuthenticationOptions } = await onFirstPasskey()
  const options = await generateAuthenticationOptions({
    rpID: partyOf(install, ownHost).id,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
  })
  await saveChallenge(tx, options.challenge, { purpose: 'passkey', userId: null })
  return { ...options }
}

type PasskeyRow = {
  id: string
  userId: string
  rpId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

/**
 * Checks a passkey's answer to a challenge of ours, which is used up. Returns whose passkey it is.
 * Refuses: `invalid_credentials` alike for an unknown passkey and a wrong answer.
 */
export async function provePasskey(
  db: Database,
  install: Install,
  credential: PasskeyAssertion,
  ownHost: RequestDomain | undefined,
): Promise<string> {
  const party = partyOf(install, ownHost)
  const expectedChallenge = await consumeChallenge(db, credential.response.clientDataJSON, {
    purpose: 'passkey',
    userId: null,
  })
  const passkey = await db.maybe<PasskeyRow>`
    select id, user_id, rp_id, public_key, counter, transports from passkeys
    where credential_id = ${Buffer.from(credential.id, 'base64url')} and rp_id = ${party.id}`
  if (!passkey) throw refusal('passkey_wrong')
  const { verifyAuthenticationResponse } = await onFirstPasskey()
  const { userHandle = null, ...response } = credential.response
  if (userHandle !== null && userHandle !== handleOf(passkey.userId)) throw refusal('passkey_wrong')
  const { verified: isRight, authenticationInfo } = await verified(
    verifyAuthenticationResponse({
      response: {
        ...credential,
        authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
        clientExtensionResults: {},
        response: { ...response, ...(userHandle !== null && { userHandle }) },
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
      requireUserVerification: true,
    }),
  )
  // the stored counter is compared again: of two answers with one counter one wins
  const counted =
    isRight &&
    (await db.run`
      update passkeys set counter = ${authenticationInfo.newCounter}, last_used_at = ${db.now}
      where id = ${passkey.id} and counter = ${passkey.counter}`)
  if (!counted) throw refusal('passkey_wrong')
  return passkey.userId
}

/** Signs in with a passkey alone. Refuses: `invalid_credentials`; `forbidden` where single sign-on is the only way. */
export async function signInByPasskey(
  db: Database,
  install: Install,
  credential: PasskeyAssertion,
  device: Device,
): Promise<Session> {
  const userId = await provePasskey(db, install, credential, device.ownHost)
  return transaction(db, async (tx) => {
    const { email } = await tx.one<{ email: string }>`
      select email from users where id = ${userId} for no key update`
    refuseForOidc(install, email)
    // removed since it was proved
    const isStill = await tx.maybe`
      select from passkeys where user_id = ${userId} and credential_id = ${Buffer.from(credential.id, 'base64url')}`
    if (!isStill) throw refusal('passkey_wrong')
    await recordActivity(tx, { type: 'user', id: userId, from: toOrigin(device) }, null, 'sign-in.by-passkey', {
      id: userId,
    })
    return startSession(tx, install.secrets, userId, device, { method: 'passkey', secondFactor: true })
  })
}

/** The handle by which an authenticator knows the user. */
const handleOf = (userId: string) => Buffer.from(userId).toString('base64url')

/** Returns what a browser needs to make a passkey for the user. Refuses: `invalid_state` beyond ten. */
export async function startAdding(
  tx: Transaction,
  install: Install,
  { userId, email }: Actor,
  ownHost: RequestDomain | undefined,
) {
  const party = partyOf(install, ownHost)
  const known = await tx.many<{ credentialId: Buffer; transports: string[] }>`
    select credential_id, transports from passkeys where user_id = ${userId}`
  if (known.length >= MOST_PASSKEYS) throw refusal('too_many_passkeys', { max: MOST_PASSKEYS })
  const { generateRegistrationOptions } = await onFirstPasskey()
  const options = await generateRegistrationOptions({
    rpName: 'Tributary',
    rpID: party.id,
    userName: email,
    userID: new TextEncoder().encode(userId),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await saveChallenge(tx, options.challenge, { purpose: 'new-passkey', userId })
  return { ...options }
}

/**
 * Adds a passkey that the user's browser made. Returns recovery codes with the first factor.
 * Refuses: `invalid_credentials` for an answer to no challenge of theirs; `validation_failed` for one that proves the
 * authenticator's maker; `duplicate`; `invalid_state` beyond ten.
 */
export async function addPasskey(
  db: Database,
  install: Install,
  actor: Actor,
  { name, credential, ownHost }: { name: string; credential: PasskeyCreation; ownHost: RequestDomain | undefined },
) {
  const party = partyOf(install, ownHost)
  const { userId } = actor
  const expectedChallenge = await consumeChallenge(db, credential.response.clientDataJSON, {
    purpose: 'new-passkey',
    userId,
  })
  const { id: credentialId, rawId, type, response } = credential
  const { clientDataJSON, attestationObject, transports = [] } = response
  const attestation = attestationIn(Buffer.from(attestationObject, 'base64url'))
  if (attestation !== 'none') throw refusal(attestation === 'some' ? 'passkey_attested' : 'passkey_wrong')
  const { verifyRegistrationResponse } = await onFirstPasskey()
  const { registrationInfo } = await verified(
    verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId,
        type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!registrationInfo) throw refusal('passkey_wrong')
  const { publicKey, counter } = registrationInfo.credential
  const id = newId()
  return transaction(db, async (tx) => {
    const recoveryCodes = await changeFactors(tx, install, actor, { change: 'added', method: 'passkey' }, async () => {
      const { count } = await tx.one<{
        count: number
      }>`select count(*) as count from passkeys where user_id = ${userId}`
      if (count >= MOST_PASSKEYS) throw refusal('too_many_passkeys', { max: MOST_PASSKEYS })
      const made = await tx.run`
        insert into passkeys (id, user_id, rp_id, credential_id, public_key, counter, transports, name, created_at)
        values (${id}, ${userId}, ${party.id}, ${Buffer.from(credentialId, 'base64url')}, ${Buffer.from(publicKey)}, ${counter},
          ${transports}, ${name}, ${tx.now})
        on conflict (credential_id) do nothing`
      if (made === 0) throw refusal('passkey_known')
    })
    const passkey = { id, name, createdAt: tx.now.toISOString(), lastUsedAt: null }
    return { passkey, recoveryCodes }
  })
}

/** Refuses: `not_found`; `invalid_state` for the last factor while it is required. */
export async function removePasskey(tx: Transaction, install: Install, actor: Actor, id: string) {
  await changeFactors(tx, install, actor, { change: 'removed', method: 'passkey' }, async () => {
    const removed = await tx.run`delete from passkeys where id = ${asUuid(id)} and user_id = ${actor.userId}`
    if (removed === 0) throw notFound()
  })
}
