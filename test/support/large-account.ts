import { pino } from 'pino'
import { openDatabase, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import type { Secrets } from '../../server/platform/database/secrets.ts'
import { settingsPlace } from '../../server/program/payouts/deposit-details.ts'
import { type Change, count, countKeptVisits } from '../../server/program/stats/count.ts'
import { bankDetails } from './payouts.ts'

/** Rows that every list of a crowded account has at least. */
export const CROWD = 10_000
/** Number of its payouts without a blocker. */
export const READY = 120

/** Names of the maximum length: two of a hundred characters, and a company's of two hundred. */
export const longNames = {
  first: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100),
  last: 'Llanfairpwllgwyngyllgogerychwyrndrobwll'.repeat(3).slice(0, 100),
  hebrew: 'אלכסנדרוביץ'.repeat(10).slice(0, 100),
  company: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(4).slice(0, 200),
}

/** An account with one partner, who has its one lead. */
type Crowded = { id: string; ownerEmail: string; partnerId: string; leadId: string }

/**
 * Fills the account so that every list of it is long: all new partners are below its one partner, all new leads are
 * theirs, and their first lead has as many sales and notes as there are other leads. The newest rows of each kind have
 * the longest names. The install has as many other accounts, without owners.
 */
export async function fillCrowd(databaseUrl: string, account: Crowded, secrets: Secrets): Promise<void> {
  const db = openDatabase({ url: databaseUrl, log: pino({ level: 'silent' }), max: 1 })
  try {
    await transaction(db, async (tx) => {
      // The rows are right; checking every reference would take most of the time.
      await tx.run`set local session_replication_role = replica`
      await addPartners(tx, account)
      await addLeads(tx, account)
      await addSales(tx, account)
      await addLinks(tx, account)
      await addPayouts(tx, account)
      await makeReady(tx, account, secrets)
      await addRequestsAndSessions(tx, account)
      await addAccounts(tx)
      await count(tx, await changesOf(tx, account))
      await countVisits(tx, account)
    })
    await db.run`analyze`
  } finally {
    await db.close()
  }
}

async function addPartners(tx: Transaction, { id, partnerId }: Crowded) {
  await tx.run`
    insert into partners (id, account_id, parent_partner_id, first_name, last_name, email, referral_code, state,
      created_on, created_at, updated_at)
    select uuidv7(), ${id}, ${partnerId},
      case n when ${CROWD} then ${longNames.first} when ${CROWD - 1} then ${longNames.hebrew} else 'Partner' end,
      case n when ${CROWD} then ${longNames.last} when ${CROWD - 1} then ${longNames.hebrew} else lpad(n::text, 5, '0') end,
      'partner-' || n || '@crowd.example', 'crowd-' || lpad(n::text, 26, '0'),
      case when n % 10 = 5 then 'suspended' else 'active' end, at::date, at, at
    from generate_series(1, ${CROWD}::integer) n, lateral (select ${tx.now}::timestamptz - (${CROWD}::integer - n) * interval '1 ms' as at) born
    order by n`
  await tx.run`
    insert into referral_codes (account_id, code, partner_id, created_at)
    select account_id, referral_code, id, created_at from partners where parent_partner_id = ${partnerId}`
}

async function addLeads(tx: Transaction, { id, partnerId, leadId }: Crowded) {
  await tx.run`
    insert into leads (id, account_id, partner_id, first_name, last_name, company, email, source, status, created_on,
      created_at, updated_at)
    select uuidv7(), ${id}, ${partnerId},
      case n when ${CROWD} then ${longNames.first} when ${CROWD - 1} then ${longNames.hebrew} when ${CROWD - 2} then null
        else 'Lead' end,
      case n when ${CROWD} then ${longNames.last} when ${CROWD - 1} then ${longNames.hebrew} when ${CROWD - 2} then null
        else lpad(n::text, 5, '0') end,
      case n when ${CROWD - 2} then ${longNames.company} end,
      'lead-' || n || '@crowd.example', case n % 2 when 0 then 'manual' else 'api' end,
      case when n % 10 = 5 then 'rejected' else 'won' end, at::date, at, at
    from generate_series(1, ${CROWD}::integer) n, lateral (select ${tx.now}::timestamptz - (${CROWD}::integer - n) * interval '1 ms' as at) born
    order by n`
  await tx.run`
    insert into events (id, account_id, subject_id, type, kind, audited, actor_type, subject_type, data, at)
    select uuidv7(), ${id}, ${leadId}, 'lead.noted', 'recorded', false, 'system', 'lead',
      jsonb_build_object('lines', jsonb_build_array(
        jsonb_build_object('type', 'note', 'text', 'Call number ' || n, 'shared', true))),
      ${tx.now}::timestamptz - n * interval '1 minute'
    from generate_series(1, ${CROWD}::integer) n`
}

/**
 * One sale for each lead, as many more for the first lead, and as many without a credited partner. Every hundredth sale
 * of the first lead is a sub-partner's, and the partner earns on it as the parent.
 */
async function addSales(tx: Transaction, { id, partnerId, leadId }: Crowded) {
  await tx.run`
    insert into sales (id, account_id, lead_id, partner_id, provider, external_id, amount, gross_amount, currency,
      account_amount, account_currency, fx_rate, fx_date, sale_date, description, sequence, matched_by, created_at)
    select uuidv7(), ${id}, of.lead_id, of.partner_id, of.provider, of.kind || of.n, of.amount, of.amount, 'usd', of.amount,
      'usd', 1, of.day, of.day, of.description, of.sequence, of.matched_by, ${tx.now}
    from (
      select n, 'own-' as kind, l.id as lead_id, l.partner_id, 'manual' as provider, 1000 + 20 * n as amount,
        l.created_on as day, null as description, 1 as sequence, 'manual' as matched_by
      from (select *, row_number() over (order by id)::integer as n from leads
        where account_id = ${id} and email like '%@crowd.example') l
      union all
      select n, 'many-', ${leadId}, coalesce(p.id, ${partnerId}), 'manual', 5000 + 20 * n, ${tx.now}::date - n % 300,
        'Month ' || n, n, 'manual'
      from generate_series(1, ${CROWD}::integer) n
        left join partners p on n % 100 = 0 and p.account_id = ${id}
          and p.referral_code = 'crowd-' || lpad(n::text, 26, '0')
      union all
      select n, case n when ${CROWD} then repeat('W', 240) else 'nobody-' end, null, null, 'stripe', 2000 + 20 * n,
        ${tx.now}::date - n % 300, null, 1, null
      from generate_series(1, ${CROWD}::integer) n) of
    order by of.kind, of.n`
  await tx.run`
    insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency,
      kind, available_at, day, created_at)
    select uuidv7(), s.account_id, s.id, earner.id, layer, rate, amount, amount::numeric * rate / 1000000, currency, 'earned',
      created_at, sale_date, created_at
    from sales s, lateral (
      select s.partner_id as id, 0 as layer, 200000 as rate
      union all select ${partnerId}, 1, 50000 where s.partner_id <> ${partnerId}) earner
    where s.account_id = ${id} and s.partner_id is not null
    order by s.sale_date, s.id`
}

async function addLinks(tx: Transaction, { id }: Crowded) {
  await tx.run`
    insert into link_blueprints (id, account_id, key, name, destination_url, domain, created_at, updated_at)
    select uuidv7(), ${id}, lpad(to_hex(n), 8, '0'),
      case n when ${CROWD} then ${longNames.first} when ${CROWD - 1} then ${longNames.hebrew} else 'Link ' || lpad(n::text, 5, '0') end,
      'https://shop.example.com/' || case n when ${CROWD} then repeat('path', 400) else n::text end, 'shop.example.com', at, at
    from generate_series(1, ${CROWD}::integer) n, lateral (select ${tx.now}::timestamptz - (${CROWD}::integer - n) * interval '1 ms' as at) born
    order by n`
  // Gives the n-th of the first hundred links n clicks, of as many partners.
  await tx.run`
    insert into clicks (id, account_id, blueprint_id, partner_id, day, source, at)
    select uuidv7(), ${id}, b.id, p.id, ${tx.now}::date, 'redirect', ${tx.now}
    from (select id, row_number() over (order by id) as n from link_blueprints where account_id = ${id} order by id limit 100) b
      join (select id, row_number() over (order by id) as n from partners
        where account_id = ${id} and email like '%@crowd.example' order by id limit 100) p on p.n <= b.n`
}

/** Pays out the sale of every lead separately; each sub-partner gets their own balance, and the partner the rest. */
async function addPayouts(tx: Transaction, { id, partnerId }: Crowded) {
  await tx.run`
    with paid as (
      select uuidv7() as payout_id, e.id as entry_id, e.amount, e.day, e.created_at,
        row_number() over (order by e.id)::integer as number
      from commission_entries e join sales s on s.id = e.sale_id
      where e.account_id = ${id} and s.external_id like 'own-%'
    ), bound as (
      insert into payout_entries (payout_id, entry_id, account_id, approved_at)
      select payout_id, entry_id, ${id}, created_at from paid
    )
    insert into payouts (id, account_id, partner_id, statement_number, status, amount, currency, method, period_start,
      period_end, approved_at, paid_at, paid_on, external_reference, created_at, updated_at)
    select payout_id, ${id}, ${partnerId}, number, 'paid', amount, 'usd', 'manual', day, day, created_at, created_at,
      created_at::date, 'transfer-' || number, created_at, created_at
    from paid`
  await tx.run`
    insert into commission_entries (id, account_id, partner_id, amount, currency, kind, available_at, day, reason, actor,
      created_at)
    select uuidv7(), ${id}, id, 1000 + row_number() over (order by id), 'usd', 'bonus', ${tx.now}, ${tx.now}::date,
      'Welcome', 'system', ${tx.now}
    from partners where parent_partner_id = ${partnerId}`
  await tx.run`
    insert into payouts (id, account_id, partner_id, statement_number, currency, created_at, updated_at)
    select uuidv7(), ${id}, p.id, ${CROWD}::integer + row_number() over (order by p.id = ${partnerId}, p.id), 'usd', p.created_at,
      p.created_at
    from partners p where p.account_id = ${id} order by p.id = ${partnerId}, p.id`
  await tx.run`
    insert into payout_accounts (account_id, last_statement_number, updated_at)
    values (${id}, ${2 * CROWD + 1}, ${tx.now}) on conflict (account_id) do update set last_statement_number = excluded.last_statement_number`
}

/** Gives the newest partners payout details and approval for this year, the suspended ones among them too. */
async function makeReady(tx: Transaction, { id, partnerId }: Crowded, secrets: Secrets) {
  const partners = await tx.many<{ id: string }>`
    update partners set approved_payout_years = array[${tx.now.getUTCFullYear()}::integer]
    where id in (select id from partners where parent_partner_id = ${partnerId} and state = 'active' order by id desc limit ${READY})
    returning id`
  const details = JSON.stringify(bankDetails())
  await tx.run`
    insert into payout_settings (partner_id, account_id, details_sealed, routing_last4, account_last4, version, created_at,
      updated_at)
    select d.partner_id, ${id}, d.sealed, '0021', '6789', d.partner_id, ${tx.now}, ${tx.now}
    from unnest(${partners.map((partner) => partner.id)}::uuid[],
      ${partners.map((partner) => secrets.seal(details, settingsPlace(partner.id, id)))}::bytea[]) as d (partner_id, sealed)`
}

/** As many of each as the product stores. */
async function addRequestsAndSessions(tx: Transaction, { id, ownerEmail }: Crowded) {
  await tx.run`
    insert into push_requests (id, account_id, path, status, error_code, error_message, rows, failed_rows, created_at)
    select uuidv7(), ${id}, '/push/sales', case when n % 10 = 0 then 422 else 200 end,
      case when n % 10 = 0 then 'validation_failed' end,
      case when n % 10 = 0 then 'There is no lead named ' || ${longNames.company} end,
      case when n % 2 = 1 then 100 end, case when n % 2 = 1 then 3 end, ${tx.now}::timestamptz - (100 - n) * interval '1 second'
    from generate_series(1, 100) n`
  await tx.run`
    insert into sessions (id, user_id, access_hash, access_expires_at, user_agent, address, created_at, last_used_at, expires_at)
    select uuidv7(), u.id, sha256(n::text::bytea), ${tx.now}, repeat('Agent', 100), '2001:db8::' || n, ${tx.now}, ${tx.now},
      ${tx.now}::timestamptz + interval '30 days'
    from users u, generate_series(1, 18) n where u.email = ${ownerEmail}`
}

const addAccounts = (tx: Transaction) => tx.run`
  insert into accounts (id, name, public_id, disabled_at, created_at, updated_at)
  select uuidv7(), case n when 1 then 'A' || ${longNames.last.slice(1)} when 2 then ${longNames.hebrew} else 'Account ' || lpad(n::text, 5, '0') end,
    'crowd-' || n, case when n % 10 = 5 then ${tx.now}::timestamptz end, at, at
  from generate_series(1, ${CROWD}::integer) n, lateral (select ${tx.now}::timestamptz - (${CROWD}::integer - n) * interval '1 ms' as at) born
  order by n`

/** Returns the figures' changes caused by the new rows. */
const changesOf = (tx: Transaction, { id, partnerId }: Crowded) => tx.many<Change>`
  select account_id, created_on as day, parent_partner_id as partner_id, null::uuid as lead_id,
    count(*) as partners, 0 as leads, 0 as sales, 0::bigint as revenue, 0::bigint as share
  from partners where parent_partner_id = ${partnerId} group by account_id, created_on, parent_partner_id
  union all
  select account_id, created_on, partner_id, null, 0, count(*), 0, 0, 0
  from leads where account_id = ${id} and email like '%@crowd.example' group by account_id, created_on, partner_id
  union all
  select account_id, sale_date, partner_id, lead_id, 0, 0, count(*), sum(account_amount)::bigint, 0
  from sales where account_id = ${id} and lead_id is not null group by account_id, sale_date, partner_id, lead_id
  union all
  select e.account_id, e.day, e.partner_id, s.lead_id, 0, 0, 0, 0, sum(e.amount)::bigint
  from commission_entries e join sales s on s.id = e.sale_id
  where e.account_id = ${id} group by e.account_id, e.day, e.partner_id, s.lead_id`

/** Counts each click as another visitor's. */
const countVisits = (tx: Transaction, { id }: Crowded) => tx.run`
  with kept as (
    select account_id, partner_id, blueprint_id, link_id, day, false as is_bot, true as is_unique
    from clicks where account_id = ${id}
  ), ${countKeptVisits}
  select count(*) from counted_totals`
