import type { LinkTest } from '#contract/links.ts'
import {
  type Rehearsed,
  type RehearsedDelivery,
  rehearseTelling,
} from '#server/integrations/outgoing-webhooks/rehearse-delivery.ts'
import { findAccountId } from '#server/platform/database/by-key.ts'
import { concernsAll } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Services } from '#server/platform/services.ts'
import { getAccountFacts } from '#server/program/access/account-facts.ts'
import { testLink } from '#server/program/links/test-link.ts'
import type { Rehearsal, RehearsalStep } from '../contract.ts'
import { type PlayedOutcome, playThrough } from './play-through.ts'
import { countLeft, type PlayedLink, playedLink, type RehearsalRow, rehearsalById, saveSteps } from './queries.ts'
import type { RehearsalJob } from './queue.ts'
import { untouched } from './start-rehearsal.ts'

const failed = (detail: string, fix: PlayedOutcome['fix'] = null): PlayedOutcome => ({ state: 'failed', detail, fix })
const SKIPPED: PlayedOutcome = { state: 'skipped', detail: null, fix: null }
const RUNNING: PlayedOutcome = { state: 'running', detail: null, fix: null }

/**
 * Plays a sale through and stores the result of each step. After an interruption it starts again: nothing was stored,
 * and webhooks only get a test.
 */
export async function runRehearsal(services: Services, { rehearsalId: id, ...job }: RehearsalJob): Promise<void> {
  const { db } = services
  const accountId = job.accountId ?? (await findAccountId(db, sql`rehearsals`, id))
  const row = accountId && (await rehearsalById(db, { id, accountId }))
  if (!row || row.finishedAt) return
  const board = newBoard(services, row)
  await playInto(services, row, board)
  await board.finish()
}

type Board = ReturnType<typeof newBoard>

/** Stores the steps as shown to the waiting user. */
function newBoard({ db }: Pick<Services, 'db'>, row: RehearsalRow) {
  const outcomes = new Map<RehearsalStep, PlayedOutcome>()
  const steps = (): Rehearsal['steps'] => untouched.map((one) => ({ ...one, ...outcomes.get(one.step) }))
  return {
    async show(step: RehearsalStep, outcome: PlayedOutcome) {
      outcomes.set(step, outcome)
      await saveSteps(db, row, steps(), null)
    },
    /** Marks unreached steps as skipped. */
    async finish() {
      for (const { step } of untouched) if (!outcomes.has(step)) outcomes.set(step, SKIPPED)
      await saveSteps(db, row, steps(), db.now)
    },
  }
}

async function playInto(services: Services, row: RehearsalRow, board: Board) {
  const { db } = services
  await board.show('click', RUNNING)
  const account = (await getAccountFacts(db, [row.accountId])).get(row.accountId)
  if (account?.disabledAt !== null) return board.show('click', failed('This account is disabled.'))
  const link = await playedLink(db, row.accountId, row.blueprintId)
  if (!link) return board.show('click', failed('No links are enabled. Add one or enable one.', 'links'))
  const trouble = await troubleOfPage(link, () => testLink(services, link))
  const { steps, happened, made } = await playThrough(services, row, link)
  for (const [step, outcome] of steps)
    await board.show(step, step === 'click' && outcome.state === 'done' ? withPage(outcome, trouble) : outcome)
  if (![...steps.values()].some(({ state }) => state === 'failed')) {
    await board.show('webhook', RUNNING)
    const tellings = await rehearseTelling(services, row.accountId, happened.toSorted(bySay))
    await board.show('webhook', outcomeOf(tellings))
  }
  const left = await countLeft(db, row.accountId, made)
  const cleanUp: PlayedOutcome = { state: 'done', detail: 'Everything was removed.', fix: null }
  await board.show('clean-up', left === 0 ? cleanUp : failed('Some of it couldn’t be removed.'))
}

/** Returns the problem a visitor would have behind the link, in words; null if the page responds and keeps the code. */
async function troubleOfPage({ destinationUrl, parameterName }: PlayedLink, ask: () => Promise<LinkTest>) {
  const { host } = new URL(destinationUrl)
  try {
    const { reachable, status, parameterKept } = await ask()
    if (!reachable || status === null) return `${host} did not answer this server`
    if (parameterKept) return null
    return status < 400 ? `${host} redirects without “${parameterName}”` : `${host} returned ${status}`
  } catch (error) {
    if (concernsAll(error) || !(error instanceof Refusal)) throw error
    return `${host} is not an address this server may call`
  }
}

const withPage = (outcome: PlayedOutcome, trouble: string | null): PlayedOutcome =>
  trouble ? { state: 'warning', detail: `${outcome.detail} But ${trouble}.`, fix: 'links' } : outcome

/** Order of events by relevance: a sale's, else a lead's. */
const order = ['sale.created', 'lead.created']
const rank = ({ event }: Rehearsed) => order.indexOf(event) + 1 || order.length + 1
const bySay = (one: Rehearsed, other: Rehearsed) => rank(one) - rank(other)

function outcomeOf(told: RehearsedDelivery[] | 'paused'): PlayedOutcome {
  if (told === 'paused') return { ...SKIPPED, detail: 'Webhooks are paused because payouts on this server are paused.' }
  if (told.length === 0) return { ...SKIPPED, detail: 'No outgoing webhook is subscribed to sales or leads.' }
  const problems = told.filter(({ problem }) => problem !== null)
  if (problems.length > 0)
    return failed(`${problems.map(({ name, problem }) => `“${name}” ${problem}`).join('; ')}.`, 'outgoing-webhooks')
  const names = told.map(({ name }) => `“${name}”`).join(', ')
  return { state: 'done', detail: `A test event was sent to ${names}.`, fix: null }
}
