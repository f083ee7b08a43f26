import type { Partner, PartnerByExternalId } from '#contract/partners.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import { rewardsOfPartners } from '../access/customer-groups.ts'
import { changePartner } from './change-partner.ts'
import { createPartner } from './create-partner.ts'
import { idByExternalId, lockAccountPartners, partnerById } from './queries.ts'

/**
 * Creates the partner with this external id, or changes the fields given of the one who has it. A partner with the
 * e-mail and another id, or none, is never joined: who signs up in the owner's system with a partner's address would
 * read their earnings. The provider was asked about the customer.
 * Refuses: `partner_archived`, another partner's customer, and as creating and changing a partner do.
 */
export async function upsertPartner(
  tx: Transaction,
  install: Install,
  by: Author,
  access: Access,
  externalId: string,
  body: PartnerByExternalId,
): Promise<{ created: boolean; partner: Partner }> {
  const { account } = access
  const { customer, ...fields } = body
  await lockAccountPartners(tx, account.id)
  const known = await idByExternalId(tx, account.id, externalId)
  if (!known) {
    const partner = await createPartner(tx, install, by, access, { ...fields, externalId })
    if (customer) await nameCustomer(tx, account.id, partner.id, customer)
    return { created: true, partner }
  }
  const { storedState } = (await partnerById(tx, account.id, known.id))!
  if (storedState === 'archived') throw refusal('partner_archived')
  const { referralCode: _, parentPartnerId: __, sendInvitation: ___, groupId, ...given } = fields
  const change = { ...given, ...(groupId && { groupId }) }
  const partner = await changePartner(tx, install, by, { ...access, subjectId: known.id }, change)
  if (customer) await nameCustomer(tx, account.id, known.id, customer)
  return { created: false, partner }
}

type NamedCustomer = NonNullable<PartnerByExternalId['customer']>

/** Stores the customer at the provider who gets a partner's credit. */
async function nameCustomer(
  tx: Transaction,
  accountId: string,
  partnerId: string,
  { connectionId, customerId }: NamedCustomer,
) {
  if (!(await rewardsOfPartners(tx, accountId, [partnerId])).has(partnerId))
    throw wrongField('customer', 'group_is_not_for_customers')
  const other = await tx.maybe`
    select from partner_customers
    where account_id = ${accountId} and connection_id = ${connectionId} and customer_id = ${customerId}
      and partner_id <> ${partnerId}`
  if (other) throw wrongField('customer', 'customer_taken')
  await tx.run`
    insert into partner_customers as c (account_id, partner_id, connection_id, customer_id, updated_at)
    values (${accountId}, ${partnerId}, ${connectionId}, ${customerId}, ${tx.now})
    on conflict (partner_id, account_id) do update set connection_id = excluded.connection_id,
      customer_id = excluded.customer_id, problem = null, updated_at = excluded.updated_at`
}
