import type { SaleAttribution } from '#contract/sales.ts'
import { type By, changesOf } from '../../platform/by.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { captureLead } from '../leads/capture-lead.ts'
import { type LeadFacts, lockLeads } from '../leads/lead-facts.ts'
import { moveLead } from '../leads/move-lead.ts'
import { bookLate } from './book-late.ts'
import { numberFromOne, numberNext } from './number-sales.ts'
import { followLead } from './refund-sale.ts'
import { lockSale, lockSales, type SaleState } from './sale-state.ts'
import { tellSales } from './tell-sales.ts'

type Given = { id: string; matchedBy: SaleState['sale']['matchedBy'] }

/**
 * Gives sales their lead, and by it the partner who referred; one that has a partner already keeps it. A handful of
 * statements, however many.
 */
export async function giveSalesToLead(tx: Transaction, by: By, accountId: string, lead: LeadFacts, given: Given[]) {
  const ids = given.map((sale) => sale.id)
  const states = (await lockSales(tx, accountId, ids, [lead.id])).filter(({ sale }) => !sale.partnerId)
  if (states.length === 0) return
  const formerLeads = [...new Set(states.map(({ sale }) => sale.leadId))].filter(
    (id): id is string => id !== null && id !== lead.id,
  )
  await numberNext(
    tx,
    lead.id,
    states.filter(({ sale }) => sale.leadId !== lead.id).map(({ sale }) => sale.id),
  )
  const rules = new Map(given.map((sale) => [sale.id, sale.matchedBy]))
  const { id: leadId, partnerId, blueprintId } = lead
  await bookLate(
    tx,
    by,
    accountId,
    states.map((before) => ({
      before,
      now: { leadId, partnerId, blueprintId, matchedBy: rules.get(before.sale.id) ?? null },
      leadEmail: lead.email,
    })),
  )
  await followLead(tx, by, accountId, leadId)
  await numberFromOne(tx, formerLeads)
  for (const former of formerLeads) await followLead(tx, by, accountId, former)
  await tellSales(
    tx,
    states.map(({ sale }) => ({
      by,
      accountId,
      type: 'sale.updated',
      id: sale.id,
      changes: changesOf({ leadId: sale.leadId, partnerId: sale.partnerId }, { leadId, partnerId }),
    })),
  )
}

/** Credits the sales of a lead that has just got its first partner. */
export async function creditLeadSales(tx: Transaction, by: By, accountId: string, leadId: string) {
  const [lead] = await lockLeads(tx, [accountId], [leadId])
  if (!lead?.partnerId) return
  const sales = await tx.many<Given>`
    select id, matched_by from sales 
    where account_id = ${accountId} and lead_id = ${leadId} and partner_id is null and status <> 'void' order by id`
  await giveSalesToLead(tx, by, accountId, lead, sales)
}

/**
 * Credits a sale without a partner by hand: to a lead, or to a partner by the lead with the payer's e-mail, which is
 * taken or made. Refuses: `invalid_state` for a void sale or one that has a partner; unknown lead or partner in the body.
 */
export async function attributeSale(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  saleId: string,
  { partnerId, leadId, reason }: SaleAttribution,
) {
  const { sale } = await lockSale(tx, account.id, saleId, leadId ? [asUuid(leadId)] : [])
  if (sale.partnerId) throw refusal('sale_has_partner')
  if (sale.status === 'void') throw refusal('sale_is_void')
  const lead = leadId
    ? await leadNamed(tx, account, leadId)
    : await leadOfPayer(tx, by, account, sale, { partnerId: partnerId!, reason })
  if (!lead.partnerId) throw wrongField('leadId', 'lead_without_partner')
  await giveSalesToLead(tx, by, account.id, lead, [{ id: saleId, matchedBy: 'manual' }])
  await creditLeadSales(tx, by, account.id, lead.id)
}

async function leadNamed(tx: Transaction, account: AccountFacts, leadId: string) {
  const [lead] = await lockLeads(tx, [account.id], [asUuid(leadId)])
  if (!lead || lead.accountId !== account.id) throw wrongField('leadId', 'unknown_lead_in_account')
  return lead
}

async function leadOfPayer(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  sale: SaleState['sale'],
  { partnerId, reason }: { partnerId: string; reason: string },
): Promise<LeadFacts> {
  const partner = await tx.maybe`select from partners where id = ${asUuid(partnerId)} and account_id = ${account.id}`
  if (!partner) throw wrongField('partnerId', 'unknown_partner_in_account')
  const leadId = sale.leadId ?? (await leadByPayer(tx, account, sale, partnerId))
  const [lead] = await lockLeads(tx, [account.id], [leadId])
  if (lead!.partnerId === partnerId) return lead!
  if (lead!.partnerId)
    throw refusal('payer_has_other_partner', {
      details: { leadId },
    })
  await moveLead(tx, by, account, leadId, { partnerId, reason })
  return (await lockLeads(tx, [account.id], [leadId]))[0]!
}

async function leadByPayer(tx: Transaction, account: AccountFacts, sale: SaleState['sale'], partnerId: string) {
  const known =
    sale.payerEmail &&
    (await tx.maybe<{ id: string }>`
      select id from leads where account_id = ${account.id} and email = ${sale.payerEmail} and status <> 'duplicate'
      order by created_at, id limit 1`)
  if (known) return known.id
  const made = await captureLead(tx, account, {
    source: 'provider',
    partnerId,
    email: sale.payerEmail,
    hasPaid: true,
  })
  return made.leadId
}

/** Moves a lead to another partner; its first partner is credited its sales too, at the rates of this moment. */
export async function reassignLead(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  leadId: string,
  { partnerId, reason }: { partnerId: string | null; reason: string },
) {
  const wanted = partnerId && asUuid(partnerId)
  if (wanted && !(await tx.maybe`select from partners where id = ${wanted} and account_id = ${account.id}`))
    throw wrongField('partnerId', 'unknown_partner_in_account')
  const [lead] = await lockLeads(tx, [account.id], [leadId])
  const first = lead?.partnerId === null && wanted !== null
  await moveLead(tx, by, account, leadId, { partnerId: wanted, reason })
  if (first) await creditLeadSales(tx, by, account.id, leadId)
}
