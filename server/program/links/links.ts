import type { BlueprintLink, PartnerLink, UnlistedLinks } from '#contract/links.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { directLink } from '../clicks/destination.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import {
  blueprintById,
  blueprintLinksPage,
  countsOfLinks,
  getReferralCode,
  ownLinksPage,
  type PartnerLinkRow,
  partnerLinksPage,
} from './queries.ts'

/** A reader of links, and their account: partners may not see amounts everywhere. */
export type LinkReader = Pick<Access, 'as' | 'account'>

/** Returns a partner's link with its addresses, direct and short, always with their current code. */
export const presentPartnerLink = (
  config: Config,
  { as, account }: LinkReader,
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
  revenue: as !== 'partner' || account.partnerVisibility.saleAmounts ? row.revenue : null,
  domains: row.domains,
})

/**
 * Lists every partner's link from one template, or with `own` those that partners added. What came by archived ones
 * and without a partner is told apart: all of it adds up to the template's figures. Refuses: `not_found`.
 */
export async function listBlueprintLinks(
  db: Queryable,
  config: Config,
  reader: LinkReader,
  id: string,
  query: ListQuery & { own?: boolean | undefined },
) {
  const { account } = reader
  const blueprint = await blueprintById(db, account.id, id)
  if (!blueprint) throw notFound()
  const { items, ...rest } = query.own
    ? await ownLinksPage(db, account.id, id, query)
    : await fromTemplate(db, account.id, blueprint, query)
  return {
    items: items.map(({ partnerId, displayName, referralCode, ...row }): BlueprintLink => {
      const { blueprintId: _, domains: __, ...link } = presentPartnerLink(config, reader, row, referralCode)
      return { partnerId, displayName, ...link }
    }),
    ...rest,
    unlisted: await unlistedOf(db, account.id, id),
  }
}

async function unlistedOf(db: Queryable, accountId: string, blueprintId: string): Promise<UnlistedLinks> {
  const { all, archived, listed } = await countsOfLinks(db, accountId, blueprintId)
  const left = (figure: keyof typeof all) => all[figure] - archived[figure] - listed[figure]
  return {
    archivedPartners: archived,
    noPartner: { clicks: left('clicks'), leads: left('leads'), sales: left('sales'), revenue: left('revenue') },
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
  reader: LinkReader,
  partnerId: string,
  query: ListQuery & { own?: boolean | undefined },
) {
  const { id: accountId } = reader.account
  const code = await getReferralCode(db, accountId, partnerId)
  const { items, ...rest } = await partnerLinksPage(db, accountId, partnerId, query)
  return { items: items.map((row) => presentPartnerLink(config, reader, row, code)), ...rest }
}
