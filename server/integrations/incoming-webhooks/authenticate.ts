import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { IncomingAuth } from '#contract/incoming-webhooks.ts'
import { type Refusal, refusal } from '../../platform/refusal.ts'

/** The auth of a webhook with its secret. */
export type Proof = IncomingAuth & { secret?: string | undefined; password?: string | undefined }

/** The parts of a request needed for the check: `url` as its sender knows it, `raw` the received bytes. */
export type Proven = { headers: FastifyRequest['headers']; url: string; raw: Buffer; now: Date }

/** Returns why a request is not authentic, or null if it is. */
export function unproven(proof: Proof, request: Proven): Refusal | null {
  if (proof.type === 'url-secret') return null
  const isGood = proof.type === 'basic' ? isBasic(proof, request) : isSigned(proof, request)
  if (!isGood) return refusal('incoming_not_proven')
  return proof.type === 'header-hmac' && isLate(proof, request) ? refusal('incoming_signature_late') : null
}

type Of<Type> = Proof & { type: Type }
type Signed = Of<'header-hmac'>

function isBasic({ username, password }: Of<'basic'>, { headers }: Proven) {
  if (!password) return false
  const [, given = ''] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
  return sameBytes(Buffer.from(given, 'base64'), Buffer.from(`${username}:${password}`))
}

function isSigned(proof: Signed, request: Proven) {
  if (!proof.secret) return false
  const text = signedText(proof, request)
  if (text === null) return false
  const wanted = createHmac('sha256', proof.secret).update(text).digest()
  return signaturesIn(proof, request).some((one) => sameBytes(Buffer.from(one, proof.encoding), wanted))
}

/**
 * Returns the signature, or all of them if the header also contains a time: senders add one per secret during a
 * rotation.
 */
function signaturesIn({ prefix, ...proof }: Signed, request: Proven): string[] {
  const start = prefix ?? ''
  return partsOf(proof, request)
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length).trim())
}

function partsOf(proof: Signed, { headers }: Proven): string[] {
  const said = headers[proof.header.toLowerCase()]
  if (typeof said !== 'string') return []
  return namesTimeBeside(proof) ? said.split(/[,;]/).map((part) => part.trim()) : [said]
}

const namesTimeBeside = ({ signed = 'body', timestampHeader }: Signed) => signed !== 'body' && !timestampHeader

function signedText(proof: Signed, request: Proven): Buffer | null {
  const { signed = 'body' } = proof
  if (signed === 'body') return request.raw
  const time = timeIn(proof, request)
  if (time === null) return null
  const around = {
    'timestamp-dot-body': [`${time}.`, ''],
    'timestamp-colon-body': [`${time}:`, ''],
    'method-url-body-timestamp': [`POST${request.url}`, time],
  } as const
  const [before, after] = around[signed]
  return Buffer.concat([Buffer.from(before), request.raw, Buffer.from(after)])
}

/** Returns the signed time as written, in seconds or milliseconds. */
function timeIn(proof: Signed, request: Proven): string | null {
  const given = proof.timestampHeader
    ? request.headers[proof.timestampHeader.toLowerCase()]
    : partsOf(proof, request)
        .find((part) => /^ts?=/.test(part))
        ?.replace(/^ts?=/, '')
  return typeof given === 'string' && /^\d{10}(\d{3})?$/.test(given) ? given : null
}

/** Clock skew tolerated between sender and receiver; repetitions within it are recognised by their body. */
const TOLERANCE_MS = 300_000

function isLate(proof: Signed, request: Proven) {
  const time = timeIn(proof, request)
  return time !== null && Math.abs(request.now.getTime() - Number(time.padEnd(13, '0'))) > TOLERANCE_MS
}

const sameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
