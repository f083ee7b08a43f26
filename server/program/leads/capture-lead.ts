import type { LeadSource } from '#contract/leads.ts'
import type { Json } from '#contract/payload-paths.ts'
import { type By, changesOf, system } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { noted } from '../../platform/events/happened.ts'
import { wrongField } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type Change, type Counts, count } from '../stats/count.ts'
import { type Attribution, attribute, type Naming } from './attribution.ts'
import { comparablePhone } from './phone.ts'
import { protectedFrom } from './protection.ts'
import {
  duplicateBy,
  type Identity,
  insertLead,
  isUncreditedPayer,
  type KnownLead,
  type LeadUpdate,
  leadsLike,
  lockIdentities,
  touchLead,
  updateLead,
} from './queries.ts'
import { keepSubmission } from './submissions.ts'
import type { Changed } from './take-back-lead.ts'
import { tellLead, tellLeads } from './tell-leads.ts'

/** A lead as it comes in, by whatever way. One of e-mail, phone and external id must be there, but for who has paid. */
export type Submission = Naming & {
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
  /** The payload as it came: it is stored beside the lead. */
  sent?: Json | undefined
  /** When it happened, for the click's window and the moment of the referral; now where left out. */
  at?: Date | undefined
  /** Made by a payment: of a guest nothing may be known, since an order's number is no person's. */
  hasPaid?: boolean
  /** The credit, if it is known already: a payment's click, code or coupon. */
  attribution?: (Omit<Attribution, 'model'> & Partial<Pick<Attribution, 'model'>>) | null | undefined
  by?: By | undefined
}

export type Captured = {
  leadId: string
  created: boolean
  /** Another partner registered this person first: the lead is only kept beside that one. */
  duplicate: boolean
  /** The changes of a known lead, if any. */
  changed?: Changed | undefined
}

type Attributed = Attribution | null
type Prepared = Submission & { identity: Identity; attributed: Attributed }

/**
 * Takes in a lead, and keeps what was sent of it. One known by external id, else e-mail, else phone is updated where it is the same partner's, or one
 * of the two has none; it then gets the partner it lacked, unless it has sales, which bind it as it is. Another
 * partner's is kept as a duplicate, linked to the first. An expired lead without sales is in nobody's way.
 * Refuses: what an own system (`api`) names and the account does not have, and a lead nobody can be reached by; both
 * before anything is written.
 */
export async function captureLead(
  tx: Transaction,
  account: AccountFacts,
  submission: Submission,
  counts: Counts = (changes) => count(tx, changes),
): Promise<Captured> {
  const prepared = await prepare(tx, account, submission)
  const captured = await take(tx, account, prepared, counts)
  const { source, sent } = submission
  if (sent !== undefined) await keepSubmission(tx, account.id, captured.leadId, { source, sent })
  return captured
}

async function take(tx: Transaction, account: AccountFacts, prepared: Prepared, counts: Counts): Promise<Captured> {
  await lockIdentities(tx, account.id, [prepared.identity])
  const partnerId = prepared.attributed?.partnerId ?? null
  const { identity, source } = prepared
  const anyones = source === 'partner' || source === 'embed'
  const bought = anyones && identity.email !== null && (await isUncreditedPayer(tx, account.id, identity.email))
  const takesOver = source !== 'partner' && !(bought && partnerId)
  const known = await findKnown(tx, account.id, identity, { partnerId, takesOver })
  if (bought && partnerId && (!known || (known.same && isClosed(known.lead))))
    return keepCustomer(tx, account, prepared, { known: known?.lead, counts })
  if (!known) return { ...(await makeLead(tx, account, prepared, { counts })), duplicate: false }
  const { lead, same } = known
  if (same) {
    // who knows a customer's e-mail does not get it by a lead of their own with another phone
    const submission = bought && lead.email !== identity.email ? { ...prepared, email: null } : prepared
    const changed = await refresh(tx, account, lead, { submission, counts })
    return { leadId: lead.id, created: false, duplicate: lead.status === 'duplicate', changed }
  }
  const earlier = await duplicateBy(tx, lead.id, account.id, prepared.attributed!.partnerId)
  if (earlier) {
    await touchLead(tx, account.id, earlier.id)
    return { leadId: earlier.id, created: false, duplicate: true }
  }
  return { ...(await makeLead(tx, account, prepared, { first: lead, counts })), duplicate: true }
}

const isClosed = ({ status }: KnownLead) => status === 'rejected' || status === 'expired'

/**
 * Keeps a customer who has bought without a partner, whom nobody can register: the account sees the lead, rejected with the
 * reason. A repeat by the same partner adds nothing.
 */
async function keepCustomer(
  tx: Transaction,
  account: AccountFacts,
  prepared: Prepared,
  { known, counts }: { known: KnownLead | undefined; counts: Counts },
): Promise<Captured> {
  if (known) await touchLead(tx, account.id, known.id)
  const leadId = known?.id ?? (await makeLead(tx, account, prepared, { isCustomer: true, counts })).leadId
  return { leadId, created: !known, duplicate: true }
}

/** The facts by which a lead is found again. */
export const identityOf = ({ email, phone, externalId }: Submission): Identity => ({
  email: email?.trim().toLowerCase() || null,
  phoneE164: comparablePhone(phone),
  externalId: externalId || null,
})

async function prepare(tx: Transaction, account: AccountFacts, submission: Submission): Promise<Prepared> {
  const { attribution: given, source, at = tx.now, hasPaid = false } = submission
  const email = submission.email?.trim().toLowerCase() || null
  const identity = identityOf(submission)
  if (!hasPaid && !identity.email && !identity.phoneE164 && !identity.externalId)
    throw wrongField('email', 'lead_unreachable')
  const attributed = given
    ? { ...given, model: given.model ?? account.attributionModel }
    : await attribute(tx, account, submission, { at, strict: source === 'api' || source === 'manual' })
  return { ...submission, email, identity, attributed }
}

/**
 * The lead this is, locked: by external id whatever its state; else one that holds its person, or an own rejected one.
 * `same`: it is to be updated; otherwise it is another partner's. One without a partner is anybody's, but where
 * `takesOver` is false: by naming an e-mail a partner does not get what the account found by itself.
 */
export async function findKnown(
  tx: Transaction,
  accountId: string,
  identity: Identity,
  { partnerId, takesOver = true }: { partnerId: string | null; takesOver?: boolean },
): Promise<{ lead: KnownLead; same: boolean } | undefined> {
  const leads = await leadsLike(tx, accountId, identity)
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
  { first, isCustomer, counts }: { first?: KnownLead; isCustomer?: boolean; counts: Counts },
) {
  const { identity, attributed, source } = submission
  const id = newId()
  const createdOn = dayIn(account.timeZone, tx.now)
  await insertLead(tx, {
    id,
    accountId: account.id,
    partnerId: attributed?.partnerId ?? null,
    blueprintId: attributed?.blueprintId ?? null,
    clickId: attributed?.clickId ?? null,
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
    await counts([
      {
        accountId: account.id,
        day: createdOn,
        partnerId: attributed?.partnerId ?? null,
        blueprintId: attributed?.blueprintId ?? null,
        leads: 1,
      },
    ])
  const by = submission.by ?? system
  await tellLead(tx, by, account.id, 'lead.created', {
    id,
    changes: attributed ? { partnerId: { old: null, new: attributed.partnerId } } : {},
    lines: [
      { type: 'lead', text: madeBy[source], shared: true },
      ...(first || isCustomer ? [{ type: 'duplicate' as const, text: 'Already registered', shared: true }] : []),
      ...(isCustomer
        ? [{ type: 'note' as const, text: 'Existing customer: paid before without a partner', shared: false }]
        : []),
    ],
  })
  if (first)
    await noted(tx, system, account.id, 'lead.registered-again', {
      id: first.id,
      lines: [{ type: 'duplicate', text: 'Registered again by another partner', shared: false }],
    })
  return { leadId: id, created: true }
}

const madeBy: Record<LeadSource, string> = {
  embed: 'Submitted through a form on the website',
  manual: 'Added manually',
  api: 'Sent by your systems',
  'incoming-webhook': 'Received from a webhook',
  provider: 'Created by a payment',
  import: 'Imported',
  partner: 'Registered by the partner',
}

const credit = (attributed: Attributed, at: string) => ({
  attributionModel: attributed?.model ?? null,
  matchedBy: attributed?.matchedBy ?? null,
  attributedAt: attributed ? at : null,
})

/** A payment that is told of late refers its payer when it was made: what they paid since belongs to the same partner. */
const momentOf = ({ at = new Date(Number.POSITIVE_INFINITY) }: Submission, now: Date) =>
  (at < now ? at : now).toISOString()

/** Own systems know better what they told before; all others only add what was missing. Returns what was changed. */
async function refresh(
  tx: Transaction,
  account: AccountFacts,
  known: KnownLead,
  { submission, counts }: { submission: Prepared; counts: Counts },
) {
  await touchLead(tx, account.id, known.id)
  const replaces = submission.source === 'api' || submission.source === 'incoming-webhook'
  const change = changedFields(known, submission, replaces)
  const expired = known.status === 'expired' && !known.hasSales
  const at = momentOf(submission, tx.now)
  if (expired) Object.assign(change, { status: 'new', protectedUntil: protectedFrom(account, tx.now) })
  const { attributed } = submission
  const gets =
    attributed && attributed.partnerId !== known.partnerId && !known.hasSales && (!known.partnerId || expired)
  if (gets) {
    const { partnerId, blueprintId, clickId } = attributed
    Object.assign(change, { partnerId, blueprintId, clickId, ...credit(attributed, at) })
    await counts(moves(known, { partnerId, blueprintId }))
  } else if (known.partnerId && (expired || isEarlier(known, submission, at))) change.attributedAt = at
  if (Object.keys(change).length === 0) return undefined
  const changed = changesOf(known, change)
  await updateLead(tx, account.id, known.id, change)
  const told = { by: submission.by ?? system, accountId: account.id, id: known.id }
  const status = {
    changes: { status: { old: known.status, new: 'new' } },
    lines: [{ type: 'status', text: 'New again', shared: true } as const],
  }
  const reassigned = gets && {
    changes: { partnerId: { old: known.partnerId, new: attributed.partnerId } },
    lines: [{ type: 'reassigned', text: 'Credited to the partner', shared: true } as const],
  }
  await tellLeads(tx, [
    ...(expired ? [{ ...told, ...status, type: 'lead.status-changed' } as const] : []),
    ...(reassigned ? [{ ...told, ...reassigned, type: 'lead.reassigned' } as const] : []),
    { ...told, type: 'lead.updated', changes: changed },
  ])
  return changed
}

/** A payment of the past that names the partner of a lead that a later payment made: it was the one that referred them. */
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
  partnerId: string | null
  blueprintId: string | null
}

type Target = { partnerId: string | null; blueprintId: string | null }

/** Moves a lead in the statistics, on the day it came; a duplicate is in none. */
export const countMoved = (tx: Transaction, lead: Moving, to: Target) => count(tx, moves(lead, to))

function moves(lead: Moving, to: Target): Change[] {
  if (lead.status === 'duplicate') return []
  const { accountId, createdOn: day, partnerId, blueprintId } = lead
  return [
    { accountId, day, partnerId, blueprintId, leads: -1 },
    { accountId, day, ...to, leads: 1 },
  ]
}

const MAX_METADATA = 50

function changedFields(known: KnownLead, submission: Prepared, replaces: boolean): LeadUpdate {
  const change: Record<string, unknown> = {}
  for (const field of ['firstName', 'lastName', 'email', 'phone', 'company', 'landingUrl', 'referrer'] as const) {
    const value = submission[field]
    if (value && value !== known[field] && (replaces || !known[field])) change[field] = value
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
