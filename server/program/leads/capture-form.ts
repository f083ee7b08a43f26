import { system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { addTimelineLines } from '../../platform/events/emit-event.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import {
  type Captured,
  captureLead,
  changedFields,
  type LeadToCapture,
  type Prepared,
  prepareLead,
  refreshLead,
  toIdentity,
  withoutOthersPhone,
} from './capture-lead.ts'
import { joinLead } from './join-lead.ts'
import { otherHolder } from './lead-holder.ts'
import { changeLeadStatus } from './lead-status.ts'
import {
  formsLike,
  hasPay,
  isUncreditedPayer,
  type KnownLead,
  lockIdentities,
  lockLead,
  salesOfLead,
} from './queries.ts'
import { saveSubmission } from './submissions.ts'

/** A form as a page's script sends it. */
type FormToCapture = Omit<LeadToCapture, 'source' | 'externalId'>

/**
 * Stores a form as one lead with the same visitor's earlier form, or the later one that came first, where their lead may
 * still change; else by itself. One that was received before changes nothing.
 */
export async function captureForm(tx: Transaction, account: AccountFacts, given: FormToCapture): Promise<Captured> {
  const { form } = given
  const submission = { ...given, source: 'embed' as const }
  if (!form) return captureLead(tx, account, submission)
  const people = await formsLike(tx, account.id, form)
  await lockIdentities(
    tx,
    account.id,
    [toIdentity(submission), ...people],
    [form.id, ...(form.joins ? [form.joins] : [])],
  )
  const forms = await formsLike(tx, account.id, form)
  const same = forms.find(({ clientId }) => clientId === form.id)
  if (same) return { leadId: same.leadId, created: false, duplicate: false }
  const earlier = forms.find(({ clientId }) => clientId === form.joins)
  const other = earlier ?? forms[0]
  const lead = other && (await openLead(tx, account, other.leadId))
  const prepared = lead && (await prepareLead(tx, account, submission))
  // of two forms the later one says that it corrects
  const { corrects } = earlier ? form : { corrects: other?.corrects ?? false }
  if (!prepared || !isOneWith(lead, prepared, corrects)) return captureLead(tx, account, submission)
  const captured = await join(tx, account, lead, prepared, { corrects: corrects && earlier !== undefined })
  await saveSubmission(tx, account.id, captured.leadId, submission)
  return captured
}

/** Locks a lead of a form that is not judged yet and has paid nothing; undefined if it is no such lead by now. */
async function openLead(tx: Transaction, { id: accountId }: AccountFacts, id: string): Promise<KnownLead | undefined> {
  const lead = await lockLead(tx, accountId, id)
  if (lead?.source !== 'embed' || lead.status !== 'new' || lead.erasedAt) return undefined
  if (lead.protectedUntil && Date.parse(lead.protectedUntil) <= tx.now.getTime()) return undefined
  if ((await salesOfLead(tx, accountId, id)) > 0 || (await hasPay(tx, accountId, id))) return undefined
  return { ...lead, by: 'email', holds: true, hasSales: false }
}

/**
 * Whether a form is of the lead's partner and completes it: a person has one email and one phone, unless one of them
 * corrects the other.
 */
function isOneWith(lead: KnownLead, { attributed, identity }: Prepared, corrects: boolean) {
  const isOther = (one: string | null, other: string | null) => one !== null && other !== null && one !== other
  const isAnother = isOther(lead.email, identity.email) || isOther(lead.phoneE164, identity.phoneE164)
  return (attributed?.partnerId ?? null) === lead.partnerId && (corrects || !isAnother)
}

/**
 * Adds a form to the lead, which becomes the duplicate of another one that has its email or phone; if that one is of the
 * same partner or of none, it gets what is missing. The lead is rejected if the form is of a customer without a partner.
 */
async function join(
  tx: Transaction,
  account: AccountFacts,
  lead: KnownLead,
  submission: Prepared,
  { corrects }: { corrects: boolean },
): Promise<Captured> {
  const { identity } = submission
  const { email, phone } = changedFields(lead, submission, { corrects })
  const person = { email: email ?? null, phoneE164: phone ? identity.phoneE164 : null }
  const isCustomer = lead.partnerId !== null && email != null && (await isUncreditedPayer(tx, account.id, email))
  const other = await otherHolder(tx, account.id, lead.id, person)
  if (!other) {
    const changed = await refreshLead(tx, account, lead, submission, { corrects })
    if (isCustomer) {
      const change = { status: 'rejected', reason: 'existing-customer' } as const
      await changeLeadStatus(tx, system, account, lead.id, change)
    }
    return { leadId: lead.id, created: false, duplicate: isCustomer, changed }
  }
  await joinLead(tx, system, account, lead.id, other)
  const isFree = other.partnerId === null || lead.partnerId === null
  if (other.partnerId === lead.partnerId || (isFree && !isCustomer)) {
    const both = {
      ...submission,
      firstName: lead.firstName ?? submission.firstName,
      lastName: lead.lastName ?? submission.lastName,
      // knowing a customer's email must not add it to a partner's own lead
      email: isCustomer ? null : (email ?? lead.email),
      phone: phone ?? lead.phone,
      identity: { ...identity, phoneE164: person.phoneE164 ?? lead.phoneE164 },
    }
    const changed = await refreshLead(tx, account, other, await withoutOthersPhone(tx, account, other, both))
    return { leadId: other.id, created: false, duplicate: false, changed }
  }
  await addTimelineLines(tx, system, account.id, 'lead.registered-again', {
    id: other.id,
    lines: [{ type: 'duplicate', text: 'Registered again by another partner', shared: false }],
  })
  return { leadId: lead.id, created: false, duplicate: true }
}
