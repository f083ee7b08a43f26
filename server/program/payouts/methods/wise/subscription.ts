import type { Services } from '../../../../platform/services.ts'
import { WiseError } from './client.ts'
import { type Connection, wiseOf } from './connection.ts'

/**
 * With a public https address Wise tells us of every change of a transfer. Only a hint beside the poll: where it cannot
 * be had, payouts go on without.
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
  const wanted = next.profile && appUrl.startsWith('https://') && (moved || !former.subscriptionId)
  if (!wanted) return
  try {
    const id = await wiseOf(services, accountId, next)!.subscribe(next.profile!.id, `${appUrl}/hooks/wise`)
    await services.db.run`update wise_accounts set subscription_id = ${id} where account_id = ${accountId}`
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    services.log.warn(
      { accountId, status: error.status },
      'Wise sends no events for this account; its transfers are polled instead',
    )
  }
}

async function endSubscription(services: Services, accountId: string, former: Connection) {
  const { profile, subscriptionId } = former
  if (!subscriptionId || !profile) return
  try {
    await services.db.run`update wise_accounts set subscription_id = null where account_id = ${accountId}`
    await wiseOf(services, accountId, former)?.unsubscribe(profile.id, subscriptionId)
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    services.log.info({ accountId, status: error.status }, 'a previous Wise subscription was left in place')
  }
}
