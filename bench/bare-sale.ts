import type pg from 'pg'

// The statements of a sale with three layers, as the product runs them; the floors use these.

export type BareSale = {
  accountId: string
  /** The referrer's line of partners, layer 0 first. */
  partnerIds: string[]
  ratesPpm: number[]
  leadIds: string[]
  /** The credit stored with the sale, as the product stores it. */
  credit: object
  day: string
}

export const AMOUNT = 49_00
export const NIL = '00000000-0000-0000-0000-000000000000'

export const pickLead = ({ leadIds }: BareSale, number: number) => leadIds[(number * 7919) % leadIds.length]!
export const externalId = (number: number) => `bare-${String(number).padStart(9, '0')}`

/** Runs the statements between begin and commit; returns the sale's id. */
export async function writeSale(client: pg.PoolClient, sale: BareSale, number: number): Promise<string> {
  const { accountId, partnerIds, ratesPpm, day, credit } = sale
  const leadId = pickLead(sale, number)
  const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  const shares = ratesPpm.map((rate) => (AMOUNT * rate) / 1_000_000)
  const share = shares.reduce((sum, one) => sum + one, 0)
  await run('lead', 'select id, partner_id, status from leads where id = $1 for no key update', [leadId])
  await run('line', LINE, [partnerIds[0]])
  const { rows } = await run('sale', SALE, [accountId, leadId, partnerIds[0], externalId(number), AMOUNT, day, credit])
  await run('entries', ENTRIES, [accountId, rows[0].id, partnerIds, ratesPpm, AMOUNT, shares, day])
  const partners = [NIL, ...partnerIds]
  const figures = [partners, [1, 1, 0, 0], [AMOUNT, AMOUNT, 0, 0], [share, ...shares]]
  await run('days', DAYS, [accountId, day, ...figures])
  await run('months', MONTHS, [accountId, day, partnerIds[0], AMOUNT, shares[0]])
  await run('totals', TOTALS, [accountId, ...figures])
  await run('lead-figures', LEAD_FIGURES, [accountId, leadId, AMOUNT, share])
  await run('outbox', EVENTS('$1::uuid', '$2::uuid'), [accountId, rows[0].id])
  return rows[0].id
}

const LINE = `
  with recursive line as (
    select id, parent_partner_id, state, layer_rates_ppm, 0 as layer from partners where id = $1
    union all
    select p.id, p.parent_partner_id, p.state, p.layer_rates_ppm, line.layer + 1
    from line join partners p on p.id = line.parent_partner_id where line.layer < 9
  )
  select * from line order by layer`
const SALE = `
  insert into sales (id, account_id, lead_id, partner_id, provider, external_id, amount, gross_amount, currency,
    account_amount, account_currency, fx_rate, fx_date, sale_date, sequence, matched_by, credit,
    created_at)
  values (uuidv7(), $1, $2, $3, 'api', $4, $5, $5, 'usd', $5, 'usd', 1, $6, $6,
    (select coalesce(max(sequence), 0) + 1 from sales where lead_id = $2), 'external-id', $7, now())
  on conflict do nothing
  returning id`
const ENTRIES = `
  insert into commission_entries (id, account_id, sale_id, partner_id, layer, rate_ppm, base_amount, amount, currency,
    kind, available_at, day, created_at)
  select uuidv7(), $1, $2, e.partner_id, e.layer - 1, e.rate, $5, e.amount, 'usd', 'earned', $7::date + 30, $7, now()
  from unnest($3::uuid[], $4::integer[], $6::bigint[]) with ordinality as e (partner_id, rate, amount, layer)`
const DAYS = `
  insert into day_stats as s (account_id, partner_id, blueprint_id, day, sales, revenue, share)
  select $1, partner_id, '${NIL}', $2, sales, revenue, share
  from unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[]) as f (partner_id, sales, revenue, share)
  on conflict (account_id, partner_id, blueprint_id, day) do update set
    sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, share = s.share + excluded.share`
const TOTALS = `
  insert into total_stats as s (account_id, partner_id, blueprint_id, sales, revenue, share)
  select $1, partner_id, '${NIL}', sales, revenue, share
  from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[]) as f (partner_id, sales, revenue, share)
  on conflict (account_id, partner_id, blueprint_id) do update set
    sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, share = s.share + excluded.share`
const MONTHS = `
  insert into month_stats as s (account_id, month, partner_id, sales, revenue, earned)
  values ($1, date_trunc('month', $2::timestamp), $3, 1, $4, $5)
  on conflict (account_id, month, partner_id) do update set
    sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, earned = s.earned + excluded.earned`
const LEAD_FIGURES = `
  insert into lead_stats as s (account_id, lead_id, sales, revenue, share) values ($1, $2, 1, $3, $4)
  on conflict (lead_id, account_id) do update set
    sales = s.sales + excluded.sales, revenue = s.revenue + excluded.revenue, share = s.share + excluded.share`
/** An entry `e` in its event. */
export const TOLD_ENTRY = `jsonb_build_object('object', to_jsonb(e) || jsonb_build_object(
  'partnerId', e.partner_id, 'saleId', e.sale_id, 'rate', e.rate_ppm / 10000.0))`
/** Inserts the outgoing events of the sale and of each of its entries, with the object as it is. */
export const EVENTS = (account: string, sale: string) => `
  with told as (
    insert into passing_events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
    select uuidv7(), ${account}, now(), 'sale.created', 'public', false, 'api-key', 'sale', s.id,
      jsonb_build_object('object', to_jsonb(s)) from sales s where s.id = ${sale}
    union all
    select uuidv7(), ${account}, now(), 'commission.created', 'public', false, 'api-key', 'commission', e.id,
      ${TOLD_ENTRY} from commission_entries e where e.sale_id = ${sale}
    returning id, account_id)
  insert into event_relays (event_id, account_id) select id, account_id from told`
