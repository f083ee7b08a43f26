import type { Partner, PartnerByExternalId } from '#contract/partners.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import { changePartner } from './change-partner.ts'
import { createPartner } from './create-partner.ts'
import { idByExternalId, lockAccountPartners, partnerById } from './queries.ts'

/**
 * Creates the partner with this external id, or changes the fields given of the one who has it. A partner with the
 * e-mail and another id, or none, is never joined: who signs up in the owner's system with a partner's address would
 * read their earnings.
 * Refuses: `partner_archived`, and as creating and changing a partner do.
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
  await lockAccountPartners(tx, account.id)
  const known = await idByExternalId(tx, account.id, externalId)
  if (!known) return { created: true, partner: await createPartner(tx, install, by, access, { ...body, externalId }) }
  const { storedState } = (await partnerById(tx, account.id, known.id))!
  if (storedState === 'archived') throw refusal('partner_archived')
  const { referralCode: _, parentPartnerId: __, sendInvitation: ___, groupId, ...given } = body
  const change = { ...given, ...(groupId && { groupId }) }
  return { created: false, partner: await changePartner(tx, install, by, { ...access, subjectId: known.id }, change) }
}
