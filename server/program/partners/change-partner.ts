import type { Partner, PartnerChange } from '#contract/partners.ts'
import type { Reach } from '#contract/terms.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import { reinvitePartner } from '../auth/invitations.ts'
import { rememberVoidedUntilNow } from '../commissions/voided.ts'
import { refuseUnlessOn } from '../payouts/method-settings.ts'
import { moveToGroup } from '../terms/moves.ts'
import { fromPpm } from '../terms/rates.ts'
import { changeRates } from '../terms/terms-state.ts'
import { refuseTakenEmail, refuseTakenExternalId } from './create-partner.ts'
import { emitPartnerEvent } from './emit-partner-events.ts'
import { saveFormerEmail } from './former-emails.ts'
import { mayCorrect, presentPartner } from './present-partner.ts'
import {
  lockAccountPartners,
  type PartnerRow,
  partnerById,
  partnerTable,
  replaceSignedForm,
  writePause,
} from './queries.ts'
import { assignReferralCode, changeEarlierCodes } from './referral-code.ts'
import { checkedParent, countMove } from './tree.ts'

/**
 * Changes a partner; rates, group, code, parent and state apply to the future, booked entries stay. The owner may change
 * everything; a partner the names and e-mail of one they invited, until it is accepted; a key the e-mail until then, and
 * an external id once.
 * Refuses: `forbidden`, `duplicate` (e-mail, code, external id), `validation_failed` (group, parent), `invalid_state`
 * (suspending an archived one).
 */
export async function changePartner(
  tx: Transaction,
  install: Install,
  by: Author,
  access: Access,
  change: PartnerChange,
): Promise<Partner> {
  const { account, subjectId: id } = access
  await lockAccountPartners(tx, account.id)
  const before = await partnerById(tx, account.id, id)
  if (!before) throw notFound()
  if (before.erasedAt) throw refusal('erased')
  if (access.as !== 'owner') refuseBeyondCorrection(access, before, change)
  if (access.byKey) refuseForKeys(before, change)
  if (change.externalId && change.externalId !== before.externalId)
    await refuseTakenExternalId(tx, account.id, change.externalId)

  if (change.email && change.email !== before.email)
    await refuseTakenEmail(tx, account.id, change.email, access.as === 'owner')
  if (change.payoutMethod !== before.payoutMethod) await refuseUnlessOn(tx, account, change.payoutMethod)
  if (change.referralCode && change.referralCode !== before.referralCode)
    await assignReferralCode(tx, account.id, id, change.referralCode)
  const earlierCodes = nextEarlierCodes(before, change)
  if (earlierCodes) {
    const kept = new Set([...earlierCodes, change.referralCode])
    await changeEarlierCodes(tx, account.id, id, {
      added: earlierCodes,
      removed: before.earlierCodes.filter((code) => !kept.has(code)),
    })
  }
  const parentPartnerId = await nextParent(tx, before, change)
  if (parentPartnerId !== before.parentPartnerId)
    await countMove(tx, account.id, [before], { from: before.parentPartnerId, to: parentPartnerId })

  const { commissionSettings, groupId, appliesTo, state: _, earlierCodes: __, reason, ...given } = change
  const state = nextState(before, change)
  // the same kind and day as the form on file is no other form
  if (isSameForm(before.taxForm, given.taxForm)) delete given.taxForm
  const next = { ...given, groupId, commissionSettings, parentPartnerId, state, earlierCodes }
  if (groupId) await movePartner(tx, by, before, { groupId, appliesTo })
  if (commissionSettings !== undefined)
    await changeRates(tx, by, account.id, { kind: 'partner', id }, commissionSettings)
  const { note, ...changes } = diffFields(comparable(before), next)
  if (!note && Object.keys(changes).length === 0) return presentPartner(tx, account, id, access)
  if (state === 'active' && before.voidReason !== null) await rememberVoidedUntilNow(tx, account.id, id)
  await partnerTable.update(
    tx,
    { accountId: account.id, id },
    {
      ...given,
      parentPartnerId,
      storedState: state,
      voidReason: state === 'active' ? null : undefined,
      stateReason: state && (state === 'active' ? null : (reason ?? before.stateReason)),
    },
  )
  if (changes.taxForm) await replaceSignedForm(tx, account.id, id)
  if (state) await writePause(tx, account.id, id)
  if (changes.referralCode || changes.earlierCodes || changes.state) await linksChanged(tx, account.id)
  if (changes.email) {
    await saveFormerEmail(tx, account.id, id, before.email)
    await reinvitePartner(tx, install, by, id, { email: change.email!, invitedByPartner: access.partnerId })
  }
  // the activity records that there is another note, but never its text
  if (note) await recordActivity(tx, by, account.id, 'partner.noted', { id })
  if (Object.keys(changes).length === 0) return presentPartner(tx, account, id, access)
  const recorded = { ...changes, ...(reason && { reason: { old: null, new: reason } }) }
  const changed = await emitPartnerEvent(tx, by, account, 'partner.updated', { id, changes: recorded })
  return access.as === 'owner' ? changed : presentPartner(tx, account, id, access)
}

const isSameForm = (before: PartnerRow['taxForm'], given: PartnerChange['taxForm']) =>
  Boolean(before && given && before.kind === given.kind && before.receivedOn === given.receivedOn)

type Move = { groupId: string; appliesTo: Reach | undefined; goal?: { id: string; name: string } }

/**
 * Moves a partner to a group, by a goal if one is given, and records the partners it affects. Returns whether it did.
 */
export async function movePartner(
  tx: Transaction,
  by: Author,
  { accountId, id, groupId: from }: Pick<PartnerRow, 'accountId' | 'id' | 'groupId'>,
  { groupId, appliesTo = 'all-sales', goal }: Move,
): Promise<boolean> {
  if (!(await moveToGroup(tx, by, accountId, id, { groupId, appliesTo, goalId: goal?.id ?? null }))) return false
  const changes = {
    groupId: { old: from ?? accountId, new: groupId },
    appliesTo: { old: null, new: appliesTo },
    ...(goal && { goal: { old: null, new: goal.name } }),
  }
  await recordActivity(tx, by, accountId, 'partner.moved', { id, changes })
  return true
}

const correctable: readonly string[] = ['firstName', 'lastName', 'email'] satisfies (keyof PartnerChange)[]

function refuseBeyondCorrection({ partnerId }: Access, before: PartnerRow, change: PartnerChange) {
  if (!partnerId || !mayCorrect(before, partnerId)) throw refusal('only_owner_changes_partner')
  const others = Object.keys(change).filter((field) => !correctable.includes(field))
  if (others.length > 0)
    throw refusal('only_owner_changes_more', {
      fields: Object.fromEntries(others.map((field) => [field, 'Only the account owner can change this'])),
    })
}

/** An accepted e-mail is the person's own. An external id leads the owner's system to a partner, so people alone change it. */
function refuseForKeys(before: PartnerRow, { email, externalId }: PartnerChange) {
  if (before.accepted && email !== undefined && email !== before.email) throw wrongField('email', 'field_not_for_keys')
  if (before.externalId !== null && externalId !== undefined && externalId !== before.externalId)
    throw refusal('external_id_fixed')
}

const nextParent = async (tx: Transaction, before: PartnerRow, { parentPartnerId }: PartnerChange) => {
  if (parentPartnerId === undefined || parentPartnerId === before.parentPartnerId) return before.parentPartnerId
  return parentPartnerId && checkedParent(tx, before.accountId, parentPartnerId, before.id)
}

/** Returns the partner's earlier codes if the change sets others; a code replaced by it is one of them. */
function nextEarlierCodes(before: PartnerRow, change: PartnerChange) {
  if (!change.earlierCodes) return undefined
  const code = change.referralCode ?? before.referralCode
  const given = new Set(change.earlierCodes)
  if (code !== before.referralCode) given.add(before.referralCode)
  given.delete(code)
  const isSame = given.size === before.earlierCodes.length && before.earlierCodes.every((one) => given.has(one))
  return isSame ? undefined : [...given]
}

function nextState(before: PartnerRow, { state }: PartnerChange) {
  if (state === 'suspended' && before.storedState === 'archived')
    throw refusal('partner_is_archived', {
      details: { state: before.state },
    })
  return state
}

const comparable = (row: PartnerRow) => ({
  ...row,
  groupId: row.groupId ?? row.accountId,
  commissionSettings: row.layerRatesPpm && fromPpm(row.layerRatesPpm),
  state: row.storedState,
})
