import type { ListQuery } from '#contract/values.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { containsFilter, idFilter, listPage, valueFilter } from '#server/platform/http/list.ts'
import { partnersFound } from '#server/program/partner-directory/partner-names.ts'
import type { ListedPromotionCode, PromotionCode } from '../contract.ts'

export const promotionCodesPage = (db: Queryable, accountId: string, partnerId: string, query: ListQuery) =>
  listPage<PromotionCode>(db, query, {
    columns: sql`t.id, t.partner_id, t.code, t.created_at`,
    from: sql`promotion_codes t`,
    scope: sql`t.account_id = ${accountId} and t.partner_id = ${partnerId} and not t.pending`,
    filters: [containsFilter(sql`t.code`, query.search)],
    sorts: { code: { by: sql`lower(t.code)`, type: 'text' } },
  })

type CodesRow = Omit<ListedPromotionCode, 'partnerName' | 'currency'>

/** Promotion codes with what their provider has made of them, and the sales that used them. */
const countedCodes = sql`promotion_codes t
  join partners p on p.account_id = t.account_id and p.id = t.partner_id
  left join made_codes m on m.account_id = t.account_id and m.id = t.id
  left join provider_shops s on s.id = m.shop_id
  left join code_totals c on c.account_id = t.account_id and c.code = coalesce(t.used_code, upper(t.code))`
const codeSource = sql`coalesce(s.provider, 'entered')`
const codeState = sql`(case
  when m.state = 'failed' then 'failed'
  when m.state <> 'on' and p.state = 'active' or m.state = 'on' and p.state <> 'active' then 'waiting'
  when p.state <> 'active' then 'paused'
  else 'active' end)`
const neverUsed = sql`'-infinity'::timestamptz`

/** Lists an account's promotion codes. */
export const allPromotionCodesPage = (
  db: Queryable,
  accountId: string,
  query: ListQuery & { partnerId?: string[] | undefined; source?: string[] | undefined; state?: string[] | undefined },
) =>
  listPage<CodesRow>(db, query, {
    columns: sql`t.id, t.partner_id, t.code, t.created_at, ${codeSource} as source, ${codeState} as state,
      case when ${codeState} in ('waiting', 'failed') then m.reason end as state_reason,
      coalesce(c.sales, 0) as sales, coalesce(c.revenue, 0) as revenue, c.last_used_at`,
    from: countedCodes,
    scope: sql`t.account_id = ${accountId}`,
    filters: [
      query.search
        ? sql`(${containsFilter(sql`t.code`, query.search)!} or t.partner_id in ${partnersFound(accountId, query.search)})`
        : undefined,
      idFilter(sql`t.partner_id`, query.partnerId),
      valueFilter(codeSource, query.source),
      valueFilter(codeState, query.state),
    ],
    sorts: {
      code: { by: sql`lower(t.code)`, type: 'text' },
      sales: { by: sql`coalesce(c.sales, 0)`, type: 'bigint' },
      revenue: { by: sql`coalesce(c.revenue, 0)`, type: 'bigint' },
      lastUsedAt: { by: sql`coalesce(c.last_used_at, ${neverUsed})`, type: 'timestamptz' },
    },
  })

export const codesAmong = (db: Queryable, accountId: string, codes: string[]) => db.many<{ code: string }>`
  select lower(code) as code from promotion_codes
  where account_id = ${accountId} and lower(code) = any(${codes}::text[])`

/** Inserts the code unless a partner already has it, and returns its owner. Waits for a concurrent insert. */
export const claimPromotionCode = (tx: Transaction, accountId: string, row: PromotionCode, pending = false) =>
  tx.one<{ id: string; partnerId: string }>`
    insert into promotion_codes (id, account_id, partner_id, code, used_code, pending, created_at)
    values (${row.id}, ${accountId}, ${row.partnerId}, ${row.code}, ${row.code.toUpperCase()}, ${pending}, ${row.createdAt})
    on conflict (account_id, lower(code)) do update set code = promotion_codes.code
    returning id, partner_id`

export const deletePromotionCodeRow = (tx: Transaction, accountId: string, partnerId: string, id: string) =>
  tx.maybe<PromotionCode>`
    delete from promotion_codes where account_id = ${accountId} and partner_id = ${partnerId} and id = ${asUuid(id)}
    returning id, partner_id, code, created_at`

export const promotionCodeById = (db: Queryable, accountId: string, id: string) => db.maybe<PromotionCode>`
  select id, partner_id, code, created_at from promotion_codes where account_id = ${accountId} and id = ${asUuid(id)}`

export const deletePendingCode = (tx: Transaction, accountId: string, id: string) => tx.run`
  delete from promotion_codes where account_id = ${accountId} and id = ${id} and pending`

/** Schedules a code made at a provider to be turned off there for good. */
export const retireMadeCode = (tx: Transaction, accountId: string, id: string) => tx.run`
  update made_codes set removed_at = ${tx.now}, next_at = ${tx.now}
  where account_id = ${accountId} and id = ${id} and removed_at is null`

/** Lets a code credit its partner once its provider has made it. */
export const setMade = (tx: Transaction, accountId: string, id: string) => tx.maybe<PromotionCode>`
  update promotion_codes set pending = false where account_id = ${accountId} and id = ${id}
  returning id, partner_id, code, created_at`
