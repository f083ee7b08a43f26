import type { Changes } from '#contract/events.ts'
import type { Partner } from '#contract/partners.ts'
import type { By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { happened } from '../../platform/events/happened.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { asOwner, presentPartner } from './present-partner.ts'

type PartnerEvent = 'partner.created' | 'partner.updated' | 'partner.invitation-sent' | 'partner.invitation-accepted'

/** Sends an event for a partner with their current state, and returns them as the owner sees them. */
export async function tellPartner(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  type: PartnerEvent,
  { id, changes = {} }: { id: string; changes?: Changes },
): Promise<Partner> {
  const object = await presentPartner(tx, account, id, asOwner)
  await happened(tx, by, account.id, type, { id, object, changes })
  return object
}
