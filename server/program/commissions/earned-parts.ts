import { NIL } from '../../platform/database/ids.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { heldByCases, holdingSale, isEntryOnHold, isJudged, saleOnHold, salesSettingAside } from './entry-status.ts'

/** The end of the fraud hold of sale `s`; null without one. */
export const saleHeldUntil = (now: Date) =>
  sql`case when s.hold_rule is not null and s.held_until > ${now} and s.status <> 'void' then s.held_until end`

/** Whether entry `t` is in a payout. Looked up row by row: few are needed, and a join would read everything ever paid. */
export const isBound = (accountId: string) =>
  sql`exists (select from payout_entries b where b.account_id = ${accountId} and b.entry_id = t.id and b.live offset 0)`

/** A set of rows that all add to one part of a partner's balance. */
export type Part = {
  of: 'share' | 'earned' | 'held' | 'on_hold' | 'in_payout' | 'paid'
  amount: Sql
  heldUntil?: Sql
  from: Sql
}

/** The earnings of many partners: those by sales and leads are in their statistics. */
const amountParts = (accountId: string, their: Sql): Part[] => [
  {
    of: 'share',
    amount: sql`t.share`,
    from: sql`total_stats t
        where t.account_id = ${accountId} and t.blueprint_id = ${NIL} and t.partner_id <> ${NIL} and t.share <> 0 and ${their}`,
  },
  {
    of: 'earned',
    amount: sql`t.amount`,
    from: sql`commission_entries t where t.account_id = ${accountId} and t.sale_id is null and t.lead_id is null and ${their}`,
  },
]

/** The held and the on-hold part of their earnings. */
const laterParts = (accountId: string, now: Date, their: Sql): Part[] => [
  {
    of: 'held',
    amount: sql`t.amount`,
    from: sql`commission_entries t left join ${salesSettingAside} on s.account_id = t.account_id and s.id = ${holdingSale}
        where t.account_id = ${accountId} and t.available_at > ${now} and not ${isEntryOnHold(now, accountId)} and not ${isBound(accountId)} and ${their}`,
  },
  {
    of: 'held',
    amount: sql`t.amount`,
    from: sql`goal_awards w join commission_entries t on t.account_id = w.account_id and t.award_id = w.id
        where w.account_id = ${accountId} and ${isJudged} and t.available_at <= ${now} and not ${isBound(accountId)} and ${their}`,
  },
  {
    of: 'on_hold',
    amount: sql`t.amount`,
    heldUntil: saleHeldUntil(now),
    // few are on hold at a time, however many sales there are
    from: sql`sales s join commission_entries t on t.account_id = s.account_id and (t.sale_id = s.id or t.won_sale_id = s.id or t.settles_sale_id = s.id)
        where s.account_id = ${accountId} and ${saleOnHold(now)} and ${isEntryOnHold(now, accountId)} and not ${isBound(accountId)} and ${their}`,
  },
  {
    of: 'on_hold',
    amount: sql`t.amount`,
    heldUntil: heldByCases(now, accountId),
    from: sql`commission_entries t left join ${salesSettingAside} on s.account_id = t.account_id and s.id = ${holdingSale}
        where t.account_id = ${accountId} and t.held_by is not null and not coalesce(${saleOnHold(now)}, false)
          and ${isEntryOnHold(now, accountId)} and not ${isBound(accountId)} and ${their}`,
  },
]

/** The earnings of many partners, and what of them is held or on hold, without reading every entry. */
export const earnedParts = (accountId: string, now: Date, their: Sql = sql`true`): Part[] => [
  ...amountParts(accountId, their),
  ...laterParts(accountId, now, their),
]

/**
 * Everything earned by many partners and recorded before `end`, and in `later` what of it is held or on hold now: rows to
 * be added up, those of sales and leads from the statistics.
 */
export const earnedAmounts = (accountId: string, now: Date, end: Sql): Sql =>
  joinSql(
    [
      ...amountParts(accountId, sql`true`).map(
        ({ amount, from }) => sql`select t.partner_id, ${amount} as amount, 0::bigint as later from ${from}`,
      ),
      sql`select t.partner_id, -t.amount, 0 from commission_entries t
        where t.account_id = ${accountId} and t.created_at >= ${end}`,
      ...laterParts(accountId, now, sql`t.created_at < ${end}`).map(
        ({ amount, from }) => sql`select t.partner_id, 0, ${amount} from ${from}`,
      ),
    ],
    ' union all ',
  )
