import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Changed } from './capture-lead.ts'
import { deleteLead } from './delete-lead.ts'
import { emitLeadEvent } from './emit-lead-events.ts'
import { IMPORT_UNDONE, revertLeadPay } from './lead-pay.ts'
import { moveLead } from './move-lead.ts'
import { type LeadUpdate, leadTable, lockLead } from './queries.ts'

/**
 * Reverts the changes of a lead, except fields changed again since; also its partner, who then earns nothing more from
 * it, and loses what it paid. Refuses: `invalid_state` if a sale of this lead that is still valid was credited to that
 * partner, or if its pay is in an approved payout.
 */
export async function revertLeadImport(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  leadId: string,
  { partnerId, ...others }: Changed,
) {
  const lead = await lockLead(tx, account.id, leadId)
  if (!lead || lead.erasedAt) return
  if (partnerId && lead.partnerId === partnerId.new && partnerId.new !== partnerId.old) {
    const { sold } = await tx.one<{ sold: boolean }>`
      select exists (select from sales where account_id = ${account.id} and lead_id = ${leadId}
        and partner_id = ${lead.partnerId} and status <> 'void') as sold`
    if (sold) throw refusal('import_lead_sold')
    const former = partnerId.old as string | null
    const back = formerValues(Object.entries(others).filter(([field]) => OF_ATTRIBUTION.includes(field)))
    await moveLead(tx, by, account, leadId, { partnerId: former, reason: IMPORT_UNDONE, back })
    await revertLeadPay(tx, by, lead)
  }
  const current = lead as unknown as Record<string, unknown>
  const kept = Object.entries(others).filter(
    ([field, value]) => !OF_ATTRIBUTION.includes(field) && JSON.stringify(current[field]) === JSON.stringify(value.new),
  )
  if (kept.length === 0) return
  await leadTable.update(tx, { accountId: account.id, id: leadId }, formerValues(kept))
  const changes = Object.fromEntries(kept.map(([field, value]) => [field, { old: value.new, new: value.old }]))
  await emitLeadEvent(tx, by, account.id, 'lead.updated', { id: leadId, changes })
}

/**
 * Deletes a lead that an import created, unless it is gone already.
 * Refuses: `invalid_state` once it has been submitted otherwise, too; `in_use` if it has valid sales or commissions.
 */
export async function deleteImportedLead(tx: Transaction, by: Author, account: AccountFacts, leadId: string) {
  if (!(await lockLead(tx, account.id, leadId))) return
  if (await isSubmitted(tx, account.id, leadId)) throw refusal('import_lead_submitted')
  await deleteLead(tx, by, account, leadId)
}

const isSubmitted = (tx: Transaction, accountId: string, leadId: string) => tx.value<boolean>`
  select exists (
    select from lead_submissions where account_id = ${accountId} and lead_id = ${leadId} and source <> 'import')`

const formerValues = (changes: [string, Changed[string]][]) =>
  Object.fromEntries(changes.map(([field, { old }]) => [field, old])) as LeadUpdate

/** Fields reverted together with the partner. */
const OF_ATTRIBUTION = [
  ...['blueprintId', 'clickId', 'linkId', 'subId', 'country'],
  ...['attributionModel', 'matchedBy', 'attributedAt'],
]
