import type { By, Origin } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Event } from '../../platform/events/relay.ts'
import { accountFactsOf } from '../access/account-facts.ts'
import { invitationAccepted, invitationSent } from '../auth/signals.ts'
import { tellPartner } from './tell-partner.ts'

const told = {
  [invitationSent.type]: 'partner.invitation-sent',
  [invitationAccepted.type]: 'partner.invitation-accepted',
} as const

/** Sends partner events for changes of their invitations; the room of invitations does not know partners. */
export async function tellOfInvitations(tx: Transaction, events: Event[]): Promise<void> {
  for (const { type, accountId, data } of events) {
    const event = told[type]
    if (!event) continue
    const { partnerId, userId, from } = data as { partnerId: string; userId: string | null; from?: Origin }
    const account = (await accountFactsOf(tx, [accountId!])).get(accountId!)
    const there = await tx.maybe`select id from partners where id = ${partnerId}`
    const by: By = { type: userId ? 'user' : 'system', id: userId, from }
    if (account && there) await tellPartner(tx, by, account, event, { id: partnerId })
  }
}
