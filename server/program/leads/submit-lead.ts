import type { LeadSubmissionResult, SubmittedLead } from '#contract/leads.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { addTimelineLines } from '../../platform/events/emit-event.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { findPartner } from '../partner-directory/find-partner.ts'
import { captureLead } from './capture-lead.ts'
import { presentLead } from './present-lead.ts'

/**
 * Registers a lead for a partner, if the account allows it. One that another partner has, or that exists without a
 * partner, is stored as a duplicate without revealing anything of it.
 * Refuses: `forbidden` to a partner while the account does not allow it; `invalid_state` if the partner gets no new
 * credit.
 */
export async function submitLead(
  tx: Transaction,
  by: Author,
  access: Access,
  { note, ...who }: SubmittedLead,
): Promise<LeadSubmissionResult> {
  const { as, account, subjectId: partnerId } = access
  if (as === 'partner' && !account.partnerLeadSubmission) throw refusal('leads_not_accepted')
  if (!(await findPartner(tx, account.id, partnerId))?.earns) throw refusal('partner_inactive')
  const submission = { ...who, source: 'partner' as const, partnerId, by }
  const { leadId, created, duplicate } = await captureLead(tx, account, submission)
  if (note)
    await addTimelineLines(tx, by, account.id, 'lead.noted', {
      id: leadId,
      lines: [{ type: 'note', text: note, shared: true }],
    })
  const lead = await presentLead(tx, { account, partnerId: as === 'partner' ? partnerId : null }, leadId)
  const { createdAt: registeredAt, protectedUntil } = lead
  if (duplicate) return { verdict: 'already-registered', lead: null, registeredAt, protectedUntil: null }
  return { verdict: created ? 'new' : 'yours', lead, registeredAt, protectedUntil }
}
