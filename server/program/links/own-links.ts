import type { NewPartnerLink, PartnerLink, PartnerLinkChange } from '#contract/links.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { newId } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { emitEvent, recordActivity } from '../../platform/events/emit-event.ts'
import { isFreed } from '../../platform/http/outbound.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { pathDepth } from '../clicks/bind-click.ts'
import { withoutOurs } from '../clicks/destination.ts'
import { cleanSubId } from '../clicks/sub-id.ts'
import { lockUnlessErased } from '../partner-directory/erased-partner.ts'
import { domainOfDestination } from './destination-rule.ts'
import { newLinkKey } from './keys.ts'
import { type LinkReader, presentPartnerLink } from './links.ts'
import { type LinkHost, linkHosts, lockOwnLinks, ownLinkById, ownLinkTable } from './queries.ts'

export const MAX_OWN_LINKS = 100
/** The partner or the own link that a call names, and its reader. */
type OfSubject = LinkReader & { subjectId: string }

/** A template's key has 8 characters. */
const KEY_LENGTH = 9

/**
 * Adds a partner's own link to a page on the hosts of a template, the given one or the one that fits best. Refuses:
 * an archived partner, more than 100 links, a template that takes none, and in `destinationUrl` a page elsewhere.
 */
export async function createPartnerLink(
  tx: Transaction,
  config: Config,
  by: Author,
  reader: OfSubject,
  body: NewPartnerLink,
): Promise<PartnerLink> {
  const { account, subjectId: partnerId } = reader
  const partner = await lockOwnLinks(tx, account.id, partnerId)
  if (partner.state === 'archived') throw refusal('partner_is_archived')
  if (partner.links >= MAX_OWN_LINKS) throw refusal('too_many_links', { max: MAX_OWN_LINKS })
  const page = readPage(body.destinationUrl, config)
  const host = templateFor(page, await linkHosts(tx, account.id), body.blueprintId ?? null)
  const row = {
    id: newId(),
    accountId: account.id,
    partnerId,
    blueprintId: host.id,
    name: body.name,
    subId: cleanSubId(body.subId),
    domain: page.hostname,
    destinationUrl: withoutOurs(page.href, host.parameterName),
  }
  while ((await ownLinkTable.insert(tx, { ...row, key: newLinkKey(KEY_LENGTH) }, { unlessTaken: true })) === 0);
  const link = await presentOwnLink(tx, config, reader, row.id)
  const object = { ...link, partnerId }
  const changes = diffFields({}, shownOf(link))
  await emitEvent(tx, by, account.id, 'partner.link-created', { id: partnerId, object, changes })
  return link
}

/**
 * Changes an own link, for new visits only; its page stays on the hosts of its template. Refuses: `not_found`; `erased`
 * for that of an erased partner.
 */
export async function changePartnerLink(
  tx: Transaction,
  config: Config,
  by: Author,
  reader: OfSubject,
  { name, destinationUrl, subId }: PartnerLinkChange,
): Promise<PartnerLink> {
  const { account, subjectId: id } = reader
  const before = await ownLinkById(tx, account.id, id, { lock: true })
  if (!before) throw notFound()
  await lockUnlessErased(tx, account.id, before.partnerId)
  const page = destinationUrl === undefined ? undefined : readPage(destinationUrl, config)
  if (page && !acceptsHost(before, page)) throw notOnTheseHosts([before])
  const next = {
    name,
    subId: subId === undefined ? undefined : cleanSubId(subId),
    domain: page?.hostname,
    destinationUrl: page && withoutOurs(page.href, before.parameterName),
  }
  const changes = diffFields(shownOf(before), next)
  if (Object.keys(changes).length > 0) {
    await ownLinkTable.update(tx, { accountId: account.id, id }, next)
    await linksChanged(tx, account.id)
    await recordActivity(tx, by, account.id, 'partner.link-updated', { id: before.partnerId, changes })
  }
  return presentOwnLink(tx, config, reader, id)
}

/** Removes an own link from every list; its address still leads on, with credit. Refuses: `not_found`. */
export async function deletePartnerLink(tx: Transaction, by: Author, account: AccountFacts, id: string): Promise<void> {
  const before = await ownLinkById(tx, account.id, id, { lock: true })
  if (!before) throw notFound()
  await ownLinkTable.update(tx, { accountId: account.id, id }, { archivedAt: tx.now.toISOString() })
  const changes = { name: { old: before.name, new: null } }
  await recordActivity(tx, by, account.id, 'partner.link-deleted', { id: before.partnerId, changes })
}

async function presentOwnLink(db: Queryable, config: Config, reader: LinkReader, id: string): Promise<PartnerLink> {
  const row = await ownLinkById(db, reader.account.id, id)
  if (!row) throw notFound()
  return presentPartnerLink(config, reader, row, row.referralCode)
}

const shownOf = ({ name, destinationUrl, subId }: Pick<PartnerLink, 'name' | 'destinationUrl' | 'subId'>) => ({
  name,
  destinationUrl,
  subId,
})

/** Returns a page that visitors may be led to: https without a port, except on a host of ALLOW_PRIVATE_WEBHOOK_TARGETS. */
function readPage(destinationUrl: string, config: Config): URL {
  domainOfDestination(destinationUrl, config)
  const page = new URL(destinationUrl)
  if (page.port && !isFreed(config.allowPrivateWebhookTargets, page.hostname))
    throw wrongField('destinationUrl', 'page_with_port')
  return page
}

const acceptsHost = ({ domain, moreDomains }: Pick<LinkHost, 'domain' | 'moreDomains'>, { hostname }: URL) =>
  domain === hostname || moreDomains.includes(hostname)

/** Returns the template for a page: of those on its host the one with the longest path that it begins with, then the oldest. */
function templateFor(page: URL, hosts: LinkHost[], blueprintId: string | null): LinkHost {
  if (hosts.length === 0) throw refusal('no_own_links')
  const named = blueprintId === null ? hosts : hosts.filter(({ id }) => id === blueprintId)
  if (named.length === 0) throw wrongField('blueprintId', 'unknown_link')
  const fitting = named
    .filter((host) => acceptsHost(host, page))
    .sort((a, b) => pathDepth(page, b) - pathDepth(page, a))
  if (!fitting[0]) throw notOnTheseHosts(named)
  return fitting[0]
}

const notOnTheseHosts = (hosts: Pick<LinkHost, 'domain' | 'moreDomains'>[]) =>
  wrongField('destinationUrl', 'page_not_on_these_hosts', {
    hosts: [...new Set(hosts.flatMap(({ domain, moreDomains }) => [domain, ...moreDomains]))].join(', '),
  })
