import { convertAmount } from '#contract/money.ts'
import type { ExchangeRate, NewExchangeRate } from '#contract/sales.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockAccountShared } from '../access/lock-accounts.ts'

/** Units of the account's currency per unit of another, and the date of publication. */
export type FrozenRate = { rate: number; date: string }

type Wanted = { accountId: string; currency: string; accountCurrency: string; saleDate: string }

/**
 * Returns the rates at which sales are frozen, in order: the account's own of the last seven days before the sale, else
 * the published one (integrations.md, section 8). Undefined: the sale waits. One statement, however many.
 */
export async function ratesFor(db: Queryable, sales: Wanted[]): Promise<(FrozenRate | undefined)[]> {
  const foreign = sales.filter((sale) => sale.currency !== sale.accountCurrency)
  const rows = foreign.length > 0 ? await foreignRates(db, foreign) : []
  const rates = new Map(foreign.map((sale, index) => [sale, rows[index]!]))
  return sales.map((sale) => {
    const found = rates.get(sale)
    if (!found) return { rate: 1, date: sale.saleDate }
    return found.rate === null ? undefined : (found as FrozenRate)
  })
}

const foreignRates = (db: Queryable, sales: Wanted[]) => db.many<FrozenRate | { rate: null; date: null }>`
  select r.rate, r.date
  from unnest(${sales.map((sale) => sale.accountId)}::uuid[], ${sales.map((sale) => sale.currency)}::text[],
      ${sales.map((sale) => sale.accountCurrency)}::text[], ${sales.map((sale) => sale.saleDate)}::date[]) with ordinality
      as w (account_id, currency, account_currency, sale_date, place)
    left join lateral (${rateOf(
      eachAccount(
        sales.map((sale) => sale.accountId),
        sql`w.account_id`,
      ),
    )}) r on true
  order by w.place`

/**
 * The last published rate for `w`, a currency, the account's one and a date. Both are against the euro, which is not
 * listed itself.
 */
const publishedOf = sql`
  select t.rate / f.rate as rate, f.date
  from (select date, rate from euro_rates
        where currency = w.currency and date between w.sale_date - 7 and w.sale_date
      union all select distinct date, 1 from euro_rates
        where w.currency = 'eur' and date between w.sale_date - 7 and w.sale_date) f
    join (select date, rate from euro_rates
        where currency = w.account_currency and date between w.sale_date - 7 and w.sale_date
      union all select distinct date, 1 from euro_rates
        where w.account_currency = 'eur' and date between w.sale_date - 7 and w.sale_date) t on t.date = f.date
  order by f.date desc limit 1`

/** The rate at which a sale `w` of this account is frozen. */
const rateOf = (account: Sql) => sql`
  select rate, date from (
    select 1 as rank, own.rate, own.date from account_exchange_rates own
    where own.account_id = ${account} and own.currency = w.currency and own.account_currency = w.account_currency
      and own.date between w.sale_date - 7 and w.sale_date
    union all
    select 2, published.rate, published.date from (${publishedOf}) published
  ) known
  order by rank, date desc limit 1`

/** Largest amount the ledger accepts after an exchange: 10^15 minor units. */
const MAX_BASE = 1_000_000_000_000_000

/** Exchanges an amount; null if the result exceeds the ledger's maximum: the sale then waits for a plausible rate. */
export function inAccountCurrency(amount: number, from: string, to: string, rate: FrozenRate): number | null {
  if (from === to) return amount
  const exchanged = convertAmount(amount, from, to, rate.rate)
  return exchanged <= MAX_BASE ? exchanged : null
}

/**
 * Saves a manually entered rate, replacing one of the same day. Booked sales keep theirs.
 * Refuses: a rate of the account's own currency, which is always 1.
 */
export async function saveExchangeRate(
  tx: Transaction,
  by: Author,
  { id }: Pick<AccountFacts, 'id'>,
  { currency, date, rate }: NewExchangeRate,
) {
  const { defaultCurrency } = await lockAccountShared(tx, id)
  if (currency === defaultCurrency) throw wrongField('currency', 'own_currency')
  await tx.run`
    insert into account_exchange_rates (account_id, currency, account_currency, date, rate, created_at)
    values (${id}, ${currency}, ${defaultCurrency}, ${date}, ${rate}, ${tx.now})
    on conflict (account_id, currency, date) do update set account_currency = excluded.account_currency,
      rate = excluded.rate, created_at = excluded.created_at`
  await recordActivity(tx, by, id, 'exchange-rate.entered', {
    id,
    changes: {
      [`${currency} ${date}`]: { old: null, new: rate },
    },
  })
}

/** A waiting sale whose rate is now known. */
export type Bookable = {
  id: string
  leadId: string | null
  subscriptionId: string | null
  createdBy: string | null
} & FrozenRate

/** Finds sales waiting for a rate that is now known; at most `limit`, with ids after `after`. */
export const bookableSales = (
  tx: Transaction,
  accountId: string,
  { currency, after, limit }: { currency: string | null; after: string; limit: number },
) => tx.many<Bookable>`
  select w.id, w.lead_id, w.subscription_id, w.created_by, r.rate, r.date
  from (select * from sales
      where account_id = ${accountId} and account_amount is null and id > ${after}::uuid
        and (${currency}::text is null or currency = ${currency})) w
    cross join lateral (${rateOf(sql`${accountId}`)}) r
  order by w.id limit ${limit}`

/**
 * Lists the account's manual rates, and the published rate of its latest sale in each other currency; `currencies` are
 * those of its sales, also without a known rate.
 */
export async function listRates(db: Queryable, accountId: string, query: ListQuery) {
  const latest = await latestInOthers(db, accountId)
  const rates = await listPage<ExchangeRate>(db, query, {
    columns: sql`t.currency, t.date, t.rate, t.source`,
    from: sql`(
      select id, currency, date, rate, 'entered' as source, created_at
      from account_exchange_rates where account_id = ${accountId}
      union all
      select md5(w.currency)::uuid, w.currency, published.date, published.rate, 'ecb', published.date::timestamptz
      from unnest(${latest.map((sale) => sale.currency)}::text[], ${latest.map((sale) => sale.accountCurrency)}::text[],
          ${latest.map((sale) => sale.saleDate)}::date[]) w (currency, account_currency, sale_date)
        cross join lateral (${publishedOf}) published) t`,
    scope: sql`true`,
    filters: [containsFilter(sql`t.currency`, query.search)],
    sorts: { date: { by: sql`t.date`, type: 'date' } },
  })
  return { ...rates, currencies: latest.map((sale) => sale.currency).reverse() }
}

/** Finds the date of the latest sale in each other currency: one index step per currency. */
const latestInOthers = (db: Queryable, accountId: string) => db.many<Omit<Wanted, 'accountId'>>`
  with recursive latest as (
    (select currency, account_currency, sale_date from sales
      where account_id = ${accountId} and currency <> account_currency and not is_test
      order by currency desc, sale_date desc limit 1)
    union all
    select next.* from latest cross join lateral (
      select currency, account_currency, sale_date from sales
      where account_id = ${accountId} and currency <> account_currency and not is_test and currency < latest.currency
      order by currency desc, sale_date desc limit 1) next)
  select * from latest`
