import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

export const awardChecks: Checks = {
  'a bonus is given for a goal that was reached, and taken back in turn until it is final': sql`
    select e.id::text as subject,
      concat_ws(' ', case e.turn % 2 when 0 then w.bonus else -w.bonus end, a.default_currency, 'for', w.partner_id, w.goal_id,
        'due', w.due_at) as expected,
      concat_ws(' ', e.amount, e.currency, 'for', e.partner_id, e.goal_id, 'due', e.available_at) as actual
    from commission_entries e join goal_awards w on w.account_id = e.account_id and w.id = e.award_id
      join accounts a on a.id = e.account_id
    where e.amount <> case e.turn % 2 when 0 then w.bonus else -w.bonus end or e.currency <> a.default_currency
      or (e.partner_id, e.goal_id, e.available_at) is distinct from (w.partner_id, w.goal_id, w.due_at)
      or num_nonnulls(e.layer, e.rate_ppm, e.base_amount, e.flat_amount) > 0
      or (e.turn = 0 and e.created_at <> w.created_at)`,

  'an award is given once, and adds up to its bonus or to nothing': sql`
    select w.id::text as subject, '0 or ' || w.bonus || ' for at least ' || w.at_least as expected,
      concat_ws(' ', sum(e.amount), 'in', count(e.id), 'entries for', w.figure) as actual
    from goal_awards w left join commission_entries e on e.account_id = w.account_id and e.award_id = w.id
    group by w.account_id, w.id
    having coalesce(sum(e.amount), -1) not in (0, w.bonus) or w.figure < w.at_least or max(e.turn) + 1 <> count(e.id)`,
}
