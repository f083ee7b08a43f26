import { inAccountsSql } from '../../platform/database/by-key.ts'
import { eachApart } from '../../platform/database/cluster/spread.ts'
import { createCommitGroup, inOneTransaction } from '../../platform/database/group-commit.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Signal, sendSignal } from '../../platform/events/emit-event.ts'
import { deliveriesTried } from './delivery-measures.ts'
import { countFailures, type DeliveryOutcome, nextState } from './schedule.ts'
import { webhookFailing, webhookTurnedOff } from './signals.ts'

/** A finished try; `tries` counts the earlier ones. */
export type DeliveryAttempt = {
  id: string
  accountId: string
  webhookId: string
  tries: number
  outcome: DeliveryOutcome
}

/** Longest wait in milliseconds for storing a result; then the delivery is sent again. */
const PATIENCE_MS = 20_000
const MOST = 500

/** Stores the results of tries in groups, and turns off webhooks that only fail. Resolves after the commit. */
export const createSettling = (db: Database, random: () => number) =>
  createCommitGroup<DeliveryAttempt, void>(
    inOneTransaction(db, async (tx, tries) => {
      await settle(tx, tries, random)
      return tries.map(() => undefined)
    }),
    { max: MOST, accountOf: ({ accountId }) => accountId, patienceMs: PATIENCE_MS, placeOf: eachApart(db) },
  )

async function settle(tx: Transaction, tries: DeliveryAttempt[], random: () => number) {
  const webhooks = await lockWebhooks(tx, [...new Set(tries.map(({ webhookId }) => webhookId))])
  const states = await saveOutcomes(tx, tries, random)
  tx.afterCommit(() => {
    for (const state of states.values()) deliveriesTried.add(state)
  })
  const tallies = webhooks.map((webhook) => {
    const outcomes = tries.filter(({ id, webhookId }) => webhookId === webhook.id && states.has(id))
    const counted = countFailures(
      webhook.failures,
      outcomes.map(({ outcome }) => outcome),
    )
    return { ...webhook, ...counted, off: webhook.enabled ? counted.off : null }
  })
  await saveTallies(tx, tallies)
  for (const { id, accountId, reached, off, enabled } of tallies) {
    const tell = <Data extends object>(signal: Signal<Data>, data: NoInfer<Data>) =>
      sendSignal(tx, accountId, signal, data)
    if (enabled) for (const failures of reached) await tell(webhookFailing, { webhookId: id, failures })
    if (off) await tell(webhookTurnedOff, { webhookId: id })
  }
}

type Webhook = { id: string; accountId: string; failures: number; enabled: boolean }

const lockWebhooks = (tx: Transaction, ids: string[]) => tx.many<Webhook>`
  select id, account_id, failures, enabled from outgoing_webhooks
  where id = any(${ids}::uuid[]) and deleted_at is null order by id for no key update`

/**
 * Stores results and returns the affected deliveries with their new state: a try that another process settled
 * meanwhile, or that came too late, is ignored.
 */
async function saveOutcomes(tx: Transaction, tries: DeliveryAttempt[], random: () => number) {
  const accountIds = tries.map(({ accountId }) => accountId)
  const then = tries.map(({ tries: before, outcome }) => nextState(outcome, before + 1, tx.now, random))
  const of = <T>(value: (outcome: DeliveryOutcome) => T) => tries.map(({ outcome }) => value(outcome))
  const rows = await tx.many<{ id: string; state: ReturnType<typeof nextState>['state'] }>`
    update outgoing_deliveries d
    set state = s.state, next_at = s.next_at, tries = s.before + 1, code = s.code, duration_ms = s.duration_ms,
      answer = s.answer
    from unnest(${tries.map(({ id }) => id)}::uuid[], ${tries.map(({ tries: before }) => before)}::integer[],
      ${then.map(({ state }) => state)}::text[], ${then.map(({ nextAt }) => nextAt)}::timestamptz[],
      ${of(({ code }) => code)}::smallint[], ${of(({ durationMs }) => durationMs)}::integer[],
      ${of(({ answer }) => answer)}::text[]) as s (id, before, state, next_at, code, duration_ms, answer)
    where ${inAccountsSql(sql`d.account_id`, accountIds)} and d.id = s.id and d.tries = s.before and d.next_at is not null
    returning d.id, d.state`
  return new Map(rows.map(({ id, state }) => [id, state]))
}

const REASONS = {
  failing: 'The last 20 delivery attempts failed.',
  gone: 'The receiver returned 410 Gone.',
} as const

const saveTallies = (
  tx: Transaction,
  tallies: { id: string; failures: number; off: keyof typeof REASONS | null }[],
) => tx.run`
  update outgoing_webhooks w
  set failures = s.failures, last_delivery_at = ${tx.now}, enabled = w.enabled and s.reason is null,
    disabled_reason = coalesce(s.reason, w.disabled_reason)
  from unnest(${tallies.map(({ id }) => id)}::uuid[], ${tallies.map(({ failures }) => failures)}::integer[],
    ${tallies.map(({ off }) => off && REASONS[off])}::text[]) as s (id, failures, reason)
  where w.id = s.id`
