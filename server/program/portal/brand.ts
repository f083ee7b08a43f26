import { type Brand, type BrandChange, isLocalHost } from '#contract/portal.ts'
import { type By, changesOf } from '../../platform/author.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { wrongField } from '../../platform/refusal.ts'
import { framesChanged } from './frame-map.ts'
import { portalUrl } from './portal-url.ts'

export async function presentBrand(db: Queryable, config: Config, accountId: string): Promise<Brand> {
  const { frameHosts } = await db.one<{ frameHosts: string[] }>`
    select frame_hosts from accounts where id = ${accountId}`
  return { logoUrl: null, accent: null, frameHosts, host: null, portalUrl: portalUrl(config) }
}

/** Refuses: this machine as a host, unless private targets are allowed. */
export async function changeBrand(
  tx: Transaction,
  config: Config,
  by: By,
  accountId: string,
  { frameHosts }: BrandChange,
): Promise<Brand> {
  if (frameHosts) {
    const local = config.allowPrivateWebhookTargets ? -1 : frameHosts.findIndex(isLocalHost)
    if (local >= 0) throw wrongField(`frameHosts.${local}`, 'host_is_local')
    const before = await tx.one<{ frameHosts: string[] }>`
      select frame_hosts from accounts where id = ${accountId} for no key update`
    await tx.run`
      update accounts set frame_hosts = ${frameHosts}::text[], updated_at = ${tx.now} where id = ${accountId}`
    await framesChanged(tx, accountId)
    await recorded(tx, by, accountId, 'account.brand-updated', {
      id: accountId,
      changes: changesOf(before, { frameHosts }),
    })
  }
  return presentBrand(tx, config, accountId)
}
