import type { Transaction } from '../../platform/database/pool.ts'

/** Numbers sales that are added to a lead late after its others. */
export async function numberNext(tx: Transaction, leadId: string, ids: string[]) {
  if (ids.length === 0) return
  await tx.run`
    update sales s set sequence = n.place + coalesce((select max(sequence) from sales o where o.lead_id = ${leadId}), 0)
    from unnest(${ids}::uuid[]) with ordinality as n (id, place) where s.id = n.id`
}

/** Closes the gaps in the numbers of leads that lost a sale, or got one back. The caller has locked them. */
export async function numberFromOne(tx: Transaction, leadIds: string[]) {
  if (leadIds.length === 0) return
  await tx.run`
    update sales s set sequence = n.place
    from (
      select id, row_number() over (partition by lead_id order by sequence, id) as place
      from sales where lead_id = any(${leadIds}::uuid[])) n
    where n.id = s.id and s.sequence <> n.place`
}
