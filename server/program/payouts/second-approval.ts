import { createHash } from 'node:crypto'
import type { Author } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivities } from '../../platform/events/emit-event.ts'
import { Refusal, refusal } from '../../platform/refusal.ts'
import { paySince } from '../access/payers.ts'
import { personNameSql } from '../partner-directory/partner-names.ts'
import { countsFrom } from './limits.ts'
import { type Due, readDue } from './payout-entries.ts'
import type { PayoutTerms } from './payout-terms.ts'
import { createTaxCalculator } from './taxes.ts'

/** The facts of a payout that an approval sees: another approval counts only while they are the same. */
export type Seen = Pick<Due, 'ids' | 'amount'> & { taxAmount: number; version: string | null }

/** An open first approval; `paySince` is null if its person may no longer pay. */
export type FirstApproval = {
  id: string
  payoutId: string
  userId: string
  name: string
  at: string
  amount: number
  entries: Buffer
  detailsVersion: string | null
  paySince: string | null
}

/** Whether two people must approve a payout of this amount. */
export const needsTwo = ({ limits }: PayoutTerms, amount: number) =>
  limits.approvals === 2 && limits.maxPerPayout !== null && amount > limits.maxPerPayout

/** The digest of the entries, and of the tax that leaves beside their sum, if any. */
const digest = ({ ids, taxAmount }: Seen) =>
  createHash('sha256')
    .update([...ids].sort().join() + (taxAmount === 0 ? '' : ` and ${taxAmount}`))
    .digest()

/** Returns the open first approvals of these payouts, by payout. They may no longer count. */
export async function firstApprovals(
  db: Queryable,
  accountId: string,
  payoutIds: string[],
): Promise<Map<string, FirstApproval>> {
  if (payoutIds.length === 0) return new Map()
  const rows = await db.many<FirstApproval>`
    select a.id, a.payout_id, a.user_id, ${personNameSql(sql`u`)} as name, a.at, a.amount,
      a.entries, a.details_version, ${paySince(sql`r`)} as pay_since
    from payout_approvals a
      join users u on u.id = a.user_id
      left join user_roles r on r.account_id = a.account_id and r.user_id = a.user_id and r.type like 'account-%'
    where a.account_id = ${accountId} and a.payout_id = any(${payoutIds}::uuid[]) and a.completed_at is null`
  return new Map(rows.map((row) => [row.payoutId, row]))
}

/** Returns the first approvals that the present approvals of these payouts completed, by payout. */
export async function completedApprovals(db: Queryable, accountId: string, payoutIds: string[]) {
  if (payoutIds.length === 0) return new Map()
  const rows = await db.many<{ payoutId: string; userId: string; name: string; at: string }>`
    select a.payout_id, a.user_id, ${personNameSql(sql`u`)} as name, a.at
    from payout_approvals a join users u on u.id = a.user_id
      join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where a.account_id = ${accountId} and a.payout_id = any(${payoutIds}::uuid[]) and a.completed_at = o.approved_at`
  return new Map(rows.map((row) => [row.payoutId, row]))
}

/** Returns a payout's first approval if it still counts: what it saw is the same, and its person may still pay. */
export function stillCounting(first: FirstApproval | undefined, seen: Seen): FirstApproval | undefined {
  if (!first) return undefined
  const sameFacts =
    first.amount === seen.amount && first.detailsVersion === seen.version && first.entries.equals(digest(seen))
  const stillPays = first.paySince !== null && Date.parse(first.paySince) <= Date.parse(first.at)
  return sameFacts && stillPays ? first : undefined
}

/** A person who approves, with the moment at which they got the right to pay; null without it. */
export type ApprovingPerson = { userId: string; paySince: string | null }

/** Locks the person's role, which stays as it is until the transaction ends. */
export async function lockApprovingPerson(
  tx: Transaction,
  accountId: string,
  userId: string,
): Promise<ApprovingPerson> {
  const role = await tx.maybe<{ paySince: string | null }>`
    select ${paySince(sql`r`)} as pay_since from user_roles r
    where r.account_id = ${accountId} and r.user_id = ${userId} and r.type like 'account-%' for share`
  return { userId, paySince: role?.paySince ?? null }
}

/** Locks the roles of those who approved first. */
export const lockFirst = (tx: Transaction, accountId: string, firsts: Iterable<FirstApproval>) => tx.run`
  select from user_roles r
  where r.account_id = ${accountId} and r.user_id = any(${[...new Set([...firsts].map(({ userId }) => userId))]}::uuid[])
    and r.type like 'account-%'
  order by r.user_id for share`

/**
 * Judges an approval that needs two people. Returns the first one that it completes; undefined if it is the first
 * itself.
 * Refuses: `role_not_allowed` without the right to pay; `pay_too_new` to a person who got it lately;
 * `second_person_needed` to the person who approved first.
 */
export function judgeApproval(
  { limits }: PayoutTerms,
  now: Date,
  person: ApprovingPerson | null,
  first: FirstApproval | undefined,
): FirstApproval | undefined {
  if (!person?.paySince) throw refusal('role_not_allowed')
  const from = countsFrom(limits, person.paySince)
  if (from > now) throw refusal('pay_too_new', { details: { from: from.toISOString() } })
  if (first?.userId === person.userId) throw refusal('second_person_needed')
  return first
}

type New = { payoutId: string; seen: Seen }

/** Records first approvals by a person in place of those that no longer count. */
export async function recordFirst(tx: Transaction, by: Author, accountId: string, made: New[]): Promise<void> {
  if (made.length === 0) return
  await tx.run`
    insert into payout_approvals (id, account_id, payout_id, user_id, at, amount, entries, details_version)
    select v.id, ${accountId}, v.payout_id, ${by.id}, ${tx.now}, v.amount, v.entries, v.details_version
    from unnest(${made.map(() => newId())}::uuid[], ${made.map(({ payoutId }) => payoutId)}::uuid[],
      ${made.map(({ seen }) => seen.amount)}::bigint[], ${made.map(({ seen }) => digest(seen))}::bytea[],
      ${made.map(({ seen }) => seen.version)}::uuid[])
      as v (id, payout_id, amount, entries, details_version)
    on conflict (account_id, payout_id) where completed_at is null do update
      set user_id = excluded.user_id, at = excluded.at, amount = excluded.amount, entries = excluded.entries,
        details_version = excluded.details_version`
  await recordActivities(
    tx,
    by,
    accountId,
    made.map(({ payoutId, seen }) => ({
      type: 'payout.first-approval' as const,
      id: payoutId,
      changes: { amount: { old: null, new: seen.amount } },
    })),
  )
}

/** Records that these first approvals were completed by approvals made now. */
export const completeFirst = (tx: Transaction, accountId: string, firsts: FirstApproval[]) => tx.run`
  update payout_approvals set completed_at = ${tx.now}
  where account_id = ${accountId} and id = any(${firsts.map(({ id }) => id)}::uuid[])`

/** Hands a canceled payout's first approval on to the partner's next payout, which it counts for if all is the same. */
export const carryFirst = (tx: Transaction, accountId: string, payoutId: string, partnerId: string) => tx.run`
  update payout_approvals a set payout_id = o.id
  from payouts o
  where a.account_id = ${accountId} and a.payout_id = ${payoutId} and a.completed_at is null
    and o.account_id = ${accountId} and o.partner_id = ${partnerId} and o.status = 'gathering'`

/**
 * Completes the first approval of a payout that is paid by other means, under its lock; does nothing if one person is
 * enough. Refuses: `second_person_needed` without one by another person that counts, and as `judgeApproval`.
 */
export async function completeApproval(
  tx: Transaction,
  terms: PayoutTerms,
  userId: string,
  payoutId: string,
  seen: Seen,
): Promise<void> {
  const { account, limits } = terms
  if (needsTwo(terms, seen.amount + seen.taxAmount)) {
    const open = await firstApprovals(tx, account.id, [payoutId])
    if (open.size > 0) await lockFirst(tx, account.id, open.values())
    const first = (await firstApprovals(tx, account.id, [payoutId])).get(payoutId)
    const person = await lockApprovingPerson(tx, account.id, userId)
    const completed = judgeApproval(terms, tx.now, person, stillCounting(first, seen))
    if (!completed) throw refusal('second_person_needed')
    await completeFirst(tx, account.id, [completed])
  }
  if (limits.everTwo) await deleteFirstApprovals(tx, account.id, [payoutId])
}

type PayoutFromFile = { id: string; partnerId: string; amount: number; payAmount: number }

/**
 * Judges payouts that are due again, but that a file may have paid all the same: two people approved what was filed, or
 * another person than the one who reports it has approved first what is due now. Returns the refusal of each other one.
 */
export async function refusedAfterAll(
  tx: Transaction,
  terms: PayoutTerms,
  userId: string | null,
  payouts: PayoutFromFile[],
): Promise<Map<string, Refusal>> {
  const { account } = terms
  const those = payouts.filter(({ payAmount }) => needsTwo(terms, payAmount))
  const refused = new Map<string, Refusal>()
  if (those.length === 0) return refused
  const ids = those.map(({ id }) => id)
  const completed = await tx.many<{ payoutId: string; amount: number }>`
    select payout_id, amount from payout_approvals
    where account_id = ${account.id} and payout_id = any(${ids}::uuid[]) and completed_at is not null`
  const open = await firstApprovals(tx, account.id, ids)
  const person = userId ? await lockApprovingPerson(tx, account.id, userId) : null
  const partnerIds = those.map(({ partnerId }) => partnerId)
  const dueTo = await readDue(tx, account.id, partnerIds, tx.now)
  const taxOf = await createTaxCalculator(tx, terms, partnerIds)
  const versions = new Map(
    (
      await tx.many<{ partnerId: string; version: string }>`
        select partner_id, version from payout_settings
        where account_id = ${account.id} and partner_id = any(${partnerIds}::uuid[])`
    ).map(({ partnerId, version }) => [partnerId, version]),
  )
  for (const { id, partnerId, amount } of those) {
    if (completed.some((one) => one.payoutId === id && one.amount === amount)) continue
    const due = dueTo(partnerId)
    const { taxAmount } = taxOf(partnerId, due.amount)
    const first = stillCounting(open.get(id), { ...due, taxAmount, version: versions.get(partnerId) ?? null })
    try {
      if (!judgeApproval(terms, tx.now, person, first)) throw refusal('second_person_needed')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(id, error)
    }
  }
  return refused
}

/** Ends first approvals of payouts that were approved without need of two, so that they are taken for none later. */
export const deleteFirstApprovals = (tx: Transaction, accountId: string, payoutIds: string[]) => tx.run`
  delete from payout_approvals
  where account_id = ${accountId} and payout_id = any(${payoutIds}::uuid[]) and completed_at is null`
