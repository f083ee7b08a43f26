import { actorOf, type By } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { holdAccount } from '../access/hold-accounts.ts'
import { type Credit, credit } from '../commissions/credit.ts'
import { openCases } from '../fraud/cases.ts'
import type { LeadFacts } from '../leads/lead-facts.ts'
import { refusePast } from '../stats/count.ts'
import { bookEarned } from './book-earned.ts'
import { holdCaps } from './caps.ts'
import { keepPlaces, placeColumns } from './places.ts'
import { type SaleRow, type SaleState, saveStates } from './sale-state.ts'

/** A locked sale with its lead, and its newly known values. */
type Late = {
  before: SaleState
  now: Partial<SaleRow>
  lead: Pick<LeadFacts, 'email' | 'attributedAt' | 'ownVisit'> | undefined
}

/**
 * Books the earnings of sales that could not be booked when recorded (no lead, no partner, or no exchange rate), at the
 * current terms, and applies their refunds. A fixed number of statements, however many sales.
 */
export async function bookLate(tx: Transaction, by: By, accountId: string, late: Late[]): Promise<void> {
  const account = await holdAccount(tx, accountId)
  const accounts = new Map([[accountId, account]])
  const known = late.map(({ before, now, lead }) => {
    const sale = { ...before.sale, ...now }
    const referredAt = sale.partnerId === null ? null : (sale.referredAt ?? lead?.attributedAt ?? null)
    return { before, lead, sale: { ...sale, referredAt } }
  })
  const credits = await credit(
    tx,
    accounts,
    // a void sale gets no credit
    known
      .filter(({ sale }) => sale.status !== 'void')
      .map(({ before, sale, lead }) => ({
        ...sale,
        leadEmail: lead?.email ?? null,
        ownVisit: lead?.ownVisit ?? false,
        judged: before.sale.partnerId !== null,
      })),
  )
  const leadIds = new Map(known.map(({ sale }) => [sale.id, sale.leadId]))
  await keepCredits(tx, accountId, credits, leadIds)
  const settled = known.map(({ before, sale }) => {
    const given = credits.get(sale.id)
    const credited = {
      credit: given?.terms ?? null,
      terms: given?.version ?? null,
      credited: given?.credited ?? sale.credited,
    }
    const after: SaleState = { ...before, sale: { ...sale, ...credited } }
    return { before, after, written: [] }
  })
  const places = await keepPlaces(
    tx,
    accounts,
    settled
      .filter(({ after }) => after.sale.credit)
      .map(({ after }) => ({ ...after.sale, by, placesCount: credits.get(after.sale.id)?.placesCount })),
  )
  const used = await holdCaps(
    tx,
    settled.map(({ after }) => after.sale),
  )
  for (const { after } of settled) {
    after.used = used
    Object.assign(after.sale, placeColumns(places.get(after.sale.id)))
  }
  refusePast(await saveStates(tx, await bookEarned(tx, actorOf(by), account, settled)))
}

/** Stores the credit on the sales, and their leads: the places are those among all sales of a lead. */
async function keepCredits(
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
      held_by = coalesce(n.held_by::uuid[], s.held_by)
    from unnest(${ids}::uuid[], ${ids.map((id) => leadIds.get(id))}::uuid[],
      ${all.map((one) => one.terms && JSON.stringify(one.terms))}::jsonb[],
      ${all.map((one) => one.recurringMonths)}::integer[], ${all.map((one) => one.credited)}::boolean[],
      ${all.map((one) => one.hold?.rule ?? null)}::text[], ${all.map((one) => one.hold?.policy ?? null)}::text[],
      ${all.map((one) => one.hold?.reason ?? null)}::text[], ${all.map((one) => one.hold?.until ?? null)}::timestamptz[],
      ${all.map((one) => one.hold?.caseId ?? null)}::uuid[],
      ${all.map(({ hold }) => (hold?.heldBy.length ? `{${hold.heldBy}}` : null))}::text[])
      as n (id, lead_id, credit, recurring_months, credited, hold_rule, hold_policy, hold_reason, held_until,
        fraud_case_id, held_by)
    where s.account_id = ${accountId} and s.id = n.id`
  await openCases(
    tx,
    all.flatMap(({ hold }) => hold?.opens ?? []),
  )
}
