import { system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { yearIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { findPayingProfile } from './connections.ts'
import type { ActivePayout, Attempt } from './payout-attempts.ts'
import { payoutReasons } from './reason-text.ts'
import { formCounts } from './tax-form-on-file.ts'
import { transitionPayout } from './transitions.ts'
import { endAsCanceled, setBack } from './undo-approval.ts'

/**
 * Whether what was approved still holds: `undo`, the approval is undone; `cancel`, the payout ends at the owner's
 * request; `restart`, the approval holds, but not its attempt.
 */
export type Verdict = { isValid: true } | Broken
export type Broken = { isValid: false; end: 'cancel' } | { isValid: false; end: 'undo' | 'restart'; reason: string }

type Facts = { detailsVersion: string | null; state: string; approved: boolean; lacksForm: boolean }
type Judged = Pick<ActivePayout, 'partnerId' | 'stopReason' | 'detailsVersion'>

/**
 * Returns whether the approval still holds for a payment in this year; checked again before every call that could move
 * money.
 */
export async function checkApproval(
  tx: Transaction,
  account: AccountFacts,
  payout: Judged,
  year = yearIn(account.timeZone, tx.now),
): Promise<Verdict> {
  if (payout.stopReason === 'canceled') return { isValid: false, end: 'cancel' }
  const now = await tx.one<Facts>`
    select d.version as details_version, n.state, ${year}::integer = any(n.approved_payout_years) as approved,
      coalesce(i.tax_forms = 'required', false) and not ${formCounts(account.id, sql`n`, year)} as lacks_form
    from partners n left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id
      left join invoicing_settings i on i.account_id = n.account_id
    where n.account_id = ${account.id} and n.id = ${payout.partnerId}`
  const undo = (reason: string): Verdict => ({ isValid: false, end: 'undo', reason })
  if (now.detailsVersion !== payout.detailsVersion) return undo(payoutReasons.detailsChanged)
  if (now.state === 'suspended') return undo(payoutReasons.suspended)
  if (!now.approved) return undo(payoutReasons.notApproved({ year: String(year) }))
  if (now.lacksForm) return undo(payoutReasons.noTaxForm({ year: String(year) }))
  return { isValid: true }
}

type Paying = { account: AccountFacts; method: { name: string; label: string } }

/** Returns whether the approval and its attempt still hold. */
export async function judgeAttempt(
  tx: Transaction,
  { account, method }: Paying,
  payout: ActivePayout,
  attempt: Attempt | undefined,
): Promise<Verdict> {
  const verdict = await checkApproval(tx, account, payout)
  if (!verdict.isValid || !attempt) return verdict
  const restart = (reason: string): Verdict => ({ isValid: false, end: 'restart', reason })
  if (attempt.profileId !== (await findPayingProfile(tx, account.id, method.name)))
    return restart(`A different ${method.label} profile has been selected.`)
  if (attempt.year !== yearIn(account.timeZone, tx.now))
    return restart('The payment would fall in a different year than was approved.')
  const same =
    attempt.method === method.name &&
    attempt.detailsVersion === payout.detailsVersion &&
    attempt.amount === payout.payAmount &&
    attempt.currency === payout.currency
  return same ? { isValid: true } : restart('It was started for an earlier approval.')
}

/**
 * Carries out a verdict once the provider has nothing left of the attempt. Returns whether the payout is still
 * approved and waits for another attempt.
 */
export async function applyVerdict(
  tx: Transaction,
  account: AccountFacts,
  { id, status, amount }: ActivePayout,
  verdict: Broken,
): Promise<boolean> {
  if (verdict.end === 'cancel') await endAsCanceled(tx, system, account, id, amount)
  else if (verdict.end === 'undo') await setBack(tx, account, id, verdict.reason)
  else if (status !== 'approved') await transitionPayout(tx, account, id, 'requeue', { because: verdict.reason })
  return verdict.end === 'restart'
}
