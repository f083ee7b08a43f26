import type { Queryable } from '../database/pool.ts'

export const findReset = (db: Queryable, id: string) => db.maybe<{ email: string; open: boolean }>`
  select u.email, r.used_at is null and r.expires_at > ${db.now} as open
  from password_resets r join users u on u.id = r.user_id where r.id = ${id}`

export const findUser = (db: Queryable, id: unknown) => db.maybe<{ email: string }>`
  select email from users where id = ${id}`

export const findPartnerAccount = (db: Queryable, partnerId: unknown) => db.maybe<{
  accountName: string
  disabledAt: string | null
}>`
  select coalesce(nullif(a.name, ''), o.email, '(Anonymous account)') as account_name, a.disabled_at
  from partners p join accounts a on a.id = p.account_id left join users o on o.id = a.owner_id
  where p.id = ${partnerId}`
