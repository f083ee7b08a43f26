import type { IncomingAuth } from '#contract/incoming-webhooks.ts'
import { type Json, toText } from '#contract/payload-paths.ts'
import { isBasic } from '../../platform/http/basic-auth.ts'
import { headerIn, isLate, isSigned, type SignedRequest, sameBytes } from '../../platform/http/signature.ts'
import { type Refusal, refusal } from '../../platform/refusal.ts'

/** The auth of a webhook with its secret. */
export type Proof = IncomingAuth & { secret?: string | undefined; password?: string | undefined }

/** The parts of a request needed for the check; it is read as the `payload` before the check only if it has the proof. */
export type Proven = SignedRequest & { payload: Json | null; now: Date }

/** Returns the field of the body that has the secret; null without one. */
export const secretField = (proof: Proof) =>
  proof.type === 'shared-secret' && proof.in === 'field' ? proof.name : null

/** Returns why a request is not authentic, or null if it is. */
export function checkAuthenticity(proof: Proof, request: Proven): Refusal | null {
  if (proof.type === 'url-secret') return null
  if (!isGood(proof, request)) return refusal('incoming_not_proven')
  return proof.type === 'header-hmac' && isLate(proof, request, request.now) ? refusal('incoming_signature_late') : null
}

function isGood(proof: Exclude<Proof, { type: 'url-secret' }>, request: Proven): boolean {
  if (proof.type === 'basic') return isBasic(request.headers.authorization, proof)
  return proof.type === 'header-hmac' ? isSigned(proof, proof.secret ?? '', request) : isShared(proof, request)
}

type Of<Type> = Proof & { type: Type }

function isShared(proof: Of<'shared-secret'>, request: Proven) {
  const { secret, name } = proof
  const value = proof.in === 'header' ? headerIn(request, name) : fieldIn(request.payload, name)
  const start = proof.prefix ?? ''
  if (!secret || !value?.startsWith(start)) return false
  return sameBytes(Buffer.from(value.slice(start.length).trim()), Buffer.from(secret))
}

const fieldIn = (payload: Json | null, name: string): string | null =>
  payload !== null && typeof payload === 'object' && !Array.isArray(payload) && Object.hasOwn(payload, name)
    ? toText(payload[name])
    : null

/** Returns a payload without one of its fields. */
export function withoutField(payload: Json, name: string | null): Json {
  if (name === null || fieldIn(payload, name) === null) return payload
  const { [name]: _, ...rest } = payload as { [key: string]: Json }
  return rest
}
