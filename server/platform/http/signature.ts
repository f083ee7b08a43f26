import { createHmac, timingSafeEqual } from 'node:crypto'
import { getLayout, type IncomingAuth, toTemplate } from '#contract/incoming-webhooks.ts'

/** The form of a signature in a header: what is signed, and where its parts are. */
export type SignatureForm = Omit<Extract<IncomingAuth, { type: 'header-hmac' }>, 'type' | 'algorithm' | 'secret'>

/** The parts of a request that a signature may cover: `url` as its sender knows it, `raw` the received bytes. */
export type SignedRequest = { headers: Record<string, string | string[] | undefined>; url: string; raw: Buffer }

/** Whether a request is signed with a secret, however old it is. */
export function isSigned(form: SignatureForm, secret: string, request: SignedRequest): boolean {
  const text = secret && signedText(form, request)
  if (!text) return false
  const given = signaturesIn(form, request).map((one) => Buffer.from(one, form.encoding))
  return keysOf(secret, form.key).some((key) => {
    const wanted = createHmac('sha256', key).update(text).digest()
    return given.some((signature) => sameBytes(signature, wanted))
  })
}

/** Returns the keys of a secret. The standard's is base64, but some of its senders signed with the text. */
function keysOf(secret: string, key: SignatureForm['key']): Buffer[] {
  const text = Buffer.from(secret)
  const [, encoded] = /^(?:whsec_)?([\w+/-]{2,}={0,2})$/.exec(secret) ?? []
  return key === 'standard' && encoded ? [Buffer.from(encoded, 'base64'), text] : [text]
}

/** Returns the signatures of the header: senders add one per secret during a rotation. */
function signaturesIn(form: SignatureForm, request: SignedRequest): string[] {
  const start = form.prefix ?? ''
  return partsOf(form, request)
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length).trim())
}

const separators = { single: null, named: /[,;]/, spaced: ' ', listed: ',' } as const

function partsOf(form: SignatureForm, request: SignedRequest): string[] {
  const headerValue = headerIn(request, form.header)
  const separator = separators[getLayout(form)]
  if (headerValue === null) return []
  return separator === null ? [headerValue] : headerValue.split(separator).map((part) => part.trim())
}

export const headerIn = ({ headers }: Pick<SignedRequest, 'headers'>, name: string | null | undefined) => {
  const value = name ? headers[name.toLowerCase()] : null
  return typeof value === 'string' ? value : null
}

/** Returns the signed text; null without a time or an ID that it contains. */
function signedText(form: SignatureForm, request: SignedRequest): Buffer | null {
  const values = { timestamp: timeIn(form, request), id: headerIn(request, form.idHeader), url: request.url }
  const around: string[] = []
  for (const text of toTemplate(form.signed).split('{body}')) {
    // one by one, so that a value cannot name another
    const parts = text
      .split(/\{(timestamp|id|url)\}/)
      .map((part, at) => (at % 2 ? values[part as keyof typeof values] : part))
    if (parts.includes(null)) return null
    around.push(parts.join(''))
  }
  const [before = '', after = ''] = around
  return Buffer.concat([Buffer.from(before), request.raw, Buffer.from(after)])
}

/** Returns the time as written, in seconds or milliseconds. */
function timeIn(form: SignatureForm, request: SignedRequest): string | null {
  const [first, ...others] = partsOf(form, request)
  const named = [first, ...others].find((part) => part && /^ts?=/.test(part))?.replace(/^ts?=/, '')
  const inSignature = getLayout(form) === 'listed' ? first : named
  const given = form.timestampHeader ? headerIn(request, form.timestampHeader) : inSignature
  return given && /^\d{10}(\d{3})?$/.test(given) ? given : null
}

/** Clock skew tolerated between sender and receiver; repetitions within it are recognised by their body. */
const TOLERANCE_MS = 300_000

/** Whether the time of a signature is more than five minutes off; a signature without one is never late. */
export function isLate(form: SignatureForm, request: SignedRequest, now: Date): boolean {
  const time = timeIn(form, request)
  return time !== null && Math.abs(now.getTime() - Number(time.padEnd(13, '0'))) > TOLERANCE_MS
}

export const sameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
