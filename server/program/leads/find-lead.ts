import type { LeadStatus } from '#contract/leads.ts'
import type { Queryable } from '../../platform/database/pool.ts'

/**
 * Finds the account's lead with this external id, else the latest original one with this e-mail; undefined if there is
 * none.
 */
export async function findLeadBy(
  db: Queryable,
  accountId: string,
  { externalId, email }: { externalId: string | null; email: string | null },
): Promise<{ id: string; status: LeadStatus } | undefined> {
  return db.maybe<{ id: string; status: LeadStatus }>`
    select id, status from leads
    where account_id = ${accountId} and status <> 'duplicate'
      and (external_id = ${externalId} or (${externalId}::text is null and email = ${email?.trim().toLowerCase() ?? null}))
    order by created_at desc limit 1`
}
