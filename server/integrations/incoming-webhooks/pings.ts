import { z } from 'zod'

/** A text that a sender may have echoed: it could be no page, script or header. */
const Echoed = z.string().regex(/^[\w.~:-]{1,200}$/)
const IN_QUERY = ['challenge', 'hub.challenge', 'check', 'validationToken']
const InJson = z.strictObject({ challenge: Echoed, type: z.unknown().optional(), token: z.unknown().optional() })
const MOST_BYTES = 4000

type Sent = { method: string; query: unknown; raw: Buffer }

/**
 * Returns the answer to a request that only tests the address, as text or JSON; null if the request delivers something.
 * Such are: GET and HEAD, no body, WooCommerce's form with nothing but a `webhook_id`, JSON with nothing but a challenge.
 */
export function answerToPing({ method, query, raw }: Sent): string | { challenge: string } | null {
  if (method !== 'POST') return echoOf(query)
  if (raw.length > MOST_BYTES) return null
  const text = raw.toString().trim()
  if (text === '' || /^webhook_id=\d+$/.test(text)) return echoOf(query)
  const { data } = InJson.safeParse(text.startsWith('{') ? jsonIn(text) : null)
  return data ? { challenge: data.challenge } : null
}

function echoOf(query: unknown): string {
  const parameters = query as Record<string, unknown>
  return IN_QUERY.map((name) => Echoed.safeParse(parameters[name]).data).find((one) => one !== undefined) ?? ''
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
