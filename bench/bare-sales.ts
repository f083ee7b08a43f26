import pg from 'pg'
import { AMOUNT, type BareSale, EVENTS, externalId, NIL, pickLead, writeSale } from './bare-sale.ts'
import { answerParent } from './child.ts'

// The floor of a pushed sale: the driver writes the same rows, one transaction a sale, without HTTP, validation or rules.

export type BareSales = {
  url: string
  connections: number
  ms: number
  /**
   * `statements`: one after the other, as the product writes them; `function`: one call of a function with all of them.
   */
  way: 'statements' | 'function'
  first: number
} & BareSale

answerParent<BareSales, { perSecond: number; written: number }>(async (plan) => {
  const pool = new pg.Pool({ connectionString: plan.url, max: plan.connections })
  if (plan.way === 'function') await pool.query(FUNCTION)
  const clients = await Promise.all(Array.from({ length: plan.connections }, () => pool.connect()))
  let number = plan.first
  let written = 0
  let inTime = 0
  const until = performance.now() + plan.ms
  const write = plan.way === 'function' ? callFunction : runStatements
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        number++
        await write(client, plan, number)
        written++
        if (performance.now() < until) inTime++
      }
      client.release()
    }),
  )
  await pool.end()
  return { perSecond: inTime / (plan.ms / 1000), written }
})

async function callFunction(client: pg.PoolClient, plan: BareSales, number: number) {
  await client.query({
    name: 'bare-sale',
    text: 'select bench_sale($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [
      plan.accountId,
      pickLead(plan, number),
      plan.partnerIds,
      plan.ratesPpm,
      externalId(number),
      AMOUNT,
      plan.day,
      plan.credit,
    ],
  })
}

async function runStatements(client: pg.PoolClient, plan: BareSales, number: number) {
  await client.query('begin')
  await writeSale(client, plan, number)
  await client.query('commit')
}

/** A sale's statements in one function call, which leaves only the database's own work. */
const FUNCTION = `
  create or replace function bench_sale(account uuid, lead uuid, partner_ids uuid[], rates integer[], external text,
    price bigint, sold_on date, terms jsonb) returns void language plpgsql as $$
  declare
    sale uuid;
    nil constant uuid := '${NIL}';
    taken bigint := 0;
    earned bigint;
  begin
    perform id from leads where id = lead for no key update;
    insert into sales (id, account_id, lead_id, partner_id, provider, external_id, amount, gross_amount, currency,
      account_amount, account_currency, fx_rate, fx_date, sale_date, sequence, matched_by, credit,
      created_at)
    values (uuidv7(), account, lead, partner_ids[1], 'api', external, price, price, 'usd', price, 'usd', 1, sold_on, sold_on,
      (select coalesce(max(s.sequence), 0) + 1 from sales s where s.lead_id = lead), 'external-id',
      terms, now())
    returning id into sale;
    for layer in 1 .. array_length(partner_ids, 1) loop
      earned := price * rates[layer] / 1000000;
      taken := taken + earned;
      insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency,
        kind, available_at, day, created_at)
      values (uuidv7(), account, sale, partner_ids[layer], layer - 1, rates[layer], price, earned, 'usd', 'earned',
        sold_on + 30, sold_on, now());
    end loop;
    for layer in 0 .. array_length(partner_ids, 1) loop
      earned := case when layer = 0 then taken else price * rates[layer] / 1000000 end;
      update day_stats s set sales = s.sales + (layer < 2)::int, revenue = s.revenue + (layer < 2)::int * price,
        share = s.share + earned
      where s.account_id = account and s.partner_id = coalesce(partner_ids[layer], nil) and s.blueprint_id = nil
        and s.day = sold_on;
      update total_stats s set sales = s.sales + (layer < 2)::int, revenue = s.revenue + (layer < 2)::int * price,
        share = s.share + earned
      where s.account_id = account and s.partner_id = coalesce(partner_ids[layer], nil) and s.blueprint_id = nil;
    end loop;
    update month_stats s set sales = s.sales + 1, revenue = s.revenue + price,
      earned = s.earned + price * rates[1] / 1000000
    where s.account_id = account and s.month = date_trunc('month', sold_on::timestamp) and s.partner_id = partner_ids[1];
    update lead_stats s set sales = s.sales + 1, revenue = s.revenue + price, share = s.share + taken
    where s.lead_id = lead;
    ${EVENTS('account', 'sale')};
  end $$`
