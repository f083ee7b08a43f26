import type { BlueprintLink, PartnerLink } from '#contract/links.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { directLink } from '../clicks/destination.ts'
import { blueprintById, blueprintLinksPage, partnerLinksPage, referralCodeOf } from './queries.ts'

type Addressed = { key: string; destinationUrl: string; parameterName: string }

/** Returns a partner's link, direct and short, always with their current code. */
const addressesOf = ({ appUrl }: Config, { key, destinationUrl, parameterName }: Addressed, code: string) => ({
  url: directLink(destinationUrl, parameterName, code),
  shortUrl: `${appUrl}/r/${key}/${code}`,
})

/** Lists every partner's link from one template. Refuses: `not_found`. */
export async function listBlueprintLinks(
  db: Queryable,
  config: Config,
  account: AccountFacts,
  id: string,
  query: ListQuery,
) {
  const blueprint = await blueprintById(db, account.id, id)
  if (!blueprint) throw notFound()
  const { items, ...rest } = await blueprintLinksPage(db, account.id, id, query)
  return {
    items: items.map(
      ({ id: partnerId, displayName, referralCode, clicks, leads, sales }): BlueprintLink => ({
        partnerId,
        displayName,
        ...addressesOf(config, blueprint, referralCode),
        clicks,
        leads,
        sales,
      }),
    ),
    ...rest,
  }
}

/** Lists a partner's links from the enabled templates. */
export async function listPartnerLinks(
  db: Queryable,
  config: Config,
  account: AccountFacts,
  partnerId: string,
  query: ListQuery,
) {
  const code = await referralCodeOf(db, account.id, partnerId)
  const { items, ...rest } = await partnerLinksPage(db, account.id, partnerId, query)
  return {
    items: items.map(
      (row): PartnerLink => ({
        blueprintId: row.id,
        name: row.name,
        ...addressesOf(config, row, code),
        clicks: row.clicks,
        leads: row.leads,
        sales: row.sales,
      }),
    ),
    ...rest,
  }
}
