import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { IncomingAuth } from '#contract/incoming-webhooks.ts'

/** The auth of a webhook with its secret, as it is checked. */
export type Proof = IncomingAuth & { secret?: string | undefined; password?: string | undefined }

/** Whether a request proves itself: over the bytes as they came, in constant time. */
export function isProven(proof: Proof, headers: FastifyRequest['headers'], raw: Buffer): boolean {
  if (proof.type === 'url-secret') return true
  if (proof.type === 'basic') {
    const wanted = Buffer.from(`${proof.username}:${proof.password}`)
    const [, given = ''] = /^Basic ([\w+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
    return sameBytes(Buffer.from(given, 'base64'), wanted)
  }
  const said = headers[proof.header.toLowerCase()]
  const prefix = proof.prefix ?? ''
  if (typeof said !== 'string' || !proof.secret || !said.startsWith(prefix)) return false
  const given = Buffer.from(said.slice(prefix.length).trim(), proof.encoding)
  return sameBytes(given, createHmac('sha256', proof.secret).update(raw).digest())
}

const sameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
