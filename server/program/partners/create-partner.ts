import type { NewPartner, Partner } from '#contract/partners.ts'
import { audit, type By } from '../../platform/audit.ts'
import { invitePartner } from '../auth/invitations.ts'
import { linksChanged } from '../clicks/link-map.ts'
import { toPpm } from '../commissions/rates.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import { announce } from '../../jobs/outbox.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { count } from '../stats/count.ts'
import { dayIn } from '../../platform/time/days.ts'
import { presentPartner } from './present-partner.ts'
import { idByEmail, insertPartner, lockPartnersOf } from './queries.ts'
import { suggestCode, takeCode } from './referral-code.ts'
import { checkedParent } from './tree.ts'

/**
 * Registers a partner, below `parentPartnerId` where one is named, and invites him unless `sendInvitation` is false.
 * Called as a partner it makes a sub-partner of the caller, where the account allows that.
 * Refuses: `duplicate` for an e-mail or code the account has; `validation_failed` for a parent that is unknown or deep.
 */
export async function createPartner(
  tx: Transaction,
  services: Services,
  by: By,
  access: Access,
  body: NewPartner,
): Promise<Partner> {
  const { account } = access
  if (access.as === 'partner') refuseOwnersFields(access, body)
  await lockPartnersOf(tx, account.id)
  const parentPartnerId = body.parentPartnerId ? await checkedParent(tx, account.id, body.parentPartnerId, null) : null
  await refuseTakenEmail(tx, account.id, body.email, access.as === 'owner')

  const id = newId()
  const firstName = body.firstName ?? null
  const lastName = body.lastName ?? null
  const referralCode = body.referralCode ?? (await suggestCode(tx, account.id, { firstName, lastName }))
  const createdOn = dayIn(account.timeZone, tx.now)
  await insertPartner(tx, {
    id,
    accountId: account.id,
    parentPartnerId,
    firstName,
    lastName,
    email: body.email,
    referralCode,
    layerRatesPpm: body.commissionSettings ? toPpm(body.commissionSettings) : null,
    invitedByPartnerId: access.partnerId,
    createdOn,
  })
  await takeCode(tx, account.id, id, referralCode)
  await count(tx, [{ accountId: account.id, day: createdOn, partnerId: parentPartnerId, partners: 1 }])
  await linksChanged(tx, account.id)
  await audit(tx, by, account.id, 'partner.created', { type: 'partner', id }, createdChanges(body, parentPartnerId))
  if (body.sendInvitation) {
    const invited = { accountId: account.id, email: body.email, firstName, lastName }
    await invitePartner(tx, services, by, id, { ...invited, invitedByPartner: access.partnerId })
  }
  await announce(tx, account.id, 'partner.created', { partnerId: id })
  return presentPartner(tx, account, id, access)
}

function refuseOwnersFields({ account }: Access, body: NewPartner) {
  if (!account.invitationsFromPartners)
    throw new Refusal('forbidden', 'This account does not let partners invite partners.')
  const fields = Object.fromEntries(
    (['commissionSettings', 'referralCode'] as const)
      .filter((field) => body[field] != null)
      .map((field) => [field, 'Only the account owner can set this']),
  )
  if (Object.keys(fields).length > 0)
    throw new Refusal('validation_failed', 'Commission settings and referral code are set by the account owner.', {
      fields,
    })
}

/** `tell`: to the owner the refusal names the partner who has it. */
export async function refuseTakenEmail(tx: Transaction, accountId: string, email: string, tell: boolean) {
  const other = await idByEmail(tx, accountId, email)
  if (other)
    throw new Refusal('duplicate', 'A partner with this email exists already.', {
      fields: { email: 'A partner with this email exists already' },
      details: { field: 'email', ...(tell && { partnerId: other.id }) },
    })
}

const createdChanges = (body: NewPartner, parentPartnerId: string | null) => ({
  email: { old: null, new: body.email },
  ...(parentPartnerId && { parentPartnerId: { old: null, new: parentPartnerId } }),
  ...(body.commissionSettings && { commissionSettings: { old: null, new: body.commissionSettings } }),
})
