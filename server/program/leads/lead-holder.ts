import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import { type Identity, type KnownLead, leadsLike, lockIdentities } from './queries.ts'

type Person = Pick<Identity, 'email' | 'phoneE164'>

/** Finds and locks the lead, other than this one, that holds the person's e-mail or phone by now. */
export async function otherHolder(
  tx: Transaction,
  accountId: string,
  id: string,
  { email, phoneE164 }: Person,
): Promise<KnownLead | undefined> {
  const identity = { email, phoneE164, externalId: null }
  await lockIdentities(tx, accountId, [identity])
  return (await leadsLike(tx, accountId, identity)).find((lead) => lead.id !== id && lead.holds)
}

/**
 * Refuses: `lead_held` for a lead whose person is another open lead or a customer by now. Two open leads of one person
 * would compete for their payments, and the older one would take them from the partner who registered it since.
 */
export async function refuseHeld(tx: Transaction, accountId: string, id: string, person: Person) {
  const other = await otherHolder(tx, accountId, id, person)
  if (other) throw refusal('lead_held', { details: { leadId: other.id } })
}
