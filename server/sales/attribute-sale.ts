import type { SaleAttribution } from '#contract/sales.ts'
import { actorOf, audit, type By } from '../audit.ts'
import { planEarnings } from '../commissions/earnings.ts'
import type { NewEntry } from '../commissions/entries.ts'
import { asUuid } from '../database/ids.ts'
import type { Transaction } from '../database/pool.ts'
import type { AccountFacts } from '../http/access.ts'
import { announce } from '../jobs/outbox.ts'
import { captureLead } from '../leads/capture-lead.ts'
import { type LeadFacts, lockLeads } from '../leads/lead-facts.ts'
import { moveLead } from '../leads/move-lead.ts'
import { Refusal, wrongField } from '../refusal.ts'
import type { Services } from '../services.ts'
import { dayIn } from '../time/days.ts'
import { daysWaiting, type FrozenRate, inAccountCurrency, rateFor, salesWaiting } from './exchange-rates.ts'
import { earnedEntries } from './record-sale.ts'
import { earlier, followLead } from './refund-sale.ts'
import { lockSale, type SaleState, saveState, settle } from './sale-state.ts'

/**
 * Books what a sale earns that could not be booked when it was recorded (no lead, no partner, or no exchange rate), at
 * the rates of this moment, and brings its refunds to bear on it one by one, each on its own day.
 */
async function bookLate(
  tx: Transaction,
  account: AccountFacts,
  before: SaleState,
  now: Partial<SaleState['sale']>,
  by: By,
): Promise<void> {
  const sale = { ...before.sale, ...now }
  const earns =
    sale.partnerId && sale.accountAmount && sale.credited && sale.status !== 'void' && before.entries.length === 0
  const plan = earns
    ? ((await planEarnings(tx, [{ ...sale, partnerId: sale.partnerId!, accountAmount: sale.accountAmount! }])).get(
        sale.id,
      ) ?? [])
    : []
  const written: NewEntry[] = earnedEntries({ ...sale, account, by }, plan)
  const { due } = await tx.one<{ due: string }>`
    select (${sale.saleDate}::date + payout_delay)::timestamp at time zone time_zone as due
    from accounts where id = ${account.id}`
  let state: SaleState = {
    sale,
    refunds: [],
    entries: [...before.entries, ...written.map((row) => ({ ...row, availableAt: due, bound: false }))],
  }
  // in the order in which they came, as their ids rise
  for (const refund of before.refunds.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const day = refund.countedOn ?? dayIn(account.timeZone, earlier(new Date(refund.at), tx.now))
    const cause = { refund, day, reason: refund.reason, actor: actorOf(by) }
    const settled = settle({ ...state, refunds: [...state.refunds, refund] }, cause, tx.now)
    written.push(...settled.written)
    state = settled.state
  }
  await saveState(tx, before, state, written)
}

/** Gives a sale that has none its lead, and by it the partner who referred. */
export async function giveSaleToLead(
  tx: Transaction,
  services: Services,
  account: AccountFacts,
  saleId: string,
  lead: LeadFacts,
  matchedBy: SaleState['sale']['matchedBy'],
  by: By,
) {
  const before = await lockSale(tx, account.id, saleId)
  const { leadId, partnerId: credited } = before.sale
  if (credited) return
  const { partnerId, blueprintId } = lead
  if (leadId !== lead.id) await numberSale(tx, saleId, lead.id)
  await bookLate(tx, account, before, { leadId: lead.id, partnerId, blueprintId, matchedBy }, by)
  await followLead(tx, services, lead.id, by)
  if (leadId !== lead.id) await followLead(tx, services, leadId, by)
  await announce(tx, account.id, 'sale.updated', { saleId })
}

/** A sale that comes to a lead late is its next. */
const numberSale = (tx: Transaction, saleId: string, leadId: string) => tx.run`
  update sales set sequence = 1 + coalesce((select max(sequence) from sales o where o.lead_id = ${leadId}), 0)
  where id = ${saleId}`

/** Credits the sales of a lead that has just got its first partner. */
export async function creditLeadSales(
  tx: Transaction,
  services: Services,
  account: AccountFacts,
  leadId: string,
  by: By,
) {
  const [lead] = await lockLeads(tx, [leadId])
  if (!lead?.partnerId) return
  const sales = await tx.many<{ id: string; matchedBy: string | null }>`
    select id, matched_by from sales where lead_id = ${leadId} and partner_id is null and status <> 'void' order by id`
  for (const { id, matchedBy } of sales) await giveSaleToLead(tx, services, account, id, lead, matchedBy, by)
}

/**
 * Credits a sale without a partner by hand: to a lead, or to a partner by the lead with the payer's e-mail, which is
 * taken or made. Refuses: `invalid_state` for a void sale or one that has a partner; unknown lead or partner in the body.
 */
export async function attributeSale(
  tx: Transaction,
  services: Services,
  by: By,
  account: AccountFacts,
  saleId: string,
  { partnerId, leadId, reason }: SaleAttribution,
) {
  const { sale } = await lockSale(tx, account.id, saleId, leadId ? [asUuid(leadId)] : [])
  if (sale.partnerId) throw new Refusal('invalid_state', 'This sale has a partner already.')
  if (sale.status === 'void') throw new Refusal('invalid_state', 'This sale is void.')
  const lead = leadId
    ? await leadNamed(tx, account, leadId)
    : await leadOfPayer(tx, services, account, sale, partnerId!, reason, by)
  if (!lead.partnerId) throw wrongField('leadId', 'This lead has no partner yet. Reassign the lead first')
  await giveSaleToLead(tx, services, account, saleId, lead, 'manual', by)
  await creditLeadSales(tx, services, account, lead.id, by)
  await audit(
    tx,
    by,
    account.id,
    'sale.attributed',
    { type: 'sale', id: saleId },
    {
      partnerId: { old: null, new: lead.partnerId },
      reason: { old: null, new: reason },
    },
  )
}

async function leadNamed(tx: Transaction, account: AccountFacts, leadId: string) {
  const [lead] = await lockLeads(tx, [asUuid(leadId)])
  if (!lead || lead.accountId !== account.id) throw wrongField('leadId', 'There is no such lead in this account')
  return lead
}

async function leadOfPayer(
  tx: Transaction,
  services: Services,
  account: AccountFacts,
  sale: SaleState['sale'],
  partnerId: string,
  reason: string,
  by: By,
): Promise<LeadFacts> {
  const partner = await tx.maybe`select from partners where id = ${asUuid(partnerId)} and account_id = ${account.id}`
  if (!partner) throw wrongField('partnerId', 'There is no such partner in this account')
  const leadId = sale.leadId ?? (await leadByPayer(tx, services, account, sale, partnerId))
  const [lead] = await lockLeads(tx, [leadId])
  if (lead!.partnerId === partnerId) return lead!
  if (lead!.partnerId)
    throw new Refusal(
      'conflict',
      'The payer is a lead of another partner. Attribute the sale to that lead, or reassign the lead first.',
      {
        details: { leadId },
      },
    )
  await moveLead(tx, services, by, account, leadId, partnerId, reason)
  return (await lockLeads(tx, [leadId]))[0]!
}

async function leadByPayer(
  tx: Transaction,
  services: Services,
  account: AccountFacts,
  sale: SaleState['sale'],
  partnerId: string,
) {
  const known =
    sale.payerEmail &&
    (await tx.maybe<{ id: string }>`
      select id from leads where account_id = ${account.id} and email = ${sale.payerEmail} and status <> 'duplicate'
      order by created_at, id limit 1`)
  if (known) return known.id
  const made = await captureLead(tx, services, account, {
    source: 'provider',
    partnerId,
    email: sale.payerEmail,
    externalId: sale.payerEmail ? null : (sale.customerId ?? sale.externalId ?? sale.id),
  })
  return made.leadId
}

/** Moves a lead to another partner; its first partner is credited its sales too, at the rates of this moment. */
export async function reassignLead(
  tx: Transaction,
  services: Services,
  by: By,
  account: AccountFacts,
  leadId: string,
  partnerId: string | null,
  reason: string,
) {
  const wanted = partnerId && asUuid(partnerId)
  if (wanted && !(await tx.maybe`select from partners where id = ${wanted} and account_id = ${account.id}`))
    throw wrongField('partnerId', 'There is no such partner in this account')
  const [lead] = await lockLeads(tx, [leadId])
  const first = lead?.partnerId === null && wanted !== null
  await moveLead(tx, services, by, account, leadId, wanted, reason)
  if (first) await creditLeadSales(tx, services, account, leadId, by)
}

/** As many as one transaction books. */
const AT_ONCE = 1000

/**
 * Books the sales that waited for an exchange rate, where there is one now: a thousand at most, oldest first. Answers
 * how many; whoever gets a thousand asks again.
 */
export async function bookWaiting(tx: Transaction, account: AccountFacts, currency: string | null, by: By) {
  const bookable: { id: string; leadId: string | null; rate: FrozenRate }[] = []
  for (const day of await daysWaiting(tx, account.id, currency)) {
    const rate = await rateFor(tx, account.id, day.currency, day.accountCurrency, day.saleDate)
    if (rate) bookable.push(...(await salesWaiting(tx, account.id, day)).map((sale) => ({ ...sale, rate })))
    if (bookable.length >= AT_ONCE) break
  }
  const now = bookable.slice(0, AT_ONCE)
  const leadIds = [...new Set(now.map((sale) => sale.leadId).filter((id) => id !== null))]
  if (leadIds.length > 0) await lockLeads(tx, leadIds)
  let booked = 0
  for (const { id, rate } of now) {
    const before = await lockSale(tx, account.id, id)
    const { sale } = before
    if (sale.accountAmount !== null) continue
    const accountAmount = inAccountCurrency(sale.amount, sale.currency, sale.accountCurrency, rate)
    if (accountAmount === null) continue
    await tx.run`
      update sales set account_amount = ${accountAmount}, fx_rate = ${rate.rate}, fx_date = ${rate.date} where id = ${id}`
    await bookLate(tx, account, before, { accountAmount }, by)
    booked++
  }
  return booked
}
