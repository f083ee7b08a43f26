import type { Payout } from '#contract/payouts.ts'
import type { Author } from '#server/platform/author.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { notFound, refusal } from '#server/platform/refusal.ts'
import { dayIn } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { lockAllForJudgement } from '#server/program/payouts/payout-entries.ts'
import { presentPayout } from '#server/program/payouts/payouts.ts'
import { transitionPayout } from '#server/program/payouts/transitions.ts'
import type { RewardAcknowledgement } from '../contract.ts'

/**
 * Records that the company has granted the units of an approved payout. No blocker stops it: they are granted. The same
 * again changes nothing.
 * Refuses: `invalid_state` for another reference than before, a payout that isn't approved, or one not given as units.
 */
export async function confirmReward(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { reference: given }: RewardAcknowledgement,
): Promise<Payout> {
  const reference = given ?? null
  const payout = (await lockAllForJudgement(tx, account.id, [asUuid(id)])).get(asUuid(id))?.payout
  if (!payout) throw notFound()
  const { status } = payout
  const { before, isInUnits } = await tx.one<{ before: string | null; isInUnits: boolean }>`
    select external_reference as before, coalesce(reward ->> 'as' = 'units', false) as is_in_units
    from payouts where account_id = ${account.id} and id = ${payout.id}`
  if (status !== 'gathering' && !isInUnits) throw refusal('payout_not_in_units')
  if (status === 'paid') {
    if (before !== reference) throw refusal('already_acknowledged', { reference: before ?? '–' })
  } else if (status === 'approved')
    await transitionPayout(tx, account, payout.id, 'mark-paid', {
      by,
      set: sql`external_reference = ${reference}, paid_at = ${tx.now}, paid_on = ${dayIn(account.timeZone, tx.now)}`,
      changes: { externalReference: { old: null, new: reference } },
    })
  else throw refusal('reward_not_approved', { status }, { details: { status } })
  await tx.finish()
  return presentPayout(tx, account, payout.id)
}
