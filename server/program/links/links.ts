import type { BlueprintLink, PartnerLink } from '#contract/links.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { directLink } from '../clicks/destination.ts'
import { portalUrl } from '../hosts/portal-url.ts'
import {
  blueprintById,
  blueprintLinksPage,
  ownLinksPage,
  type PartnerLinkRow,
  partnerLinksPage,
  referralCodeOf,
} from './queries.ts'

/** Returns a partner's link with its addresses, direct and short, always with their current code. */
export const presentPartnerLink = (
  config: Config,
  account: AccountFacts,
  row: PartnerLinkRow,
  code: string,
): PartnerLink => ({
  blueprintId: row.blueprintId,
  id: row.linkId,
  own: row.linkId !== null,
  name: row.name,
  destinationUrl: row.destinationUrl,
  subId: row.subId,
  url: directLink(row.destinationUrl, row.parameterName, code, row.subId),
  shortUrl: `${portalUrl(config, account)}/r/${row.key}/${code}`,
  clicks: row.clicks,
  leads: row.leads,
  sales: row.sales,
  domains: row.domains,
})

/** Lists every partner's link from one template, or with `own` those that partners added. Refuses: `not_found`. */
export async function listBlueprintLinks(
  db: Queryable,
  config: Config,
  account: AccountFacts,
  id: string,
  query: ListQuery & { own?: boolean | undefined },
) {
  const blueprint = await blueprintById(db, account.id, id)
  if (!blueprint) throw notFound()
  const { items, ...rest } = query.own
    ? await ownLinksPage(db, account.id, id, query)
    : await fromTemplate(db, account.id, blueprint, query)
  return {
    items: items.map(({ partnerId, displayName, referralCode, ...row }): BlueprintLink => {
      const { blueprintId: _, domains: __, ...link } = presentPartnerLink(config, account, row, referralCode)
      return { partnerId, displayName, ...link }
    }),
    ...rest,
  }
}

type Blueprint = NonNullable<Awaited<ReturnType<typeof blueprintById>>>

async function fromTemplate(db: Queryable, accountId: string, blueprint: Blueprint, query: ListQuery) {
  const { id: blueprintId, key, name, destinationUrl, parameterName } = blueprint
  const { items, ...rest } = await blueprintLinksPage(db, accountId, blueprintId, query)
  const shared = { blueprintId, key, name, destinationUrl, parameterName, linkId: null, subId: null, domains: [] }
  return { items: items.map(({ id: partnerId, ...row }) => ({ ...shared, ...row, partnerId })), ...rest }
}

/** Lists a partner's links from the enabled templates, and those they added. */
export async function listPartnerLinks(
  db: Queryable,
  config: Config,
  account: AccountFacts,
  partnerId: string,
  query: ListQuery & { own?: boolean | undefined },
) {
  const code = await referralCodeOf(db, account.id, partnerId)
  const { items, ...rest } = await partnerLinksPage(db, account.id, partnerId, query)
  return { items: items.map((row) => presentPartnerLink(config, account, row, code)), ...rest }
}
