import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { owedBy, postingsByDay } from '../../accounting/journal.ts'
import { type BooksAccount, getLiability } from '../../accounting/liability.ts'
import { type Checks, compareTables } from './checks.ts'

/** The last cash line of payout `o`. */
const lastLine = sql`lateral (
  select c.kind, c.amount, c.partner_id from payout_cash c
  where c.account_id = o.account_id and c.payout_id = o.id order by c.turn desc limit 1) c`

/** Checks of cash lines against the moves, entries and balances of payouts. */
export const bookChecks: Checks = {
  'cash lines are what the moves of a payout tell': sql`
    select coalesce(c.payout_id, t.payout_id)::text || ' ' || coalesce(c.turn, t.turn) as subject,
      coalesce(concat_ws(' ', t.kind, t.at, coalesce(t.amount, c.amount)), 'none') as expected,
      coalesce(concat_ws(' ', c.kind, c.at, c.amount), 'none') as actual
    from payout_cash c
      full join cash_told t on t.account_id = c.account_id and t.payout_id = c.payout_id and t.turn = c.turn
    where (c.kind, c.at) is distinct from (t.kind, t.at) or c.amount <> t.amount`,

  'money that is out is that of the entries a payout holds': sql`
    select o.id::text as subject,
      case when o.held then 'out ' || o.amount || ' for ' || o.partner_id else 'back' end as expected,
      coalesce(c.kind || ' ' || c.amount || ' for ' || c.partner_id, 'never left') as actual
    from (
        select o.*, exists (
          select from payout_entries b where b.account_id = o.account_id and b.payout_id = o.id and b.live) as held
        from payouts o) o
      left join ${lastLine} on true
    where case when c.kind = 'out' then not o.held or (c.amount, c.partner_id) is distinct from (o.amount, o.partner_id)
      else o.status in ('sent', 'paid') end`,

  'what is owed today is what the balances say': sql`
    with balances as (
      select account_id, partner_id, sum(amount) as amount from (
        select e.account_id, e.partner_id, e.amount from commission_entries e
        where not exists (
          select from payout_entries b join payouts o on o.account_id = b.account_id and o.id = b.payout_id
          where b.account_id = e.account_id and b.entry_id = e.id and b.live and o.status = 'paid')
        union all
        select o.account_id, o.partner_id, -o.amount from payouts o cross join ${lastLine}
        where o.status <> 'paid' and c.kind = 'out') parts
      group by account_id, partner_id),
    owed as (
      select account_id, partner_id, sum(amount) as amount from (
        select account_id, partner_id, amount from commission_entries
        union all
        select account_id, partner_id, case kind when 'out' then -amount else amount end from payout_cash) parts
      group by account_id, partner_id)
    ${compareTables(sql`balances`, sql`owed`, ['account_id', 'partner_id'], ['amount'], ['partner_id'])}`,
}

export const JOURNAL = 'the journal leads to what was owed'

/** Days of each account at which the journal is compared with what was owed, the last among them. */
const SAMPLED = 30

/** Adds up the journal of each account, and compares it with what was owed at the end of some of its days. */
export async function checkJournal(db: Queryable) {
  const accounts = await db.many<BooksAccount & { first: string }>`
    select a.id, a.time_zone, a.default_currency, e.first
    from accounts a join (
      select account_id, min(created_at) as first from commission_entries group by account_id) e on e.account_id = a.id
    order by a.id`
  const differences: { subject: string; expected: string; actual: string }[] = []
  for (const { first, ...account } of accounts) {
    const from = dayIn(account.timeZone, new Date(first))
    const postings = await postingsByDay(db, account, { from, to: dayIn(account.timeZone, db.now) })
    const days = [...new Set(postings.map(({ day }) => day))]
    const step = Math.max(1, Math.ceil(days.length / SAMPLED))
    for (const day of days.filter((_, at) => (days.length - 1 - at) % step === 0)) {
      const { owed } = await getLiability(db, account, day)
      const led = postings.filter((one) => one.day <= day).reduce((sum, one) => sum + owedBy(one), 0)
      if (led !== owed)
        differences.push({ subject: `${account.id} on ${day}`, expected: String(owed), actual: String(led) })
    }
  }
  return differences
}
