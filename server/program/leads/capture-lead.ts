import type { LeadSource } from '#contract/leads.ts'
import type { Json } from '#contract/payload-paths.ts'
import { type Author, diffFields, system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { addTimelineLines } from '../../platform/events/emit-event.ts'
import { wrongField } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { judgeSpeed, waitForSpeed } from '../fraud/speed.ts'
import { type Change, count, countLater } from '../stats/count.ts'
import { touchDaysOfLeads } from '../stats/touch-days.ts'
import { emitLeadEvent, emitLeadEvents } from './emit-lead-events.ts'
import { type Attribution, findCreditedPartner, type Naming } from './find-credited-partner.ts'
import { ownerOfId } from './lead-facts.ts'
import { otherHolder } from './lead-holder.ts'
import { payForLeads } from './lead-pay.ts'
import { protectedFrom } from './lead-status.ts'
import { comparablePhone } from './phone.ts'
import {
  duplicateBy,
  type Identity,
  isUncreditedPayer,
  type KnownLead,
  type LeadUpdate,
  leadsLike,
  leadTable,
  lockIdentities,
  touchLead,
  type VisitorsForm,
} from './queries.ts'
import { saveSubmission } from './submissions.ts'
import { leadPhrases } from './text.ts'

/** A person's changes of a lead, by field. */
export type Changed = Record<string, { old: unknown; new: unknown }>

/** A new lead from any source. E-mail, phone or external id is required, unless the person has paid. */
export type LeadToCapture = Naming & {
  source: LeadSource
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  company?: string | null | undefined
  externalId?: string | null | undefined
  metadata?: Record<string, string> | undefined
  landingUrl?: string | null | undefined
  referrer?: string | null | undefined
  /** The unchanged payload, stored with the lead. */
  sent?: Json | undefined
  /** The form of a page's visitor that it came from. */
  form?: VisitorsForm | undefined
  /** Time of the submission, for the click's window and the moment of the referral; defaults to now. */
  at?: Date | undefined
  /** True if made by a payment: a guest may have no identity, since an order's number does not identify a person. */
  hasPaid?: boolean
  /** The credit, if it is known already: a payment's click, code or coupon. */
  attribution?: (Omit<Attribution, 'model'> & Partial<Pick<Attribution, 'model'>>) | null | undefined
  by?: Author | undefined
}

export type Captured = {
  leadId: string
  created: boolean
  /** True if another partner registered this person first: the lead is only stored as a duplicate of that one. */
  duplicate: boolean
  /** The changes of a known lead, if any. */
  changed?: Changed | undefined
}

type Attributed = Attribution | null
export type Prepared = LeadToCapture & { identity: Identity; attributed: Attributed }

/**
 * Stores a lead and its payload. One known by external id, else e-mail, else phone is updated if it belongs to the same
 * partner, or one of the two has none; it then gets the missing partner, unless it has sales, which fix its partner.
 * Another partner's is stored as a duplicate, linked to the first. An expired lead without sales blocks no partner,
 * and comes back by its external id unless another partner has its person by now.
 * Refuses, before anything is written: a value named by an own system (`api`) that the account does not have, and a
 * lead without a way to reach it.
 */
export async function captureLead(
  tx: Transaction,
  account: AccountFacts,
  submission: LeadToCapture,
): Promise<Captured> {
  const prepared = await prepareLead(tx, account, submission)
  const captured = await registerLead(tx, account, prepared)
  await saveSubmission(tx, account.id, captured.leadId, submission)
  return captured
}

async function registerLead(tx: Transaction, account: AccountFacts, given: Prepared): Promise<Captured> {
  await lockIdentities(tx, account.id, [given.identity])
  const prepared = await withoutOthersId(tx, account, given)
  const partnerId = prepared.attributed?.partnerId ?? null
  const { identity, source } = prepared
  const anyones = source === 'partner' || source === 'embed'
  const bought = anyones && identity.email !== null && (await isUncreditedPayer(tx, account.id, identity.email))
  const takesOver = source !== 'partner' && !(bought && partnerId)
  const emailDecides = source === 'incoming-webhook'
  const known = await findKnown(tx, account.id, identity, { partnerId, takesOver, emailDecides })
  if (bought && partnerId && (!known || (known.same && isClosed(known.lead))))
    return saveRejectedCustomer(tx, account, prepared, known?.lead)
  if (!known) return { ...(await makeLead(tx, account, prepared)), duplicate: false }
  const { lead, same } = known
  if (same) {
    // knowing a customer's e-mail must not add it to a partner's own lead with another phone
    const submission = bought && lead.email !== identity.email ? { ...prepared, email: null } : prepared
    const added = anyones ? await withoutOthersPhone(tx, account, lead, submission) : submission
    const changed = await refreshLead(tx, account, lead, added)
    return { leadId: lead.id, created: false, duplicate: lead.status === 'duplicate', changed }
  }
  const earlier = await duplicateBy(tx, lead.id, account.id, prepared.attributed!.partnerId)
  if (earlier) {
    await touchLead(tx, account.id, earlier.id)
    return { leadId: earlier.id, created: false, duplicate: true }
  }
  return { ...(await makeLead(tx, account, prepared, { first: lead })), duplicate: true }
}

/**
 * Drops what a webhook's sender says of a person with another email: an external ID may be that of a form, or of every
 * guest, so the email decides.
 */
async function withoutOthersId(tx: Transaction, { id: accountId }: AccountFacts, given: Prepared): Promise<Prepared> {
  const { email, externalId, phoneE164 } = given.identity
  if (given.source !== 'incoming-webhook' || !email || !externalId) return given
  const other = await ownerOfId(tx, accountId, { email, externalId })
  return other ? { ...given, externalId: null, identity: { email, externalId: null, phoneE164 } } : given
}

/** Drops a phone that would be added to a lead while it is the one of another partner's: the older lead would claim it. */
export async function withoutOthersPhone(
  tx: Transaction,
  { id: accountId }: AccountFacts,
  lead: KnownLead,
  given: Prepared,
) {
  const { phoneE164 } = given.identity
  if (!phoneE164 || lead.phone) return given
  const other = await otherHolder(tx, accountId, lead.id, { email: null, phoneE164 })
  return other && other.partnerId !== lead.partnerId ? { ...given, phone: null } : given
}

const isClosed = ({ status }: KnownLead) => status === 'rejected' || status === 'expired'

/**
 * Stores a customer who has bought without a partner and cannot be registered: the account sees the lead, rejected with
 * the reason. A repeat by the same partner adds nothing.
 */
async function saveRejectedCustomer(
  tx: Transaction,
  account: AccountFacts,
  prepared: Prepared,
  known: KnownLead | undefined,
): Promise<Captured> {
  if (known) await touchLead(tx, account.id, known.id)
  const leadId = known?.id ?? (await makeLead(tx, account, prepared, { isCustomer: true })).leadId
  return { leadId, created: !known, duplicate: true }
}

/** Returns the values by which a lead is found again. */
export const toIdentity = ({ email, phone, externalId }: LeadToCapture): Identity => ({
  email: email?.trim().toLowerCase() || null,
  phoneE164: comparablePhone(phone),
  externalId: externalId || null,
})

export async function prepareLead(
  tx: Transaction,
  account: AccountFacts,
  submission: LeadToCapture,
): Promise<Prepared> {
  const { attribution: given, source, at = tx.now, hasPaid = false } = submission
  const email = submission.email?.trim().toLowerCase() || null
  const identity = toIdentity(submission)
  if (!hasPaid && !identity.email && !identity.phoneE164 && !identity.externalId)
    throw wrongField('email', 'lead_unreachable')
  const attributed = given
    ? { ...given, model: given.model ?? account.attributionModel }
    : await findCreditedPartner(tx, account, submission, { at, strict: source === 'api' || source === 'manual' })
  return { ...submission, email, identity, attributed }
}

/**
 * Finds and locks the existing lead: by external id in any state; else one that protects its person, or the partner's
 * own rejected one. `same`: it is to be updated; otherwise it is another partner's. One without a partner can go to any
 * partner unless `takesOver` is false: by naming an e-mail a partner does not get a lead that the account found by
 * itself. `emailDecides`: an equal phone, such as a shop's own in every order, finds no lead with
 * another email.
 */
export async function findKnown(
  tx: Transaction,
  accountId: string,
  identity: Identity,
  {
    partnerId,
    takesOver = true,
    emailDecides = false,
  }: { partnerId: string | null; takesOver?: boolean; emailDecides?: boolean },
): Promise<{ lead: KnownLead; same: boolean } | undefined> {
  const isOthers = ({ by, email }: KnownLead) =>
    emailDecides && by === 'phone' && identity.email !== null && email !== null && email !== identity.email
  const leads = (await leadsLike(tx, accountId, identity)).filter((lead) => !isOthers(lead))
  const originals = leads.filter((lead) => lead.status !== 'duplicate')
  const isShared = (lead: KnownLead) => lead.partnerId === partnerId || (takesOver && (!lead.partnerId || !partnerId))
  const lead =
    leads.find((lead) => lead.by === 'external-id') ??
    originals.find((lead) => lead.holds) ??
    originals.find((lead) => lead.status === 'rejected' && isShared(lead))
  return lead && { lead, same: lead.by === 'external-id' || isShared(lead) }
}

async function makeLead(
  tx: Transaction,
  account: AccountFacts,
  submission: Prepared,
  { first, isCustomer }: { first?: KnownLead; isCustomer?: boolean } = {},
) {
  const { identity, attributed, source } = submission
  const isJudged = !first && !isCustomer && attributed !== null && source !== 'import'
  if (isJudged) await waitForSpeed(tx, account)
  const id = newId()
  const createdOn = dayIn(account.timeZone, tx.now)
  await leadTable.insert(tx, {
    lastSeenAt: tx.now.toISOString(),
    id,
    accountId: account.id,
    partnerId: attributed?.partnerId ?? null,
    blueprintId: attributed?.blueprintId ?? null,
    clickId: attributed?.clickId ?? null,
    linkId: attributed?.linkId ?? null,
    subId: attributed?.subId ?? null,
    country: attributed?.country ?? null,
    firstName: submission.firstName || null,
    lastName: submission.lastName || null,
    email: identity.email,
    phone: submission.phone || null,
    phoneE164: identity.phoneE164,
    company: submission.company || null,
    externalId: identity.externalId,
    source,
    status: first ? 'duplicate' : isCustomer ? 'rejected' : 'new',
    statusReason: isCustomer ? 'existing-customer' : null,
    protectedUntil: protectedFrom(account, tx.now),
    landingUrl: submission.landingUrl || null,
    referrer: submission.referrer || null,
    metadata: submission.metadata ?? {},
    duplicateOfId: first?.id ?? null,
    ...credit(attributed, momentOf(submission, tx.now)),
    createdOn,
  })
  if (!first)
    await countLater(tx, [
      {
        accountId: account.id,
        day: createdOn,
        partnerId: attributed?.partnerId ?? null,
        blueprintId: attributed?.blueprintId ?? null,
        linkId: attributed?.linkId ?? null,
        leads: 1,
      },
    ])
  if (isJudged) await judgeSpeed(tx, account, { leadId: id, partnerId: attributed.partnerId })
  const by = submission.by ?? system
  await emitLeadEvent(tx, by, account.id, 'lead.created', {
    id,
    changes: attributed ? { partnerId: { old: null, new: attributed.partnerId } } : {},
    lines: [
      { type: 'lead', text: leadPhrases.made[source], shared: true },
      ...(first || isCustomer ? [{ type: 'duplicate' as const, text: leadPhrases.lines.known, shared: true }] : []),
      ...(isCustomer
        ? [{ type: 'note' as const, text: 'Existing customer: paid before without a partner', shared: false }]
        : []),
    ],
  })
  if (first)
    await addTimelineLines(tx, system, account.id, 'lead.registered-again', {
      id: first.id,
      lines: [{ type: 'duplicate', text: 'Registered again by another partner', shared: false }],
    })
  return { leadId: id, created: true }
}

const credit = (attributed: Attributed, at: string) => ({
  attributionModel: attributed?.model ?? null,
  matchedBy: attributed?.matchedBy ?? null,
  attributedAt: attributed ? at : null,
})

/** A payment reported late refers its payer as of its own time: later payments belong to the same partner. */
const momentOf = ({ at = new Date(Number.POSITIVE_INFINITY) }: LeadToCapture, now: Date) =>
  (at < now ? at : now).toISOString()

/**
 * Own systems overwrite their earlier values; all other sources only add missing ones. `corrects`: the email replaces
 * the lead's. Returns the changes.
 */
export async function refreshLead(
  tx: Transaction,
  account: AccountFacts,
  known: KnownLead,
  submission: Prepared,
  { corrects = false } = {},
) {
  await touchLead(tx, account.id, known.id)
  const replaces = submission.source === 'api' || submission.source === 'incoming-webhook'
  const change = changedFields(known, submission, { replaces, corrects })
  const expired = known.status === 'expired' && !known.hasSales && !(await isAnothers(tx, account, known, submission))
  const at = momentOf(submission, tx.now)
  if (expired) Object.assign(change, { status: 'new', protectedUntil: protectedFrom(account, tx.now) })
  const { attributed } = submission
  const gets =
    attributed && attributed.partnerId !== known.partnerId && !known.hasSales && (!known.partnerId || expired)
  if (gets) {
    const { partnerId, blueprintId, clickId, linkId = null, subId = null, country = null } = attributed
    Object.assign(change, { partnerId, blueprintId, clickId, linkId, subId, country, ...credit(attributed, at) })
    await countLater(tx, moves(known, { partnerId, blueprintId, linkId }))
  } else if (known.partnerId && (expired || isEarlier(known, submission, at))) change.attributedAt = at
  if (Object.keys(change).length === 0) return undefined
  const changed = diffFields(known, change)
  await leadTable.update(
    tx,
    { accountId: account.id, id: known.id },
    // a note that was shared with the former partner is not the next one's to read
    { ...change, ...(gets && known.partnerId && { sharedNote: null }) },
  )
  // reports split what the lead has paid by its visit, on other days too
  if (gets && known.clickId !== attributed.clickId) await touchDaysOfLeads(tx, account.id, [known.id])
  const event = { by: submission.by ?? system, accountId: account.id, id: known.id }
  if (gets && !known.partnerId) await payForLeads(tx, [{ ...event, was: known.status, gained: true }])
  const status = {
    changes: { status: { old: known.status, new: 'new' } },
    lines: [{ type: 'status', text: leadPhrases.statusesAgain.new, shared: true } as const],
  }
  const reassigned = gets && {
    changes: { partnerId: { old: known.partnerId, new: attributed.partnerId } },
    lines: [{ type: 'reassigned', text: leadPhrases.lines.credited, shared: true } as const],
  }
  await emitLeadEvents(tx, [
    ...(expired ? [{ ...event, ...status, type: 'lead.status-changed' } as const] : []),
    ...(reassigned ? [{ ...event, ...reassigned, type: 'lead.reassigned' } as const] : []),
    {
      ...event,
      type: 'lead.updated',
      changes: changed,
      ...(corrects &&
        changed.email?.old && { lines: [{ type: 'lead', text: leadPhrases.lines.emailCorrected, shared: true }] }),
    },
  ])
  return changed
}

/** Whether an expired lead's person has become the lead of a partner other than the one it would be of. */
async function isAnothers(tx: Transaction, account: AccountFacts, known: KnownLead, { attributed }: Prepared) {
  const other = await otherHolder(tx, account.id, known.id, known)
  return other !== undefined && other.partnerId !== (attributed?.partnerId ?? known.partnerId)
}

/**
 * Whether a past payment names the partner of a lead that a later payment created: the earlier one made the referral.
 */
const isEarlier = (known: KnownLead, { source, attributed }: Prepared, at: string) =>
  source === 'provider' &&
  known.source === 'provider' &&
  attributed?.partnerId === known.partnerId &&
  known.matchedBy !== 'manual' &&
  known.attributedAt !== null &&
  at < known.attributedAt

type Moving = {
  accountId: string
  status: string
  createdOn: string
} & Target

type Target = { partnerId: string | null; blueprintId: string | null; linkId: string | null }

/** Moves a lead in the statistics, on the day it was created; a duplicate is in none. */
export const countMoved = (tx: Transaction, lead: Moving, to: Target) => count(tx, moves(lead, to))

function moves(lead: Moving, to: Target): Change[] {
  if (lead.status === 'duplicate') return []
  const { accountId, createdOn: day, partnerId, blueprintId, linkId } = lead
  return [
    { accountId, day, partnerId, blueprintId, linkId, leads: -1 },
    { accountId, day, ...to, leads: 1 },
  ]
}

const MAX_METADATA = 50

/** Returns the fields that a submission adds to a lead, or replaces: all, or the email that it `corrects`. */
export function changedFields(
  known: KnownLead,
  submission: Prepared,
  { replaces = false, corrects = false },
): LeadUpdate {
  const change: Record<string, unknown> = {}
  for (const field of ['firstName', 'lastName', 'email', 'phone', 'company', 'landingUrl', 'referrer'] as const) {
    const value = submission[field]
    if (value && value !== known[field] && (replaces || !known[field] || (corrects && field === 'email')))
      change[field] = value
  }
  if (change.phone) change.phoneE164 = submission.identity.phoneE164
  if (!known.externalId && submission.identity.externalId) change.externalId = submission.identity.externalId
  const given = Object.entries(submission.metadata ?? {})
  const metadata = Object.fromEntries(
    Object.entries(
      replaces
        ? { ...known.metadata, ...Object.fromEntries(given) }
        : { ...Object.fromEntries(given), ...known.metadata },
    ).slice(0, MAX_METADATA),
  )
  if (given.some(([key]) => metadata[key] !== known.metadata[key])) change.metadata = metadata
  return change
}
