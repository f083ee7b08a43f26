import { createGroup } from '../../platform/database/group.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'
import { type Change, count } from '../stats/count.ts'
import { insertClicks, type NewClick } from './queries.ts'

const HOUR_MS = 3_600_000

/**
 * Keeps visits and counts them, but for those of bots. A click is unique once an hour per visitor and link; one whose
 * visitor is not known always is.
 */
export async function recordClicks(tx: Transaction, clicks: NewClick[]): Promise<void> {
  if (clicks.length === 0) return
  const unique = await insertClicks(tx, markUnique(clicks))
  await count(tx, figuresOf(clicks, unique))
}

/** Keeps one visit: the promise settles once its click is committed. */
export type RecordClick = (click: NewClick) => Promise<void>

/** A visitor waits no longer for the click to be kept. */
const PATIENCE_MS = 1000

/** Takes the visits of a process together, in group commits; whoever keeps clicks one by one is given the same. */
export const createRecorder = (db: Database): RecordClick =>
  createGroup<NewClick, void>(
    db,
    async (tx, clicks) => {
      await recordClicks(tx, clicks)
      return clicks.map(() => undefined)
    },
    { max: 500, accountOf: ({ accountId }) => accountId, patienceMs: PATIENCE_MS },
  )

function markUnique(clicks: NewClick[]) {
  const last = new Map<string, number>()
  return clicks.map((click) => {
    if (click.isBot) return { ...click, unique: false }
    if (!click.ipHash) return { ...click, unique: true }
    const key = `${click.ipHash.toString('latin1')} ${click.partnerId} ${click.blueprintId}`
    const before = last.get(key)
    const unique = before === undefined || Math.abs(click.at.getTime() - before) >= HOUR_MS
    if (unique) last.set(key, click.at.getTime())
    return { ...click, unique }
  })
}

/** One change for each link and day. */
function figuresOf(clicks: NewClick[], unique: Set<string>): Change[] {
  const changes = new Map<string, Change & { clicks: number; uniqueClicks: number }>()
  for (const { id, accountId, partnerId, blueprintId, day, isBot } of clicks) {
    if (isBot) continue
    const key = `${partnerId} ${blueprintId} ${day}`
    let change = changes.get(key)
    if (!change) {
      change = { accountId, partnerId, blueprintId, day, clicks: 0, uniqueClicks: 0 }
      changes.set(key, change)
    }
    change.clicks++
    if (unique.has(id)) change.uniqueClicks++
  }
  return [...changes.values()]
}
