import { type Author, system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { count } from '../stats/count.ts'
import { emitLeadEvent } from './emit-lead-events.ts'
import { otherHolder } from './lead-holder.ts'
import { presentLead } from './present-lead.ts'
import { deleteLeadRow, hasPay, type LeadRow, leadTable, lockDuplicates, lockLead, salesOfLead } from './queries.ts'
import { leadPhrases } from './text.ts'

/**
 * Deletes a lead without sales and commissions. Its oldest duplicate, if any, replaces it, unless
 * another lead has their person by now, whose duplicate it then is.
 * Refuses: `in_use`, with the number of sales if there are any.
 */
export async function deleteLead(tx: Transaction, by: Author, account: AccountFacts, id: string): Promise<void> {
  const lead = await lockLead(tx, account.id, id)
  if (!lead) throw notFound()
  const sales = await salesOfLead(tx, account.id, id)
  if (sales > 0) throw refusal('lead_has_sales', { details: { sales } })
  if (await hasPay(tx, account.id, id)) throw refusal('lead_has_commissions')
  const object = await presentLead(tx, { account, partnerId: null }, id)
  await promoteDuplicate(tx, lead)
  if (lead.status !== 'duplicate') await countLead(tx, lead, -1)
  await deleteLeadRow(tx, account.id, id)
  await emitEvent(tx, by, account.id, 'lead.deleted', {
    id,
    object,
    changes: { email: { old: lead.email, new: null }, partnerId: { old: lead.partnerId, new: null } },
  })
}

async function promoteDuplicate(tx: Transaction, { accountId, id }: LeadRow) {
  const [first, ...others] = await lockDuplicates(tx, accountId, id)
  if (!first) return
  const holder = await otherHolder(tx, accountId, id, first)
  if (holder) {
    for (const one of [first, ...others])
      await leadTable.update(tx, { accountId, id: one.id }, { duplicateOfId: holder.id })
    return
  }
  await leadTable.update(tx, { accountId, id: first.id }, { status: 'new', duplicateOfId: null })
  for (const other of others) await leadTable.update(tx, { accountId, id: other.id }, { duplicateOfId: first.id })
  await countLead(tx, first, 1)
  await emitLeadEvent(tx, system, accountId, 'lead.status-changed', {
    id: first.id,
    changes: { status: { old: 'duplicate', new: 'new' } },
    lines: [{ type: 'status', text: leadPhrases.lines.earlierDeleted, shared: true }],
  })
}

const countLead = (tx: Transaction, { accountId, createdOn, partnerId, blueprintId, linkId }: LeadRow, leads: 1 | -1) =>
  count(tx, [{ accountId, day: createdOn, partnerId, blueprintId, linkId, leads }])
