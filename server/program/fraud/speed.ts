import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { newCase, openCases } from './cases.ts'
import { rulesOf } from './rules.ts'

const HOUR_MS = 3_600_000

/**
 * Opens a case for a new lead if its partner has too many within the hour. Leads that come at the very same moment may
 * not see each other.
 */
export async function judgeSpeed(
  tx: Transaction,
  account: AccountFacts,
  { leadId, partnerId }: { leadId: string; partnerId: string },
): Promise<void> {
  const { action, leadsPerHour } = rulesOf(account).speed
  if (action === 'off') return
  const since = new Date(tx.now.getTime() - HOUR_MS)
  const leads = await tx.value<number>`
    select count(*) from (
      select from leads
      where account_id = ${account.id} and partner_id = ${partnerId} and created_at > ${since} and status <> 'duplicate'
        and source <> 'import'
      limit ${leadsPerHour + 1}) l`
  if (leads <= leadsPerHour) return
  const evidence = `The partner has more than ${leadsPerHour} leads within an hour.`
  const { id: accountId } = account
  await openCases(tx, [
    newCase(tx, { accountId, leadId, partnerId, action, findings: [{ rule: 'speed', evidence, partnerId: null }] }),
  ])
}
