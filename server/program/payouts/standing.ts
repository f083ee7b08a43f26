import { type BlockerCode, blockerCodes } from '#contract/payouts.ts'
import { NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { join, raw, Sql, sql } from '../../platform/database/sql.ts'
import { dayIn } from '../../platform/time/days.ts'
import { entriesSetAside, onHold, salesSettingAside } from '../commissions/entry-status.ts'
import { partnerNameSql } from '../names/partner-names.ts'
import { type BlockerFacts, balanceBlockers, COOL_OFF_HOURS, isHard } from './blockers.ts'
import { RUN_AT, type Terms } from './terms.ts'

/** Where a partner stands with the account's money, read from the ledger at one moment. Minor units, signed. */
export type Standing = {
  partnerId: string
  partnerName: string
  held: number
  due: number
  onHold: number
  inPayout: number
  paid: number
  /** When the next held entry falls due. */
  nextDueAt: string | null
  /** When the last fraud hold ends by itself. */
  heldUntil: string | null
  /** The days of the entries that are due. */
  periodStart: string | null
  periodEnd: string | null
  nextPayoutDate: string | null
  /** The day on which the oldest of what is due fell due. */
  dueSince: string | null
  /** The day of the automatic run that takes what is due. */
  scheduledFor: string | null
  blockers: BlockerCode[]
  /** Something stops what is due; not what only explains the rest of the balance. */
  blocked: boolean
  detailsChangedAt: string | null
  rejectedReason: string | null
}

const unpaid = sql`p.id is null`
/** Bound to no payout, fallen due and not on hold: in terms of `entriesWithPayout` and `entriesSetAside`. */
export const isDue = (now: Date) => sql`(${unpaid} and not ${onHold(now)} and t.available_at <= ${now})`
const isHeld = (now: Date) => sql`(${unpaid} and not ${onHold(now)} and t.available_at > ${now})`

const sumOf = (condition: Sql) => sql`coalesce(sum(t.amount) filter (where ${condition}), 0)::bigint`

/** The five parts of each partner's balance: every entry is in exactly one. For few partners, entry by entry. */
const sums = (accountId: string, now: Date, entries: Sql) => sql`
  select t.partner_id,
    ${sumOf(isHeld(now))} as held,
    ${sumOf(isDue(now))} as due,
    ${sumOf(sql`${unpaid} and ${onHold(now)}`)} as on_hold,
    ${sumOf(sql`p.status <> 'paid'`)} as in_payout,
    ${sumOf(sql`p.status = 'paid'`)} as paid,
    min(t.available_at) filter (where ${isHeld(now)} and s.status is distinct from 'void') as next_due_at,
    max(s.held_until) filter (where ${unpaid} and ${onHold(now)} and s.hold_rule is not null and s.held_until > ${now}
      and s.status <> 'void') as held_until,
    min(t.available_at) filter (where ${isDue(now)}) as due_since,
    min(t.day) filter (where ${isDue(now)}) as period_start,
    max(t.day) filter (where ${isDue(now)}) as period_end
  from ${entriesSetAside}
  where t.account_id = ${accountId} and ${entries}
  group by t.partner_id`

/** States of a payout in which it holds as much as it says; a returned one may hold its entries or not. */
const holding = ['approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed']
/** Looked up row by row: few are asked for, and all that was ever paid would be read for them. */
const isBound = sql`exists (select from payout_entries b where b.entry_id = t.id and b.live offset 0)`

/**
 * The same for many partners, without a look at every entry: what they earned by sales is in their statistics, what is
 * bound in their payouts. Of the entries it takes those given by hand, still held or on hold, and what is left is due.
 * `verify-ledger` sees that it comes to the same. Of which days the due ones are, `dueDaysOf` says.
 */
const sumsOfMany = (accountId: string, now: Date, theirs: (column: Sql) => Sql) => sql`
  select t.partner_id, sum(t.held)::bigint as held,
    (sum(t.earned) - sum(t.in_payout) - sum(t.paid) - sum(t.held) - sum(t.on_hold))::bigint as due,
    sum(t.on_hold)::bigint as on_hold, sum(t.in_payout)::bigint as in_payout, sum(t.paid)::bigint as paid,
    min(t.next_due_at) as next_due_at, max(t.held_until) as held_until,
    null::timestamptz as due_since, null::date as period_start, null::date as period_end
  from (
    select t.partner_id, t.share as earned, 0::bigint as held, 0::bigint as on_hold, 0::bigint as in_payout, 0::bigint as paid,
      null::timestamptz as next_due_at, null::timestamptz as held_until
    from total_stats t
    where t.account_id = ${accountId} and t.blueprint_id = ${NIL} and t.partner_id <> ${NIL} and t.share <> 0
      and ${theirs(sql`t.partner_id`)}
    union all
    select t.partner_id, t.amount, 0, 0, 0, 0, null, null
    from commission_entries t where t.account_id = ${accountId} and t.sale_id is null and ${theirs(sql`t.partner_id`)}
    union all
    select t.partner_id, 0, 0, 0, case when t.status <> 'paid' then t.amount else 0 end,
      case when t.status = 'paid' then t.amount else 0 end, null, null
    from payouts t where t.account_id = ${accountId} and t.status = any(${holding}) and ${theirs(sql`t.partner_id`)}
    union all
    select t.partner_id, 0, 0, 0, e.amount, 0, null, null
    from payouts t join payout_entries b on b.payout_id = t.id and b.live join commission_entries e on e.id = b.entry_id
    where t.account_id = ${accountId} and t.status = 'returned' and ${theirs(sql`t.partner_id`)}
    union all
    select t.partner_id, 0, t.amount, 0, 0, 0, case when s.status is distinct from 'void' then t.available_at end, null
    from commission_entries t left join ${salesSettingAside} on s.account_id = t.account_id and s.id = t.sale_id
    where t.account_id = ${accountId} and t.available_at > ${now} and not ${onHold(now)} and not ${isBound}
      and ${theirs(sql`t.partner_id`)}
    union all
    select t.partner_id, 0, 0, t.amount, 0, 0, null,
      case when s.hold_rule is not null and s.held_until > ${now} and s.status <> 'void' then s.held_until end
    from ${salesSettingAside} join commission_entries t on t.sale_id = s.id
    where s.account_id = ${accountId} and ${onHold(now)} and not ${isBound} and ${theirs(sql`t.partner_id`)}
  ) t
  group by t.partner_id`

type DueDays = { partnerId: string; periodStart: string; periodEnd: string; dueSince: string }

/** The days of what is due to these partners, and the one on which the oldest of it fell due. */
export async function dueDaysOf(
  db: Queryable,
  { account }: Terms,
  partnerIds: string[],
): Promise<Map<string, DueDays>> {
  if (partnerIds.length === 0) return new Map()
  const rows = await db.many<DueDays>`
    select t.partner_id, min(t.day) as period_start, max(t.day) as period_end,
      (min(t.available_at) at time zone ${account.timeZone})::date as due_since
    from ${entriesSetAside}
    where t.account_id = ${account.id} and t.partner_id = any(${partnerIds}::uuid[]) and ${isDue(db.now)}
    group by t.partner_id`
  return new Map(rows.map((row) => [row.partnerId, row]))
}

const code = (value: BlockerCode, condition: Sql) => sql`case when ${condition} then ${value}::text end`
/** What stops a payout, of all that explains a balance. */
const stoppingCodes = () => blockerCodes.filter((value) => isHard(value) && !balanceBlockers.includes(value))

/** What stands against a partner `n` with the payout details `d`, whatever is due to them. */
const standing = ({ account, method }: Terms, now: Date) => {
  const coolOff = sql`${now}::timestamptz - make_interval(hours => ${COOL_OFF_HOURS})`
  const stands: Partial<Record<BlockerCode, Sql>> = {
    'no-deposit-info': sql`d.details_sealed is null`,
    'deposit-info-changed-recently': sql`(d.details_sealed is not null and d.changed_at > ${coolOff})`,
    'partner-disabled': sql`n.state = 'suspended'`,
  }
  for (const blocker of method.blockers) stands[blocker.code] = blocker.stands(account)
  return stands
}

/** Every blocker of product.md, section 4, and those of the account's method, in the contract's order. */
const blockers = (terms: Terms, now: Date) => {
  const stands: Partial<Record<BlockerCode, Sql>> = {
    ...standing(terms, now),
    'not-approved-this-year': sql`not (${terms.year}::integer = any(n.approved_payout_years))`,
    'below-minimum': sql`x.due > 0 and x.due < ${terms.account.minimumPayout}::bigint`,
    'negative-balance': sql`x.due < 0`,
    'on-hold-fraud': sql`x.held_until is not null`,
  }
  const all = blockerCodes.flatMap((value) => (stands[value] ? [code(value, stands[value])] : []))
  return sql`array_remove(array[${join(all, ', ')}], null)`
}

/** The next day of an automatic run, for whoever `isCooling` is true of the first after their cool-off. */
const runDay = ({ account, nextRunDay }: Terms, isCooling: Sql) => sql`
  case when ${isCooling} then greatest(${nextRunDay}::date,
    -- a run at the very moment it ends takes it
    ((d.changed_at + make_interval(hours => ${COOL_OFF_HOURS - RUN_AT}) - interval '1 millisecond') at time zone ${account.timeZone})::date + 1)
  else ${nextRunDay}::date end`

/** Whether nothing can be paid to a partner `n` with the details `d`, approved for the year or not. */
export const isStopped = (terms: Terms, now: Date) => {
  const stands = Object.entries(standing(terms, now)) as [BlockerCode, Sql][]
  return sql`(${join(
    stands.filter(([value]) => isHard(value)).map(([, condition]) => condition),
    ' or ',
  )})`
}

/** The first day on which what is due to a partner with the details `d` is paid, where nothing stops it. */
export const firstPayday = (terms: Terms, now: Date) =>
  terms.automatic && !terms.trouble
    ? runDay(terms, standing(terms, now)['deposit-info-changed-recently']!)
    : sql`${terms.today}::date`

/** The day of the automatic run that takes a due payout: after the cool-off of changed details, below the ceilings. */
const scheduledFor = (terms: Terms) => {
  const { automatic, trouble, maxPerPayout, maxPerRun } = terms
  if (!automatic || trouble) return sql`null::date`
  const stopping = stoppingCodes()
  return sql`case when x.due > 0 and not (b.blockers && ${stopping}::text[])
      and x.due <= coalesce(${maxPerPayout}::bigint, x.due) and x.due <= coalesce(${maxPerRun}::bigint, x.due)
    then ${runDay(terms, sql`'deposit-info-changed-recently' = any(b.blockers)`)} end`
}

/**
 * Which partners: all, worked out together or, where few of them are read, each by itself; these; those that have an
 * unapproved payout; or in a lateral join the one a column names. Of many at once the days of what is due are not said.
 */
export type Who = string[] | 'all' | 'each' | 'gathering' | Sql

type Asked = {
  /** What was ever bound to a payout is left out: nothing is in one, and nothing paid. */
  unpaid?: boolean
  /** Those who never had an entry are. */
  earners?: boolean
}

/** One row a partner, as a table to select from. */
export function standings(terms: Terms, now: Date, who: Who, { unpaid: onlyUnpaid, earners }: Asked = {}): Sql {
  const { account, today } = terms
  const stopping = stoppingCodes()
  const chosen = (column: Sql) => {
    if (who === 'all' || who === 'each') return sql`true`
    if (who instanceof Sql) return sql`${column} = ${who}`
    if (who === 'gathering')
      return sql`${column} in (select g.partner_id from payouts g where g.account_id = ${account.id} and g.status = 'gathering')`
    return sql`${column} = any(${who}::uuid[])`
  }
  const alone = who === 'each' || who instanceof Sql
  const theirs = who === 'each' ? sql`t.partner_id = n.id` : chosen(sql`t.partner_id`)
  const many = who === 'all' || who === 'gathering'
  const earned = many
    ? sumsOfMany(account.id, now, chosen)
    : sums(account.id, now, onlyUnpaid ? sql`${theirs} and pe.entry_id is null` : theirs)
  // worked out once: of a table that was just filled the planner would guess one partner, and do it again for each
  return sql`(
    ${alone ? sql`` : sql`with x as materialized (${earned})`}
    select n.id, n.id as partner_id, n.created_at, n.email, ${partnerNameSql(sql`n`)} as partner_name,
      coalesce(x.held, 0)::bigint as held, coalesce(x.due, 0)::bigint as due, coalesce(x.on_hold, 0)::bigint as on_hold,
      coalesce(x.in_payout, 0)::bigint as in_payout, coalesce(x.paid, 0)::bigint as paid,
      x.next_due_at, x.held_until, x.period_start, x.period_end,
      case when x.due > 0 and not (b.blockers && ${stopping}::text[]) then ${today}::date
        else (x.next_due_at at time zone ${account.timeZone})::date end as next_payout_date,
      case when x.due > 0 then (x.due_since at time zone ${account.timeZone})::date end as due_since,
      ${scheduledFor(terms)} as scheduled_for,
      b.blockers, b.blockers && ${stopping}::text[] as blocked,
      d.changed_at as details_changed_at, d.rejected_reason
    from partners n
      ${raw(earners ? '' : 'left')} join ${alone ? sql`lateral (${earned})` : sql``} x on x.partner_id = n.id
      left join payout_settings d on d.partner_id = n.id
      cross join lateral (select ${blockers(terms, now)} as blockers) b
    where n.account_id = ${account.id} and ${chosen(sql`n.id`)})`
}

export const standingColumns = sql`t.partner_id, t.partner_name, t.held, t.due, t.on_hold, t.in_payout, t.paid, t.next_due_at,
  t.held_until, t.period_start, t.period_end, t.next_payout_date, t.due_since, t.scheduled_for, t.blockers, t.blocked,
  t.details_changed_at, t.rejected_reason`

/** Where these partners stand now. */
export const standingsOf = (db: Queryable, terms: Terms, who: Who) => db.many<Standing>`
  select ${standingColumns} from ${standings(terms, db.now, who)} t`

/** What the words of this partner's blockers speak of. */
export function factsOf(
  { account, year }: Terms,
  standing: Pick<Standing, 'heldUntil' | 'detailsChangedAt' | 'rejectedReason'>,
): BlockerFacts {
  const day = (at: string | null, hours = 0) =>
    at && dayIn(account.timeZone, new Date(Date.parse(at) + hours * 3_600_000))
  return {
    year,
    minimumPayout: account.minimumPayout,
    currency: account.defaultCurrency,
    heldUntil: day(standing.heldUntil),
    availableOn: day(standing.detailsChangedAt, COOL_OFF_HOURS),
    rejectedReason: standing.rejectedReason,
  }
}
