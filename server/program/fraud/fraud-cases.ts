import type { FraudCaseSnapshot, FraudFinding } from '#features/fraud-cases/contract.ts'
import { type Author, system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { emitEvents } from '../../platform/events/emit-event.ts'

/** Days after which a hold without a decision ends. */
const HELD_DAYS = 30

const holdEnd = (now: Date) => new Date(now.getTime() + HELD_DAYS * 86_400_000).toISOString()

/** Why a sale is held by the open case of its lead or partner. */
export const openCaseReasons = { lead: 'The lead’s case is open.', partner: 'The partner’s case is open.' }

/** `saleId` and `leadId` are both null for a case about the partner. */
export const caseTable = table('fraud_cases', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  saleId: c.uuid.null().fixed(),
  leadId: c.uuid.null().fixed(),
  partnerId: c.uuid.fixed(),
  findings: c.json<FraudFinding[]>().fixed(),
  action: c.text<'flag' | 'hold'>().fixed(),
  openedAt: c.instant.fixed(),
  heldUntil: c.instant.null().fixed(),
  decision: c.text<'released' | 'voided'>().null(),
  decidedAt: c.instant.null(),
  decidedBy: c.uuid.null(),
  reason: c.text().null(),
})
export type CaseRow = RowOf<typeof caseTable>

export const newCase = (
  tx: Transaction,
  given: Pick<CaseRow, 'accountId' | 'partnerId' | 'findings' | 'action'> &
    Partial<Pick<CaseRow, 'id' | 'saleId' | 'leadId'>>,
): CaseRow => ({
  id: newId(),
  saleId: null,
  leadId: null,
  openedAt: tx.now.toISOString(),
  heldUntil: given.action === 'hold' ? holdEnd(tx.now) : null,
  decision: null,
  decidedAt: null,
  decidedBy: null,
  reason: null,
  ...given,
})

/** Whether case `c` waits for a decision; a hold also ends without one. */
export const isOpenCase = (now: Date) => sql`(c.decided_at is null and (c.held_until is null or c.held_until > ${now}))`

/** Opens cases, in one statement and one for their events. */
export async function openCases(tx: Transaction, cases: CaseRow[]): Promise<void> {
  if (cases.length === 0) return
  await tx.run`
    insert into fraud_cases (${caseTable.names})
    select ${caseTable.from('n')} from jsonb_to_recordset(${caseTable.jsonOf(cases)}::jsonb) as n (${caseTable.declared})`
  await emitCaseEvents(tx, system, 'case.opened', cases)
}

/** Closes the open cases that meet a condition on `c`. Returns those closed. */
export async function decideCases(
  tx: Transaction,
  by: Author,
  accountId: string,
  only: Sql,
  { decision, reason }: { decision: 'released' | 'voided'; reason: string },
): Promise<CaseRow[]> {
  const decided = await tx.many<CaseRow>`
    update fraud_cases c set decision = ${decision}, decided_at = ${tx.now}, reason = ${reason},
      decided_by = ${by.type === 'user' ? by.id : null}
    where c.account_id = ${accountId} and ${isOpenCase(tx.now)} and ${only}
    returning ${caseTable.from('c')}`
  await emitCaseEvents(tx, by, 'case.decided', decided)
  return decided
}

/** Why open cases `c` of a lead or partner hold something. */
export const openCasesInWords = sql`concat_ws(' ', max(${openCaseReasons.lead}::text) filter (where c.lead_id is not null),
  max(${openCaseReasons.partner}::text) filter (where c.sale_id is null and c.lead_id is null))`

/** Whether case `id` holds sale `s` now. */
export const isHeldBy = (id: string | Sql, now: Date) =>
  sql`((s.fraud_case_id = ${id} or s.held_by @> array[${id}]::uuid[]) and s.held_until > ${now} and s.status <> 'void')`

/** A sale that a case no longer holds, with the end of its hold before and now: null unless another case holds it. */
export type ReleasedSale = { id: string; old: string; heldUntil: string | null }

/** Leaves these held sales, which are locked, to those of their cases that are still open, or releases them. */
export const releaseFromCases = (tx: Transaction, accountId: string, saleIds: string[]) => tx.many<ReleasedSale>`
  update sales s set held_until = rest.held_until, fraud_case_id = coalesce(rest.id, s.fraud_case_id),
    hold_rule = coalesce(rest.rule, s.hold_rule), hold_reason = coalesce(rest.reason, s.hold_reason)
  from sales before cross join lateral (
    select max(c.held_until) as held_until,
      (array_agg(c.id order by c.held_until desc, c.sale_id, c.id))[1] as id,
      (array_agg(c.findings -> 0 ->> 'rule' order by c.held_until desc, c.sale_id, c.id))[1] as rule,
      nullif(concat_ws(' ', max(e.evidence) filter (where c.sale_id is not null), nullif(${openCasesInWords}, '')), '') as reason
    from fraud_cases c cross join lateral (
      select string_agg(f.finding ->> 'evidence', ' ' order by f.place) as evidence
      from jsonb_array_elements(c.findings) with ordinality as f (finding, place)) e
    where c.account_id = ${accountId} and c.id = any(before.held_by) and ${isOpenCase(tx.now)}) rest
  where s.account_id = ${accountId} and s.id = any(${saleIds}::uuid[]) and s.held_until > ${tx.now}
    and before.account_id = s.account_id and before.id = s.id
  returning s.id, before.held_until as old, s.held_until`

const emitCaseEvents = async (tx: Transaction, by: Author, type: 'case.opened' | 'case.decided', cases: CaseRow[]) => {
  if (cases.length === 0) return
  await emitEvents(
    tx,
    cases.map((one) => ({ by, accountId: one.accountId, type, id: one.id, object: caseForEvent(one, tx.now) })),
  )
}

/** Returns a case without names, as events contain it. */
export function caseForEvent({ decision, ...row }: CaseRow, now: Date): FraudCaseSnapshot {
  const isExpired = decision === null && row.heldUntil !== null && Date.parse(row.heldUntil) <= now.getTime()
  return {
    ...row,
    subject: row.saleId ? 'sale' : row.leadId ? 'lead' : 'partner',
    state: decision === null && !isExpired ? 'open' : 'decided',
    decision: isExpired ? 'expired' : decision,
  }
}
