import type { Author } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { Overtaken, type Transaction } from '../../platform/database/pool.ts'
import { notFound, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { findPartner } from '../partner-directory/find-partner.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { touchDaysOfLeads } from '../stats/touch-days.ts'
import { countMoved } from './capture-lead.ts'
import { emitLeadEvent } from './emit-lead-events.ts'
import type { Attribution } from './find-credited-partner.ts'
import { payForLeads } from './lead-pay.ts'
import { type LeadUpdate, leadTable, lockLead, salesOfLead } from './queries.ts'
import { leadPhrases } from './text.ts'

/**
 * `named`: set if a sale moved it, with that time and rule, and its click if any; otherwise a person does so now.
 * `back`: to its former partner with that attribution, also one who gets no new credit by now; to none if they were
 * deleted.
 */
type Move = {
  partnerId: string | null
  reason: string
  named?: ({ at: Date } & Pick<Attribution, 'matchedBy'> & Partial<Attribution>) | undefined
  back?: LeadUpdate
}

/**
 * Moves a lead to another partner, or to none: for new sales, and in the statistics of the day it was created. An own
 * link and sub-ID were the former partner's and go. Moving it to its current partner changes nothing.
 * Refuses: `not_found`; in `partnerId` one that is unknown, suspended or archived, unless a click credits them.
 */
export async function moveLead(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  leadId: string,
  { partnerId, reason, named, back }: Move,
): Promise<void> {
  const lead = await lockLead(tx, account.id, asUuid(leadId))
  if (!lead) throw notFound()
  const click = clickOf(named)
  const to = click ? partnerId : partnerId && (await (back ? stillThere : creditablePartner)(tx, account.id, partnerId))
  if (to === lead.partnerId) return
  const restored = to === partnerId ? back : undefined
  const { blueprintId = lead.blueprintId, linkId = null, subId = null } = click ?? restored ?? {}
  await countMoved(tx, lead, { partnerId: to, blueprintId, linkId })
  await leadTable.update(
    tx,
    { accountId: account.id, id: lead.id },
    {
      partnerId: to,
      linkId,
      subId,
      // it was shared with the former partner, and stays in the account's timeline
      ...(lead.partnerId && { sharedNote: null }),
      ...click,
      attributionModel: to ? (named?.model ?? account.attributionModel) : null,
      matchedBy: to ? (named?.matchedBy ?? 'manual') : null,
      attributedAt: to ? (named?.at ?? tx.now).toISOString() : null,
      ...restored,
    },
  )
  // reports split the lead's sales by its visit and sub-ID, on other days too
  if (click || restored || lead.subId !== subId) await touchDaysOfLeads(tx, account.id, [lead.id])
  if (!lead.partnerId)
    await payForLeads(tx, [{ accountId: account.id, id: lead.id, was: lead.status, gained: true, by }])
  const names = await partnerNames(tx, [account.id], [lead.partnerId, to])
  const name = (id: string | null) => (id && names.get(id)) || 'nobody'
  await emitLeadEvent(tx, by, account.id, 'lead.reassigned', {
    id: lead.id,
    changes: { partnerId: { old: lead.partnerId, new: to }, reason: { old: null, new: reason } },
    lines: [
      { type: 'reassigned', text: leadPhrases.lines.reassigned, shared: true },
      // the next partner must not read who had it before, and why
      { type: 'note', text: `From ${name(lead.partnerId)} to ${name(to)}: ${reason}`, shared: false },
    ],
  })
}

/** Returns the columns of a lead that a click sets; null without a click. */
function clickOf(named: Move['named']) {
  if (!named?.clickId) return null
  const { blueprintId = null, clickId, linkId = null, subId = null, country = null } = named
  return { blueprintId, clickId, linkId, subId, country }
}

type Coded = { partnerId: string; at: Date }

/**
 * Moves a lead without sales to the partner of the promotion code of its first sale, as of that time. Repeats the
 * transaction if it has bought meanwhile.
 */
export async function moveByPromotion(tx: Transaction, by: Author, account: AccountFacts, leadId: string, to: Coded) {
  const named = { at: to.at, matchedBy: 'coupon' as const }
  await moveLead(tx, by, account, leadId, { partnerId: to.partnerId, reason: 'Named by a promotion code', named })
  if ((await salesOfLead(tx, account.id, leadId)) > 0) throw new Overtaken('the lead has bought meanwhile')
}

const stillThere = async (tx: Transaction, accountId: string, partnerId: string) =>
  (await findPartner(tx, accountId, partnerId))?.id ?? null

/** Returns the id of the partner in a body, who must be able to get new credit. Refuses in `partnerId`. */
export async function creditablePartner(tx: Transaction, accountId: string, partnerId: string): Promise<string> {
  const partner = await findPartner(tx, accountId, partnerId)
  if (!partner) throw wrongField('partnerId', 'unknown_partner')
  if (!partner.earns) throw wrongField('partnerId', 'partner_earns_nothing')
  return partner.id
}
