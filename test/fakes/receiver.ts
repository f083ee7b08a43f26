import { createHmac } from 'node:crypto'
import { type Answer, type Call, startServer, waitUntil } from './server.ts'

/** The receiver's reply to one delivery: a status, or an answer with headers such as a redirect's. */
export type Reply = number | Answer

/**
 * A receiver of outgoing webhooks: replies by `script`, a list whose last reply repeats, or a function of the delivery
 * and its number from 1. For hanging and broken connections use `fail`.
 */
export async function fakeReceiver(script: Reply[] | ((delivery: Call, number: number) => Reply) = [200]) {
  const deliveries: Call[] = []
  const server = await startServer((call) => {
    deliveries.push(call)
    const number = deliveries.length
    const reply =
      typeof script === 'function' ? script(call, number) : (script[Math.min(number, script.length) - 1] ?? 200)
    return typeof reply === 'number' ? { status: reply, body: reply === 204 ? undefined : { received: number } } : reply
  })
  return {
    ...server,
    /** Deliveries received and answered, oldest first; calls that failed before the work are only in `calls`. */
    deliveries,
    /** Waits for `count` deliveries and returns them; rejects after `timeoutMs`. */
    waitFor: (count: number, timeoutMs = 30_000) =>
      waitUntil(() => (deliveries.length >= count ? deliveries : null), timeoutMs, `${count} deliveries`),
    /** The deliveries of one event, which share `webhook-id`. */
    byId: (id: string) => deliveries.filter(({ headers }) => headers['webhook-id'] === id),
  }
}

/** True when one of the delivery's signatures is right for `secret` (`whsec_…`) by Standard Webhooks, within 300 seconds of `now`. */
export function signatureHolds({ headers, raw }: Pick<Call, 'headers' | 'raw'>, secret: string, now = new Date()) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' } = headers
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${at}.${raw}`).digest('base64')}`
  return String(given).split(' ').includes(expected) && Math.abs(now.getTime() / 1000 - Number(at)) <= 300
}
