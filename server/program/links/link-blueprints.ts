import type { LinkBlueprint, LinkBlueprintChange, NewLinkBlueprint, Utm } from '#contract/links.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { newId } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { ChangeOf } from '../../platform/database/table.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { fromPpm } from '../terms/rates.ts'
import { saveRates } from '../terms/save-terms.ts'
import { changeRates } from '../terms/terms-state.ts'
import { domainOfDestination } from './destination-rule.ts'
import { newLinkKey } from './keys.ts'
import {
  archiveBlueprint,
  type BlueprintRow,
  blueprintById,
  blueprintsPage,
  blueprintTable,
  lockBlueprint,
} from './queries.ts'

const KEY_LENGTH = 8

/** Returns one template. Refuses: `not_found`, also for one that was deleted. */
export async function getLinkBlueprint(db: Queryable, account: AccountFacts, id: string): Promise<LinkBlueprint> {
  return present(account, await getRow(db, account, id))
}

export async function listLinkBlueprints(
  db: Queryable,
  account: AccountFacts,
  query: Parameters<typeof blueprintsPage>[2],
) {
  const { items, ...rest } = await blueprintsPage(db, account.id, query)
  return { items: items.map((row) => present(account, row)), ...rest }
}

/** Creates a template; every partner has a link from it at once. */
export async function createLinkBlueprint(
  tx: Transaction,
  config: Config,
  by: Author,
  account: AccountFacts,
  body: NewLinkBlueprint,
): Promise<LinkBlueprint> {
  const blueprint = {
    id: newId(),
    accountId: account.id,
    name: body.name,
    destinationUrl: body.destinationUrl,
    domain: domainOfDestination(body.destinationUrl, config),
    parameterName: body.parameterName ?? 'ref',
    utm: omitEmpty(body.utm ?? {}),
    cookieDays: body.cookieDays ?? 90,
    attributionModel: body.attributionModel ?? null,
    passthroughQuery: body.passthroughQuery ?? true,
    moreDomains: body.moreDomains ?? [],
    partnerLinks: body.partnerLinks ?? true,
    enabled: body.enabled ?? true,
  }
  while ((await blueprintTable.insert(tx, { ...blueprint, key: newLinkKey(KEY_LENGTH) }, { unlessTaken: true })) === 0);
  if (body.commissionSettings) {
    await blockBookings(tx, account.id)
    await saveRates(tx, by, account.id, { kind: 'link', id: blueprint.id }, body.commissionSettings)
  }
  await linksChanged(tx, account.id)
  const object = await getLinkBlueprint(tx, account, blueprint.id)
  const changes = diffFields({}, audited(object))
  await emitEvent(tx, by, account.id, 'link-blueprint.created', { id: blueprint.id, object, changes })
  return object
}

/** Changes a template, for future clicks and sales. Refuses: `not_found`. */
export async function changeLinkBlueprint(
  tx: Transaction,
  config: Config,
  by: Author,
  { account, subjectId: id }: Pick<Access, 'account' | 'subjectId'>,
  body: LinkBlueprintChange,
): Promise<LinkBlueprint> {
  await blockBookings(tx, account.id)
  await lockBlueprint(tx, id)
  const before = await getRow(tx, account, id)
  const { commissionSettings, utm, ...rest } = body
  const next: ChangeOf<typeof blueprintTable> = {
    ...rest,
    domain: body.destinationUrl && domainOfDestination(body.destinationUrl, config),
    utm: utm === undefined ? undefined : utm === null ? {} : omitEmpty({ ...before.utm, ...utm }),
  }
  if (commissionSettings !== undefined) await changeRates(tx, by, account.id, { kind: 'link', id }, commissionSettings)
  const newRates = diffFields(present(account, before), { commissionSettings })
  if (Object.keys({ ...diffFields(before, next), ...newRates }).length === 0) return getLinkBlueprint(tx, account, id)
  await blueprintTable.update(tx, { accountId: account.id, id }, next)
  await linksChanged(tx, account.id)
  const object = await getLinkBlueprint(tx, account, id)
  const shown = diffFields(present(account, before), Object.fromEntries(Object.entries(object).filter(isOwnField)))
  await emitEvent(tx, by, account.id, 'link-blueprint.updated', { id, object, changes: shown })
  return object
}

/** Removes a template from every list; its addresses redirect like those of a disabled one. Refuses: `not_found`. */
export async function deleteLinkBlueprint(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
): Promise<void> {
  await lockBlueprint(tx, id)
  const object = await getLinkBlueprint(tx, account, id)
  await archiveBlueprint(tx, id)
  await linksChanged(tx, account.id)
  await emitEvent(tx, by, account.id, 'link-blueprint.deleted', { id, object })
}

async function getRow(db: Queryable, account: AccountFacts, id: string): Promise<BlueprintRow> {
  const row = await blueprintById(db, account.id, id)
  if (!row) throw notFound()
  return row
}

const present = (account: AccountFacts, row: BlueprintRow): LinkBlueprint => ({
  id: row.id,
  key: row.key,
  accountId: row.accountId,
  name: row.name,
  destinationUrl: row.destinationUrl,
  domain: row.domain,
  parameterName: row.parameterName,
  utm: { source: null, medium: null, campaign: null, term: null, content: null, ...row.utm },
  cookieDays: row.cookieDays,
  attributionModel: row.attributionModel ?? account.attributionModel,
  passthroughQuery: row.passthroughQuery,
  moreDomains: row.moreDomains,
  partnerLinks: row.partnerLinks,
  commissionSettings: row.layerRatesPpm && fromPpm(row.layerRatesPpm),
  enabled: row.enabled,
  stats: {
    clicks: row.clicks,
    uniqueClicks: row.uniqueClicks,
    leads: row.leads,
    sales: row.sales,
    revenue: row.revenue,
  },
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

const isOwnField = ([field]: [string, unknown]) => field !== 'stats' && field !== 'updatedAt'

/** Drops empty values. */
const omitEmpty = (utm: Partial<Utm>): Partial<Utm> =>
  Object.fromEntries(Object.entries(utm).filter(([, value]) => value !== null && value !== undefined))

const audited = ({ destinationUrl, attributionModel, commissionSettings, cookieDays }: LinkBlueprint) => ({
  destinationUrl,
  attributionModel,
  commissionSettings,
  cookieDays,
})
