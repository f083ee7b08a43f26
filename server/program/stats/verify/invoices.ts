import { type Sql, sql } from '../../../platform/database/sql.ts'
import { type Checks, shareSql } from './checks.ts'

/** The cash line of credit note `n` of invoice `i`: its return, or the same for a correction. */
const lineOfNote = sql`case when n.revision = 0 then i.turn + 1 else i.turn end`

/** The content that a document has in common with its credit note, which is written as on its own day. */
const contentIn = (document: Sql) => sql`${document}.snapshot - '{partner,language,form,wording}'::text[]`

/** Checks of invoices and their series against payouts and cash lines. */
export const invoiceChecks: Checks = {
  'a series has every number once, but for recorded jumps': sql`
    select account_id || ' from ' || low as subject, expected::text, low::text as actual from (
      select account_id, low, coalesce(lag(high) over by_number + 1, 1) as expected from (
        select account_id, number as low, number as high from invoices where number is not null
        union all
        select account_id, from_number, to_number - 1 from invoice_jumps
        union all
        select account_id, next_number, next_number from invoice_series) numbers
      window by_number as (partition by account_id order by low)) numbered
    where low <> expected`,

  'only an unsure series lets documents wait': sql`
    select i.id::text as subject, 'a number' as expected, 'none' as actual
    from invoices i left join invoice_series s on s.account_id = i.account_id
    where i.number is null and s.unsure_since is null`,

  'the VAT of a payout is half up, and leaves with it': sql`
    select o.id::text as subject, 'VAT ' || expected || ' of ' || (o.amount + expected) as expected,
      'VAT ' || o.tax_amount || ' of ' || o.pay_amount || coalesce(', left ' || c.tax_amount, '') as actual
    from payouts o
      left join lateral (select c.kind, c.tax_amount, c.invoice_terms from payout_cash c
        where c.account_id = o.account_id and c.payout_id = o.id order by c.turn desc limit 1) c on true
      cross join lateral (select ${shareSql(sql`o.amount`, sql`(o.invoice_terms ->> 'rate')::numeric`, sql`100`)}::bigint as expected) e
    where o.invoice_terms is not null and ((o.tax_amount, o.pay_amount) is distinct from (expected, o.amount + expected)
      or (c.kind = 'out' and (c.tax_amount, c.invoice_terms) is distinct from (o.tax_amount, o.invoice_terms)))
    union all
    select o.id::text, 'no VAT without an invoice', 'VAT ' || o.tax_amount
    from payouts o
    -- a recovered one had its invoice before the restore
    where o.invoice_terms is null and o.tax_amount <> 0 and not exists (
      select from events e
      where e.account_id = o.account_id and e.subject_id = o.id and e.audited and e.type = 'payout.recovered')`,

  'an invoice is its cash line, with VAT half up': sql`
    select i.id::text as subject,
      concat_ws(' ', c.partner_id, c.amount, ${shareSql(sql`c.amount`, sql`i.tax_rate`, sql`100`)}, o.currency, c.amount) as expected,
      concat_ws(' ', i.partner_id, i.net, i.tax, i.currency, (
        select sum((l ->> 'amount')::bigint) from jsonb_array_elements(i.snapshot -> 'lines') l)) as actual
    from invoices i join payout_cash c on c.account_id = i.account_id and c.payout_id = i.payout_id and c.turn = i.turn
      join payouts o on o.account_id = i.account_id and o.id = i.payout_id
    where (i.partner_id, i.net, i.tax, i.tax, i.currency, i.net) is distinct from (c.partner_id, c.amount,
      ${shareSql(sql`c.amount`, sql`i.tax_rate`, sql`100`)}::bigint, c.tax_amount, o.currency, (
        select sum((l ->> 'amount')::bigint) from jsonb_array_elements(i.snapshot -> 'lines') l))`,

  'a payout that left under invoicing has one invoice that is not credited': sql`
    select o.id::text as subject, expected || ' open, ' || lines || ' in all' as expected,
      open || ' open, ' || documents || ' in all' as actual
    from payouts o cross join lateral (
      select count(*) as lines, coalesce((array_agg(case c.kind when 'out' then 1 else 0 end order by c.turn desc))[1], 0) as expected
      from payout_cash c where c.account_id = o.account_id and c.payout_id = o.id and c.invoice_terms is not null) l
      cross join lateral (
      select count(*) filter (where i.revision = 0) as documents, count(*) filter (where i.kind = 'invoice' and not exists (
        select from invoices n where n.account_id = i.account_id and n.credits = i.id)) as open
      from invoices i where i.account_id = o.account_id and i.payout_id = o.id) d
    where (open, documents) <> (expected, lines)`,

  'a credit note is its invoice': sql`
    select n.id::text as subject, concat_ws(' ', i.payout_id, ${lineOfNote}, i.net, i.tax_rate, i.tax, i.currency, i.treatment) as expected,
      concat_ws(' ', n.payout_id, n.turn, n.net, n.tax_rate, n.tax, n.currency, n.treatment,
        case when ${contentIn(sql`n`)} <> ${contentIn(sql`i`)} then 'with other words' end) as actual
    from invoices n join invoices i on i.account_id = n.account_id and i.id = n.credits
    where (n.payout_id, n.turn, n.net, n.tax_rate, n.tax, n.currency, n.treatment, ${contentIn(sql`n`)})
      is distinct from (i.payout_id, ${lineOfNote}, i.net, i.tax_rate, i.tax, i.currency, i.treatment, ${contentIn(sql`i`)})`,

  'a correction is a credit note of the invoice before and a new invoice, with the numbers that follow': sql`
    select i.id::text as subject, 'revision ' || i.revision - 1 || ' credited by ' || i.number - 1 as expected,
      coalesce('revision ' || b.revision || ' credited by ' || n.number, 'none') as actual
    from invoices i
      left join invoices n on n.account_id = i.account_id and n.payout_id = i.payout_id and n.turn = i.turn
        and n.revision = i.revision and n.kind = 'credit-note'
      left join invoices b on b.account_id = n.account_id and b.id = n.credits
    where i.kind = 'invoice' and i.revision > 0
      and (b.revision, n.number) is distinct from (i.revision - 1, i.number - 1)
    union all
    select n.id::text, 'a new invoice', 'none'
    from invoices n
    where n.kind = 'credit-note' and n.revision > 0 and not exists (
      select from invoices i where i.account_id = n.account_id and i.payout_id = n.payout_id and i.turn = n.turn
        and i.revision = n.revision and i.kind = 'invoice')`,
}
