import type { Queryable } from '../../../../platform/database/pool.ts'
import type { Services } from '../../../../platform/services.ts'
import { WiseError, wiseEventKinds } from './client.ts'
import { type Connection, wiseOf } from './connection.ts'

/**
 * Subscribes to Wise's events about transfers if the public address is https. Only a hint beside the poll: payouts work
 * without them. Missing kinds are requested at the next change of the settings.
 */
export async function keepSubscription(
  services: Services,
  accountId: string,
  former: Connection,
  next: Connection,
): Promise<void> {
  const moved = former.profile?.id !== next.profile?.id
  if (moved) await endSubscription(services, accountId, former)
  const { appUrl } = services.config
  const ids = moved ? [] : [...former.subscriptionIds]
  if (!next.profile || !appUrl.startsWith('https://')) return
  const wise = wiseOf(services, accountId, next)!
  try {
    for (const kind of wiseEventKinds.slice(ids.length)) {
      ids.push(await wise.subscribe(next.profile.id, kind, `${appUrl}/hooks/wise`))
      await keepIds(services.db, accountId, ids)
    }
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    services.log.warn(
      { accountId, status: error.status },
      'Wise does not send all events for this account; its transfers are polled too',
    )
  }
}

async function endSubscription(services: Services, accountId: string, former: Connection) {
  const { profile, subscriptionIds } = former
  if (subscriptionIds.length === 0 || !profile) return
  const wise = wiseOf(services, accountId, former)
  try {
    await keepIds(services.db, accountId, [])
    for (const id of subscriptionIds) await wise?.unsubscribe(profile.id, id)
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    services.log.info({ accountId, status: error.status }, 'a previous Wise subscription was left in place')
  }
}

const keepIds = (db: Queryable, accountId: string, ids: string[]) => db.run`
  update wise_accounts set subscription_ids = ${ids}::text[] where account_id = ${accountId}`
