import { system } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { yearIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { UnderWay, Undone, Verdict } from './methods/method.ts'
import { endAsCanceled, setBack } from './set-back.ts'

type Facts = { detailsVersion: string | null; state: string; approved: boolean }

/** Returns whether the approval still holds; checked again before every call that could move money. */
export async function judge(tx: Transaction, account: AccountFacts, payout: UnderWay): Promise<Verdict> {
  if (payout.stopReason === 'canceled') return { holds: false, end: 'cancel' }
  const year = yearIn(account.timeZone, tx.now)
  const now = await tx.one<Facts>`
    select d.version as details_version, n.state, ${year}::integer = any(n.approved_payout_years) as approved
    from partners n left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id
    where n.id = ${payout.partnerId}`
  const undo = (because: string): Verdict => ({ holds: false, end: 'undo', because })
  if (now.detailsVersion !== payout.detailsVersion) return undo('The payout details changed.')
  if (now.state === 'suspended') return undo('The partner is suspended.')
  if (!now.approved) return undo(`The partner is not approved for ${year}.`)
  return { holds: true }
}

/** Carries out a verdict when nothing of the payout can leave any more. */
export async function undo(tx: Transaction, account: AccountFacts, payout: UnderWay, verdict: Undone): Promise<void> {
  if (verdict.end === 'cancel') await endAsCanceled(tx, system, account, payout.id, payout.amount)
  else await setBack(tx, account, payout.id, verdict.because)
}
