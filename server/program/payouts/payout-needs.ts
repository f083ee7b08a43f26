import { type BlockerCode, blockerCodes, type PayoutNeed } from '#contract/payouts.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import type { Conditions } from './blocker-conditions.ts'
import { findMethodBlocker } from './blockers.ts'
import { fileMethodNames, isApiMethod, personMethodNames, rewardMethodNames } from './methods/registry.ts'
import { isNameDoubted } from './name-checks.ts'
import type { PayoutTerms } from './payout-terms.ts'
import { isInFile } from './payouts-in-files.ts'

/** Days after which a reward that the company's system hasn't acknowledged needs a person. */
const DAYS_TO_ACKNOWLEDGE = 3

/** Stored states in which a person may have something to do. */
export const needyStates = ['gathering', 'approved', 'processing', 'awaiting-funding', 'failed', 'returned']

/**
 * Returns, in SQL, the first thing a person can do for a payout now, on payouts `o`, their partners `n`, details
 * `d` and methods `w`; `conditions` maps blockers to their conditions and `blocked` whether any applies. Null if there is nothing to do.
 * Blockers that only time or sales lift need no person. No need overrides a partner's suspension.
 */
export function needSql(terms: PayoutTerms, now: Date, conditions: Conditions, blocked: Sql): Sql {
  const overdue = new Date(now.getTime() - DAYS_TO_ACKNOWLEDGE * 86_400_000)
  const { account, ways } = terms
  const lifted = blockerCodes.flatMap((code) => {
    const need = liftedBy(code)
    const condition = conditions[code]
    if (!need || !condition) return []
    // archived partners are not contacted
    const reachable = need === 'remind' || need === 'fix-details' ? sql`and n.state <> 'archived'` : sql``
    return sql`when ${condition} ${reachable} then ${need satisfies PayoutNeed}::text`
  })
  const connected = ways
    .filter(({ method, trouble }) => isApiMethod(method) && !trouble)
    .map(({ method }) => method.name)
  return sql`case o.status
    when 'gathering' then case
      when not ${blocked} then case when ${conditions['deposit-info-changed-recently']!} then 'decide'
        when ${conditions['second-approval'] ?? sql`false`} then 'second-approval'
        when w.method = any(${fileMethodNames}::text[]) then 'file' else 'approve' end
      when n.state = 'suspended' then null
      ${joinSql(lifted, ' ')} end
    when 'approved' then case
      when o.method = any(${fileMethodNames}::text[]) and not ${isInFile(account.id)} then 'file'
      when o.method = any(${fileMethodNames}::text[]) and ${isNameDoubted(account.id)} then 'check-name'
      when ${isInFile(account.id)} then 'results'
      when o.method = 'units' then case when o.approved_at <= ${overdue} then 'acknowledge' end
      when o.method = any(${rewardMethodNames}::text[]) then null
      when o.method = any(${personMethodNames}) then 'pay'
      when o.method <> all(${connected}::text[]) then 'reconnect' end
    when 'processing' then case when ${isUnsure(account.id)} then 'check' end
    when 'awaiting-funding' then case when ${isUnsure(account.id)} then 'check' else 'fund' end
    when 'failed' then case when d.rejected_reason is not null then 'fix-details' else 'retry' end
    when 'returned' then case
      when d.version is not distinct from o.details_version
        and exists (select from payout_entries e where e.account_id = ${account.id} and e.payout_id = o.id and e.live) then 'fix-details' end
    end`
}

/** Whether only a person can find out whether payout `o` was paid. */
const isUnsure = (accountId: string) => sql`exists (
  select from payout_attempts u
  where u.account_id = ${accountId} and u.payout_id = o.id and u.stage = 'open' and u.state = 'unsure')`

function liftedBy(code: BlockerCode): PayoutNeed | undefined {
  if (code === 'no-deposit-info') return 'remind'
  if (code === 'not-approved-this-year') return 'approve-year'
  const own = findMethodBlocker(code)
  if (!own || own.soft) return undefined
  return own.ofDetails ? 'fix-details' : 'reconnect'
}
