import type { Transaction } from '../../platform/database/pool.ts'
import { count } from './count.ts'

/**
 * Marks the days of these leads as changed for reports, which split all their figures by visit: visits, leads, sales,
 * refunds and commissions.
 */
export async function touchDaysOfLeads(tx: Transaction, accountId: string, ids: string[]): Promise<void> {
  const days = await tx.many<{ day: string | null }>`
    select created_on as day from leads where account_id = ${accountId} and id = any(${ids}::uuid[])
    union select c.day from leads l join clicks c on c.account_id = ${accountId} and c.id = l.click_id
      where l.account_id = ${accountId} and l.id = any(${ids}::uuid[])
    union select sale_date from sales where account_id = ${accountId} and lead_id = any(${ids}::uuid[])
    union select unnest(array[r.counted_on, r.restored_on]) from sales s
      join refunds r on r.account_id = ${accountId} and r.sale_id = s.id
      where s.account_id = ${accountId} and s.lead_id = any(${ids}::uuid[])
    union select e.day from sales s join commission_entries e on e.account_id = ${accountId} and e.sale_id = s.id
      where s.account_id = ${accountId} and s.lead_id = any(${ids}::uuid[])
    union select day from commission_entries where account_id = ${accountId} and lead_id = any(${ids}::uuid[])`
  await count(
    tx,
    days.flatMap(({ day }) => (day ? [{ accountId, day, isTouched: true as const }] : [])),
  )
}
