import type { Homes } from '../../platform/database/cluster/homes.ts'
import { servesSpread } from '../../platform/database/cluster/spread.ts'
import { createCommitGroup } from '../../platform/database/group-commit.ts'
import { type Database, type Transaction, transaction, withRetries } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import { clicksKept } from './click-measures.ts'
import { type AlikeClicks, HOUR_MS, insertClicks, insertClicksInSteps, type NewClick } from './queries.ts'

/**
 * Stores visits and counts them, except those of bots. A click is unique once an hour per visitor and link; one of an
 * unknown visitor always is. Returns for each whether it was stored: not if its partner was deleted meanwhile.
 */
export async function recordClicks(
  db: Database | Transaction,
  clicks: NewClick[],
  lockTimeoutMs?: number,
): Promise<boolean[]> {
  if (clicks.length === 0) return []
  const alike = gatherAlike(clicks)
  const partners = new Set(
    (await servesSpread(db))
      ? await insertByAccount(db, alike, lockTimeoutMs)
      : await insertClicks(db, alike, lockTimeoutMs),
  )
  return clicks.map(({ partnerId }) => partners.has(partnerId))
}

const insertByAccount = (db: Database | Transaction, alike: AlikeClicks[], lockTimeoutMs?: number) =>
  transaction(
    db,
    async (tx) => {
      const partnerIds: string[] = []
      for (const [accountId, clicks] of Map.groupBy(alike, ({ shared }) => shared.accountId))
        partnerIds.push(...(await insertClicksInSteps(tx, accountId, clicks)))
      return partnerIds
    },
    lockTimeoutMs === undefined ? {} : { lockTimeoutMs },
  )

/** Stores one visit: the promise settles once its click is committed. */
export type RecordClick = (click: NewClick) => Promise<void>

/** Longest wait of a visitor for the click to be stored, in milliseconds. */
const PATIENCE_MS = 1000

/** Records the visits of a process together, in group commits; the caller records each click separately. */
export const createRecorder = (homes: Homes): RecordClick =>
  createCommitGroup<NewClick, void>(
    async (clicks, lockTimeoutMs) => {
      const record = (db: Database) => withRetries(() => recordClicks(db, clicks, lockTimeoutMs))
      const accountIds = clicks.map(({ accountId }) => accountId)
      const kept = await homes.at([...new Set(accountIds)], record)
      for (const [index, { source }] of clicks.entries()) if (kept[index]) clicksKept.add(source)
      return kept.map((isKept) => (isKept ? undefined : notFound()))
    },
    { max: 500, accountOf: ({ accountId }) => accountId, patienceMs: PATIENCE_MS, placeOf: homes.placeOf },
  )

function gatherAlike(clicks: NewClick[]): AlikeClicks[] {
  const isFirst = firstsOfVisitors()
  const alike = new Map<string, AlikeClicks>()
  for (const click of clicks) {
    const unique = !click.isBot && isFirst(click)
    const key = whatIsShared(click, unique)
    const others = alike.get(key)
    if (others) {
      others.ids.push(click.id)
      others.ipHashes.push(click.ipHash)
    } else alike.set(key, { shared: click, unique, ids: [click.id], ipHashes: [click.ipHash] })
  }
  return [...alike.values()]
}

/** Returns a key of all values but id and visitor. No value but the last contains line breaks, and none is empty. */
function whatIsShared(click: NewClick, unique: boolean) {
  const { accountId, blueprintId, partnerId, day, at, userAgentClass, country, isBot, source, referrerHost } = click
  const { linkId, subId, paidParameters } = click
  return `${accountId}\n${blueprintId ?? ''}\n${partnerId}\n${day}\n${at.getTime()}\n${userAgentClass ?? ''}\n${country ?? ''}\n${isBot}\n${source}\n${unique}\n${linkId ?? ''}\n${subId ?? ''}\n${paidParameters ?? ''}\n${referrerHost ?? ''}\n${click.landingPath ?? ''}`
}

/**
 * Returns a function that checks for each click in turn whether it is its visitor's first on this link within an hour.
 */
function firstsOfVisitors() {
  const firsts = new Map<string, number[]>()
  return ({ ipHash, partnerId, blueprintId, at }: NewClick) => {
    if (ipHash === null) return true
    const key = `${ipHash} ${partnerId} ${blueprintId}`
    const others = firsts.get(key) ?? []
    if (others.some((other) => Math.abs(at.getTime() - other) < HOUR_MS)) return false
    firsts.set(key, [...others, at.getTime()])
    return true
  }
}
