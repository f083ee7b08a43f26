import type { Balance } from '#contract/balances.ts'
import { type Paydays, paydaysInWords } from '#contract/paydays.ts'
import type { Blocker } from '#contract/payouts.ts'

/** Returns the blockers that delay a payment: manual payment does not. */
export const delayingBlockers = (blockers: readonly Blocker[]) =>
  blockers.filter(({ code }) => code !== 'payouts-not-configured' && code !== 'no-method')

/** Returns 'Every Monday', or 'On the 1st and the 15th of each month'. */
export function paydaysLabel(paydays: Paydays) {
  const words = paydaysInWords(paydays)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Returns the day until which held money waits; null if its payday is the same as that of due money. */
export function heldUntil(
  { held, due, nextPayoutDate }: Pick<Balance, 'held' | 'due' | 'nextPayoutDate'>,
  { paydays }: { paydays: Paydays },
  today: string,
) {
  if (held <= 0 || nextPayoutDate === null || nextPayoutDate <= today) return null
  return due > 0 && paydays.every !== 'day' ? null : nextPayoutDate
}

/** Returns the next payout, or none and whether blockers prevent it. */
export function nextPayday({ paydays: [first], blockers }: Pick<Balance, 'paydays' | 'blockers'>) {
  return { first, waits: !first && delayingBlockers(blockers).length > 0 }
}
