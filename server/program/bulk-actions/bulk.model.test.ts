import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BulkAction } from '#contract/bulk-actions.ts'
import { anAccount, anEmail, expectOk, startApp } from '../../../test/support/app.ts'
import { listSeeds, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { aPayee, aPayout } from '../../../test/support/payouts.ts'
import { isDatabaseAway } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { runBulkAction } from './run-bulk-action.ts'

const app = await startApp()
const { services } = app
const { db } = services

const LEADS = 8
const PAYOUTS = 4
const ROUNDS = 5

/** The statuses that may follow, by hand. */
const next: Record<string, readonly string[]> = {
  new: ['qualified', 'lost', 'rejected'],
  qualified: ['lost', 'rejected'],
  lost: ['new', 'qualified'],
  rejected: ['new', 'qualified'],
}

type Change = { leadId: string; old: string; now: string; reason: string | null }

for (const seed of listSeeds(1))
  test(`random lives of actions beside single ones, dying workers and cancellations, seed ${seed}`, () => live(seed))

/**
 * Each action carries a reason or reference of its own, so that the events name the action which caused them. The model:
 * an action is a prefix of its subjects; each of these was either changed once by it, or refused and not changed.
 */
async function live(seed: number) {
  const { below, chance, pick, shuffled } = randomFrom(seed)
  const account = await anAccount(app)
  const call = (method: string, path: string, body?: object) => app.api(method, path, { token: account.token, body })
  const post = async (path: string, body: object) => expectOk(await call('POST', path, body)).body
  const leadIds: string[] = []
  for (let at = 0; at < LEADS; at++)
    leadIds.push((await post(`/accounts/${account.id}/leads`, { email: anEmail() })).id)
  const payoutIds: string[] = []
  for (let at = 0; at < PAYOUTS; at++)
    payoutIds.push((await aPayout(app, account, await aPayee(app, account), 10_00 + at)).id)
  const started: { action: BulkAction; ids: string[]; mark: string }[] = []
  const deleted = new Set<string>()

  const statusOf = (mark: string) => {
    const status = pick(['new', 'qualified', 'lost', 'rejected'])
    return status === 'lost' || status === 'rejected'
      ? { status, reason: 'other', note: mark }
      : { status, reason: mark, note: mark }
  }

  async function start() {
    const mark = `action ${started.length}`
    const kind = pick(['change-lead-status', 'add-lead-note', 'mark-payouts-paid'])
    const ids = shuffled(kind === 'mark-payouts-paid' ? payoutIds : leadIds).slice(0, 2 + below(6))
    const change = { 'change-lead-status': statusOf(mark), 'add-lead-note': { text: mark } }[kind]
    const body = { action: kind, ids, change: change ?? { reference: mark } }
    const headers = { 'idempotency-key': `${account.id} ${mark}` }
    const sent = () => app.api('POST', `/accounts/${account.id}/bulk-actions`, { token: account.token, body, headers })
    const action = expectOk(await sent()).body
    if (chance(30)) assert.equal(expectOk(await sent()).body.id, action.id)
    started.push({ action, ids, mark })
    return action
  }

  /** Runs an action until a worker reaches its end; a worker whose connection is cut dies, and another continues. */
  async function work({ accountId, id }: BulkAction) {
    for (;;) {
      try {
        return await runBulkAction(services, { accountId, bulkActionId: id })
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
      }
    }
  }

  const kill = () => db.run`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%bulk_actions%' and state <> 'idle'
    limit 1`

  async function alone() {
    const id = pick(leadIds)
    const act = pick(['status', 'delete', 'pay', 'cancel', 'kill'] as const)
    if (act === 'status') await call('POST', `/leads/${id}/status`, statusOf('by hand'))
    else if (act === 'pay') await call('POST', `/payouts/${pick(payoutIds)}/mark-paid`, { reference: 'by hand' })
    else if (act === 'kill') await settleOutcome(kill()).catch(() => undefined)
    else if (act === 'cancel' && started.length > 0)
      await call('POST', `/accounts/${account.id}/bulk-actions/${pick(started).action.id}/cancel`)
    else if (act === 'delete' && chance(40)) {
      const { status } = await call('DELETE', `/leads/${id}`)
      if (status === 204) deleted.add(id)
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    const actions = [await start(), ...(chance(50) ? [await start()] : [])]
    await Promise.all([
      ...actions.flatMap((action) => [work(action), work(action)]),
      (async () => {
        for (let step = below(8); step >= 0; step--) await alone()
      })(),
    ])
  }

  const changes = await db.many<Change>`
    select subject_id as lead_id, data -> 'changes' -> 'status' ->> 'old' as old,
      data -> 'changes' -> 'status' ->> 'new' as now,
      (select line ->> 'text' from jsonb_array_elements(data -> 'lines') line
        where line ->> 'text' ~ '(action [0-9]+|by hand)$' limit 1) as reason
    from events where account_id = ${account.id} and type = 'lead.status-changed' order by at, id`
  const notes = await db.many<{ leadId: string; text: string }>`
    select subject_id as lead_id, data -> 'lines' -> 0 ->> 'text' as text
    from events where account_id = ${account.id} and type = 'lead.noted'`
  const payouts = await db.many<{ id: string; reference: string | null }>`
    select id, external_reference as reference from payouts where account_id = ${account.id} and status = 'paid'`
  const ended = async ({ id }: BulkAction): Promise<BulkAction> =>
    expectOk(await call('GET', `/accounts/${account.id}/bulk-actions/${id}`)).body

  for (const { action, ids, mark } of started) {
    const { state, done, refused, refusals, total } = await ended(action)
    const context = `seed ${seed}, ${mark} (${action.action})`
    assert.ok(state === 'canceled' || (state === 'done' && done + refused === total), `${context}: ${state}`)
    const taken = ids.slice(0, done + refused)
    const refusedIds = refusals.map(({ id }) => id)
    const changed =
      action.action === 'mark-payouts-paid'
        ? payouts.filter(({ reference }) => reference === mark).map(({ id }) => id)
        : action.action === 'add-lead-note'
          ? notes.filter(({ text }) => text === mark).map(({ leadId }) => leadId)
          : changes.filter(({ reason }) => reason?.endsWith(mark)).map(({ leadId }) => leadId)
    assert.deepEqual(changed.toSorted(), taken.filter((id) => !refusedIds.includes(id)).toSorted(), context)
    assert.deepEqual([changed.length, refusedIds.length], [done, refused], context)
    for (const { id, error } of refusals) {
      if (error.reason === 'not_found') assert.ok(deleted.has(id) || payoutIds.includes(id), context)
      else
        assert.ok(['lead_status_not_next', 'payout_not_markable', 'validation_failed'].includes(error.reason), context)
    }
  }
  const leads = await db.many<{ id: string; status: string }>`
    select id, status from leads where account_id = ${account.id}`
  for (const { id, status } of leads) {
    // the events of a lead are a walk from new to its status; their times are those at which transactions began
    const walked = changes.filter(({ leadId }) => leadId === id)
    for (const { old, now } of walked) assert.ok(next[old]!.includes(now), `seed ${seed}: ${old} to ${now}`)
    for (const one of Object.keys(next)) {
      const arrived = walked.filter(({ now }) => now === one).length + Number(one === 'new')
      const left = walked.filter(({ old }) => old === one).length + Number(one === status)
      assert.equal(arrived, left, `seed ${seed}: ${id} at ${one}`)
    }
  }
  assert.deepEqual(await verifyLedger(db), [])
}
