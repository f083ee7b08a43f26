import { eachAccount } from '../../platform/database/by-key.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** Joins entries `t` with the approved payout `p` that contains them, if any. */
export const payoutOfEntry = sql`left join payout_entries pe on pe.account_id = t.account_id and pe.entry_id = t.id and pe.live
  left join payouts p on p.account_id = pe.account_id and p.id = pe.payout_id`

/** Sales `s` that may keep their entries from becoming due for a reason other than age. */
export const salesSettingAside = sql`(
  select account_id, id, status, disputed, hold_rule, held_until from sales
  where disputed or hold_rule is not null or status = 'void') s`

/**
 * The sale whose hold is that of entry `t`: its own, the one that made its lead a customer, or the one whose commission
 * it settles.
 */
export const holdingSale = sql`coalesce(t.sale_id, t.won_sale_id, t.settles_sale_id)`

/** Joins entries `t` with the sale `s` that may hold them and the approved payout `p` that contains them, if any. */
export const itsSaleAndPayout = sql`left join sales s on s.account_id = t.account_id and s.id = ${holdingSale}
  ${payoutOfEntry}`

/** Entries `t` with their sale and payout. */
export const entriesWithPayout = sql`commission_entries t
  ${itsSaleAndPayout}`

/**
 * Like `entriesWithPayout`, for sums: `s` is joined only if the sale sets its earnings aside, since an index contains
 * those few.
 */
export const entriesSetAside = sql`commission_entries t
  left join ${salesSettingAside} on s.account_id = t.account_id and s.id = ${holdingSale}
  ${payoutOfEntry}`

/**
 * Whether a sale is held by an open dispute or a fraud rule: null without a sale. A void one holds nothing: a customer
 * whom it won may have other sales. Worded so that the index of these few matches.
 */
export const saleOnHold = (now: Date | Sql) =>
  sql`(s.status <> 'void' and (s.disputed or (s.hold_rule is not null and s.held_until > ${now})))`

/** The end of the last hold of entry `t` by an open case of its lead or partner; null without one. */
export const heldByCases = (now: Date | Sql, accountId: string | Sql) => sql`(
  select max(c.held_until) from fraud_cases c
  where c.account_id = ${accountId} and c.id = any(t.held_by) and c.decided_at is null and c.held_until > ${now})`

/** Whether pay `t` for a lead is held by an open case of it or its partner. */
export const isPayOnHold = (now: Date | Sql, accountId: string | Sql) =>
  sql`(t.held_by is not null and ${heldByCases(now, accountId)} is not null)`

/** Whether more was paid for the earning that entry `t` corrects than it is worth now: its unpaid entries are a debt. */
const isOwedBack = (accountId: string | Sql) => sql`0 > (
  select sum(o.amount) from commission_entries o
  where o.account_id = ${accountId} and o.partner_id = t.partner_id and o.layer = t.layer
    and (o.sale_id = t.sale_id or (o.lead_id = t.lead_id and o.paid_for = t.paid_for)) and not exists (
      select from payout_entries b where b.account_id = ${accountId} and b.entry_id = o.id and b.live))`

/** An unpaid entry of a held sale or lead; a clawback stays due while it is owed to the account. */
export const isEntryOnHold = (now: Date | Sql, accountId: string | Sql) =>
  sql`((coalesce(${saleOnHold(now)}, false) or ${isPayOnHold(now, accountId)}) and not (t.clawback and ${isOwedBack(accountId)}))`

/** Whether an award is still judged each night: it is neither final nor void with its partner's balance. */
export const isJudged = sql`(not final and not voided)`

/** Whether entry `t` is a bonus that isn't final: held, even if the night before its due day judged nothing. */
export const isBonusJudged = (accountId: string | Sql) => sql`(t.award_id is not null and exists (
  select from goal_awards w where w.account_id = ${accountId} and w.id = t.award_id and ${isJudged}))`

/** Whether an entry that nothing sets aside waits for its due day, or for the judgement before it. */
export const isHeld = (now: Date | Sql, accountId: string | Sql) =>
  sql`(t.available_at > ${now} or ${isBonusJudged(accountId)})`

/**
 * Whether an entry is void: its sale is, and nothing that this partner earned from it is bound, so earnings and
 * reversals cancel out. If a part is in a payout or paid, the rest is a debt and shown as such.
 */
const isVoid = (
  accountIds: string[],
) => sql`(t.sale_id is not null and s.status is not distinct from 'void' and not exists (
  select from commission_entries o join payout_entries b on b.account_id = o.account_id and b.entry_id = o.id and b.live
  where o.account_id = ${eachAccount(accountIds, sql`t.account_id`)} and o.sale_id = t.sale_id and o.partner_id = t.partner_id and o.layer = t.layer))`

/** Returns conditions that all entries of these states meet and an index can use; `entryStatus` decides. */
export function amongStates(now: Date, states: string[] | undefined): Sql[] {
  if (!states) return []
  const isBound = (state: string) => state === 'paid' || state === 'in-payout'
  const common: Sql[] = []
  if (states.every(isBound)) common.push(sql`p.id is not null`)
  else if (!states.some(isBound)) common.push(sql`pe.entry_id is null`)
  if (states.every((state) => state === 'held')) common.push(sql`(t.available_at > ${now} or t.award_id is not null)`)
  if (states.every((state) => state === 'due')) common.push(sql`t.available_at <= ${now}`)
  // an index contains the few sales that set something aside, and another the pay of leads that was ever held
  if (states.every((state) => state === 'on-hold')) common.push(sql`(s.id is not null or t.held_by is not null)`)
  if (states.every((state) => state === 'void')) common.push(sql`s.status = 'void'`)
  return common
}

/**
 * The five parts of a balance, as conditions on `entriesWithPayout` or `entriesSetAside`: every entry is in exactly one.
 * Their sums may ignore void sales, whose entries add up to zero.
 */
export const balancePartsSql = (now: Date | Sql, accountId: string | Sql) => ({
  held: sql`(p.id is null and not ${isEntryOnHold(now, accountId)} and ${isHeld(now, accountId)})`,
  due: sql`(p.id is null and not ${isEntryOnHold(now, accountId)} and not ${isHeld(now, accountId)})`,
  onHold: sql`(p.id is null and ${isEntryOnHold(now, accountId)})`,
  inPayout: sql`p.status <> 'paid'`,
  paid: sql`p.status = 'paid'`,
})

/** The status of an entry of these accounts that is in no payout. */
export const unboundStatus = (now: Date | Sql, accountIds: string[]) => sql`
  case
    when ${isVoid(accountIds)} then 'void'
    when ${isEntryOnHold(now, eachAccount(accountIds, sql`t.account_id`))} then 'on-hold'
    when ${isHeld(now, eachAccount(accountIds, sql`t.account_id`))} then 'held'
    else 'due'
  end`

/**
 * The status of an entry of `entriesWithPayout`, of these accounts, at `now`, in the contract's words: computed, never stored (product.md,
 * section 3).
 */
export function entryStatus(now: Date | Sql, accountIds: string[]) {
  const { paid, inPayout } = balancePartsSql(now, eachAccount(accountIds, sql`t.account_id`))
  return sql`
  case
    when ${paid} then 'paid'
    when ${inPayout} then 'in-payout'
    else ${unboundStatus(now, accountIds)}
  end`
}
