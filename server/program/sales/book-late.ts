import { type Author, toActor } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { lockAccountShared } from '../access/lock-accounts.ts'
import { type Credit, computeCredits } from '../commissions/credit.ts'
import { openCases } from '../fraud/fraud-cases.ts'
import { holdCaps, storeCredits } from '../leads/caps.ts'
import type { LeadFacts } from '../leads/lead-facts.ts'
import { refusePast } from '../stats/count.ts'
import type { SaleTerms } from '../terms/plan.ts'
import { bookEarned } from './book-earned.ts'
import { movedColumns, updatePlaces } from './places.ts'
import { type SaleRow, type SaleState, saveStates } from './sale-state.ts'

/** A locked sale with its lead, and its newly known values. */
type Late = {
  before: SaleState
  now: Partial<SaleRow>
  lead: Pick<LeadFacts, 'email' | 'attributedAt' | 'ownVisit'> | undefined
}

/**
 * Books the earnings of sales that could not be booked when recorded, and applies their refunds: without a lead or a
 * partner until now, at the current terms; without an exchange rate, at the terms of their own day
 * (docs/decisions/0031-a-waiting-sale-keeps-its-day.md). A fixed number of statements, however many sales.
 */
export async function bookLate(tx: Transaction, by: Author, accountId: string, late: Late[]): Promise<void> {
  const account = await lockAccountShared(tx, accountId)
  const accounts = new Map([[accountId, account]])
  const known = late.map(({ before, now, lead }) => {
    const sale = { ...before.sale, ...now }
    const referredAt = sale.partnerId === null ? null : (sale.referredAt ?? lead?.attributedAt ?? null)
    return { before, lead, sale: { ...sale, referredAt } }
  })
  const credits = await computeCredits(
    tx,
    accounts,
    // a void sale gets no credit
    known
      .filter(({ sale }) => sale.status !== 'void' && !sale.credit)
      .map(({ before, sale, lead }) => ({
        ...sale,
        leadEmail: lead?.email ?? null,
        ownVisit: lead?.ownVisit ?? false,
        judged: before.sale.partnerId !== null,
      })),
  )
  const leadIds = new Map(known.map(({ sale }) => [sale.id, sale.leadId]))
  await saveCredits(tx, accountId, credits, leadIds)
  const kept = await withoutEnded(tx, accountId, known)
  const settled = known.map(({ before, sale }) => {
    const given = credits.get(sale.id)
    const credited = given
      ? { credit: given.terms, terms: given.version, credited: given.credited }
      : { credit: kept.get(sale.id) ?? null }
    const after: SaleState = { ...before, sale: { ...sale, ...credited } }
    return { before, after, written: [] }
  })
  const places = await updatePlaces(
    tx,
    accounts,
    settled
      .filter(({ after }) => after.sale.credit && after.sale.accountAmount)
      .map(({ after }) => ({ ...after.sale, by, placesCount: credits.get(after.sale.id)?.placesCount })),
  )
  const used = await holdCaps(
    tx,
    settled.map(({ after }) => after.sale),
  )
  for (const { after } of settled) {
    after.used = used
    Object.assign(after.sale, movedColumns(places.get(after.sale.id)))
  }
  refusePast(await saveStates(tx, await bookEarned(tx, toActor(by), account, settled)))
}

/**
 * Returns the credits of sales that have waited for an exchange rate, stored without the partners who have left for good
 * meanwhile: erased, or with a balance that was voided.
 */
async function withoutEnded(
  tx: Transaction,
  accountId: string,
  sales: { sale: SaleRow }[],
): Promise<Map<string, SaleTerms>> {
  const credits = new Map(sales.flatMap(({ sale }) => (sale.credit ? [[sale.id, sale.credit] as const] : [])))
  const partnerIds = [...credits.values()].flatMap(({ line }) => line.map(({ partnerId }) => partnerId))
  if (partnerIds.length === 0) return credits
  const rows = await tx.many<{ id: string }>`
    select id from partners where account_id = ${accountId} and id = any(${partnerIds}::uuid[])
      and (void_reason is not null or erased_at is not null)`
  const ended = new Set(rows.map(({ id }) => id))
  const changed = [...credits].flatMap(([id, { line, ...terms }]) => {
    if (!line.some(({ partnerId, earns }) => earns && partnerId && ended.has(partnerId))) return []
    const earners = line.map((one) => ({ ...one, earns: one.earns && !(one.partnerId && ended.has(one.partnerId)) }))
    return [{ id, accountId, credit: { ...terms, line: earners } }]
  })
  if (changed.length > 0) await storeCredits(tx, changed)
  return new Map([...credits, ...changed.map(({ id, credit }) => [id, credit] as const)])
}

/** Stores the credit on the sales, and their leads: the places are those among all sales of a lead. */
async function saveCredits(
  tx: Transaction,
  accountId: string,
  credits: Map<string, Credit>,
  leadIds: Map<string, string | null>,
) {
  const ids = [...credits.keys()]
  const all = [...credits.values()]
  await tx.run`
    update sales s set lead_id = n.lead_id, credit = n.credit, recurring_months = n.recurring_months,
      credited = n.credited,
      hold_rule = coalesce(n.hold_rule, s.hold_rule), hold_policy = coalesce(n.hold_policy, s.hold_policy),
      hold_reason = coalesce(n.hold_reason, s.hold_reason), held_until = coalesce(n.held_until, s.held_until),
      fraud_case_id = coalesce(n.fraud_case_id, s.fraud_case_id),
      -- read from text as an array it would not be immutable, which a cluster demands
      held_by = coalesce(string_to_array(n.held_by, ',')::uuid[], s.held_by)
    from unnest(${ids}::uuid[], ${ids.map((id) => leadIds.get(id))}::uuid[],
      ${all.map((one) => one.terms && JSON.stringify(one.terms))}::jsonb[],
      ${all.map((one) => one.recurringMonths)}::integer[], ${all.map((one) => one.credited)}::boolean[],
      ${all.map((one) => one.hold?.rule ?? null)}::text[], ${all.map((one) => one.hold?.policy ?? null)}::text[],
      ${all.map((one) => one.hold?.reason ?? null)}::text[], ${all.map((one) => one.hold?.until ?? null)}::timestamptz[],
      ${all.map((one) => one.hold?.caseId ?? null)}::uuid[],
      ${all.map(({ hold }) => (hold?.heldBy.length ? hold.heldBy.join(',') : null))}::text[])
      as n (id, lead_id, credit, recurring_months, credited, hold_rule, hold_policy, hold_reason, held_until,
        fraud_case_id, held_by)
    where s.account_id = ${accountId} and s.id = n.id`
  await openCases(
    tx,
    all.flatMap(({ hold }) => hold?.opens ?? []),
  )
}
