import { createGroup } from '../../platform/database/group.ts'
import { type Database, type Queryable, rerun } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import { clicksKept } from './click-measures.ts'
import { type AlikeClicks, HOUR_MS, insertClicks, type NewClick } from './queries.ts'

/**
 * Keeps visits and counts them, but for those of bots. A click is unique once an hour per visitor and link; one whose
 * visitor is not known always is. Returns of each whether it was kept: one whose partner was deleted meanwhile is not.
 */
export async function recordClicks(db: Queryable, clicks: NewClick[], lockTimeoutMs?: number): Promise<boolean[]> {
  if (clicks.length === 0) return []
  const partners = new Set(await insertClicks(db, gatherAlike(clicks), lockTimeoutMs))
  return clicks.map(({ partnerId }) => partners.has(partnerId))
}

/** Keeps one visit: the promise settles once its click is committed. */
export type RecordClick = (click: NewClick) => Promise<void>

/** A visitor waits no longer for the click to be kept. */
const PATIENCE_MS = 1000

/** Takes the visits of a process together, in group commits; whoever keeps clicks one by one is given the same. */
export const createRecorder = (db: Database): RecordClick =>
  createGroup<NewClick, void>(
    async (clicks, lockTimeoutMs) => {
      const kept = await rerun(() => recordClicks(db, clicks, lockTimeoutMs))
      for (const [index, { source }] of clicks.entries()) if (kept[index]) clicksKept.add(source)
      return kept.map((isKept) => (isKept ? undefined : notFound()))
    },
    { max: 500, accountOf: ({ accountId }) => accountId, patienceMs: PATIENCE_MS },
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

/** A text for each value of all but id and visitor. None of them has line breaks but the last, and none is empty. */
function whatIsShared(click: NewClick, unique: boolean) {
  const { accountId, blueprintId, partnerId, day, at, userAgentClass, country, isBot, source, referrerHost } = click
  return `${accountId}\n${blueprintId ?? ''}\n${partnerId}\n${day}\n${at.getTime()}\n${userAgentClass ?? ''}\n${country ?? ''}\n${isBot}\n${source}\n${unique}\n${referrerHost ?? ''}\n${click.landingPath ?? ''}`
}

/** Tells of one click after the other whether none before it was its visitor's on this link within an hour. */
function firstsOfVisitors() {
  const last = new Map<string, number>()
  return ({ ipHash, partnerId, blueprintId, at }: NewClick) => {
    if (ipHash === null) return true
    const key = `${ipHash} ${partnerId} ${blueprintId}`
    const before = last.get(key)
    if (before !== undefined && Math.abs(at.getTime() - before) < HOUR_MS) return false
    last.set(key, at.getTime())
    return true
  }
}
