import { sql } from '../../../platform/database/sql.ts'
import { type Checks, payoutMoves } from './checks.ts'

/** The latest approval of a payout `o`, by a run, a person or a file; none for one recovered from its transfer. */
const approval = sql`
  select e.at, e.actor, e.to_status from ${payoutMoves} e
  where e.account_id = o.account_id and e.payout_id = o.id and e.from_status in ('gathering', 'canceled')
  order by e.id desc limit 1`

/** Checks of the ledger against the events sent and recorded when it was written: a second, independent record. */
export const eventChecks: Checks = {
  // covers the ninety days in which events are stored
  'an entry is what was told of it': sql`
    select e.id::text as subject,
      concat_ws(' ', t.told ->> 'amount', t.told ->> 'currency', 'for', t.told ->> 'partnerId', 'at', t.told ->> 'rate') as expected,
      concat_ws(' ', e.amount, e.currency, 'for', e.partner_id, 'at', e.rate_ppm / 10000.0) as actual
    from (select account_id, subject_id, data -> 'object' as told from told_events
        where type in ('commission.created', 'commission.reversed') and data ? 'object') t
      join commission_entries e on e.account_id = t.account_id and e.id = t.subject_id
    where (t.told ->> 'partnerId', t.told ->> 'saleId', (t.told ->> 'amount')::bigint, t.told ->> 'currency',
        (t.told ->> 'layer')::integer, round((t.told ->> 'rate')::numeric * 10000))
      is distinct from (e.partner_id::text, e.sale_id::text, e.amount, e.currency, e.layer::integer, e.rate_ppm::numeric)`,

  'a payout has moved from its beginning': sql`
    select o.id::text as subject, 'moved from due' as expected, coalesce('moved from ' || e.from_status, 'never moved') as actual
    from payouts o left join lateral (
      select e.from_status from ${payoutMoves} e where e.account_id = o.account_id and e.payout_id = o.id order by e.id limit 1) e on true
    where case when e.from_status is null then o.status not in ('gathering', 'canceled') or o.approved_at is not null
      else e.from_status not in ('gathering', 'canceled') end`,

  'a payout was approved when its moves say, and by whom': sql`
    select o.id::text as subject, e.at || ' by ' || e.actor as expected,
      o.approved_at || coalesce(' by user:' || o.approved_by, ' by nobody') as actual
    from payouts o cross join lateral (${approval}) e
    where o.approved_at is not null and e.to_status in ('approved', 'paid')
      and (e.at <> o.approved_at or 'user:' || o.approved_by <> e.actor)`,

  'a payout was paid under the reference that is on record': sql`
    select o.id::text as subject, coalesce(d.reference, 'none') as expected, coalesce(o.external_reference, 'none') as actual
    from payouts o cross join lateral (
      select d.changes -> 'externalReference' ->> 'new' as reference, d.action, d.changes from audit d
      where d.account_id = o.account_id and d.subject_id = o.id and d.action in ('payout.paid', 'payout.imported')
      order by d.id desc limit 1) d
    where o.status = 'paid' and (d.action = 'payout.imported' or d.changes ? 'externalReference')
      and d.reference is distinct from o.external_reference`,

  // covers the ninety days in which events are stored
  'a payout was paid when it was told to be': sql`
    select o.id::text as subject, t.paid_at::text as expected, o.paid_at::text as actual
    from payouts o join (
      select distinct on (account_id, subject_id) account_id, subject_id, (data -> 'object' ->> 'paidAt')::timestamptz as paid_at
      from told_events where type = 'payout.paid' and data ? 'object'
      order by account_id, subject_id, id desc) t on t.account_id = o.account_id and t.subject_id = o.id
    where o.status = 'paid' and o.paid_at <> t.paid_at`,

  'a hold ends by itself, or by a person who is on record': sql`
    select s.id::text as subject, 'a day, or who ended it' as expected, 'neither' as actual
    from sales s
    where s.hold_policy = 'hold' and s.held_until is null and not exists (
      select from audit d where d.account_id = s.account_id and d.subject_id = s.id
        and d.action = 'sale.updated' and d.changes ? 'heldUntil')`,
}
