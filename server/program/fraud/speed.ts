import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { newCase, openCases } from './fraud-cases.ts'
import { toFraudRules } from './rules.ts'

const HOUR_MS = 3_600_000

/**
 * Has new leads of an account with this rule wait for each other until they are committed, so that each counts those
 * before it. Before anything of the lead is counted: the lock of the figures comes last everywhere.
 */
export async function waitForSpeed(tx: Transaction, account: AccountFacts): Promise<void> {
  const { id } = account
  if (toFraudRules(account).speed.action !== 'off') await lockKeys(tx, [{ accountId: id, name: `lead speed ${id}` }])
}

/** Opens a case for a new lead if its partner has too many within the hour. */
export async function judgeSpeed(
  tx: Transaction,
  account: AccountFacts,
  { leadId, partnerId }: { leadId: string; partnerId: string },
): Promise<void> {
  const { action, leadsPerHour } = toFraudRules(account).speed
  if (action === 'off') return
  const since = new Date(tx.now.getTime() - HOUR_MS)
  const leads = await tx.value<number>`
    select count(*) from (
      select from leads
      where account_id = ${account.id} and partner_id = ${partnerId} and created_at > ${since} and status <> 'duplicate'
        and source <> 'import'
      limit ${leadsPerHour + 1}) l`
  if (leads <= leadsPerHour) return
  const evidence = `The partner has more than ${leadsPerHour} ${leadsPerHour === 1 ? 'lead' : 'leads'} within an hour.`
  const { id: accountId } = account
  await openCases(tx, [
    newCase(tx, { accountId, leadId, partnerId, action, findings: [{ rule: 'speed', evidence, partnerId: null }] }),
  ])
}
