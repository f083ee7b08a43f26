import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'

/** The address of 'Contact us': SUPPORT_EMAIL, else the first administrator's address. */
export async function supportEmail(db: Queryable, config: Config): Promise<string | null> {
  if (config.supportEmail) return config.supportEmail
  const first = await db.maybe<{ email: string }>`
    select u.email from user_roles r join users u on u.id = r.user_id
    where r.type = 'admin' order by r.created_at, u.id limit 1`
  return first?.email ?? null
}
