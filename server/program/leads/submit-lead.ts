import type { SubmittedLead, SubmittedLeadVerdict } from '#contract/leads.ts'
import { audit, type By } from '../../platform/audit.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Access } from '../access/access.ts'
import { findPartner } from '../names/find-partner.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { captureLead } from './capture-lead.ts'
import { actorOf, writeEvents } from '../../leads/lead-events.ts'
import { presentLead } from './present-lead.ts'

/**
 * Registers a lead for a partner, who may do so while the account lets partners. One that somebody else has, or that
 * came without a partner, is kept as a duplicate, and nothing of it is told.
 * Refuses: `forbidden` to a partner while it is switched off; `invalid_state` where the partner gets no new credit.
 */
export async function submitLead(
  tx: Transaction,
  services: Services,
  by: By,
  access: Access,
  { note, ...who }: SubmittedLead,
): Promise<SubmittedLeadVerdict> {
  const { as, account, subjectId: partnerId } = access
  if (as === 'partner' && !account.partnerLeadSubmission)
    throw new Refusal('forbidden', 'This account does not take leads from its partners.')
  if (!(await findPartner(tx, account.id, partnerId))?.earns)
    throw new Refusal('invalid_state', 'A partner who is suspended or archived gets no new leads.')
  const submission = { ...who, source: 'partner' as const, partnerId, by }
  const { leadId, created, duplicate } = await captureLead(tx, services, account, submission)
  if (note)
    await writeEvents(tx, [
      { accountId: account.id, leadId, type: 'note', actor: actorOf(by), text: note, shared: true },
    ])
  if (created)
    await audit(
      tx,
      by,
      account.id,
      'lead.created',
      { type: 'lead', id: leadId },
      { partnerId: { old: null, new: partnerId } },
    )
  const lead = await presentLead(tx, { account, partnerId: as === 'partner' ? partnerId : null }, leadId)
  const { createdAt: registeredAt, protectedUntil } = lead
  if (duplicate) return { verdict: 'already-registered', lead: null, registeredAt, protectedUntil: null }
  return { verdict: created ? 'new' : 'yours', lead, registeredAt, protectedUntil }
}
