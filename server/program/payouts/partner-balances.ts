import type { BlockerCode, PayoutMethod } from '#contract/payouts.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { joinSql, rawSql, Sql, sql } from '../../platform/database/sql.ts'
import { earnedParts, isBound, type Part, saleHeldUntil } from '../commissions/earned-parts.ts'
import {
  balancePartsSql,
  entriesSetAside,
  heldByCases,
  holdingSale,
  isBonusJudged,
  isEntryOnHold,
  salesSettingAside,
} from '../commissions/entry-status.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'
import { judgeBlockers } from './blocker-conditions.ts'
import { withMethod } from './chosen-method.ts'
import type { PayoutTerms } from './payout-terms.ts'

/** A partner's balance, read from the ledger at one moment. Signed minor units. */
export type PartnerBalance = {
  partnerId: string
  partnerName: string
  held: number
  due: number
  onHold: number
  inPayout: number
  paid: number
  /** End of the last fraud hold. */
  heldUntil: string | null
  /** First and last date of the due entries. */
  periodStart: string | null
  periodEnd: string | null
  /** Date on which the oldest due entry became due. */
  dueSince: string | null
  /** Date of the automatic run that pays the due amount. */
  scheduledFor: string | null
  blockers: BlockerCode[]
  detailsChangedAt: string | null
  rejectedReason: string | null
  /** A person without the right to pay who booked a due adjustment, while automatic payouts would pay it. */
  adjustedBy: string | null
  /** How the due amount would be paid now. */
  method: PayoutMethod
}

const sumOf = (condition: Sql) => sql`coalesce(sum(t.amount) filter (where ${condition}), 0)::bigint`

/** Sums the parts of each partner's balance entry by entry, for few partners. */
const sumsOfFew = (accountId: string, now: Date, entries: Sql) => {
  const { held, due, onHold: waiting, inPayout, paid } = balancePartsSql(now, accountId)
  return sql`
    select t.partner_id, ${sumOf(held)} as held, ${sumOf(due)} as due, ${sumOf(waiting)} as on_hold,
      ${sumOf(inPayout)} as in_payout, ${sumOf(paid)} as paid,
      max(greatest(${saleHeldUntil(now)}, ${heldByCases(now, accountId)})) filter (where ${waiting}) as held_until,
      min(t.available_at) filter (where ${due}) as due_since,
      min(t.day) filter (where ${due}) as period_start,
      max(t.day) filter (where ${due}) as period_end
    from ${entriesSetAside}
    where t.account_id = ${accountId} and ${entries}
    group by t.partner_id`
}

/** States in which a payout has bound its whole amount; a returned one may have its entries or not. */
const holding = ['approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed']
/**
 * Sources of the parts for many partners, without reading every entry: bound amounts are in their payouts, and the rest is
 * due. `verify-ledger` checks that the sums agree. `dueDaysOf` returns the dates of due entries.
 */
const partsOfMany = (accountId: string, now: Date, their: Sql = sql`true`): Part[] => [
  ...earnedParts(accountId, now, their),
  {
    of: 'in_payout',
    amount: sql`t.amount`,
    from: sql`payouts t
        where t.account_id = ${accountId} and t.status = any(${holding.filter((state) => state !== 'paid')}) and ${their}`,
  },
  {
    of: 'paid',
    amount: sql`t.amount`,
    from: sql`payouts t where t.account_id = ${accountId} and t.status = 'paid' and ${their}`,
  },
  {
    of: 'in_payout',
    amount: sql`e.amount`,
    from: sql`payouts t
          join payout_entries b on b.account_id = t.account_id and b.payout_id = t.id and b.live join commission_entries e on e.account_id = b.account_id and e.id = b.entry_id
        where t.account_id = ${accountId} and t.status = 'returned' and ${their}`,
  },
]

/** A part's share of the due amount: everything earned is due unless another part says otherwise. */
const dueOf = ({ of, amount }: Part) => (of === 'share' || of === 'earned' ? amount : sql`-${amount}`)

/** Sums parts of balances by partner; the planner drops the sums that a reader does not select. */
const sumsOf = (parts: Part[]) => {
  const rows = parts.map((one) => {
    const { of, amount, heldUntil, from } = one
    const part = (name: Part['of']) => (name === of ? amount : sql`0::bigint`)
    return sql`
      select t.partner_id, ${part('held')} as held, ${dueOf(one)} as due,
        ${part('on_hold')} as on_hold, ${part('in_payout')} as in_payout, ${part('paid')} as paid,
        ${heldUntil ?? sql`null::timestamptz`} as held_until
      from ${from}`
  })
  return sql`
    select t.partner_id, sum(t.held)::bigint as held, sum(t.due)::bigint as due, sum(t.on_hold)::bigint as on_hold,
      sum(t.in_payout)::bigint as in_payout, sum(t.paid)::bigint as paid,
      max(t.held_until) as held_until, null::timestamptz as due_since, null::date as period_start, null::date as period_end
    from (${joinSql(rows, ' union all ')}) t group by t.partner_id`
}

/** Sums the parts of the balances of many partners; `held` are the held amounts, if the query has read them already. */
export const sumsOfMany = (accountId: string, now: Date, their?: Sql, held?: Sql) => {
  const parts = partsOfMany(accountId, now, their)
  if (!held) return sumsOf(parts)
  return sumsOf([
    ...parts.filter(({ of }) => of !== 'held'),
    { of: 'held', amount: sql`t.amount`, from: sql`${held} t` },
  ])
}

/**
 * The due amounts of all partners together, or of those of whom `t.partner_id` is among, less the share in their
 * statistics: a query that reads the statistics anyway adds it, and no partner is summed up apart.
 */
export const dueWithoutShare = (accountId: string, now: Date, among: Sql = sql`true`) => {
  const rows = partsOfMany(accountId, now)
    .filter(({ of }) => of !== 'share')
    .map((part) => sql`select t.partner_id, ${dueOf(part)} as due from ${part.from}`)
  return sql`(select coalesce(sum(t.due), 0) from (${joinSql(rows, ' union all ')}) t where ${among})`
}

/** Returns the sums of all partners of an account. */
export const balanceOfAccount = (db: Queryable, accountId: string) =>
  db.one<Pick<PartnerBalance, 'held' | 'due' | 'onHold' | 'inPayout' | 'paid'>>`
    select coalesce(sum(x.held), 0)::bigint as held, coalesce(sum(x.due), 0)::bigint as due,
      coalesce(sum(x.on_hold), 0)::bigint as on_hold, coalesce(sum(x.in_payout), 0)::bigint as in_payout,
      coalesce(sum(x.paid), 0)::bigint as paid
    from (${sumsOfMany(accountId, db.now)}) x`

/** Returns the non-zero due amounts of an account's partners, all or these: a table to select from. */
export const duesByPartner = (accountId: string, now: Date, partnerIds?: string[]) => {
  const their = partnerIds && sql`t.partner_id = any(${partnerIds}::uuid[])`
  return sql`(select partner_id, due from (${sumsOfMany(accountId, now, their)}) x where due <> 0)`
}

/** Returns the held and due amounts together, by partner: a table to select from. */
export const heldAndDueByPartner = (accountId: string, now: Date, their?: Sql) => {
  const others = partsOfMany(accountId, now, their).filter(({ of }) => of !== 'held')
  return sql`(select partner_id, due as amount from (${sumsOf(others)}) x)`
}

type DueDays = { partnerId: string; periodStart: string; periodEnd: string; dueSince: string }

/** Returns the dates of these partners' due entries, and the one on which the oldest became due. */
export async function findDueDays(
  db: Queryable,
  { account }: PayoutTerms,
  partnerIds: string[],
): Promise<Map<string, DueDays>> {
  if (partnerIds.length === 0) return new Map()
  const rows = await db.many<DueDays>`
    select t.partner_id, min(t.day) as period_start, max(t.day) as period_end,
      (min(t.available_at) at time zone ${account.timeZone})::date as due_since
    from commission_entries t left join ${salesSettingAside} on s.account_id = t.account_id and s.id = ${holdingSale}
    where t.account_id = ${account.id} and t.partner_id = any(${partnerIds}::uuid[]) and t.available_at <= ${db.now}
      and not ${isBonusJudged(account.id)} and not ${isEntryOnHold(db.now, account.id)} and not ${isBound(account.id)}
    group by t.partner_id`
  return new Map(rows.map((row) => [row.partnerId, row]))
}

/**
 * The partners to read: `all`, computed together; `each`, computed one by one if few are read; or these. With `all`,
 * the dates of due entries are left out.
 */
export type Who = string[] | 'all' | 'each'

/**
 * Returns due amounts of these partners, by partner, and until when a part is held: the sums `x` of unapproved payouts.
 */
export const partnerDuesSql = ({ account }: PayoutTerms, now: Date, who: string[] | 'gathering' | Sql, found?: Sql) => {
  if (who === 'gathering')
    // materialized: each part of the sums is limited to these partners separately
    return sql`
      with gathering as materialized (
        select t.partner_id from payouts t
        where t.account_id = ${account.id} and t.status = 'gathering' and ${found ?? sql`true`})
      select partner_id, due, held_until, period_start, period_end
      from (${sumsOfMany(account.id, now, sql`t.partner_id in (select partner_id from gathering)`)}) t`
  const theirs = who instanceof Sql ? sql`t.partner_id = ${who}` : sql`t.partner_id = any(${who}::uuid[])`
  // entries ever bound to a payout are left out
  return sumsOfFew(account.id, now, sql`${theirs} and pe.entry_id is null`)
}

/**
 * Returns one row per partner, as a table to select from; `earners` leaves out those without any entry. `sums` are those
 * of all, if the query has them already.
 */
export function partnerBalances(
  terms: PayoutTerms,
  now: Date,
  who: Who,
  { earners, sums }: { earners?: boolean; sums?: Sql } = {},
): Sql {
  const { account } = terms
  const alone = who === 'each'
  const chosen = (column: Sql) => (Array.isArray(who) ? sql`${column} = any(${who}::uuid[])` : sql`true`)
  const earned =
    who === 'all'
      ? (sums ?? sumsOfMany(account.id, now))
      : sumsOfFew(account.id, now, alone ? sql`t.partner_id = n.id` : chosen(sql`t.partner_id`))
  // materialized: for a table just filled, the planner would guess one partner, and compute it again for each
  return sql`(
    ${alone ? sql`` : sql`with x as materialized (${earned})`}
    select n.id, n.id as partner_id, n.created_at, n.email, ${partnerNameSql(sql`n`)} as partner_name,
      coalesce(x.held, 0)::bigint as held, coalesce(x.due, 0)::bigint as due, coalesce(x.on_hold, 0)::bigint as on_hold,
      coalesce(x.in_payout, 0)::bigint as in_payout, coalesce(x.paid, 0)::bigint as paid,
      x.held_until, x.period_start, x.period_end,
      case when x.due > 0 then (x.due_since at time zone ${account.timeZone})::date end as due_since,
      ${judgement(terms, now)}
    from partners n
      ${rawSql(earners ? '' : 'left')} join ${alone ? sql`lateral (${earned})` : sql``} x on x.partner_id = n.id
      left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id
      ${withMethod(terms)}
    where n.account_id = ${account.id} and ${chosen(sql`n.id`)})`
}

/** Columns that judge the due amount of partner `n` with the details `d`, the method `w` and the sums `x`. */
function judgement(terms: PayoutTerms, now: Date) {
  const { blockers, scheduledFor, adjustedBy } = judgeBlockers(terms, now)
  return sql`${scheduledFor} as scheduled_for, ${blockers} as blockers,
    d.changed_at as details_changed_at, d.rejected_reason, ${adjustedBy} as adjusted_by, w.method`
}

/** Joins the name and the judgement, as `j`, to sums by partner `t`. */
export const withJudgement = (terms: PayoutTerms, now: Date) => sql`cross join lateral (
  select ${partnerNameSql(sql`n`)} as partner_name, ${judgement(terms, now)}
  from partners n left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id
    ${withMethod(terms)} cross join (select t.due, t.held_until) x
  where n.account_id = ${terms.account.id} and n.id = t.partner_id) j`

export const judgementColumns = (of: 'j' | 't') => {
  const names = 'partner_name scheduled_for blockers details_changed_at rejected_reason adjusted_by method'.split(' ')
  return rawSql(names.map((name) => `${of}.${name}`).join(', '))
}

export const sumColumns = sql`t.partner_id, t.held, t.due, t.on_hold, t.in_payout, t.paid, t.held_until, t.period_start,
  t.period_end, t.due_since`

export const balanceColumns = sql`${sumColumns}, ${judgementColumns('t')}`

/** Returns the current balances of these partners. */
export const readBalances = (db: Queryable, terms: PayoutTerms, who: Who) => db.many<PartnerBalance>`
  select ${balanceColumns} from ${partnerBalances(terms, db.now, who)} t`
