import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'

/**
 * The origin of addresses in mails about a person's own sign-in: the host of an account for a person with roles at its
 * partners only, or of `askedAt`, the account on whose host they made the request; else APP_URL, which has every role.
 */
export async function homeUrl(
  db: Queryable,
  config: Pick<Config, 'appUrl'>,
  userId: string,
  askedAt: string | null = null,
): Promise<string> {
  const roles = await db.many<{ accountId: string | null; atPartner: boolean; portalHost: string | null }>`
    select distinct r.account_id, r.partner_id is not null as at_partner, a.portal_host
    from user_roles r left join accounts a on a.id = r.account_id where r.user_id = ${userId}`
  const asPartner = roles.filter(({ atPartner }) => atPartner)
  const only = roles.length === 1 ? asPartner[0] : undefined
  const home = asPartner.find(({ accountId }) => accountId === askedAt) ?? only
  return home ? portalUrl(config, home) : config.appUrl
}
