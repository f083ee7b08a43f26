import { z } from 'zod'
import { apiLimit, endpoint, publicLimit } from './endpoint.ts'
import { Id, IdParams, Instant, JsonObject, requiredText } from './values.ts'

/** Ways to prove the second factor. A passkey is a whole sign-in of its own. */
export const secondFactorMethods = ['totp', 'recovery-code', 'passkey'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

/** Six digits of an authenticator app, or a recovery code; spaces, hyphens and case do not count. */
export const Code = z.string().trim().min(1, 'Code is required').max(40, 'Use at most 40 characters')

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most, 'This passkey’s answer is too long')
    .regex(/^[\w-]+$/, 'Send this as base64url')

/** A browser's answer about a passkey, as JSON. */
const credentialWith = <R extends z.ZodType>(response: R) =>
  z.strictObject({
    id: base64url(1400),
    rawId: base64url(1400),
    type: z.literal('public-key'),
    response,
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
    clientExtensionResults: JsonObject(4000).optional(),
  })

/** The answer of `navigator.credentials.get()`. */
export const PasskeyAssertion = credentialWith(
  z.strictObject({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).nullish(),
  }),
).meta({ id: 'PasskeyAssertion' })
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>

/** The answer of `navigator.credentials.create()`. */
export const PasskeyCreation = credentialWith(
  z.strictObject({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(16_000),
    authenticatorData: base64url(8000).optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: base64url(8000).optional(),
  }),
).meta({ id: 'PasskeyCreation' })
export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** Options for a browser's passkey prompt: pass them on unchanged. Its challenge lasts five minutes and works once. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() }).meta({ id: 'PasskeyOptions' })

export const Passkey = z
  .object({ id: Id, name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

/** `requiredBy` names the accounts that require a second factor of this person. */
export const SecondFactor = z
  .object({
    totp: z.object({ createdAt: Instant }).nullable(),
    passkeys: z.array(Passkey),
    recoveryCodesLeft: z.int(),
    requiredBy: z.array(z.string()),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactor = z.infer<typeof SecondFactor>

/** Ten codes that stand in for a lost factor, each once. Only this response contains them. */
const RecoveryCodes = z.array(z.string())

/** `ownDomain`: asked at an account's own domain, whose look `GET /brand` answers. */
export const SignInMethods = z
  .object({
    passkeys: z.boolean(),
    oidc: z.object({ name: z.string(), only: z.boolean() }).nullable(),
    ownDomain: z.boolean(),
  })
  .meta({ id: 'SignInMethods' })
export type SignInMethods = z.infer<typeof SignInMethods>

export const getSignInMethods = endpoint('getSignInMethods', 'GET /auth/methods', {
  tag: 'auth',
  summary: 'List the ways to sign in besides a password',
  allow: ['public'],
  limit: publicLimit,
  reply: SignInMethods,
})

export const startPasskey = endpoint('startPasskey', 'POST /auth/passkeys/options', {
  tag: 'auth',
  summary: 'Start signing in, or confirming, with a passkey',
  allow: ['public'],
  limit: { perMinute: 10, by: 'network', overall: 600 },
  reply: PasskeyOptions,
})

export const getSecondFactor = endpoint('getSecondFactor', 'GET /users/me/second-factor', {
  tag: 'users',
  summary: 'Retrieve the user’s authenticator app, passkeys and number of recovery codes',
  allow: ['user'],
  limit: apiLimit,
  reply: SecondFactor,
})

export const startTotp = endpoint('startTotp', 'POST /users/me/totp', {
  tag: 'users',
  summary: 'Create the secret of an authenticator app, which counts once a code of it is sent within ten minutes',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  reply: z.object({ secret: z.string(), uri: z.string() }).meta({ id: 'NewTotp' }),
})

export const addTotp = endpoint('addTotp', 'PUT /users/me/totp', {
  tag: 'users',
  summary: 'Add the authenticator app by one of its codes; the first factor ends all other sessions',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  body: z.strictObject({ code: Code }),
  reply: z.object({ recoveryCodes: RecoveryCodes.nullable() }).meta({ id: 'TotpEnrollment' }),
  transaction: 'own',
})

export const removeTotp = endpoint('removeTotp', 'DELETE /users/me/totp', {
  tag: 'users',
  summary: 'Remove the authenticator app; without another factor all other sessions end',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  status: 204,
})

export const startAddingPasskey = endpoint('startAddingPasskey', 'POST /users/me/passkeys/options', {
  tag: 'users',
  summary: 'Start adding a passkey',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  reply: PasskeyOptions,
})

export const addPasskey = endpoint('addPasskey', 'POST /users/me/passkeys', {
  tag: 'users',
  summary: 'Add a passkey; the first factor ends all other sessions',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  body: z.strictObject({ name: requiredText(40), credential: PasskeyCreation }),
  status: 201,
  reply: z.object({ passkey: Passkey, recoveryCodes: RecoveryCodes.nullable() }).meta({ id: 'PasskeyEnrollment' }),
  transaction: 'own',
})

export const removePasskey = endpoint('removePasskey', 'DELETE /users/me/passkeys/:id', {
  tag: 'users',
  summary: 'Remove a passkey; without another factor all other sessions end',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  params: IdParams,
  status: 204,
})

export const renewRecoveryCodes = endpoint('renewRecoveryCodes', 'POST /users/me/recovery-codes', {
  tag: 'users',
  summary: 'Create ten new recovery codes; earlier ones stop working',
  allow: ['user'],
  freshProof: true,
  limit: apiLimit,
  reply: z.object({ recoveryCodes: RecoveryCodes }).meta({ id: 'RecoveryCodes' }),
})
