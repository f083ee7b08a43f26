import type { Author } from '#server/platform/author.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { emitEvent } from '#server/platform/events/emit-event.ts'
import { refusal, wrongField } from '#server/platform/refusal.ts'
import { addDays, dayIn, startOfDay } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { CLAIM_DAYS, type Claim, MOST_CLAIMS, type NewClaim } from '../contract.ts'
import { toOrderKey } from './order-key.ts'
import { claimForPartner } from './present-claim.ts'
import { claimTable, countClaims, lockClaims, openClaim } from './queries.ts'

/**
 * Stores a partner's claim, or returns the open one that names the same. It reads nothing but the partner's own claims:
 * neither the answer nor its time may depend on whether such a sale or customer exists.
 * Refuses: a day that is not within the last sixty; too many open claims, or too many on the account's day.
 */
export async function makeClaim(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  partnerId: string,
  { orderId = null, email = null, day = null, note = null }: NewClaim,
): Promise<Claim> {
  const { id: accountId, timeZone } = account
  const today = dayIn(timeZone, tx.now)
  if (day && day > today) throw wrongField('day', 'day_in_future')
  if (day && day < addDays(today, -CLAIM_DAYS)) throw wrongField('day', 'claim_day_too_early', { days: CLAIM_DAYS })
  await lockClaims(tx, accountId, partnerId)
  const orderKey = orderId && toOrderKey(orderId)
  const same = await openClaim(tx, accountId, partnerId, { orderKey, email, day })
  if (same) return claimForPartner(tx, accountId, same.id)
  const { open, recent } = await countClaims(tx, accountId, partnerId, { since: startOfDay(today, timeZone) })
  if (open >= MOST_CLAIMS) throw refusal('claims_open', { max: MOST_CLAIMS })
  if (recent >= MOST_CLAIMS) throw refusal('claims_today', { max: MOST_CLAIMS })
  const id = newId()
  await claimTable.insert(tx, { id, accountId, partnerId, state: 'open', orderId, orderKey, email, day, note })
  const claim = await claimForPartner(tx, accountId, id)
  await emitEvent(tx, by, accountId, 'claim.made', { id, object: claim })
  return claim
}
