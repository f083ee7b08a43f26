import type { ExchangeRate, NewExchangeRate } from '#contract/accounts.ts'
import { exchange } from '#contract/money.ts'
import { audit, type By } from '../audit.ts'
import type { Queryable, Transaction } from '../database/pool.ts'
import { sql } from '../database/sql.ts'
import type { AccountFacts } from '../http/access.ts'
import { containing, page } from '../http/list.ts'
import { wrongField } from '../refusal.ts'

/** Units of the account's currency for one of another, and the day it was published. */
export type FrozenRate = { rate: number; date: string }

/**
 * The rate a sale is frozen at: the account's own of the last seven days before the sale, else the published one
 * (integrations.md, section 8). Undefined: the sale waits.
 */
export async function rateFor(db: Queryable, accountId: string, from: string, to: string, saleDate: string) {
  if (from === to) return { rate: 1, date: saleDate }
  const own = await db.maybe<FrozenRate>`
    select rate, date from account_exchange_rates
    where account_id = ${accountId} and currency = ${from} and date between ${saleDate}::date - 7 and ${saleDate}::date
    order by date desc limit 1`
  return own ?? publishedRate(db, from, to, saleDate)
}

/** Both currencies against the euro on the same day; the euro itself is not listed. */
const publishedRate = (db: Queryable, from: string, to: string, saleDate: string) => db.maybe<FrozenRate>`
  select (t.rate / f.rate) as rate, f.date
  from (select date, rate from euro_rates where currency = ${from}
      union all select distinct date, 1 from euro_rates where ${from} = 'eur') f
    join (select date, rate from euro_rates where currency = ${to}
      union all select distinct date, 1 from euro_rates where ${to} = 'eur') t on t.date = f.date
  where f.date between ${saleDate}::date - 7 and ${saleDate}::date
  order by f.date desc limit 1`

/** Largest amount the ledger takes after an exchange: 10^15 minor units. */
const MAX_BASE = 1_000_000_000_000_000

/** Null where the rate makes more of it than the ledger takes: such a sale waits for a rate that can be right. */
export function inAccountCurrency(amount: number, from: string, to: string, rate: FrozenRate): number | null {
  if (from === to) return amount
  const exchanged = exchange(amount, from, to, rate.rate)
  return exchanged <= MAX_BASE ? exchanged : null
}

/**
 * Keeps a rate entered by hand; the same day again replaces it. Booked sales keep theirs.
 * Refuses: one of the account's own currency, which is always 1.
 */
export async function keepRate(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  { currency, date, rate }: NewExchangeRate,
) {
  if (currency === account.defaultCurrency) throw wrongField('currency', "This is the account's own currency")
  await tx.run`
    insert into account_exchange_rates (account_id, currency, date, rate, created_at)
    values (${account.id}, ${currency}, ${date}, ${rate}, ${tx.now})
    on conflict (account_id, currency, date) do update set rate = excluded.rate, created_at = excluded.created_at`
  await audit(
    tx,
    by,
    account.id,
    'exchange-rate.entered',
    { type: 'account', id: account.id },
    {
      [`${currency} ${date}`]: { old: null, new: rate },
    },
  )
}

type WaitingDay = { currency: string; accountCurrency: string; saleDate: string }

/** The days and currencies of sales that wait for a rate, oldest first. */
export const daysWaiting = (tx: Transaction, accountId: string, currency: string | null) => tx.many<WaitingDay>`
  select distinct currency, account_currency, sale_date from sales
  where account_id = ${accountId} and account_amount is null ${currency ? sql`and currency = ${currency}` : sql``}
  order by sale_date, currency`

export const salesWaiting = (tx: Transaction, accountId: string, { currency, accountCurrency, saleDate }: WaitingDay) =>
  tx.many<{ id: string; leadId: string | null }>`
    select id, lead_id from sales
    where account_id = ${accountId} and account_amount is null and currency = ${currency}
      and account_currency = ${accountCurrency} and sale_date = ${saleDate}
    order by id`

type ListQuery = { limit: number; cursor?: string | undefined; search?: string | undefined; sort: string }

/** The rates an account entered by hand. */
export const listRates = (db: Queryable, accountId: string, query: ListQuery) =>
  page<ExchangeRate>(db, query, {
    columns: sql`t.currency, t.date, t.rate`,
    from: sql`account_exchange_rates t`,
    scope: sql`t.account_id = ${accountId}`,
    filters: [containing(sql`t.currency`, query.search)],
    sorts: { date: { by: sql`t.date`, type: 'date' } },
  })
