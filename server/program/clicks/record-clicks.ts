import { createGroup } from '../../platform/database/group.ts'
import { type Database, type Queryable, rerun } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import { insertClicks, type NewClick } from './queries.ts'

const HOUR_MS = 3_600_000

/**
 * Keeps visits and counts them, but for those of bots. A click is unique once an hour per visitor and link; one whose
 * visitor is not known always is. Answers of each whether it was kept: one whose partner was deleted meanwhile is not.
 */
export async function recordClicks(db: Queryable, clicks: NewClick[], lockTimeoutMs?: number): Promise<boolean[]> {
  if (clicks.length === 0) return []
  const partners = new Set(await insertClicks(db, markUnique(clicks), lockTimeoutMs))
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
      return kept.map((isKept) => (isKept ? undefined : notFound()))
    },
    { max: 500, accountOf: ({ accountId }) => accountId, patienceMs: PATIENCE_MS },
  )

function markUnique(clicks: NewClick[]) {
  const last = new Map<string, number>()
  return clicks.map((click) => {
    if (click.isBot) return { ...click, unique: false }
    if (!click.ipHash) return { ...click, unique: true }
    const key = `${click.ipHash} ${click.partnerId} ${click.blueprintId}`
    const before = last.get(key)
    const unique = before === undefined || Math.abs(click.at.getTime() - before) >= HOUR_MS
    if (unique) last.set(key, click.at.getTime())
    return { ...click, unique }
  })
}
