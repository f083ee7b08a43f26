import type { RefusalReason } from '#contract/refusals.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { invitedOwnerEmail } from '../auth/owners.ts'

export type AccountRow = AccountFacts & {
  publicId: string
  apiKeySealed: Buffer | null
  ownerId: string | null
  ownerEmail: string | null
  autoPayoutsEnabled: boolean
  disabledReason: string | null
  createdAt: string
  updatedAt: string
}

const columns = sql`t.*, owner.email as owner_email, coalesce(pa.enabled, false) as auto_payouts_enabled,
  k.key_sealed as api_key_sealed`
const from = sql`accounts t
  left join users owner on owner.id = t.owner_id
  left join payout_accounts pa on pa.account_id = t.id
  left join api_keys k on k.id = t.id`

export const accountById = (db: Queryable, id: string) =>
  db.one<AccountRow>`select ${columns} from ${from} where t.id = ${id}`

export const everyAccount = (db: Queryable) =>
  db.many<Pick<AccountRow, 'id' | 'name' | 'ownerEmail' | 'disabledAt'>>`
    select t.id, t.name, owner.email as owner_email, t.disabled_at
    from accounts t left join users owner on owner.id = t.owner_id order by t.created_at, t.id`

/** Locks the account until the transaction ends: its settings do not change meanwhile, and nothing is booked. */
export async function lockAccount(tx: Transaction, id: string) {
  await blockBookings(tx, id)
  await tx.one`select id from accounts where id = ${id} for update`
}

export type AccountListQuery = ListQuery & {
  status?: string[] | undefined
}

export const accountsPage = (db: Queryable, query: AccountListQuery) =>
  listPage<AccountRow>(db, query, {
    columns,
    from,
    scope: sql`true`,
    filters: [
      query.status && sql`(case when t.disabled_at is null then 'enabled' else 'disabled' end) = any(${query.status})`,
      containsFilter(sql`concat_ws(' ', t.name, owner.email, ${invitedOwnerEmail})`, query.search),
    ],
    sorts: { name: { by: sql`lower(coalesce(t.name, owner.email, ''))`, type: 'text' } },
  })

export const insertAccount = (
  tx: Transaction,
  account: Pick<AccountRow, 'id' | 'name' | 'publicId' | 'defaultCurrency' | 'timeZone'>,
) => tx.run`
  insert into accounts (id, name, public_id, default_currency, time_zone, created_at, updated_at)
  values (${account.id}, ${account.name}, ${account.publicId}, ${account.defaultCurrency}, ${account.timeZone},
    ${tx.now}, ${tx.now})`

/** Returns why the account's currency cannot change (the first thing found that uses it), or undefined. */
export const currencyFixedBy = async (tx: Transaction, id: string) =>
  (
    await tx.maybe<{ reason: Extract<RefusalReason, `currency_fixed_by_${string}`> }>`
      select reason from (
        select 1 as place, 'currency_fixed_by_sale' as reason
          where exists (select from sales where account_id = ${id} and not is_test)
        union all select 2, 'currency_fixed_by_commission_entry'
          where exists (select from commission_entries where account_id = ${id})
        union all select 3, 'currency_fixed_by_payout'
          where exists (select from payouts where account_id = ${id})
        union all select 4, 'currency_fixed_by_exchange_rate'
          where exists (select from account_exchange_rates where account_id = ${id})
        union all select 5, 'currency_fixed_by_method'
          where exists (select from method_secrets where account_id = ${id} and method = 'sepa')
        union all select 6, 'currency_fixed_by_terms'
          where exists (select from terms_log where account_id = ${id} and jsonb_path_exists(terms,
            '$.** ? (exists(@.layerAmounts) || exists(@.amountFrom) || exists(@.amountTo) || @.maxPerCustomer != null || @.maxPerMonth != null || @.maxPerYear != null)'))
            or exists (select from goals where account_id = ${id} and (bonus is not null or metric = 'revenue'))
      ) found order by place limit 1`
  )?.reason

export const setDisabled = (tx: Transaction, id: string, at: Date | null, reason: string | null) => tx.run`
  update accounts set disabled_at = ${at}, disabled_reason = ${reason}, updated_at = ${tx.now}
  where id = ${id} and (disabled_at is null) <> ${at === null}`
