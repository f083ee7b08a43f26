import type { Changes } from '#contract/events.ts'
import type { Partner } from '#contract/partners.ts'
import type { Author, Origin } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import type { Event } from '../../platform/events/relay.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { invitationAccepted, invitationSent } from '../auth/signals.ts'
import { asOwner, presentPartner } from './present-partner.ts'

type PartnerEvent =
  | 'partner.created'
  | 'partner.erased'
  | 'partner.updated'
  | 'partner.invitation-sent'
  | 'partner.invitation-accepted'

/** Sends an event for a partner with their current state, and returns them as the owner sees them. */
export async function emitPartnerEvent(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  type: PartnerEvent,
  { id, changes = {} }: { id: string; changes?: Changes },
): Promise<Partner> {
  const object = await presentPartner(tx, account, id, asOwner)
  await emitEvent(tx, by, account.id, type, { id, object, changes })
  return object
}

const eventTypes = {
  [invitationSent.type]: 'partner.invitation-sent',
  [invitationAccepted.type]: 'partner.invitation-accepted',
} as const

/** Sends partner events for changes of their invitations; the room of invitations may not import partners. */
export async function emitInvitationEvents(tx: Transaction, events: Event[]): Promise<void> {
  for (const { type, accountId, data } of events) {
    const event = eventTypes[type]
    if (!event) continue
    const { partnerId, userId, from } = data as { partnerId: string; userId: string | null; from?: Origin }
    const account = (await getAccountFacts(tx, [accountId!])).get(accountId!)
    const there = await tx.maybe`select id from partners where account_id = ${accountId} and id = ${partnerId}`
    const by: Author = { type: userId ? 'user' : 'system', id: userId, from }
    if (account && there) await emitPartnerEvent(tx, by, account, event, { id: partnerId })
  }
}
