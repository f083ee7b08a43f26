import type { Balance, PayoutForecast } from '#contract/balances.ts'
import type { Blocker } from '#contract/payouts.ts'

/** Returns the blockers that delay a payment: manual payment does not. */
export const waitsFor = (blockers: readonly Blocker[]) =>
  blockers.filter(({ code }) => code !== 'payouts-not-configured')

/** Returns the day of the next payout, or none while a blocker would prevent it. */
export function nextPayday(
  { nextPayoutDate, blockers }: Pick<Balance, 'nextPayoutDate' | 'blockers'>,
  coming: PayoutForecast | undefined,
) {
  const [first] = coming?.days ?? []
  const waits = !first && waitsFor(blockers).length > 0
  return { first, waits, date: first?.date ?? (waits ? null : nextPayoutDate) }
}
