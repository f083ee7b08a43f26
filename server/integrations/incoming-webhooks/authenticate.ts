import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type IncomingAuth, layoutOf, templateOf } from '#contract/incoming-webhooks.ts'
import { type Json, textOf } from '#contract/payload-paths.ts'
import { type Refusal, refusal } from '../../platform/refusal.ts'

/** The auth of a webhook with its secret. */
export type Proof = IncomingAuth & { secret?: string | undefined; password?: string | undefined }

/**
 * The parts of a request needed for the check: `url` as its sender knows it, `raw` the received bytes, which are read
 * as the `payload` before the check only if it has the proof.
 */
export type Proven = { headers: FastifyRequest['headers']; url: string; raw: Buffer; payload: Json | null; now: Date }

/** Returns the field of the body that has the secret; null without one. */
export const secretField = (proof: Proof) =>
  proof.type === 'shared-secret' && proof.in === 'field' ? proof.name : null

/** Returns why a request is not authentic, or null if it is. */
export function unproven(proof: Proof, request: Proven): Refusal | null {
  if (proof.type === 'url-secret') return null
  if (!isGood(proof, request)) return refusal('incoming_not_proven')
  return proof.type === 'header-hmac' && isLate(proof, request) ? refusal('incoming_signature_late') : null
}

function isGood(proof: Exclude<Proof, { type: 'url-secret' }>, request: Proven): boolean {
  if (proof.type === 'basic') return isBasic(proof, request)
  return proof.type === 'header-hmac' ? isSigned(proof, request) : isShared(proof, request)
}

type Of<Type> = Proof & { type: Type }
type Signed = Of<'header-hmac'>

function isBasic({ username, password }: Of<'basic'>, { headers }: Proven) {
  if (!password) return false
  const [, given = ''] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
  return sameBytes(Buffer.from(given, 'base64'), Buffer.from(`${username}:${password}`))
}

function isShared(proof: Of<'shared-secret'>, request: Proven) {
  const { secret, name } = proof
  const said = proof.in === 'header' ? headerIn(request, name) : fieldIn(request.payload, name)
  const start = proof.prefix ?? ''
  if (!secret || !said?.startsWith(start)) return false
  return sameBytes(Buffer.from(said.slice(start.length).trim()), Buffer.from(secret))
}

const fieldIn = (payload: Json | null, name: string): string | null =>
  payload !== null && typeof payload === 'object' && !Array.isArray(payload) && Object.hasOwn(payload, name)
    ? textOf(payload[name])
    : null

/** Returns a payload without one of its fields. */
export function withoutField(payload: Json, name: string | null): Json {
  if (name === null || fieldIn(payload, name) === null) return payload
  const { [name]: _, ...rest } = payload as { [key: string]: Json }
  return rest
}

function isSigned(proof: Signed, request: Proven) {
  const { secret, key } = proof
  if (!secret) return false
  const text = signedText(proof, request)
  if (text === null) return false
  const given = signaturesIn(proof, request).map((one) => Buffer.from(one, proof.encoding))
  return keysOf(secret, key).some((one) => {
    const wanted = createHmac('sha256', one).update(text).digest()
    return given.some((signature) => sameBytes(signature, wanted))
  })
}

/** Returns the keys of a secret. The standard's is base64, but some of its senders signed with the text. */
function keysOf(secret: string, key: Signed['key']): Buffer[] {
  const text = Buffer.from(secret)
  const [, encoded] = /^(?:whsec_)?([\w+/-]{2,}={0,2})$/.exec(secret) ?? []
  return key === 'standard' && encoded ? [Buffer.from(encoded, 'base64'), text] : [text]
}

/** Returns the signatures of the header: senders add one per secret during a rotation. */
function signaturesIn(proof: Signed, request: Proven): string[] {
  const start = proof.prefix ?? ''
  return partsOf(proof, request)
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length).trim())
}

const separators = { single: null, named: /[,;]/, spaced: ' ', listed: ',' } as const

function partsOf(proof: Signed, request: Proven): string[] {
  const said = headerIn(request, proof.header)
  const separator = separators[layoutOf(proof)]
  if (said === null) return []
  return separator === null ? [said] : said.split(separator).map((part) => part.trim())
}

export const headerIn = ({ headers }: Proven, name: string | null | undefined): string | null => {
  const said = name ? headers[name.toLowerCase()] : null
  return typeof said === 'string' ? said : null
}

/** Returns the signed text; null without a time or an ID that it contains. */
function signedText(proof: Signed, request: Proven): Buffer | null {
  const said = { timestamp: timeIn(proof, request), id: headerIn(request, proof.idHeader), url: request.url }
  const around: string[] = []
  for (const text of templateOf(proof.signed).split('{body}')) {
    // one by one, so that a value cannot name another
    const parts = text
      .split(/\{(timestamp|id|url)\}/)
      .map((part, at) => (at % 2 ? said[part as keyof typeof said] : part))
    if (parts.includes(null)) return null
    around.push(parts.join(''))
  }
  const [before = '', after = ''] = around
  return Buffer.concat([Buffer.from(before), request.raw, Buffer.from(after)])
}

/** Returns the time as written, in seconds or milliseconds. */
function timeIn(proof: Signed, request: Proven): string | null {
  const [first, ...others] = partsOf(proof, request)
  const named = [first, ...others].find((part) => part && /^ts?=/.test(part))?.replace(/^ts?=/, '')
  const beside = layoutOf(proof) === 'listed' ? first : named
  const given = proof.timestampHeader ? headerIn(request, proof.timestampHeader) : beside
  return given && /^\d{10}(\d{3})?$/.test(given) ? given : null
}

/** Clock skew tolerated between sender and receiver; repetitions within it are recognised by their body. */
const TOLERANCE_MS = 300_000

function isLate(proof: Signed, request: Proven) {
  const time = timeIn(proof, request)
  return time !== null && Math.abs(request.now.getTime() - Number(time.padEnd(13, '0'))) > TOLERANCE_MS
}

const sameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
