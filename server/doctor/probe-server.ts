import { FORWARDED, listPreviews } from '../integrations/mail/previews.ts'
import type { Clock } from '../platform/database/pool.ts'
import type { Secrets } from '../platform/database/secrets.ts'
import { type OutboundAnswer, OutboundError } from '../platform/http/outbound.ts'
import type { Patient } from './patient.ts'

/** The server at an address: this install, something else, one that limited our calls, or none, for this reason. */
export type Answering = 'ours' | 'another' | 'starting' | 'limited' | { silent: string }

/** Time-out in milliseconds, long enough for a busy machine. */
const PATIENCE_MS = 15_000

const requestPage = ({ outbound }: Patient, url: string, headers: Record<string, string> = {}) =>
  outbound.provider(url, { timeoutMs: PATIENCE_MS, headers })

/** Returns the address at which this process would listen; null if any free port is used. */
export function probeServer({ host, port }: Patient['config']): string | null {
  if (port === 0) return null
  const known = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${known.includes(':') ? `[${known}]` : known}:${port}`
}

/**
 * Requests a page whose address only this install's key can derive. If the key cannot be read, a server that responds
 * like the product counts as ours.
 */
export async function whoAnswers(patient: Patient, origin: string): Promise<Answering> {
  try {
    const live = await requestPage(patient, `${origin}/health/live`)
    if (live.status === 429) return 'limited'
    if (live.status !== 200 || !/^\{"status":"live"\}/.test(live.text)) return 'another'
    const secrets = await patient.secrets().catch(() => null)
    if (!secrets) return 'ours'
    const { status } = await requestPage(patient, `${origin}${pageOf(secrets, live, patient.clock)}`)
    return answersByStatus.get(status) ?? 'another'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { silent: error.message }
  }
}

/** Derives the page for the server's own date, in case the clocks differ. */
function pageOf(secrets: Secrets, { headers }: OutboundAnswer, clock: Clock) {
  const serverTime = Date.parse(headers.date ?? '')
  const [{ page } = { page: '' }] = listPreviews(secrets, Number.isNaN(serverTime) ? clock.now() : new Date(serverTime))
  return page
}

/** Returns the X-Forwarded-For that the product receives with a call to this address; null if unknown. */
export async function forwardedBy(patient: Patient, origin: string, headers: Record<string, string> = {}) {
  const secrets = await patient.secrets().catch(() => null)
  if (!secrets) return null
  const page = pageOf(secrets, await requestPage(patient, `${origin}/health/live`, headers), patient.clock)
  const { headers: serverTime } = await requestPage(patient, `${origin}${page}`, headers)
  return serverTime[FORWARDED] ?? null
}

const answersByStatus = new Map<number, Answering>([
  [200, 'ours'],
  [429, 'limited'],
  [503, 'starting'],
])

/** Returns the calls left in this minute for a caller with these headers; null without limits. */
export async function callsLeft(patient: Patient, origin: string, headers: Record<string, string>) {
  const answer = await requestPage(patient, `${origin}/health/live`, headers)
  const [left, limit] = ['ratelimit-remaining', 'ratelimit-limit'].map((name) => answer.headers[name])
  return left === undefined ? null : { left: Number(left), limit: Number(limit) }
}
