import type { IncomingDelivery } from '#contract/incoming-webhooks.ts'
import { type Author, systemAuthor } from '../../platform/author.ts'
import { bookingTransaction, type Transaction } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { RowNotThere } from '../../platform/jobs/worker.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { lockAccountShared } from '../../program/access/lock-accounts.ts'
import { mergeLeadsOfPerson } from '../../program/sales/same-person.ts'
import { getDelivery } from './deliveries.ts'
import { endSameId, isOfOther, maskEmail, type Other } from './others-id.ts'
import { personBehind } from './process.ts'
import { clearOtherPerson, findDelivery, incomingWebhookById, lockDelivery, type Place } from './queries.ts'
import { type IncomingJob, incomingQueue } from './queue.ts'

/**
 * Has the person of a delivery taken for the one whose external ID it names. Refuses: `invalid_state` for a delivery that
 * names no other person, or names one who is erased or deleted.
 */
export async function requestSamePerson(
  tx: Transaction,
  jobs: Jobs,
  by: Author,
  webhook: Place,
  id: string,
): Promise<IncomingDelivery> {
  const delivery = await findDelivery(tx, webhook, id)
  if (!delivery) throw notFound()
  const { accountId } = webhook
  const leadIds = (delivery.othersId ?? []).map(({ leadId }) => leadId)
  const isThere = await tx.maybe`
    select from leads where account_id = ${accountId} and id = any(${leadIds}::uuid[]) and erased_at is null limit 1`
  if (!isThere) throw refusal('delivery_names_no_other')
  const { id: deliveryId } = delivery
  await jobs.addAll(tx, incomingQueue, [{ deliveryId, accountId, replayedBy: by.id, isSamePerson: true }])
  return getDelivery(tx, webhook, deliveryId)
}

/**
 * Takes the person of a delivery for the one whose external ID it names, once: the lead with the ID gets the sale and the
 * email.
 */
export const mergeSamePerson = (
  { db }: Pick<Services, 'db'>,
  { deliveryId: id, accountId, replayedBy = null }: IncomingJob,
) =>
  bookingTransaction(db, async (tx) => {
    const delivery = accountId === undefined ? undefined : await lockDelivery(tx, { id, accountId })
    if (accountId === undefined || !delivery) throw new RowNotThere()
    const hook = delivery.othersId && (await incomingWebhookById(tx, delivery.webhookId))
    if (!delivery.othersId || !hook) return
    const by = systemAuthor(await personBehind(tx, hook, replayedBy))
    const account = await lockAccountShared(tx, accountId)
    const warnings = (delivery.warnings ?? []).filter((one) => !delivery.othersId!.some(isOfOther(one)))
    for (const other of delivery.othersId) warnings.push(...(await settle(tx, by, account, other)))
    await clearOtherPerson(tx, { id, accountId }, warnings)
    await endSameId(tx, hook)
  })

/** Returns what has not become one, in sentences. */
async function settle(tx: Transaction, by: Author, account: AccountFacts, { leadId, email, made }: Other) {
  const joined = await mergeLeadsOfPerson(tx, by, account, leadId, { email, made })
  return [
    ...(joined?.isApart ? [`${maskEmail(email)} stays a lead of its own, as it credits a partner already.`] : []),
    ...(joined?.isEarlier ? ['This sale was made before the lead was referred. Assign it by hand to credit it.'] : []),
  ]
}
