import { type Brand, type BrandChange, isLocalHost } from '#contract/portal.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { changeHost, findHostName, refuseOwnHost } from '../custom-domains/change-host.ts'
import { checkWhetherItAnswers } from '../custom-domains/check-host.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { presentHost } from '../custom-domains/present-host.ts'
import { type HostRecord, withRecord } from '../custom-domains/record.ts'
import { brandPictureHash, coverUrl, getLook, logoUrl, saveBrandPicture } from '../pictures/files.ts'
import { framesChanged } from './frame-map.ts'

export async function presentBrand(db: Queryable, config: Config, accountId: string): Promise<Brand> {
  const account = await db.one<{ frameHosts: string[]; portalHost: string | null }>`
    select frame_hosts, portal_host from accounts where id = ${accountId}`
  const look = await getLook(db, accountId)
  return {
    logoUrl: logoUrl(portalUrl(config, account), look),
    coverUrl: coverUrl(portalUrl(config, account), look),
    accent: look.accent,
    frameHosts: account.frameHosts,
    host: await presentHost(db, config, accountId),
    portalUrl: portalUrl(config, account),
  }
}

/**
 * Like `changeBrand`; a new own domain is looked up first, and called afterwards. Refuses also: the install's own host;
 * one that another account has proven.
 */
export async function saveBrand(
  services: Services,
  by: Author,
  accountId: string,
  change: BrandChange,
): Promise<Brand> {
  const { db, config } = services
  const { host } = change
  refuseOwnHost(config, host)
  const save = (record?: HostRecord) => transaction(db, (tx) => changeBrand(tx, config, by, accountId, change, record))
  const isNew = typeof host === 'string' && host !== (await findHostName(db, accountId))
  const { isProven } = await (isNew ? withRecord(services, host, save) : save())
  if (host && isProven) await checkWhetherItAnswers(services, accountId, host)
  return presentBrand(db, config, accountId)
}

/**
 * Changes how an account looks to its partners, its own domain, and who may frame the portal. Refuses: this machine as a
 * host, unless private targets are allowed; a logo or cover that is no picture or too large. Returns whether a new own domain is
 * proven.
 */
export async function changeBrand(
  tx: Transaction,
  config: Config,
  by: Author,
  accountId: string,
  { logo, cover, accent, frameHosts, host }: BrandChange,
  record?: HostRecord,
): Promise<{ isProven: boolean }> {
  const local = config.allowPrivateWebhookTargets === true ? -1 : (frameHosts ?? []).findIndex(isLocalHost)
  if (local >= 0) throw wrongField(`frameHosts.${local}`, 'host_is_local')
  // first, because it locks before any row is locked
  const former = host === undefined ? undefined : await changeHost(tx, accountId, { name: host, record })
  const before = { ...(await readBrand(tx, accountId)), host: former?.before }
  if (logo !== undefined) await saveBrandPicture(tx, accountId, 'logo', logo)
  if (cover !== undefined) await saveBrandPicture(tx, accountId, 'cover', cover)
  const next = {
    accent,
    frameHosts,
    host,
    logo: logo === undefined ? undefined : await brandPictureHash(tx, accountId, 'logo'),
    cover: cover === undefined ? undefined : await brandPictureHash(tx, accountId, 'cover'),
  }
  const changes = diffFields(before, next)
  if (Object.keys(changes).length > 0) {
    await tx.run`
      update accounts set frame_hosts = ${frameHosts ?? before.frameHosts}::text[],
        accent = ${accent === undefined ? before.accent : accent}, updated_at = ${tx.now}
      where id = ${accountId}`
    if (changes.frameHosts) await framesChanged(tx, accountId)
    if (changes.accent || changes.logo || changes.cover) await linksChanged(tx, accountId)
    await recordActivity(tx, by, accountId, 'account.brand-updated', { id: accountId, changes })
  }
  return { isProven: former?.isProven ?? false }
}

/** Locks the account. */
async function readBrand(tx: Transaction, accountId: string) {
  const saved = await tx.one<{ frameHosts: string[]; accent: string | null }>`
    select frame_hosts, accent from accounts where id = ${accountId} for no key update`
  return {
    ...saved,
    logo: await brandPictureHash(tx, accountId, 'logo'),
    cover: await brandPictureHash(tx, accountId, 'cover'),
  }
}
