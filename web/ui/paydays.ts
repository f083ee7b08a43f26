import type { Balance, Blocker, PayoutForecast } from '#contract/payouts.ts'

/** What keeps money back: that it is paid manually does not. */
export const waitsFor = (blockers: readonly Blocker[]) =>
  blockers.filter(({ code }) => code !== 'payouts-not-configured')

/**
 * The day of the next payout. What falls due by a day is not paid on it while something stands in its way: then none is
 * promised.
 */
export function nextPayday(
  { nextPayoutDate, blockers }: Pick<Balance, 'nextPayoutDate' | 'blockers'>,
  coming: PayoutForecast | undefined,
) {
  const [first] = coming?.days ?? []
  const waits = !first && waitsFor(blockers).length > 0
  return { first, waits, date: first?.date ?? (waits ? null : nextPayoutDate) }
}
