import type { Method } from '../method.ts'

/** Whole units of the company's own, such as points: the company grants them in its system and acknowledges the payout. */
export const units: Method = {
  name: 'units',
  label: 'Units',
  pays: { needs: 'nothing', kinds: [], currencies: 'any' },
  blockers: [],
}
