import { createHash } from 'node:crypto'
import type { Transaction } from '../database/pool.ts'
import type { Secrets } from '../database/secrets.ts'
import { sql } from '../database/sql.ts'
import { refusal } from '../refusal.ts'

export type StoredAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/** One call with one key: `begin` before the effect, `finish` after it, both in the effect's own transaction. */
export type Idempotency = {
  /** Returns the first answer if this very call was made before. */
  begin(tx: Transaction): Promise<StoredAnswer | undefined>
  finish(tx: Transaction, answer: StoredAnswer): Promise<void>
  /** For a call of several transactions: like `begin`, and blocks repetitions until it has finished or was released. */
  reserve(tx: Transaction): Promise<StoredAnswer | undefined>
  release(tx: Transaction): Promise<void>
}

/** Status of a call that is still running. */
const RUNNING = 0
/** Time after which a running call counts as cut off with its process. */
const CUT_OFF = '2 minutes'

/**
 * Stores the first answer for 24 hours per caller, call and key (api.md, section 1).
 * Refuses: `conflict` while the first still runs; `idempotency_mismatch` for another body, or in another role, under
 * the same key.
 */
export function createIdempotency(
  secrets: Secrets,
  caller: string,
  call: string,
  key: string,
  body: unknown,
  role = '',
): Idempotency {
  const text = JSON.stringify(body ?? null) + role
  // keyed, since a plain hash of a short secret such as a tax number can be guessed
  const bodyHash = Buffer.from(secrets.derive('idempotent-body', text), 'base64url')
  const place = `idempotency_keys|answer|${caller}|${call}|${key}`
  const row = sql`caller = ${caller} and call = ${call} and key = ${key}`
  const stillRunning = () => refusal('idempotency_key_running', { retryAfter: 1 })
  const keep = (tx: Transaction, status: number, answer: string) => tx.run`
    insert into idempotency_keys (caller, call, key, body_hash, status, answer_sealed, created_at)
    values (${caller}, ${call}, ${key}, ${bodyHash}, ${status}, ${secrets.seal(answer, place)}, ${tx.now})
    on conflict (caller, call, key) do update set status = excluded.status, answer_sealed = excluded.answer_sealed`
  return {
    async begin(tx) {
      const free = await tx.value<boolean>`select pg_try_advisory_xact_lock(hashtextextended(${place}, 0))`
      if (!free) throw stillRunning()
      const known = await tx.maybe<{ bodyHash: Buffer; status: number; answerSealed: Buffer; old: boolean }>`
        select body_hash, status, answer_sealed, created_at <= ${tx.now}::timestamptz
          - (case when status = ${RUNNING} then ${CUT_OFF} else '24 hours' end)::interval as old
        from idempotency_keys where ${row}`
      if (!known) return undefined
      if (known.old) {
        await tx.run`delete from idempotency_keys where ${row}`
        return undefined
      }
      if (!known.bodyHash.equals(bodyHash) && !known.bodyHash.equals(plainHash(text)))
        throw refusal('idempotency_key_reused')
      if (known.status === RUNNING) throw stillRunning()
      const [body, headers] = secrets
        .open(known.answerSealed, place)
        .split('\n')
        .map((line) => JSON.parse(line))
      return { status: known.status, body, headers }
    },
    async finish(tx, { status, body, headers = {} }) {
      // one line, as servers of the release before read it, unless it has headers
      const lines = Object.keys(headers).length > 0 ? [body ?? null, headers] : [body ?? null]
      await keep(tx, status, lines.map((line) => JSON.stringify(line)).join('\n'))
    },
    async reserve(tx) {
      const known = await this.begin(tx)
      if (!known) await keep(tx, RUNNING, 'null')
      return known
    },
    async release(tx) {
      await tx.run`delete from idempotency_keys where ${row} and status = ${RUNNING}`
    },
  }
}

/** As servers of the release before store it. Goes with the next release. */
const plainHash = (text: string) => createHash('sha256').update(text).digest()
