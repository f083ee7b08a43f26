import type { Transaction } from '../../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../access/access.ts'
import { dayIn } from '../../../../platform/time/days.ts'
import { move } from '../../move.ts'
import { endAsCanceled, setBack } from '../../set-back.ts'
import type { Quote, Transfer } from './client.ts'
import type { Attempt, UnderWay } from './attempts.ts'

/**
 * Whether what was approved still holds, judged anew before every call that could move money on. `undo`: the approval is
 * undone, or the payout ends because the owner asked. `anew`: the approval holds, this attempt of it does not.
 */
export type Verdict =
  | { holds: true }
  | { holds: false; end: 'cancel' }
  | { holds: false; end: 'undo'; because: string }
  | { holds: false; end: 'anew'; because: string }

type Facts = {
  detailsVersion: string | null
  state: string
  approved: boolean
  profileId: string | null
}

/** The calendar year in which a payment made now falls. */
export const yearOf = (tx: Transaction, { timeZone }: AccountFacts) => Number(dayIn(timeZone, tx.now).slice(0, 4))

export async function judge(
  tx: Transaction,
  account: AccountFacts,
  payout: UnderWay,
  attempt: Attempt | undefined,
): Promise<Verdict> {
  if (payout.stopReason === 'canceled') return { holds: false, end: 'cancel' }
  const year = yearOf(tx, account)
  const now = await tx.one<Facts>`
    select d.version as details_version, n.state, ${year}::integer = any(n.approved_payout_years) as approved,
      pa.wise_profile ->> 'id' as profile_id
    from partners n
      left join payout_settings d on d.partner_id = n.id
      left join payout_accounts pa on pa.account_id = n.account_id
    where n.id = ${payout.partnerId}`
  const undo = (because: string): Verdict => ({ holds: false, end: 'undo', because })
  if (now.detailsVersion !== payout.detailsVersion) return undo('The payout details changed.')
  if (now.state === 'suspended') return undo('The partner is suspended.')
  if (!now.approved) return undo(`The partner is not approved for ${year}.`)
  const anew = (because: string): Verdict => ({ holds: false, end: 'anew', because })
  if (!attempt) return { holds: true }
  if (attempt.wiseProfileId !== now.profileId) return anew('Another Wise profile is chosen.')
  if (attempt.year !== year) return anew('The year of payment has changed.')
  const same =
    attempt.method === 'wise' &&
    attempt.detailsVersion === payout.detailsVersion &&
    attempt.amount === payout.amount &&
    attempt.currency === payout.currency
  return same ? { holds: true } : anew('It was begun for another approval.')
}

/**
 * Does what a verdict asks for, where surely nothing of the attempt is at Wise any more. Answers whether the payout is
 * approved still and waits for another attempt.
 */
export async function applyVerdict(
  tx: Transaction,
  account: AccountFacts,
  payout: UnderWay,
  verdict: Exclude<Verdict, { holds: true }>,
): Promise<boolean> {
  if (verdict.end === 'anew') {
    if (payout.status !== 'approved') await move(tx, account, payout.id, 'step-back', { because: verdict.because })
    return true
  }
  if (verdict.end === 'cancel') await endAsCanceled(tx, account, payout.id, payout.amount)
  else await setBack(tx, account, payout.id, verdict.because)
  return false
}

/** Starts an attempt: all that it is to pay is written here and never again. */
export const insertAttempt = (
  tx: Transaction,
  payout: UnderWay,
  attempt: { id: string; number: number; transactionId: string; profileId: string; year: number },
) => tx.run`
  insert into payout_attempts (id, payout_id, number, customer_transaction_id, wise_profile_id, method, details_version,
    amount, currency, year, state, at, updated_at)
  values (${attempt.id}, ${payout.id}, ${attempt.number}, ${attempt.transactionId}, ${attempt.profileId}, 'wise',
    ${payout.detailsVersion}, ${payout.amount}, ${payout.currency}, ${attempt.year}, 'created', ${tx.now}, ${tx.now})`

/** The currency in which payouts arrive. */
const TARGET = 'usd'

/** In words, what of Wise's quote is not what was asked for; null where all that it says is right. */
export function quoteDiffers(quote: Quote, attempt: Attempt): string | null {
  const fixed = attempt.currency === TARGET ? quote.targetAmount : quote.sourceAmount
  if (fixed !== null && fixed !== attempt.amount) return 'Wise quotes another amount than was approved.'
  if (differs(quote.sourceCurrency, attempt.currency)) return 'Wise quotes another currency than was approved.'
  return null
}

/** In words, what of Wise's transfer is not what the attempt asked for; null where all that it says is right. */
export function transferDiffers(transfer: Transfer, attempt: Attempt): string | null {
  if (differs(transfer.recipientId, attempt.recipientId)) return 'The transfer in Wise goes to another recipient.'
  if (differs(transfer.quoteId, attempt.quoteId)) return 'The transfer in Wise is of another quote.'
  if (attempt.currency === TARGET && differs(transfer.targetValue, attempt.amount))
    return 'The transfer in Wise is of another amount than was approved.'
  return null
}

/** What one of the two does not tell is no difference. */
const differs = (told: string | number | null, wanted: string | number | null) =>
  told !== null && wanted !== null && told !== wanted
