import type { NewPartner, Partner } from '#contract/partners.ts'
import type { Author } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { Access } from '../access/access.ts'
import { invitePartner } from '../auth/invitations.ts'
import { count } from '../stats/count.ts'
import { moveToGroup } from '../terms/moves.ts'
import { saveRates } from '../terms/save-terms.ts'
import { emitPartnerEvent } from './emit-partner-events.ts'
import { presentPartner } from './present-partner.ts'
import { idByEmail, idByExternalId, lockAccountPartners, partnerTable } from './queries.ts'
import { assignReferralCode, changeEarlierCodes, suggestCode } from './referral-code.ts'
import { checkedParent } from './tree.ts'

/**
 * Registers a partner, below `parentPartnerId` if given, and invites them unless `sendInvitation` is false. Called as a
 * partner it creates a sub-partner of the caller, if the account allows that.
 * Refuses: `duplicate` for an e-mail or code the account has; `validation_failed` for a group that is unknown, or a
 * parent that is unknown or too deep.
 */
export async function createPartner(
  tx: Transaction,
  install: Install,
  by: Author,
  access: Access,
  body: NewPartner,
): Promise<Partner> {
  const { account } = access
  if (access.as === 'partner') refuseOwnersFields(access, body)
  const { commissionSettings, groupId, sendInvitation, earlierCodes, ...given } = body
  await lockAccountPartners(tx, account.id)
  const parentPartnerId = body.parentPartnerId ? await checkedParent(tx, account.id, body.parentPartnerId, null) : null
  await refuseTakenEmail(tx, account.id, body.email, access.as === 'owner')
  if (body.externalId) await refuseTakenExternalId(tx, account.id, body.externalId)

  const id = newId()
  const firstName = body.firstName ?? null
  const lastName = body.lastName ?? null
  const referralCode = body.referralCode ?? (await suggestCode(tx, account.id, { firstName, lastName }))
  const createdOn = dayIn(account.timeZone, tx.now)
  await partnerTable.insert(tx, {
    ...given,
    id,
    accountId: account.id,
    parentPartnerId,
    referralCode,
    approvedPayoutYears: [],
    keepInGroup: false,
    storedState: 'active',
    invitedByPartnerId: access.partnerId,
    createdOn,
  })
  if (groupId) await moveToGroup(tx, by, account.id, id, { groupId, appliesTo: 'all-sales' })
  if (commissionSettings) await saveRates(tx, by, account.id, { kind: 'partner', id }, commissionSettings)
  await assignReferralCode(tx, account.id, id, referralCode)
  if (earlierCodes?.length) await changeEarlierCodes(tx, account.id, id, { added: earlierCodes, removed: [] })
  await count(tx, [{ accountId: account.id, day: createdOn, partnerId: parentPartnerId, partners: 1 }])
  await linksChanged(tx, account.id)
  if (sendInvitation) {
    const invited = { accountId: account.id, email: body.email, firstName, lastName }
    await invitePartner(tx, install, by, id, { ...invited, invitedByPartner: access.partnerId })
  }
  const changes = createdChanges(body, parentPartnerId)
  const created = await emitPartnerEvent(tx, by, account, 'partner.created', { id, changes })
  return access.as === 'owner' ? created : presentPartner(tx, account, id, access)
}

/** Fields a partner may set when inviting another; the call itself names the parent. */
const ofPartners: readonly string[] = [
  'firstName',
  'lastName',
  'email',
  'sendInvitation',
  'parentPartnerId',
] satisfies (keyof NewPartner)[]

function refuseOwnersFields({ account }: Access, body: NewPartner) {
  if (!account.invitationsFromPartners) throw refusal('partners_may_not_invite')
  const fields = Object.fromEntries(
    Object.entries(body)
      .filter(([field, value]) => value != null && !ofPartners.includes(field))
      .map(([field]) => [field, 'Only the account owner can set this']),
  )
  if (Object.keys(fields).length > 0)
    throw refusal('only_owner_sets_more', {
      fields,
    })
}

/** `tell`: true for the owner, whose refusal may name the partner with this e-mail. */
export async function refuseTakenEmail(tx: Transaction, accountId: string, email: string, tell: boolean) {
  const other = await idByEmail(tx, accountId, email)
  if (other)
    throw refusal('partner_email_taken', {
      fields: { email: 'A partner with this email already exists' },
      details: { field: 'email', ...(tell && { partnerId: other.id }) },
    })
}

export async function refuseTakenExternalId(tx: Transaction, accountId: string, externalId: string) {
  const other = await idByExternalId(tx, accountId, externalId)
  if (other)
    throw refusal('external_id_taken', {
      fields: { externalId: 'Another partner has this external ID' },
      details: { field: 'externalId', partnerId: other.id },
    })
}

const createdChanges = (body: NewPartner, parentPartnerId: string | null) => ({
  email: { old: null, new: body.email },
  ...(body.externalId && { externalId: { old: null, new: body.externalId } }),
  ...(body.earlierCodes?.length && { earlierCodes: { old: null, new: body.earlierCodes } }),
  ...(parentPartnerId && { parentPartnerId: { old: null, new: parentPartnerId } }),
  ...(body.groupId && { groupId: { old: null, new: body.groupId } }),
  ...(body.commissionSettings && { commissionSettings: { old: null, new: body.commissionSettings } }),
})
