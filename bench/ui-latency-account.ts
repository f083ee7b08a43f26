import { type Database, type Transaction, transaction } from '../server/platform/database/pool.ts'
import { fillMonths } from '../server/program/stats/months.ts'
import { type BenchAccount, type BenchEnvironment, makeAccount } from './environment.ts'

export type Size = {
  leads: number
  partners: number
  sales: number
  payouts: number
  /** A higher value gives the first partner a larger part of all leads. */
  steepness?: number
  /** Number of partners, a prime, that leads are distributed among; their parents earn too. */
  referrers?: number
}

/** Prime. */
const REFERRERS = 1009

/** Days over which leads, partners and sales are spread. */
const DAYS = 540
const firstNames =
  'Ada Ben Chloe Dario Elif Finn Grace Hugo Iris Jonas Kira Liam Maya Noah Olive Petra Quinn Rosa Sam Tara Umut Vera Wes Xenia Yara Zane'
const lastNames =
  'Abbott Brandt Castell Dorsey Ekman Farrow Garside Haddad Ito Jansen Keller Lindqvist Moreau Novak Okafor Prasad Quiroga Rossi Stein Tarn Ueda Vargas Whitfield Xu Yilmaz Zimmer'
const companies =
  'Brightline Cobalt Driftwood Eastgate Fernhill Harbor Juniper Kestrel Larkspur Northwind Pinegate Quarry Redwood Summit Tidewater'

/** Makes an account of this size, with everything that its screens read. */
export async function makeFeltAccount(ground: BenchEnvironment, size: Size): Promise<BenchAccount> {
  const account = await makeAccount(ground)
  await fillAccount(ground.db, account.id, size)
  await ground.db.run`vacuum analyze`
  return account
}

/**
 * Fills an account with partners in three layers and everything that its screens read: leads of every status and
 * source, sales of as many amounts, refunds, the ledger, paid and coming payouts, and the roll-ups of all that.
 */
export async function fillAccount(db: Database, id: string, size: Size): Promise<void> {
  const { steepness = 3, referrers = REFERRERS } = size
  const now = new Date()
  const [first, last, company] = [firstNames, lastNames, companies].map((names) => names.split(' '))
  const pick = (names: string[]) => ({ names, count: names.length })
  const [f, l, c] = [pick(first!), pick(last!), pick(company!)]
  await transaction(db, async (tx) => {
    // the rows are right; checking every reference would take minutes
    await tx.run`set local session_replication_role = replica`
    await tx.run`set local statement_timeout = 0`
    await tx.run`set local idle_in_transaction_session_timeout = 0`
    await tx.run`set local maintenance_work_mem = '256MB'`
    const indexes = size.leads < MANY ? [] : await dropIndexes(tx)
    await tx.run`
      create temporary table felt_partners on commit drop as
      select n, uuidv7() as id, (${f.names}::text[])[1 + n * 7 % ${f.count}] as first_name,
        (${l.names}::text[])[1 + n * 11 % ${l.count}] as last_name,
        case when n <= ${size.partners} / 25 then null
          when n <= ${size.partners} / 4 then 1 + n * 7919::bigint % (${size.partners} / 25)
          else ${size.partners} / 25 + 1 + n * 7919::bigint % (${size.partners} / 4 - ${size.partners} / 25) end as parent,
        ${now}::timestamptz - (${size.partners} - n) * (interval '1 day' * ${DAYS} / ${size.partners}) as at
      from generate_series(1, ${size.partners}::integer) n order by n`
    await tx.run`create unique index on felt_partners (n)`
    await tx.run`
      insert into partners (id, account_id, parent_partner_id, first_name, last_name, email, referral_code, state,
        approved_payout_years, created_on, created_at, updated_at)
      select p.id, ${id}, a.id, p.first_name, p.last_name, lower(p.first_name || '.' || p.last_name) || p.n || '@partners.example',
        lower(p.last_name) || '-' || p.n, case p.n % 50 when 7 then 'suspended' when 8 then 'archived' else 'active' end,
        case when p.n % 3 = 0 then array[extract(year from ${now}::timestamptz)::integer] else '{}' end, (p.at at time zone 'UTC')::date, p.at, p.at
      from felt_partners p left join felt_partners a on a.n = p.parent order by p.n`
    await tx.run`
      insert into referral_codes (account_id, code, partner_id, created_at)
      select account_id, referral_code, id, created_at from partners where account_id = ${id}
      on conflict do nothing`
    await tx.run`
      insert into payout_settings (partner_id, account_id, details_sealed, routing_last4, account_last4, version, created_at, updated_at)
      select id, ${id}, 'sealed'::bytea, '0021', '6789', id, at, at from felt_partners where n % 2 = 0`
    await tx.run`
      insert into link_blueprints (id, account_id, key, name, destination_url, domain, created_at, updated_at)
      select uuidv7(), ${id}, left(md5(${id} || n), 8), 'Campaign ' || n, 'https://shop.example.com/' || n, 'shop.example.com', at, at
      from generate_series(1, 100) n, lateral (select ${now}::timestamptz - (100 - n) * interval '1 minute' as at) born order by n`
    await tx.run`
      create temporary table felt_leads on commit drop as
      select d.n, uuidv7() as id, (${f.names}::text[])[1 + d.n * 5 % ${f.count}] as first_name,
        (${l.names}::text[])[1 + d.n * 3 / 7 % ${l.count}] as last_name, p.id as partner_id, p.parent,
        -- some partners bring many, most bring few
        ${now}::timestamptz - (${size.leads} - d.n) * (interval '1 day' * ${DAYS} / ${size.leads}) as at
      from generate_series(1, ${size.leads}::integer) d (n)
        left join felt_partners p
          on d.n % 12 <> 5 and p.n = 1 + floor((${size.partners} - 1) * power(d.n * 7919::bigint % ${referrers}::integer / ${referrers}::numeric, ${steepness}::integer))::integer
      order by d.n`
    await tx.run`create unique index on felt_leads (n)`
    await tx.run`
      insert into leads (id, account_id, partner_id, blueprint_id, first_name, last_name, email, phone, phone_e164, company,
        external_id, source, status, created_on, created_at, updated_at)
      select d.id, ${id}, d.partner_id, b.id, d.first_name, d.last_name,
        lower(d.first_name || '.' || d.last_name) || d.n || '@mail.example', '+1415' || lpad(d.n::text, 7, '0'),
        '+1415' || lpad(d.n::text, 7, '0'), (${c.names}::text[])[1 + d.n % ${c.count}] || ' ' || d.n % 97, 'cus-' || d.n,
        (array['embed', 'api', 'manual', 'incoming-webhook', 'provider'])[1 + d.n % 5],
        case when (d.n - 1) % 5 < 3 then 'won'
          when d.at > ${now}::timestamptz - interval '7 days' then 'new'
          else (array['qualified', 'lost', 'rejected', 'expired'])[1 + d.n % 4] end, (d.at at time zone 'UTC')::date, d.at, d.at
      from felt_leads d
        left join (select id, row_number() over (order by id) as n from link_blueprints where account_id = ${id}) b
          on d.n % 2 = 0 and b.n = 1 + d.n % 97
      order by d.n`
    await tx.run`
      insert into events (id, account_id, subject_id, type, kind, audited, actor_type, subject_type, data, at)
      select uuidv7(), ${id}, id, 'lead.noted', 'recorded', false, 'system', 'lead',
        jsonb_build_object('lines', jsonb_build_array(jsonb_build_object('type', 'note', 'text', 'Call number ' || n, 'shared', true))), at
      from felt_leads where n % 2 = 0`
    await tx.run`
      insert into sales (id, account_id, lead_id, partner_id, blueprint_id, provider, external_id, amount, gross_amount, currency,
        account_amount, account_currency, fx_rate, fx_date, sale_date, description, sequence, matched_by, refunded_amount, status,
        hold_rule, hold_policy, hold_reason, held_until, credit, created_at)
      select uuidv7(), ${id}, d.id, d.partner_id, b.blueprint_id, 'api', 'inv-' || of.n, amount, amount, 'usd', amount, 'usd', 1,
        (of_sale.at at time zone 'UTC')::date, (of_sale.at at time zone 'UTC')::date, 'Plan ' || of.n % 12, 1 + (of.n - 1) / (${size.leads} * 3 / 5), 'external-id',
        case when of.n % 25 = 3 then amount / 2 else 0 end, case when of.n % 25 = 3 then 'partially-refunded' else 'completed' end,
        case when is_held then 'self-referral' end, case when is_held then 'hold' end, case when is_held then 'Same address' end,
        case when is_held then of_sale.at + interval '30 days' end,
        case when d.partner_id is not null then jsonb_build_object('source', 'account', 'ratesPpm', '[200000, 50000]'::jsonb,
          'line', jsonb_build_array(jsonb_build_object('partnerId', d.partner_id, 'earns', true),
            jsonb_build_object('partnerId', p.parent_partner_id, 'earns', true))) end, of_sale.at
      from generate_series(1, ${size.sales}::integer) of (n)
        join felt_leads d on d.n = 1 + of.n * 7::bigint % (${size.leads} * 3 / 5) / 3 * 5 + of.n * 7::bigint % (${size.leads} * 3 / 5) % 3
        join leads b on b.id = d.id
        left join partners p on p.id = d.partner_id,
        lateral (select 1000 + 40 * (of.n * 7919::bigint % ${size.sales}) as amount,
          ${now}::timestamptz - (${size.sales} - of.n) * (interval '1 day' * ${DAYS} / ${size.sales}) as at,
            of.n % 500 = 9 and d.partner_id is not null as is_held) of_sale
      order by of.n`
    await tx.run`
      insert into fraud_cases (id, account_id, sale_id, partner_id, findings, action, opened_at, held_until)
      select id, account_id, id, partner_id, jsonb_build_array(
          jsonb_build_object('rule', hold_rule, 'evidence', hold_reason, 'partnerId', null)), 'hold', created_at, held_until
      from sales where account_id = ${id} and hold_rule is not null`
    await tx.run`
      update sales set fraud_case_id = id where account_id = ${id} and hold_rule is not null`
    await tx.run`
      insert into refunds (id, account_id, sale_id, kind, provider, external_id, amount, status, at, account_amount, counted_on, created_at)
      select uuidv7(), ${id}, id, 'refund', provider, external_id || '-refund', refunded_amount, 'succeeded', created_at,
        refunded_amount, sale_date, created_at
      from sales where account_id = ${id} and refunded_amount > 0`
    await tx.run`
      insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency, kind,
        available_at, day, created_at)
      select uuidv7(), ${id}, s.id, earner.id, layer, rate, s.amount, s.amount * rate / 1000000, 'usd', 'earned',
        s.created_at + interval '30 days', s.sale_date, s.created_at
      from sales s join partners p on p.id = s.partner_id,
        lateral (values (s.partner_id, 0, 200000), (p.parent_partner_id, 1, 50000)) earner (id, layer, rate)
      where s.account_id = ${id} and earner.id is not null order by s.created_at`
    await tx.run`analyze refunds, commission_entries`
    await tx.run`
      insert into commission_entries (id, account_id, sale_id, refund_id, partner_id, layer, rate_ppm, base_amount, amount,
        currency, kind, available_at, day, created_at)
      select uuidv7(), ${id}, e.sale_id, r.id, e.partner_id, e.layer, e.rate_ppm, -r.amount, -e.amount / 2, 'usd', 'reversal',
        e.available_at, e.day, e.created_at
      from refunds r join commission_entries e on e.sale_id = r.sale_id where r.account_id = ${id} and e.kind = 'earned'`
    await tx.run`
      with groups as (
        select uuidv7() as payout_id, partner_id, sum(amount) as amount, array_agg(id) as entry_ids, min(day) as first_day,
          max(day) as last_day, row_number() over (order by month, partner_id) as number,
          month + interval '1 month' + row_number() over (order by month, partner_id) * interval '1 ms' as at
        from (select id, partner_id, amount, day, date_trunc('month', available_at) as month from commission_entries
          where account_id = ${id} and available_at < ${now}::timestamptz - interval '40 days') e
        group by partner_id, month having sum(amount) > 0
        order by month, partner_id limit ${size.payouts}
      ), bound as (
        insert into payout_entries (payout_id, entry_id, account_id, approved_at)
        select payout_id, unnest(entry_ids), ${id}, at from groups
      )
      insert into payouts (id, account_id, partner_id, statement_number, status, amount, currency, method, period_start,
        period_end, approved_at, paid_at, paid_on, external_reference, created_at, updated_at)
      select payout_id, ${id}, partner_id, number, 'paid', amount, 'usd', 'manual', first_day, last_day, at, at, at::date,
        'transfer-' || number, at, at
      from groups`
    await tx.run`
      insert into events (id, account_id, subject_id, type, kind, audited, actor_type, subject_type, data, at)
      select uuidv7(), account_id, id, 'payout.paid', 'recorded', true, 'system', 'payout',
        '{"changes": {"status": {"old": "due", "new": "paid"}}}'::jsonb, paid_at
      from payouts where account_id = ${id} and status = 'paid'`
    await tx.run`
      insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, at)
      select account_id, id, partner_id, 0, 'out', amount, paid_at from payouts where account_id = ${id} and status = 'paid'`
    await tx.run`
      insert into payouts (id, account_id, partner_id, statement_number, currency, created_at, updated_at)
      select uuidv7(), ${id}, partner_id, ${size.payouts} + row_number() over (order by partner_id), 'usd', ${now}, ${now}
      from (select partner_id from commission_entries where account_id = ${id} group by partner_id) earners`
    await tx.run`
      insert into payout_accounts (account_id, last_statement_number, updated_at)
      select ${id}, max(statement_number), ${now} from payouts where account_id = ${id}
      on conflict (account_id) do update set last_statement_number = excluded.last_statement_number`
    await tx.run`
      create temporary table felt_figures on commit drop as
      select created_on as day, parent_partner_id as partner_id, null::uuid as blueprint_id, null::uuid as lead_id,
        1 as partners, 0 as leads, 0 as sales, 0::bigint as revenue, 0::bigint as share
      from partners p where account_id = ${id} and exists (select from felt_partners d where d.id = p.id)
      union all select created_on, partner_id, blueprint_id, null, 0, 1, 0, 0, 0 from leads where account_id = ${id}
      union all select sale_date, partner_id, blueprint_id, lead_id, 0, 0, 1, account_amount, 0 from sales where account_id = ${id}
      union all select r.counted_on, s.partner_id, s.blueprint_id, s.lead_id, 0, 0, 0, -r.account_amount, 0
        from refunds r join sales s on s.id = r.sale_id where r.account_id = ${id}
      union all select e.day, e.partner_id, s.blueprint_id, s.lead_id, 0, 0, 0, 0, e.amount
        from commission_entries e join sales s on s.id = e.sale_id where e.account_id = ${id}`
    const nil = '00000000-0000-0000-0000-000000000000'
    await tx.run`
      insert into day_stats as s (account_id, partner_id, blueprint_id, day, partners, leads, sales, revenue, share)
      select ${id}, whose.id, of_link.id, day, sum(partners), sum(leads), sum(sales), sum(revenue), sum(share)
      from felt_figures, lateral (select ${nil}::uuid as id union select partner_id where partner_id is not null) whose,
        lateral (select ${nil}::uuid as id union select blueprint_id where blueprint_id is not null) of_link
      group by 2, 3, 4
      on conflict (account_id, partner_id, blueprint_id, day) do update set partners = s.partners + excluded.partners,
        leads = excluded.leads, sales = excluded.sales, revenue = excluded.revenue, share = excluded.share`
    await tx.run`
      insert into total_stats (account_id, partner_id, blueprint_id, partners, leads, sales, revenue, share)
      select account_id, partner_id, blueprint_id, sum(partners), sum(leads), sum(sales), sum(revenue), sum(share)
      from day_stats where account_id = ${id} group by 1, 2, 3
      on conflict (account_id, partner_id, blueprint_id) do update set partners = excluded.partners, leads = excluded.leads,
        sales = excluded.sales, revenue = excluded.revenue, share = excluded.share`
    await tx.run`analyze sales, commission_entries, day_stats`
    await fillMonths(tx, id)
    await tx.run`
      insert into lead_stats (account_id, lead_id, sales, revenue, share)
      select ${id}, lead_id, sum(sales), sum(revenue), sum(share) from felt_figures where lead_id is not null group by lead_id`
    for (const index of indexes) await tx.client.query(index)
  })
}

/** Leads from which rebuilding an index at once is faster than updating it row by row. */
const MANY = 50_000
const FILLED = ['partners', 'leads', 'events', 'sales', 'refunds', 'commission_entries', 'payouts', 'payout_entries']

/**
 * Drops the indexes that back no constraint, those of all months at once; returns the statements that recreate them.
 */
async function dropIndexes(tx: Transaction): Promise<string[]> {
  const indexes = await tx.many<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index i
    where i.indrelid = any(${FILLED}::text[]::regclass[]) and not i.indisunique
      and not exists (select from pg_inherits where inhrelid = i.indexrelid)`
  for (const { name } of indexes) await tx.client.query(`drop index ${name}`)
  return indexes.map(({ definition }) => definition)
}
