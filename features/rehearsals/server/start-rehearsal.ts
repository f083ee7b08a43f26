import { minorDigits } from '#contract/money.ts'
import { asUuid, newId } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import type { Jobs } from '#server/platform/jobs/queue.ts'
import { notFound, wrongField } from '#server/platform/refusal.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { type NewRehearsal, type Rehearsal, rehearsalSteps } from '../contract.ts'
import { insertRehearsal, playedLink, playedPartner, type RehearsalRow, rehearsalById, type Steps } from './queries.ts'
import { rehearsalQueue } from './queue.ts'

const KEPT = 5
/** Default amount in whole units of the account's currency. */
const USUAL = 100
/** Milliseconds after which an unfinished rehearsal is abandoned. */
const PATIENCE_MS = 3 * 60_000

export const untouched: Steps = rehearsalSteps.map((step) => ({ step, state: 'waiting', detail: null, fix: null }))

/** Starts a rehearsal. Refuses: a partner or a link that the account does not have. */
export async function startRehearsal(
  tx: Transaction,
  jobs: Jobs,
  account: AccountFacts,
  { partnerId = null, blueprintId = null, amount }: NewRehearsal,
): Promise<Rehearsal> {
  if (partnerId && !(await playedPartner(tx, account.id, partnerId)))
    throw wrongField('partnerId', 'unknown_partner_in_account')
  if (blueprintId && !(await playedLink(tx, account.id, blueprintId))) throw wrongField('blueprintId', 'unknown_link')
  const id = newId()
  const named = { partnerId: partnerId && asUuid(partnerId), blueprintId: blueprintId && asUuid(blueprintId) }
  const row = { id, accountId: account.id, ...named, steps: untouched }
  await insertRehearsal(tx, { ...row, amount: amount ?? USUAL * 10 ** minorDigits(account.defaultCurrency) }, KEPT - 1)
  await jobs.add(tx, rehearsalQueue, { rehearsalId: id, accountId: account.id })
  return getRehearsal(tx, account.id, id)
}

/** Refuses: `not_found`. */
export async function getRehearsal(db: Queryable, accountId: string, id: string): Promise<Rehearsal> {
  const row = await rehearsalById(db, { id, accountId })
  if (!row) throw notFound()
  return present(row, db.now)
}

function present(row: RehearsalRow, now: Date): Rehearsal {
  const { id, accountId, createdAt, finishedAt } = row
  const isGivenUp = !finishedAt && now.getTime() - Date.parse(createdAt) > PATIENCE_MS
  const steps = isGivenUp ? failInterrupted(row.steps) : row.steps
  const isOver = finishedAt !== null || isGivenUp
  const outcome = steps.some(({ state }) => state === 'failed') ? 'failed' : 'passed'
  return { id, accountId, state: isOver ? outcome : 'running', steps, createdAt, finishedAt }
}

/** Marks the steps of a rehearsal interrupted by a stopped server; the database has rolled it back. */
const failInterrupted = (steps: Steps): Steps => {
  const at = steps.findIndex(({ state }) => state === 'running' || state === 'waiting')
  return steps.map((step, index) => {
    if (step.state !== 'running' && step.state !== 'waiting') return step
    if (index > at) return { ...step, state: 'skipped' }
    return {
      ...step,
      state: 'failed',
      detail: 'The server was interrupted, and nothing was saved. Play it through again.',
    }
  })
}
