import { type LeadStatus, type LeadStatusChange, leadReasons } from '#contract/leads.ts'
import { type Author, system } from '../../platform/author.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import { type Transaction, transaction } from '../../platform/database/pool.ts'
import type { TimelineLine } from '../../platform/events/emit-event.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { emitLeadEvent, emitLeadEvents } from './emit-lead-events.ts'
import { markWon } from './lead-facts.ts'
import { refuseHeld } from './lead-holder.ts'
import { payForLeads } from './lead-pay.ts'
import { presentLead } from './present-lead.ts'
import { hasCreditedSale, leadTable, lockLead, lockRunOut, runOut, setExpired } from './queries.ts'
import { leadPhrases } from './text.ts'

/** Status changes that a person may make by hand; the others are automatic (product.md, section 1). */
const moves: Partial<Record<LeadStatus, readonly LeadStatus[]>> = {
  new: ['qualified', 'lost', 'rejected'],
  qualified: ['lost', 'rejected'],
  lost: ['new', 'qualified'],
  rejected: ['new', 'qualified'],
  expired: ['new', 'qualified'],
}
const closed: readonly LeadStatus[] = ['lost', 'rejected', 'expired']

/**
 * Changes a lead's status by hand. One that is reopened after its protection has ended is protected again; one that was
 * rejected is won by a sale of its partner's whose refund has failed since.
 * Refuses: `invalid_state` for a change that is not allowed; `validation_failed` without a reason to reopen it;
 * `duplicate` if another lead has its person by now.
 */
export async function changeLeadStatus(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { status, reason, note, sharedNote }: LeadStatusChange,
) {
  const lead = await lockLead(tx, account.id, id)
  if (!lead) throw notFound()
  if (!moves[lead.status]?.includes(status))
    throw refusal('lead_status_not_next', { status: lead.status, next: status }, { details: { status: lead.status } })
  const reopened = closed.includes(lead.status)
  if (reopened && !reason) throw wrongField('reason', 'reopening_without_reason')
  if (reopened) await refuseHeld(tx, account.id, id, lead)
  const runOut = lead.protectedUntil !== null && Date.parse(lead.protectedUntil) <= tx.now.getTime()
  await leadTable.update(
    tx,
    { accountId: account.id, id },
    {
      status,
      statusReason: reason || null,
      statusNote: note ?? null,
      sharedNote: sharedNote ?? null,
      ...(reopened && runOut && { protectedUntil: protectedFrom(account, tx.now) }),
      // it earned nothing in the meantime, and payments from that time are not credited automatically
      ...(lead.partnerId && ['rejected', 'expired'].includes(lead.status) && { attributedAt: tx.now.toISOString() }),
    },
  )
  await payForLeads(tx, [{ accountId: account.id, id, was: lead.status, by }])
  const emitted = await emitLeadEvent(tx, by, account.id, 'lead.status-changed', {
    id,
    changes: { status: { old: lead.status, new: status }, ...(reason && { reason: { old: null, new: reason } }) },
    lines: statusLines({ status, reason, note, sharedNote }, reopened),
  })
  if (lead.status !== 'rejected' || !(await hasCreditedSale(tx, account.id, id))) return emitted
  await markWon(tx, [{ accountId: account.id, leadId: id, by }])
  return presentLead(tx, { account, partnerId: null }, id)
}

/** The partner sees the new status and the shared note; reason and note are visible to the account only. */
function statusLines({ status, reason, note, sharedNote }: LeadStatusChange, reopened: boolean): TimelineLine[] {
  const own = [reason && reasonInWords(reason), note].filter(Boolean).join(': ')
  return [
    { type: 'status', text: leadPhrases[reopened ? 'statusesAgain' : 'statuses'][status], shared: true },
    ...(own ? [{ type: 'note' as const, text: own, shared: false }] : []),
    ...(sharedNote ? [{ type: 'note' as const, text: sharedNote, shared: true }] : []),
  ]
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)

/** Returns 'Not a fit' for `not-a-fit`; free text stays unchanged. */
const reasonInWords = (reason: string) =>
  (leadReasons as readonly string[]).includes(reason) ? capital(reason.replaceAll('-', ' ')) : reason

const BATCH = 500

/** Expires leads whose protection has ended, which frees their e-mail for other partners. Returns how many. */
export const expireLeads = ({ db }: Pick<Services, 'db'>): Promise<number> =>
  inBatches(BATCH, async (limit) => {
    const found = await runOut(db, limit)
    let expired = 0
    for (const [accountId, leads] of Map.groupBy(found, (lead) => lead.accountId))
      expired += await transaction(db, (tx) => expireThose(tx, accountId, leads))
    return expired
  })

async function expireThose(tx: Transaction, accountId: string, found: { id: string }[]) {
  const locked = await lockRunOut(
    tx,
    accountId,
    found.map((lead) => lead.id),
  )
  const expired = await setExpired(
    tx,
    accountId,
    locked.map((lead) => lead.id),
  )
  const before = new Map(locked.map(({ id, status }) => [id, status]))
  await emitLeadEvents(
    tx,
    expired.map(({ id }) => ({
      by: system,
      accountId,
      type: 'lead.status-changed',
      id,
      changes: { status: { old: before.get(id), new: 'expired' } },
      lines: [{ type: 'status', text: leadPhrases.lines.protectionEnded, shared: true }],
    })),
  )
  return expired.length
}

const DAY_MS = 86_400_000

/** Returns the end of protection for a lead of this time; null (no end) if the account sets 0 days. */
export const protectedFrom = ({ leadProtectionDays }: Pick<AccountFacts, 'leadProtectionDays'>, from: Date) =>
  leadProtectionDays === 0 ? null : new Date(from.getTime() + leadProtectionDays * DAY_MS).toISOString()
