import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { clickInAddress, visitLink } from './links.ts'
import type { Running, SellingAccount } from './running.ts'

type Web = Pick<Running, 'url' | 'api' | 'product'>

/** A successful call: its moment, and the process that answered. */
export type Passage = { web: Web; at: number }

const LEADS = 1000
const PAUSE_MS = 50
/** Milliseconds for which a sale may be refused before the test fails. */
const PATIENCE_MS = 60_000

/**
 * Pushes sales to all processes in turn, each repeatedly until it is acknowledged, every other one with an idempotency
 * key; `most` of them, or until `stop`.
 */
export function pushPersistently(
  webs: Web[],
  account: SellingAccount,
  { most = Number.POSITIVE_INFINITY, lanes = 16 } = {},
) {
  /** The acknowledged id of each sale, by its external id. */
  const acknowledged = new Map<string, string>()
  const passages: Passage[] = []
  let newest: string | undefined
  let number = 0
  let calls = 0
  let isStopped = false

  const pushOnce = async (externalId: string, n: number) => {
    const web = webs[calls++ % webs.length]!
    const email = `buyer-${n % LEADS}@mail.example`
    const body = { externalId, email, referralCode: account.code, amount: 1_00 + (n % 500) }
    const headers: Record<string, string> = n % 2 === 0 ? { 'idempotency-key': externalId } : {}
    const reply = await web.api('POST', '/push/sales', { token: account.apiKey, body, headers }).catch(() => null)
    if (reply?.status !== 200 && reply?.status !== 201) {
      // 409: the earlier attempt is still under way
      if (reply)
        assert.ok(
          [503, 409].includes(reply.status),
          `${JSON.stringify(reply.body)} ${web.product.said.out.slice(-1000)}`,
        )
      if (reply?.status === 503) assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/)
      return false
    }
    acknowledged.set(externalId, reply.body.id)
    newest = reply.body.id
    passages.push({ web, at: performance.now() })
    return true
  }
  const lane = async () => {
    while (!isStopped && number < most) {
      const n = number++
      const externalId = `sale ${n}`
      const late = performance.now() + PATIENCE_MS
      while (!(await pushOnce(externalId, n))) {
        assert.ok(performance.now() < late, `${externalId} was never acknowledged`)
        await sleep(PAUSE_MS)
      }
    }
  }
  const done = Promise.all(Array.from({ length: lanes }, lane))
  return {
    acknowledged,
    passages,
    /** The id of the sale acknowledged last. */
    newest: () => newest,
    done,
    stop() {
      isStopped = true
      return done
    },
  }
}

/** Page size of the list: more sales than are created while it is read. */
const NEWEST = 100

/**
 * Requests the newest sales from all processes in turn until `stop`: they must include the one acknowledged before,
 * wherever they are read.
 */
export function readPersistently(webs: Web[], account: SellingAccount, newest: () => string | undefined) {
  let isStopped = false
  let reads = 0
  const read = async (web: Web) => {
    const acknowledged = newest()
    const path = `/accounts/${account.id}/sales?limit=${NEWEST}`
    const reply = acknowledged && (await web.api('GET', path, { token: account.token }).catch(() => null))
    if (!reply || reply.status === 503) return sleep(PAUSE_MS)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    assert.ok(
      reply.body.items.some(({ id }: { id: string }) => id === acknowledged),
      `${acknowledged} was acknowledged and is not in the list`,
    )
    reads++
  }
  const run = async () => {
    for (let turn = 0; !isStopped; turn++) await read(webs[turn % webs.length]!)
  }
  const done = run()
  return {
    async stop() {
      isStopped = true
      await done
      return reads
    },
  }
}

/** Follows the account's link at all processes in turn until `stop`. */
export function clickPersistently(webs: Web[], account: SellingAccount, { lanes = 8 } = {}) {
  const clicks: string[] = []
  const passages: Passage[] = []
  let isStopped = false
  const lane = async (_: unknown, first: number) => {
    for (let turn = first; !isStopped; turn++) {
      const web = webs[turn % webs.length]!
      const led = await visitLink(web, account.blueprint.key, account.code)
      assert.equal(led.status, 302)
      const click = clickInAddress(led)
      if (click) {
        clicks.push(click)
        passages.push({ web, at: performance.now() })
      } else await sleep(PAUSE_MS)
    }
  }
  const done = Promise.all(Array.from({ length: lanes }, lane))
  return {
    clicks,
    passages,
    stop() {
      isStopped = true
      return done
    },
  }
}
