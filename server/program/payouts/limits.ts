import type { AutoPayoutSettingsChange } from '#contract/payout-settings.ts'
import { type LockKey, lockKeys, shareKeys } from '../../platform/database/lock-keys.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'

/** The ceiling per payout, and how many people approve a payout above it. */
export type PayoutLimits = { maxPerPayout: number | null; approvals: 1 | 2 }

/** The limits in force. */
export type LimitsNow = PayoutLimits & {
  /** Since when two have been needed without a break; null while one is enough. */
  twoSince: string | null
  pending: (PayoutLimits & { inForceAt: string }) | null
  /** Whether two were needed once, or will be. */
  everTwo: boolean
}

/** Hours before what loosens the limits comes into force, while two people approve. */
export const HOURS_BEFORE_LOOSER = 72
/** Hours before a person who gets the right to pay counts as one of two. */
const HOURS_BEFORE_COUNTED = 72

const HOUR = 3_600_000

const keyOf = (accountId: string): LockKey => ({ accountId, name: `payout limits ${accountId}` })

/** Locks the limits against changes; taken before any other lock. */
export const shareLimits = (tx: Transaction, accountId: string) => shareKeys(tx, [keyOf(accountId)])

/** Locks the limits for a change: approvals that read the former ones have ended. */
export const lockLimits = (tx: Transaction, accountId: string) => lockKeys(tx, [keyOf(accountId)])

type Row = PayoutLimits & { inForceAt: string; savedAt: string }

/**
 * Reads the limits in force at `db.now`, without a step that applies them. A change saved to act at once counts as soon
 * as it is visible. Null for an account that never required two people.
 */
export async function findLimits(db: Queryable, accountId: string): Promise<LimitsNow | null> {
  const rows = await db.many<Row>`
    select max_per_payout, approvals, in_force_at, saved_at from payout_limits
    where account_id = ${accountId} order by in_force_at`
  const isInForce = ({ inForceAt, savedAt }: Row) => inForceAt === savedAt || Date.parse(inForceAt) <= db.now.getTime()
  const past = rows.filter(isInForce)
  const now = past.at(-1)
  if (!now) return null
  const lastOne = past.findLastIndex(({ approvals }) => approvals === 1)
  const next = rows.find((row) => !isInForce(row))
  return {
    maxPerPayout: now.maxPerPayout,
    approvals: now.approvals,
    twoSince: past[lastOne + 1]?.inForceAt ?? null,
    pending: next ? { maxPerPayout: next.maxPerPayout, approvals: next.approvals, inForceAt: next.inForceAt } : null,
    everTwo: true,
  }
}

/** The limits of an account that never required two people. */
export const oneIsEnough = (maxPerPayout: number | null): LimitsNow => ({
  maxPerPayout,
  approvals: 1,
  twoSince: null,
  pending: null,
  everTwo: false,
})

/** Returns the limits of an account whose own ceiling is this one. */
export const getLimits = async (db: Queryable, accountId: string, maxPerPayout: number | null): Promise<LimitsNow> =>
  (await findLimits(db, accountId)) ?? oneIsEnough(maxPerPayout)

/** Whether a ceiling allows more than another. */
export const isHigher = (next: number | null, before: number | null) =>
  before !== null && (next === null || next > before)

/**
 * Returns the limits that a change leads to in the end. A field that it leaves out keeps what is pending of it.
 * Clearing the ceiling means that one person is enough.
 */
export function wantedLimits(
  now: LimitsNow,
  { maxPerPayout, approvalsAboveCeiling }: Pick<AutoPayoutSettingsChange, 'maxPerPayout' | 'approvalsAboveCeiling'>,
): PayoutLimits {
  const before = now.pending ?? now
  if (maxPerPayout === undefined)
    return { maxPerPayout: before.maxPerPayout, approvals: approvalsAboveCeiling ?? before.approvals }
  if (maxPerPayout === null) return { maxPerPayout, approvals: approvalsAboveCeiling ?? 1 }
  // a ceiling again in place of a cleared one: as many people as before it was cleared
  const approvals = before.maxPerPayout === null ? now.approvals : before.approvals
  return { maxPerPayout, approvals: approvalsAboveCeiling ?? approvals }
}

/**
 * Returns the part of the wanted limits that takes effect at once; the rest is pending. While one person is enough,
 * everything takes effect at once.
 */
export function limitsAtOnce(now: LimitsNow, wanted: PayoutLimits): PayoutLimits {
  if (now.approvals === 1) return wanted
  const maxPerPayout = isHigher(wanted.maxPerPayout, now.maxPerPayout) ? now.maxPerPayout : wanted.maxPerPayout
  return { maxPerPayout, approvals: 2 }
}

const same = (a: PayoutLimits, b: PayoutLimits) => a.maxPerPayout === b.maxPerPayout && a.approvals === b.approvals

/** Saves limits under `lockLimits`. Returns them as they are now, and whether they have become looser than before. */
export async function saveLimits(
  tx: Transaction,
  accountId: string,
  now: LimitsNow,
  wanted: PayoutLimits,
): Promise<{ next: LimitsNow; loosens: boolean }> {
  const atOnce = limitsAtOnce(now, wanted)
  const kept = now.pending && same(now.pending, wanted) ? now.pending : null
  // the time after the lock: approvals that read the former limits were made before it
  const at = new Date(Math.max(tx.database.now.getTime(), tx.now.getTime()))
  const looser = same(atOnce, wanted) ? null : { ...wanted, inForceAt: laterThan(at).toISOString() }
  if (now.approvals === 2 || wanted.approvals === 2) {
    if (now.pending && !kept)
      await tx.run`
        delete from payout_limits where account_id = ${accountId} and in_force_at = ${now.pending.inForceAt}`
    if (!same(atOnce, now)) await insert(tx, accountId, atOnce, at, at)
    if (looser && !kept) await insert(tx, accountId, looser, new Date(looser.inForceAt), at)
  } else if (!same(now, wanted) && (await findLimits(tx, accountId))) await insert(tx, accountId, wanted, at, at)
  const pending = looser && (kept ?? looser)
  const twoSince = atOnce.approvals === 1 ? null : (now.twoSince ?? at.toISOString())
  return {
    next: { ...atOnce, twoSince, pending, everTwo: now.everTwo || atOnce.approvals === 2 },
    loosens: pending !== null && !kept,
  }
}

const laterThan = (at: Date) => new Date(at.getTime() + HOURS_BEFORE_LOOSER * HOUR)

const insert = (
  tx: Transaction,
  accountId: string,
  { maxPerPayout, approvals }: PayoutLimits,
  from: Date,
  at: Date,
) => tx.run`
  insert into payout_limits (account_id, in_force_at, max_per_payout, approvals, saved_at)
  values (${accountId}, ${from}, ${maxPerPayout}, ${approvals}, ${at})
  on conflict (account_id, in_force_at) do update
    set max_per_payout = excluded.max_per_payout, approvals = excluded.approvals, saved_at = excluded.saved_at`

/** When a person who got the right to pay then counts as one of two. */
export function countsFrom({ twoSince }: LimitsNow, since: string): Date {
  const got = Date.parse(since)
  const had = twoSince !== null && got <= Date.parse(twoSince)
  return new Date(had ? got : got + HOURS_BEFORE_COUNTED * HOUR)
}
