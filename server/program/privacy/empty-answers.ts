import type { Traces } from '../../platform/database/declare-tables.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { toPattern } from './search.ts'

type Row = { caller: string; call: string; key: string; answerSealed: Buffer }

/**
 * Empties kept answers to calls with an idempotency key that contain one of these objects, or the person's values beside
 * the account, which may be in the call's path alone. A repeated call still does nothing again: it gets the status
 * without a body.
 */
export async function emptyAnswers(tx: Transaction, secrets: Secrets, traces: Traces): Promise<number> {
  const { accountId, search } = traces
  const ids = traces.type === 'lead' ? [...traces.leadIds, ...traces.saleIds] : [traces.partnerId]
  const pattern = toPattern(search)
  const named = pattern === null ? null : new RegExp(pattern)
  const isAbout = (call: string, text: string) =>
    ids.some((id) => text.includes(id)) ||
    ((call.includes(accountId) || text.includes(accountId)) && (named?.test(text.toLowerCase()) ?? false))
  let emptied = 0
  for (let after: Row | undefined; ; ) {
    const rows: Row[] = await tx.many<Row>`
      select caller, call, key, answer_sealed from idempotency_keys
      where status <> 0 and (caller, call, key) > (${after?.caller ?? ''}, ${after?.call ?? ''}, ${after?.key ?? ''})
      order by caller, call, key limit 500`
    for (const { caller, call, key, answerSealed } of rows) {
      const place = `idempotency_keys|answer|${caller}|${call}|${key}`
      const text = secrets.open(answerSealed, place)
      if (text === 'null' || !isAbout(call, text)) continue
      emptied += await tx.run`
        update idempotency_keys set answer_sealed = ${secrets.seal('null', place)}
        where caller = ${caller} and call = ${call} and key = ${key}`
    }
    after = rows.at(-1)
    if (rows.length < 500) return emptied
  }
}
