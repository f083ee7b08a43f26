import { newId } from '../../server/platform/database/ids.ts'
import type { Queryable } from '../../server/platform/database/pool.ts'
import { type AccountFacts, accountFacts } from '../../server/program/access/account-facts.ts'

/** Returns the account as domain functions receive it. */
export const readAccountFacts = (db: Queryable, accountId: string) =>
  db.one<AccountFacts>`select ${accountFacts} from accounts a where a.id = ${accountId}`

/** A link blueprint; `cookieDays` is its attribution window. */
export async function aBlueprint(
  db: Queryable,
  accountId: string,
  { cookieDays = 90, attributionModel = null }: { cookieDays?: number; attributionModel?: string | null } = {},
): Promise<string> {
  const id = newId()
  const key = id.replaceAll('-', '').slice(-8)
  await db.run`
    insert into link_blueprints (id, account_id, key, name, destination_url, domain, cookie_days, attribution_model, created_at, updated_at)
    values (${id}, ${accountId}, ${key}, 'Spring', 'https://shop.example.com/', 'shop.example.com', ${cookieDays},
      ${attributionModel}, ${db.now}, ${db.now})`
  return id
}

/** A visit by a partner's link, `daysAgo` before now. */
export async function aClick(
  db: Queryable,
  accountId: string,
  { partnerId, blueprintId, daysAgo = 0 }: { partnerId: string; blueprintId: string; daysAgo?: number },
): Promise<string> {
  const id = newId()
  const at = new Date(db.now.getTime() - daysAgo * 86_400_000)
  await db.run`
    insert into clicks (id, account_id, blueprint_id, partner_id, day, source, at)
    values (${id}, ${accountId}, ${blueprintId}, ${partnerId}, ${at.toISOString().slice(0, 10)}, 'redirect', ${at})`
  return id
}

/** A provider's account connected to one of ours; the same name gives the same account. */
export async function aConnectedShop(db: Queryable, accountId: string, name = 'shop'): Promise<string> {
  await db.run`
    insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
    values (${newId()}, ${accountId}, 'stripe', true, ${name}, ${db.now}) on conflict do nothing`
  const { id } = await db.one<{ id: string }>`
    select id from provider_shops where account_id = ${accountId} and external_id = ${name}`
  return id
}
