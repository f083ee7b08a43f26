import type { PromotionCodeRule } from '#contract/payment-providers.ts'
import { paymentProviderNames } from '#contract/sales.ts'
import { markConnectionFailing } from '#server/integrations/payment-providers/connection-problems.ts'
import { type ConnectionToAsk, findConnectionToAsk } from '#server/integrations/payment-providers/connections.ts'
import { type CodeToMake, PaymentProviderError } from '#server/integrations/payment-providers/provider.ts'
import { findAdapter } from '#server/integrations/payment-providers/registry.ts'
import { getProviderAccess, openCredentials } from '#server/integrations/payment-providers/secrets.ts'
import { providerReachable } from '#server/integrations/payment-providers/signals.ts'
import { newId } from '#server/platform/database/ids.ts'
import { type Queryable, type Transaction, transaction } from '#server/platform/database/pool.ts'
import type { Listener } from '#server/platform/events/relay.ts'
import type { Jobs } from '#server/platform/jobs/queue.ts'
import { notFound, refusal } from '#server/platform/refusal.ts'
import type { Services } from '#server/platform/services.ts'
import { rewardsOfPartners } from '#server/program/access/customer-groups.ts'
import { findPartnerRow } from '#server/program/partners/erase-partner.ts'
import type { PromotionCode, PromotionCodeOffer } from '../contract.ts'
import { buildCodeCandidate } from './code-candidates.ts'
import {
  codesDue,
  codesOfPartner,
  deleteMadeCode,
  insertIntent,
  lockMadeCode,
  type MadeCode,
  missedByShop,
  saveMadeCode,
  shopsMaking,
  turnAfterLast,
  wakeCodesOfPartners,
  wakeCodesOfShop,
} from './code-queries.ts'
import { creditMadeCode, findPromotionCode, promotionCodesAmong, reservePromotionCode } from './promotion-codes.ts'
import { madeCodeQueue } from './queue.ts'

/** Candidates that a provider may refuse as taken. */
const MOST_REFUSED = 5
/** Longer than all calls of a step together. */
const CLAIM_MS = 120_000
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000
/** Steps of one job: a code is made, then turned off if its partner was suspended meanwhile. */
const STEPS = 2 * MOST_REFUSED

/**
 * Intends to make a code for a partner at a shop, once they are active; ignored if they have one of it. The code is
 * reserved at once, so that no other partner gets it.
 */
async function intend(
  tx: Transaction,
  jobs: Jobs,
  {
    accountId,
    partnerId,
    shopId,
    rule,
  }: { accountId: string; partnerId: string; shopId: string; rule: PromotionCodeRule },
): Promise<void> {
  const partner = await findPartnerRow(tx, accountId, partnerId)
  if (!partner || partner.erasedAt) return
  const id = newId()
  if (!(await insertIntent(tx, { id, accountId, shopId, partnerId, rule }))) return
  const row = (await lockMadeCode(tx, accountId, id))!
  // numbers of thousands of partners would otherwise be tried from 1 for each
  const from = rule.pattern.includes('{name}') ? 0 : await turnAfterLast(tx, row)
  const reserved = await reserve(tx, row, partner, from)
  await saveMadeCode(tx, row, { ...row, ...reserved, nextAt: tx.now, claimedUntil: null })
  await jobs.add(tx, madeCodeQueue, { accountId, codeId: id })
}

type Partner = NonNullable<Awaited<ReturnType<typeof findPartnerRow>>>

/** Reserves the first free candidate from this turn on. */
async function reserve(tx: Transaction, { accountId, id, partnerId, rule }: MadeCode, partner: Partner, from: number) {
  const candidate = (turn: number) => buildCodeCandidate(rule, partner, turn)
  for (let turn = from; ; turn = await nextFree(tx, accountId, candidate, turn + 1)) {
    const code = candidate(turn)
    if (await reservePromotionCode(tx, accountId, { id, partnerId, code })) return { code, turn }
  }
}

const MOST_ASKED = 1000

/** Returns the first turn from this one on whose candidate no partner has: thousands may have the name. */
async function nextFree(tx: Transaction, accountId: string, candidate: (turn: number) => string, from: number) {
  for (let first = from, some = 8; ; first += some, some = Math.min(2 * some, MOST_ASKED)) {
    const codes = Array.from({ length: some }, (_, at) => candidate(first + at).toLowerCase())
    const taken = await promotionCodesAmong(tx, accountId, codes)
    const free = codes.findIndex((code) => !taken.has(code))
    if (free >= 0) return first + free
  }
}

/**
 * Follows partners: makes codes for new ones, also for those who joined while the provider was disconnected, and turns
 * codes off and on with them.
 */
export const codeListener: Listener = async (tx, events, { jobs }) => {
  for (const { type, accountId, data } of events) {
    if (!accountId) continue
    const { object } = data as { object?: { id: string; partnerId?: string } }
    if (type === 'partner.created')
      for (const shop of await shopsMaking(tx, accountId, { partnerId: object!.id, when: 'approval' }))
        await intend(tx, jobs, { accountId, partnerId: object!.id, ...shop })
    if (type === 'payment-provider.connected')
      for (const missed of await missedByShop(tx, accountId, object!.id))
        await intend(tx, jobs, { accountId, ...missed })
    if (type === providerReachable.type)
      await jobs.addAll(tx, madeCodeQueue, await wakeCodesOfShop(tx, accountId, (data as { shopId: string }).shopId))
    const partnerId = type === 'promotion-code.removed' ? object!.partnerId! : object?.id
    if (/^partner\.(updated|erased|deleted)$|^promotion-code\.removed$/.test(type) && partnerId)
      await jobs.addAll(tx, madeCodeQueue, await wakeCodesOfPartners(tx, accountId, [partnerId]))
  }
}

/** Queues codes whose next call is due: retries, and those whose process died. */
export const makeDueCodes = ({ db, jobs }: Services) =>
  transaction(db, async (tx) => {
    const due = await codesDue(tx)
    if (due.length > 0) await jobs.addAll(tx, madeCodeQueue, due)
  })

export async function codeOffer(db: Queryable, accountId: string, partnerId: string): Promise<PromotionCodeOffer> {
  const { usable, making, failed } = await codesOfPartner(db, accountId, partnerId)
  const offered =
    usable + making + failed === 0 && (await shopsMaking(db, accountId, { partnerId, when: 'asking' })).length > 0
  return { offered, waiting: usable === 0 && making > 0 }
}

/** Makes a code for the partner who requests one, at every shop that offers it. Refuses: `code_not_offered`. */
export async function requestCode(
  tx: Transaction,
  jobs: Jobs,
  accountId: string,
  partnerId: string,
): Promise<PromotionCodeOffer> {
  const { offered, waiting } = await codeOffer(tx, accountId, partnerId)
  if (!offered && !waiting) throw refusal('code_not_offered')
  for (const shop of await shopsMaking(tx, accountId, { partnerId, when: 'asking' }))
    await intend(tx, jobs, { accountId, partnerId, ...shop })
  return codeOffer(tx, accountId, partnerId)
}

/** Tries a failed code again, from its present candidate on. Refuses: `code_not_failed`. */
export async function retryCode(
  tx: Transaction,
  jobs: Jobs,
  accountId: string,
  { partnerId, codeId }: { partnerId: string; codeId: string },
): Promise<PromotionCode> {
  const code = await findPromotionCode(tx, accountId, codeId)
  if (code?.partnerId !== partnerId) throw notFound()
  const row = await lockMadeCode(tx, accountId, codeId)
  if (row?.state !== 'failed') throw refusal('code_not_failed')
  const state = row.madeId ? 'off' : 'making'
  await saveMadeCode(tx, row, { ...row, state, refused: 0, reason: null, nextAt: tx.now, claimedUntil: null })
  await jobs.add(tx, madeCodeQueue, { accountId, codeId })
  return code
}

type Step = 'make' | 'find' | 'on' | 'off'
type Task = { row: MadeCode; step: Step; connection: ConnectionToAsk }

/**
 * Brings a code to its wanted state, call by call. The intent of each call is saved before it, so a call whose response
 * is lost is repeated and makes no second code; one worker at a time has the code.
 */
export async function workOnCode(services: Services, { accountId, codeId }: { accountId: string; codeId: string }) {
  const { db } = services
  for (let step = 0; step < STEPS; step++) {
    const task = await transaction(db, (tx) => claim(tx, accountId, codeId))
    if (!task) return
    const outcome = await carryOut(services, task)
    if ('error' in outcome && outcome.error.kind === 'refused')
      await markConnectionFailing(db, task.connection.id, outcome.error.message)
    await transaction(db, (tx) => conclude(tx, task, outcome))
  }
}

/** Returns the next call to make, saved as claimed; undefined if there is none now. */
async function claim(tx: Transaction, accountId: string, id: string): Promise<Task | undefined> {
  const row = await lockMadeCode(tx, accountId, id)
  if (!row || isAhead(row.claimedUntil, tx.now) || isAhead(row.nextAt, tx.now)) return
  const partner = await findPartnerRow(tx, accountId, row.partnerId)
  const step = nextStep(row, partner?.storedState === 'active' && !partner.erasedAt)
  if (step === 'forget') return void (await deleteMadeCode(tx, row))
  const rest = { ...row, claimedUntil: null }
  if (!step)
    return void (await saveMadeCode(tx, row, {
      ...rest,
      reason: row.state === 'failed' ? row.reason : null,
      nextAt: null,
    }))
  const connection = await findConnectionToAsk(tx, row.shopId)
  if (!connection) {
    const reason = `${paymentProviderNames[row.provider]} isn’t connected. Connect it again to go on.`
    return void (await saveMadeCode(tx, row, { ...rest, reason, nextAt: after(tx.now, LONGEST_WAIT_MS) }))
  }
  const until = after(tx.now, CLAIM_MS)
  await saveMadeCode(tx, row, { ...row, tries: row.tries + 1, nextAt: until, claimedUntil: until })
  return { row: { ...row, tries: row.tries + 1 }, step, connection }
}

const isAhead = (at: string | null, now: Date) => at !== null && Date.parse(at) > now.getTime()
const after = (now: Date, ms: number) => new Date(now.getTime() + ms)

/** A code whose first call may have arrived is looked for before it is forgotten. */
function nextStep({ state, removedAt, tries, code }: MadeCode, isActive: boolean): Step | 'forget' | null {
  const wanted = isActive && !removedAt
  if (state === 'making') {
    if (wanted) return 'make'
    if (tries > 0 && code !== null) return 'find'
    return removedAt ? 'forget' : null
  }
  // a call that was tried may have arrived without its answer
  const isSure = tries === 0
  if (state === 'on') return wanted ? (isSure ? null : 'on') : 'off'
  if (state === 'off' && wanted) return 'on'
  if (state === 'off' && !isSure) return 'off'
  return removedAt ? 'forget' : null
}

type Outcome = { madeId: string | null } | { isOn: boolean } | { error: PaymentProviderError }

/** Makes the call of a step. */
async function carryOut(services: Services, { row, step, connection }: Task): Promise<Outcome> {
  const { codes } = findAdapter(row.provider)!
  const credentials = openCredentials(services.secrets, connection)
  const reach = getProviderAccess(services, row.provider)
  const { id, code, turn, partnerId, rule } = row
  try {
    if (!credentials || !codes) throw new PaymentProviderError('keyless', 'The connection has no key.')
    if (step === 'on' || step === 'off') {
      const isOn = step === 'on'
      await codes.turn(credentials, reach, row.madeId!, isOn).catch((error: unknown) => {
        if (isOn || !(error instanceof PaymentProviderError) || error.kind !== 'missing') throw error
      })
      return { isOn }
    }
    const firstPurchaseOnly = (await rewardsOfPartners(services.db, row.accountId, [partnerId])).has(partnerId)
    const currency = connection.defaultCurrency ?? 'usd'
    const wanted: CodeToMake = { id, code: code!, turn, partnerId, rule, currency, firstPurchaseOnly }
    // the answer to an earlier try may have been lost
    const found = step === 'find' || row.tries > 1 ? await codes.find(credentials, reach, wanted) : null
    return { madeId: found ?? (step === 'make' ? await codes.make(credentials, reach, wanted) : null) }
  } catch (error) {
    if (error instanceof PaymentProviderError) return { error }
    throw error
  }
}

/** Saves the outcome of a step, unless another worker took over after the claim expired. */
async function conclude(tx: Transaction, { row: before, step }: Task, outcome: Outcome): Promise<void> {
  const row = await lockMadeCode(tx, before.accountId, before.id)
  if (!row || row.state !== before.state || row.turn !== before.turn) return
  const rest = { ...row, reason: null, nextAt: tx.now, claimedUntil: null }
  if ('error' in outcome)
    return void (await saveMadeCode(tx, row, { ...rest, ...afterError(tx.now, row, outcome.error) }))
  if ('isOn' in outcome)
    return void (await saveMadeCode(tx, row, { ...rest, state: outcome.isOn ? 'on' : 'off', tries: 0 }))
  if (outcome.madeId) {
    await saveMadeCode(tx, row, { ...rest, state: 'on', madeId: outcome.madeId, tries: 0 })
    return creditMadeCode(tx, row.accountId, row.id)
  }
  if (step === 'find') return void (await saveMadeCode(tx, row, { ...rest, tries: 0 }))
  await saveMadeCode(tx, row, { ...rest, tries: 0, ...(await nextCandidate(tx, row)) })
}

/** Goes on to the next candidate after one was refused as taken. */
async function nextCandidate(tx: Transaction, row: MadeCode) {
  const refused = row.refused + 1
  const name = paymentProviderNames[row.provider]
  const reason = `${name} already has ${row.code}, and the codes before it. Try again, or change the pattern.`
  if (refused >= MOST_REFUSED) return { refused, state: 'failed' as const, reason, nextAt: null }
  const partner = await findPartnerRow(tx, row.accountId, row.partnerId)
  return partner && !row.removedAt && row.code !== null
    ? { refused, ...(await reserve(tx, row, partner, row.turn + 1)) }
    : { refused }
}

function afterError(now: Date, { state, tries }: MadeCode, { kind, message, retryAfterMs }: PaymentProviderError) {
  if (kind === 'invalid' || kind === 'missing')
    return state === 'on'
      ? { reason: message, nextAt: after(now, LONGEST_WAIT_MS) }
      : { state: 'failed' as const, reason: message, nextAt: null }
  const wait = kind === 'unavailable' ? (retryAfterMs ?? FIRST_WAIT_MS * 2 ** Math.min(tries, 10)) : LONGEST_WAIT_MS
  return { reason: message, nextAt: after(now, Math.min(wait, LONGEST_WAIT_MS)) }
}
